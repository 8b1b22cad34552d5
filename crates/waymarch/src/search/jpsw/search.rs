//! The search over the cells where a cheapest route may turn.

use super::planes::WeightedPlanes;
use crate::base::{CellPos, Dir8};
use crate::cost::{DIAGONAL, IMPASSABLE, Neighbours, PadId, Padding, STRAIGHT};
use crate::levels::{LinkState, LinkStep};
use crate::query::{Cost, PathQuery, PlanError};
use crate::search::buckets::Buckets;
use crate::search::linked::{THROUGH_LINK, parent_of};
use crate::search::probe::{Probe, Reach, Visit, turn_between};
use crate::search::route::Route;
use crate::search::run::SearchRun;
use crate::search::scratch::{NO_PARENT, Node, NodeFields, Paused, PausedIn, Run, SearchScratch};

/// A lower bound on the cost of the rest of a route; inflated for a bounded search.
pub(in crate::search) trait Estimate {
    /// Whether the search follows links.
    const LINKED: bool = false;

    /// Whether a link starts at a cell, given by its index in padded order.
    #[inline]
    fn starts_link(&self, _place: usize) -> bool {
        false
    }

    /// The link with this number, counted from 0, of those that start at a cell.
    #[inline]
    fn link(&self, _at: CellPos, _number: usize) -> Option<LinkStep> {
        None
    }

    /// The bound from a cell, given by its index in padded order and by its position.
    fn from(&mut self, place: usize, at: CellPos) -> u64;

    /// Whether it is inflated, so that it may be greater than the true cost.
    fn is_inflated(&self) -> bool;
}

/// Finds the cheapest route; with an inflated estimate, a route within the bound.
///
/// # Errors
/// [`PlanError::Unreachable`], or [`PlanError::Paused`].
pub(in crate::search) fn search(
    planes: &WeightedPlanes,
    estimate: &mut impl Estimate,
    query: &PathQuery,
    run: SearchRun<'_, impl Probe>,
) -> Result<(), PlanError> {
    let SearchRun { scratch, out, probe } = run;
    let padding = planes.padding();
    let paused = scratch.resume(PausedIn::Weighted, query, planes.grid());
    let start = padding.pad(query.from);
    let first = estimate.from(start.index(), query.from);
    // Buckets are as wide as a quarter of an average step. Their number is then at most about six times the number of cells, even if some
    // cells cost much more than others.
    let coarse = planes.coarseness();
    if paused.is_none() {
        scratch.begin(padding.len());
        scratch.buckets.begin(first >> coarse);
        probe.begin(query.from, query.to);
    }
    out.expanded = paused.map_or(0, |paused| paused.expanded);
    let most = scratch.most_nodes(out.expanded);
    let SearchScratch { nodes, buckets, search: number, .. } = scratch;
    let offsets = padding.neighbour_offsets().map(|offset| offset as isize);
    let mut search = Search {
        planes,
        costs: planes.costs(),
        estimate,
        offsets,
        goal: query.to,
        goal_place: padding.pad(query.to).index(),
        best: paused.map_or(u64::MAX, |paused| paused.best),
        before_goal: paused.map_or(NO_PARENT, |paused| paused.before_goal),
        number: *number,
        coarse,
        nodes,
        buckets,
        probe,
    };
    let neighbours = planes.rule().neighbours;
    if paused.is_none() {
        match neighbours {
            Neighbours::Eight => search.start::<8>(query.from, start, &mut out.expanded),
            Neighbours::Four => search.start::<4>(query.from, start, &mut out.expanded),
        }
    }
    let ended = match neighbours {
        Neighbours::Eight => search.run::<8>(most, &mut out.expanded),
        Neighbours::Four => search.run::<4>(most, &mut out.expanded),
    };
    if ended == Run::Paused {
        let (best, before_goal, expanded) = (search.best, search.before_goal, out.expanded);
        let (kind, query, grid) = (PausedIn::Weighted, *query, planes.grid());
        scratch.pause(Paused { kind, query, grid, best, before_goal, expanded });
        return Err(PlanError::Paused { nodes: expanded });
    }
    if search.best == u64::MAX {
        return Err(PlanError::Unreachable { from: query.from, to: query.to });
    }
    out.cost = Cost(search.best);
    search.trace_back(padding, query, out);
    if search.estimate.is_inflated() {
        // A node on the route may have been reached more cheaply after the route was found.
        out.cost = Cost(planes.walked(out));
    }
    Ok(())
}

struct Search<'a, E, P> {
    planes: &'a WeightedPlanes,
    costs: &'a [u8],
    estimate: &'a mut E,
    offsets: [isize; 8],
    goal: CellPos,
    goal_place: usize,
    /// The cost of the cheapest route so far, and the node before the goal on it.
    best: u64,
    before_goal: u32,
    /// The number of this search in the marks of nodes.
    number: u32,
    /// The bits by which estimates are shifted before they go into buckets.
    coarse: u32,
    nodes: &'a mut [Node],
    buckets: &'a mut Buckets,
    probe: &'a mut P,
}

/// The directions of a node that are still to be followed: the lower 8 bits of its mark.
const PENDING: u32 = 0xff;
/// 8 bits: the lower bits of a node's cost mark the directions that were followed. The cost itself is shifted by 8 bits.
const DONE_BITS: u32 = 8;

/// The state of a jump: the node where it began, the cell where it is, and the cost so far.
#[derive(Clone, Copy)]
struct Jump {
    node: usize,
    place: usize,
    at: CellPos,
    cost: u64,
}

/// What a jump does at a cell where a route may turn.
enum Next {
    /// It goes on at once.
    On,
    /// It ends: the cell waits in the open list, or is dropped.
    Leave,
}

/// The straight directions in which a walk in direction `DIR` starts a run from every cell while costs stay the same. Such cells need no
/// node of their own.
const fn natural(neighbours: usize, dir: usize) -> u8 {
    match (neighbours, dir % 2) {
        (8, 1) => 1 << (dir - 1) | 1 << ((dir + 1) & 7),
        (4, 0) if dir % 4 == 0 => 1 << 2 | 1 << 6,
        _ => 0,
    }
}

impl<E: Estimate, P: Probe> Search<'_, E, P> {
    fn start<const NEIGHBOURS: usize>(&mut self, from: CellPos, start: PadId, expanded: &mut u32) {
        if from == self.goal {
            self.best = 0;
            return;
        }
        let place = start.index();
        self.nodes[place] = (0xff, NO_PARENT, self.number);
        *expanded += 1;
        self.tell_expanded(place, from);
        self.follow::<NEIGHBOURS>(
            Jump { node: place, place, at: from, cost: 0 },
            self.planes.all_dirs(start),
        );
        self.follow_links(place, from, 0);
    }

    /// Whether a cell needs a node because a link starts there.
    #[inline(always)]
    fn starts_link(&self, place: usize) -> bool {
        E::LINKED && self.estimate.starts_link(place)
    }

    /// Reaches the ends of the links that start at a node.
    #[inline(always)]
    fn follow_links(&mut self, place: usize, at: CellPos, so_far: u64) {
        if !self.starts_link(place) {
            return;
        }
        let mut number = 0;
        while let Some(step) = self.estimate.link(at, number) {
            number += 1;
            let end = self.planes.padding().pad(step.to);
            let price = self.costs[end.index()];
            if step.state == LinkState::Closed || price == IMPASSABLE {
                continue;
            }
            let cost = so_far + u64::from(step.length) * u64::from(price);
            let jump = Jump { node: place | THROUGH_LINK as usize, place: end.index(), at: step.to, cost };
            if end.index() == self.goal_place {
                self.reach_goal(jump);
            } else {
                self.reach(jump, self.planes.all_dirs(end), 0);
            }
        }
    }

    /// Expands nodes until no cheaper route can be found, or until `most` nodes are expanded.
    fn run<const NEIGHBOURS: usize>(&mut self, most: u32, expanded: &mut u32) -> Run {
        // Estimates below `best` are in buckets below `limit`.
        while *expanded < most {
            let Some(item) = self.buckets.pop_below(self.limit()) else { return Run::Ended };
            let place = item as usize;
            let node = &mut self.nodes[place];
            let pending = node.mark() & PENDING;
            if pending == 0 && !(E::LINKED && self.estimate.starts_link(place)) {
                continue;
            }
            *node.mark_mut() &= !PENDING;
            *node.cost_mut() |= u64::from(pending);
            let cost = node.cost() >> DONE_BITS;
            *expanded += 1;
            let at = self.planes.padding().pos(PadId(item));
            self.tell_expanded(place, at);
            self.follow_links(place, at, cost);
            self.follow::<NEIGHBOURS>(Jump { node: place, place, at, cost }, pending as u8);
        }
        Run::Paused
    }

    #[inline(always)]
    fn tell_expanded(&mut self, place: usize, at: CellPos) {
        if P::WATCHES {
            let (cost, parent, _) = self.nodes[place];
            let (padding, neighbours) = (self.planes.padding(), self.planes.rule().neighbours);
            let parent = parent_of(parent).map(|(parent, _)| padding.pos(PadId(parent)));
            let ahead = self.estimate.from(place, at);
            self.probe.expand(Visit::jumped(parent, at, neighbours, cost >> DONE_BITS, ahead));
        }
    }

    /// Reports the cell of a jump to the probe, with the lower bound from there.
    #[inline(always)]
    fn tell_reached(probe: &mut P, planes: &WeightedPlanes, jump: Jump, ahead: u64, how: Reach) {
        let parent = planes.padding().pos(PadId(jump.node as u32 & !THROUGH_LINK));
        probe.reach(Visit::jumped(Some(parent), jump.at, planes.rule().neighbours, jump.cost, ahead), how);
    }

    /// The least shifted estimate that cannot be below `best`.
    #[inline]
    fn limit(&self) -> u64 {
        self.best.saturating_add((1 << self.coarse) - 1) >> self.coarse
    }

    /// Jumps from a node in each of `dirs`.
    #[inline(always)]
    fn follow<const NEIGHBOURS: usize>(&mut self, from: Jump, dirs: u8) {
        if NEIGHBOURS == 8 {
            self.follow_straight::<0>(from, dirs);
            self.follow_straight::<2>(from, dirs);
        }
        self.follow_straight::<1>(from, dirs);
        self.follow_straight::<3>(from, dirs);
        if NEIGHBOURS == 8 {
            self.follow_walking::<8, 1>(from, dirs);
            self.follow_walking::<8, 3>(from, dirs);
            self.follow_walking::<8, 5>(from, dirs);
            self.follow_walking::<8, 7>(from, dirs);
        } else {
            self.follow_walking::<4, 0>(from, dirs);
            self.follow_walking::<4, 4>(from, dirs);
        }
    }

    #[inline(always)]
    fn follow_straight<const QUARTER: usize>(&mut self, from: Jump, dirs: u8) {
        if dirs >> (2 * QUARTER) & 1 != 0 {
            self.straight::<QUARTER>(from);
        }
    }

    #[inline(always)]
    fn follow_walking<const NEIGHBOURS: usize, const DIR: usize>(&mut self, from: Jump, dirs: u8) {
        if dirs >> DIR & 1 != 0 {
            self.walk::<NEIGHBOURS, DIR>(from);
        }
    }

    /// Runs straight to the next cell where a route may turn, or to the goal. `DIR` is 0 north, 1 east, 2 south, 3 west.
    #[inline(always)]
    fn straight<const DIR: usize>(&mut self, mut jump: Jump) {
        let dir = Dir8::STRAIGHT[DIR];
        let offset = self.offsets[2 * DIR];
        // Each round advances at least one cell, and the edge of the map ends the loop.
        loop {
            let steps = self.planes.run::<DIR>(jump.at);
            let plain = u64::from(STRAIGHT) * u64::from(self.costs[jump.place]);
            let (dx, dy) = (self.goal.x - jump.at.x, self.goal.y - jump.at.y);
            let (ahead, aside) = match DIR {
                0 => (-dy, dx),
                1 => (dx, dy),
                2 => (dy, dx),
                _ => (-dx, dy),
            };
            let meets_goal = aside == 0 && ahead > 0 && ahead as u32 <= steps;
            let steps = if meets_goal { ahead as u32 } else { steps };
            jump.place = jump.place.wrapping_add_signed(offset * steps as isize);
            jump.at = jump.at.offset(dir.dx() * steps as i32, dir.dy() * steps as i32);
            // All cells but the last cost as much as the first.
            jump.cost +=
                u64::from(steps - 1) * plain + u64::from(STRAIGHT) * u64::from(self.costs[jump.place]);
            if meets_goal {
                self.reach_goal(jump);
                return;
            }
            let dirs = self.planes.turns_at(jump.place, 2 * DIR);
            let nothing = dirs == 0 && !self.starts_link(jump.place);
            if nothing || matches!(self.reach(jump, dirs, 1 << (2 * DIR)), Next::Leave) {
                return;
            }
        }
    }

    /// Walks cell by cell in a direction from which runs to both sides start, and starts them.
    #[inline(always)]
    fn walk<const NEIGHBOURS: usize, const DIR: usize>(&mut self, mut jump: Jump) {
        let dir = Dir8::ALL[DIR];
        let offset = self.offsets[DIR];
        let length = u64::from(if dir.is_diagonal() { DIAGONAL } else { STRAIGHT });
        // The edge of the map ends the loop.
        loop {
            jump.place = jump.place.wrapping_add_signed(offset);
            jump.at = jump.at.step(dir);
            jump.cost += length * u64::from(self.costs[jump.place]);
            if jump.place == self.goal_place {
                self.reach_goal(jump);
                return;
            }
            let dirs = self.planes.turns_at(jump.place, DIR);
            let natural = const { natural(NEIGHBOURS, DIR) };
            let nothing = dirs == 0 && !self.starts_link(jump.place);
            if nothing || matches!(self.reach(jump, dirs, natural | 1 << DIR), Next::Leave) {
                return;
            }
            let aside = dirs & natural;
            if NEIGHBOURS == 8 {
                self.aside::<0>(jump, aside);
                self.aside::<2>(jump, aside);
            }
            self.aside::<1>(jump, aside);
            self.aside::<3>(jump, aside);
            if dirs >> DIR & 1 == 0 {
                return;
            }
        }
    }

    #[inline(always)]
    fn aside<const QUARTER: usize>(&mut self, from: Jump, dirs: u8) {
        if dirs >> (2 * QUARTER) & 1 != 0 {
            self.straight::<QUARTER>(from);
        }
    }

    #[inline]
    fn reach_goal(&mut self, jump: Jump) {
        if jump.cost < self.best {
            if P::WATCHES {
                let how = if self.best == u64::MAX { Reach::First } else { Reach::Cheaper };
                Self::tell_reached(self.probe, self.planes, jump, 0, how);
            }
            self.best = jump.cost;
            self.before_goal = jump.node as u32;
        }
    }

    /// Reaches a cell from which `dirs` are to be followed. The jump itself can follow the directions of `along`.
    #[inline]
    fn reach(&mut self, jump: Jump, dirs: u8, along: u8) -> Next {
        // Where a link starts, the cell gets a node, which follows the link.
        let own = dirs & !along == 0 && !self.starts_link(jump.place);
        let dirs = u32::from(dirs);
        let there = &mut self.nodes[jump.place];
        let mut parent = jump.node as u32;
        let mut fresh = true;
        let mut before = (0, 0);
        if there.mark() & !PENDING == self.number {
            let known = there.cost() >> DONE_BITS;
            if known < jump.cost {
                return Next::Leave;
            }
            if known == jump.cost {
                // An equally cheap route from another side adds the directions that this side opens.
                before = (there.mark() & PENDING, there.cost() as u32 & PENDING);
                if dirs & !before.0 & !before.1 == 0 {
                    return Next::Leave;
                }
                parent = there.parent();
                fresh = false;
            }
        }
        let estimate = jump.cost + self.estimate.from(jump.place, jump.at);
        if estimate >= self.best {
            return Next::Leave;
        }
        if P::WATCHES {
            let how = match there.mark() & !PENDING == self.number {
                true if fresh => Reach::Cheaper,
                true => Reach::OtherSide,
                false => Reach::First,
            };
            Self::tell_reached(self.probe, self.planes, jump, estimate - jump.cost, how);
        }
        let (queued, done) = before;
        if own && fresh && estimate >> self.coarse < self.buckets.present_end() {
            *there = (jump.cost << DONE_BITS | u64::from(dirs), parent, self.number);
            return Next::On;
        }
        *there = (jump.cost << DONE_BITS | u64::from(done), parent, self.number | queued | dirs & !done);
        if queued == 0 {
            self.buckets.push(estimate >> self.coarse, jump.place as u32);
        }
        Next::Leave
    }

    /// Writes the waypoints. Between two nodes the route goes diagonally first (with four neighbours north or south), then straight.
    fn trace_back(&self, padding: Padding, query: &PathQuery, out: &mut Route) {
        out.extend_to(query.to);
        let (mut at, mut parent) = (query.to, self.before_goal);
        while let Some((before, through_link)) = parent_of(parent) {
            let from = padding.pos(PadId(before));
            if through_link {
                out.go_back_through_link(from);
            } else {
                out.extend_to(turn_between(from, at, self.planes.rule().neighbours));
                out.extend_to(from);
            }
            at = from;
            parent = self.nodes[before as usize].parent();
        }
        out.waypoints.reverse();
    }
}
