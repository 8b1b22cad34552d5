//! Groups that change while they move: deaths, splits, merges, joining units, new formations, halts. Orders without a goal.

use std::collections::BTreeSet;

use waymarch::avoid::Fine;
use waymarch::base::{CellPos, CellRect, Dir8, Fixed, cell};
use waymarch::config::{Config, GroupSpeed};
use waymarch::cost::Stamp;
use waymarch::groups::{Formation, Role};
use waymarch::query::Goal;
use waymarch::world::{
    CommandError, EventKind, GiveUp, Order, PlayerId, Stance, UnitId, UnitType, UnitTypeId, World,
};
use waymarch_testkit::worlds::{flat_world, soldier};

use crate::squads::apart;

fn block(world: &mut World, kind: UnitTypeId, at: CellPos, wide: u32, high: u32) -> Vec<UnitId> {
    let places: Vec<CellPos> = CellRect::at(at, wide, high).cells().collect();
    world.spawn_many(kind, PlayerId(0), &places).expect("open ground")
}

fn run(world: &mut World, ticks: u32) -> Vec<(UnitId, EventKind)> {
    let mut seen = Vec::new();
    for _ in 0..ticks {
        world.tick();
        seen.extend(world.events().iter().map(|event| (event.unit, event.what)));
    }
    seen
}

fn arrivals(events: &[(UnitId, EventKind)]) -> usize {
    assert!(!events.iter().any(|(_, what)| matches!(what, EventKind::GaveUp(_))), "{events:?}");
    events.iter().filter(|(_, what)| *what == EventKind::Arrived).count()
}

fn slots(world: &World, units: &[UnitId]) -> Vec<Fine> {
    units.iter().map(|&unit| world.slot_of(unit).expect("it has one")).collect()
}

fn assert_in_slots(world: &World, units: &[UnitId]) {
    let slots = slots(world, units);
    assert_eq!(slots.iter().collect::<BTreeSet<_>>().len(), units.len(), "all slots differ");
    for (&unit, &slot) in units.iter().zip(&slots) {
        let off = apart(world.place_of(unit).expect("alive"), slot);
        assert!(off < 300, "{unit} is {off} from its slot");
    }
}

/// Checks that every unit is within a cell of its old position: units may have stepped aside.
fn assert_stood(world: &World, units: &[UnitId], places: &[Fine]) {
    for (&unit, &before) in units.iter().zip(places) {
        let off = apart(world.place_of(unit).expect("alive"), before);
        assert!(off < 1024, "{unit} went by {off}");
    }
}

/// The extent of a group from west to east and from north to south, in cells.
fn extent(slots: &[Fine]) -> (i32, i32) {
    let side = |part: fn(&Fine) -> i32| {
        let parts = slots.iter().map(part);
        (parts.clone().max().expect("some") - parts.min().expect("some")) >> 16
    };
    (side(|at| at.x), side(|at| at.y))
}

#[test]
fn ranks_close_up_when_some_die_on_the_way() {
    let mut world = flat_world(96, 64, Config::default());
    let kind = soldier(&mut world);
    let units = block(&mut world, kind, cell(5, 20), 5, 5);
    world.order(&units, Order::move_to(cell(70, 30)).formation(Formation::Box)).expect("good");
    run(&mut world, 60);
    let before = slots(&world, &units);
    let (dead, alive): (Vec<usize>, Vec<usize>) =
        (0..25).partition(|number| number % 25 < 16 && number % 2 == 0);
    dead.iter().for_each(|&number| world.remove(units[number]).expect("alive"));
    let left: Vec<UnitId> = alive.iter().map(|&number| units[number]).collect();
    let events = run(&mut world, 900);
    assert_eq!(arrivals(&events), left.len());
    assert_in_slots(&world, &left);
    let (wide, high) = extent(&slots(&world, &left));
    let (wide_before, high_before) = extent(&before);
    assert!(wide * high < wide_before * high_before, "{wide}×{high}, it was {wide_before}×{high_before}");
    assert!((wide - high).abs() <= 1, "the block has no holes: {wide}×{high}");
}

#[test]
fn some_split_off_and_others_merge() {
    let mut world = flat_world(96, 64, Config::default());
    let kind = soldier(&mut world);
    let one = block(&mut world, kind, cell(5, 10), 4, 4);
    let two = block(&mut world, kind, cell(5, 40), 4, 4);
    world.order(&one, Order::move_to(cell(60, 12))).expect("good");
    world.order(&two, Order::move_to(cell(60, 45))).expect("good");
    run(&mut world, 40);
    let (first, second) = (world.group_of(one[0]), world.group_of(two[0]));
    assert_ne!(first, second);
    // Half of the first group get another goal.
    world.order(&one[8..], Order::move_to(cell(30, 30))).expect("good");
    run(&mut world, 30);
    assert_eq!(world.group_of(one[0]), first);
    assert_ne!(world.group_of(one[8]), first);
    let (wide, high) = extent(&slots(&world, &one[..8]));
    assert!(wide.max(high) <= 3, "the other members close up: {wide}×{high}");
    // Then all units get one goal.
    let all: Vec<UnitId> = one.iter().chain(&two).copied().collect();
    world.order(&all, Order::move_to(cell(80, 30))).expect("good");
    world.tick();
    let group = world.group_of(all[0]);
    assert!(all.iter().all(|&unit| world.group_of(unit) == group));
    let events = run(&mut world, 1200);
    assert_eq!(arrivals(&events), 32);
    assert_in_slots(&world, &all);
    assert_eq!(world.groups().count(), 0, "groups end with their orders");
}

#[test]
fn a_unit_that_joins_late_has_a_slot_at_the_edge() {
    let mut world = flat_world(96, 64, Config::default());
    let kind = soldier(&mut world);
    let units = block(&mut world, kind, cell(5, 20), 4, 4);
    world.order(&units, Order::move_to(cell(70, 30))).expect("good");
    run(&mut world, 60);
    let soon = block(&mut world, kind, cell(20, 10), 2, 2);
    world.join(&soon, units[0]).expect("it has an order");
    world.tick();
    assert!(soon.iter().all(|&unit| world.group_of(unit) == world.group_of(units[0])));
    // The last units of the first group still move when the late units get their order.
    let late = block(&mut world, kind, cell(40, 50), 2, 2);
    let mut there = 0;
    while there < 10 {
        there += arrivals(&run(&mut world, 1));
    }
    let settled: Vec<UnitId> =
        units.iter().copied().filter(|&unit| world.orders_of(unit).count() == 0).collect();
    let kept = slots(&world, &settled);
    let leader =
        *units.iter().chain(&soon).find(|&&unit| world.orders_of(unit).count() > 0).expect("some go on");
    world.join(&late, leader).expect("it has an order");
    let events = run(&mut world, 800);
    let all: Vec<UnitId> = units.iter().chain(&soon).chain(&late).copied().collect();
    assert_eq!(there + arrivals(&events), all.len());
    assert_in_slots(&world, &all);
    assert_eq!(slots(&world, &settled).len(), kept.len());
    // Neighbours exchange slots, but the slots that late units add lie at the edge.
    let middle = Fine::centre(cell(70, 30));
    let mean =
        |slots: &[Fine]| slots.iter().map(|&slot| apart(slot, middle)).sum::<u64>() / slots.len() as u64;
    let mut added: Vec<Fine> = slots(&world, &all).into_iter().collect();
    added.retain(|slot| !kept.contains(slot));
    let kept: Vec<Fine> = kept.into_iter().collect();
    assert!(mean(&added) > mean(&kept), "slots of late units are at the edge");
    assert_eq!(world.join(&late, all[0]), Err(CommandError::NothingToJoin(all[0])));
}

#[test]
fn a_formation_changes_while_the_group_moves() {
    let mut world = flat_world(96, 64, Config::default());
    let kind = soldier(&mut world);
    let units = block(&mut world, kind, cell(5, 28), 4, 4);
    world.order(&units, Order::move_to(cell(75, 30))).expect("good");
    run(&mut world, 100);
    let group = world.group_of(units[0]).expect("they go together");
    assert_eq!(world.formation_of(group), Some((&Formation::Box, None)), "the chosen formation is kept");
    world.reform(&units[..1], &Formation::Line, Some(Dir8::N.into())).expect("they go together");
    run(&mut world, 2);
    assert_eq!(world.formation_of(group), Some((&Formation::Line, Some(Dir8::N.into()))));
    let (wide, high) = extent(&slots(&world, &units));
    assert!(wide >= 11 && high == 0, "a line that faces north: {wide}×{high}");
    for _ in 0..30 {
        world.tick();
        assert!(units.iter().all(|&unit| world.unit(unit).expect("alive").stance == Stance::Moving));
    }
    assert_eq!(arrivals(&run(&mut world, 900)), 16);
    assert_in_slots(&world, &units);
    for &unit in &units {
        let facing = world.unit(unit).expect("alive").facing;
        assert_eq!(facing, Dir8::N.into(), "the units face north");
    }
    assert_eq!(
        world.reform(&units, &Formation::Line, None),
        Err(CommandError::NotInFormation(units[0])),
        "all units arrived"
    );
}

#[test]
fn front_units_stand_in_front_and_guns_behind() {
    let mut world = flat_world(96, 64, Config::default());
    let foot = world.nav().locomotor("foot").expect("in the rules");
    let shields = UnitType { role: Role::Front, ..UnitType::new("shield", foot) };
    let guns = UnitType { role: Role::Back, ..UnitType::new("gun", foot) };
    let (shields, guns) = (world.add_type(shields).expect("legal"), world.add_type(guns).expect("legal"));
    let back = block(&mut world, guns, cell(14, 20), 2, 4);
    let front = block(&mut world, shields, cell(5, 20), 2, 4);
    let all: Vec<UnitId> = front.iter().chain(&back).copied().collect();
    world.order(&all, Order::move_to(cell(70, 30)).formation(Formation::Box).facing(Dir8::E)).expect("good");
    assert_eq!(arrivals(&run(&mut world, 1200)), 16);
    assert_in_slots(&world, &all);
    let nearest = slots(&world, &front).iter().map(|at| at.x).min().expect("some");
    let farthest = slots(&world, &back).iter().map(|at| at.x).max().expect("some");
    assert!(nearest > farthest, "the group faces east: the shields are farther east");
}

#[test]
fn an_attack_move_reports_enemies_halts_on_command_and_resumes() {
    let mut world = flat_world(96, 64, Config::default());
    let kind = soldier(&mut world);
    let units = block(&mut world, kind, cell(5, 28), 3, 3);
    let enemy = world.spawn(kind, PlayerId(1), cell(45, 36)).expect("open");
    let order = Order::attack_move(Goal::point(cell(80, 30)), Fixed::from_cells(8));
    world.order(&units, order).expect("good");
    let mut engaged: BTreeSet<UnitId> = BTreeSet::new();
    let mut arrived = 0;
    for _ in 0..500 {
        world.tick();
        let seen: Vec<UnitId> = world
            .events()
            .iter()
            .filter(|event| event.what == EventKind::Sighted(enemy))
            .map(|event| event.unit)
            .collect();
        for unit in seen {
            assert!(engaged.insert(unit), "{unit} is told once");
            let far = apart(world.place_of(unit).expect("alive"), world.place_of(enemy).expect("alive"));
            assert!(far <= 8 * 1024, "{far}");
            world.engage(&[unit]).expect("alive");
        }
        arrived += world.events().iter().filter(|event| event.what == EventKind::Arrived).count();
    }
    assert!(!engaged.is_empty() && engaged.len() + arrived == 9, "{engaged:?} and {arrived}");
    let halted: Vec<UnitId> = engaged.into_iter().collect();
    let places: Vec<Fine> = halted.iter().map(|&unit| world.place_of(unit).expect("alive")).collect();
    let group = world.group_of(halted[0]);
    run(&mut world, 200);
    assert_stood(&world, &halted, &places);
    assert!(halted.iter().all(|&unit| world.orders_of(unit).count() == 1), "halted units keep their order");
    assert!(units.iter().all(|unit| world.is_halted(*unit) == halted.contains(unit)));
    world.remove(enemy).expect("alive");
    world.resume(&halted).expect("alive");
    assert!(!units.iter().any(|&unit| world.is_halted(unit)));
    let events = run(&mut world, 600);
    assert_eq!(arrived + arrivals(&events), 9);
    assert!(units.iter().all(|&unit| world.group_of(unit) == group));
    assert_in_slots(&world, &units);
}

#[test]
fn guards_stay_near_follow_and_return() {
    let mut world = flat_world(96, 64, Config::default());
    let kind = soldier(&mut world);
    let guards = block(&mut world, kind, cell(5, 28), 2, 2);
    let cart = world.spawn(kind, PlayerId(0), cell(30, 30)).expect("open");
    let leash = Fixed::from_cells(6);
    world.order(&guards, Order::guard(cart, leash)).expect("good");
    run(&mut world, 400);
    let far = |world: &World, unit| {
        apart(world.place_of(unit).expect("alive"), world.place_of(cart).expect("alive"))
    };
    assert!(guards.iter().all(|&unit| far(&world, unit) <= 6 * 1024));
    // While the target stays within the leash, no guard moves.
    let places: Vec<Fine> = guards.iter().map(|&unit| world.place_of(unit).expect("alive")).collect();
    world.order(&[cart], Order::move_to(cell(31, 31))).expect("good");
    run(&mut world, 60);
    assert_stood(&world, &guards, &places);
    world.order(&[cart], Order::move_to(cell(80, 50))).expect("good");
    for _ in 0..700 {
        world.tick();
        assert!(guards.iter().all(|&unit| far(&world, unit) <= 10 * 1024), "the guards keep up");
    }
    world.remove(cart).expect("alive");
    let gone = |&(_, what): &(UnitId, EventKind)| what == EventKind::GaveUp(GiveUp::TargetGone);
    assert_eq!(run(&mut world, 2).iter().filter(|event| gone(event)).count(), 4);
    // Guards of a place come back when they are moved away.
    world.order(&guards[..1], Order::guard(cell(60, 30), leash)).expect("good");
    run(&mut world, 400);
    let here = |world: &World| apart(world.place_of(guards[0]).expect("alive"), Fine::centre(cell(60, 30)));
    assert!(here(&world) <= 6 * 1024);
    world.put(guards[0], cell(90, 30).centre(), waymarch::base::Vec2::ZERO).expect("on the map");
    run(&mut world, 300);
    assert!(here(&world) <= 6 * 1024, "{}", here(&world));
}

#[test]
fn a_group_is_followed_by_its_centre_until_its_last_member_is_gone() {
    let mut world = flat_world(96, 64, Config::default());
    let kind = soldier(&mut world);
    let followers = block(&mut world, kind, cell(5, 28), 2, 2);
    let herd = block(&mut world, kind, cell(20, 20), 5, 5);
    let distance = Fixed::from_cells(4);
    world.order(&followers, Order::FollowGroup { units: herd.clone(), distance }).expect("good");
    world.order(&herd, Order::move_to(cell(80, 50))).expect("good");
    run(&mut world, 900);
    for &unit in &followers {
        let at = world.cell_of(unit).expect("alive");
        assert!(at.x.abs_diff(80) <= 8 && at.y.abs_diff(50) <= 8, "{unit} is at {at}");
    }
    herd[1..].iter().for_each(|&unit| world.remove(unit).expect("alive"));
    assert!(
        run(&mut world, 20).iter().all(|(_, what)| !matches!(what, EventKind::GaveUp(_))),
        "one member is left"
    );
    world.remove(herd[0]).expect("alive");
    let gone = |&(_, what): &(UnitId, EventKind)| what == EventKind::GaveUp(GiveUp::TargetGone);
    assert_eq!(run(&mut world, 2).iter().filter(|event| gone(event)).count(), 4);
}

#[test]
fn scattered_units_are_far_from_each_other() {
    let mut world = flat_world(64, 64, Config::default());
    let kind = soldier(&mut world);
    let units = block(&mut world, kind, cell(30, 30), 4, 4);
    world.order(&units, Order::Scatter { distance: Fixed::from_cells(6) }).expect("good");
    assert_eq!(arrivals(&run(&mut world, 300)), 16);
    assert_in_slots(&world, &units);
    let middle = Fine::new(32 << 16, 32 << 16);
    for &unit in &units {
        let far = apart(world.place_of(unit).expect("alive"), middle);
        assert!(far >= 6 * 1024, "{unit} is {far} from the middle");
    }
    let alone = units[0];
    let before = world.cell_of(alone);
    world.order(&[alone], Order::Scatter { distance: Fixed::from_cells(6) }).expect("good");
    assert_eq!(arrivals(&run(&mut world, 50)), 1);
    assert_eq!(world.cell_of(alone), before, "a lone unit has no unit to get away from");
}

/// The ticks at which units arrive, and the greatest distance between two of them, in 1024ths of a cell.
fn journey(config: Config) -> (Vec<u32>, u64) {
    let mut world = flat_world(128, 48, config);
    let foot = world.nav().locomotor("foot").expect("in the rules");
    let slow =
        world.add_type(UnitType { speed: Fixed::from_raw(64), ..UnitType::new("gun", foot) }).expect("legal");
    let fast = world
        .add_type(UnitType { speed: Fixed::from_raw(192), ..UnitType::new("scout", foot) })
        .expect("legal");
    let mut units = block(&mut world, slow, cell(5, 20), 2, 4);
    units.extend(block(&mut world, fast, cell(8, 20), 2, 4));
    world.order(&units, Order::move_to(cell(100, 22))).expect("good");
    let (mut ticks, mut farthest) = (Vec::new(), 0);
    for tick in 0..2500 {
        world.tick();
        let there = world.events().iter().filter(|event| event.what == EventKind::Arrived).count();
        ticks.extend(std::iter::repeat_n(tick, there));
        if (200..800).contains(&tick) {
            let places: Vec<Fine> = units.iter().map(|&unit| world.place_of(unit).expect("alive")).collect();
            let pairs = places.iter().flat_map(|&a| places.iter().map(move |&b| apart(a, b)));
            farthest = farthest.max(pairs.max().expect("some"));
        }
    }
    assert_eq!(ticks.len(), 16, "{ticks:?}");
    (ticks, farthest)
}

#[test]
fn at_the_speed_of_the_slowest_a_group_keeps_together_and_arrives_together() {
    let (own, apart_own) = journey(Config { synchronized_arrival: false, ..Config::default() });
    let slowest = Config { group_speed: GroupSpeed::Slowest, ..Config::default() };
    let (together, apart_together) = journey(slowest.clone());
    let (unpaced, _) = journey(Config { synchronized_arrival: false, ..slowest });
    let spread = |ticks: &[u32]| ticks[ticks.len() - 1] - ticks[0];
    assert!(apart_own > 30 * 1024, "with their own speeds the units separate: {apart_own}");
    assert!(apart_together < 12 * 1024, "{apart_together}");
    assert!(spread(&together) * 4 < spread(&own), "{together:?}, {own:?}");
    assert!(spread(&together) <= spread(&unpaced), "{together:?}, {unpaced:?}");
    assert!(together[15] < own[15] + 60, "no unit waits for long: {together:?}, {own:?}");
}

#[test]
fn at_their_own_speeds_the_members_of_a_mixed_group_arrive_together() {
    let spread = |ticks: &[u32]| ticks[ticks.len() - 1] - ticks[0];
    let (own, _) = journey(Config { synchronized_arrival: false, ..Config::default() });
    let (together, _) = journey(Config::default());
    assert!(spread(&own) > 500, "without it the fast ones are there long before: {own:?}");
    assert!(spread(&together) <= 40, "within 2 seconds: {together:?}");
    assert!(together[15] <= own[15] + 20, "the slowest lose nothing: {together:?}, {own:?}");
}

#[test]
fn a_route_that_a_wall_closes_is_replaced_with_its_gates() {
    let mut world = flat_world(96, 64, Config::default());
    // A wall with two doors; the near one closes while the group walks to it.
    for (from, to) in [(0, 29), (32, 50), (53, 64)] {
        world.place(&Stamp::solid(1, (to - from) as u32), cell(50, from)).expect("room");
    }
    let kind = soldier(&mut world);
    let units = block(&mut world, kind, cell(5, 26), 6, 6);
    world.order(&units, Order::move_to(cell(85, 30))).expect("good");
    run(&mut world, 60);
    let group = world.group_of(units[0]).expect("they go together");
    let rows = |world: &World| -> Vec<(i32, i32)> {
        world.gates_of(group).map(|(gate, _)| (gate.taut.cell().x, gate.taut.cell().y)).collect()
    };
    let through = |world: &World, door: std::ops::Range<i32>| {
        let gates = rows(world);
        let near = gates.iter().filter(|(x, _)| x.abs_diff(50) <= 2);
        assert!(near.clone().count() > 0 && near.clone().all(|(_, y)| door.contains(y)), "{gates:?}");
    };
    through(&world, 29..32);
    world.place(&Stamp::solid(1, 3), cell(50, 29)).expect("room");
    run(&mut world, 10);
    through(&world, 50..53);
    let events = run(&mut world, 1500);
    assert_eq!(arrivals(&events), 36);
    assert_in_slots(&world, &units);
}

#[test]
fn two_groups_with_one_goal_do_not_share_slots() {
    let mut world = flat_world(96, 64, Config::default());
    let kind = soldier(&mut world);
    let west = block(&mut world, kind, cell(5, 28), 4, 4);
    let east = block(&mut world, kind, cell(85, 28), 4, 4);
    world.order(&west, Order::move_to(cell(45, 30))).expect("good");
    world.order(&east, Order::move_to(cell(45, 30))).expect("good");
    assert_eq!(arrivals(&run(&mut world, 700)), 32);
    let all: Vec<UnitId> = west.iter().chain(&east).copied().collect();
    assert_in_slots(&world, &all);
}

#[test]
fn a_second_group_with_the_same_goal_stands_around_the_first() {
    let mut world = flat_world(96, 64, Config::default());
    let kind = soldier(&mut world);
    let first = block(&mut world, kind, cell(5, 10), 4, 4);
    let second = block(&mut world, kind, cell(5, 40), 4, 4);
    let third = block(&mut world, kind, cell(85, 40), 3, 3);
    // A unit on hold and an enemy stand at the goal.
    let rock = world.spawn(kind, PlayerId(0), cell(62, 30)).expect("open");
    world.order(&[rock], Order::Hold).expect("good");
    let enemy = world.spawn(kind, PlayerId(1), cell(58, 30)).expect("open");
    world.order(&first, Order::move_to(cell(60, 30))).expect("good");
    let mut arrived = arrivals(&run(&mut world, 700));
    assert_eq!(arrived, 16);
    let places: Vec<Fine> = first.iter().map(|&unit| world.place_of(unit).expect("alive")).collect();
    world.order(&second, Order::move_to(cell(60, 30))).expect("good");
    run(&mut world, 5);
    // While the second group moves, a third gets the same goal.
    world.order(&third, Order::move_to(cell(60, 30))).expect("good");
    arrived += arrivals(&run(&mut world, 900));
    assert_eq!(arrived, 16 + 16 + 9);
    let all: Vec<UnitId> = first.iter().chain(&second).chain(&third).copied().collect();
    // Units of the first group stepped aside for others, and are about where they were.
    for (&unit, &before) in first.iter().zip(&places) {
        assert!(apart(world.place_of(unit).expect("alive"), before) < 3 * 1024, "{unit} was driven away");
    }
    assert_stood(&world, &all[16..], &slots(&world, &all[16..]));
    let taken: BTreeSet<Fine> = slots(&world, &all).into_iter().collect();
    assert_eq!(taken.len(), all.len(), "no two units have the same slot");
    // No slot is where these two units stand. The enemy steps aside a little for units that pass.
    for (other, at) in [(rock, cell(62, 30)), (enemy, cell(58, 30))] {
        let at = Fine::centre(at);
        assert!(apart(world.place_of(other).expect("alive"), at) < 1024, "{other} was driven away");
        assert!(all.iter().all(|&unit| apart(world.slot_of(unit).expect("it has one"), at) > 750), "{other}");
    }
}
