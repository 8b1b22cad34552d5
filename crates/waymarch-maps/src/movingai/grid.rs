//! `.map` files: four header lines, then one letter per cell.

use waymarch::base::{CellPos, GridSize, SizeError};
use waymarch::cost::{Map, TerrainId};

use super::rules::{TERRAINS, rules, terrain_of};
use crate::suggest::hint;
use crate::text_source::{Source, quoted};
use crate::{FileError, FileResult, Place};

/// The header's keys.
const KEYS: [&str; 4] = ["type", "height", "width", "map"];

/// Reads a `.map` file. The map has the uniform [`rules`]; [`with_rules`](crate::with_rules) replaces them.
///
/// Memory grows with the rows in the file, not with the size in the header.
///
/// # Errors
/// [`FileError`] with line and column of the first problem.
pub fn read_map(name: &str, bytes: &[u8]) -> FileResult<Map> {
    let source = Source::open(name, bytes, usize::MAX)?;
    let mut lines = source.lines();
    let size = read_header(&source, &mut lines)?;
    let (width, height) = (size.width() as usize, size.height() as usize);
    let mut terrain = Vec::with_capacity(size.cells().min(source.text.len()));
    let mut rows = 0;
    for (offset, line) in lines {
        if rows == height {
            if !line.trim().is_empty() {
                let problem = format!("there are more rows than the header says ({height})");
                return Err(source.error(offset, line.len(), problem));
            }
            continue;
        }
        read_row(&source, offset, line, width, &mut terrain)?;
        rows += 1;
    }
    if rows < height {
        return Err(source.error_at_end(format!("the file ends after {rows} of {height} rows")));
    }
    Ok(Map {
        name: map_name(name),
        size,
        rules: rules(),
        terrain,
        elevation: Vec::new(),
        stamps: Vec::new(),
        starts: Vec::new(),
    })
}

/// The name of a map that was read from the file `name`: the file name without folders and extension.
fn map_name(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.strip_suffix(".map").unwrap_or(file).to_string()
}

/// Reads the header, including the line `map`.
fn read_header<'a>(
    source: &Source<'a>,
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
) -> FileResult<GridSize> {
    // The values of `type`, `height` and `width`, and the position of `height`'s number.
    let mut seen: [Option<(usize, u64)>; 3] = [None; 3];
    for (offset, line) in lines {
        let mut words = line.split_ascii_whitespace();
        let Some(key) = words.next() else { continue };
        let at_of = |word: &str| offset + (word.as_ptr().addr() - line.as_ptr().addr());
        let Some(slot) = KEYS.iter().position(|known| *known == key) else {
            let problem = format!("{} is not a header line of a MovingAI map", quoted(key));
            let error = source.error(at_of(key), key.len(), problem);
            return Err(match hint(key, KEYS) {
                Some(help) => error.help(help),
                None => error,
            });
        };
        let value = words.next();
        if let Some(extra) = words.next().or(value.filter(|_| key == "map")) {
            let problem =
                format!("{} is not expected here: a header line has one key and one value", quoted(extra));
            return Err(source.error(at_of(extra), extra.len(), problem));
        }
        if key == "map" {
            return size_of(source, offset, seen);
        }
        if seen[slot].is_some() {
            return Err(source.error(at_of(key), key.len(), format!("`{key}` is given twice")));
        }
        let Some(value) = value else {
            return Err(source.error(offset + line.len(), 0, format!("`{key}` needs a value")));
        };
        let number = match key {
            "type" if value == "octile" => Ok(0),
            "type" => Err(format!("the type is {}: it must be `octile`", quoted(value))),
            _ => whole_number(value).map_err(|why| format!("`{key}` {why}")),
        };
        let number = number.map_err(|problem| source.error(at_of(value), value.len(), problem))?;
        seen[slot] = Some((at_of(value), number));
    }
    Err(source.error_at_end("the file ends before the line `map`"))
}

/// Checks the header's numbers; `map_line` is the end of the header.
fn size_of(source: &Source<'_>, map_line: usize, seen: [Option<(usize, u64)>; 3]) -> FileResult<GridSize> {
    let [Some(_), Some((height_at, height)), Some((width_at, width))] = seen else {
        let missing = seen.iter().position(Option::is_none).unwrap_or_default();
        return Err(source.error(map_line, 3, format!("the header has no `{}`", KEYS[missing])));
    };
    let too_big = SizeError { width, height };
    let size = match (u32::try_from(width), u32::try_from(height)) {
        (Ok(width), Ok(height)) => GridSize::new(width, height),
        _ => Err(too_big),
    };
    size.map_err(|error| {
        let height_is_fine = height != 0 && height <= u64::from(waymarch::base::MAX_SIDE);
        let at = if height_is_fine { width_at } else { height_at };
        let len = source.text[at..].find(char::is_whitespace).unwrap_or(0);
        source.error(at, len, error.to_string())
    })
}

/// A number from digits only; otherwise a text that says what is wrong.
pub(super) fn whole_number(word: &str) -> Result<u64, String> {
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("must be a whole number, not {}", quoted(word)));
    }
    word.parse().map_err(|_| format!("is too large: {}", quoted(word)))
}

fn read_row(
    source: &Source<'_>,
    offset: usize,
    line: &str,
    width: usize,
    terrain: &mut Vec<TerrainId>,
) -> FileResult<()> {
    for (column, letter) in line.bytes().enumerate() {
        if column == width {
            let problem = format!("the row is longer than the map's width ({width} cells)");
            return Err(source.error(offset + column, line.len() - column, problem));
        }
        let Some(id) = terrain_of(letter) else {
            let glyph = line[column..].chars().next().unwrap_or('?');
            let problem = format!("{} is not a terrain letter", quoted(&glyph.to_string()));
            let error = source.error(offset + column, glyph.len_utf8(), problem);
            return Err(error.help("the letters are . G @ O T S W"));
        };
        terrain.push(id);
    }
    if line.len() < width {
        let problem = format!("the row has {} cells, but the map is {width} cells wide", line.len());
        return Err(source.error(offset + line.len(), 0, problem));
    }
    Ok(())
}

/// The map as a `.map` file. Its rules are not part of the format; `name` appears in errors.
///
/// # Errors
/// [`FileError`] if the map has something that the format cannot hold: other terrains, heights, stamps or player starts.
pub fn write_map(name: &str, map: &Map) -> FileResult<String> {
    let cannot = |problem: String| {
        FileError::new(name, problem).help("save it as .yaml, which keeps everything".to_string())
    };
    let extras = [
        ("heights", map.elevation.iter().any(|&height| height != 0)),
        ("stamps", !map.stamps.is_empty()),
        ("player starts", !map.starts.is_empty()),
    ];
    if let Some((what, _)) = extras.iter().find(|(_, present)| *present) {
        return Err(cannot(format!("a MovingAI map cannot hold {what}")));
    }
    if map.terrain.len() != map.size.cells() {
        return Err(cannot(format!("the map has {} cells, not {}", map.terrain.len(), map.size.cells())));
    }
    let letter_of = |def: &waymarch::cost::TerrainDef| {
        let known = TERRAINS.iter().find(|(known, _)| *known == def.name);
        known.and_then(|(_, letters)| letters.chars().next())
    };
    let letters: Vec<Option<char>> = map.rules.terrains.iter().map(letter_of).collect();
    let (width, height) = (map.size.width(), map.size.height());
    let mut out = format!("type octile\nheight {height}\nwidth {width}\nmap\n");
    for (y, row) in map.terrain.chunks(width as usize).enumerate() {
        for (x, id) in row.iter().enumerate() {
            let Some(letter) = letters.get(id.index()).copied().flatten() else {
                let terrain = map.rules.terrains.get(id.index()).map_or("unknown", |def| &def.name);
                let at = Place::Cell(CellPos::new(x as i32, y as i32));
                return Err(cannot(format!("MovingAI has no letter for the terrain '{terrain}'")).at(at));
            };
            out.push(letter);
        }
        out.push('\n');
    }
    Ok(out)
}
