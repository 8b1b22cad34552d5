//! The state hash, which peers compare to detect a desync.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use xxhash_rust::xxh3::Xxh3;

/// A value that is part of the state that all peers must agree on.
///
/// An implementation writes every field that can influence later ticks, in a fixed order. It writes no caches and
/// no scratch. Lists write their length first, so that no two states write the same bytes.
///
/// ```
/// use waymarch::base::{HashState, StateHasher, Tick};
/// struct Unit { health: u16, ready: Tick }
/// impl HashState for Unit {
///     fn hash_state(&self, h: &mut StateHasher) {
///         h.write_u16(self.health);
///         self.ready.hash_state(h);
///     }
/// }
/// let a = Unit { health: 3, ready: Tick(9) };
/// let b = Unit { health: 4, ready: Tick(9) };
/// assert_ne!(StateHasher::hash_of(&a), StateHasher::hash_of(&b));
/// ```
pub trait HashState {
    /// Writes the value into `h`.
    fn hash_state(&self, h: &mut StateHasher);
}

/// Hashes a stream of little-endian bytes with xxh3-64. The hash is the same on every machine.
///
/// There is deliberately no method for `usize`, because its width differs between machines. Lengths are written
/// as `u64`. Only the order of the bytes matters, not how they are grouped into writes. The hash is not
/// cryptographic.
///
/// ```
/// use waymarch::base::StateHasher;
/// let mut h = StateHasher::new();
/// h.write_u16(0x0201);
/// h.write_u8(3);
/// let mut same = StateHasher::new();
/// [1, 2, 3].iter().for_each(|&byte| same.write_u8(byte));
/// assert_eq!(h.finish(), same.finish());
/// ```
#[derive(Clone, Default)]
pub struct StateHasher(Xxh3);

macro_rules! writers {
    ($($name:ident: $int:ty, $slice:ident;)*) => {$(
        #[doc = concat!("Writes a `", stringify!($int), "`, little-endian.")]
        #[inline]
        pub fn $name(&mut self, value: $int) {
            self.0.update(&value.to_le_bytes());
        }

        #[doc = concat!("Writes the length and the items, each as a `", stringify!($int), "`.")]
        pub fn $slice(&mut self, values: &[$int]) {
            self.write_len(values.len());
            for &value in values {
                self.$name(value);
            }
        }
    )*};
}

impl StateHasher {
    /// A hasher that has no bytes yet.
    #[must_use]
    pub fn new() -> Self {
        Self(Xxh3::new())
    }

    /// The hash of one value.
    #[must_use]
    pub fn hash_of<T: HashState + ?Sized>(value: &T) -> u64 {
        let mut h = Self::new();
        value.hash_state(&mut h);
        h.finish()
    }

    writers! {
        write_u16: u16, write_u16s;
        write_u32: u32, write_u32s;
        write_u64: u64, write_u64s;
        write_i16: i16, write_i16s;
        write_i32: i32, write_i32s;
        write_i64: i64, write_i64s;
    }

    /// Writes one byte.
    #[inline]
    pub fn write_u8(&mut self, value: u8) {
        self.0.update(&[value]);
    }

    /// Writes the number of bytes, then the bytes.
    pub fn write_bytes(&mut self, bytes: &[u8]) {
        self.write_len(bytes.len());
        self.0.update(bytes);
    }

    /// Writes bytes without their number. The same as [`StateHasher::write_u8`] for each byte, and faster.
    pub fn write_raw(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Writes one byte, 0 or 1.
    #[inline]
    #[expect(clippy::fn_params_excessive_bools, reason = "the truth value is the data, not an option")]
    pub fn write_bool(&mut self, value: bool) {
        self.write_u8(u8::from(value));
    }

    /// Writes a length, as a `u64`.
    #[inline]
    pub fn write_len(&mut self, len: usize) {
        self.write_u64(len as u64);
    }

    /// The hash of all bytes written so far. More may be written afterwards.
    #[must_use]
    pub fn finish(&self) -> u64 {
        self.0.digest()
    }
}

impl fmt::Debug for StateHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateHasher({:016x})", self.finish())
    }
}

/// The hash of a whole state, with one hash per subsystem, so that a desync can be located.
///
/// *Invariant:* the parts are sorted by name and the total depends only on them. So the order in which parts
/// were added does not matter.
///
/// ```
/// use waymarch::base::{StateHash, Tick};
/// let state = |health: u32| StateHash::builder().part("units", &health).part("clock", &Tick(5)).finish();
/// assert_eq!(state(10), state(10));
/// assert_eq!(state(10).first_difference(&state(9)), Some("units"));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StateHash {
    total: u64,
    parts: Vec<(&'static str, u64)>,
}

impl StateHash {
    /// A builder without parts.
    #[must_use]
    pub const fn builder() -> StateHashBuilder {
        StateHashBuilder { parts: Vec::new() }
    }

    /// The hash of all parts. Peers exchange it.
    #[inline]
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// The name and hash of each subsystem, sorted by name.
    #[inline]
    #[must_use]
    pub fn parts(&self) -> &[(&'static str, u64)] {
        &self.parts
    }

    /// The hash of the subsystem `name`; `None` if there is no such part.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<u64> {
        let at = self.parts.binary_search_by(|(other, _)| (*other).cmp(name)).ok()?;
        Some(self.parts[at].1)
    }

    /// The first subsystem, by name, that differs or that only one of the two states has. `None` if the states are
    /// equal.
    #[must_use]
    pub fn first_difference(&self, other: &Self) -> Option<&'static str> {
        let (mut ours, mut theirs) = (self.parts.iter(), other.parts.iter());
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return None,
                (Some((name, _)), None) | (None, Some((name, _))) => return Some(name),
                (Some(our), Some(their)) => match our.0.cmp(their.0) {
                    Ordering::Equal if our.1 == their.1 => {}
                    Ordering::Equal | Ordering::Less => return Some(our.0),
                    Ordering::Greater => return Some(their.0),
                },
            }
        }
    }
}

impl fmt::Display for StateHash {
    /// The total as 16 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.total)
    }
}

/// Builds a [`StateHash`], see [`StateHash::builder`].
///
/// ```
/// use waymarch::base::StateHash;
/// let hash = StateHash::builder().part_with("map", |h| h.write_u32s(&[1, 2, 3])).finish();
/// assert_eq!(hash.parts().len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct StateHashBuilder {
    parts: Vec<(&'static str, u64)>,
}

impl StateHashBuilder {
    /// Adds a subsystem.
    ///
    /// # Panics
    /// If there is a part of this name already.
    #[must_use]
    pub fn part<T: HashState + ?Sized>(self, name: &'static str, value: &T) -> Self {
        self.part_with(name, |h| value.hash_state(h))
    }

    /// Adds a subsystem whose bytes `write` writes.
    ///
    /// # Panics
    /// If there is a part of this name already.
    #[must_use]
    pub fn part_with(mut self, name: &'static str, write: impl FnOnce(&mut StateHasher)) -> Self {
        let Err(at) = self.parts.binary_search_by(|(other, _)| (*other).cmp(name)) else {
            panic!("the state hash already has a part called {name}");
        };
        let mut h = StateHasher::new();
        write(&mut h);
        self.parts.insert(at, (name, h.finish()));
        self
    }

    /// Computes the total.
    #[must_use]
    pub fn finish(self) -> StateHash {
        let mut h = StateHasher::new();
        h.write_len(self.parts.len());
        for (name, hash) in &self.parts {
            h.write_bytes(name.as_bytes());
            h.write_u64(*hash);
        }
        StateHash { total: h.finish(), parts: self.parts }
    }
}

#[cfg(test)]
mod tests;
