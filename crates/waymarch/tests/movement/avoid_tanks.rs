//! Vehicles pass each other although they turn slowly and never move sideways. They take little more time than infantry.

use waymarch::avoid::{Avoidance, Crowd, FINE_CELL, Fine, Guide, Kinematics, OpenGround, Spawn, Stance};
use waymarch::base::Angle;

/// The point number `number` of `of` on a circle with a radius of `radius` cells.
fn on_circle(number: u32, of: u32, radius: i32) -> Fine {
    let angle = Angle((65_536 * number / of) as u16);
    let part = |part: i32| ((i64::from(part) * i64::from(radius * FINE_CELL)) >> 16) as i32;
    Fine::new((64 * FINE_CELL) + part(angle.cos_16()), (64 * FINE_CELL) + part(angle.sin_16()))
}

/// The ticks until each unit has reached the place opposite on the circle.
fn change_places(kind: Kinematics, count: u32, radius: i32, hz: u16) -> u32 {
    let mut crowd = Crowd::new(hz);
    let kind = crowd.add_kind(kind).expect("legal");
    for number in 0..count {
        let at = on_circle(number, count, radius);
        // Each unit faces the centre, where it will go.
        let heading = Angle((65_536 * number / count) as u16) + Angle::HALF;
        let unit = crowd.spawn(&Spawn { id: number, kind, at, heading, ..Spawn::default() }).expect("legal");
        crowd.guide(unit, Guide::to(on_circle((number + count / 2) % count, count, radius)));
    }
    let mut avoidance = Avoidance::default();
    for tick in 1..=60 * u32::from(hz) {
        avoidance.tick(&mut crowd, &OpenGround);
        if (0..count as usize).all(|unit| crowd.stance(unit) == Stance::Idle) {
            return tick;
        }
    }
    panic!("{count} on a circle of {radius} did not get there at {hz} ticks a second");
}

#[test]
fn tanks_change_places_in_little_more_time_than_infantry() {
    for hz in [20, 60] {
        for (count, radius) in [(2, 10), (4, 10), (16, 10), (60, 20)] {
            let [tanks, infantry] =
                [Kinematics::TANK, Kinematics::INFANTRY].map(|kind| change_places(kind, count, radius, hz));
            assert!(10 * tanks <= 13 * infantry, "{count} at {hz}: {tanks} and {infantry} ticks");
        }
    }
}
