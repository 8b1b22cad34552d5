//! Units that change: another owner, another type, a speed factor, hidden units.

use waymarch::base::{Agent, CellPos, CellRect, CollisionLayers, Dir8, Fixed, SizeClass, cell};
use waymarch::config::{Config, GroupSpeed};
use waymarch::cost::{Rules, Stamp};
use waymarch::query::Goal;
use waymarch::world::{
    CommandError, Concealment, EventKind, GiveUp, Mover, Order, PlayerId, SpawnPlace, UnitFilter, UnitId,
    UnitType, UnitTypeId, WhenTaken, World,
};
use waymarch_testkit::worlds::{flat_world, soldier};

use crate::squads::{block, field};
use crate::twins::{self, WALL, goes_on_alike, rules_with_air, units_in_all};

const NOW: PlayerId = PlayerId(0);
const THEN: PlayerId = PlayerId(1);

fn add(world: &mut World, locomotor: &str, kind: impl FnOnce(UnitType) -> UnitType) -> UnitTypeId {
    let locomotor = world.nav().locomotor(locomotor).expect("in the rules");
    world.add_type(kind(UnitType::new("another", locomotor))).expect("legal")
}

/// What happened to a unit in the last tick.
fn told(world: &World, unit: UnitId) -> Vec<EventKind> {
    world.events().iter().filter(|event| event.unit == unit).map(|event| event.what).collect()
}

#[test]
fn a_captured_unit_ends_its_orders_with_one_event_and_its_group_goes_on() {
    let mut world = field(64, 48);
    let squad = block(&mut world, cell(4, 4), 3, 3);
    world.order(&squad, Order::move_to(cell(50, 30))).expect("legal");
    world.queue(&squad, Order::move_to(cell(4, 40))).expect("legal");
    (0..60).for_each(|_| world.tick());
    let captured = squad[4];
    assert!(world.group_of(captured).is_some());
    world.set_owner(&[captured, captured], THEN).expect("alive");
    assert_eq!(world.unit(captured).map(|unit| unit.owner), Some(THEN));
    world.tick();
    assert_eq!(told(&world, captured), [EventKind::OwnerChanged(NOW)]);
    assert_eq!((world.orders_of(captured).count(), world.group_of(captured)), (0, None));
    let mut ends = 0;
    for _ in 0..2000 {
        world.tick();
        assert_eq!(told(&world, captured), []);
        ends += world.events().iter().filter(|event| event.what == EventKind::Arrived).count();
    }
    assert_eq!(ends, 16, "the other eight carry out both orders");
    world.set_owner(&[captured], THEN).expect("alive");
    world.tick();
    assert_eq!(told(&world, captured), [], "nothing has changed");
}

#[test]
fn a_captured_unit_makes_way_for_its_new_owner_and_is_seen_by_the_old_one() {
    let mut world = field(40, 3);
    world
        .apply(&waymarch::world::Command::SetTerrain { area: CellRect::at(cell(0, 0), 40, 1), terrain: WALL })
        .unwrap();
    world
        .apply(&waymarch::world::Command::SetTerrain { area: CellRect::at(cell(0, 2), 40, 1), terrain: WALL })
        .unwrap();
    let kind = soldier(&mut world);
    let idle = world.spawn(kind, NOW, cell(20, 1)).expect("open");
    let walker = world.spawn(kind, THEN, cell(4, 1)).expect("open");
    world
        .order(&[walker], Order::attack_move(Goal::point(cell(30, 1)), Fixed::from_cells(8)))
        .expect("legal");
    let mut kept = world.clone();
    world.set_owner(&[idle], THEN).expect("alive");
    let mut seen = [0, 0];
    for _ in 0..600 {
        for (world, seen) in [&mut world, &mut kept].into_iter().zip(&mut seen) {
            world.tick();
            *seen += told(world, walker).iter().filter(|what| **what == EventKind::Sighted(idle)).count();
        }
    }
    assert_eq!(seen, [0, 1], "only an enemy is sighted");
    assert_eq!(world.cell_of(walker), Some(cell(30, 1)), "the captured unit is pushed along");
    assert!(kept.cell_of(walker).expect("alive").x < 21, "an enemy does not make way");
}

#[test]
fn an_upgraded_unit_keeps_id_place_facing_and_orders_and_arrives() {
    let mut world = field(64, 64);
    let kind = soldier(&mut world);
    let big = world.nav().locomotor("track").expect("in the rules");
    let size = SizeClass::new(2).expect("legal");
    let walker = UnitType::vehicle("walker", Agent { locomotor: big, size });
    let walker =
        world.add_type(UnitType { turning: waymarch::avoid::Turning::Free, ..walker }).expect("legal");
    let unit = world.spawn(kind, NOW, cell(5, 5)).expect("open");
    world.order(&[unit], Order::move_to(cell(40, 5))).expect("legal");
    world.queue(&[unit], Order::move_to(cell(40, 40))).expect("legal");
    (0..80).for_each(|_| world.tick());
    let before = (world.place_of(unit), world.unit(unit).map(|unit| unit.facing));
    world.set_kind(&[unit], walker).expect("open ground");
    assert_eq!((world.place_of(unit), world.unit(unit).map(|unit| unit.facing)), before);
    assert_eq!((world.unit(unit).map(|unit| unit.kind), world.orders_of(unit).count()), (Some(walker), 2));
    world.tick();
    assert_eq!(told(&world, unit), [EventKind::KindChanged(kind)]);
    let mut arrivals = 0;
    for _ in 0..1500 {
        world.tick();
        arrivals += told(&world, unit).iter().filter(|what| **what == EventKind::Arrived).count();
    }
    assert_eq!((arrivals, world.cell_of(unit)), (2, Some(cell(40, 40))));
}

#[test]
fn a_member_that_is_upgraded_gets_a_slot_of_its_group_again() {
    let mut world = field(96, 48);
    let squad = block(&mut world, cell(4, 10), 4, 4);
    let tank = add(&mut world, "track", |kind| UnitType { speed: Fixed::from_raw(96), ..kind });
    world.order(&squad, Order::move_to(cell(70, 20))).expect("legal");
    (0..100).for_each(|_| world.tick());
    let group = world.group_of(squad[0]).expect("a group");
    world.set_kind(&squad[5..7], tank).expect("open ground");
    (0..2).for_each(|_| world.tick());
    assert!(squad.iter().all(|&unit| world.group_of(unit) == Some(group)));
    let mut arrived = 0;
    for _ in 0..1500 {
        world.tick();
        arrived += world.events().iter().filter(|event| event.what == EventKind::Arrived).count();
    }
    assert_eq!(arrived, 16);
}

#[test]
fn closed_ground_refuses_a_type_and_names_the_cell() {
    let mut world =
        twins::field(32, 32, Rules::standard(), Config { size_classes: vec![1, 2, 3], ..Config::default() });
    let kind = soldier(&mut world);
    let size = SizeClass::new(3).expect("legal");
    let locomotor = world.nav().locomotor("track").expect("in the rules");
    let large = world.add_type(UnitType::new("large", Agent { locomotor, size })).expect("legal");
    let (free, edge) = (cell(10, 10), cell(0, 10));
    let units = world.spawn_many(kind, NOW, &[free, edge]).expect("open");
    let before = world.save();
    let refused = world.set_kind(&units, large);
    assert_eq!(refused, Err(CommandError::Closed { kind: large, at: edge }));
    assert_eq!(
        refused.unwrap_err().to_string(),
        format!("cell (0, 10) is closed to units of type {}", large.0)
    );
    assert_eq!(world.save(), before, "not even the first unit has changed");
    world.set_kind(&units[..1], large).expect("open ground");
    assert_eq!(world.set_kind(&units[..1], UnitTypeId(99)), Err(CommandError::UnknownType(UnitTypeId(99))));
}

#[test]
fn a_unit_that_deploys_into_a_type_without_speed_gives_up_its_orders() {
    let mut world = field(32, 32);
    let kind = soldier(&mut world);
    let turret = add(&mut world, "foot", |kind| UnitType { speed: Fixed::ZERO, ..kind });
    let unit = world.spawn(kind, NOW, cell(4, 4)).expect("open");
    world.order(&[unit], Order::move_to(cell(30, 4))).expect("legal");
    world.queue(&[unit], Order::Hold).expect("legal");
    (0..20).for_each(|_| world.tick());
    world.set_kind(&[unit], turret).expect("open ground");
    let at = world.place_of(unit);
    world.tick();
    assert_eq!(told(&world, unit), [EventKind::KindChanged(kind), EventKind::GaveUp(GiveUp::Immobile)]);
    (0..100).for_each(|_| world.tick());
    assert_eq!((world.place_of(unit), world.orders_of(unit).count()), (at, 0));
}

#[test]
fn an_upgrade_changes_collision_layers_and_the_mover() {
    let mut world = twins::field(32, 8, rules_with_air(), Config::default());
    let kind = soldier(&mut world);
    let plane = add(&mut world, "air", |kind| UnitType { mover: Mover::Game, ..kind });
    let unit = world.spawn(kind, NOW, cell(4, 4)).expect("open");
    let other = world.spawn(kind, THEN, cell(12, 4)).expect("open");
    world.order(&[other], Order::Hold).expect("legal");
    world.tick();
    world.set_kind(&[unit], plane).expect("the air is open");
    let in_the_air = UnitFilter::ALL.on_layers(CollisionLayers::AIR);
    assert_eq!(units_in_all(&world, in_the_air), [unit]);
    let before = world.place_of(unit);
    world.order(&[unit], Order::move_to(cell(28, 4))).expect("legal");
    (0..40).for_each(|_| world.tick());
    assert_eq!(world.place_of(unit), before, "the game moves it now");
    assert!(world.desired_velocity(unit).x > Fixed::ZERO);
    world.set_kind(&[unit], kind).expect("open ground");
    (0..400).for_each(|_| world.tick());
    assert_eq!(world.cell_of(unit), Some(cell(28, 4)));
}

/// The ticks until a lone unit with this speed factor has walked 40 cells.
fn ticks_for_40_cells(percent: u16) -> u32 {
    let mut world = field(64, 8);
    let kind = soldier(&mut world);
    let unit = world.spawn(kind, NOW, cell(3, 3)).expect("open");
    world.set_speed(&[unit], percent).expect("in range");
    assert_eq!(world.unit(unit).map(|unit| unit.speed), Some(percent));
    world.order(&[unit], Order::move_to(cell(43, 3))).expect("legal");
    world.tick();
    let estimate = world.ticks_left(&[unit]).expect("alive").ticks;
    let needed = (1..).find(|_| {
        world.tick();
        told(&world, unit).contains(&EventKind::Arrived)
    });
    let needed: u32 = needed.expect("the unit arrives");
    assert!(estimate.abs_diff(needed) * 20 < needed, "{percent} %: estimate {estimate}, needed {needed}");
    needed
}

#[test]
fn a_speed_factor_changes_the_time_for_a_way_and_the_estimate_alike() {
    let usual = ticks_for_40_cells(100);
    for percent in [10, 25, 50, 200, 300] {
        let needed = ticks_for_40_cells(percent);
        let expected = usual * 100 / u32::from(percent);
        assert!(
            needed.abs_diff(expected) * 12 < expected,
            "{percent} %: {needed} ticks, not about {expected}"
        );
    }
}

#[test]
fn a_slowed_unit_is_not_taken_for_a_stuck_one() {
    let mut world = field(64, 8);
    let kind = soldier(&mut world);
    let unit = world.spawn(kind, NOW, cell(3, 3)).expect("open");
    world.set_speed(&[unit], 10).expect("in range");
    world.order(&[unit], Order::move_to(cell(33, 3))).expect("legal");
    for _ in 0..3000 {
        world.tick();
        let bad = |what: &EventKind| matches!(what, EventKind::RouteChanged(_) | EventKind::GaveUp(_));
        assert!(!told(&world, unit).iter().any(bad));
    }
    assert_eq!(world.cell_of(unit), Some(cell(33, 3)));
}

#[test]
fn haste_and_fast_ground_together_give_three_times_the_speed_and_never_more_than_a_cell() {
    let mut rules = Rules::standard();
    let foot = waymarch::base::LocomotorId(0);
    rules.set_speed(waymarch::cost::TerrainId(0), foot, Some(250));
    let mut world = twins::field(128, 8, rules, Config::default());
    let kind = soldier(&mut world);
    let fast = add(&mut world, "foot", |kind| UnitType { speed: Fixed::from_raw(700), ..kind });
    let slow = world.spawn(kind, NOW, cell(3, 2)).expect("open");
    let quick = world.spawn(fast, NOW, cell(3, 5)).expect("open");
    world.set_speed(&[slow, quick], 300).expect("in range");
    world.order(&[slow], Order::move_to(cell(100, 2))).expect("legal");
    world.order(&[quick], Order::move_to(cell(100, 5))).expect("legal");
    let mut top = [Fixed::ZERO; 2];
    for _ in 0..100 {
        world.tick();
        for (top, unit) in top.iter_mut().zip([slow, quick]) {
            *top = (*top).max(world.unit(unit).expect("alive").velocity.x);
        }
    }
    assert_eq!(top, [Fixed::from_raw(384), Fixed::ONE]);
}

#[test]
fn a_group_walks_as_fast_as_its_slowed_member_until_that_is_itself_again() {
    let mut world = flat_world(128, 48, Config { group_speed: GroupSpeed::Slowest, ..Config::default() });
    let squad = block(&mut world, cell(4, 10), 4, 4);
    world.order(&squad, Order::move_to(cell(110, 20))).expect("legal");
    let leaders = |world: &mut World, ticks: u32| {
        let x = |world: &World| squad.iter().map(|&unit| world.place_of(unit).expect("alive").x).sum::<i32>();
        let before = x(world);
        (0..ticks).for_each(|_| world.tick());
        (x(world) - before) / 16
    };
    let usual = leaders(&mut world, 160);
    world.set_speed(&squad[3..4], 50).expect("in range");
    leaders(&mut world, 20);
    let slowed = leaders(&mut world, 160);
    world.set_speed(&squad[3..4], 100).expect("in range");
    leaders(&mut world, 20);
    let again = leaders(&mut world, 160);
    assert!(slowed * 100 < usual * 60 && slowed * 100 > usual * 40, "{usual} {slowed}");
    assert!(again * 100 > usual * 95, "{usual} {again}");
}

#[test]
fn a_world_without_changed_units_keeps_its_hash() {
    let mut world = field(32, 32);
    let squad = block(&mut world, cell(4, 4), 3, 3);
    world.order(&squad, Order::move_to(cell(20, 20))).expect("legal");
    (0..20).for_each(|_| world.tick());
    let before = world.state_hash();
    world.set_speed(&squad, 150).expect("in range");
    world.set_concealment(&squad, Concealment::Hidden).expect("alive");
    assert_ne!(world.state_hash(), before);
    world.set_speed(&squad, 100).expect("in range");
    world.set_concealment(&squad, Concealment::Visible).expect("alive");
    assert_eq!(world.state_hash(), before);
}

#[test]
fn a_speed_out_of_range_is_refused() {
    let mut world = field(16, 16);
    let kind = soldier(&mut world);
    let unit = world.spawn(kind, NOW, cell(3, 3)).expect("open");
    for percent in [0, 9, 301, u16::MAX] {
        assert_eq!(world.set_speed(&[unit], percent), Err(CommandError::Speed(percent)));
    }
    assert_eq!(world.set_speed(&[], 50), Err(CommandError::NoUnits));
    assert_eq!(world.set_speed(&[unit, UnitId::DEAD], 50), Err(CommandError::NoSuchUnit(UnitId::DEAD)));
    assert_eq!(world.unit(unit).map(|unit| unit.speed), Some(100));
}

#[test]
fn a_hidden_unit_is_not_sighted_and_blocks_as_before() {
    let run = |concealment: Concealment| {
        let mut world = field(48, 9);
        let kind = soldier(&mut world);
        let hero = world.spawn(kind, NOW, cell(3, 4)).expect("open");
        let spy = world.spawn(kind, THEN, cell(20, 4)).expect("open");
        world.order(&[spy], Order::Hold).expect("legal");
        world.set_concealment(&[spy], concealment).expect("alive");
        world
            .order(&[hero], Order::attack_move(Goal::point(cell(40, 4)), Fixed::from_cells(6)))
            .expect("legal");
        let (mut seen, mut places) = (0, Vec::new());
        for _ in 0..400 {
            world.tick();
            seen += told(&world, hero).iter().filter(|what| **what == EventKind::Sighted(spy)).count();
            places.push(world.place_of(hero));
        }
        let mut found = Vec::new();
        let at = world.unit(spy).expect("alive").position;
        world.nearest_units(at, 1, UnitFilter::ALL.enemies_of(NOW).seen_by(NOW), &mut found);
        let own = world.unit_at(at, UnitFilter::ALL.seen_by(THEN));
        (seen, found.len(), own == Some(spy), places)
    };
    let (visible, hidden) = (run(Concealment::Visible), run(Concealment::Hidden));
    assert_eq!((visible.0, visible.1, visible.2), (1, 1, true));
    assert_eq!((hidden.0, hidden.1, hidden.2), (0, 0, true));
    assert_eq!(visible.3, hidden.3, "a hidden unit is as solid as before");
}

/// As [`World::spawn_at`] with `Spread`: looks at all cells within 16 cells, and at all units.
fn slow_free_cell(world: &World, kind: UnitTypeId, at: CellPos) -> Option<CellPos> {
    let new = world.unit_type(kind)?;
    let layers = world.layers_of_type(kind)?;
    let mut all: Vec<CellPos> = CellRect::at(at, 1, 1).grow(16, 16).cells().collect();
    all.sort_by_key(|to| ((to.x - at.x).pow(2) + (to.y - at.y).pow(2), to.y, to.x));
    all.into_iter().find(|&to| {
        world.nav().layer().field(new.agent).is_some_and(|field| field.is_passable(to))
            && world.nav().layer().can_stop(to, new.agent)
            && (to == at || world.nav().reachable(to, at, new.agent))
            && world.units().all(|unit| {
                let other = world.unit_type(unit.kind).expect("known");
                let touch = f64::from(other.radius.raw() + new.radius.raw()) / 1024.0;
                let shift = if new.agent.size.side() % 2 == 0 { 1.0 } else { 0.5 };
                let x = f64::from(unit.position.x.raw()) / 1024.0 - f64::from(to.x) - shift;
                let y = f64::from(unit.position.y.raw()) / 1024.0 - f64::from(to.y) - shift;
                !world.layers_of_type(unit.kind).expect("known").meets(layers) || x.hypot(y) >= touch
            })
    })
}

#[test]
fn units_spread_to_the_nearest_free_cells_as_a_slow_search_finds_them() {
    let config = Config { size_classes: vec![1, 2], ..Config::default() };
    let mut world = twins::field(40, 40, rules_with_air(), config);
    world.place(&Stamp::solid(3, 9), cell(14, 8)).expect("it fits");
    let foot = soldier(&mut world);
    let size = SizeClass::new(2).expect("legal");
    let large = twins::soldier(&mut world, size);
    let air = add(&mut world, "air", |kind| kind);
    let exit = cell(12, 12);
    for number in 0..60 {
        let kind = [foot, large, air, foot][number % 4];
        let place = SpawnPlace { facing: Dir8::W.into(), taken: WhenTaken::Spread, ..exit.into() };
        let expected = slow_free_cell(&world, kind, exit);
        let before = world.unit_count();
        match world.spawn_at(kind, NOW, place) {
            Ok(unit) => {
                assert_eq!(world.cell_of(unit), expected, "unit {number}");
                assert_eq!(world.unit(unit).map(|unit| unit.facing), Some(Dir8::W.into()));
            }
            Err(error) => {
                assert_eq!((expected, world.unit_count()), (None, before), "{error}");
            }
        }
    }
    assert!(world.unit_count() > 55, "{}", world.unit_count());
}

#[test]
fn a_taken_cell_refuses_a_unit_and_names_the_one_that_stands_there() {
    let mut world = twins::field(16, 16, rules_with_air(), Config::default());
    let kind = soldier(&mut world);
    let air = add(&mut world, "air", |kind| kind);
    let first = world.spawn(kind, NOW, cell(5, 5)).expect("open");
    let strict = SpawnPlace { taken: WhenTaken::Refuse, ..cell(5, 5).into() };
    assert_eq!(world.spawn_at(kind, THEN, strict), Err(CommandError::Taken { at: cell(5, 5), unit: first }));
    world.spawn_at(air, THEN, strict).expect("another layer");
    world.spawn_at(kind, THEN, SpawnPlace { at: cell(6, 5), ..strict }).expect("free");
    for _ in 0..10 {
        world.spawn(kind, NOW, cell(5, 5)).expect("the default lets bodies overlap");
    }
}

#[test]
fn a_full_place_refuses_a_unit_that_should_spread() {
    let mut world = field(9, 1);
    let kind = soldier(&mut world);
    world.spawn_many(kind, NOW, &(0..9).map(|x| cell(x, 0)).collect::<Vec<_>>()).expect("open");
    let place = SpawnPlace { taken: WhenTaken::Spread, ..cell(4, 0).into() };
    assert!(matches!(world.spawn_at(kind, NOW, place), Err(CommandError::Taken { .. })));
}

#[test]
fn changed_units_go_on_after_loading_and_restoring() {
    let mut world = field(64, 48);
    let squad = block(&mut world, cell(4, 4), 4, 4);
    let tank = add(&mut world, "track", |kind| kind);
    world.order(&squad, Order::move_to(cell(50, 30))).expect("legal");
    (0..40).for_each(|_| world.tick());
    world.set_speed(&squad[..5], 60).expect("in range");
    world.set_concealment(&squad[3..9], Concealment::Hidden).expect("alive");
    world.set_owner(&squad[8..10], THEN).expect("alive");
    world.set_kind(&squad[9..12], tank).expect("open ground");
    goes_on_alike(world, 30, 300);
}
