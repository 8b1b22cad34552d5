//! Names that outlive what they name.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

/// The name of one thing of kind `T` in a [`Slots`](super::Slots) store: a slot number and the slot's
/// generation.
///
/// The generation makes a stale id answer "gone" instead of naming the slot's next owner. Ids are
/// handed out by the store, the same on every machine, and ordered by index and then generation, so among
/// live ids the index alone decides. `T` only keeps ids of different kinds apart; it costs nothing.
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
    /// An id no store ever hands out: it is always stale. For "nobody" where an `Option` is too big.
    pub const DEAD: Self = Self::new(u32::MAX, u32::MAX);

    /// The id with these parts, for reading ids back from a file or a network message.
    #[inline]
    #[must_use]
    pub const fn new(index: u32, generation: u32) -> Self {
        Self { index, generation, kind: PhantomData }
    }

    /// Which slot: unique among live ids, reused after removal. For dense side tables.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How many earlier owners the slot had.
    #[inline]
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }

    /// Both parts in one number, index in the high half, so numbers order as ids do.
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

/// Names a stamp that stands, or stood, on a map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StampTag {}

/// A stamp on the map; an id of one that is gone is told from all later ones.
pub type StampId = Id<StampTag>;

// Written by hand because deriving would ask the same of `T`.
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

    /// Neither ordered nor comparable: ids of it still are.
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
