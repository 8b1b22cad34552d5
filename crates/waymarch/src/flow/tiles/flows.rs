//! All goals that tiles lead to: their corridors, the tiles, and the work of each tick.

use alloc::vec::Vec;

use super::aim::{Breadth, TileAim, TileSettings};
use super::cache::{Scratch, TileCache};
use super::corridor::{Allowance, Corridor, CorridorScratch, Known, Progress};
use super::ground::TileGround;
use super::reader::{Reader, fetch};
use crate::base::{Dir8, GridSize, Id, Slots, Tick};
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
    /// Sectors integrated; what the budget of a tick counts.
    pub integrated: u64,
    /// Tiles made again because they had not been kept.
    pub made_again: u64,
    /// Tiles that were there already, of another goal or an earlier time.
    pub shared: u64,
}

/// Derived, but for how far each flow has come: tiles that lead groups of units to their goals, one sector at a time.
///
/// A flow leads to one goal, over a *corridor*: the sectors that its units' routes pass. Each sector has a tile, a byte a cell. A tile is
/// integrated from what is left to pay just outside of it, so that there is no seam: following tiles from any cell costs exactly
/// what the cheapest way within the corridor does, and every step leaves less to pay. Nobody has to pass at a door.
///
/// [`TileFlows::tick`] integrates a few sectors, from the goals outwards. Until its sector's turn has come a unit heads for a door.
/// After an edit the same happens from where it makes a difference; sectors that nothing changes for are not done again.
///
/// Which tiles are kept changes no heading: whatever is not there is made again from the rims.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::flow::tiles::{Breadth, Guide, Heading, TileAim, TileFlows, TileSettings};
/// use waymarch::query::Threat;
/// use waymarch::sectors::{DoorRoute, DoorScratch, Doors};
///
/// let map = Map::flat("field", GridSize::new(200, 100)?, Rules::spec_000()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let rule = StepRule::default();
/// let doors = Doors::new(&layer, LocomotorId(0).into(), rule, Threat::Ignore)?;
/// let mut route = DoorRoute::default();
/// assert!(doors.route(&layer, cell(3, 4), cell(190, 90), &mut DoorScratch::default(), &mut route));
///
/// let mut flows = TileFlows::new(&layer, rule, TileSettings::default());
/// let flow = flows.open(&layer, TileAim::new(LocomotorId(0), cell(190, 90)))?;
/// flows.widen(&layer, flow, &route, Breadth::Around);
/// let heading = |flows: &mut TileFlows| flows.heading(&layer, flow, cell(3, 4).centre());
/// flows.tick(&layer, Tick(1));
/// assert!(matches!(heading(&mut flows), Heading::Go { by: Guide::Door, .. }), "not there yet");
/// for now in 2..20 {
///     flows.tick(&layer, Tick(now));
/// }
/// let Heading::Go { way, by: Guide::Field } = heading(&mut flows) else { panic!("tiles are there") };
/// assert!(way.x.raw() > 0 && way.y.raw() >= 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TileFlows {
    pub(super) rule: StepRule,
    settings: TileSettings,
    pub(super) size: GridSize,
    pub(super) grid: SectorGrid,
    pub(super) flows: Slots<FlowTag, Corridor>,
    pub(super) cache: TileCache,
    scratch: CorridorScratch,
    /// How far the layer's changes were followed.
    known: ChangeMark,
    pub(super) now: Tick,
    changed: Vec<SectorId>,
    integrated: u64,
}

impl TileFlows {
    /// None yet, for units that step by `rule` on this layer; always ask with the same layer.
    #[must_use]
    pub fn new(layer: &CostLayer, rule: StepRule, settings: TileSettings) -> Self {
        Self {
            rule,
            settings,
            size: layer.grid(),
            grid: layer.changes().sectors(),
            flows: Slots::new(),
            cache: TileCache::new(settings.capacity, settings.ttl),
            scratch: CorridorScratch::default(),
            known: layer.changes().mark_now(),
            now: Tick::ZERO,
            changed: Vec::new(),
            integrated: 0,
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
        let mut corridor = Corridor::new(aim);
        corridor.add(self.grid, layer, self.grid.of(at));
        corridor.look(ground, self.settings.sight);
        corridor.restart(self.grid, layer);
        Ok(self.flows.insert(corridor))
    }

    /// Adds the sectors of a route to a flow's corridor, and its doors as what to head for until tiles are there. Whether there is such
    /// a flow. Sectors whose ways stay as they were are not integrated again.
    pub fn widen(&mut self, layer: &CostLayer, id: FlowId, route: &DoorRoute, breadth: Breadth) -> bool {
        self.follow(layer);
        let (grid, size) = (self.grid, self.size);
        let Some(corridor) = self.flows.get_mut(id).filter(|_| layer.grid() == size) else { return false };
        let before = corridor.parts.len();
        for pair in route.cells.windows(2) {
            let (Some(_), Some(_)) = (size.id(pair[0]), size.id(pair[1])) else { continue };
            let (sector, next) = (grid.of(pair[0]), grid.of(pair[1]));
            corridor.add(grid, layer, next);
            let part = corridor.add(grid, layer, sector);
            if sector != next && part.door.is_none() {
                part.door = Some([pair[0], pair[1]]);
            }
            if breadth == Breadth::Around {
                for dir in Dir8::ALL {
                    for beside in [grid.beside(sector, dir), grid.beside(next, dir)].into_iter().flatten() {
                        corridor.add(grid, layer, beside);
                    }
                }
            }
        }
        if corridor.parts.len() != before {
            corridor.restart(grid, layer);
        }
        true
    }

    /// Ends a flow; whether there was one.
    pub fn close(&mut self, id: FlowId) -> bool {
        let Some(corridor) = self.flows.remove(id) else { return false };
        for part in corridor.parts {
            self.cache.release(part.tile);
        }
        true
    }

    /// The work of a tick: follows edits, integrates as many sectors as there may be, one of each flow in turn, and gives up tiles that
    /// nobody used for long.
    pub fn tick(&mut self, layer: &CostLayer, now: Tick) {
        self.now = now;
        self.follow(layer);
        if layer.grid() != self.size {
            return;
        }
        let mut left = self.settings.per_tick.max(1);
        let mut busy = true;
        while busy {
            busy = false;
            for index in 0..self.flows.slot_count() as u32 {
                let Some(id) = self.flows.id_at(index) else { continue };
                busy |= self.advance(layer, id, &mut left);
            }
        }
        self.cache.expire(now);
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

    /// Lets a flow go on up to the next sector that is integrated; whether it may have more to do, with what is left.
    fn advance(&mut self, layer: &CostLayer, id: FlowId, left: &mut u32) -> bool {
        let Some(corridor) = self.flows.get_mut(id) else { return false };
        let TileAim { agent, threat, .. } = corridor.aim;
        let Some(ground) = TileGround::new(layer, agent, threat, self.rule) else { return false };
        loop {
            let allowance = if *left == 0 { Allowance::Spent } else { Allowance::Free };
            match corridor.go_on(self.grid, ground, allowance, &mut self.scratch) {
                Progress::Went => {}
                Progress::Starved | Progress::Done => return false,
                Progress::Integrated(at) => {
                    *left -= 1;
                    self.integrated += 1;
                    let tile = Scratch::Holds(&self.scratch.tile);
                    fetch(&mut self.cache, corridor, at, ground, self.now, tile);
                    return true;
                }
            }
        }
    }

    /// Whether a flow has found all ways there are in its corridor.
    #[must_use]
    pub fn is_done(&self, id: FlowId) -> bool {
        self.flows.get(id).is_some_and(Corridor::is_done)
    }

    /// Follows what changed in the layer.
    pub(super) fn follow(&mut self, layer: &CostLayer) {
        let log = layer.changes();
        if self.known == log.mark_now() || layer.grid() != self.size {
            return;
        }
        self.changed.clear();
        match log.since(self.known) {
            Some(changed) => self.changed.extend_from_slice(changed),
            None => self.changed.extend(self.grid.all()),
        }
        self.known = log.mark_now();
        self.changed.sort_unstable();
        self.changed.dedup();
        self.cache.forget(&self.changed);
        let (grid, changed) = (self.grid, &self.changed[..]);
        for (_, corridor) in self.flows.iter_mut() {
            follow_in(corridor, layer, grid, changed, self.rule, self.settings.sight);
        }
    }

    /// Somebody who reads a flow's tiles; `None` if there is no such flow, or the layer is another.
    #[inline]
    pub(super) fn reader<'a>(&'a mut self, layer: &'a CostLayer, id: FlowId) -> Option<Reader<'a>> {
        self.follow(layer);
        let corridor = self.flows.get_mut(id).filter(|_| layer.grid() == self.size)?;
        let TileAim { agent, threat, .. } = corridor.aim;
        let ground = TileGround::new(layer, agent, threat, self.rule)?;
        let (cache, scratch) = (&mut self.cache, &mut self.scratch.tile);
        Some(Reader { corridor, cache, scratch, ground, grid: self.grid, now: self.now })
    }

    /// The sectors of a flow's corridor, ascending.
    pub fn corridor(&self, id: FlowId) -> impl Iterator<Item = SectorId> {
        self.flows.get(id).into_iter().flat_map(|corridor| corridor.parts.iter().map(|part| part.sector))
    }

    /// Where a flow leads and for whom.
    #[must_use]
    pub fn aim(&self, id: FlowId) -> Option<TileAim> {
        self.flows.get(id).map(|corridor| corridor.aim)
    }

    /// Tiles kept at present.
    #[must_use]
    pub fn tiles(&self) -> usize {
        self.cache.len()
    }

    /// Bytes that a tile of a whole sector takes: its cells, the exits it follows from, and its rim.
    #[must_use]
    pub fn tile_bytes(&self) -> usize {
        let side = self.grid.side() as usize;
        side * side + 2 * 4 * side * size_of::<u64>()
    }

    /// What was done so far.
    #[must_use]
    pub fn work(&self) -> TileWork {
        TileWork { integrated: self.integrated, made_again: self.cache.made, shared: self.cache.shared }
    }

    /// Bytes held: tiles, rims and scratch.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let corridors: usize = self.flows.values().map(Corridor::memory_bytes).sum();
        self.cache.memory_bytes() + corridors + self.scratch.memory_bytes()
    }
}

/// Lets one corridor follow changes in some sectors.
fn follow_in(
    corridor: &mut Corridor,
    layer: &CostLayer,
    grid: SectorGrid,
    changed: &[SectorId],
    rule: StepRule,
    sight: u32,
) {
    let mut concerned = false;
    for &sector in changed {
        if let Some(at) = corridor.find(sector) {
            corridor.parts[at].known = Known::Nothing;
            concerned = true;
        }
        let is_part =
            |dir: Dir8| grid.beside(sector, dir).is_some_and(|beside| corridor.find(beside).is_some());
        concerned = concerned || Dir8::ALL.into_iter().any(is_part);
    }
    let TileAim { agent, threat, .. } = corridor.aim;
    if let Some(ground) = TileGround::new(layer, agent, threat, rule) {
        if corridor.must_look(ground, grid, changed) {
            corridor.look(ground, sight);
            concerned = true;
        }
    }
    if concerned || corridor.goal_changed(layer) {
        corridor.restart(grid, layer);
    }
}
