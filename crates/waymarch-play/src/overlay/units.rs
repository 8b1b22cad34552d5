//! Overlays about units and groups: velocities, neighbours, density, formation slots.

use std::collections::{BTreeMap, BTreeSet};

use waymarch::avoid::{AvoidSettings, Fine};
use waymarch::base::{CellRect, Vec2};
use waymarch::groups::Traffic;
use waymarch::world::{GroupId, Unit, UnitId, World};

use super::{Line, MAX_LINES, OverlayGrid};
use crate::unit_details;

/// At most 500 units have lines to the targets of their orders.
const MAX_TARGETS: usize = 500;
/// Velocities are drawn 6 times as long as the distance covered in one tick.
const VELOCITY_SCALE: i32 = 6;
/// Classes 5 to 11 of lines, as `PROTOCOL.md` numbers them.
const PREFERRED: u32 = 5;
const ACTUAL: u32 = 6;
const LEG: u32 = 7;
const SLOT: u32 = 8;
const GATE: u32 = 9;
const OPPOSED_GATE: u32 = 10;
const TARGET: u32 = 11;
/// Class 6 of the marks in `PROTOCOL.md`: a neighbour of the selected unit.
const NEIGHBOUR: u32 = 6;

fn point(at: Vec2) -> [i32; 2] {
    [at.x.raw(), at.y.raw()]
}

/// Two lines per unit: its velocity if no other unit were in the way, and its actual velocity.
pub(crate) fn velocities(world: &World, grid: &OverlayGrid) -> Vec<u8> {
    let mut lines = Vec::new();
    for unit in world.units().take(MAX_LINES) {
        let preferred = preferred(world, unit.id, unit.position);
        for (class, velocity) in [(PREFERRED, preferred), (ACTUAL, point(unit.velocity))] {
            if velocity != [0, 0] {
                let here = point(unit.position);
                let end = [0, 1].map(|axis: usize| {
                    here[axis].saturating_add(velocity[axis].saturating_mul(VELOCITY_SCALE))
                });
                lines.push((class, vec![here, end]));
            }
        }
    }
    grid.lines(&lines)
}

/// The velocity straight to the unit's next point at full speed; if that point is nearer than one tick, the rest of the distance.
fn preferred(world: &World, id: UnitId, from: Vec2) -> [i32; 2] {
    let speed = world.unit(id).and_then(|unit| world.unit_type(unit.kind)).map(|kind| kind.speed.raw());
    let (Some(aim), Some(speed)) = (world.heads_for(id), speed) else { return [0, 0] };
    let offset = [aim.x.raw() - from.x.raw(), aim.y.raw() - from.y.raw()].map(i64::from);
    let length = (offset[0] * offset[0] + offset[1] * offset[1]).unsigned_abs().isqrt().max(1) as i64;
    offset.map(|part| if length <= i64::from(speed) { part } else { part * i64::from(speed) / length } as i32)
}

/// Marks the neighbours that a unit takes into account: the nearest ones, up to the number in the settings.
pub(crate) fn neighbours(world: &World, unit: Option<UnitId>, grid: &OverlayGrid) -> Vec<u8> {
    let Some((own, here)) = unit.and_then(|unit| Some(unit).zip(world.place_of(unit))) else {
        return grid.cells(&[]);
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
            // Large neighbours count as nearer.
            near.push((square as i64 - (radius(own) + radius(id)).pow(2), id));
        }
    }
    near.sort_unstable();
    near.truncate(usize::from(settings.neighbours));
    let cell = |(_, id): (i64, UnitId)| world.cell_of(id).map(|at| (at, NEIGHBOUR));
    grid.cells(&near.into_iter().filter_map(cell).collect::<Vec<_>>())
}

/// How many units are within a cell of each cell. At lower resolution: how many units are on the cells of a value.
pub(crate) fn density(world: &World, grid: &OverlayGrid) -> Vec<u8> {
    let mut counts = vec![0_u32; grid.columns() as usize * grid.rows() as usize];
    let around = i32::from(grid.is_full_resolution());
    for at in world.units().filter_map(|unit| world.cell_of(unit.id)) {
        for near in CellRect::at(at, 1, 1).grow(around, around).cells() {
            if let Some(count) = grid.value_index(near).and_then(|place| counts.get_mut(place)) {
                *count += 1;
            }
        }
    }
    let count = |at| grid.value_index(at).and_then(|place| counts.get(place)).copied();
    grid.heat(|at| count(at).filter(|count| *count > 0))
}

/// The formation slots of groups and the gates that their members cross: of the groups of `chosen`, or of all groups if `chosen` is empty.
pub(crate) fn slots(world: &World, chosen: &[UnitId], grid: &OverlayGrid) -> Vec<u8> {
    let wanted: BTreeSet<GroupId> = chosen.iter().filter_map(|&unit| world.group_of(unit)).collect();
    let is_wanted = |group: GroupId| chosen.is_empty() || wanted.contains(&group);
    let own: BTreeSet<UnitId> = chosen.iter().copied().collect();
    let mut lines: Vec<Line> = Vec::new();
    // Several groups of one order may have the same gate: it is drawn once.
    let mut gates: BTreeMap<[[i32; 2]; 2], u32> = BTreeMap::new();
    for group in world.groups().filter(|&group| is_wanted(group)) {
        for (way, traffic) in world.gates_of(group).chain(world.detour_gates_of(group)) {
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
        // For a large group only the lines of selected units are drawn: all of them would cover the map.
        let is_asked = chosen.is_empty() || own.contains(&unit.id);
        if is_asked && here.distance_squared(slot) > (u64::from(radius.unsigned_abs()) << 6).pow(2) {
            lines.push((LEG, vec![point(here.into()), point(slot.into())]));
        }
        lines.push((SLOT, outline(slot, radius)));
    }
    lines.extend(targets(world, &own));
    grid.lines(&lines)
}

/// Lines from units to the targets of their orders: what they follow, guard or stand around.
fn targets(world: &World, chosen: &BTreeSet<UnitId>) -> Vec<Line> {
    let is_wanted = |unit: &Unit| chosen.is_empty() || chosen.contains(&unit.id);
    let line = |unit: Unit| {
        let target = unit_details::target_of(world, unit.id, world.orders_of(unit.id).next()?)?;
        Some((TARGET, vec![point(unit.position), point(unit_details::target_place(world, target)?)]))
    };
    world.units().filter(is_wanted).filter_map(line).take(MAX_TARGETS).collect()
}

/// An octagon around a formation slot, closed.
fn outline(middle: Fine, radius: i32) -> Vec<[i32; 2]> {
    let at = point(middle.into());
    // The half side of the octagon is 212/512 of the radius.
    let (near, far) = (radius / 512 * 212 + radius % 512 * 212 / 512, radius);
    let corners = [(near, -far), (far, -near), (far, near), (near, far), (-near, far), (-far, near)];
    let rest = [(-far, -near), (-near, -far), (near, -far)];
    corners.iter().chain(&rest).map(|(x, y)| [at[0].saturating_add(*x), at[1].saturating_add(*y)]).collect()
}
