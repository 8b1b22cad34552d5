//! The twin of searches with turn costs: Dijkstra over every cell and every direction of arrival.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::dijkstra::UNREACHED;
use crate::rule::{CostGrid, Rule, Spot, step_cost};

/// The eight directions, clockwise from north.
const DIRECTIONS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// The number of eighths of a turn between two directions, by counting in both directions.
#[must_use]
pub fn eighths(from: usize, to: usize) -> u64 {
    let clockwise = (0..8).find(|turned| (from + turned) % 8 == to % 8).unwrap_or(0);
    let anticlockwise = (0..8).find(|turned| (to + turned) % 8 == from % 8).unwrap_or(0);
    clockwise.min(anticlockwise) as u64
}

/// The direction from a cell to a neighbour, numbered clockwise from north; `None` if they are not neighbours.
#[must_use]
pub fn direction((x, y): (i32, i32), (to_x, to_y): (i32, i32)) -> Option<usize> {
    DIRECTIONS.iter().position(|&step| step == (to_x - x, to_y - y))
}

/// What turning costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turns {
    /// The cost of each eighth of a turn.
    pub per_eighth: u64,
    /// The direction before the first step, clockwise from north; with `None` the first step costs no turn.
    pub heading: Option<usize>,
}

/// The least cost from any of `starts` to every cell, row by row, including turns.
///
/// # Panics
/// If a start is off the grid or `cost` has the wrong length.
#[must_use]
pub fn distances_with_turns<S: Spot>(
    grid: CostGrid<'_>,
    rule: impl Into<Rule>,
    starts: &[S],
    turns: Turns,
) -> Vec<u64> {
    let CostGrid { cost, width, height } = grid;
    let rule = rule.into();
    let mut least = vec![UNREACHED; cost.len()];
    // A unit without a direction has direction number 8.
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
        for (number, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
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
/// If two consecutive cells are not neighbours.
#[must_use]
pub fn turns_of<S: Spot>(cells: &[S], turns: Turns) -> u64 {
    let mut facing = turns.heading;
    let mut total = 0;
    for pair in cells.windows(2) {
        let next = direction(pair[0].xy(), pair[1].xy()).expect("neighbours");
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
                let found = distances_with_turns(
                    CostGrid { cost: &grid.cost, width: 16, height: 14 },
                    Rule::Forbid,
                    &[start],
                    turns,
                );
                assert_eq!(found, distances(&grid.cost, 16, 14, Rule::Forbid, start), "{name}");
            }
        }
    }

    #[test]
    fn a_turn_is_paid_by_its_eighths() {
        let turns = Turns { per_eighth: 100, heading: None };
        let found = distances_with_turns(
            CostGrid { cost: &[1; 12], width: 4, height: 3 },
            Rule::Forbid,
            &[(0, 0)],
            turns,
        );
        assert_eq!((found[3], found[10]), (3 * 1024, 2 * 1448));
        assert_eq!(found[11], 2 * 1448 + 1024 + 100);
        let facing_west = Turns { heading: Some(6), ..turns };
        assert_eq!(
            distances_with_turns(
                CostGrid { cost: &[1; 12], width: 4, height: 3 },
                Rule::Forbid,
                &[(0, 0)],
                facing_west
            )[3],
            3 * 1024 + 400
        );
        assert_eq!(turns_of(&[(0, 0), (1, 0), (1, 1), (0, 1)], turns), 400);
        assert_eq!(turns_of(&[(0, 0), (1, 0), (1, 1), (0, 1)], facing_west), 800);
    }
}
