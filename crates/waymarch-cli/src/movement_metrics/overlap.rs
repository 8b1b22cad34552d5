//! How far units overlap.

use std::collections::BTreeSet;

use waymarch::base::CollisionLayers;

use super::distance::distance;
use crate::stats::share;

/// Overlaps of at most 1 % of both radii do not count.
const TOUCHING: f64 = 0.01;

/// The body of a unit in one tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disc {
    /// The same in all ticks, and never used for another unit.
    pub(crate) name: u64,
    pub(crate) at: [f64; 2],
    pub(crate) radius: f64,
    /// Units on other layers pass over or under it.
    pub(crate) layers: CollisionLayers,
    /// Whether it is moved off closed ground, which ignores other units.
    pub(crate) displaced: bool,
}

/// Two units that overlap, the smaller name first.
type Pair = (u64, u64);

/// Overlaps of units, summed over units and ticks.
///
/// Units that are placed over each other, or that edits move there, count once they have been apart: walking did not bring them there.
#[derive(Clone, Debug, Default)]
pub(crate) struct OverlapMetrics {
    deepest: f64,
    /// The pair with the deepest overlap.
    deepest_pair: Option<Pair>,
    overlapping: usize,
    unit_ticks: usize,
    /// All units seen so far.
    known: BTreeSet<u64>,
    /// Pairs that have overlapped since one of them was placed or displaced.
    placed_over: BTreeSet<Pair>,
    /// Scratch: pairs that overlap in this tick.
    pairs: Vec<(Pair, f64)>,
    /// Scratch: units sorted by `x`.
    order: Vec<usize>,
    /// Scratch: the units that overlap in this tick, by name.
    touched: BTreeSet<u64>,
}

impl OverlapMetrics {
    /// Notes where units are placed, before the first tick. Nothing counts.
    pub(crate) fn place(&mut self, discs: &[Disc]) {
        self.find_pairs(discs);
        self.note_placed(discs);
    }

    /// Adds one tick. Sorts by `x` and compares pairs that are no farther apart in `x` than two of the largest radii.
    pub(crate) fn add_tick(&mut self, discs: &[Disc]) {
        self.find_pairs(discs);
        self.note_placed(discs);
        self.touched.clear();
        for &(pair, depth) in &self.pairs {
            if self.placed_over.contains(&pair) {
                continue;
            }
            if depth > self.deepest {
                (self.deepest, self.deepest_pair) = (depth, Some(pair));
            }
            if depth > TOUCHING {
                self.touched.extend([pair.0, pair.1]);
            }
        }
        self.overlapping += self.touched.len();
        self.unit_ticks += discs.len();
    }

    /// Finds all pairs that overlap.
    fn find_pairs(&mut self, discs: &[Disc]) {
        let widest = discs.iter().map(|disc| disc.radius).fold(0.1, f64::max);
        let Self { order, pairs, .. } = self;
        if order.len() != discs.len() {
            *order = (0..discs.len()).collect();
        }
        order.sort_by(|&a, &b| discs[a].at[0].total_cmp(&discs[b].at[0]));
        pairs.clear();
        for (place, &first) in order.iter().enumerate() {
            for &second in &order[place + 1..] {
                let (a, b) = (&discs[first], &discs[second]);
                if b.at[0] - a.at[0] > 2.0 * widest {
                    break;
                }
                let radii = a.radius + b.radius;
                if (a.at[1] - b.at[1]).abs() < radii && a.layers.meets(b.layers) {
                    let depth = 1.0 - distance(a.at, b.at) / radii;
                    if depth > 0.0 {
                        pairs.push(((a.name.min(b.name), a.name.max(b.name)), depth));
                    }
                }
            }
        }
    }

    /// Notes pairs that overlap since one of them was placed or displaced, and forgets those that have come apart.
    fn note_placed(&mut self, discs: &[Disc]) {
        let Self { pairs, known, placed_over, .. } = self;
        let deep = || pairs.iter().filter(|(_, depth)| *depth > TOUCHING).map(|&(pair, _)| pair);
        if !placed_over.is_empty() {
            let still: BTreeSet<Pair> = deep().collect();
            placed_over.retain(|pair| still.contains(pair));
        }
        let is_placed = |disc: &&Disc| disc.displaced || !known.contains(&disc.name);
        let placed: BTreeSet<u64> = discs.iter().filter(is_placed).map(|disc| disc.name).collect();
        if !placed.is_empty() {
            placed_over.extend(deep().filter(|(a, b)| placed.contains(a) || placed.contains(b)));
            known.extend(placed);
        }
    }

    /// The deepest overlap, as a share of the sum of both radii.
    pub(crate) fn deepest(&self) -> f64 {
        self.deepest
    }

    /// The names of the two units with the deepest overlap.
    pub(crate) fn deepest_pair(&self) -> Option<[u64; 2]> {
        self.deepest_pair.map(|(a, b)| [a, b])
    }

    /// The share of units times ticks that overlapped by more than 1 %.
    pub(crate) fn overlapping_share(&self) -> f64 {
        share(self.overlapping as f64, self.unit_ticks as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disc(name: u64, x: f64) -> Disc {
        Disc { name, at: [x, 0.0], radius: 0.5, layers: CollisionLayers::GROUND, displaced: false }
    }

    fn same(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn overlap_is_a_share_of_both_radii() {
        let mut overlaps = OverlapMetrics::default();
        overlaps.place(&[disc(0, 0.0), disc(1, 1.0), disc(2, 9.0), disc(3, 10.0)]);
        overlaps.add_tick(&[disc(0, 0.0), disc(1, 1.0), disc(2, 9.0), disc(3, 9.75)]);
        assert!(same(overlaps.deepest(), 0.25) && same(overlaps.overlapping_share(), 0.5));
        assert_eq!(overlaps.deepest_pair(), Some([2, 3]));
    }

    #[test]
    fn units_on_other_layers_do_not_overlap() {
        let mut overlaps = OverlapMetrics::default();
        let boat = |x| Disc { layers: CollisionLayers::WATER, ..disc(1, x) };
        overlaps.place(&[disc(0, 0.0), boat(2.0)]);
        overlaps.add_tick(&[disc(0, 0.0), boat(0.0)]);
        assert!(same(overlaps.deepest(), 0.0) && same(overlaps.overlapping_share(), 0.0));
    }

    #[test]
    fn units_that_are_placed_over_each_other_count_once_they_have_been_apart() {
        let mut overlaps = OverlapMetrics::default();
        overlaps.add_tick(&[disc(0, 0.0), disc(1, 0.0)]);
        overlaps.add_tick(&[disc(0, 0.0), disc(1, 0.5)]);
        assert!(same(overlaps.deepest(), 0.0));
        // A third unit is placed over the second.
        overlaps.add_tick(&[disc(0, 0.0), disc(1, 1.0), disc(2, 1.2)]);
        assert!(same(overlaps.deepest(), 0.0));
        overlaps.add_tick(&[disc(0, 0.0), disc(1, 0.9), disc(2, 1.3)]);
        assert!(same(overlaps.deepest(), 0.1) && overlaps.deepest_pair() == Some([0, 1]));
        // An edit moves the third unit.
        let moved = |x| Disc { displaced: true, ..disc(2, x) };
        overlaps.add_tick(&[disc(0, 0.0), disc(1, 1.0), moved(1.2)]);
        overlaps.add_tick(&[disc(0, 0.0), disc(1, 1.0), disc(2, 1.3)]);
        assert!(same(overlaps.deepest(), 0.1));
        overlaps.add_tick(&[disc(0, 0.0), disc(1, 1.0), disc(2, 2.5)]);
        overlaps.add_tick(&[disc(0, 0.0), disc(1, 1.0), disc(2, 1.5)]);
        assert!(same(overlaps.deepest(), 0.5));
    }
}
