//! Which search answers a question, and why.

use core::fmt;

use crate::base::Tick;
use crate::config::Config;
use crate::cost::CostLayer;
use crate::query::{PathQuery, Threat};
use crate::search::{JumpData, JumpDetail, JumpState};

/// A search that a navigator may use. All find routes of the least cost, but [`PlannerChoice::Jpsw`] if the setting
/// `route_per_mille` lets it; among equal ones they may choose differently.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PlannerChoice {
    /// A\*, right for all ground.
    Astar,
    /// Jump point search with straight planes only, for ground of one cost: what is used without `jps_precomputed`.
    Jps,
    /// Jump point search with diagonal planes, for ground of one cost.
    JpsPlus,
    /// Jump point search on weighted ground and under every rule of steps, within `route_per_mille` of the cheapest.
    Jpsw,
}

/// Why a search was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlannerReason {
    /// The ground is of one cost, and the jump planes are valid.
    OneCost,
    /// Threat is heeded, so cells do not cost the same, and it moves too often for planes to follow.
    Threat,
    /// The jump planes are being made, until this tick.
    Building(Tick),
    /// Jump point search for ground of one cost cannot be used for this locomotor and size, in a sentence.
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

/// How much is worked out beforehand for ground of one cost, by `jps_precomputed`.
pub(super) fn detail(config: &Config) -> JumpDetail {
    if config.jps_precomputed { JumpDetail::Planes } else { JumpDetail::Straight }
}

/// Whether a question pays for threat that there is.
pub(super) fn heeds_threat(layer: &CostLayer, query: &PathQuery) -> bool {
    query.threat == Threat::Heed && !layer.threat().is_empty()
}

/// The search for a field in this state, with the jump data to use if it needs any, and why.
pub(super) fn choose<'a>(
    layer: &CostLayer,
    config: &Config,
    state: JumpState<'a>,
    threat: Threat,
) -> (PlannerChoice, PlannerReason, Option<&'a JumpData>) {
    let heeded = threat == Threat::Heed && !layer.threat().is_empty();
    let (choice, reason, data) = match state {
        _ if heeded => (PlannerChoice::Astar, PlannerReason::Threat, None),
        JumpState::Unsuited(why) => (PlannerChoice::Jpsw, PlannerReason::Unsuited(why), None),
        JumpState::Building(until) => (PlannerChoice::Astar, PlannerReason::Building(until), None),
        JumpState::Ready(data) => (PlannerChoice::JpsPlus, PlannerReason::OneCost, Some(data)),
    };
    match choice {
        PlannerChoice::JpsPlus if !config.jps_precomputed => (PlannerChoice::Jps, reason, data),
        PlannerChoice::Jpsw if !config.jps_precomputed => (PlannerChoice::Astar, reason, data),
        _ => (choice, reason, data),
    }
}
