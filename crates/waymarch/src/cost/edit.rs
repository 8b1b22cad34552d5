//! Edits of the cost layer: everything a game can change while it runs.

use super::fields::add_side;
use super::layer::CostLayer;
use super::rules::TerrainId;
use super::stamps::{FootCell, GateState, SideMask, Stamp, StampError};
use super::threat::{MAX_THREAT_RADIUS, MAX_THREAT_SOURCES, ThreatId, ThreatSource, refresh_due};
use crate::base::{CellPos, CellRect, GridSize, LocomotorId, Observer, StampId, Tick};

/// Why an edit was refused. The layer is unchanged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError {
    /// The cell is not on the map.
    #[error("cell {at} is not on a map of {size}")]
    OffMap {
        /// The cell.
        at: CellPos,
        /// The map's size.
        size: GridSize,
    },
    /// The footprint is wrong, or does not fit there.
    #[error(transparent)]
    Stamp(#[from] StampError),
    /// No stamp with this id stands on the map.
    #[error("stamp {0:?} does not stand on this map (it may have been removed or have expired)")]
    NoSuchStamp(StampId),
    /// Gates cannot open to this many sides apart.
    #[error(
        "gates can open to at most {most} sides apart, with this many locomotors: let some open to the same sides"
    )]
    TooManySides {
        /// The most sides: with the sides, there are at most 255 locomotors.
        most: usize,
    },
    /// The stamp has no gate cells to open or close.
    #[error("stamp {0:?} has no gate cells to open or close")]
    NoGate(StampId),
    /// The rules have no such terrain.
    #[error("terrain number {0} is not in the rules")]
    UnknownTerrain(u8),
    /// No threat source has this id.
    #[error("threat source {0:?} does not exist (any more)")]
    NoSuchThreat(ThreatId),
    /// The threat radius is over the limit.
    #[error("a threat radius of {0} is over the limit of {MAX_THREAT_RADIUS}")]
    ThreatRadius(u16),
    /// There are too many threat sources.
    #[error("there are already {MAX_THREAT_SOURCES} threat sources, the most there may be")]
    TooManyThreats,
}

impl CostLayer {
    /// Places `stamp` with its north-west cell at `at`. A stamp with a lifetime is removed at `now + lifetime`.
    ///
    /// Stamps may overlap. When a stamp is removed, the other stamps on its cells stay in effect.
    ///
    /// # Errors
    /// [`EditError::Stamp`] if the footprint is wrong or does not fit on the map there.
    pub fn place(&mut self, stamp: &Stamp, at: CellPos, now: Tick) -> Result<StampId, EditError> {
        stamp.check_at(self.rules().rules().terrains.len(), self.grid(), at)?;
        let id = self.ground.stamps.place(stamp, at, now);
        self.update(CellRect::at(at, stamp.width, stamp.height));
        Ok(id)
    }

    /// Removes a stamp.
    ///
    /// # Errors
    /// [`EditError::NoSuchStamp`] if no stamp with this id stands.
    pub fn remove(&mut self, id: StampId) -> Result<(), EditError> {
        let rect = self.ground.stamps.remove(id).ok_or(EditError::NoSuchStamp(id))?;
        self.update(rect);
        Ok(())
    }

    /// Opens or closes a stamp's gate cells, or opens them to some sides only.
    ///
    /// A side that a gate opens to for the first time gets cost fields of its own ([`CostLayer::as_side`]), and keeps them. That costs as much memory as
    /// the fields of all locomotors without sides, a copy of these, and new sectors for the whole map. Later edits cost as much more as there are fields.
    ///
    /// ```
    /// use waymarch::base::{cell, Agent, GridSize, LocomotorId, Tick};
    /// use waymarch::cost::{CostLayer, CostSettings, FootCell, GateState, Map, Rules, SideMask, Stamp};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard()).validate()?;
    /// let mut layer = CostLayer::new(&map, CostSettings::default());
    /// let gate = layer.place(&Stamp::filled("gate", 3, 1, FootCell::Gate), cell(10, 10), Tick::ZERO)?;
    /// layer.set_gate(gate, GateState::OpenTo(SideMask::of(2)))?;
    /// let open = |agent: Agent| layer.field(agent).unwrap().is_passable(cell(11, 10));
    /// let foot = LocomotorId(0).into();
    /// assert!(open(layer.as_side(foot, 2)) && !open(layer.as_side(foot, 1)) && !open(foot));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EditError::NoSuchStamp`] if no stamp with this id stands, [`EditError::NoGate`] if it has no gate cells, [`EditError::TooManySides`].
    pub fn set_gate(&mut self, id: StampId, gate: GateState) -> Result<(), EditError> {
        let (_, stamp) = self.ground.stamps.get(id).ok_or(EditError::NoSuchStamp(id))?;
        if !stamp.cells.contains(&FootCell::Gate) {
            return Err(EditError::NoGate(id));
        }
        let rect = self.ground.stamps.rect(id).ok_or(EditError::NoSuchStamp(id))?;
        let new = self.new_sides(gate);
        let most = self.most_sides();
        if self.ground.sides.len() + new.sides().count() > most {
            return Err(EditError::TooManySides { most });
        }
        self.ground.stamps.set_gate(id, gate).ok_or(EditError::NoSuchStamp(id))?;
        for side in new.sides() {
            self.ground.sides.push(side);
            add_side(&self.ground, self.ground.sides.len() - 1, &mut self.fields);
        }
        self.update(rect);
        if new != SideMask::default() {
            // The new fields differ from the others here.
            rect.cells().for_each(|at| self.changes.mark(at, LocomotorId(0)));
        }
        Ok(())
    }

    /// The sides of a gate that have no fields yet.
    pub(crate) fn new_sides(&self, gate: GateState) -> SideMask {
        let GateState::OpenTo(sides) = gate else { return SideMask::default() };
        let new = sides.sides().filter(|side| !self.ground.sides.contains(side));
        new.fold(SideMask::default(), SideMask::with)
    }

    /// The most sides that can have fields: agents have at most 255 locomotors.
    fn most_sides(&self) -> usize {
        255 / self.ground.locomotors().max(1) - 1
    }

    /// Sets the base terrain of all cells of `area` that are on the map.
    ///
    /// # Errors
    /// [`EditError::UnknownTerrain`] if the rules do not have the terrain, [`EditError::OffMap`] if no cell of `area` is on the map.
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

    /// Sets the height of all cells of `area` that are on the map. [`ELEVATION_UNIT`](super::ELEVATION_UNIT) is one cell width.
    ///
    /// # Errors
    /// [`EditError::OffMap`] if no cell of `area` is on the map.
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
        // A height also changes the slopes of the neighbours.
        self.update(area.grow(1, 1));
        Ok(())
    }

    /// Sets the heights of an area that is on the map, cell by cell.
    pub(crate) fn set_heights(&mut self, area: CellRect, height: impl Fn(CellPos) -> i16) {
        if self.ground.elevation.is_empty() {
            self.ground.elevation = alloc::vec![0; self.ground.grid.cells()];
        }
        for at in area.cells() {
            if let Some(id) = self.ground.grid.id(at) {
                self.ground.elevation[id.index()] = height(at);
            }
        }
        self.update(area.grow(1, 1));
    }

    /// Sets which locomotors never enter the cells of an area that is on the map: one bit per locomotor. No stamp or terrain opens a barred
    /// cell, and flyers are barred too.
    pub(crate) fn set_bars(&mut self, area: CellRect, bars: impl Fn(CellPos) -> u32) {
        if self.ground.bars.is_empty() {
            self.ground.bars = alloc::vec![0; self.ground.grid.cells()];
        }
        for at in area.cells() {
            if let Some(id) = self.ground.grid.id(at) {
                self.ground.bars[id.index()] = bars(at);
            }
        }
        self.update(area);
    }

    /// Adds a threat source. It takes effect at the next refresh.
    ///
    /// # Errors
    /// [`EditError::OffMap`], [`EditError::ThreatRadius`] or [`EditError::TooManyThreats`].
    pub fn add_threat(&mut self, source: ThreatSource) -> Result<ThreatId, EditError> {
        self.check_threat(&source)?;
        if self.threat.len() >= MAX_THREAT_SOURCES {
            return Err(EditError::TooManyThreats);
        }
        Ok(self.threat.add(source.into()))
    }

    /// Moves or changes a threat source. The change takes effect at the next refresh.
    ///
    /// # Errors
    /// [`EditError::NoSuchThreat`], [`EditError::OffMap`] or [`EditError::ThreatRadius`].
    pub fn set_threat(&mut self, id: ThreatId, source: ThreatSource) -> Result<(), EditError> {
        self.check_threat(&source)?;
        self.threat.set(id, Some(source)).ok_or(EditError::NoSuchThreat(id))
    }

    /// Gives a threat source to an owner, or to none. The sources of an owner do not frighten observers on its side; see
    /// [`Threat::HeedAs`](crate::query::Threat::HeedAs). The change takes effect at the next refresh.
    ///
    /// # Errors
    /// [`EditError::NoSuchThreat`] if no source has this id.
    pub fn set_threat_owner(&mut self, id: ThreatId, owner: Option<Observer>) -> Result<(), EditError> {
        self.threat.set_owner(id, owner).ok_or(EditError::NoSuchThreat(id))
    }

    /// Puts an observer on a side. At the start each observer is alone on the side with its number. The change takes effect at once.
    ///
    /// Costs as much as the cells around the sources of the observer, of its old side and of its new side.
    pub fn set_side(&mut self, observer: Observer, side: u8) {
        self.threat.set_side(observer, side, &mut self.changes);
    }

    /// Removes a threat source. The change takes effect at the next refresh.
    ///
    /// # Errors
    /// [`EditError::NoSuchThreat`] if no source has this id.
    pub fn remove_threat(&mut self, id: ThreatId) -> Result<(), EditError> {
        self.threat.set(id, None).ok_or(EditError::NoSuchThreat(id))
    }

    /// Removes stamps whose lifetime is over, and refreshes the threat map every `threat_every` ticks. Call it once per
    /// tick.
    pub fn advance(&mut self, now: Tick) {
        // All expired stamps are removed before costs are recomputed, so that the log lists only cells that differ in
        // the end.
        while let Some(id) = self.ground.stamps.pop_expired(now) {
            self.changed_areas.extend(self.ground.stamps.remove(id));
        }
        self.update_changed_areas();
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
