//! How far units overlap.

use super::distance::distance;
use crate::stats::share;

/// Overlaps of at most 1 % of both radii do not count.
const TOUCHING: f64 = 0.01;

/// Overlaps of units, summed over units and ticks.
#[derive(Clone, Debug, Default)]
pub(crate) struct OverlapMetrics {
    deepest: f64,
    overlapping: usize,
    unit_ticks: usize,
    /// Scratch: units sorted by `x`.
    order: Vec<usize>,
    /// Scratch: which units overlap in this tick.
    touched: Vec<bool>,
}

impl OverlapMetrics {
    /// Adds one tick: the positions of all units and the radius of each. Sorts by `x` and compares pairs that are no farther apart in
    /// `x` than two of the largest radii.
    pub(crate) fn add_tick(&mut self, at: &[[f64; 2]], radius: impl Fn(usize) -> f64) {
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
                    if depth > TOUCHING {
                        (touched[a], touched[b]) = (true, true);
                    }
                }
            }
        }
        self.overlapping += touched.iter().filter(|&&touched| touched).count();
        self.unit_ticks += at.len();
    }

    /// The deepest overlap, as a share of the sum of both radii.
    pub(crate) fn deepest(&self) -> f64 {
        self.deepest
    }

    /// The share of units times ticks that overlapped by more than 1 %.
    pub(crate) fn overlapping_share(&self) -> f64 {
        share(self.overlapping as f64, self.unit_ticks as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_is_a_share_of_both_radii() {
        let mut overlaps = OverlapMetrics::default();
        overlaps.add_tick(&[[0.0, 0.0], [1.0, 0.0], [9.0, 0.0], [9.75, 0.0]], |_| 0.5);
        assert!(
            (overlaps.deepest() - 0.25).abs() < 1e-9 && (overlaps.overlapping_share() - 0.5).abs() < 1e-9
        );
    }
}
