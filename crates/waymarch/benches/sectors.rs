//! Time to build sectors, to follow an edit, and to answer whether a cell is reachable. Compare times within one run only: ratios
//! differ less between machines than times.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use waymarch::base::{Agent, CellPos, GridSize, LocomotorId, SizeClass, Tick, cell};
use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule, TerrainId};
use waymarch::query::Goal;
use waymarch::sectors::{Sectors, SnapMemory, SnapScratch};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;

/// Caves of water with scattered rough ground, the four standard locomotors at three sizes.
fn layer(side: u32) -> CostLayer {
    let size = GridSize::new(side, side).expect("a legal size");
    let mut map = Map::flat("bench", size, Rules::standard());
    let (caves, rough) = (Grid::caves(1, side, side), Grid::scatter(2, side, side, 100));
    for (at, terrain) in map.terrain.iter_mut().enumerate() {
        *terrain = match (caves.cost[at], rough.cost[at]) {
            (255, _) => TerrainId(4),
            (_, 255) => TerrainId(2),
            _ => TerrainId(0),
        };
    }
    CostLayer::new(&map.validate().expect("a legal map"), CostSettings::default())
}

fn build(bench: &mut Criterion) {
    let layer = layer(512);
    let sectors = Sectors::new(&layer, StepRule::default());
    let (bytes, agents) = (sectors.memory_bytes() * 1000, layer.agents().count());
    println!("build_512: {agents} agents, {} bytes per 1000 cells", bytes / layer.grid().cells());
    bench.bench_function("build_512", |b| {
        b.iter(|| black_box(Sectors::new(black_box(&layer), StepRule::default())));
    });
}

fn reachable(bench: &mut Criterion) {
    for side in [128, 1024, 4096] {
        let layer = layer(side);
        let sectors = Sectors::new(&layer, StepRule::default());
        let agents: Vec<Agent> = layer.agents().collect();
        let mut rng = SplitMix::new(3);
        let mut at = || cell(rng.below(side) as i32, rng.below(side) as i32);
        let pairs: Vec<(CellPos, CellPos)> = (0..1024).map(|_| (at(), at())).collect();
        // One agent repeats 16 queries, as units do; or all agents query the whole map.
        let mut next = 0;
        bench.bench_function(&format!("reachable_near_at_hand_on_{side}"), |b| {
            b.iter(|| {
                next = (next + 1) % 16;
                sectors.reachable(pairs[next].0, pairs[next].1, agents[0])
            });
        });
        bench.bench_function(&format!("reachable_anywhere_on_{side}"), |b| {
            b.iter(|| {
                next = (next + 1) % pairs.len();
                sectors.reachable(pairs[next].0, pairs[next].1, agents[next % agents.len()])
            });
        });
    }
}

fn stamp(bench: &mut Criterion) {
    for side in [128, 1024] {
        let mut layer = layer(side);
        let mut sectors = Sectors::new(&layer, StepRule::default());
        let (stamp, mut rng) = (Stamp::solid(3, 3), SplitMix::new(4));
        bench.bench_function(&format!("place_and_remove_3x3_on_{side}"), |b| {
            b.iter(|| {
                let at = cell(rng.below(side - 2) as i32, rng.below(side - 2) as i32);
                let id = layer.place(&stamp, at, Tick::ZERO).expect("it fits");
                sectors.follow(&layer);
                layer.remove(id).expect("it stands");
                sectors.follow(&layer);
            });
        });
    }
}

/// A unit in a sealed pocket is ordered out: without and with a remembered answer.
fn sealed(bench: &mut Criterion) {
    for side in [256, 1024, 4096] {
        let size = GridSize::new(side, side).expect("a legal size");
        let map = Map::flat("bench", size, Rules::standard()).validate().expect("a legal map");
        let sizes = vec![SizeClass::ONE];
        let mut layer = CostLayer::new(&map, CostSettings { sizes, ..CostSettings::default() });
        for (x, y, width, height) in [(49, 49, 52, 1), (49, 100, 52, 1), (49, 50, 1, 50), (100, 50, 1, 50)] {
            layer.place(&Stamp::solid(width, height), cell(x, y), Tick::ZERO).expect("it fits");
        }
        let sectors = Sectors::new(&layer, StepRule::default());
        let (foot, out) = (LocomotorId(0), Goal::point(cell(side as i32 - 3, side as i32 - 7)));
        let mut scratch = SnapScratch::default();
        bench.bench_function(&format!("sealed_first_on_{side}"), |b| {
            b.iter(|| sectors.snap(&layer, black_box(cell(60, 60)), &out, foot, &mut scratch));
        });
        let mut memory = SnapMemory::default();
        bench.bench_function(&format!("sealed_again_on_{side}"), |b| {
            b.iter(|| sectors.snap_again(&layer, black_box(cell(60, 60)), &out, foot, &mut memory));
        });
    }
}

criterion_group!(benches, build, reachable, stamp, sealed);
criterion_main!(benches);
