//! Stamps: the footprints of buildings, gates, walls, bridges and wrecks.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::terrain::TerrainId;
use crate::base::{CellPos, CellRect, GridSize};

/// The longest side of a footprint, in cells.
pub const MAX_STAMP_SIDE: u32 = 64;

/// What one cell of a footprint does to the ground under it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum FootCell {
    /// Nothing: part of the rectangle, not of the building.
    Open,
    /// Closed to all who do not fly.
    Blocked,
    /// May be passed but not stopped on (a factory's exit).
    NoStop,
    /// Blocked while the gate is closed, open while it is open.
    Gate,
    /// Closed except to locomotors that crush this class (0..=31).
    Wall(u8),
    /// Replaces the terrain (a bridge over water, rubble); the latest placed stamp wins.
    Terrain(TerrainId),
}

/// The footprint of a kind of building: a rectangle of [`FootCell`]s, row by row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stamp {
    /// What it is, for reports and pictures; need not be unique.
    pub name: String,
    /// Columns, 1..=[`MAX_STAMP_SIDE`].
    pub width: u32,
    /// Rows, 1..=[`MAX_STAMP_SIDE`].
    pub height: u32,
    /// `width × height` cells.
    pub cells: Vec<FootCell>,
    /// How many ticks it stands before it goes by itself; `None` stands until removed.
    pub lifetime: Option<u32>,
}

/// What is wrong with a footprint.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StampError {
    /// A side of 0 or over [`MAX_STAMP_SIDE`].
    #[error("stamp '{name}' is {width}×{height}: each side must be 1..={MAX_STAMP_SIDE}")]
    BadSize {
        /// The stamp's name.
        name: String,
        /// Its columns.
        width: u32,
        /// Its rows.
        height: u32,
    },
    /// Not `width × height` cells.
    #[error("stamp '{name}' has {found} cells, not {expected}")]
    CellCount {
        /// The stamp's name.
        name: String,
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A wall class above 31.
    #[error("stamp '{name}' has a wall of class {class}: classes are 0..=31")]
    WallClass {
        /// The stamp's name.
        name: String,
        /// The class.
        class: u8,
    },
    /// A terrain that the rules do not have.
    #[error("stamp '{name}' names terrain number {terrain}, which the rules do not have")]
    UnknownTerrain {
        /// The stamp's name.
        name: String,
        /// The terrain.
        terrain: u8,
    },
    /// It does not fit the map where it should stand.
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
    /// A lifetime of 0 ticks.
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

    /// The same, standing for `ticks` ticks only.
    #[must_use]
    pub fn lasting(mut self, ticks: u32) -> Self {
        self.lifetime = Some(ticks);
        self
    }

    /// Checks everything that can be checked without a map; `terrains` is how many the rules have.
    ///
    /// # Errors
    /// [`StampError`] naming the stamp and what is wrong.
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

    /// Checks that it is a legal footprint whose whole rectangle, with its north-west cell at `at`, is on a map of `size`.
    ///
    /// # Errors
    /// [`StampError`] naming the stamp and what is wrong.
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
