//! One locomotor's, one size's view of the map: a cost per cell and the passability bits.

use alloc::vec::Vec;

use super::rules::IMPASSABLE;
use crate::base::{CellId, CellPos, GridSize, RowColBits, SizeClass};

/// A cell by its place in a padded array: rows are one cell longer than the map is wide and a closed row lies
/// north and south of it, so that the eight neighbours of a cell on the map can be read without a check.
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

/// How cells lie in a padded array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Padding {
    size: GridSize,
    stride: u32,
}

impl Padding {
    /// For a map of `size`.
    #[must_use]
    pub const fn new(size: GridSize) -> Self {
        // One closed cell between rows serves as the east neighbour of one and the west neighbour of the next.
        Self { size, stride: size.width() + 1 }
    }

    /// Cells from one row to the next.
    #[inline]
    #[must_use]
    pub const fn stride(self) -> u32 {
        self.stride
    }

    /// Length of a padded array.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.stride as usize * (self.size.height() as usize + 2) + 1
    }

    /// Never: a map has at least one cell.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        false
    }

    /// The place of a cell that is on the map.
    #[inline]
    #[must_use]
    pub const fn pad(self, pos: CellPos) -> PadId {
        debug_assert!(self.size.contains(pos));
        PadId((pos.y as u32 + 1) * self.stride + pos.x as u32 + 1)
    }

    /// The cell at a place.
    #[inline]
    #[must_use]
    pub const fn pos(self, id: PadId) -> CellPos {
        let at = id.0 - 1;
        CellPos::new((at % self.stride) as i32, (at / self.stride) as i32 - 1)
    }

    /// Offsets of the eight neighbours, by direction number.
    #[inline]
    #[must_use]
    pub const fn neighbour_offsets(self) -> [i32; 8] {
        let s = self.stride as i32;
        [-s, -s + 1, 1, s + 1, s, s - 1, -1, -s - 1]
    }
}

/// Derived: what each cell costs one locomotor at one size, 255 where it does not fit, with packed passability bits.
///
/// Bigger sizes pay the dearest cell under them. Costs are without threat, which a query adds if it heeds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CostField {
    pub(super) grid: GridSize,
    pub(super) size: SizeClass,
    pub(super) padding: Padding,
    pub(super) cost: Vec<u8>,
    /// Set where closed, by rows and by columns.
    pub(super) closed: RowColBits,
    /// How many cells have each cost, so that the cheapest is known without a scan (ERRATA 25).
    pub(super) histogram: Vec<u32>,
}

impl CostField {
    /// The map's size.
    #[inline]
    #[must_use]
    pub fn grid(&self) -> GridSize {
        self.grid
    }

    /// Whose size.
    #[inline]
    #[must_use]
    pub fn size(&self) -> SizeClass {
        self.size
    }

    /// How the costs lie in [`CostField::padded`].
    #[inline]
    #[must_use]
    pub fn padding(&self) -> Padding {
        self.padding
    }

    /// The costs in padded order, 255 outside the map.
    #[inline]
    #[must_use]
    pub fn padded(&self) -> &[u8] {
        &self.cost
    }

    /// What `at` costs; 255 off the map.
    #[inline]
    #[must_use]
    pub fn cost(&self, at: CellPos) -> u8 {
        if self.grid.contains(at) { self.cost[self.padding.pad(at).index()] } else { IMPASSABLE }
    }

    /// Whether `at` can be entered; never off the map.
    #[inline]
    #[must_use]
    pub fn is_passable(&self, at: CellPos) -> bool {
        self.cost(at) != IMPASSABLE
    }

    /// The packed passability bits: set where closed, off the map included.
    #[inline]
    #[must_use]
    pub fn closed_bits(&self) -> &RowColBits {
        &self.closed
    }

    /// The cheapest cost of any cell that can be entered; 254 when there is none (so that a heuristic stays finite).
    #[must_use]
    pub fn cheapest(&self) -> u8 {
        let found = self.histogram[1..usize::from(IMPASSABLE)].iter().position(|&count| count > 0);
        found.map_or(254, |at| at as u8 + 1)
    }

    /// The dearest cost of any cell that can be entered; 1 when there is none.
    #[must_use]
    pub fn dearest(&self) -> u8 {
        let found = self.histogram[1..usize::from(IMPASSABLE)].iter().rposition(|&count| count > 0);
        found.map_or(1, |at| at as u8 + 1)
    }

    /// How many cells have each cost, by cost.
    #[must_use]
    pub fn histogram(&self) -> &[u32] {
        &self.histogram
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.cost.len() + self.closed.memory_bytes() + self.histogram.len() * 4
    }

    /// Sets the cost of a cell on the map and says whether it changed.
    #[inline]
    pub(super) fn set(&mut self, at: CellPos, cost: u8) -> bool {
        let slot = &mut self.cost[self.padding.pad(at).index()];
        let before = *slot;
        if before == cost {
            return false;
        }
        *slot = cost;
        self.histogram[usize::from(before)] -= 1;
        self.histogram[usize::from(cost)] += 1;
        if (before == IMPASSABLE) != (cost == IMPASSABLE) {
            self.closed.set(at, cost == IMPASSABLE);
        }
        true
    }

    /// The cost of the dearest of the `side`×`side` cells a unit of `size` would cover at `at`, read from the field for size one.
    pub(super) fn dearest_under(&self, at: CellPos, size: SizeClass) -> u8 {
        let (back, ahead) = (size.reach_north_west(), size.reach_south_east());
        let far = at.offset(ahead, ahead);
        if !self.grid.contains(at.offset(-back, -back)) || !self.grid.contains(far) {
            return IMPASSABLE;
        }
        let mut dearest = 0;
        for y in at.y - back..=far.y {
            let start = self.padding.pad(CellPos::new(at.x - back, y)).index();
            let row = &self.cost[start..start + usize::from(size.side())];
            dearest = row.iter().fold(dearest, |dearest, &cost| dearest.max(cost));
        }
        dearest
    }

    /// The id a cell has in row-major order.
    #[inline]
    #[must_use]
    pub fn id(&self, at: CellPos) -> Option<CellId> {
        self.grid.id(at)
    }
}
