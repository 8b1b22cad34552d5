//! The search over the explicit graph.

use super::JumpGraph;
use super::cells::NO_CELL;
use super::fill::DIAGONALS;
use super::jumps::{Jump, each_jump};
use crate::base::{CellPos, Dir8, RowColBits};
use crate::cost::{CostField, Neighbours};
use crate::query::{Cost, PathQuery};
use crate::search::buckets::Buckets;
use crate::search::jps::turns::{FROM_START, TURNS, around};
use crate::search::octile::octile;
use crate::search::route::Route;
use crate::search::scratch::{NO_PARENT, Node, SearchScratch};

/// Finds the shortest route over the open cells of `field`, whose costs must all be the same, without cutting corners.
/// Whether there is one.
pub(super) fn search(
    field: &CostField,
    graph: &JumpGraph,
    query: &PathQuery,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> bool {
    scratch.begin(graph.cells.numbers_end());
    scratch.buckets.begin(octile(query.from, query.to, Neighbours::Eight));
    let SearchScratch { nodes, buckets, search: number, .. } = scratch;
    let mut search = Search {
        closed: field.closed_bits(),
        graph,
        goal: query.to,
        best: u64::MAX,
        before_goal: NO_PARENT,
        number: *number,
        nodes,
        buckets,
    };
    search.run(query.from, &mut out.expanded);
    if search.best == u64::MAX {
        return false;
    }
    out.cost = Cost(search.best * u64::from(field.cheapest()));
    search.trace_back(query, out);
    true
}

/// Nodes are jump cells by number; a node without a parent was reached from the start, which need not be one.
struct Search<'a> {
    closed: &'a RowColBits,
    graph: &'a JumpGraph,
    goal: CellPos,
    /// The shortest way to the goal so far, and the node before it.
    best: u64,
    before_goal: u32,
    /// The number of this search, as nodes are marked with it.
    number: u32,
    nodes: &'a mut [Node],
    buckets: &'a mut Buckets,
}

/// The flags of a node: directions it was reached by and not yet left (bits 0 to 3), and already left (bits 4 to 7).
const PENDING: u32 = 0xf;

impl Search<'_> {
    fn run(&mut self, start: CellPos, expanded: &mut u32) {
        *expanded += 1;
        self.leave_start(start);
        let graph = self.graph;
        while let Some(item) = self.buckets.pop_below(self.best) {
            let node = &mut self.nodes[item as usize];
            let mut pending = node.mark & PENDING;
            if pending == 0 {
                continue;
            }
            node.mark = node.mark & !PENDING | pending << 4;
            let so_far = node.cost;
            let record = graph.cells.record(item);
            let at = record.at();
            let whole = so_far + octile(at, self.goal, Neighbours::Eight);
            if whole >= self.best {
                continue;
            }
            *expanded += 1;
            if self.sees_goal(at, |quarter| u32::from(record.clear[quarter])) {
                self.best = whole;
                self.before_goal = item;
                continue;
            }
            while pending != 0 {
                let by = pending.trailing_zeros() as usize;
                pending &= pending - 1;
                for edge in graph.cells.list(record, by) {
                    self.reach(item, edge.to, so_far + u64::from(edge.cost));
                }
            }
        }
    }

    /// The start may be left in every legal direction, and is no node of the graph but by chance.
    fn leave_start(&mut self, start: CellPos) {
        if start == self.goal {
            self.best = 0;
            return;
        }
        let graph = self.graph;
        let number = graph.cells.number(start);
        if number != NO_CELL {
            self.nodes[number as usize] = Node { cost: 0, parent: NO_PARENT, mark: self.number | 0xf0 };
        }
        let dirs = TURNS[FROM_START][around(self.closed, start)];
        let mut clear = [0; 4];
        for dir in Dir8::STRAIGHT.into_iter().chain(DIAGONALS) {
            if dirs >> dir.index() & 1 == 0 {
                continue;
            }
            let steps = each_jump(&graph.planes, start, dir, |Jump { to, by, cost }| {
                self.reach(NO_PARENT, graph.cells.number(to) << 2 | u32::from(by), u64::from(cost));
            });
            if dir.is_diagonal() {
                clear[usize::from(dir.index() / 2)] = steps;
            }
        }
        if self.sees_goal(start, |quarter| clear[quarter]) {
            self.best = octile(start, self.goal, Neighbours::Eight);
        }
    }

    /// Whether the goal can be reached from `at` as on an empty map: diagonally, then straight. `clear` tells how many steps
    /// are legal along a diagonal.
    #[inline]
    fn sees_goal(&self, at: CellPos, clear: impl Fn(usize) -> u32) -> bool {
        let (dx, dy) = (self.goal.x - at.x, self.goal.y - at.y);
        let (across, down) = (dx.unsigned_abs(), dy.unsigned_abs());
        let turn = across.min(down);
        if turn > 0 {
            // North-east, south-east, south-west, north-west.
            let quarter = if dx > 0 { usize::from(dy > 0) } else { 3 - usize::from(dy > 0) };
            if turn > clear(quarter) {
                return false;
            }
        }
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

    /// A jump point (number times four, plus direction) was reached from node `parent`.
    #[inline(always)]
    fn reach(&mut self, parent: u32, to: u32, cost: u64) {
        let (number, bit) = (to >> 2, 1 << (to & 3));
        let there = &mut self.nodes[number as usize];
        if there.mark & !0xff == self.number && there.cost <= cost {
            // An equally short way from another side adds the directions that side opens.
            if there.cost == cost && there.mark & (bit | bit << 4) == 0 {
                let queued = there.mark & PENDING != 0;
                there.mark |= bit;
                if !queued {
                    let at = self.graph.cells.record(number).at();
                    self.buckets.push(cost + octile(at, self.goal, Neighbours::Eight), number);
                }
            }
            return;
        }
        let at = self.graph.cells.record(number).at();
        let estimate = cost + octile(at, self.goal, Neighbours::Eight);
        if estimate >= self.best {
            return;
        }
        *there = Node { cost, parent, mark: self.number | bit };
        self.buckets.push(estimate, number);
    }

    /// Writes the waypoints: between two nodes the way is diagonal first, then straight.
    fn trace_back(&self, query: &PathQuery, out: &mut Route) {
        let (mut at, mut parent) = (query.to, self.before_goal);
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
                parent = self.nodes[parent as usize].parent;
            }
        }
        out.waypoints.reverse();
    }
}
