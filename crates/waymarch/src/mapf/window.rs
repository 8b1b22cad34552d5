//! The cells of a small area, by local number.

use crate::base::{CellPos, CellRect};

/// The number of a cell in a [`Window`], row by row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct LocalCell(pub(crate) u16);

impl LocalCell {
    /// As an index into lists of one entry per cell.
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A small area of the map, at most 65,535 cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Window {
    area: CellRect,
}

impl Window {
    /// The window of an area; `None` if the area is empty or too large.
    pub(crate) fn new(area: CellRect) -> Option<Self> {
        if area.is_empty() {
            return None;
        }
        let side = |low: i32, high: i32| u64::from(low.abs_diff(high));
        let cells = side(area.x0, area.x1).saturating_mul(side(area.y0, area.y1));
        (cells < u64::from(u16::MAX)).then_some(Self { area })
    }

    /// The area.
    pub(crate) fn area(&self) -> CellRect {
        self.area
    }

    /// The number of cells.
    pub(crate) fn cells(&self) -> usize {
        self.width() * (self.area.y1 - self.area.y0) as usize
    }

    fn width(&self) -> usize {
        (self.area.x1 - self.area.x0) as usize
    }

    /// The number of a cell; `None` outside the window.
    #[inline]
    pub(crate) fn local(&self, at: CellPos) -> Option<LocalCell> {
        if !self.area.contains(at) {
            return None;
        }
        let (x, y) = ((at.x - self.area.x0) as usize, (at.y - self.area.y0) as usize);
        Some(LocalCell((y * self.width() + x) as u16))
    }

    /// The position of a cell of the window.
    #[inline]
    pub(crate) fn pos(&self, cell: LocalCell) -> CellPos {
        let (x, y) = (cell.index() % self.width(), cell.index() / self.width());
        CellPos::new(self.area.x0 + x as i32, self.area.y0 + y as i32)
    }
}
