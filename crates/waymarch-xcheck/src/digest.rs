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

    /// Adds what `{:?}` prints, with the names that [`old_names`] gives.
    pub(crate) fn debug_old(&mut self, value: impl fmt::Debug) {
        self.text(old_names(value));
    }

    /// Adds what `{}` prints.
    pub(crate) fn text(&mut self, value: impl fmt::Display) {
        let _ = write!(self, "{value};");
    }
}

/// What `{:?}` prints of events, headings and waiting groups, with the variants and fields that 0.2.0 renamed under their old names. So the lines of the check
/// stay the same, and versions can be compared.
pub(crate) fn old_names(value: impl fmt::Debug) -> String {
    // `GiveUp::NoRoute` has a reason in brackets. `PathReason::NoRoute` has none, and keeps its name.
    format!("{value:?}")
        .replace("NoRoute(", "NoWay(")
        .replace("Nowhere(NoRoute)", "Nowhere(NoWay)")
        .replace("Go { direction:", "Go { way:")
        .replace("Arrived { direction:", "Arrived { way:")
        .replace("waits_for:", "lets_pass:")
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

#[cfg(test)]
mod tests {
    use super::old_names;

    #[derive(Debug)]
    #[allow(dead_code, reason = "only `Debug` reads the fields")]
    enum Shown {
        Nowhere(Reason),
        Unreachable(Reason),
        NoRoute(Reason),
        Go { direction: u8, by: u8 },
        Arrived { direction: u8 },
        Waiting { ticks: u8, waits_for: u8 },
    }

    #[derive(Debug)]
    enum Reason {
        NoRoute,
    }

    #[test]
    fn renamed_variants_and_fields_keep_their_names_in_lines() {
        for (value, line) in [
            (Shown::Nowhere(Reason::NoRoute), "Nowhere(NoWay)"),
            (Shown::Unreachable(Reason::NoRoute), "Unreachable(NoRoute)"),
            (Shown::NoRoute(Reason::NoRoute), "NoWay(NoRoute)"),
            (Shown::Go { direction: 1, by: 2 }, "Go { way: 1, by: 2 }"),
            (Shown::Arrived { direction: 1 }, "Arrived { way: 1 }"),
            (Shown::Waiting { ticks: 1, waits_for: 2 }, "Waiting { ticks: 1, lets_pass: 2 }"),
        ] {
            assert_eq!(old_names(value), line);
        }
    }
}
