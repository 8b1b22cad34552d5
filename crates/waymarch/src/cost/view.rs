//! One agent's costs, with or without threat.

use alloc::vec::Vec;

use super::fields::CostField;
use super::layer::CostLayer;
use super::threat::{ThreatView, with_threat};
use crate::base::{Agent, CellPos, Threat};

/// What cells cost one agent, with or without threat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostView<'a> {
    pub(crate) field: &'a CostField,
    /// Threat per cell; empty if no threat counts.
    threat: ThreatView<'a>,
}

impl CostLayer {
    /// The costs of `agent`, with or without threat; `None` if the agent has no field.
    #[inline]
    pub(crate) fn view(&self, agent: Agent, threat: Threat) -> Option<CostView<'_>> {
        let threat = self.threat().view(threat);
        Some(CostView { field: self.field(agent)?, threat })
    }
}

impl CostView<'_> {
    /// Whether threat is part of the costs.
    #[inline]
    pub(crate) fn has_threat(self) -> bool {
        !self.threat.is_empty()
    }

    /// The cost of the cell with this index in padded order.
    #[inline]
    pub(crate) fn at_index(self, index: usize) -> u8 {
        with_threat(self.field.padded()[index], self.threat.at(index))
    }

    /// What a cell on the map costs.
    #[inline]
    pub(crate) fn cost(self, at: CellPos) -> u8 {
        self.at_index(self.field.padding().pad(at).index())
    }

    /// Copies the costs of cells from `at` eastwards into `row`. All cells must be on the map.
    pub(crate) fn copy_row(self, at: CellPos, row: &mut [u8]) {
        let first = self.field.padding().pad(at).index();
        let last = first + row.len();
        row.copy_from_slice(&self.field.padded()[first..last]);
        add_threat(row, self.threat, first);
    }

    /// Copies all costs, padded, into `costs` (which is cleared).
    pub(crate) fn copy_all(self, costs: &mut Vec<u8>) {
        costs.clear();
        costs.extend_from_slice(self.field.padded());
        add_threat(costs, self.threat, 0);
    }
}

/// Adds threat to the costs of cells whose indices in padded order start at `first`.
fn add_threat(costs: &mut [u8], threat: ThreatView<'_>, first: usize) {
    if threat.is_empty() {
        return;
    }
    for (place, cost) in (first..).zip(costs) {
        *cost = with_threat(*cost, threat.at(place));
    }
}
