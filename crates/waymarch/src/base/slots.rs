//! A store that hands out ids for its values.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;
use core::marker::PhantomData;

use super::bytes::{ByteReader, ByteWriter, LoadError, Persist};
use super::id::Id;

/// *World* when the values are World data. A store of values in numbered slots, found by [`Id<K>`]. The id of a removed value
/// finds nothing.
///
/// An insertion always uses the **smallest free index**. So the id depends only on the occupied slots and on the
/// generations, and a store loaded from a snapshot hands out the same ids. Iteration is in index order. A slot is
/// retired after 2³²-1 values and never reused.
///
/// Cost: access O(1), insertion and removal O(log n), iteration O(slots). The number of slots is the greatest number of
/// values stored at the same time. The store allocates only when it holds more values than ever before.
///
/// ```
/// use waymarch::base::{Id, Slots};
/// struct Unit {
///     health: u32,
/// }
/// let mut units: Slots<Unit> = Slots::new();
/// let a = units.insert(Unit { health: 10 });
/// let b = units.insert(Unit { health: 20 });
/// assert_eq!(units.remove(a).map(|unit| unit.health), Some(10));
/// assert!(units.get(a).is_none(), "stale");
///
/// let c: Id<Unit> = units.insert(Unit { health: 30 });
/// assert_eq!((c.index(), c.generation()), (0, 1), "the slot is reused with another generation");
/// assert_eq!(units.ids().collect::<Vec<_>>(), [c, b]);
/// ```
///
/// With a second parameter, the kind of the ids and the type of the values differ: `Slots<Unit, u32>` holds numbers
/// and is accessed with `Id<Unit>`.
pub struct Slots<K, V = K> {
    slots: Vec<Slot<V>>,
    live: usize,
    /// Vacant slots that are not retired. This heap has a capacity of at least `slots.len()`, so removal never allocates.
    free: BinaryHeap<Reverse<u32>>,
    kind: PhantomData<fn() -> K>,
}

#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Slot<V> {
    /// The generation of the value, or of the next value if the slot is vacant. [`RETIRED`] if there will be none.
    generation: u32,
    value: Option<V>,
}

/// The generation of a slot that is never used again: `u32::MAX`.
const RETIRED: u32 = u32::MAX;

impl<K, V> Slots<K, V> {
    /// An empty store; allocates nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { slots: Vec::new(), live: 0, free: BinaryHeap::new(), kind: PhantomData }
    }

    /// An empty store that holds `capacity` values without allocating.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            slots: Vec::with_capacity(capacity),
            live: 0,
            free: BinaryHeap::with_capacity(capacity),
            kind: PhantomData,
        }
    }

    /// Reserves capacity for `more` additional values.
    pub fn reserve(&mut self, more: usize) {
        let slots = self.slots.len().max(self.live + more);
        self.slots.reserve(slots - self.slots.len());
        let free = self.slots.capacity().saturating_sub(self.free.len());
        self.free.reserve(free);
    }

    /// Stores `value` in the free slot with the smallest index and returns its id.
    #[inline]
    pub fn insert(&mut self, value: V) -> Id<K> {
        self.insert_with(|_| value)
    }

    /// Stores the value that `make` returns for the id.
    ///
    /// # Panics
    /// If 2³² slots are in use.
    pub fn insert_with(&mut self, make: impl FnOnce(Id<K>) -> V) -> Id<K> {
        if let Some(&Reverse(index)) = self.free.peek() {
            let slot = &mut self.slots[index as usize];
            let id = Id::new(index, slot.generation);
            slot.value = Some(make(id));
            self.free.pop();
            self.live += 1;
            return id;
        }
        let index = u32::try_from(self.slots.len()).expect("fewer than 2^32 slots");
        let id = Id::new(index, 0);
        self.slots.push(Slot { generation: 0, value: Some(make(id)) });
        // `free` is empty here, so this reserves an entry for every slot.
        self.free.reserve(self.slots.capacity());
        self.live += 1;
        id
    }

    /// Removes and returns a value. Its id is invalid from then on. `None` if the id is invalid already.
    pub fn remove(&mut self, id: Id<K>) -> Option<V> {
        let slot = self.slots.get_mut(id.index() as usize)?;
        if slot.generation != id.generation() {
            return None;
        }
        let value = slot.value.take()?;
        self.live -= 1;
        slot.generation = slot.generation.saturating_add(1);
        if slot.generation != RETIRED {
            self.free.push(Reverse(id.index()));
        }
        Some(value)
    }

    /// The value with this id, or `None` if it was removed.
    #[inline]
    #[must_use]
    pub fn get(&self, id: Id<K>) -> Option<&V> {
        let slot = self.slots.get(id.index() as usize)?;
        if slot.generation == id.generation() { slot.value.as_ref() } else { None }
    }

    /// The value with this id, to be changed, or `None` if it was removed.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, id: Id<K>) -> Option<&mut V> {
        let slot = self.slots.get_mut(id.index() as usize)?;
        if slot.generation == id.generation() { slot.value.as_mut() } else { None }
    }

    /// Whether there is a value with this id.
    #[inline]
    #[must_use]
    pub fn contains(&self, id: Id<K>) -> bool {
        self.get(id).is_some()
    }

    /// The id of the value in slot `index`, or `None` if the slot is vacant.
    #[inline]
    #[must_use]
    pub fn id_at(&self, index: u32) -> Option<Id<K>> {
        let slot = self.slots.get(index as usize)?;
        slot.value.as_ref().map(|_| Id::new(index, slot.generation))
    }

    /// The number of values.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.live
    }

    /// Whether the store has no values.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// The number of slots, occupied or vacant: the largest index ever used, plus one. For dense side tables.
    #[inline]
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Removes all values. All ids handed out so far become invalid.
    pub fn clear(&mut self) {
        self.free.clear();
        self.live = 0;
        for (index, slot) in (0_u32..).zip(&mut self.slots) {
            if slot.value.take().is_some() {
                slot.generation = slot.generation.saturating_add(1);
            }
            if slot.generation != RETIRED {
                self.free.push(Reverse(index));
            }
        }
    }

    /// All ids and values, in index order.
    pub fn iter(&self) -> impl Iterator<Item = (Id<K>, &V)> {
        (0_u32..).zip(&self.slots).filter_map(|(index, slot)| {
            slot.value.as_ref().map(|value| (Id::new(index, slot.generation), value))
        })
    }

    /// All ids and values, to be changed, in index order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Id<K>, &mut V)> {
        (0_u32..).zip(&mut self.slots).filter_map(|(index, slot)| {
            let id = Id::new(index, slot.generation);
            slot.value.as_mut().map(|value| (id, value))
        })
    }

    /// All ids, in index order.
    pub fn ids(&self) -> impl Iterator<Item = Id<K>> {
        self.iter().map(|(id, _)| id)
    }

    /// All values, in index order.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.slots.iter().filter_map(|slot| slot.value.as_ref())
    }

    /// The generation and value of every slot. They determine the whole store.
    pub(super) fn raw_slots(&self) -> impl Iterator<Item = (u32, Option<&V>)> {
        self.slots.iter().map(|slot| (slot.generation, slot.value.as_ref()))
    }
}

impl<K, V> Default for Slots<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V: Clone> Clone for Slots<K, V> {
    fn clone(&self) -> Self {
        let slots = self.slots.clone();
        let mut free = BinaryHeap::with_capacity(slots.capacity());
        free.extend(self.free.iter().copied());
        Self { slots, live: self.live, free, kind: PhantomData }
    }
}

impl<K, V: PartialEq> PartialEq for Slots<K, V> {
    /// Equal stores have equal values under the same ids and hand out the same ids later.
    fn eq(&self, other: &Self) -> bool {
        self.slots == other.slots
    }
}

impl<K, V: Eq> Eq for Slots<K, V> {}

impl<K, V: fmt::Debug> fmt::Debug for Slots<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K, V> Slots<K, V> {
    /// Writes the store; `save` writes each value. The generations of vacant slots are written too, so that a loaded store hands
    /// out the same ids.
    pub fn save_with(&self, writer: &mut ByteWriter, save: impl Fn(&V, &mut ByteWriter)) {
        writer.count(self.slots.len());
        for slot in &self.slots {
            slot.generation.save(writer);
            slot.value.is_some().save(writer);
            if let Some(value) = &slot.value {
                save(value, writer);
            }
        }
    }

    /// Reads a store; `load` reads each value.
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are not a valid store.
    pub fn load_with(
        reader: &mut ByteReader<'_>,
        mut load: impl FnMut(&mut ByteReader<'_>) -> Result<V, LoadError>,
    ) -> Result<Self, LoadError> {
        let mut slots = Vec::new();
        for _ in 0..reader.count(5)? {
            let generation = u32::load(reader)?;
            let value = if bool::load(reader)? { Some(load(reader)?) } else { None };
            if generation == RETIRED && value.is_some() {
                return Err(reader.error("a retired slot has a value"));
            }
            slots.push(Slot { generation, value });
        }
        Ok(Self::from_slots(slots))
    }
}

/// Vacant slots are written too, because their generations decide later ids.
impl<K, V: Persist> Persist for Slots<K, V> {
    fn save(&self, writer: &mut ByteWriter) {
        self.save_with(writer, V::save);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Self::load_with(reader, V::load)
    }
}

#[cfg(feature = "serde")]
impl<K, V: serde::Serialize> serde::Serialize for Slots<K, V> {
    fn serialize<S: serde::Serializer>(&self, ser: S) -> Result<S::Ok, S::Error> {
        self.slots.serialize(ser)
    }
}

#[cfg(feature = "serde")]
impl<'de, K, V: serde::Deserialize<'de>> serde::Deserialize<'de> for Slots<K, V> {
    fn deserialize<D: serde::Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        let slots = Vec::<Slot<V>>::deserialize(de)?;
        if slots.iter().any(|slot| slot.generation == RETIRED && slot.value.is_some()) {
            return Err(serde::de::Error::custom("a retired slot has a value"));
        }
        Ok(Self::from_slots(slots))
    }
}

impl<K, V> Slots<K, V> {
    /// A store with the same ids and the values that `make` returns. For snapshots that save only a part of each value.
    pub fn map<W>(&self, mut make: impl FnMut(&V) -> W) -> Slots<K, W> {
        let slot =
            |slot: &Slot<V>| Slot { generation: slot.generation, value: slot.value.as_ref().map(&mut make) };
        Slots::from_slots(self.slots.iter().map(slot).collect())
    }

    /// [`Slots::map`] for a store that is no longer needed.
    pub fn into_map<W>(self, mut make: impl FnMut(V) -> W) -> Slots<K, W> {
        let slot = |slot: Slot<V>| Slot { generation: slot.generation, value: slot.value.map(&mut make) };
        Slots::from_slots(self.slots.into_iter().map(slot).collect())
    }

    /// The store with these slots.
    fn from_slots(slots: Vec<Slot<V>>) -> Self {
        let mut free = BinaryHeap::with_capacity(slots.capacity());
        free.extend(
            (0_u32..)
                .zip(&slots)
                .filter(|(_, slot)| slot.value.is_none() && slot.generation != RETIRED)
                .map(|(index, _)| Reverse(index)),
        );
        let live = slots.iter().filter(|slot| slot.value.is_some()).count();
        Self { slots, live, free, kind: PhantomData }
    }
}

#[cfg(test)]
mod tests;
