//! One agent's costs, with or without threat.

use alloc::vec::Vec;

use super::fields::CostField;
use super::layer::CostLayer;
use super::threat::with_threat;
use crate::base::{Agent, CellPos, Threat};

/// What cells cost one agent, with or without threat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostView<'a> {
    pub(crate) field: &'a CostField,
    /// Threat per cell, padded; empty if the agent ignores threat.
    threat: &'a [u8],
}

impl CostLayer {
    /// The costs of `agent`, with or without threat; `None` if the agent has no field.
    #[inline]
    pub(crate) fn view(&self, agent: Agent, threat: Threat) -> Option<CostView<'_>> {
        let threat = match threat {
            Threat::Heed => self.threat().padded(),
            Threat::Ignore => &[],
        };
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
        with_threat(self.field.padded()[index], self.threat.get(index).copied().unwrap_or(0))
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
        if let Some(threat) = self.threat.get(first..last) {
            add_threat(row, threat);
        }
    }

    /// Copies all costs, padded, into `costs` (which is cleared).
    pub(crate) fn copy_all(self, costs: &mut Vec<u8>) {
        costs.clear();
        costs.extend_from_slice(self.field.padded());
        add_threat(costs, self.threat);
    }
}

fn add_threat(costs: &mut [u8], threat: &[u8]) {
    for (cost, &threat) in costs.iter_mut().zip(threat) {
        *cost = with_threat(*cost, threat);
    }
}
