//! How units moved: measures that benchmarks and simulations have in common. Places are in cells.

mod groups;
mod units;

pub(crate) use groups::{GroupReport, Marches};
pub(crate) use units::{UnitReport, Walks};

/// How far two places are apart.
pub(crate) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// A part of a whole; none of nothing.
fn part(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

/// Scratch: how a unit moved in the tick before.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gait {
    heading: Option<f64>,
    /// Its last turn of more than five degrees.
    turn: f64,
}

/// Turning and standing on the way, summed over units and ticks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strides {
    turned: f64,
    turns: usize,
    flips: usize,
    moving: usize,
    stuck: usize,
    ticks: usize,
}

impl Strides {
    /// A unit that is on its way has gone from one place to another in a tick; if that is less than `slow`, it stands.
    pub(crate) fn step(&mut self, gait: &mut Gait, from: [f64; 2], to: [f64; 2], slow: f64) {
        self.ticks += 1;
        if distance(from, to) < slow {
            self.stuck += 1;
            gait.heading = None;
            return;
        }
        self.moving += 1;
        let heading = (to[1] - from[1]).atan2(to[0] - from[0]).to_degrees();
        if let Some(before) = gait.heading {
            let turn = (heading - before + 540.0).rem_euclid(360.0) - 180.0;
            self.turned += turn.abs();
            self.turns += 1;
            if turn.abs() > 5.0 {
                self.flips += usize::from(gait.turn * turn < 0.0);
                gait.turn = turn;
            }
        }
        gait.heading = Some(heading);
    }

    /// Degrees of turning per tick, while moving.
    pub(crate) fn jitter(&self) -> f64 {
        part(self.turned, self.turns as f64)
    }

    /// Changes between turning left and right by more than five degrees, per unit and second.
    pub(crate) fn flips(&self, ticks_per_second: f64) -> f64 {
        part(self.flips as f64, self.moving as f64 / ticks_per_second)
    }

    /// The part of the ticks on which who was on its way stood.
    pub(crate) fn stuck(&self) -> f64 {
        part(self.stuck as f64, self.ticks as f64)
    }
}

/// How much units overlap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overlaps {
    deepest: f64,
    overlapping: usize,
    unit_ticks: usize,
    order: Vec<usize>,
    touched: Vec<bool>,
}

impl Overlaps {
    /// Another tick: where everybody is, and how big. Costs sorting, and a look at all pairs as near to each other in `x` as the biggest are wide.
    pub(crate) fn look(&mut self, at: &[[f64; 2]], radius: impl Fn(usize) -> f64) {
        let widest = (0..at.len()).map(&radius).fold(0.1, f64::max);
        let Self { order, touched, .. } = self;
        if order.len() != at.len() {
            *order = (0..at.len()).collect();
        }
        order.sort_by(|&a, &b| at[a][0].total_cmp(&at[b][0]));
        touched.clear();
        touched.resize(at.len(), false);
        for (place, &a) in order.iter().enumerate() {
            for &b in &order[place + 1..] {
                if at[b][0] - at[a][0] > 2.0 * widest {
                    break;
                }
                let radii = radius(a) + radius(b);
                if (at[a][1] - at[b][1]).abs() < radii {
                    let depth = 1.0 - distance(at[a], at[b]) / radii;
                    self.deepest = self.deepest.max(depth);
                    if depth > 0.01 {
                        (touched[a], touched[b]) = (true, true);
                    }
                }
            }
        }
        self.overlapping += touched.iter().filter(|&&touched| touched).count();
        self.unit_ticks += at.len();
    }

    /// The deepest overlap, as a part of both radii.
    pub(crate) fn deepest(&self) -> f64 {
        self.deepest
    }

    /// The part of units times ticks that overlapped by more than a hundredth.
    pub(crate) fn part(&self) -> f64 {
        part(self.overlapping as f64, self.unit_ticks as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_and_standing_are_counted_while_moving() {
        let (mut strides, mut gait) = (Strides::default(), Gait::default());
        let way = [[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [3.0, 1.0], [3.0, 1.0], [3.0, 2.0]];
        for pair in way.windows(2) {
            strides.step(&mut gait, pair[0], pair[1], 0.1);
        }
        // East, 45° right, 45° left, standing, then anew.
        assert!((strides.jitter() - 45.0).abs() < 1e-9);
        assert!((strides.stuck() - 0.2).abs() < 1e-9);
        assert!((strides.flips(20.0) - 5.0).abs() < 1e-9, "one in four ticks of twentieths of a second");
    }

    #[test]
    fn overlaps_are_parts_of_both_radii() {
        let mut overlaps = Overlaps::default();
        overlaps.look(&[[0.0, 0.0], [1.0, 0.0], [9.0, 0.0], [9.75, 0.0]], |_| 0.5);
        assert!((overlaps.deepest() - 0.25).abs() < 1e-9 && (overlaps.part() - 0.5).abs() < 1e-9);
    }
}
