//! The directions to follow from every cell. Cells with the same directions share one entry.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::dominance::Turns;

/// 65,535: the index of cells whose turns have no number, because all smaller numbers are taken.
const UNNUMBERED: u16 = u16::MAX;

/// Entries of the cache of kinds of turns: 1024, a power of two.
const AT_HAND: usize = 1 << 10;

/// Derived: the turns of every cell, as the number of their kind.
///
/// Maps have far fewer kinds of turns than cells, so a cell takes two bytes instead of eight, and a lookup reads one list more. The numbers
/// depend on the order in which kinds were met, and have no meaning: two grids are equal if the turns of every cell are equal. A map with more
/// kinds than numbers keeps the turns of the other cells in a tree, which is slower. A kind that no cell has any more keeps its number.
#[derive(Clone, Debug)]
pub(super) struct TurnGrid {
    numbers: Vec<u16>,
    /// The kinds, by number; fewer than [`UNNUMBERED`].
    kinds: Vec<Turns>,
    /// All numbers, in the order of their kinds.
    in_order: Vec<u16>,
    /// A cache of kinds with their numbers.
    at_hand: Vec<(Turns, u16)>,
    /// The turns of cells without a number, by padded cell.
    others: BTreeMap<u32, Turns>,
}

impl TurnGrid {
    /// `len` cells without directions to follow.
    pub(super) fn new(len: usize) -> Self {
        let nothing = [0; 8];
        Self {
            numbers: vec![0; len],
            kinds: vec![nothing],
            in_order: vec![0],
            at_hand: vec![(nothing, 0); AT_HAND],
            others: BTreeMap::new(),
        }
    }

    /// The directions to follow from a cell that was reached in direction `dir`.
    #[inline(always)]
    pub(super) fn at(&self, place: usize, dir: usize) -> u8 {
        match self.kinds.get(usize::from(self.numbers[place])) {
            Some(turns) => turns[dir],
            None => self.unnumbered(place)[dir],
        }
    }

    #[inline(never)]
    fn unnumbered(&self, place: usize) -> Turns {
        self.others.get(&(place as u32)).copied().unwrap_or_default()
    }

    /// Sets the turns of a cell.
    #[inline]
    pub(super) fn set(&mut self, place: usize, turns: Turns) {
        let (kind, mut number) = self.at_hand[hand(turns)];
        if kind != turns {
            number = self.number(turns);
        }
        if self.numbers[place] == UNNUMBERED || number == UNNUMBERED {
            self.set_unnumbered(place, (number == UNNUMBERED).then_some(turns));
        }
        self.numbers[place] = number;
    }

    #[inline(never)]
    fn set_unnumbered(&mut self, place: usize, turns: Option<Turns>) {
        match turns {
            Some(turns) => self.others.insert(place as u32, turns),
            None => self.others.remove(&(place as u32)),
        };
    }

    /// The number of a kind; a new one if it has none.
    #[inline(never)]
    fn number(&mut self, turns: Turns) -> u16 {
        let next = self.kinds.len() as u16;
        let kinds = &self.kinds;
        let number = match self.in_order.binary_search_by(|&number| kinds[usize::from(number)].cmp(&turns)) {
            Ok(place) => self.in_order[place],
            Err(_) if next == UNNUMBERED => return UNNUMBERED,
            Err(place) => {
                self.kinds.push(turns);
                self.in_order.insert(place, next);
                next
            }
        };
        self.at_hand[hand(turns)] = (turns, number);
        number
    }

    /// Reserves capacity for as many more kinds as there are, at least 1024, so that edits seldom allocate.
    pub(super) fn reserve(&mut self) {
        let more = self.kinds.len().max(AT_HAND);
        self.kinds.reserve(more);
        self.in_order.reserve(more);
    }

    /// Bytes held, approximately.
    pub(super) fn memory_bytes(&self) -> usize {
        self.numbers.len() * 2
            + self.kinds.capacity() * size_of::<Turns>()
            + self.in_order.capacity() * 2
            + self.at_hand.len() * size_of::<(Turns, u16)>()
            + self.others.len() * size_of::<(u32, Turns)>()
    }
}

/// The cache entry of a kind. Any hash will do: no answer depends on it.
#[inline]
fn hand(turns: Turns) -> usize {
    (u64::from_le_bytes(turns).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54) as usize % AT_HAND
}

impl PartialEq for TurnGrid {
    fn eq(&self, other: &Self) -> bool {
        let turns = |grid: &Self, place: usize| {
            let numbered = grid.kinds.get(usize::from(grid.numbers[place])).copied();
            numbered.unwrap_or_else(|| grid.unnumbered(place))
        };
        self.numbers.len() == other.numbers.len()
            && (0..self.numbers.len()).all(|place| turns(self, place) == turns(other, place))
    }
}

impl Eq for TurnGrid {}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(number: u32) -> Turns {
        let [a, b, c, d] = number.to_le_bytes();
        [a, b, c, d, 1, 2, 3, 4]
    }

    #[test]
    fn more_kinds_than_numbers_are_told_apart_too() {
        let count = 70_000;
        let mut grid = TurnGrid::new(count as usize);
        (0..count).for_each(|at| grid.set(at as usize, kind(at)));
        let same = |grid: &TurnGrid, at: u32, number: u32| {
            (0..8).all(|dir| grid.at(at as usize, dir) == kind(number)[dir])
        };
        assert!((0..count).all(|at| same(&grid, at, at)));
        // One cell moves from the tree to a number, another from a number to the tree.
        grid.set(69_999, kind(5));
        grid.set(5, kind(69_998));
        assert!(same(&grid, 69_999, 5) && same(&grid, 5, 69_998) && same(&grid, 69_998, 69_998));
        // The kinds are met in another order, so their numbers differ. The grids are equal all the same.
        let mut other = TurnGrid::new(count as usize);
        (0..count).rev().for_each(|at| other.set(at as usize, kind(at)));
        assert!(grid != other);
        other.set(69_999, kind(5));
        other.set(5, kind(69_998));
        assert!(grid == other);
    }
}
