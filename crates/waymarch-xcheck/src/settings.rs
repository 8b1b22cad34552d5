//! Settings: every setting changed, alone in a short game and in the middle of longer ones.

use waymarch::base::{Executor, Fixed};
use waymarch::config::{
    AvoidanceModel, Config, Eviction, FormationMarch, FormationType, GroupSpeed, InfluenceAvoidance,
    PathSmoothing, PushMechanics, RepathFrequency,
};
use waymarch::cost::{CornerRule, Neighbours};
use waymarch::planners::PlannerList;

use crate::games::{Game, Spec, give_commands};
use crate::{Digest, Lines, Options, SplitMix, maps, report};

/// A short game lasts 80 ticks; with `--quick`, 24.
const TICKS: [u32; 2] = [80, 24];

/// Settings by name. Some values are the least or the greatest that is legal.
pub(crate) fn variants() -> Vec<(String, Config)> {
    let mut all = Vec::new();
    let mut add = |name: String, change: &dyn Fn(&mut Config)| {
        let mut config = Config { sector_size: 16, ..Config::default() };
        change(&mut config);
        all.push((name, config));
    };
    add("default".into(), &|_| {});
    add("four neighbours".into(), &|c| c.neighbours = Neighbours::Four);
    for rule in [CornerRule::AllowOne, CornerRule::Allow] {
        add(format!("corner_rule {rule:?}"), &|c| c.corner_rule = rule);
    }
    for side in [8, 32, 128] {
        add(format!("sector_size {side}"), &|c| c.sector_size = side);
    }
    for &model in AvoidanceModel::ALL {
        add(format!("avoidance_model {}", model.name()), &|c| c.avoidance_model = model);
    }
    for &push in PushMechanics::ALL {
        add(format!("push_mechanics {}", push.name()), &|c| c.push_mechanics = push);
    }
    for &kind in FormationType::ALL {
        add(format!("formation_type {kind:?}"), &|c| c.formation_type = kind);
    }
    for &eviction in Eviction::ALL {
        add(format!("eviction {eviction:?}"), &|c| c.eviction = eviction);
    }
    for &march in FormationMarch::ALL {
        add(format!("formation_march {march:?}"), &|c| c.formation_march = march);
    }
    for &speed in GroupSpeed::ALL {
        add(format!("group_speed {speed:?}"), &|c| c.group_speed = speed);
    }
    for &smoothing in PathSmoothing::ALL {
        add(format!("path_smoothing {smoothing:?}"), &|c| c.path_smoothing = smoothing);
    }
    for &frequency in RepathFrequency::ALL {
        add(format!("repath_frequency {frequency:?}"), &|c| c.repath_frequency = frequency);
    }
    for &influence in InfluenceAvoidance::ALL {
        add(format!("influence_avoidance {influence:?}"), &|c| c.influence_avoidance = influence);
    }
    type Flag = (&'static str, fn(&mut Config) -> &mut bool);
    let flags: [Flag; 7] = [
        ("jps_precomputed", |c| &mut c.jps_precomputed),
        ("async_temp_paths", |c| &mut c.async_temp_paths),
        ("formation_movement", |c| &mut c.formation_movement),
        ("synchronized_arrival", |c| &mut c.synchronized_arrival),
        ("congestion", |c| &mut c.congestion),
        ("repath_on_block", |c| &mut c.repath_on_block),
        ("repath_escalation", |c| &mut c.repath_escalation),
    ];
    for (name, flag) in flags {
        add(format!("not {name}"), &|c| {
            let flag = flag(c);
            *flag = !*flag;
        });
    }
    type Number = (&'static str, fn(&mut Config) -> &mut u32, [u32; 2]);
    let numbers: [Number; 21] = [
        ("flowfield_group_threshold", |c| &mut c.flowfield_group_threshold, [1, 100_000]),
        ("short_path_threshold", |c| &mut c.short_path_threshold, [0, 8192]),
        ("path_cache_size", |c| &mut c.path_cache_size, [0, 1]),
        ("merge_bias", |c| &mut c.merge_bias, [0, 20]),
        ("route_per_mille", |c| &mut c.route_per_mille, [1050, 10_000]),
        ("ticks_per_second", |c| &mut c.ticks_per_second, [1, 240]),
        ("avoidance_neighbours", |c| &mut c.avoidance_neighbours, [1, 12]),
        ("avoidance_horizon", |c| &mut c.avoidance_horizon, [1, 1000]),
        ("commitment_ticks", |c| &mut c.commitment_ticks, [0, 255]),
        ("congestion_gain", |c| &mut c.congestion_gain, [1, 600]),
        ("group_cohesion", |c| &mut c.group_cohesion, [1, 1000]),
        ("spline_samples", |c| &mut c.spline_samples, [1, 16]),
        ("stuck_threshold", |c| &mut c.stuck_threshold, [1, 100_000]),
        ("repath_cooldown", |c| &mut c.repath_cooldown, [0, 100_000]),
        ("threat_update_frequency", |c| &mut c.threat_update_frequency, [1, 1000]),
        ("flowfield_cache_max_tiles", |c| &mut c.flowfield_cache_max_tiles, [1, 1000]),
        ("flowfield_tile_ttl", |c| &mut c.flowfield_tile_ttl, [1, 1_000_000]),
        ("max_paths_per_tick", |c| &mut c.max_paths_per_tick, [1, 1_000_000]),
        ("max_flowfield_gens_per_tick", |c| &mut c.max_flowfield_gens_per_tick, [1, 1_000_000]),
        ("max_path_nodes_per_tick", |c| &mut c.max_path_nodes_per_tick, [64, 100_000_000]),
        ("path_lanes", |c| &mut c.path_lanes, [1, 64]),
    ];
    // A model refuses the settings of other models.
    let model_for = |key: &str| {
        let usual = AvoidanceModel::default();
        if usual.uses(key) { usual } else { AvoidanceModel::OrcaLite }
    };
    for (name, number, values) in numbers {
        for value in values {
            add(format!("{name} {value}"), &|c| {
                *number(c) = value;
                c.avoidance_model = model_for(name);
            });
        }
    }
    for raw in [0, 65_536] {
        let avoidance_model = AvoidanceModel::OrcaLite;
        let of = |c: &Config| Config { avoidance_model, ..c.clone() };
        add(format!("avoidance_strength {raw}"), &|c| {
            *c = Config { avoidance_strength: Fixed::from_raw(raw), ..of(c) };
        });
        add(format!("comfort_margin {raw}"), &|c| {
            *c = Config { comfort_margin: Fixed::from_raw(raw), ..of(c) };
        });
    }
    add("threat_max_cost 254".into(), &|c| c.threat_max_cost = 254);
    add("size_classes 1 2 3 7 16".into(), &|c| c.size_classes = vec![1, 2, 3, 7, 16]);
    all
}

/// Settings for a change in the middle of a game: one that differs from `base`, or a change that is refused.
pub(crate) fn random_setting(random: &mut SplitMix, base: &Config) -> Config {
    let mut config = base.clone();
    match random.below(16) {
        0 => config.sector_size = random.pick(&[8, 16, 32, 64]),
        1 => config.formation_type = random.pick(FormationType::ALL),
        2 => config.group_speed = random.pick(GroupSpeed::ALL),
        3 => config.avoidance_neighbours = 1 + random.below(12),
        4 => config.push_mechanics = random.pick(PushMechanics::ALL),
        5 => config.path_lanes = 1 + random.below(64),
        6 => config.corner_rule = random.pick(&[CornerRule::Forbid, CornerRule::AllowOne, CornerRule::Allow]),
        7 => config.path_smoothing = random.pick(PathSmoothing::ALL),
        8 => config.jps_precomputed = !config.jps_precomputed,
        9 => config.avoidance_model = random.pick(AvoidanceModel::ALL),
        10 => config.repath_frequency = random.pick(RepathFrequency::ALL),
        11 => config.influence_avoidance = random.pick(InfluenceAvoidance::ALL),
        12 => config.flowfield_group_threshold = 1 + random.below(20),
        13 => config.max_path_nodes_per_tick = 64 << random.below(10),
        14 => config.merge_bias = random.below(21),
        // Refused: a game keeps its number of ticks per second.
        _ => config.ticks_per_second = 7,
    }
    config
}

pub(crate) fn run<E: Executor>(executor: &E, out: &mut Lines<'_>, options: &Options) {
    let ticks = options.amount.choose(TICKS[0], TICKS[1]);
    let all = variants().into_iter().enumerate();
    for (number, (name, config)) in all.filter(|(_, (name, _))| options.wants("settings", name)) {
        play(executor, out, &name, &spec(number, config, None, ticks));
    }
    for (number, planner) in planner_names().into_iter().enumerate() {
        if options.wants("settings", planner) {
            let config = Config { sector_size: 16, ..Config::default() };
            play(executor, out, &format!("planner {planner}"), &spec(number, config, Some(planner), ticks));
        }
    }
}

/// The names of the planners that come with the engine.
fn planner_names() -> Vec<&'static str> {
    PlannerList::builtin().names().map(|name| &*name.to_string().leak()).collect()
}

fn spec(number: usize, config: Config, planner: Option<&'static str>, ticks: u32) -> Spec {
    let seed = 900 + number as u64;
    let map = match number % 3 {
        0 => maps::blocks(seed, 44, 40),
        1 => maps::rooms(seed, 44, 44),
        _ => maps::mixed(seed, 40, 44),
    };
    Spec { name: "settings", map, config, seed, ticks, units: 40, busy: 400, planner, script: None }
}

fn play<E: Executor>(executor: &E, out: &mut Lines<'_>, name: &str, spec: &Spec) {
    let mut game = Game::new(spec);
    let mut digest = Digest::new();
    for tick in 1..=spec.ticks {
        give_commands(&mut game, spec, tick);
        game.world.tick_with(executor);
        game.world.events().iter().for_each(|event| digest.debug(event));
        if tick % 8 == 0 {
            digest.text(game.world.state_hash());
        }
    }
    game.observe();
    digest.bytes(&game.world.save());
    let (hash, seen) = (game.world.state_hash(), game.seen.value());
    report!(out, "settings {name} {hash} seen {seen:016x} events, hashes, bytes {:016x}", digest.value());
}
