//! What is checked of decks and links.

use alloc::vec::Vec;

use super::bars::Bars;
use super::deck::{Deck, DeckState};
use super::error::LevelError;
use super::link::{Link, LinkKind, LinkWays};
use super::map::{LevelMap, MAX_DECKS, MAX_LINKS, ValidLevelMap};
use crate::base::{CellRect, Dir8, LevelCell, LocomotorId, SizeClass};
use crate::cost::{CostLayer, CostSettings};

/// The greatest length of a link: 2^24 − 1, the longest distance on an empty map.
const LONGEST: u32 = (1 << 24) - 1;

/// Checks every deck, and that no two are in the same place and height.
pub(super) fn check_decks(map: &LevelMap) -> Result<(), LevelError> {
    if map.decks.len() > MAX_DECKS {
        return Err(LevelError::TooMany { what: "decks", found: map.decks.len(), most: MAX_DECKS });
    }
    for (index, deck) in map.decks.iter().enumerate() {
        check_deck(map, deck)?;
        for other in &map.decks[..index] {
            let both = deck.area().intersect(other.area());
            if deck.height == other.height && !both.is_empty() {
                return Err(LevelError::DecksMeet {
                    first: other.name.clone(),
                    second: deck.name.clone(),
                    at: both.cells().next().unwrap_or_default(),
                    height: deck.height,
                });
            }
        }
    }
    Ok(())
}

fn check_deck(map: &LevelMap, deck: &Deck) -> Result<(), LevelError> {
    let (name, area) = (|| deck.name.clone(), deck.area());
    let within = |inner: CellRect, outer: CellRect| inner.intersect(outer) == inner && !inner.is_empty();
    if !within(area, map.base.size.rect()) {
        return Err(LevelError::DeckOffMap { deck: name(), area, size: map.base.size });
    }
    if deck.height == 0 {
        return Err(LevelError::DeckOnBase { deck: name() });
    }
    let expected = deck.size.cells();
    let counts = [("terrain", deck.terrain.len()), ("elevation", deck.elevation.len())];
    for (what, found) in counts {
        if found != expected && (what == "terrain" || found > 0) {
            return Err(LevelError::CellCount { deck: name(), what, found, expected });
        }
    }
    let count = map.base.rules.terrains.len();
    if let Some((at, terrain)) = area.cells().zip(&deck.terrain).find(|(_, terrain)| terrain.index() >= count)
    {
        return Err(LevelError::UnknownTerrain { deck: name(), at, terrain: terrain.0, count });
    }
    for placed in &deck.stamps {
        let at = placed.at.offset(-deck.at.x, -deck.at.y);
        let checked = placed.stamp.check_at(count, deck.size, at);
        checked.map_err(|fault| LevelError::Stamp { deck: name(), fault })?;
    }
    for (index, &side) in deck.ends.iter().enumerate() {
        if side.is_diagonal() || deck.ends[..index].contains(&side) {
            return Err(LevelError::DeckEnd { deck: name(), side });
        }
        if !within(beyond(area, side), map.base.size.rect()) {
            return Err(LevelError::EndOffMap { deck: name(), side });
        }
    }
    Ok(())
}

/// The cells beyond a side of an area.
fn beyond(area: CellRect, side: Dir8) -> CellRect {
    match side {
        Dir8::E => CellRect { x0: area.x1, x1: area.x1 + 1, ..area },
        Dir8::W => CellRect { x0: area.x0 - 1, x1: area.x0, ..area },
        Dir8::S => CellRect { y0: area.y1, y1: area.y1 + 1, ..area },
        _ => CellRect { y0: area.y0 - 1, y1: area.y0, ..area },
    }
}

/// Checks the heights of units.
pub(super) fn check_heights(map: &LevelMap) -> Result<(), LevelError> {
    for (index, given) in map.heights.iter().enumerate() {
        let again = map.heights[..index].iter().any(|before| before.locomotor == given.locomotor);
        if again || given.locomotor.index() >= map.base.rules.locomotors.len() {
            return Err(LevelError::UnknownLocomotor(given.locomotor));
        }
    }
    Ok(())
}

/// Checks every link, and that teleporters form no loop.
pub(super) fn check_links(valid: &ValidLevelMap) -> Result<(), LevelError> {
    let links = &valid.map.links;
    if links.len() > MAX_LINKS {
        return Err(LevelError::TooMany { what: "links", found: links.len(), most: MAX_LINKS });
    }
    if links.is_empty() {
        return Ok(());
    }
    let settings = CostSettings { sizes: [SizeClass::ONE].to_vec(), ..CostSettings::default() };
    let (map, atlas) = (&valid.map, &valid.atlas);
    let (bars, decks) =
        (Bars::new(map, valid.base.rules()), alloc::vec![DeckState::Standing; map.decks.len()]);
    let layer = CostLayer::with_bars(&valid.joined, settings, bars.of_all(map, atlas, &decks));
    for link in links {
        check_link(valid, &layer, link)?;
    }
    check_teleporters(links)
}

fn check_link(valid: &ValidLevelMap, layer: &CostLayer, link: &Link) -> Result<(), LevelError> {
    let Link { kind, from, to, length, .. } = *link;
    let cell = |at: LevelCell| valid.atlas.cell(at).ok_or(LevelError::LinkOffMap { kind, from, at });
    let (start, end) = (cell(from)?, cell(to)?);
    if start == end {
        return Err(LevelError::LinkToItself { kind, from });
    }
    if !(1..=LONGEST).contains(&length) {
        return Err(LevelError::LinkLength { kind, from, length });
    }
    if kind == LinkKind::Ledge && link.ways == LinkWays::Both {
        return Err(LevelError::LedgeBothWays { from });
    }
    let count = valid.map.base.rules.locomotors.len();
    if link
        .locomotors
        .as_ref()
        .is_some_and(|some| some.is_empty() || some.iter().any(|id| id.index() >= count))
    {
        return Err(LevelError::LinkLocomotors { kind, from });
    }
    let users = (0..count as u8).map(LocomotorId).filter(|&id| link.admits(id.into()));
    let fields = users.filter_map(|id| layer.field(id.into()));
    let enter: Vec<_> = fields.filter(|field| field.is_passable(start)).collect();
    if enter.is_empty() {
        return Err(LevelError::LinkClosed { kind, from, at: from });
    }
    if !enter.iter().any(|field| field.is_passable(end)) {
        return Err(LevelError::LinkClosed { kind, from, at: to });
    }
    Ok(())
}

/// Refuses teleporters that connect cells which other teleporters connect already.
fn check_teleporters(links: &[Link]) -> Result<(), LevelError> {
    let teleporters = || links.iter().filter(|link| link.kind == LinkKind::Teleporter);
    let mut cells: Vec<LevelCell> = teleporters().flat_map(|link| [link.from, link.to]).collect();
    cells.sort_unstable();
    cells.dedup();
    // The teleporters seen so far join cells to sets; each set is named by one of its cells.
    let mut joined: Vec<usize> = (0..cells.len()).collect();
    let set_of = |joined: &[usize], at: LevelCell| {
        let mut place = cells.binary_search(&at).unwrap_or_default();
        while joined[place] != place {
            place = joined[place];
        }
        place
    };
    for link in teleporters() {
        let (from, to) = (set_of(&joined, link.from), set_of(&joined, link.to));
        if from == to {
            return Err(LevelError::TeleporterLoop { from: link.from, to: link.to });
        }
        joined[from] = to;
    }
    Ok(())
}
