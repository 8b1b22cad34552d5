//! The costs that a bound was made from, and whether the bound is still true.

use alloc::vec;
use alloc::vec::Vec;

use crate::base::{Agent, CellPos, CellRect, GridSize};
use crate::cost::{CostField, CostLayer, Padding, StepRule};
use crate::query::PlanError;
use crate::search::followed::Followed;

/// The costs of one field at one moment, and which cells have become cheaper since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::search) struct Base {
    agent: Agent,
    rule: StepRule,
    grid: GridSize,
    padding: Padding,
    costs: Vec<u8>,
    /// One bit per padded cell: set if the cell is cheaper now. `count` is the number of set bits.
    cheaper: Vec<u64>,
    count: u32,
    followed: Followed,
}

impl Base {
    pub(super) fn new(layer: &CostLayer, agent: Agent, rule: StepRule) -> Result<Self, PlanError> {
        let field = layer.field(agent).ok_or(PlanError::UnknownAgent(agent))?;
        let padding = field.padding();
        let (grid, costs) = (field.grid(), field.padded().to_vec());
        let (cheaper, followed) = (vec![0; padding.len().div_ceil(64)], Followed::now(layer));
        Ok(Self { agent, rule, grid, padding, costs, cheaper, count: 0, followed })
    }

    /// Follows a change of costs within `changed`, and all other changes since the last call. Ignores a layer of another size.
    pub(super) fn update(&mut self, layer: &CostLayer, changed: CellRect) {
        let Some(field) = layer.field(self.agent).filter(|field| field.grid() == self.grid) else { return };
        let behind = core::mem::replace(&mut self.followed, Followed::now(layer));
        self.look_at(field, changed);
        behind.changed_since(layer).for_each(|area| self.look_at(field, area));
    }

    fn look_at(&mut self, field: &CostField, changed: CellRect) {
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

    /// Whether no cell of `layer` is cheaper than it was, including changes since the last [`Base::update`].
    ///
    /// Takes constant time if [`Base::update`] was called after the last edit, otherwise it reads all cells of the sectors that changed.
    pub(super) fn holds_in(&self, layer: &CostLayer) -> bool {
        let cheaper = |area: CellRect| {
            let mut places = area.intersect(self.grid.rect()).cells().map(|at| self.padding.pad(at).index());
            let field = layer.field(self.agent).filter(|field| field.grid() == self.grid);
            field.is_none_or(|field| places.any(|place| field.padded()[place] < self.costs[place]))
        };
        self.holds() && !self.followed.changed_since(layer).any(cheaper)
    }

    /// Whether no cell was cheaper at the last [`Base::update`].
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
