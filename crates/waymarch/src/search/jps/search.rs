//! The search over jump points.

use super::JumpPlanes;
use super::along::{across, along};
use super::goal::Goal;
use super::nodes::JumpNode;
use super::quarters::{QUARTERS, SIDEWAYS, UP_DOWN};
use super::stops::StopPlanes;
use super::turns::{FROM_START, TURNS, around};
use super::walks::Diagonals;
use crate::base::{CellPos, RowColBits};
use crate::cost::{CostField, DIAGONAL, Neighbours, STRAIGHT};
use crate::query::{Cost, PathQuery};
use crate::search::buckets::Buckets;
use crate::search::octile::octile;
use crate::search::route::Route;
use crate::search::scratch::{NO_PARENT, SearchScratch};

/// Finds the shortest route over the open cells of `field`, whose costs must all be the same, without cutting corners;
/// with diagonal planes if given. Whether there is one.
pub(super) fn search(
    field: &CostField,
    planes: &JumpPlanes,
    query: &PathQuery,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> bool {
    let SearchScratch { jumps, buckets, .. } = scratch;
    jumps.begin(field.grid().cells());
    let (nodes, nothing) = jumps.parts();
    buckets.begin(nothing + octile(query.from, query.to, Neighbours::Eight));
    let mut search = Search {
        closed: field.closed_bits(),
        stops: &planes.stops,
        width: field.grid().width(),
        goal: Goal::new(field.closed_bits(), query.to),
        best: u64::MAX,
        before_goal: NO_PARENT,
        nodes,
        buckets,
    };
    match &planes.diagonals {
        Some(diagonals) => search.run(diagonals, query.from, nothing, &mut out.expanded),
        None => search.run(&planes.steps, query.from, nothing, &mut out.expanded),
    }
    if search.best == u64::MAX {
        return false;
    }
    out.cost = Cost((search.best - nothing) * u64::from(field.cheapest()));
    search.trace_back(query, out);
    true
}

pub(super) struct Search<'a> {
    closed: &'a RowColBits,
    pub(super) stops: &'a StopPlanes,
    width: u32,
    goal: Goal,
    /// The shortest way to the goal so far, dated as all costs here are, and the node before it.
    best: u64,
    before_goal: u32,
    nodes: &'a mut [JumpNode],
    buckets: &'a mut Buckets,
}

/// A cell in 32 bits: row above column.
#[inline]
fn pack(at: CellPos) -> u32 {
    (at.y as u32) << 16 | at.x as u32
}

#[inline]
fn unpack(packed: u32) -> CellPos {
    CellPos::new((packed & 0xffff) as i32, (packed >> 16) as i32)
}

/// Of the flags of a node: the directions it was reached by and not yet left.
const PENDING: u32 = 0xf;

impl Search<'_> {
    #[inline(always)]
    fn index(&self, at: CellPos) -> usize {
        at.y as u32 as usize * self.width as usize + at.x as u32 as usize
    }

    fn run(&mut self, diagonals: &impl Diagonals, start: CellPos, nothing: u64, expanded: &mut u32) {
        if start == self.goal.at {
            self.best = nothing;
            return;
        }
        let index = self.index(start);
        self.nodes[index] = JumpNode { cost: nothing, parent: NO_PARENT, flags: 0xf0 };
        *expanded += 1;
        let dirs = TURNS[FROM_START][around(self.closed, start)];
        self.follow(diagonals, start, nothing, dirs);
        while let Some(item) = self.buckets.pop_below(self.best) {
            let at = unpack(item);
            let index = self.index(at);
            let node = &mut self.nodes[index];
            let pending = node.flags & PENDING;
            if pending == 0 {
                continue;
            }
            let left = node.flags >> 4;
            node.flags = (left | pending) << 4;
            let so_far = node.cost;
            *expanded += 1;
            let around = around(self.closed, at);
            let mut dirs = dirs_of(pending, around);
            if left != 0 {
                dirs &= !dirs_of(left, around);
            }
            self.follow(diagonals, at, so_far, dirs);
        }
    }

    /// Jumps from a node in each of `dirs`.
    #[inline(always)]
    fn follow(&mut self, diagonals: &impl Diagonals, at: CellPos, so_far: u64, dirs: u8) {
        if let Some(rest) = self.goal.straight_from(at) {
            // No way through this node is shorter.
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

    /// Searches a quarter from a node: straight to both its sides, along its diagonal, and straight from there.
    #[inline(never)]
    fn quarter<const DIR: usize, const V: usize, const H: usize>(
        &mut self,
        diagonals: &impl Diagonals,
        node: CellPos,
        so_far: u64,
        todo: u16,
    ) {
        let steps = diagonals.walk::<DIR, V, H>(self, node, so_far, todo);
        if let Some(rest) = self.goal.diagonally_from::<DIR>(node, steps) {
            self.reach_goal(node, so_far + rest);
        }
    }

    /// Jumps straight from a node to both sides of a quarter, as far as `todo` says so.
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

    /// A jump point was found by `before` diagonal steps from a node and `steps` straight ones. Not inlined, so that the
    /// loop that finds it has all registers to itself.
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

    /// Jumps straight from `at`, a cell on a diagonal from a node, to the next jump point; there must be one.
    #[inline(always)]
    pub(super) fn reach_along<const DIR: usize>(&mut self, node: CellPos, at: CellPos, so_far: u64) {
        let steps = self.stops.steps::<DIR>(at);
        self.reach::<DIR>(node, along::<DIR>(at, steps), so_far + u64::from(steps * STRAIGHT));
    }

    #[inline]
    fn reach_goal(&mut self, node: CellPos, cost: u64) {
        if cost < self.best {
            self.best = cost;
            self.before_goal = pack(node);
        }
    }

    /// A jump point was reached from `node`, lastly by a straight jump in direction `DIR`.
    #[inline(always)]
    fn reach<const DIR: usize>(&mut self, node: CellPos, to: CellPos, cost: u64) {
        let there = &self.nodes[self.index(to)];
        let known = there.flags & (1 << DIR | 1 << (DIR + 4)) != 0;
        if there.cost > cost || (there.cost == cost && !known) {
            self.improve(node, to, cost, 1 << DIR);
        }
    }

    /// Notes a shorter way to a jump point, or one as short from another side, which adds the directions that side opens.
    #[inline(never)]
    fn improve(&mut self, node: CellPos, to: CellPos, cost: u64, side: u32) {
        let estimate = cost + octile(to, self.goal.at, Neighbours::Eight);
        if estimate >= self.best {
            return;
        }
        let index = self.index(to);
        let there = &mut self.nodes[index];
        if there.cost == cost {
            let queued = there.flags & PENDING != 0;
            there.flags |= side;
            if queued {
                return;
            }
        } else {
            *there = JumpNode { cost, parent: pack(node), flags: side };
        }
        self.buckets.push(estimate, pack(to));
    }

    /// Writes the waypoints: between two nodes the way is diagonal first, then straight.
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
            parent = self.nodes[self.index(at)].parent;
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
