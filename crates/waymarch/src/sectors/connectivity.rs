//! Which cells are connected, for every agent.

use alloc::vec::Vec;

use super::domains::{Domains, RoomCell};
use super::ids::{DomainId, RoomId};
use super::level::DomainScratch;
use super::rooms::{RoomScratch, Rooms};
use super::zones::{Connection, ZoneScratch, Zones};

use crate::base::{Agent, CellPos, GridSize, MAX_SIZE_CLASS};
use crate::cost::{ChangeMark, CostField, CostLayer, SectorGrid, SectorId, StepRule};

/// Bytes held by [`Sectors`], by component.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SectorsMemory {
    /// Zones: a number per cell, shared by all agents.
    pub zones: usize,
    /// Which zones form a room, for each agent.
    pub rooms: usize,
    /// Which rooms are connected, for each agent.
    pub domains: usize,
}

/// Up to 64 fields share zones, one bit each.
const FIELDS_PER_SET: usize = 64;

/// Derived from the cost layer: which cells are connected, for every agent. A query whether one cell can be reached from another costs
/// about the same on every map, whatever lies between the cells.
///
/// An edit updates its own sectors and a few levels of a tree. It does not flood the map. The result equals a rebuild.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
/// use waymarch::sectors::Sectors;
///
/// let map = Map::flat("field", GridSize::new(300, 60)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// let mut sectors = Sectors::new(&layer, StepRule::default());
/// let foot = LocomotorId(0);
/// assert!(sectors.reachable(cell(5, 5), cell(290, 50), foot));
///
/// layer.place(&Stamp::solid(1, 60), cell(150, 0), Tick::ZERO)?; // a wall from edge to edge
/// sectors.follow(&layer);
/// assert!(!sectors.reachable(cell(5, 5), cell(290, 50), foot));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sectors {
    pub(super) grid: SectorGrid,
    pub(super) size: GridSize,
    rule: StepRule,
    /// The agent of each field.
    agents: Vec<Agent>,
    /// The number of sizes for which each locomotor has fields.
    sizes: usize,
    /// By size in cells: its index among the sizes.
    places: [Option<u8>; MAX_SIZE_CLASS as usize + 1],
    sets: Vec<FieldSet>,
    scratch: FollowScratch,
    /// How far the layer's changes were followed.
    pub(super) known: ChangeMark,
    /// Scratch: the sectors to update.
    stale: Vec<SectorId>,
    /// Scratch: the sectors that turned out to have changed.
    changed: Vec<SectorId>,
}

/// Scratch for following changes.
#[derive(Clone, Debug, Default)]
struct FollowScratch {
    zones: ZoneScratch,
    rooms: RoomScratch,
    domains: DomainScratch,
}

/// Derived: which cells are connected, for up to 64 fields that share zones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FieldSet {
    pub(super) zones: Zones,
    rooms: Rooms,
    pub(super) domains: Domains,
}

impl PartialEq for Sectors {
    fn eq(&self, other: &Self) -> bool {
        (self.grid, &self.agents, &self.sets) == (other.grid, &other.agents, &other.sets)
    }
}

impl Eq for Sectors {}

impl Sectors {
    /// Finds the connected cells for all agents of a layer. Units step by `rule`.
    #[must_use]
    pub fn new(layer: &CostLayer, rule: StepRule) -> Self {
        let grid = layer.changes().sectors();
        let agents: Vec<Agent> = layer.agents().collect();
        let connection = Connection::of(rule);
        let mut places = [None; MAX_SIZE_CLASS as usize + 1];
        for (place, size) in (0..).zip(layer.sizes()) {
            places[usize::from(size.side())] = Some(place);
        }
        let set = |agents: &[Agent]| FieldSet {
            zones: Zones::new(layer.grid(), grid, connection),
            rooms: Rooms::new(grid, agents.len()),
            domains: Domains::new(grid, agents.len()),
        };
        let sets = agents.chunks(FIELDS_PER_SET).map(set).collect();
        let mut sectors = Self {
            grid,
            size: layer.grid(),
            rule,
            agents,
            sizes: layer.sizes().len(),
            places,
            sets,
            scratch: FollowScratch::default(),
            known: layer.changes().mark_now(),
            stale: Vec::new(),
            changed: Vec::new(),
        };
        sectors.stale.extend(grid.all());
        sectors.refresh(layer);
        sectors
    }

    /// Follows the changes of the layer since the last call. Call it after every edit, or once per tick.
    pub fn follow(&mut self, layer: &CostLayer) {
        if layer.grid() != self.size
            || layer.changes().sectors() != self.grid
            || !layer.agents().eq(self.agents.iter().copied())
        {
            // Another map: start again.
            *self = Self::new(layer, self.rule);
            return;
        }
        let log = layer.changes();
        log.collect_since(self.known, &mut self.stale);
        self.known = log.mark_now();
        self.refresh(layer);
    }

    /// Updates the stale sectors, and the rooms and domains that depend on them.
    fn refresh(&mut self, layer: &CostLayer) {
        if self.stale.is_empty() {
            return;
        }
        let Self { sets, agents, scratch, stale, changed, .. } = self;
        for (set, agents) in sets.iter_mut().zip(agents.chunks(FIELDS_PER_SET)) {
            let mut fields: [Option<&CostField>; FIELDS_PER_SET] = [None; FIELDS_PER_SET];
            for (field, &agent) in fields.iter_mut().zip(agents) {
                *field = layer.field(agent);
            }
            set.refresh(&fields, stale, changed, scratch);
        }
    }

    /// The domain of a cell for `agent`; `None` where the agent cannot stand, off the map, and if the agent has no field.
    #[inline]
    #[must_use]
    pub fn domain(&self, at: CellPos, agent: impl Into<Agent>) -> Option<DomainId> {
        let (set, field) = self.of(agent.into())?;
        set.domain(at, field)
    }

    /// Whether `agent` can stand on both cells and walk from one to the other.
    #[inline]
    #[must_use]
    pub fn reachable(&self, from: CellPos, to: CellPos, agent: impl Into<Agent>) -> bool {
        self.of(agent.into()).is_some_and(|(set, field)| set.reachable(from, to, field))
    }

    /// The room of a cell: the cells that `agent` can reach from it without leaving the sector. `None` as for [`Sectors::domain`].
    #[must_use]
    pub fn room(&self, at: CellPos, agent: impl Into<Agent>) -> Option<RoomId> {
        let (set, field) = self.of(agent.into())?;
        set.room(at, field)
    }

    /// The number of domains for `agent`. Costs a look at every sector.
    #[must_use]
    pub fn domains(&self, agent: impl Into<Agent>) -> u32 {
        self.of(agent.into()).map_or(0, |(set, field)| set.domains.count(field))
    }

    /// How the map is divided into sectors.
    #[must_use]
    pub fn grid(&self) -> SectorGrid {
        self.grid
    }

    /// The set that holds an agent's field, and the field's index in it.
    #[inline]
    pub(super) fn of(&self, agent: Agent) -> Option<(&FieldSet, usize)> {
        // Agents are listed by locomotor, all with the same sizes.
        let size = *self.places.get(usize::from(agent.size.side()))?;
        let at = agent.locomotor.index() * self.sizes + usize::from(size?);
        let set = self.sets.get(at / FIELDS_PER_SET)?;
        (at < self.agents.len()).then_some((set, at % FIELDS_PER_SET))
    }

    /// Bytes held, by component.
    #[must_use]
    pub fn memory(&self) -> SectorsMemory {
        let mut memory = SectorsMemory::default();
        for set in &self.sets {
            memory.zones += set.zones.memory_bytes();
            memory.rooms += set.rooms.memory_bytes();
            memory.domains += set.domains.memory_bytes();
        }
        memory
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let SectorsMemory { zones, rooms, domains } = self.memory();
        zones + rooms + domains
    }
}

impl FieldSet {
    #[inline(always)]
    fn room(&self, at: CellPos, field: usize) -> Option<RoomId> {
        if !self.zones.grid().contains(at) {
            return None;
        }
        let (sector, zone) = self.zones.zone(at);
        self.rooms.room(sector, zone, field).map(|part| RoomId { sector, part })
    }

    /// Whether two cells are in one domain.
    ///
    /// On a big map, only the two labels are read from slow memory. So the code takes no branch that depends on a label
    /// before the end. The processor can start the next query while it waits for memory.
    #[inline(always)]
    fn reachable(&self, from: CellPos, to: CellPos, field: usize) -> bool {
        let grid = self.zones.grid();
        if !grid.contains(from) || !grid.contains(to) {
            return false;
        }
        let ((here, from_zone), (there, to_zone)) = (self.zones.zone(from), self.zones.zone(to));
        let a = self.rooms.outline_room(here, from_zone, field);
        let b = self.rooms.outline_room(there, to_zone, field);
        if here == there || a.is_unknown() | b.is_unknown() {
            return self.reachable_by_rooms(from, to, field);
        }
        let from = RoomCell { at: from, sector: here.0, room: a.part() };
        let to = RoomCell { at: to, sector: there.0, room: b.part() };
        let joined = self.domains.are_joined(from, to, field);
        joined & a.is_open() & b.is_open()
    }

    /// `reachable` for cells in one sector, and for rooms that the outline does not have.
    #[inline(never)]
    fn reachable_by_rooms(&self, from: CellPos, to: CellPos, field: usize) -> bool {
        match (self.room(from, field), self.room(to, field)) {
            (Some(here), Some(there)) => self.domains.are_connected((from, here), (to, there), field),
            _ => false,
        }
    }

    #[inline]
    pub(super) fn domain(&self, at: CellPos, field: usize) -> Option<DomainId> {
        let RoomId { part, .. } = self.room(at, field)?;
        Some(DomainId(self.domains.domain(at, part, field)))
    }

    fn refresh(
        &mut self,
        fields: &[Option<&CostField>],
        sectors: &[SectorId],
        changed: &mut Vec<SectorId>,
        scratch: &mut FollowScratch,
    ) {
        changed.clear();
        for &sector in sectors {
            if self.zones.relabel(sector, fields, &mut scratch.zones) {
                changed.push(sector);
            }
        }
        self.zones.retouch_around(changed, &mut scratch.zones);
        for &sector in &*changed {
            self.rooms.find(sector, self.zones.sector(sector), &mut scratch.rooms);
            self.domains.set_rooms(sector, &scratch.rooms.counts);
        }
        self.domains.update(&self.zones, &self.rooms, changed, &mut scratch.domains);
    }
}
