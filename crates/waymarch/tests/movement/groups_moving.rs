//! Groups that move: exchanges of slots that end, lanes through gates, and metrics of cohesion.

use waymarch::avoid::{Fine, SpatialIndex};
use waymarch::base::Fixed;
use waymarch::groups::{
    ArrivalSpread, Cohesion, Gate, LanePlace, Lanes, Member, Swapper, Traffic, Walker, arrival_spread,
    cohesion, crossings, formation_error, swap_gain,
};
use waymarch_testkit::splitmix::SplitMix;

fn cells(x: i32, y: i32) -> Fine {
    Fine::new(x << 16, y << 16)
}

fn crowd(seed: u64, count: u32) -> Vec<Walker> {
    let mut rng = SplitMix::new(seed);
    (0..count)
        .map(|id| {
            let mut part = |from: i32| (from << 16) + rng.below(12 << 16) as i32;
            let (at, slot) = (Fine::new(part(0), part(0)), Fine::new(part(2), part(1)));
            Walker { id, at, slot, kin: rng.below(4) / 3 }
        })
        .collect()
}

fn index(walkers: &[Walker]) -> SpatialIndex {
    let mut index = SpatialIndex::new(Fixed::from_cells(2));
    let (at, ids): (Vec<Fine>, Vec<u32>) = walkers.iter().map(|walker| (walker.at, walker.id)).unzip();
    index.rebuild(&at, &ids);
    index
}

fn potential(walkers: &[Walker]) -> u128 {
    walkers.iter().map(|walker| u128::from(walker.at.distance_squared(walker.slot))).sum()
}

const REACH: Fixed = Fixed::from_cells(3);

#[test]
fn exchanges_lower_the_sum_of_squared_legs_every_time_and_end() {
    for seed in 0..20 {
        let mut walkers = crowd(seed, 150);
        let index = index(&walkers);
        let mut swapper = Swapper::default();
        let mut pairs = Vec::new();
        let (mut before, mut rounds) = (potential(&walkers), 0);
        let start = before;
        loop {
            swapper.find(&walkers, &index, REACH, &mut pairs);
            if pairs.is_empty() {
                break;
            }
            let gains: i128 = pairs
                .iter()
                .map(|&(a, b)| i128::from(swap_gain(&walkers[a as usize], &walkers[b as usize])))
                .sum();
            for &(a, b) in &pairs {
                let (a, b) = (a as usize, b as usize);
                assert_eq!(walkers[a].kin, walkers[b].kin, "only kin exchange");
                let slot = walkers[a].slot;
                walkers[a].slot = walkers[b].slot;
                walkers[b].slot = slot;
            }
            let after = potential(&walkers);
            assert!(after < before && (before - after) as i128 >= gains, "{after} after {before}");
            before = after;
            rounds += 1;
            assert!(rounds < 1000, "exchanges end");
        }
        assert!(before * 20 < start * 19, "seed {seed}: exchanges save too little, {before} of {start}");
    }
}

#[test]
fn a_walker_is_in_one_pair_at_most_and_order_changes_nothing() {
    let mut rng = SplitMix::new(9);
    let mut swapper = Swapper::default();
    for seed in 0..10 {
        let mut walkers = crowd(seed, 80);
        let mut pairs = Vec::new();
        swapper.find(&walkers, &index(&walkers), REACH, &mut pairs);
        let ids = |walkers: &[Walker], pairs: &[(u32, u32)]| {
            let name = |place: u32| walkers[place as usize].id;
            let mut named: Vec<(u32, u32)> =
                pairs.iter().map(|&(a, b)| (name(a).min(name(b)), name(a).max(name(b)))).collect();
            named.sort_unstable();
            named
        };
        let first = ids(&walkers, &pairs);
        let mut all: Vec<u32> = first.iter().flat_map(|&(a, b)| [a, b]).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(count > 4, "some pairs exchange");
        for at in (1..walkers.len()).rev() {
            walkers.swap(at, rng.below(at as u32 + 1) as usize);
        }
        swapper.find(&walkers, &index(&walkers), REACH, &mut pairs);
        assert_eq!(ids(&walkers, &pairs), first);
    }
}

#[test]
fn members_whose_legs_cross_exchange_slots_and_arrived_ones_do_not() {
    let walker = |id, at, slot| Walker { id, at, slot, kin: 0 };
    let mut pairs = Vec::new();
    let crossed = [walker(7, cells(0, 0), cells(1, 8)), walker(3, cells(1, 0), cells(0, 8))];
    Swapper::default().find(&crossed, &index(&crossed), REACH, &mut pairs);
    assert_eq!(pairs, [(0, 1)]);
    let there = [walker(7, cells(0, 0), cells(0, 0)), walker(3, cells(1, 0), cells(1, 0))];
    Swapper::default().find(&there, &index(&there), REACH, &mut pairs);
    assert!(pairs.is_empty());
    // Positions at the ends of the number range.
    let far = [
        walker(1, Fine::new(i32::MIN, i32::MIN), Fine::new(i32::MAX, i32::MAX)),
        walker(2, Fine::new(i32::MAX, i32::MAX), Fine::new(i32::MIN, i32::MIN)),
    ];
    assert_eq!(swap_gain(&far[0], &far[1]), i64::MAX);
}

fn lanes_of(at: &[Fine], first: Fine) -> (Lanes, Vec<LanePlace>) {
    let members: Vec<Member> =
        (0..).zip(at).map(|(id, &at)| Member { id, at, ..Member::default() }).collect();
    let (mut scratch, mut places) = (Vec::new(), Vec::new());
    let lanes = Lanes::of(&members, first, &mut scratch, &mut places);
    (lanes, places)
}

const RADIUS: Fixed = Fixed::from_raw(410);

#[test]
fn lane_places_go_from_left_to_right_of_the_route() {
    // Eleven units abreast that go north: west is left.
    let row: Vec<Fine> = (0..11).map(|x| cells(x, 0)).collect();
    let (lanes, places) = lanes_of(&row, cells(5, -30));
    assert_eq!(lanes.width, 10 << 16);
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!((places[0].across, places[10].across), (0, 65_535));
    assert_eq!(u32::from(places[5].rank), 65_536 * 11 / 22);
    let (_, turned) = lanes_of(&row, cells(5, 30));
    assert!(turned.windows(2).all(|pair| pair[0] > pair[1]), "going south, east is left");
}

#[test]
fn a_narrow_gate_has_as_many_lanes_as_bodies_fit() {
    let row: Vec<Fine> = (0..40).map(|x| cells(x, 0)).collect();
    let (lanes, places) = lanes_of(&row, cells(20, -30));
    for wide in 1..=12 {
        let gate = Gate { left: cells(20, -30), right: cells(20 + wide, -30) };
        let mut crossings: Vec<i32> = places
            .iter()
            .map(|&place| lanes.aim(place, RADIUS, &gate, cells(20, -30), Traffic::OneWay).x - gate.left.x)
            .collect();
        assert!(crossings.windows(2).all(|pair| pair[0] <= pair[1]), "no unit changes sides");
        crossings.dedup();
        let body = 410 * 64;
        let fit = ((i64::from(wide) << 16) * 100 / (210 * body)).max(1);
        assert_eq!(crossings.len() as i64, fit.min(40), "{wide} cells");
        assert!(
            crossings
                .iter()
                .all(|&at| i64::from(at) >= body && i64::from(at) <= (i64::from(wide) << 16) - body)
        );
        let apart = crossings.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(i32::MAX);
        assert!(i64::from(apart) >= 2 * body, "{wide} cells: bodies do not overlap");
    }
}

#[test]
fn in_a_wide_gate_the_group_keeps_its_width_near_the_taut_crossing() {
    let row: Vec<Fine> = (0..6).map(|x| cells(x, 0)).collect();
    let (lanes, places) = lanes_of(&row, cells(2, -30));
    let gate = Gate { left: cells(-40, -30), right: cells(40, -30) };
    let at = |taut: i32| -> Vec<i32> {
        let aim = |&place: &LanePlace| lanes.aim(place, RADIUS, &gate, cells(taut, -30), Traffic::OneWay).x;
        places.iter().map(aim).collect()
    };
    for (taut, middle) in [(0, 0), (20, 20), (-20, -20)] {
        let crossing = at(taut);
        assert!(
            (i64::from(crossing[5] - crossing[0]) - lanes.width).abs() < 4,
            "the group keeps its width: {crossing:?}"
        );
        assert!(((crossing[0] + crossing[5]) / 2 - (middle << 16)).abs() < 16);
    }
    // At the end of the gate the group stays inside it.
    let crossing = at(39);
    assert!(crossing[5] <= (40 << 16) - 410 * 64 && crossing[5] - crossing[0] > 4 << 16);
}

#[test]
fn groups_that_meet_in_a_gate_keep_right() {
    let row: Vec<Fine> = (0..30).map(|x| cells(x, 0)).collect();
    let (north, going_north) = lanes_of(&row, cells(15, -30));
    let (south, going_south) = lanes_of(&row, cells(15, 30));
    let gate = Gate { left: cells(10, 5), right: cells(16, 5) };
    let back = Gate { left: gate.right, right: gate.left };
    let one: Vec<i32> = going_north
        .iter()
        .map(|&place| north.aim(place, RADIUS, &gate, cells(13, 5), Traffic::Opposing).x)
        .collect();
    let other: Vec<i32> = going_south
        .iter()
        .map(|&place| south.aim(place, RADIUS, &back, cells(13, 5), Traffic::Opposing).x)
        .collect();
    let west = one.iter().min().expect("some");
    let east = other.iter().max().expect("some");
    assert!(west - east >= 2 * 410 * 64, "the lanes are too close: {west} {east}");
    // Where two units cannot pass each other, there is one lane.
    let narrow = Gate { left: cells(10, 5), right: cells(11, 5) };
    let all: Vec<Fine> = going_north
        .iter()
        .map(|&place| north.aim(place, RADIUS, &narrow, cells(13, 5), Traffic::Opposing))
        .collect();
    assert!(all.iter().all(|&at| at == Fine::new((10 << 16) + 32_768, 5 << 16)));
}

#[test]
fn extreme_gates_and_groups_cause_no_panic() {
    let far = [i32::MIN, -1, 0, 1, i32::MAX];
    for x in far {
        for y in far {
            let (lanes, places) =
                lanes_of(&[Fine::new(x, y), Fine::new(y, x), Fine::new(x, x)], Fine::new(y, y));
            for other in far {
                let gate = Gate { left: Fine::new(x, other), right: Fine::new(other, y) };
                for traffic in [Traffic::OneWay, Traffic::Opposing] {
                    for radius in [Fixed::from_raw(-5), Fixed::ZERO, RADIUS, Fixed::from_raw(i32::MAX)] {
                        let aim = lanes.aim(places[0], radius, &gate, Fine::new(other, x), traffic);
                        let within = |a: i32, b: i32, at: i32| at >= a.min(b) && at <= a.max(b);
                        assert!(
                            within(gate.left.x, gate.right.x, aim.x)
                                && within(gate.left.y, gate.right.y, aim.y)
                        );
                    }
                }
            }
        }
    }
    assert_eq!(lanes_of(&[], Fine::ZERO).1, []);
}

#[test]
fn metrics_match_their_definitions() {
    let square = [cells(0, 0), cells(6, 0), cells(6, 8), cells(0, 8)];
    assert_eq!(cohesion(&square), Cohesion { mean: 5 << 16, most: 5 << 16 });
    assert_eq!(cohesion(&[]), Cohesion::default());
    // A group that moved as a whole has no error. If one of four members is off by 4 cells, the centre moves by 1 cell: then one member is
    // off by 3 cells and the others by 1.
    let moved = square.map(|at| at.plus(cells(30, -7)));
    assert_eq!(formation_error(&square, &moved), 0);
    let mut off = moved;
    off[0].x += 4 << 16;
    let expected = (((9 + 1 + 1 + 1) << 32) / 4_u64).isqrt();
    assert_eq!(formation_error(&square, &off), expected);
    assert_eq!(formation_error(&[], &off), 0);
    let mut ticks: Vec<u64> = (0..100).map(|k| 50 + k).chain([900]).collect();
    ticks.reverse();
    assert_eq!(arrival_spread(&mut ticks), ArrivalSpread { whole: 850, most: 90 });
    assert_eq!(arrival_spread(&mut []), ArrivalSpread::default());
    let legs = [
        (cells(0, 0), cells(4, 4)),
        (cells(4, 0), cells(0, 4)),
        (cells(0, 1), cells(4, 5)),
        (cells(0, 0), cells(9, 9)),
    ];
    assert_eq!(
        crossings(&legs),
        3,
        "the second leg crosses all others; legs on one line and parallel legs do not cross"
    );
    assert_eq!(crossings(&[(cells(0, 0), cells(2, 0)), (cells(2, 0), cells(2, 5))]), 0, "ends that touch");
}
