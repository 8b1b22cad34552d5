//! Turning and standing still, from one position to the next.

use super::distance::distance;
use crate::stats::share;

/// Turns of at most 5 degrees do not count as a change of side.
const TURN_DEGREES: f64 = 5.0;

/// Scratch: how one unit moved in the tick before.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepHistory {
    /// Its heading in degrees; `None` if it stood.
    heading: Option<f64>,
    /// Its last turn of more than 5 degrees, in degrees.
    turn: f64,
    /// For how many ticks it has stood without a break.
    stood: u32,
}

/// Turning and standing of units on their routes, summed over units and ticks.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepMetrics {
    turned: f64,
    turns: usize,
    flips: usize,
    moving: usize,
    stuck: usize,
    ticks: usize,
    longest_stand: u32,
}

impl StepMetrics {
    /// Adds one tick of a unit that has somewhere to go. A step shorter than `slow` cells counts as standing.
    pub(crate) fn step(&mut self, history: &mut StepHistory, from: [f64; 2], to: [f64; 2], slow: f64) {
        self.ticks += 1;
        if distance(from, to) < slow {
            self.stuck += 1;
            history.heading = None;
            history.stood += 1;
            self.longest_stand = self.longest_stand.max(history.stood);
            return;
        }
        history.stood = 0;
        self.moving += 1;
        let heading = (to[1] - from[1]).atan2(to[0] - from[0]).to_degrees();
        if let Some(before) = history.heading {
            let turn = (heading - before + 540.0).rem_euclid(360.0) - 180.0;
            self.turned += turn.abs();
            self.turns += 1;
            if turn.abs() > TURN_DEGREES {
                self.flips += usize::from(history.turn * turn < 0.0);
                history.turn = turn;
            }
        }
        history.heading = Some(heading);
    }

    /// Degrees of turning per tick of movement.
    pub(crate) fn jitter(&self) -> f64 {
        share(self.turned, self.turns as f64)
    }

    /// Changes between left and right turns of more than 5 degrees, per unit and second.
    pub(crate) fn flips(&self, ticks_per_second: f64) -> f64 {
        share(self.flips as f64, self.moving as f64 / ticks_per_second)
    }

    /// The share of ticks in which a unit with somewhere to go stood.
    pub(crate) fn stuck(&self) -> f64 {
        share(self.stuck as f64, self.ticks as f64)
    }

    /// The longest time in which one unit with somewhere to go stood without a break, in ticks.
    pub(crate) fn longest_stand(&self) -> u32 {
        self.longest_stand
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_and_standing_are_counted_while_moving() {
        let (mut steps, mut history) = (StepMetrics::default(), StepHistory::default());
        let route = [[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [3.0, 1.0], [3.0, 1.0], [3.0, 2.0]];
        for pair in route.windows(2) {
            steps.step(&mut history, pair[0], pair[1], 0.1);
        }
        // East, 45° right, 45° left, standing, then a first step again.
        assert!((steps.jitter() - 45.0).abs() < 1e-9);
        assert!((steps.stuck() - 0.2).abs() < 1e-9);
        assert_eq!(steps.longest_stand(), 1);
        assert!((steps.flips(20.0) - 5.0).abs() < 1e-9, "1 flip in 4 ticks of movement, 20 ticks a second");
    }
}
