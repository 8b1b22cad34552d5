//! What keeps waypoint routes up to date, and how far it has followed edits.

use alloc::vec::Vec;

use super::status::PathId;
use crate::base::{CellRect, Vec2};
use crate::cost::{ChangeLog, ChangeMark};

/// What keeps waypoint routes up to date after edits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keeper {
    /// The service itself.
    Service,
    /// The World, which knows where units are. It calls [`PathService::repair`].
    World,
}

/// Derived: how far waypoint routes have followed edits. Output of the last tick: the requests that it changed.
#[derive(Clone, Debug)]
pub(super) struct Upkeep {
    pub(super) keeper: Keeper,
    /// Requests whose routes edits have changed in the last tick, ascending.
    pub(super) changed: Vec<PathId>,
    pub(super) ground: u64,
    pub(super) mark: ChangeMark,
    /// Scratch: the sectors that have changed.
    pub(super) areas: Vec<CellRect>,
}

impl Upkeep {
    /// All edits up to now are followed.
    pub(super) fn new(keeper: Keeper, changes: &ChangeLog) -> Self {
        let (ground, mark) = (changes.ground_version(), changes.mark_now());
        Self { keeper, changed: Vec::new(), ground, mark, areas: Vec::new() }
    }
}

/// The index of the point to head for from `at`: the end of the nearest leg, or the point after it if that end is nearer than a quarter of a
/// cell.
pub(super) fn next_index(points: &[Vec2], at: Vec2) -> usize {
    /// A quarter of a cell, in 1024ths of a cell.
    const AT_POINT: i64 = 256;
    let last = points.len().saturating_sub(1);
    let distance = |leg: &[Vec2]| {
        let (a, b) = (leg[0], leg[1]);
        let raw = |v: Vec2| (i128::from(v.x.raw()), i128::from(v.y.raw()));
        let ((lx, ly), (px, py)) = (raw(b - a), raw(at - a));
        let (length, along) = (lx * lx + ly * ly, (px * lx + py * ly).max(0));
        if length == 0 || along >= length {
            let (dx, dy) = raw(at - b);
            return if length == 0 { px * px + py * py } else { dx * dx + dy * dy };
        }
        // The square of the distance to the line, rounded down.
        px * px + py * py - along * along / length
    };
    let legs = points.windows(2).map(distance).enumerate();
    // Of equally near legs, the later one.
    let nearest = legs.min_by_key(|&(index, distance)| (distance, core::cmp::Reverse(index)));
    let next = nearest.map_or(0, |(leg, _)| leg + 1);
    let near = points.get(next).is_some_and(|&point| i64::from(point.distance(at).raw()) < AT_POINT);
    if near { (next + 1).min(last) } else { next }
}
