//! Unusual maps and queries for every search: each agrees with A* and the twin, and none panics.

use waymarch::base::{Agent, CellPos, LocomotorId, SizeClass, cell};
use waymarch::cost::{CornerRule, CostLayer, StepRule};
use waymarch::query::{Goal, GoalQuery, Outcome, PathQuery, PlanError, Smoothing, Spline, Threat};
use waymarch::search::{
    Bound, Hierarchy, JumpGraph, JumpPlanes, Landmarks, Route, SearchScratch, Sight, SmoothPath, Smoother,
    WeightedPlanes, WeightedSearch, ZoneDistances, astar, goal_search, hierarchical, jps, jps_graph,
    jps_suits, jpsw,
};
use waymarch_testkit::dijkstra::{UNREACHED, distances};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::route::check_route;
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::wide_units::field_for_size;

use crate::ground::layer;

const FOOT: LocomotorId = LocomotorId(0);
const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];
const SIZES: [SizeClass; 3] = [SizeClass::ONE, SizeClass::TWO, SizeClass::THREE];

/// The data that all searches need for one agent and one rule.
struct Searches<'a> {
    layer: &'a CostLayer,
    agent: Agent,
    rule: StepRule,
    /// Straight planes and full planes; built even if the ground has several costs.
    planes: [JumpPlanes; 2],
    graph: JumpGraph,
    /// One hierarchy built with a work limit of 0, so that all nodes are in its core, and one that is complete.
    hierarchies: [Hierarchy; 2],
    weighted: WeightedPlanes,
    zones: ZoneDistances,
    landmarks: Landmarks,
}

/// Each search's name, and whether it needs ground of one cost.
const NAMES: [(&str, bool); 9] = [
    ("jps", true),
    ("jps+", true),
    ("jps-graph", true),
    ("core", true),
    ("hierarchy", true),
    ("jpsw", false),
    ("jpsw-zones", false),
    ("jpsw-landmarks", false),
    ("goal search", false),
];

impl<'a> Searches<'a> {
    fn new(layer: &'a CostLayer, agent: Agent, rule: StepRule) -> Self {
        let field = layer.field(agent).expect("it exists");
        Self {
            layer,
            agent,
            rule,
            planes: [JumpPlanes::straight(field), JumpPlanes::full(field)],
            graph: JumpGraph::new(field),
            hierarchies: [0, u32::MAX].map(|work| Hierarchy::with_work(field, work)),
            weighted: WeightedPlanes::new(layer, agent, rule, Threat::Ignore).expect("it exists"),
            zones: ZoneDistances::new(layer, agent, rule).expect("it exists"),
            landmarks: Landmarks::new(layer, agent, rule).expect("it exists"),
        }
    }

    fn ask(
        &self,
        number: usize,
        query: &PathQuery,
        scratch: &mut SearchScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        let layer = self.layer;
        let weighted = WeightedSearch::new(&self.weighted);
        match number {
            0 | 1 => jps(layer, query, &self.planes[number], scratch, out),
            2 => jps_graph(layer, query, &self.graph, scratch, out),
            3 | 4 => hierarchical(layer, query, &self.hierarchies[number - 3], scratch, out),
            5 => jpsw(layer, query, &weighted, scratch, out),
            6 => jpsw(layer, query, &weighted.with_bound(Bound::Zones(&self.zones)), scratch, out),
            7 => jpsw(layer, query, &weighted.with_bound(Bound::Landmarks(&self.landmarks)), scratch, out),
            _ => {
                let (from, goal) = ([query.from], Goal::point(query.to));
                let asked = GoalQuery::new(&from, &goal, query.agent);
                let outcome = goal_search(layer, &asked, self.rule, scratch, out)?;
                assert_eq!(outcome, Outcome::Reached);
                Ok(())
            }
        }
    }

    /// Asks every search for a route between all pairs of `cells`, which may be off the map. Returns the number of routes found.
    fn compare(&self, grid: &Grid, cells: &[CellPos], scratch: &mut SearchScratch) -> u32 {
        let Self { layer, agent, rule, .. } = *self;
        let field = layer.field(agent).expect("it exists");
        let costs = field_for_size(&grid.cost, grid.width, grid.height, agent.size.side());
        let (mut route, mut found) = (Route::new(), 0);
        for &from in cells {
            let truth =
                field.is_passable(from).then(|| distances(&costs, grid.width, grid.height, rule, from));
            for &to in cells {
                let query = PathQuery::new(from, to, agent);
                let expected = match &truth {
                    Some(truth) if field.is_passable(to) => {
                        let least = truth[grid.index((to.x, to.y))];
                        if least == UNREACHED { Err(PlanError::Unreachable { from, to }) } else { Ok(least) }
                    }
                    _ => Err(wrong_end(layer, &query)),
                };
                let scene = || format!("{}x{} {rule:?} {agent:?} {from} to {to}", grid.width, grid.height);
                let plain = astar(layer, &query, rule, scratch, &mut route);
                assert_eq!(plain.map(|()| route.cost.0), expected, "A* {}", scene());
                for (number, (name, needs_one_cost)) in NAMES.into_iter().enumerate() {
                    // Jump point search supports only the default rule.
                    if needs_one_cost && rule != StepRule::default() {
                        continue;
                    }
                    scratch.poison();
                    let answer = self.ask(number, &query, scratch, &mut route).map(|()| route.cost.0);
                    let scene = || format!("{name} {}", scene());
                    if needs_one_cost && !matches!(expected, Err(ref error) if is_wrong_end(error)) {
                        if let Err(why) = jps_suits(field, rule) {
                            assert_eq!(answer, Err(PlanError::Unsuited(why)), "{}", scene());
                            continue;
                        }
                    }
                    if name == "goal search" && matches!(expected, Err(PlanError::OffMap { .. })) {
                        // Goal search names the shape that is off the map.
                        let named = matches!(answer, Err(PlanError::Goal(_) | PlanError::OffMap { .. }));
                        assert!(named || is_start(&answer, from), "{} {answer:?}", scene());
                        continue;
                    }
                    assert_eq!(answer, expected, "{}", scene());
                    if answer.is_ok() {
                        let cells: Vec<CellPos> = route.cells().collect();
                        assert_eq!((cells.first(), cells.last()), (Some(&from), Some(&to)), "{}", scene());
                        let walked = check_route(&costs, grid.width, grid.height, rule, &cells);
                        assert_eq!(walked, Ok(route.cost.0), "{}", scene());
                        self.smooth(&route);
                        found += 1;
                    } else {
                        assert!(route.waypoints.is_empty(), "{}", scene());
                    }
                }
            }
        }
        found
    }

    /// Checks that the route can be smoothed and keeps its ends.
    fn smooth(&self, route: &Route) {
        let sight = Sight::new(self.layer, self.agent, Threat::Ignore, self.rule).expect("it exists");
        let (mut smoother, mut path) = (Smoother::new(), SmoothPath::new());
        for how in [Smoothing::None, Smoothing::Funnel, Smoothing::Spline(Spline::default())] {
            smoother.smooth(&sight, route, how, &mut path).expect("a route of legal steps");
            let ends = [path.points.first(), path.points.last()].map(|point| point.map(|at| at.cell()));
            assert_eq!(ends, [route.waypoints.first().copied(), route.waypoints.last().copied()]);
        }
    }
}

/// The error for a query with an end off the map or on closed ground. The start is checked first.
fn wrong_end(layer: &CostLayer, query: &PathQuery) -> PlanError {
    let (size, field) = (layer.grid(), layer.field(query.agent).expect("it exists"));
    if let Some(at) = [query.from, query.to].into_iter().find(|&at| !size.contains(at)) {
        return PlanError::OffMap { at, size };
    }
    if field.is_passable(query.from) {
        PlanError::GoalBlocked { at: query.to }
    } else {
        PlanError::StartBlocked { at: query.from }
    }
}

fn is_wrong_end(error: &PlanError) -> bool {
    matches!(error, PlanError::OffMap { .. } | PlanError::StartBlocked { .. } | PlanError::GoalBlocked { .. })
}

/// Whether the error names the start: goal search checks its starts before its goal.
fn is_start(answer: &Result<u64, PlanError>, from: CellPos) -> bool {
    *answer == Err(PlanError::StartBlocked { at: from })
}

/// Corners, centres of edges, some cells between them, and cells off the map.
fn odd_cells(grid: &Grid, rng: &mut SplitMix) -> Vec<CellPos> {
    let (right, down) = (grid.width as i32 - 1, grid.height as i32 - 1);
    let mut cells = vec![
        cell(0, 0),
        cell(right, 0),
        cell(0, down),
        cell(right, down),
        cell(right / 2, down / 2),
        cell(-1, 0),
        cell(0, down + 1),
        cell(right + 1, down),
        cell(i32::MIN, i32::MAX),
        cell(i32::MAX, 0),
        cell(0, i32::MIN),
    ];
    for _ in 0..4 {
        cells.push(cell(rng.below(grid.width) as i32, rng.below(grid.height) as i32));
    }
    cells.extend(grid.random_open(rng));
    cells
}

/// Compares all searches on one map for every rule and size.
fn compare_all(grid: &Grid, seed: u64, scratch: &mut SearchScratch) -> u32 {
    let mut rng = SplitMix::new(seed);
    let (layer, cells) = (layer(grid), odd_cells(grid, &mut rng));
    let mut found = 0;
    for rule in RULES {
        for size in SIZES {
            let agent = Agent { locomotor: FOOT, size };
            found += Searches::new(&layer, agent, rule).compare(grid, &cells, scratch);
        }
    }
    found
}

#[test]
fn maps_of_one_row_of_one_column_and_around_the_width_of_a_word() {
    let mut scratch = SearchScratch::new();
    let sides = [1, 2, 3, 63, 64, 65, 129];
    for (number, side) in (0..).zip(sides) {
        for thin in [1, 2, 4] {
            for (width, height) in [(side, thin), (thin, side)] {
                let open = Grid::filled(width, height, 1 + (number % 3) as u8);
                assert!(compare_all(&open, number, &mut scratch) > 0, "{width}x{height}");
                compare_all(&Grid::scatter(number, width, height, 150), number, &mut scratch);
                let costs = [1, 2, 254, 2, 255];
                compare_all(&Grid::patches(number, width, height, &costs), number, &mut scratch);
            }
        }
    }
}

#[test]
fn closed_maps_and_single_cells() {
    let mut scratch = SearchScratch::new();
    for (width, height) in [(1, 1), (9, 1), (1, 9), (5, 5), (64, 3), (65, 66)] {
        let mut grid = Grid::filled(width, height, 255);
        assert_eq!(compare_all(&grid, 1, &mut scratch), 0, "all cells are closed");
        // Every search finds a route of cost 0 from a cell to itself.
        grid.set((width as i32 / 2, height as i32 / 2), 254);
        assert!(compare_all(&grid, 2, &mut scratch) > 0, "{width}x{height}");
    }
}

#[test]
fn every_kind_of_map_with_odd_ends() {
    let mut scratch = SearchScratch::new();
    for (number, (_, grid)) in (0..).zip(every_kind(21, 66, 33)) {
        compare_all(&grid, number, &mut scratch);
    }
}

#[test]
fn agents_without_costs_are_named_by_every_search() {
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let layer = layer(&Grid::filled(9, 9, 1));
    let rule = StepRule::default();
    let searches = Searches::new(&layer, FOOT.into(), rule);
    let huge = SizeClass::new(16).expect("a legal size, not in use");
    for agent in [Agent::from(LocomotorId(1)), LocomotorId(255).into(), Agent { locomotor: FOOT, size: huge }]
    {
        for (from, to) in [(cell(1, 1), cell(5, 5)), (cell(1, 1), cell(1, 1)), (cell(-1, 0), cell(99, 0))] {
            let query = PathQuery::new(from, to, agent);
            let unknown = Err(PlanError::UnknownAgent(agent));
            assert_eq!(astar(&layer, &query, rule, &mut scratch, &mut route), unknown);
            for (number, (name, _)) in NAMES.into_iter().enumerate() {
                assert_eq!(searches.ask(number, &query, &mut scratch, &mut route), unknown, "{name}");
            }
        }
        assert!(WeightedPlanes::new(&layer, agent, rule, Threat::Heed).is_err());
        assert!(ZoneDistances::new(&layer, agent, rule).is_err());
        assert!(Landmarks::new(&layer, agent, rule).is_err());
    }
}

/// 300×300 cells allow 186 zones. Squares of 16 cells make 361, squares of 32 make 100.
#[test]
fn zones_double_their_side_until_there_are_few_enough() {
    for (width, side, zones) in [(40, 8, 25), (300, 32, 100)] {
        let layer = layer(&Grid::filled(width, width, 1));
        let made = ZoneDistances::new(&layer, FOOT.into(), RULES[0]).expect("it exists");
        assert_eq!((made.side(), made.zones()), (side, zones), "{width} cells wide");
    }
}
