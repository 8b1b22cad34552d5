//! Reads `orders:` and `edits:` of a scenario: what happens at which tick.

use waymarch::base::{CellRect, GridSize, Tick};
use waymarch::config::Config;
use waymarch::cost::{
    Falloff, GateState, MAX_THREAT_RADIUS, Rules, SideMask, Stamp, TerrainId, ThreatSource,
};
use waymarch::planners::PlannerList;
use waymarch::world::{PlayerId, TeamId, When};

use super::orders::{DETAILS, ORDERS, OrderReader};
use super::values::{find_name, on_map, read_rect};
use crate::FileResult;
use crate::scenario::{
    Action, MAX_SCENARIO_TICKS, Repeat, Scenario, ScheduledAction, SourceOwner, StampPosition,
};
use crate::yaml::config::{config_keys, set_config};
use crate::yaml::fields::{Fields, Reader};
use crate::yaml::stamps::read_footprint;
use crate::yaml::tree::Node;

/// The word for the engine's own choice of planners.
pub(super) const NO_PLANNER: &str = "none";
/// The keys that every order may have.
const ORDER_KEYS: [&str; 5] = ["tick", "every", "until", "group", "queued"];
const EDIT_KEYS: [&str; 21] = [
    "tick", "every", "until", "as", "place", "at", "within", "remove", "open", "close", "terrain", "area",
    "height", "threat", "config", "reload", "planner", "random", "team", "player", "teams",
];
/// The keys that say what an edit does. An edit has exactly one of them.
const EDITS: [&str; 12] = [
    "place", "remove", "open", "close", "terrain", "height", "threat", "config", "reload", "planner",
    "random", "team",
];

/// Reads `actions:`, a list of orders and edits. An item with a key of [`ORDERS`] is an order.
pub(super) fn read_actions<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    size: GridSize,
    rules: &Rules,
    scenario: &mut Scenario,
) -> FileResult<()> {
    for item in reader.list(node, "actions")? {
        let is_order = reader.entries(item, "an action")?.iter().any(|(key, _)| ORDERS.contains(&&*key.name));
        if is_order {
            read_order(reader, item, size, rules, scenario)?;
        } else {
            read_edit(reader, item, size, rules, scenario)?;
        }
    }
    Ok(())
}

/// The one key of `kinds` that is present.
fn one_of<'n, 'a>(
    reader: &Reader<'a>,
    item: &Node<'a>,
    fields: &Fields<'n, 'a>,
    kinds: &[&'static str],
) -> FileResult<(&'static str, &'n Node<'a>)> {
    let mut given = kinds.iter().filter_map(|&kind| fields.get(kind).map(|node| (kind, node)));
    match (given.next(), given.next()) {
        (Some(one), None) => Ok(one),
        _ => Err(reader.error(item, format!("exactly one of these keys is needed: {}", kinds.join(", ")))),
    }
}

fn read_when<'a>(reader: &Reader<'a>, fields: &Fields<'_, 'a>) -> FileResult<(Tick, Option<Repeat>)> {
    let number = |key: &str, least: u64| {
        fields.get(key).map(|node| reader.whole(node, key, least..=MAX_SCENARIO_TICKS)).transpose()
    };
    let tick = number("tick", 0)?.unwrap_or(0);
    let until = number("until", tick)?.map_or(Tick::MAX, Tick);
    let repeat = number("every", 1)?.map(|every| Repeat { every: every as u32, until });
    Ok((Tick(tick), repeat))
}

/// Reads `orders:`.
pub(super) fn read_orders<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    size: GridSize,
    rules: &Rules,
    scenario: &mut Scenario,
) -> FileResult<()> {
    reader.list(node, "orders")?.iter().try_for_each(|item| read_order(reader, item, size, rules, scenario))
}

fn read_order<'a>(
    reader: &Reader<'a>,
    item: &Node<'a>,
    size: GridSize,
    rules: &Rules,
    scenario: &mut Scenario,
) -> FileResult<()> {
    let keys = [&ORDER_KEYS[..], &ORDERS, &DETAILS].concat();
    let fields = reader.fields(item, "an order", &keys)?;
    let (tick, repeat) = read_when(reader, &fields)?;
    let names: Vec<&str> = scenario.groups.iter().map(|group| group.name.as_str()).collect();
    let group = match fields.get("group") {
        Some(node) => find_name(reader, node, "group", &names)?,
        None if names.len() == 1 => 0,
        None => return Err(reader.error(item, "the order has no `group`")),
    };
    let queued = fields.get("queued").map_or(Ok(false), |node| reader.boolean(node, "queued"))?;
    let (kind, value) = one_of(reader, item, &fields, &ORDERS)?;
    let orders = OrderReader { reader, item, fields: &fields, size, rules, scenario };
    let order = orders.read(kind, value)?;
    let when = if queued { When::Queued } else { When::Now };
    scenario.actions.push(ScheduledAction { tick, repeat, action: Action::Order { group, order, when } });
    Ok(())
}

/// Reads `edits:`.
pub(super) fn read_edits<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    size: GridSize,
    rules: &Rules,
    scenario: &mut Scenario,
) -> FileResult<()> {
    reader.list(node, "edits")?.iter().try_for_each(|item| read_edit(reader, item, size, rules, scenario))
}

fn read_edit<'a>(
    reader: &Reader<'a>,
    item: &Node<'a>,
    size: GridSize,
    rules: &Rules,
    scenario: &mut Scenario,
) -> FileResult<()> {
    let fields = reader.fields(item, "an edit", &EDIT_KEYS)?;
    let (tick, repeat) = read_when(reader, &fields)?;
    let name = match fields.get("as") {
        Some(node) => Some(name_of(&mut scenario.names, reader.text(node, "as")?)),
        None => None,
    };
    let (kind, value) = one_of(reader, item, &fields, &EDITS)?;
    let area = || match fields.get("area") {
        Some(node) => read_rect(reader, node, "area", size),
        None => Err(reader.error(item, format!("`{kind}` needs an `area`"))),
    };
    let names: Vec<&str> = scenario.names.iter().map(String::as_str).collect();
    let named = || find_name(reader, value, "stamp or threat", &names);
    let action = match kind {
        "place" => {
            let stamp = read_footprint(reader, value, rules)?;
            let position = read_position(reader, item, &fields, size, &stamp)?;
            Action::Place { stamp, position, name }
        }
        "remove" => Action::Remove(named()?),
        "open" => Action::Gate(named()?, read_teams(reader, &fields)?),
        "close" => Action::Gate(named()?, GateState::Closed),
        "team" => {
            let team = TeamId(reader.whole(value, kind, 0..=u8::MAX)?);
            let Some(player) = fields.get("player") else {
                return Err(reader.error(item, "`team` needs a `player`"));
            };
            Action::Team(PlayerId(reader.whole(player, "player", 0..=u8::MAX)?), team)
        }
        "terrain" => {
            let terrains: Vec<&str> = rules.terrains.iter().map(|def| def.name.as_str()).collect();
            let terrain = find_name(reader, value, "terrain", &terrains)?;
            Action::Terrain(area()?, TerrainId(terrain as u8))
        }
        "height" => Action::Height(area()?, reader.whole(value, "height", i16::MIN..=i16::MAX)?),
        "config" => Action::Configure(read_settings(reader, value, &scenario.setup.config)?),
        "reload" if reader.boolean(value, kind)? => Action::Reload,
        "reload" => return Err(reader.wrong(value, kind, "true")),
        "planner" => Action::Planner(read_planner(reader, value)?),
        "random" => Action::Random(reader.whole(value, kind, 0..=u64::MAX)?),
        _ => {
            let groups: Vec<&str> = scenario.groups.iter().map(|group| group.name.as_str()).collect();
            let source = read_threat(reader, value, size)?;
            match read_owner(reader, value, &groups)? {
                Some(owner) => Action::ThreatOf(source, name, owner),
                None => Action::Threat(source, name),
            }
        }
    };
    scenario.actions.push(ScheduledAction { tick, repeat, action });
    Ok(())
}

/// Reads `teams: [NUMBER, …]` of an opened gate: it opens to these only. Without the key it opens to all.
fn read_teams<'a>(reader: &Reader<'a>, fields: &Fields<'_, 'a>) -> FileResult<GateState> {
    let Some(node) = fields.get("teams") else { return Ok(GateState::Open) };
    let mut sides = SideMask::default();
    for team in reader.list(node, "teams")? {
        sides = sides.with(reader.whole(team, "team", 0..=31)?);
    }
    Ok(GateState::OpenTo(sides))
}

/// Reads the settings of `config: {key: value, …}`.
fn read_settings<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    config: &Config,
) -> FileResult<Vec<(String, String)>> {
    // The values are checked by setting them, and stored in the form in which a settings file writes them.
    let mut changed = config.clone();
    set_config(reader, node, "`config`", &mut changed)?;
    let mut written = config_keys(&changed);
    written.retain(|row| {
        reader.entries(node, "config").is_ok_and(|all| all.iter().any(|(key, _)| key.name == row.key))
    });
    Ok(written.into_iter().map(|row| (row.key.to_string(), row.value)).collect())
}

/// Reads the name of a built-in planner; `none` is the engine's own choice.
fn read_planner<'a>(reader: &Reader<'a>, node: &Node<'a>) -> FileResult<Option<String>> {
    let list = PlannerList::builtin();
    let names: Vec<&str> = std::iter::once(NO_PLANNER).chain(list.names()).collect();
    let at = find_name(reader, node, "planner", &names)?;
    Ok((at > 0).then(|| names[at].to_string()))
}

/// The index of a name, which is added if it is new.
fn name_of(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_string());
        names.len() - 1
    })
}

/// Reads `at: [x, y]`, or `within: [x, y, width, height]` for a random position.
fn read_position<'a>(
    reader: &Reader<'a>,
    item: &Node<'a>,
    fields: &Fields<'_, 'a>,
    size: GridSize,
    stamp: &Stamp,
) -> FileResult<StampPosition> {
    match (fields.get("at"), fields.get("within")) {
        (Some(node), None) => {
            let at = on_map(reader, node, "at", size)?;
            let rect = CellRect::at(at, stamp.width, stamp.height);
            if rect.intersect(size.rect()) != rect {
                let problem = format!(
                    "a stamp of {}×{} cells at {at} does not fit the map ({size})",
                    stamp.width, stamp.height
                );
                return Err(reader.error(node, problem));
            }
            Ok(StampPosition::At(at))
        }
        (None, Some(node)) => {
            let area = read_rect(reader, node, "within", size)?;
            let (x1, y1) = (area.x1 - stamp.width as i32 + 1, area.y1 - stamp.height as i32 + 1);
            if x1 <= area.x0 || y1 <= area.y0 {
                return Err(reader.error(node, "the stamp is larger than the area `within`"));
            }
            Ok(StampPosition::Within(CellRect { x1, y1, ..area }))
        }
        _ => Err(reader.error(item, "a stamp must have either `at` or `within`")),
    }
}

/// The keys of a threat source.
const THREAT_KEYS: [&str; 6] = ["at", "radius", "strength", "falloff", "player", "group"];

/// Reads `player: NUMBER` or `group: NAME` of a threat source.
fn read_owner<'a>(reader: &Reader<'a>, node: &Node<'a>, groups: &[&str]) -> FileResult<Option<SourceOwner>> {
    let fields = reader.fields(node, "a threat", &THREAT_KEYS)?;
    match (fields.get("player"), fields.get("group")) {
        (None, None) => Ok(None),
        (Some(player), None) => {
            let number = reader.whole(player, "player", 0..=u8::MAX)?;
            Ok(Some(SourceOwner::Player(PlayerId(number))))
        }
        (None, Some(group)) => Ok(Some(SourceOwner::Group(find_name(reader, group, "group", groups)?))),
        _ => Err(reader.error(node, "a threat belongs to a `player` or to a `group`, not to both")),
    }
}

fn read_threat<'a>(reader: &Reader<'a>, node: &Node<'a>, size: GridSize) -> FileResult<ThreatSource> {
    let fields = reader.fields(node, "a threat", &THREAT_KEYS)?;
    let needed =
        |key: &str| fields.get(key).ok_or_else(|| reader.error(node, format!("the threat has no `{key}`")));
    let falloff = [("flat", Falloff::Flat), ("linear", Falloff::Linear), ("quadratic", Falloff::Quadratic)];
    Ok(ThreatSource {
        at: on_map(reader, needed("at")?, "at", size)?,
        radius: reader.whole(needed("radius")?, "radius", 0..=MAX_THREAT_RADIUS)?,
        strength: reader.whole(needed("strength")?, "strength", 0..=255)?,
        falloff: fields
            .get("falloff")
            .map_or(Ok(Falloff::Linear), |node| reader.choice(node, "falloff", &falloff))?,
    })
}
