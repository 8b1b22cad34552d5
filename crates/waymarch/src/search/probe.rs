//! Probes, which see every step of a search.

use crate::base::CellPos;
use crate::cost::Neighbours;

/// A node as a search sees it when it is reached or expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Visit {
    /// The node's cell.
    pub at: CellPos,
    /// The node it was reached from; `None` for the start.
    pub parent: Option<CellPos>,
    /// Where the jump from there turned; this may be either end. Jumps go diagonally first, then straight. With four neighbours they go
    /// north or south first, then east or west.
    pub turn: CellPos,
    /// The cost from the start, on the scale of [`Route::cost`](super::Route::cost).
    pub cost: u64,
    /// The heuristic: a lower bound on the cost from here to the goal. A bounded search inflates it by its bound.
    pub ahead: u64,
}

impl Visit {
    /// The estimated cost of the whole route through this node.
    #[must_use]
    pub const fn estimate(self) -> u64 {
        self.cost + self.ahead
    }

    /// Where the jump that reached this node started, turned and ended; it may turn at either end. `None` for a single step and for the
    /// start.
    #[must_use]
    pub fn jump(self) -> Option<[CellPos; 3]> {
        let from = self.parent?;
        let near = self.at.x.abs_diff(from.x).max(self.at.y.abs_diff(from.y)) <= 1;
        let step = near && (self.turn == from || self.turn == self.at);
        (!step).then_some([from, self.turn, self.at])
    }

    /// A node that was reached by a jump from `parent`.
    #[inline]
    pub(super) fn jumped(
        parent: Option<CellPos>,
        at: CellPos,
        neighbours: Neighbours,
        cost: u64,
        ahead: u64,
    ) -> Self {
        let turn = parent.map_or(at, |from| turn_between(from, at, neighbours));
        Self { at, parent, turn, cost, ahead }
    }
}

/// Where a jump turns. It goes diagonally first, then straight; with four neighbours north or south first, then east or west.
#[inline]
pub(super) fn turn_between(from: CellPos, to: CellPos, neighbours: Neighbours) -> CellPos {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let diagonal = dx.abs().min(dy.abs());
    match neighbours {
        Neighbours::Eight => from.offset(dx.signum() * diagonal, dy.signum() * diagonal),
        Neighbours::Four => from.offset(0, dy),
    }
}

/// How a node was reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Reach {
    /// For the first time.
    First,
    /// Again, at less cost than before.
    Cheaper,
    /// Again, at the same cost, by a jump from another side, which opens other directions. The node keeps its first parent.
    OtherSide,
}

/// Sees every event of a search, in order.
///
/// A probe cannot change a search: routes are the same with any probe. Searches without one use [`NoProbe`], whose empty methods are
/// compiled away. Implement only the methods you need.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::PathQuery;
/// use waymarch::search::{astar_with, Probe, Route, SearchRun, SearchScratch, Visit};
///
/// /// Counts expanded nodes, and keeps the greatest cost of one.
/// #[derive(Default)]
/// struct Counter {
///     expanded: u32,
///     farthest: u64,
/// }
///
/// impl Probe for Counter {
///     fn expand(&mut self, node: Visit) {
///         self.expanded += 1;
///         self.farthest = self.farthest.max(node.cost);
///     }
/// }
///
/// let map = Map::flat("field", GridSize::new(8, 8)?, Rules::standard()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
/// let query = PathQuery::new(cell(0, 0), cell(7, 5), LocomotorId(0));
/// let mut counter = Counter::default();
/// astar_with(&layer, &query, StepRule::default(), SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut counter })?;
/// assert_eq!(counter.expanded, route.expanded);
/// assert!(counter.farthest < route.cost.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Probe {
    /// Whether the probe looks at anything. If not, searches leave out the work that only a probe needs.
    const WATCHES: bool = true;

    /// A search begins. Not called for a query that is refused without a search.
    #[inline]
    fn begin(&mut self, from: CellPos, to: CellPos) {
        let _ = (from, to);
    }

    /// A node is expanded. All nodes reached until the next call are reached from it. A node that is reached more cheaply or from another side
    /// may be expanded again.
    #[inline]
    fn expand(&mut self, node: Visit) {
        let _ = node;
    }

    /// A node is reached and may be expanded later. The start is never reached.
    #[inline]
    fn reach(&mut self, node: Visit, how: Reach) {
        let _ = (node, how);
    }
}

/// A probe that sees nothing and costs nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {
    const WATCHES: bool = false;
}

/// A probe for searches that count lengths. It multiplies lengths by the cost of a cell and passes them on.
pub(super) struct Scaled<'a, P> {
    pub(super) probe: &'a mut P,
    pub(super) by: u8,
}

impl<P: Probe> Scaled<'_, P> {
    fn scale(&self, node: Visit) -> Visit {
        let by = u64::from(self.by);
        Visit { cost: node.cost * by, ahead: node.ahead * by, ..node }
    }
}

impl<P: Probe> Probe for Scaled<'_, P> {
    const WATCHES: bool = P::WATCHES;

    #[inline]
    fn begin(&mut self, from: CellPos, to: CellPos) {
        self.probe.begin(from, to);
    }

    #[inline]
    fn expand(&mut self, node: Visit) {
        self.probe.expand(self.scale(node));
    }

    #[inline]
    fn reach(&mut self, node: Visit, how: Reach) {
        self.probe.reach(self.scale(node), how);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cell;

    #[test]
    fn jumps_go_diagonally_first() {
        let jump = |parent, at| Visit::jumped(parent, at, Neighbours::Eight, 0, 0).jump();
        assert_eq!(jump(Some(cell(5, 5)), cell(2, 9)), Some([cell(5, 5), cell(2, 8), cell(2, 9)]));
        assert_eq!(jump(Some(cell(5, 5)), cell(5, 1)), Some([cell(5, 5), cell(5, 5), cell(5, 1)]));
        assert_eq!(jump(Some(cell(5, 5)), cell(7, 3)), Some([cell(5, 5), cell(7, 3), cell(7, 3)]));
        assert_eq!(jump(Some(cell(5, 5)), cell(4, 6)), None);
        assert_eq!(jump(Some(cell(5, 5)), cell(5, 6)), None);
        assert_eq!(jump(None, cell(4, 6)), None);
    }

    #[test]
    fn jumps_with_four_neighbours_go_up_or_down_first() {
        let jump = |parent, at| Visit::jumped(parent, at, Neighbours::Four, 0, 0).jump();
        assert_eq!(jump(Some(cell(5, 5)), cell(2, 9)), Some([cell(5, 5), cell(5, 9), cell(2, 9)]));
        assert_eq!(jump(Some(cell(5, 5)), cell(4, 6)), Some([cell(5, 5), cell(5, 6), cell(4, 6)]));
        assert_eq!(jump(Some(cell(5, 5)), cell(1, 5)), Some([cell(5, 5), cell(5, 5), cell(1, 5)]));
        assert_eq!(jump(Some(cell(5, 5)), cell(5, 6)), None);
        assert_eq!(jump(Some(cell(5, 5)), cell(4, 5)), None);
    }
}
