//! The goal of a flow, and the agent that it leads.

use crate::base::{Agent, CellPos, HashState, StateHasher};
use crate::query::Threat;

/// The goal of a flow, and the agent that it leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FlowTarget {
    /// The locomotor and size of the units.
    pub agent: Agent,
    /// Whether threat adds to the costs.
    pub threat: Threat,
    /// The goal.
    pub goal: CellPos,
}

impl FlowTarget {
    /// Leads `agent` to `goal`, ignoring threat.
    #[must_use]
    pub fn new(agent: impl Into<Agent>, goal: CellPos) -> Self {
        Self { agent: agent.into(), threat: Threat::Ignore, goal }
    }

    /// The same target, with threat counted or ignored.
    #[must_use]
    pub fn with_threat(mut self, threat: Threat) -> Self {
        self.threat = threat;
        self
    }
}

impl HashState for FlowTarget {
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_u8(self.agent.locomotor.0);
        h.write_u8(self.agent.size.side());
        self.threat.hash_state(h);
        self.goal.hash_state(h);
    }
}
