//! The reference search: Dijkstra with its own costs and step rule. It shares no logic with the engine, so it can check the engine.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use waymarch::base::CellPos;
use waymarch::cost::{CornerRule, CostField, Neighbours, StepRule};

const CLOSED: u8 = 255;
const STRAIGHT: u64 = 1024;
const DIAGONAL: u64 = 1448;

/// A copy of the costs, row by row; 255 is closed.
#[derive(Debug)]
pub(super) struct Reference {
    width: i32,
    height: i32,
    cost: Vec<u8>,
    rule: StepRule,
}

impl Reference {
    pub(super) fn new(field: &CostField, rule: StepRule) -> Self {
        let grid = field.grid();
        let cost = grid.rect().cells().map(|at| field.cost(at)).collect();
        Self { width: grid.width() as i32, height: grid.height() as i32, cost, rule }
    }

    fn cost(&self, x: i32, y: i32) -> u8 {
        if x < 0 || y < 0 || x >= self.width || y >= self.height {
            return CLOSED;
        }
        self.cost[(y * self.width + x) as usize]
    }

    /// The cost of a step to a neighbour; `None` if it is illegal.
    fn step(&self, (x, y): (i32, i32), (dx, dy): (i32, i32)) -> Option<u64> {
        let entered = self.cost(x + dx, y + dy);
        if entered == CLOSED {
            return None;
        }
        if dx == 0 || dy == 0 {
            return Some(STRAIGHT * u64::from(entered));
        }
        let open = u8::from(self.cost(x + dx, y) != CLOSED) + u8::from(self.cost(x, y + dy) != CLOSED);
        let legal = match (self.rule.neighbours, self.rule.corners) {
            (Neighbours::Four, _) => false,
            (_, CornerRule::Forbid) => open == 2,
            (_, CornerRule::AllowOne) => open >= 1,
            (_, CornerRule::Allow) => true,
        };
        legal.then_some(DIAGONAL * u64::from(entered))
    }

    /// Walks a route from waypoint to waypoint. Gives its true cost, or says which step is illegal.
    pub(super) fn replay(&self, from: CellPos, to: CellPos, waypoints: &[CellPos]) -> Result<u64, String> {
        let (Some(&first), Some(&last)) = (waypoints.first(), waypoints.last()) else {
            return Err("the route is empty".to_owned());
        };
        if first != from || last != to {
            return Err(format!("the route goes from {first} to {last}"));
        }
        let mut total = 0;
        for leg in waypoints.windows(2) {
            let (dx, dy) = (leg[1].x - leg[0].x, leg[1].y - leg[0].y);
            if dx != 0 && dy != 0 && dx.abs() != dy.abs() {
                return Err(format!("the leg {} to {} is neither straight nor diagonal", leg[0], leg[1]));
            }
            let step = (dx.signum(), dy.signum());
            let (mut x, mut y) = (leg[0].x, leg[0].y);
            for _ in 0..dx.abs().max(dy.abs()) {
                let cost = self.step((x, y), step);
                total += cost.ok_or_else(|| format!("the step {step:?} from ({x}, {y}) is illegal"))?;
                (x, y) = (x + step.0, y + step.1);
            }
        }
        Ok(total)
    }

    /// The least cost from one cell to another; `None` if there is no route.
    pub(super) fn least_cost(&self, from: CellPos, to: CellPos) -> Option<u64> {
        const DIRS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
        let index = |x: i32, y: i32| (y * self.width + x) as usize;
        let mut best = vec![u64::MAX; self.cost.len()];
        best[index(from.x, from.y)] = 0;
        let mut open = BinaryHeap::from([Reverse((0, from.x, from.y))]);
        while let Some(Reverse((so_far, x, y))) = open.pop() {
            if (x, y) == (to.x, to.y) {
                return Some(so_far);
            }
            if so_far > best[index(x, y)] {
                continue;
            }
            for (dx, dy) in DIRS {
                let Some(step) = self.step((x, y), (dx, dy)) else { continue };
                let (total, next) = (so_far + step, index(x + dx, y + dy));
                if total < best[next] {
                    best[next] = total;
                    open.push(Reverse((total, x + dx, y + dy)));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use waymarch::base::cell;
    use waymarch_testkit::dijkstra::shortest;
    use waymarch_testkit::grids::every_kind;
    use waymarch_testkit::rule::CostGrid;

    fn reference(width: i32, cost: Vec<u8>, rule: StepRule) -> Reference {
        Reference { width, height: cost.len() as i32 / width, cost, rule }
    }

    #[test]
    fn costs_agree_with_those_of_the_testkit() {
        for (name, grid) in every_kind(3, 20, 16) {
            let open: Vec<(i32, i32)> = grid.open_cells().collect();
            let (from, to) = (open[0], open[open.len() - 1]);
            for corners in [CornerRule::Forbid, CornerRule::AllowOne, CornerRule::Allow] {
                let rule = StepRule::eight(corners);
                let search = reference(20, grid.cost.clone(), rule);
                let twin = shortest(CostGrid { cost: &grid.cost, width: 20, height: 16 }, rule, from, to);
                let (from, to) = (cell(from.0, from.1), cell(to.0, to.1));
                assert_eq!(search.least_cost(from, to), twin.as_ref().map(|found| found.0), "{name}");
                if let Some((cost, cells)) = twin {
                    assert_eq!(search.replay(from, to, &cells), Ok(cost), "{name}");
                }
            }
        }
    }

    #[test]
    fn cut_corners_jumps_and_wrong_ends_are_illegal() {
        let search = reference(3, vec![1, 255, 1, 1, 1, 1, 1, 1, 1], StepRule::default());
        let replay = |cells: &[CellPos]| search.replay(cell(0, 0), cell(2, 2), cells);
        assert_eq!(replay(&[cell(0, 0), cell(0, 2), cell(2, 2)]), Ok(4 * 1024));
        assert!(replay(&[cell(0, 0), cell(2, 2)]).unwrap_err().contains("illegal"));
        assert!(replay(&[cell(0, 0), cell(1, 2), cell(2, 2)]).unwrap_err().contains("neither"));
        assert!(replay(&[cell(0, 0), cell(0, 1)]).unwrap_err().contains("goes from"));
        assert!(replay(&[]).is_err());
    }
}
