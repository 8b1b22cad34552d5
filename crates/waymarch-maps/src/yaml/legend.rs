//! Legends of maps and stamps: which letter stands for which terrain.

use waymarch::cost::{Rules, TerrainId};

use super::fields::Reader;
use super::glyphs::is_glyph;
use super::tree::{Key, Node};
use crate::FileResult;
use crate::text_source::quoted;

/// The key of a legend: one visible character.
pub(super) fn glyph_of<'a>(reader: &Reader<'a>, key: &Key<'a>) -> FileResult<char> {
    let mut letters = key.name.chars();
    match (letters.next(), letters.next()) {
        (Some(glyph), None) if is_glyph(glyph) => Ok(glyph),
        _ => {
            let problem = format!("a legend's key must be one visible character, not {}", quoted(&key.name));
            Err(reader.key_error(key, problem))
        }
    }
}

/// The terrain that a value names.
pub(super) fn terrain_named<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    rules: &Rules,
) -> FileResult<TerrainId> {
    let name = reader.text(node, "legend")?;
    let at = rules.terrains.iter().position(|def| def.name == name).and_then(|at| u8::try_from(at).ok());
    at.map(TerrainId).ok_or_else(|| {
        let error = reader.error(node, format!("the rules have no terrain {}", quoted(name)));
        reader.unknown(error, name, rules.terrains.iter().map(|def| def.name.as_str()))
    })
}
