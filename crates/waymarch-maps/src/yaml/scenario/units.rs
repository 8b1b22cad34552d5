//! Reads unit types, units and groups of a scenario.

use waymarch::avoid::{Reverse, Turning};
use waymarch::base::{Agent, Angle, CollisionLayers, Fixed, GridSize, LocomotorId, SizeClass, Tick};
use waymarch::config::Config;
use waymarch::cost::Rules;
use waymarch::groups::Role;
use waymarch::query::Controller;
use waymarch::world::{MAX_UNIT_TYPES, Mover, OnLoss, PlayerId, UnitType, UnitTypeId, WhenTaken};

use super::values::{DIRECTIONS, find_name, on_map, read_rect};
use crate::FileResult;
use crate::scenario::{
    Action, Group, MAX_SCENARIO_TICKS, MAX_SCENARIO_UNITS, Placement, Scenario, ScheduledAction, Squad,
};
use crate::text_source::quoted;
use crate::yaml::fields::{Fields, Reader};
use crate::yaml::tree::Node;

const TYPE_KEYS: [&str; 19] = [
    "locomotor",
    "size",
    "moves",
    "speed",
    "acceleration",
    "braking",
    "turn",
    "turn_in_place",
    "reverse",
    "weight",
    "radius",
    "tolerance",
    "role",
    "controller",
    "mover",
    "layers",
    "capacity",
    "bulk",
    "on_loss",
];
const UNIT_KEYS: [&str; 12] =
    ["tick", "group", "type", "owner", "at", "cells", "rect", "ring", "radius", "count", "facing", "taken"];

/// Reads `unit_types:`.
pub(super) fn read_types<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    rules: &Rules,
    config: &Config,
) -> FileResult<Vec<UnitType>> {
    let entries = reader.entries(node, "unit_types")?;
    if entries.len() > MAX_UNIT_TYPES {
        return Err(reader.error(node, format!("there are more than {MAX_UNIT_TYPES} unit types")));
    }
    let locomotors: Vec<&str> = rules.locomotors.iter().map(|def| def.name.as_str()).collect();
    let mut types = Vec::new();
    for (key, value) in entries {
        let fields = reader.fields(value, "a unit type", &TYPE_KEYS)?;
        let locomotor = match fields.get("locomotor") {
            Some(node) => find_name(reader, node, "locomotor", &locomotors)?,
            None => 0,
        };
        let side = fields.get("size").map_or(Ok(1), |node| reader.whole(node, "size", 1..=16))?;
        if !config.size_classes.contains(&side) {
            let problem = format!("size {side} is not in the setting `size_classes`");
            return Err(reader.error(fields.get("size").unwrap_or(value), problem));
        }
        let size = SizeClass::new(side).unwrap_or_default();
        let agent = Agent { locomotor: LocomotorId(locomotor as u8), size };
        let motions = [("infantry", Motion::Infantry), ("vehicle", Motion::Vehicle)];
        let motion = fields
            .get("moves")
            .map_or(Ok(Motion::Infantry), |node| reader.choice(node, "moves", &motions))?;
        let usual = match motion {
            Motion::Infantry => UnitType::new(key.name.to_string(), agent),
            Motion::Vehicle => UnitType::vehicle(key.name.to_string(), agent),
        };
        let cells = |key: &str, usual: Fixed, most: i32| match fields.get(key) {
            Some(node) => {
                let value = reader.fixed(node, key)?;
                let legal = value >= Fixed::ZERO && value <= Fixed::from_cells(most);
                if legal {
                    Ok(value)
                } else {
                    Err(reader.wrong(node, key, format_args!("0..={most}, in cells")))
                }
            }
            None => Ok(usual),
        };
        let ticks = |key: &str, usual: u16| {
            fields.get(key).map_or(Ok(usual), |node| reader.whole(node, key, 1..=1000))
        };
        let roles = [("front", Role::Front), ("middle", Role::Middle), ("back", Role::Back)];
        let who = [("player", Controller::Player), ("ai", Controller::Ai)];
        let movers = [("engine", Mover::Engine), ("game", Mover::Game)];
        let losses = [("put-out", OnLoss::PutOut), ("die", OnLoss::Die)];
        types.push(UnitType {
            radius: read_radius(reader, &fields, usual.radius)?,
            speed: cells("speed", usual.speed, 1)?,
            tolerance: cells("tolerance", usual.tolerance, 16)?,
            acceleration: ticks("acceleration", usual.acceleration)?,
            braking: ticks("braking", usual.braking)?,
            turning: read_turning(reader, &fields, usual.turning)?,
            weight: fields
                .get("weight")
                .map_or(Ok(usual.weight), |node| reader.whole(node, "weight", 1..=255))?,
            role: fields.get("role").map_or(Ok(usual.role), |node| reader.choice(node, "role", &roles))?,
            controller: fields
                .get("controller")
                .map_or(Ok(usual.controller), |node| reader.choice(node, "controller", &who))?,
            mover: fields
                .get("mover")
                .map_or(Ok(usual.mover), |node| reader.choice(node, "mover", &movers))?,
            capacity: fields
                .get("capacity")
                .map_or(Ok(usual.capacity), |node| reader.whole(node, "capacity", 0..=4096))?,
            bulk: fields.get("bulk").map_or(Ok(usual.bulk), |node| reader.whole(node, "bulk", 1..=4096))?,
            on_loss: fields
                .get("on_loss")
                .map_or(Ok(usual.on_loss), |node| reader.choice(node, "on_loss", &losses))?,
            layers: fields.get("layers").map(|node| read_layers(reader, node)).transpose()?,
            ..usual
        });
    }
    Ok(types)
}

/// The presets of `moves`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Motion {
    Infantry,
    Vehicle,
}

/// `[ground, air]`: the collision layers of a type.
fn read_layers<'a>(reader: &Reader<'a>, node: &Node<'a>) -> FileResult<CollisionLayers> {
    let mut layers: Option<CollisionLayers> = None;
    for item in reader.list(node, "layers")? {
        let layer = reader.choice(item, "layers", &CollisionLayers::NAMED)?;
        layers = Some(layers.map_or(layer, |layers| layers | layer));
    }
    layers
        .ok_or_else(|| reader.wrong(node, "layers", "a list with at least one of ground, water, air, under"))
}

fn read_radius<'a>(reader: &Reader<'a>, fields: &Fields<'_, 'a>, usual: Fixed) -> FileResult<Fixed> {
    let Some(node) = fields.get("radius") else { return Ok(usual) };
    let value = reader.fixed(node, "radius")?;
    if (64..=8192).contains(&value.raw()) {
        Ok(value)
    } else {
        Err(reader.wrong(node, "radius", "0.0625..=8, in cells"))
    }
}

/// Reads the turning of a unit type. A type with any of these keys turns at a limited rate.
fn read_turning<'a>(reader: &Reader<'a>, fields: &Fields<'_, 'a>, usual: Turning) -> FileResult<Turning> {
    let keys = ["turn", "turn_in_place", "reverse"];
    if keys.iter().all(|key| fields.get(key).is_none()) {
        return Ok(usual);
    }
    let (degrees, in_place, reverse) = match usual {
        Turning::Free => (180, 60, Reverse::Never),
        Turning::Rate { degrees, in_place, reverse } => (degrees, in_place, reverse),
    };
    let backwards = [("never", Reverse::Never), ("when-shorter", Reverse::WhenShorter)];
    Ok(Turning::Rate {
        degrees: fields.get("turn").map_or(Ok(degrees), |node| reader.whole(node, "turn", 1..=3600))?,
        in_place: fields
            .get("turn_in_place")
            .map_or(Ok(in_place), |node| reader.whole(node, "turn_in_place", 1..=180))?,
        reverse: fields
            .get("reverse")
            .map_or(Ok(reverse), |node| reader.choice(node, "reverse", &backwards))?,
    })
}

/// Reads `units:`, one squad per entry. Groups that they name are created. A squad with a `tick` appears by an action.
pub(super) fn read_units<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    size: GridSize,
    scenario: &mut Scenario,
) -> FileResult<()> {
    let mut units = 0_u32;
    for item in reader.list(node, "units")? {
        let fields = reader.fields(item, "a squad", &UNIT_KEYS)?;
        let types: Vec<&str> = scenario.types.iter().map(|kind| kind.name.as_str()).collect();
        let kind = match fields.get("type") {
            Some(node) => find_name(reader, node, "unit type", &types)?,
            None if types.len() == 1 => 0,
            None => return Err(reader.error(item, "the squad has no `type`")),
        };
        let owner = fields.get("owner").map_or(Ok(0), |node| reader.whole(node, "owner", 0..=255))?;
        let place = read_place(reader, item, &fields, size)?;
        units = units.saturating_add(place.count());
        if units > MAX_SCENARIO_UNITS {
            return Err(reader.error(item, format!("the scenario has more than {MAX_SCENARIO_UNITS} units")));
        }
        let squad = scenario.squads.len();
        let facing = fields.get("facing").map(|node| reader.choice(node, "facing", &DIRECTIONS));
        let facing = facing.transpose()?.map_or(Angle::ZERO, Angle::from);
        let rules =
            [("overlap", WhenTaken::Overlap), ("refuse", WhenTaken::Refuse), ("spread", WhenTaken::Spread)];
        let taken = fields
            .get("taken")
            .map_or(Ok(WhenTaken::Overlap), |node| reader.choice(node, "taken", &rules))?;
        let (kind, owner) = (UnitTypeId(kind as u16), PlayerId(owner));
        scenario.squads.push(Squad { kind, owner, place, facing, taken });
        let tick = fields.get("tick").map(|node| reader.whole(node, "tick", 0..=MAX_SCENARIO_TICKS));
        if let Some(tick) = tick.transpose()? {
            let action = Action::Spawn(squad);
            scenario.actions.push(ScheduledAction { tick: Tick(tick), repeat: None, action });
        }
        let name = fields.get("group").map_or(Ok("all"), |node| reader.text(node, "group"))?;
        match scenario.groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.squads.push(squad),
            None => scenario.groups.push(Group { name: name.to_string(), squads: vec![squad] }),
        }
    }
    Ok(())
}

fn read_place<'a>(
    reader: &Reader<'a>,
    item: &Node<'a>,
    fields: &Fields<'_, 'a>,
    size: GridSize,
) -> FileResult<Placement> {
    let on_map = |node: &Node<'a>, what: &str| on_map(reader, node, what, size);
    let given: Vec<&str> =
        ["at", "cells", "rect", "ring"].into_iter().filter(|key| fields.get(key).is_some()).collect();
    let [how] = given[..] else {
        return Err(reader.error(item, "a squad must have exactly one of `at`, `cells`, `rect` and `ring`"));
    };
    let Some(node) = fields.get(how) else { return Err(reader.error(item, "the squad has no position")) };
    let count =
        fields.get("count").map(|node| reader.whole(node, "count", 1..=MAX_SCENARIO_UNITS)).transpose()?;
    let needed = || count.ok_or_else(|| reader.error(item, format!("a squad with `{how}` needs a `count`")));
    Ok(match how {
        "at" => Placement::Cells(vec![on_map(node, "at")?]),
        "cells" => {
            let cells = reader.list(node, "cells")?.iter().map(|item| on_map(item, "cells"));
            Placement::Cells(cells.collect::<FileResult<_>>()?)
        }
        "rect" => Placement::Rect(read_rect(reader, node, "rect", size)?, needed()?),
        _ => {
            let radius = fields
                .get("radius")
                .ok_or_else(|| reader.error(item, "a squad with `ring` needs a `radius`"))?;
            let wide = reader.fixed(radius, "radius")?;
            if wide < Fixed::ZERO || wide > Fixed::from_cells(8192) {
                return Err(reader.wrong(radius, "radius", "0..=8192, in cells"));
            }
            Placement::Ring { centre: on_map(node, "ring")?, radius: wide, count: needed()? }
        }
    })
}

/// Reads `groups:`, which combine other groups.
pub(super) fn read_groups<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    scenario: &mut Scenario,
) -> FileResult<()> {
    for (key, value) in reader.entries(node, "groups")? {
        if scenario.groups.iter().any(|group| group.name == key.name) {
            let problem = format!("there is already a group called {}", quoted(&key.name));
            return Err(reader.key_error(key, problem));
        }
        let names: Vec<&str> = scenario.groups.iter().map(|group| group.name.as_str()).collect();
        let mut squads: Vec<usize> = Vec::new();
        for item in reader.list(value, "groups")? {
            let member = find_name(reader, item, "group", &names)?;
            squads.extend(&scenario.groups[member].squads);
        }
        squads.sort_unstable();
        squads.dedup();
        scenario.groups.push(Group { name: key.name.to_string(), squads });
    }
    Ok(())
}
