//! Time of the tick in which 100,000 threat sources take effect, and of the tick in which they are removed.
#![allow(clippy::disallowed_types, clippy::float_arithmetic, reason = "a benchmark measures time")]

use std::time::Instant;

use waymarch::base::{GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Falloff, Map, Rules, ThreatSource};
use waymarch::world::{Applied, Command, Navigator, World};
use waymarch_testkit::splitmix::SplitMix;

/// The map has 512 cells per side.
const SIDE: u32 = 512;
/// 100,000 threat sources are added at once.
const COUNT: u64 = 100_000;

fn tick(world: &mut World) -> f64 {
    let start = Instant::now();
    world.tick();
    start.elapsed().as_secs_f64() * 1000.0
}

fn main() {
    let kinds: [(&str, &[(u16, u8)]); 4] = [
        ("equal", &[(12, 9)]),
        ("alternating", &[(12, 9), (11, 9)]),
        ("of 64 kinds", &[]),
        ("wide", &[(30, 9), (31, 9)]),
    ];
    println!("{:>12} {:>12} {:>12}", "sources", "added, ms", "removed, ms");
    for (name, kinds) in kinds {
        let size = GridSize::new(SIDE, SIDE).expect("a legal size");
        let map = Map::flat("bench", size, Rules::standard());
        let mut world = World::new(Navigator::new(map, Config::default()).expect("a legal map"));
        let mut random = SplitMix::new(7);
        let mut ids = Vec::new();
        for number in 0..COUNT {
            let at = cell(random.below(SIDE) as i32, random.below(SIDE) as i32);
            let (radius, strength) = match kinds {
                [] => (5 + (number % 8) as u16, 2 + (number / 8 % 8) as u8),
                kinds => kinds[number as usize % kinds.len()],
            };
            let source = ThreatSource { at, radius, strength, falloff: Falloff::Linear };
            let added = world.apply(&Command::AddThreat(source)).expect("on the map");
            let Applied::Threat(id) = added else { unreachable!("{added:?}") };
            ids.push(id);
        }
        let added = (0..40).map(|_| tick(&mut world)).fold(0.0, f64::max);
        for id in ids {
            world.apply(&Command::RemoveThreat(id)).expect("it exists");
        }
        let removed = (0..40).map(|_| tick(&mut world)).fold(0.0, f64::max);
        println!("{name:>12} {added:>12.1} {removed:>12.1}");
    }
}
