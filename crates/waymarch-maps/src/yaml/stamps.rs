//! Stamps in map files: footprints as rows of letters.

use std::collections::BTreeMap;

use waymarch::base::{CellRect, GridSize};
use waymarch::cost::{FootCell, MAX_STAMP_SIDE, PlacedStamp, Rules, Stamp};

use super::fields::{Fields, Reader};
use super::legend::{glyph_of, terrain_named};
use super::text_block::Block;
use super::tree::{Node, Value};
use crate::FileResult;
use crate::text_source::quoted;

/// The letters that need no legend. `0`..`9` need none either: they are walls of that crush class.
pub(super) const LETTERS: [(char, FootCell); 4] =
    [('.', FootCell::Open), ('x', FootCell::Blocked), ('+', FootCell::NoStop), ('g', FootCell::Gate)];

/// Reads `stamps:` of a map, whose size is given, or of a deck.
pub(super) fn read_stamps<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    size: Option<GridSize>,
    rules: &Rules,
) -> FileResult<Vec<PlacedStamp>> {
    reader.list(node, "stamps")?.iter().map(|item| read_stamp(reader, item, size, rules)).collect()
}

fn read_stamp<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    size: Option<GridSize>,
    rules: &Rules,
) -> FileResult<PlacedStamp> {
    let fields = reader.fields(node, "a stamp", &["name", "at", "rows", "legend", "lifetime"])?;
    let at_node = fields.get("at").ok_or_else(|| reader.error(node, "the stamp has no `at`"))?;
    let at = reader.cell(at_node, "at")?;
    let stamp = footprint(reader, node, &fields, rules)?;
    let rect = CellRect::at(at, stamp.width, stamp.height);
    if let Some(size) = size.filter(|size| rect.intersect(size.rect()) != rect) {
        let (width, height) = (stamp.width, stamp.height);
        let problem = format!("a stamp of {width}×{height} cells at {at} does not fit the map ({size})");
        return Err(reader.error(at_node, problem));
    }
    Ok(PlacedStamp { at, stamp })
}

/// Reads a stamp without a position: drawn in `rows`, or a solid building of `size: [width, height]`.
pub(super) fn read_footprint<'a>(reader: &Reader<'a>, node: &Node<'a>, rules: &Rules) -> FileResult<Stamp> {
    let fields = reader.fields(node, "a stamp", &["name", "size", "rows", "legend", "lifetime"])?;
    let Some(size) = fields.get("size") else { return footprint(reader, node, &fields, rules) };
    let Ok([width, height]) = reader.list(size, "size") else {
        return Err(reader.wrong(size, "size", "[width, height]"));
    };
    if fields.get("rows").is_some() {
        return Err(reader.error(size, "a stamp must have either `size` or `rows`, not both"));
    }
    let side = |node| reader.whole(node, "size", 1..=MAX_STAMP_SIDE);
    let (name, lifetime) = name_and_lifetime(reader, &fields)?;
    let solid = Stamp::solid(side(width)?, side(height)?);
    Ok(Stamp { name, lifetime, ..solid })
}

fn name_and_lifetime<'a>(reader: &Reader<'a>, fields: &Fields<'_, 'a>) -> FileResult<(String, Option<u32>)> {
    let name = fields.get("name").map_or(Ok("building"), |name| reader.text(name, "name"))?;
    let lifetime = fields.get("lifetime").map(|node| reader.whole(node, "lifetime", 1..=u32::MAX));
    Ok((name.to_string(), lifetime.transpose()?))
}

fn footprint<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    fields: &Fields<'_, 'a>,
    rules: &Rules,
) -> FileResult<Stamp> {
    let legend = match fields.get("legend") {
        Some(legend) => read_legend(reader, legend, rules)?,
        None => BTreeMap::new(),
    };
    let (name, lifetime) = name_and_lifetime(reader, fields)?;
    let rows = fields.get("rows").ok_or_else(|| reader.error(node, "the stamp has no `rows`"))?;
    read_rows(&Block::new(*reader, rows, "rows")?, name, lifetime, &legend)
}

/// A stamp's own legend: each letter is a terrain's name or `{wall: CLASS}`.
fn read_legend<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    rules: &Rules,
) -> FileResult<BTreeMap<char, FootCell>> {
    let mut legend = BTreeMap::new();
    for (key, value) in reader.entries(node, "legend")? {
        let cell = match &value.value {
            Value::Scalar(..) => FootCell::Terrain(terrain_named(reader, value, rules)?),
            _ => {
                let fields = reader.fields(value, "a stamp's legend", &["wall"])?;
                let class = fields.get("wall");
                let class = class.ok_or_else(|| {
                    reader.wrong(value, &key.name, "the name of a terrain, or {wall: CLASS}")
                })?;
                FootCell::Wall(reader.whole(class, "wall", 0..=31)?)
            }
        };
        legend.insert(glyph_of(reader, key)?, cell);
    }
    Ok(legend)
}

fn read_rows(
    rows: &Block<'_, '_>,
    name: String,
    lifetime: Option<u32>,
    legend: &BTreeMap<char, FootCell>,
) -> FileResult<Stamp> {
    let side = MAX_STAMP_SIDE as usize;
    let width = rows.rows.first().map_or(0, |row| row.chars().count());
    let height = rows.rows.len();
    if !(1..=side).contains(&width) || !(1..=side).contains(&height) {
        let problem = format!("the footprint is {width}×{height}: each side must be 1..={side}");
        return Err(rows.error(0, 0..0, problem));
    }
    let mut cells = Vec::with_capacity(width * height);
    for (y, row) in rows.rows.iter().enumerate() {
        let columns = row.chars().count();
        if columns != width {
            let problem =
                format!("row {y} of the footprint has {columns} cells, but the first row has {width}");
            return Err(rows.error(y, 0..row.len(), problem));
        }
        for (at, glyph) in row.char_indices() {
            let cell = legend.get(&glyph).copied().or_else(|| usual(glyph)).ok_or_else(|| {
                let problem = format!("{} is not a footprint letter", quoted(&glyph.to_string()));
                rows.error(y, at..at + glyph.len_utf8(), problem).help(
                    ". open, x blocked, + no stopping, g gate, 0-9 walls; others in the stamp's `legend`",
                )
            })?;
            cells.push(cell);
        }
    }
    Ok(Stamp { name, width: width as u32, height: height as u32, cells, lifetime })
}

/// The meaning of a letter that is not in the legend.
fn usual(glyph: char) -> Option<FootCell> {
    let class = glyph.to_digit(10).map(|class| FootCell::Wall(class as u8));
    class.or_else(|| LETTERS.iter().find(|(letter, _)| *letter == glyph).map(|(_, cell)| *cell))
}
