//! The order in which a best-first search expands cells, with a plain list as open list.

use crate::rule::{Rule, Spot, step_cost};

/// Cells in the order in which a best-first search expands them, with their costs, until all reachable cells are expanded.
///
/// The next cell has the least sum of cost and heuristic, then the least heuristic, then the first place in reading order.
/// With a consistent heuristic each cell is expanded once, at its least cost.
///
/// # Panics
/// If a start is off the grid or `cost` has the wrong length.
pub fn expansion_order<S: Spot>(
    cost: &[u8],
    (width, height): (u32, u32),
    rule: impl Into<Rule>,
    starts: &[S],
    estimate: impl Fn((i32, i32)) -> u64,
) -> Vec<((i32, i32), u64)> {
    let rule = rule.into();
    let mut open: Vec<((i32, i32), u64)> = starts.iter().map(|start| (start.xy(), 0)).collect();
    let mut taken: Vec<((i32, i32), u64)> = Vec::new();
    loop {
        open.retain(|&(at, _)| taken.iter().all(|&(other, _)| other != at));
        let order = |&&((x, y), so_far): &&((i32, i32), u64)| {
            let ahead = estimate((x, y));
            (so_far + ahead, ahead, y, x)
        };
        let Some(&(at, so_far)) = open.iter().min_by_key(order) else { return taken };
        taken.push((at, so_far));
        for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
            let to = (at.0 + dx, at.1 + dy);
            if let Ok(step) = step_cost(cost, (width, height), rule, at, to) {
                open.push((to, so_far + step));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dijkstra::{UNREACHED, distances};
    use crate::grids::Grid;

    #[test]
    fn without_a_heuristic_it_is_dijkstra() {
        let grid = Grid::scatter(4, 11, 9, 250);
        let start = grid.open_cells().next().unwrap();
        let truth = distances(&grid.cost, 11, 9, Rule::Forbid, start);
        let taken = expansion_order(&grid.cost, (11, 9), Rule::Forbid, &[start], |_| 0);
        assert_eq!(taken.len(), truth.iter().filter(|&&cost| cost != UNREACHED).count());
        assert!(taken.iter().all(|&(at, cost)| truth[grid.index(at)] == cost));
        assert!(taken.windows(2).all(|pair| pair[0].1 <= pair[1].1));
    }
}
