//! Time of smoothing beside the search that found the route. Compare times within one run only: ratios differ less between machines than times.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use waymarch::base::LocomotorId;
use waymarch::cost::{CostLayer, CostSettings, StepRule};
use waymarch::query::{PathQuery, Smoothing, Spline, Threat};
use waymarch::search::{JumpPlanes, Route, SearchScratch, Sight, SmoothPath, Smoother, astar, jps};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;

fn smoothing(bench: &mut Criterion) {
    let mut weighted = Grid::patches(5, 256, 256, &[100, 80, 113, 200]);
    let caves = Grid::caves(7, 256, 256);
    for (cost, wall) in weighted.cost.iter_mut().zip(&caves.cost) {
        *cost = (*cost).max(*wall);
    }
    for (name, grid) in [("even", &caves), ("weighted", &weighted)] {
        let layer = CostLayer::new(&grid.to_map(name).validate().expect("legal"), CostSettings::default());
        let (foot, rule) = (LocomotorId(0), StepRule::default());
        let (mut scratch, mut rng) = (SearchScratch::new(), SplitMix::new(1));
        let mut routes: Vec<(PathQuery, Route)> = Vec::new();
        while routes.len() < 50 {
            let (Some(from), Some(to)) = (grid.random_open(&mut rng), grid.random_open(&mut rng)) else {
                continue;
            };
            let (query, mut route) = (PathQuery::new(from, to, foot), Route::new());
            if astar(&layer, &query, rule, &mut scratch, &mut route).is_ok() {
                routes.push((query, route));
            }
        }
        let mut route = Route::new();
        bench.bench_function(&format!("{name}_50_astar"), |b| {
            b.iter(|| {
                for (query, _) in &routes {
                    black_box(astar(&layer, query, rule, &mut scratch, &mut route)).expect("a way");
                }
            });
        });
        if name == "even" {
            let planes = JumpPlanes::full(layer.field(foot.into()).expect("it exists"));
            bench.bench_function(&format!("{name}_50_jps"), |b| {
                b.iter(|| {
                    for (query, _) in &routes {
                        black_box(jps(&layer, query, &planes, &mut scratch, &mut route)).expect("a way");
                    }
                });
            });
        }
        let sight = Sight::new(&layer, foot.into(), Threat::Ignore, rule).expect("it exists");
        let (mut smoother, mut path) = (Smoother::new(), SmoothPath::new());
        for (how_name, how) in [("pull", Smoothing::Funnel), ("spline", Smoothing::Spline(Spline::default()))]
        {
            bench.bench_function(&format!("{name}_50_{how_name}"), |b| {
                b.iter(|| {
                    for (_, route) in &routes {
                        black_box(smoother.smooth(&sight, route, how, &mut path)).expect("open");
                    }
                });
            });
        }
    }
}

criterion_group!(benches, smoothing);
criterion_main!(benches);
