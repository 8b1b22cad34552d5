//! The ground that one agent sees: cell costs and legal steps.

use crate::base::{Agent, CellPos, Dir8};
use crate::cost::{CostField, CostLayer, CostView, IMPASSABLE, StepRule};
use crate::flow::dijkstra::bucket_shift;
use crate::query::Threat;

/// What cells cost one agent, and how it may step.
#[derive(Clone, Copy)]
pub(super) struct TileGround<'a> {
    costs: CostView<'a>,
    pub(super) rule: StepRule,
}

impl<'a> TileGround<'a> {
    #[inline]
    pub(super) fn new(layer: &'a CostLayer, agent: Agent, threat: Threat, rule: StepRule) -> Option<Self> {
        let costs = layer.view(agent, threat)?;
        Some(Self { costs, rule })
    }

    /// The cost field, without threat.
    #[inline]
    pub(super) fn field(&self) -> &'a CostField {
        self.costs.field
    }

    /// How wide a bucket of the search may be, as a power of two.
    pub(super) fn shift(&self) -> u32 {
        bucket_shift(self.costs.field)
    }

    /// What a cell costs; 255 off the map.
    #[inline]
    pub(super) fn cost(&self, at: CellPos) -> u8 {
        if self.costs.field.grid().contains(at) { self.costs.cost(at) } else { IMPASSABLE }
    }

    /// Copies the costs of cells from `at` eastwards into `row`. All cells must be on the map.
    pub(super) fn copy_row(&self, at: CellPos, row: &mut [u8]) {
        self.costs.copy_row(at, row);
    }

    /// Whether a step from a cell on the map is legal.
    pub(super) fn may(&self, at: CellPos, dir: Dir8) -> bool {
        self.costs.field.is_passable(at) && self.legal(at) >> dir.index() & 1 == 1
    }

    /// The legal steps from a cell on the map, bit = direction number.
    #[inline]
    pub(super) fn legal(&self, at: CellPos) -> u8 {
        self.costs.field.legal_steps(at, self.rule)
    }
}
