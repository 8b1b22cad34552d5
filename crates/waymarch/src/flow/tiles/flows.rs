//! All goals that tiles lead to: their corridors, the tiles, and the work of each tick.

use alloc::vec::Vec;

use super::aim::{Breadth, TileAim, TileSettings};
use super::cache::{TileCache, TileRef, UsedBy};
use super::corridor::{Corridor, CorridorScratch, Progress};
use super::ground::TileGround;
use super::key::{Labels, TileKey};
use super::spare::Spare;
use super::state::DoorStep;
use crate::base::{CellPos, CellRect, Dir8, GridSize, Id, Slots, Tick};
use crate::cost::{ChangeMark, CostLayer, SectorGrid, SectorId, StepRule};
use crate::query::PlanError;
use crate::sectors::DoorRoute;

/// What a [`FlowId`] names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlowTag {}

/// The name of one goal's flow.
pub type FlowId = Id<FlowTag>;

/// What was done so far, for reports: no answer depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TileWork {
    /// Sectors integrated by searches.
    pub integrated: u64,
    /// Sectors that searches looked at and did not have to integrate.
    pub looked: u64,
    /// Tiles made for units that came into a sector: such as lead to doors, and such as had not been kept.
    pub made_again: u64,
    /// Tiles that were there already, of another goal or an earlier time.
    pub shared: u64,
}

/// What integrating a sector counts in the budget of a tick, where looking at one counts 1.
const TILE: u32 = 8;

/// What looking from where a goal is seen counts: as much as a look at a sector for so many cells.
pub(super) fn look_units(area: CellRect) -> u32 {
    const CELLS: u64 = 512;
    let side = |from: i32, to: i32| u64::from(to.abs_diff(from));
    (side(area.x0, area.x1) * side(area.y0, area.y1)).div_ceil(CELLS) as u32
}

/// Tiles that lead groups of units to their goals, one sector at a time. How far each flow has come is World data, hashed and saved
/// ([`TileFlows::state`]); tiles are Derived.
///
/// A flow leads to one goal, over a *corridor*: the sectors that its units' routes pass. Each sector has a tile, a byte a cell. A tile is
/// integrated from what is left to pay just outside of it, so that there is no seam: following tiles from any cell costs exactly
/// what the cheapest way within the corridor does, and every step leaves less to pay. Nobody has to pass at a door.
///
/// [`TileFlows::prepare`] integrates a few sectors every tick, from the goals outwards. Until its room's turn has come a unit is led to the
/// door by which a route leaves it. After an edit the same happens from where it makes a difference; meanwhile units follow what
/// was found last, over ground as it is now.
///
/// Which tiles are kept changes no heading: whatever is not there is made again, by [`TileFlows::prepare`] or by the [`TileReader`] that
/// asks. Headings are read through a shared reference, by as many threads as there are.
///
/// [`TileReader`]: super::TileReader
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::flow::tiles::{Breadth, Guide, Heading, TileAim, TileFlows, TileReader, TileSettings};
/// use waymarch::query::Threat;
/// use waymarch::sectors::{DoorRoute, DoorScratch, Doors};
///
/// let map = Map::flat("field", GridSize::new(200, 100)?, Rules::spec_000()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let rule = StepRule::default();
/// let doors = Doors::new(&layer, LocomotorId(0).into(), rule, Threat::Ignore)?;
/// let (unit, goal, mut route) = (cell(3, 4), cell(190, 90), DoorRoute::default());
/// assert!(doors.route(&layer, unit, goal, &mut DoorScratch::default(), &mut route));
///
/// let mut flows = TileFlows::new(&layer, rule, TileSettings::default());
/// let flow = flows.open(&layer, TileAim::new(LocomotorId(0), goal))?;
/// flows.widen(&layer, flow, &route, Breadth::Around);
/// let mut reader = TileReader::new();
/// flows.prepare(&layer, Tick(1), [(flow, unit)]);
/// let first = flows.heading(&layer, flow, unit.centre(), &mut reader);
/// assert!(matches!(first, Heading::Go { by: Guide::Door, .. }), "its sector's turn has not come yet");
/// for now in 2..20 {
///     flows.prepare(&layer, Tick(now), [(flow, unit)]);
/// }
/// let then = flows.heading(&layer, flow, unit.centre(), &mut reader);
/// let Heading::Go { way, by: Guide::Field } = then else { panic!("tiles are there") };
/// assert!(way.x.raw() > 0 && way.y.raw() >= 0);
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
    /// How far the layer's changes were followed; `None` if some were not, right after loading.
    pub(super) known: Option<ChangeMark>,
    /// The same, by sector.
    pub(super) versions: Vec<u32>,
    pub(super) now: Tick,
    /// The slot of the flow whose turn is next.
    pub(super) turn: u32,
    /// Work done since the last tick that counts in the next one.
    pub(super) owed: u32,
    /// Scratch.
    pub(super) scratch: CorridorScratch,
    key: TileKey,
    pub(super) changed: Vec<SectorId>,
    pub(super) in_use: Vec<(FlowId, u32)>,
    work: TileWork,
    pub(super) spare: Spare,
}

impl TileFlows {
    /// Other settings from the next tick on. How far the goal is looked for stays what it was for flows that there are.
    pub fn set_settings(&mut self, settings: TileSettings) {
        self.settings = TileSettings { sight: self.settings.sight, ..settings };
        self.cache.set_limits(settings.capacity, settings.ttl);
    }

    /// None yet, for units that step by `rule` on this layer; always ask with the same layer.
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
            known: Some(layer.changes().mark_now()),
            versions: grid.all().map(|sector| layer.changes().version(sector)).collect(),
            now: Tick::ZERO,
            turn: 0,
            owed: 0,
            scratch: CorridorScratch::default(),
            key: TileKey::default(),
            changed: Vec::new(),
            in_use: Vec::new(),
            work: TileWork::default(),
            spare: Spare::new(grid.all().count()),
        }
    }

    /// A flow to a goal; as yet its corridor is the goal's sector.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`], [`PlanError::OffMap`], [`PlanError::GoalBlocked`] or [`PlanError::GoalNoStop`].
    pub fn open(&mut self, layer: &CostLayer, aim: TileAim) -> Result<FlowId, PlanError> {
        self.follow(layer);
        let TileAim { agent, threat, goal: at } = aim;
        let ground = TileGround::new(layer, agent, threat, self.rule);
        let ground = ground.ok_or(PlanError::UnknownAgent(agent))?;
        if !self.size.contains(at) || layer.grid() != self.size {
            return Err(PlanError::OffMap { at, size: layer.grid() });
        }
        if !ground.field.is_passable(at) {
            return Err(PlanError::GoalBlocked { at });
        }
        if !layer.can_stop(at, agent) {
            return Err(PlanError::GoalNoStop { at });
        }
        let mut corridor = self.spare.corridor(aim);
        corridor.add(self.grid, ground, self.grid.of(at), &mut self.scratch);
        corridor.look(ground, self.settings.sight);
        self.owed = self.owed.saturating_add(look_units(corridor.seen.area()));
        corridor.restart(self.grid, ground, layer, 0, &mut self.scratch);
        Ok(self.flows.insert(corridor))
    }

    /// Adds the sectors of a route to a flow's corridor, and its doors as where units head for until the search has come to them.
    /// Whether there is such a flow.
    ///
    /// What was found stays: a broader corridor only makes ways cheaper, and they get so as the search goes on. A unit needs a route of its
    /// own where [`TileFlows::leads`] says no.
    pub fn widen(&mut self, layer: &CostLayer, id: FlowId, route: &DoorRoute, breadth: Breadth) -> bool {
        self.follow(layer);
        let (grid, size) = (self.grid, self.size);
        let scratch = &mut self.scratch;
        let Some(corridor) = self.flows.get_mut(id).filter(|_| layer.grid() == size) else { return false };
        let TileAim { agent, threat, .. } = corridor.state.aim;
        let Some(ground) = TileGround::new(layer, agent, threat, self.rule) else { return false };
        // From the goal: where a route comes twice through a room, it is left by the later door.
        let mut last = None;
        for pair in route.cells.windows(2).rev() {
            let (Some(_), Some(_)) = (size.id(pair[0]), size.id(pair[1])) else { continue };
            let (sector, next) = (grid.of(pair[0]), grid.of(pair[1]));
            for sector in [next, sector] {
                // Both steps into a sector and out of it name it.
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

    /// Ends a flow; whether there was one.
    pub fn close(&mut self, id: FlowId) -> bool {
        let Some(corridor) = self.flows.remove(id) else { return false };
        corridor.made.iter().for_each(|made| self.cache.release(made.tile));
        self.spare.keep(corridor, &mut self.scratch.lists);
        true
    }

    /// A tick with nobody following: see [`TileFlows::prepare`].
    pub fn tick(&mut self, layer: &CostLayer, now: Tick) {
        self.prepare(layer, now, []);
    }

    /// The work of a tick, before headings are asked for: follows edits, lets searches go on, one sector of each flow in turn, and makes the
    /// tiles of the sectors that units are in. `users` are all units that follow flows, and their cells.
    ///
    /// The budget ([`TileSettings::per_tick`] sectors) counts everything: sectors integrated; an eighth for each one that was only looked at;
    /// lines of sight by their area; and one for each sector that units newly came into, whether or not its tile was kept, so that what is
    /// kept changes no heading. Of these only the first can wait. At least one sector is integrated every tick.
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
        let newly = self.find_in_use(before, users);
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
        let in_use = core::mem::take(&mut self.in_use);
        for &(id, at) in &in_use {
            self.make_tile(layer, id, at as usize);
        }
        self.in_use = in_use;
        self.cache.expire(now);
    }

    /// Notes the sectors that units are in or next to; gives how many nobody was in before.
    fn find_in_use(&mut self, before: Tick, users: impl IntoIterator<Item = (FlowId, CellPos)>) -> u32 {
        self.in_use.clear();
        let (now, grid, size, mut newly) = (self.now, self.grid, self.size, 0);
        let mut last = None;
        for (id, at) in users {
            if !size.contains(at) {
                continue;
            }
            // Headings mix what the four nearest cells say.
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
                // Most units are in the middle of a sector.
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

    /// Integrates all that is left of a flow at once, whatever a tick allows: for tools, and for who would rather wait. Whether there is
    /// such a flow.
    pub fn finish(&mut self, layer: &CostLayer, id: FlowId) -> bool {
        self.follow(layer);
        let mut left = u32::MAX;
        while layer.grid() == self.size && self.advance(layer, id, &mut left) {
            left = u32::MAX;
        }
        self.flows.contains(id)
    }

    /// Lets a flow go on up to the next sector that is integrated; whether there was one.
    fn advance(&mut self, layer: &CostLayer, id: FlowId, left: &mut u32) -> bool {
        let Some(corridor) = self.flows.get_mut(id) else { return false };
        let TileAim { agent, threat, .. } = corridor.state.aim;
        let Some(ground) = TileGround::new(layer, agent, threat, self.rule) else { return false };
        while *left > 0 {
            match corridor.go_on(self.grid, ground, &mut self.scratch) {
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

    /// Keeps the tile of a part that was just integrated, if that is all it follows from.
    fn keep_tile(&mut self, ground: TileGround<'_>, id: FlowId, at: usize) {
        let Some(corridor) = self.flows.get_mut(id) else { return };
        let (part, frame) = (&corridor.state.parts[at], corridor.made[at].frame);
        let is_led = corridor.fill_key(ground, at, part.known, &mut self.key, &mut self.scratch.tile);
        if !is_led || !self.key.doors.is_empty() {
            return;
        }
        let (key, now) = (&self.key, self.now);
        let by = if part.used == Some(now) { UsedBy::Units } else { UsedBy::Nobody };
        let found = self.cache.find(key);
        self.work.shared += u64::from(found.is_some());
        let tile = &self.scratch.tile;
        let found = found
            .or_else(|| self.cache.insert(key, by, now, |flow| key.write(frame, tile, Labels::Whole, flow)));
        if let Some(tile) = found {
            refer(&mut self.cache, corridor, at, tile);
        }
    }

    /// Makes sure that the tile of a part is there that units are in.
    fn make_tile(&mut self, layer: &CostLayer, id: FlowId, at: usize) {
        let Some(corridor) = self.flows.get_mut(id) else { return };
        let (made, now) = (&corridor.made[at], self.now);
        if !made.outdated && self.cache.touch(made.tile, now) {
            return;
        }
        let TileAim { agent, threat, .. } = corridor.state.aim;
        let Some(ground) = TileGround::new(layer, agent, threat, self.rule) else { return };
        let (known, frame) = (corridor.state.parts[at].known, made.frame);
        if !corridor.fill_key(ground, at, known, &mut self.key, &mut self.scratch.tile) {
            return;
        }
        let (key, scratch) = (&self.key, &mut self.scratch.tile);
        let found = self.cache.find(key).filter(|&tile| self.cache.touch(tile, now)).or_else(|| {
            key.integrate(ground, frame, scratch);
            self.work.made_again += 1;
            self.cache
                .insert(key, UsedBy::Units, now, |flow| key.write(frame, scratch, Labels::Relative, flow))
        });
        if let Some(tile) = found {
            refer(&mut self.cache, corridor, at, tile);
        }
    }

    /// Whether a flow has found all ways there are in its corridor.
    #[must_use]
    pub fn is_done(&self, id: FlowId) -> bool {
        self.flows.get(id).is_some_and(|corridor| corridor.done)
    }

    /// The sectors of a flow's corridor, ascending.
    pub fn corridor(&self, id: FlowId) -> impl Iterator<Item = SectorId> {
        let corridor = self.flows.get(id).into_iter();
        corridor.flat_map(|corridor| corridor.state.parts.iter().map(|part| part.sector))
    }

    /// Where a flow leads and for whom.
    #[must_use]
    pub fn aim(&self, id: FlowId) -> Option<TileAim> {
        self.flows.get(id).map(|corridor| corridor.state.aim)
    }

    /// How many flows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.flows.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flows.is_empty()
    }

    /// Tiles kept at present.
    #[must_use]
    pub fn tiles(&self) -> usize {
        self.cache.len()
    }

    /// Bytes that a tile of a whole sector takes, about: its cells, its rim, the exits it follows from, and those that are saved. What the
    /// allocator says is in `tests/tile_memory.rs`.
    #[must_use]
    pub fn tile_bytes(&self) -> usize {
        let side = self.grid.side() as usize;
        side * side + 3 * 4 * side * size_of::<u64>()
    }

    /// What was done so far.
    #[must_use]
    pub fn work(&self) -> TileWork {
        self.work
    }

    /// Bytes held: tiles, rims and scratch.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let corridors: usize = self.flows.values().map(Corridor::memory_bytes).sum();
        let lists = self.versions.capacity() * 4 + self.key.memory_bytes();
        self.cache.memory_bytes()
            + corridors
            + self.scratch.memory_bytes()
            + self.spare.memory_bytes()
            + lists
    }
}

/// Lets a part refer to a tile.
fn refer(cache: &mut TileCache, corridor: &mut Corridor, at: usize, tile: TileRef) {
    let made = &mut corridor.made[at];
    cache.release(made.tile);
    cache.acquire(tile);
    (made.tile, made.outdated) = (tile, false);
}
