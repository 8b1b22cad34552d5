//! Finds which of many points are near each other, without comparing all pairs.

use alloc::vec::Vec;

use crate::avoid::Fine;
use crate::base::{Scratch, poison_list, reserve_total};

/// Scratch: numbered points, in bands from north to south, each from west to east.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nearby {
    /// For each point: its band, its x coordinate, and its number.
    order: Vec<(i64, i64, u32)>,
    reach: i64,
}

impl Scratch for Nearby {
    /// The number of points.
    type Demand = usize;

    fn poison(&mut self) {
        poison_list(&mut self.order, (7, 7, u32::MAX));
        self.reach = 7;
    }

    fn reserve(&mut self, points: usize) {
        reserve_total(&mut self.order, points);
    }
}

impl Nearby {
    /// Sets the points, and the distance up to which two of them are near each other.
    pub(crate) fn lay(&mut self, points: impl Iterator<Item = (u32, Fine)>, reach: i64) {
        self.reach = reach.max(1);
        self.order.clear();
        let entry =
            |(number, at): (u32, Fine)| (i64::from(at.y).div_euclid(self.reach), i64::from(at.x), number);
        self.order.extend(points.map(entry));
        self.order.sort_unstable();
    }

    /// Calls `visit` once for each pair of points near each other, and for some pairs less than twice as far apart. The smaller number comes first. The
    /// order of pairs has no meaning.
    ///
    /// *Cost:* one step for each visited pair, and a binary search for each point.
    pub(crate) fn pairs(&self, mut visit: impl FnMut(u32, u32)) {
        let mut both = |a: u32, b: u32| visit(a.min(b), a.max(b));
        for (place, &(band, x, number)) in self.order.iter().enumerate() {
            let own = self.order[place + 1..].iter();
            own.take_while(|other| other.0 == band && other.1 - x <= self.reach)
                .for_each(|other| both(number, other.2));
            let next = self.order.partition_point(|other| (other.0, other.1) < (band + 1, x - self.reach));
            let next = self.order[next..].iter();
            next.take_while(|other| other.0 == band + 1 && other.1 - x <= self.reach)
                .for_each(|other| both(number, other.2));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_are_near_each_other_are_visited_once_and_hardly_any_others() {
        let mut state = 7_u32;
        let mut draw = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as i32 % 1000 - 500
        };
        let points: Vec<Fine> = (0..300).map(|_| Fine::new(draw(), draw())).collect();
        let apart = |a: u32, b: u32| {
            let (a, b) = (points[a as usize], points[b as usize]);
            a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
        };
        let mut nearby = Nearby::default();
        for reach in [1, 30, 100, 2000] {
            nearby.lay((0..).zip(points.iter().copied()), reach);
            let mut found = Vec::new();
            nearby.pairs(|a, b| found.push((a, b)));
            found.sort_unstable();
            assert!(found.windows(2).all(|two| two[0] < two[1]), "none twice");
            assert!(found.iter().all(|&(a, b)| i64::from(apart(a, b)) < 2 * reach));
            let all = (0..300).flat_map(|b| (0..b).map(move |a| (a, b)));
            let near = all.filter(|&(a, b)| i64::from(apart(a, b)) <= reach);
            assert!(near.into_iter().all(|pair| found.binary_search(&pair).is_ok()), "reach {reach}");
        }
    }
}
