//! A route: the answer to a query.

use alloc::vec::Vec;

use crate::base::{CellPos, Dir8};
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::query::Cost;

/// Two successive cells are not neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{to} is not a step from {from}")]
pub struct NotAStep {
    /// The first cell.
    pub from: CellPos,
    /// The cell after it.
    pub to: CellPos,
}

/// A route over the grid: the cells where it starts, turns and ends, and its cost. Reuse it from query to query to reuse its memory.
///
/// Between two waypoints the route is straight or exactly diagonal. [`Route::cells`] iterates over every cell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Route {
    /// Start, turning points and goal; the start alone when it is the goal.
    pub waypoints: Vec<CellPos>,
    /// The cost of the route.
    pub cost: Cost,
    /// The nodes expanded to find it, which measure the work.
    pub expanded: u32,
}

/// The direction in which a route goes; none at its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LegDirection {
    dx: i32,
    dy: i32,
}

impl LegDirection {
    /// The direction of the last leg of a route.
    pub(super) fn of_last_leg(route: &Route) -> Self {
        let [.., before, last] = route.waypoints.as_slice() else { return Self::default() };
        Self { dx: (last.x - before.x).signum(), dy: (last.y - before.y).signum() }
    }
}

impl Route {
    /// An empty route.
    #[must_use]
    pub const fn new() -> Self {
        Self { waypoints: Vec::new(), cost: Cost::ZERO, expanded: 0 }
    }

    /// Empties the route and keeps the memory.
    pub fn clear(&mut self) {
        self.waypoints.clear();
        self.cost = Cost::ZERO;
        self.expanded = 0;
    }

    /// Adds a cell at the end. While the direction stays the same, the last waypoint moves to the new cell. Adding the last cell again
    /// changes nothing.
    pub(crate) fn extend_to(&mut self, at: CellPos) {
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

    /// Adds the cell from which a link leads to the last waypoint, to a route that is written from its goal to its start. The cell is written
    /// twice: that marks the link, and no later cell moves the waypoint.
    pub(super) fn go_back_through_link(&mut self, at: CellPos) {
        self.waypoints.extend([at, at]);
    }

    /// Goes on from the last waypoint to `at`, which lies straight or exactly diagonally from it. If the direction stays the same, the last
    /// waypoint moves to `at`. If `at` is the last waypoint, nothing changes.
    #[inline]
    pub(crate) fn go_on_to(&mut self, at: CellPos, leg_direction: &mut LegDirection) {
        let Some(last) = self.waypoints.last_mut() else { return };
        let next = LegDirection { dx: (at.x - last.x).signum(), dy: (at.y - last.y).signum() };
        if next == LegDirection::default() {
            return;
        }
        if next == *leg_direction {
            *last = at;
        } else {
            *leg_direction = next;
            self.waypoints.push(at);
        }
    }

    /// The route over `cells`, each a step from the one before. It keeps the cells where it turns; [`Route::cells`]
    /// returns all of them. The caller gives the cost.
    ///
    /// ```
    /// use waymarch::base::cell;
    /// use waymarch::query::Cost;
    /// use waymarch::search::Route;
    /// let cells = [cell(0, 0), cell(1, 0), cell(2, 0), cell(3, 1)];
    /// let route = Route::from_cells(cells, Cost(2 * 1024 + 1448))?;
    /// assert_eq!(route.waypoints, [cell(0, 0), cell(2, 0), cell(3, 1)]);
    /// assert!(route.cells().eq(cells));
    /// # Ok::<(), waymarch::search::NotAStep>(())
    /// ```
    ///
    /// # Errors
    /// [`NotAStep`] naming two cells that are not neighbours.
    pub fn from_cells(cells: impl IntoIterator<Item = CellPos>, cost: Cost) -> Result<Self, NotAStep> {
        let mut route = Self { cost, ..Self::new() };
        for to in cells {
            if let Some(&from) = route.waypoints.last() {
                if span(from, to) != 1 {
                    return Err(NotAStep { from, to });
                }
            }
            route.extend_to(to);
        }
        Ok(route)
    }

    /// Every cell from start to goal, each a step from the one before.
    pub fn cells(&self) -> impl Iterator<Item = CellPos> {
        let first = self.waypoints.first().copied();
        first.into_iter().chain(self.waypoints.windows(2).flat_map(|leg| leg_cells(leg[0], leg[1])))
    }

    /// Replaces the contents of `out` by every cell from start to goal. This is faster than collecting [`Route::cells`].
    pub fn write_cells(&self, out: &mut Vec<CellPos>) {
        out.clear();
        out.extend(self.waypoints.first());
        for leg in self.waypoints.windows(2) {
            out.extend(leg_cells(leg[0], leg[1]));
        }
    }

    /// The number of straight and of diagonal steps.
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

    /// The length of the route in 1024ths of a cell, whatever the terrain costs.
    #[must_use]
    pub fn length(&self) -> u64 {
        let (straight, diagonal) = self.steps();
        straight * u64::from(STRAIGHT) + diagonal * u64::from(DIAGONAL)
    }
}

/// The cells after `from` up to `to`.
#[inline]
fn leg_cells(from: CellPos, to: CellPos) -> impl ExactSizeIterator<Item = CellPos> {
    let (dx, dy) = (to.x.cmp(&from.x) as i32, to.y.cmp(&from.y) as i32);
    let (across, down) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    // Wrapping arithmetic: however far apart the ends are, the result lies between them.
    let along = |from: i32, unit: i32, steps: u32| from.wrapping_add(unit.wrapping_mul(steps as i32));
    let last = usize::try_from(across.max(down)).unwrap_or(usize::MAX);
    (0..last).map(move |step| {
        let step = step as u32 + 1;
        CellPos::new(along(from.x, dx, step.min(across)), along(from.y, dy, step.min(down)))
    })
}

/// The number of steps from one waypoint to the next.
fn span(from: CellPos, to: CellPos) -> u32 {
    from.x.abs_diff(to.x).max(from.y.abs_diff(to.y))
}

/// The direction of a straight or exactly diagonal leg.
fn heading(from: CellPos, to: CellPos) -> Option<Dir8> {
    let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let sign = |from: i32, to: i32| to.cmp(&from) as i32;
    if dx == 0 || dy == 0 || dx == dy {
        Dir8::from_delta(sign(from.x, to.x), sign(from.y, to.y))
    } else {
        None
    }
}
