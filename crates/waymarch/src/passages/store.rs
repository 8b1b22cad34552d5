//! The passages of several agents.

use alloc::vec::Vec;

use super::{Passages, PassagesInWork};
use crate::base::Agent;
use crate::cost::{CostLayer, StepRule};

/// Derived from the map: the passages of each agent that was asked for, in the order of first use. No result may depend on that order.
#[derive(Clone, Debug, Default)]
pub(crate) struct PassageStore {
    list: Vec<Passages>,
    /// Unfinished: passages that are found ahead, by agent.
    in_work: Vec<PassagesInWork>,
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
                let begun = self.in_work.iter().position(|work| work.is_for(agent, rule));
                self.list.push(match begun {
                    Some(begun) => self.in_work.swap_remove(begun).finish(layer),
                    None => Passages::new(layer, agent, rule).ok()?,
                });
                self.list.len() - 1
            }
        };
        Some(place as u16)
    }

    /// Finds the passages of an agent in a few rows of the map, before a unit needs them. Returns whether there was work to do.
    ///
    /// One row is left to [`PassageStore::number_of`], so that the list has only agents that were asked for.
    pub(crate) fn prepare_ahead(
        &mut self,
        layer: &CostLayer,
        rule: StepRule,
        agent: Agent,
        rows: u32,
    ) -> bool {
        if self.list.iter().any(|passages| passages.agent() == agent) {
            return false;
        }
        let known = self.in_work.iter().position(|work| work.is_for(agent, rule));
        let place = known.unwrap_or_else(|| {
            self.in_work.retain(|work| work.has_rule(rule));
            self.in_work.extend(PassagesInWork::begin(layer, agent, rule));
            self.in_work.len().wrapping_sub(1)
        });
        let Some(work) = self.in_work.get_mut(place).filter(|work| work.is_for(agent, rule)) else {
            return false;
        };
        let unseen = work.unseen_rows(layer).saturating_sub(1);
        if unseen > 0 {
            work.work(layer, rows.min(unseen));
        }
        unseen > 0
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
