//! Time of the cost layer to load a map and to follow an edit. Compare times within one run only: ratios differ less between machines than times.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use waymarch::base::{GridSize, LocomotorId, Tick, cell};
use waymarch::cost::{
    CostLayer, CostSettings, Falloff, Map, Rules, Stamp, TerrainId, ThreatSource, ValidMap,
};
use waymarch_testkit::splitmix::SplitMix;

/// A map of `side`×`side` cells with the seven standard terrains scattered over it, four locomotors.
fn map(side: u32, heights: Heights) -> ValidMap {
    let size = GridSize::new(side, side).expect("a legal size");
    let mut map = Map::flat("bench", size, Rules::standard());
    let mut rng = SplitMix::new(1);
    for terrain in &mut map.terrain {
        *terrain =
            rng.pick(&[TerrainId(0), TerrainId(0), TerrainId(0), TerrainId(2), TerrainId(4), TerrainId(6)]);
    }
    if matches!(heights, Heights::Hills) {
        map.elevation = size.rect().cells().map(|at| ((at.x * at.x + at.y * 37) % 90) as i16).collect();
    }
    map.validate().expect("a legal map")
}

#[derive(Clone, Copy)]
enum Heights {
    Flat,
    Hills,
}

fn load(bench: &mut Criterion) {
    for (name, heights) in [("load_512_flat", Heights::Flat), ("load_512_hills", Heights::Hills)] {
        let map = map(512, heights);
        let layer = CostLayer::new(&map, CostSettings::default());
        let cells = 512 * 512 * 4;
        println!("{name}: {} bytes per 1000 cells and locomotor", layer.memory_bytes() * 1000 / cells);
        bench.bench_function(name, |b| {
            b.iter(|| black_box(CostLayer::new(black_box(&map), CostSettings::default())));
        });
    }
}

fn edit(bench: &mut Criterion) {
    for side in [128, 1024] {
        let mut layer = CostLayer::new(&map(side, Heights::Flat), CostSettings::default());
        let (stamp, mut changes) = (Stamp::solid(3, 3), Vec::new());
        let mut at = 0;
        bench.bench_function(&format!("place_and_remove_3x3_on_{side}"), |b| {
            b.iter(|| {
                at = (at + 17) % (side as i32 - 3);
                let id = layer.place(&stamp, cell(at, side as i32 / 2), Tick::ZERO).expect("it fits");
                layer.remove(id).expect("it stands");
                layer.take_changes(&mut changes);
            });
        });
        bench.bench_function(&format!("threat_radius_8_on_{side}"), |b| {
            b.iter_batched(
                || ThreatSource { at: cell(at, at), radius: 8, strength: 90, falloff: Falloff::Linear },
                |source| {
                    let id = layer.add_threat(source).expect("on the map");
                    layer.advance(Tick::ZERO);
                    layer.remove_threat(id).expect("it exists");
                    layer.advance(Tick::ZERO);
                },
                BatchSize::SmallInput,
            );
        });
        black_box(layer.field(LocomotorId(0).into()));
    }
}

criterion_group!(benches, load, edit);
criterion_main!(benches);
