//! Map files that pages upload. They are read from memory; no file of this machine is opened.

use waymarch::cost::Map;
use waymarch_maps::openra::{self, GameMod};
use waymarch_maps::{image, movingai, tiled, yaml};

/// The largest map file: 16 MiB.
pub(crate) const MAX_UPLOAD: usize = 16 << 20;
/// An uploaded map has at most 2048 × 2048 cells: its cost fields have to fit into memory.
const MAX_CELLS: usize = 2048 * 2048;

/// The endings of the map files that a playground reads; those of OpenRA need the mod that they belong to.
pub(crate) const fn formats(game_mod: Option<&GameMod>) -> &'static [&'static str] {
    const ALL: [&str; 8] = [".map", ".yaml", ".yml", ".png", ".tmx", ".tmj", ".json", ".oramap"];
    match game_mod {
        Some(_) => &ALL,
        None => ALL.split_at(7).0,
    }
}

/// Reads a map from a file's bytes. Only formats that name no other files are accepted, and OpenRA maps if the playground has their mod.
/// Every error names the file.
pub(crate) fn read(name: &str, bytes: &[u8], game_mod: Option<&GameMod>) -> Result<Map, String> {
    let name: String = name.chars().filter(|c| !c.is_control()).take(80).collect();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    let map = match (ending.to_ascii_lowercase().as_str(), game_mod) {
        ("map", _) => movingai::read_map(&name, bytes),
        ("yaml" | "yml", _) => yaml::read_map(&name, bytes),
        ("png", _) => image::read_map(&name, bytes, None),
        // Tilesets must be embedded: external ones are refused.
        ("tmx", _) => tiled::read_tmx(&name, bytes),
        ("tmj" | "json", _) => tiled::read_tmj(&name, bytes),
        ("oramap", Some(game_mod)) => openra::read_oramap(&name, bytes, game_mod),
        ("oramap", None) => {
            return Err(format!(
                "{name}: an OpenRA map needs its mod: start `waymarch play --mod DIR` with the folder of the mod"
            ));
        }
        _ => {
            let known = formats(game_mod).join(", ");
            return Err(format!("{name}: this is no map file that the playground reads: use {known}"));
        }
    };
    let mut map = map.map_err(|error| error.to_string())?;
    if map.size.cells() > MAX_CELLS {
        return Err(format!(
            "{name}: the map is too large ({}): the playground takes up to {MAX_CELLS} cells",
            map.size
        ));
    }
    // Formats without a name of their own are called by the name of the file.
    if map.name.is_empty() || map.name == name {
        map.name = stem.rsplit(['/', '\\']).next().unwrap_or(stem).to_owned();
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_could_name_other_files_are_refused() {
        for name in ["a.oramap", "a", "../../etc/passwd", "map.yaml/.."] {
            assert!(read(name, b"type octile\nheight 1\nwidth 2\nmap\n.T\n", None).is_err(), "{name}");
        }
        let outside = br#"<?xml version="1.0"?><map version="1.10" orientation="orthogonal" width="1" height="1" tilewidth="1" tileheight="1">
            <tileset firstgid="1" source="/etc/passwd"/><layer id="1" name="a" width="1" height="1"><data encoding="csv">1</data></layer></map>"#;
        assert!(read("a.tmx", outside, None).is_err(), "a tileset in another file");
        assert!(read("a.tmj", br#"{"width": 1}"#, None).is_err());
        let map = read("../../x.map", b"type octile\nheight 1\nwidth 2\nmap\n.T\n", None).unwrap();
        assert_eq!(map.size.cells(), 2);
        assert!(read("x.map", b"type octile\nheight 9\nwidth 2\nmap\n.T\n", None).is_err());
    }

    const TMX: &[u8] = br#"<?xml version="1.0"?><map version="1.10" orientation="orthogonal" width="1" height="1" tilewidth="1" tileheight="1">
        <tileset firstgid="1" name="t" tilewidth="1" tileheight="1" tilecount="1" columns="1"><tile id="0" class="Clear"/></tileset>
        <layer id="1" name="a" width="1" height="1"><data encoding="csv">1</data></layer></map>"#;

    #[test]
    fn a_map_without_a_name_is_called_by_its_file() {
        assert_eq!(read("folder/ford.tmx", TMX, None).unwrap().name, "ford");
        let grass =
            Map::flat("x", waymarch::base::GridSize::new(2, 2).unwrap(), waymarch::cost::Rules::standard());
        assert_eq!(read("hill.png", &image::write_map(&grass), None).unwrap().name, "hill");
        let octile = b"type octile\nheight 1\nwidth 2\nmap\n.T\n";
        assert_eq!(read("plain.map", octile, None).unwrap().name, "plain");
    }

    #[test]
    fn a_picture_that_maps_convert_wrote_is_read_with_its_colours() {
        let valley = waymarch_maps::generate::builtin("valley").unwrap();
        let map = read("valley.png", &image::write_map(&valley), None).unwrap();
        assert_eq!((map.size, &map.terrain), (valley.size, &valley.terrain));
        let names = |map: &Map| map.rules.terrains.iter().map(|def| def.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&map), names(&valley));
    }

    #[test]
    fn an_openra_map_is_read_with_the_mod_of_the_playground() {
        let without = read("a.oramap", b"PK", None).unwrap_err();
        assert!(without.starts_with("a.oramap: ") && without.contains("--mod"), "{without}");
        let game_mod = GameMod::new("a mod");
        let damaged = read("a.oramap", b"PK", Some(&game_mod)).unwrap_err();
        assert!(damaged.contains("not a readable ZIP"), "{damaged}");
        assert!(formats(Some(&game_mod)).contains(&".oramap") && !formats(None).contains(&".oramap"));
    }

    #[test]
    fn every_refusal_names_the_file_once() {
        let large = format!("type octile\nheight 1\nwidth 9\nmap\n{}\n", ".".repeat(8));
        for (name, bytes) in [
            ("a.map", large.as_bytes()),
            ("a.png", b"\x89PNG"),
            ("a.yaml", b"rows: 1"),
            ("a.tmj", b"{"),
            ("a.exe", b"MZ"),
            ("a.oramap", b"PK"),
        ] {
            let what = read(name, bytes, None).unwrap_err();
            assert!(what.starts_with(name) && what.matches(name).count() == 1, "{what}");
        }
    }

    #[test]
    fn a_map_with_too_many_cells_is_refused() {
        let field = |wide: usize, high: usize| {
            let rows = format!("{}\n", ".".repeat(wide)).repeat(high);
            read("big.map", format!("type octile\nheight {high}\nwidth {wide}\nmap\n{rows}").as_bytes(), None)
        };
        assert!(field(2048, 2048).is_ok());
        assert!(field(2048, 2049).is_err_and(|what| what.contains("up to 4194304 cells")));
    }
}
