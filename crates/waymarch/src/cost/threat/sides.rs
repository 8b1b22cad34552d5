//! Sides: whose threat sources frighten which observer.

use alloc::vec::Vec;

use super::own_sums::OwnSums;
use crate::base::{ByteReader, ByteWriter, HashState, LoadError, OBSERVERS, Observer, Persist, StateHasher};

/// World: the side of each observer. At the start each observer is alone on the side with its number.
///
/// Observers of one side are not frightened by each other's sources.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sides {
    of: [u8; OBSERVERS],
    /// Derived: the observer with the smallest number on the side of each observer.
    first: [u8; OBSERVERS],
}

impl Default for Sides {
    fn default() -> Self {
        let numbers = core::array::from_fn(|number| number as u8);
        Self { of: numbers, first: numbers }
    }
}

impl Sides {
    /// The side of an observer.
    #[inline]
    pub(super) fn of(&self, observer: Observer) -> u8 {
        self.of[observer.index()]
    }

    /// The observer with the smallest number on the same side.
    #[inline]
    pub(super) fn first(&self, observer: Observer) -> Observer {
        Observer(self.first[observer.index()])
    }

    pub(super) fn set(&mut self, observer: Observer, side: u8) {
        self.of[observer.index()] = side;
        let mut first = [None::<u8>; OBSERVERS];
        for (number, &side) in (0..=u8::MAX).zip(&self.of) {
            first[usize::from(side)].get_or_insert(number);
        }
        for (number, entry) in self.first.iter_mut().enumerate() {
            // Each side of an observer has at least this observer.
            *entry = first[usize::from(self.of[number])].unwrap_or(number as u8);
        }
    }

    /// The observers that are not on the side with their number, with their sides, ascending.
    pub(super) fn moved(&self) -> impl Iterator<Item = (Observer, u8)> + '_ {
        let all = (0..=u8::MAX).zip(self.of);
        all.filter(|&(number, side)| number != side).map(|(number, side)| (Observer(number), side))
    }
}

/// Only what differs from the start is hashed.
impl HashState for Sides {
    fn hash_state(&self, hasher: &mut StateHasher) {
        for (observer, side) in self.moved() {
            observer.hash_state(hasher);
            hasher.write_u8(side);
        }
    }
}

/// Only the observers that have changed their side are written, so that equal sides give equal bytes.
impl Persist for Sides {
    fn save(&self, writer: &mut ByteWriter) {
        self.moved().collect::<Vec<_>>().save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let moved = Vec::<(Observer, u8)>::load(reader)?;
        let in_order = moved.windows(2).all(|two| two[0].0 < two[1].0);
        if !in_order || moved.iter().any(|&(observer, side)| observer.0 == side) {
            return Err(reader.error("the sides of observers are not in order, or one is on its first side"));
        }
        let mut sides = Self::default();
        moved.into_iter().for_each(|(observer, side)| sides.set(observer, side));
        Ok(sides)
    }
}

/// Derived: the sums of the sources that belong to each side.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnThreat {
    /// Sides with sources that count in the map now, ascending, with the number of these sources.
    sides: Vec<(u8, u32, OwnSums)>,
}

impl OwnThreat {
    /// The number of a side's sources that count in the map now, and their sums; `None` if it has none.
    #[inline]
    pub(super) fn of(&self, side: u8) -> Option<(u32, &OwnSums)> {
        let (_, count, sums) = self.sides.iter().find(|entry| entry.0 == side)?;
        Some((*count, sums))
    }

    /// Whether no side has sources.
    pub(super) fn is_empty(&self) -> bool {
        self.sides.is_empty()
    }

    /// The sums of a side, to which a source is added. `cells` is the number of padded cells of the map.
    pub(super) fn add_source(&mut self, side: u8, cells: usize) -> &mut OwnSums {
        let at = match self.sides.binary_search_by_key(&side, |entry| entry.0) {
            Ok(at) => at,
            Err(at) => {
                self.sides.insert(at, (side, 0, OwnSums::new(cells)));
                at
            }
        };
        let (_, count, sums) = &mut self.sides[at];
        *count += 1;
        sums
    }

    /// Takes one source of a side out. `None` if it was the last one: then the sums are gone.
    pub(super) fn take_source(&mut self, side: u8) -> Option<&mut OwnSums> {
        let at = self.sides.binary_search_by_key(&side, |entry| entry.0).ok()?;
        self.sides[at].1 -= 1;
        if self.sides[at].1 == 0 {
            self.sides.remove(at);
            return None;
        }
        Some(&mut self.sides[at].2)
    }

    /// Whether all sides have the same sums as in `other`, on a map of `cells` padded cells.
    pub(super) fn same_sums(&self, other: &Self, cells: usize) -> bool {
        let key = |entry: &(u8, u32, OwnSums)| (entry.0, entry.1);
        self.sides.iter().map(key).eq(other.sides.iter().map(key))
            && self
                .sides
                .iter()
                .zip(&other.sides)
                .all(|(one, other)| (0..cells).all(|place| one.2.at(place) == other.2.at(place)))
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.sides.iter().map(|entry| entry.2.memory_bytes()).sum()
    }
}
