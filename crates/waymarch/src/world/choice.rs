//! Which search answers a question, and why.

use core::fmt;

use crate::base::Tick;
use crate::cost::CostLayer;
use crate::query::Threat;
use crate::search::{JumpData, JumpState};

/// A search that a navigator may use. All find routes of the least cost; among equal ones they may choose differently.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PlannerChoice {
    /// A\*, right for all ground.
    Astar,
    /// Jump point search with diagonal planes, for ground of one cost.
    JpsPlus,
}

/// Why a search was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlannerReason {
    /// The ground is of one cost, and the jump planes are valid.
    OneCost,
    /// Threat is heeded, so cells do not cost the same.
    Threat,
    /// The jump planes are being made, until this tick.
    Building(Tick),
    /// Jump point search cannot be used for this locomotor and size, in a sentence.
    Unsuited(&'static str),
}

impl fmt::Display for PlannerReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneCost => f.write_str("the ground is of one cost"),
            Self::Threat => f.write_str("threat is heeded, so cells do not cost the same"),
            Self::Building(until) => write!(f, "the jump planes are being made until tick {until}"),
            Self::Unsuited(why) => f.write_str(why),
        }
    }
}

/// The jump data to use for a field in this state, or why there are none to use.
pub(super) fn choose<'a>(
    layer: &CostLayer,
    state: JumpState<'a>,
    threat: Threat,
) -> Result<&'a JumpData, PlannerReason> {
    match state {
        JumpState::Unsuited(why) => Err(PlannerReason::Unsuited(why)),
        _ if threat == Threat::Heed && !layer.threat().is_empty() => Err(PlannerReason::Threat),
        JumpState::Building(until) => Err(PlannerReason::Building(until)),
        JumpState::Ready(data) => Ok(data),
    }
}
