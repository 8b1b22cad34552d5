//! Smoothing in drawn scenes: `*` marks a turn of the string from A to B.

use waymarch::base::{Agent, CellPos, Fixed, LocomotorId, SizeClass, StateHasher, Tick, Vec2, cell};
use waymarch::config::{Config, InfluenceAvoidance, PathSmoothing};
use waymarch::cost::{CornerRule, Falloff, Map, Rules, StepRule, ThreatSource};
use waymarch::query::{Cost, PathQuery, Smoothing, Spline, Threat};
use waymarch::search::{NotAStep, Route, SearchScratch, Sight, SmoothPath, Smoother, astar};
use waymarch::world::Navigator;
use waymarch_testkit::golden::golden;
use waymarch_testkit::grids::every_kind;
use waymarch_testkit::picture::{Legend, Picture, draw_costs};
use waymarch_testkit::splitmix::SplitMix;

use crate::ground::layer;

const FOOT: LocomotorId = LocomotorId(0);

fn cells(points: &[Vec2]) -> Vec<CellPos> {
    points.iter().map(|at| at.cell()).collect()
}

fn picture(drawn: &str) -> Picture {
    Legend::default().mark('*').parse(drawn).expect("a picture")
}

fn pull(picture: &Picture, config: Config, size: SizeClass) -> SmoothPath {
    let mut nav = Navigator::new(picture.map.clone(), config).expect("a legal map");
    let agent = Agent { locomotor: FOOT, size };
    nav.path_smooth(picture.start(), picture.goal(), agent).expect("a route")
}

/// Checks that the string from A to B turns exactly at the stars.
fn check(drawn: &str, config: Config, size: SizeClass) {
    let picture = picture(drawn);
    let found = cells(&pull(&picture, config, size).points);
    let mut turns = found[1..found.len() - 1].to_vec();
    turns.sort_unstable();
    let width = picture.map.size.width();
    assert_eq!(turns, picture.marked('*'), "\n{}", draw_costs(&picture.costs(0), width, &found));
}

#[test]
fn over_open_ground_the_path_is_one_line() {
    let drawn = "
        A.............
        ..............
        ..............
        ..............
        .............B";
    check(drawn, Config::default(), SizeClass::ONE);
}

#[test]
fn a_string_turns_at_the_corners_it_is_pulled_around() {
    let drawn = "
        ...*.*...........
        ....#............
        ....#.......*....
        A...#......#.....
        ....#......#....B
        ....#......#.....
        ....#......#.....
        ....#......#.....
        ....#............";
    let _ = drawn;
    check(drawn, Config::default(), SizeClass::ONE);
}

#[test]
fn a_bigger_unit_keeps_further_from_the_corner() {
    let small = "
        ..........
        ...*.*....
        ....#.....
        ....#.....
        A...#....B
        ....#.....
        ....#.....
        ....#.....
        ##########";
    check(small, Config::default(), SizeClass::ONE);
    let big = "
        ..........
        ..........
        ..*...*...
        ..........
        ....#.....
        ....#.....
        .A..#...B.
        ....#.....
        ....#.....
        ....#.....
        ....#.....
        ....#.....
        ##########";
    check(big, Config::default(), SizeClass::THREE);
}

#[test]
fn where_corners_may_be_cut_the_line_may_touch_them() {
    let picture = picture(
        "
        A......
        .......
        .......
        ...#...
        .......
        .......
        ......B",
    );
    // The path passes the block on either side. Cutting its corner makes the path shorter.
    let strict = pull(&picture, Config::default(), SizeClass::ONE);
    let allow = Config { corner_rule: CornerRule::Allow, ..Config::default() };
    let loose = pull(&picture, allow, SizeClass::ONE);
    assert!(loose.length < strict.length, "{} {}", loose.length, strict.length);
}

#[test]
fn a_shortcut_over_dear_ground_is_not_taken() {
    let drawn = "
        A999999999
        .999999999
        .999999999
        *999999999
        .*.......B";
    check(drawn, Config::default(), SizeClass::ONE);
    let flat = drawn.replace(['9', '*'], ".");
    check(&flat, Config::default(), SizeClass::ONE);
}

#[test]
fn a_string_does_not_cut_through_danger_that_is_heeded() {
    let danger = ThreatSource { at: cell(20, 20), radius: 9, strength: 100, falloff: Falloff::Flat };
    let size = waymarch::base::GridSize::new(41, 41).expect("legal");
    let through = |influence_avoidance: InfluenceAvoidance| {
        let map = Map::flat("field", size, Rules::standard());
        let config = Config { influence_avoidance, ..Config::default() };
        let mut nav = Navigator::new(map, config).expect("legal");
        nav.add_threat(danger).expect("on the map");
        (0..4).for_each(|_| nav.tick());
        let path = nav.path_smooth(cell(2, 20), cell(38, 20), FOOT).expect("a route");
        path.points.windows(2).any(|pair| {
            // Samples along the line, a tenth of a cell apart.
            let part = |from: Fixed, to: Fixed, step: i64| {
                Fixed::saturate(
                    i64::from(from.raw()) + (i64::from(to.raw()) - i64::from(from.raw())) * step / 400,
                )
            };
            (0..=400).any(|step| {
                let at = Vec2 { x: part(pair[0].x, pair[1].x, step), y: part(pair[0].y, pair[1].y, step) };
                nav.layer().threat().at(at.cell()) > 0
            })
        })
    };
    assert!(through(InfluenceAvoidance::None));
    assert!(!through(InfluenceAvoidance::All));
}

#[test]
fn a_spline_rounds_a_turn_in_the_open() {
    let drawn = picture(
        "
        ..............
        .....*........
        ......#.......
        ......#.......
        ......#.......
        A.....#......B",
    );
    let spline = |samples: u32, tension: i32| Config {
        path_smoothing: PathSmoothing::Spline,
        spline_samples: samples,
        spline_tension: Fixed::from_raw(tension),
        ..Config::default()
    };
    let taut = pull(&drawn, Config::default(), SizeClass::ONE);
    let round = pull(&drawn, spline(8, 0), SizeClass::ONE);
    assert_eq!((round.points.first(), round.points.last()), (taut.points.first(), taut.points.last()));
    assert!(taut.points.iter().all(|turn| round.points.contains(turn)));
    assert!(round.points.len() > taut.points.len() + 10, "{:?}", round.points);
    // Every turn of the curve is less sharp than the sharpest turn of the string.
    let sharpest = |path: &SmoothPath| {
        // The tangent of the turn in thousandths; all turns here are below 90 degrees.
        let turn = |of: &[Vec2]| {
            let delta = |a: Vec2, b: Vec2| Vec2::new(b.x - a.x, b.y - a.y);
            let (before, after) = (delta(of[0], of[1]), delta(of[1], of[2]));
            assert!(before.dot(after) > 0);
            before.cross(after).abs() * 1000 / before.dot(after)
        };
        path.points.windows(3).map(turn).max()
    };
    assert!(sharpest(&taut) > Some(700), "{:?}", sharpest(&taut));
    assert!(sharpest(&round) < Some(360), "{:?}", sharpest(&round));
    assert_eq!(pull(&drawn, spline(8, 1024), SizeClass::ONE), taut, "fullness 0 gives no curve");
    let none = Config { path_smoothing: PathSmoothing::None, ..Config::default() };
    assert!(pull(&drawn, none, SizeClass::ONE).length > taut.length);
}

#[test]
fn a_route_is_its_cells_and_back() {
    let mut scratch = SearchScratch::new();
    for (name, grid) in every_kind(2, 40, 31) {
        let layer = layer(&grid);
        let mut rng = SplitMix::new(7);
        for _ in 0..20 {
            let (Some(from), Some(to)) = (grid.random_open(&mut rng), grid.random_open(&mut rng)) else {
                continue;
            };
            let mut route = Route::new();
            let query = PathQuery::new(from, to, FOOT);
            if astar(&layer, &query, StepRule::default(), &mut scratch, &mut route).is_ok() {
                let again = Route::from_cells(route.cells(), route.cost).expect("steps");
                assert_eq!((again.waypoints, again.cost), (route.waypoints, route.cost), "{name}");
            }
        }
    }
    let gap = Route::from_cells([cell(0, 0), cell(2, 0)], Cost::ZERO);
    assert_eq!(gap, Err(NotAStep { from: cell(0, 0), to: cell(2, 0) }));
    assert_eq!(Route::from_cells([], Cost::ZERO), Ok(Route::new()));
}

#[test]
fn golden_smoothed_routes_of_every_kind_of_grid() {
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let (mut smoother, mut path) = (Smoother::new(), SmoothPath::new());
    for (name, grid) in every_kind(11, 70, 55) {
        let mut layer = layer(&grid);
        let tower = ThreatSource { at: cell(35, 30), radius: 12, strength: 90, falloff: Falloff::Linear };
        layer.add_threat(tower).expect("on the map");
        layer.advance(Tick::ZERO);
        let mut rng = SplitMix::new(4);
        let mut hasher = StateHasher::new();
        for size in [SizeClass::ONE, SizeClass::TWO] {
            for round in 0..20 {
                let (Some(from), Some(to)) = (grid.random_open(&mut rng), grid.random_open(&mut rng)) else {
                    continue;
                };
                let threat = if round % 2 == 0 { Threat::Ignore } else { Threat::Heed };
                let query = PathQuery::new(from, to, Agent { locomotor: FOOT, size }).with_threat(threat);
                if astar(&layer, &query, StepRule::default(), &mut scratch, &mut route).is_err() {
                    continue;
                }
                let sight = Sight::new(&layer, query.agent, threat, StepRule::default()).expect("in use");
                for how in [Smoothing::Funnel, Smoothing::Spline(Spline::default())] {
                    smoother.smooth(&sight, &route, how, &mut path).expect("open");
                    hasher.write_u64(path.cost.0);
                    hasher.write_u64(path.length);
                    for at in &path.points {
                        hasher.write_i32(at.x.raw());
                        hasher.write_i32(at.y.raw());
                    }
                }
            }
        }
        golden(&format!("smooth/{}", name.replace(' ', "-")), format!("{:016x}", hasher.finish()));
    }
}
