//! The twin of searches in which turns cost: Dijkstra over every cell in every direction of arrival.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::dijkstra::UNREACHED;
use crate::rule::{Rule, Spot, step_cost};

/// The eight ways to go, clockwise from north.
const WAYS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// How many eighths of a turn lie between two ways, by going round both ways and counting.
#[must_use]
pub fn eighths(from: usize, to: usize) -> u64 {
    let clockwise = (0..8).find(|turned| (from + turned) % 8 == to % 8).unwrap_or(0);
    let other_way = (0..8).find(|turned| (to + turned) % 8 == from % 8).unwrap_or(0);
    clockwise.min(other_way) as u64
}

/// The way from one cell to a neighbour, numbered clockwise from north; `None` if it is none.
#[must_use]
pub fn way((x, y): (i32, i32), (to_x, to_y): (i32, i32)) -> Option<usize> {
    WAYS.iter().position(|&way| way == (to_x - x, to_y - y))
}

/// What turning costs: so much for each eighth, and the way the unit faces before it starts (clockwise from north), if any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turns {
    /// For each eighth of a turn.
    pub per_eighth: u64,
    /// Before the first step; without it the first step costs no turn.
    pub heading: Option<usize>,
}

/// The least cost from whichever of `starts` is best to every cell, row by row, turns included.
///
/// # Panics
/// When a start is off the grid or `cost` has the wrong length.
#[must_use]
pub fn distances_with_turns<S: Spot>(
    cost: &[u8],
    width: u32,
    height: u32,
    rule: impl Into<Rule>,
    starts: &[S],
    turns: Turns,
) -> Vec<u64> {
    let rule = rule.into();
    let mut least = vec![UNREACHED; cost.len()];
    // Whoever faces nowhere has the ninth way.
    let mut known = vec![[UNREACHED; 9]; cost.len()];
    let mut open = BinaryHeap::new();
    for start in starts {
        open.push(Reverse((0_u64, start.xy(), turns.heading.unwrap_or(8))));
    }
    while let Some(Reverse((so_far, (x, y), facing))) = open.pop() {
        assert!(x >= 0 && y >= 0 && (x as u32) < width && (y as u32) < height, "({x}, {y}) is off the grid");
        let at = y as usize * width as usize + x as usize;
        if known[at][facing] <= so_far {
            continue;
        }
        known[at][facing] = so_far;
        least[at] = least[at].min(so_far);
        for (number, (dx, dy)) in WAYS.into_iter().enumerate() {
            let to = (x + dx, y + dy);
            if let Ok(step) = step_cost(cost, (width, height), rule, (x, y), to) {
                let turn = if facing == 8 { 0 } else { eighths(facing, number) * turns.per_eighth };
                open.push(Reverse((so_far + turn + step, to, number)));
            }
        }
    }
    least
}

/// What the turns of a route cost.
///
/// # Panics
/// When two cells that follow each other are no neighbours.
#[must_use]
pub fn turns_of<S: Spot>(cells: &[S], turns: Turns) -> u64 {
    let mut facing = turns.heading;
    let mut total = 0;
    for pair in cells.windows(2) {
        let next = way(pair[0].xy(), pair[1].xy()).expect("neighbours");
        total += facing.map_or(0, |facing| eighths(facing, next) * turns.per_eighth);
        facing = Some(next);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dijkstra::distances;
    use crate::grids::every_kind;

    #[test]
    fn free_turns_change_nothing() {
        for (name, grid) in every_kind(3, 16, 14) {
            let Some(start) = grid.open_cells().next() else { continue };
            for heading in [None, Some(3)] {
                let turns = Turns { per_eighth: 0, heading };
                let found = distances_with_turns(&grid.cost, 16, 14, Rule::Forbid, &[start], turns);
                assert_eq!(found, distances(&grid.cost, 16, 14, Rule::Forbid, start), "{name}");
            }
        }
    }

    #[test]
    fn a_turn_is_paid_by_its_eighths() {
        let turns = Turns { per_eighth: 100, heading: None };
        let found = distances_with_turns(&[1; 12], 4, 3, Rule::Forbid, &[(0, 0)], turns);
        assert_eq!((found[3], found[10]), (3 * 1024, 2 * 1448));
        assert_eq!(found[11], 2 * 1448 + 1024 + 100);
        let facing_west = Turns { heading: Some(6), ..turns };
        assert_eq!(
            distances_with_turns(&[1; 12], 4, 3, Rule::Forbid, &[(0, 0)], facing_west)[3],
            3 * 1024 + 400
        );
        assert_eq!(turns_of(&[(0, 0), (1, 0), (1, 1), (0, 1)], turns), 400);
        assert_eq!(turns_of(&[(0, 0), (1, 0), (1, 1), (0, 1)], facing_west), 800);
    }
}
