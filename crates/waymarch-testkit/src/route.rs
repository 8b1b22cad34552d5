//! Checks that a route is legal, and sums up its cost.

use crate::rule::{Rule, Spot, cost_at, step_cost};

/// The cost of a route: the sum over every entered cell; 0 for a route of one cell.
///
/// # Errors
/// A sentence with the first illegal step, or that the route is empty or starts off the grid.
pub fn check_route<S: Spot>(
    cost: &[u8],
    width: u32,
    height: u32,
    rule: impl Into<Rule>,
    cells: &[S],
) -> Result<u64, String> {
    let rule = rule.into();
    let Some((x, y)) = cells.first().map(|first| first.xy()) else {
        return Err("the route is empty".to_string());
    };
    if x < 0 || y < 0 || x as u32 >= width || y as u32 >= height {
        return Err(format!("the route starts at ({x}, {y}), off a grid of {width}×{height}"));
    }
    // Checks the length of `cost` even for a route without a step.
    let _ = cost_at(cost, width, height, x, y);
    let mut total = 0;
    for (number, pair) in cells.windows(2).enumerate() {
        let ((x, y), (to_x, to_y)) = (pair[0].xy(), pair[1].xy());
        total += step_cost(cost, (width, height), rule, (x, y), (to_x, to_y))
            .map_err(|why| format!("step {} from ({x}, {y}) to ({to_x}, {to_y}) {why}", number + 1))?;
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COST: [u8; 6] = [1, 255, 3, 1, 2, 1];

    #[test]
    fn a_legal_route_costs_the_cells_it_enters() {
        assert_eq!(
            check_route(&COST, 3, 2, Rule::Forbid, &[(0, 0), (0, 1), (1, 1), (2, 1), (2, 0)]),
            Ok(7 * 1024)
        );
        assert_eq!(check_route(&COST, 3, 2, Rule::AllowOne, &[(0, 0), (1, 1), (2, 0)]), Ok(5 * 1448));
        assert_eq!(check_route(&COST, 3, 2, Rule::Forbid, &[(2, 1)]), Ok(0));
    }

    #[test]
    fn illegal_routes_are_refused_with_the_illegal_step() {
        let refused = |cells: &[(i32, i32)]| check_route(&COST, 3, 2, Rule::Forbid, cells).unwrap_err();
        assert!(
            refused(&[(0, 0), (0, 1), (1, 1), (2, 0)])
                .starts_with("step 3 from (1, 1) to (2, 0) cuts a corner")
        );
        assert!(refused(&[(0, 0), (1, 0)]).contains("blocked"));
        assert!(refused(&[(0, 0), (2, 0)]).contains("neighbour"));
        assert!(refused(&[(0, 0), (0, 0)]).contains("neighbour"));
        assert!(refused(&[(3, 0)]).contains("off a grid"));
        assert!(refused(&[]).contains("empty"));
    }
}
