//! Reads decks, links and heights of units in map files.

use waymarch::base::{CellPos, Dir8, LevelCell, LevelId, LocomotorId, MAX_SIZE_CLASS, SizeClass};
use waymarch::cost::Rules;
use waymarch::levels::{Deck, LevelMap, Link, LinkKind, LinkState, LinkWays, UnitHeight};

use super::fields::{Fields, Reader};
use super::map_read::{Legend, map_of, read_elevation, read_file, read_legend, read_size, read_terrain};
use super::stamps::read_stamps;
use super::text_block::Block;
use super::tree::Node;
use crate::FileResult;

/// The keys of a deck.
const DECK: [&str; 9] = ["name", "at", "size", "height", "legend", "rows", "elevation", "stamps", "ends"];

/// The keys of a link.
const LINK: [&str; 8] = ["kind", "from", "to", "ways", "length", "locomotors", "largest", "state"];

/// The sides of a deck, as files name them.
pub(super) const SIDES: [(&str, Dir8); 4] =
    [("north", Dir8::N), ("east", Dir8::E), ("south", Dir8::S), ("west", Dir8::W)];

/// The kinds of links, as files name them.
pub(super) const KINDS: [(&str, LinkKind); 6] = [
    ("ramp", LinkKind::Ramp),
    ("stairs", LinkKind::Stairs),
    ("ledge", LinkKind::Ledge),
    ("teleporter", LinkKind::Teleporter),
    ("ladder", LinkKind::Ladder),
    ("ferry", LinkKind::Ferry),
];

/// The directions of links, as files name them.
pub(super) const WAYS: [(&str, LinkWays); 2] = [("both", LinkWays::Both), ("one", LinkWays::One)];

/// The states of links, as files name them.
pub(super) const STATES: [(&str, LinkState); 2] = [("open", LinkState::Open), ("closed", LinkState::Closed)];

/// Reads a Waymarch map file with or without decks and links (see `docs/map-format.md`).
///
/// # Errors
/// [`FileError`](crate::FileError) with line and column of the first problem.
pub fn read_level_map(name: &str, bytes: &[u8]) -> FileResult<LevelMap> {
    read_file(name, bytes, |reader, root, fields| {
        let base = map_of(reader, root, fields, &|problem| reader.source.error(0, 0, problem))?;
        // A base without a legend was refused above.
        let legend = fields.get("legend").map(|node| read_legend(reader, node, &base.rules)).transpose()?;
        let legend = legend.unwrap_or_default();
        let mut map = LevelMap::new(base);
        for node in items(reader, fields, "decks")? {
            map.decks.push(read_deck(reader, node, &map.base.rules, &legend)?);
        }
        for node in items(reader, fields, "links")? {
            map.links.push(read_link(reader, node, &map.base.rules)?);
        }
        if let Some(node) = fields.get("unit_heights") {
            for (key, value) in reader.entries(node, "unit_heights")? {
                let height = reader.whole(value, "unit_heights", 0..=u16::MAX)?;
                let locomotor = map.base.rules.locomotors.iter().position(|def| def.name == *key.name);
                let Some(locomotor) = locomotor else {
                    let names = map.base.rules.locomotors.iter().map(|def| def.name.as_str());
                    let problem = format!("the rules have no locomotor `{}`", key.name);
                    return Err(reader.unknown(reader.key_error(key, problem), &key.name, names));
                };
                map.heights.push(UnitHeight { locomotor: LocomotorId(locomotor as u8), height });
            }
        }
        // The engine's own check names decks and links.
        let valid = map.validate().map_err(|error| reader.error(root, error.to_string()))?;
        Ok(valid.into_inner())
    })
}

fn items<'n, 'a>(reader: &Reader<'a>, fields: &Fields<'n, 'a>, key: &str) -> FileResult<&'n [Node<'a>]> {
    fields.get(key).map_or(Ok(&[]), |node| reader.list(node, key))
}

fn read_deck<'a>(reader: &Reader<'a>, node: &Node<'a>, rules: &Rules, legend: &Legend) -> FileResult<Deck> {
    let fields = reader.fields(node, "a deck", &DECK)?;
    let needed =
        |key: &str| fields.get(key).ok_or_else(|| reader.error(node, format!("the deck has no `{key}`")));
    let own = fields.get("legend").map(|node| read_legend(reader, node, rules)).transpose()?;
    let rows = Block::new(*reader, needed("rows")?, "rows")?;
    let size = read_size(reader, &fields, &rows)?;
    let at = reader.cell(needed("at")?, "at")?;
    let stamps = match fields.get("stamps") {
        // Positions are over the base: they are checked with the deck.
        Some(node) => read_stamps(reader, node, None, rules)?,
        None => Vec::new(),
    };
    let ends = items(reader, &fields, "ends")?.iter().map(|side| reader.choice(side, "ends", &SIDES));
    Ok(Deck {
        name: reader.text(needed("name")?, "name")?.to_string(),
        at,
        size,
        height: reader.whole(needed("height")?, "height", i16::MIN..=i16::MAX)?,
        terrain: read_terrain(&rows, size, own.as_ref().unwrap_or(legend))?,
        elevation: fields
            .get("elevation")
            .map_or(Ok(Vec::new()), |node| read_elevation(reader, node, size))?,
        stamps,
        ends: ends.collect::<FileResult<_>>()?,
    })
}

fn read_link<'a>(reader: &Reader<'a>, node: &Node<'a>, rules: &Rules) -> FileResult<Link> {
    let fields = reader.fields(node, "a link", &LINK)?;
    let needed =
        |key: &str| fields.get(key).ok_or_else(|| reader.error(node, format!("the link has no `{key}`")));
    let kind = reader.choice(needed("kind")?, "kind", &KINDS)?;
    let (from, to) = (read_end(reader, needed("from")?, "from")?, read_end(reader, needed("to")?, "to")?);
    let length = needed("length")?;
    let cells = reader.fixed(length, "length")?;
    let raw = u32::try_from(cells.raw()).map_err(|_| reader.wrong(length, "length", "a number above 0"))?;
    let mut link = Link::new(kind, from, to, raw);
    if let Some(node) = fields.get("ways") {
        link.ways = reader.choice(node, "ways", &WAYS)?;
    }
    if let Some(node) = fields.get("state") {
        link.state = reader.choice(node, "state", &STATES)?;
    }
    if let Some(node) = fields.get("largest") {
        link.largest = SizeClass::new(reader.whole(node, "largest", 1..=MAX_SIZE_CLASS)?);
    }
    if let Some(node) = fields.get("locomotors") {
        let names: Vec<&str> = rules.locomotors.iter().map(|def| def.name.as_str()).collect();
        let known: Vec<(&str, LocomotorId)> = names.into_iter().zip((0..).map(LocomotorId)).collect();
        let some =
            reader.list(node, "locomotors")?.iter().map(|node| reader.choice(node, "locomotors", &known));
        link.locomotors = Some(some.collect::<FileResult<_>>()?);
    }
    Ok(link)
}

/// `[x, y]` on the base, or `[x, y, LEVEL]`; the first deck is level 1.
fn read_end<'a>(reader: &Reader<'a>, node: &Node<'a>, what: &str) -> FileResult<LevelCell> {
    let wrong = || reader.wrong(node, what, "a cell [x, y] or [x, y, level]");
    let items = reader.list(node, what).map_err(|_| wrong())?;
    let side = |node| reader.whole(node, what, 0..=i32::MAX);
    match items {
        [x, y] => Ok(CellPos::new(side(x)?, side(y)?).on(LevelId::BASE)),
        [x, y, level] => {
            let level = LevelId(reader.whole(level, what, 0..=u16::MAX)?);
            Ok(CellPos::new(side(x)?, side(y)?).on(level))
        }
        _ => Err(wrong()),
    }
}
