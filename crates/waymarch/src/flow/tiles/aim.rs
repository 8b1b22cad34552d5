//! What tiles are for, and how many of them there may be.

use crate::base::{Agent, CellPos};
use crate::config::Config;
use crate::query::Threat;

/// For whom tiles lead, and where to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TileAim {
    /// Who moves.
    pub agent: Agent,
    /// Whether threat counts.
    pub threat: Threat,
    /// Where to.
    pub goal: CellPos,
}

impl TileAim {
    /// For `agent` to `goal`, not heeding threat.
    #[must_use]
    pub fn new(agent: impl Into<Agent>, goal: CellPos) -> Self {
        Self { agent: agent.into(), threat: Threat::Ignore, goal }
    }

    /// The same, with threat counting or not.
    #[must_use]
    pub fn with_threat(mut self, threat: Threat) -> Self {
        self.threat = threat;
        self
    }
}

/// How tiles are made and kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileSettings {
    /// Tiles kept at most, besides those of sectors that units are in; at least one is. Changes no answer.
    pub capacity: u32,
    /// Ticks after which a tile goes that nobody used. Changes no answer.
    pub ttl: u32,
    /// Sectors integrated per tick at most; at least one is. Until its sector's turn has come a unit heads for a door. See
    /// [`TileFlows::prepare`](super::TileFlows::prepare) for what else counts.
    pub per_tick: u32,
    /// How many cells away from the goal units are led straight to it.
    pub sight: u32,
}

impl Default for TileSettings {
    /// As the settings of spec 000; sight of 64 cells.
    fn default() -> Self {
        Self { capacity: 64, ttl: 120, per_tick: 4, sight: 64 }
    }
}

impl From<&Config> for TileSettings {
    fn from(config: &Config) -> Self {
        Self {
            capacity: config.flowfield_cache_max_tiles,
            ttl: config.flowfield_tile_ttl,
            per_tick: config.max_flowfield_gens_per_tick,
            ..Self::default()
        }
    }
}

/// How broad a corridor along a route is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Breadth {
    /// The sectors the route passes, nothing else.
    Route,
    /// Those and all around them.
    #[default]
    Around,
}
