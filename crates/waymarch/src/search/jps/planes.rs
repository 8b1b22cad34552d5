//! Several bits per cell, interleaved word by word along lines. One cache line holds all bits of a cell.

use alloc::vec;
use alloc::vec::Vec;

/// The padding before the first line: 64 bits.
const PAD: u32 = 64;

/// Lines of cells with `N` bits each: word `k` of an element holds bit `k` of 64 cells in a row.
///
/// All lines lie in one long row of *spots*; a spot is the index of a cell in that row. At least one spot of padding lies between two
/// lines, before the first and after the last. All bits of the padding are set. So a scan needs neither its line nor its length: it goes
/// from one spot to another, and the difference is the number of steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::search) struct Planes<const N: usize> {
    length: u32,
    spots_per_line: u32,
    words: Vec<[u64; N]>,
}

impl<const N: usize> Planes<N> {
    /// `lines` lines of `length` cells. The bits of the padding are set, all others clear.
    pub(in crate::search) fn new(lines: u32, length: u32) -> Self {
        let words_per_line = length / 64 + 1;
        let words = vec![[0; N]; lines as usize * words_per_line as usize + 1];
        let mut planes = Self { length, spots_per_line: words_per_line * 64, words };
        planes.words[0] = [u64::MAX; N];
        for line in 0..lines {
            planes.seal(line);
        }
        planes
    }

    /// The spot of a place on a line. The places −1 and the length of the line are padding.
    #[inline(always)]
    pub(in crate::search) fn spot(&self, line: i32, place: i32) -> u32 {
        // At most 8192 lines of 8192 cells: far below 2^32.
        (line as u32).wrapping_mul(self.spots_per_line).wrapping_add(PAD).wrapping_add(place as u32)
    }

    /// The distance between the spots of the same place on neighbouring lines.
    #[inline(always)]
    pub(in crate::search) fn spots_per_line(&self) -> u32 {
        self.spots_per_line
    }

    /// The words of a line, for writing. Bit 0 of the first word is place 0. The highest bit of the last word is padding; call
    /// [`Planes::seal`] to set it again.
    #[inline]
    pub(in crate::search) fn line_mut(&mut self, line: u32) -> &mut [[u64; N]] {
        let words = self.spots_per_line as usize / 64;
        &mut self.words[line as usize * words + 1..][..words]
    }

    /// The words of a line, for reading.
    #[inline]
    pub(in crate::search) fn line(&self, line: u32) -> &[[u64; N]] {
        let words = self.spots_per_line as usize / 64;
        &self.words[line as usize * words + 1..][..words]
    }

    /// Sets the padding of a line after its words were written.
    pub(in crate::search) fn seal(&mut self, line: u32) {
        let tail = self.length % 64;
        let words = self.line_mut(line);
        words[words.len() - 1].iter_mut().for_each(|word| *word |= u64::MAX << tail);
    }

    /// The words that hold a spot.
    #[inline(always)]
    pub(in crate::search) fn words(&self, spot: u32) -> &[u64; N] {
        &self.words[(spot >> 6) as usize]
    }

    /// The words that hold a spot, for writing. Do not write the padding.
    #[inline(always)]
    pub(in crate::search) fn words_mut(&mut self, spot: u32) -> &mut [u64; N] {
        &mut self.words[(spot >> 6) as usize]
    }

    /// The next spot after `spot` with bit 0 set.
    #[inline(always)]
    pub(in crate::search) fn next(&self, spot: u32) -> u32 {
        let first = spot + 1;
        let mut at = (first >> 6) as usize;
        let mut stops = self.words[at][0] & u64::MAX << (first & 63);
        while stops == 0 {
            at += 1;
            stops = self.words[at][0];
        }
        (at as u32) << 6 | stops.trailing_zeros()
    }

    /// The last spot before `spot` with bit 0 set.
    #[inline(always)]
    pub(in crate::search) fn previous(&self, spot: u32) -> u32 {
        let first = spot - 1;
        let mut at = (first >> 6) as usize;
        let mut stops = self.words[at][0] & u64::MAX >> (!first & 63);
        while stops == 0 {
            at -= 1;
            stops = self.words[at][0];
        }
        (at as u32) << 6 | (63 - stops.leading_zeros())
    }

    /// Bytes held.
    pub(in crate::search) fn memory_bytes(&self) -> usize {
        self.words.len() * size_of::<[u64; N]>()
    }
}

/// Writes bit `spot % 64` of a word.
#[inline(always)]
#[expect(clippy::fn_params_excessive_bools, reason = "the value of a bit is a bool")]
pub(in crate::search) fn put(word: &mut u64, spot: u32, value: bool) {
    *word = *word & !(1 << (spot & 63)) | u64::from(value) << (spot & 63);
}
