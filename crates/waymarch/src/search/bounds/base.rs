//! The costs that bounds were made from, and whether the bounds are still true.

use alloc::vec;
use alloc::vec::Vec;

use crate::base::{Agent, CellPos, CellRect, GridSize};
use crate::cost::{CostField, CostLayer, Padding, StepRule};

/// The costs of one field at one moment, and which cells have become cheaper since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::search) struct Base {
    agent: Agent,
    rule: StepRule,
    grid: GridSize,
    padding: Padding,
    costs: Vec<u8>,
    /// A bit per padded cell that is cheaper now, and how many there are.
    cheaper: Vec<u64>,
    count: u32,
}

impl Base {
    pub(super) fn new(field: &CostField, agent: Agent, rule: StepRule) -> Self {
        let padding = field.padding();
        let cheaper = vec![0; padding.len().div_ceil(64)];
        Self { agent, rule, grid: field.grid(), padding, costs: field.padded().to_vec(), cheaper, count: 0 }
    }

    /// Follows a change of costs within `changed`.
    pub(super) fn update(&mut self, layer: &CostLayer, changed: CellRect) {
        let Some(field) = layer.field(self.agent) else { return };
        for at in changed.intersect(self.grid.rect()).cells() {
            let place = self.padding.pad(at).index();
            let (word, bit) = (&mut self.cheaper[place / 64], 1 << (place % 64));
            let (was, is) = (*word & bit != 0, field.padded()[place] < self.costs[place]);
            if was != is {
                *word ^= bit;
                self.count = if is { self.count + 1 } else { self.count - 1 };
            }
        }
    }

    /// Whether no cell is cheaper than it was.
    pub(super) fn holds(&self) -> bool {
        self.count == 0
    }

    pub(super) fn serves(&self, agent: Agent, rule: StepRule) -> bool {
        self.rule == rule && self.agent.locomotor == agent.locomotor && self.agent.size <= agent.size
    }

    pub(super) fn contains(&self, at: CellPos) -> bool {
        self.grid.contains(at)
    }

    pub(super) fn grid(&self) -> GridSize {
        self.grid
    }

    pub(super) fn rule(&self) -> StepRule {
        self.rule
    }

    pub(super) fn padding(&self) -> Padding {
        self.padding
    }

    pub(super) fn costs(&self) -> &[u8] {
        &self.costs
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.costs.len() + self.cheaper.len() * 8
    }
}
