use std::path::{Path, PathBuf};

use waymarch::base::cell;
use waymarch::cost::{Map, Stamp, TerrainId};

use super::{Optimum, read_map, read_scen, rules, weighted_rules, write_map};
use crate::Place;

const SMALL: &str = "type octile\nheight 3\nwidth 4\nmap\n.G@O\nTSW.\n....\n";
const SCEN: &str = "version 1\n0\tmaps/a b.map\t4\t3\t0\t0\t3\t2\t4.24264\n2\tm.map\t4\t3\t0\t2\t1\t2\t1\n";

/// Asserts that reading fails, and gives the message.
fn map_error(text: &str) -> String {
    read_map("m.map", text.as_bytes()).expect_err("must be refused").to_string()
}

fn scen_error(text: &str) -> String {
    read_scen("s.scen", text.as_bytes()).expect_err("must be refused").to_string()
}

#[test]
fn every_letter_is_a_terrain_and_is_written_back() {
    let map = read_map("maps/small.map", SMALL.as_bytes()).unwrap();
    assert_eq!(map.name, "small");
    let ids: Vec<u8> = map.terrain.iter().map(|id| id.0).collect();
    assert_eq!(ids, [0, 1, 2, 2, 3, 4, 5, 0, 0, 0, 0, 0]);
    assert_eq!(write_map("out", &map).unwrap(), SMALL.replace('O', "@"));
    assert!(map.validate().is_ok());
}

#[test]
fn line_ends_trailing_blank_lines_and_a_missing_last_newline_do_not_matter() {
    let map = read_map("m.map", SMALL.as_bytes()).unwrap();
    for same in [SMALL.replace('\n', "\r\n"), format!("{SMALL}\n \n\r\n"), SMALL.trim_end().to_string()] {
        assert_eq!(read_map("m.map", same.as_bytes()).unwrap(), map);
    }
    let swapped = SMALL.replace("height 3\nwidth 4", "width 4\nheight 3");
    assert_eq!(read_map("m.map", swapped.as_bytes()).unwrap(), map);
}

#[test]
fn the_benchmark_rules_let_foot_walk_ground_grass_and_swamp_at_one_price() {
    let valid = rules().validate().unwrap();
    let costs = |name: &str| -> Vec<u8> {
        let locomotor = valid.locomotor(name).unwrap();
        (0..6).map(|terrain| valid.cost(TerrainId(terrain), locomotor)).collect()
    };
    assert_eq!(costs("foot"), [1, 1, 255, 255, 1, 255]);
    assert_eq!(costs("float"), [255, 255, 255, 255, 255, 1]);
    assert_eq!(costs("amphibious"), [1, 1, 255, 255, 1, 1]);
    assert_eq!(costs("fly"), [1; 6]);
    let weighted = weighted_rules().validate().unwrap();
    let foot = weighted.locomotor("foot").unwrap();
    let costs: Vec<u8> = (0..6).map(|terrain| weighted.cost(TerrainId(terrain), foot)).collect();
    assert_eq!(costs, [2, 2, 255, 255, 3, 5]);
}

#[test]
fn an_unknown_glyph_is_named_with_line_and_column() {
    let error = map_error(&SMALL.replace("TSW.", "TS?."));
    assert!(error.starts_with("m.map:6:3: `?` is not a terrain letter"), "{error}");
    let error = map_error(&SMALL.replace("TSW.", "TSé."));
    assert!(error.starts_with("m.map:6:3: `é`"), "{error}");
}

#[test]
fn rows_that_do_not_match_the_header_are_named() {
    assert_eq!(
        map_error(&SMALL.replace("TSW.", "TSW")),
        "m.map:6:4: the row has 3 cells, but the map is 4 cells wide"
    );
    assert!(map_error(&SMALL.replace("TSW.", "TSW..")).starts_with("m.map:6:5: the row is longer"));
    assert!(map_error(&SMALL.replace("TSW.\n", "")).contains(":7:1: the file ends after 2 of 3 rows"));
    assert!(map_error(&format!("{SMALL}....\n")).starts_with("m.map:8:1: there are more rows than"));
}

#[test]
fn invalid_headers_are_named() {
    let with = |from: &str, to: &str| map_error(&SMALL.replace(from, to));
    assert!(with("height 3", "height 0").starts_with("m.map:2:8: a map of 4×0 cells is not legal"));
    assert!(with("width 4", "width 8193").starts_with("m.map:3:7: a map of 8193×3"));
    assert!(with("width 4", "width 4294967297").starts_with("m.map:3:7: a map of 4294967297×3"));
    assert!(with("width 4", "width 99999999999999999999").contains(":3:7: `width` is too large"));
    assert!(with("width 4", "width -4").contains(":3:7: `width` must be a whole number"));
    assert!(with("width 4", "width").contains(":3:6: `width` needs a value"));
    assert!(with("width 4", "width 4 5").contains(":3:9: `5` is not expected here"));
    assert!(with("width 4", "height 4").contains(":3:1: `height` is given twice"));
    assert!(with("width 4\n", "").contains(":3:1: the header has no `width`"));
    assert!(with("octile", "tile").contains(":1:6: the type is `tile`"));
    assert!(with("height", "hieght").contains("did you mean `height`?"));
    assert!(map_error("").contains("ends before the line `map`"));
}

#[test]
fn a_map_cut_anywhere_is_refused_and_never_panics() {
    let body = SMALL.trim_end();
    for end in 0..body.len() {
        assert!(read_map("m", &body.as_bytes()[..end]).is_err(), "cut at {end}");
    }
    let scen = SCEN.trim_end();
    for end in 0..scen.len() {
        let _ = read_scen("s", &scen.as_bytes()[..end]);
    }
}

#[test]
fn a_map_with_any_one_byte_changed_never_panics() {
    for text in [SMALL, SCEN] {
        for at in 0..text.len() {
            for byte in [0, b'\t', b'\n', b' ', b'9', b'-', 0x80, 0xFF] {
                let mut bytes = text.as_bytes().to_vec();
                bytes[at] = byte;
                let _ = read_map("m", &bytes);
                let _ = read_scen("s", &bytes);
            }
        }
    }
}

#[test]
fn a_map_that_the_format_cannot_hold_is_not_written() {
    let map = read_map("m", SMALL.as_bytes()).unwrap();
    let refused = |map: &Map| write_map("out.map", map).unwrap_err().to_string();
    assert!(refused(&Map { elevation: vec![1; 12], ..map.clone() }).contains("cannot hold heights"));
    assert!(refused(&Map { starts: vec![cell(0, 0)], ..map.clone() }).contains("player starts"));
    let stamps = vec![waymarch::cost::PlacedStamp { at: cell(0, 0), stamp: Stamp::solid(1, 1) }];
    assert!(refused(&Map { stamps, ..map.clone() }).contains("stamps"));
    let other = Map { rules: waymarch::cost::Rules::standard(), ..map };
    assert!(
        refused(&other).starts_with("out.map: cell (0, 0): MovingAI has no letter for the terrain 'Clear'")
    );
}

#[test]
fn a_scenario_is_read_in_every_dialect() {
    let tabs = read_scen("s.scen", SCEN.as_bytes()).unwrap();
    assert_eq!(tabs.queries.len(), 2);
    assert_eq!(tabs.queries[0].map, "maps/a b.map");
    assert_eq!((tabs.queries[0].start, tabs.queries[0].goal), (cell(0, 0), cell(3, 2)));
    assert_eq!(tabs.queries[0].optimum, Optimum { scaled: 424_264_000, decimals: 5 });
    let spaces = SCEN.replace("a b", "ab").replace('\t', " ").replace('\n', "\r\n");
    for version in ["version 1", "version 1.0", "version 1.00"] {
        let text = spaces.replace("version 1", version);
        assert_eq!(read_scen("s", text.as_bytes()).unwrap().queries[1], tabs.queries[1]);
    }
}

#[test]
fn lengths_are_exact_decimals() {
    let read = |length: &str| {
        let text = format!("version 1\n0 m 9 9 0 0 1 1 {length}\n");
        read_scen("s", text.as_bytes()).unwrap().queries[0].optimum
    };
    assert_eq!(read("244.95"), Optimum { scaled: 24_495_000_000, decimals: 2 });
    assert_eq!(read("1.41421356"), Optimum { scaled: 141_421_356, decimals: 8 });
    assert_eq!(read("1.4142135649").scaled, 141_421_356);
    assert_eq!(read("1.414213565").scaled, 141_421_357);
    assert_eq!(read("7").to_string(), "7");
    assert_eq!(read("244.05").to_string(), "244.05");
    assert_eq!(read("244.95").tolerance(), 500_000);
    assert_eq!(read("1.41421356").tolerance(), 1);
    assert_eq!(read("1025").tolerance(), 500_000);
}

#[test]
fn bad_numbers_in_a_scenario_are_named_with_line_and_column() {
    let with = |from: &str, to: &str| scen_error(&SCEN.replace(from, to));
    assert!(with("version 1", "version 2").starts_with("s.scen:1:1: the first line must be `version 1`"));
    assert!(scen_error("").contains("the file is empty"));
    assert!(with("4.24264", "4.2x").contains(":2:28: the optimal length must be a decimal number"));
    assert!(with("4.24264", "inf").contains("optimal length must be"));
    assert!(with("\t3\t2\t", "\t-3\t2\t").contains(":2:24: the goal x must be a whole number"));
    assert!(with("\t3\t2\t", "\t4\t2\t").contains(":2:24: the goal x 4 is outside the map (the map is 4×3)"));
    assert!(with("\t1\n", "\n").contains(":3:1: a query has 9 fields, but this line has 8"));
    assert!(with("4.24264", "99999999999999999999").contains("is too large"));
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() { files(&path, out) } else { out.push(path) }
    }
}

#[test]
fn every_file_of_the_benchmark_set_is_read() {
    let Some(data) = std::env::var_os("WAYMARCH_DATA") else { return };
    let mut paths = Vec::new();
    files(&Path::new(&data).join("movingai"), &mut paths);
    let (mut maps, mut scens) = (0, 0);
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.display().to_string();
        match path.extension().and_then(|ext| ext.to_str()) {
            Some("map") => {
                let map = read_map(&name, &bytes).unwrap();
                let text = write_map("out", &map).unwrap();
                assert_eq!(read_map(&name, text.as_bytes()).unwrap(), map);
                maps += 1;
            }
            Some("scen") => {
                let scen = read_scen(&name, &bytes).unwrap();
                let lines = String::from_utf8_lossy(&bytes);
                let lines = lines.lines().filter(|line| !line.trim().is_empty()).count();
                assert_eq!(scen.queries.len(), lines - 1, "{name}");
                scens += 1;
            }
            _ => {}
        }
    }
    assert_eq!((maps, scens), (29, 29));
}

#[test]
fn a_header_alone_allocates_no_memory_for_the_map() {
    let error = read_map("m", b"type octile\nheight 8192\nwidth 8192\nmap\n..").unwrap_err();
    assert!(matches!(error.place, Place::Text { line: 5, column: 3, .. }));
}
