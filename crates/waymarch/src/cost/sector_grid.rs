//! How a map is divided into square sectors.

use crate::base::{ByteReader, ByteWriter, CellPos, CellRect, Dir8, GridSize, LoadError, MAX_SIDE, Persist};

/// A sector: its row-major index among the map's sectors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SectorId(pub u32);

impl SectorId {
    /// As a slice index.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a map is divided into sectors: squares whose side is a power of two, in cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SectorGrid {
    shift: u32,
    columns: u32,
    rows: u32,
}

impl SectorGrid {
    /// Sectors of `side` cells (rounded up to a power of two, at most [`MAX_SIDE`]) over a map of `grid`.
    #[must_use]
    pub const fn new(grid: GridSize, side: u32) -> Self {
        let side = if side > MAX_SIDE { MAX_SIDE } else { side };
        let shift = side.next_power_of_two().trailing_zeros();
        let round = (1 << shift) - 1;
        Self { shift, columns: (grid.width() + round) >> shift, rows: (grid.height() + round) >> shift }
    }

    /// Cells per side of a sector.
    #[must_use]
    pub const fn side(self) -> u32 {
        1 << self.shift
    }

    /// Sectors per row.
    #[must_use]
    pub const fn columns(self) -> u32 {
        self.columns
    }

    /// Rows of sectors.
    #[must_use]
    pub const fn rows(self) -> u32 {
        self.rows
    }

    /// The number of sectors.
    #[must_use]
    pub const fn count(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// All sectors.
    pub fn all(self) -> impl ExactSizeIterator<Item = SectorId> + Clone {
        (0..self.count() as u32).map(SectorId)
    }

    /// The cells of a sector. At the right and lower edge of the map they may reach beyond the map.
    #[must_use]
    pub const fn area(self, sector: SectorId) -> CellRect {
        let (x, y) = (sector.0 % self.columns, sector.0 / self.columns);
        let at = CellPos::new((x << self.shift) as i32, (y << self.shift) as i32);
        CellRect::at(at, self.side(), self.side())
    }

    /// The neighbouring sector in a direction; `None` past the edge of the map.
    #[inline]
    #[must_use]
    pub const fn beside(self, sector: SectorId, dir: Dir8) -> Option<SectorId> {
        let x = (sector.0 % self.columns) as i32 + dir.dx();
        let y = (sector.0 / self.columns) as i32 + dir.dy();
        let on_map = x >= 0 && y >= 0 && x < self.columns as i32 && y < self.rows as i32;
        if on_map { Some(SectorId(y as u32 * self.columns + x as u32)) } else { None }
    }

    /// The sector of a cell that is on the map.
    #[inline]
    #[must_use]
    pub const fn of(self, at: CellPos) -> SectorId {
        SectorId((at.y as u32 >> self.shift) * self.columns + (at.x as u32 >> self.shift))
    }
}

impl Persist for SectorId {
    fn save(&self, writer: &mut ByteWriter) {
        self.0.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        u32::load(reader).map(Self)
    }
}
