//! Reads Waymarch map files.

use std::collections::BTreeMap;

use waymarch::base::{CellPos, GridSize, MAX_SIDE, SizeError};
use waymarch::cost::{Map, Rules, TerrainId};

use super::fields::{Fields, Reader};
use super::legend::{glyph_of, terrain_named};
use super::rules_read::read_named_or_inline;
use super::stamps::read_stamps;
use super::terrain_speeds::{TERRAIN_SPEEDS, read_speeds};
use super::text_block::Block;
use super::tree::{Limits, Node, Value};
use crate::text_source::quoted;
use crate::{FileError, FileResult};

/// The keys of a map file. The last three are for maps of several levels.
pub(super) const KEYS: [&str; 13] = [
    "waymarch_map",
    "name",
    "size",
    "rules",
    TERRAIN_SPEEDS,
    "legend",
    "rows",
    "elevation",
    "stamps",
    "starts",
    "decks",
    "links",
    "unit_heights",
];

/// Reads a Waymarch map file (see `docs/map-format.md`).
///
/// # Errors
/// [`FileError`] with line and column of the first problem, down to the letter. A map with decks or links is refused; see
/// [`read_level_map`](super::read_level_map).
pub fn read_map(name: &str, bytes: &[u8]) -> FileResult<Map> {
    read_file(name, bytes, |reader, root, fields| {
        one_level(reader, fields)?;
        map_of(reader, root, fields, &|problem| reader.source.error(0, 0, problem))
    })
}

/// Opens a map file, checks its version and its keys, and reads the rest with `read`.
pub(super) fn read_file<T>(
    name: &str,
    bytes: &[u8],
    read: impl for<'a> FnOnce(&Reader<'a>, &Node<'a>, &Fields<'_, 'a>) -> FileResult<T>,
) -> FileResult<T> {
    let (reader, root) = Reader::open(name, bytes, Limits::MAP, "waymarch_map: 1")?;
    let fields = reader.fields(&root, "a map file", &KEYS)?;
    let missing = || reader.source.error(0, 0, "the map has no `waymarch_map`".to_string());
    let version = fields.get(KEYS[0]).ok_or_else(missing)?;
    reader
        .whole(version, "waymarch_map", 1..=1)
        .map_err(|error| error.help("this version of Waymarch reads map format 1"))?;
    read(&reader, &root, &fields)
}

/// Refuses a map with decks or links.
fn one_level<'a>(reader: &Reader<'a>, fields: &Fields<'_, 'a>) -> FileResult<()> {
    match fields.entries().iter().find(|(key, node)| KEYS[10..].contains(&&*key.name) && !node.is_null()) {
        Some((key, _)) => {
            let problem =
                format!("this map has several levels (`{}`), but here a map must have one", key.name);
            let help = "`waymarch path`, `render` and `maps info` take maps of several levels";
            Err(reader.key_error(key, problem).help(help))
        }
        None => Ok(()),
    }
}

/// Reads a map inside another file: the same keys except the version.
pub(super) fn map_within<'a>(reader: &Reader<'a>, node: &Node<'a>) -> FileResult<Map> {
    let fields = reader.fields(node, "a map", &KEYS[1..])?;
    one_level(reader, &fields)?;
    map_of(reader, node, &fields, &|problem| reader.error(node, problem))
}

/// The base of a map file.
pub(super) fn map_of<'a>(
    reader: &Reader<'a>,
    root: &Node<'a>,
    fields: &Fields<'_, 'a>,
    missing: &dyn Fn(String) -> FileError,
) -> FileResult<Map> {
    let needed = |key: &str| fields.get(key).ok_or_else(|| missing(format!("the map has no `{key}`")));
    let mut rules = match fields.get("rules") {
        Some(node) => read_named_or_inline(reader, node)?,
        None => Rules::standard(),
    };
    if let Some(node) = fields.get(TERRAIN_SPEEDS) {
        read_speeds(reader, node, &mut rules)?;
    }
    let legend = read_legend(reader, needed("legend")?, &rules)?;
    let rows = Block::new(*reader, needed("rows")?, "rows")?;
    let size = read_size(reader, fields, &rows)?;
    let terrain = read_terrain(&rows, size, &legend)?;
    let elevation = match fields.get("elevation") {
        Some(node) => read_elevation(reader, node, size)?,
        None => Vec::new(),
    };
    let stamps = match fields.get("stamps") {
        Some(node) => read_stamps(reader, node, Some(size), &rules)?,
        None => Vec::new(),
    };
    let starts = match fields.get("starts") {
        Some(node) => read_starts(reader, node, size)?,
        None => Vec::new(),
    };
    let title = match fields.get("name") {
        Some(node) => reader.text(node, "name")?.to_string(),
        None => file_stem(reader.source.name).to_string(),
    };
    let map = Map { name: title, size, rules, terrain, elevation, stamps, starts };
    // All values were checked above; this is the engine's own check.
    let valid = map.validate().map_err(|error| reader.error(root, error.to_string()))?;
    Ok(valid.into_inner())
}

/// A file's name without folders and extension.
fn file_stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// Which letter stands for which terrain.
#[derive(Default)]
pub(super) struct Legend {
    ascii: Vec<Option<TerrainId>>,
    others: BTreeMap<char, TerrainId>,
}

impl Legend {
    fn get(&self, glyph: char) -> Option<TerrainId> {
        match self.ascii.get(glyph as usize) {
            Some(id) => *id,
            None => self.others.get(&glyph).copied(),
        }
    }
}

pub(super) fn read_legend<'a>(reader: &Reader<'a>, node: &Node<'a>, rules: &Rules) -> FileResult<Legend> {
    let mut legend = Legend { ascii: vec![None; 128], others: BTreeMap::new() };
    for (key, value) in reader.entries(node, "legend")? {
        let glyph = glyph_of(reader, key)?;
        let terrain = terrain_named(reader, value, rules)?;
        match legend.ascii.get_mut(glyph as usize) {
            Some(slot) => *slot = Some(terrain),
            None => _ = legend.others.insert(glyph, terrain),
        }
    }
    Ok(legend)
}

/// The size of the rows, which must equal `size` if that key is present.
pub(super) fn read_size<'a>(
    reader: &Reader<'a>,
    fields: &Fields<'_, 'a>,
    rows: &Block<'_, 'a>,
) -> FileResult<GridSize> {
    let illegal = |width: u64, height: u64| SizeError { width, height }.to_string();
    let width = rows.rows.first().map_or(0, |row| row.chars().count()) as u64;
    let height = rows.rows.len() as u64;
    let found = match (u32::try_from(width), u32::try_from(height)) {
        (Ok(columns), Ok(lines)) => GridSize::new(columns, lines).ok(),
        _ => None,
    };
    let found = found.ok_or_else(|| rows.error(0, 0..0, illegal(width, height)))?;
    let Some(node) = fields.get("size") else { return Ok(found) };
    let [columns, lines] = reader.list(node, "size")? else {
        return Err(reader.wrong(node, "size", "[width, height]"));
    };
    let side = |node| reader.whole(node, "size", 1..=u64::from(MAX_SIDE));
    let said: [u64; 2] = [side(columns)?, side(lines)?];
    if said != [width, height] {
        let problem = format!("`size` is {}×{}, but the rows make a map of {found}", said[0], said[1]);
        return Err(reader.error(node, problem));
    }
    Ok(found)
}

pub(super) fn read_terrain(
    rows: &Block<'_, '_>,
    size: GridSize,
    legend: &Legend,
) -> FileResult<Vec<TerrainId>> {
    let mut terrain = Vec::with_capacity(size.cells().min(rows.rows.iter().map(|row| row.len()).sum()));
    for (y, row) in rows.rows.iter().enumerate() {
        let before = terrain.len();
        for (at, glyph) in row.char_indices() {
            let part = at..at + glyph.len_utf8();
            if terrain.len() - before == size.width() as usize {
                return Err(rows.error(
                    y,
                    part,
                    format!("row {y} is longer than the first row ({} cells)", size.width()),
                ));
            }
            let Some(id) = legend.get(glyph) else {
                let problem =
                    format!("{} is not in the legend: add it to `legend`", quoted(&glyph.to_string()));
                return Err(rows.error(y, part, problem));
            };
            terrain.push(id);
        }
        if terrain.len() - before < size.width() as usize {
            let problem = format!(
                "row {y} has {} cells, but the first row has {}",
                terrain.len() - before,
                size.width()
            );
            return Err(rows.error(y, row.len()..row.len(), problem));
        }
    }
    Ok(terrain)
}

/// A block of numbers, or `{scale: N, rows: |}` with one base-36 digit per cell.
pub(super) fn read_elevation<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    size: GridSize,
) -> FileResult<Vec<i16>> {
    let (block, scale) = match &node.value {
        Value::Map(_) => {
            let fields = reader.fields(node, "elevation", &["scale", "rows"])?;
            let scale = match fields.get("scale") {
                Some(scale) => reader.whole(scale, "scale", 1..=i16::MAX)?,
                None => 1,
            };
            let rows = fields.get("rows").ok_or_else(|| reader.error(node, "`elevation` has no `rows`"))?;
            (Block::new(*reader, rows, "rows")?, Some(scale))
        }
        _ => (Block::new(*reader, node, "elevation")?, None),
    };
    let (width, height) = (size.width() as usize, size.height() as usize);
    if block.rows.len() != height {
        let problem = format!("`elevation` has {} rows, but the map has {height}", block.rows.len());
        return Err(block.error(block.rows.len(), 0..0, problem));
    }
    let mut heights = Vec::new();
    for (y, row) in block.rows.iter().enumerate() {
        let before = heights.len();
        match scale {
            Some(scale) => read_digits(&block, y, scale, &mut heights)?,
            None => read_numbers(&block, y, &mut heights)?,
        }
        let found = heights.len() - before;
        if found != width {
            let problem =
                format!("row {y} of `elevation` has {found} heights, but the map is {width} cells wide");
            return Err(block.error(y, 0..row.len(), problem));
        }
    }
    Ok(heights)
}

fn read_digits(block: &Block<'_, '_>, y: usize, scale: i16, heights: &mut Vec<i16>) -> FileResult<()> {
    for (at, glyph) in block.rows[y].char_indices() {
        let part = at..at + glyph.len_utf8();
        let Some(digit) = glyph.to_digit(36) else {
            let problem =
                format!("{} is not a height: use 0..9 and a..z (10..35)", quoted(&glyph.to_string()));
            return Err(block.error(y, part, problem));
        };
        let height = i64::from(digit) * i64::from(scale);
        heights.push(
            i16::try_from(height)
                .map_err(|_| block.error(y, part, format!("the height {height} is above {}", i16::MAX)))?,
        );
    }
    Ok(())
}

fn read_numbers(block: &Block<'_, '_>, y: usize, heights: &mut Vec<i16>) -> FileResult<()> {
    let row = block.rows[y];
    for word in row.split_ascii_whitespace() {
        let at = word.as_ptr().addr() - row.as_ptr().addr();
        heights.push(word.parse().map_err(|_| {
            let problem = format!("a height must be a whole number, -32768..=32767, not {}", quoted(word));
            block.error(y, at..at + word.len(), problem)
        })?);
    }
    Ok(())
}

fn read_starts<'a>(reader: &Reader<'a>, node: &Node<'a>, size: GridSize) -> FileResult<Vec<CellPos>> {
    let off_map = |item: &Node<'a>, at: CellPos| -> FileError {
        reader.error(item, format!("the player start {at} is outside the map (the map is {size})"))
    };
    let items = reader.list(node, "starts")?.iter();
    items
        .map(|item| {
            let at = reader.cell(item, "starts")?;
            if size.contains(at) { Ok(at) } else { Err(off_map(item, at)) }
        })
        .collect()
}
