//! Who is near: a uniform grid over the units, made anew each tick.

use alloc::vec::Vec;
use core::ops::Range;

use super::fine::{FINE_CELL, Fine};

/// Grid cells at most, for each unit and besides: grids over far-flung units get coarser instead of bigger.
const CELLS_PER_UNIT: u64 = 4;
const CELLS_BESIDES: u64 = 1024;

/// So many nearest units are found without sorting all that are near.
const FEW: usize = 8;

/// Derived: units by place, for questions of who is near.
///
/// Units lie in *slots*, row by row of a uniform grid, so that the surroundings of a point are a few runs of neighbouring slots.
/// Making it costs a few steps a unit; it allocates nothing once it has grown. Where units are equally far, ids decide, so that
/// answers do not depend on the order in which units were given.
///
/// ```
/// use waymarch::avoid::{Fine, SpatialIndex};
/// use waymarch::base::{Fixed, cell};
///
/// let at = [cell(1, 1), cell(9, 9), cell(2, 1)].map(Fine::centre);
/// let mut index = SpatialIndex::new(Fixed::from_cells(2));
/// index.rebuild(&at, &[70, 71, 72]);
///
/// let mut found = Vec::new();
/// index.within(at[0], Fixed::from_cells(3), &mut found);
/// assert_eq!(found, [0, 2], "places in the list, the nearest first");
/// index.nearest(at[1], 2, Fixed::from_cells(100), &mut found);
/// assert_eq!(found, [1, 2]);
/// index.in_box(Fine::centre(cell(0, 0)), at[0], &mut found);
/// assert_eq!(found, [0]);
/// assert!((0..3).all(|slot| index.slots()[index.order()[slot] as usize] as usize == slot));
/// ```
#[derive(Clone, Debug)]
pub struct SpatialIndex {
    /// A grid cell's side as asked for, as a power of two: so that finding a cell takes no division.
    wanted: u32,
    /// As it is.
    bits: u32,
    origin: Fine,
    columns: u32,
    rows: u32,
    /// The first slot of each grid cell, and one more.
    starts: Vec<u32>,
    /// The place in the caller's list, by slot.
    order: Vec<u32>,
    pos: Vec<Fine>,
    ids: Vec<u32>,
    /// The slot of each unit, in the caller's order; its grid cell while the index is being made.
    slots: Vec<u32>,
}

impl SpatialIndex {
    /// An empty one with grid cells of about `side`: the power of two at or below it, at least an eighth of a cell of the map. Half of the
    /// usual distance asked for is good.
    #[must_use]
    pub fn new(side: crate::base::Fixed) -> Self {
        let wanted = super::fine::fine(side).max(FINE_CELL / 8).ilog2();
        Self {
            wanted,
            bits: wanted,
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

    /// Takes up these units; `ids` are different numbers. Of lists of different lengths the longer one's rest is left out.
    pub fn rebuild(&mut self, pos: &[Fine], ids: &[u32]) {
        let count = pos.len().min(ids.len());
        let (pos, ids) = (&pos[..count], &ids[..count]);
        self.lay_grid(pos);
        let cells = self.columns as usize * self.rows as usize;
        self.starts.clear();
        // As much as there can be with so many units, so that a crowd that spreads asks for no more.
        self.starts.reserve(count * CELLS_PER_UNIT as usize + CELLS_BESIDES as usize + 1);
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
        // Each cell's start is moved to its end here, and back below.
        for (unit, place) in self.slots.iter_mut().enumerate() {
            let start = &mut self.starts[*place as usize];
            let slot = *start as usize;
            *place = *start;
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

    fn lay_grid(&mut self, pos: &[Fine]) {
        let first = pos.first().copied().unwrap_or_default();
        let (mut low, mut high) = (first, first);
        for at in pos {
            low = Fine::new(low.x.min(at.x), low.y.min(at.y));
            high = Fine::new(high.x.max(at.x), high.y.max(at.y));
        }
        self.origin = low;
        self.bits = self.wanted;
        let most = pos.len() as u64 * CELLS_PER_UNIT + CELLS_BESIDES;
        loop {
            self.columns = (high.x.abs_diff(low.x) >> self.across()) + 1;
            self.rows = (high.y.abs_diff(low.y) >> self.along()) + 1;
            if u64::from(self.columns) * u64::from(self.rows) <= most || self.bits == 31 {
                return;
            }
            self.bits += 1;
        }
    }

    /// Grid cells are half as wide and twice as high as a square of their area: a run is a row, so that fewer rows are fewer runs.
    #[inline]
    fn across(&self) -> u32 {
        self.bits - 1
    }

    #[inline]
    fn along(&self) -> u32 {
        (self.bits + 1).min(31)
    }

    #[inline]
    fn column(&self, x: i32) -> u32 {
        along(x, self.origin.x, self.across(), self.columns)
    }

    #[inline]
    fn row(&self, y: i32) -> u32 {
        along(y, self.origin.y, self.along(), self.rows)
    }

    /// How many units there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The place in the caller's list of each slot's unit.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The slot of each unit, by place in the caller's list.
    #[must_use]
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Where each slot's unit is.
    #[must_use]
    pub fn positions(&self) -> &[Fine] {
        &self.pos
    }

    /// The slots of all units that can lie in the box between two corners, and some more: a run for each row of the grid, from north
    /// to south.
    #[inline]
    pub fn runs(&self, low: Fine, high: Fine) -> impl Iterator<Item = Range<usize>> + '_ {
        let (west, east) = (self.column(low.x), self.column(high.x));
        (self.row(low.y)..=self.row(high.y)).map(move |row| {
            let base = (row * self.columns) as usize;
            self.starts[base + west as usize] as usize..self.starts[base + east as usize + 1] as usize
        })
    }

    /// The slots of all units within `reach` of `at`, and some more.
    #[inline]
    pub(super) fn runs_around(&self, at: Fine, reach: i32) -> impl Iterator<Item = Range<usize>> + '_ {
        let low = Fine::new(at.x.saturating_sub(reach), at.y.saturating_sub(reach));
        let high = Fine::new(at.x.saturating_add(reach), at.y.saturating_add(reach));
        self.runs(low, high)
    }

    /// Writes the places (in the caller's list) of all units within `reach` of `at` to `out`, the nearest first, ties by id.
    pub fn within(&self, at: Fine, reach: crate::base::Fixed, out: &mut Vec<u32>) {
        let reach = super::fine::fine(reach);
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
        self.sort_and_name(at, out);
    }

    /// Writes the `count` units nearest to `at` within `reach` to `out`, the nearest first, ties by id.
    pub fn nearest(&self, at: Fine, count: usize, reach: crate::base::Fixed, out: &mut Vec<u32>) {
        if count == 0 || count > FEW {
            self.within(at, reach, out);
            out.truncate(count);
            return;
        }
        out.clear();
        let reach = super::fine::fine(reach);
        if reach < 0 {
            return;
        }
        // Those found so far, in order. Most of the others are farther than the last of them.
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
        self.name(out);
    }

    /// Writes all units in the box between two corners (rims included) to `out`, by id.
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
        self.name(out);
    }

    fn sort_and_name(&self, at: Fine, out: &mut [u32]) {
        out.sort_unstable_by_key(|&slot| {
            (self.pos[slot as usize].distance_squared(at), self.ids[slot as usize])
        });
        self.name(out);
    }

    fn name(&self, out: &mut [u32]) {
        for slot in out {
            *slot = self.order[*slot as usize];
        }
    }
}

/// Puts one more into its place among some in order; the last of them is dropped.
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

#[inline]
fn along(at: i32, origin: i32, bits: u32, count: u32) -> u32 {
    if at <= origin { 0 } else { (at.abs_diff(origin) >> bits).min(count - 1) }
}
