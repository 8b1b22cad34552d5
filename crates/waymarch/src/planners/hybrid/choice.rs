//! Which search answers a question, and why.

use core::fmt;

use crate::base::Tick;
use crate::config::Config;
use crate::cost::CostLayer;
use crate::query::{PathQuery, Threat};
use crate::search::{JumpData, JumpDetail, JumpState};

/// A way of answering. The searches find routes of the least cost, but [`PlannerChoice::Jpsw`] if the setting `route_per_mille` lets it,
/// and [`PlannerChoice::Hpa`]; among equal ones they may choose differently.
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
    /// Over doors, then cell by cell: near the cheapest.
    Hpa,
    /// A flow that many follow.
    Flow,
    /// No search: straight on.
    Direct,
    /// A planner of the game's own.
    Custom,
}

impl PlannerChoice {
    /// All, in the order of their codes.
    pub const ALL: [Self; 8] = [
        Self::Astar,
        Self::Jps,
        Self::JpsPlus,
        Self::Jpsw,
        Self::Hpa,
        Self::Flow,
        Self::Direct,
        Self::Custom,
    ];
}

impl fmt::Display for PlannerChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Astar => "astar",
            Self::Jps => "jps",
            Self::JpsPlus => "jps+",
            Self::Jpsw => "jpsw",
            Self::Hpa => "hpa",
            Self::Flow => "flow",
            Self::Direct => "direct",
            Self::Custom => "custom",
        })
    }
}

/// Why a search was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlannerReason {
    /// The ground is of one cost, and the jump planes are valid.
    OneCost,
    /// The goal is farther away than `short_path_threshold`.
    Far,
    /// As many go there as `flowfield_group_threshold` says.
    Many,
    /// The request asked for no more.
    Asked,
    /// Units stand in the way, which only A\* goes around.
    Units,
    /// A planner of the game's own was given.
    Custom,
    /// It leads back to the route there was, behind what an edit has closed.
    Rejoined,
    /// The route of another request from nearby to the same place serves as well.
    Shared,
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
            Self::Far => f.write_str("the goal is farther away than `short_path_threshold`"),
            Self::Many => f.write_str("as many go there as `flowfield_group_threshold` says"),
            Self::Asked => f.write_str("the request asked for no more"),
            Self::Units => f.write_str("units stand in the way"),
            Self::Rejoined => f.write_str("it leads back to the route there was"),
            Self::Shared => f.write_str("the route of a neighbour to the same place serves as well"),
            Self::Custom => f.write_str("the game gave a planner of its own"),
            Self::Threat => f.write_str("threat is heeded, so cells do not cost the same"),
            Self::Building(until) => write!(f, "the jump planes are being made until tick {until}"),
            Self::Unsuited(why) => f.write_str(why),
        }
    }
}

/// How much is worked out beforehand for ground of one cost, by `jps_precomputed`.
pub(crate) fn detail(config: &Config) -> JumpDetail {
    if config.jps_precomputed { JumpDetail::Planes } else { JumpDetail::Straight }
}

/// Whether a question pays for threat that there is.
pub(crate) fn heeds_threat(layer: &CostLayer, query: &PathQuery) -> bool {
    query.threat == Threat::Heed && !layer.threat().is_empty()
}

/// The search for a field in this state, with the jump data to use if it needs any, and why.
pub(crate) fn choose<'a>(
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
