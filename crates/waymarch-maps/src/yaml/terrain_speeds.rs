//! `terrain_speeds`: how fast locomotors are on terrains; in rules, maps and scenarios.

use waymarch::base::LocomotorId;
use waymarch::cost::{MAX_TERRAIN_SPEED, Rules, TerrainId};

use super::fields::Reader;
use super::tree::{Key, Node};
use crate::FileResult;
use crate::text_source::quoted;

/// The key in the file.
pub(super) const TERRAIN_SPEEDS: &str = "terrain_speeds";

/// Sets the speeds that a file names. The rules must already have all terrains and locomotors.
/// Pairs that the file does not name stay unchanged; `~` removes a speed.
pub(super) fn read_speeds<'a>(reader: &Reader<'a>, node: &Node<'a>, rules: &mut Rules) -> FileResult<()> {
    for (name, body) in reader.entries(node, TERRAIN_SPEEDS)? {
        let terrain = place(reader, name, "terrain", rules.terrains.iter().map(|def| def.name.as_str()))?;
        // Rules have at most 256 terrains and 32 locomotors.
        let terrain = TerrainId(terrain as u8);
        if rules.speeds.len() <= terrain.index() {
            rules.speeds.resize(terrain.index() + 1, Vec::new());
        }
        for (key, value) in reader.entries(body, &name.name)? {
            let names = rules.locomotors.iter().map(|def| def.name.as_str());
            let locomotor = LocomotorId(place(reader, key, "locomotor", names)? as u8);
            let speed = match value.is_null() {
                true => None,
                false => Some(reader.whole(value, &key.name, 1..=MAX_TERRAIN_SPEED)?),
            };
            rules.set_speed(terrain, locomotor, speed);
        }
    }
    Ok(())
}

/// The index of a key among the names in the rules.
fn place<'a, 'n>(
    reader: &Reader<'a>,
    key: &Key<'a>,
    what: &str,
    names: impl Iterator<Item = &'n str> + Clone,
) -> FileResult<usize> {
    names.clone().position(|name| name == key.name).ok_or_else(|| {
        let error = reader.key_error(key, format!("the rules have no {what} {}", quoted(&key.name)));
        reader.unknown(error, &key.name, names)
    })
}
