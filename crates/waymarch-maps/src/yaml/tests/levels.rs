use waymarch::base::{Dir8, LevelId, LocomotorId, SizeClass, cell};
use waymarch::cost::TerrainId;
use waymarch::levels::{LevelMap, LinkKind, LinkState, LinkWays, UnitHeight};

use crate::yaml::{read_level_map, read_map, write_level_map};

const SMALL: &str = "\
waymarch_map: 1
name: Ford
rules: standard
legend: {'.': Clear, '~': Water}
rows: |
  ..~~..
  ..~~..
  ..~~..
unit_heights: {float: 600, wheel: 200}
decks:
  - name: bridge
    at: [2, 1]
    height: 512
    ends: [west, east]
    legend: {b: Bridge}
    rows: |
      bb
    elevation: |
      0 -5
    stamps:
      - at: [3, 1]
        rows: |
          g
  - name: cave
    at: [0, 0]
    height: -300
    rows: |
      .
links:
  - {kind: ledge, from: [2, 1, 1], to: [0, 2], length: 2.5}
  - {kind: stairs, from: [0, 0], to: [0, 0, 2], length: 0.001, ways: one, state: closed, largest: 2, locomotors: [foot, wheel]}
";

fn read(text: &str) -> LevelMap {
    read_level_map("m.yaml", text.as_bytes()).expect("it is legal")
}

fn refused(text: &str) -> String {
    read_level_map("m.yaml", text.as_bytes()).expect_err("must be refused").to_string()
}

#[test]
fn every_key_of_decks_and_links_is_read() {
    let map = read(SMALL);
    let [bridge, cave] = &map.decks[..] else { panic!("two decks") };
    assert_eq!((bridge.name.as_str(), bridge.at, bridge.height), ("bridge", cell(2, 1), 512));
    let terrain = |id: TerrainId| map.base.rules.terrains[id.index()].name.as_str();
    assert_eq!((terrain(bridge.terrain[1]), &bridge.elevation[..]), ("Bridge", &[0, -5][..]));
    assert_eq!((&bridge.ends[..], bridge.stamps[0].at), (&[Dir8::W, Dir8::E][..], cell(3, 1)));
    assert_eq!((cave.height, terrain(cave.terrain[0]), cave.ends.len()), (-300, "Clear", 0));
    let [ledge, stairs] = &map.links[..] else { panic!("two links") };
    assert_eq!((ledge.kind, ledge.ways, ledge.length), (LinkKind::Ledge, LinkWays::One, 2560));
    assert_eq!((ledge.from, ledge.to), (cell(2, 1).on(LevelId(1)), cell(0, 2).on(LevelId::BASE)));
    assert_eq!((stairs.ways, stairs.state, stairs.length), (LinkWays::One, LinkState::Closed, 1));
    assert_eq!(stairs.largest, SizeClass::new(2));
    let id = |name: &str| {
        let found = map.base.rules.locomotors.iter().position(|def| def.name == name);
        LocomotorId(found.expect("a locomotor of the rules") as u8)
    };
    assert_eq!(stairs.locomotors, Some(vec![id("foot"), id("wheel")]));
    let height = |name, height| UnitHeight { locomotor: id(name), height };
    assert_eq!(map.heights, [height("float", 600), height("wheel", 200)]);
}

#[test]
fn a_map_of_levels_reads_back_as_it_was_written() {
    let mut map = read(SMALL);
    for length in [1, 2, 3, 5, 511, 1023, 1024, 1025, 40_000, (1 << 24) - 1] {
        map.links[1].length = length;
        let text = write_level_map("m.yaml", &map).expect("a valid map");
        assert_eq!(read(&text), map, "{text}");
    }
    let flat = LevelMap::new(map.base);
    assert_eq!(read(&write_level_map("m.yaml", &flat).expect("a valid map")), flat);
}

#[test]
fn a_reader_of_one_level_refuses_a_map_of_several() {
    let error = read_map("m.yaml", SMALL.as_bytes()).expect_err("it has decks").to_string();
    assert!(error.contains("this map has several levels (`unit_heights`)"), "{error}");
    assert!(error.contains("m.yaml:9:1"), "{error}");
}

#[test]
fn wrong_decks_and_links_are_named_with_their_places() {
    let with = |from: &str, to: &str| {
        assert!(SMALL.contains(from));
        refused(&SMALL.replace(from, to))
    };
    assert!(with("    height: 512\n", "").contains("the deck has no `height`"));
    assert!(with("[west, east]", "[left]").contains("`ends` is"));
    assert!(with("kind: ledge", "kind: slide").contains("`kind` is"));
    assert!(with("to: [0, 2]", "to: [0]").contains("a cell [x, y] or [x, y, level]"));
    assert!(with("to: [0, 2]", "to: [0, 2, 9]").contains("there is no cell (0, 2) on level 9"));
    assert!(with("length: 2.5", "length: -1").contains("`length` is"));
    assert!(with("float: 600", "flaot: 600").contains("no locomotor `flaot`"));
    assert!(with("at: [2, 1]\n    height", "at: [5, 1]\n    height").contains("deck 'bridge' covers"));
}
