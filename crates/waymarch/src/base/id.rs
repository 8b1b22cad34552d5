//! Ids with generations: an id of a removed value stays invalid.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

/// The id of a value in a [`Slots`](super::Slots) store: the index of its slot and the slot's generation.
///
/// Because of the generation, the id of a removed value finds nothing, even when another value uses the slot. The
/// store hands out ids, the same on every machine. Ids are ordered by index, then by generation, so the index
/// alone orders ids that are in use. `T` only keeps ids of different kinds apart; it costs nothing.
///
/// ```
/// use waymarch::base::Id;
/// struct Unit;
/// let id: Id<Unit> = Id::new(7, 2);
/// assert_eq!((id.index(), id.generation()), (7, 2));
/// assert_eq!(Id::from_bits(id.to_bits()), id);
/// assert!(Id::<Unit>::new(7, 2) < Id::new(8, 0));
/// ```
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = ""))]
pub struct Id<T> {
    index: u32,
    generation: u32,
    #[cfg_attr(feature = "serde", serde(skip))]
    kind: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// An id that no store hands out, so it never finds a value. Use it for "none" where an `Option` is too big.
    pub const DEAD: Self = Self::new(u32::MAX, u32::MAX);

    /// The id with this index and generation, for ids from a file or a network message.
    #[inline]
    #[must_use]
    pub const fn new(index: u32, generation: u32) -> Self {
        Self { index, generation, kind: PhantomData }
    }

    /// The index of the slot. It is unique among ids in use and is reused after removal. Use it for dense side tables.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// The number of values that the slot held before.
    #[inline]
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }

    /// Both parts as one number, with the index in the high half. Numbers have the same order as ids.
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        (self.index as u64) << 32 | self.generation as u64
    }

    /// The inverse of [`Id::to_bits`].
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self::new((bits >> 32) as u32, bits as u32)
    }
}

/// The kind of [`StampId`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StampTag {}

/// The id of a stamp on the map. The id of a removed stamp differs from all later ids.
pub type StampId = Id<StampTag>;

/// What a [`UnitId`] names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnitTag {}

/// The id of a unit. The id of a removed unit never names a later one.
pub type UnitId = Id<UnitTag>;

// Implemented by hand, because `derive` would require the same traits of `T`.
impl<T> Clone for Id<T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

impl<T> Eq for Id<T> {}

impl<T> PartialOrd for Id<T> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Id<T> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.to_bits().cmp(&other.to_bits())
    }
}

impl<T> Hash for Id<T> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_bits().hash(state);
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<T> fmt::Display for Id<T> {
    /// `#index.generation`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}.{}", self.index, self.generation)
    }
}

#[cfg(test)]
mod tests {
    use super::Id;

    /// A kind without traits. Its ids have an order all the same.
    struct Opaque;

    #[test]
    fn ids_order_by_index_then_generation() {
        let mut ids: Vec<Id<Opaque>> = [(1, 0), (0, 9), (1, 2), (0, 0)].map(|(i, g)| Id::new(i, g)).to_vec();
        ids.sort();
        let shown: Vec<String> = ids.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["#0.0", "#0.9", "#1.0", "#1.2"]);
        assert!(ids.iter().all(|&id| id < Id::DEAD));
    }

    #[test]
    fn bits_round_trip_at_the_ends() {
        for (index, generation) in [(0, 0), (0, u32::MAX), (u32::MAX, 0), (u32::MAX, u32::MAX)] {
            let id: Id<Opaque> = Id::new(index, generation);
            assert_eq!(Id::from_bits(id.to_bits()), id);
        }
    }
}
