//! How is the engine set up? Every setting with its key, its range and its default.
//!
//! [`Config`] is plain data. [`Config::validate`] checks every range once, and the engine takes only [`ValidConfig`]. The crate `waymarch-maps`
//! reads settings from YAML and suggests the nearest key for an unknown one.
//!
//! The room owns the settings, which are World state: they are saved (`persist.rs`), and every setting that can change a result is hashed
//! (`hash.rs`). It reads only the base, cost and query types, and changes nothing.
//!
//! A new setting is a field of [`Config`] with its range in `validate`, and a line in `persist.rs` and `hash.rs`. It
//! also has a row in the table of `waymarch-maps` (`yaml/settings_table.rs`). A setting that nothing reads does not
//! exist.

mod avoidance;
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
    AvoidanceModel, Eviction, FormationMarch, FormationType, GroupSpeed, InfluenceAvoidance, PathSmoothing,
    PushMechanics, RepathFrequency,
};

/// Every setting of the engine. Each field says its range.
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
    /// The name that players see, at most 1000 bytes.
    pub name: String,
    /// A line that describes these settings.
    pub description: String,

    // Layer 1: steps and sizes.
    /// Which neighbours a step may go to: `eight` or `four`.
    pub neighbours: Neighbours,
    /// When a diagonal step past closed cells is legal: `forbid`, `allow-one` or `allow`.
    pub corner_rule: CornerRule,
    /// The unit sizes in use, as sides in cells: ascending from 1, each 1..=16.
    pub size_classes: Vec<u8>,

    // Layer 2: hierarchical sectors.
    /// Cells per sector side: a power of two, 8..=128.
    pub sector_size: u32,

    // Layer 3: algorithm selection.
    /// The least number of units with the same destination that share a flow field, 1..=100000.
    pub flowfield_group_threshold: u32,
    /// Keep jump tables: diagonal planes on ground of one cost, weighted planes elsewhere. They make searches faster and take more
    /// memory. Without them, searches use straight planes and A\*.
    pub jps_precomputed: bool,
    /// Routes to goals within this distance, in cells, are searched for directly, without doors, 0..=8192.
    pub short_path_threshold: u32,
    /// The number of routes kept for later queries, 0..=100000. Saves work and changes no answer.
    pub path_cache_size: u32,
    /// The discount on routes over doors that other units already follow, in per cent, 0..=20; see [`ValidConfig::merge_bias`].
    pub merge_bias: u32,
    /// Give units an interim route over doors while the exact route is searched for.
    pub async_temp_paths: bool,
    /// The most a route may cost on weighted ground, in thousandths of the cheapest, 1000..=10000; see [`ValidConfig::quality`].
    pub route_per_mille: u32,

    // Layer 4: local avoidance.
    /// Ticks per second of the game, 1..=240. Local avoidance converts its times to ticks with it. Settings that are counted in ticks do
    /// not change with it; [`Config::at`] sets them all for another rate.
    pub ticks_per_second: u32,
    /// How units avoid each other.
    pub avoidance_model: AvoidanceModel,
    /// The number of nearest units that a unit avoids, 1..=12.
    pub avoidance_neighbours: u32,
    /// Ticks that a unit looks ahead for collisions, 1..=1000: models `orca-lite` and `vo-sampling`. `orca` chooses the
    /// ticks by the situation.
    pub avoidance_horizon: u32,
    /// Strength of the avoidance force in 1024ths, 0..=65536: model `orca-lite`.
    pub avoidance_strength: Fixed,
    /// Extra clearance between units in 1024ths of a cell, 0..=65536: model `orca-lite`.
    pub comfort_margin: Fixed,
    /// Ticks that a unit keeps passing on the side it chose, 0..=255: model `orca-lite`.
    pub commitment_ticks: u32,
    /// Which units push others out of their way.
    pub push_mechanics: PushMechanics,

    // Layer 5: group coordination.
    /// Whether groups move in formation.
    pub formation_movement: bool,
    /// The formation of a group whose order names none.
    pub formation_type: FormationType,
    /// Whether groups whose order names a formation hold it on the way.
    pub formation_march: FormationMarch,
    /// What happens to units on ground that an edit has closed.
    pub eviction: Eviction,
    /// How fast the members of a group move. Groups that hold a formation have a common speed in any case.
    pub group_speed: GroupSpeed,
    /// Whether the members of a group arrive at the same time: members that would be there before the others move slower. With `group_speed: own`
    /// that concerns groups whose members have different speeds; with `slowest`, members with a shorter route.
    pub synchronized_arrival: bool,
    /// Whether the rear of a group takes a detour when the gate ahead is congested.
    pub congestion: bool,
    /// A detour is taken only if it brings the last member to the goal at least this many seconds earlier, 1..=600.
    pub congestion_gain: u32,
    /// The distance in cells, beyond the size of the formation, within which a member counts as close to its group, 1..=1000.
    pub group_cohesion: u32,

    // Path post-processing.
    /// How a route of cells is smoothed.
    pub path_smoothing: PathSmoothing,
    /// Straight pieces per rounded turn, 1..=16; for `path_smoothing: spline`.
    pub spline_samples: u32,
    /// How flat rounded turns are, in 1024ths: from 0, the full curve, to 1024, straight.
    pub spline_tension: Fixed,

    // Repathing.
    /// How often units check their routes after the map has changed.
    pub repath_frequency: RepathFrequency,
    /// Search for a new route at once when an edit blocks the present one.
    pub repath_on_block: bool,
    /// Ticks without progress before a unit searches for a new route, 1..=100000.
    pub stuck_threshold: u32,
    /// Ticks between two searches for a new route, 0..=100000.
    pub repath_cooldown: u32,
    /// A stuck unit tries other routes in turn: around all nearby units, then around standing units only, then to the nearest reachable
    /// cell.
    pub repath_escalation: bool,

    // Threat avoidance (layer 1's overlay).
    /// Which players' units heed threat.
    pub influence_avoidance: InfluenceAvoidance,
    /// Ticks between two refreshes of the threat map, 1..=1000.
    pub threat_update_frequency: u32,
    /// The most that threat adds to the cost of a cell, 0..=254.
    pub threat_max_cost: u8,

    // Flow field cache.
    /// Flow tiles kept besides those that units follow, 1..=1000000.
    pub flowfield_cache_max_tiles: u32,
    /// Ticks until an unused flow tile is dropped, 1..=1000000.
    pub flowfield_tile_ttl: u32,

    // Performance budgets.
    /// The most routes searched for per tick, 1..=1000000.
    pub max_paths_per_tick: u32,
    /// The most flow tiles built per tick, 1..=1000000.
    pub max_flowfield_gens_per_tick: u32,
    /// The node budget for routes per tick, approximately, 64..=100000000. A search that needs more goes on in the next tick.
    pub max_path_nodes_per_tick: u32,
    /// The number of requests that are searched for in parallel, 1..=64. Each lane can run on a thread of its own and
    /// can hold one paused search, with 16 bytes per cell.
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
            formation_march: FormationMarch::Goal,
            eviction: Eviction::Stay,
            group_speed: GroupSpeed::Own,
            synchronized_arrival: true,
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
    /// The key of the setting.
    pub key: &'static str,
    /// The value given.
    pub value: String,
    /// The legal values.
    pub expected: &'static str,
}

impl Config {
    /// The defaults for a game with this many ticks per second. Every setting that is counted in ticks lasts as many seconds as it does at 20
    /// ticks per second, for which the defaults are made.
    ///
    /// Do not change `ticks_per_second` alone: at 60 ticks per second, units would count as stuck three times as soon.
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

    /// The same settings for a game that plans on one core with about 2 ms per tick: one search at a time, a smaller node budget, and memory
    /// for the tiles of all flows, at most about 4 MiB. `waymarch bench service --case steady` measures it.
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

    /// Checks every range, and that settings of local avoidance have an effect.
    ///
    /// A setting that `avoidance_model` does not use has to keep its default, at 20 ticks per second or as [`Config::at`] gives it. A value that
    /// did nothing would only look as if it did something.
    ///
    /// ```
    /// use waymarch::base::Fixed;
    /// use waymarch::config::{AvoidanceModel, Config};
    /// let wide = Config { comfort_margin: Fixed::ONE, ..Config::default() };
    /// let error = wide.clone().validate().unwrap_err();
    /// assert_eq!(error.to_string(), "`comfort_margin` is 1024: it must be left at its default: `avoidance_model: orca` does not use it");
    /// assert!(Config { avoidance_model: AvoidanceModel::OrcaLite, ..wide }.validate().is_ok());
    /// ```
    ///
    /// # Errors
    /// [`ConfigError`] naming the first key that is out of range or has no effect.
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
            // Lists show the name, so it stays short.
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
        self.check_avoidance()?;
        Ok(ValidConfig(self))
    }
}

/// Settings that passed [`Config::validate`]. The default settings are valid.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ValidConfig(Config);

impl ValidConfig {
    /// The settings.
    #[must_use]
    pub fn get(&self) -> &Config {
        &self.0
    }

    /// The rule of legal steps, from `neighbours` and `corner_rule`.
    #[must_use]
    pub fn step_rule(&self) -> StepRule {
        StepRule { neighbours: self.0.neighbours, corners: self.0.corner_rule }
    }

    /// How good routes on weighted ground have to be, from `route_per_mille`. [`WeightedSearch`](crate::search::WeightedSearch) takes it.
    #[must_use]
    pub fn quality(&self) -> Quality {
        Quality::from_per_mille(self.0.route_per_mille).unwrap_or_default()
    }

    /// How strongly routes are drawn to live routes, from `merge_bias`. [`Merging`](crate::sectors::Merging) takes it.
    #[must_use]
    pub fn merge_bias(&self) -> MergeBias {
        MergeBias::new(self.0.merge_bias).unwrap_or_default()
    }

    /// Whether the units of `controller` heed threat, from `influence_avoidance`.
    #[must_use]
    pub fn threat_for(&self, controller: Controller) -> Threat {
        match (self.0.influence_avoidance, controller) {
            (InfluenceAvoidance::All, _) | (InfluenceAvoidance::AiOnly, Controller::Ai) => Threat::Heed,
            (InfluenceAvoidance::None, _) | (InfluenceAvoidance::AiOnly, Controller::Player) => {
                Threat::Ignore
            }
        }
    }

    /// How routes are smoothed, from `path_smoothing` and the settings of splines.
    #[must_use]
    pub fn smoothing(&self) -> Smoothing {
        match self.0.path_smoothing {
            PathSmoothing::None => Smoothing::None,
            PathSmoothing::Funnel => Smoothing::Funnel,
            PathSmoothing::Spline => {
                // At most 16, as validated.
                let samples = self.0.spline_samples as u8;
                Smoothing::Spline(Spline { samples, tension: self.0.spline_tension })
            }
        }
    }

    /// The settings of the cost layer.
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
