//! A uniform grid over the units, rebuilt each tick.

use crate::base::{FINE_CELL, Fine, Fixed};
use alloc::vec::Vec;
use core::ops::Range;

/// The grid has at most 4 cells per unit, and [`EXTRA_CELLS`] more. A grid over scattered units gets larger cells instead of
/// more cells.
const CELLS_PER_UNIT: u64 = 4;
/// 1,024 grid cells that do not depend on the number of units.
const EXTRA_CELLS: u64 = 1024;

/// Up to 8 nearest units are found without sorting all units within reach.
const FEW: usize = 8;

/// Derived: finds the units near a point.
///
/// The index stores units in *slots*: row by row of a uniform grid. The units around a point are then a few runs of adjacent slots.
/// A rebuild takes a few steps per unit. It allocates only when the number of units grows. If two units are equally far, the lower
/// id comes first, so results do not depend on the order in which units were given.
///
/// ```
/// use waymarch::avoid::SpatialIndex;
/// use waymarch::base::{Fine, Fixed, cell};
///
/// let at = [cell(1, 1), cell(9, 9), cell(2, 1)].map(Fine::centre);
/// let mut index = SpatialIndex::new(Fixed::from_cells(2));
/// index.rebuild(&at, &[70, 71, 72]);
///
/// let mut found = Vec::new();
/// index.within(at[0], Fixed::from_cells(3), &mut found);
/// assert_eq!(found, [0, 2], "indices into the list, nearest first");
/// index.nearest(at[1], 2, Fixed::from_cells(100), &mut found);
/// assert_eq!(found, [1, 2]);
/// index.in_box(Fine::centre(cell(0, 0)), at[0], &mut found);
/// assert_eq!(found, [0]);
/// assert!((0..3).all(|slot| index.slots()[index.order()[slot] as usize] as usize == slot));
/// ```
#[derive(Clone, Debug)]
pub struct SpatialIndex {
    /// The requested side of a grid cell, as the exponent of a power of two, so that finding a cell takes no division.
    requested_bits: u32,
    /// The present side of a grid cell, which may be larger.
    bits: u32,
    origin: Fine,
    columns: u32,
    rows: u32,
    /// The first slot of each grid cell, and behind them the number of units.
    starts: Vec<u32>,
    /// The index in the caller's list, by slot.
    order: Vec<u32>,
    pos: Vec<Fine>,
    ids: Vec<u32>,
    /// The slot of each unit, in the caller's order. During a rebuild: its grid cell.
    slots: Vec<u32>,
}

impl SpatialIndex {
    /// An empty index. The side of its grid cells is the power of two at or below `side`, and at least 1/8 of a map cell. Half of
    /// the usual search distance is a good value.
    #[must_use]
    pub fn new(side: Fixed) -> Self {
        let requested_bits = side.to_fine().max(FINE_CELL / 8).ilog2();
        Self {
            requested_bits,
            bits: requested_bits,
            origin: Fine::ZERO,
            columns: 1,
            rows: 1,
            starts: alloc::vec![0, 0],
            order: Vec::new(),
            pos: Vec::new(),
            ids: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// Replaces the contents with these units. All `ids` must differ. If the lists have different lengths, the rest of the longer
    /// list is ignored.
    pub fn rebuild(&mut self, pos: &[Fine], ids: &[u32]) {
        let count = pos.len().min(ids.len());
        let (pos, ids) = (&pos[..count], &ids[..count]);
        self.lay_grid(pos);
        let cells = self.columns as usize * self.rows as usize;
        self.starts.clear();
        // Reserves the most cells that this number of units can need, so that a crowd that spreads out does not allocate again.
        self.starts.reserve(count * CELLS_PER_UNIT as usize + EXTRA_CELLS as usize + 1);
        self.starts.resize(cells + 1, 0);
        self.slots.clear();
        for &at in pos {
            let cell = self.row(at.y) * self.columns + self.column(at.x);
            self.slots.push(cell);
            self.starts[cell as usize + 1] += 1;
        }
        for cell in 0..cells {
            self.starts[cell + 1] += self.starts[cell];
        }
        self.order.resize(count, 0);
        self.pos.resize(count, Fine::ZERO);
        self.ids.resize(count, 0);
        // This loop moves each cell's start to its end. The loop below moves it back.
        for (unit, entry) in self.slots.iter_mut().enumerate() {
            let start = &mut self.starts[*entry as usize];
            let slot = *start as usize;
            *entry = *start;
            *start += 1;
            self.order[slot] = unit as u32;
            self.pos[slot] = pos[unit];
            self.ids[slot] = ids[unit];
        }
        for cell in (1..=cells).rev() {
            self.starts[cell] = self.starts[cell - 1];
        }
        self.starts[0] = 0;
    }

    /// Sets origin, cell size and number of cells for these positions.
    fn lay_grid(&mut self, pos: &[Fine]) {
        let first = pos.first().copied().unwrap_or_default();
        let (mut low, mut high) = (first, first);
        for at in pos {
            low = Fine::new(low.x.min(at.x), low.y.min(at.y));
            high = Fine::new(high.x.max(at.x), high.y.max(at.y));
        }
        self.origin = low;
        self.bits = self.requested_bits;
        let max_cells = pos.len() as u64 * CELLS_PER_UNIT + EXTRA_CELLS;
        loop {
            self.columns = (high.x.abs_diff(low.x) >> self.width_bits()) + 1;
            self.rows = (high.y.abs_diff(low.y) >> self.height_bits()) + 1;
            if u64::from(self.columns) * u64::from(self.rows) <= max_cells || self.bits == 31 {
                return;
            }
            self.bits += 1;
        }
    }

    /// Grid cells are half as wide and twice as high as a square. Each row gives one run, so fewer rows give fewer runs.
    #[inline]
    fn width_bits(&self) -> u32 {
        self.bits - 1
    }

    #[inline]
    fn height_bits(&self) -> u32 {
        (self.bits + 1).min(31)
    }

    #[inline]
    fn column(&self, x: i32) -> u32 {
        grid_line(x, self.origin.x, self.width_bits(), self.columns)
    }

    #[inline]
    fn row(&self, y: i32) -> u32 {
        grid_line(y, self.origin.y, self.height_bits(), self.rows)
    }

    /// The number of units.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether the index has no units.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The unit in each slot, as an index into the caller's list.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The slot of each unit, in the order of the caller's list.
    #[must_use]
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// The position of the unit in each slot.
    #[must_use]
    pub fn positions(&self) -> &[Fine] {
        &self.pos
    }

    /// The slots of all units in the box between two corners, and of some units around it. One run for each row of the grid, from
    /// north to south.
    #[inline]
    pub fn runs(&self, low: Fine, high: Fine) -> impl Iterator<Item = Range<usize>> + '_ {
        let (west, east) = (self.column(low.x), self.column(high.x));
        (self.row(low.y)..=self.row(high.y)).map(move |row| {
            let base = (row * self.columns) as usize;
            self.starts[base + west as usize] as usize..self.starts[base + east as usize + 1] as usize
        })
    }

    /// The slots of all units within `reach` of `at`, and of some units around them.
    #[inline]
    pub(in crate::avoid) fn runs_around(
        &self,
        at: Fine,
        reach: i32,
    ) -> impl Iterator<Item = Range<usize>> + '_ {
        let low = Fine::new(at.x.saturating_sub(reach), at.y.saturating_sub(reach));
        let high = Fine::new(at.x.saturating_add(reach), at.y.saturating_add(reach));
        self.runs(low, high)
    }

    /// Writes all units within `reach` of `at` to `out`, as indices into the caller's list: nearest first, ties by id.
    pub fn within(&self, at: Fine, reach: Fixed, out: &mut Vec<u32>) {
        let reach = reach.to_fine();
        out.clear();
        if reach < 0 {
            return;
        }
        let limit = u64::from(reach.unsigned_abs()).pow(2);
        for run in self.runs_around(at, reach) {
            out.extend(
                run.filter(|&slot| self.pos[slot].distance_squared(at) <= limit).map(|slot| slot as u32),
            );
        }
        self.sort_by_distance(at, out);
    }

    /// Writes the `count` units nearest to `at` within `reach` to `out`, as indices into the caller's list: nearest first, ties by
    /// id.
    pub fn nearest(&self, at: Fine, count: usize, reach: Fixed, out: &mut Vec<u32>) {
        if count == 0 || count > FEW {
            self.within(at, reach, out);
            out.truncate(count);
            return;
        }
        out.clear();
        let reach = reach.to_fine();
        if reach < 0 {
            return;
        }
        // The nearest units so far, in order. Most other units are farther than the last of them.
        let mut found = [(u64::MAX, u32::MAX, 0); FEW];
        let found = &mut found[..count];
        let mut farthest = u64::from(reach.unsigned_abs()).pow(2);
        for run in self.runs_around(at, reach) {
            for (slot, there) in run.clone().zip(&self.pos[run]) {
                let square = there.distance_squared(at);
                if square <= farthest {
                    insert(found, (square, self.ids[slot], slot as u32));
                    farthest = farthest.min(found[count - 1].0);
                }
            }
        }
        out.extend(found.iter().take_while(|&&(square, ..)| square < u64::MAX).map(|&(.., slot)| slot));
        self.slots_to_units(out);
    }

    /// Writes all units in the box between two corners, both included, to `out`, as indices into the caller's list: sorted by id.
    pub fn in_box(&self, low: Fine, high: Fine, out: &mut Vec<u32>) {
        out.clear();
        if low.x > high.x || low.y > high.y {
            return;
        }
        for run in self.runs(low, high) {
            let inside = |at: Fine| at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y;
            out.extend(run.filter(|&slot| inside(self.pos[slot])).map(|slot| slot as u32));
        }
        out.sort_unstable_by_key(|&slot| self.ids[slot as usize]);
        self.slots_to_units(out);
    }

    /// Sorts slots by distance and id, and replaces them by indices into the caller's list.
    fn sort_by_distance(&self, at: Fine, out: &mut [u32]) {
        out.sort_unstable_by_key(|&slot| {
            (self.pos[slot as usize].distance_squared(at), self.ids[slot as usize])
        });
        self.slots_to_units(out);
    }

    /// Replaces slots by indices into the caller's list.
    fn slots_to_units(&self, out: &mut [u32]) {
        for slot in out {
            *slot = self.order[*slot as usize];
        }
    }
}

/// Inserts an entry into a sorted list and drops the last entry.
#[inline]
fn insert(found: &mut [(u64, u32, u32)], new: (u64, u32, u32)) {
    let mut place = found.len();
    while place > 0 && (new.0, new.1) < (found[place - 1].0, found[place - 1].1) {
        place -= 1;
        if let Some([held, next]) = found.get_mut(place..place + 2) {
            *next = *held;
        }
    }
    if let Some(held) = found.get_mut(place) {
        *held = new;
    }
}

/// The column or row of a coordinate, clamped to the grid.
#[inline]
fn grid_line(at: i32, origin: i32, bits: u32, count: u32) -> u32 {
    if at <= origin { 0 } else { (at.abs_diff(origin) >> bits).min(count - 1) }
}
