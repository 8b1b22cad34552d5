//! Edits of a map of levels.

use super::error::LevelEditError;
use super::navigator::LevelNavigator;
use super::reach::LevelReach;
use crate::base::{CellPos, CellRect, LevelCell, LevelId, StampId};
use crate::cost::{GateState, Stamp, TerrainId};
use crate::levels::{DeckState, LinkState};

impl LevelNavigator {
    /// Destroys a deck, or rebuilds it. All cells of a destroyed deck are closed, and units that were too high for it may pass below. Stamps
    /// and terrain of the deck stay.
    ///
    /// # Errors
    /// [`LevelEditError`] for the base and for a level that does not exist.
    pub fn set_deck(&mut self, level: LevelId, state: DeckState) -> Result<(), LevelEditError> {
        let deck = level.deck().ok_or(LevelEditError::BaseIsNoDeck)?;
        let present = self.decks.get_mut(deck).ok_or(LevelEditError::NoSuchLevel(level))?;
        if core::mem::replace(present, state) != state {
            let area = self.map.decks[deck].area();
            self.bar(area);
            self.follow();
        }
        Ok(())
    }

    /// Opens or closes a link, given by its number in [`LevelMap::links`](crate::levels::LevelMap::links).
    ///
    /// # Errors
    /// [`LevelEditError::NoSuchLink`].
    pub fn set_link(&mut self, link: u16, state: LinkState) -> Result<(), LevelEditError> {
        let present = self.links.get_mut(usize::from(link)).ok_or(LevelEditError::NoSuchLink(link))?;
        *present = state;
        for of in &mut self.agents {
            if of.steps.set(link, state) {
                of.reach = LevelReach::new(&self.sectors, &of.steps);
            }
        }
        Ok(())
    }

    /// Places a stamp on a level, with its north-west cell at `at`.
    ///
    /// # Errors
    /// [`LevelEditError`] if there is no such level or the stamp does not fit on it.
    pub fn place(&mut self, stamp: &Stamp, at: LevelCell) -> Result<StampId, LevelEditError> {
        let (area, shift) = self.level(at.level)?;
        let cell = at.at.offset(-shift.x, -shift.y);
        let rect = CellRect::at(cell, stamp.width, stamp.height);
        if rect.intersect(area) != rect {
            return Err(LevelEditError::OffLevel { at });
        }
        let id = self.layer.place(stamp, cell, self.now)?;
        self.follow();
        Ok(id)
    }

    /// Removes a stamp.
    ///
    /// # Errors
    /// [`LevelEditError::Edit`] if there is no such stamp.
    pub fn remove(&mut self, id: StampId) -> Result<(), LevelEditError> {
        self.layer.remove(id)?;
        self.follow();
        Ok(())
    }

    /// Opens or closes a stamp's gate cells.
    ///
    /// # Errors
    /// [`LevelEditError::Edit`] if there is no such stamp or gate.
    pub fn set_gate(&mut self, id: StampId, gate: GateState) -> Result<(), LevelEditError> {
        self.layer.set_gate(id, gate)?;
        self.follow();
        Ok(())
    }

    /// Sets the terrain of all cells of an area that are on a level. The area is over the base.
    ///
    /// # Errors
    /// [`LevelEditError`] for an unknown terrain or level, and for an area beside the level.
    pub fn set_terrain(
        &mut self,
        level: LevelId,
        area: CellRect,
        terrain: TerrainId,
    ) -> Result<(), LevelEditError> {
        let cells = self.on_level(level, area)?;
        self.layer.set_terrain(cells, terrain)?;
        self.follow();
        Ok(())
    }

    /// Sets the height of all cells of an area that are on a level; on a deck, above the height of the deck. The area is over the base.
    ///
    /// # Errors
    /// [`LevelEditError`] for an unknown level, and for an area beside it.
    pub fn set_elevation(
        &mut self,
        level: LevelId,
        area: CellRect,
        height: i16,
    ) -> Result<(), LevelEditError> {
        let cells = self.on_level(level, area)?;
        let (all, shift) = self.level(level)?;
        let (size, heights) = match level.deck() {
            Some(deck) => (self.map.decks[deck].size, &mut self.map.decks[deck].elevation),
            None => (self.map.base.size, &mut self.map.base.elevation),
        };
        heights.resize(size.cells(), 0);
        let place = |at: CellPos| size.id(at.offset(-all.x0, -all.y0));
        for id in cells.cells().filter_map(place) {
            heights[id.index()] = height;
        }
        // The closed cells around a level have the heights of its edge.
        let ring = cells.grow(1, 1).intersect(self.atlas.ring(all));
        self.layer.set_heights(ring, |at| place(all.nearest(at)).map_or(0, |id| heights[id.index()]));
        let moved = |x: i32, y: i32| CellPos::new(x + shift.x, y + shift.y);
        let (first, last) = (moved(cells.x0, cells.y0), moved(cells.x1, cells.y1));
        self.bar(CellRect { x0: first.x, y0: first.y, x1: last.x, y1: last.y });
        self.follow();
        Ok(())
    }

    /// Advances by one tick: stamps expire.
    pub fn tick(&mut self) {
        self.now = self.now.next();
        let before = self.layer.changes().mark_now();
        self.layer.advance(self.now);
        if self.layer.changes().mark_now() != before {
            self.follow();
        }
    }

    /// The cells of a level in the atlas, and what to add to them for positions over the base.
    fn level(&self, level: LevelId) -> Result<(CellRect, CellPos), LevelEditError> {
        self.atlas.area(level).zip(self.atlas.shift(level)).ok_or(LevelEditError::NoSuchLevel(level))
    }

    /// The part of an area over the base that lies on a level, in the atlas.
    fn on_level(&self, level: LevelId, area: CellRect) -> Result<CellRect, LevelEditError> {
        let (all, shift) = self.level(level)?;
        let first = CellPos::new(area.x0, area.y0).offset(-shift.x, -shift.y);
        let last = CellPos::new(area.x1, area.y1).offset(-shift.x, -shift.y);
        let cells = CellRect { x0: first.x, y0: first.y, x1: last.x, y1: last.y }.intersect(all);
        if cells.is_empty() {
            return Err(LevelEditError::OffLevel { at: CellPos::new(area.x0, area.y0).on(level) });
        }
        Ok(cells)
    }

    /// Finds anew which locomotors are barred from the cells of all levels in an area over the base.
    fn bar(&mut self, area: CellRect) {
        for level in (0..self.atlas.levels() as u16).map(LevelId) {
            let Ok(cells) = self.on_level(level, area) else { continue };
            let Self { layer, map, atlas, bars, decks, .. } = self;
            layer.set_bars(cells, |at| bars.at(map, atlas, decks, at));
        }
    }

    /// Follows the changes of the costs.
    fn follow(&mut self) {
        self.sectors.follow(&self.layer);
        for of in &mut self.agents {
            of.reach = LevelReach::new(&self.sectors, &of.steps);
        }
    }
}
