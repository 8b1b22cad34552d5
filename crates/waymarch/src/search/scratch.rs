//! The memory of searches, reused from one to the next so that none allocates.

use alloc::vec;
use alloc::vec::Vec;
use core::num::NonZeroU32;

use super::buckets::Buckets;
use super::paused_goal::{PausedGoal, Progress};
use crate::base::{GridSize, OpenEntry, OpenList, Scratch};
use crate::query::{GoalQuery, PathQuery, PlanError};

/// One cell's state in a search: its cost, parent and mark, see [`NodeFields`].
///
/// A tuple and not a struct: the standard library takes a new list of zero tuples from the system as it is, without writing to it. A list of structs would be
/// written, which takes 20 milliseconds on a map of 2048 × 2048 cells.
pub(super) type Node = (u64, u32, u32);

/// The fields of a [`Node`].
pub(super) trait NodeFields {
    /// The cheapest cost from the start known so far.
    fn cost(&self) -> u64;
    /// The node from which it was reached.
    fn parent(&self) -> u32;
    /// The number of the search in the upper 24 bits, flags of that search in the lower 8.
    fn mark(&self) -> u32;
    /// The cost, to be changed.
    fn cost_mut(&mut self) -> &mut u64;
    /// The mark, to be changed.
    fn mark_mut(&mut self) -> &mut u32;
}

impl NodeFields for Node {
    #[inline(always)]
    fn cost(&self) -> u64 {
        self.0
    }

    #[inline(always)]
    fn parent(&self) -> u32 {
        self.1
    }

    #[inline(always)]
    fn mark(&self) -> u32 {
        self.2
    }

    #[inline(always)]
    fn cost_mut(&mut self) -> &mut u64 {
        &mut self.0
    }

    #[inline(always)]
    fn mark_mut(&mut self) -> &mut u32 {
        &mut self.2
    }
}

/// The parent index of a node without a parent: 2^32 − 1.
pub(super) const NO_PARENT: u32 = u32::MAX;

/// Which search paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PausedIn {
    Astar,
    Jumps,
    Weighted,
    /// Into a goal of any shape; see [`PausedGoal`].
    Goal,
    /// A far route, between two legs. The route is kept by its planner.
    Route,
}

/// Whether a search has ended or paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Run {
    Ended,
    Paused,
}

/// What a paused search needs to go on, besides its nodes and its open list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Paused {
    pub(super) kind: PausedIn,
    pub(super) query: PathQuery,
    pub(super) grid: GridSize,
    /// The cost of the best route found so far, and the node before the goal on it.
    pub(super) best: u64,
    pub(super) before_goal: u32,
    pub(super) expanded: u32,
}

/// A link of a [`Hierarchy`](super::Hierarchy) that is still to be replaced by the links it is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Descent {
    pub(super) owner: u32,
    /// The index of the link.
    pub(super) link: u32,
    /// Whether it is walked from its owner to its end.
    pub(super) upwards: bool,
}

/// Scratch: 16 bytes per cell, and open lists. All queries and kinds of search of a thread share it.
///
/// A goal search with turn costs takes eight times as much. A search over a hierarchy takes 32 bytes per corner, if that is more. The
/// scratch grows to the largest map that was searched and then allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct SearchScratch {
    pub(super) nodes: Vec<Node>,
    pub(super) open: OpenList,
    pub(super) buckets: Buckets,
    /// Links of a hierarchy that are still to be replaced by the links they are made of.
    pub(super) climbs: Vec<Descent>,
    /// Nodes that are expanded before all nodes in the open list.
    pub(super) passed: Vec<u32>,
    /// The number of the present search, shifted to its place in [`Node::mark`].
    pub(super) search: u32,
    /// The number of nodes after which a search pauses; `None` for no pause.
    allowance: Option<u32>,
    paused: Option<Paused>,
    pub(super) goal: PausedGoal,
}

impl SearchScratch {
    /// Empty; the first query allocates the memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether it has been used for a search.
    pub(crate) fn is_used(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// From now on [`astar`](super::astar()), [`jps`](super::jps()), [`jpsw`](super::jpsw()) and
    /// [`goal_search`](super::goal_search()) pause after this many nodes, with [`PlanError::Paused`]; `None`, the
    /// default, lets them run to the end.
    ///
    /// Ask the same query again with the same scratch to continue the search. Pauses change neither answers nor node counts. In between,
    /// ask nothing else with this scratch. If the map or the step rule changes, call [`SearchScratch::forget_paused`].
    pub fn pause_after(&mut self, nodes: Option<u32>) {
        self.allowance = nodes;
    }

    /// Whether a search has paused and can go on.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// The least estimate among the nodes that the paused search has still to expand. No expanded node has a greater estimate. `None`
    /// unless an A\* search has paused after its first node.
    pub(crate) fn looked_up_to(&self) -> Option<u64> {
        let paused = self.paused.filter(|paused| paused.kind == PausedIn::Astar)?;
        self.open.peek().map(|next| next.f).filter(|_| paused.expanded > 0)
    }

    /// Drops the paused search: the next search starts from the beginning.
    pub fn forget_paused(&mut self) {
        self.paused = None;
    }

    /// The result of `search`; `None` if it needs more than about `most` nodes. A search that cannot pause runs to its end.
    pub(crate) fn within<T>(
        &mut self,
        most: NonZeroU32,
        search: impl FnOnce(&mut Self) -> Result<T, PlanError>,
    ) -> Option<Result<T, PlanError>> {
        let before = self.allowance.replace(most.get());
        let found = search(self);
        self.allowance = before;
        if matches!(found, Err(PlanError::Paused { .. })) {
            self.forget_paused();
            return None;
        }
        Some(found)
    }

    /// The result of `search`, which runs to its end without a pause: for routes made of several searches, which pause between two of them.
    pub(crate) fn without_pause<T>(&mut self, search: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.allowance.take();
        self.forget_paused();
        let found = search(self);
        self.allowance = before;
        found
    }

    /// The paused search, if it is this one.
    pub(super) fn resume(&mut self, kind: PausedIn, query: &PathQuery, grid: GridSize) -> Option<Paused> {
        let paused = self.paused.take()?;
        (paused.kind == kind && paused.query == *query && paused.grid == grid).then_some(paused)
    }

    /// Whether this route, made of several searches, has paused.
    pub(crate) fn resume_route(&mut self, query: &PathQuery, grid: GridSize) -> bool {
        self.resume(PausedIn::Route, query, grid).is_some()
    }

    /// A route made of several searches has paused between two of them.
    pub(crate) fn pause_route(&mut self, query: &PathQuery, grid: GridSize, expanded: u32) {
        let (kind, query) = (PausedIn::Route, *query);
        self.pause(Paused { kind, query, grid, best: u64::MAX, before_goal: NO_PARENT, expanded });
    }

    /// The paused goal search, if it is this one: the nodes it has expanded, and how far it has come.
    pub(super) fn resume_goal(&mut self, query: &GoalQuery<'_>, grid: GridSize) -> Option<(u32, Progress)> {
        let paused = self.resume(PausedIn::Goal, &stand_in(query), grid)?;
        self.goal.progress_of(query).map(|progress| (paused.expanded, progress))
    }

    /// Keeps what a goal search needs to go on.
    pub(super) fn pause_goal(
        &mut self,
        query: &GoalQuery<'_>,
        grid: GridSize,
        expanded: u32,
        progress: Progress,
    ) {
        self.goal.keep(query, progress);
        let (kind, query) = (PausedIn::Goal, stand_in(query));
        self.pause(Paused { kind, query, grid, best: u64::MAX, before_goal: NO_PARENT, expanded });
    }

    /// The total number of nodes at which a search pauses next, if it has expanded `expanded` nodes so far.
    pub(crate) fn most_nodes(&self, expanded: u32) -> u32 {
        self.allowance.map_or(u32::MAX, |nodes| expanded.saturating_add(nodes.max(1)))
    }

    /// Keeps what a search needs to go on.
    pub(super) fn pause(&mut self, paused: Paused) {
        self.paused = Some(paused);
    }

    /// The error of a search without a route: it has paused, or there is no route.
    pub(super) fn no_route(&self, query: &PathQuery) -> PlanError {
        match self.paused {
            Some(Paused { expanded, .. }) => PlanError::Paused { nodes: expanded },
            None => PlanError::Unreachable { from: query.from, to: query.to },
        }
    }

    /// Allocates memory for a search over `cells` cells with `states` nodes each.
    ///
    /// # Errors
    /// [`PlanError::OutOfMemory`] if the allocation fails. A node takes 16 bytes.
    pub(super) fn try_grow(&mut self, cells: usize, states: u32) -> Result<(), PlanError> {
        let bytes = (cells as u64).saturating_mul(u64::from(states) * size_of::<Node>() as u64);
        let refused = PlanError::OutOfMemory { bytes };
        let len = cells.checked_mul(states as usize).ok_or(refused)?;
        if len <= self.nodes.len() {
            return Ok(());
        }
        // The memory is given back at once: `begin` takes zeroed memory of the same size.
        Vec::<Node>::new().try_reserve_exact(len).map_err(|_| refused)
    }

    /// Begins a search over `len` nodes. Forgets the last search in constant time.
    pub(super) fn begin(&mut self, len: usize) {
        if self.nodes.len() < len {
            // A new list, so that its memory is not written: no search but the one with this number has marked a node.
            self.nodes = vec![Node::default(); len];
        }
        self.open.clear();
        self.paused = None;
        self.search = self.search.wrapping_add(1 << 8);
        if self.search == 0 {
            // The counter wrapped around: clear all nodes, once in sixteen million searches.
            self.nodes.fill(Node::default());
            self.search = 1 << 8;
        }
    }

    /// Poisons the scratch: fills it with values that a search could leave. Answers must not change. For tests.
    pub fn poison(&mut self) {
        Scratch::poison(self);
    }

    /// Bytes held by the nodes, the part that grows with the map.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
    }
}

impl Scratch for SearchScratch {
    /// The number of cells of the map.
    type Demand = usize;

    fn poison(&mut self) {
        for (at, node) in self.nodes.iter_mut().enumerate() {
            *node = (at as u64, 7, self.search | 3);
        }
        self.open.push(OpenEntry::new(0, 0, u32::MAX));
        self.buckets.poison();
        self.climbs.push(Descent { owner: 7, link: 7, upwards: true });
        self.passed.push(u32::MAX);
        self.goal.poison();
    }

    /// Enough for all but the longest searches.
    fn reserve(&mut self, cells: usize) {
        self.open.reserve((cells / 16).min(4096));
        self.buckets.reserve((cells / 8).min(1 << 16));
        self.goal.reserve(());
    }
}

/// A query from cell to cell that stands for a goal query in [`Paused`]; the whole goal query is in [`PausedGoal`].
fn stand_in(query: &GoalQuery<'_>) -> PathQuery {
    let from = query.from.first().copied().unwrap_or_default();
    PathQuery::new(from, from, query.agent).with_threat(query.threat)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_with_turn_costs_that_needs_too_much_memory_is_refused() {
        let mut scratch = SearchScratch::new();
        // One cell more than any allocation can hold.
        let cells = isize::MAX as usize / (8 * size_of::<Node>()) + 1;
        let bytes = cells as u64 * 8 * 16;
        assert_eq!(scratch.try_grow(cells, 8), Err(PlanError::OutOfMemory { bytes }));
        assert!(scratch.try_grow(usize::MAX / 4, 8).is_err());
        assert_eq!(scratch.try_grow(100, 8), Ok(()));
        scratch.begin(800);
        assert_eq!(scratch.memory_bytes(), 800 * 16);
    }
}
