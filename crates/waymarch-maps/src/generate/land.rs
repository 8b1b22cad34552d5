//! The map while it is generated: heights and land cover, and the brush that grades the ground around a road or river.

use waymarch::base::{CellPos, GridSize};
use waymarch::cost::TerrainId;

use super::standard_rules::{YARD, YARD_CENTRE, ground};

/// Ground steeper than 130/256 is a cliff (rise per cell; [`ELEVATION_UNIT`](waymarch::cost::ELEVATION_UNIT) = 256 is one cell).
/// That is about 0.5, safely below the 0.6 that closes a cell to ground units.
pub(super) const CLIFF_SLOPE: i32 = 130;

/// All water lies at height -24, just below the land, so that no bridge or shore is steep.
pub(super) const WATER_LEVEL: i16 = -24;

/// Scratch: heights and cover of the map, three bytes per cell.
pub(super) struct Land {
    pub(super) size: GridSize,
    pub(super) elevation: Vec<i16>,
    pub(super) cover: Vec<TerrainId>,
}

impl Land {
    pub(super) fn index(&self, at: CellPos) -> Option<usize> {
        self.size.id(at).map(waymarch::base::CellId::index)
    }

    pub(super) fn cover_at(&self, at: CellPos) -> Option<TerrainId> {
        self.index(at).map(|i| self.cover[i])
    }

    pub(super) fn height_at(&self, at: CellPos) -> Option<i16> {
        self.index(at).map(|i| self.elevation[i])
    }

    pub(super) fn is_water(&self, at: CellPos) -> bool {
        matches!(self.cover_at(at), Some(ground::WATER | ground::RIVER))
    }

    /// The steepest slope from a cell to its eight neighbours, as height per cell.
    pub(super) fn slope(&self, at: CellPos) -> i32 {
        let Some(own) = self.height_at(at) else { return 0 };
        let (mut straight, mut diagonal) = (0, 0);
        for (dy, row) in self.rows_around(at, &self.elevation) {
            for (dx, &other) in row {
                let rise = i32::from(own.abs_diff(other));
                let steepest = if dx != 0 && dy != 0 { &mut diagonal } else { &mut straight };
                *steepest = rise.max(*steepest);
            }
        }
        // 725/1024 is 1/√2, rounded up.
        straight.max((diagonal * 725) >> 10)
    }

    /// Whether `is_kind` holds for the cover of a cell or one of its eight neighbours.
    pub(super) fn any_around(&self, at: CellPos, is_kind: impl Fn(TerrainId) -> bool) -> bool {
        self.rows_around(at, &self.cover).any(|(_, mut row)| row.any(|(_, &cover)| is_kind(cover)))
    }

    /// The values of `layer` at a cell and its neighbours on the map (at most nine), by row and column offset.
    #[inline]
    fn rows_around<'a, T>(
        &self,
        at: CellPos,
        layer: &'a [T],
    ) -> impl Iterator<Item = (i32, impl Iterator<Item = (i32, &'a T)>)> {
        let (width, height) = (self.size.width() as i32, self.size.height() as i32);
        let (left, right) = ((at.x - 1).max(0), (at.x + 1).min(width - 1));
        ((at.y - 1).max(0)..=(at.y + 1).min(height - 1)).map(move |y| {
            let start = y as usize * width as usize;
            let row = &layer[start + left as usize..=start + right as usize];
            (y - at.y, (left - at.x..).zip(row))
        })
    }

    /// Grades the ground around `centre`. Within `flat` cells it becomes level with `height`; beyond, it rises by at most `grade` per cell.
    /// With [`Grade::Both`] it also falls by at most `grade` per cell.
    pub(super) fn grade(&mut self, centre: CellPos, height: i16, brush: Brush) {
        let tallest = 1100;
        let reach = brush.flat + tallest / brush.grade + 1;
        let level = brush.flat * 16 + 8;
        let (width, rows) = (self.size.width() as i32, self.size.height() as i32);
        let (left, right) = ((centre.x - reach).max(0), (centre.x + reach + 1).min(width));
        for y in (centre.y - reach).max(0)..(centre.y + reach + 1).min(rows) {
            let start = y as usize * width as usize;
            let row = &mut self.elevation[start + left as usize..start + right.max(left) as usize];
            for (x, own) in (left..).zip(row) {
                let (dx, dy) = (x - centre.x, y - centre.y);
                let off = i32::from(*own) - i32::from(height);
                if off < 0 && matches!(brush.sides, Grade::CutOnly) {
                    continue;
                }
                // Distances are in 1/16 cell, so that the cone is round. Most cells are too far away to change;
                // this test saves their square root.
                let square = 256 * (dx * dx + dy * dy);
                let enough = level + (off.abs() + 1) * 16 / brush.grade + 2;
                if square < enough * enough {
                    let distance = (square as u32).isqrt() as i32;
                    let give = (distance - level).max(0) * brush.grade / 16;
                    *own = (i32::from(height) + off.clamp(-give, give)) as i16;
                }
            }
        }
    }

    /// Levels a disc and its surroundings for a start: a yard with a centre that roads do not cover.
    pub(super) fn level_yard(&mut self, centre: CellPos, radius: i32) {
        let height = self.height_at(centre).unwrap_or(0).max(0);
        self.grade(centre, height, Brush { flat: radius + 1, grade: 40, sides: Grade::Both });
        for (radius, cover) in [(radius, YARD), (radius.min(1), YARD_CENTRE)] {
            for at in disc(centre, radius) {
                if let Some(i) = self.index(at) {
                    self.cover[i] = cover;
                }
            }
        }
    }
}

/// The cells within `radius` of `centre`, row by row. They may lie outside the map.
pub(super) fn disc(centre: CellPos, radius: i32) -> impl Iterator<Item = CellPos> {
    let limit = radius * radius + radius;
    (-radius..=radius)
        .flat_map(move |dy| (-radius..=radius).map(move |dx| (dx, dy)))
        .filter(move |&(dx, dy)| dx * dx + dy * dy <= limit)
        .map(move |(dx, dy)| centre.offset(dx, dy))
}

/// How [`Land::grade`] shapes the ground.
#[derive(Clone, Copy)]
pub(super) struct Brush {
    /// The ground is level within this many cells.
    pub(super) flat: i32,
    /// Height per cell beyond that, at least 1.
    pub(super) grade: i32,
    /// Whether hollows are filled too.
    pub(super) sides: Grade,
}

/// Whether grading only cuts into hills or also fills hollows.
#[derive(Clone, Copy)]
pub(super) enum Grade {
    /// Cuts and fills.
    Both,
    /// Cuts only.
    CutOnly,
}
