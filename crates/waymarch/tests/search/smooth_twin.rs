//! Smoothed routes against twins: lines are clear, costs never rise, and the string is taut and equal in both directions.

use waymarch::base::{Agent, CellPos, Fixed, LocomotorId, SizeClass, Tick, Vec2, cell};
use waymarch::cost::{CornerRule, Falloff, Stamp, StepRule, ThreatSource, with_threat};
use waymarch::query::{PathQuery, Smoothing, Spline, Threat};
use waymarch::search::{Route, SearchScratch, Sight, SmoothError, SmoothPath, Smoother, astar};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::line_of_sight::{FINE, Point, body_sees, line_cost, middle, thin_sees};
use waymarch_testkit::picture::draw_costs;
use waymarch_testkit::rule::Rule;
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::wide_units::field_for_size;

use crate::ground::layer;

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

fn point(at: Vec2) -> Point {
    (i64::from(at.x.raw()), i64::from(at.y.raw()))
}

fn sees(grid: &Grid, rule: StepRule, size: SizeClass, a: Point, b: Point) -> bool {
    let sides = (grid.width, grid.height);
    match Rule::from(rule) {
        Rule::Four | Rule::Forbid => body_sees(&grid.cost, sides, size.side(), a, b),
        thin => {
            let field = field_for_size(&grid.cost, grid.width, grid.height, size.side());
            thin_sees(&field, sides, thin, a, b)
        }
    }
}

/// The twin's cost of the lines between cells, in 2^-FINE of a 1024th.
fn twin_cost(field: &Grid, cells: &[CellPos]) -> u128 {
    let leg = |pair: &[CellPos]| {
        line_cost(&field.cost, (field.width, field.height), (pair[0].x, pair[0].y), (pair[1].x, pair[1].y))
    };
    cells.windows(2).map(leg).sum()
}

/// A route with the data to smooth and check it.
struct Case<'a> {
    name: &'a str,
    grid: &'a Grid,
    /// The cost of each cell for this unit, threat included.
    field: Grid,
    sight: Sight<'a>,
    rule: StepRule,
    size: SizeClass,
    route: Route,
}

impl Case<'_> {
    fn scene(&self, path: &SmoothPath) -> String {
        let cells: Vec<CellPos> = path.points.iter().map(|at| at.cell()).collect();
        let drawn = draw_costs(&self.field.cost, self.field.width, &cells);
        format!("{} {:?} {} {:?}\n{drawn}", self.name, self.rule, self.size, self.route.waypoints)
    }
}

/// Calls `check` for routes on every kind of grid, for every rule and size, with and without threat.
fn every_route(seeds: core::ops::Range<u64>, mut check: impl FnMut(&Case<'_>)) {
    let mut rng = SplitMix::new(seeds.start);
    let mut scratch = SearchScratch::new();
    for seed in seeds {
        let (width, height) = (12 + rng.below(50), 12 + rng.below(50));
        for (name, grid) in every_kind(seed, width, height) {
            let mut layer = layer(&grid);
            let at = cell(rng.below(width) as i32, rng.below(height) as i32);
            let tower = ThreatSource { at, radius: 9, strength: 60, falloff: Falloff::Linear };
            layer.add_threat(tower).expect("on the map");
            layer.advance(Tick::ZERO);
            for rule in RULES {
                for &size in layer.sizes() {
                    let threat = rng.pick(&[Threat::Ignore, Threat::Heed]);
                    let agent = Agent { locomotor: LocomotorId(0), size };
                    let mut field =
                        Grid { cost: field_for_size(&grid.cost, width, height, size.side()), ..grid.clone() };
                    let (Some(from), Some(to)) = (field.random_open(&mut rng), field.random_open(&mut rng))
                    else {
                        continue;
                    };
                    if threat == Threat::Heed {
                        for (cost, at) in field.cost.iter_mut().zip(layer.grid().rect().cells()) {
                            *cost = with_threat(*cost, layer.threat().at(at));
                        }
                    }
                    let query = PathQuery::new(from, to, agent).with_threat(threat);
                    let mut route = Route::new();
                    if astar(&layer, &query, rule, &mut scratch, &mut route).is_err() {
                        continue;
                    }
                    let sight = Sight::new(&layer, agent, threat, rule).expect("a size in use");
                    check(&Case { name, grid: &grid, field, sight, rule, size, route });
                }
            }
        }
    }
}

#[test]
fn a_pulled_string_is_clear_keeps_its_ends_and_never_costs_more() {
    let (mut smoother, mut plain, mut pulled) = (Smoother::new(), SmoothPath::new(), SmoothPath::new());
    let (mut routes, mut shorter) = (0, 0);
    every_route(0..14, |case| {
        smoother.smooth(&case.sight, &case.route, Smoothing::None, &mut plain).expect("open");
        smoother.smooth(&case.sight, &case.route, Smoothing::Funnel, &mut pulled).expect("open");
        let scene = || case.scene(&pulled);
        let ends = |path: &SmoothPath| (path.points.first().copied(), path.points.last().copied());
        assert_eq!(ends(&pulled), ends(&plain), "{}", scene());
        for pair in pulled.points.windows(2) {
            let clear = sees(case.grid, case.rule, case.size, point(pair[0]), point(pair[1]));
            assert!(clear, "{} to {}\n{}", pair[0].cell(), pair[1].cell(), scene());
        }
        // Smoothing raises neither the twin's cost (up to a rounding error of 64 units) nor the reported cost.
        let cells: Vec<CellPos> = pulled.points.iter().map(|at| at.cell()).collect();
        let (before, after) = (twin_cost(&case.field, &case.route.waypoints), twin_cost(&case.field, &cells));
        assert!(after <= before + 64, "{after} is dearer than {before}\n{}", scene());
        assert!(pulled.cost <= plain.cost, "{}", scene());
        // The reported cost is the true cost rounded up, by less than 2 plus a 256th of a cell's cost per leg.
        for (path, truth) in [(&plain, before), (&pulled, after)] {
            let told = u128::from(path.cost.0) << FINE;
            let slack = (2 + path.points.len() as u128) << FINE;
            assert!(told + 64 >= truth && told <= truth + slack, "{told} is not {truth}\n{}", scene());
        }
        routes += 1;
        shorter += u32::from(pulled.length < plain.length);
    });
    assert!(routes > 600 && shorter > routes / 3, "{shorter} of {routes} got shorter");
}

#[test]
fn a_taut_string_does_not_change_and_is_the_same_in_both_directions() {
    let (mut smoother, mut pulled, mut other) = (Smoother::new(), SmoothPath::new(), SmoothPath::new());
    let spline = Smoothing::Spline(Spline::default());
    every_route(20..32, |case| {
        smoother.smooth(&case.sight, &case.route, Smoothing::Funnel, &mut pulled).expect("open");
        other.clone_from(&pulled);
        smoother.tighten(&case.sight, &mut other).expect("open");
        assert_eq!(other, pulled, "{}", case.scene(&pulled));
        let mut back = case.route.clone();
        back.waypoints.reverse();
        for how in [Smoothing::None, Smoothing::Funnel, spline] {
            smoother.smooth(&case.sight, &case.route, how, &mut pulled).expect("open");
            smoother.smooth(&case.sight, &back, how, &mut other).expect("open");
            other.points.reverse();
            assert_eq!(other, pulled, "{how:?} {}", case.scene(&pulled));
        }
    });
}

#[test]
fn a_spline_never_leaves_open_ground_and_costs_little_more() {
    let (mut smoother, mut pulled, mut curved) = (Smoother::new(), SmoothPath::new(), SmoothPath::new());
    let mut rng = SplitMix::new(9);
    let (mut rounded, mut bent) = (0, 0);
    every_route(40..52, |case| {
        smoother.smooth(&case.sight, &case.route, Smoothing::Funnel, &mut pulled).expect("open");
        let spline =
            Spline { samples: rng.below(20) as u8, tension: Fixed::from_raw(rng.pick(&[0, 300, 1024])) };
        smoother.smooth(&case.sight, &case.route, Smoothing::Spline(spline), &mut curved).expect("open");
        let scene = || format!("{spline:?} {:?}\n{}", curved.points, case.scene(&pulled));
        for pair in curved.points.windows(2) {
            let clear = sees(case.grid, case.rule, case.size, point(pair[0]), point(pair[1]));
            assert!(clear && pair[0] != pair[1], "{:?} to {:?}\n{}", pair[0], pair[1], scene());
        }
        let mut all = curved.points.iter();
        assert!(pulled.points.iter().all(|turn| all.any(|at| at == turn)), "every turn stays\n{}", scene());
        let allowed = pulled.cost.0 + pulled.cost.0 / 8 + 4 * 254 * curved.points.len() as u64;
        assert!(curved.cost.0 <= allowed, "{} is more than {allowed}\n{}", curved.cost.0, scene());
        if spline.samples > 1 && spline.tension < Fixed::ONE && pulled.points.len() > 2 {
            bent += 1;
            rounded += u32::from(curved.points.len() > pulled.points.len());
        } else {
            assert_eq!(curved, pulled);
        }
    });
    assert!(bent > 100 && rounded * 10 > bent * 6, "{rounded} of {bent} were rounded");
}

/// The length of the shortest path of clear lines between cell centres, from `from` to every cell, in 2^-18 of a cell.
fn shortest_at_any_angle(grid: &Grid, from: (i32, i32)) -> Vec<Option<u64>> {
    let cells: Vec<(i32, i32)> = grid.cells().collect();
    let mut best: Vec<Option<u64>> = vec![None; cells.len()];
    let mut done = vec![false; cells.len()];
    best[grid.index(from)] = Some(0);
    loop {
        let next = (0..cells.len()).filter(|&at| !done[at]).filter_map(|at| Some((best[at]?, at))).min();
        let Some((so_far, at)) = next else { return best };
        done[at] = true;
        for to in 0..cells.len() {
            let (dx, dy) = (cells[at].0.abs_diff(cells[to].0), cells[at].1.abs_diff(cells[to].1));
            let length = so_far + (u64::from(dx * dx + dy * dy) << 36).isqrt();
            let (a, b) = (middle(cells[at]), middle(cells[to]));
            if !done[to]
                && best[to].is_none_or(|known| length < known)
                && grid.get(cells[to]) != Some(255)
                && sees(grid, StepRule::default(), SizeClass::ONE, a, b)
            {
                best[to] = Some(length);
            }
        }
    }
}

/// Smoothing cannot always find the shortest path: the route may pass an obstacle on the wrong side.
#[test]
fn a_taut_string_is_close_to_the_shortest_any_angle_path() {
    let (mut smoother, mut plain, mut pulled) = (Smoother::new(), SmoothPath::new(), SmoothPath::new());
    let (mut scratch, mut route, mut rng) = (SearchScratch::new(), Route::new(), SplitMix::new(3));
    let (mut sum_plain, mut sum_pulled, mut sum_best) = (0, 0, 0);
    for (name, grid) in every_kind(6, 26, 22) {
        if grid.cost.iter().any(|&cost| cost != 1 && cost != 255) {
            continue;
        }
        let layer = layer(&grid);
        let rule = StepRule::default();
        let sight = Sight::new(&layer, LocomotorId(0).into(), Threat::Ignore, rule).expect("it exists");
        for _ in 0..3 {
            let from = grid.random_open(&mut rng).expect("an open cell");
            let best = shortest_at_any_angle(&grid, (from.x, from.y));
            for _ in 0..30 {
                let to = grid.random_open(&mut rng).expect("an open cell");
                let query = PathQuery::new(from, to, LocomotorId(0));
                if astar(&layer, &query, rule, &mut scratch, &mut route).is_err() {
                    continue;
                }
                smoother.smooth(&sight, &route, Smoothing::None, &mut plain).expect("open");
                smoother.smooth(&sight, &route, Smoothing::Funnel, &mut pulled).expect("open");
                let best =
                    best[grid.index((to.x, to.y))].expect("a cell that steps reach, lines reach too") >> 8;
                assert!(pulled.length + 2 >= best, "{name}: shorter than the shortest");
                assert!(pulled.length <= plain.length, "{name}");
                sum_plain += plain.length;
                sum_pulled += pulled.length;
                sum_best += best;
            }
        }
    }
    let (plain, pulled) = (sum_plain * 10_000 / sum_best, sum_pulled * 10_000 / sum_best);
    println!("of 10,000 of the shortest: {plain} before, {pulled} after");
    assert!(plain > 10_150 && pulled < 10_020, "{plain} {pulled}");
}

#[test]
fn what_cannot_be_smoothed_is_named() {
    let grid = Grid::filled(9, 9, 1);
    let mut layer = layer(&grid);
    let agent = Agent::from(LocomotorId(0));
    let (mut smoother, mut path) = (Smoother::new(), SmoothPath::new());
    let mut route = Route::new();
    let query = PathQuery::new(cell(0, 4), cell(8, 4), agent);
    astar(&layer, &query, StepRule::default(), &mut SearchScratch::new(), &mut route).expect("open");
    layer.place(&Stamp::solid(1, 1), cell(4, 4), Tick::ZERO).expect("it fits");
    let sight = Sight::new(&layer, agent, Threat::Ignore, StepRule::default()).expect("it exists");
    let mut smooth = |route: &Route| {
        let answer = smoother.smooth(&sight, route, Smoothing::Funnel, &mut path);
        (answer, path.points.len())
    };
    let closed = SmoothError::Closed { from: cell(0, 4), to: cell(8, 4) };
    assert_eq!(smooth(&route), (Err(closed), 0));
    route.waypoints = vec![cell(0, 0), cell(0, 9)];
    let off = SmoothError::OffMap { at: cell(0, 9), size: layer.grid() };
    assert_eq!(smooth(&route), (Err(off), 0));
    route.waypoints = vec![cell(4, 4)];
    let closed = SmoothError::Closed { from: cell(4, 4), to: cell(4, 4) };
    assert_eq!(smooth(&route), (Err(closed), 0));
    route.waypoints.clear();
    assert_eq!(smooth(&route), (Ok(()), 0));
    route.waypoints.push(cell(1, 1));
    assert_eq!(smooth(&route), (Ok(()), 1));
    let unknown = Agent::from(LocomotorId(7));
    let refused = Sight::new(&layer, unknown, Threat::Ignore, StepRule::default()).err();
    assert_eq!(refused, Some(SmoothError::UnknownAgent(unknown)));
}
