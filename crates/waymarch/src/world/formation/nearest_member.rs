//! The member of a group that is nearest to a unit which joins the group.

use alloc::vec::Vec;

use crate::avoid::Fine;
use crate::base::{poison_list, reserve_total};
use crate::world::units::membership::{Branch, RouteProgress};

/// A unit that is a member, or may become one during a re-slot.
#[derive(Clone, Copy, Debug)]
struct Place {
    at: Fine,
    unit: u32,
    /// The branch and the next gate of a member. `None` while the unit is no member.
    gate: Option<(Branch, u16)>,
}

/// Scratch: the members of one group from west to east, so that the nearest one is found without looking at all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearestMember {
    places: Vec<Place>,
}

impl NearestMember {
    pub(crate) fn clear(&mut self) {
        self.places.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Adds a member with its route, or a unit that may become a member with `None`. Call [`NearestMember::sort`] after the last one.
    pub(crate) fn add(&mut self, unit: u32, at: Fine, route: Option<RouteProgress>) {
        self.places.push(Place { at, unit, gate: route.map(|route| (route.branch(), route.gate())) });
    }

    pub(crate) fn sort(&mut self) {
        self.places.sort_unstable_by_key(|place| (place.at.x, place.unit));
    }

    /// Notes that a unit of the list has become a member.
    pub(crate) fn note_member(&mut self, unit: u32, at: Fine, route: RouteProgress) {
        if let Ok(place) = self.places.binary_search_by_key(&(at.x, unit), |place| (place.at.x, place.unit)) {
            self.places[place].gate = Some((route.branch(), route.gate()));
        }
    }

    /// The branch and the next gate of the member nearest to a point; of several the one with the smallest index. `None` without members.
    pub(crate) fn gate_beside(&self, at: Fine) -> Option<(Branch, u16)> {
        self.search(at).0
    }

    /// What [`NearestMember::gate_beside`] answers, and the number of places it has looked at.
    ///
    /// Looks to the west and to the east in turn, until the difference in `x` alone is larger than the least distance.
    fn search(&self, at: Fine) -> (Option<(Branch, u16)>, usize) {
        let east = self.places.partition_point(|place| place.at.x < at.x);
        let (west, east) = self.places.split_at(east);
        let (mut west, mut east) = (west.iter().rev(), east.iter());
        let (mut best, mut seen) = (None, 0);
        let mut look = |place: Option<&Place>| -> bool {
            let Some(place) = place else { return false };
            seen += 1;
            let across = u64::from(place.at.x.abs_diff(at.x));
            if best.is_some_and(|(least, _, _)| across * across > least) {
                return false;
            }
            if let Some(gate) = place.gate {
                let key = (place.at.distance_squared(at), place.unit);
                if best.is_none_or(|(least, unit, _)| key < (least, unit)) {
                    best = Some((key.0, key.1, gate));
                }
            }
            true
        };
        let (mut looks_west, mut looks_east) = (true, true);
        while looks_west || looks_east {
            looks_west = looks_west && look(west.next());
            looks_east = looks_east && look(east.next());
        }
        (best.map(|(_, _, gate)| gate), seen)
    }

    /// Fills the list with rubbish.
    pub(crate) fn poison(&mut self) {
        poison_list(&mut self.places, Place { at: Fine::new(7, -7), unit: 7, gate: Some((Branch::Main, 7)) });
    }

    /// Reserves memory for this number of units.
    pub(crate) fn reserve(&mut self, units: usize) {
        reserve_total(&mut self.places, units);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cell;

    /// A block of 4,096 units, one per cell. Each third is no member yet. The gate of a member is its index.
    fn block() -> NearestMember {
        let mut nearest = NearestMember::default();
        for unit in 0..4096_u32 {
            let at = Fine::centre(cell(unit as i32 % 64, unit as i32 / 64));
            nearest.add(unit, at, (unit % 3 != 0).then(|| RouteProgress::start(Branch::Main, unit as u16)));
        }
        nearest.sort();
        nearest
    }

    fn nearest_of_all(nearest: &NearestMember, at: Fine) -> Option<(Branch, u16)> {
        let members = nearest.places.iter().filter(|place| place.gate.is_some());
        members.min_by_key(|place| (place.at.distance_squared(at), place.unit))?.gate
    }

    #[test]
    fn the_nearest_member_is_found_and_the_smallest_index_breaks_ties() {
        let mut nearest = block();
        for number in 0..2000_i32 {
            let at = Fine::new((number * 7919 % 80 - 8) << 15, (number * 104_729 % 160 - 16) << 15);
            assert_eq!(nearest.gate_beside(at), nearest_of_all(&nearest, at), "{at:?}");
            let unit = (number * 3 % 4096) as u32;
            let own = Fine::centre(cell(unit as i32 % 64, unit as i32 / 64));
            nearest.note_member(unit, own, RouteProgress::start(Branch::Main, unit as u16));
            assert_eq!(nearest.gate_beside(own), Some((Branch::Main, unit as u16)));
        }
        assert_eq!(NearestMember::default().gate_beside(Fine::ZERO), None);
    }

    #[test]
    fn each_joining_unit_looks_at_a_few_columns_of_the_group() {
        let nearest = block();
        let seen = (0..4096)
            .filter(|unit| unit % 3 == 0)
            .map(|unit| nearest.search(Fine::centre(cell(unit % 64, unit / 64))).1);
        // Three columns of 64, and one place behind them on each side.
        assert!(seen.max() <= Some(3 * 64 + 2));
    }
}
