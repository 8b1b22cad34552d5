//! Layer 2: which rooms, which doors, is it reachable at all?

mod domains;
mod doors;
mod joined;
mod snap;
mod zones;

use alloc::vec::Vec;

pub use doors::{DoorRoute, DoorScratch, Doors};
pub use snap::{SnapScratch, Snapped};

use domains::{DomainScratch, Domains};
use zones::{Connection, ZoneScratch, Zones};

use crate::base::{Agent, CellPos};
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
    /// Every agent's place among the fields.
    agents: Vec<Agent>,
    sets: Vec<FieldSet>,
    zone_scratch: ZoneScratch,
    domain_scratch: DomainScratch,
    /// How far the layer's changes were followed.
    known: ChangeMark,
    /// Scratch: sectors to look at, and those that turned out to have changed.
    asked: Vec<SectorId>,
    changed: Vec<SectorId>,
}

/// Fields that share zones, and each one's domains.
#[derive(Clone, PartialEq, Eq, Debug)]
struct FieldSet {
    zones: Zones,
    domains: Vec<Domains>,
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
        let set = |agents: &[Agent]| FieldSet {
            zones: Zones::new(layer.grid(), grid, connection),
            domains: (0..agents.len() as u32).map(|bit| Domains::new(grid, bit)).collect(),
        };
        let sets = agents.chunks(FIELDS_PER_SET).map(set).collect();
        let mut sectors = Self {
            grid,
            agents,
            sets,
            zone_scratch: ZoneScratch::default(),
            domain_scratch: DomainScratch::default(),
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
        let Self { sets, agents, zone_scratch, domain_scratch, asked, changed, .. } = self;
        for (set, agents) in sets.iter_mut().zip(agents.chunks(FIELDS_PER_SET)) {
            let mut fields: [Option<&CostField>; FIELDS_PER_SET] = [None; FIELDS_PER_SET];
            for (field, &agent) in fields.iter_mut().zip(agents) {
                *field = layer.field(agent);
            }
            set.look_again(&fields, asked, changed, zone_scratch, domain_scratch);
        }
    }

    /// The domain of a cell for `agent`; none where it cannot stand, off the map, and for an agent there is no field for.
    #[inline]
    #[must_use]
    pub fn domain(&self, at: CellPos, agent: impl Into<Agent>) -> Option<DomainId> {
        let (set, domains) = self.of(agent.into())?;
        set.domain(at, domains)
    }

    /// Whether `agent` can stand on both cells and walk from one to the other.
    #[inline]
    #[must_use]
    pub fn reachable(&self, from: CellPos, to: CellPos, agent: impl Into<Agent>) -> bool {
        self.of(agent.into()).is_some_and(|(set, domains)| {
            let from = set.domain(from, domains);
            from.is_some() && from == set.domain(to, domains)
        })
    }

    /// The room a cell is in: what `agent` can reach from it without leaving the sector. None as for [`Sectors::domain`].
    #[must_use]
    pub fn room(&self, at: CellPos, agent: impl Into<Agent>) -> Option<RoomId> {
        let (set, domains) = self.of(agent.into())?;
        if !set.zones.grid().contains(at) {
            return None;
        }
        let (sector, zone) = set.zones.zone(at);
        domains.part(sector, zone).map(|part| RoomId { sector, part })
    }

    /// How many domains there are for `agent`.
    #[must_use]
    pub fn domains(&self, agent: impl Into<Agent>) -> u32 {
        self.of(agent.into()).map_or(0, |(_, domains)| domains.count())
    }

    /// How the map divides into sectors.
    #[must_use]
    pub fn grid(&self) -> SectorGrid {
        self.grid
    }

    fn of(&self, agent: Agent) -> Option<(&FieldSet, &Domains)> {
        let at = self.agents.iter().position(|&known| known == agent)?;
        let set = &self.sets[at / FIELDS_PER_SET];
        Some((set, &set.domains[at % FIELDS_PER_SET]))
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let of_set = |set: &FieldSet| {
            set.zones.memory_bytes() + set.domains.iter().map(Domains::memory_bytes).sum::<usize>()
        };
        self.sets.iter().map(of_set).sum()
    }
}

impl FieldSet {
    #[inline]
    fn domain(&self, at: CellPos, domains: &Domains) -> Option<DomainId> {
        if !self.zones.grid().contains(at) {
            return None;
        }
        let (sector, zone) = self.zones.zone(at);
        domains.domain(at, sector, zone).map(DomainId)
    }

    fn look_again(
        &mut self,
        fields: &[Option<&CostField>],
        sectors: &[SectorId],
        changed: &mut Vec<SectorId>,
        zone_scratch: &mut ZoneScratch,
        domain_scratch: &mut DomainScratch,
    ) {
        changed.clear();
        for &sector in sectors {
            if self.zones.relabel(sector, fields, zone_scratch) {
                changed.push(sector);
            }
        }
        self.zones.retouch_around(changed, zone_scratch);
        for domains in &mut self.domains {
            domains.update(&self.zones, changed, domain_scratch);
        }
    }
}
