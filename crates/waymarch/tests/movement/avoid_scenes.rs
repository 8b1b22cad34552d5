//! Scenes of avoidance: units that meet, push, queue, and never enter walls.

use waymarch::avoid::{
    AvoidSettings, Avoidance, Crowd, Fine, Guide, Kinematics, OpenGround, Spawn, Stance, Walls,
};
use waymarch::base::{CellPos, Fixed, LocomotorId, cell};
use waymarch::config::{AvoidanceModel, PushMechanics};
use waymarch::cost::{CostField, CostLayer, CostSettings};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::picture::Picture;
use waymarch_testkit::splitmix::SplitMix;

fn settings(model: AvoidanceModel) -> Avoidance {
    let settings = AvoidSettings { model, ..AvoidSettings::default() };
    Avoidance::new(&settings.validate().expect("legal settings"))
}

fn layer(picture: &str) -> CostLayer {
    let map = Picture::new(picture).map.validate().expect("a legal map");
    CostLayer::new(&map, CostSettings::default())
}

fn field(layer: &CostLayer) -> &CostField {
    layer.field(LocomotorId(0).into()).expect("it exists")
}

/// A crowd of one kind, at these positions and of these teams.
fn crowd_of(kind: Kinematics, at: &[(Fine, u8)]) -> Crowd {
    let mut crowd = Crowd::new(20);
    let kind = crowd.add_kind(kind).expect("a legal kind");
    for (number, &(at, team)) in at.iter().enumerate() {
        let spawn = Spawn { id: number as u32, kind, at, team, ..Spawn::default() };
        crowd.spawn(&spawn).expect("a legal unit");
    }
    crowd
}

fn at(x: i32, y: i32) -> Fine {
    Fine::centre(cell(x, y))
}

fn distance_from(crowd: &Crowd, unit: usize, to: Fine) -> u64 {
    (crowd.positions()[unit].distance_squared(to).isqrt() * 1000) >> 16
}

/// The deepest overlap of a unit with closed cells, in 65,536ths of a cell.
fn deepest(crowd: &Crowd, radius: i64, walls: &impl Walls) -> i64 {
    let mut deepest = 0;
    for at in crowd.positions() {
        let reach = (radius >> 16) as i32 + 1;
        let own = at.cell();
        for y in own.y - reach..=own.y + reach {
            for x in own.x - reach..=own.x + reach {
                if walls.is_open(CellPos::new(x, y)) {
                    continue;
                }
                let off = |part: i32, cell: i32| {
                    let low = i64::from(cell) << 16;
                    i64::from(part) - i64::from(part).clamp(low, low + (1 << 16))
                };
                let (x, y) = (off(at.x, x), off(at.y, y));
                deepest = deepest.max(radius - (x * x + y * y).isqrt());
            }
        }
    }
    deepest
}

#[test]
fn two_units_that_meet_head_on_pass_each_other_with_every_avoiding_model() {
    for &model in AvoidanceModel::ALL.iter().filter(|&&model| model != AvoidanceModel::None) {
        let mut crowd = crowd_of(Kinematics::INFANTRY, &[(at(2, 9), 0), (at(22, 9), 0)]);
        crowd.guide(0, Guide::to(at(22, 9)));
        crowd.guide(1, Guide::to(at(2, 9)));
        let mut avoidance = settings(model);
        for _ in 0..20 * 25 {
            avoidance.tick(&mut crowd, &OpenGround);
            let apart = crowd.positions()[0].distance_squared(crowd.positions()[1]).isqrt();
            assert!(apart > 50_000, "{model:?}: the units collide: {apart}");
        }
        assert_eq!([crowd.stance(0), crowd.stance(1)], [Stance::Idle; 2], "{model:?}");
    }
}

#[test]
fn head_on_pairs_step_to_opposite_sides() {
    let mut crowd = crowd_of(Kinematics::INFANTRY, &[(at(2, 9), 0), (at(12, 9), 0)]);
    crowd.guide(0, Guide::to(at(12, 9)));
    crowd.guide(1, Guide::to(at(2, 9)));
    let mut avoidance = settings(AvoidanceModel::OrcaLite);
    for _ in 0..45 {
        avoidance.tick(&mut crowd, &OpenGround);
    }
    let side = [0, 1].map(|unit: usize| crowd.positions()[unit].y - at(2, 9).y);
    assert!(side[0].signum() * side[1].signum() < 0, "{side:?}");
}

#[test]
fn a_circle_of_sixteen_changes_places_without_touching() {
    // Points of a circle, symmetric to the last bit.
    let mut places = Vec::new();
    for (x, y) in [(9, 0), (8, 3), (6, 6), (3, 8)] {
        places.extend([(x, y), (-y, x), (-x, -y), (y, -x)]);
    }
    let place = |(x, y): (i32, i32)| Fine::new((x + 20) << 16, (y + 20) << 16);
    let starts: Vec<(Fine, u8)> = places.iter().map(|&to| (place(to), 0)).collect();
    let mut crowd = crowd_of(Kinematics::INFANTRY, &starts);
    for (unit, &(x, y)) in places.iter().enumerate() {
        crowd.guide(unit, Guide::to(place((-x, -y))));
    }
    let mut avoidance = Avoidance::default();
    for _ in 0..20 * 25 {
        avoidance.tick(&mut crowd, &OpenGround);
    }
    assert!((0..16).all(|unit| crowd.stance(unit) == Stance::Idle), "all units arrived");
    assert_eq!(crowd.resting(), 16, "all units sleep");
}

#[test]
fn two_units_pass_each_other_in_a_corridor_two_cells_wide() {
    let layer = layer(
        "##########################
         ..........................
         ..........................
         ##########################",
    );
    let (west, east) = (Fine::new(3 << 15, 2 << 16), Fine::new(49 << 15, 2 << 16));
    let mut crowd = crowd_of(Kinematics::INFANTRY, &[(west, 0), (east, 0)]);
    crowd.guide(0, Guide::to(east));
    crowd.guide(1, Guide::to(west));
    let mut avoidance = Avoidance::default();
    for _ in 0..20 * 40 {
        avoidance.tick(&mut crowd, field(&layer));
        assert!(deepest(&crowd, 26_240, field(&layer)) <= 8);
    }
    assert_eq!([crowd.stance(0), crowd.stance(1)], [Stance::Idle; 2]);
}

#[test]
fn an_idle_friend_in_a_doorway_makes_way_and_comes_back() {
    let layer = layer(
        "..........#..........
         ..........#..........
         .....................
         ..........#..........
         ..........#..........",
    );
    let mut crowd = crowd_of(Kinematics::INFANTRY, &[(at(10, 2), 0), (at(2, 2), 0)]);
    crowd.guide(1, Guide::to(at(18, 2)));
    let mut avoidance = Avoidance::default();
    let mut moved = 0;
    for _ in 0..20 * 30 {
        avoidance.tick(&mut crowd, field(&layer));
        moved = moved.max(distance_from(&crowd, 0, at(10, 2)));
        assert!(deepest(&crowd, 26_240, field(&layer)) <= 8);
    }
    assert_eq!(crowd.stance(1), Stance::Idle);
    assert!(distance_from(&crowd, 1, at(18, 2)) < 200, "the friendly unit got through");
    assert!(moved > 500, "the idle unit made way: {moved}");
    assert!(distance_from(&crowd, 0, at(10, 2)) < 200, "the idle unit is back");
}

#[test]
fn neither_an_enemy_nor_a_holder_in_a_doorway_makes_way() {
    let layer = layer(
        "..........#..........
         ..........#..........
         .....................
         ..........#..........
         ..........#..........",
    );
    for (team, holds) in [(1, false), (0, true), (1, true)] {
        let mut crowd = crowd_of(Kinematics::INFANTRY, &[(at(10, 2), team), (at(2, 2), 0)]);
        if holds {
            crowd.hold(0);
        }
        crowd.guide(1, Guide::to(at(18, 2)));
        let mut avoidance = Avoidance::default();
        for _ in 0..20 * 15 {
            avoidance.tick(&mut crowd, field(&layer));
            assert!(distance_from(&crowd, 0, at(10, 2)) < 10, "the unit in the doorway has not moved");
        }
        assert!(crowd.positions()[1].x < at(10, 2).x, "the moving unit did not get through");
    }
}

#[test]
fn pushing_follows_the_push_mechanics() {
    // A moving unit is guided through an idle friendly one. Without avoidance it can only push.
    let shoved = |push| {
        let (model, strength) = (AvoidanceModel::OrcaLite, Fixed::ZERO);
        let settings = AvoidSettings { model, strength, push, ..AvoidSettings::default() };
        let mut avoidance = Avoidance::new(&settings.validate().expect("legal"));
        let mut crowd = crowd_of(Kinematics::INFANTRY, &[(at(5, 5), 0), (at(1, 5), 0)]);
        crowd.guide(1, Guide::to(at(9, 5)));
        let mut most = 0;
        for _ in 0..80 {
            avoidance.tick(&mut crowd, &OpenGround);
            most = most.max(distance_from(&crowd, 0, at(5, 5)));
        }
        most
    };
    assert_eq!(shoved(PushMechanics::None), 0);
    assert!(shoved(PushMechanics::Gentle) > 0);
}

#[test]
fn each_way_of_pushing_gets_past_different_units_in_a_doorway() {
    let layer = layer(
        "..........#..........
         ..........#..........
         .....................
         ..........#..........
         ..........#..........",
    );
    // Whether a unit gets through a doorway in 60 seconds, and how far the unit in the doorway was moved at most.
    let meets = |push, team, holds: bool| {
        let mut crowd = crowd_of(Kinematics::INFANTRY, &[(at(10, 2), team), (at(2, 2), 0)]);
        if holds {
            crowd.hold(0);
        }
        crowd.guide(1, Guide::to(at(18, 2)));
        let settings = AvoidSettings { push, ..AvoidSettings::default() };
        let mut avoidance = Avoidance::new(&settings.validate().expect("legal"));
        let mut moved = 0;
        for _ in 0..20 * 60 {
            avoidance.tick(&mut crowd, field(&layer));
            moved = moved.max(distance_from(&crowd, 0, at(10, 2)));
        }
        (distance_from(&crowd, 1, at(18, 2)) < 300, moved)
    };
    let (ally, enemy, holder) = ((0, false), (1, false), (0, true));
    for (push, passes) in [
        (PushMechanics::None, [false, false, false]),
        (PushMechanics::Gentle, [true, false, false]),
        (PushMechanics::Aggressive, [true, true, true]),
    ] {
        for ((team, holds), passes) in [ally, enemy, holder].into_iter().zip(passes) {
            let (through, moved) = meets(push, team, holds);
            assert_eq!(through, passes, "{push:?}: team {team}, holds: {holds}, moved by {moved}");
            assert_eq!(moved > 100, passes, "{push:?}: team {team}, holds: {holds}, moved by {moved}");
        }
    }
}

#[test]
fn no_unit_is_pushed_into_walls_by_a_crowd() {
    let mut rng = SplitMix::new(17);
    for seed in 0..4 {
        let grid = Grid::scatter(seed, 40, 30, 250);
        let layer =
            CostLayer::new(&grid.to_map("rubble").validate().expect("legal"), CostSettings::default());
        let walls = field(&layer);
        let mut starts: Vec<(Fine, u8)> = Vec::new();
        for _ in 0..150 {
            let Some(spot) = grid.random_open(&mut rng) else { continue };
            if starts.iter().all(|&(taken, _)| taken != Fine::centre(spot)) {
                starts.push((Fine::centre(spot), (rng.below(2)) as u8));
            }
        }
        for kind in
            [Kinematics::INFANTRY, Kinematics { speed: Fixed::from_cells(40), ..Kinematics::INFANTRY }]
        {
            let mut crowd = crowd_of(kind, &starts);
            let mut avoidance = Avoidance::default();
            for round in 0..6 {
                // Guidance straight through walls is the worst case.
                for unit in 0..crowd.len() {
                    let goal = Fine::centre(cell(rng.below(40) as i32, rng.below(30) as i32));
                    match rng.below(8) {
                        0 => crowd.hold(unit),
                        1 => {}
                        _ => crowd.guide(unit, Guide::to(goal)),
                    }
                }
                for tick in 0..50 {
                    avoidance.tick(&mut crowd, walls);
                    let deep = deepest(&crowd, 26_240, walls);
                    assert!(deep <= 16, "seed {seed} round {round} tick {tick}: {deep}");
                }
            }
        }
    }
}

#[test]
fn a_thousand_small_units_do_not_get_out_of_a_slanted_wall() {
    // A closed wall in steps, one cell thick. All units are ordered straight out.
    let (width, height) = (48_u32, 48_u32);
    let mut grid = Grid { width, height, cost: vec![1; (width * height) as usize] };
    let inside = |x: i32, y: i32| (x - y / 4 - 6) >= 0 && (x - y / 4) < 36 && (6..42).contains(&y);
    for y in 0..height as i32 {
        for x in 0..width as i32 {
            let near = (-1..=1).any(|dy| (-1..=1).any(|dx| inside(x + dx, y + dy)));
            if near && !inside(x, y) {
                grid.cost[(y * width as i32 + x) as usize] = 255;
            }
        }
    }
    let layer = CostLayer::new(&grid.to_map("pen").validate().expect("legal"), CostSettings::default());
    let small = Kinematics { radius: Fixed::from_raw(150), ..Kinematics::INFANTRY };
    let mut starts = Vec::new();
    for y in 14..34 {
        for x in 18..30 {
            for part in 0..5 {
                let spot = at(x, y).plus(Fine::new(part * 13_107 - 26_214, (part % 2) * 20_000 - 10_000));
                starts.push((spot, 0));
            }
        }
    }
    starts.truncate(1000);
    let mut crowd = crowd_of(small, &starts);
    let mut rng = SplitMix::new(5);
    let mut avoidance = Avoidance::default();
    for unit in 0..crowd.len() {
        let edge = rng.below(48) as i32;
        let goal = [at(edge, 0), at(47, edge), at(edge, 47), at(0, edge)][rng.below(4) as usize];
        crowd.guide(unit, Guide::to(goal));
    }
    for _ in 0..300 {
        avoidance.tick(&mut crowd, field(&layer));
    }
    for position in crowd.positions() {
        let own = position.cell();
        assert!(inside(own.x, own.y), "a unit is at {own:?}");
    }
    assert!(deepest(&crowd, 9_600, field(&layer)) <= 16);
}

#[test]
fn units_of_all_sizes_part_when_they_overlap() {
    let mut crowd = Crowd::new(20);
    let mut number = 0;
    for radius in [300, 400, 800, 2_000] {
        let kind = Kinematics::infantry(Fixed::from_raw(radius), Fixed::from_cells(2));
        let kind = crowd.add_kind(kind).expect("legal");
        for _ in 0..4 {
            let spawn = Spawn { id: number, kind, at: at(20, 20), ..Spawn::default() };
            crowd.spawn(&spawn).expect("legal");
            number += 1;
        }
    }
    let mut avoidance = Avoidance::default();
    for unit in 0..crowd.len() {
        let spot = crowd.positions()[unit];
        crowd.put(unit, spot.plus(Fine::new(unit as i32 * 9_000, 0)), Fine::ZERO);
        crowd.hold(unit);
    }
    for _ in 0..400 {
        avoidance.tick(&mut crowd, &OpenGround);
    }
    let radius = |unit: usize| [300, 400, 800, 2_000][unit / 4] * 64_u64;
    for a in 0..crowd.len() {
        for b in 0..a {
            let apart = crowd.positions()[a].distance_squared(crowd.positions()[b]).isqrt();
            assert!(apart * 100 >= (radius(a) + radius(b)) * 97, "{a} {b}: {apart}");
        }
    }
}

/// Two rooms and a corridor one cell wide between them.
const CORRIDOR: &str = "
    ........################........
    ........################........
    ........################........
    ................................
    ........################........
    ........################........
    ........################........";

/// Guides units through the corridor: to its mouth, through it, to their goals. Eastwards if the goal lies in the east.
fn through_corridor(crowd: &mut Crowd, goals: &[Fine]) {
    for (unit, &goal) in goals.iter().enumerate() {
        if crowd.stance(unit) != Stance::Moving {
            continue;
        }
        let own = crowd.positions()[unit].cell();
        let (near, far) = if goal.x > at(16, 3).x { (8, 24) } else { (23, 7) };
        let inside = (8..24).contains(&own.x) && own.y == 3;
        let past = if near < far { own.x >= far } else { own.x <= far };
        let aim = match () {
            () if past => goal,
            () if inside => at(far, 3),
            () => at(near, 3),
        };
        let left = (crowd.positions()[unit].distance_squared(goal).isqrt() >> 6) as u32;
        crowd.guide(unit, Guide { aim, goal, left });
    }
}

fn run_through_corridor(starts: &[(i32, i32)], goals: &[(i32, i32)], seconds: u32) -> Crowd {
    let layer = layer(CORRIDOR.trim_start());
    let starts: Vec<(Fine, u8)> = starts.iter().map(|&(x, y)| (at(x, y), 0)).collect();
    let goals: Vec<Fine> = goals.iter().map(|&(x, y)| at(x, y)).collect();
    let mut crowd = crowd_of(Kinematics::INFANTRY, &starts);
    for (unit, &goal) in goals.iter().enumerate() {
        crowd.set_group(unit, u32::from(goal.x > at(16, 3).x));
        crowd.guide(unit, Guide::to(goal));
    }
    let mut avoidance = Avoidance::default();
    for _ in 0..20 * seconds {
        through_corridor(&mut crowd, &goals);
        avoidance.tick(&mut crowd, field(&layer));
        assert!(deepest(&crowd, 26_240, field(&layer)) <= 8);
    }
    crowd
}

#[test]
fn two_units_meet_in_a_corridor_one_cell_wide_and_one_backs_out() {
    for (a, b) in [((9, 3), (22, 3)), ((10, 3), (13, 3)), ((2, 3), (29, 3)), ((15, 3), (16, 3))] {
        let crowd = run_through_corridor(&[a, b], &[(29, 3), (2, 3)], 60);
        assert_eq!([crowd.stance(0), crowd.stance(1)], [Stance::Idle; 2], "from {a:?} and {b:?}");
    }
}

#[test]
fn two_columns_of_three_get_through_a_corridor_one_cell_wide() {
    let starts = [(5, 3), (4, 3), (3, 3), (26, 3), (27, 3), (28, 3)];
    let goals = [(29, 1), (29, 3), (29, 5), (2, 1), (2, 3), (2, 5)];
    let crowd = run_through_corridor(&starts, &goals, 120);
    let stances: Vec<Stance> = (0..6).map(|unit| crowd.stance(unit)).collect();
    assert_eq!(
        stances,
        [Stance::Idle; 6],
        "{:?}",
        crowd.positions().iter().map(|at| at.cell()).collect::<Vec<_>>()
    );
}

#[test]
fn a_group_ordered_to_one_point_comes_to_rest_around_it() {
    // Of a hundred units some once pushed each other for ever, because their idle positions overlapped.
    for count in [2, 10, 30, 60, 100] {
        let starts: Vec<(Fine, u8)> = (0..count).map(|unit| (at(unit % 8, unit / 8), 0)).collect();
        let mut crowd = crowd_of(Kinematics::INFANTRY, &starts);
        for unit in 0..crowd.len() {
            crowd.guide(unit, Guide::to(at(24, 12)));
        }
        let mut avoidance = Avoidance::default();
        for _ in 0..20 * 45 {
            avoidance.tick(&mut crowd, &OpenGround);
        }
        assert!(
            (0..crowd.len()).all(|unit| crowd.stance(unit) == Stance::Idle),
            "{count}: all units stopped"
        );
        assert_eq!(crowd.resting(), crowd.len(), "{count}: all units sleep");
        // All units lie in a disc of twice the area that closely packed discs take.
        let widest = (0..crowd.len()).map(|unit| distance_from(&crowd, unit, at(24, 12))).max();
        let close = 600 * (count as u64).isqrt() + 900;
        assert!(widest < Some(close), "{count}: {widest:?} of {close}");
    }
}

#[test]
fn thirty_units_cross_a_bridge_one_cell_wide_in_turn() {
    let starts: Vec<(i32, i32)> = (0..30).map(|unit| (unit % 5 + 1, unit / 5)).collect();
    let goals: Vec<(i32, i32)> = (0..30).map(|unit| (unit % 5 + 25, unit / 5)).collect();
    let crowd = run_through_corridor(&starts, &goals, 120);
    let late: Vec<CellPos> = (0..30)
        .filter(|&unit| crowd.stance(unit) != Stance::Idle)
        .map(|unit| crowd.positions()[unit].cell())
        .collect();
    assert_eq!(late, [], "all units arrived");
}

#[test]
fn two_way_traffic_gets_through_a_door_one_cell_wide() {
    let layer = layer(
        "..........#..........
         ..........#..........
         ..........#..........
         .....................
         ..........#..........
         ..........#..........
         ..........#..........",
    );
    let column = |x: i32| (1..6).map(move |y| at(x, y));
    let starts: Vec<(Fine, u8)> = column(3).chain(column(17)).map(|spot| (spot, 0)).collect();
    let goals: Vec<Fine> = column(17).chain(column(3)).collect();
    let mut crowd = crowd_of(Kinematics::INFANTRY, &starts);
    for (unit, &goal) in goals.iter().enumerate() {
        crowd.set_group(unit, (unit / 5) as u32);
        crowd.guide(unit, Guide::to(goal));
    }
    let mut avoidance = Avoidance::default();
    for _ in 0..20 * 90 {
        for (unit, &goal) in goals.iter().enumerate() {
            if crowd.stance(unit) != Stance::Moving {
                continue;
            }
            let own = crowd.positions()[unit];
            let (before, beyond) = if unit < 5 { (9, 11) } else { (11, 9) };
            let past = if unit < 5 { own.cell().x >= 11 } else { own.cell().x <= 9 };
            // A unit in line with the door goes through it. Other units first go in front of it.
            let aim = match () {
                () if past => goal,
                () if (own.y - at(0, 3).y).abs() < 8_000 => at(beyond, 3),
                () => at(before, 3),
            };
            let left = (own.distance_squared(goal).isqrt() >> 6) as u32;
            crowd.guide(unit, Guide { aim, goal, left });
        }
        avoidance.tick(&mut crowd, field(&layer));
        assert!(deepest(&crowd, 26_240, field(&layer)) <= 8);
    }
    let late: Vec<CellPos> = (0..10)
        .filter(|&unit| crowd.stance(unit) != Stance::Idle)
        .map(|unit| crowd.positions()[unit].cell())
        .collect();
    assert_eq!(late, [], "all units arrived");
}
