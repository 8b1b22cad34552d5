//! The search over jump points.

use super::diagonals::DiagonalPlanes;
use super::stops::StopPlanes;
use super::turns::{FROM_START, TURNS, around};
use crate::base::{CellPos, RowColBits};
use crate::cost::{CostField, DIAGONAL, Neighbours, STRAIGHT};
use crate::query::{Cost, PathQuery};
use crate::search::buckets::Buckets;
use crate::search::octile::octile;
use crate::search::probe::{Probe, Reach, Scaled, Visit};
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
    probe: &mut impl Probe,
) -> bool {
    scratch.begin(field.grid().cells());
    scratch.buckets.begin(octile(query.from, query.to, Neighbours::Eight));
    let SearchScratch { nodes, buckets, search: number, .. } = scratch;
    let mut search = Search {
        closed: field.closed_bits(),
        stops,
        width: field.grid().width(),
        goal: query.to,
        best: u64::MAX,
        before_goal: NO_PARENT,
        number: *number,
        nodes,
        buckets,
        probe: Scaled { probe, by: field.cheapest() },
    };
    match diagonals {
        Some(planes) => search.run(planes, query.from, &mut out.expanded),
        None => search.run(&StepByStep(field.closed_bits()), query.from, &mut out.expanded),
    }
    if search.best == u64::MAX {
        return false;
    }
    out.cost = Cost(search.best * u64::from(field.cheapest()));
    search.trace_back(query, out);
    true
}

/// A way to go along diagonals.
trait Diagonals {
    /// Goes from `at`, the first step being legal, and calls `found` with the number of steps wherever a straight jump
    /// sideways (first flag) or up and down (second flag) finds something, or may. The number of legal steps.
    fn walk<const DIR: usize>(&self, at: CellPos, found: impl FnMut(u32, [bool; 2])) -> u32;
}

const fn dx(quarter: usize) -> i32 {
    if quarter < 2 { 1 } else { -1 }
}

const fn dy(quarter: usize) -> i32 {
    if quarter == 1 || quarter == 2 { 1 } else { -1 }
}

impl Diagonals for DiagonalPlanes {
    #[inline(always)]
    fn walk<const DIR: usize>(&self, at: CellPos, found: impl FnMut(u32, [bool; 2])) -> u32 {
        DiagonalPlanes::walk::<DIR>(self, at, found)
    }
}

/// Without planes for the diagonals: one step at a time, looking to both sides at each.
struct StepByStep<'a>(&'a RowColBits);

impl Diagonals for StepByStep<'_> {
    #[inline(always)]
    fn walk<const DIR: usize>(&self, at: CellPos, mut found: impl FnMut(u32, [bool; 2])) -> u32 {
        let rows = self.0.rows();
        let (mut x, mut y, mut steps) = (at.x, at.y, 0);
        loop {
            x += dx(DIR);
            y += dy(DIR);
            steps += 1;
            found(steps, [true, true]);
            let (ahead, below) = (x + dx(DIR), y + dy(DIR));
            let edge = below < 0 || below as u32 >= self.0.grid().height();
            if edge || rows.get(y as u32, ahead) || rows.get(below as u32, x) || rows.get(below as u32, ahead)
            {
                return steps;
            }
        }
    }
}

struct Search<'a, P> {
    closed: &'a RowColBits,
    stops: &'a StopPlanes,
    width: u32,
    goal: CellPos,
    /// The shortest way to the goal so far, and the node before it.
    best: u64,
    before_goal: u32,
    /// The number of this search, as nodes are marked with it.
    number: u32,
    nodes: &'a mut [Node],
    buckets: &'a mut Buckets,
    probe: Scaled<'a, P>,
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

/// What a probe is told of a node.
#[inline]
fn visit(at: CellPos, parent: u32, cost: u64, goal: CellPos) -> Visit {
    let parent = (parent != NO_PARENT).then(|| unpack(parent));
    Visit { at, parent, cost, ahead: octile(at, goal, Neighbours::Eight) }
}

/// Tells a probe of a jump point. Of the goal [`Search::reach_goal`] tells, whether or not it is one.
#[inline]
fn tell(probe: &mut impl Probe, node: Visit, how: Reach) {
    if node.ahead > 0 {
        probe.reach(node, how);
    }
}

/// The flags of a node: directions it was reached by and not yet left (bits 0 to 3), and already left (bits 4 to 7).
const PENDING: u32 = 0xf;

impl<P: Probe> Search<'_, P> {
    #[inline]
    fn index(&self, at: CellPos) -> usize {
        at.y as usize * self.width as usize + at.x as usize
    }

    fn run(&mut self, diagonals: &impl Diagonals, start: CellPos, expanded: &mut u32) {
        self.probe.begin(start, self.goal);
        if start == self.goal {
            self.best = 0;
            return;
        }
        let index = self.index(start);
        self.nodes[index] = Node { cost: 0, parent: NO_PARENT, mark: self.number | 0xf0 };
        *expanded += 1;
        self.probe.expand(visit(start, NO_PARENT, 0, self.goal));
        let dirs = TURNS[FROM_START][around(self.closed, start)];
        self.follow(diagonals, start, 0, dirs);
        while let Some(item) = self.buckets.pop_below(self.best) {
            let at = unpack(item);
            let index = self.index(at);
            let node = &mut self.nodes[index];
            let pending = node.mark & PENDING;
            if pending == 0 {
                continue;
            }
            let left = node.mark >> 4 & PENDING;
            node.mark = node.mark & !PENDING | pending << 4;
            let so_far = node.cost;
            *expanded += 1;
            self.probe.expand(visit(at, node.parent, so_far, self.goal));
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
        if dirs & 1 != 0 {
            self.straight::<0>(at, so_far);
        }
        if dirs & 1 << 2 != 0 {
            self.straight::<1>(at, so_far);
        }
        if dirs & 1 << 4 != 0 {
            self.straight::<2>(at, so_far);
        }
        if dirs & 1 << 6 != 0 {
            self.straight::<3>(at, so_far);
        }
        if dirs & 1 << 1 != 0 {
            self.diagonal::<0, 0, 1>(diagonals, at, so_far);
        }
        if dirs & 1 << 3 != 0 {
            self.diagonal::<1, 2, 1>(diagonals, at, so_far);
        }
        if dirs & 1 << 5 != 0 {
            self.diagonal::<2, 2, 3>(diagonals, at, so_far);
        }
        if dirs & 1 << 7 != 0 {
            self.diagonal::<3, 0, 3>(diagonals, at, so_far);
        }
    }

    /// Jumps straight from a node to the next jump point or the goal.
    #[inline]
    fn straight<const DIR: usize>(&mut self, at: CellPos, so_far: u64) {
        let stop = self.stops.jump::<DIR>(at);
        let (dx, dy) = (self.goal.x - at.x, self.goal.y - at.y);
        let (ahead, aside) = match DIR {
            0 => (-dy, dx),
            1 => (dx, dy),
            2 => (dy, dx),
            _ => (-dx, dy),
        };
        if aside == 0 && ahead > 0 && ahead as u32 <= stop.steps {
            self.reach_goal(at, so_far + u64::from(ahead as u32 * STRAIGHT));
        } else if !stop.closed {
            self.reach::<DIR>(at, along::<DIR>(at, stop.steps), so_far + u64::from(stop.steps * STRAIGHT));
        }
    }

    /// Goes diagonally from a node, jumping straight to both sides wherever that finds something.
    #[inline]
    fn diagonal<const DIR: usize, const UP_DOWN: usize, const SIDEWAYS: usize>(
        &mut self,
        diagonals: &impl Diagonals,
        node: CellPos,
        so_far: u64,
    ) {
        let steps = diagonals.walk::<DIR>(node, |steps, [sideways, up_down]| {
            let at = CellPos::new(node.x + dx(DIR) * steps as i32, node.y + dy(DIR) * steps as i32);
            let cost = so_far + u64::from(steps * DIAGONAL);
            if sideways {
                self.aside::<SIDEWAYS>(node, at, cost);
            }
            if up_down {
                self.aside::<UP_DOWN>(node, at, cost);
            }
        });
        // The goal may lie straight from a cell of the diagonal: nothing else knows of it.
        let (ahead, down) = ((self.goal.x - node.x) * dx(DIR), (self.goal.y - node.y) * dy(DIR));
        let turn = ahead.min(down);
        if turn > 0 && turn as u32 <= steps {
            let at = CellPos::new(node.x + dx(DIR) * turn, node.y + dy(DIR) * turn);
            let rest = ahead.abs_diff(down);
            let clear = if ahead > down {
                self.stops.jump::<SIDEWAYS>(at).steps
            } else {
                self.stops.jump::<UP_DOWN>(at).steps
            };
            if rest <= clear {
                self.reach_goal(node, so_far + u64::from(turn as u32 * DIAGONAL + rest * STRAIGHT));
            }
        }
    }

    /// Jumps straight from `at`, a cell on a diagonal from `node`, to the next jump point.
    #[inline(always)]
    fn aside<const DIR: usize>(&mut self, node: CellPos, at: CellPos, so_far: u64) {
        let stop = self.stops.jump::<DIR>(at);
        if !stop.closed {
            self.reach::<DIR>(node, along::<DIR>(at, stop.steps), so_far + u64::from(stop.steps * STRAIGHT));
        }
    }

    #[inline]
    fn reach_goal(&mut self, node: CellPos, cost: u64) {
        if cost < self.best {
            let how = if self.best == u64::MAX { Reach::First } else { Reach::Cheaper };
            self.probe.reach(visit(self.goal, pack(node), cost, self.goal), how);
            self.best = cost;
            self.before_goal = pack(node);
        }
    }

    /// A jump point was reached from `node`, lastly by a straight jump in direction `DIR`.
    #[inline(always)]
    fn reach<const DIR: usize>(&mut self, node: CellPos, to: CellPos, cost: u64) {
        let index = self.index(to);
        let search = self.number;
        let bit = 1 << DIR;
        let there = &mut self.nodes[index];
        if there.mark & !0xff == search && there.cost <= cost {
            // An equally short way from another side adds the directions that side opens.
            if there.cost == cost && there.mark & (bit | bit << 4) == 0 {
                let queued = there.mark & PENDING != 0;
                there.mark |= bit;
                tell(&mut self.probe, visit(to, pack(node), cost, self.goal), Reach::OtherSide);
                if !queued {
                    let estimate = cost + octile(to, self.goal, Neighbours::Eight);
                    self.buckets.push(estimate, pack(to));
                }
            }
            return;
        }
        let estimate = cost + octile(to, self.goal, Neighbours::Eight);
        if estimate >= self.best {
            return;
        }
        let how = if there.mark & !0xff == search { Reach::Cheaper } else { Reach::First };
        tell(&mut self.probe, visit(to, pack(node), cost, self.goal), how);
        *there = Node { cost, parent: pack(node), mark: search | bit };
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

/// The cell `steps` straight steps from `at`.
#[inline(always)]
fn along<const DIR: usize>(at: CellPos, steps: u32) -> CellPos {
    let steps = steps as i32;
    match DIR {
        0 => CellPos::new(at.x, at.y - steps),
        1 => CellPos::new(at.x + steps, at.y),
        2 => CellPos::new(at.x, at.y + steps),
        _ => CellPos::new(at.x - steps, at.y),
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
