//! What is connected, by flooding the grid cell by cell.

use crate::rule::{BLOCKED, Rule, step_cost};

/// Every cell's domain: the index of the first cell it is connected with; `None` where it is blocked.
///
/// # Panics
/// When `cost` is not `width × height` long.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_connect_only_where_they_may_be_cut() {
        let cost = [1, BLOCKED, BLOCKED, 1];
        assert_eq!(domains(&cost, 2, 2, Rule::Forbid), [Some(0), None, None, Some(3)]);
        assert_eq!(domains(&cost, 2, 2, Rule::Allow), [Some(0), None, None, Some(0)]);
    }
}
