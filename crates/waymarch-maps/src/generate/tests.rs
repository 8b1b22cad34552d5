//! Properties of generated maps.

use std::collections::VecDeque;

use waymarch::base::{CellPos, Dir8, Fixed, GridSize};
use waymarch::cost::{ELEVATION_UNIT, FootCell, IMPASSABLE, Map, Mobility, ValidRules};

use super::{BUILTIN, GenerateOptions, Landform, builtin, generate, ground};

const FORMS: [Landform; 4] = [Landform::Coast, Landform::Islands, Landform::Pass, Landform::Inland];

fn size(width: u32, height: u32) -> GridSize {
    GridSize::new(width, height).expect("a legal size")
}

/// FNV-1a over terrain and elevation, little-endian. It is written out here, so that the golden values depend on nothing else.
fn fingerprint(map: &Map) -> u64 {
    let heights = map.elevation.iter().flat_map(|height| height.to_le_bytes());
    let bytes = map.terrain.iter().map(|terrain| terrain.0).chain(heights);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Which cells are open to wheels of one cell: terrain, slope and stamps, as in the engine.
fn open_to_wheels(map: &Map) -> Vec<bool> {
    let rules = map.rules.validate().expect("the standard rules are valid");
    let wheel = rules.locomotor("wheel").expect("the standard rules have wheels");
    let height = |at: CellPos| map.size.id(at).map(|id| map.elevation.get(id.index()).copied().unwrap_or(0));
    let mut open: Vec<bool> = map
        .size
        .rect()
        .cells()
        .zip(&map.terrain)
        .map(|(at, &terrain)| {
            let own = height(at).unwrap_or(0);
            let slopes = Dir8::ALL.into_iter().filter_map(|dir| {
                let rise = i64::from(own.abs_diff(height(at.step(dir))?));
                let run = if dir.is_diagonal() { 1448 } else { 1024 };
                Some(Fixed::ratio(rise * 1024, i64::from(ELEVATION_UNIT) * run))
            });
            let slope = slopes.max().unwrap_or_default();
            ValidRules::on_slope(rules.cost(terrain, wheel), slope, Mobility::Terrestrial) != IMPASSABLE
        })
        .collect();
    for placed in &map.stamps {
        for (i, foot) in placed.stamp.cells.iter().enumerate() {
            let columns = placed.stamp.width as i32;
            let id = map.size.id(placed.at.offset(i as i32 % columns, i as i32 / columns));
            let id = id.expect("stamps stand on the map");
            open[id.index()] &= *foot != FootCell::Blocked;
        }
    }
    open
}

/// Whether all starts are connected for units that need `reach` open cells on every side, without diagonal steps.
fn connected(map: &Map, reach: i32) -> bool {
    let open = open_to_wheels(map);
    let fits = |at: CellPos| {
        (-reach..=reach).all(|dy| {
            (-reach..=reach).all(|dx| map.size.id(at.offset(dx, dy)).is_some_and(|id| open[id.index()]))
        })
    };
    let Some(&first) = map.starts.first() else { return false };
    let mut seen = vec![false; open.len()];
    let mut queue = VecDeque::from([first]);
    while let Some(at) = queue.pop_front() {
        let Some(id) = map.size.id(at).filter(|id| !seen[id.index()]) else { continue };
        if fits(at) {
            seen[id.index()] = true;
            queue.extend(Dir8::STRAIGHT.map(|dir| at.step(dir)));
        }
    }
    map.starts.iter().all(|&at| map.size.id(at).is_some_and(|id| seen[id.index()]))
}

#[test]
fn all_starts_are_connected_for_wheels_and_for_three_by_three_tanks() {
    for (width, height) in [(16, 16), (17, 33), (128, 128), (200, 64)] {
        for seed in 0..20 {
            let options = GenerateOptions::for_landform(FORMS[seed as usize % 4]);
            let map = generate(seed, size(width, height), &options);
            assert!(map.starts.len() >= 2, "{width}×{height}, seed {seed}");
            let on_clear = |&at: &CellPos| map.terrain_at(at) == Some(ground::CLEAR);
            assert!(map.starts.iter().all(on_clear), "{width}×{height}, seed {seed}");
            assert!(connected(&map, 0), "{width}×{height}, seed {seed}: wheels");
            assert!(connected(&map, 1), "{width}×{height}, seed {seed}: 3×3");
            map.validate().expect("generated maps are valid");
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_bits_on_every_machine() {
    let prints = [(1, 64, 64), (7, 128, 96), (1234, 33, 200)].map(|(seed, width, height)| {
        fingerprint(&generate(seed, size(width, height), &GenerateOptions::default()))
    });
    assert_eq!(
        prints,
        [0x7896_ec85_b7a0_9002, 0xa26a_47aa_2212_45aa, 0xa7b5_861e_07d9_adc2],
        "{prints:#018x?}"
    );
}

#[test]
fn every_built_in_map_is_valid_and_connected() {
    for (name, about) in BUILTIN {
        let map = builtin(name).expect("a listed map exists");
        assert_eq!(map.name, *name);
        assert!(about.starts_with(&map.size.to_string()), "{name}: {about}");
        assert!(about.ends_with(&format!("{} starts", map.starts.len())), "{name}: {about}");
        assert!(connected(&map, 1), "{name}");
        map.validate().expect("built-in maps are valid");
    }
    assert!(builtin("atlantis").is_none());
}

#[test]
fn only_cliffs_rocks_and_water_are_steep() {
    for seed in 0..6 {
        let map = generate(seed, size(128, 128), &GenerateOptions::for_landform(FORMS[seed as usize % 4]));
        let open = open_to_wheels(&map);
        for (i, at) in map.size.rect().cells().enumerate() {
            let gentle = matches!(
                map.terrain[i],
                ground::CLEAR | ground::ROAD | ground::BRIDGE | ground::ROUGH | ground::BEACH | ground::ORE
            );
            let built = map.stamps.iter().any(|placed| {
                let (w, h) = (placed.stamp.width as i32, placed.stamp.height as i32);
                (0..w).contains(&(at.x - placed.at.x)) && (0..h).contains(&(at.y - placed.at.y))
            });
            assert!(open[i] || !gentle || built, "seed {seed}: {at} is {:?} and closed", map.terrain[i]);
        }
    }
}

#[test]
fn a_coast_has_sea_river_bridges_cliffs_forests_and_houses() {
    for seed in 0..8 {
        let map = generate(seed, size(192, 192), &GenerateOptions::default());
        let count = |kind| map.terrain.iter().filter(|&&terrain| terrain == kind).count();
        assert!(count(ground::WATER) > 192 * 192 / 10, "seed {seed}: sea");
        for kind in
            [ground::RIVER, ground::BRIDGE, ground::CLIFF, ground::FOREST, ground::ROAD, ground::BEACH]
        {
            assert!(count(kind) > 20, "seed {seed}: {kind:?}");
        }
        assert!(!map.stamps.is_empty(), "seed {seed}: villages");
    }
}

#[test]
fn odd_sizes_and_options_never_panic() {
    for (width, height) in [(1, 1), (2, 5), (7, 3), (15, 300), (40, 40), (41, 90)] {
        for landform in FORMS {
            let usual = GenerateOptions::for_landform(landform);
            for options in [
                usual.clone(),
                GenerateOptions { sea: 255, hills: 255, forest: 255, ..usual.clone() },
                GenerateOptions { sea: 0, hills: 0, forest: 0, players: Some(0), ..usual.clone() },
                GenerateOptions { rivers: Some(255), villages: Some(255), players: Some(255), ..usual },
            ] {
                let map = generate(99, size(width, height), &options);
                map.validate().expect("valid");
            }
        }
    }
    assert_eq!(super::maze(3, size(2, 9)).validate().map(|_| ()), Ok(()));
    assert_eq!(super::maze(3, size(50, 21)).validate().map(|_| ()), Ok(()));
    assert_eq!(super::rooms(3, size(50, 21)).validate().map(|_| ()), Ok(()));
}
