//! Connected areas, found by flooding the grid cell by cell.

use crate::rule::{BLOCKED, Rule, step_cost};

/// The domain of every cell: the index of the first cell that it is connected with; `None` if it is blocked.
///
/// # Panics
/// If `cost` is not `width × height` long.
#[must_use]
pub fn domains(cost: &[u8], width: u32, height: u32, rule: impl Into<Rule>) -> Vec<Option<usize>> {
    let rule = rule.into();
    let mut domains = vec![None; cost.len()];
    for first in 0..cost.len() {
        if cost[first] == BLOCKED || domains[first].is_some() {
            continue;
        }
        domains[first] = Some(first);
        let mut left = vec![first];
        while let Some(cell) = left.pop() {
            let (x, y) = ((cell % width as usize) as i32, (cell / width as usize) as i32);
            for (dx, dy) in [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)] {
                let to = (x + dx, y + dy);
                if step_cost(cost, (width, height), rule, (x, y), to).is_ok() {
                    let to = to.1 as usize * width as usize + to.0 as usize;
                    if domains[to].is_none() {
                        domains[to] = Some(first);
                        left.push(to);
                    }
                }
            }
        }
    }
    domains
}

/// The room of every cell: the index of the first cell that it is connected with by straight steps within its square of `side` cells; `None`
/// if it is blocked. Squares are counted from the north-west corner.
///
/// # Panics
/// If `cost` is not `width × height` long.
#[must_use]
pub fn rooms(cost: &[u8], width: u32, height: u32, side: u32) -> Vec<Option<usize>> {
    assert_eq!(cost.len(), (width * height) as usize);
    let mut rooms = vec![None; cost.len()];
    for first in 0..cost.len() {
        if cost[first] == BLOCKED || rooms[first].is_some() {
            continue;
        }
        rooms[first] = Some(first);
        let mut left = vec![first];
        while let Some(cell) = left.pop() {
            for to in beside(cell, width, height) {
                let square = |cell: usize| (cell as u32 % width / side, cell as u32 / width / side);
                if cost[to] != BLOCKED && rooms[to].is_none() && square(to) == square(cell) {
                    rooms[to] = Some(first);
                    left.push(to);
                }
            }
        }
    }
    rooms
}

/// The rooms next to the room of `cell`, in order, without that room itself.
#[must_use]
pub fn rooms_beside<R: Ord + Copy>(rooms: &[Option<R>], width: u32, height: u32, cell: usize) -> Vec<R> {
    let own = rooms[cell];
    let members = (0..rooms.len()).filter(|&at| own.is_some() && rooms[at] == own);
    let mut found: Vec<R> = members
        .flat_map(|at| beside(at, width, height).filter_map(|to| rooms[to]).collect::<Vec<R>>())
        .filter(|&room| Some(room) != own)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The cells on the map that share a side with a cell.
fn beside(cell: usize, width: u32, height: u32) -> impl Iterator<Item = usize> {
    let (x, y) = ((cell % width as usize) as i64, (cell / width as usize) as i64);
    let (width, height) = (i64::from(width), i64::from(height));
    let four = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)].into_iter();
    let on_map = four.filter(move |&(x, y)| (0..width).contains(&x) && (0..height).contains(&y));
    on_map.map(move |(x, y)| (y * width + x) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_end_at_their_squares_and_touch_across_borders() {
        let cost = [1, 1, 1, BLOCKED, 1, BLOCKED, 1, 1];
        let found = rooms(&cost, 4, 2, 2);
        assert_eq!(found, [Some(0), Some(0), Some(2), None, Some(0), None, Some(2), Some(2)]);
        assert_eq!(rooms_beside(&found, 4, 2, 4), [2]);
        assert_eq!(rooms_beside(&found, 4, 2, 3), [0_usize; 0], "a closed cell has no room");
    }

    #[test]
    fn corners_connect_only_where_they_may_be_cut() {
        let cost = [1, BLOCKED, BLOCKED, 1];
        assert_eq!(domains(&cost, 2, 2, Rule::Forbid), [Some(0), None, None, Some(3)]);
        assert_eq!(domains(&cost, 2, 2, Rule::Allow), [Some(0), None, None, Some(0)]);
    }
}
