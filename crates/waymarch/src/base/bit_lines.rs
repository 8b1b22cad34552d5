//! Lines of bits that are scanned 64 at a time: rows, columns or diagonals of a map.

use alloc::vec;
use alloc::vec::Vec;

/// Bits of padding before and after each line: 64, all set.
const PAD: u32 = 64;

/// Lines of bits that are scanned 64 bits at a time.
///
/// A bit is named by its line and its place in the line. One word of padding lies before each line and after the last line. The
/// padding bits are set. So the places -1 and `length` read as set, and a scan for a set bit ends there at the latest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BitLines {
    length: u32,
    words_per_line: u32,
    words: Vec<u64>,
}

impl BitLines {
    /// `lines` lines of `length` bits, all clear.
    #[must_use]
    pub fn new(lines: u32, length: u32) -> Self {
        let words_per_line = length.div_ceil(64) + 1;
        let mut line = vec![0; words_per_line as usize];
        line[0] = u64::MAX;
        let last = &mut line[words_per_line as usize - 1];
        if length % 64 != 0 {
            *last |= u64::MAX << (length % 64);
        }
        let mut words = Vec::with_capacity(lines as usize * line.len() + 1);
        for _ in 0..lines {
            words.extend_from_slice(&line);
        }
        words.push(u64::MAX);
        Self { length, words_per_line, words }
    }

    /// Bits per line.
    #[inline]
    #[must_use]
    pub fn length(&self) -> u32 {
        self.length
    }

    /// The memory used, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.words.len() * 8
    }

    #[inline]
    fn start(&self, line: u32) -> usize {
        line as usize * self.words_per_line as usize
    }

    /// The bit at `place` of `line`. The places -1 and `length` are padding and read as set.
    #[inline]
    #[must_use]
    pub fn get(&self, line: u32, place: i32) -> bool {
        let bit = place.wrapping_add(PAD as i32) as u32;
        self.words[self.start(line) + (bit >> 6) as usize] >> (bit & 63) & 1 != 0
    }

    /// Sets or clears the bit at `place` of `line`; `place` is less than the length.
    #[inline]
    #[expect(clippy::fn_params_excessive_bools, reason = "the value of a bit is a bool")]
    pub fn set(&mut self, line: u32, place: u32, value: bool) {
        debug_assert!(place < self.length);
        let bit = place + PAD;
        let at = self.start(line) + (bit >> 6) as usize;
        let mask = 1 << (bit & 63);
        if value {
            self.words[at] |= mask;
        } else {
            self.words[at] &= !mask;
        }
    }

    /// The bits at `place - 1`, `place` and `place + 1` of `line`, in bits 0, 1 and 2.
    #[inline]
    #[must_use]
    pub fn three(&self, line: u32, place: u32) -> u32 {
        let bit = place + PAD - 1;
        self.three_at(self.start(line) + (bit >> 6) as usize, bit & 63)
    }

    /// The bits at `place - 1`, `place` and `place + 1` of the lines before, at and after `line`, in bits 0 to 8. A line that
    /// does not exist reads as set.
    #[inline(always)]
    #[must_use]
    pub fn three_by_three(&self, line: u32, place: u32) -> u32 {
        let bit = place + PAD - 1;
        let (words, shift) = (self.words_per_line as usize, bit & 63);
        let at = self.start(line) + (bit >> 6) as usize;
        let before = if line == 0 { 7 } else { self.three_at(at - words, shift) };
        // After the last line there is only one word, which is padding.
        let after = if at + words + 1 >= self.words.len() { 7 } else { self.three_at(at + words, shift) };
        before | self.three_at(at, shift) << 3 | after << 6
    }

    /// Three bits, starting at bit `shift` of word `at`, lowest first.
    #[inline(always)]
    fn three_at(&self, at: usize, shift: u32) -> u32 {
        let low = self.words[at] >> shift;
        if shift < 62 {
            return low as u32 & 7;
        }
        // One or two of the bits lie in the next word.
        (low | self.words[at + 1] << (64 - shift)) as u32 & 7
    }

    /// 64 bits of `line`, starting at `place`, which is at most the length. Bits past the end of the line have no meaning.
    #[inline]
    #[must_use]
    pub fn word_from(&self, line: u32, place: u32) -> u64 {
        let bit = place + PAD;
        let at = self.start(line) + (bit >> 6) as usize;
        let (low, high) = (self.words[at], self.words.get(at + 1).copied().unwrap_or(u64::MAX));
        // A shift by 64 would overflow, so the second word is shifted in two steps.
        low >> (bit & 63) | high << (63 - (bit & 63)) << 1
    }

    /// The place of the first set bit at or after `place`, or the length if there is none.
    #[inline]
    #[must_use]
    pub fn next_set(&self, line: u32, place: u32) -> u32 {
        let bit = place + PAD;
        let start = self.start(line);
        let mut at = start + (bit >> 6) as usize;
        let mut word = self.words[at] >> (bit & 63) << (bit & 63);
        while word == 0 {
            at += 1;
            word = self.words[at];
        }
        ((at - start) as u32 * 64 + word.trailing_zeros()) - PAD
    }

    /// Whether the bits at `first..=last` of `line` are all clear. Cost: one step per word.
    #[inline]
    #[must_use]
    pub fn is_clear(&self, line: u32, first: u32, last: u32) -> bool {
        let (first, last) = (first + PAD, last + PAD);
        let start = self.start(line);
        let (from, to) = (start + (first >> 6) as usize, start + (last >> 6) as usize);
        let (head, tail) = (u64::MAX << (first & 63), u64::MAX >> (63 - (last & 63)));
        if from == to {
            return self.words[from] & head & tail == 0;
        }
        self.words[from] & head == 0
            && self.words[to] & tail == 0
            && self.words[from + 1..to].iter().all(|&word| word == 0)
    }

    /// Whether the bits at `first..=last` of the lines `from..=to` are all clear.
    #[inline]
    #[must_use]
    pub fn is_block_clear(&self, [from, to]: [u32; 2], [first, last]: [u32; 2]) -> bool {
        let (low, high) = (first + PAD, last + PAD);
        if low >> 6 != high >> 6 {
            return (from..=to).all(|line| self.is_clear(line, first, last));
        }
        // Most small blocks lie in one word of each line. Combining all lines is then faster than testing each line.
        let bits = u64::MAX << (low & 63) & u64::MAX >> (63 - (high & 63));
        let at = (low >> 6) as usize;
        (from..=to).fold(0, |all, line| all | self.words[self.start(line) + at]) & bits == 0
    }

    /// The place of the last set bit at or before `place`, or -1 if there is none. `place` may be -1.
    #[inline]
    #[must_use]
    pub fn previous_set(&self, line: u32, place: i32) -> i32 {
        let bit = (place + PAD as i32) as u32;
        let start = self.start(line);
        let mut at = start + (bit >> 6) as usize;
        let shift = 63 - (bit & 63);
        let mut word = self.words[at] << shift >> shift;
        while word == 0 {
            at -= 1;
            word = self.words[at];
        }
        ((at - start) as i32 * 64 + 63 - word.leading_zeros() as i32) - PAD as i32
    }

    /// The words of one line with its padding. The first and the last word are padding; bit 0 of the second word is place 0.
    #[inline]
    #[must_use]
    pub fn line(&self, line: u32) -> &[u64] {
        let start = self.start(line);
        &self.words[start..=start + self.words_per_line as usize]
    }

    /// The words of one line with its padding, to be written. Call [`BitLines::seal`] afterwards to restore the padding.
    #[inline]
    pub fn line_mut(&mut self, line: u32) -> &mut [u64] {
        let start = self.start(line);
        &mut self.words[start..=start + self.words_per_line as usize]
    }

    /// Restores the padding of `line` after its words were written.
    pub fn seal(&mut self, line: u32) {
        let length = self.length;
        let words = self.line_mut(line);
        let end = words.len() - 1;
        words[0] = u64::MAX;
        words[end] = u64::MAX;
        if length % 64 != 0 {
            words[end - 1] |= u64::MAX << (length % 64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_clear_when_each_of_its_bits_is_clear() {
        let mut lines = BitLines::new(2, 200);
        for place in [3, 64, 130, 191] {
            lines.set(1, place, true);
        }
        for first in 0..200_u32 {
            for last in first..=200 {
                let expected = (first..=last).all(|place| !lines.get(1, place as i32));
                assert_eq!(lines.is_clear(1, first, last), expected, "{first}..={last}");
            }
        }
    }
}
