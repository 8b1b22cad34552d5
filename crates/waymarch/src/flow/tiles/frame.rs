//! The rim of a sector: the cells through which units leave it.

use crate::base::{CellPos, CellRect, Dir8};

/// The label of a rim cell from which no route leads to the goal: 2^64 − 1.
///
/// A label is the remaining cost from a cell to the goal, with the direction number of the first step in the low three bits.
pub(super) const NO_LABEL: u64 = u64::MAX;

/// The remaining cost of a label.
#[inline]
pub(super) const fn cost_of(label: u64) -> u64 {
    label & !7
}

/// The direction of a label's first step.
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

    /// The length of a list with an entry for each rim cell.
    pub(super) fn rim_len(&self) -> usize {
        2 * (self.width() + self.height())
    }

    /// The index of a cell in the list of all cells, row by row.
    #[inline]
    pub(super) fn place(&self, at: CellPos) -> usize {
        (at.y - self.area.y0) as usize * self.width() + (at.x - self.area.x0) as usize
    }

    /// The index of a rim cell in a list of [`Frame::rim_len`] entries. Some entries belong to no cell.
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

    /// The rim cell of an index in that list; `None` for an entry that belongs to no cell.
    pub(super) fn rim_cell(&self, place: usize) -> Option<CellPos> {
        let CellRect { x0, y0, x1, y1 } = self.area;
        let (width, height) = (self.width(), self.height());
        let at = if place < width {
            CellPos::new(x0 + place as i32, y0)
        } else if place < 2 * width {
            CellPos::new(x0 + (place - width) as i32, y1 - 1)
        } else if place < 2 * width + height {
            CellPos::new(x0, y0 + (place - 2 * width) as i32)
        } else if place < self.rim_len() {
            CellPos::new(x1 - 1, y0 + (place - 2 * width - height) as i32)
        } else {
            return None;
        };
        (self.rim_place(at) == place).then_some(at)
    }

    /// On which side of the sector a cell is; `None` inside.
    #[inline]
    pub(super) fn side_of(&self, at: CellPos) -> Option<Dir8> {
        let side = |at: i32, low: i32, high: i32| i32::from(at >= high) - i32::from(at < low);
        Dir8::from_delta(side(at.x, self.area.x0, self.area.x1), side(at.y, self.area.y0, self.area.y1))
    }

    /// The rim cells, each once, by index.
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

    /// Whether the first step of a cell's label leaves the sector.
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
    fn every_rim_cell_has_an_index_of_its_own_for_all_shapes() {
        for (width, height) in [(1, 1), (1, 5), (5, 1), (2, 2), (2, 7), (32, 32), (8, 3)] {
            let frame = Frame { area: CellRect::at(cell(64, 32), width, height) };
            let rim: alloc::vec::Vec<CellPos> = frame.rim().collect();
            let inner = (width.saturating_sub(2) * height.saturating_sub(2)) as usize;
            assert_eq!(rim.len(), (width * height) as usize - inner, "{width} {height}");
            let places: alloc::vec::Vec<usize> = rim.iter().map(|&at| frame.rim_place(at)).collect();
            assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "ascending {width} {height}");
            let back: alloc::vec::Vec<CellPos> =
                (0..frame.rim_len() + 3).filter_map(|place| frame.rim_cell(place)).collect();
            assert_eq!(back, rim);
            assert_eq!(frame.side_of(rim[0].step(Dir8::N)), Some(Dir8::N));
            assert_eq!(frame.side_of(rim[0]), None);
        }
    }
}
