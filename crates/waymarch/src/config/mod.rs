//! Settings: spec 000's configuration model, every key with its name and default, in one tree.
//!
//! Plain data; [`Config::validate`] checks every range once and the engine takes only [`ValidConfig`].
//! Reading it from YAML, with "did you mean" for unknown keys, is `waymarch-maps`' work.

mod choices;
mod hash;
mod persist;

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::base::{Fixed, MAX_SIZE_CLASS, SizeClass};
use crate::cost::{CornerRule, CostSettings, Neighbours, StepRule};
use crate::query::{Controller, MergeBias, PerMille, Quality, Smoothing, Spline, Threat};

pub use choices::{
    AvoidanceModel, FormationType, GroupSpeed, InfluenceAvoidance, PathSmoothing, PushMechanics,
    RepathFrequency,
};

/// Every setting of the engine, with spec 000's names and defaults; see each field for its range.
///
/// ```
/// use waymarch::config::Config;
/// let config = Config { sector_size: 16, ..Config::default() }.validate()?;
/// assert_eq!(config.get().sector_size, 16);
/// assert!(Config { sector_size: 20, ..Config::default() }.validate().is_err());
/// # Ok::<(), waymarch::config::ConfigError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Config {
    /// The name players see.
    pub name: String,
    /// A line about it.
    pub description: String,

    // Layer 1: steps and sizes (not in spec 000).
    /// Which neighbours a step may go to: `eight` or `four`.
    pub neighbours: Neighbours,
    /// When a diagonal step past blocked cells is legal: `forbid`, `allow-one` or `allow`.
    pub corner_rule: CornerRule,
    /// The unit sizes in use, sides in cells, ascending from 1, each 1..=16.
    pub size_classes: Vec<u8>,

    // Layer 2: hierarchical sectors.
    /// Cells per sector edge: a power of two, 8..=128.
    pub sector_size: u32,

    // Layer 3: algorithm selection.
    /// Units sharing a destination before a flow field is made, 1..=100000.
    pub flowfield_group_threshold: u32,
    /// Keep precomputed jump tables (faster, more memory): diagonal planes on ground of one cost, planes for weighted ground. Without
    /// them straight planes and A\* answer.
    pub jps_precomputed: bool,
    /// Routes shorter than this many cells skip the hierarchy, 0..=8192.
    pub short_path_threshold: u32,
    /// Routes remembered, 0..=100000 (not in spec 000): saves work, changes no answer.
    pub path_cache_size: u32,
    /// How much cheaper ways over doors look where live routes pass already, in per cent, 0..=20 (spec 000's Merging A\*); see
    /// [`ValidConfig::merge_bias`].
    pub merge_bias: u32,
    /// Give an approximate route while the exact one is computed.
    pub async_temp_paths: bool,
    /// How dear a route may be, in thousandths of the cheapest, 1000..=10000 (not in spec 000); see [`ValidConfig::quality`].
    pub route_per_mille: u32,

    // Layer 4: local avoidance.
    /// Ticks in a second of the game, 1..=240 (not in spec 000): what takes time in layer 4 takes so many ticks of it. Settings that are
    /// counted in ticks stay as they are; [`Config::at`] has them all for another rate.
    pub ticks_per_second: u32,
    /// How units keep from bumping.
    pub avoidance_model: AvoidanceModel,
    /// The nearest so many others are looked at, 1..=12 (not in spec 000).
    pub avoidance_neighbours: u32,
    /// Ticks ahead to look for collisions, 1..=1000: models `orca-lite` and `vo-sampling`; `orca` looks ahead by context.
    pub avoidance_horizon: u32,
    /// Force multiplier in 1024ths, 0..=65536: model `orca-lite`.
    pub avoidance_strength: Fixed,
    /// Extra clearance between units in 1024ths of a cell, 0..=65536: models `orca-lite` and `vo-sampling`.
    pub comfort_margin: Fixed,
    /// Ticks to stay with an avoidance side, 0..=255: model `orca-lite`.
    pub commitment_ticks: u32,
    /// How hard units shove.
    pub push_mechanics: PushMechanics,

    // Layer 5: group coordination.
    /// Whether groups keep formation.
    pub formation_movement: bool,
    /// Which formation.
    pub formation_type: FormationType,
    /// How fast the units of a group are on the way (not in spec 000).
    pub group_speed: GroupSpeed,
    /// Whether a group stops together: acts with `group_speed: slowest`, those who have less far to go being slower.
    pub synchronized_arrival: bool,
    /// Whether formations narrow at chokepoints.
    pub chokepoint_compression: bool,
    /// Whether the rear of a group takes another way when the gate before it is crowded (not in spec 000).
    pub congestion: bool,
    /// How many seconds earlier the last of a group has to be there for that, 1..=600 (not in spec 000).
    pub congestion_gain: u32,
    /// How many cells further from its group's middle than the formation needs a member counts as near, 1..=1000 (not in spec 000).
    pub group_cohesion: u32,

    // Path post-processing.
    /// What is done to a route of cells.
    pub path_smoothing: PathSmoothing,
    /// Straight pieces per rounded turn's curve, 1..=16; for `path_smoothing: spline`.
    pub spline_samples: u32,
    /// How flat those curves are in 1024ths, 0 (full) to 1024 (straight).
    pub spline_tension: Fixed,

    // Repathing.
    /// How often a unit looks again at its route.
    pub repath_frequency: RepathFrequency,
    /// Look for a new route at once when the present one is blocked.
    pub repath_on_block: bool,
    /// Ticks without progress before a new route, 1..=100000.
    pub stuck_threshold: u32,
    /// Ticks between two attempts at a new route, 0..=100000.
    pub repath_cooldown: u32,
    /// Escalate on repeated failure: ignore movers, then the nearest reachable place.
    pub repath_escalation: bool,

    // Threat avoidance (layer 1's overlay).
    /// Who keeps away from threat.
    pub influence_avoidance: InfluenceAvoidance,
    /// Ticks between two refreshes of the threat map, 1..=1000.
    pub threat_update_frequency: u32,
    /// The most that threat adds to a cell's cost, 0..=254.
    pub threat_max_cost: u8,

    // Flow field cache.
    /// Tiles kept at most beside those that units follow, 1..=1000000.
    pub flowfield_cache_max_tiles: u32,
    /// Ticks before an unused tile goes, 1..=1000000.
    pub flowfield_tile_ttl: u32,

    // Performance budgets.
    /// Routes computed per tick at most, 1..=1000000.
    pub max_paths_per_tick: u32,
    /// Flow tiles built per tick at most, 1..=1000000.
    pub max_flowfield_gens_per_tick: u32,
    /// Nodes expanded per tick for routes, about, 64..=100000000 (not in spec 000): a search that needs more goes on in the next tick.
    pub max_path_nodes_per_tick: u32,
    /// Requests that can be worked on side by side, 1..=64 (not in spec 000): as many threads can share the work, and as many searches
    /// can pause, each with 16 bytes a cell.
    pub path_lanes: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            name: "Waymarch Default".to_string(),
            description: "Multi-layer hybrid pathfinding".to_string(),
            neighbours: Neighbours::Eight,
            corner_rule: CornerRule::Forbid,
            size_classes: vec![1, 2, 3],
            sector_size: 32,
            flowfield_group_threshold: 8,
            jps_precomputed: true,
            short_path_threshold: 64,
            path_cache_size: 128,
            merge_bias: MergeBias::default().percent(),
            async_temp_paths: true,
            route_per_mille: PerMille::LEAST,
            ticks_per_second: 20,
            avoidance_model: AvoidanceModel::Orca,
            avoidance_neighbours: 8,
            avoidance_horizon: 24,
            avoidance_strength: Fixed::from_raw(512),
            comfort_margin: Fixed::from_raw(128),
            commitment_ticks: 8,
            push_mechanics: PushMechanics::Gentle,
            formation_movement: true,
            formation_type: FormationType::Adaptive,
            group_speed: GroupSpeed::Own,
            synchronized_arrival: true,
            chokepoint_compression: true,
            congestion: true,
            congestion_gain: 5,
            group_cohesion: 12,
            path_smoothing: PathSmoothing::Funnel,
            spline_samples: 4,
            spline_tension: Fixed::ZERO,
            repath_frequency: RepathFrequency::Adaptive,
            repath_on_block: true,
            stuck_threshold: 12,
            repath_cooldown: 30,
            repath_escalation: true,
            influence_avoidance: InfluenceAvoidance::AiOnly,
            threat_update_frequency: 4,
            threat_max_cost: 128,
            flowfield_cache_max_tiles: 64,
            flowfield_tile_ttl: 120,
            max_paths_per_tick: 32,
            max_flowfield_gens_per_tick: 4,
            max_path_nodes_per_tick: 6144,
            path_lanes: 4,
        }
    }
}

/// A setting outside its range.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{key}` is {value}: it must be {expected}")]
pub struct ConfigError {
    /// The setting's key.
    pub key: &'static str,
    /// Its value as given.
    pub value: String,
    /// What is legal.
    pub expected: &'static str,
}

impl Config {
    /// The defaults at so many ticks a second: what is counted in ticks takes as many seconds as at twenty, which they are made for. With
    /// `ticks_per_second` alone, units at sixty would lose patience three times as soon.
    ///
    /// ```
    /// use waymarch::config::Config;
    /// assert_eq!(Config::at(20), Config::default());
    /// let fast = Config::at(60);
    /// assert_eq!((fast.stuck_threshold, fast.repath_cooldown, fast.avoidance_horizon), (36, 90, 72));
    /// assert!((1..=240).all(|ticks| Config::at(ticks).validate().is_ok()));
    /// ```
    #[must_use]
    pub fn at(ticks_per_second: u32) -> Self {
        let plain = Self::default();
        let spans = |ticks: u32| {
            let ticks = u64::from(ticks) * u64::from(ticks_per_second) / u64::from(plain.ticks_per_second);
            u32::try_from(ticks.max(1)).unwrap_or(u32::MAX)
        };
        Self {
            ticks_per_second,
            avoidance_horizon: spans(plain.avoidance_horizon),
            commitment_ticks: spans(plain.commitment_ticks),
            stuck_threshold: spans(plain.stuck_threshold),
            repath_cooldown: spans(plain.repath_cooldown),
            threat_update_frequency: spans(plain.threat_update_frequency),
            flowfield_tile_ttl: spans(plain.flowfield_tile_ttl),
            ..plain
        }
    }

    /// The same for a game that plans on one core and has about 2 ms a tick for it: one search at a time, fewer nodes a tick, and room for the tiles
    /// of all flows (some 4 MiB at most). `waymarch bench service --case steady` measures it.
    ///
    /// ```
    /// use waymarch::config::Config;
    /// let config = Config::at(30).for_one_core().validate()?;
    /// assert_eq!(config.get().path_lanes, 1);
    /// # Ok::<(), waymarch::config::ConfigError>(())
    /// ```
    #[must_use]
    pub fn for_one_core(self) -> Self {
        Self {
            path_lanes: 1,
            max_path_nodes_per_tick: self.max_path_nodes_per_tick.min(4096),
            flowfield_cache_max_tiles: self.flowfield_cache_max_tiles.max(1024),
            ..self
        }
    }

    /// Checks every range.
    ///
    /// # Errors
    /// [`ConfigError`] naming the first key that is out of range.
    pub fn validate(self) -> Result<ValidConfig, ConfigError> {
        let error = |key, value: String, expected| Err(ConfigError { key, value, expected });
        if !self.sector_size.is_power_of_two() || !(8..=128).contains(&self.sector_size) {
            return error("sector_size", self.sector_size.to_string(), "a power of two, 8..=128");
        }
        let sizes = &self.size_classes;
        let ascending = sizes.windows(2).all(|pair| pair[0] < pair[1]);
        if sizes.first() != Some(&1) || !ascending || sizes.last() > Some(&MAX_SIZE_CLASS) {
            let value = alloc::format!("{sizes:?}");
            return error("size_classes", value, "an ascending list from 1, each at most 16");
        }
        let ranges: [(&'static str, u32, u32, u32, &'static str); 23] = [
            ("flowfield_group_threshold", self.flowfield_group_threshold, 1, 100_000, "1..=100000"),
            ("short_path_threshold", self.short_path_threshold, 0, 8192, "0..=8192"),
            ("path_cache_size", self.path_cache_size, 0, 100_000, "0..=100000"),
            ("route_per_mille", self.route_per_mille, PerMille::LEAST, PerMille::MOST, "1000..=10000"),
            ("merge_bias", self.merge_bias, 0, MergeBias::MOST, "0..=20"),
            ("avoidance_horizon", self.avoidance_horizon, 1, 1000, "1..=1000"),
            ("ticks_per_second", self.ticks_per_second, 1, 240, "1..=240"),
            ("avoidance_neighbours", self.avoidance_neighbours, 1, 12, "1..=12"),
            ("commitment_ticks", self.commitment_ticks, 0, 255, "0..=255"),
            ("congestion_gain", self.congestion_gain, 1, 600, "1..=600"),
            ("group_cohesion", self.group_cohesion, 1, 1000, "1..=1000"),
            ("spline_samples", self.spline_samples, 1, 16, "1..=16"),
            ("stuck_threshold", self.stuck_threshold, 1, 100_000, "1..=100000"),
            ("repath_cooldown", self.repath_cooldown, 0, 100_000, "0..=100000"),
            ("threat_update_frequency", self.threat_update_frequency, 1, 1000, "1..=1000"),
            ("threat_max_cost", u32::from(self.threat_max_cost), 0, 254, "0..=254"),
            ("flowfield_cache_max_tiles", self.flowfield_cache_max_tiles, 1, 1_000_000, "1..=1000000"),
            ("flowfield_tile_ttl", self.flowfield_tile_ttl, 1, 1_000_000, "1..=1000000"),
            ("max_paths_per_tick", self.max_paths_per_tick, 1, 1_000_000, "1..=1000000"),
            ("max_flowfield_gens_per_tick", self.max_flowfield_gens_per_tick, 1, 1_000_000, "1..=1000000"),
            ("max_path_nodes_per_tick", self.max_path_nodes_per_tick, 64, 100_000_000, "64..=100000000"),
            ("path_lanes", self.path_lanes, 1, 64, "1..=64"),
            // Names are shown in lists.
            ("name", self.name.len() as u32, 0, 1000, "at most 1000 bytes long"),
        ];
        for (key, value, low, high, expected) in ranges {
            if value < low || value > high {
                return error(key, value.to_string(), expected);
            }
        }
        let fractions =
            [("avoidance_strength", self.avoidance_strength), ("comfort_margin", self.comfort_margin)];
        for (key, value) in fractions {
            if value < Fixed::ZERO || value.raw() > 65_536 {
                return error(key, value.raw().to_string(), "0..=65536 (1024 is one)");
            }
        }
        if self.spline_tension < Fixed::ZERO || self.spline_tension > Fixed::ONE {
            let value = self.spline_tension.raw().to_string();
            return error("spline_tension", value, "0..=1024 (1024 is one)");
        }
        Ok(ValidConfig(self))
    }
}

/// A configuration that passed [`Config::validate`]; the default one does, as a test says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ValidConfig(Config);

impl ValidConfig {
    /// The settings.
    #[must_use]
    pub fn get(&self) -> &Config {
        &self.0
    }

    /// The legal-step rule it asks for.
    #[must_use]
    pub fn step_rule(&self) -> StepRule {
        StepRule { neighbours: self.0.neighbours, corners: self.0.corner_rule }
    }

    /// How good routes have to be, by `route_per_mille`: what [`WeightedSearch`](crate::search::WeightedSearch) takes.
    #[must_use]
    pub fn quality(&self) -> Quality {
        Quality::from_per_mille(self.0.route_per_mille).unwrap_or_default()
    }

    /// How much routes are drawn to live ones, by `merge_bias`: what [`Merging`](crate::sectors::Merging) takes.
    #[must_use]
    pub fn merge_bias(&self) -> MergeBias {
        MergeBias::new(self.0.merge_bias).unwrap_or_default()
    }

    /// Whether the units of `controller` heed threat, by `influence_avoidance`.
    #[must_use]
    pub fn threat_for(&self, controller: Controller) -> Threat {
        match (self.0.influence_avoidance, controller) {
            (InfluenceAvoidance::All, _) | (InfluenceAvoidance::AiOnly, Controller::Ai) => Threat::Heed,
            (InfluenceAvoidance::None, _) | (InfluenceAvoidance::AiOnly, Controller::Player) => {
                Threat::Ignore
            }
        }
    }

    /// What it asks to be done to routes before units follow them.
    #[must_use]
    pub fn smoothing(&self) -> Smoothing {
        match self.0.path_smoothing {
            PathSmoothing::None => Smoothing::None,
            PathSmoothing::Funnel => Smoothing::StringPull,
            PathSmoothing::Spline => {
                // Validated to be at most 16.
                let samples = self.0.spline_samples as u8;
                Smoothing::Spline(Spline { samples, tension: self.0.spline_tension })
            }
        }
    }

    /// What layer 1 takes from it.
    #[must_use]
    pub fn cost_settings(&self) -> CostSettings {
        CostSettings {
            sector_size: self.0.sector_size,
            sizes: self.0.size_classes.iter().filter_map(|&side| SizeClass::new(side)).collect(),
            threat_max_cost: self.0.threat_max_cost,
            threat_every: self.0.threat_update_frequency,
        }
    }
}
