//! The slow twin of every search: Dijkstra over the whole grid.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use waymarch::base::CellPos;

use crate::rule::{CostGrid, Rule, Spot, step_cost};

/// The distance of an unreachable cell: `u64::MAX`.
pub const UNREACHED: u64 = u64::MAX;

/// The least cost from `start` to every cell, row by row; [`UNREACHED`] where there is no route.
///
/// # Panics
/// If `start` is off the grid or `cost` has the wrong length.
#[must_use]
pub fn distances(cost: &[u8], width: u32, height: u32, rule: impl Into<Rule>, start: impl Spot) -> Vec<u64> {
    explore(cost, (width, height), rule.into(), &[start.xy()], |_, _| true).0
}

/// As [`distances`], with only those steps that `may` allows (from a cell to a cell).
///
/// # Panics
/// If `start` is off the grid or `cost` has the wrong length.
#[must_use]
pub fn distances_by(
    cost: &[u8],
    (width, height): (u32, u32),
    rule: impl Into<Rule>,
    start: impl Spot,
    may: impl Fn(CellPos, CellPos) -> bool,
) -> Vec<u64> {
    let may = |(x, y), (to_x, to_y)| may(CellPos::new(x, y), CellPos::new(to_x, to_y));
    explore(cost, (width, height), rule.into(), &[start.xy()], may).0
}

/// The least cost from any of `starts` to every cell, row by row; [`UNREACHED`] where there is no route.
///
/// # Panics
/// If a start is off the grid or `cost` has the wrong length.
#[must_use]
pub fn distances_from_any<S: Spot>(
    cost: &[u8],
    width: u32,
    height: u32,
    rule: impl Into<Rule>,
    starts: &[S],
) -> Vec<u64> {
    let starts: Vec<(i32, i32)> = starts.iter().map(|start| start.xy()).collect();
    explore(cost, (width, height), rule.into(), &starts, |_, _| true).0
}

/// The least cost from `start` to `goal` and one route that has it, both ends included; `None` if there is no route.
///
/// # Panics
/// If a cell is off the grid or `cost` has the wrong length.
#[must_use]
pub fn shortest(
    grid: CostGrid<'_>,
    rule: impl Into<Rule>,
    start: impl Spot,
    goal: impl Spot,
) -> Option<(u64, Vec<CellPos>)> {
    let CostGrid { cost, width, height } = grid;
    let (distance, came_from) = explore(cost, (width, height), rule.into(), &[start.xy()], |_, _| true);
    let place = |at: usize| CellPos::new((at % width as usize) as i32, (at / width as usize) as i32);
    let (mut at, start) = (index(width, height, goal.xy()), index(width, height, start.xy()));
    let total = distance[at];
    if total == UNREACHED {
        return None;
    }
    let mut route = vec![place(at)];
    while at != start {
        at = came_from[at];
        route.push(place(at));
    }
    route.reverse();
    Some((total, route))
}

fn index(width: u32, height: u32, (x, y): (i32, i32)) -> usize {
    let inside = x >= 0 && y >= 0 && (x as u32) < width && (y as u32) < height;
    assert!(inside, "({x}, {y}) is not on a grid of {width}×{height}");
    y as usize * width as usize + x as usize
}

fn explore(
    cost: &[u8],
    (width, height): (u32, u32),
    rule: Rule,
    starts: &[(i32, i32)],
    may: impl Fn((i32, i32), (i32, i32)) -> bool,
) -> (Vec<u64>, Vec<usize>) {
    let mut distance = vec![UNREACHED; cost.len()];
    let mut came_from = vec![usize::MAX; cost.len()];
    let mut open = BinaryHeap::new();
    for &start in starts {
        let first = index(width, height, start);
        distance[first] = 0;
        open.push(Reverse((0_u64, first)));
    }
    while let Some(Reverse((so_far, at))) = open.pop() {
        if so_far > distance[at] {
            continue;
        }
        let (x, y) = ((at % width as usize) as i32, (at / width as usize) as i32);
        for (dx, dy) in [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)] {
            let Ok(step) = step_cost(cost, (width, height), rule, (x, y), (x + dx, y + dy)) else {
                continue;
            };
            if !may((x, y), (x + dx, y + dy)) {
                continue;
            }
            let next = index(width, height, (x + dx, y + dy));
            if so_far + step < distance[next] {
                distance[next] = so_far + step;
                came_from[next] = at;
                open.push(Reverse((so_far + step, next)));
            }
        }
    }
    (distance, came_from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grids::every_kind;
    use crate::route::check_route;

    #[test]
    fn an_open_grid_costs_the_octile_distance() {
        let cost = [1; 12];
        let found = distances(&cost, 4, 3, Rule::Forbid, (0, 0));
        assert_eq!(found[0], 0);
        assert_eq!(found[3], 3 * 1024);
        assert_eq!(found[11], 2 * 1448 + 1024);
        assert_eq!(distances(&cost, 4, 3, Rule::Four, (0, 0))[11], 5 * 1024);
    }

    #[test]
    fn corners_follow_the_rule() {
        let cost = [1, 255, 255, 1];
        assert_eq!(
            shortest(CostGrid { cost: &cost, width: 2, height: 2 }, Rule::Forbid, (0, 0), (1, 1)),
            None
        );
        assert_eq!(
            shortest(CostGrid { cost: &cost, width: 2, height: 2 }, Rule::AllowOne, (0, 0), (1, 1)),
            None
        );
        let squeezed = shortest(CostGrid { cost: &cost, width: 2, height: 2 }, Rule::Allow, (0, 0), (1, 1));
        assert_eq!(squeezed, Some((1448, vec![CellPos::new(0, 0), CellPos::new(1, 1)])));
    }

    #[test]
    fn a_route_goes_around_expensive_ground() {
        // Straight through the 9 costs 10 × 1024, around it 2 × 1448.
        let cost = [1, 9, 1, 1, 1, 1];
        let (total, route) =
            shortest(CostGrid { cost: &cost, width: 3, height: 2 }, Rule::Allow, (0, 0), (2, 0)).unwrap();
        assert_eq!((total, route.len()), (2 * 1448, 3));
    }

    #[test]
    fn distances_from_any_start_are_the_least_of_all() {
        let starts = [(0, 0), (7, 3), (3, 9)];
        for (name, grid) in every_kind(6, 12, 10) {
            let each = starts.map(|start| distances(&grid.cost, 12, 10, Rule::Forbid, start));
            let any = distances_from_any(&grid.cost, 12, 10, Rule::Forbid, &starts);
            for at in 0..any.len() {
                assert_eq!(Some(any[at]), each.iter().map(|found| found[at]).min(), "{name}");
            }
        }
    }

    #[test]
    fn a_route_of_one_cell_is_free_even_on_blocked_ground() {
        let cost = [255, 1];
        assert_eq!(
            shortest(CostGrid { cost: &cost, width: 2, height: 1 }, Rule::Forbid, (0, 0), (0, 0))
                .map(|found| found.0),
            Some(0)
        );
        assert_eq!(
            shortest(CostGrid { cost: &cost, width: 2, height: 1 }, Rule::Forbid, (0, 0), (1, 0))
                .map(|found| found.0),
            Some(1024)
        );
        assert_eq!(
            shortest(CostGrid { cost: &cost, width: 2, height: 1 }, Rule::Forbid, (1, 0), (0, 0)),
            None
        );
    }

    #[test]
    fn routes_are_legal_and_have_the_reported_cost() {
        for (name, grid) in every_kind(5, 24, 20) {
            let open: Vec<(i32, i32)> = grid.open_cells().collect();
            let (start, goal) = (open[0], open[open.len() - 1]);
            for rule in Rule::ALL {
                let all = distances(&grid.cost, 24, 20, rule, start);
                match shortest(CostGrid { cost: &grid.cost, width: 24, height: 20 }, rule, start, goal) {
                    Some((total, route)) => {
                        assert_eq!(check_route(&grid.cost, 24, 20, rule, &route), Ok(total), "{name}");
                        assert_eq!(all[grid.index(goal)], total);
                    }
                    None => assert_eq!(all[grid.index(goal)], UNREACHED),
                }
            }
        }
    }
}
