//! Who is in a scenario: kinds of units, units and groups.

use waymarch::avoid::{Reverse, Turning};
use waymarch::base::{Agent, Fixed, GridSize, LocomotorId, SizeClass};
use waymarch::config::Config;
use waymarch::cost::Rules;
use waymarch::groups::Role;
use waymarch::query::Controller;
use waymarch::world::{MAX_UNIT_TYPES, PlayerId, UnitType, UnitTypeId};

use super::{find_name, read_rect};
use crate::FileResult;
use crate::scenario::{Group, MAX_SCENARIO_UNITS, Muster, Scenario, Squad};
use crate::source::quoted;
use crate::yaml::fields::{Fields, Reader};
use crate::yaml::tree::Node;

const TYPE_KEYS: [&str; 14] = [
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
];
const UNIT_KEYS: [&str; 9] = ["group", "type", "owner", "at", "cells", "rect", "ring", "radius", "count"];

/// `unit_types:` by name.
pub(super) fn read_types<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    rules: &Rules,
    config: &Config,
) -> FileResult<Vec<UnitType>> {
    let entries = reader.entries(node, "unit_types")?;
    if entries.len() > MAX_UNIT_TYPES {
        return Err(reader.error(node, format!("more than {MAX_UNIT_TYPES} kinds of units")));
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
            let problem = format!("units of size {side} are not in `size_classes`");
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

fn read_radius<'a>(reader: &Reader<'a>, fields: &Fields<'_, 'a>, usual: Fixed) -> FileResult<Fixed> {
    let Some(node) = fields.get("radius") else { return Ok(usual) };
    let value = reader.fixed(node, "radius")?;
    if (64..=8192).contains(&value.raw()) {
        Ok(value)
    } else {
        Err(reader.wrong(node, "radius", "0.0625..=8, in cells"))
    }
}

/// A kind that says anything about turning is one that has to turn.
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

/// `units:`, a squad each; the groups they name come into being.
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
            return Err(reader.error(item, format!("more than {MAX_SCENARIO_UNITS} units")));
        }
        let squad = scenario.squads.len();
        scenario.squads.push(Squad { kind: UnitTypeId(kind as u16), owner: PlayerId(owner), place });
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
) -> FileResult<Muster> {
    let on_map = |node: &Node<'a>, what: &str| {
        let at = reader.cell(node, what)?;
        if size.contains(at) {
            Ok(at)
        } else {
            Err(reader.error(node, format!("{at} is not on a map of {size}")))
        }
    };
    let given: Vec<&str> =
        ["at", "cells", "rect", "ring"].into_iter().filter(|key| fields.get(key).is_some()).collect();
    let [how] = given[..] else {
        return Err(reader.error(item, "a squad has one of `at`, `cells`, `rect` and `ring`"));
    };
    let Some(node) = fields.get(how) else { return Err(reader.error(item, "the squad stands nowhere")) };
    let count =
        fields.get("count").map(|node| reader.whole(node, "count", 1..=MAX_SCENARIO_UNITS)).transpose()?;
    let needed = || count.ok_or_else(|| reader.error(item, format!("a squad with `{how}` has a `count`")));
    Ok(match how {
        "at" => Muster::Cells(vec![on_map(node, "at")?]),
        "cells" => {
            let cells = reader.list(node, "cells")?.iter().map(|item| on_map(item, "cells"));
            Muster::Cells(cells.collect::<FileResult<_>>()?)
        }
        "rect" => Muster::Rect(read_rect(reader, node, "rect", size)?, needed()?),
        _ => {
            let radius = fields.get("radius").ok_or_else(|| reader.error(item, "a ring has a `radius`"))?;
            let wide = reader.fixed(radius, "radius")?;
            if wide < Fixed::ZERO || wide > Fixed::from_cells(8192) {
                return Err(reader.wrong(radius, "radius", "0..=8192, in cells"));
            }
            Muster::Ring { centre: on_map(node, "ring")?, radius: wide, count: needed()? }
        }
    })
}

/// `groups:` of groups.
pub(super) fn read_groups<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    scenario: &mut Scenario,
) -> FileResult<()> {
    for (key, value) in reader.entries(node, "groups")? {
        if scenario.groups.iter().any(|group| group.name == key.name) {
            let problem = format!("there is a group called {} already", quoted(&key.name));
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
