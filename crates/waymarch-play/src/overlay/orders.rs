//! The overlay about orders: lines from the selected units through the destinations of their present and queued orders.

use std::collections::BTreeMap;

use waymarch::base::{CellPos, Vec2};
use waymarch::query::{Goal, Shape};
use waymarch::world::{Order, UnitId, World};

use super::{Line, OverlayGrid};
use crate::unit_details::{self, cell_middle};

/// Up to 12 units with the same destinations have a line each; more have one from their middle, which keeps the map readable.
const MAX_SINGLE: usize = 12;

/// Classes 12 to 14 of lines, as `PROTOCOL.md` numbers them: to the destination of a move, of an attack-move and of any other order.
const MOVE: u32 = 12;
const ATTACK: u32 = 13;
const OTHER: u32 = 14;
/// The class of a line to the destination of a queued order is greater by 3.
const QUEUED: u32 = 3;

/// A destination and the class of the line that leads to it.
type Leg = (u32, [i32; 2]);

/// The lines of the orders of `chosen`. Units with the same destinations share their lines.
pub(crate) fn orders(world: &World, chosen: &[UnitId], grid: &OverlayGrid) -> Vec<u8> {
    let mut same: BTreeMap<Vec<Leg>, Vec<[i32; 2]>> = BTreeMap::new();
    for &unit in chosen {
        let Some(at) = world.unit(unit).map(|unit| point(unit.position)) else { continue };
        let legs = legs(world, unit);
        if !legs.is_empty() {
            same.entry(legs).or_default().push(at);
        }
    }
    let mut lines: Vec<Line> = Vec::new();
    for (legs, units) in same {
        let starts = if units.len() > MAX_SINGLE { vec![middle(&units)] } else { units };
        if let Some(&(class, to)) = legs.first() {
            lines.extend(starts.into_iter().map(|from| (class, vec![from, to])));
        }
        lines.extend(legs.windows(2).map(|pair| (pair[1].0, vec![pair[0].1, pair[1].1])));
    }
    grid.lines(&lines)
}

/// The destinations of a unit's present and queued orders.
fn legs(world: &World, unit: UnitId) -> Vec<Leg> {
    let mut legs = Vec::new();
    for (place, order) in world.orders_of(unit).enumerate() {
        let class = match order {
            Order::Move(_) | Order::Form { .. } => MOVE,
            Order::AttackMove { .. } => ATTACK,
            _ => OTHER,
        };
        let class = if place == 0 { class } else { class + QUEUED };
        legs.extend(destinations(world, unit, order).into_iter().map(|to| (class, point(to))));
    }
    legs
}

/// The destinations of one order: none for orders without a place, several for a patrol.
fn destinations(world: &World, unit: UnitId, order: &Order) -> Vec<Vec2> {
    match order {
        Order::Move(goal) | Order::AttackMove { goal, .. } => goal_place(goal).into_iter().collect(),
        Order::Form { at, .. } => vec![cell_middle(*at)],
        Order::Patrol(stops) => {
            // The loop begins at the stop that the unit goes to.
            let goal = unit_details::goal(world, unit);
            let next = stops.iter().position(|&stop| Some(stop) == goal).unwrap_or(0);
            let turn = stops.iter().cycle().skip(next).take(stops.len() + 1);
            turn.map(|&stop| cell_middle(stop)).collect()
        }
        _ => {
            let target = unit_details::target_of(world, unit, order);
            target.and_then(|target| unit_details::target_place(world, target)).into_iter().collect()
        }
    }
}

/// The middle of the first shape of a goal; `None` for places to leave.
fn goal_place(goal: &Goal) -> Option<Vec2> {
    let shape = match goal {
        Goal::In(shape) => shape,
        Goal::AnyOf(shapes) => shapes.first()?,
        Goal::OutOf(_) | Goal::OutOfAll(_) => return None,
    };
    Some(match shape {
        Shape::Point(at) | Shape::Circle { centre: at, .. } | Shape::Ring { centre: at, .. } => {
            cell_middle(*at)
        }
        Shape::Rect(area) => {
            cell_middle(CellPos::new(area.x0.midpoint(area.x1 - 1), area.y0.midpoint(area.y1 - 1)))
        }
    })
}

fn point(at: Vec2) -> [i32; 2] {
    [at.x.raw(), at.y.raw()]
}

/// The mean of positions; there is at least one.
fn middle(units: &[[i32; 2]]) -> [i32; 2] {
    [0, 1].map(|axis: usize| {
        let sum: i64 = units.iter().map(|at| i64::from(at[axis])).sum();
        // A mean of positions on the map is on the map.
        (sum / units.len().max(1) as i64) as i32
    })
}
