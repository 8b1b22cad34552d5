//! Short ticks do not make units tremble.

use waymarch::avoid::{Avoidance, Crowd, Fine, Guide, Kinematics, OpenGround, Spawn};
use waymarch::base::{Angle, cell};

/// The sum of turns of two units that pass each other head on, in 65,536ths of a full turn. One unit starts `aside` of the other's line.
fn turned(ticks: u16, aside: i32) -> u64 {
    let mut crowd = Crowd::new(ticks);
    let kind = crowd.add_kind(Kinematics::INFANTRY).expect("a legal kind");
    let ends = [Fine::centre(cell(2, 9)), Fine::new(22 << 16, (19 << 15) + aside)];
    for (id, at) in ends.into_iter().enumerate() {
        crowd.spawn(&Spawn { id: id as u32, kind, at, ..Spawn::default() }).expect("a legal unit");
    }
    crowd.guide(0, Guide::to(ends[1]));
    crowd.guide(1, Guide::to(ends[0]));
    let mut avoidance = Avoidance::default();
    let mut before = [None::<Angle>; 2];
    let mut sum = 0;
    for _ in 0..12 * u32::from(ticks) {
        avoidance.tick(&mut crowd, &OpenGround);
        for (unit, before) in before.iter_mut().enumerate() {
            let v = crowd.velocities()[unit];
            // A tenth of the unit's speed of two cells per second.
            let moves = Fine::ZERO.distance_squared(v).isqrt() * u64::from(ticks) * 5 > 1 << 16;
            let heading = moves.then(|| Angle::atan2(v.y, v.x));
            if let (Some(before), Some(heading)) = (*before, heading) {
                sum += u64::from(before.turn_to(heading).unsigned_abs());
            }
            *before = heading;
        }
    }
    sum
}

#[test]
fn units_turn_as_much_at_sixty_ticks_a_second_as_at_twenty() {
    let sides = [0, 300, -700, 5_000, -9_000, 14_000, -20_000];
    let all = |ticks| sides.iter().map(|&aside| turned(ticks, aside)).sum::<u64>();
    let (slow, fast) = (all(20), all(60));
    assert!(slow > 10_000, "the units turn: {slow}");
    // Without smoothed velocities it was 72,561 at 60 ticks a second and 59,262 at 20.
    assert!(20 * fast <= 21 * slow, "{fast} at sixty, {slow} at twenty");
}
