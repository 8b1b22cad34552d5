//! What both kinds of flow benchmark share: the case, its row in the report, and the cells that goals are drawn from.

use serde::Serialize;
use waymarch::base::{Agent, CellPos};
use waymarch::cost::{CostLayer, ValidMap};
use waymarch::query::PlanError;

use crate::diagnostics::Failure;

/// A map to measure, and how much to measure on it.
#[derive(Clone, Copy)]
pub(super) struct FlowCase<'a> {
    /// The map as named on the command line.
    pub(super) word: &'a str,
    /// `uniform` or `weighted`.
    pub(super) ground: &'static str,
    pub(super) map: &'a ValidMap,
    pub(super) seed: u32,
    /// Goals, each with a field of its own.
    pub(super) goals: u32,
    /// Buildings placed and removed.
    pub(super) edits: u32,
}

/// The cells that an agent can stop on.
///
/// # Errors
/// If the map has no costs for the agent, or none of its cells is open to it.
pub(super) fn open_cells(layer: &CostLayer, agent: Agent) -> Result<Vec<CellPos>, Failure> {
    let costs = layer.field(agent).ok_or_else(|| Failure::from(PlanError::UnknownAgent(agent)))?;
    let is_open = |at: &CellPos| costs.is_passable(*at) && layer.can_stop(*at, agent);
    let open: Vec<CellPos> = layer.grid().rect().cells().filter(is_open).collect();
    if open.is_empty() { Err(PlanError::GoalClosed.into()) } else { Ok(open) }
}

/// One case on one map; scripts rely on the keys.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) map: String,
    pub(super) case: &'static str,
    pub(super) ground: &'static str,
    pub(super) size: String,
    pub(super) planner: &'static str,
    pub(super) rounds: usize,
    pub(super) mean_us: f64,
    pub(super) median_us: f64,
    pub(super) p99_us: f64,
    pub(super) per_cell_ns: f64,
    /// Rounds that ended with more memory held than before.
    pub(super) allocations: usize,
    pub(super) bytes_per_cell: f64,
    /// The mean time ÷ that of making a whole field.
    pub(super) share_of_making: f64,
    /// The mean number of cells repaired; all cells for new fields.
    pub(super) cells: f64,
    /// Edits after which the field was rebuilt because that was cheaper.
    pub(super) rebuilt: usize,
    /// Whether the repaired field equals a new one.
    pub(super) equal: bool,
}
