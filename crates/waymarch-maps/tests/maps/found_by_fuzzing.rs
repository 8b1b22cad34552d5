//! Bugs that `cargo xtask fuzz` found: one test each, named after what happened.

use waymarch::cost::{LocomotorDef, Rules, Surface, SurfaceMask, TerrainDef};
use waymarch_maps::openra::{GameMod, Package, Tileset, read_oramap};
use waymarch_maps::{FileError, Place, image, tiled, yaml};

const TMX_HEAD: &str = "<map version=\"1.10\" orientation=\"orthogonal\" width=\"1\" height=\"1\" tilewidth=\"1\" tileheight=\"1\">";

/// An error's span; checks that it lies in the text.
fn span_in_text(error: &FileError) -> (usize, usize) {
    let Place::Text { span: Some((start, len)), .. } = error.place else { panic!("{error:?}") };
    let text = error.text.as_ref().expect("the text is kept");
    assert!(text.get(start..start + len).is_some(), "{start}+{len} of {}: {error}", text.len());
    (start, len)
}

#[test]
fn an_xml_file_that_ends_early_was_pointed_at_one_byte_past_its_end() {
    for text in ["", "<", "<map", TMX_HEAD, &format!("{TMX_HEAD}\n<layer"), &format!("{TMX_HEAD} é")] {
        let error = tiled::read_tmx("m.tmx", text.as_bytes()).unwrap_err();
        span_in_text(&error);
    }
}

#[test]
fn a_span_that_began_inside_a_letter_is_widened_to_whole_letters() {
    let error = FileError::new("f", "wrong").at_span("aéb", 2, 1);
    assert_eq!(span_in_text(&error), (1, 2));
    let error = FileError::new("f", "wrong").at_span("aé", usize::MAX, usize::MAX);
    assert_eq!(span_in_text(&error), (3, 0));
}

#[test]
fn names_over_1024_letters_were_written_as_keys_that_yaml_does_not_read() {
    for letters in [990, 1000, 1024, 5000] {
        let long = |first: &str| format!("{first} {}", "ñ".repeat(letters));
        let mut rules = Rules::standard();
        rules.terrains.push(TerrainDef::new(long("Bog"), Surface::Ground));
        rules.locomotors.push(LocomotorDef::new(long("sled"), SurfaceMask::GROUND));
        rules.costs.push(vec![Some(3), None, None, None, Some(7)]);
        let text = yaml::write_rules(&rules);
        assert_eq!(yaml::read_rules("r.yaml", text.as_bytes()).as_ref(), Ok(&rules), "{letters}");
    }
}

#[test]
fn a_legend_without_colours_was_refused_without_a_place() {
    let error = image::Legend::parse("l.yaml", "normal: 2\nlegend:\n").unwrap_err();
    assert!(error.to_string().starts_with("l.yaml:3:1: the legend names no colour"), "{error}");
}

#[test]
fn an_unreadable_zip_was_refused_without_a_place() {
    let error = Package::from_zip("z", b"no zip at all").unwrap_err();
    assert_eq!(error.place, Place::Byte(13));
    let error = Package::from_zip("z", b"...PK\x05\x06 cut off").unwrap_err();
    assert_eq!(error.place, Place::Byte(3));
}

#[test]
fn a_missing_member_was_refused_without_a_place() {
    // An empty ZIP consists only of the end of its directory.
    let mut empty = b"PK\x05\x06".to_vec();
    empty.resize(22, 0);
    let error = read_oramap("z", &empty, &GameMod::new("mod")).unwrap_err();
    assert_eq!((error.file.as_str(), error.place), ("z:map.yaml", Place::Key("map.yaml".into())));
}

#[test]
fn a_tileset_that_lists_a_terrain_twice_made_a_map_that_is_not_valid() {
    let tileset = |names: [&str; 2]| {
        let types = names.map(|name| format!("\tTerrainType@{name}:\n\t\tType: {name}\n")).concat();
        Tileset::parse("t.yaml", &format!("General:\n\tId: T\nTerrain:\n{types}Templates:\n"))
    };
    assert!(tileset(["Clear", "Rough"]).is_ok());
    for (names, line) in [(["Clear", "Clear"], 6), (["Outside", "Clear"], 4)] {
        let error = tileset(names).unwrap_err();
        assert!(matches!(error.place, Place::Text { line: at, .. } if at == line), "{error}");
    }
}

#[test]
fn faults_that_the_tiled_crate_finds_were_refused_without_a_place() {
    let refused = |text: &str| tiled::read_tmx("m.tmx", text.as_bytes()).unwrap_err();
    let layer =
        "<layer id=\"1\" name=\"l\" width=\"1\" height=\"1\"><data encoding=\"csv\">0</data></layer></map>";
    let error = refused(&format!("{TMX_HEAD}{layer}").replace("orthogonal", "diagonal"));
    assert_eq!(error.place, Place::Key("orientation".into()), "{error}");
    let error = refused(&format!("{TMX_HEAD}</map>"));
    assert_eq!(error.place, Place::Key("layer".into()), "{error}");
    let error = refused(&format!("{TMX_HEAD}{layer}").replace("tilewidth=\"1\"", "tilewidth=\"0\""));
    assert_eq!(error.place, Place::Key("tilewidth".into()), "{error}");
}
