//! What overlays are written on: which part of the map, how finely, and the bytes of each form (`PROTOCOL.md`, `WMO1`).

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

/// At most so many values a side are sent: from farther away, one stands for several cells.
pub(crate) const MAX_VALUES: u32 = 1024;
/// At most so many points of lines are sent, whatever the number of lines.
const MAX_POINTS: usize = 1 << 18;
/// Nothing, in heat and areas.
const NOTHING: u16 = u16::MAX;

/// A line: its class and its points, in 1/1024 of a cell.
pub(crate) type Line = (u32, Vec<[i32; 2]>);

/// Scratch: which overlay, when, where, and how finely.
///
/// *Invariant:* a message has at most 1024 × 1024 values, 2¹⁸ points of lines, or as many marks as its overlay allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Paper {
    number: usize,
    tick: u64,
    /// Begins at a multiple of a value's side, so that values stay where they are while a page moves its view.
    pub(crate) area: CellRect,
    /// A value stands for 2^shift cells a side.
    shift: u32,
}

impl Paper {
    /// For `area` of a map that covers `whole`: as finely as the bound on messages lets it.
    pub(crate) fn new(number: usize, tick: u64, area: CellRect, whole: CellRect) -> Self {
        let area = area.intersect(whole);
        if area.is_empty() {
            return Self { number, tick, area: CellRect::at(CellPos::new(0, 0), 0, 0), shift: 0 };
        }
        let mut shift = 0;
        loop {
            let begin = |side: i32| side >> shift << shift;
            let area = CellRect { x0: begin(area.x0), y0: begin(area.y0), ..area };
            let paper = Self { number, tick, area, shift };
            if paper.wide().max(paper.high()) <= MAX_VALUES {
                return paper;
            }
            shift += 1;
        }
    }

    /// Values in a row.
    pub(crate) fn wide(&self) -> u32 {
        self.area.x1.abs_diff(self.area.x0).div_ceil(1 << self.shift)
    }

    /// Rows of values.
    pub(crate) fn high(&self) -> u32 {
        self.area.y1.abs_diff(self.area.y0).div_ceil(1 << self.shift)
    }

    /// Whether each value is of one cell only.
    pub(crate) fn is_fine(&self) -> bool {
        self.shift == 0
    }

    /// The number of the value that stands for a cell.
    pub(crate) fn place(&self, at: CellPos) -> Option<usize> {
        let far = |side: i32, begin: i32| (side.abs_diff(begin) >> self.shift) as usize;
        self.area
            .contains(at)
            .then(|| far(at.y, self.area.y0) * self.wide() as usize + far(at.x, self.area.x0))
    }

    /// The cells that are looked at, one for each value, row by row: the middle of what it stands for.
    fn looked_at(&self) -> impl Iterator<Item = CellPos> {
        let (area, step) = (self.area, 1 << self.shift);
        let middle = move |begin: i32, end: i32| {
            (begin..end).step_by(step as usize).map(move |side| (side + step / 2).min(end - 1))
        };
        middle(area.y0, area.y1).flat_map(move |y| middle(area.x0, area.x1).map(move |x| CellPos::new(x, y)))
    }

    fn head(&self, form: Form, most: u32) -> Vec<u8> {
        let mut out = b"WMO1".to_vec();
        out.extend_from_slice(&(self.number as u32).to_le_bytes());
        out.extend_from_slice(&(form as u32 | self.shift << 16).to_le_bytes());
        out.extend_from_slice(&self.tick.to_le_bytes());
        [self.area.x0, self.area.y0].iter().for_each(|side| out.extend_from_slice(&side.to_le_bytes()));
        [self.wide(), self.high(), most].iter().for_each(|side| out.extend_from_slice(&side.to_le_bytes()));
        out
    }

    /// Values that go beyond 16 bits are all made smaller alike.
    pub(crate) fn heat(&self, value: impl Fn(CellPos) -> Option<u32>) -> Vec<u8> {
        let values: Vec<Option<u32>> = self.looked_at().map(value).collect();
        let most = values.iter().flatten().copied().max().unwrap_or(0);
        let shift = (0..32).find(|shift| most >> shift < u32::from(NOTHING)).unwrap_or(31);
        let mut out = self.head(Form::Heat, most >> shift);
        for value in values {
            out.extend_from_slice(&value.map_or(NOTHING, |value| (value >> shift) as u16).to_le_bytes());
        }
        out
    }

    /// Numbers are given anew in the order in which they are met.
    pub(crate) fn areas(&self, value: impl Fn(CellPos) -> Option<u32>) -> Vec<u8> {
        let mut names = std::collections::BTreeMap::new();
        let mut numbers = Vec::new();
        for at in self.looked_at() {
            numbers.push(value(at).map_or(NOTHING, |value| {
                let next = names.len() as u32;
                (*names.entry(value).or_insert(next) % u32::from(NOTHING)) as u16
            }));
        }
        let mut out = self.head(Form::Areas, names.len() as u32);
        numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        out
    }

    /// A byte a cell, as `PROTOCOL.md` numbers arrows.
    pub(crate) fn arrows(&self, value: impl Fn(CellPos) -> u8) -> Vec<u8> {
        let mut out = self.head(Form::Arrows, 0);
        out.extend(self.looked_at().map(value));
        out
    }

    /// Lines after the first so many points are left out.
    pub(crate) fn lines(&self, lines: &[Line]) -> Vec<u8> {
        let mut points = 0;
        let shown = lines.iter().take_while(|(_, line)| {
            points += line.len();
            points <= MAX_POINTS
        });
        let shown = shown.count();
        let mut out = self.head(Form::Lines, 0);
        out.extend_from_slice(&(shown as u32).to_le_bytes());
        for (class, points) in &lines[..shown] {
            out.extend_from_slice(&class.to_le_bytes());
            out.extend_from_slice(&(points.len() as u32).to_le_bytes());
            points.iter().flatten().for_each(|side| out.extend_from_slice(&side.to_le_bytes()));
        }
        out
    }

    pub(crate) fn cells(&self, cells: &[(CellPos, u32)]) -> Vec<u8> {
        let mut out = self.head(Form::Cells, 0);
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
            let paper = Paper::new(0, 0, area, whole);
            assert_eq!((paper.shift, paper.area.x0 % (1 << shift)), (shift, 0));
            assert!(paper.wide() <= MAX_VALUES && paper.high() <= MAX_VALUES);
            let places: Vec<_> = paper.looked_at().map(|at| paper.place(at)).collect();
            let all = paper.wide() as usize * paper.high() as usize;
            assert!(places.into_iter().eq((0..all).map(Some)), "{area:?}");
        }
        assert_eq!(Paper::new(0, 0, CellRect::at(CellPos::new(-9, -9), 4, 4), whole).wide(), 0);
    }

    #[test]
    fn lines_beyond_the_bound_are_left_out() {
        let whole = CellRect::at(CellPos::new(0, 0), 8, 8);
        let paper = Paper::new(0, 0, whole, whole);
        let lines: Vec<Line> = (0..3).map(|class| (class, vec![[0, 0]; MAX_POINTS / 2])).collect();
        let bytes = paper.lines(&lines);
        assert_eq!(bytes.len(), 44 + 2 * (8 + 8 * MAX_POINTS / 2));
    }
}
