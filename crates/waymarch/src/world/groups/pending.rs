//! The memberships that a group has given to units: a unit takes its own when it begins the order.
//!
//! The list has every unit that got a slot when the group was formed or re-slotted, and has not left since. Units that have begun the order, or have arrived, stay in the
//! list. Their column of `units/` is what counts then: it changes with every gate and every exchange of slots, and the list does not.

use alloc::vec::Vec;

use crate::base::{ByteReader, ByteWriter, LoadError, Persist};
use crate::world::units::membership::{GroupId, Membership};

/// World: the memberships that units take when they begin the order, in the order of unit indices.
///
/// A removed entry stays in the list with a dead group until half of the list is removed. So removing all members of a group one by one
/// takes linear time. Removed entries are neither compared nor saved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending {
    list: Vec<(u32, Membership)>,
    /// The number of removed entries in `list`.
    removed: u32,
}

impl Pending {
    /// An empty list that reuses the memory of `list`.
    pub(crate) fn reusing(mut list: Vec<(u32, Membership)>) -> Self {
        list.clear();
        Self { list, removed: 0 }
    }

    /// The memory, for reuse.
    pub(crate) fn into_list(self) -> Vec<(u32, Membership)> {
        self.list
    }

    fn place_of(&self, unit: u32) -> Result<usize, usize> {
        self.list.binary_search_by_key(&unit, |(unit, _)| *unit)
    }

    pub(crate) fn get(&self, unit: u32) -> Option<Membership> {
        let place = self.place_of(unit).ok()?;
        Some(self.list[place].1).filter(is_kept)
    }

    /// Adds memberships of units, or replaces them. `entries` must be in the order of unit indices, each unit once, and must have a living group.
    /// On return, `entries` holds only units that are new. *Cost:* linear in both lists, however many units are new.
    pub(crate) fn merge(&mut self, entries: &mut Vec<(u32, Membership)>) {
        debug_assert!(
            entries.windows(2).all(|pair| pair[0].0 < pair[1].0),
            "entries in the order of unit indices"
        );
        entries.retain(|&(unit, membership)| match self.place_of(unit) {
            Ok(place) => {
                self.removed -= u32::from(!is_kept(&self.list[place].1));
                self.list[place].1 = membership;
                false
            }
            Err(_) => true,
        });
        let mut old = self.list.len();
        self.list.extend_from_slice(entries);
        // From the back, each place gets the larger of the last entries that are left.
        let mut place = self.list.len();
        for &entry in entries.iter().rev() {
            while old > 0 && self.list[old - 1].0 > entry.0 {
                (old, place) = (old - 1, place - 1);
                self.list[place] = self.list[old];
            }
            place -= 1;
            self.list[place] = entry;
        }
    }

    pub(crate) fn remove(&mut self, unit: u32) {
        let Ok(place) = self.place_of(unit) else { return };
        if !is_kept(&self.list[place].1) {
            return;
        }
        self.list[place].1.group = GroupId::DEAD;
        self.removed += 1;
        if self.removed as usize * 2 > self.list.len() {
            self.list.retain(|(_, membership)| is_kept(membership));
            self.removed = 0;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len() - self.removed as usize
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(u32, Membership)> {
        self.list.iter().filter(|(_, membership)| is_kept(membership))
    }

    pub(crate) fn memberships_mut(&mut self) -> impl Iterator<Item = &mut Membership> {
        self.list.iter_mut().map(|(_, membership)| membership).filter(|membership| is_kept(membership))
    }

    /// Whether the unit indices ascend.
    pub(crate) fn is_ordered(&self) -> bool {
        self.list.windows(2).all(|pair| pair[0].0 < pair[1].0)
    }
}

fn is_kept(membership: &Membership) -> bool {
    membership.group != GroupId::DEAD
}

/// The entries must be in the order of unit indices.
impl Extend<(u32, Membership)> for Pending {
    fn extend<I: IntoIterator<Item = (u32, Membership)>>(&mut self, entries: I) {
        self.list.extend(entries);
    }
}

impl PartialEq for Pending {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Pending {}

/// The bytes of a list of pairs.
impl Persist for Pending {
    fn save(&self, writer: &mut ByteWriter) {
        (self.len() as u32).save(writer);
        self.iter().for_each(|entry| entry.save(writer));
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let list = Vec::<(u32, Membership)>::load(reader)?;
        if list.iter().all(|(_, membership)| is_kept(membership)) {
            Ok(Self { list, removed: 0 })
        } else {
            Err(reader.error("a group with a removed membership"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Fine, Id};
    use crate::groups::LanePlace;
    use crate::world::units::membership::{Branch, RouteProgress};

    fn membership(slot: i32) -> Membership {
        Membership {
            group: Id::from_bits(1 << 32),
            slot: Fine::new(slot, 7),
            lane: LanePlace::default(),
            route: RouteProgress::start(Branch::Main, 0),
            facing: None,
        }
    }

    #[test]
    fn a_list_with_removed_entries_equals_a_new_one_in_bytes_too() {
        let mut random = crate::base::Rng::keyed(7, crate::base::Tick::ZERO, 0, crate::base::Purpose(1));
        let (mut pending, mut plain) = (Pending::default(), Vec::<(u32, Membership)>::new());
        for step in 0..4000 {
            let unit = random.below(200);
            let place = plain.binary_search_by_key(&unit, |(unit, _)| *unit);
            if random.below(3) == 0 {
                // One to eight units: this one, and some above it.
                let mut entries: Vec<_> =
                    (0..1 + random.below(8)).map(|number| (unit + number * 5, membership(step))).collect();
                for &(unit, membership) in &entries {
                    match plain.binary_search_by_key(&unit, |(unit, _)| *unit) {
                        Ok(place) => plain[place].1 = membership,
                        Err(gap) => plain.insert(gap, (unit, membership)),
                    }
                }
                pending.merge(&mut entries);
            } else {
                pending.remove(unit);
                if let Ok(place) = place {
                    plain.remove(place);
                }
            }
            assert!(pending.len() == plain.len() && pending.is_ordered() && pending.iter().eq(&plain));
            let expected = plain.iter().find(|(other, _)| *other == unit).map(|(_, membership)| *membership);
            assert_eq!(pending.get(unit), expected);
            let (mut one, mut other) = (ByteWriter::new(), ByteWriter::new());
            pending.save(&mut one);
            plain.save(&mut other);
            assert_eq!(one.bytes(), other.bytes());
        }
    }

    #[test]
    fn half_a_million_units_join_in_one_pass() {
        // Insertion one by one moves the tail for each of them, and needs minutes for this.
        const UNITS: u32 = 1 << 19;
        let mut pending = Pending::default();
        pending.extend((0..UNITS).map(|unit| (2 * unit, membership(1))));
        pending.merge(&mut (0..UNITS).map(|unit| (2 * unit + 1, membership(2))).collect());
        assert!(pending.len() == 2 * UNITS as usize && pending.is_ordered());
        assert!(pending.iter().all(|&(unit, own)| own.slot.x == 1 + (unit % 2) as i32));
    }

    #[test]
    fn removing_all_members_of_a_large_group_one_by_one_moves_each_entry_a_few_times() {
        // A list that moves its tail at each removal needs minutes for this.
        const UNITS: u32 = 1 << 19;
        let mut pending = Pending::default();
        pending.extend((0..UNITS).map(|unit| (unit, membership(unit as i32))));
        for unit in 0..UNITS {
            assert_eq!(pending.get(unit).map(|membership| membership.slot.x), Some(unit as i32));
            pending.remove(unit);
            assert_eq!((pending.get(unit), pending.len()), (None, (UNITS - unit - 1) as usize));
        }
    }
}
