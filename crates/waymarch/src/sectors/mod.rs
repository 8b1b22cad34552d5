//! Layer 2: which rooms, which doors, is it reachable at all?

mod domains;
mod doors;
mod joined;
mod labels;
mod level;
mod remembered;
mod rims;
mod rooms;
mod snap;
mod zones;

use alloc::vec::Vec;

pub use doors::{DoorGoal, DoorRoute, DoorScratch, Doors, LiveDoors, Merging, NotLive};
pub use remembered::SnapMemory;
pub use rims::{RimField, RimScratch, Rims};
pub use snap::{SnapScratch, Snapped};

use domains::Domains;
use level::DomainScratch;
use rooms::{RoomScratch, Rooms};
use zones::{Connection, ZoneScratch, Zones};

use crate::base::{Agent, CellPos, GridSize, MAX_SIZE_CLASS};
use crate::cost::{ChangeMark, CostField, CostLayer, SectorGrid, SectorId, StepRule};

/// A set of cells that are all connected for one agent, and with nothing else.
///
/// Only good for comparing with others of the same agent; the numbers are the same on every machine, however the map came to be as
/// it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DomainId(pub u32);

/// A part of a sector that is connected within it, for one agent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RoomId {
    /// The sector.
    pub sector: SectorId,
    /// Which of its parts, by first cells.
    pub part: u16,
}

/// Bytes held by layer 2, by what holds them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SectorsMemory {
    /// Zones: a number for every cell, shared by all agents.
    pub zones: usize,
    /// Which zones make a room, for each agent.
    pub rooms: usize,
    /// Which rooms are connected, for each agent.
    pub domains: usize,
}

/// Fields that share zones.
const FIELDS_PER_SET: usize = 64;

/// Derived from layer 1: for every agent, what is connected; a question of whether one cell can be reached from another costs
/// the same on every map, whatever lies between.
///
/// An edit costs its own sectors and a few steps up a tree, not a flood over the map; what comes out equals a rebuild.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
/// use waymarch::sectors::Sectors;
///
/// let map = Map::flat("field", GridSize::new(300, 60)?, Rules::spec_000()).validate()?;
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
    grid: SectorGrid,
    size: GridSize,
    rule: StepRule,
    /// By place among the fields.
    agents: Vec<Agent>,
    /// How many sizes each locomotor has fields for, and by size in cells, which of them it is.
    sizes: usize,
    places: [Option<u8>; MAX_SIZE_CLASS as usize + 1],
    sets: Vec<FieldSet>,
    scratch: FollowScratch,
    /// How far the layer's changes were followed.
    known: ChangeMark,
    /// Scratch: sectors to look at, and those that turned out to have changed.
    asked: Vec<SectorId>,
    changed: Vec<SectorId>,
}

/// Scratch for following changes.
#[derive(Clone, Debug, Default)]
struct FollowScratch {
    zones: ZoneScratch,
    rooms: RoomScratch,
    domains: DomainScratch,
}

/// Derived: what is connected for up to 64 fields, which share zones.
#[derive(Clone, PartialEq, Eq, Debug)]
struct FieldSet {
    zones: Zones,
    rooms: Rooms,
    domains: Domains,
}

impl PartialEq for Sectors {
    fn eq(&self, other: &Self) -> bool {
        (self.grid, &self.agents, &self.sets) == (other.grid, &other.agents, &other.sets)
    }
}

impl Eq for Sectors {}

impl Sectors {
    /// For all agents of a layer, whose units step by `rule`.
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
            asked: Vec::new(),
            changed: Vec::new(),
        };
        sectors.asked.extend(grid.all());
        sectors.look_again(layer);
        sectors
    }

    /// Follows what changed in the layer since this was last called: call it after every edit, or once per tick.
    pub fn follow(&mut self, layer: &CostLayer) {
        if layer.grid() != self.size
            || layer.changes().sectors() != self.grid
            || !layer.agents().eq(self.agents.iter().copied())
        {
            // Another map: begin anew.
            *self = Self::new(layer, self.rule);
            return;
        }
        let log = layer.changes();
        self.asked.clear();
        match log.since(self.known) {
            Some(changed) => self.asked.extend_from_slice(changed),
            None => self.asked.extend(self.grid.all()),
        }
        self.known = log.mark_now();
        self.asked.sort_unstable();
        self.asked.dedup();
        self.look_again(layer);
    }

    /// Finds the zones of the sectors asked for anew, and what follows from them.
    fn look_again(&mut self, layer: &CostLayer) {
        if self.asked.is_empty() {
            return;
        }
        let Self { sets, agents, scratch, asked, changed, .. } = self;
        for (set, agents) in sets.iter_mut().zip(agents.chunks(FIELDS_PER_SET)) {
            let mut fields: [Option<&CostField>; FIELDS_PER_SET] = [None; FIELDS_PER_SET];
            for (field, &agent) in fields.iter_mut().zip(agents) {
                *field = layer.field(agent);
            }
            set.look_again(&fields, asked, changed, scratch);
        }
    }

    /// The domain of a cell for `agent`; none where it cannot stand, off the map, and for an agent there is no field for.
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

    /// The room a cell is in: what `agent` can reach from it without leaving the sector. None as for [`Sectors::domain`].
    #[must_use]
    pub fn room(&self, at: CellPos, agent: impl Into<Agent>) -> Option<RoomId> {
        let (set, field) = self.of(agent.into())?;
        set.room(at, field)
    }

    /// How many domains there are for `agent`. Costs a look at every sector.
    #[must_use]
    pub fn domains(&self, agent: impl Into<Agent>) -> u32 {
        self.of(agent.into()).map_or(0, |(set, field)| set.domains.count(field))
    }

    /// How the map divides into sectors.
    #[must_use]
    pub fn grid(&self) -> SectorGrid {
        self.grid
    }

    /// An agent's fields and its place among them.
    #[inline]
    fn of(&self, agent: Agent) -> Option<(&FieldSet, usize)> {
        // Agents are listed locomotor by locomotor, all with the same sizes.
        let size = *self.places.get(usize::from(agent.size.side()))?;
        let at = agent.locomotor.index() * self.sizes + usize::from(size?);
        let set = self.sets.get(at / FIELDS_PER_SET)?;
        (at < self.agents.len()).then_some((set, at % FIELDS_PER_SET))
    }

    /// Bytes held, by what holds them.
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
    /// On a big map the two labels come from far memory, and everything else is near. So nothing is decided by a label before the end:
    /// a processor that need not guess goes on to the next question while it waits.
    #[inline(always)]
    fn reachable(&self, from: CellPos, to: CellPos, field: usize) -> bool {
        let grid = self.zones.grid();
        if !grid.contains(from) || !grid.contains(to) {
            return false;
        }
        let ((here, from_zone), (there, to_zone)) = (self.zones.zone(from), self.zones.zone(to));
        let a = self.rooms.room_nearby(here, from_zone, field);
        let b = self.rooms.room_nearby(there, to_zone, field);
        if here == there || a.is_unknown() | b.is_unknown() {
            return self.reachable_by_rooms(from, to, field);
        }
        let joined = self.domains.are_joined((from, here.0, a.part()), (to, there.0, b.part()), field);
        joined & a.is_open() & b.is_open()
    }

    /// The same for cells in one sector, and in rooms of any number.
    #[inline(never)]
    fn reachable_by_rooms(&self, from: CellPos, to: CellPos, field: usize) -> bool {
        match (self.room(from, field), self.room(to, field)) {
            (Some(here), Some(there)) => self.domains.are_connected((from, here), (to, there), field),
            _ => false,
        }
    }

    #[inline]
    fn domain(&self, at: CellPos, field: usize) -> Option<DomainId> {
        let RoomId { part, .. } = self.room(at, field)?;
        Some(DomainId(self.domains.domain(at, part, field)))
    }

    fn look_again(
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
        let scratch = (&mut scratch.rooms, &mut scratch.domains);
        self.domains.update(&self.zones, &mut self.rooms, changed, scratch);
    }
}
