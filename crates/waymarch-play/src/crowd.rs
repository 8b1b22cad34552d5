//! Overlays of layers 4 and 5: how units move among each other, and where groups go.

use std::collections::{BTreeMap, BTreeSet};

use waymarch::avoid::{AvoidSettings, Fine};
use waymarch::base::{CellRect, Vec2};
use waymarch::groups::Traffic;
use waymarch::world::{GroupId, Unit, UnitId, World};

use crate::details;
use crate::overlay::MAX_LINES;
use crate::paper::{Line, Paper};

/// At most so many units have lines to what their orders are about.
const MAX_TARGETS: usize = 500;
/// Velocities are drawn so many times as long.
const VELOCITY_SCALE: i32 = 6;
/// Classes of lines, as `PROTOCOL.md` numbers them.
const PREFERRED: u32 = 5;
const ACTUAL: u32 = 6;
const LEG: u32 = 7;
const SLOT: u32 = 8;
const GATE: u32 = 9;
const OPPOSED_GATE: u32 = 10;
const TARGET: u32 = 11;
/// And of marks.
const NEIGHBOUR: u32 = 6;

fn point(at: Vec2) -> [i32; 2] {
    [at.x.raw(), at.y.raw()]
}

/// Where units would go if nobody were in the way, and where they went.
pub(crate) fn velocities(world: &World, paper: &Paper) -> Vec<u8> {
    let mut lines = Vec::new();
    for unit in world.units().take(MAX_LINES) {
        let preferred = preferred(world, unit.id, unit.position);
        for (class, way) in [(PREFERRED, preferred), (ACTUAL, point(unit.velocity))] {
            if way != [0, 0] {
                let here = point(unit.position);
                let end = [0, 1]
                    .map(|axis: usize| here[axis].saturating_add(way[axis].saturating_mul(VELOCITY_SCALE)));
                lines.push((class, vec![here, end]));
            }
        }
    }
    paper.lines(&lines)
}

/// Straight to where a unit heads for, at its full speed, or as far as that is.
fn preferred(world: &World, id: UnitId, from: Vec2) -> [i32; 2] {
    let speed = world.unit(id).and_then(|unit| world.unit_type(unit.kind)).map(|kind| kind.speed.raw());
    let (Some(aim), Some(speed)) = (world.heads_for(id), speed) else { return [0, 0] };
    let way = [aim.x.raw() - from.x.raw(), aim.y.raw() - from.y.raw()].map(i64::from);
    let length = (way[0] * way[0] + way[1] * way[1]).unsigned_abs().isqrt().max(1) as i64;
    way.map(|part| if length <= i64::from(speed) { part } else { part * i64::from(speed) / length } as i32)
}

/// The others nearest to a unit, as many as it looks at, wherever it goes.
pub(crate) fn neighbours(world: &World, unit: Option<UnitId>, paper: &Paper) -> Vec<u8> {
    let Some((own, here)) = unit.and_then(|unit| Some(unit).zip(world.place_of(unit))) else {
        return paper.cells(&[]);
    };
    let settings = AvoidSettings::of_config(world.nav().config());
    let reach = u64::try_from(settings.range.raw()).unwrap_or(0) << 6;
    let radius = |id: UnitId| {
        let kind = world.unit(id).and_then(|unit| world.unit_type(unit.kind));
        kind.map_or(0, |kind| i64::from(kind.radius.raw()) << 6)
    };
    let mut near = Vec::new();
    for (id, _) in world.positions().filter(|(id, _)| *id != own) {
        let square = world.place_of(id).map_or(u64::MAX, |at| at.distance_squared(here));
        if square <= reach * reach {
            // Big ones count as nearer.
            near.push((square as i64 - (radius(own) + radius(id)).pow(2), id));
        }
    }
    near.sort_unstable();
    near.truncate(usize::from(settings.neighbours));
    let cell = |(_, id): (i64, UnitId)| world.cell_of(id).map(|at| (at, NEIGHBOUR));
    paper.cells(&near.into_iter().filter_map(cell).collect::<Vec<_>>())
}

/// How many units are within a cell of each cell; from afar, how many are on the cells that a value stands for.
pub(crate) fn density(world: &World, paper: &Paper) -> Vec<u8> {
    let mut counts = vec![0_u32; paper.wide() as usize * paper.high() as usize];
    let around = i32::from(paper.is_fine());
    for at in world.units().filter_map(|unit| world.cell_of(unit.id)) {
        for near in CellRect::at(at, 1, 1).grow(around, around).cells() {
            if let Some(count) = paper.place(near).and_then(|place| counts.get_mut(place)) {
                *count += 1;
            }
        }
    }
    let count = |at| paper.place(at).and_then(|place| counts.get(place)).copied();
    paper.heat(|at| count(at).filter(|count| *count > 0))
}

/// Where the members of groups are to stand, and the gates that they go through: the groups of `chosen`, or all if nobody is chosen.
pub(crate) fn slots(world: &World, chosen: &[UnitId], paper: &Paper) -> Vec<u8> {
    let wanted: BTreeSet<GroupId> = chosen.iter().filter_map(|&unit| world.group_of(unit)).collect();
    let is_wanted = |group: GroupId| chosen.is_empty() || wanted.contains(&group);
    let own: BTreeSet<UnitId> = chosen.iter().copied().collect();
    let mut lines: Vec<Line> = Vec::new();
    // Units told together may have been given the same gate by several groups: one line for each.
    let mut gates: BTreeMap<[[i32; 2]; 2], u32> = BTreeMap::new();
    for group in world.groups().filter(|&group| is_wanted(group)) {
        for (way, traffic) in world.gates_of(group).chain(world.gates_round(group)) {
            let ends = [way.gate.left, way.gate.right].map(|end| point(end.into()));
            let class = if traffic == Traffic::Opposing { OPPOSED_GATE } else { GATE };
            let known = gates.entry(ends).or_insert(class);
            *known = class.max(*known);
        }
    }
    lines.extend(gates.into_iter().map(|(ends, class)| (class, ends.to_vec())));
    for unit in world.units().filter(|unit| world.group_of(unit.id).is_some_and(is_wanted)).take(MAX_LINES) {
        let (Some(slot), Some(here)) = (world.slot_of(unit.id), world.place_of(unit.id)) else { continue };
        let radius = world.unit_type(unit.kind).map_or(384, |kind| kind.radius.raw());
        // Of a whole army only the ways of those who are selected: the others' would cover the map.
        let is_asked = chosen.is_empty() || own.contains(&unit.id);
        if is_asked && here.distance_squared(slot) > (u64::from(radius.unsigned_abs()) << 6).pow(2) {
            lines.push((LEG, vec![point(here.into()), point(slot.into())]));
        }
        lines.push((SLOT, outline(slot, radius)));
    }
    lines.extend(targets(world, &own));
    paper.lines(&lines)
}

/// From units to what their orders are about: whom they follow, what they guard or stand around.
fn targets(world: &World, chosen: &BTreeSet<UnitId>) -> Vec<Line> {
    let is_wanted = |unit: &Unit| chosen.is_empty() || chosen.contains(&unit.id);
    let line = |unit: Unit| {
        let target = details::target_of(world, unit.id, world.orders_of(unit.id).next()?)?;
        Some((TARGET, vec![point(unit.position), point(details::target_place(world, target)?)]))
    };
    world.units().filter(is_wanted).filter_map(line).take(MAX_TARGETS).collect()
}

/// A circle with eight corners.
fn outline(middle: Fine, radius: i32) -> Vec<[i32; 2]> {
    let at = point(middle.into());
    // Half of the side is 212 in 512 of the radius.
    let (near, far) = (radius / 512 * 212 + radius % 512 * 212 / 512, radius);
    let corners = [(near, -far), (far, -near), (far, near), (near, far), (-near, far), (-far, near)];
    let rest = [(-far, -near), (-near, -far), (near, -far)];
    corners.iter().chain(&rest).map(|(x, y)| [at[0].saturating_add(*x), at[1].saturating_add(*y)]).collect()
}
