//! All flows: their corridors, their tiles, and the work of each tick.

use alloc::vec::Vec;

use super::cache::{TileCache, TileRef, UsedBy};
use super::corridor::{Corridor, CorridorScratch, Progress};
use super::corridor_pool::CorridorPool;
use super::edit_tracker::EditTracker;
use super::ground::TileGround;
use super::key::{Labels, TileKey};
use super::settings::{Breadth, TileSettings};
use super::state::{DoorStep, FlowId, FlowTag};
use super::target::FlowTarget;
use crate::base::{CellPos, CellRect, Dir8, GridSize, Slots, Tick};
use crate::cost::{CostLayer, SectorGrid, SectorId, StepRule};
use crate::query::PlanError;
use crate::sectors::DoorRoute;

/// Work counters for reports. No answer depends on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TileWork {
    /// Sectors that searches integrated.
    pub integrated: u64,
    /// Sectors that searches checked without integrating them.
    pub looked: u64,
    /// Tiles made because units entered a sector whose tile leads to doors or was not in the cache.
    pub made_again: u64,
    /// Tiles that were in the cache already, from another goal or an earlier time.
    pub shared: u64,
}

/// Integrating a sector counts 8 in the budget of a tick; checking a sector counts 1.
const TILE: u32 = 8;

/// What finding the visible cells of `area` counts in the budget: 1 for each 512 cells.
pub(super) fn visibility_work(area: CellRect) -> u32 {
    /// 512 cells count as much as checking one sector.
    const CELLS: u64 = 512;
    let side = |from: i32, to: i32| u64::from(to.abs_diff(from));
    (side(area.x0, area.x1) * side(area.y0, area.y1)).div_ceil(CELLS) as u32
}

/// Flow tiles for groups of units.
///
/// A flow leads to one goal over a *corridor*: the sectors that its units' routes pass. Each sector has a tile of one byte per cell. A tile
/// is integrated from the remaining costs just outside of it, so there is no seam between tiles. A unit that follows tiles from any cell
/// takes a cheapest route within the corridor, and every step lowers the remaining cost. Units may cross a sector's border at any cell, not
/// only at doors.
///
/// [`TileFlows::prepare`] integrates a few sectors per tick, from the goals outwards. Until the search reaches its room, a unit is led to the
/// door by which a route leaves the room. After an edit the search restarts where labels may be wrong. Meanwhile units follow the last
/// labels over the present ground.
///
/// How far each flow has come is World data, hashed and saved ([`TileFlows::state`]). Tiles are Derived. The tiles in the cache change no
/// heading: a missing tile is made again, by [`TileFlows::prepare`] or by the [`TileReader`] that asks. Any number of threads can read headings
/// through a shared reference.
///
/// [`TileReader`]: super::TileReader
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::flow::tiles::{Breadth, Guide, Heading, FlowTarget, TileFlows, TileReader, TileSettings};
/// use waymarch::query::Threat;
/// use waymarch::sectors::{DoorRoute, DoorScratch, Doors};
///
/// let map = Map::flat("field", GridSize::new(200, 100)?, Rules::standard()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let rule = StepRule::default();
/// let doors = Doors::new(&layer, LocomotorId(0).into(), rule, Threat::Ignore)?;
/// let (unit, goal, mut route) = (cell(3, 4), cell(190, 90), DoorRoute::default());
/// assert!(doors.route(&layer, unit, goal, &mut DoorScratch::default(), &mut route));
///
/// let mut flows = TileFlows::new(&layer, rule, TileSettings::default());
/// let flow = flows.open(&layer, FlowTarget::new(LocomotorId(0), goal))?;
/// flows.widen(&layer, flow, &route, Breadth::Around);
/// let mut reader = TileReader::new();
/// flows.prepare(&layer, Tick(1), [(flow, unit)]);
/// let first = flows.heading(&layer, flow, unit.centre(), &mut reader);
/// assert!(matches!(first, Heading::Go { by: Guide::Door, .. }), "the search has not reached its sector yet");
/// for now in 2..20 {
///     flows.prepare(&layer, Tick(now), [(flow, unit)]);
/// }
/// let then = flows.heading(&layer, flow, unit.centre(), &mut reader);
/// let Heading::Go { direction, by: Guide::Field } = then else { panic!("the search has reached it") };
/// assert!(direction.x.raw() > 0 && direction.y.raw() >= 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TileFlows {
    pub(super) rule: StepRule,
    pub(super) settings: TileSettings,
    pub(super) size: GridSize,
    pub(super) grid: SectorGrid,
    pub(super) flows: Slots<FlowTag, Corridor>,
    pub(super) cache: TileCache,
    pub(super) edits: EditTracker,
    pub(super) now: Tick,
    /// The slot of the flow that the next tick serves first.
    pub(super) turn: u32,
    /// Work done between ticks that counts in the next tick's budget.
    pub(super) owed: u32,
    /// Scratch of the searches.
    pub(super) scratch: CorridorScratch,
    pub(super) key: TileKey,
    pub(super) changed: Vec<SectorId>,
    pub(super) in_use: Vec<(FlowId, u32)>,
    work: TileWork,
    pub(super) corridor_pool: CorridorPool,
}

impl TileFlows {
    /// Changes the settings from the next tick on. [`TileSettings::sight`] stays as it was.
    pub fn set_settings(&mut self, settings: TileSettings) {
        self.settings = TileSettings { sight: self.settings.sight, ..settings };
        self.cache.set_limits(settings.capacity, settings.ttl);
    }

    /// Tile flows without a flow, for units that step by `rule` on this layer. All later calls must pass the same layer.
    #[must_use]
    pub fn new(layer: &CostLayer, rule: StepRule, settings: TileSettings) -> Self {
        let grid = layer.changes().sectors();
        Self {
            rule,
            settings,
            size: layer.grid(),
            grid,
            flows: Slots::new(),
            cache: TileCache::new(settings.capacity, settings.ttl),
            edits: EditTracker::new(layer),
            now: Tick::ZERO,
            turn: 0,
            owed: 0,
            scratch: CorridorScratch::default(),
            key: TileKey::default(),
            changed: Vec::new(),
            in_use: Vec::new(),
            work: TileWork::default(),
            corridor_pool: CorridorPool::new(grid.all().count()),
        }
    }

    /// Opens a flow to a goal. Its corridor is the goal's sector until [`TileFlows::widen`] adds more.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`], [`PlanError::OffMap`], [`PlanError::GoalBlocked`] or [`PlanError::GoalNoStop`].
    pub fn open(&mut self, layer: &CostLayer, target: FlowTarget) -> Result<FlowId, PlanError> {
        self.follow(layer);
        let FlowTarget { agent, threat, goal: at } = target;
        let ground = TileGround::new(layer, agent, threat, self.rule);
        let ground = ground.ok_or(PlanError::UnknownAgent(agent))?;
        if !self.size.contains(at) || layer.grid() != self.size {
            return Err(PlanError::OffMap { at, size: layer.grid() });
        }
        if !ground.field().is_passable(at) {
            return Err(PlanError::GoalBlocked { at });
        }
        if !layer.can_stop(at, agent) {
            return Err(PlanError::GoalNoStop { at });
        }
        let mut corridor = self.corridor_pool.corridor(target);
        corridor.add(self.grid, ground, self.grid.of(at), &mut self.scratch.search);
        corridor.update_visible(ground, self.settings.sight);
        self.owed = self.owed.saturating_add(visibility_work(corridor.visible.area()));
        corridor.restart(self.grid, ground, layer, 0, &mut self.scratch);
        Ok(self.flows.insert(corridor))
    }

    /// Adds the sectors of a route to a flow's corridor. The route's doors lead units until the search reaches their rooms. Returns whether
    /// the flow exists.
    ///
    /// Labels found so far stay: a wider corridor only makes routes cheaper, and the search finds the cheaper ones. A unit needs a
    /// route of its own where [`TileFlows::leads`] is false.
    pub fn widen(&mut self, layer: &CostLayer, id: FlowId, route: &DoorRoute, breadth: Breadth) -> bool {
        self.follow(layer);
        let (grid, size) = (self.grid, self.size);
        let scratch = &mut self.scratch.search;
        let Some(corridor) = self.flows.get_mut(id).filter(|_| layer.grid() == size) else { return false };
        let FlowTarget { agent, threat, .. } = corridor.state.target;
        let Some(ground) = TileGround::new(layer, agent, threat, self.rule) else { return false };
        // From the goal backwards: where a route passes a room twice, units leave it by the later door.
        let mut last = None;
        for pair in route.cells.windows(2).rev() {
            let (Some(_), Some(_)) = (size.id(pair[0]), size.id(pair[1])) else { continue };
            let (sector, next) = (grid.of(pair[0]), grid.of(pair[1]));
            for sector in [next, sector] {
                // The step into a sector and the step out of it both name it.
                if last.replace(sector) == Some(sector) {
                    continue;
                }
                corridor.add(grid, ground, sector, scratch);
                if breadth == Breadth::Around {
                    for beside in Dir8::ALL.into_iter().filter_map(|dir| grid.beside(sector, dir)) {
                        corridor.add(grid, ground, beside, scratch);
                    }
                }
            }
            let dir = Dir8::from_delta(pair[1].x - pair[0].x, pair[1].y - pair[0].y);
            let part = corridor.find(sector);
            if let Some((dir, part)) = dir.zip(part).filter(|_| sector != next) {
                corridor.add_door(part, DoorStep { at: pair[0], dir });
            }
        }
        true
    }

    /// Closes a flow. Returns whether it existed.
    pub fn close(&mut self, id: FlowId) -> bool {
        let Some(corridor) = self.flows.remove(id) else { return false };
        corridor.derived.iter().for_each(|derived| self.cache.release(derived.tile));
        self.corridor_pool.keep(corridor, &mut self.scratch.search.lists);
        true
    }

    /// The work of a tick in which no unit follows a flow: see [`TileFlows::prepare`].
    pub fn tick(&mut self, layer: &CostLayer, now: Tick) {
        self.prepare(layer, now, []);
    }

    /// Does the work of a tick; call it before headings are read. It follows edits, advances the searches in turn by one sector each, and makes
    /// the tiles of the sectors that units are in. `users` are all units that follow flows, with their cells.
    ///
    /// The budget is [`TileSettings::per_tick`] sectors. It counts:
    ///
    /// - 1 for each integrated sector, and 1/8 for each sector that was only checked;
    /// - finding visible cells, by area;
    /// - 1 for each sector that units newly entered, whether or not its tile was in the cache.
    ///
    /// Only the searches can wait for a later tick. They get a budget of at least one sector in every tick.
    pub fn prepare(
        &mut self,
        layer: &CostLayer,
        now: Tick,
        users: impl IntoIterator<Item = (FlowId, CellPos)>,
    ) {
        let before = core::mem::replace(&mut self.now, now);
        self.follow(layer);
        if layer.grid() != self.size {
            return;
        }
        let newly = self.collect_in_use(before, users);
        self.cache.set_followed(self.in_use.len());
        let owed = core::mem::take(&mut self.owed).saturating_add(newly.saturating_mul(TILE));
        let mut left = self.settings.per_tick.saturating_mul(TILE).saturating_sub(owed).max(TILE);
        let slots = self.flows.slot_count() as u32;
        let (mut index, mut idle) = (if self.turn < slots { self.turn } else { 0 }, 0);
        while left > 0 && idle < slots {
            let went = self.flows.id_at(index).is_some_and(|id| self.advance(layer, id, &mut left));
            idle = if went { 0 } else { idle + 1 };
            index = if index + 1 < slots { index + 1 } else { 0 };
        }
        self.turn = index;
        for index in 0..self.in_use.len() {
            let (id, at) = self.in_use[index];
            self.make_tile(layer, id, at as usize);
        }
        self.cache.expire(now);
    }

    /// Collects the sectors that units are in or next to. Returns how many of them were not in use in the last tick.
    fn collect_in_use(&mut self, before: Tick, users: impl IntoIterator<Item = (FlowId, CellPos)>) -> u32 {
        self.in_use.clear();
        let (now, grid, size, mut newly) = (self.now, self.grid, self.size, 0);
        let mut last = None;
        for (id, at) in users {
            if !size.contains(at) {
                continue;
            }
            // A heading blends the directions of the four nearest cells.
            let (low, high) = (at.offset(-1, -1), at.offset(1, 1));
            let is_inside = size.contains(low) && size.contains(high) && grid.of(low) == grid.of(high);
            let near = [low, CellPos::new(high.x, low.y), CellPos::new(low.x, high.y), high];
            let of = |near: CellPos| grid.of(if size.contains(near) { near } else { at });
            let near = if is_inside { [grid.of(at); 4] } else { near.map(of) };
            if last.replace((id, near)) == Some((id, near)) {
                continue;
            }
            let Some(corridor) = self.flows.get_mut(id) else { continue };
            for (number, &sector) in near.iter().enumerate() {
                // For most units all four cells are in one sector, so only the first is new.
                if near[..number].contains(&sector) {
                    continue;
                }
                let Some(part) = corridor.find(sector) else { continue };
                let used = &mut corridor.state.parts[part].used;
                let was = used.replace(now);
                if was != Some(now) {
                    newly += u32::from(was != Some(before));
                    self.in_use.push((id, part as u32));
                }
            }
        }
        newly
    }

    /// Integrates all that is left of a flow at once, without a budget. For tools, and for games that load a map. Returns whether the flow exists.
    pub fn finish(&mut self, layer: &CostLayer, id: FlowId) -> bool {
        self.follow(layer);
        let mut left = u32::MAX;
        while layer.grid() == self.size && self.advance(layer, id, &mut left) {
            left = u32::MAX;
        }
        self.flows.contains(id)
    }

    /// Advances a flow's search up to the next sector that it integrates. Returns whether there was one.
    fn advance(&mut self, layer: &CostLayer, id: FlowId, left: &mut u32) -> bool {
        let Some(corridor) = self.flows.get_mut(id) else { return false };
        let FlowTarget { agent, threat, .. } = corridor.state.target;
        let Some(ground) = TileGround::new(layer, agent, threat, self.rule) else { return false };
        while *left > 0 {
            match corridor.advance_search(self.grid, ground, &mut self.scratch.search) {
                Progress::Went => {
                    *left -= 1;
                    self.work.looked += 1;
                }
                Progress::Done => return false,
                Progress::Integrated(at) => {
                    *left = left.saturating_sub(TILE);
                    self.work.integrated += 1;
                    self.keep_tile(ground, id, at);
                    return true;
                }
            }
        }
        false
    }

    /// Caches the tile of a part that was just integrated, unless the tile also depends on doors.
    fn keep_tile(&mut self, ground: TileGround<'_>, id: FlowId, at: usize) {
        let Some(corridor) = self.flows.get_mut(id) else { return };
        let (part, frame) = (&corridor.state.parts[at], corridor.derived[at].frame);
        let is_led = corridor.fill_key(ground, at, part.known, &mut self.key, &mut self.scratch.search.tile);
        if !is_led || !self.key.doors.is_empty() {
            return;
        }
        let (key, now) = (&self.key, self.now);
        let by = if part.used == Some(now) { UsedBy::Units } else { UsedBy::NoUnit };
        let found = self.cache.find(key);
        self.work.shared += u64::from(found.is_some());
        let tile = &self.scratch.search.tile;
        let found = found
            .or_else(|| self.cache.insert(key, by, now, |flow| key.write(frame, tile, Labels::Whole, flow)));
        if let Some(tile) = found {
            set_tile(&mut self.cache, corridor, at, tile);
        }
    }

    /// Makes sure that the tile of a part with units in it is in the cache.
    fn make_tile(&mut self, layer: &CostLayer, id: FlowId, at: usize) {
        let Some(corridor) = self.flows.get_mut(id) else { return };
        let (derived, now) = (&corridor.derived[at], self.now);
        if !derived.outdated && self.cache.touch(derived.tile, now) {
            return;
        }
        let FlowTarget { agent, threat, .. } = corridor.state.target;
        let Some(ground) = TileGround::new(layer, agent, threat, self.rule) else { return };
        let (known, frame) = (corridor.state.parts[at].known, derived.frame);
        if !corridor.fill_key(ground, at, known, &mut self.key, &mut self.scratch.search.tile) {
            return;
        }
        let (key, scratch) = (&self.key, &mut self.scratch.search.tile);
        let found = self.cache.find(key).filter(|&tile| self.cache.touch(tile, now)).or_else(|| {
            key.integrate(ground, frame, scratch);
            self.work.made_again += 1;
            self.cache
                .insert(key, UsedBy::Units, now, |flow| key.write(frame, scratch, Labels::Relative, flow))
        });
        if let Some(tile) = found {
            set_tile(&mut self.cache, corridor, at, tile);
        }
    }

    /// Whether a flow's search has found all routes of its corridor.
    #[must_use]
    pub fn is_done(&self, id: FlowId) -> bool {
        self.flows.get(id).is_some_and(|corridor| corridor.done)
    }

    /// The sectors of a flow's corridor, ascending.
    pub fn corridor(&self, id: FlowId) -> impl Iterator<Item = SectorId> {
        let corridor = self.flows.get(id).into_iter();
        corridor.flat_map(|corridor| corridor.state.parts.iter().map(|part| part.sector))
    }

    /// The goal of a flow, and the agent it leads.
    #[must_use]
    pub fn target(&self, id: FlowId) -> Option<FlowTarget> {
        self.flows.get(id).map(|corridor| corridor.state.target)
    }

    /// See [`TileFlows::target`].
    #[deprecated(since = "0.2.0", note = "renamed to `target`")]
    #[must_use]
    pub fn aim(&self, id: FlowId) -> Option<FlowTarget> {
        self.target(id)
    }

    /// The number of flows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.flows.len()
    }

    /// Whether there are no flows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flows.is_empty()
    }

    /// The number of tiles in the cache.
    #[must_use]
    pub fn tiles(&self) -> usize {
        self.cache.len()
    }

    /// About how many bytes one tile of a whole sector takes: its cells, its rim, its key's exits and its saved exits. The test
    /// `tile_memory` compares that with the allocator.
    #[must_use]
    pub fn tile_bytes(&self) -> usize {
        let side = self.grid.side() as usize;
        side * side + 3 * 4 * side * size_of::<u64>()
    }

    /// Work counters since the start.
    #[must_use]
    pub fn work(&self) -> TileWork {
        self.work
    }

    /// Bytes held by tiles, rims and scratch.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let corridors: usize = self.flows.values().map(Corridor::memory_bytes).sum();
        let lists = self.edits.memory_bytes() + self.key.memory_bytes();
        self.cache.memory_bytes()
            + corridors
            + self.scratch.memory_bytes()
            + self.corridor_pool.memory_bytes()
            + lists
    }
}

/// Makes a part refer to a tile.
fn set_tile(cache: &mut TileCache, corridor: &mut Corridor, at: usize, tile: TileRef) {
    let derived = &mut corridor.derived[at];
    cache.release(derived.tile);
    cache.acquire(tile);
    (derived.tile, derived.outdated) = (tile, false);
}
