//! Time to save, restore over some edits, load and hash a World of 1,000 units on 512×512 cells.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use waymarch::base::{ByteWriter, GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, Stamp, TerrainId};
use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};
use waymarch_testkit::splitmix::SplitMix;

/// A thousand walking soldiers on rough ground with hills.
fn world() -> World {
    let size = GridSize::new(512, 512).expect("a legal size");
    let mut map = Map::flat("bench", size, Rules::standard());
    let mut rng = SplitMix::new(1);
    for terrain in &mut map.terrain {
        *terrain = rng.pick(&[TerrainId(0), TerrainId(0), TerrainId(2)]);
    }
    map.elevation = size.rect().cells().map(|at| ((at.x / 9 + at.y / 7) % 40) as i16).collect();
    let config = Config { max_paths_per_tick: 100, ..Config::default() };
    let mut world = World::new(Navigator::new(map, config).expect("a legal map"));
    let foot = world.nav().locomotor("foot").expect("in the rules");
    let soldier = world.add_type(UnitType::new("soldier", foot)).expect("a legal kind");
    let places: Vec<_> = (0..1000).map(|number| cell(40 + number % 40, 40 + number / 40)).collect();
    let units = world.spawn_many(soldier, PlayerId(0), &places).expect("open ground");
    for unit in units {
        let to = cell(100 + rng.below(400) as i32, 100 + rng.below(400) as i32);
        world.order(&[unit], Order::move_to(to)).expect("a good order");
    }
    (0..20).for_each(|_| world.tick());
    world
}

fn snapshots(bench: &mut Criterion) {
    let mut world = world();
    let saved = world.save();
    println!("a World of 1,000 units on 512×512 cells: {} bytes", saved.len());
    let mut memory = Vec::new();
    bench.bench_function("save_1000_units_512", |b| {
        b.iter(|| {
            let mut writer = ByteWriter::reusing(core::mem::take(&mut memory));
            world.save_into(&mut writer);
            memory = writer.into_bytes();
        });
    });
    bench.bench_function("edit_4_and_restore_1000_units_512", |b| {
        b.iter(|| {
            for at in 0..4 {
                world.place(&Stamp::solid(3, 3), cell(200 + 20 * at, 300)).expect("it fits");
            }
            world.restore(black_box(&saved)).expect("what was saved");
        });
    });
    bench.bench_function("restore_unchanged_1000_units_512", |b| {
        b.iter(|| world.restore(black_box(&saved)).expect("what was saved"));
    });
    bench.bench_function("hash_1000_units_512", |b| b.iter(|| black_box(world.state_hash())));
    bench.bench_function("load_1000_units_512", |b| b.iter(|| black_box(World::load(&saved))));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = snapshots
}
criterion_main!(benches);
