//! The atlas: all levels of a map side by side in one grid.

use alloc::vec;
use alloc::vec::Vec;

use super::deck::Deck;
use super::error::LevelError;
use super::map::LevelMap;
use crate::base::{CellPos, CellRect, GridSize, LevelCell, LevelId};
use crate::cost::{Map, PlacedStamp, TerrainId};

/// The entry of a cell that belongs to no level: 2^16 − 1.
const NO_LEVEL: u16 = u16::MAX;

/// Derived: where the cells of all levels lie in one grid.
///
/// The base lies at the north-west, so its cells keep their positions. The decks lie below it, each with a ring of closed cells around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atlas {
    size: GridSize,
    base: GridSize,
    /// The cells of each level, the base first.
    areas: Vec<CellRect>,
    /// By level: what to add to a cell of the atlas to get its position over the base.
    shifts: Vec<CellPos>,
    /// The level of each cell south of the base, row by row.
    below: Vec<u16>,
}

impl Atlas {
    /// Lays out a base and its decks: in rows, those with the most rows of cells first, so that little space is left over.
    ///
    /// # Errors
    /// [`LevelError::TooLarge`] if the atlas would be higher than a grid may be.
    pub(super) fn new(base: GridSize, decks: &[Deck]) -> Result<Self, LevelError> {
        let ringed = |deck: &Deck| (deck.size.width() + 2, deck.size.height() + 2);
        let width = decks.iter().map(|deck| ringed(deck).0).fold(base.width(), u32::max);
        let mut areas = vec![base.rect(); decks.len() + 1];
        let mut shifts = vec![CellPos::new(0, 0); decks.len() + 1];
        let mut order: Vec<usize> = (0..decks.len()).collect();
        order.sort_by_key(|&deck| core::cmp::Reverse(decks[deck].size.height()));
        // The row south of the base is closed.
        let mut top = base.height() + u32::from(!decks.is_empty());
        let (mut left, mut high) = (0, 0);
        for number in order {
            let deck = &decks[number];
            let (wide, tall) = ringed(deck);
            if left + wide > width {
                (top, left, high) = (top + high, 0, 0);
            }
            let at = CellPos::new(left as i32 + 1, top as i32 + 1);
            areas[number + 1] = CellRect::at(at, deck.size.width(), deck.size.height());
            shifts[number + 1] = CellPos::new(deck.at.x - at.x, deck.at.y - at.y);
            (left, high) = (left + wide, high.max(tall));
        }
        let size = GridSize::new(width, top + high).map_err(LevelError::TooLarge)?;
        let mut below = vec![NO_LEVEL; width as usize * (size.height() - base.height()) as usize];
        for (level, area) in (0..).zip(&areas).skip(1) {
            for at in area.cells() {
                below[(at.y as usize - base.height() as usize) * width as usize + at.x as usize] = level;
            }
        }
        Ok(Self { size, base, areas, shifts, below })
    }

    /// The size of the atlas.
    #[must_use]
    pub fn size(&self) -> GridSize {
        self.size
    }

    /// The number of levels, the base included.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.areas.len()
    }

    /// The cells of a level in the atlas; `None` if there is no such level.
    #[must_use]
    pub fn area(&self, level: LevelId) -> Option<CellRect> {
        self.areas.get(usize::from(level.0)).copied()
    }

    /// The level of a cell of the atlas; `None` for closed cells between levels, and off the atlas.
    #[inline]
    #[must_use]
    pub fn level(&self, at: CellPos) -> Option<LevelId> {
        if self.base.contains(at) {
            return Some(LevelId::BASE);
        }
        if !self.size.contains(at) || at.y < self.base.height() as i32 {
            return None;
        }
        let place = (at.y as u32 - self.base.height()) as usize * self.size.width() as usize + at.x as usize;
        self.below.get(place).copied().filter(|&level| level != NO_LEVEL).map(LevelId)
    }

    /// The position over the base of a cell of a level; that of the cell itself where there is no level.
    #[inline]
    #[must_use]
    pub fn over_base(&self, at: CellPos) -> CellPos {
        // Most cells are on the base.
        if (at.y as u32) < self.base.height() {
            return at;
        }
        let level = self.level(at).unwrap_or_default();
        let shift = self.shifts[usize::from(level.0)];
        CellPos::new(at.x + shift.x, at.y + shift.y)
    }

    /// The level and position of a cell of the atlas; `None` where there is no level.
    #[must_use]
    pub fn place(&self, at: CellPos) -> Option<LevelCell> {
        self.level(at).map(|level| self.over_base(at).on(level))
    }

    /// The cell of the atlas for a cell of a level; `None` if the level or the cell does not exist.
    #[must_use]
    pub fn cell(&self, place: LevelCell) -> Option<CellPos> {
        let (area, shift) = self.areas.get(usize::from(place.level.0)).zip(self.shift(place.level))?;
        let at = place.at.offset(-shift.x, -shift.y);
        area.contains(at).then_some(at)
    }

    /// What to add to cells of a level to get their positions over the base; `None` if there is no such level.
    pub(crate) fn shift(&self, level: LevelId) -> Option<CellPos> {
        self.shifts.get(usize::from(level.0)).copied()
    }

    /// All levels as one map. Cells between levels are barred by [`bars`](super::bars), so their terrain does not matter.
    pub(super) fn join(&self, map: &LevelMap) -> Map {
        let base = &map.base;
        let mut joined = Map {
            name: base.name.clone(),
            size: self.size,
            rules: base.rules.clone(),
            terrain: vec![TerrainId(0); self.size.cells()],
            elevation: Vec::new(),
            stamps: base.stamps.clone(),
            starts: base.starts.clone(),
        };
        let decks = map.decks.iter().map(|deck| (&deck.terrain, &deck.elevation));
        let grounds: Vec<(&Vec<TerrainId>, &Vec<i16>)> =
            core::iter::once((&base.terrain, &base.elevation)).chain(decks).collect();
        let hilly = grounds.iter().any(|(_, elevation)| !elevation.is_empty());
        if hilly {
            joined.elevation = vec![0; self.size.cells()];
        }
        for (area, (terrain, elevation)) in self.areas.iter().zip(grounds) {
            for (at, &terrain) in area.cells().zip(terrain) {
                joined.set_terrain(at, terrain);
            }
            if !hilly {
                continue;
            }
            let width = (area.x1 - area.x0) as usize;
            let height = |at: CellPos| {
                let place = (at.y - area.y0) as usize * width + (at.x - area.x0) as usize;
                elevation.get(place).copied().unwrap_or(0)
            };
            for at in self.ring(*area).cells() {
                if let Some(id) = self.size.id(at) {
                    joined.elevation[id.index()] = height(area.nearest(at));
                }
            }
        }
        for (deck, shift) in map.decks.iter().zip(&self.shifts[1..]) {
            joined.stamps.extend(deck.stamps.iter().map(|placed| PlacedStamp {
                at: placed.at.offset(-shift.x, -shift.y),
                stamp: placed.stamp.clone(),
            }));
        }
        joined
    }

    /// A level with the closed cells around it. Their heights are those of the level's edge, so that no cell of the edge has a slope.
    pub(crate) fn ring(&self, area: CellRect) -> CellRect {
        area.grow(1, 1).intersect(self.size.rect())
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.areas.len() * size_of::<CellRect>()
            + self.shifts.len() * size_of::<CellPos>()
            + self.below.len() * 2
    }
}
