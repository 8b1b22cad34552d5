//! The members of an OpenRA map in one input, so that mutants get past the ZIP's checksums.

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

/// An input of these parts.
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
/// What is wrong with either.
pub(crate) fn game(tileset: &[u8], rules: &[u8]) -> FileResult<GameMod> {
    let mut game = GameMod::new("a mod");
    game.add_tileset("tileset.yaml", &String::from_utf8_lossy(tileset))?;
    game.add_rules("rules.yaml", &String::from_utf8_lossy(rules))?;
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_out_as_they_went_in() {
        let parts: [&[u8]; 5] = [b"a: 1\n", b"b:\n", b"\n", b"c\n", &[0, 255, 10]];
        assert_eq!(split(&join(parts)), parts);
        assert_eq!(split(b"only"), [&b"only"[..], b"", b"", b"", b""]);
    }
}
