//! The motion of a single unit: acceleration, turning, braking, arrival.

use waymarch::avoid::{
    Avoidance, Crowd, FINE_CELL, Fine, Guide, Kinematics, OpenGround, Reverse, Spawn, Stance, Turning,
};
use waymarch::base::{Angle, Fixed, Vec2, cell};

fn alone(kind: Kinematics, ticks: u16) -> (Crowd, usize) {
    let mut crowd = Crowd::new(ticks);
    let kind = crowd.add_kind(kind).expect("a legal kind");
    let at = Fine::centre(cell(20, 20));
    let place = crowd.spawn(&Spawn { id: 3, kind, at, ..Spawn::default() }).expect("a legal unit");
    (crowd, place)
}

fn run(crowd: &mut Crowd, ticks: u32, mut look: impl FnMut(&Crowd)) {
    let mut avoidance = Avoidance::default();
    for _ in 0..ticks {
        avoidance.tick(crowd, &OpenGround);
        look(crowd);
    }
}

fn length(v: Fine) -> i64 {
    (Fine::ZERO.distance_squared(v) as i64).isqrt()
}

fn target(dx: i32, dy: i32) -> Fine {
    Fine::centre(cell(20 + dx, 20 + dy))
}

#[test]
fn infantry_starts_at_once_in_the_right_direction() {
    let (mut crowd, unit) = alone(Kinematics::INFANTRY, 20);
    crowd.guide(unit, Guide::to(target(-6, 8)));
    run(&mut crowd, 1, |_| {});
    let v = crowd.velocities()[unit];
    assert!(length(v) >= 1_600, "a quarter of its speed in the first tick: {v:?}");
    let to = Vec2::from_cells(-6, 8).angle();
    assert!(Angle::atan2(v.y, v.x).turn_to(to).unsigned_abs() < 40, "{v:?}");
}

#[test]
fn no_unit_exceeds_its_speed_or_its_acceleration() {
    for ticks in [20, 60] {
        for kind in [Kinematics::INFANTRY, Kinematics::TANK] {
            let (mut crowd, unit) = alone(kind, ticks);
            crowd.guide(unit, Guide::to(target(7, -5)));
            let hz = i64::from(ticks);
            let top = i64::from(kind.speed.raw()) * 64 / hz + 1;
            let gain = i64::from(kind.acceleration.max(kind.braking).raw()) * 64 / (hz * hz) + 4;
            let mut before = Fine::ZERO;
            run(&mut crowd, 12 * u32::from(ticks), |crowd| {
                let v = crowd.velocities()[unit];
                assert!(length(v) <= top, "{v:?}");
                // Vehicles keep their speed while they turn, so only the length of the velocity is compared.
                assert!(length(v) - length(before) <= gain, "{before:?} {v:?}");
                before = v;
            });
            assert_eq!(crowd.stance(unit), Stance::Idle, "{kind:?} arrived");
            assert_eq!(before, Fine::ZERO, "the unit stands at the end");
            let off = crowd.positions()[unit].distance_squared(target(7, -5)).isqrt();
            assert!(off < u64::from(FINE_CELL as u32) / 4, "{off}");
        }
    }
}

#[test]
fn tanks_never_move_sideways_and_turn_no_faster_than_they_can() {
    let (mut crowd, unit) = alone(Kinematics::TANK, 20);
    let mut heading = crowd.heading(unit);
    for (dx, dy) in [(9, 0), (-4, 7), (3, -9), (0, 0)] {
        crowd.guide(unit, Guide::to(target(dx, dy)));
        run(&mut crowd, 300, |crowd| {
            let (v, now) = (crowd.velocities()[unit], crowd.heading(unit));
            assert!(heading.turn_to(now).unsigned_abs() <= 1_639, "half a turn a second");
            let side = i64::from(v.y) * i64::from(now.cos_16()) - i64::from(v.x) * i64::from(now.sin_16());
            assert!((side >> 16).abs() <= 2, "{v:?} {now:?}");
            heading = now;
        });
        assert_eq!(crowd.stance(unit), Stance::Idle, "arrived at {dx} {dy}");
    }
}

#[test]
fn a_tank_backs_up_to_a_near_goal_behind_it_and_turns_around_for_a_far_one() {
    let backwards = |distance: i32, reverse| {
        let Turning::Rate { degrees, in_place, .. } = Kinematics::TANK.turning else {
            panic!("the kind has a turn rate")
        };
        let turning = Turning::Rate { degrees, in_place, reverse };
        let (mut crowd, unit) = alone(Kinematics { turning, ..Kinematics::TANK }, 20);
        // The tank faces east, and the goal lies west.
        crowd.guide(unit, Guide::to(target(-distance, 0)));
        let mut reversed = false;
        run(&mut crowd, 40 * 20, |crowd| {
            let v = crowd.velocities()[unit];
            let forth = i64::from(v.x) * i64::from(crowd.heading(unit).cos_16());
            reversed |= forth < 0 && length(v) > 500;
        });
        assert_eq!(crowd.stance(unit), Stance::Idle, "arrived {distance}");
        reversed
    };
    assert!(backwards(1, Reverse::WhenShorter));
    assert!(!backwards(20, Reverse::WhenShorter));
    assert!(!backwards(1, Reverse::Never));
}

#[test]
fn heavy_ground_slows_a_unit_down_and_it_still_reaches_its_goal() {
    let time = |part: i32| {
        let (mut crowd, unit) = alone(Kinematics::INFANTRY, 20);
        crowd.set_pace(unit, Fixed::from_raw(part));
        crowd.guide(unit, Guide::to(target(10, 0)));
        let mut ticks = 0;
        run(&mut crowd, 400, |crowd| ticks += u32::from(crowd.stance(unit) == Stance::Moving));
        assert_eq!(crowd.stance(unit), Stance::Idle);
        ticks
    };
    let (full, half) = (time(1024), time(512));
    assert!(half > 2 * full - 20 && half < 2 * full + 20, "{full} {half}");
}

#[test]
fn invalid_kinematics_are_refused_by_name() {
    let mut crowd = Crowd::new(20);
    let bad = [
        (Kinematics { radius: Fixed::ZERO, ..Kinematics::INFANTRY }, "radius"),
        (Kinematics { speed: Fixed::from_cells(-1), ..Kinematics::INFANTRY }, "speed"),
        (Kinematics { acceleration: Fixed::ZERO, ..Kinematics::INFANTRY }, "acceleration"),
        (Kinematics { braking: Fixed::MIN, ..Kinematics::INFANTRY }, "braking"),
        (
            Kinematics {
                turning: Turning::Rate { degrees: 0, in_place: 10, reverse: Reverse::Never },
                ..Kinematics::INFANTRY
            },
            "turn rate",
        ),
    ];
    for (kind, what) in bad {
        assert_eq!(crowd.add_kind(kind).map_err(|error| error.what), Err(what));
    }
}
