//! A cost field: a cost per cell and the passability bits, for one locomotor and size.

use alloc::vec::Vec;

use crate::base::{CellId, CellPos, GridSize, RowColBits, SizeClass};
use crate::cost::padding::Padding;
use crate::cost::rules::IMPASSABLE;
use crate::cost::step::StepRule;

/// Derived: what each cell costs one locomotor at one size, with packed passability bits. 255 means that the unit does not fit.
///
/// A bigger unit pays the highest cost of the cells under it. Threat is not included; a query that heeds threat adds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CostField {
    pub(in crate::cost) grid: GridSize,
    pub(in crate::cost) size: SizeClass,
    pub(in crate::cost) padding: Padding,
    pub(in crate::cost) cost: Vec<u8>,
    /// One bit per cell, set if the cell is closed; by rows and by columns.
    pub(in crate::cost) closed: RowColBits,
    /// How many cells have each cost. It gives the cheapest cost without a scan.
    pub(in crate::cost) histogram: Vec<u32>,
}

impl CostField {
    /// The map's size.
    #[inline]
    #[must_use]
    pub fn grid(&self) -> GridSize {
        self.grid
    }

    /// The unit size.
    #[inline]
    #[must_use]
    pub fn size(&self) -> SizeClass {
        self.size
    }

    /// The layout of [`CostField::padded`].
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

    /// Whether units can enter `at`; `false` off the map.
    #[inline]
    #[must_use]
    pub fn is_passable(&self, at: CellPos) -> bool {
        self.cost(at) != IMPASSABLE
    }

    /// The legal steps from a cell on the map, bit = direction number. Whether the cell itself is open does not matter.
    #[inline]
    #[must_use]
    pub(crate) fn legal_steps(&self, at: CellPos, rule: StepRule) -> u8 {
        let (place, stride) = (self.padding.pad(at).index(), self.padding.stride() as usize);
        let row = |start: usize| self.cost.get(start..).and_then(<[u8]>::first_chunk::<3>).copied();
        let open = |cost: u8| usize::from(cost != IMPASSABLE);
        let (Some(north), Some(middle), Some(south)) =
            (row(place - stride - 1), row(place - 1), row(place + stride - 1))
        else {
            return 0;
        };
        let around = open(north[1])
            | open(north[2]) << 1
            | open(middle[2]) << 2
            | open(south[2]) << 3
            | open(south[1]) << 4
            | open(south[0]) << 5
            | open(middle[0]) << 6
            | open(north[0]) << 7;
        rule.table()[around]
    }

    /// The packed passability bits: set where closed, and off the map.
    #[inline]
    #[must_use]
    pub fn closed_bits(&self) -> &RowColBits {
        &self.closed
    }

    /// The cheapest cost of any open cell; 254 if there is none, so that a heuristic stays finite.
    #[must_use]
    pub fn cheapest(&self) -> u8 {
        let found = self.histogram[1..usize::from(IMPASSABLE)].iter().position(|&count| count > 0);
        found.map_or(254, |at| at as u8 + 1)
    }

    /// The highest cost of any open cell; 1 if there is none.
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

    /// Sets the cost of a cell on the map. Returns whether it changed.
    #[inline]
    pub(in crate::cost) fn set(&mut self, at: CellPos, cost: u8) -> bool {
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

    /// The highest cost under a unit of `size` at `at`. Call it on the field for size one.
    pub(in crate::cost) fn dearest_under(&self, at: CellPos, size: SizeClass) -> u8 {
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

    /// The cell's id in row-major order.
    #[inline]
    #[must_use]
    pub fn id(&self, at: CellPos) -> Option<CellId> {
        self.grid.id(at)
    }
}
