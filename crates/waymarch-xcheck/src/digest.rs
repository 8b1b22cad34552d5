//! Hashes, random numbers and lines of output. They share no code with the engine, so that a fault of the engine cannot hide in them.

use core::fmt::{self, Write as _};

/// FNV-1a with 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct Digest(u64);

impl Digest {
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.byte(byte));
    }

    pub(crate) fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    pub(crate) fn signed(&mut self, number: i64) {
        self.number(number as u64);
    }

    /// Adds what `{:?}` prints.
    pub(crate) fn debug(&mut self, value: impl fmt::Debug) {
        let _ = write!(self, "{value:?};");
    }

    /// Adds what `{}` prints.
    pub(crate) fn text(&mut self, value: impl fmt::Display) {
        let _ = write!(self, "{value};");
    }
}

impl fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes(text.as_bytes());
        Ok(())
    }
}

/// SplitMix64: random numbers that follow from a seed.
#[derive(Clone)]
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..count`; 0 if `count` is 0.
    pub(crate) fn below(&mut self, count: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(count.max(1))) >> 64) as u32
    }

    /// A number in `low..high`; `low` if the range is empty.
    pub(crate) fn range(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low).max(1) as u32) as i32
    }

    pub(crate) fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize].clone()
    }

    pub(crate) fn chance(&mut self, per_mille: u32) -> bool {
        self.below(1000) < per_mille
    }
}

/// The output: one call of `sink` per line.
pub(crate) struct Lines<'a> {
    pub(crate) sink: &'a mut dyn FnMut(&str),
}

impl Lines<'_> {
    pub(crate) fn line(&mut self, text: fmt::Arguments<'_>) {
        (self.sink)(&text.to_string());
    }

    pub(crate) fn hash(&mut self, name: &str, digest: Digest) {
        self.line(format_args!("{name} {:016x}", digest.value()));
    }
}

/// Prints a line: `report!(out, "{name} {number}")`.
#[macro_export]
#[doc(hidden)]
macro_rules! report {
    ($out:expr, $($text:tt)*) => { $out.line(format_args!($($text)*)) };
}
