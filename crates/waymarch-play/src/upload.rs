//! Map files that pages send: read from memory, never from the machine's files.

use waymarch::cost::Map;
use waymarch_maps::{image, movingai, yaml};

/// The largest map file, in bytes.
pub(crate) const MAX_UPLOAD: usize = 16 << 20;
/// The most cells of an uploaded map: its fields have to fit into memory too.
const MAX_CELLS: usize = 2048 * 2048;

/// The map in a file's bytes. Only formats that name no other files are read, so none of the machine's can be.
pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Map, String> {
    let name: String = name.chars().filter(|c| !c.is_control()).take(80).collect();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let map = match ending.as_deref() {
        Some("map") => movingai::read_map(&name, bytes),
        Some("yaml" | "yml") => yaml::read_map(&name, bytes),
        Some("png") => image::read_map(&name, bytes, None),
        _ => {
            return Err(String::from(
                "maps are read here from .map (MovingAI), .yaml (Waymarch) and .png files",
            ));
        }
    };
    let map = map.map_err(|error| error.to_string())?;
    if map.size.cells() > MAX_CELLS {
        return Err(format!("a map of {}: the playground takes up to {MAX_CELLS} cells", map.size));
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_could_name_others_are_not_read() {
        for name in ["a.tmx", "a.tmj", "a.oramap", "a", "../../etc/passwd", "map.yaml/.."] {
            assert!(read(name, b"type octile\nheight 1\nwidth 2\nmap\n.T\n").is_err(), "{name}");
        }
        let map = read("../../x.map", b"type octile\nheight 1\nwidth 2\nmap\n.T\n").unwrap();
        assert_eq!(map.size.cells(), 2);
        assert!(read("x.map", b"type octile\nheight 9\nwidth 2\nmap\n.T\n").is_err());
    }
}
