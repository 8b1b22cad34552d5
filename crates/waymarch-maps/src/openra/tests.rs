//! Whole OpenRA maps: hand-made ones always, the real ones where `WAYMARCH_DATA` points at them.

use std::io::{Cursor, Write};
use std::path::PathBuf;

use waymarch::base::cell;
use waymarch::cost::{FootCell, IMPASSABLE, Map};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{GameMod, MapBin, Package, load, read_oramap};
use crate::LoadOptions;

const TILESET: &str = "General:\n\tId: TOY\nTerrain:\n\tTerrainType@Clear:\n\t\tType: Clear\n\t\tColor: 00FF00\n\tTerrainType@Water:\n\t\tType: Water\n\t\tTargetTypes: Water\n\tTerrainType@Ore:\n\t\tType: Ore\nTemplates:\n\tTemplate@0:\n\t\tTiles:\n\t\t\t0: Clear\n\tTemplate@1:\n\t\tId: 1\n\t\tTiles:\n\t\t\t0: Water\n\t\t\t\tMinColor: 0\n";

const RULES: &str = "^World:\n\tLocomotor@FOOT:\n\t\tName: foot\n\t\tTerrainSpeeds:\n\t\t\tClear: 100\n\t\t\tOre: 50\n\tLocomotor@TANK:\n\t\tName: tank\n\t\tCrushes: wall\n\t\tTerrainSpeeds:\n\t\t\tClear: 80\n\tResourceLayer:\n\t\tResourceTypes:\n\t\t\tOre:\n\t\t\t\tResourceIndex: 1\n\t\t\t\tTerrainType: Ore\n\t\t\t\tAllowedTerrainTypes: Clear\nWorld:\n\tInherits: ^World\n^Wall:\n\tBuilding:\n\tCrushable:\n\t\tCrushClasses: wall\nFENCE:\n\tInherits: ^Wall\nHUT:\n\tBuilding:\n\t\tDimensions: 2,2\n\t\tFootprint: x+ =x\n";

const MAP: &str = "MapFormat: 12\nTitle: Toy\nTileset: TOY\nMapSize: 5,4\nBounds: 1,0,4,4\nActors:\n\tA0: mpspawn\n\t\tLocation: 1,1\n\tA1: hut\n\t\tLocation: 4,2\n\tA2: fence\n\t\tLocation: 2,0\n\tA3: nobody\n\t\tLocation: 0,0\n";

fn toy_mod() -> GameMod {
    let mut game = GameMod::new("toy mod");
    game.add_tileset("toy.yaml", TILESET).unwrap();
    game.add_rules("rules.yaml", RULES).unwrap();
    game
}

/// 5×4: water in column 3, ore everywhere in row 3.
fn toy_bin() -> Vec<u8> {
    let mut bytes = vec![1, 5, 0, 4, 0];
    for x in 0..5 {
        for _ in 0..4 {
            bytes.extend([u8::from(x == 3), 0, 0]);
        }
    }
    for _ in 0..5 {
        for y in 0..4 {
            bytes.extend([u8::from(y == 3), 1]);
        }
    }
    bytes
}

fn zipped(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn toy_zip() -> Vec<u8> {
    zipped(&[("map.yaml", MAP.as_bytes()), ("map.bin", &toy_bin())])
}

fn name_at(map: &Map, x: i32, y: i32) -> &str {
    &map.rules.terrains[map.terrain_at(cell(x, y)).unwrap().index()].name
}

#[test]
fn a_map_has_its_terrain_resources_buildings_and_starts() {
    let map = read_oramap("toy.oramap", &toy_zip(), &toy_mod()).unwrap();
    assert_eq!((map.name.as_str(), map.size.to_string().as_str()), ("Toy", "5×4"));
    assert_eq!(
        [name_at(&map, 0, 0), name_at(&map, 1, 0), name_at(&map, 3, 0)],
        ["Outside", "Clear", "Water"]
    );
    assert_eq!(
        [name_at(&map, 1, 3), name_at(&map, 3, 3)],
        ["Ore", "Water"],
        "ore grows on clear ground only"
    );
    assert_eq!(map.starts, [cell(1, 1)]);
    let hut = &map.stamps[0];
    assert_eq!((hut.at, hut.stamp.width, hut.stamp.height), (cell(4, 2), 1, 2), "cut at the east edge");
    assert_eq!(hut.stamp.cells, [FootCell::Blocked, FootCell::Open]);
    assert_eq!(map.stamps[1].stamp.cells, [FootCell::Wall(0)]);
    assert_eq!(map.stamps.len(), 2);
    let valid = map.validate().unwrap();
    let rules = valid.rules();
    let (foot, tank) = (rules.locomotor("foot").unwrap(), rules.locomotor("tank").unwrap());
    let cost = |terrain: &str, locomotor| rules.cost(rules.terrain(terrain).unwrap(), locomotor);
    assert_eq!([cost("Clear", foot), cost("Ore", foot), cost("Clear", tank)], [100, 200, 125]);
    assert_eq!([cost("Water", foot), cost("Outside", foot), cost("Outside", tank)], [IMPASSABLE; 3]);
    assert!(rules.locomotor_def(tank).unwrap().crushes.contains(0));
}

#[test]
fn the_rules_of_a_map_extend_those_of_its_mod() {
    let yaml = format!("{MAP}Rules: own.yaml, ra|other.yaml, ../../etc/passwd.yaml\n");
    let own = b"FENCE:\n\t-Building:\nHUT:\n\tBuilding:\n\t\tFootprint: == ==\n";
    let bytes = zipped(&[("map.yaml", yaml.as_bytes()), ("map.bin", &toy_bin()), ("own.yaml", own)]);
    assert_eq!(read_oramap("toy", &bytes, &toy_mod()).unwrap().stamps, []);
}

#[test]
fn every_truncation_of_a_map_is_an_error() {
    let bytes = toy_zip();
    let game = toy_mod();
    for len in 0..bytes.len() {
        read_oramap("cut.oramap", &bytes[..len], &game).unwrap_err();
    }
}

#[test]
fn no_flipped_byte_panics() {
    let bytes = toy_zip();
    let game = toy_mod();
    for at in 0..bytes.len() {
        for value in [0, 255, bytes[at] ^ 1] {
            let mut bad = bytes.clone();
            bad[at] = value;
            let _ = read_oramap("bad.oramap", &bad, &game);
        }
    }
}

#[test]
fn wrong_headers_name_the_line() {
    let game = toy_mod();
    let read = |yaml: &str| {
        read_oramap("t", &zipped(&[("map.yaml", yaml.as_bytes()), ("map.bin", &toy_bin())]), &game)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(read(&MAP.replace("5,4", "4,4")), "t:map.yaml:4:1: `MapSize` is 4,4, but map.bin has 5×4");
    assert!(read(&MAP.replace("1,0,4,4", "1,0,9,4")).contains(":5:1: the bounds"));
    assert!(read(&MAP.replace("TOY", "MOON")).contains("no tileset 'MOON' (toy mod has: TOY)"));
    assert!(read(&MAP.replace("Location: 1,1", "Location: 9,1")).contains(":8:1: the start"));
    assert!(read(&MAP.replace("Location: 4,2", "Place: 4,2")).contains(":9:1: building 'A1'"));
    assert!(read("MapSize: 5,4\n").contains("Tileset"));
    let no_bin = zipped(&[("map.yaml", MAP.as_bytes())]);
    assert!(read_oramap("t", &no_bin, &game).unwrap_err().to_string().contains("t:map.bin"));
}

#[test]
fn a_tile_that_the_tileset_lacks_names_its_cell() {
    let mut bin = toy_bin();
    bin[5 + 3 * (2 * 4 + 1)] = 9;
    let bytes = zipped(&[("map.yaml", MAP.as_bytes()), ("map.bin", &bin)]);
    let error = read_oramap("t", &bytes, &toy_mod()).unwrap_err().to_string();
    assert_eq!(error, "t:map.bin: cell (2, 1): template 9 tile 0 is not in tileset TOY");
}

#[test]
fn a_zip_bomb_is_refused_after_a_bounded_part_of_it() {
    let zeros = vec![0; 64 << 20];
    let bytes = zipped(&[("map.yaml", &zeros)]);
    assert!(bytes.len() < 200_000, "the bomb is small: {}", bytes.len());
    let error = Package::from_zip("bomb", &bytes).unwrap().read("map.yaml").unwrap_err();
    assert!(error.problem.contains("unpacks to more than"), "{error}");
}

#[test]
fn a_zip_with_false_sizes_or_counts_is_refused_early() {
    let bytes = toy_zip();
    let honest = read_oramap("honest", &bytes, &toy_mod()).unwrap();
    // The central directory's packed size, unpacked size and place of the first member, made enormous.
    let directory = bytes.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    for (field, len) in [(20, 4), (24, 4), (42, 4)] {
        let mut lying = bytes.clone();
        lying[directory + field..][..len].fill(0xfe);
        // A false value has no effect or is an error. It never gives another map.
        if let Ok(map) = read_oramap("lying", &lying, &toy_mod()) {
            assert_eq!(map, honest, "field {field}");
        }
    }
    let end = bytes.windows(4).rposition(|four| four == b"PK\x05\x06").unwrap();
    let mut lying = bytes.clone();
    lying[end + 8..end + 16].fill(0xfe);
    read_oramap("lying", &lying, &toy_mod()).unwrap_err();
    let mut zip64 = bytes;
    zip64.splice(end..end, b"PK\x06\x07".iter().copied());
    assert!(read_oramap("zip64", &zip64, &toy_mod()).unwrap_err().problem.contains("ZIP64"));
}

#[test]
fn a_zip_of_too_many_members_is_refused() {
    let names: Vec<String> = (0..1100).map(|number| number.to_string()).collect();
    let members: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let error = read_oramap("many", &zipped(&members), &toy_mod()).unwrap_err();
    assert!(error.problem.contains("1100 members"), "{error}");
}

/// Where the test data is, or `None` to skip.
fn openra_data() -> Option<PathBuf> {
    std::env::var_os("WAYMARCH_DATA").map(|dir| PathBuf::from(dir).join("openra"))
}

#[test]
fn the_real_maps_load() {
    let Some(data) = openra_data() else { return };
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(data.join("maps")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert_eq!(paths.len(), 9);
    let mut wet = 0;
    for path in paths {
        let map = load(&path, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let share = |name: &str| {
            let id = map.rules.terrains.iter().position(|def| def.name == name);
            map.terrain.iter().filter(|terrain| Some(terrain.index()) == id).count() * 100 / map.terrain.len()
        };
        println!(
            "{:24} {:9} {:3} stamps {} starts; Clear {}% Water {}% Outside {}%",
            map.name,
            map.size.to_string(),
            map.stamps.len(),
            map.starts.len(),
            share("Clear"),
            share("Water"),
            share("Outside")
        );
        wet += usize::from(share("Water") > 20);
        assert!(share("Clear") > 5 && share("Outside") < 90, "{}", path.display());
        assert!(!map.stamps.is_empty() && map.starts.len() >= 2, "{}", path.display());
        let valid = map.validate().unwrap();
        let (map, rules) = (valid.map(), valid.rules());
        let foot = rules.locomotor("foot").unwrap();
        for &start in &map.starts {
            let cost = rules.cost(map.terrain_at(start).unwrap(), foot);
            assert_ne!(
                cost,
                IMPASSABLE,
                "{}: start {start} on {}",
                path.display(),
                name_at(map, start.x, start.y)
            );
        }
    }
    assert_eq!(wet, 3, "Archipelago, Countercross and Singles are the maps with much water");
}

#[test]
fn real_map_bins_survive_truncation_at_any_kilobyte() {
    let Some(data) = openra_data() else { return };
    let bytes = std::fs::read(data.join("maps/snow-town/map.bin")).unwrap();
    for len in (0..bytes.len()).step_by(1024) {
        MapBin::parse("cut", &bytes[..len]).unwrap_err();
    }
}

/// Compares the terrain with OpenRA's own preview of the playable area. Cells may differ only where the preview shows actors.
#[test]
fn terrain_agrees_with_the_preview_that_openra_drew() {
    let Some(data) = openra_data() else { return };
    let dir = data.join("maps/snow-town");
    let map = load(&dir, &LoadOptions::default()).unwrap();
    let mut decoder = png::Decoder::new(Cursor::new(std::fs::read(dir.join("map.png")).unwrap()));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((frame.width, frame.height), (96, 96));
    let colour_at = |x: i32, y: i32| {
        map.rules.terrains[map.terrain_at(cell(16 + x, 16 + y)).unwrap().index()].colour.unwrap()
    };
    let same = pixels.chunks_exact(frame.color_type.samples()).enumerate();
    let same = same.filter(|(at, pixel)| colour_at(*at as i32 % 96, *at as i32 / 96) == pixel[..3]).count();
    assert!(same * 100 >= 95 * 96 * 96, "{same} of {} cells agree", 96 * 96);
}
