//! A coarse lattice over the map. Rivers and roads are routed on it, then drawn as smooth curves.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use waymarch::base::{CellPos, Dir8, GridSize, cell};
use waymarch::cost::step_length;

use super::noise::{hash_cell, mix};

/// Derived: a lattice of at most about 128 × 128 nodes. Each node stands for a square of cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    size: GridSize,
    /// Side of a node's square in cells: 4..=80.
    pub(super) spacing: i32,
    columns: i32,
    rows: i32,
}

impl Lattice {
    pub(super) fn new(size: GridSize) -> Self {
        let (width, height) = (size.width() as i32, size.height() as i32);
        let spacing = (width.max(height) / 112).clamp(4, 80);
        let along = |side: i32| (side / spacing).max(1);
        Self { size, spacing, columns: along(width), rows: along(height) }
    }

    pub(super) fn len(&self) -> usize {
        (self.columns * self.rows) as usize
    }

    /// The cell in the middle of a node's square.
    pub(super) fn centre(&self, node: usize) -> CellPos {
        let (column, row) = (node as i32 % self.columns, node as i32 / self.columns);
        let place = |i: i32, count: i32, side: u32| (2 * i + 1) * side as i32 / (2 * count);
        cell(place(column, self.columns, self.size.width()), place(row, self.rows, self.size.height()))
    }

    /// The node whose square contains `at`, clamped to the map.
    pub(super) fn node(&self, at: CellPos) -> usize {
        let place = |v: i32, count: i32, side: u32| (v * count / side as i32).clamp(0, count - 1);
        let column = place(at.x, self.columns, self.size.width());
        (place(at.y, self.rows, self.size.height()) * self.columns + column) as usize
    }

    /// Whether the node lies at the map's edge.
    pub(super) fn at_edge(&self, node: usize) -> bool {
        let (column, row) = (node as i32 % self.columns, node as i32 / self.columns);
        column == 0 || row == 0 || column == self.columns - 1 || row == self.rows - 1
    }

    /// Marks the nodes of the largest connected area in which `inside` holds; of equal areas, the first.
    pub(super) fn largest(&self, inside: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut body: Vec<u32> = (0..self.len()).map(|node| u32::from(!inside(node))).collect();
        let mut best = (0, 0);
        // 0: inside, not counted yet; 1: outside; areas are numbered from 2.
        for (number, first) in (2..).zip(0..self.len()) {
            let mut stack = vec![first];
            let mut count = 0;
            while let Some(node) = stack.pop() {
                if body[node] != 0 {
                    continue;
                }
                body[node] = number;
                count += 1;
                stack.extend(Dir8::STRAIGHT.into_iter().filter_map(|dir| self.beside(node, dir)));
            }
            if count > best.0 {
                best = (count, number);
            }
        }
        body.iter().map(|&number| best.0 > 0 && number == best.1).collect()
    }

    /// The neighbour of a node; `None` beyond the edge.
    pub(super) fn beside(&self, node: usize, dir: Dir8) -> Option<usize> {
        let (x, y) = (node as i32 % self.columns + dir.dx(), node as i32 / self.columns + dir.dy());
        let inside = x >= 0 && y >= 0 && x < self.columns && y < self.rows;
        inside.then_some((y * self.columns + x) as usize)
    }

    /// The cheapest route from `from` to the first node for which `is_goal` holds, both ends included.
    /// A step costs the mean of its two nodes times its length. `None` if no goal is reachable.
    pub(super) fn route(
        &self,
        costs: &[u32],
        from: usize,
        is_goal: impl Fn(usize) -> bool,
    ) -> Option<Vec<usize>> {
        let mut best = vec![u64::MAX; self.len()];
        let mut parent = vec![u32::MAX; self.len()];
        let mut open = BinaryHeap::from([Reverse((0, from))]);
        best[from] = 0;
        while let Some(Reverse((cost, node))) = open.pop() {
            if cost > best[node] {
                continue;
            }
            if is_goal(node) {
                let mut route = vec![node];
                let mut at = node;
                while parent[at] != u32::MAX {
                    at = parent[at] as usize;
                    route.push(at);
                }
                route.reverse();
                return Some(route);
            }
            for dir in Dir8::ALL {
                let Some(next) = self.beside(node, dir) else { continue };
                let mean = u64::from(costs[node]) + u64::from(costs[next]);
                let next_cost = cost + mean * u64::from(step_length(dir)) / 2;
                if next_cost < best[next] {
                    best[next] = next_cost;
                    parent[next] = node as u32;
                    open.push(Reverse((next_cost, next)));
                }
            }
        }
        None
    }
}

/// A smooth curve along `points` (Chaikin's corner cutting, four rounds), as cells that share a side with the cell before.
///
/// The first and the last point are kept; the curve passes near the others.
pub(super) fn curve(points: &[CellPos]) -> Vec<CellPos> {
    // In 1/16 cell.
    let mut fine: Vec<(i32, i32)> = points.iter().map(|at| (at.x * 16 + 8, at.y * 16 + 8)).collect();
    for _ in 0..4 {
        if fine.len() < 3 {
            break;
        }
        let mut cut = Vec::with_capacity(fine.len() * 2);
        cut.push(fine[0]);
        for pair in fine.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            cut.push(((3 * a.0 + b.0) / 4, (3 * a.1 + b.1) / 4));
            cut.push(((a.0 + 3 * b.0) / 4, (a.1 + 3 * b.1) / 4));
        }
        cut.extend(fine.last());
        fine = cut;
    }
    let mut cells: Vec<CellPos> = Vec::new();
    for (x, y) in fine {
        let to = cell(x.div_euclid(16), y.div_euclid(16));
        match cells.last() {
            None => cells.push(to),
            Some(&from) => walk(from, to, &mut cells),
        }
    }
    cells
}

/// Appends the cells from `from` (excluded) to `to`: straight steps that stay close to the line.
fn walk(from: CellPos, to: CellPos, cells: &mut Vec<CellPos>) {
    let (dx, dy) = ((to.x - from.x).abs(), (to.y - from.y).abs());
    let (mut done_x, mut done_y) = (0, 0);
    let mut at = from;
    while at != to {
        // Step along the axis that is behind. Sides are under 2^13, so the products do not overflow.
        if done_y == dy || (done_x < dx && (2 * done_x + 1) * dy <= (2 * done_y + 1) * dx) {
            done_x += 1;
            at.x += (to.x - from.x).signum();
        } else {
            done_y += 1;
            at.y += (to.y - from.y).signum();
        }
        cells.push(at);
    }
}

/// Thins a lattice route to about every other point, with both ends kept, so that its curve bends gently.
/// Inner points are moved aside by up to `aside` cells. A hash of a point's position decides whether it is kept and where it goes, so
/// routes that run together stay together.
pub(super) fn thinned(lattice: &Lattice, route: &[usize], seed: u64, aside: i32) -> Vec<CellPos> {
    let mut points = Vec::with_capacity(route.len() / 2 + 2);
    let mut dropped = 0;
    for (i, &node) in route.iter().enumerate() {
        let at = lattice.centre(node);
        let hash = hash_cell(mix(seed ^ 0x3ea9), at.x, at.y);
        if i == 0 || i + 1 == route.len() {
            points.push(at);
        } else if dropped == 2 || hash >> 63 == 1 {
            let move_by = |bits: u64| (bits % (2 * aside as u64 + 1)) as i32 - aside;
            points.push(at.offset(move_by(hash & 0xffff), move_by(hash >> 16 & 0xffff)));
            dropped = 0;
        } else {
            dropped += 1;
        }
    }
    points
}
