//! The sums of the threat of one side's own sources, kept only around these sources.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Cells of a page: 64 cells that follow each other in padded order.
const CELLS: usize = 64;

type Page = [u32; CELLS];

/// Derived: a sum per cell in padded order. Only pages with a sum above zero take memory: 4 bytes per cell, and 4 bytes per page of the map.
#[derive(Clone, Debug)]
pub(super) struct OwnSums {
    /// For each page of the map, its index in `pages`. 0 is the page without threat.
    index: Vec<u32>,
    pages: Vec<Page>,
    /// Pages that are not in use. All their sums are zero.
    free: Vec<u32>,
}

impl OwnSums {
    /// Sums of a side without sources, on a map of this number of padded cells.
    pub(super) fn new(cells: usize) -> Self {
        Self { index: vec![0; cells.div_ceil(CELLS)], pages: vec![[0; CELLS]], free: Vec::new() }
    }

    /// The sum of the cell with this index in padded order.
    #[inline]
    pub(super) fn at(&self, place: usize) -> u32 {
        self.pages[self.index[place / CELLS] as usize][place % CELLS]
    }

    /// Combines the sums of the cells in `row` with `strengths`.
    pub(super) fn combine(&mut self, row: Range<usize>, strengths: &[u8], combine: impl Fn(u32, u32) -> u32) {
        for (place, &strength) in row.zip(strengths).filter(|&(_, &strength)| strength > 0) {
            let page = self.page(place / CELLS);
            let sum = &mut page[place % CELLS];
            *sum = combine(*sum, u32::from(strength));
        }
    }

    /// Frees the pages of `row` that have no threat any more.
    pub(super) fn free_empty(&mut self, row: Range<usize>) {
        if row.is_empty() {
            return;
        }
        for entry in &mut self.index[row.start / CELLS..=(row.end - 1) / CELLS] {
            if *entry > 0 && self.pages[*entry as usize].iter().all(|&sum| sum == 0) {
                self.free.push(core::mem::take(entry));
            }
        }
    }

    /// A page of the map that can be changed.
    fn page(&mut self, number: usize) -> &mut Page {
        if self.index[number] == 0 {
            self.index[number] = self.free.pop().unwrap_or_else(|| {
                self.pages.push([0; CELLS]);
                // A map has fewer than 2^32 pages.
                self.pages.len() as u32 - 1
            });
        }
        &mut self.pages[self.index[number] as usize]
    }

    /// The cells in pages with threat, in padded order.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> + '_ {
        let used = self.index.iter().enumerate().filter(|entry| *entry.1 > 0);
        used.flat_map(|(page, _)| page * CELLS..(page + 1) * CELLS).filter(|&place| self.at(place) > 0)
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.index.len() * 4 + self.pages.len() * size_of::<Page>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_follows_the_sources_and_not_the_places_that_they_have_been_at() {
        let mut sums = OwnSums::new(100_000);
        for at in 0..1_000 {
            let row = at * 90..at * 90 + 5;
            sums.combine(row.clone(), &[9; 5], |sum, strength| sum + strength);
            assert_eq!((sums.at(row.start), sums.at(row.end)), (9, 0));
            assert_eq!(sums.places().collect::<Vec<_>>(), row.clone().collect::<Vec<_>>());
            sums.combine(row.clone(), &[9; 5], |sum, strength| sum - strength);
            sums.free_empty(row);
        }
        assert!(sums.pages.len() <= 3, "{} pages", sums.pages.len());
        assert_eq!(sums.places().count(), 0);
    }
}
