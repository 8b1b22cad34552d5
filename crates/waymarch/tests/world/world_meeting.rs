//! Groups that meet: of two groups that cross, one waits; groups that come towards each other keep right; no group waits for ever.

use waymarch::avoid::Stance;
use waymarch::base::{CellPos, CellRect, Fixed, cell};
use waymarch::config::{Config, GroupSpeed};
use waymarch::cost::Stamp;
use waymarch::groups::Traffic;
use waymarch::world::{EventKind, Order, PlayerId, UnitId, World};
use waymarch_testkit::worlds::{flat_world, soldier};

fn block(world: &mut World, owner: u8, at: CellPos, columns: u32, rows: u32) -> Vec<UnitId> {
    let kind = soldier(world);
    let places: Vec<CellPos> = CellRect::at(at, columns, rows).cells().collect();
    world.spawn_many(kind, PlayerId(owner), &places).expect("open")
}

fn place(world: &World, unit: UnitId) -> (Fixed, Fixed) {
    let at = world.unit(unit).expect("alive").position;
    (at.x, at.y)
}

/// The tick at which each group has arrived. All units must arrive within `most` ticks.
fn arrivals(world: &mut World, groups: &[&[UnitId]], most: u32) -> Vec<u32> {
    let (mut last, mut left) = (vec![0; groups.len()], groups.iter().map(|group| group.len()).sum::<usize>());
    for tick in 1..=most {
        world.tick();
        for event in world.events().iter().filter(|event| event.what == EventKind::Arrived) {
            let Some(group) = groups.iter().position(|group| group.contains(&event.unit)) else { continue };
            (last[group], left) = (tick, left - 1);
        }
        if left == 0 {
            return last;
        }
    }
    panic!("{left} units have not arrived after {most} ticks");
}

/// The ticks that the same block takes alone.
fn alone(config: &Config, at: CellPos, (columns, rows): (u32, u32), to: CellPos) -> u32 {
    let mut world = flat_world(96, 96, config.clone());
    let units = block(&mut world, 0, at, columns, rows);
    world.order(&units, Order::move_to(to)).expect("good");
    arrivals(&mut world, &[&units], 2000)[0]
}

#[test]
fn of_two_crossing_blocks_one_has_right_of_way_and_the_other_waits() {
    for speed in [GroupSpeed::Own, GroupSpeed::Slowest] {
        let config = Config { group_speed: speed, ..Config::default() };
        let mut world = flat_world(96, 96, config.clone());
        let east = block(&mut world, 0, cell(8, 44), 9, 8);
        let south = block(&mut world, 0, cell(44, 8), 8, 9);
        world.order(&east, Order::move_to(cell(82, 48))).expect("good");
        world.order(&south, Order::move_to(cell(48, 82))).expect("good");
        let free = alone(&config, cell(8, 44), (9, 8), cell(82, 48));
        let took = arrivals(&mut world, &[&east, &south], 2 * free);
        // The first block is hardly delayed. The other loses the time that the first takes to pass.
        assert!(took[0] * 10 < free * 11, "{took:?} of {free}, {speed:?}");
        assert!(took[1] > took[0] && took[1] * 10 < free * 17, "{took:?} of {free}, {speed:?}");
    }
}

#[test]
fn no_group_waits_for_units_of_another_player() {
    let mut world = flat_world(96, 96, Config::default());
    let east = block(&mut world, 0, cell(8, 44), 9, 8);
    let south = block(&mut world, 1, cell(44, 8), 8, 9);
    world.order(&east, Order::move_to(cell(82, 48))).expect("good");
    world.order(&south, Order::move_to(cell(48, 82))).expect("good");
    // A waiting group would stand; this one walks on until the groups meet.
    let mut before: Vec<_> = south.iter().map(|&unit| place(&world, unit)).collect();
    for tick in 0..150 {
        world.tick();
        let now: Vec<_> = south.iter().map(|&unit| place(&world, unit)).collect();
        let still = now.iter().zip(&before).filter(|(now, before)| now == before).count();
        assert!(tick < 10 || still == 0, "{still} stand at tick {tick}");
        before = now;
    }
}

#[test]
fn a_waiting_group_continues_when_the_other_stops_or_orders_change() {
    for case in ["stop", "other order", "death"] {
        let mut world = flat_world(96, 96, Config::default());
        let east = block(&mut world, 0, cell(20, 44), 9, 8);
        let south = block(&mut world, 0, cell(44, 20), 8, 9);
        world.order(&east, Order::move_to(cell(82, 48))).expect("good");
        world.order(&south, Order::move_to(cell(48, 82))).expect("good");
        let waits = (0..400).any(|_| {
            world.tick();
            standing(&world, &south) > 40
        });
        assert!(waits, "{case}: most units wait");
        match case {
            "stop" => {
                world.order(&east, Order::Stop).expect("good");
            }
            "other order" => {
                for &unit in &south {
                    world.order(&[unit], Order::move_to(cell(70, 10))).expect("good");
                }
            }
            _ => east.iter().for_each(|&unit| world.remove(unit).expect("alive")),
        }
        let before: Vec<_> = south.iter().map(|&unit| place(&world, unit)).collect();
        (0..60).for_each(|_| world.tick());
        let gone = south.iter().zip(&before).filter(|&(&unit, before)| place(&world, unit) != *before);
        assert_eq!(gone.count(), south.len(), "{case}: all units move");
    }
}

#[test]
fn blocks_that_come_towards_each_other_pass_on_the_right() {
    // On open ground, and in a street that is a little wider than one block.
    for street in [None, Some(12)] {
        let mut world = flat_world(96, 96, Config::default());
        if let Some(width) = street {
            for x in 0..96 {
                world.place(&Stamp::solid(1, 1), cell(x, 47 - width / 2)).expect("open");
                world.place(&Stamp::solid(1, 1), cell(x, 48 + width / 2)).expect("open");
            }
        }
        let east = block(&mut world, 0, cell(8, 44), 6, 8);
        let west = block(&mut world, 0, cell(82, 44), 6, 8);
        world.order(&east, Order::move_to(cell(84, 48))).expect("good");
        world.order(&west, Order::move_to(cell(11, 48))).expect("good");
        let free = alone(&Config::default(), cell(8, 44), (6, 8), cell(84, 48));
        let took = arrivals(&mut world, &[&east, &west], 2 * free);
        assert!(took.iter().all(|&ticks| ticks * 10 < free * 13), "{took:?} of {free}, street {street:?}");
    }
}

#[test]
fn the_state_of_a_meeting_is_saved() {
    let mut world = flat_world(96, 96, Config::default());
    let east = block(&mut world, 0, cell(20, 44), 9, 8);
    let south = block(&mut world, 0, cell(44, 20), 8, 9);
    let west = block(&mut world, 0, cell(70, 44), 9, 8);
    world.order(&east, Order::move_to(cell(82, 48))).expect("good");
    world.order(&south, Order::move_to(cell(48, 82))).expect("good");
    world.order(&west, Order::move_to(cell(10, 48))).expect("good");
    let mut broken = World::load(&world.save()).expect("what was saved");
    for tick in 0..300 {
        world.tick();
        if tick % 7 == 0 {
            broken = World::load(&broken.save()).expect("what was saved");
        }
        broken.tick();
        assert_eq!(world.state_hash().first_difference(&broken.state_hash()), None, "tick {tick}");
    }
}

/// The number of units that stand although they have an order.
fn standing(world: &World, units: &[UnitId]) -> usize {
    let stands = |unit: &&UnitId| {
        let unit = world.unit(**unit).expect("alive");
        unit.stance == Stance::Moving && unit.velocity.is_zero()
    };
    units.iter().filter(stands).count()
}

#[test]
fn no_group_waits_for_a_group_whose_route_does_not_cross_its_own() {
    // The first route ends before the second one, or the second ends before the first.
    for (east_to, south_to) in [(cell(30, 48), cell(48, 82)), (cell(82, 48), cell(48, 33))] {
        let mut world = flat_world(96, 96, Config::default());
        let east = block(&mut world, 0, cell(8, 44), 9, 8);
        let south = block(&mut world, 0, cell(44, 8), 8, 9);
        world.order(&east, Order::move_to(east_to)).expect("good");
        world.order(&south, Order::move_to(south_to)).expect("good");
        for tick in 0..140 {
            world.tick();
            let still = standing(&world, &south);
            assert!(tick < 10 || still < 8, "{still} wait at tick {tick} for {east_to:?}");
        }
    }
}

#[test]
fn the_older_order_has_right_of_way() {
    let mut world = flat_world(128, 96, Config::default());
    let south = block(&mut world, 0, cell(60, 4), 8, 6);
    world.order(&south, Order::move_to(cell(64, 88))).expect("good");
    // Other blocks cross its route one after the other. All have later orders.
    let waves: Vec<Vec<UnitId>> = (0..5)
        .map(|row| {
            let lane = cell(20, 30 + 8 * row);
            block(&mut world, 0, lane, 8, 6)
        })
        .collect();
    (0..20).for_each(|_| world.tick());
    for (row, wave) in waves.iter().enumerate() {
        world.order(wave, Order::move_to(cell(118, 33 + 8 * row as i32))).expect("good");
    }
    let free = alone(&Config::default(), cell(44, 4), (8, 6), cell(48, 88));
    let mut groups: Vec<&[UnitId]> = waves.iter().map(Vec::as_slice).collect();
    groups.push(&south);
    let took = arrivals(&mut world, &groups, 4 * free);
    assert!(took[5] * 10 < free * 13, "it has right of way: {took:?} of {free}");
}

#[test]
fn a_stream_of_others_does_not_hold_a_group_for_ever() {
    let mut world = flat_world(128, 96, Config::default());
    let config = Config::default();
    // The crossing blocks have older orders and follow each other without a gap.
    let waves: Vec<Vec<UnitId>> =
        (0..11).map(|number| block(&mut world, 0, cell(2 + 8 * number, 40), 7, 8)).collect();
    for wave in waves.iter().rev() {
        world.order(wave, Order::move_to(cell(122, 44))).expect("good");
    }
    (0..4).for_each(|_| world.tick());
    let south = block(&mut world, 0, cell(92, 8), 6, 6);
    world.order(&south, Order::move_to(cell(95, 88))).expect("good");
    let free = alone(&config, cell(80, 8), (6, 6), cell(83, 88));
    let took = arrivals(&mut world, &[&south], 6 * free);
    // The limit is 15 seconds of waiting, and some seconds to get through.
    assert!(took[0] < free + 20 * 30, "{took:?} of {free}");
}

#[test]
fn patrols_that_meet_repeatedly_do_not_accumulate_gates() {
    let mut world = flat_world(96, 64, Config::default());
    let one = block(&mut world, 0, cell(6, 28), 4, 4);
    let two = block(&mut world, 0, cell(84, 28), 4, 4);
    world.order(&one, Order::patrol([cell(84, 30), cell(8, 30)])).expect("good");
    world.order(&two, Order::patrol([cell(8, 30), cell(84, 30)])).expect("good");
    let (mut met, mut most) = (0, 0);
    for _ in 0..6000 {
        let gates = |world: &World, unit: UnitId| {
            world.group_of(unit).map_or(0, |group| world.gates_of(group).count())
        };
        let before = gates(&world, one[0]);
        world.tick();
        let now = gates(&world, one[0]);
        met += usize::from(now > before);
        most = most.max(now);
    }
    assert!(met >= 3, "the patrols meet once per round: {met}");
    assert!(most <= 2, "gates accumulate: {most}");
}

#[test]
fn blocks_that_line_up_face_to_face_do_not_swerve() {
    let mut world = flat_world(96, 64, Config::default());
    let east = block(&mut world, 0, cell(8, 26), 6, 8);
    let west = block(&mut world, 0, cell(82, 26), 6, 8);
    world.order(&east, Order::move_to(cell(38, 30))).expect("good");
    world.order(&west, Order::move_to(cell(56, 30))).expect("good");
    let gates = |world: &World| {
        let groups = [east[0], west[0]].map(|unit| world.group_of(unit));
        groups.into_iter().flatten().map(|group| world.gates_of(group).count()).sum::<usize>()
    };
    for _ in 0..400 {
        world.tick();
        assert_eq!(gates(&world), 0, "the blocks do not meet");
    }
}

#[test]
fn blocks_that_meet_at_any_angle_get_past_each_other() {
    // The second block comes from every side and reaches the middle of the first one's route at the same time.
    for (from, to) in [
        ((10, 20), (86, 76)),
        ((44, 4), (52, 90)),
        ((70, 6), (26, 90)),
        ((84, 16), (12, 80)),
        ((88, 30), (8, 66)),
        ((90, 44), (6, 52)),
    ] {
        let mut world = flat_world(100, 100, Config::default());
        let east = block(&mut world, 0, cell(6, 45), 6, 6);
        let other = block(&mut world, 0, cell(from.0, from.1), 6, 6);
        world.order(&east, Order::move_to(cell(90, 48))).expect("good");
        world.order(&other, Order::move_to(cell(to.0, to.1))).expect("good");
        let took = arrivals(&mut world, &[&east, &other], 2200);
        let free = alone(&Config::default(), cell(6, 45), (6, 6), cell(90, 48));
        assert!(took.iter().all(|&ticks| ticks < 2 * free), "{took:?} of {free} from {from:?}");
    }
}

#[test]
fn no_group_waits_on_narrow_ground() {
    // The same crossing twice; the second time with a pillar near every place where a unit would wait.
    let most = |pillars: &[CellPos]| {
        let mut world = flat_world(96, 96, Config::default());
        for &at in pillars {
            world.place(&Stamp::solid(1, 1), at).expect("open");
        }
        let east = block(&mut world, 0, cell(20, 44), 9, 8);
        let south = block(&mut world, 0, cell(44, 20), 8, 9);
        world.order(&east, Order::move_to(cell(82, 48))).expect("good");
        world.order(&south, Order::move_to(cell(48, 82))).expect("good");
        let mut waiting = 0;
        for _ in 0..200 {
            world.tick();
            waiting = waiting.max(standing(&world, &south));
        }
        waiting
    };
    let beside: Vec<CellPos> = (12..44).step_by(4).flat_map(|y| [cell(40, y), cell(55, y)]).collect();
    let (open, narrow) = (most(&[]), most(&beside));
    assert!(open > 40, "on open ground most units wait: {open}");
    assert!(narrow < 8, "between pillars hardly any unit waits: {narrow}");
}

/// Two crossing groups: the one that goes south has the later order.
fn crossing() -> (World, Vec<UnitId>, Vec<UnitId>) {
    let mut world = flat_world(96, 96, Config::default());
    let east = block(&mut world, 0, cell(20, 44), 9, 8);
    let south = block(&mut world, 0, cell(44, 20), 8, 9);
    world.order(&east, Order::move_to(cell(82, 48))).expect("good");
    world.order(&south, Order::move_to(cell(48, 82))).expect("good");
    (world, east, south)
}

#[test]
fn a_group_reports_that_it_waits_for_which_group_and_that_it_continues() {
    let (mut world, east, south) = crossing();
    let (mut told, mut longest) = (Vec::new(), 0);
    for tick in 0..700 {
        world.tick();
        for event in world.events() {
            if matches!(event.what, EventKind::GroupWaits(_) | EventKind::GroupGoesOn) {
                told.push((event.unit, event.what));
            }
        }
        let (Some(first), Some(second)) = (world.group_of(east[0]), world.group_of(south[0])) else {
            continue;
        };
        assert_eq!(world.waiting_of(first), None, "the older order has right of way, tick {tick}");
        let waiting = world.waiting_of(second);
        let says = told.last().is_some_and(|(_, what)| *what == EventKind::GroupWaits(first));
        assert_eq!(waiting.is_some(), says, "events and answers agree at tick {tick}: {told:?}");
        let stand = south.iter().filter(|&&unit| world.grants_right_of_way(unit)).count();
        assert_eq!(waiting.map_or(0, |waiting| waiting.members as usize), stand, "tick {tick}");
        if let Some(waiting) = waiting {
            assert!(waiting.ticks >= longest, "waiting is not interrupted: {waiting:?} after {longest}");
            longest = waiting.ticks;
            // The last unit of the other group may have passed between two checks.
            assert!(waiting.waits_for == Some(first) || waiting.waits_for.is_none() && longest > 60);
        }
        let loaded = World::load(&world.save()).expect("what was saved");
        assert_eq!(loaded.waiting_of(second), waiting, "tick {tick}");
    }
    let first = south[0];
    let other = world.group_of(east[0]).expect("the name stays");
    assert_eq!(told, [(first, EventKind::GroupWaits(other)), (first, EventKind::GroupGoesOn)]);
    assert!((60..400).contains(&longest), "about the time that nine ranks take to pass: {longest}");
}

#[test]
fn a_removed_group_and_a_lone_unit_do_not_report_waiting() {
    let (mut world, _, south) = crossing();
    let waits = (0..400).any(|_| {
        world.tick();
        standing(&world, &south) > 40
    });
    let group = world.group_of(south[0]).expect("it goes with a group");
    assert!(waits && world.grants_right_of_way(south[71]) && world.waiting_of(group).is_some());
    for &unit in &south[1..] {
        world.remove(unit).expect("alive");
    }
    assert!(!world.grants_right_of_way(south[71]));
    let went_on = (0..8).any(|_| {
        world.tick();
        world.events().iter().any(|event| (event.unit, event.what) == (south[0], EventKind::GroupGoesOn))
    });
    assert!(went_on && world.waiting_of(group).is_none(), "a lone unit does not wait");
    world.remove(south[0]).expect("alive");
    (0..400).for_each(|_| world.tick());
    assert_eq!(world.waiting_of(group), None, "gone");
}

#[test]
fn with_three_hundred_groups_the_last_ones_wait_and_keep_right_too() {
    let mut world = flat_world(320, 320, Config::default());
    // 300 groups go east, beside and behind each other.
    for number in 0..300 {
        let (column, row) = (number % 15, number / 15);
        let at = cell(4 + 10 * column, 4 + 8 * row);
        let squad = block(&mut world, 0, at, 4, 2);
        world.order(&squad, Order::move_to(cell(at.x + 140, at.y))).expect("good");
    }
    let groups = [
        (cell(20, 224), cell(82, 228)),
        (cell(44, 200), cell(48, 262)),
        (cell(120, 280), cell(182, 283)),
        (cell(180, 280), cell(118, 283)),
    ];
    let units = groups.map(|(at, to)| {
        let units = block(&mut world, 0, at, 8, 8);
        world.order(&units, Order::move_to(to)).expect("good");
        units[0]
    });
    let (mut waited, mut parted) = (None, 0);
    for _ in 0..200 {
        world.tick();
        let [first, second, east, west] = units.map(|unit| world.group_of(unit));
        waited = waited.or(second.and_then(|group| world.waiting_of(group))).filter(|_| first.is_some());
        let gates = [east, west].map(|group| group.map_or(0, |group| world.gates_of(group).count()));
        parted = parted.max(gates.into_iter().min().unwrap_or(0));
    }
    assert!(world.groups().count() > 300, "all groups move: {}", world.groups().count());
    assert_eq!(waited.map(|waiting| waiting.waits_for), Some(world.group_of(units[0])));
    assert_eq!(parted, 1, "groups that come towards each other keep right");
}

/// Two blocks come towards each other. When `when` units of one block have passed the meeting gate, a stamp is placed at `at`. Returns the last arrival
/// tick of each block, and the number of ticks in which the blocks had different numbers of gates.
fn meeting_with_an_edit(when: u16, at: CellPos) -> (Vec<u32>, usize) {
    let mut world = flat_world(128, 96, Config::default());
    let east = block(&mut world, 0, cell(24, 44), 6, 10);
    let west = block(&mut world, 0, cell(98, 44), 6, 10);
    world.order(&east, Order::move_to(cell(112, 48))).expect("good");
    world.order(&west, Order::move_to(cell(11, 48))).expect("good");
    let through = |world: &World| {
        let group = world.group_of(east[0]).filter(|&group| world.gates_of(group).count() > 0);
        let passed = east.iter().filter(|&&unit| world.next_gate(unit) > Some(0)).count();
        group.map(|_| passed as u16)
    };
    let met = (0..900).find(|_| {
        world.tick();
        through(&world).is_some_and(|passed| passed >= when)
    });
    assert!(met.is_some(), "the blocks meet");
    world.place(&Stamp::solid(2, 2), at).expect("open");
    // The number of ticks in which the blocks have different numbers of gates.
    let mut alone = 0;
    let mut last = vec![0, 0];
    for tick in 1..=2500 {
        world.tick();
        let gates = [&east, &west].map(|units| {
            let under_way =
                units.iter().any(|&unit| world.unit(unit).expect("alive").stance == Stance::Moving);
            let group = world.group_of(units[0]).filter(|_| under_way);
            group.map_or(0, |group| world.gates_of(group).filter(|gate| gate.1 == Traffic::Opposing).count())
        });
        alone += usize::from(gates[0] != gates[1]);
        for event in world.events().iter().filter(|event| event.what == EventKind::Arrived) {
            last[usize::from(west.contains(&event.unit))] = tick;
        }
    }
    (last, alone)
}

#[test]
fn an_edit_far_behind_a_meeting_does_not_end_it() {
    for when in [0, 1, 20] {
        let (untouched, _) = meeting_with_an_edit(when, cell(60, 2));
        let (edited, alone) = meeting_with_an_edit(when, cell(118, 40));
        println!("{when}: {untouched:?} {edited:?} {alone}");
        assert_eq!(alone, 0, "when {when} units of one block are through, both keep their gates");
        let slower = edited.iter().zip(&untouched).any(|(edited, plain)| edited * 20 > plain * 21);
        assert!(!slower, "when {when} units of one block are through: {edited:?} and not {untouched:?}");
    }
}

#[test]
fn an_edit_that_reroutes_one_of_two_blocks_ends_their_meeting() {
    // A wall is built on the route of one block, from the north edge almost to the south edge. That block turns away from the meeting point.
    let mut world = flat_world(128, 96, Config::default());
    let east = block(&mut world, 0, cell(4, 44), 6, 6);
    let west = block(&mut world, 0, cell(60, 44), 6, 6);
    world.order(&east, Order::move_to(cell(112, 47))).expect("good");
    world.order(&west, Order::move_to(cell(24, 47))).expect("good");
    let gates = |world: &World| {
        [&east, &west].map(|units| world.group_of(units[0]).map_or(0, |group| world.gates_of(group).count()))
    };
    let met = (0..400).any(|_| {
        world.tick();
        gates(&world) == [1, 1]
    });
    assert!(met, "the blocks are about to meet");
    for y in (0..92).step_by(4) {
        world.place(&Stamp::solid(2, 4), cell(70, y)).expect("open");
    }
    let mut west_gates = Vec::new();
    for _ in 0..60 {
        world.tick();
        west_gates.push(gates(&world)[1]);
    }
    println!("{west_gates:?}");
    assert!(west_gates.contains(&0), "the other block continues without a gate: {west_gates:?}");
    assert!(gates(&world)[0] > 0, "the rerouted block has gates at the end of the wall");
    arrivals(&mut world, &[&east, &west], 2500);
}
