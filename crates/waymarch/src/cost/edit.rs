//! Edits of layer 1: everything a game can do to the map while it runs.

use super::layer::CostLayer;
use super::stamp::{FootCell, Stamp, StampError};
use super::stamps::GateState;
use super::terrain::TerrainId;
use super::threat::{MAX_THREAT_RADIUS, ThreatId, ThreatSource, refresh_due};
use crate::base::{CellPos, CellRect, GridSize, StampId, Tick};

/// At most this many threat sources, so that no sum of them overflows.
pub const MAX_THREAT_SOURCES: usize = 1 << 24;

/// Why an edit was refused; nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError {
    /// A cell that is not on the map.
    #[error("cell {at} is not on a map of {size}")]
    OffMap {
        /// The cell.
        at: CellPos,
        /// The map's size.
        size: GridSize,
    },
    /// A stamp with a wrong footprint, or one that does not fit there.
    #[error(transparent)]
    Stamp(#[from] StampError),
    /// An id of a stamp that does not stand (any more).
    #[error("stamp {0:?} does not stand on this map (it may have been removed or have expired)")]
    NoSuchStamp(StampId),
    /// A stamp without gate cells was asked to open or close.
    #[error("stamp {0:?} has no gate")]
    NoGate(StampId),
    /// A terrain that the rules do not have.
    #[error("terrain number {0} is not in the rules")]
    UnknownTerrain(u8),
    /// An id of a threat source that is gone.
    #[error("threat source {0:?} does not exist (any more)")]
    NoSuchThreat(ThreatId),
    /// A threat radius over the limit.
    #[error("a threat radius of {0} is over the limit of {MAX_THREAT_RADIUS}")]
    ThreatRadius(u16),
    /// Too many threat sources.
    #[error("more than {MAX_THREAT_SOURCES} threat sources")]
    TooManyThreats,
}

impl CostLayer {
    /// Stands `stamp` with its north-west cell at `at`; one with a lifetime goes at `now + lifetime`.
    ///
    /// Stamps may overlap; each is removed on its own and the ground under it comes back as the others leave it.
    ///
    /// # Errors
    /// A wrong footprint, or one that does not fit the map there.
    pub fn place(&mut self, stamp: &Stamp, at: CellPos, now: Tick) -> Result<StampId, EditError> {
        stamp.check_at(self.rules().rules().terrains.len(), self.grid(), at)?;
        let id = self.ground.stamps.place(stamp, at, now);
        self.update(CellRect::at(at, stamp.width, stamp.height));
        Ok(id)
    }

    /// Takes a stamp away.
    ///
    /// # Errors
    /// An id that does not stand.
    pub fn remove(&mut self, id: StampId) -> Result<(), EditError> {
        let rect = self.ground.stamps.remove(id).ok_or(EditError::NoSuchStamp(id))?;
        self.update(rect);
        Ok(())
    }

    /// Opens or closes a stamp's gate cells.
    ///
    /// # Errors
    /// An id that does not stand, or a stamp without gate cells.
    pub fn set_gate(&mut self, id: StampId, gate: GateState) -> Result<(), EditError> {
        let (_, stamp) = self.ground.stamps.get(id).ok_or(EditError::NoSuchStamp(id))?;
        if !stamp.cells.contains(&FootCell::Gate) {
            return Err(EditError::NoGate(id));
        }
        let rect = self.ground.stamps.rect(id).ok_or(EditError::NoSuchStamp(id))?;
        self.ground.stamps.set_gate(id, gate).ok_or(EditError::NoSuchStamp(id))?;
        self.update(rect);
        Ok(())
    }

    /// Repaints the base terrain of all cells of `area` that are on the map.
    ///
    /// # Errors
    /// A terrain that the rules do not have, or an area with no cell on the map.
    pub fn set_terrain(&mut self, area: CellRect, terrain: TerrainId) -> Result<(), EditError> {
        if terrain.index() >= self.rules().rules().terrains.len() {
            return Err(EditError::UnknownTerrain(terrain.0));
        }
        let area = self.on_map(area)?;
        for at in area.cells() {
            if let Some(id) = self.ground.grid.id(at) {
                self.ground.terrain[id.index()] = terrain;
            }
        }
        self.update(area);
        Ok(())
    }

    /// Sets the height of all cells of `area` that are on the map, in [`ELEVATION_UNIT`](super::ELEVATION_UNIT)s to a cell-width.
    ///
    /// # Errors
    /// An area with no cell on the map.
    pub fn set_elevation(&mut self, area: CellRect, height: i16) -> Result<(), EditError> {
        let area = self.on_map(area)?;
        if self.ground.elevation.is_empty() {
            self.ground.elevation = alloc::vec![0; self.ground.grid.cells()];
        }
        for at in area.cells() {
            if let Some(id) = self.ground.grid.id(at) {
                self.ground.elevation[id.index()] = height;
            }
        }
        // A height is felt in the slopes of its neighbours too.
        self.update(area.grow(1, 1));
        Ok(())
    }

    /// Adds a threat source; it shows at the next refresh.
    ///
    /// # Errors
    /// A source off the map, too wide, or one too many.
    pub fn add_threat(&mut self, source: ThreatSource) -> Result<ThreatId, EditError> {
        self.check_threat(&source)?;
        if self.threat.len() >= MAX_THREAT_SOURCES {
            return Err(EditError::TooManyThreats);
        }
        Ok(self.threat.add(source))
    }

    /// Moves or changes a threat source; shows at the next refresh.
    ///
    /// # Errors
    /// An id that is gone, or a source off the map or too wide.
    pub fn set_threat(&mut self, id: ThreatId, source: ThreatSource) -> Result<(), EditError> {
        self.check_threat(&source)?;
        self.threat.set(id, Some(source)).ok_or(EditError::NoSuchThreat(id))
    }

    /// Removes a threat source; shows at the next refresh.
    ///
    /// # Errors
    /// An id that is gone.
    pub fn remove_threat(&mut self, id: ThreatId) -> Result<(), EditError> {
        self.threat.set(id, None).ok_or(EditError::NoSuchThreat(id))
    }

    /// What time does by itself: stamps whose lifetime is over go, and on every `threat_update_frequency`-th tick
    /// the threat map shows its changes. Call it once per tick.
    pub fn advance(&mut self, now: Tick) {
        // All go before anything is worked out anew, so that only what differs in the end is told.
        let mut areas = core::mem::take(&mut self.expired);
        while let Some(id) = self.ground.stamps.pop_expired(now) {
            areas.extend(self.ground.stamps.remove(id));
        }
        for area in areas.drain(..) {
            self.update(area);
        }
        self.expired = areas;
        if refresh_due(now, self.settings.threat_every) {
            self.changes.begin();
            self.threat.refresh(&mut self.changes);
        }
    }

    fn on_map(&self, area: CellRect) -> Result<CellRect, EditError> {
        let inside = area.intersect(self.grid().rect());
        if inside.is_empty() {
            let at = CellPos::new(area.x0, area.y0);
            return Err(EditError::OffMap { at, size: self.grid() });
        }
        Ok(inside)
    }

    fn check_threat(&self, source: &ThreatSource) -> Result<(), EditError> {
        if !self.grid().contains(source.at) {
            return Err(EditError::OffMap { at: source.at, size: self.grid() });
        }
        if source.radius > MAX_THREAT_RADIUS {
            return Err(EditError::ThreatRadius(source.radius));
        }
        Ok(())
    }
}
