//! Who is in a scenario: kinds of units, units and groups.

use waymarch::base::{Agent, Fixed, GridSize, LocomotorId, SizeClass};
use waymarch::config::Config;
use waymarch::cost::Rules;
use waymarch::query::Controller;
use waymarch::world::{MAX_UNIT_TYPES, PlayerId, UnitType, UnitTypeId};

use super::{find_name, read_rect};
use crate::FileResult;
use crate::scenario::{Group, MAX_SCENARIO_UNITS, Muster, Scenario, Squad};
use crate::source::quoted;
use crate::yaml::fields::{Fields, Reader};
use crate::yaml::tree::Node;

const TYPE_KEYS: [&str; 7] = ["locomotor", "size", "speed", "radius", "tolerance", "turn", "controller"];
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
        let usual = UnitType::new(key.name.to_string(), agent);
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
        let who = [("player", Controller::Player), ("ai", Controller::Ai)];
        types.push(UnitType {
            radius: cells("radius", usual.radius, 16)?,
            speed: cells("speed", usual.speed, 1)?,
            tolerance: cells("tolerance", usual.tolerance, 16)?,
            turn: fields
                .get("turn")
                .map_or(Ok(usual.turn), |node| reader.whole(node, "turn", 0..=u16::MAX))?,
            controller: fields
                .get("controller")
                .map_or(Ok(usual.controller), |node| reader.choice(node, "controller", &who))?,
            ..usual
        });
    }
    Ok(types)
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
