//! Congestion at bridges: the rear of a group waits, unless another bridge is faster.

use std::collections::BTreeMap;

use waymarch::avoid::FINE_CELL;
use waymarch::base::{CellPos, CellRect, cell};
use waymarch::config::Config;
use waymarch::cost::Stamp;
#[cfg(feature = "parallel")]
use waymarch::world::Threads;
use waymarch::world::{EventKind, Order, PlayerId, RouteChange, UnitId, World};
use waymarch_testkit::worlds::{flat_world, soldier};

/// The columns of the river.
const RIVER: std::ops::Range<i32> = 60..64;
const NEAR: i32 = 20;

fn off() -> Config {
    Config { congestion: false, ..Config::default() }
}

/// A map with a river from north to south and bridges of one cell's width in some rows.
fn river(bridges: &[i32], config: Config) -> World {
    let mut world = flat_world(128, 128, config);
    let mut from = 0;
    for &row in bridges.iter().chain(&[128]) {
        for y in (from..row).step_by(16) {
            let high = (row - y).min(16) as u32;
            world.place(&Stamp::solid(RIVER.len() as u32, high), cell(RIVER.start, y)).expect("room");
        }
        from = row + 1;
    }
    world
}

/// Closes the bridge in this row.
fn destroy(world: &mut World, row: i32) {
    world.place(&Stamp::solid(2, 1), cell(RIVER.start + 1, row)).expect("a bridge");
}

fn block(world: &mut World, wide: u32, high: u32) -> Vec<UnitId> {
    let kind = soldier(world);
    let places: Vec<CellPos> = CellRect::at(cell(25, 11), wide, high).cells().collect();
    world.spawn_many(kind, PlayerId(0), &places).expect("open ground")
}

/// A block of `wide` × `high` units near the first bridge, with the order to go to the other side.
fn army(bridges: &[i32], config: Config, wide: u32, high: u32) -> (World, Vec<UnitId>) {
    let mut world = river(bridges, config);
    let units = block(&mut world, wide, high);
    world.order(&units, Order::move_to(cell(95, NEAR))).expect("good");
    (world, units)
}

/// The result of a crossing.
#[derive(Debug, Default)]
struct Crossed {
    /// The tick at which the last unit arrived.
    last: u32,
    /// The number of units that took an alternate route because of congestion, and the tick of the last one.
    told: usize,
    told_last: u32,
    /// The number of unit-ticks, and the number of them with an overlap of more than 2 % of both radii.
    looks: usize,
    overlaps: usize,
    /// The number of units that gave up in the crowd beside their slots.
    beside: usize,
    /// The number of units that crossed in each row.
    rows: BTreeMap<i32, usize>,
}

impl Crossed {
    fn by(&self, row: i32) -> usize {
        self.rows.get(&row).copied().unwrap_or(0)
    }
}

/// The number of units that are closer to another than 0.98 times both radii.
fn overlapping(world: &World, units: &[UnitId]) -> usize {
    let kind = world.unit(units[0]).and_then(|unit| world.unit_type(unit.kind)).expect("it is there");
    let near = (2 * kind.radius.raw() as u64 * 64) * 98 / 100;
    let places: Vec<_> = units.iter().map(|&unit| world.place_of(unit).expect("alive")).collect();
    let overlaps = |at: usize| {
        let others = places.iter().enumerate().filter(|&(other, _)| other != at);
        others.into_iter().any(|(_, other)| places[at].distance_squared(*other) < near * near)
    };
    (0..places.len()).filter(|&at| overlaps(at)).count()
}

/// Runs ticks until all units have arrived on the other side. `then` is called in each tick.
fn run_and(
    world: &mut World,
    units: &[UnitId],
    most: u32,
    mut then: impl FnMut(&mut World, u32, &Crossed),
) -> Crossed {
    let mut crossed = Crossed::default();
    let places: BTreeMap<UnitId, usize> = units.iter().enumerate().map(|(at, &unit)| (unit, at)).collect();
    let (mut seen, mut there) = (vec![false; units.len()], vec![false; units.len()]);
    for tick in 0..most {
        world.tick();
        for event in world.events() {
            let Some(&place) = places.get(&event.unit) else { continue };
            if matches!(event.what, EventKind::GaveUp(_)) {
                let (at, slot) = (world.place_of(event.unit), world.slot_of(event.unit));
                let off = at.zip(slot).map_or(u64::MAX, |(at, slot)| at.distance_squared(slot).isqrt());
                assert!(
                    off < 2 * FINE_CELL as u64,
                    "{event:?} in tick {tick}, {off} from its slot: {crossed:?}"
                );
                crossed.beside += 1;
                there[place] = true;
            }
            if event.what == EventKind::RouteChanged(RouteChange::Crowd) {
                (crossed.told, crossed.told_last) = (crossed.told + 1, tick);
            }
            if event.what == EventKind::Arrived {
                there[place] |= world.cell_of(event.unit).expect("alive").x > RIVER.end;
            }
        }
        for (seen, &unit) in seen.iter_mut().zip(units) {
            let at = world.cell_of(unit).expect("alive");
            if !*seen && at.x == RIVER.start + 1 {
                *seen = true;
                *crossed.rows.entry(at.y).or_default() += 1;
            }
        }
        if tick % 20 == 0 {
            crossed.looks += units.len();
            crossed.overlaps += overlapping(world, units);
        }
        if there.iter().all(|&there| there) {
            crossed.last = tick;
            return crossed;
        }
        then(world, tick, &crossed);
    }
    let arrived = there.iter().filter(|&&there| there).count();
    panic!("{arrived} of {} after {most} ticks: {crossed:?}", units.len());
}

fn run(world: &mut World, units: &[UnitId], most: u32) -> Crossed {
    let crossed = run_and(world, units, most, |_, _, _| {});
    assert_eq!(crossed.beside, 0, "{crossed:?}");
    crossed
}

/// The tick at which the last unit arrives if the last `far` units of an army are ordered over the bridge in `row`.
fn ordered_by_hand(row: i32, wide: u32, high: u32, far: usize) -> u32 {
    let mut world = river(&[NEAR, row], off());
    let units = block(&mut world, wide, high);
    let (near, far) = units.split_at(units.len() - far);
    world.order(near, Order::move_to(cell(95, NEAR))).expect("good");
    world.order(far, Order::move_to(cell(66, row))).expect("good");
    world.queue(far, Order::move_to(cell(95, 50))).expect("good");
    run(&mut world, &units, 4000).last
}

#[test]
fn thirty_wait_for_the_near_bridge_rather_than_walk_to_the_far_one() {
    let (mut world, units) = army(&[NEAR, 100], Config::default(), 5, 6);
    let crossed = run(&mut world, &units, 1500);
    assert_eq!((crossed.by(NEAR), crossed.told), (30, 0), "{crossed:?}");
    let (mut without, units) = army(&[NEAR, 100], off(), 5, 6);
    assert_eq!(
        run(&mut without, &units, 1500).last,
        crossed.last,
        "the check for congestion changes nothing"
    );
    let by_hand = [5, 10, 20].map(|far| ordered_by_hand(100, 5, 6, far));
    println!("thirty at one bridge {}, by hand at both {by_hand:?}", crossed.last);
    assert!(by_hand.iter().all(|&both| both > crossed.last), "waiting is faster: {by_hand:?}");
}

#[test]
fn three_hundred_use_both_bridges_and_are_about_as_fast_as_the_best_split_by_hand() {
    for (row, hands) in [(100, [60, 80, 100]), (124, [40, 60, 80])] {
        let (mut world, units) = army(&[NEAR, row], Config::default(), 15, 20);
        let crossed = run(&mut world, &units, 4000);
        assert!(crossed.by(row) >= 40 && crossed.by(NEAR) >= 150, "{crossed:?}");
        assert_eq!(crossed.by(row), crossed.told, "exactly the units that were sent cross there");
        assert!(crossed.overlaps * 300 <= crossed.looks, "units overlap too much: {crossed:?}");
        let (mut without, units) = army(&[NEAR, row], off(), 15, 20);
        let all_near = run(&mut without, &units, 4000).last;
        let by_hand = hands.map(|far| ordered_by_hand(row, 15, 20, far));
        let best = by_hand.into_iter().min().expect("three").min(all_near);
        println!(
            "far {row}: {}, all near {all_near}, {hands:?} by hand {by_hand:?}: {crossed:?}",
            crossed.last
        );
        assert!(crossed.last * 100 <= best * 115, "{} for {best}", crossed.last);
        assert!(crossed.last * 100 <= all_near * 90, "it is not faster: {} for {all_near}", crossed.last);
    }
}

#[test]
fn a_hundred_wait_where_the_other_bridge_is_too_far_and_share_where_it_is_not() {
    let (mut world, units) = army(&[NEAR, 120], Config::default(), 10, 10);
    let far = run(&mut world, &units, 3000);
    assert_eq!((far.by(NEAR), far.told), (100, 0), "{far:?}");
    let (mut world, units) = army(&[NEAR, 40], Config::default(), 10, 10);
    let close = run(&mut world, &units, 3000);
    println!("a hundred: {far:?} with the other bridge at 120, {close:?} with it at 40");
    assert!(close.by(40) >= 25 && close.by(NEAR) >= 25 && close.last < far.last, "{close:?} {far:?}");
}

#[test]
fn the_gain_setting_decides_whether_units_take_the_other_bridge() {
    for config in [off(), Config { congestion_gain: 60, ..Config::default() }] {
        let (mut world, units) = army(&[NEAR, 40], config, 10, 10);
        assert_eq!(run(&mut world, &units, 3000).told, 0);
    }
    let wrong = Config { congestion_gain: 0, ..Config::default() }.validate();
    assert_eq!(wrong.expect_err("too small").key, "congestion_gain");
}

#[test]
fn units_on_the_alternate_route_stay_on_it_when_the_congestion_ends() {
    let (mut world, units) = army(&[NEAR, 100], Config::default(), 15, 20);
    let mut sent: Vec<UnitId> = Vec::new();
    // Half of the waiting units are removed, which ends the congestion.
    let mut left = Vec::new();
    for tick in 0..200 {
        world.tick();
        if tick == 60 {
            sent = units.iter().copied().filter(|&unit| world.is_on_detour(unit)).collect();
            let waits = units.iter().filter(|&&unit| !world.is_on_detour(unit));
            left = waits.clone().take(20).copied().collect();
            let gone: Vec<UnitId> = waits.skip(20).copied().collect();
            gone.iter().for_each(|&unit| world.remove(unit).expect("alive"));
        }
    }
    assert!(sent.len() >= 50, "{}", sent.len());
    left.extend(&sent);
    let crossed = run(&mut world, &left, 4000);
    assert_eq!(crossed.told, 0, "no more units are sent");
    assert_eq!(crossed.by(100), sent.len(), "{crossed:?}");
}

#[test]
fn when_a_bridge_is_destroyed_all_units_arrive_by_the_other() {
    for fallen in [NEAR, 100] {
        let (mut world, units) = army(&[NEAR, 100], Config::default(), 15, 20);
        let mut before = 0;
        let crossed = run_and(&mut world, &units, 12_000, |world, tick, crossed| {
            if tick == 400 {
                before = crossed.by(fallen);
                let on_it = |unit: &UnitId| {
                    world.cell_of(*unit).is_some_and(|at| RIVER.contains(&at.x) && at.y == fallen)
                };
                before += units.iter().filter(|unit| on_it(unit)).count();
                destroy(world, fallen);
            }
        });
        assert!(crossed.beside <= 3, "at least 99 % stand in their slots: {crossed:?}");
        assert!(crossed.by(fallen) <= before, "{crossed:?}, of these {before} before it was destroyed");
    }
}

#[test]
fn units_whose_alternate_bridge_is_destroyed_take_a_third_one() {
    let (mut world, units) = army(&[NEAR, 80, 100], Config::default(), 15, 20);
    let crossed = run_and(&mut world, &units, 12_000, |world, tick, crossed| {
        if tick == 150 {
            assert_eq!(crossed.by(80), 0, "no unit is there yet");
            assert!(units.iter().filter(|&&unit| world.is_on_detour(unit)).count() >= 50, "{crossed:?}");
            destroy(world, 80);
        }
    });
    assert!(crossed.beside <= 3, "at least 99 % stand in their slots: {crossed:?}");
    assert!(crossed.by(80) == 0 && crossed.by(100) >= 50, "{crossed:?}");
}

#[test]
fn units_that_join_during_a_detour_arrive_too() {
    let (mut world, units) = army(&[NEAR, 50], Config::default(), 12, 12);
    let kind = soldier(&mut world);
    let mut all = units.clone();
    for tick in 0..60 {
        world.tick();
        if tick == 40 {
            let sent = *units.iter().find(|&&unit| world.is_on_detour(unit)).expect("some are");
            let late = world.spawn(kind, PlayerId(0), cell(40, 45)).expect("open ground");
            world.join(&[late], sent).expect("it has an order");
            all.push(late);
        }
    }
    let crossed = run_and(&mut world, &all, 4000, |_, _, _| {});
    assert!(crossed.beside <= 2, "{crossed:?}");
}

#[test]
fn units_whose_detours_fail_are_sent_less_and_less_often() {
    let (mut world, units) = army(&[NEAR, 100], Config::default(), 30, 20);
    // The other bridge is closed when a unit has gone half of the distance to it, and open again when all have turned back.
    let (mut bridge, mut waves, mut back) = (None, Vec::new(), Some(0_u32));
    for tick in 0..4000 {
        world.tick();
        let sent = units.iter().filter(|&&unit| world.is_on_detour(unit));
        let near = |unit: &UnitId| world.cell_of(*unit).is_some_and(|at| at.y > 60);
        let (count, comes) = (sent.clone().count(), sent.clone().any(near));
        let crowd = EventKind::RouteChanged(RouteChange::Crowd);
        if world.events().iter().any(|event| event.what == crowd) {
            waves.extend(back.take().map(|back| tick - back));
        }
        if comes && bridge.is_none() {
            bridge = Some(world.place(&Stamp::solid(2, 1), cell(RIVER.start + 1, 100)).expect("a bridge"));
        } else if count == 0 {
            if let Some(id) = bridge.take() {
                world.remove_stamp(id).expect("it stands");
                back = Some(tick);
            }
        }
        if waves.len() == 4 {
            break;
        }
    }
    println!("ticks between the return of all units and the next detour: {waves:?}");
    let second = Config::default().ticks_per_second;
    assert!(waves.len() == 4 && waves[0] < 4 * second, "{waves:?}");
    // One second until the next check, and some for the search.
    for (wave, seconds) in waves[1..].iter().zip([8, 16, 32]) {
        assert!((seconds * second..(seconds + 4) * second).contains(wave), "{waves:?}");
    }
}

/// Fills all cells of the bridge in a row with units of a player, which get the order `told`.
fn fill(world: &mut World, row: i32, owner: u8, told: Option<Order>) -> Vec<UnitId> {
    let kind = soldier(world);
    let places: Vec<CellPos> = RIVER.map(|x| cell(x, row)).collect();
    let keepers = world.spawn_many(kind, PlayerId(owner), &places).expect("open ground");
    if let Some(order) = told {
        world.order(&keepers, order).expect("good");
    }
    (0..40).for_each(|_| world.tick());
    keepers
}

/// A block of 36 units near the first bridge.
fn three_dozen(world: &mut World) -> Vec<UnitId> {
    let units = block(world, 6, 6);
    world.order(&units, Order::move_to(cell(95, NEAR))).expect("good");
    units
}

#[test]
fn a_group_goes_around_a_bridge_full_of_units_that_do_not_step_aside() {
    // Units on hold step aside for no unit, and units of other players do not step aside for ours.
    for (owner, told) in [(0, Some(Order::Hold)), (1, Some(Order::Hold)), (1, None)] {
        let mut world = river(&[NEAR, 50], Config::default());
        fill(&mut world, NEAR, owner, told.clone());
        let units = three_dozen(&mut world);
        let crossed = run(&mut world, &units, 1500);
        println!("player {owner}, {told:?}: {crossed:?}");
        assert_eq!((crossed.by(50), crossed.told), (36, 36), "player {owner}, {told:?}: {crossed:?}");
    }
}

#[test]
fn a_bridge_full_of_idle_friends_is_crossed_like_an_empty_one() {
    let mut world = river(&[NEAR, 100], Config::default());
    fill(&mut world, NEAR, 0, None);
    let units = three_dozen(&mut world);
    let crossed = run_and(&mut world, &units, 3000, |_, _, _| {});
    println!("{crossed:?}");
    assert_eq!((crossed.by(NEAR), crossed.told), (36, 0), "idle friendly units step aside: {crossed:?}");
}

#[test]
fn units_that_wait_before_a_bridge_go_around_when_it_fills_up() {
    let mut world = river(&[NEAR, 50], Config::default());
    let units = three_dozen(&mut world);
    let column = |world: &World, unit: UnitId| world.cell_of(unit).expect("alive").x;
    let some_are_over = (0..900).any(|_| {
        world.tick();
        units.iter().filter(|&&unit| column(&world, unit) > RIVER.end).count() > 5
    });
    assert!(some_are_over);
    // Units on the bridge get the order to hold; the others stand right before it.
    let on_it = |world: &World, unit: UnitId| RIVER.contains(&column(world, unit));
    let held: Vec<UnitId> = units.iter().copied().filter(|&unit| on_it(&world, unit)).collect();
    world.order(&held, Order::Hold).expect("good");
    let rest: Vec<UnitId> =
        units.iter().copied().filter(|&unit| column(&world, unit) < RIVER.start).collect();
    assert!(held.len() >= 3 && rest.len() >= 15, "{} {}", held.len(), rest.len());
    let crossed = run(&mut world, &rest, 1500);
    println!("{} hold, {} go around: {crossed:?}", held.len(), rest.len());
    assert_eq!(crossed.by(50), rest.len(), "{crossed:?}");
}

#[test]
fn no_unit_is_sent_to_another_full_bridge_or_away_from_a_free_lane() {
    let mut world = river(&[NEAR, 50], Config::default());
    fill(&mut world, NEAR, 0, Some(Order::Hold));
    fill(&mut world, 50, 0, Some(Order::Hold));
    let units = three_dozen(&mut world);
    for tick in 0..900 {
        world.tick();
        assert!(!units.iter().any(|&unit| world.is_on_detour(unit)), "tick {tick}");
    }
    // A bridge of three rows, one of them filled.
    let mut world = river(&[NEAR, NEAR + 1, NEAR + 2, 100], Config::default());
    fill(&mut world, NEAR, 0, Some(Order::Hold));
    let units = three_dozen(&mut world);
    let crossed = run_and(&mut world, &units, 3000, |_, _, _| {});
    println!("{crossed:?}");
    assert_eq!((crossed.by(100), crossed.told), (0, 0), "{crossed:?}");
}

#[cfg(feature = "parallel")]
#[test]
fn saving_and_loading_every_fifty_ticks_and_threads_change_nothing() {
    let (mut through, _) = army(&[NEAR, 50], Config::default(), 12, 12);
    let (mut loaded, mut two, mut eight) = (through.clone(), through.clone(), through.clone());
    let threads = [Threads::new(2).expect("legal"), Threads::new(8).expect("legal")];
    let mut sent = false;
    for tick in 0..600 {
        through.tick();
        loaded.tick();
        two.tick_with(&threads[0]);
        eight.tick_with(&threads[1]);
        sent |=
            through.events().iter().any(|event| event.what == EventKind::RouteChanged(RouteChange::Crowd));
        if tick % 50 == 10 {
            let saved = loaded.save();
            if tick % 100 == 10 {
                loaded = World::load(&saved).expect("what was saved");
            } else {
                // The loaded World runs seven ticks ahead and is restored.
                (0..7).for_each(|_| loaded.tick());
                loaded.restore(&saved).expect("what was saved");
            }
            loaded.poison_scratch();
        }
        let hash = through.state_hash();
        for (other, how) in [(&loaded, "loaded"), (&two, "two threads"), (&eight, "eight threads")] {
            assert_eq!(hash, other.state_hash(), "{how}, tick {tick}");
        }
    }
    assert!(sent, "the second bridge is used");
}
