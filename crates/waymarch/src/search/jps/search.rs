//! The search over jump points.

use super::diagonals::DiagonalPlanes;
use super::stops::StopPlanes;
use super::turns::{FROM_START, TURNS, around};
use crate::base::{CellPos, Dir8, RowColBits};
use crate::cost::{CostField, DIAGONAL, Neighbours, STRAIGHT};
use crate::query::{Cost, PathQuery};
use crate::search::octile::octile;
use crate::search::route::Route;
use crate::search::scratch::{NO_PARENT, Node, SearchScratch};

/// Finds the shortest route over the open cells of `field`, whose costs must all be the same, without cutting corners;
/// with diagonal planes if given. Whether there is one.
pub(super) fn search(
    field: &CostField,
    stops: &StopPlanes,
    diagonals: Option<&DiagonalPlanes>,
    query: &PathQuery,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> bool {
    scratch.begin(field.grid().cells());
    let start_estimate = u64::from(octile(query.from, query.to, Neighbours::Eight));
    scratch.buckets.begin(start_estimate);
    let mut search = Search {
        closed: field.closed_bits(),
        stops,
        diagonals,
        width: field.grid().width(),
        goal: query.to,
        best: u64::MAX,
        before_goal: NO_PARENT,
        scratch,
    };
    let length = search.run(query.from, &mut out.expanded);
    if length == u64::MAX {
        return false;
    }
    out.cost = Cost(length * u64::from(field.cheapest()));
    search.trace_back(query, out);
    true
}

struct Search<'a> {
    closed: &'a RowColBits,
    stops: &'a StopPlanes,
    diagonals: Option<&'a DiagonalPlanes>,
    width: u32,
    goal: CellPos,
    /// The shortest way to the goal so far, and the node before it.
    best: u64,
    before_goal: u32,
    scratch: &'a mut SearchScratch,
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

/// The flags of a node: directions it was reached by and not yet left (bits 0 to 3), and already left (bits 4 to 7).
const PENDING: u32 = 0xf;

impl Search<'_> {
    #[inline]
    fn index(&self, at: CellPos) -> usize {
        at.y as usize * self.width as usize + at.x as usize
    }

    /// Searches; the length of the shortest way, `u64::MAX` if there is none.
    fn run(&mut self, start: CellPos, expanded: &mut u32) -> u64 {
        if start == self.goal {
            self.best = 0;
            return 0;
        }
        let index = self.index(start);
        let mark = self.scratch.search;
        self.scratch.nodes[index] = Node { cost: 0, parent: NO_PARENT, mark: mark | 0xf0 };
        *expanded += 1;
        let dirs = TURNS[FROM_START][around(self.closed, start)];
        self.follow(start, 0, dirs);
        while let Some(item) = self.scratch.buckets.pop_below(self.best) {
            let at = unpack(item);
            let index = self.index(at);
            let node = &mut self.scratch.nodes[index];
            let pending = node.mark & PENDING;
            if pending == 0 {
                continue;
            }
            let left = node.mark >> 4 & PENDING;
            node.mark = node.mark & !PENDING | pending << 4;
            let so_far = node.cost;
            *expanded += 1;
            let around = around(self.closed, at);
            let dirs = dirs_of(pending, around) & !dirs_of(left, around);
            self.follow(at, so_far, dirs);
        }
        self.best
    }

    /// Jumps from a node in each of `dirs`.
    fn follow(&mut self, at: CellPos, so_far: u64, dirs: u8) {
        for straight in Dir8::STRAIGHT {
            if dirs & 1 << straight.index() != 0 {
                self.straight(at, at, so_far, straight);
            }
        }
        for diagonal in [Dir8::NE, Dir8::SE, Dir8::SW, Dir8::NW] {
            if dirs & 1 << diagonal.index() != 0 {
                self.diagonal(at, so_far, diagonal);
            }
        }
    }

    /// Jumps straight from `at`, a cell on the way from the node `node`, to the next jump point or the goal.
    #[inline]
    fn straight(&mut self, node: CellPos, at: CellPos, so_far: u64, dir: Dir8) {
        let stop = self.stops.jump(at, dir);
        let (dx, dy) = (self.goal.x - at.x, self.goal.y - at.y);
        let (ahead, aside) = if dir.dx() != 0 { (dx * dir.dx(), dy) } else { (dy * dir.dy(), dx) };
        if aside == 0 && ahead > 0 && ahead as u32 <= stop.steps {
            self.reach_goal(node, so_far + u64::from(ahead as u32) * u64::from(STRAIGHT));
            return;
        }
        let (to, closed) = if dir.dx() != 0 {
            (CellPos::new(stop.place, at.y), self.closed.rows().get(at.y as u32, stop.place))
        } else {
            (CellPos::new(at.x, stop.place), self.closed.columns().get(at.x as u32, stop.place))
        };
        if !closed {
            self.reach(node, to, dir, so_far + u64::from(stop.steps) * u64::from(STRAIGHT));
        }
    }

    /// Goes diagonally from a node, jumping straight to both sides wherever that finds something.
    #[inline]
    fn diagonal(&mut self, node: CellPos, so_far: u64, dir: Dir8) {
        let (sideways, up_down) =
            if dir.turn(1).dx() != 0 { (dir.turn(1), dir.turn(-1)) } else { (dir.turn(-1), dir.turn(1)) };
        let mut at = node;
        let mut steps = 0;
        loop {
            let jump = self.diagonals.map_or(1, |planes| planes.jump(at, dir));
            at = at.offset(dir.dx() * jump as i32, dir.dy() * jump as i32);
            steps += jump;
            let cost = so_far + u64::from(steps) * u64::from(DIAGONAL);
            self.straight(node, at, cost, sideways);
            self.straight(node, at, cost, up_down);
            if at == self.goal {
                self.reach_goal(node, cost);
            }
            if self.closed.get(at.step(dir))
                || self.closed.get(at.step(sideways))
                || self.closed.get(at.step(up_down))
            {
                break;
            }
        }
        if self.diagonals.is_some() {
            self.goal_beside_diagonal(node, so_far, dir, steps);
        }
    }

    /// Whether the goal lies straight from a cell of a diagonal of `steps` steps: the planes do not know it.
    #[inline]
    fn goal_beside_diagonal(&mut self, node: CellPos, so_far: u64, dir: Dir8, steps: u32) {
        let (dx, dy) = ((self.goal.x - node.x) * dir.dx(), (self.goal.y - node.y) * dir.dy());
        let turn = dx.min(dy);
        if turn <= 0 || turn as u32 > steps {
            return;
        }
        let at = node.offset(dir.dx() * turn, dir.dy() * turn);
        let cost = so_far + u64::from(turn as u32) * u64::from(DIAGONAL);
        let rest = dx.abs_diff(dy);
        if rest != 0 {
            let straight =
                [dir.turn(1), dir.turn(-1)].into_iter().find(|straight| (straight.dx() != 0) == (dx > dy));
            if straight.is_none_or(|straight| self.stops.jump(at, straight).steps < rest) {
                return;
            }
        }
        self.reach_goal(node, cost + u64::from(rest) * u64::from(STRAIGHT));
    }

    #[inline]
    fn reach_goal(&mut self, node: CellPos, cost: u64) {
        if cost < self.best {
            self.best = cost;
            self.before_goal = pack(node);
        }
    }

    /// A jump point was reached from `node`, lastly by a straight jump in direction `by`.
    #[inline]
    fn reach(&mut self, node: CellPos, to: CellPos, by: Dir8, cost: u64) {
        let index = self.index(to);
        let search = self.scratch.search;
        let bit = 1 << (by.index() >> 1);
        let there = &mut self.scratch.nodes[index];
        if there.mark & !0xff == search && there.cost <= cost {
            // An equally short way from another side adds the directions that side opens.
            if there.cost == cost && there.mark & (bit | bit << 4) == 0 {
                let queued = there.mark & PENDING != 0;
                there.mark |= bit;
                if !queued {
                    let estimate = cost + u64::from(octile(to, self.goal, Neighbours::Eight));
                    self.scratch.buckets.push(estimate, pack(to));
                }
            }
            return;
        }
        let estimate = cost + u64::from(octile(to, self.goal, Neighbours::Eight));
        if estimate >= self.best {
            return;
        }
        *there = Node { cost, parent: pack(node), mark: search | bit };
        self.scratch.buckets.push(estimate, pack(to));
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
            parent = self.scratch.nodes[self.index(at)].parent;
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
