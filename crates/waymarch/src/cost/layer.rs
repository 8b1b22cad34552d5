//! The cost layer: the map, a cost field per locomotor and size, threat, and the change log.

use alloc::vec::Vec;

use smallvec::SmallVec;

use super::changes::{ChangeLog, SectorChange};
use super::fields::{Clearance, CostField, LocomotorFields, add_side, compile};
use super::ground::Ground;
use super::map::ValidMap;
use super::rules::{MAX_LOCOMOTORS, TerrainId, ValidRules};
use super::sector_grid::SectorGrid;
use super::settings::CostSettings;
use super::stamps::{FootCell, Stamp, StampStore, Standing};
use super::threat::ThreatMap;
use crate::base::{
    Agent, BitLines, CellPos, CellRect, Fixed, GridSize, HashState, LocomotorId, SizeClass, StampId,
    StateHasher, Tick,
};

/// What it costs each locomotor and size to stand on each cell, kept up to date through edits.
///
/// World: the map, its stamps and threat sources. Derived: everything else. After any sequence of edits the Derived
/// data equal [`CostLayer::rebuilt`], bit for bit. The cost of an edit depends on its area, not on the map's size.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp};
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// let foot = LocomotorId(0);
/// let house = layer.place(&Stamp::solid(3, 3), cell(10, 10), Tick::ZERO)?;
/// assert!(!layer.field(foot.into()).unwrap().is_passable(cell(11, 11)));
/// layer.remove(house)?;
/// assert!(layer.field(foot.into()).unwrap().is_passable(cell(11, 11)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CostLayer {
    pub(super) ground: Ground,
    pub(super) settings: CostSettings,
    pub(super) fields: Vec<LocomotorFields>,
    pub(super) no_stop: BitLines,
    pub(super) threat: ThreatMap,
    pub(super) changes: ChangeLog,
    /// Scratch: areas that changed in one tick or one restore and are not updated yet.
    pub(super) changed_areas: Vec<CellRect>,
}

impl CostLayer {
    /// Builds the layer for a map. The map's stamps are placed at tick 0, in order.
    ///
    /// Settings out of range are adjusted: see [`CostSettings::within_range`].
    #[must_use]
    pub fn new(map: &ValidMap, settings: CostSettings) -> Self {
        Self::with_bars(map, settings, Vec::new())
    }

    /// As [`CostLayer::new`], with a bit per cell and locomotor that never enters it; see [`CostLayer::set_bars`].
    pub(crate) fn with_bars(map: &ValidMap, settings: CostSettings, bars: Vec<u32>) -> Self {
        let (plain, settings) = (map.map(), settings.within_range());
        let mut stamps = StampStore::new(plain.size);
        for placed in &plain.stamps {
            stamps.place(&placed.stamp, placed.at, Tick::ZERO);
        }
        let ground = Ground {
            grid: plain.size,
            rules: map.rules().clone(),
            terrain: plain.terrain.clone(),
            elevation: plain.elevation.clone(),
            stamps,
            sides: Vec::new(),
            bars,
        };
        let threat = ThreatMap::new(plain.size, settings.threat_max_cost);
        Self::from_world(ground, settings, threat)
    }

    pub(super) fn from_world(ground: Ground, settings: CostSettings, threat: ThreatMap) -> Self {
        let sectors = SectorGrid::new(ground.grid, settings.sector_size);
        let mut fields = compile(&ground, &settings.sizes);
        (0..ground.sides.len()).for_each(|number| add_side(&ground, number, &mut fields));
        let mut no_stop = BitLines::new(ground.grid.height(), ground.grid.width());
        for (_, standing, stamp) in ground.stamps.iter() {
            for at in CellRect::at(standing.at, stamp.width, stamp.height).cells() {
                no_stop.set(at.y as u32, at.x as u32, ground.no_stop(at));
            }
        }
        Self {
            ground,
            settings,
            fields,
            no_stop,
            threat,
            changes: ChangeLog::new(sectors),
            changed_areas: Vec::new(),
        }
    }

    /// The map's size.
    #[inline]
    #[must_use]
    pub fn grid(&self) -> GridSize {
        self.ground.grid
    }

    /// A bit for each locomotor that never enters a cell, cell by cell; empty if no cell is barred.
    pub(crate) fn bars(&self) -> &[u32] {
        &self.ground.bars
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &ValidRules {
        &self.ground.rules
    }

    /// The unit sizes that have fields, ascending.
    #[must_use]
    pub fn sizes(&self) -> &[SizeClass] {
        &self.settings.sizes
    }

    /// All agents that have a field: by locomotor, then by size.
    pub fn agents(&self) -> impl Iterator<Item = Agent> {
        let locomotors = (0..self.fields.len()).map(|number| LocomotorId(number as u8));
        locomotors.flat_map(|locomotor| self.sizes().iter().map(move |&size| Agent { locomotor, size }))
    }

    /// The cost field of `agent`; `None` if its locomotor or size is not in use.
    #[inline]
    #[must_use]
    pub fn field(&self, agent: Agent) -> Option<&CostField> {
        let fields = self.fields.get(agent.locomotor.index())?;
        fields.sizes.iter().find(|field| field.size() == agent.size)
    }

    /// The agent with the costs that `agent` has for units of a side: other ones than its own once a gate has been open to that side only
    /// ([`GateState::OpenTo`](super::GateState::OpenTo)).
    #[inline]
    #[must_use]
    pub fn as_side(&self, agent: Agent, side: u8) -> Agent {
        if self.ground.sides.is_empty() {
            return agent;
        }
        let (locomotor, _) = self.ground.resolve(agent.locomotor);
        let number = self.ground.sides.iter().position(|&known| known == side).map_or(0, |number| number + 1);
        let index = number * self.ground.locomotors() + locomotor.index();
        u8::try_from(index).map_or(agent, |index| Agent { locomotor: LocomotorId(index), ..agent })
    }

    /// The agent with the costs that count for all sides.
    #[must_use]
    pub fn as_anyone(&self, agent: Agent) -> Agent {
        Agent { locomotor: self.ground.resolve(agent.locomotor).0, ..agent }
    }

    /// The sides that have cost fields of their own, in the order in which a gate first opened to them.
    #[must_use]
    pub fn gate_sides(&self) -> &[u8] {
        &self.ground.sides
    }

    /// The clearance map of `locomotor`; `None` if there is no such locomotor.
    #[must_use]
    pub fn clearance(&self, locomotor: LocomotorId) -> Option<Clearance<'_>> {
        let cap = self.sizes().last().map_or(1, |size| size.side());
        self.fields.get(locomotor.index())?.sizes.first().map(|single| Clearance::new(single, cap))
    }

    /// The threat map.
    #[must_use]
    pub fn threat(&self) -> &ThreatMap {
        &self.threat
    }

    /// Whether `agent` may stop at `at`. The cell must be on the map. Unless the agent flies, no cell under it may be a no-stop cell.
    #[must_use]
    pub fn can_stop(&self, at: CellPos, agent: Agent) -> bool {
        self.can_stop_where(at, agent, |_| true)
    }

    /// [`CostLayer::can_stop`], counting only the no-stop cells for which `counts` is true.
    pub(super) fn can_stop_where(&self, at: CellPos, agent: Agent, counts: impl Fn(CellPos) -> bool) -> bool {
        let size = agent.size;
        if !self.grid().contains(at) {
            return false;
        }
        let (locomotor, _) = self.ground.resolve(agent.locomotor);
        if self.rules().locomotor_def(locomotor).is_some_and(|def| def.surfaces.is_airborne()) {
            return true;
        }
        let (back, ahead) = (size.reach_north_west(), size.reach_south_east());
        let under = CellRect::at(at, 1, 1).grow(back, ahead).intersect(self.grid().rect());
        !under.cells().any(|cell| self.no_stop.get(cell.y as u32, cell.x) && counts(cell))
    }

    /// The visible terrain of `at`, stamps included; `None` off the map.
    #[must_use]
    pub fn terrain(&self, at: CellPos) -> Option<TerrainId> {
        self.ground.terrain_at(at)
    }

    /// The fraction of its own speed that a unit has while its middle is over `at`. Terrain of stamps counts. 1 on
    /// ordinary ground and off the map.
    ///
    /// Costs one table lookup if the rules name no speeds, otherwise two or three.
    ///
    /// ```
    /// use waymarch::base::{cell, CellRect, Fixed, GridSize, LocomotorId};
    /// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, TerrainId};
    ///
    /// let mut rules = Rules::standard();
    /// let (rough, foot) = (TerrainId(2), LocomotorId(0));
    /// rules.set_speed(rough, foot, Some(50));
    /// let map = Map::flat("field", GridSize::new(8, 8)?, rules).validate()?;
    /// let mut layer = CostLayer::new(&map, CostSettings::default());
    /// layer.set_terrain(CellRect::at(cell(3, 3), 1, 1), rough)?;
    /// assert_eq!([cell(3, 3), cell(4, 3)].map(|at| layer.pace(at, foot)), [Fixed::HALF, Fixed::ONE]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn pace(&self, at: CellPos, locomotor: LocomotorId) -> Fixed {
        let speeds = self.ground.rules.speeds();
        if speeds.is_even() {
            return Fixed::ONE;
        }
        let (terrain, (locomotor, _)) = (self.ground.terrain_at(at), self.ground.resolve(locomotor));
        terrain.map_or(Fixed::ONE, |terrain| Fixed::from_raw(i32::from(speeds.of(terrain, locomotor))))
    }

    /// A standing stamp and its footprint; `None` if no stamp with this id stands.
    #[must_use]
    pub fn stamp(&self, id: StampId) -> Option<(&Standing, &Stamp)> {
        self.ground.stamps.get(id)
    }

    /// All standing stamps, by id.
    pub fn stamps(&self) -> impl Iterator<Item = (StampId, &Standing, &Stamp)> {
        self.ground.stamps.iter()
    }

    /// The stamps that affect `at`, and how, in no particular order.
    pub fn stamps_on(&self, at: CellPos) -> impl Iterator<Item = (StampId, FootCell)> {
        self.ground.stamps.on_cell(at)
    }

    /// The log of changed sectors.
    #[must_use]
    pub fn changes(&self) -> &ChangeLog {
        &self.changes
    }

    /// Takes the changed sectors; see [`ChangeLog::take`].
    pub fn take_changes(&mut self, out: &mut Vec<SectorChange>) {
        self.changes.take(out);
    }

    /// The same layer with all Derived data rebuilt from World data. Tests compare edited layers with it.
    #[must_use]
    pub fn rebuilt(&self) -> Self {
        let ground = Ground { stamps: self.ground.stamps.relinked(), ..self.ground.clone() };
        Self::from_world(ground, self.settings.clone(), self.threat.rebuilt())
    }

    /// Whether all Derived data equal those of `other`, bit for bit.
    #[must_use]
    pub fn same_derived(&self, other: &Self) -> bool {
        self.fields == other.fields && self.no_stop == other.no_stop && self.threat.same_values(&other.threat)
    }

    /// Updates the collected areas in order, and clears the list.
    pub(super) fn update_changed_areas(&mut self) {
        for index in 0..self.changed_areas.len() {
            self.update(self.changed_areas[index]);
        }
        self.changed_areas.clear();
    }

    /// Recomputes what a change of the ground within `rect` can affect.
    pub(super) fn update(&mut self, rect: CellRect) {
        let rect = rect.intersect(self.grid().rect());
        self.changes.begin();
        for at in rect.cells() {
            let (line, no_stop) = (at.y as u32, self.ground.no_stop(at));
            if self.no_stop.get(line, at.x) != no_stop {
                self.no_stop.set(line, at.x as u32, no_stop);
                self.changes.mark_stopping(at);
            } else if !self.ground.rules.speeds().is_even() {
                self.changes.mark_speed(at);
            }
        }
        // Slope and stamps are the same for all locomotors.
        let none = CellRect::default();
        let mut changed: SmallVec<[CellRect; MAX_LOCOMOTORS]> = SmallVec::from_elem(none, self.fields.len());
        for at in rect.cells() {
            let (slope, effect) = (self.ground.slope(at), self.ground.stamps.effect(at));
            for ((id, fields), changed) in (0..).map(LocomotorId).zip(&mut self.fields).zip(&mut changed) {
                let cost = self.ground.cost_under(at, id, slope, effect);
                if fields.sizes.first_mut().is_some_and(|single| single.set(at, cost)) {
                    *changed = changed.union(CellRect::at(at, 1, 1));
                    self.changes.mark(at, self.ground.resolve(id).0);
                }
            }
        }
        for ((id, fields), changed) in (0..).map(LocomotorId).zip(&mut self.fields).zip(changed) {
            fields.follow(self.ground.resolve(id).0, changed, &mut self.changes);
        }
    }
}

impl HashState for CostLayer {
    fn hash_state(&self, hasher: &mut StateHasher) {
        self.ground.hash_state(hasher);
        self.threat.hash_state(hasher);
    }
}
