//! The costs that a field keeps, so that it can be repaired after an edit.

use super::ground::Ground;
use crate::flow::dijkstra::Labels;

/// Derived: what [`Keep::Costs`](super::Keep::Costs) keeps.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptCosts {
    pub(super) ground: Ground,
    pub(super) labels: Labels,
}

impl KeptCosts {
    pub(super) fn memory_bytes(&self) -> usize {
        self.ground.cost.len() + self.labels.memory_bytes()
    }
}
