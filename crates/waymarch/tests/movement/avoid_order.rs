//! Avoidance in lockstep: the same result for any number of threads and any order of units, after save and load, and without allocations.

use waymarch::avoid::{AvoidSettings, Avoidance, Crowd, Fine, Guide, Kinematics, OpenGround, Spawn, Stance};
use waymarch::base::{Executor, Fixed, LocomotorId, Serial, StateHasher, cell};
use waymarch::config::AvoidanceModel;
use waymarch::cost::{CostLayer, CostSettings};
use waymarch_testkit::alloc::allocations_in;
use waymarch_testkit::golden::golden;
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;

/// Executors that use several threads, or one thread backwards.
enum Shared {
    Threads(usize),
    Backwards,
}

impl Executor for Shared {
    #[expect(
        clippy::disallowed_methods,
        reason = "the engine starts no threads; this test does, to show that it could"
    )]
    fn each_at<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        match *self {
            Self::Threads(count) => {
                let share = items.len().div_ceil(count).max(1);
                let work = &work;
                std::thread::scope(|scope| {
                    for (number, part) in items.chunks_mut(share).enumerate() {
                        scope.spawn(move || {
                            part.iter_mut()
                                .enumerate()
                                .for_each(|(at, item)| work(number * share + at, item));
                        });
                    }
                });
            }
            Self::Backwards => {
                items.iter_mut().enumerate().rev().for_each(|(place, item)| work(place, item));
            }
        }
    }
}

fn ground() -> CostLayer {
    let map = Grid::scatter(8, 40, 40, 60).to_map("stones").validate().expect("legal");
    CostLayer::new(&map, CostSettings::default())
}

/// A mixed crowd: two teams, two kinds, units that are idle, hold or move. `order` is the order of the units in the lists.
fn crowd(order: &[u32]) -> Crowd {
    let mut crowd = Crowd::new(20);
    let foot = crowd.add_kind(Kinematics::INFANTRY).expect("legal");
    let tank = Kinematics { radius: Fixed::from_raw(700), ..Kinematics::TANK };
    let tank = crowd.add_kind(tank).expect("legal");
    let grid = Grid::scatter(8, 40, 40, 60);
    let mut rng = SplitMix::new(21);
    let plans: Vec<(Fine, Fine, u32)> = order
        .iter()
        .map(|_| {
            let mut spot = || grid.random_open(&mut rng).map_or(Fine::ZERO, Fine::centre);
            (spot(), spot(), rng.below(8))
        })
        .collect();
    for &id in order {
        let (at, goal, what) = plans[id as usize];
        let kind = if what == 0 { tank } else { foot };
        let spawn = Spawn { id, kind, at, team: (what == 1).into(), group: what % 3, ..Spawn::default() };
        let place = crowd.spawn(&spawn).expect("legal");
        match what {
            2 => crowd.hold(place),
            3 => {}
            _ => crowd.guide(place, Guide::to(goal)),
        }
    }
    crowd
}

fn in_order(count: u32) -> Vec<u32> {
    (0..count).collect()
}

fn avoidance(model: AvoidanceModel) -> Avoidance {
    let settings = AvoidSettings { model, ..AvoidSettings::default() };
    Avoidance::new(&settings.validate().expect("legal"))
}

#[test]
fn golden_crowds_of_every_model() {
    let layer = ground();
    let walls = layer.field(LocomotorId(0).into()).expect("it exists");
    for &model in AvoidanceModel::ALL {
        let mut crowd = crowd(&in_order(200));
        let mut avoidance = avoidance(model);
        for _ in 0..200 {
            avoidance.tick(&mut crowd, walls);
        }
        let hash = format!("{:016x}", StateHasher::hash_of(&crowd));
        golden(&format!("avoid/{}", model.name()), &hash);
    }
}

#[test]
fn threads_and_order_of_work_change_nothing() {
    let layer = ground();
    let walls = layer.field(LocomotorId(0).into()).expect("it exists");
    for &model in AvoidanceModel::ALL {
        let mut alone = crowd(&in_order(150));
        let mut avoid_alone = avoidance(model);
        let executors = [Shared::Threads(2), Shared::Threads(3), Shared::Backwards];
        let mut others: Vec<(Crowd, Avoidance, Shared)> = executors
            .into_iter()
            .map(|executor| (crowd(&in_order(150)), avoidance(model), executor))
            .collect();
        for tick in 0..60 {
            avoid_alone.tick_with(&mut alone, walls, &Serial);
            for (other, avoid, executor) in &mut others {
                avoid.tick_with(other, walls, executor);
                assert_eq!(*other, alone, "{model:?} tick {tick}");
            }
        }
    }
}

#[test]
fn the_order_of_units_in_the_lists_changes_nothing() {
    let layer = ground();
    let walls = layer.field(LocomotorId(0).into()).expect("it exists");
    let forth = in_order(120);
    let shuffled: Vec<u32> = forth.iter().map(|&id| (id * 77 + 13) % 120).collect();
    for &model in AvoidanceModel::ALL {
        let (mut a, mut b) = (crowd(&forth), crowd(&shuffled));
        let (mut avoid_a, mut avoid_b) = (avoidance(model), avoidance(model));
        for tick in 0..120 {
            avoid_a.tick(&mut a, walls);
            avoid_b.tick(&mut b, walls);
            for (place, &id) in shuffled.iter().enumerate() {
                let (there, here) = (id as usize, place);
                assert_eq!(a.positions()[there], b.positions()[here], "{model:?} tick {tick} unit {id}");
                assert_eq!(a.stance(there), b.stance(here));
            }
        }
    }
}

#[test]
fn a_loaded_crowd_continues_like_the_saved_one_with_any_scratch() {
    let layer = ground();
    let walls = layer.field(LocomotorId(0).into()).expect("it exists");
    let mut crowd = crowd(&in_order(120));
    let mut used = Avoidance::default();
    for _ in 0..80 {
        used.tick(&mut crowd, walls);
    }
    let mut saved = crowd.clone();
    // A new scratch, and one that was used for another crowd.
    let mut fresh = Avoidance::default();
    for _ in 0..100 {
        used.tick(&mut crowd, walls);
        fresh.tick(&mut saved, walls);
    }
    assert_eq!(crowd, saved);
    assert_eq!(StateHasher::hash_of(&crowd), StateHasher::hash_of(&saved));
}

#[test]
fn wrong_hints_about_neighbours_change_nothing() {
    let layer = ground();
    let walls = layer.field(LocomotorId(0).into()).expect("it exists");
    let (mut told, mut lied_to) = (crowd(&in_order(150)), crowd(&in_order(150)));
    let (mut honest, mut lying) = (Avoidance::default(), Avoidance::default());
    for tick in 0..120 {
        honest.tick(&mut told, walls);
        lying.poison();
        lying.tick(&mut lied_to, walls);
        assert_eq!(told, lied_to, "tick {tick}");
    }
}

#[test]
fn every_change_shows_in_the_hash() {
    let base = crowd(&in_order(20));
    let mut seen = vec![StateHasher::hash_of(&base)];
    let changes: [fn(&mut Crowd); 7] = [
        |crowd| crowd.guide(3, Guide::to(Fine::new(5, 5))),
        |crowd| crowd.hold(3),
        |crowd| crowd.stop(4),
        |crowd| crowd.put(3, Fine::new(1 << 18, 1 << 18), Fine::ZERO),
        |crowd| crowd.set_group(3, 77),
        |crowd| crowd.set_pace(3, Fixed::HALF),
        |crowd| crowd.remove(3),
    ];
    for change in changes {
        let mut crowd = base.clone();
        change(&mut crowd);
        let hash = StateHasher::hash_of(&crowd);
        assert!(!seen.contains(&hash), "change number {}", seen.len());
        seen.push(hash);
    }
}

#[test]
fn warm_ticks_allocate_nothing() {
    let layer = ground();
    let walls = layer.field(LocomotorId(0).into()).expect("it exists");
    for &model in AvoidanceModel::ALL {
        let mut crowd = crowd(&in_order(200));
        let mut avoidance = avoidance(model);
        let mut run = |ticks: u32| {
            for _ in 0..ticks {
                avoidance.tick(&mut crowd, walls);
            }
        };
        // The grid of the index is largest when units are farthest apart.
        run(60);
        assert_eq!(allocations_in(|| run(100)).0.calls, 0, "{model:?}");
    }
}

#[test]
fn sleep_changes_nothing_but_the_work() {
    // A unit walks through a block of sleeping idle units. In the second crowd all units are woken every tick.
    let mut starts = Crowd::new(20);
    let kind = starts.add_kind(Kinematics::INFANTRY).expect("legal");
    for number in 0..64_u32 {
        let at = Fine::new((number % 8 * 70_000) as i32, (number / 8 * 70_000) as i32);
        starts.spawn(&Spawn { id: number, kind, at, ..Spawn::default() }).expect("legal");
    }
    let at = Fine::centre(cell(-6, 3));
    let walker = starts.spawn(&Spawn { id: 99, kind, at, group: 1, ..Spawn::default() }).expect("legal");
    let (mut sleepy, mut awake) = (starts.clone(), starts);
    let (mut a, mut b) = (Avoidance::default(), Avoidance::default());
    for tick in 0..700 {
        if tick == 20 {
            assert!(sleepy.resting() >= 64, "all units sleep: {}", sleepy.resting());
            for crowd in [&mut sleepy, &mut awake] {
                crowd.guide(walker, Guide::to(Fine::centre(cell(14, 4))));
            }
        }
        awake.wake_all();
        a.tick(&mut sleepy, &OpenGround);
        b.tick(&mut awake, &OpenGround);
        assert_eq!(sleepy.positions(), awake.positions(), "tick {tick}");
    }
    assert_eq!(sleepy.stance(walker), Stance::Idle);
    assert_eq!(sleepy.resting(), 65, "all units sleep again");
}

#[test]
fn a_game_that_moves_its_own_units_gets_velocities() {
    let mut crowd = Crowd::new(20);
    let kind = crowd.add_kind(Kinematics::INFANTRY).expect("legal");
    let ends = [Fine::centre(cell(2, 5)), Fine::centre(cell(16, 5))];
    for (id, at) in [0, 1].into_iter().zip(ends) {
        let place = crowd.spawn(&Spawn { id, kind, at, ..Spawn::default() }).expect("legal");
        crowd.guide(place, Guide::to(ends[1 - place]));
    }
    let mut avoidance = Avoidance::default();
    for _ in 0..250 {
        let before = crowd.positions().to_vec();
        let velocities = avoidance.steer(&mut crowd, &OpenGround, &Serial).to_vec();
        assert_eq!(crowd.positions(), before, "no unit is moved");
        for (place, v) in velocities.into_iter().enumerate() {
            crowd.put(place, before[place].plus(v), v);
        }
        let apart = crowd.positions()[0].distance_squared(crowd.positions()[1]).isqrt();
        assert!(apart > 52_000, "{apart}");
    }
    assert_eq!([crowd.stance(0), crowd.stance(1)], [Stance::Idle; 2]);
}
