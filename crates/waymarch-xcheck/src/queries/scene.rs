//! A map that is edited between rounds of queries, and data that follow its edits.

use waymarch::base::{Agent, CellPos, CellRect, LocomotorId, SizeClass, cell};
use waymarch::cost::{Falloff, FootCell, GateState, Stamp, StampId, StepRule, TerrainId, ThreatSource};
use waymarch::flow::tiles::{TileFlows, TileSettings};
use waymarch::flow::whole::{FieldKey, Keep, WholeField, WholeFields, WholeFieldsSettings, WholeScratch};
use waymarch::plan::{Grouping, PathCache};
use waymarch::planners::Contexts;
use waymarch::query::{PathQuery, Threat};
use waymarch::sectors::{Doors, Rims, SnapMemory};
use waymarch::world::Navigator;

use crate::SplitMix;

/// The queries of a round have 3 agents, because tables for an agent are expensive to build. The next round has the next 3.
const AGENTS: u32 = 3;

/// A map that is edited.
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    pub(crate) nav: Navigator,
    pub(crate) rule: StepRule,
    pub(crate) random: SplitMix,
    pub(crate) stamps: Vec<StampId>,
    pub(crate) terrains: u32,
    pub(crate) agents: Vec<Agent>,
}

impl Scene {
    pub(crate) fn new(name: &'static str, nav: Navigator, rule: StepRule) -> Self {
        let layer = nav.layer();
        let mut agents: Vec<Agent> = Vec::new();
        for locomotor in 0..layer.rules().rules().locomotors.len() as u8 {
            for size in [1, 2, 3] {
                let size = SizeClass::new(size).expect("a legal size");
                let agent = Agent { locomotor: LocomotorId(locomotor), size };
                let is_open = |at: &CellPos| layer.field(agent).is_some_and(|field| field.is_passable(*at));
                if layer.grid().rect().cells().filter(is_open).count() > 40 {
                    agents.push(agent);
                }
            }
        }
        let seed = u64::from(nav.config().get().sector_size) * 7919 + name.len() as u64;
        let terrains = layer.rules().rules().terrains.len() as u32;
        Self { name, nav, rule, random: SplitMix(seed), stamps: Vec::new(), terrains, agents }
    }

    fn any_cell(&mut self) -> CellPos {
        let g = self.nav.layer().grid();
        cell(self.random.range(0, g.width() as i32), self.random.range(0, g.height() as i32))
    }
    fn open_cell(&mut self, agent: Agent) -> CellPos {
        for _ in 0..300 {
            let at = self.any_cell();
            if self.nav.layer().field(agent).is_some_and(|f| f.is_passable(at)) {
                return at;
            }
        }
        self.any_cell()
    }
    /// A query of one of the agents of a round, mostly from an open cell to an open cell.
    pub(crate) fn query(&mut self, round: u32) -> PathQuery {
        let first = (round * AGENTS) as usize;
        let number = first + self.random.below(AGENTS) as usize;
        let agent = self.agents[number % self.agents.len()];
        let from = if self.random.chance(950) { self.open_cell(agent) } else { self.any_cell() };
        let to = match self.random.below(40) {
            0 => cell(-1, 3),
            1 => self.any_cell(),
            _ => self.open_cell(agent),
        };
        PathQuery::new(from, to, agent).with_threat(self.random.pick(&[
            Threat::Ignore,
            Threat::Ignore,
            Threat::Heed,
        ]))
    }
    /// Edits the map before every round but the first.
    pub(crate) fn edit(&mut self, round: u32) {
        if round == 0 {
            return;
        }
        for _ in 0..3 {
            let at = self.any_cell();
            let kind = self.random.pick(&[
                FootCell::Blocked,
                FootCell::Blocked,
                FootCell::Gate,
                FootCell::NoStop,
                FootCell::Wall(0),
                FootCell::Terrain(TerrainId(1)),
            ]);
            let mut stamp = Stamp::filled("edit", 1 + self.random.below(7), 1 + self.random.below(5), kind);
            if self.random.chance(300) {
                stamp = stamp.lasting(3);
            }
            if let Ok(id) = self.nav.place(&stamp, at) {
                self.stamps.push(id);
            }
        }
        if self.stamps.len() > 2 {
            let at = self.random.below(self.stamps.len() as u32) as usize;
            let id = self.stamps.swap_remove(at);
            let _ = self.nav.remove(id);
            let _ = self.nav.set_gate(self.stamps[0], GateState::Open);
        }
        let terrain = TerrainId(self.random.below(self.terrains) as u8);
        let at = self.any_cell();
        let (w, hh) = (2 + self.random.below(6), 2 + self.random.below(4));
        let _ = self.nav.set_terrain(CellRect::at(at, w, hh), terrain);
        let at = self.any_cell();
        let _ = self.nav.set_elevation(CellRect::at(at, 6, 6), 300);
        if round == 2 {
            let at = self.any_cell();
            for falloff in [Falloff::Linear, Falloff::Quadratic, Falloff::Flat] {
                let source = ThreatSource { at, radius: 9, strength: 60, falloff };
                let id = self.nav.add_threat(source).expect("on the map");
                let _ = self.nav.set_threat(id, ThreatSource { at: at.offset(1, 0), radius: 14, ..source });
            }
        }
        self.nav.tick();
        self.nav.tick();
    }
}

/// Data that follow the edits from round to round.
pub(crate) struct Kept {
    pub(crate) agent: Agent,
    pub(crate) doors: Doors,
    pub(crate) rims: Rims,
    pub(crate) whole: WholeField,
    pub(crate) fields: WholeFields,
    pub(crate) tiles: TileFlows,
    pub(crate) flows: Vec<waymarch::flow::tiles::FlowId>,
    pub(crate) contexts: Contexts,
    pub(crate) snaps: SnapMemory,
    pub(crate) cache: PathCache,
    pub(crate) grouping: Grouping,
}

impl Kept {
    pub(crate) fn new(s: &Scene) -> Self {
        let layer = s.nav.layer();
        let agent = s.agents[0];
        let goal = layer
            .grid()
            .rect()
            .cells()
            .filter(|&c| layer.field(agent).unwrap().is_passable(c))
            .nth(50)
            .unwrap();
        Self {
            agent,
            doors: Doors::new(layer, agent, s.rule, Threat::Ignore).unwrap(),
            rims: Rims::new(layer, agent, s.rule, Threat::Ignore).unwrap(),
            whole: WholeField::new(
                layer,
                &FieldKey::new(agent, goal),
                s.rule,
                Keep::Costs,
                &mut WholeScratch::new(),
            )
            .unwrap(),
            fields: WholeFields::new(
                s.rule,
                WholeFieldsSettings { fields: 3, refusals: 4, ..WholeFieldsSettings::default() },
            ),
            tiles: TileFlows::new(
                layer,
                s.rule,
                TileSettings { per_tick: 2, sight: 12, capacity: 5, ttl: 4 },
            ),
            flows: Vec::new(),
            contexts: Contexts::new(s.rule, 3),
            snaps: SnapMemory::default(),
            cache: PathCache::new(6),
            grouping: Grouping::new(3),
        }
    }
}
