//! Map files that pages upload: what opens, under which name, and what refusals say.

use std::io::{Cursor, Write};

use serde_json::json;
use waymarch_maps::generate::builtin;
use waymarch_maps::image;
use waymarch_maps::openra::GameMod;
use waymarch_play::PlayOptions;

use crate::page::{Page, field, serve, upload};

/// Uploads a file as the page does; returns status and answer.
fn open(port: u16, name: &str, bytes: &[u8]) -> (u16, String) {
    let own = format!("X-Waymarch: 1\r\nOrigin: http://127.0.0.1:{port}\r\n");
    upload(port, name, bytes.len(), &own, bytes)
}

#[test]
fn a_picture_that_maps_convert_wrote_opens_with_its_terrains_and_its_name() {
    let port = serve(field());
    let mut page = Page::open(port);
    let valley = builtin("valley").unwrap();
    assert_eq!(open(port, "my-valley.png", &image::write_map(&valley)).0, 200);
    page.wait_hello(|hello| hello["name"] == "my-valley");
    let map = page.wait_binary(b"WMM1");
    let terrain: Vec<u8> = valley.terrain.iter().map(|terrain| terrain.0).collect();
    // The first map is that of the field, which was played before.
    let map = if map.len() == 16 + 2 * terrain.len() { map } else { page.wait_binary(b"WMM1") };
    assert_eq!(map[16..16 + terrain.len()], terrain);
}

#[test]
fn a_tiled_map_opens_with_the_name_of_its_file() {
    let port = serve(field());
    let mut page = Page::open(port);
    let ford = br#"<?xml version="1.0"?><map version="1.10" orientation="orthogonal" width="9" height="9" tilewidth="1" tileheight="1">
        <tileset firstgid="1" name="t" tilewidth="1" tileheight="1" tilecount="1" columns="1"><tile id="0" class="Clear"/></tileset>
        <layer id="1" name="a" width="9" height="9"><data encoding="csv">1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1</data></layer></map>"#;
    assert_eq!(open(port, "ford.tmx", ford), (200, String::from("{\"ok\":true}")));
    page.wait_hello(|hello| hello["name"] == "ford");
}

#[test]
fn a_refused_file_is_named_once() {
    let port = serve(field());
    let octile = b"type octile\nheight 9\nwidth 2\nmap\n.T\n";
    for (name, bytes) in
        [("a.map", octile.as_slice()), ("b.png", b"\x89PNG"), ("c.oramap", b"PK"), ("d.doc", b"x")]
    {
        let (status, body) = open(port, name, bytes);
        assert_eq!((status, body.matches(name).count()), (422, 1), "{body}");
    }
}

const TILESET: &str = "General:\n\tId: TOY\nTerrain:\n\tTerrainType@Clear:\n\t\tType: Clear\nTemplates:\n\tTemplate@0:\n\t\tTiles:\n\t\t\t0: Clear\n";
const RULES: &str = "World:\n\tLocomotor@FOOT:\n\t\tName: foot\n\t\tTerrainSpeeds:\n\t\t\tClear: 100\n";
const MAP: &str = "MapFormat: 12\nTitle: Toy Island\nTileset: TOY\nMapSize: 9,9\nBounds: 0,0,9,9\nActors:\n";

/// An OpenRA map of 9×9 clear cells.
fn toy_map() -> Vec<u8> {
    let mut cells = vec![1, 9, 0, 9, 0];
    cells.resize(5 + 81 * 5, 0);
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in [("map.yaml", MAP.as_bytes()), ("map.bin", &cells)] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn an_openra_map_opens_where_the_playground_has_its_mod() {
    let without = serve(field());
    let formats = Page::open(without).wait_text(|message| message["is"] == "hello")["uploads"].clone();
    assert!(!formats.as_array().unwrap().contains(&json!(".oramap")), "{formats}");
    let (status, body) = open(without, "toy.oramap", &toy_map());
    assert!(status == 422 && body.contains("waymarch play --mod DIR"), "{body}");

    let mut toy = GameMod::new("toy mod");
    toy.add_tileset("toy.yaml", TILESET).unwrap();
    toy.add_rules("rules.yaml", RULES).unwrap();
    let port = serve(PlayOptions { openra_mod: Some(toy), ..field() });
    let mut page = Page::open(port);
    let formats = page.wait_text(|message| message["is"] == "hello")["uploads"].clone();
    assert!(formats.as_array().unwrap().contains(&json!(".oramap")), "{formats}");
    assert_eq!(open(port, "toy.oramap", &toy_map()), (200, String::from("{\"ok\":true}")));
    page.wait_hello(|hello| hello["name"] == "Toy Island" && hello["width"] == 9);
}
