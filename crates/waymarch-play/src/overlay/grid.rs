//! Which part of the map an overlay message covers, at which resolution, and the bytes of each form (`PROTOCOL.md`, `WMO1`).

use waymarch::base::{CellPos, CellRect};

/// How an overlay's bytes are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Heat = 0,
    Areas = 1,
    Arrows = 2,
    Lines = 3,
    Cells = 4,
}

/// A message has at most 1024 values per side. Larger areas are sent at a lower resolution: one value stands for several cells.
pub(crate) const MAX_VALUES: u32 = 1024;
/// All lines of a message together have at most 2¹⁸ points.
const MAX_POINTS: usize = 1 << 18;
/// At most 5,000 units have lines in one message.
pub(crate) const MAX_LINES: usize = 5000;
/// The value for "nothing" in the forms heat and areas: 65,535.
const NOTHING: u16 = u16::MAX;

/// A line: its class, and its points in 1/1024 cell.
pub(crate) type Line = (u32, Vec<[i32; 2]>);

/// Scratch: which overlay is drawn, for which tick, area and resolution.
///
/// *Invariant:* a message has at most 1024 × 1024 values, or 2¹⁸ points of lines, or as many marks as its overlay allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OverlayGrid {
    number: usize,
    tick: u64,
    /// Starts at a multiple of a value's side, so that values keep their cells while a page moves its view.
    pub(crate) area: CellRect,
    /// A value stands for a square of 2^shift cells per side.
    shift: u32,
}

impl OverlayGrid {
    /// For `area` of a map that covers `whole`: the highest resolution that fits into a message.
    pub(crate) fn new(number: usize, tick: u64, area: CellRect, whole: CellRect) -> Self {
        let area = area.intersect(whole);
        if area.is_empty() {
            return Self { number, tick, area: CellRect::at(CellPos::new(0, 0), 0, 0), shift: 0 };
        }
        let mut shift = 0;
        loop {
            let begin = |side: i32| side >> shift << shift;
            let area = CellRect { x0: begin(area.x0), y0: begin(area.y0), ..area };
            let grid = Self { number, tick, area, shift };
            if grid.columns().max(grid.rows()) <= MAX_VALUES {
                return grid;
            }
            shift += 1;
        }
    }

    /// Values per row.
    pub(crate) fn columns(&self) -> u32 {
        self.area.x1.abs_diff(self.area.x0).div_ceil(1 << self.shift)
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> u32 {
        self.area.y1.abs_diff(self.area.y0).div_ceil(1 << self.shift)
    }

    /// Whether each value stands for one cell.
    pub(crate) fn is_full_resolution(&self) -> bool {
        self.shift == 0
    }

    /// The index of the value that stands for a cell; `None` outside the area.
    pub(crate) fn value_index(&self, at: CellPos) -> Option<usize> {
        let far = |side: i32, begin: i32| (side.abs_diff(begin) >> self.shift) as usize;
        self.area
            .contains(at)
            .then(|| far(at.y, self.area.y0) * self.columns() as usize + far(at.x, self.area.x0))
    }

    /// The cells that are sampled, one per value, row by row: the middle cell of each value's square.
    fn sampled_cells(&self) -> impl Iterator<Item = CellPos> {
        let (area, step) = (self.area, 1 << self.shift);
        let middle = move |begin: i32, end: i32| {
            (begin..end).step_by(step as usize).map(move |side| (side + step / 2).min(end - 1))
        };
        middle(area.y0, area.y1).flat_map(move |y| middle(area.x0, area.x1).map(move |x| CellPos::new(x, y)))
    }

    fn header(&self, form: Form, most: u32) -> Vec<u8> {
        let mut out = b"WMO1".to_vec();
        out.extend_from_slice(&(self.number as u32).to_le_bytes());
        out.extend_from_slice(&(form as u32 | self.shift << 16).to_le_bytes());
        out.extend_from_slice(&self.tick.to_le_bytes());
        [self.area.x0, self.area.y0].iter().for_each(|side| out.extend_from_slice(&side.to_le_bytes()));
        [self.columns(), self.rows(), most]
            .iter()
            .for_each(|side| out.extend_from_slice(&side.to_le_bytes()));
        out
    }

    /// One 16-bit value per sample. If the largest value does not fit, all are shifted right by the same number of bits.
    pub(crate) fn heat(&self, value: impl Fn(CellPos) -> Option<u32>) -> Vec<u8> {
        let values: Vec<Option<u32>> = self.sampled_cells().map(value).collect();
        let most = values.iter().flatten().copied().max().unwrap_or(0);
        let shift = (0..32).find(|shift| most >> shift < u32::from(NOTHING)).unwrap_or(31);
        let mut out = self.header(Form::Heat, most >> shift);
        for value in values {
            out.extend_from_slice(&value.map_or(NOTHING, |value| (value >> shift) as u16).to_le_bytes());
        }
        out
    }

    /// One number per sample for a colour. Values are numbered in the order in which they first appear.
    pub(crate) fn areas(&self, value: impl Fn(CellPos) -> Option<u32>) -> Vec<u8> {
        let mut names = std::collections::BTreeMap::new();
        let mut numbers = Vec::new();
        for at in self.sampled_cells() {
            numbers.push(value(at).map_or(NOTHING, |value| {
                let next = names.len() as u32;
                (*names.entry(value).or_insert(next) % u32::from(NOTHING)) as u16
            }));
        }
        let mut out = self.header(Form::Areas, names.len() as u32);
        numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        out
    }

    /// One byte per sample, as `PROTOCOL.md` numbers arrows.
    pub(crate) fn arrows(&self, value: impl Fn(CellPos) -> u8) -> Vec<u8> {
        let mut out = self.header(Form::Arrows, 0);
        out.extend(self.sampled_cells().map(value));
        out
    }

    /// Lines with their points. Lines that would exceed 2¹⁸ points are left out.
    pub(crate) fn lines(&self, lines: &[Line]) -> Vec<u8> {
        let mut points = 0;
        let shown = lines.iter().take_while(|(_, line)| {
            points += line.len();
            points <= MAX_POINTS
        });
        let shown = shown.count();
        let mut out = self.header(Form::Lines, 0);
        out.extend_from_slice(&(shown as u32).to_le_bytes());
        for (class, points) in &lines[..shown] {
            out.extend_from_slice(&class.to_le_bytes());
            out.extend_from_slice(&(points.len() as u32).to_le_bytes());
            points.iter().flatten().for_each(|side| out.extend_from_slice(&side.to_le_bytes()));
        }
        out
    }

    pub(crate) fn cells(&self, cells: &[(CellPos, u32)]) -> Vec<u8> {
        let mut out = self.header(Form::Cells, 0);
        out.extend_from_slice(&(cells.len() as u32).to_le_bytes());
        for (at, class) in cells {
            out.extend_from_slice(&at.x.to_le_bytes());
            out.extend_from_slice(&at.y.to_le_bytes());
            out.extend_from_slice(&class.to_le_bytes());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_aligned_bounded_and_found_again_by_their_cells() {
        let whole = CellRect::at(CellPos::new(0, 0), 4096, 3000);
        for (area, shift) in [([0, 0, 4096, 3000], 2), ([5, 7, 1024, 900], 0), ([3, 0, 1500, 10], 1)] {
            let area = CellRect::at(CellPos::new(area[0], area[1]), area[2] as u32, area[3] as u32);
            let grid = OverlayGrid::new(0, 0, area, whole);
            assert_eq!((grid.shift, grid.area.x0 % (1 << shift)), (shift, 0));
            assert!(grid.columns() <= MAX_VALUES && grid.rows() <= MAX_VALUES);
            let places: Vec<_> = grid.sampled_cells().map(|at| grid.value_index(at)).collect();
            let all = grid.columns() as usize * grid.rows() as usize;
            assert!(places.into_iter().eq((0..all).map(Some)), "{area:?}");
        }
        assert_eq!(OverlayGrid::new(0, 0, CellRect::at(CellPos::new(-9, -9), 4, 4), whole).columns(), 0);
    }

    #[test]
    fn lines_beyond_the_bound_are_left_out() {
        let whole = CellRect::at(CellPos::new(0, 0), 8, 8);
        let grid = OverlayGrid::new(0, 0, whole, whole);
        let lines: Vec<Line> = (0..3).map(|class| (class, vec![[0, 0]; MAX_POINTS / 2])).collect();
        let bytes = grid.lines(&lines);
        assert_eq!(bytes.len(), 44 + 2 * (8 + 8 * MAX_POINTS / 2));
    }
}
