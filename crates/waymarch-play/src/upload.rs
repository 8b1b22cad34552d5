//! Map files that pages upload. They are read from memory; no file of this machine is opened.

use waymarch::cost::Map;
use waymarch_maps::{image, movingai, tiled, yaml};

/// The largest map file: 16 MiB.
pub(crate) const MAX_UPLOAD: usize = 16 << 20;
/// An uploaded map has at most 2048 × 2048 cells: its cost fields have to fit into memory.
const MAX_CELLS: usize = 2048 * 2048;

/// Reads a map from a file's bytes. Only formats that name no other files are accepted.
pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Map, String> {
    let name: String = name.chars().filter(|c| !c.is_control()).take(80).collect();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let map = match ending.as_deref() {
        Some("map") => movingai::read_map(&name, bytes),
        Some("yaml" | "yml") => yaml::read_map(&name, bytes),
        Some("png") => image::read_map(&name, bytes, None),
        // Tilesets must be embedded: external ones are refused.
        Some("tmx") => tiled::read_tmx(&name, bytes),
        Some("tmj" | "json") => tiled::read_tmj(&name, bytes),
        _ => {
            return Err(String::from(
                "the playground reads .map (MovingAI), .yaml (Waymarch), .png, .tmx and .tmj (Tiled) files only",
            ));
        }
    };
    let map = map.map_err(|error| error.to_string())?;
    if map.size.cells() > MAX_CELLS {
        return Err(format!(
            "the map is too large ({}): the playground takes up to {MAX_CELLS} cells",
            map.size
        ));
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_could_name_other_files_are_refused() {
        for name in ["a.oramap", "a", "../../etc/passwd", "map.yaml/.."] {
            assert!(read(name, b"type octile\nheight 1\nwidth 2\nmap\n.T\n").is_err(), "{name}");
        }
        let outside = br#"<?xml version="1.0"?><map version="1.10" orientation="orthogonal" width="1" height="1" tilewidth="1" tileheight="1">
            <tileset firstgid="1" source="/etc/passwd"/><layer id="1" name="a" width="1" height="1"><data encoding="csv">1</data></layer></map>"#;
        assert!(read("a.tmx", outside).is_err(), "a tileset in another file");
        assert!(read("a.tmj", br#"{"width": 1}"#).is_err());
        let map = read("../../x.map", b"type octile\nheight 1\nwidth 2\nmap\n.T\n").unwrap();
        assert_eq!(map.size.cells(), 2);
        assert!(read("x.map", b"type octile\nheight 9\nwidth 2\nmap\n.T\n").is_err());
    }

    #[test]
    fn a_map_with_too_many_cells_is_refused() {
        let field = |wide: usize, high: usize| {
            let rows = format!("{}\n", ".".repeat(wide)).repeat(high);
            read("big.map", format!("type octile\nheight {high}\nwidth {wide}\nmap\n{rows}").as_bytes())
        };
        assert!(field(2048, 2048).is_ok());
        assert!(field(2048, 2049).is_err_and(|what| what.contains("up to 4194304 cells")));
    }
}
