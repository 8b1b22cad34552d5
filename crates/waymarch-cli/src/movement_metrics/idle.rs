//! What units do that have no order: whether they turn on the spot, and how far they move after they have arrived.

use waymarch::base::Angle;

use super::distance::distance;
use crate::report::{percent, rounded};

/// Turns of more than 6 degrees in a tick count.
const TURN_DEGREES: f64 = 6.0;

/// Scratch: a unit as it was one tick ago.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IdleHistory {
    /// The direction it faced, if it had no order.
    facing: Option<Angle>,
    /// Where it arrived; `None` if it has had another order since.
    arrived_at: Option<[f64; 2]>,
    /// Whether a unit that it makes way for has come near it since.
    disturbed: bool,
}

impl IdleHistory {
    /// The unit has arrived at a point.
    pub(crate) fn arrive(&mut self, at: [f64; 2]) {
        (self.arrived_at, self.disturbed) = (Some(at), false);
    }

    /// A unit that it makes way for is near.
    pub(crate) fn disturb(&mut self) {
        self.disturbed = true;
    }

    /// Whether it may have made way since it arrived.
    pub(crate) fn is_disturbed(&self) -> bool {
        self.disturbed
    }

    /// The unit has begun an order.
    pub(crate) fn begin_order(&mut self) {
        self.arrived_at = None;
    }
}

/// Turning and moving of units without an order, summed over units and ticks.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdleMetrics {
    ticks: usize,
    turns: usize,
    farthest: f64,
    farthest_undisturbed: f64,
}

impl IdleMetrics {
    /// Adds one tick of a unit. `facing` is `None` if the unit has an order.
    pub(crate) fn add(&mut self, history: &mut IdleHistory, facing: Option<Angle>, at: [f64; 2]) {
        if let Some((before, now)) = history.facing.zip(facing) {
            self.ticks += 1;
            let turn = f64::from(before.turn_to(now).unsigned_abs()) * 360.0 / 65_536.0;
            self.turns += usize::from(turn > TURN_DEGREES);
        }
        history.facing = facing;
        if let (Some(from), Some(_)) = (history.arrived_at, facing) {
            let far = distance(from, at);
            self.farthest = self.farthest.max(far);
            if !history.disturbed {
                self.farthest_undisturbed = self.farthest_undisturbed.max(far);
            }
        }
    }

    /// Ticks in which a unit without an order turned by more than 6 degrees, in % of all ticks of units without an order.
    pub(crate) fn turn_pct(&self) -> f64 {
        percent(self.turns, self.ticks)
    }

    /// How far a unit was at most from where it had arrived, while it had no order, in cells.
    pub(crate) fn farthest(&self) -> f64 {
        rounded(self.farthest, 2)
    }

    /// The same for units that were not disturbed since they arrived: these had no reason to make way.
    pub(crate) fn farthest_undisturbed(&self) -> f64 {
        rounded(self.farthest_undisturbed, 2)
    }
}

#[cfg(test)]
mod tests {
    use waymarch::base::Dir8;

    use super::*;

    #[test]
    fn turning_counts_without_an_order_only_and_moving_after_arrival_only() {
        let (mut idle, mut history) = (IdleMetrics::default(), IdleHistory::default());
        let facing = |dir: Dir8| Some(Angle::from(dir));
        idle.add(&mut history, facing(Dir8::N), [0.0, 0.0]);
        idle.add(&mut history, facing(Dir8::N), [3.0, 0.0]);
        assert!(idle.farthest() < 1e-9, "it has not arrived anywhere");
        idle.add(&mut history, None, [3.0, 0.0]);
        idle.add(&mut history, facing(Dir8::E), [4.0, 0.0]);
        history.arrive([4.0, 0.0]);
        idle.add(&mut history, facing(Dir8::S), [4.0, 2.0]);
        assert!(
            (idle.turn_pct() - 50.0).abs() < 1e-9,
            "one of two idle ticks; the turn under the order does not count"
        );
        assert!((idle.farthest() - 2.0).abs() < 1e-9);
        assert!((idle.farthest_undisturbed() - 2.0).abs() < 1e-9);
        history.disturb();
        idle.add(&mut history, facing(Dir8::S), [4.0, 3.0]);
        assert!((idle.farthest() - 3.0).abs() < 1e-9);
        assert!((idle.farthest_undisturbed() - 2.0).abs() < 1e-9, "it makes way");
        history.begin_order();
        idle.add(&mut history, facing(Dir8::S), [9.0, 2.0]);
        assert!((idle.farthest() - 3.0).abs() < 1e-9);
    }
}
