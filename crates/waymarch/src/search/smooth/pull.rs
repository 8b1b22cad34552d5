//! String pulling: turns a route of cells into the points where a taut string would turn.

use alloc::vec::Vec;

use super::error::SmoothError;
use super::knots::Knots;
use super::path::SmoothPath;
use super::sight::{FINE, Sight};
use super::spline::round_turns;
use crate::base::{CellPos, Scratch, Vec2, poison_list, reserve_total};
use crate::query::Smoothing;
use crate::search::Route;

/// √2 times 2^32, rounded down; a scale factor.
const ROOT_TWO: u128 = 6_074_000_999;

/// The cost of the route up to a cell. Half of each step counts at the cost of either cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Paid {
    /// The part of straight steps, in 1024ths.
    straight: u64,
    /// The part of diagonal steps, without the factor √2.
    diagonal: u64,
}

/// Scratch of smoothing, reused so that smoothing allocates nothing.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::{PathQuery, Smoothing, Threat};
/// use waymarch::search::{astar, Route, SearchScratch, Sight, Smoother, SmoothPath};
///
/// let map = Map::flat("field", GridSize::new(40, 40)?, Rules::standard()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
/// let query = PathQuery::new(cell(0, 0), cell(30, 10), LocomotorId(0));
/// astar(&layer, &query, StepRule::default(), &mut scratch, &mut route)?;
///
/// let sight = Sight::new(&layer, query.agent, Threat::Ignore, StepRule::default())?;
/// let (mut smoother, mut path) = (Smoother::new(), SmoothPath::new());
/// smoother.smooth(&sight, &route, Smoothing::Funnel, &mut path)?;
/// assert_eq!(path.points, [cell(0, 0).centre(), cell(30, 10).centre()]);
/// assert_eq!(path.length, 32_381); // the root of 30² + 10², in 1024ths
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Smoother {
    cells: Vec<CellPos>,
    /// The cost of the route up to each of `cells`. Empty on ground of one cost.
    paid: Vec<Paid>,
    knots: Knots,
    curve: Vec<Vec2>,
}

/// The end from which a line is pulled: the one with the smaller cell, so that a route and its reverse give the same points.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

impl End {
    fn of(cells: &[CellPos]) -> Self {
        if cells.first() <= cells.last() { Self::First } else { Self::Last }
    }
}

impl Scratch for Smoother {
    /// The number of turns of a route.
    type Demand = usize;

    fn poison(&mut self) {
        let rubbish = CellPos::new(7, -7);
        poison_list(&mut self.cells, rubbish);
        poison_list(&mut self.paid, Paid { straight: 7, diagonal: 7 });
        self.knots.poison();
        poison_list(&mut self.curve, rubbish.centre());
    }

    fn reserve(&mut self, turns: usize) {
        // Turns are several cells apart.
        reserve_total(&mut self.cells, 4 * turns);
        reserve_total(&mut self.paid, 4 * turns);
        self.knots.reserve(turns);
        reserve_total(&mut self.curve, turns);
    }
}

impl Smoother {
    /// Empty; the first route allocates the memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Smooths `route` over the ground of `sight` and writes it to `out`.
    ///
    /// - The ends do not move, and every line is clear (see [`line_of_sight`](super::line_of_sight)).
    /// - A pulled string costs no more than the route, measured in the same way.
    /// - A spline costs at most about an eighth more than the string that it rounds.
    /// - A route and its reverse give the same points.
    ///
    /// Takes O(n log n) line checks for a route of n cells, and several checks per turn to tighten it. Allocates nothing once the memory has
    /// grown.
    ///
    /// # Errors
    /// [`SmoothError`] if the route is off the map or not open to this unit. `out` is then empty.
    pub fn smooth(
        &mut self,
        sight: &Sight<'_>,
        route: &Route,
        how: Smoothing,
        out: &mut SmoothPath,
    ) -> Result<(), SmoothError> {
        out.clear();
        check(sight, &route.waypoints)?;
        if how == Smoothing::None {
            out.points.extend(route.waypoints.iter().map(|at| at.centre()));
            out.measure(sight);
            return Ok(());
        }
        self.cells.clear();
        self.cells.extend(route.cells());
        let end = End::of(&self.cells);
        if end == End::Last {
            self.cells.reverse();
        }
        self.add_up(sight);
        self.tie_knots(sight);
        self.write(sight, end, out);
        if let Smoothing::Spline(spline) = how {
            round_turns(sight, spline, &mut self.curve, out);
        }
        Ok(())
    }

    /// Pulls a path taut, as [`Smoother::smooth`] does after its first pass. A taut path stays as it is. For paths that were not made by
    /// smoothing, or after ground has opened.
    ///
    /// Every point counts as the middle of its cell.
    ///
    /// # Errors
    /// [`SmoothError`] if the path is off the map or not open to this unit. The path is then unchanged.
    pub fn tighten(&mut self, sight: &Sight<'_>, path: &mut SmoothPath) -> Result<(), SmoothError> {
        self.cells.clear();
        self.cells.extend(path.points.iter().map(|point| point.cell()));
        self.cells.dedup();
        check(sight, &self.cells)?;
        let end = End::of(&self.cells);
        if end == End::Last {
            self.cells.reverse();
        }
        self.knots.clear();
        for &at in &self.cells {
            self.knots.push(sight, at);
        }
        self.write(sight, end, path);
        Ok(())
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.cells.capacity() * size_of::<CellPos>()
            + self.paid.capacity() * size_of::<Paid>()
            + self.knots.list.capacity() * size_of::<super::knots::Knot>()
            + self.curve.capacity() * size_of::<Vec2>()
    }

    /// Pulls the knots and writes them.
    fn write(&mut self, sight: &Sight<'_>, end: End, out: &mut SmoothPath) {
        self.knots.pull(sight);
        out.clear();
        out.points.extend(self.knots.list.iter().map(|knot| knot.at.centre()));
        // A path that returns to its start is reduced to the start.
        out.points.dedup();
        if end == End::Last {
            out.points.reverse();
        }
        out.measure(sight);
    }

    /// Adds up the cost of the route, cell by cell.
    fn add_up(&mut self, sight: &Sight<'_>) {
        self.paid.clear();
        if sight.is_even() {
            return;
        }
        let mut sum = Paid::default();
        let mut before: Option<CellPos> = None;
        for &at in &self.cells {
            if let Some(before) = before {
                let cost = 512 * (u64::from(sight.cell_cost(before)) + u64::from(sight.cell_cost(at)));
                if before.x == at.x || before.y == at.y {
                    sum.straight += cost;
                } else {
                    sum.diagonal += cost;
                }
            }
            self.paid.push(sum);
            before = Some(at);
        }
    }

    /// Places a knot wherever the straight line from the previous knot is blocked or costs more than the route.
    fn tie_knots(&mut self, sight: &Sight<'_>) {
        self.knots.clear();
        let Some(&first) = self.cells.first() else { return };
        self.knots.push(sight, first);
        let mut at = 0;
        while at + 1 < self.cells.len() {
            at = self.farthest(sight, at);
            self.knots.push(sight, self.cells[at]);
        }
    }

    /// A cell far along the route to which the straight line is clear and costs no more than the route. The distance is doubled while this
    /// holds; then the end is found by bisection.
    fn farthest(&self, sight: &Sight<'_>, from: usize) -> usize {
        let last = self.cells.len() - 1;
        let (mut good, mut bad) = (from + 1, last + 1);
        let mut ahead = 2;
        while good < last {
            let to = (from + ahead).min(last);
            if !self.is_as_good(sight, from, to) {
                bad = to;
                break;
            }
            good = to;
            ahead *= 2;
        }
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            if self.is_as_good(sight, from, middle) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        good
    }

    /// Whether the straight line between two cells of the route is clear and certainly costs no more than the route.
    fn is_as_good(&self, sight: &Sight<'_>, from: usize, to: usize) -> bool {
        let (a, b) = (self.cells[from].centre(), self.cells[to].centre());
        if !sight.is_clear(a, b) {
            return false;
        }
        if sight.is_even() {
            return true;
        }
        let (start, end) = (self.paid[from], self.paid[to]);
        let (straight, diagonal) = (end.straight - start.straight, end.diagonal - start.diagonal);
        let (dx, dy) = (
            self.cells[from].x.abs_diff(self.cells[to].x) as usize,
            self.cells[from].y.abs_diff(self.cells[to].y) as usize,
        );
        // The route is the same line, so rounding does not matter.
        let is_line = (straight == 0 && dx == to - from && dy == to - from)
            || (diagonal == 0 && dx + dy == to - from && (dx == 0 || dy == 0));
        let route = (straight << FINE) + ((u128::from(diagonal << FINE) * ROOT_TWO) >> 32) as u64;
        is_line || sight.line_cost(a, b).high <= route
    }
}

/// Checks that every cell is on the map and that every line between them is clear.
fn check(sight: &Sight<'_>, corners: &[CellPos]) -> Result<(), SmoothError> {
    let size = sight.field().grid();
    for &at in corners {
        if !size.contains(at) {
            return Err(SmoothError::OffMap { at, size });
        }
        if !sight.field().is_passable(at) {
            return Err(SmoothError::Closed { from: at, to: at });
        }
    }
    for pair in corners.windows(2) {
        if !sight.is_clear(pair[0].centre(), pair[1].centre()) {
            return Err(SmoothError::Closed { from: pair[0], to: pair[1] });
        }
    }
    Ok(())
}
