//! Cells, rectangles of cells, and the size of a map.

use core::cmp::Ordering;
use core::fmt;

use super::dir::Dir8;
use super::fixed::Fixed;
use super::vec2::Vec2;

/// The longest side of a map: 8192 cells.
///
/// With this limit a cell index fits 26 bits. An octile distance times the highest cell cost fits a `u32`. No
/// sum of step costs over the whole map overflows a `u64`.
pub const MAX_SIDE: u32 = 8192;

/// A cell by column and row; `x` grows eastwards, `y` grows southwards.
///
/// Coordinates are signed, so that neighbours of border cells have coordinates too. [`GridSize::contains`] tells
/// whether a cell is on a map. Cells are ordered row by row, as they lie in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellPos {
    /// Column, counted from the west edge.
    pub x: i32,
    /// Row, counted from the north edge.
    pub y: i32,
}

/// Shorthand for [`CellPos::new`].
#[inline]
#[must_use]
pub const fn cell(x: i32, y: i32) -> CellPos {
    CellPos { x, y }
}

impl CellPos {
    /// The cell in column `x`, row `y`.
    #[inline]
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The adjacent cell in direction `dir`; saturates at the ends of the `i32` range.
    #[inline]
    #[must_use]
    pub const fn step(self, dir: Dir8) -> Self {
        self.offset(dir.dx(), dir.dy())
    }

    /// The cell `dx` columns and `dy` rows away; saturates at the ends of the `i32` range.
    #[inline]
    #[must_use]
    pub const fn offset(self, dx: i32, dy: i32) -> Self {
        Self { x: self.x.saturating_add(dx), y: self.y.saturating_add(dy) }
    }

    /// The centre of the cell, as a point; saturates. [`Vec2::cell`] is the way back.
    #[inline]
    #[must_use]
    pub const fn centre(self) -> Vec2 {
        Vec2 {
            x: Fixed::from_cells(self.x).saturating_add(Fixed::HALF),
            y: Fixed::from_cells(self.y).saturating_add(Fixed::HALF),
        }
    }
}

impl Ord for CellPos {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        (self.y, self.x).cmp(&(other.y, other.x))
    }
}

impl PartialOrd for CellPos {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for CellPos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// A cell of one particular grid, as its row-major index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellId(pub u32);

impl CellId {
    /// The index for slices.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Replaced by [`Vec2`]: points have no height.
#[deprecated(since = "0.2.0", note = "use `Vec2`: points have no height")]
pub type WorldPos = Vec2;

/// A map size that is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a map of {width}×{height} cells is not legal: each side must be 1..={MAX_SIDE}")]
pub struct SizeError {
    /// The width asked for.
    pub width: u64,
    /// The height asked for.
    pub height: u64,
}

/// The size of a map in cells. Both sides are 1..=[`MAX_SIDE`]; [`GridSize::new`] checks that.
///
/// ```
/// use waymarch::base::{cell, GridSize};
/// let size = GridSize::new(40, 30)?;
/// let id = size.id(cell(7, 2)).expect("on the map");
/// assert_eq!(id.0, 87);
/// assert_eq!(size.pos(id), cell(7, 2));
/// assert!(size.id(cell(40, 0)).is_none());
/// assert!(GridSize::new(0, 30).is_err());
/// # Ok::<(), waymarch::base::SizeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GridSize {
    width: u32,
    height: u32,
}

impl GridSize {
    /// A size of `width`×`height` cells.
    ///
    /// # Errors
    /// [`SizeError`] if a side is 0 or longer than [`MAX_SIDE`].
    pub const fn new(width: u32, height: u32) -> Result<Self, SizeError> {
        if width == 0 || height == 0 || width > MAX_SIDE || height > MAX_SIDE {
            return Err(SizeError { width: width as u64, height: height as u64 });
        }
        Ok(Self { width, height })
    }

    /// The number of columns.
    #[inline]
    #[must_use]
    pub const fn width(self) -> u32 {
        self.width
    }

    /// The number of rows.
    #[inline]
    #[must_use]
    pub const fn height(self) -> u32 {
        self.height
    }

    /// The number of cells.
    #[inline]
    #[must_use]
    pub const fn cells(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Whether `pos` is on the map.
    #[inline]
    #[must_use]
    pub const fn contains(self, pos: CellPos) -> bool {
        (pos.x as u32) < self.width && (pos.y as u32) < self.height
    }

    /// The row-major id of `pos`, or `None` if it is not on the map.
    #[inline]
    #[must_use]
    pub const fn id(self, pos: CellPos) -> Option<CellId> {
        if self.contains(pos) { Some(CellId(pos.y as u32 * self.width + pos.x as u32)) } else { None }
    }

    /// The cell with row-major id `id`.
    #[inline]
    #[must_use]
    pub const fn pos(self, id: CellId) -> CellPos {
        CellPos { x: (id.0 % self.width) as i32, y: (id.0 / self.width) as i32 }
    }

    /// The whole map as a rectangle.
    #[inline]
    #[must_use]
    pub const fn rect(self) -> CellRect {
        CellRect { x0: 0, y0: 0, x1: self.width as i32, y1: self.height as i32 }
    }
}

impl fmt::Display for GridSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.width, self.height)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for GridSize {
    fn deserialize<D: serde::Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        struct Raw {
            width: u32,
            height: u32,
        }
        let raw = Raw::deserialize(de)?;
        Self::new(raw.width, raw.height).map_err(serde::de::Error::custom)
    }
}

/// A half-open rectangle of cells: columns `x0..x1`, rows `y0..y1`. It is empty if a side is not positive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellRect {
    /// First column.
    pub x0: i32,
    /// First row.
    pub y0: i32,
    /// One past the last column.
    pub x1: i32,
    /// One past the last row.
    pub y1: i32,
}

impl CellRect {
    /// The rectangle of `width`×`height` cells whose north-west cell is `at`.
    #[inline]
    #[must_use]
    pub const fn at(at: CellPos, width: u32, height: u32) -> Self {
        Self {
            x0: at.x,
            y0: at.y,
            x1: at.x.saturating_add_unsigned(width),
            y1: at.y.saturating_add_unsigned(height),
        }
    }

    /// Whether the rectangle has no cells.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.x1 <= self.x0 || self.y1 <= self.y0
    }

    /// The cells that are in both rectangles.
    #[inline]
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    /// The smallest rectangle that contains both. Empty rectangles do not count.
    #[inline]
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// The rectangle enlarged by `north_west` cells on the north and west sides and `south_east` cells on the south and
    /// east sides.
    #[inline]
    #[must_use]
    pub const fn grow(self, north_west: i32, south_east: i32) -> Self {
        Self {
            x0: self.x0.saturating_sub(north_west),
            y0: self.y0.saturating_sub(north_west),
            x1: self.x1.saturating_add(south_east),
            y1: self.y1.saturating_add(south_east),
        }
    }

    /// Whether the rectangle contains `pos`.
    #[inline]
    #[must_use]
    pub const fn contains(self, pos: CellPos) -> bool {
        pos.x >= self.x0 && pos.x < self.x1 && pos.y >= self.y0 && pos.y < self.y1
    }

    /// The cell of the rectangle that is nearest to `pos`; `pos` itself if it is inside. The rectangle must not be empty.
    #[inline]
    #[must_use]
    pub fn nearest(self, pos: CellPos) -> CellPos {
        let within = |at: i32, first: i32, end: i32| at.min(end.saturating_sub(1)).max(first);
        CellPos { x: within(pos.x, self.x0, self.x1), y: within(pos.y, self.y0, self.y1) }
    }

    /// The cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = CellPos> {
        (self.y0..self.y1).flat_map(move |y| (self.x0..self.x1).map(move |x| CellPos { x, y }))
    }
}

#[cfg(test)]
mod tests;
