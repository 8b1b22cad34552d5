//! Narrow ground: sides take turns at a passage, and deadlocked units get on.

use waymarch::base::{CellPos, Dir8, Fixed, Vec2, cell};
use waymarch::config::Config;
use waymarch::cost::{FootCell, GateState, SideMask, Stamp};
use waymarch::query::Goal;
use waymarch::world::{Around, EventKind, Fire, Order, PlayerId, UnitId, UnitMotion, World};
use waymarch_testkit::worlds::{flat_world, soldier};

/// A wall across the field, `length` cells thick, with a gap of one cell in row 16.
fn gap(length: u32) -> World {
    let mut world = flat_world(40 + length, 32, Config::default());
    world.place(&Stamp::solid(length, 16), cell(20, 0)).expect("inside the map");
    world.place(&Stamp::solid(length, 15), cell(20, 17)).expect("inside the map");
    world
}

/// 15 units on each side of the gap, ordered to the other side one by one.
fn two_sides(world: &mut World, length: i32) -> Vec<UnitId> {
    let kind = soldier(world);
    let west: Vec<CellPos> = (0..15).map(|number| cell(6 + 2 * (number % 3), 8 + 3 * (number / 3))).collect();
    let mirrored = |at: CellPos| cell(39 + length - at.x, at.y);
    let mut units = Vec::new();
    for &at in &west {
        for (from, to) in [(at, mirrored(at)), (mirrored(at), at)] {
            let unit = world.spawn(kind, PlayerId(0), from).expect("open");
            world.order(&[unit], Order::move_to(to)).expect("on the map");
            units.push(unit);
        }
    }
    units
}

/// Plays until all units have arrived. Returns how many did.
fn play(world: &mut World, units: &[UnitId], most: u32) -> usize {
    let mut arrived = 0;
    for _ in 0..most {
        world.tick();
        for event in world.events() {
            assert!(!matches!(event.what, EventKind::GaveUp(_)), "{event:?}");
            arrived += usize::from(event.what == EventKind::Arrived);
        }
        if arrived == units.len() {
            break;
        }
    }
    arrived
}

#[test]
fn two_groups_pass_gaps_of_one_cell_and_no_unit_gives_up() {
    for length in [1, 3, 12] {
        let mut world = gap(length);
        let units = two_sides(&mut world, length as i32);
        // Units alternate between the sides.
        for (side, x) in [(0, 33 + length as i32), (1, 8)] {
            let group: Vec<UnitId> = units.iter().skip(side).step_by(2).copied().collect();
            world.order(&group, Order::move_to(cell(x, 16))).expect("on the map");
        }
        assert_eq!(play(&mut world, &units, 6000), units.len(), "{length} cells long");
    }
}

/// A team that a gate has opened to has cost fields of its own, far from the gate too. Its units and those of others once did not see each other's turns.
#[test]
fn two_sides_share_the_turns_of_a_passage_though_one_of_them_has_a_gate() {
    let mut world = gap(12);
    let units = two_sides(&mut world, 12);
    // Units alternate between the sides.
    let east: Vec<UnitId> = units.iter().skip(1).step_by(2).copied().collect();
    world.set_owner(&east, PlayerId(1)).expect("alive");
    let gate = world.place(&Stamp::filled("gate", 1, 1, FootCell::Gate), cell(2, 2)).expect("inside the map");
    world.set_gate(gate, GateState::OpenTo(SideMask::of(1))).expect("it stands");
    for (number, &unit) in units.iter().enumerate() {
        let x = if number % 2 == 0 { 45 } else { 6 };
        world.order(&[unit], Order::move_to(cell(x, 8 + number as i32 / 2))).expect("on the map");
    }
    let mut arrived = 0;
    for tick in 0..6000 {
        world.tick();
        arrived += world.events().iter().filter(|event| event.what == EventKind::Arrived).count();
        // Away from the mouths, only one side is in the passage.
        let inside = |unit: &&UnitId| (22..30).contains(&world.cell_of(**unit).expect("alive").x);
        let [west, east] = [0, 1].map(|side| units.iter().skip(side).step_by(2).filter(inside).count());
        assert!(west == 0 || east == 0, "tick {tick}: {west} and {east} units");
        if arrived == units.len() {
            break;
        }
    }
    assert_eq!(arrived, units.len());
}

#[test]
fn a_unit_before_a_reserved_passage_is_queued() {
    let mut world = gap(3);
    let units = two_sides(&mut world, 3);
    let queued = |world: &World| units.iter().any(|&unit| world.motion_of(unit) == Some(UnitMotion::Queued));
    let waited = (0..1500).any(|_| {
        world.tick();
        queued(&world)
    });
    assert!(waited);
    assert_eq!(world.motion_of(UnitId::DEAD), None);
}

#[test]
fn a_world_saved_in_a_deadlock_or_before_a_passage_goes_on_alike() {
    let mut world = gap(12);
    let units = two_sides(&mut world, 12);
    let mut peer = World::load(&world.save()).expect("its own save");
    for tick in 0..1600 {
        if tick % 97 == 0 {
            peer = World::load(&world.save()).expect("its own save");
        }
        world.tick();
        peer.tick();
        if tick % 10 == 0 {
            assert_eq!(world.state_hash(), peer.state_hash(), "tick {tick}");
        }
    }
    assert!(units.iter().all(|&unit| world.unit(unit).is_some()));
}

/// It once waited for more than 10 minutes: own idle units around it moved on and on, so that its zone never ended.
#[test]
fn a_unit_that_idle_enemies_wall_in_gives_up_within_two_minutes() {
    let mut world = flat_world(40, 32, Config::default());
    // A room with one exit in the west, and an enemy in it.
    world.place(&Stamp::solid(9, 1), cell(20, 10)).expect("inside the map");
    world.place(&Stamp::solid(9, 1), cell(20, 20)).expect("inside the map");
    world.place(&Stamp::solid(1, 9), cell(28, 11)).expect("inside the map");
    world.place(&Stamp::solid(1, 4), cell(20, 11)).expect("inside the map");
    world.place(&Stamp::solid(1, 4), cell(20, 16)).expect("inside the map");
    let kind = soldier(&mut world);
    world.spawn(kind, PlayerId(1), cell(20, 15)).expect("open");
    let room: Vec<CellPos> = (0..20).map(|number| cell(22 + number % 5, 13 + number / 5)).collect();
    let units = world.spawn_many(kind, PlayerId(0), &room).expect("open");
    world.order(&units[10..11], Order::move_to(cell(5, 5))).expect("on the map");
    let gave_up = (0..120 * 20).any(|_| {
        world.tick();
        world.events().iter().any(|event| matches!(event.what, EventKind::GaveUp(_)))
    });
    assert!(gave_up, "{:?}", world.motion_of(units[10]));
}

/// A slot in the gap, or before one of its mouths, would close it for all other units.
#[test]
fn no_member_of_a_group_stops_in_a_gap_or_before_it() {
    for (length, goal) in [(1, cell(20, 16)), (3, cell(21, 16)), (3, cell(18, 16)), (12, cell(32, 17))] {
        let mut world = gap(length);
        let kind = soldier(&mut world);
        let places: Vec<CellPos> = (0..12).map(|number| cell(3 + number % 3, 12 + number / 3)).collect();
        let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
        world.order(&units, Order::move_to(goal)).expect("on the map");
        assert_eq!(play(&mut world, &units, 2400), units.len(), "{length} cells long, to {goal}");
        let gap = 19..=20 + length as i32;
        for &unit in &units {
            let at = world.cell_of(unit).expect("alive");
            let closes = gap.contains(&at.x) && (15..=17).contains(&at.y);
            assert!(!closes, "{length} cells long, to {goal}: a unit stands at {at}");
        }
    }
}

#[test]
fn a_lone_unit_stops_in_a_gap_if_it_is_sent_there_and_makes_way_for_others() {
    let mut world = gap(3);
    let kind = soldier(&mut world);
    let units = world.spawn_many(kind, PlayerId(0), &[cell(10, 16), cell(6, 16)]).expect("open");
    world.order(&units[..1], Order::move_to(cell(21, 16))).expect("on the map");
    assert_eq!(play(&mut world, &units[..1], 600), 1);
    assert_eq!(world.cell_of(units[0]), Some(cell(21, 16)));
    world.order(&units[1..], Order::move_to(cell(35, 16))).expect("on the map");
    assert_eq!(play(&mut world, &units[1..], 1200), 1, "the first unit makes way");
}

/// Whether a unit stands in a gap that is `length` cells long, or within 1 cell of it.
fn closes_gap(world: &World, unit: UnitId, length: i32) -> bool {
    let at = world.cell_of(unit).expect("alive");
    (19..=20 + length).contains(&at.x) && (15..=17).contains(&at.y)
}

/// It stayed in the gap, before the enemy.
#[test]
fn a_unit_that_gives_up_in_a_gap_leaves_it_first() {
    let mut world = gap(12);
    let kind = soldier(&mut world);
    let enemy = world.spawn(kind, PlayerId(1), cell(26, 16)).expect("open");
    world.order(&[enemy], Order::Hold).expect("alive");
    let units = world.spawn_many(kind, PlayerId(0), &[cell(10, 16), cell(10, 18)]).expect("open");
    for &unit in &units {
        world.order(&[unit], Order::move_to(cell(40, 16))).expect("on the map");
    }
    let (mut inside, mut gave_up) = (false, 0);
    for tick in 0..12_000 {
        world.tick();
        inside |= world.cell_of(units[0]).is_some_and(|at| at.x > 22);
        if tick % 211 == 0 {
            // A unit that leaves a gap goes on alike after loading.
            world = World::load(&world.save()).expect("its own save");
        }
        for event in world.events() {
            assert_ne!(event.what, EventKind::Arrived, "the enemy holds the gap");
            if matches!(event.what, EventKind::GaveUp(_)) {
                assert!(!closes_gap(&world, event.unit, 12), "{event:?}");
                gave_up += 1;
            }
        }
        if gave_up == units.len() {
            break;
        }
    }
    assert!(inside, "the first unit was in the gap");
    assert_eq!(gave_up, units.len());
    for &unit in &units {
        assert!(world.orders_of(unit).next().is_none() && !closes_gap(&world, unit, 12));
    }
}

/// The order ended in the first cell of the area, which lies in the gap.
/// It once walked back across the map to the place that it had chosen before.
#[test]
fn a_unit_that_is_put_elsewhere_while_it_leaves_a_gap_gives_up_there() {
    let gave_up = |world: &mut World, most: u64| {
        (0..most).find_map(|_| {
            world.tick();
            let event = world.events().iter().find(|event| matches!(event.what, EventKind::GaveUp(_)))?;
            Some((event.unit, world.now().0))
        })
    };
    let start = || {
        let mut world = gap(12);
        let kind = soldier(&mut world);
        let enemy = world.spawn(kind, PlayerId(1), cell(26, 16)).expect("open");
        world.order(&[enemy], Order::Hold).expect("alive");
        let unit = world.spawn(kind, PlayerId(0), cell(10, 16)).expect("open");
        world.order(&[unit], Order::move_to(cell(40, 16))).expect("on the map");
        (world, unit)
    };
    let (mut world, unit) = start();
    let (_, end) = gave_up(&mut world, 12_000).expect("the enemy holds the gap");
    // The same game again, up to a quarter of a second before: then the unit is on its way out.
    let (mut world, same) = start();
    assert_eq!(unit, same);
    (1..end - 5).for_each(|_| world.tick());
    world.put(unit, cell(4, 29).centre(), Vec2::default()).expect("on the map");
    assert_eq!(gave_up(&mut world, 20).map(|(unit, _)| unit), Some(unit));
    assert_eq!(world.cell_of(unit), Some(cell(4, 29)));
}

#[test]
fn a_unit_that_is_sent_to_an_area_does_not_stop_in_a_gap() {
    let mut world = gap(12);
    let kind = soldier(&mut world);
    let unit = world.spawn(kind, PlayerId(0), cell(10, 16)).expect("open");
    let goal = Goal::circle(cell(36, 16), Fixed::from_cells(8));
    world.order(&[unit], Order::Move(goal.clone())).expect("on the map");
    assert_eq!(play(&mut world, &[unit], 1200), 1);
    let at = world.cell_of(unit).expect("alive");
    assert!(goal.contains(at) && !closes_gap(&world, unit, 12), "{at}");
}

/// A slot for one unit was not kept out of the gap.
#[test]
fn a_single_unit_in_range_of_a_target_does_not_stop_in_a_gap() {
    let mut world = gap(12);
    let kind = soldier(&mut world);
    let unit = world.spawn(kind, PlayerId(0), cell(10, 16)).expect("open");
    let how = Around::InRange { least: Fixed::ZERO, most: Fixed::from_cells(10), fire: Fire::OverAll };
    world.order(&[unit], Order::around(cell(38, 16), how)).expect("on the map");
    assert_eq!(play(&mut world, &[unit], 2400), 1);
    let at = world.cell_of(unit).expect("alive");
    assert!(!closes_gap(&world, unit, 12), "{at}");
}

/// Units that queued in the lane before a dock closed it for the unit that left the dock.
#[test]
fn the_queue_of_a_dock_begins_behind_the_lane_to_it() {
    let mut world = flat_world(44, 26, Config::default());
    // A dock at the end of a lane 5 cells long.
    world.place(&Stamp::solid(10, 4), cell(3, 8)).expect("inside the map");
    world.place(&Stamp::solid(10, 4), cell(3, 13)).expect("inside the map");
    world.place(&Stamp::solid(5, 1), cell(3, 12)).expect("inside the map");
    let kind = soldier(&mut world);
    let places: Vec<CellPos> = (0..5).map(|number| cell(20 + 2 * number, 12)).collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    let queue = Around::Dock { queue: Dir8::E.into() };
    world.order(&units, Order::around(cell(8, 12), queue)).expect("on the map");
    for _ in 0..40 {
        world.tick();
    }
    let mut slots: Vec<i32> =
        units.iter().map(|&unit| world.slot_of(unit).expect("a slot").x >> 16).collect();
    slots.sort_unstable();
    assert_eq!(slots[0], 8, "one unit docks");
    assert!(slots[1..].iter().all(|&x| x > 13), "the others wait outside the lane: {slots:?}");
}
