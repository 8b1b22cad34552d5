//! The cells from which a goal is visible: exact shadow casting from the goal.

use alloc::vec::Vec;

use super::ground::TileGround;
use crate::base::{CellPos, CellRect, GridSize};

/// A slope as a fraction. `along` is positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slope {
    across: i32,
    along: i32,
}

impl Slope {
    #[inline]
    fn is_less(self, other: Self) -> bool {
        i64::from(self.across) * i64::from(other.along) < i64::from(other.across) * i64::from(self.along)
    }

    #[inline]
    fn least(self, other: Self) -> Self {
        if other.is_less(self) { other } else { self }
    }
}

/// The lit slopes from the first to the second, both included.
type Beam = (Slope, Slope);

/// Derived: the cells from which a unit may go straight to the goal, over ground of the goal's own cost.
///
/// A line counts if the whole square of a unit can be moved along it over such ground. Between cell centres that equals `line_of_sight`
/// where corners must not be cut, and is stricter where they may. For the middle of the unit, a closed cell is a square two cells wide. In
/// each row farther from the goal, the slopes that such squares hide are removed.
#[derive(Clone, Debug, Default)]
pub(super) struct VisibleCells {
    /// The cells within reach of the goal that are on the map.
    area: CellRect,
    bits: Vec<u64>,
    beams: Vec<Beam>,
    spare: Vec<Beam>,
}

/// Memory for 64 beams: a cast rarely has more at a time.
const BEAMS: usize = 64;

impl VisibleCells {
    /// Reserves memory for any goal on the map, because the memory is used for other goals later.
    pub(super) fn reserve(&mut self, reach: u32, map: GridSize) {
        if self.bits.capacity() == 0 {
            let side = 2 * reach.min(crate::base::MAX_SIDE) as usize + 1;
            self.bits.reserve_exact((side * side).min(map.cells()).div_ceil(64));
            self.beams.reserve(BEAMS);
            self.spare.reserve(BEAMS);
        }
    }

    /// Finds the visible cells up to `reach` cells away. The cells found before are forgotten.
    pub(super) fn cast(&mut self, ground: TileGround<'_>, goal: CellPos, reach: u32) {
        let reach = reach.min(crate::base::MAX_SIDE) as i32;
        let around = CellRect::at(goal, 1, 1).grow(reach, reach);
        self.reserve(reach as u32, ground.field().grid());
        self.reset(around.intersect(ground.field().grid().rect()));
        let cost = ground.cost(goal);
        if cost == crate::cost::IMPASSABLE || !self.area.contains(goal) {
            return;
        }
        self.set(goal);
        let is_clear = |at: CellPos| ground.cost(at) == cost;
        for octant in 0..8 {
            self.cast_octant(goal, octant, reach, is_clear);
        }
    }

    /// Starts with no visible cell within `area`.
    pub(super) fn reset(&mut self, area: CellRect) {
        self.area = area;
        self.bits.clear();
        let cells = ((area.x1 - area.x0).max(0) as usize) * ((area.y1 - area.y0).max(0) as usize);
        self.bits.resize(cells.div_ceil(64), 0);
    }

    pub(super) fn area(&self) -> CellRect {
        self.area
    }

    fn cast_octant(&mut self, goal: CellPos, octant: u8, reach: i32, is_clear: impl Fn(CellPos) -> bool) {
        let (flip_x, flip_y) = (octant & 1 != 0, octant & 2 != 0);
        let turned = octant & 4 != 0;
        let place = |across: i32, along: i32| {
            let (x, y) = if turned { (along, across) } else { (across, along) };
            goal.offset(if flip_x { -x } else { x }, if flip_y { -y } else { y })
        };
        self.beams.clear();
        self.beams.push((Slope { across: 0, along: 1 }, Slope { across: 1, along: 1 }));
        for along in 1..=reach {
            let (Some(&(first, _)), Some(&(_, last))) = (self.beams.first(), self.beams.last()) else {
                return;
            };
            // Only these cells can hide a slope that is still lit.
            let low = (first.across * (along - 1)).div_euclid(first.along) - 1;
            let high = (last.across * along).div_euclid(last.along) + 1;
            let mut across = low.max(0);
            while across <= high.min(along) {
                let is_open = |at: i32| is_clear(place(at, along - 1)) && is_clear(place(at, along));
                if is_open(across) {
                    across += 1;
                    continue;
                }
                let start = across;
                while across <= high.min(along) && !is_open(across) {
                    across += 1;
                }
                self.hide(start - 1, across, along);
            }
            for at in 0..self.beams.len() {
                let (from, to) = self.beams[at];
                let first = -(-from.across * along).div_euclid(from.along);
                let last = (to.across * along).div_euclid(to.along);
                for across in first..=last {
                    self.set(place(across, along));
                }
            }
        }
    }

    /// Removes the slopes that pass strictly between `left` and `right` somewhere between the rows `along - 1` and `along`.
    fn hide(&mut self, left: i32, right: i32, along: i32) {
        let from = Slope { across: left, along };
        // If `along` is 1, the lower row is the goal's own row and `to` is no slope: everything right of `left` is hidden.
        let to = Slope { across: right, along: along - 1 };
        self.spare.clear();
        for &(low, high) in &self.beams {
            // Keep the part up to `from`.
            if !from.is_less(low) {
                self.spare.push((low, high.least(from)));
            }
            // Keep the part from `to` on. A part that is in both is a single slope along an edge.
            if to.along > 0 && !high.is_less(to) {
                let begin = if low.is_less(to) { to } else { low };
                self.spare.push((begin, high));
            }
        }
        core::mem::swap(&mut self.beams, &mut self.spare);
    }

    #[inline]
    fn place(&self, at: CellPos) -> Option<usize> {
        let width = (self.area.x1 - self.area.x0) as usize;
        let within = self.area.contains(at);
        within.then(|| (at.y - self.area.y0) as usize * width + (at.x - self.area.x0) as usize)
    }

    /// Marks a cell as visible.
    pub(super) fn set(&mut self, at: CellPos) {
        if let Some(place) = self.place(at) {
            self.bits[place / 64] |= 1 << (place % 64);
        }
    }

    /// Whether a cell is visible.
    #[inline]
    pub(super) fn contains(&self, at: CellPos) -> bool {
        self.place(at).is_some_and(|place| self.bits[place / 64] >> (place % 64) & 1 == 1)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.bits.capacity() * 8 + (self.beams.capacity() + self.spare.capacity()) * size_of::<Beam>()
    }
}
