//! What a search needs while it runs, kept from one to the next so that none allocates.

use alloc::vec::Vec;
use core::num::NonZeroU32;

use super::buckets::Buckets;
use super::goal_pause::PausedGoal;
use super::hierarchy::Descent;
use crate::base::{GridSize, OpenEntry, OpenList};
use crate::query::{PathQuery, PlanError};

/// One cell's state in a search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// The cheapest cost from the start known so far.
    pub(super) cost: u64,
    /// The node that led here.
    pub(super) parent: u32,
    /// The number of the search it belongs to in the upper 24 bits, flags of the search's own in the lower 8.
    pub(super) mark: u32,
}

/// The parent of a node that nothing led to.
pub(super) const NO_PARENT: u32 = u32::MAX;

/// Which search paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PausedIn {
    Astar,
    Jumps,
    Weighted,
    /// Into a goal that is a shape; see [`PausedGoal`].
    Goal,
    /// Between two legs of a route, which itself is elsewhere.
    Route,
}

/// Whether a search has come to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Run {
    Ended,
    Paused,
}

/// What a search that paused needs to go on, beside its nodes and its open list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Paused {
    pub(super) kind: PausedIn,
    pub(super) query: PathQuery,
    pub(super) grid: GridSize,
    /// The best way found so far, and the node before the goal on it.
    pub(super) best: u64,
    pub(super) before_goal: u32,
    pub(super) expanded: u32,
}

/// Scratch: 16 bytes per cell, and open lists; rubbish between calls, shared by all queries and kinds of search of a thread.
///
/// A goal search in which turns cost takes eight times that, and a hierarchy 32 bytes per corner if that is more. Grows to the largest map it has seen and then allocates no more.
#[derive(Clone, Debug, Default)]
pub struct SearchScratch {
    pub(super) nodes: Vec<Node>,
    pub(super) open: OpenList,
    pub(super) buckets: Buckets,
    /// Links still to be walked down.
    pub(super) climbs: Vec<Descent>,
    /// Nodes to be expanded before any that wait in the open list.
    pub(super) passed: Vec<u32>,
    /// The number of the present search, already shifted to its place in [`Node::mark`].
    pub(super) search: u32,
    /// After how many nodes a search pauses; as many as it takes if there is none.
    allowance: Option<u32>,
    paused: Option<Paused>,
    pub(super) goal: PausedGoal,
}

impl SearchScratch {
    /// An empty one; memory comes with the first query.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether it has been used for a search.
    pub(crate) fn is_used(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Makes memory ahead of need, for a map of so many cells: as much as all but the longest searches take.
    pub(crate) fn stock_up(&mut self, cells: usize) {
        self.open.make_room((cells / 16).min(4096));
        self.buckets.make_room((cells / 8).min(1 << 16));
        self.goal.make_room();
    }

    /// From now on [`astar`](super::astar()), [`jps`](super::jps()), [`jpsw`](super::jpsw()) and [`goal_search`](super::goal_search())
    /// pause after this many nodes, with [`PlanError::Paused`]; `None` lets them run to the end, as they do at first.
    ///
    /// Asked the same again with the same scratch, they go on where they were. Whether and where a search paused changes no answer and no
    /// count of nodes. Between the two nothing else may be asked with this scratch, and neither the map nor the rule of steps must change: if they do, call
    /// [`SearchScratch::forget_paused`].
    pub fn pause_after(&mut self, nodes: Option<u32>) {
        self.allowance = nodes;
    }

    /// Whether a search has paused and can go on.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// What the cheapest way costs at least that a search which has paused has still to look at: all it has expanded is nearer. `None` if
    /// that is not known.
    pub(crate) fn looked_up_to(&self) -> Option<u64> {
        let paused = self.paused.filter(|paused| paused.kind == PausedIn::Astar)?;
        self.open.peek().map(|next| next.f).filter(|_| paused.expanded > 0)
    }

    /// Lets the next search start anew.
    pub fn forget_paused(&mut self) {
        self.paused = None;
    }

    /// What `search` says, unless it needs more than about `most` nodes. A search that cannot pause runs to its end.
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

    /// What `search` says, run to its end whatever the allowance: for routes made of several searches, which pause between
    /// two of them.
    pub(crate) fn without_pause<T>(&mut self, search: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.allowance.take();
        self.forget_paused();
        let found = search(self);
        self.allowance = before;
        found
    }

    /// The search that paused, if it is this one.
    pub(super) fn resume(&mut self, kind: PausedIn, query: &PathQuery, grid: GridSize) -> Option<Paused> {
        let paused = self.paused.take()?;
        (paused.kind == kind && paused.query == *query && paused.grid == grid).then_some(paused)
    }

    /// Whether it is this route, made of several searches, that has paused.
    pub(crate) fn resume_route(&mut self, query: &PathQuery, grid: GridSize) -> bool {
        self.resume(PausedIn::Route, query, grid).is_some()
    }

    /// A route made of several searches has paused between two of them.
    pub(crate) fn pause_route(&mut self, query: &PathQuery, grid: GridSize, expanded: u32) {
        let (kind, query) = (PausedIn::Route, *query);
        self.pause(Paused { kind, query, grid, best: u64::MAX, before_goal: NO_PARENT, expanded });
    }

    /// How many nodes a search may have expanded, in all, that has expanded so many.
    pub(crate) fn most_nodes(&self, expanded: u32) -> u32 {
        self.allowance.map_or(u32::MAX, |nodes| expanded.saturating_add(nodes.max(1)))
    }

    /// Keeps what a search needs to go on.
    pub(super) fn pause(&mut self, paused: Paused) {
        self.paused = Some(paused);
    }

    /// Why a search came back without a route: it has paused, or there is none.
    pub(super) fn no_route(&self, query: &PathQuery) -> PlanError {
        match self.paused {
            Some(Paused { expanded, .. }) => PlanError::Paused { nodes: expanded },
            None => PlanError::Unreachable { from: query.from, to: query.to },
        }
    }

    /// Makes room for `len` nodes and forgets the last search in constant time.
    pub(super) fn begin(&mut self, len: usize) {
        if self.nodes.len() < len {
            self.nodes.resize(len, Node::default());
        }
        self.open.clear();
        self.paused = None;
        self.search = self.search.wrapping_add(1 << 8);
        if self.search == 0 {
            // The counter came round: forget for real, once in sixteen million searches.
            self.nodes.fill(Node::default());
            self.search = 1 << 8;
        }
    }

    /// Fills everything with rubbish as a search would leave it; answers must not change. For tests.
    pub fn poison(&mut self) {
        for (at, node) in self.nodes.iter_mut().enumerate() {
            *node = Node { cost: at as u64, parent: 7, mark: self.search | 3 };
        }
        self.open.push(OpenEntry::new(0, 0, u32::MAX));
        self.passed.push(u32::MAX);
        self.goal.poison();
    }

    /// Bytes held per map cell, in all.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
    }
}
