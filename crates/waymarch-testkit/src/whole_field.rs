//! The slow twin of whole-map flow fields: the cost to the goal from every cell, and the first of the cheapest directions.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use waymarch::base::CellPos;

use crate::rule::{BLOCKED, Rule, Spot, step_cost};

/// Steps by direction number: north first, then clockwise.
pub const STEPS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// The cost to the goal from a cell, and the lowest of the cheapest directions; a goal cell has no direction.
pub type FieldCell = (u64, Option<u8>);

/// Cost and direction from every open cell to the nearest of `goals`, row by row; `None` if no goal is reachable.
///
/// # Panics
/// If `cost` has the wrong length.
#[must_use]
pub fn field_cells<S: Spot>(
    cost: &[u8],
    (width, height): (u32, u32),
    rule: impl Into<Rule>,
    goals: &[S],
) -> Vec<Option<FieldCell>> {
    field_cells_within(cost, (width, height), rule, goals, |_| true)
}

/// As [`field_cells`], within the cells for which `within` holds. Routes do not enter other cells. An open cell outside still counts as open
/// beside a diagonal step.
///
/// # Panics
/// If `cost` has the wrong length.
#[must_use]
pub fn field_cells_within<S: Spot>(
    cost: &[u8],
    (width, height): (u32, u32),
    rule: impl Into<Rule>,
    goals: &[S],
    within: impl Fn(CellPos) -> bool,
) -> Vec<Option<FieldCell>> {
    let rule = rule.into();
    let index = |(x, y): (i32, i32)| {
        let inside = x >= 0 && y >= 0 && (x as u32) < width && (y as u32) < height;
        let inside = inside && within(CellPos::new(x, y));
        inside.then(|| y as usize * width as usize + x as usize)
    };
    let mut left = vec![u64::MAX; cost.len()];
    let mut open = BinaryHeap::new();
    for at in goals.iter().filter_map(|goal| index(goal.xy())).filter(|&at| cost[at] != BLOCKED) {
        left[at] = 0;
        open.push(Reverse((0, at)));
    }
    let place = |at: usize| ((at % width as usize) as i32, (at / width as usize) as i32);
    while let Some(Reverse((so_far, at))) = open.pop() {
        if so_far > left[at] {
            continue;
        }
        let to = place(at);
        for (dx, dy) in STEPS {
            let from = (to.0 - dx, to.1 - dy);
            let Some(before) = index(from).filter(|&before| cost[before] != BLOCKED) else { continue };
            let Ok(step) = step_cost(cost, (width, height), rule, from, to) else { continue };
            if so_far + step < left[before] {
                left[before] = so_far + step;
                open.push(Reverse((so_far + step, before)));
            }
        }
    }
    let cell_at = |at: usize| {
        let (x, y) = place(at);
        let cheapest = (0..8).find(|&dir| {
            let (dx, dy) = STEPS[dir];
            let to = (x + dx, y + dy);
            let step = step_cost(cost, (width, height), rule, (x, y), to);
            let (Ok(step), Some(next)) = (step, index(to)) else { return false };
            left[next] != u64::MAX && left[next] + step == left[at]
        });
        match left[at] {
            u64::MAX => None,
            0 => Some((0, None)),
            left => Some((left, cheapest.map(|dir| dir as u8))),
        }
    };
    (0..cost.len()).map(cell_at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dijkstra::shortest;
    use crate::grids::every_kind;
    use crate::rule::CostGrid;
    use waymarch::base::cell;

    #[test]
    fn costs_equal_those_of_the_dijkstra_twin() {
        for (name, grid) in every_kind(4, 14, 11) {
            let goals: Vec<_> = grid.open_cells().step_by(37).collect();
            let found = field_cells(&grid.cost, (14, 11), Rule::AllowOne, &goals);
            for at in grid.open_cells() {
                let each = goals.iter().filter_map(|&goal| {
                    shortest(CostGrid { cost: &grid.cost, width: 14, height: 11 }, Rule::AllowOne, at, goal)
                        .map(|(cost, _)| cost)
                });
                assert_eq!(found[grid.index(at)].map(|(cost, _)| cost), each.min(), "{name} {at:?}");
            }
        }
    }

    #[test]
    fn of_equal_directions_the_lowest_is_chosen() {
        let found = field_cells(&[1; 9], (3, 3), Rule::Four, &[cell(1, 1)]);
        assert_eq!(found[0], Some((2048, Some(2))), "east before south");
        assert_eq!(found[8], Some((2048, Some(0))), "north before west");
        assert_eq!(found[4], Some((0, None)));
    }
}
