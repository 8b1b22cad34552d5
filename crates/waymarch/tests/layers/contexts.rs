//! Contexts: routes read from kept searches equal the twin's cheapest routes, cell by cell.

use waymarch::base::{Agent, CellPos, CellRect, LocomotorId, SizeClass, Tick, cell};
use waymarch::cost::{
    CornerRule, CostLayer, CostSettings, Falloff, FootCell, Stamp, StampId, StepRule, TerrainId, ThreatSource,
};
use waymarch::planners::Contexts;
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{Recorder, Route, SearchEvent, SearchScratch, astar};
use waymarch_testkit::alloc::allocations_in;
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::whole_field::{STEPS, field_cells};

use crate::ground::costs_of;

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

const FOOT: LocomotorId = LocomotorId(0);
const SIZES: [SizeClass; 3] = [SizeClass::ONE, SizeClass::TWO, SizeClass::THREE];

fn layer(grid: &Grid) -> CostLayer {
    let map = grid.to_map("contexts").validate().expect("the testkit makes legal maps");
    CostLayer::new(&map, CostSettings { sector_size: 8, ..CostSettings::default() })
}

/// The twin's answer: the cost and every cell of the route. Of several cheapest steps it takes the lowest direction.
fn truth(layer: &CostLayer, query: &PathQuery, rule: StepRule) -> Option<(u64, Vec<CellPos>)> {
    let grid = costs_of(layer, query.agent, query.threat);
    let field = field_cells(&grid.cost, (grid.width, grid.height), rule, &[query.to]);
    let (cost, _) = field[grid.index((query.from.x, query.from.y))]?;
    let mut cells = vec![query.from];
    let mut at = query.from;
    while let Some((_, Some(dir))) = field[grid.index((at.x, at.y))] {
        let (dx, dy) = STEPS[usize::from(dir)];
        at = at.offset(dx, dy);
        cells.push(at);
    }
    Some((cost, cells))
}

/// Asks for a route and compares it with the twin's.
fn ask(contexts: &mut Contexts, layer: &CostLayer, query: &PathQuery, now: u64, what: &str) -> Route {
    let mut route = Route::new();
    let answer = contexts.plan(layer, query, Tick(now), &mut route);
    let what = || format!("{what} {:?} {query:?}", contexts.rule());
    match truth(layer, query, contexts.rule()) {
        None => {
            let nowhere = PlanError::Unreachable { from: query.from, to: query.to };
            assert_eq!(answer, Err(nowhere), "{}", what());
        }
        Some((cost, cells)) => {
            assert_eq!(answer, Ok(()), "{}", what());
            assert_eq!(route.cost.0, cost, "{}", what());
            assert_eq!(route.cells().collect::<Vec<_>>(), cells, "{}", what());
        }
    }
    route
}

/// Queries of one agent: few goals, many starts.
fn questions(layer: &CostLayer, agent: Agent, threat: Threat, rng: &mut SplitMix) -> Vec<PathQuery> {
    let open = costs_of(layer, agent, threat);
    let goals: Vec<CellPos> = (0..3).filter_map(|_| open.random_open(rng)).collect();
    let stops: Vec<CellPos> = goals.into_iter().filter(|&goal| layer.can_stop(goal, agent)).collect();
    if stops.is_empty() {
        return Vec::new();
    }
    let one = |_| {
        let (from, to) = (open.random_open(rng)?, rng.pick(&stops));
        Some(PathQuery::new(from, to, agent).with_threat(threat))
    };
    (0..12).filter_map(one).collect()
}

#[test]
fn routes_are_the_twins_on_every_kind_of_map_rule_and_size() {
    let mut rng = SplitMix::new(1);
    let mut asked = 0;
    for seed in 0..3 {
        let (width, height) = (15 + rng.below(40), 15 + rng.below(40));
        for (name, grid) in every_kind(seed, width, height) {
            let layer = layer(&grid);
            for rule in RULES {
                let mut contexts = Contexts::new(rule, 1 + rng.below(8));
                for size in SIZES {
                    let agent = Agent { locomotor: FOOT, size };
                    for query in questions(&layer, agent, Threat::Ignore, &mut rng) {
                        asked += 1;
                        ask(&mut contexts, &layer, &query, asked, name);
                    }
                }
            }
        }
    }
    assert!(asked > 2000, "{asked} queries are too few for a test");
}

fn source(rng: &mut SplitMix, side: u32) -> ThreatSource {
    let at = cell(rng.below(side) as i32, rng.below(side) as i32);
    let radius = 2 + rng.below(12) as u16;
    ThreatSource { at, radius, strength: 1 + rng.below(100) as u8, falloff: Falloff::Linear }
}

/// Makes a random edit and keeps the list of standing stamps up to date.
fn edit(layer: &mut CostLayer, standing: &mut Vec<StampId>, rng: &mut SplitMix) {
    let (width, height) = (layer.grid().width(), layer.grid().height());
    let at = cell(rng.below(width) as i32, rng.below(height) as i32);
    match rng.below(5) {
        0 | 1 => {
            let side = 1 + rng.below(4);
            let stamp = if rng.chance(800) {
                Stamp::solid(side, side)
            } else {
                Stamp::filled("pass only", side, side, FootCell::NoStop)
            };
            standing.extend(layer.place(&stamp, at, Tick::ZERO).ok());
        }
        2 if !standing.is_empty() => {
            let taken = standing.swap_remove(rng.below(standing.len() as u32) as usize);
            layer.remove(taken).expect("it stands");
        }
        _ => {
            let terrains = layer.rules().rules().terrains.len() as u32;
            let area = CellRect::at(at, 1 + rng.below(5), 1 + rng.below(5)).intersect(layer.grid().rect());
            layer.set_terrain(area, TerrainId(rng.below(terrains) as u8)).expect("on the map");
        }
    }
}

#[test]
fn edits_threat_order_and_capacity_change_no_route() {
    let mut rng = SplitMix::new(2);
    let (mut outdated, mut evicted, mut read, mut kept) = (0, 0, 0, 0);
    for seed in 0..2 {
        for (name, grid) in every_kind(seed, 48, 48) {
            let mut layer = layer(&grid);
            let mut standing = Vec::new();
            let threat = layer.add_threat(source(&mut rng, 48)).expect("on the map");
            layer.advance(Tick(1000));
            let rule = rng.pick(&RULES);
            let mut all: Vec<Contexts> = [1, 2, 30].map(|capacity| Contexts::new(rule, capacity)).into();
            let agent = Agent { locomotor: FOOT, size: rng.pick(&SIZES) };
            let how = rng.pick(&[Threat::Ignore, Threat::Heed]);
            let mut queries = questions(&layer, agent, how, &mut rng);
            for round in 0..14 {
                edit(&mut layer, &mut standing, &mut rng);
                let now = 1000 * (round + 2);
                if rng.chance(200) {
                    layer.set_threat(threat, source(&mut rng, 48)).expect("on the map");
                    layer.advance(Tick(now));
                }
                let field = layer.field(agent).expect("it exists");
                let still = |query: &PathQuery| {
                    field.is_passable(query.from)
                        && field.is_passable(query.to)
                        && layer.can_stop(query.to, agent)
                };
                for _ in 0..5 {
                    if queries.is_empty() {
                        break;
                    }
                    let query = rng.pick(&queries);
                    for contexts in &mut all {
                        if still(&query) {
                            ask(contexts, &layer, &query, now, name);
                        }
                    }
                }
                if rng.chance(200) {
                    queries = questions(&layer, agent, how, &mut rng);
                }
            }
            for contexts in &all {
                let work = contexts.work();
                (outdated, evicted, read) =
                    (outdated + work.outdated, evicted + work.evicted, read + work.read);
                kept = kept.max(contexts.len());
            }
            assert_eq!((all[0].len() <= 1, all[1].len() <= 2), (true, true), "{name}");
        }
    }
    let counts = [outdated, evicted, read, kept as u64];
    assert!(counts.iter().zip([100, 100, 200, 3]).all(|(&count, least)| count >= least), "{counts:?}");
}

/// Units of every size and under every rule ask in different orders while the map is edited. Each gets the route of a fresh context. Only the
/// number of expanded nodes depends on which unit asked first.
#[test]
fn earlier_queries_do_not_change_the_route_of_a_context() {
    let mut rng = SplitMix::new(3);
    let (mut free, mut asked) = (0, 0);
    for (rule, size) in RULES.into_iter().flat_map(|rule| SIZES.map(|size| (rule, size))) {
        let mut layer = layer(&Grid::scatter(5, 70, 60, 60));
        let agent = Agent { locomotor: FOOT, size };
        let (mut shared, mut standing) = (Contexts::new(rule, 4), Vec::new());
        let mut queries: Vec<PathQuery> =
            (0..3).flat_map(|_| questions(&layer, agent, Threat::Ignore, &mut rng)).collect();
        let answer = |contexts: &mut Contexts, layer: &CostLayer, query: &PathQuery| {
            let mut route = Route::new();
            let answer = contexts.plan(layer, query, Tick::ZERO, &mut route);
            (answer.map(|()| (route.cost, route.waypoints.clone())), route.expanded)
        };
        for _ in 0..6 {
            for query in &queries {
                let (fresh, cost) = answer(&mut Contexts::new(rule, 1), &layer, query);
                let (found, expanded) = answer(&mut shared, &layer, query);
                assert_eq!(found, fresh, "{rule:?} {query:?}");
                assert!(cost > 0 || fresh.is_err(), "a fresh context expands nodes: {query:?}");
                free += u32::from(expanded == 0 && found.is_ok());
                asked += 1;
            }
            for last in (1..queries.len()).rev() {
                queries.swap(last, rng.below(last as u32 + 1) as usize);
            }
            edit(&mut layer, &mut standing, &mut rng);
        }
    }
    assert!(asked > 1500 && free > asked / 8 && free < asked, "{free} of {asked} were known already");
}

#[test]
fn an_edit_drops_a_context_only_where_it_searched() {
    let mut layer = layer(&Grid::filled(100, 100, 3));
    let mut contexts = Contexts::new(StepRule::default(), 4);
    let query = PathQuery::new(cell(5, 5), cell(30, 20), FOOT);
    let again = |contexts: &mut Contexts, layer: &CostLayer| {
        let before = contexts.work();
        let route = ask(contexts, layer, &query, 0, "open");
        (route.expanded > 0, contexts.work().outdated - before.outdated)
    };
    assert_eq!(again(&mut contexts, &layer), (true, 0));
    assert_eq!(again(&mut contexts, &layer), (false, 0));
    let far = layer.place(&Stamp::solid(3, 3), cell(80, 80), Tick::ZERO).expect("it fits");
    assert_eq!(again(&mut contexts, &layer), (false, 0), "far away");
    layer.place(&Stamp::solid(3, 3), cell(15, 10), Tick::ZERO).expect("it fits");
    assert_eq!(again(&mut contexts, &layer), (true, 1), "an edit on the route");
    layer.remove(far).expect("it stands");
    assert_eq!(again(&mut contexts, &layer), (false, 0), "another edit far away");
}

#[test]
fn a_gap_opened_beside_what_was_searched_counts_although_it_is_in_another_sector() {
    // Sectors are eight cells wide: all cells that can be searched lie in the first, and the gap lies in the second.
    let mut grid = Grid::filled(16, 8, 1);
    (0..8).for_each(|y| (8..16).for_each(|x| grid.set((x, y), 255)));
    (1..8).for_each(|x| grid.set((x, 3), 255));
    // For bigger units the gap would change costs in the first sector too.
    let map = grid.to_map("beside").validate().expect("legal");
    let settings = CostSettings { sector_size: 8, sizes: vec![SizeClass::ONE], ..CostSettings::default() };
    let mut layer = CostLayer::new(&map, settings);
    let mut contexts = Contexts::new(StepRule::default(), 4);
    let query = PathQuery::new(cell(7, 0), cell(7, 7), FOOT);
    let around = ask(&mut contexts, &layer, &query, 0, "walled");
    layer.set_terrain(CellRect::at(cell(8, 1), 1, 6), TerrainId(0)).expect("on the map");
    let through = ask(&mut contexts, &layer, &query, 0, "open");
    assert!(through.cost < around.cost);
}

#[test]
fn a_cheap_road_far_away_counts_although_no_search_looked_there() {
    // Two costs, so that the map has a terrain for the road. The road is first covered by rough ground.
    let mut grid = Grid::filled(120, 60, 200);
    grid.set((119, 59), 1);
    let mut layer = layer(&grid);
    let (road, rough) = (TerrainId(0), TerrainId(1));
    layer.set_terrain(CellRect::at(cell(119, 59), 1, 1), rough).expect("on the map");
    let mut contexts = Contexts::new(StepRule::default(), 4);
    let query = PathQuery::new(cell(2, 5), cell(110, 5), FOOT);
    let slow = ask(&mut contexts, &layer, &query, 0, "rough");
    layer.set_terrain(CellRect::at(cell(0, 40), 120, 1), road).expect("on the map");
    let fast = ask(&mut contexts, &layer, &query, 0, "road");
    assert!(fast.cost < slow.cost);
    assert_eq!(contexts.work().outdated, 1);
}

#[test]
fn a_hundred_units_cost_little_more_than_one() {
    let mut rng = SplitMix::new(7);
    let (mut all_alone, mut all_shared) = (0, 0);
    for (name, grid) in every_kind(3, 128, 128) {
        let layer = layer(&grid);
        // Units of an army, a few cells apart, and a goal that they can reach.
        let (units, goal) = loop {
            let Some(goal) = grid.random_open(&mut rng) else { continue };
            let Some(camp) = grid.random_open(&mut rng) else { continue };
            let reached = field_cells(&grid.cost, (128, 128), StepRule::default(), &[goal]);
            let near = |&(x, y): &(i32, i32)| x.abs_diff(camp.x).max(y.abs_diff(camp.y)) <= 10;
            let army = grid.open_cells().filter(near).filter(|&at| reached[grid.index(at)].is_some());
            let army: Vec<CellPos> = army.map(|(x, y)| cell(x, y)).take(100).collect();
            if army.len() == 100 && camp.x.abs_diff(goal.x) > 40 {
                break (army, goal);
            }
        };
        let mut contexts = Contexts::new(StepRule::default(), 1);
        let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
        let (mut alone, mut shared) = (0, 0);
        for &from in &units {
            let query = PathQuery::new(from, goal, FOOT);
            let one = astar(&layer, &query, StepRule::default(), &mut scratch, &mut route);
            let cost = route.cost;
            alone += route.expanded;
            assert_eq!(contexts.plan(&layer, &query, Tick::ZERO, &mut route), one, "{name}");
            assert_eq!(route.cost, cost, "{name}");
            shared += route.expanded;
        }
        println!("{name}: {} units, A* {alone} nodes, one context {shared}", units.len());
        // On empty ground A* goes straight to the goal, while a context must know all equally cheap routes.
        assert!(shared * 3 < alone, "{name}: {shared} of {alone} for {} units", units.len());
        assert!(shared as usize <= grid.cost.len(), "{name}: no cell is settled twice");
        (all_alone, all_shared) = (all_alone + alone, all_shared + shared);
    }
    assert!(all_shared * 50 < all_alone, "{all_shared} of {all_alone}");
}

#[test]
fn known_ground_is_read_without_an_allocation() {
    let grid = Grid::scatter(3, 120, 90, 200);
    let layer = layer(&grid);
    let mut rng = SplitMix::new(4);
    let goals: Vec<CellPos> = (0..6).filter_map(|_| grid.random_open(&mut rng)).collect();
    let starts: Vec<CellPos> = (0..40).filter_map(|_| grid.random_open(&mut rng)).collect();
    let mut contexts = Contexts::new(StepRule::default(), 4);
    let mut route = Route::new();
    let mut all = |contexts: &mut Contexts, goals: &[CellPos], now: u64| {
        for (&goal, &start) in goals.iter().flat_map(|goal| starts.iter().map(move |start| (goal, start))) {
            let query = PathQuery::new(start, goal, FOOT);
            let _unreachable_is_fine = contexts.plan(&layer, &query, Tick(now), &mut route);
        }
    };
    // One round first, so that all four contexts have the capacity that the goals need.
    (0..4).for_each(|now| all(&mut contexts, &goals, now));
    all(&mut contexts, &goals[..4], 9);
    let before = contexts.work();
    assert_eq!(allocations_in(|| all(&mut contexts, &goals[..4], 10)).0.calls, 0, "known ground");
    assert_eq!(contexts.work().expanded, before.expanded);
    assert_eq!(contexts.work().read, before.read + 160);
    assert_eq!(allocations_in(|| all(&mut contexts, &goals, 11)).0.calls, 0, "others' memory");
    assert!(contexts.work().expanded > before.expanded, "these contexts had been dropped");
    let before = contexts.work();
    contexts.clear();
    assert!(contexts.is_empty());
    assert_eq!(
        allocations_in(|| all(&mut contexts, &goals, 12)).0.calls,
        0,
        "the memory of dropped contexts is reused"
    );
    assert!(contexts.work().begun > before.begun + 5, "searches were begun again");
}

#[test]
fn the_least_recently_used_context_is_dropped_and_ties_go_by_goal() {
    let layer = layer(&Grid::filled(40, 40, 1));
    let mut contexts = Contexts::new(StepRule::default(), 2);
    let mut ask = |goal: CellPos, now: u64| {
        let mut route = Route::new();
        let query = PathQuery::new(cell(0, 0), goal, FOOT);
        contexts.plan(&layer, &query, Tick(now), &mut route).expect("all open");
        route.expanded > 0
    };
    let (a, b, c) = (cell(30, 1), cell(1, 30), cell(20, 20));
    assert!(ask(b, 1) && ask(a, 1));
    assert!(ask(c, 2), "a is dropped: as old as b, but in a row above");
    assert!(!ask(b, 3), "b stayed");
    assert!(ask(a, 4), "c is dropped: not used since tick 2");
    assert!(!ask(b, 5) && ask(c, 6) && ask(a, 7), "c replaced a, and a replaced b");
}

#[test]
fn refusals_are_those_of_other_searches_and_leave_no_context() {
    let mut grid = Grid::filled(30, 30, 1);
    grid.set((3, 3), 255);
    let mut layer = layer(&grid);
    let yard = Stamp::filled("pass only", 2, 2, FootCell::NoStop);
    layer.place(&yard, cell(10, 10), Tick::ZERO).expect("it fits");
    let mut contexts = Contexts::new(StepRule::default(), 2);
    let unknown = Agent { locomotor: LocomotorId(9), size: SizeClass::ONE };
    let (open, shut) = (cell(5, 5), cell(3, 3));
    let queries = [
        PathQuery::new(open, cell(30, 3), FOOT),
        PathQuery::new(cell(i32::MIN, i32::MAX), open, FOOT),
        PathQuery::new(shut, open, FOOT),
        PathQuery::new(open, shut, FOOT),
        PathQuery::new(open, cell(10, 10), FOOT),
        PathQuery::new(open, cell(8, 8), unknown),
    ];
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    for query in queries {
        let expected = astar(&layer, &query, StepRule::default(), &mut scratch, &mut route);
        assert!(expected.is_err());
        assert_eq!(contexts.plan(&layer, &query, Tick::ZERO, &mut route), expected);
        assert!(route.waypoints.is_empty());
    }
    assert!(contexts.is_empty());
    let here = PathQuery::new(open, open, FOOT);
    assert_eq!(ask(&mut contexts, &layer, &here, 0, "already there").waypoints, [open]);
}

#[test]
fn memory_is_eight_bytes_a_cell_and_the_front() {
    let layer = layer(&Grid::scatter(2, 100, 100, 200));
    let mut contexts = Contexts::new(StepRule::default(), 2);
    let grid = costs_of(&layer, FOOT.into(), Threat::Ignore);
    let mut rng = SplitMix::new(6);
    for now in 0..40 {
        let (Some(from), Some(to)) = (grid.random_open(&mut rng), grid.random_open(&mut rng)) else { return };
        ask(&mut contexts, &layer, &PathQuery::new(from, to, FOOT), now, "scatter");
    }
    let each: Vec<usize> = contexts.memory_by_context().collect();
    assert_eq!(each.len(), 2);
    assert!(each.iter().all(|bytes| (80_000..120_000).contains(bytes)), "{each:?}");
    assert!(contexts.memory_bytes() >= each.iter().sum());
}

#[test]
fn a_context_can_be_watched_and_that_changes_nothing() {
    let grid = Grid::scatter(2, 40, 40, 200);
    let layer = layer(&grid);
    let mut rng = SplitMix::new(6);
    let (Some(from), Some(to)) = (grid.random_open(&mut rng), grid.random_open(&mut rng)) else { return };
    let query = PathQuery::new(from, to, FOOT);
    let plain = ask(&mut Contexts::new(StepRule::default(), 1), &layer, &query, 0, "scatter");
    let (mut recorder, mut route) = (Recorder::with_limit(100_000), Route::new());
    let mut contexts = Contexts::new(StepRule::default(), 1);
    contexts.plan_with(&layer, &query, Tick::ZERO, &mut route, &mut recorder).expect("found before");
    assert_eq!(route, plain);
    assert_eq!(recorder.events()[0], SearchEvent::Begin { from: to, to: from }, "from the goal outwards");
    let expanded = recorder.events().iter().filter(|event| matches!(event, SearchEvent::Expand(_)));
    assert_eq!(expanded.count(), route.expanded as usize);
    for event in recorder.events() {
        if let SearchEvent::Expand(node) = event {
            assert_eq!(node.parent.is_none(), node.at == to, "{node:?}");
            assert!(node.estimate() <= route.cost.0, "{node:?}");
        }
    }
}
