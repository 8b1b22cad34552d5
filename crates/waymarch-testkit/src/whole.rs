//! The slow twin of whole-map fields: what is left to pay from every cell, and the first way among the cheapest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use waymarch::base::CellPos;

use crate::rule::{BLOCKED, Rule, Spot, step_cost};

/// Steps by direction number: north first, clockwise.
pub const STEPS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// What is left to pay from a cell, and the lowest direction that costs no more; no direction in the goal.
pub type Way = (u64, Option<u8>);

/// The cheapest way from every open cell into the nearest of `goals`, row by row; `None` where there is none.
///
/// # Panics
/// When `cost` has the wrong length.
#[must_use]
pub fn ways<S: Spot>(
    cost: &[u8],
    (width, height): (u32, u32),
    rule: impl Into<Rule>,
    goals: &[S],
) -> Vec<Option<Way>> {
    ways_within(cost, (width, height), rule, goals, |_| true)
}

/// The same over those cells only that are `within`; others are not entered, yet may lie open beside a corner.
///
/// # Panics
/// When `cost` has the wrong length.
#[must_use]
pub fn ways_within<S: Spot>(
    cost: &[u8],
    (width, height): (u32, u32),
    rule: impl Into<Rule>,
    goals: &[S],
    within: impl Fn(CellPos) -> bool,
) -> Vec<Option<Way>> {
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
    let way = |at: usize| {
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
    (0..cost.len()).map(way).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dijkstra::shortest;
    use crate::grids::every_kind;
    use waymarch::base::cell;

    #[test]
    fn what_is_left_is_what_the_other_twin_finds() {
        for (name, grid) in every_kind(4, 14, 11) {
            let goals: Vec<_> = grid.open_cells().step_by(37).collect();
            let found = ways(&grid.cost, (14, 11), Rule::AllowOne, &goals);
            for at in grid.open_cells() {
                let each = goals.iter().filter_map(|&goal| {
                    shortest(&grid.cost, 14, 11, Rule::AllowOne, at, goal).map(|(cost, _)| cost)
                });
                assert_eq!(found[grid.index(at)].map(|way| way.0), each.min(), "{name} {at:?}");
            }
        }
    }

    #[test]
    fn of_equal_ways_the_lowest_direction_is_taken() {
        let found = ways(&[1; 9], (3, 3), Rule::Four, &[cell(1, 1)]);
        assert_eq!(found[0], Some((2048, Some(2))), "east before south");
        assert_eq!(found[8], Some((2048, Some(0))), "north before west");
        assert_eq!(found[4], Some((0, None)));
    }
}
