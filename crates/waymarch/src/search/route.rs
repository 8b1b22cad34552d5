//! A route: the answer to a question.

use alloc::vec::Vec;

use crate::base::{CellPos, Dir8};
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::query::Cost;

/// A way over the grid by the cells where it starts, turns and ends, with its cost; memory is reused from query to query.
///
/// Between two waypoints the way is straight or exactly diagonal; [`Route::cells`] walks every cell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Route {
    /// Start, turning points and goal; the start alone when it is the goal.
    pub waypoints: Vec<CellPos>,
    /// What it costs.
    pub cost: Cost,
    /// How many nodes were expanded to find it: the work it took.
    pub expanded: u32,
}

impl Route {
    /// An empty one.
    #[must_use]
    pub const fn new() -> Self {
        Self { waypoints: Vec::new(), cost: Cost::ZERO, expanded: 0 }
    }

    /// Forgets the route, keeps the memory.
    pub fn clear(&mut self) {
        self.waypoints.clear();
        self.cost = Cost::ZERO;
        self.expanded = 0;
    }

    /// Adds a cell at the end; the last waypoint moves along with it while the direction stays the same. The same cell again
    /// adds nothing.
    pub(super) fn extend_to(&mut self, at: CellPos) {
        if self.waypoints.last() == Some(&at) {
            return;
        }
        if let [.., before, last] = self.waypoints.as_slice() {
            let straight_on =
                heading(*before, *last).is_some() && heading(*before, *last) == heading(*last, at);
            if straight_on {
                self.waypoints.pop();
            }
        }
        self.waypoints.push(at);
    }

    /// Every cell from start to goal, each a step from the one before.
    pub fn cells(&self) -> impl Iterator<Item = CellPos> {
        let first = self.waypoints.first().copied();
        let legs = self.waypoints.windows(2).flat_map(|leg| {
            let (from, to) = (leg[0], leg[1]);
            let toward = |from: i32, to: i32, step: i64| {
                let (from, to) = (i64::from(from), i64::from(to));
                // Between two `i32`, so it is one.
                if from < to { (from + step).min(to) as i32 } else { (from - step).max(to) as i32 }
            };
            let cell = move |step| CellPos::new(toward(from.x, to.x, step), toward(from.y, to.y, step));
            (1..=i64::from(span(from, to))).map(cell)
        });
        first.into_iter().chain(legs)
    }

    /// How many straight and how many diagonal steps it has.
    #[must_use]
    pub fn steps(&self) -> (u64, u64) {
        self.waypoints.windows(2).fold((0, 0), |(straight, diagonal), leg| {
            let steps = u64::from(span(leg[0], leg[1]));
            if leg[0].x == leg[1].x || leg[0].y == leg[1].y {
                (straight + steps, diagonal)
            } else {
                (straight, diagonal + steps)
            }
        })
    }

    /// Its length on the ground in 1024ths of a cell, whatever the terrain costs.
    #[must_use]
    pub fn length(&self) -> u64 {
        let (straight, diagonal) = self.steps();
        straight * u64::from(STRAIGHT) + diagonal * u64::from(DIAGONAL)
    }
}

/// Steps from one waypoint to the next.
fn span(from: CellPos, to: CellPos) -> u32 {
    from.x.abs_diff(to.x).max(from.y.abs_diff(to.y))
}

/// The direction of a straight or exactly diagonal leg.
fn heading(from: CellPos, to: CellPos) -> Option<Dir8> {
    let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let way = |from: i32, to: i32| to.cmp(&from) as i32;
    if dx == 0 || dy == 0 || dx == dy { Dir8::from_delta(way(from.x, to.x), way(from.y, to.y)) } else { None }
}
