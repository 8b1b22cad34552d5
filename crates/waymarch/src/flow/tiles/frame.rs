//! The rim of a sector: the cells through which it is left.

use crate::base::{CellPos, CellRect, Dir8};

/// What is left to pay from a cell of a rim, with the number of the first step's direction in the low three bits; this where no way
/// leads to the goal.
pub(super) const NO_LABEL: u64 = u64::MAX;

/// What a label costs.
#[inline]
pub(super) const fn cost_of(label: u64) -> u64 {
    label & !7
}

/// Which way a label goes.
#[inline]
pub(super) const fn dir_of(label: u64) -> Dir8 {
    Dir8::from_index((label & 7) as u8)
}

/// The part of a sector that is on the map, and the order of the cells on its rim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Frame {
    pub(super) area: CellRect,
}

impl Frame {
    #[inline]
    pub(super) fn width(&self) -> usize {
        (self.area.x1 - self.area.x0) as usize
    }

    #[inline]
    pub(super) fn height(&self) -> usize {
        (self.area.y1 - self.area.y0) as usize
    }

    /// The length of a list with a place for each cell of the rim.
    pub(super) fn rim_len(&self) -> usize {
        2 * (self.width() + self.height())
    }

    /// The place of a cell in the list of all cells, row by row.
    #[inline]
    pub(super) fn place(&self, at: CellPos) -> usize {
        (at.y - self.area.y0) as usize * self.width() + (at.x - self.area.x0) as usize
    }

    /// The place of a cell on the rim in a list of [`Frame::rim_len`]; some places belong to no cell.
    #[inline]
    pub(super) fn rim_place(&self, at: CellPos) -> usize {
        let (x, y) = ((at.x - self.area.x0) as usize, (at.y - self.area.y0) as usize);
        let (width, height) = (self.width(), self.height());
        if y == 0 {
            x
        } else if y + 1 == height {
            width + x
        } else if x == 0 {
            2 * width + y
        } else {
            2 * width + height + y
        }
    }

    /// The cells of the rim: each once.
    pub(super) fn rim(&self) -> impl Iterator<Item = CellPos> + use<> {
        let CellRect { x0, y0, x1, y1 } = self.area;
        let row = move |y: i32| (x0..x1).map(move |x| CellPos::new(x, y));
        let last_row = if y1 - y0 > 1 { Some(y1 - 1) } else { None };
        let last_column = if x1 - x0 > 1 { Some(x1 - 1) } else { None };
        let column = move |x: i32| (y0 + 1..y1 - 1).map(move |y| CellPos::new(x, y));
        row(y0)
            .chain(last_row.into_iter().flat_map(row))
            .chain(column(x0))
            .chain(last_column.into_iter().flat_map(column))
    }

    /// Whether the step that a cell's label begins with leads out of the sector.
    #[inline]
    pub(super) fn is_exit(&self, at: CellPos, label: u64) -> bool {
        label != NO_LABEL && label != 0 && !self.area.contains(at.step(dir_of(label)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cell;

    #[test]
    fn every_cell_of_a_rim_has_a_place_of_its_own_whatever_the_shape() {
        for (width, height) in [(1, 1), (1, 5), (5, 1), (2, 2), (2, 7), (32, 32), (8, 3)] {
            let frame = Frame { area: CellRect::at(cell(64, 32), width, height) };
            let rim: alloc::vec::Vec<CellPos> = frame.rim().collect();
            let inner = (width.saturating_sub(2) * height.saturating_sub(2)) as usize;
            assert_eq!(rim.len(), (width * height) as usize - inner, "{width} {height}");
            let mut places: alloc::vec::Vec<usize> = rim.iter().map(|&at| frame.rim_place(at)).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), rim.len());
            assert!(places.iter().all(|&place| place < frame.rim_len()));
        }
    }
}
