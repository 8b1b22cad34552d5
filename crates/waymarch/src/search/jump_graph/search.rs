//! The search over the explicit graph.

use alloc::vec::Vec;

use super::JumpGraph;
use super::cells::NO_CELL;
use super::fill::DIAGONALS;
use super::jumps::{Jump, each_jump};
use super::pool::Edge;
use crate::base::{CellPos, Dir8, RowColBits};
use crate::cost::{CostField, Neighbours};
use crate::query::{Cost, PathQuery};
use crate::search::buckets::Buckets;
use crate::search::jps::turns::{FROM_START, TURNS, around};
use crate::search::octile::octile;
use crate::search::probe::{Probe, Reach, Scaled, Visit};
use crate::search::route::Route;
use crate::search::run::SearchRun;
use crate::search::scratch::{NO_PARENT, Node, NodeFields, SearchScratch};

/// Finds the shortest route over the open cells of `field`, whose costs must all be the same, without cutting corners. Returns whether there
/// is one.
pub(super) fn search(
    field: &CostField,
    graph: &JumpGraph,
    query: &PathQuery,
    run: SearchRun<'_, impl Probe>,
) -> bool {
    let SearchRun { scratch, out, probe } = run;
    scratch.begin(graph.cells.numbers_end());
    scratch.buckets.begin(octile(query.from, query.to, Neighbours::Eight));
    let (goal, start, number) = (query.to, query.from, scratch.search);
    let search = Search { graph, closed: field.closed_bits(), goal, start, number };
    probe.begin(query.from, query.to);
    let probe = &mut Scaled { probe, by: field.cheapest() };
    let SearchScratch { nodes, buckets, passed, .. } = scratch;
    passed.clear();
    let end = if graph.passes_chains() {
        search.run::<_, BRANCHES>(nodes, Open { buckets, passed, probe })
    } else {
        search.run::<_, EVERY_NODE>(nodes, Open { buckets, passed, probe })
    };
    out.expanded = end.expanded;
    if end.best == u64::MAX {
        return false;
    }
    out.cost = Cost(end.best * u64::from(field.cheapest()));
    search.trace_back(query, end.before_goal, nodes, out);
    true
}

/// The data of a search that do not change.
///
/// Nodes are the numbers of jump cells. A node without a parent was reached from the start, which need not be a jump cell.
#[derive(Clone, Copy)]
struct Search<'a> {
    graph: &'a JumpGraph,
    closed: &'a RowColBits,
    goal: CellPos,
    start: CellPos,
    /// The number of this search in the marks of nodes.
    number: u32,
}

/// How a search ended.
struct End {
    /// The length of the shortest route, and the node before the goal on it.
    best: u64,
    before_goal: u32,
    expanded: u32,
}

/// Bits 0 to 3 of a node's flags: directions by which it was reached, still to be expanded. Bits 4 to 7: expanded
/// directions.
const PENDING: u32 = 0xf;

/// The value of `WAITS` with which every node waits in the open list: 0 successors.
const EVERY_NODE: u32 = 0;

/// The value of `WAITS` with which only nodes with at least 2 successors wait in the open list. Others are expanded next.
const BRANCHES: u32 = 2;

/// The open list, and nodes that are passed through.
///
/// Nodes that are passed through are not ordered by their estimates. Otherwise they are treated like all others: a node is expanded again if
/// a shorter route to it is found. This changes the order of expansion, but no cost.
struct Open<'a, P> {
    buckets: &'a mut Buckets,
    /// Nodes to be passed through, the latest first.
    passed: &'a mut Vec<u32>,
    probe: &'a mut P,
}

impl<P: Probe> Open<'_, P> {
    /// The next node; `None` if no node left can lead to a route shorter than `best`.
    #[inline(always)]
    fn next<const WAITS: u32>(&mut self, best: u64) -> Option<u32> {
        if WAITS != EVERY_NODE {
            if let Some(item) = self.passed.pop() {
                return Some(item);
            }
        }
        self.buckets.pop_below(best)
    }
}

impl Search<'_> {
    /// A node as a probe sees it; `parent` is the number in the node.
    #[inline(always)]
    fn visit(self, at: CellPos, parent: u32, cost: u64) -> Visit {
        let parent = if parent == NO_PARENT { self.start } else { self.graph.cells.record(parent).at() };
        let ahead = octile(at, self.goal, Neighbours::Eight);
        Visit::jumped(Some(parent), at, Neighbours::Eight, cost, ahead)
    }

    /// Expands nodes until no shorter route can be found. Nodes with at least `WAITS` successors wait in the open list.
    fn run<P: Probe, const WAITS: u32>(self, nodes: &mut [Node], mut open: Open<'_, P>) -> End {
        let cells = &self.graph.cells;
        let mut end = End { best: u64::MAX, before_goal: NO_PARENT, expanded: 1 };
        if P::WATCHES {
            let ahead = octile(self.start, self.goal, Neighbours::Eight);
            open.probe.expand(Visit::jumped(None, self.start, Neighbours::Eight, 0, ahead));
        }
        if self.leave_start::<_, WAITS>(nodes, &mut open) {
            end.best = octile(self.start, self.goal, Neighbours::Eight);
            if P::WATCHES && self.start != self.goal {
                open.probe.reach(self.visit(self.goal, NO_PARENT, end.best), Reach::First);
            }
            return end;
        }
        while let Some(item) = open.next::<WAITS>(end.best) {
            let node = &mut nodes[item as usize];
            let mut pending = node.mark() & PENDING;
            if pending == 0 {
                continue;
            }
            *node.mark_mut() = node.mark() & !PENDING | pending << 4;
            let so_far = node.cost();
            let record = cells.record(item);
            end.expanded += 1;
            if P::WATCHES {
                open.probe.expand(self.visit(record.at(), node.parent(), so_far));
            }
            if self.sees_goal(record.at(), |quarter| u32::from(record.clear[quarter])) {
                let whole = so_far + octile(record.at(), self.goal, Neighbours::Eight);
                if whole < end.best {
                    if P::WATCHES {
                        let how = if end.best == u64::MAX { Reach::First } else { Reach::Cheaper };
                        open.probe.reach(self.visit(self.goal, item, whole), how);
                    }
                    end.best = whole;
                    end.before_goal = item;
                }
                continue;
            }
            while pending != 0 {
                let list = cells.list(record, pending.trailing_zeros() as usize);
                pending &= pending - 1;
                let from = (so_far, item, self.number);
                self.follow::<_, WAITS>(list, from, end.best, nodes, &mut open);
            }
        }
        end
    }

    /// Reaches the successors of a node. `from` has the cost of the node, and the node itself as the parent.
    #[inline(always)]
    fn follow<P: Probe, const WAITS: u32>(
        self,
        list: &[Edge],
        from: Node,
        best: u64,
        nodes: &mut [Node],
        open: &mut Open<'_, P>,
    ) {
        for edge in list {
            let there = &mut nodes[(edge.to >> 2) as usize];
            let cost = from.cost() + u64::from(edge.cost);
            // For most successors a shorter route is known.
            if there.mark() & !0xff != from.mark() || there.cost() >= cost {
                self.reach::<_, WAITS>(there, open, best, edge.to, (cost, from.parent(), from.mark()));
            }
        }
    }

    /// Expands the start in every legal direction; it need not be a node of the graph. Returns whether the start sees the goal, which ends the
    /// search.
    #[inline(never)]
    fn leave_start<P: Probe, const WAITS: u32>(self, nodes: &mut [Node], open: &mut Open<'_, P>) -> bool {
        let start = self.start;
        if start == self.goal {
            return true;
        }
        let JumpGraph { cells, planes, .. } = self.graph;
        let number = cells.number(start);
        if number != NO_CELL {
            nodes[number as usize] = (0, NO_PARENT, self.number | 0xf0);
        }
        let dirs = TURNS[FROM_START][around(self.closed, start)];
        let mut clear = [0; 4];
        for dir in Dir8::STRAIGHT.into_iter().chain(DIAGONALS) {
            if dirs >> dir.index() & 1 == 0 {
                continue;
            }
            let steps = each_jump(planes, start, dir, |Jump { to, by, cost }| {
                let to = cells.number(to) << 2 | u32::from(by);
                let (there, cost) = (&mut nodes[(to >> 2) as usize], u64::from(cost));
                if there.mark() & !0xff != self.number || there.cost() >= cost {
                    let arrival = (cost, NO_PARENT, self.number);
                    self.reach::<_, WAITS>(there, open, u64::MAX, to, arrival);
                }
            });
            if dir.is_diagonal() {
                clear[usize::from(dir.index() / 2)] = steps;
            }
        }
        self.sees_goal(start, |quarter| clear[quarter])
    }

    /// Whether the route from `at` to the goal that goes diagonally, then straight, is open. `clear` returns the number of legal steps along a
    /// diagonal.
    #[inline(always)]
    fn sees_goal(self, at: CellPos, clear: impl Fn(usize) -> u32) -> bool {
        let (dx, dy) = (self.goal.x - at.x, self.goal.y - at.y);
        let turn = dx.unsigned_abs().min(dy.unsigned_abs());
        // North-east, south-east, south-west, north-west.
        let quarter = if dx > 0 { usize::from(dy > 0) } else { 3 - usize::from(dy > 0) };
        // The cheap test comes first: it fails for most nodes.
        turn <= clear(quarter) && self.straight_beyond(at, dx, dy)
    }

    /// Whether the straight part of the route to the goal, which is (`dx`, `dy`) away, is open.
    fn straight_beyond(self, at: CellPos, dx: i32, dy: i32) -> bool {
        let (across, down) = (dx.unsigned_abs(), dy.unsigned_abs());
        let turn = across.min(down);
        let corner = at.offset(dx.signum() * turn as i32, dy.signum() * turn as i32);
        let (x, y) = (corner.x as u32, corner.y as u32);
        if across > down {
            let row = self.closed.rows();
            if dx > 0 {
                row.next_set(y, x) > self.goal.x as u32
            } else {
                row.previous_set(y, corner.x) < self.goal.x
            }
        } else {
            let column = self.closed.columns();
            if dy > 0 {
                column.next_set(x, y) > self.goal.y as u32
            } else {
                column.previous_set(x, corner.y) < self.goal.y
            }
        }
    }

    /// Reaches the jump point `to`, given as number times four plus direction. `arrival` has the cost and the parent.
    /// No shorter route to it is known.
    #[inline(always)]
    fn reach<P: Probe, const WAITS: u32>(
        self,
        there: &mut Node,
        open: &mut Open<'_, P>,
        best: u64,
        to: u32,
        arrival: Node,
    ) {
        let (number, bit) = (to >> 2, 1 << (to & 3));
        let record = self.graph.cells.record(number);
        let estimate = arrival.cost() + octile(record.at(), self.goal, Neighbours::Eight);
        let queue = |open: &mut Open<'_, P>| {
            if WAITS == EVERY_NODE || record.successors((to & 3) as usize) >= WAITS {
                open.buckets.push(estimate, number);
            } else {
                open.passed.push(number);
            }
        };
        if there.mark() & !0xff == arrival.mark() && there.cost() == arrival.cost() {
            // An equally short route from another side adds the directions that this side opens.
            if there.mark() & (bit | bit << 4) == 0 {
                self.tell(number, arrival, Reach::OtherSide, open.probe);
                let queued = there.mark() & PENDING != 0;
                *there.mark_mut() |= bit;
                if !queued {
                    queue(open);
                }
            }
        } else if estimate < best {
            let known = there.mark() & !0xff == arrival.mark();
            self.tell(number, arrival, if known { Reach::Cheaper } else { Reach::First }, open.probe);
            *there = (arrival.cost(), arrival.parent(), arrival.mark() | bit);
            queue(open);
        }
    }

    /// Reports a jump point to the probe. The goal is reported where it is seen, so it is left out here.
    #[inline(always)]
    fn tell<P: Probe>(self, number: u32, arrival: Node, how: Reach, probe: &mut P) {
        if P::WATCHES {
            let node = self.visit(self.graph.cells.record(number).at(), arrival.parent(), arrival.cost());
            if node.ahead > 0 {
                probe.reach(node, how);
            }
        }
    }

    /// Writes the waypoints. Between two nodes the route goes diagonally first, then straight.
    fn trace_back(self, query: &PathQuery, before_goal: u32, nodes: &[Node], out: &mut Route) {
        let (mut at, mut parent) = (query.to, before_goal);
        out.extend_to(at);
        while at != query.from {
            let from = if parent == NO_PARENT { query.from } else { self.graph.cells.record(parent).at() };
            let (dx, dy) = (at.x - from.x, at.y - from.y);
            let diagonal = dx.abs().min(dy.abs());
            let turn = from.offset(dx.signum() * diagonal, dy.signum() * diagonal);
            if turn != at && turn != from {
                out.extend_to(turn);
            }
            out.extend_to(from);
            at = from;
            if parent != NO_PARENT {
                parent = nodes[parent as usize].parent();
            }
        }
        out.waypoints.reverse();
    }
}
