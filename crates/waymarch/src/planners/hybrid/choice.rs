//! Which search answers a query, and why.

use core::fmt;

use crate::base::Tick;
use crate::config::Config;
use crate::cost::CostLayer;
use crate::query::Threat;
use crate::search::{JumpData, JumpDetail, JumpState};

/// How a query is answered. Searches find routes of the least cost, except [`PlannerChoice::Hpa`], and [`PlannerChoice::Jpsw`] if
/// `route_per_mille` is above 1000. Of several equally cheap routes they may find different ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PlannerChoice {
    /// A\*, which serves all ground.
    Astar,
    /// Jump point search with straight planes, for ground of one cost, if `jps_precomputed` is off.
    Jps,
    /// Jump point search with diagonal planes, for ground of one cost.
    JpsPlus,
    /// Jump point search on weighted ground and under every step rule, within `route_per_mille` of the cheapest.
    Jpsw,
    /// Over doors, then cell by cell: near-cheapest routes.
    Hpa,
    /// A flow field that many units follow.
    Flow,
    /// No search: straight to the goal.
    Direct,
    /// A planner of the game's own.
    Custom,
}

impl PlannerChoice {
    /// All choices, in the order of their codes.
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
    /// The ground has one cost, and the jump planes are up to date.
    OneCost,
    /// The goal is farther away than `short_path_threshold`.
    Far,
    /// At least `flowfield_group_threshold` units go there.
    Many,
    /// The request asked for this detail.
    Asked,
    /// Units block the route, and only A\* routes around them.
    Units,
    /// A planner of the game's own was given.
    Custom,
    /// The route leads back to the previous route, behind cells that an edit has closed.
    Rejoined,
    /// The route of another request from nearby to the same destination serves this one too.
    Shared,
    /// The query heeds threat, so the ground is weighted.
    Threat,
    /// The tables of the agent are being made, a little in each tick: the map is huge.
    Preparing,
    /// The jump planes are being made and are published at this tick.
    Building(Tick),
    /// Why jump point search for ground of one cost cannot serve this locomotor and size, in a sentence.
    Unsuited(&'static str),
}

impl fmt::Display for PlannerReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneCost => f.write_str("the ground has one cost"),
            Self::Far => f.write_str("the goal is farther away than `short_path_threshold`"),
            Self::Many => f.write_str("at least `flowfield_group_threshold` units go there"),
            Self::Asked => f.write_str("the request asked for this detail"),
            Self::Units => f.write_str("units block the route"),
            Self::Rejoined => f.write_str("the route leads back to the previous route"),
            Self::Shared => f.write_str("the route of a nearby unit to the same destination serves too"),
            Self::Custom => f.write_str("the game gave its own planner"),
            Self::Threat => f.write_str("the query heeds threat, so cells differ in cost"),
            Self::Preparing => f.write_str("the tables of this locomotor and size are being made"),
            Self::Building(until) => write!(f, "the jump planes are published at tick {until}"),
            Self::Unsuited(why) => f.write_str(why),
        }
    }
}

/// The jump tables for ground of one cost, by `jps_precomputed`.
pub(super) fn detail(config: &Config) -> JumpDetail {
    if config.jps_precomputed { JumpDetail::Planes } else { JumpDetail::Straight }
}

/// The search for a field in this state, the reason, and the jump data if it needs any.
pub(super) fn choose<'a>(
    layer: &CostLayer,
    config: &Config,
    state: JumpState<'a>,
    threat: Threat,
) -> (PlannerChoice, PlannerReason, Option<&'a JumpData>) {
    let heeded = layer.threat().effective(threat).is_heeded();
    let (choice, reason, data) = match state {
        _ if heeded => (PlannerChoice::Jpsw, PlannerReason::Threat, None),
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
