//! A stamp: the footprint of a building, gate, wall, bridge or wreck.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::base::{CellPos, CellRect, GridSize};
use crate::cost::rules::TerrainId;

/// The longest side of a footprint: 64 cells.
pub const MAX_STAMP_SIDE: u32 = 64;

/// What one cell of a footprint does to the ground under it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum FootCell {
    /// Nothing: the cell belongs to the rectangle, not to the building.
    Open,
    /// Closed to all locomotors that do not fly.
    Blocked,
    /// Units may pass but not stop, such as at a factory's exit.
    NoStop,
    /// Blocked while the gate is closed, open while it is open.
    Gate,
    /// Closed except to locomotors that crush this class (0..=31).
    Wall(u8),
    /// Replaces the terrain, such as a bridge over water or rubble. The stamp placed last wins.
    Terrain(TerrainId),
}

/// The footprint of a kind of building: a rectangle of [`FootCell`]s, row by row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stamp {
    /// Its name, for reports and pictures. It need not be unique.
    pub name: String,
    /// Columns, 1..=[`MAX_STAMP_SIDE`].
    pub width: u32,
    /// Rows, 1..=[`MAX_STAMP_SIDE`].
    pub height: u32,
    /// `width × height` cells.
    pub cells: Vec<FootCell>,
    /// Ticks until the stamp is removed automatically; `None` for a stamp that stands until the game removes it.
    pub lifetime: Option<u32>,
}

/// What is wrong with a footprint.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StampError {
    /// A side is 0 or over [`MAX_STAMP_SIDE`].
    #[error("stamp '{name}' is {width}×{height}: each side must be 1..={MAX_STAMP_SIDE}")]
    BadSize {
        /// The stamp's name.
        name: String,
        /// Its columns.
        width: u32,
        /// Its rows.
        height: u32,
    },
    /// It does not have `width × height` cells.
    #[error("stamp '{name}' has {found} cells, not {expected}")]
    CellCount {
        /// The stamp's name.
        name: String,
        /// The number of cells it has.
        found: usize,
        /// The number of cells it should have.
        expected: usize,
    },
    /// A wall class is above 31.
    #[error("stamp '{name}' has a wall of class {class}: classes are 0..=31")]
    WallClass {
        /// The stamp's name.
        name: String,
        /// The class.
        class: u8,
    },
    /// The rules do not have the terrain.
    #[error("stamp '{name}' names terrain number {terrain}, which the rules do not have")]
    UnknownTerrain {
        /// The stamp's name.
        name: String,
        /// The terrain.
        terrain: u8,
    },
    /// It does not fit on the map there.
    #[error("stamp '{name}' ({width}×{height}) at {at} does not fit a map of {size}")]
    OffMap {
        /// The stamp's name.
        name: String,
        /// Its columns.
        width: u32,
        /// Its rows.
        height: u32,
        /// Its north-west cell.
        at: CellPos,
        /// The map's size.
        size: GridSize,
    },
    /// The lifetime is 0 ticks.
    #[error("stamp '{name}' has a lifetime of 0 ticks: leave it out for a lasting stamp")]
    NoLifetime {
        /// The stamp's name.
        name: String,
    },
}

impl Stamp {
    /// A rectangle filled with one kind of cell.
    #[must_use]
    pub fn filled(name: impl Into<String>, width: u32, height: u32, cell: FootCell) -> Self {
        let count = (width.min(MAX_STAMP_SIDE) * height.min(MAX_STAMP_SIDE)) as usize;
        Self { name: name.into(), width, height, cells: vec![cell; count], lifetime: None }
    }

    /// A solid building.
    #[must_use]
    pub fn solid(width: u32, height: u32) -> Self {
        Self::filled("building", width, height, FootCell::Blocked)
    }

    /// The same stamp with a lifetime of `ticks` ticks.
    #[must_use]
    pub fn lasting(mut self, ticks: u32) -> Self {
        self.lifetime = Some(ticks);
        self
    }

    /// Checks everything that needs no map. `terrains` is the number of terrains in the rules.
    ///
    /// # Errors
    /// [`StampError`] naming the stamp and the fault.
    pub fn check(&self, terrains: usize) -> Result<(), StampError> {
        let name = || self.name.clone();
        let (width, height) = (self.width, self.height);
        if !(1..=MAX_STAMP_SIDE).contains(&width) || !(1..=MAX_STAMP_SIDE).contains(&height) {
            return Err(StampError::BadSize { name: name(), width, height });
        }
        let expected = (width * height) as usize;
        if self.cells.len() != expected {
            return Err(StampError::CellCount { name: name(), found: self.cells.len(), expected });
        }
        if self.lifetime == Some(0) {
            return Err(StampError::NoLifetime { name: name() });
        }
        for cell in &self.cells {
            match *cell {
                FootCell::Wall(class) if class > 31 => {
                    return Err(StampError::WallClass { name: name(), class });
                }
                FootCell::Terrain(terrain) if terrain.index() >= terrains => {
                    return Err(StampError::UnknownTerrain { name: name(), terrain: terrain.0 });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks the footprint, and that its whole rectangle is on a map of `size` when its north-west cell is at `at`.
    ///
    /// # Errors
    /// [`StampError`] naming the stamp and the fault.
    pub fn check_at(&self, terrains: usize, size: GridSize, at: CellPos) -> Result<(), StampError> {
        self.check(terrains)?;
        let (name, width, height) = (&self.name, self.width, self.height);
        let rect = CellRect::at(at, width, height);
        if rect.intersect(size.rect()) == rect && !rect.is_empty() {
            return Ok(());
        }
        Err(StampError::OffMap { name: name.clone(), width, height, at, size })
    }
}
