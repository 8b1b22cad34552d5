//! Which directions a search follows from a cell, by the costs of the 3×3 cells around it and the direction of arrival.

use crate::base::Dir8;
use crate::cost::{IMPASSABLE, StepRule, step_length};

/// The costs of the eight neighbours by direction number, then of the middle.
pub(super) type Around = [u8; 9];

/// For each direction of arrival, the directions to follow (bit = direction number).
pub(super) type Turns = [u8; 8];

/// The cost of a step that does not exist: 2^30.
const FAR: u32 = 1 << 30;

/// The rank of each direction among equally cheap routes with equally many steps: diagonals first, then north and south, then east and west.
const RANK: [u8; 8] = [4, 0, 6, 1, 5, 2, 7, 3];

/// The directions to follow from the middle of `around`, for each direction of arrival.
///
/// A step to a neighbour is dropped if the previous cell has a better route to it within the 3×3 cells that avoids the
/// middle. Better means cheaper; or as cheap with fewer steps; or as cheap with as many steps, where the first
/// differing step has the lower rank. The module documentation says why that is safe. If the arrival itself is not
/// legal, no direction is followed.
pub(super) fn turns(around: &Around, rule: StepRule) -> Turns {
    let mut found = [0; 8];
    let middle = around[8];
    if middle == IMPASSABLE {
        return found;
    }
    let mut open = 0;
    for (dir, &cost) in around[..8].iter().enumerate() {
        open |= usize::from(cost != IMPASSABLE) << dir;
    }
    let (ring, legal) = (Ring::new(around, rule.table()), rule.table()[open]);
    for arrival in Dir8::ALL {
        let before = arrival.opposite();
        // Between open cells a step is legal in both directions or in none.
        if legal >> before.index() & 1 == 0 {
            continue;
        }
        let others = ring.distances(before);
        let arrive = step_length(arrival) * u32::from(middle);
        for leave in Dir8::ALL {
            if legal >> leave.index() & 1 == 0 || leave == before {
                continue;
            }
            let cost = arrive + step_length(leave) * u32::from(around[usize::from(leave.index())]);
            let other = others[usize::from(leave.index())];
            let kept = other > cost || other == cost && !ring.precedes(before, leave, cost, arrival);
            found[usize::from(arrival.index())] |= u8::from(kept) << leave.index();
        }
    }
    found
}

/// The steps between the eight cells around an open middle, which form a ring.
struct Ring {
    /// The cost of each step, by cell of the ring and index of [`NEAR`]; [`FAR`] where there is no step.
    cost: [[u32; 4]; 8],
}

/// The offsets along the ring that a step can have, in cells of the ring.
const NEAR: [i8; 4] = [-2, -1, 1, 2];

impl Ring {
    fn new(around: &Around, legal: &[u8; 256]) -> Self {
        let is_open = |place: Dir8| around[usize::from(place.index())] != IMPASSABLE;
        let mut cost = [[FAR; 4]; 8];
        for (from, costs) in Dir8::ALL.into_iter().zip(&mut cost) {
            for (near, cost) in NEAR.into_iter().zip(costs) {
                let to = from.turn(near);
                let Some(dir) = step_dir(from, near).filter(|_| is_open(to)) else { continue };
                let mut open = 1 << dir.index();
                if dir.is_diagonal() {
                    // The middle and the corner cell between the two lie beside the step.
                    let (middle, corner) = (from.opposite(), from.turn(near));
                    open |= 1 << middle.index() | usize::from(is_open(from.turn(near / 2))) << corner.index();
                }
                if legal[open] >> dir.index() & 1 != 0 {
                    *cost = step_length(dir) * u32::from(around[usize::from(to.index())]);
                }
            }
        }
        Self { cost }
    }

    /// The cost and the direction of the step from one cell of the ring to another; `None` if there is none.
    fn step(&self, from: Dir8, to: Dir8) -> Option<(u32, Dir8)> {
        let near = NEAR.into_iter().position(|near| from.turn(near) == to)?;
        let cost = self.cost[usize::from(from.index())][near];
        step_dir(from, NEAR[near]).filter(|_| cost < FAR).map(|dir| (cost, dir))
    }

    /// The cells of the ring that a step may go to from one of them.
    fn near(from: Dir8) -> impl Iterator<Item = Dir8> {
        NEAR.into_iter().map(move |eighths| from.turn(eighths))
    }

    /// The least cost from `start` to every cell of the ring without the middle.
    fn distances(&self, start: Dir8) -> [u32; 8] {
        let mut distance = [FAR; 8];
        distance[usize::from(start.index())] = 0;
        // There are seven cells to reach, so at most seven rounds.
        for _ in 0..7 {
            let before = distance;
            for from in 0..8 {
                let so_far = distance[from];
                for (near, cost) in NEAR.into_iter().zip(self.cost[from]) {
                    let known = &mut distance[from.wrapping_add_signed(isize::from(near)) & 7];
                    *known = (*known).min(so_far + cost);
                }
            }
            if distance == before {
                break;
            }
        }
        distance
    }

    /// Whether a route without the middle that costs `cost` comes before the route over the middle that costs as much.
    fn precedes(&self, before: Dir8, leave: Dir8, cost: u32, arrival: Dir8) -> bool {
        if self.step(before, leave).is_some_and(|(other, _)| other == cost) {
            return true;
        }
        let rank = |first: Dir8, second: Dir8| [first, second].map(|dir| RANK[usize::from(dir.index())]);
        Self::near(before).any(|over| {
            let steps = self.step(before, over).zip(self.step(over, leave));
            steps.is_some_and(|((first, to_it), (second, from_it))| {
                first + second == cost && rank(to_it, from_it) < rank(arrival, leave)
            })
        })
    }
}

/// The direction of the step from a cell of the ring to the one at offset `near`; `None` between two corners of the 3×3 cells.
fn step_dir(from: Dir8, near: i8) -> Option<Dir8> {
    match (from.is_diagonal(), near) {
        (false, -1 | 1) => Some(from.turn(2 * near)),
        (false, _) => Some(from.turn(3 * near / 2)),
        (true, -1 | 1) => Some(from.turn(3 * near)),
        (true, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::CornerRule;

    const FORBID: StepRule = StepRule::eight(CornerRule::Forbid);

    fn dirs(list: &[Dir8]) -> u8 {
        list.iter().fold(0, |bits, dir| bits | 1 << dir.index())
    }

    #[test]
    fn steps_along_the_ring_go_from_cell_to_cell() {
        for from in Dir8::ALL {
            for near in NEAR {
                let to = from.turn(near);
                let (dx, dy) = (to.dx() - from.dx(), to.dy() - from.dy());
                let expected = if dx.abs() <= 1 && dy.abs() <= 1 { Dir8::from_delta(dx, dy) } else { None };
                assert_eq!(step_dir(from, near), expected, "{from:?} {near}");
            }
        }
    }

    #[test]
    fn on_ground_of_one_cost_runs_go_straight_on_and_diagonals_turn_off() {
        for corners in [CornerRule::Forbid, CornerRule::AllowOne, CornerRule::Allow] {
            let found = turns(&[7; 9], StepRule::eight(corners));
            for dir in Dir8::ALL {
                let expected =
                    if dir.is_diagonal() { dirs(&[dir, dir.turn(1), dir.turn(-1)]) } else { dirs(&[dir]) };
                assert_eq!(found[usize::from(dir.index())], expected, "{dir:?}");
            }
        }
        let found = turns(&[7; 9], StepRule::FOUR);
        assert_eq!(
            found,
            [
                dirs(&[Dir8::N, Dir8::E, Dir8::W]),
                0,
                dirs(&[Dir8::E]),
                0,
                dirs(&[Dir8::E, Dir8::S, Dir8::W]),
                0,
                dirs(&[Dir8::W]),
                0
            ]
        );
    }

    #[test]
    fn a_closed_cell_behind_and_beside_forces_a_turn() {
        let mut around = [1; 9];
        around[usize::from(Dir8::NW.index())] = IMPASSABLE;
        let found = turns(&around, FORBID)[usize::from(Dir8::E.index())];
        assert_eq!(found, dirs(&[Dir8::E, Dir8::N, Dir8::NE]));
        // Where corners may be cut, the route from the cell behind to the north cuts one.
        let found = turns(&around, StepRule::eight(CornerRule::AllowOne))[usize::from(Dir8::E.index())];
        assert_eq!(found, dirs(&[Dir8::E]));
    }

    #[test]
    fn cheap_ground_beside_ends_a_run_over_dear_ground() {
        let mut around = [4; 9];
        around[usize::from(Dir8::N.index())] = 1;
        around[usize::from(Dir8::NE.index())] = 1;
        let found = turns(&around, FORBID)[usize::from(Dir8::E.index())];
        assert_eq!(found, 0, "a route to the east takes the cheap ground, from the cell before");
    }
}
