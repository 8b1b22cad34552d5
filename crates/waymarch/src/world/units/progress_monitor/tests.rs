use super::*;
use crate::base::Angle;

/// The distance that a unit walks in a tick, in 1024ths of a cell.
const STEP: u32 = 128;

/// What a unit does that visits these places, 128/1024 of a cell apart, on its way to a goal: the ticks of its remedies, up to and including `Exhausted`.
fn remedies(places: impl Iterator<Item = (i32, i32)>, goal: (i32, i32)) -> Vec<u64> {
    let config = Config::default();
    let goal = Vec2::new(Fixed::from_raw(goal.0), Fixed::from_raw(goal.1));
    let mut monitor = ProgressMonitor::default();
    let mut found = Vec::new();
    for (now, (x, y)) in (0..).zip(places) {
        let at = Vec2::new(Fixed::from_raw(x), Fixed::from_raw(y));
        let left = at.distance(goal).raw().unsigned_abs();
        let speed = Fixed::from_raw(STEP as i32);
        let step = Step { at, left, speed, walks: true, delay: Delay::None };
        monitor.notice(UnitMotion::Moving, &step, &config);
        match monitor.remedy(at, Tick(now), &config) {
            Remedy::None => {}
            Remedy::Ask => {
                monitor.cool_down(JitterKey { seed: 1, now: Tick(now), unit: UnitId::DEAD }, &config);
                found.push(now);
            }
            Remedy::Exhausted => {
                found.push(now);
                break;
            }
        }
    }
    found
}

/// The places of a unit that walks 200 times around a circle of this circumference, in 1024ths of a cell.
fn circle(around: u32) -> impl Iterator<Item = (i32, i32)> {
    let radius = i64::from(around) * 163 / 1024;
    let steps = around / STEP;
    (0..200 * steps).map(move |step| {
        let angle = Angle(((step % steps) * 65_536 / steps) as u16);
        let part = |part: i32| 40_000 + ((i64::from(part) * radius) >> 16) as i32;
        (part(angle.cos_16()), part(angle.sin_16()))
    })
}

#[test]
fn a_unit_in_a_loop_of_any_length_tries_every_rung_and_is_exhausted() {
    for cells in (3..40).chain([77, 130, 300]) {
        let found = remedies(circle(cells * 1024), (40_000, 90_000));
        assert_eq!(found.len(), 4, "{cells} cells: {found:?}");
        let walked = found[3] as u32 * STEP / 1024;
        assert!(walked <= 4 * (40 + 5 * (50 + cells / 5)), "{cells} cells: {found:?}");
    }
}

#[test]
fn a_unit_that_trembles_on_the_spot_is_exhausted() {
    let spot = (0..20_000).map(|step| (5000 + 700 * (step % 2), 5000));
    let found = remedies(spot, (90_000, 5000));
    assert_eq!(found.len(), 4);
    assert!(found[3] < 1000, "{found:?}");
}

#[test]
fn a_unit_that_gets_on_or_turns_back_once_needs_no_remedy() {
    let step = STEP as i32;
    let straight = (0..9000).map(|number| (number * step, 0));
    assert_eq!(remedies(straight, (9000 * step, 0)), []);
    let back = (0..3000).chain((0..3000).rev()).map(|number| (number * step, 0));
    assert_eq!(remedies(back, (-1000, 0)), []);
    // A slalom: the unit goes back and forth, but gets nearer.
    let slalom = (0..9000).map(|number: i32| ((number % 60 - 30).abs() * step, number * 40));
    assert_eq!(remedies(slalom, (0, 9000 * 40)), []);
}

/// A unit that stands 100 cells from its goal, and had this remaining distance on its present route before.
fn stands(monitor: &mut ProgressMonitor, state: UnitMotion) {
    let step = Step {
        at: Vec2::default(),
        left: 100 * 1024,
        speed: Fixed::from_raw(STEP as i32),
        walks: false,
        delay: Delay::Settled,
    };
    monitor.notice(state, &step, &Config::default());
}

#[test]
fn the_clock_runs_as_fast_as_the_state_says() {
    let ticks = |state| {
        let mut monitor = ProgressMonitor::default();
        (0..512).for_each(|_| stands(&mut monitor, state));
        assert_eq!((monitor.stalled, monitor.kept), (512, 512));
        monitor.ticks()
    };
    assert_eq!(ticks(UnitMotion::Lost), 512);
    assert_eq!(ticks(UnitMotion::Trapped), 512);
    assert_eq!(ticks(UnitMotion::Blocked), 32);
    assert_eq!(ticks(UnitMotion::Moving), 32);
    assert_eq!(ticks(UnitMotion::Queued), 2);
    assert_eq!(ticks(UnitMotion::Yielding), 0);
}

#[test]
fn another_route_is_no_progress_and_a_nearer_place_is() {
    let mut monitor = ProgressMonitor::default();
    (0..10).for_each(|_| stands(&mut monitor, UnitMotion::Lost));
    monitor.join_route();
    stands(&mut monitor, UnitMotion::Lost);
    assert_eq!((monitor.ticks(), monitor.kept), (11, 1));
    let step = Step {
        at: Vec2::default(),
        left: 100 * 1024 - 256,
        speed: Fixed::from_raw(STEP as i32),
        walks: true,
        delay: Delay::None,
    };
    monitor.notice(UnitMotion::Moving, &step, &Config::default());
    assert_eq!((monitor.ticks(), monitor.kept, monitor.stalled), (0, 0, 0));
}

#[test]
fn a_unit_that_is_pushed_to_and_fro_stalls_until_it_gets_on_or_gets_another_route() {
    let walk_at = |monitor: &mut ProgressMonitor, left| {
        let (at, speed) = (Vec2::default(), Fixed::from_raw(STEP as i32));
        let step = Step { at, left, speed, walks: true, delay: Delay::None };
        monitor.notice(UnitMotion::Moving, &step, &Config::default());
        monitor.stalled
    };
    let mut monitor = ProgressMonitor::default();
    assert_eq!(walk_at(&mut monitor, 10_000), 0);
    assert_eq!(walk_at(&mut monitor, 10_512), 0, "half a cell back is no push");
    for ticks in 1..=100 {
        assert_eq!(walk_at(&mut monitor, 10_513 + u32::from(ticks % 50) * 40), ticks);
    }
    assert_eq!(walk_at(&mut monitor, 10_100), 0);
    assert_eq!(walk_at(&mut monitor, 12_000), 1);
    monitor.join_route();
    assert_eq!(walk_at(&mut monitor, 12_000), 0, "another route may be longer");
}

#[test]
fn attempts_are_forgotten_only_nearer_to_the_goal_than_ever() {
    let mut monitor = ProgressMonitor::default();
    stands(&mut monitor, UnitMotion::Lost);
    (monitor.rung, monitor.attempts, monitor.told) = (Rung::Nearest, 3, true);
    // A long detour first. At this speed, the unit must get 3 cells nearer.
    for cells in (98..150).chain((98..150).rev()) {
        let step = Step {
            at: Vec2::new(Fixed::from_cells(cells), Fixed::ZERO),
            left: cells as u32 * 1024,
            speed: Fixed::from_raw(STEP as i32),
            walks: true,
            delay: Delay::None,
        };
        monitor.notice(UnitMotion::Moving, &step, &Config::default());
        assert_eq!((monitor.rung, monitor.attempts), (Rung::Nearest, 3));
    }
    let near = Step {
        at: Vec2::default(),
        left: 97 * 1024,
        speed: Fixed::from_raw(STEP as i32),
        walks: true,
        delay: Delay::None,
    };
    monitor.notice(UnitMotion::Moving, &near, &Config::default());
    assert_eq!((monitor.rung, monitor.attempts, monitor.told), (Rung::Ground, 0, false));
}

/// An idle enemy in the mouth of a gap: a deadlock zone leads the unit back, and the unit returns, again and again.
#[test]
fn the_way_back_after_a_deadlock_zone_is_no_progress() {
    let mut monitor = ProgressMonitor::default();
    let at = |cells: u32| Step {
        at: Vec2::new(Fixed::from_cells(cells as i32), Fixed::ZERO),
        left: cells * 1024,
        speed: Fixed::from_raw(STEP as i32),
        walks: true,
        delay: Delay::None,
    };
    monitor.notice(UnitMotion::Moving, &at(40), &Config::default());
    let zones = (0..100).take_while(|_| {
        let goes_on = monitor.start_over(at(44).at, 1);
        (40..44).rev().for_each(|cells| monitor.notice(UnitMotion::Moving, &at(cells), &Config::default()));
        goes_on
    });
    assert!(zones.count() < 64);
    // Behind the gap, all attempts are forgotten.
    monitor.notice(UnitMotion::Moving, &at(37), &Config::default());
    assert_eq!((monitor.rung, monitor.attempts), (Rung::Ground, 0));
}

#[test]
fn a_unit_that_moves_on_or_can_be_let_through_starts_again_until_its_attempts_are_used_up() {
    let here = Vec2::default();
    let far = Vec2::new(Fixed::from_cells(2), Fixed::ZERO);
    let mut monitor = ProgressMonitor::default();
    assert!(
        (0..3).all(|_| monitor.starts_again(here, || false)),
        "a deadlock zone may help a unit that is walled in"
    );
    assert!(!monitor.starts_again(here, || false), "walled in");
    let mut monitor = ProgressMonitor::default();
    assert!(monitor.starts_again(here, || true));
    assert!((0..15).all(|_| monitor.starts_again(far, || false)));
    assert!(!monitor.starts_again(far, || false), "64 attempts are used up");
    let mut monitor = ProgressMonitor { attempts: MOST_ATTEMPTS, ..ProgressMonitor::default() };
    assert!(!monitor.starts_again(here, || true));
}
