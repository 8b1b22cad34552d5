//! Idle units step aside for friendly units and come back.

use waymarch::avoid::{Avoidance, Crowd, Fine, Guide, Kinematics, OpenGround, Spawn, Stance};
use waymarch::base::{LocomotorId, cell};
use waymarch::cost::{CostLayer, CostSettings};
use waymarch_testkit::picture::Picture;

const CELL: i32 = 1 << 16;

fn soldiers(ticks: u16, at: impl Iterator<Item = Fine>) -> Crowd {
    let mut crowd = Crowd::new(ticks);
    let kind = crowd.add_kind(Kinematics::INFANTRY).expect("a legal kind");
    for (number, at) in at.enumerate() {
        let spawn = Spawn { id: number as u32, kind, at, group: number as u32, ..Spawn::default() };
        crowd.spawn(&spawn).expect("a legal unit");
    }
    crowd
}

/// The distance of a unit from a point, in thousandths of a cell.
fn distance_from(crowd: &Crowd, unit: usize, to: Fine) -> u64 {
    (crowd.positions()[unit].distance_squared(to).isqrt() * 1000) >> 16
}

/// A block of 25 units walks through a block of 144 idle units that stand 1.2 cells apart.
fn through_the_block(ticks: u16) {
    let spot = |number: i32| {
        let along = |place: i32| 40 * CELL + (12 * CELL / 10) * place - 66 * CELL / 10;
        Fine::new(along(number % 12), along(number / 12))
    };
    let start = |number: i32| Fine::new((20 + number % 5) * CELL, (38 + number / 5) * CELL);
    let mut crowd = soldiers(ticks, (0..144).map(spot).chain((0..25).map(start)));
    for number in 0..25 {
        let from = start(number);
        crowd.guide(144 + number as usize, Guide::to(Fine::new(from.x + 36 * CELL, from.y)));
    }
    let mut avoidance = Avoidance::default();
    let (mut farthest, mut passed, mut formed) = (0, None, None);
    for tick in 0..40 * u32::from(ticks) {
        avoidance.tick(&mut crowd, &OpenGround);
        let off = (0..144).map(|unit| distance_from(&crowd, unit as usize, spot(unit))).max().unwrap_or(0);
        farthest = farthest.max(off);
        if passed.is_none() && (144..169).all(|unit| crowd.positions()[unit].x > 48 * CELL) {
            passed = Some(tick);
        }
        if passed.is_some() && formed.is_none() && off <= 200 {
            formed = Some(tick);
        }
    }
    assert!((144..169).all(|unit| crowd.stance(unit) == Stance::Idle), "all units got through");
    assert!(farthest > 800, "idle units made way: {farthest}");
    assert!(farthest <= 4000, "no unit is carried along: {farthest}");
    let (passed, formed) = (passed.expect("they passed"), formed.expect("the block has formed again"));
    let seconds = (formed - passed) / u32::from(ticks);
    assert!(seconds < 10, "the block has formed again {seconds} s after they passed");
}

#[test]
fn idle_units_make_way_for_a_moving_block_and_are_back_within_ten_seconds() {
    through_the_block(20);
}

#[test]
fn the_same_at_sixty_ticks_a_second() {
    through_the_block(60);
}

#[test]
fn an_idle_unit_at_a_wall_leaves_a_lane_on_the_open_side() {
    let map = Picture::new(
        "##############################
         ##############################
         ..............................
         ..............................
         ..............................
         ..............................",
    );
    let layer = CostLayer::new(&map.map.validate().expect("a legal map"), CostSettings::default());
    let field = layer.field(LocomotorId(0).into()).expect("it exists");
    // The idle unit is a little nearer to the wall than the moving ones, so that the wall is on its nearer side.
    let spot = Fine::new(15 * CELL, 2 * CELL + 45 * CELL / 100);
    let starts = [3, 4, 5].map(|x| Fine::new(x * CELL, 2 * CELL + 50 * CELL / 100));
    let mut crowd = soldiers(20, [spot].into_iter().chain(starts));
    for unit in 1..4 {
        crowd.guide(unit, Guide::to(Fine::centre(cell(24 + unit as i32, 2))));
    }
    let mut avoidance = Avoidance::default();
    let (mut aside, mut along) = (0, 0);
    for _ in 0..20 * 30 {
        avoidance.tick(&mut crowd, field);
        let at = crowd.positions()[0];
        (aside, along) = (aside.max(at.y - spot.y), along.max(at.x - spot.x));
    }
    assert!((1..4).all(|unit| crowd.stance(unit) == Stance::Idle), "all units got through");
    assert!(aside > CELL / 2, "the unit stepped aside: {aside}");
    assert!(along < 3 * CELL / 2, "the unit was not pushed along: {along}");
    assert!(distance_from(&crowd, 0, spot) < 200, "the unit is back");
}
