//! Hot paths do not allocate once their scratch has grown.

use waymarch::base::{CellPos, CellRect, Dir8, Fixed, LocomotorId, Tick, cell};
use waymarch::config::Config;
use waymarch::cost::{CostLayer, CostSettings, Stamp, StepRule};
use waymarch::flow::tiles::{Breadth, FlowTarget, Heading, TileFlows, TileReader, TileSettings};
use waymarch::flow::whole::{FieldKey, Keep, WholeField, WholeFields, WholeFieldsSettings, WholeScratch};
use waymarch::query::{Goal, GoalQuery, PathQuery, Quality, Shape, Smoothing, Spline, Threat, Turning};
use waymarch::search::{
    Bound, Hierarchy, JumpGraph, JumpPlanes, Landmarks, Route, SearchScratch, Sight, SmoothPath, Smoother,
    WeightedPlanes, WeightedSearch, ZoneDistances, astar, goal_search, hierarchical, jps, jps_graph, jpsw,
};
use waymarch::sectors::{DoorRoute, DoorScratch, Doors};
use waymarch::world::{Navigator, PlannerChoice};
use waymarch_testkit::alloc::allocations_in;
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;

fn layer() -> CostLayer {
    let map = Grid::scatter(3, 120, 90, 200).to_map("busy").validate().expect("a legal map");
    CostLayer::new(&map, CostSettings::default())
}

/// Runs 300 queries to warm up, then counts the allocations of 100 others.
fn calls_when_warm(mut plan: impl FnMut(&PathQuery, &mut Route)) -> u64 {
    let grid = Grid::scatter(3, 120, 90, 200);
    let mut rng = SplitMix::new(5);
    let queries: Vec<PathQuery> = (0..400)
        .filter_map(|_| {
            Some(PathQuery::new(grid.random_open(&mut rng)?, grid.random_open(&mut rng)?, LocomotorId(0)))
        })
        .collect();
    let mut route = Route::new();
    let (warm_up, counted) = queries.split_at(300);
    warm_up.iter().for_each(|query| plan(query, &mut route));
    allocations_in(|| counted.iter().for_each(|query| plan(query, &mut route))).0.calls
}

#[test]
fn warm_route_queries_allocate_nothing() {
    let layer = layer();
    let mut scratch = SearchScratch::new();
    let calls = calls_when_warm(|query, route| {
        let _unreachable_is_fine = astar(&layer, query, StepRule::default(), &mut scratch, route);
    });
    assert_eq!(calls, 0, "astar");
    let field = layer.field(LocomotorId(0).into()).expect("it exists");
    for planes in [JumpPlanes::straight(field), JumpPlanes::full(field)] {
        let calls = calls_when_warm(|query, route| {
            let _unreachable_is_fine = jps(&layer, query, &planes, &mut scratch, route);
        });
        assert_eq!(calls, 0, "jps");
    }
    let graph = JumpGraph::new(field);
    let calls = calls_when_warm(|query, route| {
        let _unreachable_is_fine = jps_graph(&layer, query, &graph, &mut scratch, route);
    });
    assert_eq!(calls, 0, "jps-graph");
    for work in [0, 4000] {
        let hierarchy = Hierarchy::with_work(field, work);
        let calls = calls_when_warm(|query, route| {
            let _unreachable_is_fine = hierarchical(&layer, query, &hierarchy, &mut scratch, route);
        });
        assert_eq!(calls, 0, "hierarchy");
    }
}

#[test]
fn warm_smoothing_allocates_nothing() {
    let layer = layer();
    let rule = StepRule::default();
    let sight = Sight::new(&layer, LocomotorId(0).into(), Threat::Ignore, rule).expect("it exists");
    let (mut scratch, mut smoother, mut path) = (SearchScratch::new(), Smoother::new(), SmoothPath::new());
    let mut points = 0;
    let calls = calls_when_warm(|query, route| {
        if astar(&layer, query, rule, &mut scratch, route).is_ok() {
            for how in [Smoothing::None, Smoothing::Spline(Spline::default()), Smoothing::Funnel] {
                smoother.smooth(&sight, route, how, &mut path).expect("an open route");
                points += path.points.len();
            }
            smoother.tighten(&sight, &mut path).expect("an open path");
        }
    });
    assert_eq!(calls, 0);
    assert!(points > 10_000, "{points} points are too few for a test");
}

#[test]
fn warm_goal_queries_allocate_nothing() {
    let mut layer = layer();
    let houses: Vec<_> = (0..4)
        .map(|step| layer.place(&Stamp::solid(6, 6), cell(20 * step, 40), Tick::ZERO).expect("it fits"))
        .collect();
    let goals = [
        Goal::circle(cell(60, 50), Fixed::from_cells(3)),
        Goal::ring(cell(60, 50), Fixed::from_cells(3), Fixed::from_cells(9)),
        Goal::rect(CellRect::at(cell(42, 42), 2, 2)),
        Goal::AnyOf(vec![Shape::Point(cell(5, 5)), Shape::Point(cell(100, 80))]),
        Goal::OutOf(Shape::Circle { centre: cell(60, 40), radius: Fixed::from_cells(30) }),
    ];
    let mut scratch = SearchScratch::new();
    for turning in [Turning::default(), Turning { per_eighth: 500, heading: Some(Dir8::E) }] {
        let mut seen = [0; 4];
        let mut turns = goals.iter().cycle();
        let calls = calls_when_warm(|query, route| {
            let starts = [query.from, query.to];
            let goal = turns.next().expect("they never end");
            let query = GoalQuery::new(&starts, goal, query.agent).with_turning(turning);
            for query in [query, query.or_nearest(), query.node_limit(30), query.ignoring(&houses)] {
                let found = goal_search(&layer, &query, StepRule::default(), &mut scratch, route);
                seen[found.map_or(3, |outcome| outcome as usize)] += 1;
            }
        });
        assert_eq!(calls, 0, "{turning:?}");
        assert!(seen.iter().all(|&count| count > 0), "reached, nearest, partial, failed: {seen:?}");
    }
}

#[test]
fn turn_costs_take_eight_times_the_memory_and_nothing_else_does() {
    let map = Grid::filled(50, 40, 1).to_map("empty").validate().expect("a legal map");
    let layer = CostLayer::new(&map, CostSettings::default());
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let (starts, goal) = ([cell(0, 0)], Goal::point(cell(49, 39)));
    let query = GoalQuery::new(&starts, &goal, LocomotorId(0));
    let places = layer.field(LocomotorId(0).into()).expect("it exists").padding().len();
    for (turning, states) in [(0, 1), (1, 8)] {
        let query = query.with_turning(Turning { per_eighth: turning, heading: None });
        goal_search(&layer, &query, StepRule::default(), &mut scratch, &mut route).expect("it is all open");
        assert_eq!(scratch.memory_bytes(), places * states * 16);
    }
}

#[test]
fn warm_snaps_allocate_nothing_whether_remembered_or_not() {
    let mut nav =
        Navigator::new(Grid::caves(5, 120, 90).to_map("caves"), Config::default()).expect("a legal map");
    let mut rng = SplitMix::new(6);
    let mut at = || cell(rng.below(120) as i32, rng.below(90) as i32);
    let asked: Vec<(CellPos, Goal)> = (0..900)
        .map(|number| {
            let (from, to) = (at(), at());
            let points = vec![Shape::Point(to), Shape::Point(at()), Shape::Point(at())];
            (from, if number % 3 == 0 { Goal::AnyOf(points) } else { Goal::point(to) })
        })
        .collect();
    let mut ask_all = || {
        let ask = |(from, goal): &(CellPos, Goal)| nav.snap(*from, goal, LocomotorId(0)).is_ok();
        asked.iter().map(ask).filter(|&found| found).count()
    };
    // More queries than the memory keeps, so that some are evicted.
    (0..8).for_each(|_| assert!(ask_all() > 800));
    assert_eq!(allocations_in(&mut ask_all).0.calls, 0);
}

#[test]
fn warm_weighted_queries_allocate_nothing() {
    let layer = layer();
    let foot = LocomotorId(0).into();
    let rule = StepRule::default();
    let planes = WeightedPlanes::new(&layer, foot, rule, Threat::Ignore).expect("it exists");
    let landmarks = Landmarks::new(&layer, foot, rule).expect("it exists");
    let zones = ZoneDistances::new(&layer, foot, rule).expect("it exists");
    let mut scratch = SearchScratch::new();
    let bounds = [Bound::Octile, Bound::Zones(&zones), Bound::Landmarks(&landmarks)];
    for how in bounds.map(|bound| WeightedSearch::new(&planes).with_bound(bound)) {
        for quality in [1000, 1050].map(|it| Quality::from_per_mille(it).expect("in range")) {
            let how = how.with_quality(quality);
            let calls = calls_when_warm(|query, route| {
                let _unreachable_is_fine = jpsw(&layer, query, &how, &mut scratch, route);
            });
            assert_eq!(calls, 0, "{how:?}");
        }
    }
    assert!(scratch.memory_bytes() <= 16 * (121 * 92 + 1), "sixteen bytes per cell, padding included");
}

#[test]
fn a_warm_navigator_allocates_nothing_on_weighted_ground_that_changes() {
    let map = Grid::patches(3, 120, 90, &[1, 2, 5, 2, 255]).to_map("patches");
    let mut nav = Navigator::new(map, Config::default()).expect("a legal map");
    assert_eq!(nav.planner_for(LocomotorId(0), Threat::Ignore).0, PlannerChoice::Jpsw);
    nav.make_ready(LocomotorId(0));
    let (mut rng, mut route) = (SplitMix::new(8), Route::new());
    let mut calls = 0;
    for step in 0..400 {
        nav.place(&Stamp::solid(2, 2).lasting(20), cell(step % 118, step % 88)).expect("it fits");
        nav.tick();
        let [from, to] = [(); 2].map(|()| cell(rng.below(120) as i32, rng.below(90) as i32));
        let query = PathQuery::new(from, to, LocomotorId(0));
        let (counted, _whether_reachable) = allocations_in(|| nav.path_into(&query, &mut route));
        calls += if step < 300 { 0 } else { counted.calls };
    }
    assert_eq!(calls, 0);
}

#[test]
fn planes_and_bounds_follow_stamps_without_allocating() {
    let mut layer = layer();
    let (foot, rule) = (LocomotorId(0).into(), StepRule::default());
    let mut planes = WeightedPlanes::new(&layer, foot, rule, Threat::Ignore).expect("it exists");
    let mut landmarks = Landmarks::new(&layer, foot, rule).expect("it exists");
    let stamp = Stamp::solid(3, 3);
    let mut cycle = || {
        for step in 0..20 {
            let at = cell(5 * step, 40);
            let changed = CellRect::at(at, 3, 3);
            let id = layer.place(&stamp, at, Tick::ZERO).expect("it fits");
            planes.update(&layer, changed);
            landmarks.update(&layer, changed);
            layer.remove(id).expect("it stands");
            planes.update(&layer, changed);
            landmarks.update(&layer, changed);
        }
    };
    cycle();
    assert_eq!(allocations_in(cycle).0.calls, 0);
}

#[test]
fn warm_stamps_come_and_go_without_allocating() {
    let mut layer = layer();
    let stamp = Stamp::solid(3, 3);
    let mut changes = Vec::with_capacity(64);
    let mut cycle = |layer: &mut CostLayer| {
        for step in 0..20 {
            let id = layer.place(&stamp, cell(5 * step, 40), Tick::ZERO).expect("it fits");
            layer.take_changes(&mut changes);
            layer.remove(id).expect("it stands");
            layer.take_changes(&mut changes);
        }
    };
    cycle(&mut layer);
    assert_eq!(allocations_in(|| cycle(&mut layer)).0.calls, 0);
}

#[test]
fn a_warm_jump_graph_follows_stamps_without_allocating() {
    let mut layer = layer();
    let mut graph = JumpGraph::new(layer.field(LocomotorId(0).into()).expect("it exists"));
    let stamp = Stamp::solid(3, 3);
    let mut cycle = || {
        for step in 0..20 {
            let at = cell(5 * step, 40);
            let id = layer.place(&stamp, at, Tick::ZERO).expect("it fits");
            graph.update(layer.field(LocomotorId(0).into()).expect("it exists"), CellRect::at(at, 3, 3));
            layer.remove(id).expect("it stands");
            graph.update(layer.field(LocomotorId(0).into()).expect("it exists"), CellRect::at(at, 3, 3));
        }
    };
    cycle();
    assert_eq!(allocations_in(cycle).0.calls, 0);
}

#[test]
fn whole_map_fields_are_rebuilt_and_updated_without_allocating() {
    let mut layer = layer();
    let (mut scratch, mut path, stamp) = (WholeScratch::new(), Vec::new(), Stamp::solid(3, 3));
    for keep in [Keep::Costs, Keep::DirectionsOnly] {
        let key =
            |step: i32| FieldKey::new(LocomotorId(0), Goal::circle(cell(6 * step, 45), Fixed::from_cells(3)));
        let mut field =
            WholeField::new(&layer, &key(1), StepRule::default(), keep, &mut scratch).expect("legal");
        let mut cycle = |keys: &[FieldKey]| {
            for (step, key) in keys.iter().enumerate() {
                field.retarget(&layer, key, &mut scratch).expect("legal");
                let at = cell(6 * step as i32, 40);
                let id = layer.place(&stamp, at, Tick::ZERO).expect("it fits");
                field.follow(&layer, &mut scratch).expect("legal");
                layer.remove(id).expect("it stands");
                field.follow(&layer, &mut scratch).expect("legal");
                let _closed_is_fine = field.path_over(&layer, cell(0, 0), &mut path);
            }
        };
        let keys: Vec<FieldKey> = (0..19).map(key).collect();
        cycle(&keys);
        assert_eq!(allocations_in(|| cycle(&keys)).0.calls, 0, "{keep:?}");
    }
}

#[test]
fn a_full_cache_of_fields_evicts_without_allocating() {
    let layer = layer();
    let settings = WholeFieldsSettings { fields: 3, ..WholeFieldsSettings::default() };
    let mut fields = WholeFields::new(StepRule::default(), settings);
    let grid = Grid::scatter(3, 120, 90, 200);
    let mut rng = SplitMix::new(7);
    let keys: Vec<FieldKey> =
        (0..40).filter_map(|_| Some(FieldKey::new(LocomotorId(0), grid.random_open(&mut rng)?))).collect();
    let mut ask = |keys: &[FieldKey]| {
        let mut answered = 0;
        for (tick, key) in (0..).zip(keys) {
            answered += u32::from(fields.get(&layer, key, Tick(tick)).is_ok());
        }
        answered
    };
    assert!(ask(&keys) > 30);
    assert_eq!(allocations_in(|| ask(&keys)).0.calls, 0);
}

#[test]
fn warm_tiles_follow_edits_and_give_headings_without_allocating() {
    let mut layer = layer();
    let rule = StepRule::default();
    let grid = Grid::scatter(3, 120, 90, 200);
    let mut rng = SplitMix::new(8);
    let (mut scratch, mut route, stamp) = (DoorScratch::default(), DoorRoute::default(), Stamp::solid(3, 3));
    for capacity in [2, 64] {
        let doors = Doors::new(&layer, LocomotorId(0).into(), rule, Threat::Ignore).expect("known");
        let settings = TileSettings { capacity, ..TileSettings::default() };
        let mut flows = TileFlows::new(&layer, rule, settings);
        let (mut ids, mut reader) = (Vec::new(), TileReader::new());
        for _ in 0..8 {
            let (from, to) =
                (grid.random_open(&mut rng).expect("open"), grid.random_open(&mut rng).expect("open"));
            if doors.route(&layer, from, to, &mut scratch, &mut route) {
                let id = flows.open(&layer, FlowTarget::new(LocomotorId(0), to)).expect("open");
                flows.widen(&layer, id, &route, Breadth::Around);
                ids.push(id);
            }
        }
        let mut cycle = |first: u64| {
            let mut went = 0;
            for now in first..first + 40 {
                let at = cell((now % 20 * 5) as i32, (now % 20 * 4) as i32);
                let standing = layer.place(&stamp, at, Tick(now)).expect("it fits");
                flows.tick(&layer, Tick(now));
                layer.remove(standing).expect("it stands");
                flows.tick(&layer, Tick(now));
                for y in 0..30 {
                    let at = cell(y * 4, y * 3).centre();
                    let headings = ids.iter().map(|&id| flows.heading(&layer, id, at, &mut reader));
                    went += headings.filter(|heading| matches!(heading, Heading::Go { .. })).count();
                }
            }
            went
        };
        assert!(cycle(0) > 500);
        cycle(40);
        assert_eq!(allocations_in(|| cycle(80)).0.calls, 0, "{capacity}");
    }
}
