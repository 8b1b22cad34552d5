use waymarch::base::{GridSize, cell};
use waymarch::cost::{FootCell, Map, Rules, TerrainId};

use crate::yaml::{read_level_map, read_map};

const SMALL: &str = "\
waymarch_map: 1
name: Ford
size: [4, 2]
legend: {'.': Clear, '~': Water, é: Road}
rows: |
  .~.é
  ....
elevation:
  scale: 64
  rows: |
    0012
    00za
stamps:
  - name: gatehouse
    at: [1, 0]
    lifetime: 900
    legend: {b: Bridge, w: {wall: 12}}
    rows: |
      xg+
      b3w
starts: [[0, 0], [3, 1]]
";

fn refused(text: &str) -> String {
    read_map("maps/m.yaml", text.as_bytes()).expect_err("must be refused").to_string()
}

#[test]
fn every_key_of_a_map_file_is_read() {
    let map = read_map("m.yaml", SMALL.as_bytes()).unwrap();
    assert_eq!((map.name.as_str(), map.size), ("Ford", GridSize::new(4, 2).unwrap()));
    assert_eq!(map.rules, Rules::standard());
    assert_eq!(map.terrain, [0, 4, 0, 1, 0, 0, 0, 0].map(TerrainId));
    assert_eq!(map.elevation, [0, 0, 64, 128, 0, 0, 35 * 64, 640]);
    assert_eq!(map.starts, [cell(0, 0), cell(3, 1)]);
    let placed = &map.stamps[0];
    assert_eq!((placed.at, placed.stamp.lifetime), (cell(1, 0), Some(900)));
    let bridge = FootCell::Terrain(TerrainId(5));
    let expected =
        [FootCell::Blocked, FootCell::Gate, FootCell::NoStop, bridge, FootCell::Wall(3), FootCell::Wall(12)];
    assert_eq!(placed.stamp.cells, expected);
}

#[test]
fn a_map_without_a_name_has_the_name_of_its_file() {
    let text = "waymarch_map: 1\nrules: movingai\nlegend: {'#': Tree}\nrows: |\n  #\n";
    let map = read_map("maps/two.trees.yaml", text.as_bytes()).unwrap();
    assert_eq!(map.name, "two.trees");
    assert_eq!(map.rules, crate::movingai::rules());
}

#[test]
fn an_unknown_letter_is_named_with_its_place() {
    assert_eq!(
        refused(&SMALL.replace(".~.é", ".~?é")),
        "maps/m.yaml:6:5: `?` is not in the legend: add it to `legend`"
    );
    assert!(refused(&SMALL.replace("  ....", "  ..ü.")).starts_with("maps/m.yaml:7:5: `ü`"));
    assert!(
        refused(&SMALL.replace("xg+", "xq+")).starts_with("maps/m.yaml:19:8: `q` is not a footprint letter")
    );
    assert!(refused(&SMALL.replace("00za", "00!a")).starts_with("maps/m.yaml:12:7: `!` is not a height"));
    let crlf = SMALL.replace(".~.é", ".~.?").replace('\n', "\r\n");
    assert!(refused(&crlf).starts_with("maps/m.yaml:6:6: `?`"));
    let commented = SMALL.replace("rows: |\n  .~", "rows: |  # the ground\n  ?~");
    assert!(refused(&commented).starts_with("maps/m.yaml:6:3: `?`"));
    let indented = SMALL.replace("rows: |\n  .~.é\n  ....", "rows: |2-\n   ~.é\n  ....");
    assert!(
        refused(&indented).starts_with("maps/m.yaml:6:3: ` ` is not in the legend"),
        "{}",
        refused(&indented)
    );
}

#[test]
fn errors_name_the_place() {
    let with = |from: &str, to: &str| refused(&SMALL.replace(from, to));
    let cases = [
        (with("waymarch_map: 1", "waymarch_map: 2"), ":1:15: `waymarch_map` is `2`"),
        (with("waymarch_map: 1\n", ""), ":1:1: the map has no `waymarch_map`"),
        (with("starts:", "start:"), ":21:1: unknown key `start` in a map file (did you mean `starts`?)"),
        (with("[4, 2]", "[4, 3]"), ":3:7: `size` is 4×3, but the rows make a map of 4×2"),
        (with("[4, 2]", "[4]"), ":3:7: `size` is a list: it must be [width, height]"),
        (with("[4, 2]", "[99999999999999999999, 2]"), ":3:8: `size` is"),
        (with("  ....\n", "  .....\n"), ":7:7: row 1 is longer than the first row (4 cells)"),
        (with("  ....\n", "  ...\n"), ":7:6: row 1 has 3 cells, but the first row has 4"),
        (with("Water", "Watr"), ":4:27: the rules have no terrain `Watr` (did you mean `Water`?)"),
        (with("'~':", "'~~':"), ":4:22: a legend's key must be one visible character"),
        (with("    00za\n", ""), ":12:1: `elevation` has 1 rows, but the map has 2"),
        (with("00za", "00z"), ":12:5: row 1 of `elevation` has 3 heights"),
        (with("scale: 64", "scale: 32000"), ":11:8: the height 64000 is above 32767"),
        (
            with("at: [1, 0]", "at: [2, 0]"),
            ":15:9: a stamp of 3×2 cells at (2, 0) does not fit the map (4×2)",
        ),
        (with("at: [1, 0]", "at: [-1, 0]"), ":15:10: `at` is `-1`"),
        (with("lifetime: 900", "lifetime: 0"), ":16:15: `lifetime` is `0`"),
        (with("wall: 12", "wall: 32"), "`wall` is `32`: it must be a whole number, 0..=31"),
        (with("b3w", "b3"), ":20:7: row 1 of the footprint has 2 cells, but the first row has 3"),
        (with("[3, 1]", "[4, 1]"), ":21:18: the player start (4, 1) is outside the map (the map is 4×2)"),
        (with("legend: {'.'", "rules: standrad\nlegend: {'.'"), "(did you mean `standard`?)"),
        (with("rows: |\n  .~", "rows: >\n  .~"), "it must be a block of rows"),
        (with("  .~.é\n  ....\n", ""), "a map of 0×0 cells is not legal"),
    ];
    for (error, expected) in cases {
        assert!(error.contains(expected), "{error}\nshould say {expected}");
    }
}

#[test]
fn heights_can_be_written_as_numbers() {
    let text = "waymarch_map: 1\nlegend: {'.': Clear}\nrows: |\n  ..\n  ..\nelevation: |\n  0  -256\n  32767 -32768\n";
    assert_eq!(read_map("m", text.as_bytes()).unwrap().elevation, [0, -256, 32767, -32768]);
    let error = refused(&text.replace("-256", "-2.5"));
    assert!(error.starts_with("maps/m.yaml:7:6: a height must be a whole number"), "{error}");
}

#[test]
fn a_map_larger_than_the_limit_is_refused() {
    let wide = format!("waymarch_map: 1\nlegend: {{'.': Clear}}\nrows: |\n  {}\n", ".".repeat(8193));
    assert!(refused(&wide).starts_with("maps/m.yaml:4:3: a map of 8193×1 cells is not legal"));
}

#[test]
fn the_example_of_the_format_page_is_a_map() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/map-format.md");
    let page = std::fs::read_to_string(page).unwrap();
    let examples: Vec<&str> =
        page.split("```yaml\n").skip(1).filter_map(|part| part.split("```").next()).collect();
    let maps: Vec<Map> = examples
        .iter()
        .filter(|text| text.starts_with("waymarch_map"))
        .map(|text| read_map("example.yaml", text.as_bytes()).unwrap())
        .collect();
    assert_eq!(maps.len(), 1);
    assert_eq!(maps[0].size, GridSize::new(12, 6).unwrap());
    let is_levels = |text: &&&str| text.starts_with("unit_heights");
    let levels: Vec<&&str> = examples.iter().filter(is_levels).collect();
    let ground = format!("  {}\n", ".".repeat(48)).repeat(28);
    let base = format!("waymarch_map: 1\nlegend: {{'.': Clear, '=': Road}}\nrows: |\n{ground}");
    let map = read_level_map("example.yaml", format!("{base}{}", levels[0]).as_bytes()).unwrap();
    assert_eq!((levels.len(), map.decks.len(), map.links.len()), (1, 2, 2));
    let rules: Vec<&&str> =
        examples.iter().filter(|text| !text.starts_with("waymarch_map") && !is_levels(text)).collect();
    assert_eq!(rules.len(), 1);
    crate::yaml::read_rules("example.yaml", rules[0].as_bytes()).unwrap();
}
