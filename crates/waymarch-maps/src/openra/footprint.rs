//! Building footprints: which cells of an actor are closed.

use waymarch::base::{CellPos, CellRect, GridSize};
use waymarch::cost::{FootCell, MAX_STAMP_SIDE, PlacedStamp, Stamp};

use super::locomotors::CrushClasses;
use super::miniyaml::Node;
use super::tileset::{list, wrong};
use crate::error::FileResult;

/// The footprint of a resolved actor; `None` if it closes no cell (units, decoration, bridges).
///
/// `x` and `X` close a cell, or make it a wall if some locomotor crushes the actor's class. Units may cross `+` but
/// not stop there. `=` and `_` are open.
pub(super) fn stamp_of(
    file: &str,
    actor: &Node,
    name: &str,
    classes: &CrushClasses,
) -> FileResult<Option<Stamp>> {
    let Some(building) = actor.child("Building") else { return Ok(None) };
    let dimensions = building.child("Dimensions");
    let (width, height) = match dimensions.map(|node| (node, pair(&node.value))) {
        None => (1, 1),
        Some((_, Some((width, height))))
            if (1..=MAX_STAMP_SIDE as i32).contains(&width)
                && (1..=MAX_STAMP_SIDE as i32).contains(&height) =>
        {
            (width as u32, height as u32)
        }
        Some((node, _)) => {
            let problem = format!("'{}' are not dimensions of 1,1 to 64,64", node.value);
            return Err(wrong(file, node, problem));
        }
    };
    let crushable = actor.child("Crushable").and_then(|node| {
        list(node.child_value("CrushClasses").unwrap_or("infantry")).find_map(|class| classes.number(class))
    });
    let closed = crushable.map_or(FootCell::Blocked, FootCell::Wall);
    let footprint = building.child_value("Footprint").unwrap_or("x");
    let mut cells = Vec::with_capacity((width * height) as usize);
    for mark in footprint.chars().filter(|mark| !mark.is_whitespace()).take(cells.capacity()) {
        cells.push(match mark {
            'x' | 'X' => closed,
            '+' => FootCell::NoStop,
            '=' | '_' => FootCell::Open,
            other => {
                return Err(wrong(
                    file,
                    building,
                    format!("'{other}' in the footprint of '{name}' is not known"),
                ));
            }
        });
    }
    cells.resize((width * height) as usize, FootCell::Open);
    let open = cells.iter().all(|&cell| cell == FootCell::Open);
    Ok((!open).then(|| Stamp { name: name.to_owned(), width, height, cells, lifetime: None }))
}

/// `stamp` at `at`, clipped to the map; `None` if all of it lies outside.
pub(super) fn place(stamp: &Stamp, at: CellPos, size: GridSize) -> Option<PlacedStamp> {
    let whole = CellRect::at(at, stamp.width, stamp.height);
    let part = whole.intersect(size.rect());
    if part.is_empty() {
        return None;
    }
    if part == whole {
        return Some(PlacedStamp { at, stamp: stamp.clone() });
    }
    let cells = part.cells().map(|cell| {
        let (x, y) = ((cell.x - at.x) as usize, (cell.y - at.y) as usize);
        stamp.cells[y * stamp.width as usize + x]
    });
    let cut = Stamp {
        cells: cells.collect(),
        width: (part.x1 - part.x0) as u32,
        height: (part.y1 - part.y0) as u32,
        ..stamp.clone()
    };
    Some(PlacedStamp { at: CellPos::new(part.x0, part.y0), stamp: cut })
}

/// The two integers of `a,b`.
pub(super) fn pair(value: &str) -> Option<(i32, i32)> {
    let (a, b) = value.split_once(',')?;
    Some((a.trim().parse().ok()?, b.trim().parse().ok()?))
}
