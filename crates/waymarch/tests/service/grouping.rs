//! The choice between single routes and a flow field: streams of requests against a twin that counts them one by one.

use waymarch::base::{Agent, HashState, LocomotorId, SizeClass, StateHasher, Tick, cell};
use waymarch::config::Config;
use waymarch::cost::{CostLayer, CostSettings, SectorId, Stamp, StepRule};
use waymarch::plan::{Destination, GroupMode, GroupReason, Grouping, NotCounted, Stage};
use waymarch::query::Threat;
use waymarch::sectors::{RoomId, Sectors};
use waymarch_testkit::alloc::allocations_in;
use waymarch_testkit::flow_threshold::GroupTwin;
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;

const FOOT: Agent = Agent { locomotor: LocomotorId(0), size: SizeClass::ONE };

fn to(sector: u32) -> Destination {
    Destination { agent: FOOT, threat: Threat::Ignore, room: RoomId { sector: SectorId(sector), part: 0 } }
}

/// Destinations that differ in one property each.
fn destinations() -> Vec<Destination> {
    let base = to(3);
    vec![
        base,
        to(4),
        Destination { room: RoomId { part: 1, ..base.room }, ..base },
        Destination { threat: Threat::Heed, ..base },
        Destination { agent: Agent { size: SizeClass::TWO, ..FOOT }, ..base },
        Destination { agent: Agent { locomotor: LocomotorId(1), ..FOOT }, ..base },
    ]
}

fn hash(grouping: &Grouping) -> u64 {
    let mut hasher = StateHasher::new();
    grouping.hash_state(&mut hasher);
    hasher.finish()
}

fn has_field(grouping: &Grouping, to: Destination) -> bool {
    grouping.decision(to).mode == GroupMode::FlowField
}

/// A change of a request.
#[derive(Clone, Copy, Debug)]
enum Event {
    Come(Destination),
    Answered(Destination),
    Gone(Destination, Stage),
    Redirected(Destination, Destination, Stage),
}

fn apply(grouping: &mut Grouping, event: Event) {
    match event {
        Event::Come(to) => grouping.join(to, Stage::Pending),
        Event::Answered(to) => grouping.answered(to).expect("it was pending"),
        Event::Gone(to, stage) => grouping.leave(to, stage).expect("it was counted"),
        Event::Redirected(from, to, stage) => {
            grouping.leave(from, stage).expect("it was counted");
            grouping.join(to, stage);
        }
    }
}

#[test]
fn streams_of_requests_are_decided_as_the_twin_decides() {
    let mut rng = SplitMix::new(1);
    let all = destinations();
    let (mut fields, mut kept, mut flips) = (0, 0, 0);
    for threshold in [1, 2, 3, 8, 20] {
        let mut grouping = Grouping::new(threshold);
        let mut twin = GroupTwin::new(threshold as usize);
        let mut requests: Vec<(u32, Destination, Stage)> = Vec::new();
        let mut number = 0;
        for _ in 0..400 {
            // Waves: in some ticks many requests come, in others many go.
            let coming = rng.pick(&[0, 1, 2, threshold]);
            for _ in 0..coming {
                let to = rng.pick(&all);
                requests.push((number, to, Stage::Pending));
                twin.send(number, to);
                apply(&mut grouping, Event::Come(to));
                number += 1;
            }
            for at in (0..requests.len()).rev() {
                let (request, here, stage) = requests[at];
                match rng.below(10) {
                    0 if stage == Stage::Pending => {
                        apply(&mut grouping, Event::Answered(here));
                        requests[at].2 = Stage::Live;
                    }
                    1 => {
                        apply(&mut grouping, Event::Gone(here, stage));
                        twin.done(request);
                        requests.swap_remove(at);
                    }
                    2 => {
                        let there = rng.pick(&all);
                        apply(&mut grouping, Event::Redirected(here, there, stage));
                        twin.send(request, there);
                        requests[at].1 = there;
                    }
                    _ => {}
                }
            }
            flips += grouping.settle();
            twin.tick();
            for &to in &all {
                let decision = grouping.decision(to);
                assert_eq!(has_field(&grouping, to), twin.has_field(to), "{threshold} {decision}");
                assert_eq!((decision.pending + decision.live) as usize, twin.count(to));
                let live = requests.iter().filter(|request| request.1 == to && request.2 == Stage::Live);
                assert_eq!(decision.live as usize, live.count());
                fields += u32::from(has_field(&grouping, to));
                kept += u32::from(decision.reason == GroupReason::StillHalf);
            }
        }
    }
    let counts = [fields, kept, flips];
    assert!(counts.iter().all(|&count| count > 100), "fields, kept fields and flips occur often: {counts:?}");
}

#[test]
fn the_order_of_a_ticks_requests_does_not_matter() {
    let mut rng = SplitMix::new(2);
    let all = destinations();
    let (mut there, mut back) = (Grouping::new(8), Grouping::new(8));
    for _ in 0..60 {
        let coming: Vec<Destination> = (0..rng.below(20)).map(|_| rng.pick(&all)).collect();
        // Each request that leaves is replaced in the same tick. In one order the count falls to 0 in between, in the other it does not.
        let going: Vec<(Destination, Stage)> = there
            .decisions()
            .filter(|_| rng.chance(500))
            .flat_map(|(to, decision)| vec![(to, Stage::Pending); decision.pending as usize])
            .collect();
        going.iter().for_each(|&(to, stage)| apply(&mut there, Event::Gone(to, stage)));
        coming.iter().for_each(|&to| apply(&mut there, Event::Come(to)));
        coming.iter().rev().for_each(|&to| apply(&mut back, Event::Come(to)));
        going.iter().rev().for_each(|&(to, stage)| apply(&mut back, Event::Gone(to, stage)));
        assert_eq!(there.settle(), back.settle());
        assert_eq!((&there, hash(&there)), (&back, hash(&back)));
    }
}

#[test]
fn a_count_that_varies_around_the_threshold_does_not_flip_the_mode() {
    let (mut grouping, base) = (Grouping::new(8), to(0));
    for _ in 0..7 {
        grouping.join(base, Stage::Pending);
        assert_eq!(grouping.settle(), 0);
    }
    assert_eq!(grouping.decision(base).reason, GroupReason::TooFew);
    grouping.join(base, Stage::Live);
    assert_eq!(grouping.decision(base).reason, GroupReason::NotSettled, "decided once a tick");
    assert_eq!((grouping.settle(), grouping.decision(base).reason), (1, GroupReason::Enough));
    for _ in 0..50 {
        (0..4).for_each(|_| grouping.leave(base, Stage::Pending).expect("counted"));
        assert_eq!((grouping.settle(), grouping.decision(base).reason), (0, GroupReason::StillHalf));
        (0..4).for_each(|_| grouping.join(base, Stage::Pending));
        assert_eq!((grouping.settle(), grouping.decision(base).reason), (0, GroupReason::Enough));
    }
    (0..5).for_each(|_| grouping.leave(base, Stage::Pending).expect("counted"));
    assert_eq!((grouping.settle(), has_field(&grouping, base)), (1, false), "three are fewer than half");
    (0..4).for_each(|_| grouping.join(base, Stage::Pending));
    assert_eq!((grouping.settle(), has_field(&grouping, base)), (0, false), "seven are not eight");
}

#[test]
fn answers_do_not_change_the_mode_and_arrivals_end_it() {
    let (mut grouping, base) = (Grouping::new(8), to(0));
    (0..12).for_each(|_| grouping.join(base, Stage::Pending));
    grouping.settle();
    for live in 1..=12 {
        grouping.answered(base).expect("pending");
        assert_eq!((grouping.settle(), grouping.decision(base).live), (0, live));
    }
    let seen: Vec<bool> = (0..12)
        .map(|_| {
            grouping.leave(base, Stage::Live).expect("live");
            grouping.settle();
            has_field(&grouping, base)
        })
        .collect();
    assert_eq!(
        seen.iter().filter(|&&field| field).count(),
        8,
        "the field is kept until four are left: {seen:?}"
    );
    assert_eq!(grouping, Grouping::new(8), "a group that has gone leaves no state");
}

#[test]
fn a_request_that_was_not_counted_cannot_leave() {
    let (mut grouping, base) = (Grouping::new(8), to(0));
    let pending = NotCounted { to: base, stage: Stage::Pending };
    assert_eq!(grouping.leave(base, Stage::Pending), Err(pending));
    grouping.join(base, Stage::Live);
    let before = grouping.clone();
    assert_eq!(grouping.answered(base), Err(pending));
    assert_eq!(grouping.leave(base, Stage::Pending), Err(pending));
    assert_eq!(grouping, before);
    assert!(pending.to_string().contains("sector 0, part 0"), "{pending}");
}

#[test]
fn every_part_of_the_state_is_hashed() {
    let mut seen = Vec::new();
    let mut note = |grouping: &Grouping| {
        assert!(!seen.contains(&hash(grouping)), "{grouping:?}");
        seen.push(hash(grouping));
    };
    note(&Grouping::new(8));
    note(&Grouping::new(9));
    for to in destinations() {
        let mut grouping = Grouping::new(8);
        grouping.join(to, Stage::Pending);
        note(&grouping);
        grouping.answered(to).expect("pending");
        note(&grouping);
        (0..7).for_each(|_| grouping.join(to, Stage::Live));
        note(&grouping);
        grouping.settle();
        note(&grouping);
    }
    assert_eq!(Grouping::new(0), Grouping::new(1), "a threshold of 0 counts as 1");
    let config = Config::default().validate().expect("legal");
    assert_eq!(Grouping::new(config.get().flowfield_group_threshold).threshold(), 8);
}

#[test]
fn rooms_of_a_sector_are_destinations_of_their_own() {
    let map = Grid::filled(64, 64, 1).to_map("walled").validate().expect("legal");
    let mut layer = CostLayer::new(&map, CostSettings::default());
    layer.place(&Stamp::solid(1, 64), cell(10, 0), Tick::ZERO).expect("it fits");
    let sectors = Sectors::new(&layer, StepRule::default());
    let of = |x, y| Destination::of(&sectors, FOOT, Threat::Ignore, cell(x, y));
    assert_eq!(of(3, 3), of(9, 20), "one room");
    assert_ne!(of(3, 3), of(12, 3), "the wall is between");
    assert_ne!(of(3, 3), of(3, 40), "another sector");
    assert_eq!((of(10, 3), of(64, 0)), (None, None), "closed or off the map");
    let mut grouping = Grouping::new(8);
    for (x, count) in [(3, 7), (12, 8)] {
        (0..count).for_each(|_| grouping.join(of(x, 3).expect("open"), Stage::Pending));
    }
    grouping.settle();
    let modes: Vec<GroupMode> = grouping.decisions().map(|(_, decision)| decision.mode).collect();
    assert_eq!(modes, [GroupMode::Routes, GroupMode::FlowField]);
}

#[test]
fn warm_counting_allocates_nothing() {
    let (mut grouping, all) = (Grouping::new(4), destinations());
    let mut round = || {
        for &to in &all {
            (0..5).for_each(|_| grouping.join(to, Stage::Pending));
            grouping.settle();
            (0..5).for_each(|_| grouping.answered(to).expect("pending"));
        }
        all.iter().for_each(|&to| (0..5).for_each(|_| grouping.leave(to, Stage::Live).expect("live")));
        grouping.settle()
    };
    assert_eq!(round(), 6);
    assert_eq!(allocations_in(&mut round).0.calls, 0);
}
