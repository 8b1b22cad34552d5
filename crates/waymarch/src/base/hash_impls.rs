//! [`HashState`] for the types of this module.

use alloc::vec::Vec;

use super::hash::{HashState, StateHasher};
use super::{Angle, CellId, CellPos, CellRect, Dir8, Fixed, GridSize, Id, Slots, Tick, Vec2};

macro_rules! hash_integers {
    ($($int:ty: $write:ident,)*) => {$(
        impl HashState for $int {
            #[inline]
            fn hash_state(&self, h: &mut StateHasher) {
                h.$write(*self);
            }
        }
    )*};
}

hash_integers! {
    u8: write_u8,
    u16: write_u16,
    u32: write_u32,
    u64: write_u64,
    i16: write_i16,
    i32: write_i32,
    i64: write_i64,
    bool: write_bool,
}

/// Implements [`HashState`] for structs: the fields in the given order.
macro_rules! hash_fields {
    ($($name:ty: $($field:ident),*;)*) => {$(
        impl HashState for $name {
            #[inline]
            fn hash_state(&self, h: &mut StateHasher) {
                $(self.$field.hash_state(h);)*
            }
        }
    )*};
}

hash_fields! {
    CellPos: x, y;
    CellRect: x0, y0, x1, y1;
    Vec2: x, y;
}

macro_rules! hash_as {
    ($($name:ty: $this:ident => $value:expr;)*) => {$(
        impl HashState for $name {
            #[inline]
            fn hash_state(&self, h: &mut StateHasher) {
                let $this = self;
                $value.hash_state(h);
            }
        }
    )*};
}

hash_as! {
    Fixed: fixed => fixed.raw();
    Angle: angle => angle.0;
    CellId: id => id.0;
    Dir8: dir => dir.index();
    Tick: tick => tick.0;
    GridSize: size => (size.width(), size.height());
}

impl<T> HashState for Id<T> {
    #[inline]
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_u64(self.to_bits());
    }
}

impl<T: HashState + ?Sized> HashState for &T {
    fn hash_state(&self, h: &mut StateHasher) {
        (**self).hash_state(h);
    }
}

impl<A: HashState, B: HashState> HashState for (A, B) {
    fn hash_state(&self, h: &mut StateHasher) {
        self.0.hash_state(h);
        self.1.hash_state(h);
    }
}

impl<T: HashState> HashState for Option<T> {
    /// Whether there is a value, then the value.
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_bool(self.is_some());
        if let Some(value) = self {
            value.hash_state(h);
        }
    }
}

impl<T: HashState> HashState for [T] {
    /// The length, then the items.
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_len(self.len());
        for value in self {
            value.hash_state(h);
        }
    }
}

impl<T: HashState> HashState for Vec<T> {
    fn hash_state(&self, h: &mut StateHasher) {
        self.as_slice().hash_state(h);
    }
}

impl<K, V: HashState> HashState for Slots<K, V> {
    /// Vacant slots are hashed too, because their generations decide later ids.
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_len(self.slot_count());
        for (generation, value) in self.raw_slots() {
            h.write_u32(generation);
            value.hash_state(h);
        }
    }
}
