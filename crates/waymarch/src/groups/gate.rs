//! Gates: lines that the members of a group cross side by side.

use super::geometry::{length, moved, offset};
use crate::avoid::Fine;

/// A gate: a line that a group crosses, with its ends as seen by the group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Gate {
    /// The left end.
    pub left: Fine,
    /// The right end.
    pub right: Fine,
}

/// World: a gate on a group's route.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RouteGate {
    /// The line from wall to wall, or as long as the group needs.
    pub gate: Gate,
    /// The point where the route of the group's centre crosses it.
    pub taut: Fine,
    /// The direction of crossing, of length 1024.
    pub ahead: (i16, i16),
    /// The length of line that the group needs, in 1024ths of the group's width. Above 1024 at bends, where members cross the line at an
    /// angle.
    pub slant: u16,
}

impl RouteGate {
    /// Whether a unit at this point has passed the gate.
    #[must_use]
    pub fn is_behind(&self, at: Fine) -> bool {
        let (x, y) = offset(self.taut, at);
        x * i64::from(self.ahead.0) + y * i64::from(self.ahead.1) > 0
    }

    /// Whether the straight line from one point to another crosses the gate between its ends, in its direction.
    #[must_use]
    pub fn is_crossed(&self, from: Fine, to: Fine) -> bool {
        let past = |at: Fine| {
            let (x, y) = offset(self.taut, at);
            i128::from(x) * i128::from(self.ahead.0) + i128::from(y) * i128::from(self.ahead.1)
        };
        let (before, beyond) = (past(from), past(to));
        if before > 0 || beyond <= 0 {
            return false;
        }
        // On which side of the line an end of the gate lies.
        let side = |end: Fine| {
            let ((x, y), (leg_x, leg_y)) = (offset(from, end), offset(from, to));
            i128::from(leg_x) * i128::from(y) - i128::from(leg_y) * i128::from(x)
        };
        side(self.gate.left) <= 0 && side(self.gate.right) >= 0
    }

    /// The point that lies `by` beyond `at`, in the direction of crossing.
    #[must_use]
    pub fn beyond(&self, at: Fine, by: i64) -> Fine {
        moved(at, (i64::from(self.ahead.0) * by / 1024, i64::from(self.ahead.1) * by / 1024))
    }

    /// The same gate for a group that comes from the other side.
    #[must_use]
    pub fn turned_round(&self) -> Self {
        let Gate { left, right } = self.gate;
        let ahead = (-self.ahead.0, -self.ahead.1);
        Self { gate: Gate { left: right, right: left }, ahead, ..*self }
    }

    /// Its length, in 65,536ths of a cell.
    #[must_use]
    pub fn width(&self) -> i64 {
        length(offset(self.gate.left, self.gate.right))
    }
}
