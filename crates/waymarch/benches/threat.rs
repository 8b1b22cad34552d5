//! Time of the tick in which 100,000 threat sources take effect, and of the tick in which they are removed. Then nodes and time of queries
//! that heed threat, as observers with and without relevant sources.
#![allow(clippy::disallowed_types, clippy::float_arithmetic, reason = "a benchmark measures time")]

use std::time::Instant;

use waymarch::base::{CellRect, GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Falloff, Map, Rules, TerrainId, ThreatSource};
use waymarch::query::{Observer, PathQuery, Threat};
use waymarch::search::Route;
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
    queries();
    refreshes();
}

/// Nodes and time of routes on a generated map of 512 cells per side, by the number of sources and the observer.
fn queries() {
    let size = GridSize::new(SIDE, SIDE).expect("a legal size");
    println!(
        "{:>8} {:>8} {:>10} {:>12} {:>9} {:>11} {:>12} {:>12}",
        "ground", "sources", "observer", "search", "nodes", "us", "planes, ms", "moved, us"
    );
    for ground in ["flat", "valley"] {
        let map = match ground {
            "flat" => Map::flat("bench", size, Rules::standard()),
            _ => generated(size),
        };
        for sources in [0, 1, 50] {
            for (observer, threat) in [
                ("none", Threat::Ignore),
                ("enemy", Threat::HeedAs(Observer(1))),
                ("owner", Threat::HeedAs(Observer(2))),
                ("other side", Threat::HeedAs(Observer(3))),
            ] {
                measure(&map, sources, threat, (ground, observer));
            }
        }
    }
}

fn generated(size: GridSize) -> Map {
    let mut map = Map::flat("bench", size, Rules::standard());
    let mut random = SplitMix::new(3);
    for _ in 0..400 {
        let (x, y) = (random.below(SIDE), random.below(SIDE));
        let terrain = TerrainId([1, 2, 4][random.below(3) as usize]);
        let area = CellRect::at(cell(x as i32, y as i32), 20, 20).intersect(size.rect());
        for at in area.cells() {
            map.terrain[(at.y as u32 * SIDE + at.x as u32) as usize] = terrain;
        }
    }
    map
}

fn measure(map: &Map, sources: u32, threat: Threat, (ground, observer): (&str, &str)) {
    let mut nav = Navigator::new(map.clone(), Config::default()).expect("a legal map");
    let foot = nav.locomotor("foot").expect("it exists");
    let mut random = SplitMix::new(7);
    let place = |random: &mut SplitMix| cell(random.below(SIDE) as i32, random.below(SIDE) as i32);
    let mut ids = Vec::new();
    for number in 0..sources {
        let at = if number == 0 { cell(40, 470) } else { place(&mut random) };
        let source = ThreatSource { at, radius: 9, strength: 60, falloff: Falloff::Linear };
        let id = nav.add_threat(source).expect("on the map");
        nav.set_threat_owner(id, Some(Observer(2))).expect("it exists");
        ids.push((id, source));
    }
    // One source of player 3, so that its view differs from all sources.
    if sources > 1 {
        nav.set_threat_owner(ids[0].0, Some(Observer(3))).expect("it exists");
    }
    (0..4).for_each(|_| nav.tick());
    let mut route = Route::new();
    let query = |from, to| PathQuery::new(from, to, foot).with_threat(threat);
    let start = Instant::now();
    let _ = nav.path_into(&query(cell(1, 1), cell(3, 2)), &mut route);
    let planes = start.elapsed().as_secs_f64() * 1000.0;
    let (mut nodes, mut count) = (0_u64, 0_u32);
    let pairs: Vec<_> = (0..300).map(|_| (place(&mut random), place(&mut random))).collect();
    let start = Instant::now();
    for (from, to) in pairs {
        if nav.path_into(&query(from, to), &mut route).is_ok() {
            nodes += u64::from(route.expanded);
            count += 1;
        }
    }
    let us = start.elapsed().as_secs_f64() * 1e6 / f64::from(count);
    // All sources move by a cell.
    for (id, source) in &ids {
        let at = cell((source.at.x + 1).min(SIDE as i32 - 1), source.at.y);
        nav.set_threat(*id, ThreatSource { at, ..*source }).expect("it exists");
    }
    (0..4).for_each(|_| nav.tick());
    let start = Instant::now();
    let _ = nav.path_into(&query(cell(1, 1), cell(3, 2)), &mut route);
    let moved = start.elapsed().as_secs_f64() * 1e6;
    let (search, _) = nav.planner_for(foot, threat);
    println!(
        "{ground:>8} {sources:>8} {observer:>10} {search:>12} {:>9.0} {us:>11.1} {planes:>12.2} {moved:>12.1}",
        nodes as f64 / f64::from(count),
    );
}

/// Time of ticks in which many sources change.
fn refreshes() {
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
