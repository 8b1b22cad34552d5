//! A change of settings during a game: units continue, nothing is lost, and every peer sees the same.

use waymarch::base::{CellRect, SizeClass, cell};
use waymarch::config::{AvoidanceModel, Config, InfluenceAvoidance, PushMechanics};
use waymarch::cost::{CornerRule, Falloff, Neighbours, Stamp, ThreatSource};
use waymarch::world::{
    Command, CommandError, EventKind, Navigator, Order, PlayerId, Recorder, Replay, Serial, Setup, UnitType,
    World,
};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::worlds::{flat_world, soldier};

/// Many units with one goal, a few with others, a wall on their routes, and a threat source.
fn army() -> (World, usize) {
    let mut world = flat_world(96, 64, Config::default());
    let kind = soldier(&mut world);
    let places: Vec<_> = CellRect::at(cell(3, 10), 8, 5).cells().collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open ground");
    world.order(&units[..30], Order::move_to(cell(80, 40))).expect("good");
    for (&unit, y) in units[30..].iter().zip(2..) {
        world.order(&[unit], Order::move_to(cell(70, 4 * y))).expect("good");
    }
    world.place(&Stamp::solid(2, 40), cell(40, 0)).expect("room");
    let threat = ThreatSource { at: cell(60, 20), radius: 6, strength: 40, falloff: Falloff::Linear };
    world.apply(&Command::AddThreat(threat)).expect("on the map");
    (world, units.len())
}

/// Settings of all kinds: some need new layers and some do not.
fn changes() -> Vec<(&'static str, Config)> {
    let base = Config::default;
    vec![
        ("same", base()),
        ("budget", Config { max_path_nodes_per_tick: 64, max_paths_per_tick: 1, path_lanes: 1, ..base() }),
        ("lanes", Config { path_lanes: 9, ..base() }),
        (
            "tiles",
            Config {
                flowfield_cache_max_tiles: 1,
                flowfield_tile_ttl: 1,
                max_flowfield_gens_per_tick: 1,
                ..base()
            },
        ),
        ("no flows", Config { flowfield_group_threshold: 1000, ..base() }),
        ("cache", Config { path_cache_size: 0, ..base() }),
        ("push", Config { push_mechanics: PushMechanics::None, avoidance_neighbours: 3, ..base() }),
        ("lite", Config { avoidance_model: AvoidanceModel::OrcaLite, ..base() }),
        ("corners", Config { corner_rule: CornerRule::AllowOne, ..base() }),
        ("four", Config { neighbours: Neighbours::Four, ..base() }),
        ("sectors", Config { sector_size: 16, ..base() }),
        ("sizes", Config { size_classes: vec![1, 2, 4], ..base() }),
        ("no jumps", Config { jps_precomputed: false, ..base() }),
        (
            "threat",
            Config {
                threat_max_cost: 9,
                threat_update_frequency: 1,
                influence_avoidance: InfluenceAvoidance::All,
                ..base()
            },
        ),
    ]
}

fn arrivals(world: &World) -> usize {
    world.events().iter().filter(|event| event.what == EventKind::Arrived).count()
}

#[test]
fn every_unit_arrives_when_settings_change_and_change_back() {
    for (name, config) in changes() {
        let (mut world, units) = army();
        let mut arrived = 0;
        for tick in 0..2000 {
            match tick {
                25 => world.configure(config.clone()).expect(name),
                120 => world.configure(Config::default()).expect(name),
                _ => {}
            }
            world.tick();
            arrived += arrivals(&world);
        }
        assert_eq!(arrived, units, "{name}");
    }
}

#[test]
fn a_peer_that_loads_right_after_a_change_plays_the_same_game() {
    for (name, config) in changes() {
        let (mut world, _) = army();
        (0..25).for_each(|_| world.tick());
        world.configure(config.clone()).expect(name);
        assert_eq!(world.nav().config().get(), &config, "{name}");
        let mut peer = World::load(&world.save()).expect(name);
        for tick in 0..60 {
            assert_eq!(peer.state_hash(), world.state_hash(), "{name}, tick {tick}");
            peer.tick();
            world.tick();
        }
    }
}

#[test]
fn a_map_with_other_settings_is_the_same_as_one_that_had_them_from_the_start() {
    let grid = Grid::filled(80, 48, 3);
    for (name, config) in changes() {
        let build = |nav: &mut Navigator| nav.place(&Stamp::solid(5, 30), cell(30, 4)).map(drop);
        let mut changed = Navigator::new(grid.to_map("twin"), Config::default()).expect("legal");
        build(&mut changed).expect("room");
        changed.configure(config.clone()).expect(name);
        let mut twin = Navigator::new(grid.to_map("twin"), config).expect("legal");
        build(&mut twin).expect("room");
        let foot = twin.locomotor("foot").expect("known");
        for to in [cell(70, 5), cell(29, 40), cell(3, 3), cell(36, 20)] {
            assert_eq!(changed.path(cell(5, 6), to, foot), twin.path(cell(5, 6), to, foot), "{name}, {to}");
        }
    }
}

#[test]
fn wrong_settings_are_refused_and_change_nothing() {
    let (mut world, _) = army();
    let foot = world.types()[0].agent;
    let big = waymarch::base::Agent { size: SizeClass::new(3).expect("legal"), ..foot };
    world.add_type(UnitType::new("giant", big)).expect("there are costs for it");
    world.tick();
    let before = world.state_hash();
    let wrong = world.configure(Config { sector_size: 20, ..Config::default() });
    assert!(
        matches!(&wrong, Err(CommandError::Config(error)) if error.to_string().contains("sector_size")),
        "{wrong:?}"
    );
    let left_out = world.configure(Config { size_classes: vec![1, 2], ..Config::default() });
    assert!(left_out.expect_err("giants need them").to_string().contains("giant"));
    let faster = world.configure(Config { ticks_per_second: 60, ..Config::default() });
    assert!(faster.expect_err("speeds are per tick").to_string().contains("ticks_per_second"));
    assert_eq!(world.state_hash(), before);
    world.configure(Config::default()).expect("what it has already");
    assert_eq!(world.state_hash(), before);
}

#[test]
fn a_replay_repeats_the_change() {
    let grid = Grid::filled(64, 40, 1);
    let setup = Setup { config: Config::default(), map: grid.to_map("played"), seed: 3 };
    let mut world =
        World::with_seed(Navigator::new(setup.map.clone(), setup.config.clone()).expect("legal"), 3);
    let mut recorder = Recorder::new(setup, 5);
    let foot = world.nav().locomotor("foot").expect("known");
    let mut give = |world: &mut World, command| recorder.apply(world, command).expect("good");
    give(&mut world, Command::AddType(UnitType::new("soldier", foot)));
    let kind = waymarch::world::UnitTypeId(0);
    let spawn =
        Command::Spawn { kind, owner: PlayerId(0), at: cell(3, 3), facing: waymarch::base::Angle::ZERO };
    give(&mut world, spawn);
    let unit = world.units().next().expect("it lives").id;
    let order = Order::move_to(cell(50, 30));
    give(&mut world, Command::Order { units: vec![unit], order, when: waymarch::world::When::Now });
    for tick in 0..120 {
        if tick == 40 {
            let config = Config { neighbours: Neighbours::Four, sector_size: 8, ..Config::default() };
            recorder.apply(&mut world, Command::Configure(Box::new(config))).expect("good");
        }
        world.tick();
        recorder.ticked(&world);
    }
    let recording = recorder.finish(&world);
    let recording = waymarch::world::Recording::from_bytes(&recording.to_bytes()).expect("what was written");
    let mut replay = Replay::new(&recording).expect("good");
    while replay.step(&Serial).expect("the same game") {}
    assert_eq!(replay.world().state_hash(), world.state_hash());
    assert!(replay.compared() >= 24);
}
