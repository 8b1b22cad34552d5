//! Tiled maps written by hand: what they mean, and what is refused.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use base64::Engine as _;
use waymarch::base::cell;
use waymarch::cost::{FootCell, IMPASSABLE, Map};

use super::{load, read_tmj, read_tmx};
use crate::LoadOptions;
use crate::error::Place;

const TILESET: &str = r#"<tileset firstgid="1" name="toy" tilewidth="16" tileheight="16" tilecount="4" columns="4">
 <tile id="0" class="Clear"/>
 <tile id="1" type="Ignored"><properties><property name="terrain" value="Water"/></properties></tile>
 <tile id="2" class="Mud"><properties><property name="cost" type="int" value="7"/></properties></tile>
</tileset>"#;

fn tmx(tileset: &str, layers: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" orientation=\"orthogonal\" width=\"3\" height=\"2\" tilewidth=\"16\" tileheight=\"16\" infinite=\"0\">\n{tileset}\n{layers}\n</map>\n"
    )
}

fn layer(data: &str) -> String {
    format!("<layer id=\"1\" name=\"ground\" width=\"3\" height=\"2\">{data}</layer>")
}

fn csv(tiles: &str) -> String {
    layer(&format!("<data encoding=\"csv\">\n{tiles}\n</data>"))
}

const OBJECTS: &str = r#"<objectgroup id="3" name="things">
 <object id="1" class="start" x="40" y="20"><point/></object>
 <object id="2" name="hut" class="building" x="8" y="0" width="20" height="16"/>
 <object id="3" x="0" y="16" width="16" height="16"><properties><property name="stamp" value="rock"/></properties></object>
 <object id="4" name="decor" x="0" y="0" width="99" height="99"/>
</objectgroup>"#;

fn whole() -> String {
    let over = r#"<group id="8" name="g"><properties><property name="terrain" value="Road"/></properties>
<layer id="2" name="over" width="3" height="2"><data encoding="csv">0,0,4,0,0,0</data></layer></group>"#;
    tmx(TILESET, &format!("{}{over}{OBJECTS}", csv("1,2,3,\n0,1,2147483650")))
}

const JSON: &str = r#"{"width":3,"height":2,"tilewidth":16,"tileheight":16,"orientation":"orthogonal","infinite":false,
"tilesets":[{"firstgid":1,"name":"toy","tilecount":4,"tiles":[{"id":0,"type":"Clear"},
{"id":1,"class":"Ignored","properties":[{"name":"terrain","type":"string","value":"Water"}]},
{"id":2,"type":"Mud","properties":[{"name":"cost","type":"int","value":7}]}]}],
"layers":[{"type":"tilelayer","name":"ground","width":3,"height":2,"data":[1,2,3,0,1,2147483650]},
{"type":"group","name":"g","properties":[{"name":"terrain","value":"Road"}],"layers":[
{"type":"tilelayer","name":"over","width":3,"height":2,"data":[0,0,4,0,0,0]}]},
{"type":"objectgroup","name":"things","objects":[{"id":1,"type":"start","x":40,"y":20,"point":true},
{"id":2,"name":"hut","class":"building","x":8,"y":0,"width":20,"height":16},
{"id":3,"x":0,"y":16,"width":16,"height":16,"properties":[{"name":"stamp","value":"rock"}]}]}]}"#;

fn names(map: &Map) -> Vec<&str> {
    map.terrain.iter().map(|terrain| map.rules.terrains[terrain.index()].name.as_str()).collect()
}

#[test]
fn tmx_and_tmj_give_the_same_map() {
    let map = read_tmx("toy.tmx", whole().as_bytes()).unwrap();
    assert_eq!(names(&map), ["Clear", "Water", "Road", "Empty", "Clear", "Water"]);
    assert_eq!(map.starts, [cell(2, 1)]);
    let stamps: Vec<_> =
        map.stamps.iter().map(|placed| (placed.stamp.name.as_str(), placed.at, placed.stamp.width)).collect();
    assert_eq!(stamps, [("hut", cell(0, 0), 2), ("rock", cell(0, 1), 1)]);
    assert!(map.stamps.iter().all(|placed| placed.stamp.cells.iter().all(|&cell| cell == FootCell::Blocked)));
    let valid = map.clone().validate().unwrap();
    let rules = valid.rules();
    let foot = rules.locomotor("foot").unwrap();
    let cost = |name: &str| rules.cost(rules.terrain(name).unwrap(), foot);
    assert_eq!([cost("Clear"), cost("Mud"), cost("Water"), cost("Empty")], [1, 7, IMPASSABLE, IMPASSABLE]);
    assert_eq!(read_tmj("toy.tmj", JSON.as_bytes()).unwrap(), map);
}

fn packed(gids: &[u32]) -> Vec<u8> {
    gids.iter().flat_map(|gid| gid.to_le_bytes()).collect()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[test]
fn compressed_layers_are_read() {
    let raw = packed(&[1, 2, 1, 1, 1, 1]);
    for (compression, bytes) in [("", raw.clone()), (" compression=\"zlib\"", zlib(&raw))] {
        let data = format!("<data encoding=\"base64\"{compression}>\n  {}\n</data>", base64(&bytes));
        let map = read_tmx("p.tmx", tmx(TILESET, &layer(&data)).as_bytes()).unwrap();
        assert_eq!(names(&map)[..3], ["Clear", "Water", "Clear"]);
    }
    let json = JSON
        .replace("[1,2,3,0,1,2147483650]", &format!("\"{}\",\"compression\":\"zlib\"", base64(&zlib(&raw))));
    assert_eq!(names(&read_tmj("p.tmj", json.as_bytes()).unwrap())[..2], ["Clear", "Water"]);
}

#[test]
fn a_decompression_bomb_is_refused() {
    let bomb = base64(&zlib(&vec![0; 64 << 20]));
    let data = format!("<data encoding=\"base64\" compression=\"zlib\">{bomb}</data>");
    let error = read_tmx("bomb.tmx", tmx(TILESET, &layer(&data)).as_bytes()).unwrap_err();
    assert!(error.problem.contains("25 or more bytes"), "{error}");
    let json = JSON.replace("[1,2,3,0,1,2147483650]", &format!("\"{bomb}\",\"compression\":\"zlib\""));
    assert!(read_tmj("bomb.tmj", json.as_bytes()).is_err());
}

#[test]
fn every_truncation_is_an_error() {
    let text = whole();
    for len in 0..text.trim_end().len() {
        let error = read_tmx("cut.tmx", &text.as_bytes()[..len]).expect_err(&len.to_string());
        assert!(matches!(error.place, Place::Text { .. }), "{len}: {error}");
    }
    for len in 0..JSON.len() {
        let error = read_tmj("cut.tmj", &JSON.as_bytes()[..len]).expect_err(&len.to_string());
        assert!(matches!(error.place, Place::Text { .. }), "{len}: {error}");
    }
}

#[test]
fn no_flipped_byte_panics() {
    for (text, read) in [(whole(), read_tmx as fn(&str, &[u8]) -> _), (JSON.to_owned(), read_tmj)] {
        for at in 0..text.len() {
            for value in [b'0', b'9', b'-', b'<', b'"', 0, 255] {
                let mut bad = text.clone().into_bytes();
                bad[at] = value;
                let _: Result<Map, _> = read("bad", &bad);
            }
        }
    }
}

fn refused(text: &str) -> String {
    read_tmx("t.tmx", text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn illegal_sizes_are_refused_with_their_line() {
    let good = whole();
    assert!(
        refused(&good.replace("width=\"3\" height=\"2\" tilew", "width=\"90000\" height=\"2\" tilew"))
            .starts_with("t.tmx:2:1: a map of 90000×2")
    );
    assert!(
        refused(&good.replace("width=\"3\" height=\"2\" tilew", "width=\"0\" height=\"2\" tilew"))
            .contains("0×2")
    );
    assert!(
        refused(&good.replace("name=\"ground\" width=\"3\"", "name=\"ground\" width=\"9000\""))
            .contains("the layer is 9000×2")
    );
    assert!(
        refused(&good.replace("tilecount=\"4\"", "tilecount=\"4000000000\"")).contains("4000000000 tiles")
    );
    assert!(refused(&good.replace(" columns=\"4\"", "")).contains("no `columns`"));
    assert!(refused(&good.replace("infinite=\"0\"", "infinite=\"1\"")).contains("infinite maps"));
    assert!(refused(&good.replace("1,2,3,", "1,2,")).contains("5 or more tiles, but needs 6"));
    assert!(refused(&good.replace("1,2,3,", "1,2,3,1,1,1,1,")).contains("7 or more tiles"));
    assert!(refused(&good.replace("orthogonal", "hexagonal")).contains("not squares"));
    assert!(refused(&tmx(TILESET, &layer(""))).contains("has no `data`"));
    assert!(refused(&tmx(TILESET, "")).contains("no tile layer"));
    assert!(refused(&tmx(TILESET, &layer("<data><tile gid=\"1\"/></data>"))).contains("XML elements"));
    assert!(
        refused(&tmx(TILESET, &layer("<data encoding=\"base64\" compression=\"zstd\">AAAA</data>")))
            .contains("zstd")
    );
    let json =
        |from: &str, to: &str| read_tmj("t", JSON.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
    assert!(json("\"width\":3", "\"width\":90000").contains("90000×2"));
    assert!(json("\"width\":3", "\"width\":-1").starts_with("t:1:"));
    assert!(json("[1,2,3,0,", "[1,2,3,").contains("5 tiles, but needs 6"));
    assert!(json("\"infinite\":false", "\"infinite\":true").contains("infinite"));
}

#[test]
fn a_tile_without_terrain_names_its_cell() {
    let error = refused(&tmx(TILESET, &csv("1,1,1,1,4,1")));
    assert!(error.starts_with("t.tmx: cell (1, 1): the tile has no terrain"), "{error}");
    let error = refused(&tmx(&TILESET.replace("value=\"7\"", "value=\"900\""), &csv("1,1,3,1,1,1")));
    assert!(error.contains("cell (2, 0): the tile has cost 900"), "{error}");
}

#[test]
fn entity_bombs_endless_nesting_and_odd_text_are_refused() {
    let mut bomb = String::from("<?xml version=\"1.0\"?>\n<!DOCTYPE map [<!ENTITY a \"aaaa\">");
    for step in 0..20 {
        let _ = write!(bomb, "<!ENTITY e{step} \"&a;&a;\">");
    }
    assert!(refused(&format!("{bomb}]>{}", whole())).contains("document type"));
    assert!(
        refused(&whole().replace("name=\"toy\"", "name=\"&boom;\"")).contains("malformed XML")
            || refused(&whole().replace("name=\"toy\"", "name=\"&boom;\"")).contains("boom")
    );
    let deep = format!("{}{}", "<group id=\"1\">".repeat(100_000), "</group>".repeat(100_000));
    assert!(refused(&tmx(TILESET, &deep)).contains("deep"));
    let deep = format!("{}{}", "{\"layers\":[".repeat(100_000), "]}".repeat(100_000));
    assert!(read_tmj("deep", deep.as_bytes()).is_err());
    assert!(matches!(read_tmx("b", b"<map>\xff").unwrap_err().place, Place::Byte(5)));
    assert!(
        refused(&whole().replace("<object id=\"1\"", "<object id=\"1\" template=\"t.tx\""))
            .contains("template")
    );
}

/// A folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("waymarch-tiled-{name}-{}", std::process::id()));
        std::fs::create_dir_all(path.join("maps")).unwrap();
        Self(path)
    }

    fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn tilesets_come_from_the_map_s_folder_only() {
    let folder = Folder::new("external");
    folder.put("maps/toy.tsx", &TILESET.replace("firstgid=\"1\" ", ""));
    folder.put("toy.tsx", &TILESET.replace("firstgid=\"1\" ", ""));
    folder.put("maps/toy.tsj", r#"{"tiles":[{"id":0,"type":"Clear"}]}"#);
    let options = LoadOptions::default();
    let with =
        |source: &str| tmx(&format!("<tileset firstgid=\"1\" source=\"{source}\"/>"), &csv("1,1,1,1,1,1"));
    let map = load(&folder.put("maps/a.tmx", &with("toy.tsx")), &options).unwrap();
    assert_eq!((map.name.as_str(), names(&map)[0]), ("a", "Clear"));
    for outside in ["../toy.tsx", "/etc/hostname", "gone.tsx", "map.tmx"] {
        load(&folder.put("maps/b.tmx", &with(outside)), &options).expect_err(outside);
    }
    let error = load(&folder.put("maps/b.tmx", &with("../toy.tsx")), &options).unwrap_err();
    assert!(error.problem.contains("own folder"), "{error}");
    assert!(read_tmx("alone.tmx", with("toy.tsx").as_bytes()).is_err());
    for source in ["toy.tsx", "toy.tsj"] {
        let json = format!(
            r#"{{"width":1,"height":1,"tilewidth":8,"tileheight":8,"orientation":"orthogonal","tilesets":[{{"firstgid":1,"source":"{source}"}}],"layers":[{{"type":"tilelayer","width":1,"height":1,"data":[1]}}]}}"#
        );
        assert_eq!(names(&load(&folder.put("maps/c.tmj", &json), &options).unwrap()), ["Clear"], "{source}");
    }
    let small = LoadOptions { max_file_bytes: 100, ..LoadOptions::default() };
    assert!(load(&folder.put("maps/a.tmx", &with("toy.tsx")), &small).is_err());
}
