//! A store that names what it holds.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;
use core::marker::PhantomData;

use super::bytes::{ByteReader, ByteWriter, LoadError, Persist};
use super::id::Id;

/// *World* data when its values are. Values in numbered slots, named by [`Id<K>`]; a stale id finds nothing.
///
/// Which id an insertion gives depends only on which slots are occupied and on their generations: always the
/// **smallest free index**. So the store is rebuilt exactly from a snapshot, with no hidden history.
/// Iteration is in index order. A slot whose generations run out (after 2³²-1 owners) is retired, never
/// reused.
///
/// Cost: access O(1), insertion and removal O(log n), iteration O(slots), as many as values were ever alive
/// at once. Nothing is allocated unless more values are alive than ever before.
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
/// assert_eq!((c.index(), c.generation()), (0, 1), "the slot is reused under another name");
/// assert_eq!(units.ids().collect::<Vec<_>>(), [c, b]);
/// ```
///
/// With a second parameter, the things named and the values stored differ: `Slots<Unit, u32>` holds numbers
/// and is asked with `Id<Unit>`.
pub struct Slots<K, V = K> {
    slots: Vec<Slot<V>>,
    live: usize,
    /// Vacant, unretired slots. Its capacity is at least `slots.len()`, so freeing never allocates.
    free: BinaryHeap<Reverse<u32>>,
    kind: PhantomData<fn() -> K>,
}

#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Slot<V> {
    /// The owner's generation, or the next owner's if vacant; [`RETIRED`] means there will be none.
    generation: u32,
    value: Option<V>,
}

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

    /// Makes room for `more` values beyond those that are there.
    pub fn reserve(&mut self, more: usize) {
        let slots = self.slots.len().max(self.live + more);
        self.slots.reserve(slots - self.slots.len());
        let free = self.slots.capacity().saturating_sub(self.free.len());
        self.free.reserve(free);
    }

    /// Stores `value` in the free slot of smallest index.
    #[inline]
    pub fn insert(&mut self, value: V) -> Id<K> {
        self.insert_with(|_| value)
    }

    /// Stores the value made by `make`, which is told the id first.
    ///
    /// # Panics
    /// When 2³² slots are in use, which no machine has the memory for.
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
        // `free` is empty here, so this asks for room for every slot there is.
        self.free.reserve(self.slots.capacity());
        self.live += 1;
        id
    }

    /// Takes the value out and makes `id` stale; `None` if it already is.
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

    /// The value named `id`, or `None` if it is gone.
    #[inline]
    #[must_use]
    pub fn get(&self, id: Id<K>) -> Option<&V> {
        let slot = self.slots.get(id.index() as usize)?;
        if slot.generation == id.generation() { slot.value.as_ref() } else { None }
    }

    /// The value named `id`, to change, or `None` if it is gone.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, id: Id<K>) -> Option<&mut V> {
        let slot = self.slots.get_mut(id.index() as usize)?;
        if slot.generation == id.generation() { slot.value.as_mut() } else { None }
    }

    /// Whether `id` still names something.
    #[inline]
    #[must_use]
    pub fn contains(&self, id: Id<K>) -> bool {
        self.get(id).is_some()
    }

    /// The id of whatever occupies slot `index` now.
    #[inline]
    #[must_use]
    pub fn id_at(&self, index: u32) -> Option<Id<K>> {
        let slot = self.slots.get(index as usize)?;
        slot.value.as_ref().map(|_| Id::new(index, slot.generation))
    }

    /// How many values there are.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.live
    }

    /// Whether there are no values.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// How many slots there are, occupied or not: one more than the largest index ever used. For dense side
    /// tables.
    #[inline]
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Removes every value; all ids so far are stale, and stay stale.
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

    /// Everything, in index order.
    pub fn iter(&self) -> impl Iterator<Item = (Id<K>, &V)> {
        (0_u32..).zip(&self.slots).filter_map(|(index, slot)| {
            slot.value.as_ref().map(|value| (Id::new(index, slot.generation), value))
        })
    }

    /// Everything, to change, in index order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Id<K>, &mut V)> {
        (0_u32..).zip(&mut self.slots).filter_map(|(index, slot)| {
            let id = Id::new(index, slot.generation);
            slot.value.as_mut().map(|value| (id, value))
        })
    }

    /// The ids of everything, in index order.
    pub fn ids(&self) -> impl Iterator<Item = Id<K>> {
        self.iter().map(|(id, _)| id)
    }

    /// The values, in index order.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.slots.iter().filter_map(|slot| slot.value.as_ref())
    }

    /// Generation and value of every slot: all there is to know about the store.
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
    /// Equal stores hold equal values under the same ids and will hand out the same ids.
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
    /// Writes it down, each value as `save` does. With the generations of empty slots, so that the same names are given out after loading.
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

    /// Reads it back, each value as `load` does.
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are not those of such a store.
    pub fn load_with(
        reader: &mut ByteReader<'_>,
        mut load: impl FnMut(&mut ByteReader<'_>) -> Result<V, LoadError>,
    ) -> Result<Self, LoadError> {
        let mut slots = Vec::new();
        for _ in 0..reader.count(5)? {
            let generation = u32::load(reader)?;
            let value = if bool::load(reader)? { Some(load(reader)?) } else { None };
            if generation == RETIRED && value.is_some() {
                return Err(reader.error("a retired slot that holds something"));
            }
            slots.push(Slot { generation, value });
        }
        Ok(Self::from_slots(slots))
    }
}

/// Vacant slots are written too: their generations decide future ids.
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
        Vec::deserialize(de).map(Self::from_slots)
    }
}

impl<K, V> Slots<K, V> {
    /// The same ids, with other values: for snapshots of things of which a part is saved.
    pub fn map<W>(&self, mut make: impl FnMut(&V) -> W) -> Slots<K, W> {
        let slot =
            |slot: &Slot<V>| Slot { generation: slot.generation, value: slot.value.as_ref().map(&mut make) };
        Slots::from_slots(self.slots.iter().map(slot).collect())
    }

    /// As [`Slots::map`], of values that are no longer needed.
    pub fn into_map<W>(self, mut make: impl FnMut(V) -> W) -> Slots<K, W> {
        let slot = |slot: Slot<V>| Slot { generation: slot.generation, value: slot.value.map(&mut make) };
        Slots::from_slots(self.slots.into_iter().map(slot).collect())
    }

    /// Everything else follows from the slots.
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
