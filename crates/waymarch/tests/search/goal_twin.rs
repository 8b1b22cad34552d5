//! Goal searches find the twins' costs: for every shape, rule and size, with threat, limits, turn costs and ignored stamps.

use waymarch::base::{Agent, CellPos, CellRect, Dir8, Fixed, LocomotorId, SizeClass, StampId, Tick, cell};
use waymarch::cost::{
    CornerRule, CostLayer, CostSettings, Falloff, FootCell, GateState, Neighbours, Stamp, StepRule,
    TerrainId, ThreatSource, step_length,
};
use waymarch::query::{Goal, GoalQuery, Outcome, PlanError, Shape, Threat, Turning};
use waymarch::search::{Route, SearchScratch, goal_distance, goal_search};
use waymarch_testkit::dijkstra::{UNREACHED, distances_from_any};
use waymarch_testkit::expansion_order::expansion_order;
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::picture::draw_costs;
use waymarch_testkit::route::check_route;
use waymarch_testkit::rule::CostGrid;
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::turn_costs::{Turns, distances_with_turns, turns_of};
use waymarch_testkit::wide_units::field_for_size;

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

const SIZES: [SizeClass; 3] = [SizeClass::ONE, SizeClass::TWO, SizeClass::THREE];

fn random_cell(rng: &mut SplitMix, grid: &Grid) -> CellPos {
    cell(rng.below(grid.width) as i32, rng.below(grid.height) as i32)
}

fn random_shape(rng: &mut SplitMix, grid: &Grid) -> Shape {
    let mut centre = random_cell(rng, grid);
    if rng.chance(150) {
        centre = centre.offset(rng.below(30) as i32 - 15, rng.below(30) as i32 - 15);
    }
    let radius =
        |rng: &mut SplitMix| Fixed::from_raw(rng.below(1024 * grid.width.min(grid.height) / 3) as i32);
    match rng.below(4) {
        0 => Shape::Point(centre),
        1 => Shape::Circle { centre, radius: radius(rng) },
        2 => {
            let inner = radius(rng);
            Shape::Ring { centre, inner, outer: inner + radius(rng) }
        }
        _ => Shape::Rect(CellRect::at(centre, 1 + rng.below(7), 1 + rng.below(7))),
    }
}

fn random_goal(rng: &mut SplitMix, grid: &Grid) -> Goal {
    let several = |rng: &mut SplitMix| (0..1 + rng.below(4)).map(|_| random_shape(rng, grid)).collect();
    match rng.below(6) {
        0..3 => Goal::In(random_shape(rng, grid)),
        3 => Goal::AnyOf(several(rng)),
        4 => Goal::OutOf(random_shape(rng, grid)),
        _ => Goal::OutOfAll(several(rng)),
    }
}

/// The square root, rounded down, by bisection.
fn root(square: i128) -> i128 {
    let (mut low, mut high) = (0, 1 << 40);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle * middle <= square { low = middle } else { high = middle }
    }
    low
}

/// The squared distance between cell centres; distances are in 1024ths of a cell.
fn squared(a: CellPos, b: CellPos) -> i128 {
    (i128::from(a.x - b.x).pow(2) + i128::from(a.y - b.y).pow(2)) << 20
}

/// By definition: whether the cell is in the shape, its distance to the shape, and its distance to the nearest cell outside.
fn naive(shape: Shape, at: CellPos) -> (bool, i128, i128) {
    let (centre, inner, outer) = match shape {
        Shape::Point(to) => {
            return (at == to, root(squared(at, to)), 1024);
        }
        Shape::Rect(rect) => {
            let near = rect.cells().map(|to| squared(at, to)).min().expect("it has cells");
            let beyond = |to: CellPos| !rect.contains(to);
            let out = rect.grow(1, 1).cells().filter(|&to| beyond(to)).map(|to| squared(at, to)).min();
            return (near == 0, root(near), root(out.expect("a rim")));
        }
        Shape::Circle { centre, radius } => (centre, 0, i128::from(radius.raw())),
        Shape::Ring { centre, inner, outer } => (centre, i128::from(inner.raw()), i128::from(outer.raw())),
    };
    let square = squared(at, centre);
    let is_in = square >= inner * inner && square <= outer * outer;
    let (down, up) = (root(square), root(square) + i128::from(root(square).pow(2) != square));
    let gap = if square > outer * outer { down - outer } else { inner - up };
    let out = if inner == 0 { outer - up } else { (outer - up).min(down - inner) };
    (is_in, gap.max(1), out.max(1))
}

fn naive_gap(goal: &Goal, at: CellPos) -> i128 {
    let all = goal.shapes().iter().map(|&shape| naive(shape, at));
    match goal {
        Goal::In(_) | Goal::AnyOf(_) => {
            all.map(|(is_in, gap, _)| if is_in { 0 } else { gap }).min().expect("a shape")
        }
        Goal::OutOf(_) | Goal::OutOfAll(_) => {
            all.map(|(is_in, _, out)| if is_in { out } else { 0 }).max().expect("a shape")
        }
    }
}

/// A grid with cells where stopping is forbidden, and with threat: as a cost layer and as plain costs.
struct Scene {
    layer: CostLayer,
    agent: Agent,
    field: Grid,
    stops: Vec<bool>,
    threat: Threat,
}

impl Scene {
    fn new(grid: &Grid, size: SizeClass, threat: Threat, rng: &mut SplitMix) -> Self {
        let map = grid.to_map("goals").validate().expect("the testkit makes legal maps");
        let mut layer = CostLayer::new(&map, CostSettings::default());
        let mut no_stop = vec![false; grid.cost.len()];
        for _ in 0..grid.cost.len() / 60 {
            let at = random_cell(rng, grid);
            layer.place(&Stamp::filled("exit", 1, 1, FootCell::NoStop), at, Tick::ZERO).expect("it fits");
            no_stop[grid.index((at.x, at.y))] = true;
        }
        for _ in 0..3 {
            let (at, radius, strength) =
                (random_cell(rng, grid), 1 + rng.below(9) as u16, rng.below(200) as u8);
            layer
                .add_threat(ThreatSource { at, radius, strength, falloff: Falloff::Linear })
                .expect("on the map");
        }
        layer.advance(Tick::ZERO);
        let mut cost = field_for_size(&grid.cost, grid.width, grid.height, size.side());
        let marked: Vec<u8> = no_stop.iter().map(|&no_stop| 1 + u8::from(no_stop)).collect();
        let covered = field_for_size(&marked, grid.width, grid.height, size.side());
        if threat == Threat::Heed {
            for (cost, (x, y)) in cost.iter_mut().zip(grid.cells()).filter(|(cost, _)| **cost != 255) {
                *cost = (u32::from(*cost) + u32::from(layer.threat().at(cell(x, y)))).min(254) as u8;
            }
        }
        let stops = covered.iter().map(|&mark| mark == 1).collect();
        let agent = Agent { locomotor: LocomotorId(0), size };
        Self { layer, agent, field: Grid { cost, ..grid.clone() }, stops, threat }
    }

    fn starts(&self, rng: &mut SplitMix) -> Vec<CellPos> {
        (0..1 + rng.below(3)).filter_map(|_| self.field.random_open(rng)).collect()
    }

    fn query<'a>(&self, starts: &'a [CellPos], goal: &'a Goal) -> GoalQuery<'a> {
        GoalQuery::new(starts, goal, self.agent).with_threat(self.threat)
    }

    /// The twin's answer: the lowest cost into the goal, and the best end outside of it.
    fn truth(&self, goal: &Goal, costs: &[u64]) -> (Option<u64>, Option<(i128, u64, CellPos)>) {
        let ends = self.field.cells().zip(costs).zip(&self.stops);
        let ends = ends.filter(|&((_, &cost), &stops)| cost != UNREACHED && stops);
        let ends: Vec<(i128, u64, CellPos)> =
            ends.map(|(((x, y), &cost), _)| (naive_gap(goal, cell(x, y)), cost, cell(x, y))).collect();
        let reached = ends.iter().filter(|end| end.0 == 0).map(|end| end.1).min();
        (reached, ends.into_iter().min())
    }

    /// Checks that the route is legal, that its cost is right with `extra` included, and that its end allows stopping.
    fn check(&self, rule: StepRule, starts: &[CellPos], route: &Route, extra: u64) {
        let cells: Vec<CellPos> = route.cells().collect();
        let Grid { cost, width, height } = &self.field;
        let scene = || draw_costs(cost, *width, &cells);
        assert_eq!(check_route(cost, *width, *height, rule, &cells), Ok(route.cost.0 - extra), "{}", scene());
        assert!(starts.contains(&cells[0]), "{}", scene());
        let end = cells[cells.len() - 1];
        assert!(self.stops[self.field.index((end.x, end.y))], "{}", scene());
    }
}

/// Calls `test` for every kind of grid, rule and size, with and without threat.
fn for_every_scene(seed: u64, side: u32, mut test: impl FnMut(&str, &Scene, StepRule, &mut SplitMix)) {
    let mut rng = SplitMix::new(seed);
    let (width, height) = (side + rng.below(side), side + rng.below(side));
    for (name, grid) in every_kind(seed, width, height) {
        for size in SIZES {
            for threat in [Threat::Ignore, Threat::Heed] {
                let scene = Scene::new(&grid, size, threat, &mut rng);
                for rule in RULES {
                    test(name, &scene, rule, &mut rng);
                }
            }
        }
    }
}

fn is_wrong_goal(found: Result<Outcome, PlanError>) -> bool {
    matches!(found, Err(PlanError::Goal(_)))
}

#[test]
fn goals_contain_and_measure_what_their_definitions_say() {
    let mut rng = SplitMix::new(1);
    let grid = Grid::filled(26, 19, 1);
    for _ in 0..400 {
        let goal = random_goal(&mut rng, &grid);
        for (x, y) in grid.cells() {
            let gap = naive_gap(&goal, cell(x, y));
            assert_eq!(i128::from(goal.gap(cell(x, y))), gap, "{goal:?} ({x}, {y})");
            assert_eq!(goal.contains(cell(x, y)), gap == 0, "{goal:?} ({x}, {y})");
        }
        let bounds = goal.shapes().iter().fold(CellRect::default(), |all, shape| all.union(shape.bounds()));
        for at in CellRect::at(cell(-40, -40), 120, 120).cells() {
            let in_any = goal.shapes().iter().any(|&shape| naive(shape, at).0);
            assert!(!in_any || bounds.contains(at), "{goal:?} {at}");
        }
    }
}

#[test]
fn the_distance_to_a_goal_never_overestimates_and_drops_by_no_more_than_a_step() {
    let mut rng = SplitMix::new(2);
    for _ in 0..150 {
        let grid = Grid::filled(14 + rng.below(12), 14 + rng.below(12), 1);
        let goal = random_goal(&mut rng, &grid);
        for (neighbours, rule) in [(Neighbours::Eight, RULES[0]), (Neighbours::Four, RULES[3])] {
            let inside: Vec<(i32, i32)> =
                grid.cells().filter(|&(x, y)| naive_gap(&goal, cell(x, y)) == 0).collect();
            let truth = distances_from_any(&grid.cost, grid.width, grid.height, rule, &inside);
            let exact = matches!(goal, Goal::In(Shape::Point(_))) && !inside.is_empty();
            for (x, y) in grid.cells() {
                let at = cell(x, y);
                let (bound, least) = (goal_distance(&goal, at, neighbours), truth[grid.index((x, y))]);
                assert!(bound <= least, "{goal:?} {at}: {bound} > {least}");
                assert!(!exact || bound == least, "{goal:?} {at}: {bound} < {least}");
                for dir in Dir8::ALL {
                    if neighbours == Neighbours::Eight || !dir.is_diagonal() {
                        let next = goal_distance(&goal, at.step(dir), neighbours);
                        let step = u64::from(step_length(dir));
                        assert!(bound <= next + step, "{goal:?} {at} {dir:?}: {bound} > {next} + {step}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_distance_to_a_circle_is_a_good_estimate() {
    // A loose bound would make searches slow, not wrong. From 20 cells away the bound is within 6 % of the length.
    let grid = Grid::filled(61, 61, 1);
    for radius in [1024, 2500, 5 * 1024, 9 * 1024] {
        let goal = Goal::circle(cell(30, 30), Fixed::from_raw(radius));
        let inside: Vec<(i32, i32)> = grid.cells().filter(|&(x, y)| goal.contains(cell(x, y))).collect();
        let truth = distances_from_any(&grid.cost, 61, 61, RULES[0], &inside);
        for (x, y) in grid.cells().filter(|&(x, y)| truth[grid.index((x, y))] > 20 * 1024) {
            let bound = goal_distance(&goal, cell(x, y), Neighbours::Eight);
            let least = truth[grid.index((x, y))];
            assert!(bound * 100 >= least * 94, "{radius} ({x}, {y}): {bound} of {least}");
        }
    }
}

#[test]
fn routes_into_goals_cost_what_the_twin_says_or_end_where_it_says() {
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let mut seen = [0; 4];
    for seed in 0..4 {
        for_every_scene(seed, 18, |name, scene, rule, rng| {
            for _ in 0..3 {
                let (starts, goal) = (scene.starts(rng), random_goal(rng, &scene.field));
                if starts.is_empty() {
                    continue;
                }
                let query = scene.query(&starts, &goal);
                scratch.poison();
                let found = goal_search(&scene.layer, &query, rule, &mut scratch, &mut route);
                if is_wrong_goal(found) {
                    seen[3] += 1;
                    continue;
                }
                let costs = distances_from_any(
                    &scene.field.cost,
                    scene.field.width,
                    scene.field.height,
                    rule,
                    &starts,
                );
                let (reached, nearest) = scene.truth(&goal, &costs);
                let context = format!("{name} {rule:?} {starts:?} {goal:?} {:?}", scene.agent);
                if let Some(cost) = reached {
                    seen[0] += 1;
                    assert_eq!((found, route.cost.0), (Ok(Outcome::Reached), cost), "{context}");
                    scene.check(rule, &starts, &route, 0);
                    assert_eq!(route.waypoints.last().map(|&at| naive_gap(&goal, at)), Some(0), "{context}");
                    continue;
                }
                let refused = match found {
                    Err(PlanError::GoalUnreachable { from }) => from == starts[0],
                    Err(PlanError::Unreachable { from, to }) => starts == [from] && goal == Goal::point(to),
                    Err(
                        PlanError::GoalClosed | PlanError::GoalBlocked { .. } | PlanError::GoalNoStop { .. },
                    ) => true,
                    _ => false,
                };
                assert!(refused && route.waypoints.is_empty(), "{context}: {found:?}");
                scratch.poison();
                let found = goal_search(&scene.layer, &query.or_nearest(), rule, &mut scratch, &mut route);
                let Some((_, cost, end)) = nearest else {
                    seen[2] += 1;
                    assert!(found.is_err(), "{context}: {found:?}");
                    continue;
                };
                seen[1] += 1;
                assert_eq!(found, Ok(Outcome::Nearest), "{context}");
                assert_eq!((route.waypoints.last(), route.cost.0), (Some(&end), cost), "{context}");
                scene.check(rule, &starts, &route, 0);
            }
        });
    }
    assert!(seen[0] > 500 && seen[1] > 100, "reached, nearest, nowhere, wrong: {seen:?}");
}

#[test]
fn a_node_limit_stops_after_exactly_that_many_with_the_best_of_them() {
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let mut seen = [0; 3];
    for_every_scene(7, 9, |name, scene, rule, rng| {
        let (starts, goal) = (scene.starts(rng), random_goal(rng, &scene.field));
        let size = (scene.field.width, scene.field.height);
        let field = scene.layer.field(scene.agent).expect("a size in use");
        let cheapest = u64::from(field.cheapest());
        let gap = |(x, y): (i32, i32)| naive_gap(&goal, cell(x, y));
        let estimate = |(x, y): (i32, i32)| goal_distance(&goal, cell(x, y), rule.neighbours) * cheapest;
        if goal.validate(field.grid()).is_err() || starts.is_empty() {
            return;
        }
        let taken = expansion_order(&scene.field.cost, size, rule, &starts, estimate);
        let stops = |at: (i32, i32)| scene.stops[scene.field.index(at)];
        let arrives = taken.iter().position(|&(at, _)| gap(at) == 0 && stops(at));
        for limit in [1, 2, 5, 17, 40, 200] {
            let query = scene.query(&starts, &goal).node_limit(limit).or_nearest();
            scratch.poison();
            let found = goal_search(&scene.layer, &query, rule, &mut scratch, &mut route);
            let context = format!("{name} {rule:?} {starts:?} {goal:?} {limit}");
            let (limit, expanded) = (limit as usize, route.expanded as usize);
            if let Some(place) = arrives.filter(|&place| place <= limit) {
                seen[0] += 1;
                assert_eq!((found, expanded), (Ok(Outcome::Reached), place), "{context}");
                assert_eq!(route.cost.0, taken[place].1, "{context}");
                continue;
            }
            let ends = taken.iter().take(limit).filter(|&&(at, _)| stops(at));
            let best = ends.map(|&((x, y), cost)| (gap((x, y)), cost, cell(x, y))).min();
            let outcome = if taken.len() > limit { Outcome::Partial } else { Outcome::Nearest };
            match best {
                None => assert!(found.is_err(), "{context}: {found:?}"),
                Some((_, cost, end)) => {
                    seen[if outcome == Outcome::Partial { 1 } else { 2 }] += 1;
                    assert_eq!((found, expanded), (Ok(outcome), limit.min(taken.len())), "{context}");
                    assert_eq!((route.waypoints.last(), route.cost.0), (Some(&end), cost), "{context}");
                    scene.check(rule, &starts, &route, 0);
                }
            }
        }
    });
    assert!(seen.iter().all(|&count| count > 50), "reached, partial, nearest: {seen:?}");
}

#[test]
fn routes_with_turn_costs_cost_what_the_twin_says() {
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let mut seen = [0; 2];
    for_every_scene(11, 14, |name, scene, rule, rng| {
        let (starts, goal) = (scene.starts(rng), random_goal(rng, &scene.field));
        if starts.is_empty() {
            return;
        }
        let per_eighth = rng.pick(&[1, 300, 1024, 5000, 300_000]);
        let heading = rng.chance(500).then(|| Dir8::from_index(rng.below(8) as u8));
        let query = scene.query(&starts, &goal).or_nearest().with_turning(Turning { per_eighth, heading });
        scratch.poison();
        let found = goal_search(&scene.layer, &query, rule, &mut scratch, &mut route);
        if is_wrong_goal(found) {
            return;
        }
        let turns = Turns {
            per_eighth: u64::from(per_eighth),
            heading: heading.map(|heading| usize::from(heading.index())),
        };
        let Grid { cost, width, height } = &scene.field;
        let costs =
            distances_with_turns(CostGrid { cost, width: *width, height: *height }, rule, &starts, turns);
        let (reached, nearest) = scene.truth(&goal, &costs);
        let context = format!("{name} {rule:?} {starts:?} {goal:?} {turns:?}");
        let expected = match (reached, nearest) {
            (Some(cost), _) => (Outcome::Reached, cost),
            (None, Some((_, cost, end))) => {
                assert_eq!(route.waypoints.last(), Some(&end), "{context}");
                (Outcome::Nearest, cost)
            }
            (None, None) => {
                assert!(found.is_err(), "{context}: {found:?}");
                return;
            }
        };
        seen[usize::from(expected.0 == Outcome::Nearest)] += 1;
        assert_eq!((found, route.cost.0), (Ok(expected.0), expected.1), "{context}");
        let cells: Vec<CellPos> = route.cells().collect();
        scene.check(rule, &starts, &route, turns_of(&cells, turns));
    });
    assert!(seen[0] > 100 && seen[1] > 10, "reached, nearest: {seen:?}");
}

fn random_stamp(rng: &mut SplitMix, terrains: u32) -> Stamp {
    let (width, height) = (1 + rng.below(4), 1 + rng.below(4));
    let mut stamp = Stamp::filled("any", width, height, FootCell::Open);
    for foot in &mut stamp.cells {
        *foot = match rng.below(7) {
            0 | 1 => FootCell::Blocked,
            2 => FootCell::NoStop,
            3 => FootCell::Gate,
            4 => FootCell::Wall(rng.below(4) as u8),
            5 => FootCell::Terrain(TerrainId(rng.below(terrains) as u8)),
            _ => FootCell::Open,
        };
    }
    stamp
}

#[test]
fn ignoring_stamps_is_as_if_they_were_removed() {
    let (mut scratch, mut route, mut other) = (SearchScratch::new(), Route::new(), Route::new());
    let mut rng = SplitMix::new(13);
    let mut differ = 0;
    for seed in 0..3 {
        for (name, grid) in every_kind(seed, 30, 24) {
            let mut map = grid.to_map(name);
            map.elevation = (0..grid.cost.len()).map(|_| rng.below(90) as i16).collect();
            let terrains = map.rules.terrains.len() as u32;
            let mut layer = CostLayer::new(&map.validate().expect("legal"), CostSettings::default());
            let mut standing: Vec<StampId> = Vec::new();
            for _ in 0..14 {
                let at = cell(rng.below(26) as i32, rng.below(20) as i32);
                let stamp = random_stamp(&mut rng, terrains);
                let id = layer.place(&stamp, at, Tick::ZERO).expect("it fits");
                if stamp.cells.contains(&FootCell::Gate) && rng.chance(500) {
                    layer.set_gate(id, GateState::Open).expect("it has a gate");
                }
                standing.push(id);
            }
            for count in [0, 1, 3, 8] {
                let ignored: Vec<StampId> = (0..count).map(|_| rng.pick(&standing)).collect();
                let mut without = layer.clone();
                for id in &ignored {
                    // The same stamp may be listed twice.
                    let _ = without.remove(*id);
                }
                for size in SIZES {
                    let agent = Agent { locomotor: LocomotorId(0), size };
                    let field = without.field(agent).expect("a size in use");
                    let with = layer.field(agent).expect("a size in use");
                    let felt = |at| {
                        let mut areas = ignored.iter().filter_map(|&id| layer.affected_area(id, size));
                        areas.any(|area| area.contains(at))
                    };
                    for at in field.grid().rect().grow(2, 2).cells() {
                        assert_eq!(
                            layer.cost_without(at, agent, &ignored),
                            field.cost(at),
                            "{name} {at} {size}"
                        );
                        let stop = layer.can_stop_without(at, agent, &ignored);
                        assert_eq!(stop, without.can_stop(at, agent), "{name} {at} {size}");
                        assert!(felt(at) || with.cost(at) == field.cost(at), "{name} {at} {size}");
                        differ += usize::from(with.cost(at) != field.cost(at));
                    }
                    for _ in 0..4 {
                        let starts = [random_cell(&mut rng, &grid)];
                        let goal = random_goal(&mut rng, &grid);
                        let query = GoalQuery::new(&starts, &goal, agent).or_nearest();
                        let rule = rng.pick(&RULES);
                        scratch.poison();
                        let found =
                            goal_search(&layer, &query.ignoring(&ignored), rule, &mut scratch, &mut route);
                        let expected = goal_search(&without, &query, rule, &mut scratch, &mut other);
                        assert_eq!(found, expected, "{name} {starts:?} {goal:?} {ignored:?}");
                        assert_eq!(route.cost, other.cost, "{name} {starts:?} {goal:?} {ignored:?}");
                    }
                }
            }
        }
    }
    assert!(differ > 1000, "{differ} cells differ");
}
