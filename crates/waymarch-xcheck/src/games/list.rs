//! The games of the section: map, settings, seed, length.

use waymarch::config::{
    AvoidanceModel, Config, GroupSpeed, InfluenceAvoidance, PathSmoothing, PushMechanics, RepathFrequency,
};
use waymarch::cost::{CornerRule, Map, Neighbours};

use super::game::Game;
use super::scripts::{cross, gates};
use crate::maps;

/// One game.
pub(crate) struct Spec {
    pub(crate) name: &'static str,
    pub(crate) map: Map,
    pub(crate) config: Config,
    pub(crate) seed: u64,
    pub(crate) ticks: u32,
    /// The number of units at the start.
    pub(crate) units: u32,
    /// The number of random commands per 1000 ticks.
    pub(crate) busy: u32,
    /// The planner in place of the default.
    pub(crate) planner: Option<&'static str>,
    /// Gives the commands of a tick.
    pub(crate) script: Option<fn(&mut Game, u32)>,
}

pub(crate) fn specs() -> Vec<Spec> {
    let base = Config::default();
    vec![
        Spec {
            name: "cross",
            map: maps::flat(96, 96),
            config: base.clone(),
            seed: 20,
            ticks: 400,
            units: 0,
            busy: 0,
            planner: None,
            script: Some(cross),
        },
        Spec {
            name: "gates",
            map: maps::flat(100, 72),
            config: Config { congestion_gain: 1, ..base.clone() },
            seed: 21,
            ticks: 450,
            units: 0,
            busy: 0,
            planner: None,
            script: Some(gates),
        },
        Spec {
            name: "mixed",
            map: maps::mixed(101, 96, 80),
            config: Config { influence_avoidance: InfluenceAvoidance::All, sector_size: 16, ..base.clone() },
            seed: 1,
            ticks: 300,
            units: 160,
            busy: 700,
            planner: None,
            script: None,
        },
        Spec {
            name: "rooms",
            map: maps::rooms(102, 99, 88),
            config: base.clone(),
            seed: 2,
            ticks: 300,
            units: 220,
            busy: 400,
            planner: None,
            script: None,
        },
        Spec {
            name: "maze",
            map: maps::maze(103, 80, 80),
            config: Config {
                corner_rule: CornerRule::AllowOne,
                path_smoothing: PathSmoothing::Spline,
                spline_samples: 5,
                congestion_gain: 1,
                ..base.clone()
            },
            seed: 3,
            ticks: 300,
            units: 120,
            busy: 300,
            planner: None,
            script: None,
        },
        Spec {
            name: "river",
            map: maps::river(104, 120, 80),
            config: Config { group_speed: GroupSpeed::Slowest, congestion_gain: 2, ..base.clone() },
            seed: 4,
            ticks: 450,
            units: 300,
            busy: 200,
            planner: None,
            script: None,
        },
        Spec {
            name: "blocks",
            map: maps::blocks(105, 140, 120),
            config: base.clone().for_one_core(),
            seed: 5,
            ticks: 300,
            units: 400,
            busy: 300,
            planner: None,
            script: None,
        },
        Spec {
            name: "busy",
            map: maps::blocks(106, 64, 64),
            config: Config {
                max_paths_per_tick: 4,
                max_path_nodes_per_tick: 300,
                max_flowfield_gens_per_tick: 1,
                path_lanes: 9,
                sector_size: 8,
                flowfield_group_threshold: 3,
                stuck_threshold: 6,
                repath_cooldown: 5,
                path_cache_size: 2,
                flowfield_cache_max_tiles: 3,
                flowfield_tile_ttl: 5,
                repath_frequency: RepathFrequency::High,
                ..base.clone()
            },
            seed: 6,
            ticks: 300,
            units: 150,
            busy: 1500,
            planner: None,
            script: None,
        },
        Spec {
            name: "lite",
            map: maps::speckles(107, 60, 60),
            config: Config {
                neighbours: Neighbours::Four,
                avoidance_model: AvoidanceModel::OrcaLite,
                push_mechanics: PushMechanics::Aggressive,
                path_smoothing: PathSmoothing::None,
                jps_precomputed: false,
                ..base.clone()
            },
            seed: 7,
            ticks: 240,
            units: 90,
            busy: 600,
            planner: None,
            script: None,
        },
        Spec {
            name: "sixty",
            map: maps::rooms(108, 77, 66),
            config: Config {
                avoidance_model: AvoidanceModel::VoSampling,
                push_mechanics: PushMechanics::None,
                corner_rule: CornerRule::Allow,
                merge_bias: 20,
                route_per_mille: 1200,
                ..Config::at(60)
            },
            seed: 8,
            ticks: 300,
            units: 80,
            busy: 400,
            planner: None,
            script: None,
        },
        Spec {
            name: "boids",
            map: maps::mixed(109, 70, 70),
            config: Config {
                avoidance_model: AvoidanceModel::SimpleBoids,
                repath_on_block: false,
                repath_escalation: false,
                formation_movement: false,
                async_temp_paths: false,
                congestion: false,
                ..base.clone()
            },
            seed: 9,
            ticks: 240,
            units: 100,
            busy: 600,
            planner: None,
            script: None,
        },
        Spec {
            name: "planner",
            map: maps::river(110, 80, 60),
            config: Config {
                avoidance_model: AvoidanceModel::None,
                repath_frequency: RepathFrequency::Low,
                ..base
            },
            seed: u64::MAX - 3,
            ticks: 240,
            units: 90,
            busy: 500,
            planner: Some("context"),
            script: None,
        },
    ]
}
