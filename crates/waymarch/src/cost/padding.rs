//! Padded cell arrays: closed cells around the map, so that neighbours are read without a bounds check.

use crate::base::{CellPos, GridSize};

/// The index of a cell in a padded array.
///
/// A padded row is one cell longer than the map is wide, and a closed row lies north and south of the map. So the eight neighbours of a
/// cell on the map can be read without a check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PadId(pub u32);

impl PadId {
    /// As a slice position.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The layout of a padded array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Padding {
    size: GridSize,
    stride: u32,
}

impl Padding {
    /// The layout for a map of `size`.
    #[must_use]
    pub const fn new(size: GridSize) -> Self {
        // One closed cell between two rows is the east neighbour of one row and the west neighbour of the next.
        Self { size, stride: size.width() + 1 }
    }

    /// Cells from one row to the next.
    #[inline]
    #[must_use]
    pub const fn stride(self) -> u32 {
        self.stride
    }

    /// The length of a padded array.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.stride as usize * (self.size.height() as usize + 2) + 1
    }

    /// Always `false`: a map has at least one cell.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        false
    }

    /// The index of a cell on the map.
    #[inline]
    #[must_use]
    pub const fn pad(self, pos: CellPos) -> PadId {
        debug_assert!(self.size.contains(pos));
        PadId((pos.y as u32 + 1) * self.stride + pos.x as u32 + 1)
    }

    /// The cell of an index.
    #[inline]
    #[must_use]
    pub const fn pos(self, id: PadId) -> CellPos {
        let at = id.0 - 1;
        CellPos::new((at % self.stride) as i32, (at / self.stride) as i32 - 1)
    }

    /// The index offsets of the eight neighbours, by direction number.
    #[inline]
    #[must_use]
    pub const fn neighbour_offsets(self) -> [i32; 8] {
        let s = self.stride as i32;
        [-s, -s + 1, 1, s + 1, s, s - 1, -1, -s - 1]
    }
}
