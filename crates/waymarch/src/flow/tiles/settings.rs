//! How tiles are made and kept, and how wide corridors are.

use crate::config::Config;

/// How tiles are made and kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileSettings {
    /// The most tiles that are kept besides the tiles that units follow; at least 1. Changes no heading.
    pub capacity: u32,
    /// The number of ticks after which an unused tile is dropped. Changes no heading.
    pub ttl: u32,
    /// The most sectors that are integrated per tick; at least 1. A unit heads for a door until its sector is integrated.
    /// [`TileFlows::prepare`](super::TileFlows::prepare) says what else counts.
    pub per_tick: u32,
    /// Units go straight to a visible goal from up to this many cells away.
    pub sight: u32,
}

impl Default for TileSettings {
    /// 64 tiles, 120 ticks, 4 sectors per tick, 64 cells of sight.
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
    /// Only the sectors that the route passes.
    Route,
    /// These and their eight neighbours.
    #[default]
    Around,
}
