//! Hot paths borrow memory, they never make it.

use waymarch::base::{CellRect, LocomotorId, Tick, cell};
use waymarch::cost::{CostLayer, CostSettings, Stamp, StepRule};
use waymarch::query::PathQuery;
use waymarch::search::{JumpGraph, JumpPlanes, Route, SearchScratch, astar, jps, jps_graph};
use waymarch_testkit::alloc::{CountingAllocator, allocations_in};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn layer() -> CostLayer {
    let map = Grid::scatter(3, 120, 90, 200).to_map("busy").validate().expect("a legal map");
    CostLayer::new(&map, CostSettings::default())
}

/// Three hundred queries to warm up, a hundred others counted.
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
