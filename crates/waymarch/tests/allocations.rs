//! Hot paths borrow memory, they never make it.

use waymarch::base::{CellRect, LocomotorId, Tick, cell};
use waymarch::cost::{CostLayer, CostSettings, Stamp, StepRule};
use waymarch::query::{PathQuery, Quality, Threat};
use waymarch::search::{
    Bound, JumpPlanes, Landmarks, Route, SearchScratch, WeightedPlanes, WeightedSearch, ZoneDistances, astar,
    jps, jpsw,
};
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
    assert!(scratch.memory_bytes() <= 16 * (121 * 92 + 1), "sixteen bytes a cell, padding included");
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
