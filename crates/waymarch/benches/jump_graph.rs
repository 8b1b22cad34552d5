//! Time to make the explicit jump-point graph and to follow an edit, beside the planes that it is built on. Compare times within
//! one run only: ratios differ less between machines than times.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use waymarch::base::{CellRect, LocomotorId, SizeClass, Tick, cell};
use waymarch::cost::{CostLayer, CostSettings, Stamp};
use waymarch::search::{JumpGraph, JumpPlanes};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;

const SIDE: u32 = 1024;

fn layer(grid: &Grid) -> CostLayer {
    let map = grid.to_map("bench").validate().expect("a legal map");
    CostLayer::new(&map, CostSettings { sizes: vec![SizeClass::ONE], ..CostSettings::default() })
}

/// A 3×3 stamp is placed and removed: two edits.
fn stamps(bench: &mut Criterion) {
    let kinds = [
        ("caves", Grid::caves(1, SIDE, SIDE)),
        ("rooms", Grid::rooms(1, SIDE, SIDE, 31)),
        ("sparse", Grid::scatter(1, SIDE, SIDE, 100)),
        ("nearly_open", Grid::scatter(1, SIDE, SIDE, 1)),
    ];
    for (name, grid) in kinds {
        let mut layer = layer(&grid);
        let field = layer.field(LocomotorId(0).into()).expect("it exists");
        let (mut planes, mut graph) = (JumpPlanes::full(field), JumpGraph::new(field));
        println!(
            "{name}: {} nodes, {} edges, {} bytes per 1000 cells",
            graph.nodes(),
            graph.edges(),
            graph.memory_bytes() * 1000 / field.grid().cells()
        );
        let stamp = Stamp::solid(3, 3);
        let mut edit = |rng: &mut SplitMix, follow: &mut dyn FnMut(&CostLayer, CellRect)| {
            let at = cell(rng.below(SIDE - 3) as i32, rng.below(SIDE - 3) as i32);
            let id = layer.place(&stamp, at, Tick::ZERO).expect("it fits");
            follow(&layer, CellRect::at(at, 3, 3));
            layer.remove(id).expect("it stands");
            follow(&layer, CellRect::at(at, 3, 3));
        };
        bench.bench_function(&format!("planes_follow_two_edits_{name}"), |b| {
            let mut rng = SplitMix::new(2);
            b.iter(|| {
                edit(&mut rng, &mut |layer, rect| {
                    planes.update(layer.field(LocomotorId(0).into()).expect("it exists"), rect);
                });
            });
        });
        bench.bench_function(&format!("graph_follows_two_edits_{name}"), |b| {
            let mut rng = SplitMix::new(2);
            b.iter(|| {
                edit(&mut rng, &mut |layer, rect| {
                    graph.update(layer.field(LocomotorId(0).into()).expect("it exists"), rect);
                });
            });
        });
    }
}

fn build(bench: &mut Criterion) {
    let layer = layer(&Grid::caves(1, 512, 512));
    let field = layer.field(LocomotorId(0).into()).expect("it exists");
    bench.bench_function("make_planes_512_caves", |b| b.iter(|| black_box(JumpPlanes::full(field))));
    bench.bench_function("make_graph_512_caves", |b| b.iter(|| black_box(JumpGraph::new(field))));
}

criterion_group!(benches, stamps, build);
criterion_main!(benches);
