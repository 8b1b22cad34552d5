//! Several bits per cell, interleaved word by word along lines, so that one scan and one cache line tell all.

use alloc::vec;
use alloc::vec::Vec;

/// Bits of padding before the first line.
const PAD: u32 = 64;

/// Lines of cells with `N` bits each: word `k` of an element holds bit `k` of 64 cells in a row.
///
/// All lines lie in one long row of *spots*, a spot being the number of a cell in it. At least one spot of padding lies
/// between two lines, before the first and after the last; all its bits are set. So a scan needs to know neither its line nor
/// its length: it starts at a spot and ends at one, and the difference is the number of steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::search) struct Planes<const N: usize> {
    length: u32,
    spots_per_line: u32,
    words: Vec<[u64; N]>,
}

impl<const N: usize> Planes<N> {
    /// `lines` lines of `length` cells, all bits clear but those of the padding, which are set.
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

    /// The spot of a place on a line; a place of -1 or of the length of the line is padding.
    #[inline(always)]
    pub(in crate::search) fn spot(&self, line: i32, place: i32) -> u32 {
        // At most 8192 lines of 8192 cells: far below 2^32.
        (line as u32).wrapping_mul(self.spots_per_line).wrapping_add(PAD).wrapping_add(place as u32)
    }

    /// How far apart the spots of one place on neighbouring lines are.
    #[inline(always)]
    pub(in crate::search) fn spots_per_line(&self) -> u32 {
        self.spots_per_line
    }

    /// The words of a line, to be written: bit 0 of the first is place 0, the highest of the last is padding;
    /// [`Planes::seal`] sets that again.
    #[inline]
    pub(in crate::search) fn line_mut(&mut self, line: u32) -> &mut [[u64; N]] {
        let words = self.spots_per_line as usize / 64;
        &mut self.words[line as usize * words + 1..][..words]
    }

    /// The words of a line, to be read.
    #[inline]
    pub(in crate::search) fn line(&self, line: u32) -> &[[u64; N]] {
        let words = self.spots_per_line as usize / 64;
        &self.words[line as usize * words + 1..][..words]
    }

    /// Sets the padding of a line again after its words were written.
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

    /// The words that hold a spot, to be written; the padding is not to be touched.
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
