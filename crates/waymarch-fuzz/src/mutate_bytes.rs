//! Mutations of binary files: flipped, cut, and recombined from two valid files.

use crate::mutate::{Mutator, PATTERNS};

/// Binary inputs are cut to 16 KiB.
const MAX_LEN: usize = 16 << 10;

/// A frame begins with a mark, a version and a length: 12 bytes.
const HEADER: usize = 12;

impl Mutator<'_> {
    /// A new binary input: a random member of `pool`, which must not be empty, changed once or a few times.
    ///
    /// Most changes are between the header and the checksum, because a wrong header is refused at once.
    pub fn byte_mutant(&mut self, pool: &[Vec<u8>]) -> Vec<u8> {
        let mut input = pool[self.below(pool.len())].clone();
        let changes = 1 + self.below(2) + if self.below(6) == 0 { self.below(5) } else { 0 };
        for _ in 0..changes {
            let other = &pool[self.below(pool.len())];
            self.change_bytes(&mut input, other);
            input.truncate(MAX_LEN);
        }
        input
    }

    fn change_bytes(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        match self.below(14) {
            0..3 => {
                let (at, bit) = (self.inside(input.len()), self.below(8));
                input.get_mut(at).into_iter().for_each(|byte| *byte ^= 1 << bit);
            }
            3 => {
                let (at, value) = (self.inside(input.len()), self.below(256));
                input.get_mut(at).into_iter().for_each(|byte| *byte = value as u8);
            }
            4 => {
                // A little more or less, as of a count or an index.
                let (at, by) = (self.inside(input.len()), self.below(9) as u8);
                input.get_mut(at).into_iter().for_each(|byte| *byte = byte.wrapping_add(by).wrapping_sub(4));
            }
            5..7 => self.write_pattern(input),
            7..10 => self.transplant(input, other),
            10 => {
                let part = self.short_part(input.len());
                input.drain(part);
            }
            11 => {
                let part = self.short_part(input.len());
                let again = input[part.clone()].to_vec();
                input.splice(part.start..part.start, again);
            }
            12 => {
                // The beginning of one file and the end of another.
                let (from, to) = (self.inside(input.len()), self.inside(other.len()));
                input.truncate(from);
                input.extend_from_slice(other.get(to..).unwrap_or_default());
            }
            _ => {
                let len = self.below(input.len() + 1);
                input.truncate(len);
            }
        }
    }

    /// A position between header and checksum; one in sixteen is anywhere.
    fn inside(&mut self, len: usize) -> usize {
        let anywhere = len <= HEADER + 8 || self.below(16) == 0;
        if anywhere { self.below(len) } else { HEADER + self.below(len - HEADER - 8) }
    }

    /// Up to 24 bytes between header and checksum.
    fn short_part(&mut self, len: usize) -> std::ops::Range<usize> {
        let start = self.inside(len);
        start..(start + 1 + self.below(24)).min(len)
    }

    /// A number with a limit of its type, in 1, 2, 4 or 8 bytes.
    fn write_pattern(&mut self, input: &mut [u8]) {
        let (at, pattern) = (self.inside(input.len()), PATTERNS[self.below(PATTERNS.len())]);
        let wide = (u64::from(pattern) << (32 * self.below(2))).to_le_bytes();
        let len = 1 << self.below(4);
        for (byte, new) in input.iter_mut().skip(at).zip(&wide[..len]) {
            *byte = *new;
        }
    }

    /// Copies a part of another file to the same place, counted from the beginning or from the end.
    fn transplant(&mut self, input: &mut [u8], other: &[u8]) {
        let part = self.short_part(input.len());
        let len = if self.below(4) == 0 { 24 * part.len() } else { part.len() };
        let from_end = self.below(2) == 0;
        let shift = if from_end { other.len() as isize - input.len() as isize } else { 0 };
        for at in part.start..(part.start + len).min(input.len()) {
            let there = at.checked_add_signed(shift).and_then(|at| other.get(at));
            there.into_iter().for_each(|byte| input[at] = *byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_of_two_files_hold_bytes_of_both_and_the_same_seed_gives_the_same() {
        let pool = [vec![1; 300], vec![2; 280]];
        let (mut one, mut two) = (Mutator::new(9, &[]), Mutator::new(9, &[]));
        let mut both = 0;
        for _ in 0..2000 {
            let input = one.byte_mutant(&pool);
            assert_eq!(input, two.byte_mutant(&pool));
            let count = |byte: u8| input.iter().filter(|&&own| own == byte).count();
            both += usize::from(count(1) > 3 && count(2) > 3);
        }
        assert!(both > 200, "{both}");
    }
}
