//! The members of an OpenRA map in one input, so that mutants get past the checksums of a ZIP.

use std::io::{Cursor, Write as _};

use waymarch_maps::FileResult;
use waymarch_maps::openra::GameMod;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The line between two parts.
const DIVIDER: &[u8] = b"\n----\n";

/// The parts of an input: `map.yaml`, the map's `own.yaml`, the mod's tileset, the mod's rules, and `map.bin` last.
pub(crate) fn split(bytes: &[u8]) -> [&[u8]; 5] {
    let mut rest = bytes;
    let mut parts = [&[][..]; 5];
    for part in &mut parts[..4] {
        match rest.windows(DIVIDER.len()).position(|window| window == DIVIDER) {
            Some(at) => (*part, rest) = (&rest[..at + 1], &rest[at + DIVIDER.len()..]),
            None => (*part, rest) = (rest, &[]),
        }
    }
    parts[4] = rest;
    parts
}

/// An input with these parts.
pub(crate) fn join(parts: [&[u8]; 5]) -> Vec<u8> {
    let trimmed = parts.map(|part| part.strip_suffix(b"\n").unwrap_or(part));
    let mut bytes = trimmed[..4].join(DIVIDER);
    bytes.extend_from_slice(DIVIDER);
    bytes.extend_from_slice(parts[4]);
    bytes
}

/// A ZIP of these members.
pub(crate) fn zipped(members: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let options = SimpleFileOptions::default().compression_method(method);
        zip.start_file(*name, options).expect("writing to memory");
        zip.write_all(bytes).expect("writing to memory");
    }
    zip.finish().expect("writing to memory").into_inner()
}

/// A mod with one tileset and one file of rules.
///
/// # Errors
/// What is wrong with the tileset or the rules.
pub(crate) fn game(tileset: &[u8], rules: &[u8]) -> FileResult<GameMod> {
    let mut game = GameMod::new("a mod");
    game.add_tileset("tileset.yaml", &String::from_utf8_lossy(tileset))?;
    game.add_rules("rules.yaml", &String::from_utf8_lossy(rules))?;
    Ok(game)
}

/// The parts of a small OpenRA map and its mod, except `map.bin`, which [`map_bin`] builds.
pub(crate) fn toy_parts() -> [&'static [u8]; 5] {
    [
        include_bytes!("../../../fuzz/seeds/openra_miniyaml/map.txt"),
        include_bytes!("../../../fuzz/seeds/openra_miniyaml/own.txt"),
        include_bytes!("../../../fuzz/seeds/openra_miniyaml/tileset.txt"),
        include_bytes!("../../../fuzz/seeds/openra_miniyaml/rules.txt"),
        &[],
    ]
}

/// The small map as a `.oramap`.
pub(crate) fn oramap(method: CompressionMethod) -> Vec<u8> {
    let [yaml, own, ..] = toy_parts();
    zipped(&[("map.yaml", yaml), ("map.bin", &map_bin(2)), ("own.yaml", own)], method)
}

/// The `map.bin` of the small map, 5×4 cells: water in column 3, ore in row 3.
pub(crate) fn map_bin(format: u8) -> Vec<u8> {
    let mut bytes = vec![format, 5, 0, 4, 0];
    if format == 2 {
        for offset in [17_u32, 77, 97] {
            bytes.extend(offset.to_le_bytes());
        }
    }
    for cell in 0..20 {
        bytes.extend([u8::from(cell / 4 == 3), 0, 0]);
    }
    if format == 2 {
        bytes.extend([0; 20]);
    }
    for cell in 0..20 {
        bytes.extend([u8::from(cell % 4 == 3), 1]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_parts_split_into_the_same_parts() {
        let parts: [&[u8]; 5] = [b"a: 1\n", b"b:\n", b"\n", b"c\n", &[0, 255, 10]];
        assert_eq!(split(&join(parts)), parts);
        assert_eq!(split(b"only"), [&b"only"[..], b"", b"", b"", b""]);
    }
}
