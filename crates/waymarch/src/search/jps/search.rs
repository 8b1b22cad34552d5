//! The search over jump points.

use super::JumpPlanes;
use super::along::{across, along};
use super::goal::Goal;
use super::quarters::{QUARTERS, SIDEWAYS, UP_DOWN};
use super::stops::StopPlanes;
use super::turns::{FROM_START, TURNS, around};
use crate::base::{CellPos, RowColBits};
use crate::cost::{CostField, DIAGONAL, Neighbours, STRAIGHT};
use crate::query::{Cost, PathQuery, PlanError};
use crate::search::buckets::Buckets;
use crate::search::octile::octile;
use crate::search::probe::{Probe, Reach, Scaled, Visit};
use crate::search::route::Route;
use crate::search::run::SearchRun;
use crate::search::scratch::{NO_PARENT, Node, NodeFields, Paused, PausedIn, Run, SearchScratch};

/// Finds the shortest route over the open cells of `field`, whose costs must all be the same, without cutting corners. Uses diagonal
/// planes if there are any.
///
/// # Errors
/// [`PlanError::Unreachable`], or [`PlanError::Paused`].
pub(super) fn search(
    field: &CostField,
    planes: &JumpPlanes,
    query: &PathQuery,
    run: SearchRun<'_, impl Probe>,
) -> Result<(), PlanError> {
    let SearchRun { scratch, out, probe } = run;
    let paused = scratch.resume(PausedIn::Jumps, query, field.grid());
    if paused.is_none() {
        scratch.begin(field.grid().cells());
        scratch.buckets.begin(octile(query.from, query.to, Neighbours::Eight));
        probe.begin(query.from, query.to);
    }
    out.expanded = paused.map_or(0, |paused| paused.expanded);
    let most = scratch.most_nodes(out.expanded);
    let SearchScratch { nodes, buckets, search: number, .. } = scratch;
    let mut search = Search {
        closed: field.closed_bits(),
        stops: &planes.stops,
        width: field.grid().width(),
        goal: Goal::new(field.closed_bits(), query.to),
        best: paused.map_or(u64::MAX, |paused| paused.best),
        before_goal: paused.map_or(NO_PARENT, |paused| paused.before_goal),
        number: *number,
        nodes,
        buckets,
        probe: Scaled { probe, by: field.cheapest() },
    };
    if paused.is_none() {
        match &planes.diagonals {
            Some(diagonals) => search.start(diagonals, query.from, &mut out.expanded),
            None => search.start(&planes.steps, query.from, &mut out.expanded),
        }
    }
    let ended = match &planes.diagonals {
        Some(diagonals) => search.run(diagonals, most, &mut out.expanded),
        None => search.run(&planes.steps, most, &mut out.expanded),
    };
    if ended == Run::Paused {
        let (best, before_goal, expanded) = (search.best, search.before_goal, out.expanded);
        let (kind, query, grid) = (PausedIn::Jumps, *query, field.grid());
        scratch.pause(Paused { kind, query, grid, best, before_goal, expanded });
        return Err(PlanError::Paused { nodes: expanded });
    }
    if search.best == u64::MAX {
        return Err(PlanError::Unreachable { from: query.from, to: query.to });
    }
    out.cost = Cost(search.best * u64::from(field.cheapest()));
    search.trace_back(query, out);
    Ok(())
}

pub(super) struct Search<'a, P> {
    closed: &'a RowColBits,
    pub(super) stops: &'a StopPlanes,
    width: u32,
    goal: Goal,
    /// The length of the shortest route so far, and the node before the goal on it.
    best: u64,
    before_goal: u32,
    /// The number of this search in the marks of nodes.
    number: u32,
    nodes: &'a mut [Node],
    buckets: &'a mut Buckets,
    probe: Scaled<'a, P>,
}

/// How a search walks along diagonals and jumps to both sides. `walks.rs` implements it with planes for the diagonals,
/// and without.
pub(super) trait Diagonals {
    /// Searches a quarter from `node`, which was reached at the cost `so_far`, and returns the number of diagonal steps. `todo` says what
    /// to do (see [`QUARTERS`](super::quarters::QUARTERS)): straight jumps to both sides of the quarter, and jumps from every cell of the diagonal.
    ///
    /// `DIR` is the diagonal, `V` the direction north or south, `H` the direction east or west.
    fn walk<P: Probe, const DIR: usize, const V: usize, const H: usize>(
        &self,
        search: &mut Search<'_, P>,
        node: CellPos,
        so_far: u64,
        todo: u16,
    ) -> u32;
}

/// A cell in 32 bits: the row in the upper half, the column in the lower.
#[inline]
fn pack(at: CellPos) -> u32 {
    (at.y as u32) << 16 | at.x as u32
}

#[inline]
fn unpack(packed: u32) -> CellPos {
    CellPos::new((packed & 0xffff) as i32, (packed >> 16) as i32)
}

/// A node as a probe sees it.
#[inline(always)]
fn visit(at: CellPos, parent: u32, cost: u64, goal: CellPos) -> Visit {
    let parent = (parent != NO_PARENT).then(|| unpack(parent));
    Visit::jumped(parent, at, Neighbours::Eight, cost, octile(at, goal, Neighbours::Eight))
}

/// Reports a jump point to the probe. [`Search::reach_goal`] reports the goal, so it is left out here.
#[inline(always)]
fn tell(probe: &mut impl Probe, node: Visit, how: Reach) {
    if node.ahead > 0 {
        probe.reach(node, how);
    }
}

/// Bits 0 to 3 of a node's flags: directions by which it was reached, still to be expanded. Bits 4 to 7: expanded
/// directions.
const PENDING: u32 = 0xf;
/// All flags of a node: 8 bits.
const FLAGS: u32 = 0xff;

impl<P: Probe> Search<'_, P> {
    #[inline(always)]
    fn index(&self, at: CellPos) -> usize {
        at.y as u32 as usize * self.width as usize + at.x as u32 as usize
    }

    fn start(&mut self, diagonals: &impl Diagonals, start: CellPos, expanded: &mut u32) {
        if start == self.goal.at {
            self.best = 0;
            return;
        }
        let index = self.index(start);
        self.nodes[index] = (0, NO_PARENT, self.number | 0xf0);
        *expanded += 1;
        self.probe.expand(visit(start, NO_PARENT, 0, self.goal.at));
        let dirs = TURNS[FROM_START][around(self.closed, start)];
        self.follow(diagonals, start, 0, dirs);
    }

    /// Expands nodes until no shorter route can be found, or until `most` nodes are expanded.
    fn run(&mut self, diagonals: &impl Diagonals, most: u32, expanded: &mut u32) -> Run {
        while *expanded < most {
            let Some(item) = self.buckets.pop_below(self.best) else { return Run::Ended };
            let at = unpack(item);
            let index = self.index(at);
            let node = &mut self.nodes[index];
            let pending = node.mark() & PENDING;
            if pending == 0 {
                continue;
            }
            let left = node.mark() >> 4 & PENDING;
            *node.mark_mut() = self.number | (left | pending) << 4;
            let so_far = node.cost();
            *expanded += 1;
            self.probe.expand(visit(at, node.parent(), so_far, self.goal.at));
            let around = around(self.closed, at);
            let mut dirs = dirs_of(pending, around);
            if left != 0 {
                dirs &= !dirs_of(left, around);
            }
            self.follow(diagonals, at, so_far, dirs);
        }
        Run::Paused
    }

    /// Jumps from a node in each of `dirs`.
    #[inline(always)]
    fn follow(&mut self, diagonals: &impl Diagonals, at: CellPos, so_far: u64, dirs: u8) {
        if let Some(rest) = self.goal.straight_from(at) {
            // No other route through this node is shorter.
            self.reach_goal(at, so_far + rest);
            return;
        }
        let todo = QUARTERS[usize::from(dirs)];
        if todo & 0xf != 0 {
            self.quarter::<0, 0, 1>(diagonals, at, so_far, todo);
        }
        if todo & 0xf0 != 0 {
            self.quarter::<1, 2, 1>(diagonals, at, so_far, todo >> 4);
        }
        if todo & 0xf00 != 0 {
            self.quarter::<2, 2, 3>(diagonals, at, so_far, todo >> 8);
        }
        if todo & 0xf000 != 0 {
            self.quarter::<3, 0, 3>(diagonals, at, so_far, todo >> 12);
        }
    }

    /// Searches a quarter from a node: straight to both sides, along the diagonal, and straight from its cells.
    #[inline(never)]
    fn quarter<const DIR: usize, const V: usize, const H: usize>(
        &mut self,
        diagonals: &impl Diagonals,
        node: CellPos,
        so_far: u64,
        todo: u16,
    ) {
        let steps = diagonals.walk::<P, DIR, V, H>(self, node, so_far, todo);
        if let Some(rest) = self.goal.diagonally_from::<DIR>(node, steps) {
            self.reach_goal(node, so_far + rest);
        }
    }

    /// Jumps straight from a node to the sides of a quarter that `todo` names.
    #[inline(always)]
    pub(super) fn straight<const V: usize, const H: usize>(&mut self, node: CellPos, so_far: u64, todo: u16) {
        if todo & UP_DOWN != 0 {
            self.jump::<V>(node, so_far);
        }
        if todo & SIDEWAYS != 0 {
            self.jump::<H>(node, so_far);
        }
    }

    /// Jumps straight from a node to the next jump point.
    #[inline(always)]
    fn jump<const DIR: usize>(&mut self, node: CellPos, so_far: u64) {
        let stop = self.stops.jump::<DIR>(node);
        if !stop.closed {
            self.reach::<DIR>(
                node,
                along::<DIR>(node, stop.steps),
                so_far + u64::from(stop.steps * STRAIGHT),
            );
        }
    }

    /// Reaches a jump point that is `before` diagonal and `steps` straight steps from a node. Not inlined, so that the loop that calls it
    /// has all registers to itself.
    #[inline(never)]
    pub(super) fn find<const DIAGONAL_DIR: usize, const DIR: usize>(
        &mut self,
        node: CellPos,
        so_far: u64,
        before: u32,
        steps: u32,
    ) {
        let to = along::<DIR>(across::<DIAGONAL_DIR>(node, before), steps);
        self.reach::<DIR>(node, to, so_far + u64::from(before * DIAGONAL + steps * STRAIGHT));
    }

    /// Jumps straight from `at`, a cell on a diagonal from a node, to the next jump point, which must exist.
    #[inline(always)]
    pub(super) fn reach_along<const DIR: usize>(&mut self, node: CellPos, at: CellPos, so_far: u64) {
        let steps = self.stops.steps::<DIR>(at);
        self.reach::<DIR>(node, along::<DIR>(at, steps), so_far + u64::from(steps * STRAIGHT));
    }

    #[inline]
    fn reach_goal(&mut self, node: CellPos, cost: u64) {
        if cost < self.best {
            let how = if self.best == u64::MAX { Reach::First } else { Reach::Cheaper };
            self.probe.reach(visit(self.goal.at, pack(node), cost, self.goal.at), how);
            self.best = cost;
            self.before_goal = pack(node);
        }
    }

    /// Reaches a jump point from `node`; the last jump was straight in direction `DIR`.
    #[inline(always)]
    fn reach<const DIR: usize>(&mut self, node: CellPos, to: CellPos, cost: u64) {
        let there = &self.nodes[self.index(to)];
        let flags = there.mark() ^ self.number;
        // The node is new in this search, or its cost was higher, or its cost is the same but it was reached from another side.
        if flags > FLAGS || there.cost() > cost || (there.cost() == cost && flags & (0x11 << DIR) == 0) {
            self.improve(node, to, cost, 1 << DIR);
        }
    }

    /// Records a shorter route to a jump point, or an equally short one from another side. The other side adds the directions that it
    /// opens.
    #[inline(never)]
    fn improve(&mut self, node: CellPos, to: CellPos, cost: u64, side: u32) {
        let estimate = cost + octile(to, self.goal.at, Neighbours::Eight);
        if estimate >= self.best {
            return;
        }
        let index = self.index(to);
        let there = &mut self.nodes[index];
        let known = (there.mark() ^ self.number) <= FLAGS;
        let how = match known {
            true if there.cost() == cost => Reach::OtherSide,
            true => Reach::Cheaper,
            false => Reach::First,
        };
        tell(&mut self.probe, visit(to, pack(node), cost, self.goal.at), how);
        if how == Reach::OtherSide {
            let queued = there.mark() & PENDING != 0;
            *there.mark_mut() |= side;
            if queued {
                return;
            }
        } else {
            *there = (cost, pack(node), self.number | side);
        }
        self.buckets.push(estimate, pack(to));
    }

    /// Writes the waypoints. Between two nodes the route goes diagonally first, then straight.
    fn trace_back(&self, query: &PathQuery, out: &mut Route) {
        out.extend_to(query.to);
        let (mut at, mut parent) = (query.to, self.before_goal);
        while parent != NO_PARENT {
            let from = unpack(parent);
            let (dx, dy) = (at.x - from.x, at.y - from.y);
            let diagonal = dx.abs().min(dy.abs());
            out.extend_to(from.offset(dx.signum() * diagonal, dy.signum() * diagonal));
            out.extend_to(from);
            at = from;
            parent = self.nodes[self.index(at)].parent();
        }
        out.waypoints.reverse();
    }
}

#[inline]
fn dirs_of(came_by: u32, around: usize) -> u8 {
    let mut dirs = 0;
    let mut rest = came_by;
    while rest != 0 {
        dirs |= TURNS[rest.trailing_zeros() as usize][around];
        rest &= rest - 1;
    }
    dirs
}
