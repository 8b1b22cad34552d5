//! What the first order needs is made ahead, a little in each tick. No result depends on how far that work is.

use waymarch::base::CellRect;
use waymarch::cost::TerrainId;
use waymarch::prelude::*;
use waymarch::query::Threat;
use waymarch::world::PlannerReason;

/// Weighted ground with walls, 300 × 200 cells, and units of two types.
fn game() -> (World, Vec<UnitId>) {
    let size = GridSize::new(300, 200).expect("legal");
    let mut nav =
        Navigator::new(Map::flat("field", size, Rules::standard()), Config::default()).expect("legal");
    for n in 0..40 {
        let at = cell(n * 37 % 280, n * 53 % 180);
        nav.set_terrain(CellRect::at(at, 12, 9), TerrainId(2)).expect("on the map");
    }
    for x in [60, 120, 180, 240] {
        nav.place(&Stamp::solid(2, 64), cell(x, 20)).expect("it fits");
        nav.place(&Stamp::solid(2, 64), cell(x, 100)).expect("it fits");
    }
    let mut world = World::new(nav);
    let foot = world.nav().locomotor("foot").expect("in the rules");
    let large = Agent { locomotor: foot, size: SizeClass::new(2).expect("legal") };
    let kinds = [UnitType::new("a", foot), UnitType::vehicle("b", large)];
    let mut units = Vec::new();
    for (kind, x) in kinds.into_iter().zip([4, 12]) {
        let kind = world.add_type(kind).expect("legal");
        let cells: Vec<CellPos> = (0..6).map(|n| cell(x, 5 + 3 * n)).collect();
        units.extend(world.spawn_many(kind, PlayerId(0), &cells).expect("open"));
    }
    (world, units)
}

/// Gives the commands to a World and its copies, runs a tick of each, and compares hashes and events.
fn tick_alike(world: &mut World, copies: &mut [World], commands: &[Command]) {
    for command in commands {
        let applied = world.apply(command);
        copies.iter_mut().for_each(|copy| assert_eq!(copy.apply(command), applied));
    }
    let now = world.now();
    world.tick();
    let hash = world.state_hash();
    for copy in copies {
        if now.0 % 5 == 0 {
            copy.poison_scratch();
        }
        copy.tick();
        assert_eq!(copy.state_hash(), hash, "{now}");
        assert_eq!(copy.events(), world.events(), "{now}");
    }
}

#[test]
fn tables_are_made_before_the_first_order() {
    let (mut world, _) = game();
    let before = world.nav().planner_memory_bytes();
    let made = |world: &mut World| {
        let mut most = 0;
        for _ in 0..300 {
            world.tick();
            let now = world.nav().planner_memory_bytes();
            assert!(now >= most, "tables stay");
            most = now;
        }
        most
    };
    let ahead = made(&mut world);
    assert!(ahead > before + 300 * 200 * 4, "{before} bytes, then {ahead}");
    // Nothing is left to make for either agent.
    for number in 0..2 {
        let UnitType { agent, name, .. } = world.types()[number].clone();
        let mut queries = world.queries();
        queries.make_ready(agent);
        queries.make_ready_far(agent);
        assert_eq!(world.nav().planner_memory_bytes(), ahead, "{name}");
    }
}

#[test]
fn no_result_depends_on_how_much_was_made_ahead() {
    let (mut world, units) = game();
    // Each copy is loaded at another tick, and has then made nothing.
    let mut copies: Vec<World> = Vec::new();
    for tick in 0..330 {
        if [0, 1, 3, 8, 20, 50, 51, 90, 200].contains(&tick) {
            copies.push(World::load(&world.save()).expect("its own save"));
        }
        let mut commands = Vec::new();
        if tick % 9 == 4 && tick < 150 {
            let at = cell(tick * 31 % 290, tick * 17 % 190);
            commands.push(Command::Place { stamp: Stamp::solid(3, 2), at });
        }
        if tick == 60 || tick == 95 {
            let (units, at) = (units.clone(), cell(290, if tick == 60 { 190 } else { 10 }));
            commands.push(Command::Order { units, order: Order::move_to(at), when: When::Now });
        }
        if tick == 96 {
            let (units, order) = (units[..2].to_vec(), Order::move_to(cell(150, 90)));
            commands.push(Command::Order { units, order, when: When::Now });
        }
        tick_alike(&mut world, &mut copies, &commands);
    }
    assert!(world.units().any(|unit| unit.position.cell().x > 40), "they are under way");
}

/// A huge map (more than 1024 cells wide) of weighted ground with walls, and units at its west end. Its tables count as made after some dozen ticks.
fn huge_game() -> (World, Vec<UnitId>) {
    let size = GridSize::new(1100, 48).expect("legal");
    let mut nav =
        Navigator::new(Map::flat("plain", size, Rules::standard()), Config::default()).expect("legal");
    for n in 0..60 {
        let at = cell(n * 137 % 1080, n * 53 % 36);
        nav.set_terrain(CellRect::at(at, 12, 9), TerrainId(2)).expect("on the map");
    }
    for (n, x) in (40..1080).step_by(80).enumerate() {
        nav.place(&Stamp::solid(2, 40), cell(x, if n % 2 == 0 { 0 } else { 8 })).expect("it fits");
    }
    let mut world = World::new(nav);
    let foot = world.nav().locomotor("foot").expect("in the rules");
    let kind = world.add_type(UnitType::new("soldier", foot)).expect("legal");
    let cells: Vec<CellPos> = (0..20).map(|n| cell(4 + n % 4, 10 + n / 4)).collect();
    let units = world.spawn_many(kind, PlayerId(0), &cells).expect("open");
    (world, units)
}

/// Why the exact search of the units' agent is chosen.
fn reason(world: &World) -> PlannerReason {
    world.nav().planner_for(world.types()[0].agent, Threat::Ignore).1
}

/// The tick from which on the tables count as made.
fn ticks_until_made(world: &World) -> u32 {
    let mut copy = world.clone();
    let mut ticks = 0;
    while reason(&copy) == PlannerReason::Preparing {
        copy.tick();
        ticks += 1;
        assert!(ticks < 1000, "the wait ends");
    }
    ticks
}

#[test]
fn the_first_order_on_a_huge_map_makes_no_table_at_once() {
    let (mut world, units) = huge_game();
    let wait = ticks_until_made(&world);
    assert!(wait > 10, "{wait} ticks");
    let made = |world: &World| world.nav().planner_memory_bytes();
    let mut ready = world.clone();
    ready.make_tables_now();
    let (before, all) = (made(&world), made(&ready));
    assert!(all > before + 100_000, "{before} bytes of {all}");
    // One unit wants a route of its own, the others share a flow.
    world.order(&units, Order::move_to(cell(1090, 24))).expect("legal");
    world.order(&units[..1], Order::move_to(cell(700, 30))).expect("legal");
    world.tick();
    assert!(made(&world) < before + (all - before) / 4, "{} of {all} bytes", made(&world));
    for &unit in &units {
        assert!(world.heads_for(unit).is_some(), "{unit:?} is led");
        let status = world.route_status(unit);
        let is_led = matches!(status, Some(PathStatus::Temporary | PathStatus::Complete));
        assert!(is_led, "{unit:?} has a route over doors, {status:?}");
    }
    (1..wait).for_each(|_| world.tick());
    assert_ne!(reason(&world), PlannerReason::Preparing);
    (0..20).for_each(|_| world.tick());
    assert_eq!(world.route_status(units[0]), Some(PathStatus::Complete), "the exact route has come");
}

#[test]
fn units_on_a_huge_map_arrive_by_rough_routes() {
    let (mut world, units) = huge_game();
    let goal = cell(160, 24);
    world.order(&units, Order::move_to(goal)).expect("legal");
    for _ in 0..3000 {
        world.tick();
    }
    for &unit in &units {
        let at = world.cell_of(unit).expect("it lives");
        assert!(at.x.abs_diff(goal.x) <= 6 && at.y.abs_diff(goal.y) <= 6, "{unit:?} at {at}");
    }
}

#[test]
fn no_result_on_a_huge_map_depends_on_how_much_was_made() {
    let (mut world, units) = huge_game();
    let wait = ticks_until_made(&world);
    let mut copies: Vec<World> = Vec::new();
    for tick in 0..wait + 30 {
        if [0, 1, 7, wait / 2, wait - 1, wait, wait + 5].contains(&tick) {
            copies.push(World::load(&world.save()).expect("its own save"));
            // This one has made all that it may use later.
            let mut eager = world.clone();
            let agent = eager.types()[0].agent;
            eager.queries().make_ready_far(agent);
            copies.push(eager);
        }
        let mut commands = Vec::new();
        if tick % 9 == 4 {
            let at = cell(tick as i32 * 31 % 1080, tick as i32 * 17 % 40);
            commands.push(Command::Place { stamp: Stamp::solid(3, 2), at });
        }
        if [2, wait / 2, wait + 2].contains(&tick) {
            let at = cell(1090 - tick as i32, 24);
            commands.push(Command::Order {
                units: units.clone(),
                order: Order::move_to(at),
                when: When::Now,
            });
            let (one, order) = (units[..1].to_vec(), Order::move_to(cell(300, 44)));
            commands.push(Command::Order { units: one, order, when: When::Now });
        }
        tick_alike(&mut world, &mut copies, &commands);
    }
    assert!(world.units().any(|unit| unit.position.cell().x > 8), "they are under way");
}
