//! Layer 1 as a whole: the map, a cost field per locomotor and size, threat, and what changed.

use alloc::vec;
use alloc::vec::Vec;

use super::changes::{ChangeLog, SectorChange, SectorGrid};
use super::clearance::Clearance;
use super::compile::compile;
use super::field::CostField;
use super::ground::Ground;
use super::locomotor::MAX_LOCOMOTORS;
use super::map::ValidMap;
use super::rules::ValidRules;
use super::stamp::{FootCell, Stamp};
use super::stamps::{StampStore, Standing};
use super::terrain::TerrainId;
use super::threat::ThreatMap;
use crate::base::{
    Agent, BitLines, CellPos, CellRect, GridSize, HashState, LocomotorId, SizeClass, StampId, StateHasher,
    Tick,
};

/// What layer 1 needs to know beside the map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CostSettings {
    /// Cells per sector edge, a power of two.
    pub sector_size: u32,
    /// The unit sizes in use, ascending from one.
    pub sizes: Vec<SizeClass>,
    /// The most that threat adds to a cell.
    pub threat_max_cost: u8,
    /// Ticks between two refreshes of the threat map.
    pub threat_every: u32,
}

impl Default for CostSettings {
    /// Spec 000's defaults, sizes 1 to 3.
    fn default() -> Self {
        let sizes = vec![SizeClass::ONE, SizeClass::TWO, SizeClass::THREE];
        Self { sector_size: 32, sizes, threat_max_cost: 128, threat_every: 4 }
    }
}

impl CostSettings {
    /// The nearest settings that can be used: a sector size that is a power of two from 8 to 128, sizes in order with one among
    /// them, at most 254 of threat, a refresh at least every 1,000 ticks.
    #[must_use]
    pub fn within_range(mut self) -> Self {
        self.sector_size = self.sector_size.clamp(8, 128).next_power_of_two();
        self.sizes.push(SizeClass::ONE);
        self.sizes.sort_unstable();
        self.sizes.dedup();
        self.threat_max_cost = self.threat_max_cost.min(254);
        self.threat_every = self.threat_every.clamp(1, 1000);
        self
    }
}

/// Derived: one locomotor's fields, one per size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LocomotorFields {
    /// The first is for size one.
    pub(super) sizes: Vec<CostField>,
}

/// Layer 1: what it costs each locomotor and size to stand on each cell, kept up to date under edits.
///
/// World: the map, its stamps and threat sources. Derived: everything else; after any sequence of edits it equals
/// what [`CostLayer::rebuilt`] makes from scratch, bit for bit. An edit costs its own area, whatever the map's size.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp};
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000()).validate()?;
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
    /// Scratch: the areas of stamps that go in one tick.
    pub(super) expired: Vec<CellRect>,
}

impl CostLayer {
    /// Builds the layer for a map, its stamps placed at tick 0 in the order the map names them.
    ///
    /// Settings out of range are brought into it: see [`CostSettings::within_range`].
    #[must_use]
    pub fn new(map: &ValidMap, settings: CostSettings) -> Self {
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
        };
        let threat = ThreatMap::new(plain.size, settings.threat_max_cost);
        Self::from_world(ground, settings, threat)
    }

    pub(super) fn from_world(ground: Ground, settings: CostSettings, threat: ThreatMap) -> Self {
        let sectors = SectorGrid::new(ground.grid, settings.sector_size);
        let fields = compile(&ground, &settings);
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
            expired: Vec::new(),
        }
    }

    /// The map's size.
    #[inline]
    #[must_use]
    pub fn grid(&self) -> GridSize {
        self.ground.grid
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &ValidRules {
        &self.ground.rules
    }

    /// The sizes there are fields for, ascending.
    #[must_use]
    pub fn sizes(&self) -> &[SizeClass] {
        &self.settings.sizes
    }

    /// Every agent there is a field for: locomotor by locomotor, sizes ascending.
    pub fn agents(&self) -> impl Iterator<Item = Agent> {
        let locomotors = (0..self.fields.len() as u8).map(LocomotorId);
        locomotors.flat_map(|locomotor| self.sizes().iter().map(move |&size| Agent { locomotor, size }))
    }

    /// The costs that count for `agent`; `None` for a locomotor or a size that is not in use.
    #[inline]
    #[must_use]
    pub fn field(&self, agent: Agent) -> Option<&CostField> {
        let fields = self.fields.get(agent.locomotor.index())?;
        fields.sizes.iter().find(|field| field.size() == agent.size)
    }

    /// The clearance map of `locomotor`; `None` for one that does not exist.
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

    /// Whether `agent` may stop at `at`: a cell on the map, and, unless it flies, no cell under it is pass-but-don't-stop.
    #[must_use]
    pub fn can_stop(&self, at: CellPos, agent: Agent) -> bool {
        self.can_stop_where(at, agent, |_| true)
    }

    /// The same, of the pass-but-don't-stop cells only those counting that `counts` says do.
    pub(super) fn can_stop_where(&self, at: CellPos, agent: Agent, counts: impl Fn(CellPos) -> bool) -> bool {
        let size = agent.size;
        if !self.grid().contains(at) {
            return false;
        }
        if self.rules().locomotor_def(agent.locomotor).is_some_and(|def| def.surfaces.is_airborne()) {
            return true;
        }
        let (back, ahead) = (size.reach_north_west(), size.reach_south_east());
        let under = CellRect::at(at, 1, 1).grow(back, ahead).intersect(self.grid().rect());
        !under.cells().any(|cell| self.no_stop.get(cell.y as u32, cell.x) && counts(cell))
    }

    /// The terrain that shows at `at`, stamps included; `None` off the map.
    #[must_use]
    pub fn terrain(&self, at: CellPos) -> Option<TerrainId> {
        self.ground.terrain_at(at)
    }

    /// A standing stamp and its footprint; `None` for an id that does not stand.
    #[must_use]
    pub fn stamp(&self, id: StampId) -> Option<(&Standing, &Stamp)> {
        self.ground.stamps.get(id)
    }

    /// All standing stamps, by id.
    pub fn stamps(&self) -> impl Iterator<Item = (StampId, &Standing, &Stamp)> {
        self.ground.stamps.iter()
    }

    /// The stamps that do something to `at`, and what, in no particular order.
    pub fn stamps_on(&self, at: CellPos) -> impl Iterator<Item = (StampId, FootCell)> {
        self.ground.stamps.on_cell(at)
    }

    /// Which sectors changed since they were last taken, and how often each did.
    #[must_use]
    pub fn changes(&self) -> &ChangeLog {
        &self.changes
    }

    /// Takes the changed sectors; see [`ChangeLog::take`].
    pub fn take_changes(&mut self, out: &mut Vec<SectorChange>) {
        self.changes.take(out);
    }

    /// The same layer with all Derived data made anew from World data: what every edit must equal.
    #[must_use]
    pub fn rebuilt(&self) -> Self {
        let ground = Ground { stamps: self.ground.stamps.relinked(), ..self.ground.clone() };
        Self::from_world(ground, self.settings.clone(), self.threat.rebuilt())
    }

    /// Whether all Derived data are the same as `other`'s, bit for bit.
    #[must_use]
    pub fn same_derived(&self, other: &Self) -> bool {
        self.fields == other.fields && self.no_stop == other.no_stop && self.threat.same_values(&other.threat)
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
            } else if !self.ground.rules.paces().is_even() {
                self.changes.mark_speed(at);
            }
        }
        // What stands on a cell, and how steep it is, is the same for all locomotors.
        let mut changed = [CellRect::default(); MAX_LOCOMOTORS];
        for at in rect.cells() {
            let (slope, effect) = (self.ground.slope(at), self.ground.stamps.effect(at));
            for ((id, fields), changed) in (0..).map(LocomotorId).zip(&mut self.fields).zip(&mut changed) {
                let cost = self.ground.cost_under(at, id, slope, effect);
                if fields.sizes.first_mut().is_some_and(|single| single.set(at, cost)) {
                    *changed = changed.union(CellRect::at(at, 1, 1));
                    self.changes.mark(at, id);
                }
            }
        }
        for ((id, fields), changed) in (0..).map(LocomotorId).zip(&mut self.fields).zip(changed) {
            fields.follow(id, changed, &mut self.changes);
        }
    }
}

impl LocomotorFields {
    /// Follows a change of the costs for units of one cell within `changed`.
    fn follow(&mut self, locomotor: LocomotorId, changed: CellRect, log: &mut ChangeLog) {
        let Some((single, bigger)) = self.sizes.split_first_mut() else { return };
        if changed.is_empty() {
            return;
        }
        for field in bigger {
            let size = field.size();
            let area = changed.grow(size.reach_south_east(), size.reach_north_west());
            for at in area.intersect(single.grid().rect()).cells() {
                if field.set(at, single.dearest_under(at, size)) {
                    log.mark(at, locomotor);
                }
            }
        }
    }
}

impl HashState for CostLayer {
    fn hash_state(&self, hasher: &mut StateHasher) {
        self.ground.hash_state(hasher);
        self.threat.hash_state(hasher);
    }
}
