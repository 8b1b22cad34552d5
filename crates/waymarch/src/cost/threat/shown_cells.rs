//! Which cells a refresh has brought up to date, so that many overlapping sources read each cell once.

use alloc::vec::Vec;
use core::ops::Range;

/// Bits per word.
const BITS: usize = u64::BITS as usize;

/// Scratch: one bit per cell in padded order.
#[derive(Clone, Debug, Default)]
pub(super) struct ShownCells {
    words: Vec<u64>,
}

impl ShownCells {
    /// Forgets all cells, for a map with this number of padded cells.
    pub(super) fn clear(&mut self, cells: usize) {
        self.words.clear();
        self.words.resize(cells.div_ceil(BITS), 0);
    }

    /// The first cells of a row that were not taken before, as many as lie side by side in one word. They count as taken from now on.
    pub(super) fn take_run(&mut self, row: Range<usize>) -> Option<Range<usize>> {
        let mut from = row.start;
        while from < row.end {
            let (word, bit) = (from / BITS, from % BITS);
            let end = row.end.min((word + 1) * BITS);
            // The cells of the row in this word, from `from` on.
            let wanted = (u64::MAX >> (BITS - (end - from))) << bit;
            let fresh = wanted & !self.words[word];
            if fresh != 0 {
                let start = fresh.trailing_zeros() as usize;
                let count = (fresh >> start).trailing_ones() as usize;
                self.words[word] |= (u64::MAX >> (BITS - count)) << start;
                return Some(word * BITS + start..word * BITS + start + count);
            }
            from = end;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_rows_give_each_cell_once() {
        let mut random = crate::base::Rng::keyed(3, crate::base::Tick::ZERO, 0, crate::base::Purpose(1));
        let mut shown = ShownCells::default();
        for cells in [1, 63, 64, 65, 700] {
            shown.clear(cells);
            let mut taken = alloc::vec![0_u8; cells];
            let mut wanted = alloc::vec![0_u8; cells];
            for _ in 0..40 {
                let start = random.below(cells as u32) as usize;
                let row = start..(start + random.below(200) as usize).min(cells);
                wanted[row.clone()].fill(1);
                while let Some(run) = shown.take_run(row.clone()) {
                    assert!(!run.is_empty() && row.start <= run.start && run.end <= row.end);
                    taken[run].iter_mut().for_each(|count| *count += 1);
                }
            }
            assert_eq!(taken, wanted);
        }
    }
}
