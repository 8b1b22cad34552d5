//! Several bits per cell, interleaved word by word along lines, so that one scan and one cache line tell all.

use alloc::vec;
use alloc::vec::Vec;

/// Bits of padding before each line.
const PAD: u32 = 64;

/// Lines of cells with `N` bits each: word `k` of an element holds bit `k` of 64 cells in a row.
///
/// Scans look for cells that have any bit set. All bits of the padding are, so that a scan always ends, at the latest one
/// past either end of the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::search) struct Planes<const N: usize> {
    length: u32,
    words_per_line: usize,
    words: Vec<[u64; N]>,
}

/// Whether a scan goes on.
pub(in crate::search) enum Go {
    On,
    Stop,
}

impl<const N: usize> Planes<N> {
    /// `lines` lines of `length` cells, all bits clear but those of the padding, which are set.
    pub(in crate::search) fn new(lines: u32, length: u32) -> Self {
        let words_per_line = length.div_ceil(64) as usize + 1;
        let mut planes =
            Self { length, words_per_line, words: vec![[0; N]; lines as usize * words_per_line + 1] };
        for line in 0..lines {
            planes.seal(line);
        }
        planes
    }

    /// The words of a line, the first and the last being padding: bit 0 of word 1 is place 0.
    #[inline]
    pub(in crate::search) fn line_mut(&mut self, line: u32) -> &mut [[u64; N]] {
        let start = line as usize * self.words_per_line;
        &mut self.words[start..=start + self.words_per_line]
    }

    /// Sets the padding of a line again after its words were written.
    pub(in crate::search) fn seal(&mut self, line: u32) {
        let tail = self.length % 64;
        let words = self.line_mut(line);
        let end = words.len() - 1;
        words[0] = [u64::MAX; N];
        words[end] = [u64::MAX; N];
        if tail != 0 {
            words[end - 1].iter_mut().for_each(|word| *word |= u64::MAX << tail);
        }
    }

    /// Writes the bits of one cell.
    #[inline]
    pub(in crate::search) fn set(&mut self, line: u32, place: u32, bits: [bool; N]) {
        let bit = place + PAD;
        let words = &mut self.words[line as usize * self.words_per_line + (bit >> 6) as usize];
        for (word, value) in words.iter_mut().zip(bits) {
            *word = *word & !(1 << (bit & 63)) | u64::from(value) << (bit & 63);
        }
    }

    /// Calls `visit` with each cell after `place` that has a bit set, and its bits, until it says to stop.
    #[inline(always)]
    pub(in crate::search) fn each_next(
        &self,
        line: u32,
        place: i32,
        mut visit: impl FnMut(i32, [bool; N]) -> Go,
    ) {
        let bit = (place + 1) as u32 + PAD;
        let start = line as usize * self.words_per_line;
        let mut at = start + (bit >> 6) as usize;
        let mut words = self.words[at];
        let mut stops = any(words) >> (bit & 63) << (bit & 63);
        loop {
            while stops == 0 {
                at += 1;
                words = self.words[at];
                stops = any(words);
            }
            let bit = stops.trailing_zeros();
            stops &= stops - 1;
            let place = ((at - start) as i32 - 1) * 64 + bit as i32;
            if matches!(visit(place, words.map(|word| word >> bit & 1 != 0)), Go::Stop) {
                return;
            }
        }
    }

    /// Calls `visit` with each cell before `place` that has a bit set, and its bits, until it says to stop.
    #[inline(always)]
    pub(in crate::search) fn each_previous(
        &self,
        line: u32,
        place: i32,
        mut visit: impl FnMut(i32, [bool; N]) -> Go,
    ) {
        let bit = (place - 1 + PAD as i32) as u32;
        let start = line as usize * self.words_per_line;
        let mut at = start + (bit >> 6) as usize;
        let mut words = self.words[at];
        let shift = 63 - (bit & 63);
        let mut stops = any(words) << shift >> shift;
        loop {
            while stops == 0 {
                at -= 1;
                words = self.words[at];
                stops = any(words);
            }
            let bit = 63 - stops.leading_zeros();
            stops ^= 1 << bit;
            let place = ((at - start) as i32 - 1) * 64 + bit as i32;
            if matches!(visit(place, words.map(|word| word >> bit & 1 != 0)), Go::Stop) {
                return;
            }
        }
    }

    /// Bytes held.
    pub(in crate::search) fn memory_bytes(&self) -> usize {
        self.words.len() * size_of::<[u64; N]>()
    }
}

/// Where any of the planes has a bit.
#[inline(always)]
fn any<const N: usize>(words: [u64; N]) -> u64 {
    words.into_iter().fold(0, |all, word| all | word)
}
