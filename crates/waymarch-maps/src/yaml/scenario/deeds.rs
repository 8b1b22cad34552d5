//! What happens in a scenario: orders and edits by tick.

use waymarch::base::{CellPos, CellRect, GridSize, Tick};
use waymarch::cost::{Falloff, GateState, MAX_THREAT_RADIUS, Rules, Stamp, TerrainId, ThreatSource};
use waymarch::query::Goal;
use waymarch::world::When;

use super::plans::{DETAILS, ORDERS, Plans};
use super::{find_name, read_rect};
use crate::FileResult;
use crate::scenario::{Deed, MAX_SCENARIO_TICKS, Scenario, Spot, What};
use crate::source::quoted;
use crate::yaml::fields::{Fields, Reader};
use crate::yaml::stamps::read_footprint;
use crate::yaml::tree::{Node, Value};

/// The keys of every order.
const ORDER_KEYS: [&str; 5] = ["tick", "every", "until", "group", "queued"];
const EDIT_KEYS: [&str; 14] = [
    "tick", "every", "until", "as", "place", "at", "within", "remove", "open", "close", "terrain", "area",
    "height", "threat",
];
/// Of which an edit has one.
const EDITS: [&str; 7] = ["place", "remove", "open", "close", "terrain", "height", "threat"];

/// The one of `kinds` that is there.
fn one_of<'n, 'a>(
    reader: &Reader<'a>,
    item: &Node<'a>,
    fields: &Fields<'n, 'a>,
    kinds: &[&'static str],
) -> FileResult<(&'static str, &'n Node<'a>)> {
    let mut given = kinds.iter().filter_map(|&kind| fields.get(kind).map(|node| (kind, node)));
    match (given.next(), given.next()) {
        (Some(one), None) => Ok(one),
        _ => Err(reader.error(item, format!("it must have exactly one of {}", kinds.join(", ")))),
    }
}

fn read_when<'a>(reader: &Reader<'a>, fields: &Fields<'_, 'a>) -> FileResult<(Tick, Option<(u32, Tick)>)> {
    let number = |key: &str, least: u64| {
        fields.get(key).map(|node| reader.whole(node, key, least..=MAX_SCENARIO_TICKS)).transpose()
    };
    let tick = number("tick", 0)?.unwrap_or(0);
    let until = number("until", tick)?.map_or(Tick::MAX, Tick);
    let again = number("every", 1)?.map(|every| (every as u32, until));
    Ok((Tick(tick), again))
}

/// `orders:`.
pub(super) fn read_orders<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    size: GridSize,
    rules: &Rules,
    scenario: &mut Scenario,
) -> FileResult<()> {
    for item in reader.list(node, "orders")? {
        let keys = [&ORDER_KEYS[..], &ORDERS, &DETAILS].concat();
        let fields = reader.fields(item, "an order", &keys)?;
        let (tick, again) = read_when(reader, &fields)?;
        let names: Vec<&str> = scenario.groups.iter().map(|group| group.name.as_str()).collect();
        let group = match fields.get("group") {
            Some(node) => find_name(reader, node, "group", &names)?,
            None if names.len() == 1 => 0,
            None => return Err(reader.error(item, "the order has no `group`")),
        };
        let queued = fields.get("queued").map_or(Ok(false), |node| reader.boolean(node, "queued"))?;
        let (kind, value) = one_of(reader, item, &fields, &ORDERS)?;
        let plans = Plans { reader, item, fields: &fields, size, rules, scenario };
        let plan = plans.read(kind, value)?;
        let when = if queued { When::Queued } else { When::Now };
        scenario.deeds.push(Deed { tick, again, what: What::Order { group, plan, when } });
    }
    Ok(())
}

pub(super) fn on_map<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    what: &str,
    size: GridSize,
) -> FileResult<CellPos> {
    let at = reader.cell(node, what)?;
    if size.contains(at) {
        Ok(at)
    } else {
        Err(reader.error(node, format!("{at} is not on a map of {size}")))
    }
}

/// `[x, y]`, or a goal in words: `circle:40,40,6`.
pub(super) fn read_goal<'a>(reader: &Reader<'a>, node: &Node<'a>, size: GridSize) -> FileResult<Goal> {
    let goal = match &node.value {
        Value::List(_) => Goal::point(on_map(reader, node, "move", size)?),
        _ => {
            let word = reader.text(node, "move")?;
            word.parse()
                .map_err(|error| reader.error(node, format!("`move` is {}: {error}", quoted(word))))?
        }
    };
    goal.validate(size).map_err(|error| reader.error(node, error.to_string()))?;
    Ok(goal)
}

/// `edits:`.
pub(super) fn read_edits<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    size: GridSize,
    rules: &Rules,
    scenario: &mut Scenario,
) -> FileResult<()> {
    for item in reader.list(node, "edits")? {
        let fields = reader.fields(item, "an edit", &EDIT_KEYS)?;
        let (tick, again) = read_when(reader, &fields)?;
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
        let what = match kind {
            "place" => {
                let stamp = read_footprint(reader, value, rules)?;
                let spot = read_spot(reader, item, &fields, size, &stamp)?;
                What::Place { stamp, spot, name }
            }
            "remove" => What::Remove(named()?),
            "open" => What::Gate(named()?, GateState::Open),
            "close" => What::Gate(named()?, GateState::Closed),
            "terrain" => {
                let terrains: Vec<&str> = rules.terrains.iter().map(|def| def.name.as_str()).collect();
                let terrain = find_name(reader, value, "terrain", &terrains)?;
                What::Terrain(area()?, TerrainId(terrain as u8))
            }
            "height" => What::Height(area()?, reader.whole(value, "height", i16::MIN..=i16::MAX)?),
            _ => What::Threat(read_threat(reader, value, size)?, name),
        };
        scenario.deeds.push(Deed { tick, again, what });
    }
    Ok(())
}

/// The place of a name, new or not.
fn name_of(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_string());
        names.len() - 1
    })
}

/// `at: [x, y]`, or `within: [x, y, width, height]` for a place by luck.
fn read_spot<'a>(
    reader: &Reader<'a>,
    item: &Node<'a>,
    fields: &Fields<'_, 'a>,
    size: GridSize,
    stamp: &Stamp,
) -> FileResult<Spot> {
    match (fields.get("at"), fields.get("within")) {
        (Some(node), None) => {
            let at = on_map(reader, node, "at", size)?;
            let rect = CellRect::at(at, stamp.width, stamp.height);
            if rect.intersect(size.rect()) != rect {
                let problem = format!(
                    "a stamp of {}×{} at {at} does not fit a map of {size}",
                    stamp.width, stamp.height
                );
                return Err(reader.error(node, problem));
            }
            Ok(Spot::At(at))
        }
        (None, Some(node)) => {
            let area = read_rect(reader, node, "within", size)?;
            let (x1, y1) = (area.x1 - stamp.width as i32 + 1, area.y1 - stamp.height as i32 + 1);
            if x1 <= area.x0 || y1 <= area.y0 {
                return Err(reader.error(node, "the stamp does not fit in there"));
            }
            Ok(Spot::Within(CellRect { x1, y1, ..area }))
        }
        _ => Err(reader.error(item, "a stamp has either `at` or `within`")),
    }
}

fn read_threat<'a>(reader: &Reader<'a>, node: &Node<'a>, size: GridSize) -> FileResult<ThreatSource> {
    let fields = reader.fields(node, "a threat", &["at", "radius", "strength", "falloff"])?;
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
