//! The passages of several agents.

use alloc::vec::Vec;

use super::Passages;
use crate::base::Agent;
use crate::cost::{CostLayer, StepRule};

/// Derived from the map: the passages of each agent that was asked for, in the order of first use. No result may depend on that order.
#[derive(Clone, Debug, Default)]
pub(crate) struct PassageStore {
    list: Vec<Passages>,
}

impl PassageStore {
    /// Follows the changes of the layer, for all agents.
    pub(crate) fn follow(&mut self, layer: &CostLayer, rule: StepRule) {
        self.list.iter_mut().for_each(|passages| passages.follow_rule(layer, rule));
    }

    /// The number of an agent's passages, which are made if nothing has asked for them yet; `None` if the agent has no costs. Known passages are as
    /// they were at the last [`PassageStore::follow`].
    pub(crate) fn number_of(&mut self, layer: &CostLayer, agent: Agent, rule: StepRule) -> Option<u16> {
        layer.field(agent)?;
        let known = self.list.iter().position(|passages| passages.agent() == agent);
        let place = match known {
            Some(place) => place,
            None => {
                self.list.push(Passages::new(layer, agent, rule).ok()?);
                self.list.len() - 1
            }
        };
        Some(place as u16)
    }

    /// The passages with a number from [`PassageStore::number_of`].
    pub(crate) fn get(&self, number: u16) -> &Passages {
        &self.list[usize::from(number)]
    }

    /// The passages of all agents that were asked for.
    pub(crate) fn all(&self) -> &[Passages] {
        &self.list
    }
}
