//! The tables that planners keep: one for each agent that a query has named, with threat or without.

use alloc::vec::Vec;

use crate::base::{Agent, CellRect, GridSize};
use crate::cost::{ChangeMark, CostLayer, StepRule};
use crate::query::{PlanError, Threat};
use crate::search::{Hierarchy, JumpData, JumpDetail, Landmarks, WeightedPlanes, ZoneDistances};
use crate::sectors::{Doors, Rims};

/// The agent that a table is made for, and whether it counts threat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableKey {
    pub(super) agent: Agent,
    pub(super) threat: Threat,
}

impl TableKey {
    /// The key of the table for queries of `agent` that ignore threat.
    pub(super) fn plain(agent: Agent) -> Self {
        Self { agent, threat: Threat::Ignore }
    }
}

/// At most 16 tables of a kind that count threat are kept: for the views of 16 sides, or of fewer sides and several agents.
const MOST_THREAT_TABLES: usize = 16;

/// A table for one agent, with threat or without, that follows the map.
pub(crate) trait AgentTable: Sized {
    /// # Errors
    /// [`PlanError::UnknownAgent`] for an agent without costs.
    fn make(layer: &CostLayer, key: TableKey, rule: StepRule) -> Result<Self, PlanError>;
    fn key(&self) -> TableKey;
    /// This table, which ignores threat, as one that counts it; `None` if making it from scratch is as fast.
    fn with_threat(&self, _layer: &CostLayer, _threat: Threat) -> Option<Self> {
        None
    }
    /// Brings the table up to date. The result equals a newly made table.
    fn follow(&mut self, layer: &CostLayer);
    fn is_current(&self, layer: &CostLayer) -> bool;
    fn memory_bytes(&self) -> usize;
}

/// Derived from the costs: one table for each agent that a query has named.
///
/// It is a cache: a missing table makes a query slower and does not change its answer. An edit costs nothing until [`AgentStore::follow`]
/// is called.
#[derive(Clone, Debug)]
pub(crate) struct AgentStore<T> {
    /// The tables, each with the number of the [`AgentStore::follow`] before which it was last asked for.
    tables: Vec<(T, u64)>,
    /// How often the tables followed the map.
    followed: u64,
    /// The size of the map and the step rule that the tables were made for.
    made_for: Option<(GridSize, StepRule)>,
}

impl<T> Default for AgentStore<T> {
    fn default() -> Self {
        Self { tables: Vec::new(), followed: 0, made_for: None }
    }
}

impl<T: AgentTable> AgentStore<T> {
    fn find(&self, key: TableKey) -> Option<usize> {
        self.tables.iter().position(|(table, _)| table.key() == key)
    }

    /// The table for `key`, up to date; it is made if it is not there.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] for an agent without costs.
    pub(super) fn up_to_date(
        &mut self,
        layer: &CostLayer,
        key: TableKey,
        rule: StepRule,
    ) -> Result<&T, PlanError> {
        let made_for = Some((layer.grid(), rule));
        if self.made_for != made_for {
            self.tables.clear();
            self.made_for = made_for;
        }
        let at = match self.find(key) {
            Some(at) => at,
            None => {
                let plain = TableKey::plain(key.agent);
                let plain = self.find(plain).filter(|_| key.threat.is_heeded()).map(|at| &self.tables[at].0);
                let table = match plain.and_then(|plain| plain.with_threat(layer, key.threat)) {
                    Some(table) => table,
                    None => T::make(layer, key, rule)?,
                };
                self.tables.push((table, 0));
                self.tables.len() - 1
            }
        };
        let (table, asked) = &mut self.tables[at];
        *asked = self.followed;
        table.follow(layer);
        Ok(table)
    }

    /// Whether the table for `key` was made.
    pub(super) fn has(&self, layer: &CostLayer, key: TableKey, rule: StepRule) -> bool {
        self.made_for == Some((layer.grid(), rule)) && self.find(key).is_some()
    }

    /// Takes over a table that was made for this map and this step rule.
    pub(super) fn insert(&mut self, layer: &CostLayer, rule: StepRule, table: T) {
        if self.has(layer, table.key(), rule) {
            return;
        }
        let made_for = Some((layer.grid(), rule));
        if self.made_for != made_for {
            self.tables.clear();
            self.made_for = made_for;
        }
        self.tables.push((table, self.followed));
    }

    /// Makes the table for `key` ready. Nothing is made for an agent without costs: its queries are refused.
    pub(super) fn prepare(&mut self, layer: &CostLayer, key: TableKey, rule: StepRule) {
        let _refused_later = self.up_to_date(layer, key, rule).err();
    }

    /// The table for `key`, which must have been made and be up to date.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] for an agent without costs, [`PlanError::Unsuited`] if the table is missing or out of date.
    pub(super) fn get(&self, layer: &CostLayer, key: TableKey) -> Result<&T, PlanError> {
        if layer.field(key.agent).is_none() {
            return Err(PlanError::UnknownAgent(key.agent));
        }
        let table = self.find(key).map(|at| &self.tables[at].0);
        let table = table.ok_or(PlanError::Unsuited("the planner was not prepared for this agent"))?;
        if !table.is_current(layer) {
            return Err(PlanError::Unsuited("the planner has not followed the latest changes of the map"));
        }
        Ok(table)
    }

    /// Brings all tables up to date. Drops them if the map has another size.
    ///
    /// Tables that count threat follow only while they are asked for, because threat changes often. Of these tables, the [`MOST_THREAT_TABLES`]
    /// asked for last are kept.
    pub(super) fn follow(&mut self, layer: &CostLayer) {
        if self.made_for.is_some_and(|(grid, _)| grid != layer.grid()) {
            self.tables.clear();
        }
        let now = self.followed;
        self.followed += 1;
        let counts_threat = |table: &T| table.key().threat.is_heeded();
        while self.tables.iter().filter(|(table, _)| counts_threat(table)).count() > MOST_THREAT_TABLES {
            let others = self.tables.iter().enumerate().filter(|(_, (table, _))| counts_threat(table));
            let Some((oldest, _)) = others.min_by_key(|(_, (_, asked))| *asked) else { break };
            self.tables.remove(oldest);
        }
        let in_use = self.tables.iter_mut().filter(|(table, asked)| !counts_threat(table) || *asked == now);
        in_use.for_each(|(table, _)| table.follow(layer));
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.tables.iter().map(|(table, _)| table.memory_bytes()).sum()
    }
}

/// Implements [`AgentTable`] for tables that have their own `follow` and `is_current`.
macro_rules! agent_tables {
    ($table:ty $(, $convert:item)*) => {
        impl AgentTable for $table {
            fn make(layer: &CostLayer, key: TableKey, rule: StepRule) -> Result<Self, PlanError> {
                Self::new(layer, key.agent, rule, key.threat)
            }

            fn key(&self) -> TableKey {
                TableKey { agent: self.agent(), threat: self.threat() }
            }

            $($convert)*

            fn follow(&mut self, layer: &CostLayer) {
                Self::follow(self, layer);
            }

            fn is_current(&self, layer: &CostLayer) -> bool {
                Self::is_current(self, layer)
            }

            fn memory_bytes(&self) -> usize {
                Self::memory_bytes(self)
            }
        }
    };
}

agent_tables!(
    WeightedPlanes,
    fn with_threat(&self, layer: &CostLayer, threat: Threat) -> Option<Self> {
        Self::with_threat(self, layer, threat)
    }
);
agent_tables!(Doors);
agent_tables!(Rims);

/// Derived from the closed cells of one field: jump planes or a jump graph. After an edit, the data are updated for the sectors that
/// changed.
#[derive(Clone, Debug)]
pub(super) struct JumpTable<const DETAIL: u8> {
    agent: Agent,
    pub(super) data: JumpData,
    known: ChangeMark,
    /// Scratch: the areas that changed.
    changed: Vec<CellRect>,
}

/// The number of [`JumpDetail::Straight`] as a constant parameter: 0.
const STRAIGHT: u8 = JumpDetail::Straight as u8;
/// The number of [`JumpDetail::Planes`] as a constant parameter: 1.
const PLANES: u8 = JumpDetail::Planes as u8;
/// The number of [`JumpDetail::Graph`] as a constant parameter: 2.
const GRAPH: u8 = JumpDetail::Graph as u8;

/// Planes for straight jumps: `jps`.
pub(super) type StraightPlanes = JumpTable<STRAIGHT>;
/// Planes for straight and diagonal jumps: `jps+`, and the legs of `hpa`.
pub(super) type FullPlanes = JumpTable<PLANES>;
/// The jump graph: `jps-graph`.
pub(super) type GraphTable = JumpTable<GRAPH>;

impl<const DETAIL: u8> JumpTable<DETAIL> {
    const DETAIL: JumpDetail = match DETAIL {
        STRAIGHT => JumpDetail::Straight,
        PLANES => JumpDetail::Planes,
        _ => JumpDetail::Graph,
    };
}

impl<const DETAIL: u8> AgentTable for JumpTable<DETAIL> {
    fn make(layer: &CostLayer, key: TableKey, _: StepRule) -> Result<Self, PlanError> {
        let field = layer.field(key.agent).ok_or(PlanError::UnknownAgent(key.agent))?;
        let data = JumpData::new(Self::DETAIL, field.closed_bits());
        Ok(Self { agent: key.agent, data, known: layer.changes().mark_now(), changed: Vec::new() })
    }

    fn key(&self) -> TableKey {
        TableKey::plain(self.agent)
    }

    fn follow(&mut self, layer: &CostLayer) {
        let log = layer.changes();
        let Some(field) = layer.field(self.agent).filter(|_| self.known != log.mark_now()) else { return };
        match log.since(self.known) {
            Some(sectors) if self.data.grid() == layer.grid() => {
                self.changed.clear();
                self.changed.extend(sectors.iter().map(|&sector| log.sectors().area(sector)));
                self.changed.sort_unstable_by_key(|area| (area.y0, area.x0));
                self.changed.dedup();
                self.data.follow(field.closed_bits(), &self.changed);
            }
            _ => self.data = JumpData::new(Self::DETAIL, field.closed_bits()),
        }
        self.known = log.mark_now();
    }

    fn is_current(&self, layer: &CostLayer) -> bool {
        self.known == layer.changes().mark_now() && self.data.grid() == layer.grid()
    }

    fn memory_bytes(&self) -> usize {
        self.data.memory_bytes()
    }
}

/// A table that cannot follow an edit and must be rebuilt.
pub(super) trait GroundTable: Sized {
    /// # Errors
    /// [`PlanError::UnknownAgent`] for an agent without costs.
    fn of(layer: &CostLayer, agent: Agent, rule: StepRule) -> Result<Self, PlanError>;
    /// Called when only threat has changed since the table was made.
    fn ground_is_the_same(&mut self, _layer: &CostLayer) {}
    fn memory_bytes(&self) -> usize;
}

/// Derived from the ground: a table that is rebuilt after every edit of the map. It does not depend on threat.
#[derive(Clone, Debug)]
pub(super) struct Rebuilt<T> {
    agent: Agent,
    rule: StepRule,
    /// The layer's ground version that the table was made for.
    version: u64,
    pub(super) table: T,
}

impl<T: GroundTable> AgentTable for Rebuilt<T> {
    fn make(layer: &CostLayer, key: TableKey, rule: StepRule) -> Result<Self, PlanError> {
        let (agent, version) = (key.agent, layer.changes().ground_version());
        Ok(Self { agent, rule, version, table: T::of(layer, agent, rule)? })
    }

    fn key(&self) -> TableKey {
        TableKey::plain(self.agent)
    }

    fn follow(&mut self, layer: &CostLayer) {
        if self.is_current(layer) {
            self.table.ground_is_the_same(layer);
            return;
        }
        // A table for an agent without costs is never asked for.
        if let Ok(table) = T::of(layer, self.agent, self.rule) {
            self.table = table;
            self.version = layer.changes().ground_version();
        }
    }

    fn is_current(&self, layer: &CostLayer) -> bool {
        self.version == layer.changes().ground_version()
    }

    fn memory_bytes(&self) -> usize {
        self.table.memory_bytes()
    }
}

impl GroundTable for Landmarks {
    fn of(layer: &CostLayer, agent: Agent, rule: StepRule) -> Result<Self, PlanError> {
        Self::new(layer, agent, rule)
    }

    fn ground_is_the_same(&mut self, layer: &CostLayer) {
        self.update(layer, CellRect::default());
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }
}

impl GroundTable for ZoneDistances {
    fn of(layer: &CostLayer, agent: Agent, rule: StepRule) -> Result<Self, PlanError> {
        Self::new(layer, agent, rule)
    }

    fn ground_is_the_same(&mut self, layer: &CostLayer) {
        self.update(layer, CellRect::default());
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }
}

/// `None` on open ground, where [`Hierarchy::new`] makes no hierarchy.
impl GroundTable for Option<Hierarchy> {
    fn of(layer: &CostLayer, agent: Agent, _: StepRule) -> Result<Self, PlanError> {
        let field = layer.field(agent).ok_or(PlanError::UnknownAgent(agent))?;
        Ok(Hierarchy::new(field))
    }

    fn memory_bytes(&self) -> usize {
        self.as_ref().map_or(0, Hierarchy::memory_bytes)
    }
}
