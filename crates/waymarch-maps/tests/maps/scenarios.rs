//! The built-in scenarios: they parse, they play, and their result depends neither on threads nor on interruptions.

use waymarch::base::StateHasher;
use waymarch::world::{Command, EventKind, Order, Recording, Replay, Serial, Threads, When, World};
use waymarch_maps::scenario::{BUILTIN_SCENARIOS, Simulation, builtin_scenario, find_map};
use waymarch_maps::yaml::read_scenario;
use waymarch_testkit::golden::golden;

fn simulation(name: &str, hash_every: u32) -> Simulation {
    let scenario = builtin_scenario(name).expect("it reads, as a test says");
    Simulation::new(scenario, hash_every).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// How many ticks a test plays; fewer than the scenario has.
fn ticks(simulation: &Simulation) -> u64 {
    simulation.scenario().ticks.min(450)
}

#[test]
fn every_built_in_scenario_reads() {
    assert!(BUILTIN_SCENARIOS.len() >= 12);
    for (name, text) in BUILTIN_SCENARIOS {
        let scenario = read_scenario(name, text.as_bytes(), &|word| find_map(word, None));
        let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(scenario.name, *name);
        assert!(!scenario.about.is_empty() && !scenario.actions.is_empty(), "{name}");
    }
}

/// An event as the goldens hash it. They are older than 0.2.0, which renamed `PathReason::NoWay` and `GiveUp::NoWay`.
fn name_in_goldens(what: &EventKind) -> String {
    format!("{what:?}").replace("NoRoute", "NoWay")
}

#[test]
fn golden_hashes_of_all_scenarios() {
    for (name, _) in BUILTIN_SCENARIOS {
        let mut simulation = simulation(name, 0);
        let mut events = StateHasher::new();
        for _ in 0..ticks(&simulation) {
            simulation.step(&Serial);
            for event in simulation.world().events() {
                events.write_u64(event.unit.to_bits());
                events.write_bytes(name_in_goldens(&event.what).as_bytes());
            }
        }
        let metrics = simulation.metrics();
        assert!(metrics.commands > 0 && metrics.events.values().sum::<u64>() > 0, "{name}: {metrics:?}");
        golden(&format!("scenarios/{name}"), simulation.world().state_hash().to_string());
        golden(&format!("scenarios/{name}-events"), format!("{:016x}", events.finish()));
    }
}

#[test]
fn scenarios_end_with_the_expected_numbers() {
    let play = |name: &str| {
        let mut simulation = simulation(name, 0);
        (0..simulation.scenario().ticks).for_each(|_| simulation.step(&Serial));
        simulation.metrics().clone()
    };
    for (name, arrivals) in
        [("corner", 16), ("door", 40), ("crossing", 96), ("circle-swap", 40), ("bridge-destroyed", 72)]
    {
        let metrics = play(name);
        assert!(metrics.arrived >= arrivals, "{name}: {metrics:?}");
        assert!(metrics.travel_per_mille >= 1000 || metrics.journeys == 0, "{name}: {metrics:?}");
    }
    // The rear of the army takes the second bridge; the squad waits for the first.
    let bridges = play("two-bridges");
    let sent = bridges.events["sent_round"];
    assert!(bridges.arrived == 330 && (50..150).contains(&sent), "{bridges:?}");
    // All eighty units first give up for lack of a route; after the breach all arrive.
    let walled = play("walled-in");
    assert!(walled.events["blocked"] >= 80 && walled.arrived >= 80, "{walled:?}");
}

#[test]
fn the_landing_shows_transport_capture_upgrade_and_eviction() {
    let mut simulation = simulation("landing", 0);
    let mut on_closed_ground = 0;
    for tick in 0..simulation.scenario().ticks {
        simulation.step(&Serial);
        let world = simulation.world();
        if tick == 60 {
            assert_eq!(world.units().filter(|unit| unit.transport.is_some()).count(), 6);
        }
        if tick == 600 {
            let closed = |unit: &waymarch::world::Unit| {
                let field = world.unit_type(unit.kind).and_then(|kind| world.nav().layer().field(kind.agent));
                !field.zip(world.cell_of(unit.id)).is_some_and(|(field, at)| field.is_passable(at))
            };
            on_closed_ground = world.units().filter(closed).count();
        }
    }
    let events = &simulation.metrics().events;
    let counts = ["boarded", "unboarded", "owner_changed", "kind_changed"].map(|kind| events[kind]);
    assert_eq!(counts, [6, 6, 4, 6], "{events:?}");
    assert!(events["displaced"] >= 5, "{events:?}");
    assert_eq!((on_closed_ground, simulation.metrics().refused), (0, 0), "{:?}", simulation.metrics());
    let world = simulation.world();
    assert!(world.units().all(|unit| unit.owner.0 == 0));
}

#[test]
fn saving_and_loading_at_every_tick_changes_nothing() {
    for (name, _) in BUILTIN_SCENARIOS {
        let (mut through, mut broken) = (simulation(name, 0), simulation(name, 0));
        // Loading rebuilds all Derived data, so on big maps it does not happen at every tick.
        let (every, most) =
            if through.world().nav().layer().grid().cells() > 6000 { (20, 160) } else { (1, 120) };
        for tick in 0..most {
            through.step(&Serial);
            if tick % every == 0 {
                let again = World::load(&broken.world().save()).expect("what was saved");
                *broken.world_mut() = again;
            }
            broken.give_due_commands();
            // Rollback: run some ticks ahead without the players' commands, then restore.
            let saved = broken.world().save();
            let ahead = broken.world_mut();
            (0..2).for_each(|_| ahead.tick());
            ahead.restore(&saved).expect("what was saved");
            broken.tick(&Serial);
            let (one, other) = (through.world().state_hash(), broken.world().state_hash());
            assert_eq!(one.first_difference(&other), None, "{name}, tick {tick}");
            assert_eq!(through.world().events(), broken.world().events(), "{name}, tick {tick}");
        }
    }
}

/// Units that contacts had pushed faster than loading accepted were in these two saves.
#[test]
fn the_edit_storm_is_saved_and_loaded_after_ticks_317_and_318() {
    let mut through = simulation("edit-storm", 0);
    (0..317).for_each(|_| through.step(&Serial));
    for tick in 317..319 {
        let again =
            World::load(&through.world().save()).unwrap_or_else(|error| panic!("tick {tick}: {error}"));
        let (one, other) = (through.world().state_hash(), again.state_hash());
        assert_eq!(one.first_difference(&other), None, "tick {tick}");
        through.step(&Serial);
    }
}

#[test]
fn one_two_three_or_eight_threads_give_the_same_result() {
    for (name, _) in BUILTIN_SCENARIOS {
        let mut one = simulation(name, 0);
        let mut others =
            [1, 2, 3, 8].map(|count| (Threads::new(count).expect("threads"), simulation(name, 0)));
        for tick in 0..100 {
            one.step(&Serial);
            for (threads, other) in &mut others {
                other.step(threads);
                assert_eq!(
                    one.world().events(),
                    other.world().events(),
                    "{name}, tick {tick}, {}",
                    threads.count()
                );
            }
        }
        for (threads, other) in &others {
            let (hash, theirs) = (one.world().state_hash(), other.world().state_hash());
            assert_eq!(hash.first_difference(&theirs), None, "{name}, {} threads", threads.count());
            assert_eq!(one.metrics(), other.metrics(), "{name}, {} threads", threads.count());
        }
    }
}

#[test]
fn recorded_scenarios_replay_the_same() {
    for name in ["door", "siege", "edit-storm"] {
        let mut simulation = simulation(name, 10);
        (0..150).for_each(|_| simulation.step(&Serial));
        let hash = simulation.world().state_hash();
        let recording = Recording::from_bytes(&simulation.finish().to_bytes()).expect("what was recorded");
        let mut replay = Replay::new(&recording).expect("a legal setup");
        while replay.step(&Serial).unwrap_or_else(|error| panic!("{name}: {error}")) {}
        assert_eq!((replay.world().state_hash(), replay.compared()), (hash, 15), "{name}");
    }
}

#[test]
fn released_units_are_left_out_and_the_others_get_the_orders_that_they_would_get() {
    // At tick 500 every soldier gets a random goal of its own.
    let play = |released: usize| {
        let mut simulation = simulation("valley-march", 0);
        let units: Vec<_> = simulation.world().units().map(|unit| unit.id).take(released).collect();
        for &unit in &units {
            let hold = Command::Order { units: vec![unit], order: Order::Hold, when: When::Now };
            simulation.command(hold).unwrap();
        }
        assert_eq!(simulation.release(&units), released);
        (0..=500).for_each(|_| simulation.step(&Serial));
        simulation
    };
    let (all, some) = (play(0), play(3));
    let goal = |simulation: &Simulation, place: usize| {
        let unit = simulation.world().units().nth(place).unwrap().id;
        simulation.world().orders_of(unit).next().cloned()
    };
    // A unit that holds has no order left.
    assert!((0..3).all(|place| goal(&some, place).is_none()));
    assert!(matches!(goal(&all, 0), Some(Order::Move(_))));
    assert!((3..200).all(|place| goal(&some, place) == goal(&all, place)));
    assert!(!some.orders_later() && simulation("valley-march", 0).orders_later());
}

#[test]
fn the_documented_example_parses_and_plays() {
    let text = include_str!("../../../../docs/scenarios.md");
    let from = text.find("```yaml\n").expect("an example") + "```yaml\n".len();
    let example = &text[from..from + text[from..].find("```").expect("an end")];
    let scenario = read_scenario("docs", example.as_bytes(), &|_| Err("no map".to_string()));
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((scenario.ticks, scenario.groups.len(), scenario.types.len()), (400, 3, 2));
    let mut simulation = Simulation::new(scenario, 0).unwrap_or_else(|error| panic!("{error}"));
    (0..simulation.scenario().ticks).for_each(|_| simulation.step(&Serial));
    let metrics = simulation.metrics();
    assert_eq!((metrics.units, metrics.refused), (15, 0), "{metrics:?}");
    assert!(metrics.arrived > 0, "{metrics:?}");
}

/// A field with ten soldiers, an enemy and a house, and these orders.
fn field(orders: &str) -> Simulation {
    let text = format!(
        "waymarch_scenario: 1
map: flat:64x64
unit_types:
  soldier: {{locomotor: foot}}
  shield: {{locomotor: foot, role: front}}
units:
  - {{group: men, type: soldier, rect: [4, 20, 1, 10], count: 10}}
  - {{group: shields, type: shield, rect: [6, 20, 1, 5], count: 5}}
  - {{group: foe, type: soldier, at: [50, 30], owner: 1}}
edits:
  - {{as: house, at: [40, 40], place: {{size: [4, 4]}}}}
orders:
{orders}"
    );
    let scenario = read_scenario("f", text.as_bytes(), &|word| find_map(word, None));
    let scenario = scenario.unwrap_or_else(|error| panic!("{orders}: {error}"));
    Simulation::new(scenario, 0).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_group_can_get_every_kind_of_order() {
    let cases = [
        ("  - {group: men, move: [40, 20], formation: wedge, facing: north-east}", 10),
        ("  - {group: men, move: 'rect:30,10,12,12'}", 10),
        ("  - {group: men, move: [40, 20], formation: circle, radius: 4, spacing: 0.5}", 10),
        ("  - {group: men, line: [[36, 24], [36, 16]]}", 10),
        ("  - {group: men, attack: [40, 20], sight: 6.5}", 10),
        ("  - {group: men, surround: [30, 30]}", 10),
        ("  - {group: men, park: house}", 10),
        ("  - {group: men, range: house, most: 9, shots: foot}", 10),
        ("  - {group: men, dock: house, queue: west}", 1),
        ("  - {group: men, spread: 5}", 10),
        ("  - {group: men, move: [40, 20]}\n  - {group: shields, tick: 30, join: men}", 15),
        ("  - {group: men, move: [40, 20]}\n  - {group: men, tick: 30, reform: line, facing: south}", 10),
        ("  - {group: men, move: [40, 20]}\n  - {group: men, tick: 30, engage: true}", 0),
        (
            "  - {group: men, move: [40, 20]}\n  - {group: men, tick: 30, engage: true}
  - {group: men, tick: 60, engage: false}",
            10,
        ),
        // These orders do not end.
        ("  - {group: men, range: foe, least: 2, most: 6}", 0),
        ("  - {group: men, guard: foe, leash: 5}", 0),
        ("  - {group: men, guard: house}", 0),
        ("  - {group: men, follow_group: shields, distance: 3}", 0),
    ];
    for (orders, arrived) in cases {
        let mut simulation = field(orders);
        (0..900).for_each(|_| simulation.step(&Serial));
        let metrics = simulation.metrics();
        assert_eq!((metrics.refused, metrics.arrived), (0, arrived), "{orders}: {metrics:?}");
        let recording = Recording::from_bytes(&simulation.clone().finish().to_bytes()).expect("recorded");
        let mut replay = Replay::new(&recording).expect("a legal setup");
        while replay.step(&Serial).unwrap_or_else(|error| panic!("{orders}: {error}")) {}
        assert_eq!(replay.world().state_hash(), simulation.world().state_hash(), "{orders}");
    }
}

/// The error for a scenario file of a few lines.
fn refused(lines: &str) -> String {
    let text = format!("waymarch_scenario: 1\nmap: flat:20x20\n{lines}");
    read_scenario("f", text.as_bytes(), &|word| find_map(word, None)).expect_err(lines).to_string()
}

#[test]
fn errors_name_line_column_and_key() {
    let cases = [
        ("tikcs: 3", "f:3:1: unknown key `tikcs` in a scenario file (did you mean `ticks`?)"),
        ("ticks: many", "f:3:8: `ticks` is `many`: it must be a whole number, 0..=100000000"),
        (
            "config: {sector_sise: 16}",
            "f:3:10: unknown key `sector_sise` in `config` (did you mean `sector_size`?)",
        ),
        ("config: {sector_size: 20}", "f:3:23: `sector_size` is 20: it must be a power of two, 8..=128"),
        (
            "unit_types: {a: {locomotor: fot}}",
            "f:3:29: there is no locomotor called `fot` (did you mean `foot`?)",
        ),
        ("unit_types: {a: {size: 5}}", "f:3:24: size 5 is not in the setting `size_classes`"),
        ("unit_types: {a: {speed: 2}}", "f:3:25: `speed` is `2`: it must be 0..=1, in cells"),
        (
            "unit_types: {a: {}}\nunits: [{type: b, at: [1, 1]}]",
            "f:4:16: there is no unit type called `b` (known here: a)",
        ),
        (
            "unit_types: {a: {}}\nunits: [{at: [20, 1]}]",
            "f:4:14: cell (20, 1) is outside the map (the map is 20×20)",
        ),
        (
            "unit_types: {a: {}}\nunits: [{}]",
            "f:4:9: a squad must have exactly one of `at`, `cells`, `rect` and `ring`",
        ),
        ("unit_types: {a: {}}\nunits: [{rect: [1, 1, 2, 2]}]", "f:4:9: a squad with `rect` needs a `count`"),
        ("orders: [{group: x, stop: true}]", "f:3:18: there is no group called `x`"),
        ("edits: [{remove: x}]", "f:3:18: there is no stamp or threat called `x`"),
        (
            "edits: [{terrain: Wal, area: [0, 0, 2, 2]}]",
            "f:3:19: there is no terrain called `Wal` (did you mean `Wall`?)",
        ),
        (
            "edits: [{terrain: Wall, area: [19, 0, 2, 2]}]",
            "f:3:31: `area` reaches outside the map (the map is 20×20)",
        ),
        (
            "edits: [{terrain: Wall, open: x}]",
            "f:3:9: exactly one of these keys is needed: place, remove, open, close, terrain, height, threat, config, reload, planner, random, team",
        ),
        (
            "unit_types: {a: {}}\nunits: [{at: [1, 1]}]\norders: [{move: 'circle:9,9,2', formation: box}]",
            "f:5:17: a formation needs a single cell as its goal: `move: [x, y]`",
        ),
        (
            "unit_types: {a: {}}\nunits: [{at: [1, 1]}]\norders: [{move: [2, 2], formation: box, angle: 90}]",
            "f:5:17: `angle` is 90: it has no effect on this formation; only on wedge",
        ),
        (
            "unit_types: {a: {}}\nunits: [{at: [1, 1]}]\nformations: {box: {formation: line}}\norders: []",
            "f:5:14: there is already a formation `box`",
        ),
        (
            "unit_types: {a: {}}\nunits: [{at: [1, 1]}]\norders: [{stop: true, sight: 4}]",
            "f:5:30: `sight` has no effect on `stop`: remove it",
        ),
        (
            "unit_types: {a: {}}\nunits: [{at: [1, 1]}]\norders: [{range: [3, 3], least: 5, most: 4}]",
            "f:5:33: `least` is greater than `most`",
        ),
        (
            "unit_types: {a: {}}\nunits: [{at: [1, 1]}]\norders: [{guard: nobody}]",
            "f:5:18: there is no group or stamp called `nobody`",
        ),
        (
            "unit_types: {a: {role: chief}}",
            "f:3:24: `role` is `chief`: it must be one of front | middle | back",
        ),
        (
            "edits: [{place: {size: [2, 2]}, at: [19, 3]}]",
            "f:3:37: a stamp of 2×2 cells at (19, 3) does not fit the map (20×20)",
        ),
    ];
    for (lines, expected) in cases {
        assert_eq!(refused(lines), expected);
    }
    let map = read_scenario("f", b"waymarch_scenario: 1\nmap: vally\n", &|word| find_map(word, None));
    let error = map.expect_err("no such map").to_string();
    assert!(error.contains("f:2:6") && error.contains("did you mean `valley`?"), "{error}");
}
