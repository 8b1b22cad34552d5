//! What planners keep for agents that have asked: planes for weighted ground, doors.

use alloc::vec::Vec;

use crate::base::Agent;
use crate::cost::{CostLayer, StepRule};
use crate::query::{PlanError, Threat};
use crate::search::WeightedPlanes;
use crate::sectors::Doors;

/// What is made for one agent, with threat or without, and follows the map.
trait PerAgent: Sized {
    fn make(layer: &CostLayer, agent: Agent, rule: StepRule, threat: Threat) -> Result<Self, PlanError>;
    fn is_for(&self, agent: Agent, threat: Threat) -> bool;
    fn follow(&mut self, layer: &CostLayer);
    fn is_current(&self, layer: &CostLayer) -> bool;
    fn memory_bytes(&self) -> usize;
}

impl PerAgent for WeightedPlanes {
    fn make(layer: &CostLayer, agent: Agent, rule: StepRule, threat: Threat) -> Result<Self, PlanError> {
        Self::new(layer, agent, rule, threat)
    }

    fn is_for(&self, agent: Agent, threat: Threat) -> bool {
        self.agent() == agent && self.threat() == threat
    }

    fn follow(&mut self, layer: &CostLayer) {
        Self::follow(self, layer);
    }

    fn is_current(&self, layer: &CostLayer) -> bool {
        self.is_up_to_date(layer)
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }
}

impl PerAgent for Doors {
    fn make(layer: &CostLayer, agent: Agent, rule: StepRule, threat: Threat) -> Result<Self, PlanError> {
        Self::new(layer, agent, rule, threat)
    }

    fn is_for(&self, agent: Agent, threat: Threat) -> bool {
        self.agent() == agent && self.threat() == threat
    }

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

/// Derived from the costs: one thing for each agent that has asked.
///
/// A cache: whether something is there changes what a question costs, never its answer. An edit costs nothing here until
/// [`Store::follow`] is called, and then what has changed.
#[derive(Clone, Debug)]
pub(crate) struct Store<T> {
    made: Vec<T>,
}

/// Planes for weighted ground.
pub(crate) type WeightedStore = Store<WeightedPlanes>;
/// Doors.
pub(crate) type DoorStore = Store<Doors>;

impl<T> Default for Store<T> {
    fn default() -> Self {
        Self { made: Vec::new() }
    }
}

#[expect(private_bounds, reason = "the two kinds there are come with the engine")]
impl<T: PerAgent> Store<T> {
    fn place(&self, agent: Agent, threat: Threat) -> Option<usize> {
        self.made.iter().position(|one| one.is_for(agent, threat))
    }

    /// That of `agent`, as the layer is now; made if it is not there.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] for an agent without costs.
    pub(crate) fn up_to_date(
        &mut self,
        layer: &CostLayer,
        agent: Agent,
        rule: StepRule,
        threat: Threat,
    ) -> Result<&T, PlanError> {
        let place = match self.place(agent, threat) {
            Some(place) => place,
            None => {
                self.made.push(T::make(layer, agent, rule, threat)?);
                self.made.len() - 1
            }
        };
        let one = &mut self.made[place];
        one.follow(layer);
        Ok(one)
    }

    /// Makes that of `agent` ready. Nothing is made for an agent without costs: its questions are refused.
    pub(crate) fn make(&mut self, layer: &CostLayer, agent: Agent, rule: StepRule, threat: Threat) {
        let _refused_later = self.up_to_date(layer, agent, rule, threat).err();
    }

    /// That of `agent`, which must have been made and have followed the map.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] for an agent without costs, [`PlanError::Unsuited`] if it is not there or behind the map.
    pub(crate) fn get(&self, layer: &CostLayer, agent: Agent, threat: Threat) -> Result<&T, PlanError> {
        if layer.field(agent).is_none() {
            return Err(PlanError::UnknownAgent(agent));
        }
        let one = self.place(agent, threat).map(|place| &self.made[place]);
        let one = one.ok_or(PlanError::Unsuited("nothing was prepared for this agent"))?;
        if !one.is_current(layer) {
            return Err(PlanError::Unsuited(
                "what was prepared has not followed the latest changes of the map",
            ));
        }
        Ok(one)
    }

    /// Lets all follow what changed in the layer.
    pub(crate) fn follow(&mut self, layer: &CostLayer) {
        self.made.iter_mut().for_each(|one| one.follow(layer));
    }

    /// Bytes held.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.made.iter().map(PerAgent::memory_bytes).sum()
    }
}
