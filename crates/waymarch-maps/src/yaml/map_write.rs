//! Writes Waymarch map files.

use std::collections::BTreeMap;
use std::fmt::Write;

use waymarch::base::CellPos;
use waymarch::cost::{FootCell, Map, PlacedStamp, Rules, Stamp};

use super::glyphs::choose;
use super::quote::scalar;
use super::rules_read::builtin_name;
use super::rules_write::indented;
use super::stamps::LETTERS;
use crate::{FileError, FileResult};

/// The map as text that [`read_map`](super::read_map) reads back to an equal map; `name` appears in errors.
///
/// # Errors
/// [`FileError`] if the map is not valid.
pub fn write_map(name: &str, map: &Map) -> FileResult<String> {
    write_map_with(name, map, RulesText::Inline)
}

/// How the rules of a map are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RulesText {
    /// In full.
    Inline,
    /// By their name if they are built in.
    Named,
}

/// As [`write_map`], with a choice of how the rules are written.
pub(super) fn write_map_with(name: &str, map: &Map, rules: RulesText) -> FileResult<String> {
    let valid = map.clone().validate().map_err(|error| FileError::new(name, error.to_string()))?;
    let map = valid.map();
    let glyphs = choose(map.rules.terrains.iter().map(|def| def.name.as_str()), &[]);
    let mut out = header(map, &glyphs, rules);
    write_ground(&mut out, map, &glyphs, "");
    if !map.starts.is_empty() {
        let starts: Vec<String> = map.starts.iter().map(|&at| pair(at)).collect();
        out.push_str(&format!("starts: [{}]\n", starts.join(", ")));
    }
    Ok(out)
}

/// Writes terrain, heights and stamps of a level. Every line begins with `indent`.
pub(super) fn write_ground(out: &mut String, map: &Map, glyphs: &[Option<char>], indent: &str) {
    let _ = writeln!(out, "{indent}rows: |");
    for row in map.terrain.chunks(map.size.width() as usize) {
        let _ = write!(out, "{indent}  ");
        out.extend(row.iter().filter_map(|id| glyphs.get(id.index()).copied().flatten()));
        out.push('\n');
    }
    if !map.elevation.is_empty() {
        write_elevation(out, map, indent);
    }
    if !map.stamps.is_empty() {
        let _ = writeln!(out, "{indent}stamps:");
        for placed in &map.stamps {
            write_stamp(out, placed, &map.rules, indent);
        }
    }
}

fn header(map: &Map, glyphs: &[Option<char>], rules: RulesText) -> String {
    let mut out = format!("waymarch_map: 1\nname: {}\n", scalar(&map.name));
    // Writing to a `String` cannot fail.
    let _ = writeln!(out, "size: [{}, {}]", map.size.width(), map.size.height());
    let _ = match builtin_name(&map.rules).filter(|_| rules == RulesText::Named) {
        Some(name) => write!(out, "rules: {name}\nlegend:\n"),
        None => write!(out, "rules:\n{}legend:\n", indented(&map.rules, "  ")),
    };
    for (def, glyph) in map.rules.terrains.iter().zip(glyphs) {
        if let Some(glyph) = glyph {
            let _ = writeln!(out, "  {}: {}", scalar(&glyph.to_string()), scalar(&def.name));
        }
    }
    out
}

pub(super) fn pair(at: CellPos) -> String {
    format!("[{}, {}]", at.x, at.y)
}

/// Writes one digit per cell if all heights are multiples 0..=35 of one step, numbers otherwise.
fn write_elevation(out: &mut String, map: &Map, indent: &str) {
    let step = map.elevation.iter().fold(0, |step, &height| divisor(step, i32::from(height).abs())).max(1);
    let digits: Option<Vec<char>> = map
        .elevation
        .iter()
        .map(|&height| {
            u32::try_from(i32::from(height) / step).ok().and_then(|digit| char::from_digit(digit, 36))
        })
        .collect();
    let width = map.size.width() as usize;
    // The largest legal scale is 32767; a map with a step of 32768 is written in numbers.
    match digits.filter(|_| step <= i32::from(i16::MAX)) {
        Some(digits) => {
            let _ = writeln!(out, "{indent}elevation:\n{indent}  scale: {step}\n{indent}  rows: |");
            for row in digits.chunks(width) {
                let _ = writeln!(out, "{indent}    {}", row.iter().collect::<String>());
            }
        }
        None => {
            let _ = writeln!(out, "{indent}elevation: |");
            for row in map.elevation.chunks(width) {
                let row: Vec<String> = row.iter().map(i16::to_string).collect();
                let _ = writeln!(out, "{indent}  {}", row.join(" "));
            }
        }
    }
}

/// The greatest common divisor.
fn divisor(mut a: i32, mut b: i32) -> i32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn write_stamp(out: &mut String, placed: &PlacedStamp, rules: &Rules, indent: &str) {
    let (name, at) = (scalar(&placed.stamp.name), pair(placed.at));
    let _ = writeln!(out, "{indent}  - name: {name}\n{indent}    at: {at}");
    write_footprint(out, &placed.stamp, rules, &format!("{indent}    "));
}

/// Writes the keys of a stamp except its name and position. Every line begins with `indent`.
pub(super) fn write_footprint(out: &mut String, stamp: &Stamp, rules: &Rules, indent: &str) {
    let own = own_letters(&stamp.cells, rules);
    if let Some(lifetime) = stamp.lifetime {
        let _ = writeln!(out, "{indent}lifetime: {lifetime}");
    }
    if !own.is_empty() {
        let _ = writeln!(out, "{indent}legend:");
        for (glyph, meaning) in own.values() {
            let _ = writeln!(out, "{indent}  {}: {meaning}", scalar(&glyph.to_string()));
        }
    }
    let _ = writeln!(out, "{indent}rows: |");
    for row in stamp.cells.chunks(stamp.width as usize) {
        let _ = write!(out, "{indent}  ");
        out.extend(row.iter().filter_map(|cell| {
            let usual = LETTERS.iter().find(|(_, known)| known == cell).map(|(letter, _)| *letter);
            usual.or_else(|| match cell {
                FootCell::Wall(class @ 0..=9) => Some(char::from(b'0' + class)),
                _ => own.get(&order(cell)).map(|(glyph, _)| *glyph),
            })
        }));
        out.push('\n');
    }
}

/// The letters of a footprint that need a legend, each with its legend text.
fn own_letters(cells: &[FootCell], rules: &Rules) -> BTreeMap<(u8, u8), (char, String)> {
    let needed = cells.iter().filter_map(|cell| match *cell {
        FootCell::Wall(class) if class > 9 => Some((order(cell), "W", format!("{{wall: {class}}}"))),
        FootCell::Terrain(id) => {
            let name = rules.terrains.get(id.index()).map_or("", |def| def.name.as_str());
            Some((order(cell), name, scalar(name)))
        }
        _ => None,
    });
    let needed: BTreeMap<(u8, u8), (&str, String)> =
        needed.map(|(key, name, meaning)| (key, (name, meaning))).collect();
    let taken: Vec<char> = LETTERS.iter().map(|(letter, _)| *letter).chain('0'..='9').collect();
    let glyphs = choose(needed.values().map(|(name, _)| *name), &taken);
    let with_glyph = needed.into_iter().zip(glyphs);
    with_glyph.filter_map(|((key, (_, meaning)), glyph)| Some((key, (glyph?, meaning)))).collect()
}

/// A sort key for the cells that need a legend.
fn order(cell: &FootCell) -> (u8, u8) {
    match *cell {
        FootCell::Wall(class) => (0, class),
        FootCell::Terrain(id) => (1, id.0),
        _ => (2, 0),
    }
}
