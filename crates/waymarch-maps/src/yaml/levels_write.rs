//! Writes decks, links and heights of units.

use std::fmt::Write;

use waymarch::base::{Fixed, LevelCell, LevelId};
use waymarch::cost::Map;
use waymarch::levels::{Deck, LevelMap, Link, LinkState, LinkWays};

use super::glyphs::choose;
use super::levels_read::{KINDS, SIDES, STATES, WAYS};
use super::map_write::{pair, write_ground, write_map};
use super::quote::scalar;
use crate::{FileError, FileResult};

/// The map as text that [`read_level_map`](super::read_level_map) reads back to an equal map; `name` appears in errors.
///
/// # Errors
/// [`FileError`] if the map is not valid.
pub fn write_level_map(name: &str, map: &LevelMap) -> FileResult<String> {
    let valid = map.clone().validate().map_err(|error| FileError::new(name, error.to_string()))?;
    let map = valid.map();
    let mut out = write_map(name, &map.base)?;
    let glyphs = choose(map.base.rules.terrains.iter().map(|def| def.name.as_str()), &[]);
    if !map.decks.is_empty() {
        out.push_str("decks:\n");
    }
    for deck in &map.decks {
        write_deck(&mut out, map, deck, &glyphs);
    }
    if !map.links.is_empty() {
        out.push_str("links:\n");
    }
    for link in &map.links {
        write_link(&mut out, map, link);
    }
    if !map.heights.is_empty() {
        let names = map.heights.iter().map(|given| {
            let name = map.base.rules.locomotors.get(given.locomotor.index()).map_or("", |def| &def.name);
            format!("  {}: {}\n", scalar(name), given.height)
        });
        out.push_str(&format!("unit_heights:\n{}", names.collect::<String>()));
    }
    Ok(out)
}

fn write_deck(out: &mut String, map: &LevelMap, deck: &Deck, glyphs: &[Option<char>]) {
    let (name, at, height) = (scalar(&deck.name), pair(deck.at), deck.height);
    // Writing to a `String` cannot fail.
    let _ = writeln!(out, "  - name: {name}\n    at: {at}\n    height: {height}");
    if !deck.ends.is_empty() {
        let ends: Vec<&str> = deck.ends.iter().filter_map(|&side| name_of(&SIDES, side)).collect();
        let _ = writeln!(out, "    ends: [{}]", ends.join(", "));
    }
    let ground = Map {
        terrain: deck.terrain.clone(),
        elevation: deck.elevation.clone(),
        stamps: deck.stamps.clone(),
        ..Map::flat("", deck.size, map.base.rules.clone())
    };
    write_ground(out, &ground, glyphs, "    ");
}

fn write_link(out: &mut String, map: &LevelMap, link: &Link) {
    let kind = name_of(&KINDS, link.kind).unwrap_or_default();
    let (from, to) = (end(link.from), end(link.to));
    // A length is below 2^24, so it fits.
    let length = Fixed::from_raw(link.length as i32);
    let _ = write!(out, "  - {{kind: {kind}, from: {from}, to: {to}, length: {length}");
    let ways = name_of(&WAYS, link.ways).filter(|_| link.ways != LinkWays::Both);
    let state = name_of(&STATES, link.state).filter(|_| link.state != LinkState::Open);
    for (key, value) in [("ways", ways), ("state", state)] {
        if let Some(value) = value {
            let _ = write!(out, ", {key}: {value}");
        }
    }
    if let Some(largest) = link.largest {
        let _ = write!(out, ", largest: {}", largest.side());
    }
    if let Some(some) = &link.locomotors {
        let defs = some.iter().filter_map(|id| map.base.rules.locomotors.get(id.index()));
        let names: Vec<String> = defs.map(|def| scalar(&def.name)).collect();
        let _ = write!(out, ", locomotors: [{}]", names.join(", "));
    }
    out.push_str("}\n");
}

fn end(cell: LevelCell) -> String {
    match cell.level {
        LevelId::BASE => pair(cell.at),
        level => format!("[{}, {}, {}]", cell.at.x, cell.at.y, level.0),
    }
}

/// The name of a value in a list of names.
fn name_of<T: Copy + PartialEq>(names: &[(&'static str, T)], value: T) -> Option<&'static str> {
    names.iter().find(|(_, known)| *known == value).map(|(name, _)| *name)
}
