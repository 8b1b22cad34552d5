//! Time of lazy fields to grow, to answer and to follow edits. Compare times within one run only: ratios differ less between machines than times.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use waymarch::base::{CellPos, cell};
use waymarch::flow::lazy::{CLOSED, LazyFlow, LazySettings, LazySteps, SparseGround};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;

/// A cell 1,000,000 cells away, farther than any of these fields grows.
const AWAY: CellPos = cell(1_000_000, 0);

fn flow_on(ground: &SparseGround, steps: LazySteps) -> LazyFlow {
    let settings = LazySettings { steps, explore_limit: 1 << 18, pocket_limit: 0, ..LazySettings::default() };
    LazyFlow::new(ground.clone(), settings.validate().expect("legal settings"))
}

/// Kinds of ground: open and unbounded, and 512×512 cells of caves in a closed world, uniform and weighted.
fn grounds() -> [(&'static str, SparseGround); 3] {
    let caves = Grid::caves(7, 512, 512);
    let weights = Grid::patches(5, 512, 512, &[1, 2, 3, 5]);
    let [mut even, mut weighted] = [SparseGround::closed(), SparseGround::closed()];
    for (x, y) in caves.open_cells() {
        even.set_cost(cell(x, y), 1);
        weighted.set_cost(cell(x, y), weights.cost[weights.index((x, y))]);
    }
    // The start of the query is opened, so that the query is not refused.
    even.set_cost(AWAY, 1);
    weighted.set_cost(AWAY, 1);
    [("open", SparseGround::open()), ("caves", even), ("weighted_caves", weighted)]
}

fn lazy(bench: &mut Criterion) {
    for (name, ground) in grounds() {
        let goal = (0..512).map(|i| cell(i, 256)).find(|&at| ground.is_open(at)).expect("an open cell");
        for steps in [LazySteps::FourUniform, LazySteps::EightWeighted] {
            let mut grown = flow_on(&ground, steps);
            grown.get_direction(AWAY, goal);
            let explored = grown.field(goal).expect("asked for").explored();
            let mut group = bench.benchmark_group(format!("{name}_{steps:?}"));
            group.throughput(Throughput::Elements(explored));
            group.bench_function("grow", |b| {
                b.iter_batched(
                    || flow_on(&ground, steps),
                    |mut flow| {
                        black_box(flow.get_direction(AWAY, goal));
                        flow
                    },
                    BatchSize::LargeInput,
                );
            });
            let mut rng = SplitMix::new(3);
            let places: Vec<CellPos> =
                grown.field(goal).expect("there").directions().map(|(at, _)| at).collect();
            let starts: Vec<CellPos> = (0..10_000).map(|_| rng.pick(&places)).collect();
            group.throughput(Throughput::Elements(starts.len() as u64));
            group.bench_function("ask_10000", |b| {
                b.iter(|| {
                    for &start in &starts {
                        black_box(grown.get_direction(start, goal));
                    }
                });
            });
            group.finish();
        }
    }
}

fn edits(bench: &mut Criterion) {
    let mut flow = flow_on(&SparseGround::open(), LazySteps::EightWeighted);
    for x in 0..64 {
        flow.get_direction(cell(x * 3, 9), cell(x * 3, 0));
    }
    bench.bench_function("edit_beside_64_fields", |b| {
        b.iter(|| {
            flow.set_cost(cell(-5000, 0), CLOSED);
            flow.clear(cell(-5000, 0));
        });
    });
}

criterion_group!(benches, lazy, edits);
criterion_main!(benches);
