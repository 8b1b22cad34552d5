//! What the first order needs is made ahead, a little in each tick. No result depends on how far that work is.

use waymarch::base::CellRect;
use waymarch::cost::TerrainId;
use waymarch::prelude::*;

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
        for command in &commands {
            let applied = world.apply(command);
            copies.iter_mut().for_each(|copy| assert_eq!(copy.apply(command), applied));
        }
        world.tick();
        let hash = world.state_hash();
        for copy in &mut copies {
            if tick % 5 == 0 {
                copy.poison_scratch();
            }
            copy.tick();
            assert_eq!(copy.state_hash(), hash, "tick {tick}");
            assert_eq!(copy.events(), world.events(), "tick {tick}");
        }
    }
    assert!(world.units().any(|unit| unit.position.cell().x > 40), "they are under way");
}
