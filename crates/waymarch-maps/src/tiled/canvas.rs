//! Builds a map from Tiled layers and objects.

use std::path::Path;

use waymarch::base::{CellPos, CellRect, GridSize};
use waymarch::cost::{IMPASSABLE, MAX_STAMP_SIDE, Map, PlacedStamp, Stamp, TerrainId};

use crate::error::{FileError, FileResult, Place};
use crate::rules_by_name::{NamedTerrain, rules_for};

/// The terrain of cells without a tile on any layer; closed to all locomotors.
pub const EMPTY: &str = "Empty";

/// All layers together have at most 2²⁸ cells, so that a small compressed file does not take hours.
const MAX_LAID: u64 = 1 << 28;

/// The terrain and cost of a tile or a layer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Paint {
    pub(super) terrain: Option<String>,
    pub(super) cost: Option<i64>,
}

/// An object; positions are in pixels times [`SUBPIXELS`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Mark {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) class: String,
    /// The property `stamp`.
    pub(super) stamp: Option<String>,
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) width: i64,
    pub(super) height: i64,
}

/// A pixel is 256 units in a [`Mark`].
const SUBPIXELS: i64 = 256;

/// A coordinate of the file as an integer. NaN becomes 0; large values are clamped.
pub(super) fn subpixels(pixels: f64) -> i64 {
    (pixels * SUBPIXELS as f64).clamp(-1e12, 1e12) as i64
}

/// The orientation of a map, as far as it concerns cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Projection {
    Orthogonal,
    /// Positions of objects count a cell as one tile height along both axes.
    Isometric,
}

/// Scratch: a map that is being built. Memory for cells is allocated when the first complete layer arrives.
#[derive(Debug)]
pub(super) struct Canvas<'a> {
    file: &'a str,
    pub(super) size: GridSize,
    /// Width and height of a cell in pixels.
    pitch: (i64, i64),
    /// The number of the cell's kind plus one; 0 for none.
    cells: Vec<u16>,
    kinds: Vec<(String, Option<u8>)>,
    stamps: Vec<PlacedStamp>,
    starts: Vec<CellPos>,
    /// How many cells the layers had so far.
    laid: u64,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(
        file: &'a str,
        size: GridSize,
        tile: (u32, u32),
        projection: Projection,
    ) -> FileResult<Self> {
        let (width, height) = match projection {
            Projection::Orthogonal => tile,
            Projection::Isometric => (tile.1, tile.1),
        };
        if width == 0 || height == 0 {
            let error = FileError::new(file, "the map's tiles must be at least 1 pixel wide and high");
            return Err(error.at(Place::Key("tilewidth".into())));
        }
        let pitch = (i64::from(width), i64::from(height));
        let (cells, kinds, stamps, starts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Ok(Self { file, size, pitch, cells, kinds, stamps, starts, laid: 0 })
    }

    /// The kind of a tile on a layer. The tile's own properties come before the layer's.
    pub(super) fn kind(&mut self, tile: &Paint, layer: &Paint) -> Result<u16, String> {
        let terrain = tile.terrain.as_ref().or(layer.terrain.as_ref());
        let terrain = terrain.ok_or("has no terrain: give it or its layer the property `terrain`")?;
        let cost = match tile.cost.or(layer.cost) {
            None => None,
            Some(cost @ 1..=255) => Some(cost as u8),
            Some(cost) => {
                return Err(format!("has cost {cost}: it must be 1..=254, or 255 for impassable"));
            }
        };
        let found = self.kinds.iter().position(|(name, known)| name == terrain && *known == cost);
        let at = found.unwrap_or_else(|| {
            self.kinds.push((terrain.clone(), cost));
            self.kinds.len() - 1
        });
        // One number is reserved for empty cells.
        if at >= 255 {
            Err("has one terrain too many: a map has at most 255".into())
        } else {
            Ok(at as u16 + 1)
        }
    }

    /// Counts the cells of a layer before it is unpacked.
    ///
    /// # Errors
    /// If all layers together have more than [`MAX_LAID`] cells.
    pub(super) fn announce_layer(&mut self) -> Result<(), String> {
        self.laid += self.size.cells() as u64;
        if self.laid > MAX_LAID {
            Err(format!("all layers together have more than {MAX_LAID} cells"))
        } else {
            Ok(())
        }
    }

    /// Adds a whole layer on top of the others; 0 leaves a cell as it is.
    pub(super) fn lay(&mut self, kinds: impl Iterator<Item = u16>) {
        self.cells.resize(self.size.cells(), 0);
        for (cell, kind) in self.cells.iter_mut().zip(kinds) {
            if kind != 0 {
                *cell = kind;
            }
        }
    }

    /// The error about a tile at index `at` of a layer.
    pub(super) fn wrong_tile(&self, at: usize, problem: &str) -> FileError {
        let cell = self.size.pos(waymarch::base::CellId(at as u32));
        FileError::new(self.file, format!("the tile {problem}")).at(Place::Cell(cell))
    }

    /// Adds objects. Class `start` is a player start. Class `building`, or the property `stamp`, closes the
    /// cells that the object touches. Other objects are ignored.
    pub(super) fn mark(&mut self, mark: &Mark) -> FileResult<()> {
        let wrong = |problem: String| {
            let key = format!("object {} '{}'", mark.id, mark.name);
            FileError::new(self.file, problem).at(Place::Key(key))
        };
        let (width, height) = (self.pitch.0 * SUBPIXELS, self.pitch.1 * SUBPIXELS);
        if mark.class == "start" {
            let (x, y) = (mark.x + mark.width / 2, mark.y + mark.height / 2);
            let at = cell_at(x.div_euclid(width), y.div_euclid(height));
            if !self.size.contains(at) {
                return Err(wrong(format!("the start at cell {at} is outside the map")));
            }
            self.starts.push(at);
        } else if mark.class == "building" || mark.stamp.is_some() {
            let first = cell_at(mark.x.div_euclid(width), mark.y.div_euclid(height));
            // The last cell that the object touches; an object without width or height touches one cell.
            let reach = |from: i64, len: i64, side: i64| (from + len.max(1) - 1).div_euclid(side);
            let last = cell_at(reach(mark.x, mark.width, width), reach(mark.y, mark.height, height));
            let rect = CellRect { x0: first.x, y0: first.y, x1: last.x + 1, y1: last.y + 1 };
            let rect = rect.intersect(self.size.rect());
            if rect.is_empty() {
                return Ok(());
            }
            let (width, height) = ((rect.x1 - rect.x0) as u32, (rect.y1 - rect.y0) as u32);
            if width.max(height) > MAX_STAMP_SIDE {
                return Err(wrong(format!(
                    "the building has {width}×{height} cells: each side must be 1..=64"
                )));
            }
            let named = Some(&mark.name).filter(|name| !name.is_empty());
            let name = mark.stamp.as_ref().or(named).map_or("building", String::as_str);
            let stamp = Stamp { name: name.to_owned(), ..Stamp::solid(width, height) };
            self.stamps.push(PlacedStamp { at: CellPos::new(rect.x0, rect.y0), stamp });
        }
        Ok(())
    }

    /// The finished map.
    pub(super) fn finish(mut self) -> FileResult<Map> {
        if self.cells.is_empty() {
            let error = FileError::new(self.file, "the map has no tile layer");
            return Err(error.at(Place::Key("layer".into())));
        }
        let empty = self.kinds.len() as u16;
        if self.cells.contains(&0) {
            self.kinds.push((EMPTY.to_owned(), Some(IMPASSABLE)));
        }
        // One terrain name may have several costs, but names in the rules must be unique.
        let mut names: Vec<String> = Vec::new();
        for (name, cost) in &self.kinds {
            let mut unique = name.clone();
            while names.contains(&unique) {
                unique =
                    format!("{unique} ({})", cost.map_or("standard".into(), |cost| format!("cost {cost}")));
            }
            names.push(unique);
        }
        let named = names.iter().zip(&self.kinds);
        let rules = rules_for(1, named.map(|(name, &(_, cost))| NamedTerrain { name, cost, colour: None }));
        let name = Path::new(self.file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut map = Map::flat(name, self.size, rules);
        for (cell, &kind) in map.terrain.iter_mut().zip(&self.cells) {
            *cell = TerrainId(kind.checked_sub(1).unwrap_or(empty) as u8);
        }
        (map.stamps, map.starts) = (self.stamps, self.starts);
        Ok(map)
    }
}

/// Clamps to a cell outside any map instead of wrapping around.
fn cell_at(x: i64, y: i64) -> CellPos {
    let near = |value: i64| value.clamp(-1_000_000, 1_000_000) as i32;
    CellPos::new(near(x), near(y))
}
