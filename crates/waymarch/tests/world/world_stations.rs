//! Orders to stand around something: in range with a line of fire, all around, beside a building, in line before a dock.

use std::collections::BTreeSet;

use waymarch::avoid::Fine;
use waymarch::base::{Angle, CellPos, CellRect, Dir8, Fixed, LocomotorId, StampId, Vec2, cell};
use waymarch::config::Config;
use waymarch::cost::{CornerRule, Stamp, StepRule};
use waymarch::groups::room_between;
use waymarch::search::line_of_sight_between;
use waymarch::world::{
    Around, CommandError, EventKind, Fire, GiveUp, Order, OrderError, PlayerId, Target, UnitId, World,
};
use waymarch_testkit::worlds::{flat_world, soldier};

use crate::squads::apart;

fn squad(world: &mut World, at: CellPos, wide: u32, high: u32) -> Vec<UnitId> {
    let kind = soldier(world);
    let places: Vec<CellPos> = CellRect::at(at, wide, high).cells().collect();
    world.spawn_many(kind, PlayerId(0), &places).expect("open ground")
}

/// The number of events of a kind within `ticks` ticks. Checks that no unit gives up.
fn count(world: &mut World, ticks: u32, what: EventKind) -> usize {
    let mut seen = 0;
    for _ in 0..ticks {
        world.tick();
        for event in world.events() {
            assert!(!matches!(event.what, EventKind::GaveUp(_)), "{event:?}");
            seen += usize::from(event.what == what);
        }
    }
    seen
}

fn at(world: &World, unit: UnitId) -> Fine {
    world.place_of(unit).expect("alive")
}

/// Checks that all units stand in slots of their own that are far enough apart.
fn assert_spaced(world: &World, units: &[UnitId]) {
    let slots: Vec<Fine> = units.iter().map(|&unit| world.slot_of(unit).expect("it has one")).collect();
    let half = world.types()[0].radius;
    let room = room_between(half, half, Fixed::ZERO) as u64;
    for (number, a) in slots.iter().enumerate() {
        assert!(slots[..number].iter().all(|b| a.distance_squared(*b) >= room * room), "{a:?}");
    }
    for (&unit, &slot) in units.iter().zip(&slots) {
        assert!(
            apart(at(world, unit), slot) < 300,
            "{unit} is {} from its slot",
            apart(at(world, unit), slot)
        );
    }
}

#[test]
fn guns_stand_in_range_with_a_line_of_sight_and_face_their_target() {
    let mut world = flat_world(80, 64, Config::default());
    let units = squad(&mut world, cell(5, 28), 3, 4);
    let target = cell(50, 30);
    for y in [24, 36] {
        world.place(&Stamp::solid(2, 9), cell(44, y - 4)).expect("room");
    }
    let foot = world.types()[0].agent.locomotor;
    let how =
        Around::InRange { least: Fixed::from_cells(4), most: Fixed::from_cells(12), fire: Fire::Along(foot) };
    world.order(&units, Order::around(target, how)).expect("good");
    assert_eq!(count(&mut world, 700, EventKind::Arrived), 12);
    assert_spaced(&world, &units);
    let field = world.nav().layer().field(foot.into()).expect("costs");
    for &unit in &units {
        let far = apart(at(&world, unit), Fine::centre(target));
        assert!((4 * 1024 - 300..=12 * 1024 + 300).contains(&far), "{far}");
        let rule = StepRule { corners: CornerRule::AllowOne, ..StepRule::default() };
        let slot = world.slot_of(unit).expect("it has one");
        let from = Vec2::from(slot);
        assert!(line_of_sight_between(field, rule, from, target.centre()), "{slot:?} does not see {target}");
        let here = at(&world, unit);
        let to = Fine::centre(target);
        let towards = Angle::atan2((to.y - here.y) >> 1, (to.x - here.x) >> 1);
        let facing = world.unit(unit).expect("alive").facing;
        assert!(facing.turn_to(towards).unsigned_abs() < 2048, "{facing:?}, not {towards:?}");
    }
}

#[test]
fn a_building_is_fired_at_from_outside() {
    let mut world = flat_world(80, 64, Config::default());
    let units = squad(&mut world, cell(5, 28), 2, 4);
    let house = world.place(&Stamp::solid(4, 4), cell(48, 28)).expect("room");
    let foot = world.types()[0].agent.locomotor;
    let how = Around::InRange { least: Fixed::ZERO, most: Fixed::from_cells(9), fire: Fire::Along(foot) };
    world.order(&units, Order::around(house, how)).expect("good");
    assert_eq!(count(&mut world, 700, EventKind::Arrived), 8);
    assert_spaced(&world, &units);
    for &unit in &units {
        let far = apart(at(&world, unit), Fine::new(50 << 16, 30 << 16));
        assert!(far <= 9 * 1024 + 300, "{far}");
        assert!(at(&world, unit).cell().x < 50, "on the side they come from");
    }
}

#[test]
fn a_moving_target_is_kept_in_range_and_its_end_ends_the_order() {
    let mut world = flat_world(96, 64, Config::default());
    let units = squad(&mut world, cell(5, 28), 2, 4);
    let kind = world.unit(units[0]).expect("alive").kind;
    let prey = world.spawn(kind, PlayerId(1), cell(30, 30)).expect("open");
    let how = Around::in_range(Fixed::from_cells(3), Fixed::from_cells(7));
    world.order(&units, Order::around(prey, how)).expect("good");
    assert!(count(&mut world, 400, EventKind::InPlace) >= 8);
    world.order(&[prey], Order::move_to(cell(80, 50))).expect("good");
    count(&mut world, 900, EventKind::InPlace);
    assert_eq!(world.cell_of(prey), Some(cell(80, 50)));
    for &unit in &units {
        let far = apart(at(&world, unit), at(&world, prey));
        assert!((2 * 1024..=8 * 1024 + 512).contains(&far), "{unit} is {far} away");
        assert_eq!(world.orders_of(unit).count(), 1, "the order lasts as long as its target");
    }
    world.remove(prey).expect("alive");
    world.tick();
    let gone = |what| what == EventKind::GaveUp(GiveUp::TargetGone);
    assert_eq!(world.events().iter().filter(|event| gone(event.what)).count(), 8);
    assert!(units.iter().all(|&unit| world.orders_of(unit).count() == 0));
}

#[test]
fn a_target_is_surrounded_on_all_sides() {
    let mut world = flat_world(64, 64, Config::default());
    let units = squad(&mut world, cell(5, 28), 2, 4);
    world.order(&units, Order::around(cell(40, 30), Around::Surround)).expect("good");
    assert_eq!(count(&mut world, 600, EventKind::Arrived), 8);
    assert_spaced(&world, &units);
    let middle = Fine::centre(cell(40, 30));
    let sides: BTreeSet<(bool, bool)> =
        units.iter().map(|&unit| (at(&world, unit).x < middle.x, at(&world, unit).y < middle.y)).collect();
    assert_eq!(sides.len(), 4, "{sides:?}");
    assert!(units.iter().all(|&unit| apart(at(&world, unit), middle) < 3 * 1024));
}

#[test]
fn units_park_along_a_building() {
    let mut world = flat_world(64, 64, Config::default());
    let units = squad(&mut world, cell(5, 28), 2, 5);
    let area = CellRect::at(cell(36, 26), 6, 8);
    let house = world.place(&Stamp::solid(6, 8), cell(36, 26)).expect("room");
    world.order(&units, Order::around(house, Around::Park)).expect("good");
    assert_eq!(count(&mut world, 600, EventKind::Arrived), 10);
    assert_spaced(&world, &units);
    for &unit in &units {
        let here = at(&world, unit).cell();
        assert!(!area.contains(here) && area.grow(2, 2).contains(here), "{here}");
    }
}

#[test]
fn at_a_dock_one_unit_has_the_berth_and_the_others_move_up_when_it_leaves() {
    let mut world = flat_world(64, 64, Config::default());
    let units = squad(&mut world, cell(5, 28), 1, 5);
    let place = cell(40, 30);
    world.order(&units, Order::around(place, Around::Dock { queue: Dir8::W.into() })).expect("good");
    let mut order = Vec::new();
    for round in 0..5 {
        let mut docked = None;
        for _ in 0..700 {
            world.tick();
            for event in world.events() {
                assert!(!matches!(event.what, EventKind::GaveUp(_)), "{event:?}");
                if event.what == EventKind::Arrived && world.cell_of(event.unit) == Some(place) {
                    docked = Some(event.unit);
                }
            }
            if docked.is_some() {
                break;
            }
        }
        let docked = docked.unwrap_or_else(|| panic!("no unit came to the berth in round {round}"));
        assert!(!order.contains(&docked), "{docked} again");
        order.push(docked);
        // The other units wait in a line to the west and do not push in.
        (0..200).for_each(|_| world.tick());
        let there = units.iter().filter(|&&unit| world.cell_of(unit) == Some(place)).count();
        assert_eq!(there, 1);
        let waiting: Vec<UnitId> = units.iter().copied().filter(|unit| !order.contains(unit)).collect();
        for &unit in &waiting {
            let here = at(&world, unit).cell();
            assert!(here.x < place.x && here.y.abs_diff(place.y) <= 1, "{unit} waits at {here}");
        }
        world.order(&[docked], Order::move_to(cell(50, 50 + round))).expect("good");
    }
    // Units are served in the order of the line and do not overtake each other.
    assert_eq!(order.len(), 5);
}

#[test]
fn a_dock_beside_a_building_is_on_the_side_of_its_queue() {
    let mut world = flat_world(64, 64, Config::default());
    let units = squad(&mut world, cell(5, 28), 1, 3);
    let house = world.place(&Stamp::solid(4, 4), cell(40, 30)).expect("room");
    world.order(&units, Order::around(house, Around::Dock { queue: Dir8::S.into() })).expect("good");
    assert_eq!(count(&mut world, 700, EventKind::Arrived), 1);
    let docked = units.iter().find(|&&unit| world.orders_of(unit).count() == 0).expect("one is there");
    let here = at(&world, *docked).cell();
    assert!(here.y == 34 && (41..=42).contains(&here.x), "{here}");
    world.remove(*docked).expect("alive");
    assert_eq!(count(&mut world, 300, EventKind::Arrived), 1, "the next unit is at the berth");
}

#[test]
fn wrong_targets_and_ranges_are_refused_with_the_culprit() {
    let mut world = flat_world(64, 64, Config::default());
    let units = squad(&mut world, cell(5, 28), 1, 2);
    let (near, far) = (Fixed::from_cells(3), Fixed::from_cells(2));
    let off = cell(70, 3);
    let size = world.nav().layer().grid();
    let unknown = UnitId::DEAD;
    let no_shots = LocomotorId(200);
    let refusals = [
        (Order::around(off, Around::Park), OrderError::TargetOffMap { at: off, size }),
        (
            Order::around(cell(9, 9), Around::in_range(near, far)),
            OrderError::Reach { what: "least", value: near, expected: "0..=most" },
        ),
        (Order::around(unknown, Around::Surround), OrderError::NoTarget(unknown)),
        (Order::around(StampId::DEAD, Around::Park), OrderError::NoStamp(StampId::DEAD)),
        (
            Order::Around { target: Target::Unit(units[1]), how: Around::Dock { queue: Angle::ZERO } },
            OrderError::MovingDock(units[1]),
        ),
        (
            Order::around(
                cell(9, 9),
                Around::InRange { least: far, most: near, fire: Fire::Along(no_shots) },
            ),
            OrderError::NoLocomotor(no_shots),
        ),
        (
            Order::guard(cell(9, 9), Fixed::from_cells(65)),
            OrderError::Reach { what: "leash", value: Fixed::from_cells(65), expected: "0..=64 cells" },
        ),
        (Order::FollowGroup { units: Vec::new(), distance: far }, OrderError::GroupSize(0)),
    ];
    let before = world.state_hash();
    for (order, expected) in refusals {
        assert_eq!(world.order(&units[..1], order), Err(CommandError::Order(expected)));
    }
    let own = Order::around(units[0], Around::Surround);
    assert_eq!(world.order(&units, own), Err(CommandError::FollowsItself(units[0])));
    assert_eq!(world.state_hash(), before, "nothing was changed");
}
