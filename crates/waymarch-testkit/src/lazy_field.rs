//! The slow twin of lazy fields: a plain Dijkstra from the goal for every field, on a world where some cells differ from the rest.
//!
//! [`FaultyLazyField`] is a simpler algorithm with known faults, for tests that show them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};

use crate::rule::{BLOCKED, DIAGONAL, Rule, STRAIGHT, Spot};

/// Steps by direction number: north, then clockwise.
pub const STEPS: [(i64, i64); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

type Cell = (i64, i64);

/// The expected answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The direction's number.
    Go(u8),
    /// The start is the goal.
    Arrived,
    /// There is no route, and exploring within the limits proves it.
    Unreachable,
    /// Neither a route nor a proof was found within the limits.
    Unknown,
}

/// The world and the exploration limits.
#[derive(Clone, Debug)]
pub struct Twin {
    cells: BTreeMap<Cell, u8>,
    rest: u8,
    rule: Rule,
    explore_limit: usize,
    pocket_limit: usize,
}

/// Everything that a field can learn within the limits.
#[derive(Clone, Debug)]
pub struct TwinField {
    goal: Cell,
    /// The cost from each cell to the goal.
    pub cost: BTreeMap<Cell, u64>,
    exhausted: bool,
}

impl Twin {
    /// A world in which all cells cost `rest`. With [`Rule::Four`] all open cells have the same cost.
    #[must_use]
    pub fn new(rest: u8, rule: Rule, explore_limit: usize, pocket_limit: usize) -> Self {
        Self { cells: BTreeMap::new(), rest, rule, explore_limit, pocket_limit }
    }

    /// Sets the cost of a cell.
    pub fn set(&mut self, at: impl Spot, cost: u8) {
        self.cells.insert(wide(at), cost);
    }

    fn cost(&self, at: Cell) -> u8 {
        let range = i64::from(i32::MIN)..=i64::from(i32::MAX);
        if !range.contains(&at.0) || !range.contains(&at.1) {
            return BLOCKED;
        }
        *self.cells.get(&at).unwrap_or(&self.rest)
    }

    fn open(&self, at: Cell) -> bool {
        self.cost(at) != BLOCKED
    }

    /// The cost of a step from an open cell; `None` if it is not legal.
    fn step(&self, (x, y): Cell, dir: usize) -> Option<u64> {
        let (dx, dy) = STEPS[dir];
        let weight = u64::from(if self.rule == Rule::Four { 1 } else { self.cost((x + dx, y + dy)) });
        if !self.open((x + dx, y + dy)) {
            return None;
        }
        if dx == 0 || dy == 0 {
            return Some(STRAIGHT * weight);
        }
        let beside = self.open((x + dx, y)) && self.open((x, y + dy));
        (self.rule != Rule::Four && beside).then_some(DIAGONAL * weight)
    }

    /// Everything that a field to `goal` may explore.
    #[must_use]
    pub fn field(&self, goal: impl Spot) -> TwinField {
        let goal = wide(goal);
        let mut cost: BTreeMap<Cell, u64> = BTreeMap::new();
        let mut open = BinaryHeap::new();
        if self.open(goal) {
            open.push(Reverse((0, goal)));
        }
        let mut level = 0;
        while let Some(Reverse((so_far, at))) = open.pop() {
            if cost.contains_key(&at) {
                continue;
            }
            if so_far / STRAIGHT > level && cost.len() >= self.explore_limit {
                return TwinField { goal, cost, exhausted: false };
            }
            level = so_far / STRAIGHT;
            cost.insert(at, so_far);
            for (dir, (dx, dy)) in STEPS.iter().enumerate() {
                // The neighbour's step to this cell is the opposite direction.
                let from = (at.0 + dx, at.1 + dy);
                if let (true, Some(step)) = (self.open(from), self.step(from, (dir + 4) % 8)) {
                    open.push(Reverse((so_far + step, from)));
                }
            }
        }
        TwinField { goal, cost, exhausted: true }
    }

    /// The answer for `start`, from its goal's field.
    #[must_use]
    pub fn answer(&self, field: &TwinField, start: impl Spot) -> Answer {
        let start = wide(start);
        if start == field.goal {
            return Answer::Arrived;
        }
        if let Some(&total) = field.cost.get(&start) {
            let best = (0..8).find(|&dir| {
                let to = (start.0 + STEPS[dir].0, start.1 + STEPS[dir].1);
                let whole = self.step(start, dir).zip(field.cost.get(&to)).map(|(step, rest)| step + rest);
                whole == Some(total)
            });
            return Answer::Go(best.expect("some neighbour leads to this cost") as u8);
        }
        if field.exhausted || !self.open(start) || self.is_pocket(start, field.goal) {
            return Answer::Unreachable;
        }
        Answer::Unknown
    }

    fn is_pocket(&self, start: Cell, goal: Cell) -> bool {
        let (mut seen, mut queue) = (BTreeSet::from([start]), VecDeque::from([start]));
        while let Some((x, y)) = queue.pop_front() {
            for to in [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)] {
                if self.open(to) && seen.insert(to) {
                    queue.push_back(to);
                }
            }
            if seen.len() > self.pocket_limit {
                return false;
            }
        }
        !seen.contains(&goal)
    }
}

fn wide(at: impl Spot) -> Cell {
    let (x, y) = at.xy();
    (i64::from(x), i64::from(y))
}

/// A lazy field with three faults. Cells from the stored frontier get no direction. Resuming mixes distances. A cell inside the boundary
/// without a direction is reported as unreachable.
#[derive(Clone, Debug)]
pub struct FaultyLazyField {
    walls: BTreeSet<Cell>,
    goal: Cell,
    flow: BTreeMap<Cell, u8>,
    stored: VecDeque<Cell>,
    radius: i64,
    buffer: i64,
}

impl FaultyLazyField {
    /// A field to `goal` that explores `buffer` cells beyond the start of a query.
    #[must_use]
    pub fn new(walls: impl IntoIterator<Item = (i32, i32)>, goal: (i32, i32), buffer: i64) -> Self {
        let goal = wide(goal);
        let (flow, stored) = (BTreeMap::new(), VecDeque::from([goal]));
        Self { walls: walls.into_iter().map(wide).collect(), goal, flow, stored, radius: 0, buffer }
    }

    /// The number of the direction from `start`, or `None` for unreachable.
    pub fn get_direction(&mut self, start: (i32, i32)) -> Option<u8> {
        let start = wide(start);
        let far = |at: Cell| (at.0 - self.goal.0).abs() + (at.1 - self.goal.1).abs();
        if far(start) > self.radius {
            self.radius = far(start) + self.buffer;
            let mut working = std::mem::take(&mut self.stored);
            while let Some(at) = working.pop_front() {
                if self.walls.contains(&at) {
                    continue;
                }
                for dir in [0, 4, 6, 2] {
                    let to = (at.0 + STEPS[dir].0, at.1 + STEPS[dir].1);
                    if self.walls.contains(&to) || self.flow.contains_key(&to) || to == self.goal {
                        continue;
                    }
                    if far(to) <= self.radius {
                        self.flow.insert(to, (dir as u8 + 4) % 8);
                        working.push_back(to);
                    } else {
                        self.stored.push_back(to);
                    }
                }
            }
        }
        self.flow.get(&start).copied()
    }
}
