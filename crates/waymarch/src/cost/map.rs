//! A map as a file or a generator describes it: plain data, before costs are compiled.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::rules::{Rules, RulesError, TerrainId, ValidRules};
use super::stamps::{Stamp, StampError};
use crate::base::{CellPos, GridSize};

/// 256 elevation units are one cell width of height.
pub const ELEVATION_UNIT: i16 = 256;

/// A stamp that stands on the map from the start.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlacedStamp {
    /// Its north-west cell.
    pub at: CellPos,
    /// The footprint.
    pub stamp: Stamp,
}

/// World data: terrain, heights, stamps, player starts, and the rules the map was made for.
///
/// Plain data: fill it in any order. [`Map::validate`] checks it once, and the engine takes only the checked form.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Map {
    /// The map's name, for reports.
    pub name: String,
    /// The map's size in cells.
    pub size: GridSize,
    /// Terrains, locomotors and costs.
    pub rules: Rules,
    /// One terrain per cell, row by row.
    pub terrain: Vec<TerrainId>,
    /// One height per cell, row by row; empty for a flat map. [`ELEVATION_UNIT`] is one cell width.
    pub elevation: Vec<i16>,
    /// The stamps on the map, in the order of placing.
    pub stamps: Vec<PlacedStamp>,
    /// Where players start.
    pub starts: Vec<CellPos>,
}

/// What is wrong with a map.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MapError {
    /// The rules are wrong.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A layer has the wrong number of cells.
    #[error("the {what} layer has {found} cells, not {expected}")]
    CellCount {
        /// Terrain or elevation.
        what: &'static str,
        /// The number of cells it has.
        found: usize,
        /// The number of cells the map's size needs.
        expected: usize,
    },
    /// A cell has a terrain that the rules do not have.
    #[error("cell {at} is of terrain number {terrain}, but the rules have only {count}")]
    UnknownTerrain {
        /// The cell.
        at: CellPos,
        /// Its terrain.
        terrain: u8,
        /// The number of terrains in the rules.
        count: usize,
    },
    /// A stamp's footprint is wrong.
    #[error(transparent)]
    Stamp(#[from] StampError),
    /// A player start is off the map.
    #[error("the player start {at} is not on a map of {size}")]
    StartOffMap {
        /// The start.
        at: CellPos,
        /// The map's size.
        size: GridSize,
    },
}

impl Map {
    /// A flat map, all of the rules' first terrain.
    #[must_use]
    pub fn flat(name: impl Into<String>, size: GridSize, rules: Rules) -> Self {
        Self {
            name: name.into(),
            size,
            rules,
            terrain: vec![TerrainId(0); size.cells()],
            elevation: Vec::new(),
            stamps: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// The terrain of `at`; `None` off the map.
    #[must_use]
    pub fn terrain_at(&self, at: CellPos) -> Option<TerrainId> {
        self.size.id(at).and_then(|id| self.terrain.get(id.index()).copied())
    }

    /// Sets the terrain of `at`. Does nothing off the map.
    pub fn set_terrain(&mut self, at: CellPos, terrain: TerrainId) {
        if let Some(cell) = self.size.id(at).and_then(|id| self.terrain.get_mut(id.index())) {
            *cell = terrain;
        }
    }

    /// Checks everything: layer sizes, terrain numbers, stamps, starts and rules.
    ///
    /// # Errors
    /// [`MapError`] naming the first fault.
    pub fn validate(self) -> Result<ValidMap, MapError> {
        let rules = self.rules.validate()?;
        let expected = self.size.cells();
        if self.terrain.len() != expected {
            return Err(MapError::CellCount { what: "terrain", found: self.terrain.len(), expected });
        }
        if !self.elevation.is_empty() && self.elevation.len() != expected {
            return Err(MapError::CellCount { what: "elevation", found: self.elevation.len(), expected });
        }
        let count = self.rules.terrains.len();
        if let Some(bad) = self.terrain.iter().position(|terrain| terrain.index() >= count) {
            let at = self.size.rect().cells().nth(bad).unwrap_or_default();
            return Err(MapError::UnknownTerrain { at, terrain: self.terrain[bad].0, count });
        }
        for placed in &self.stamps {
            placed.stamp.check_at(count, self.size, placed.at)?;
        }
        if let Some(&at) = self.starts.iter().find(|&&at| !self.size.contains(at)) {
            return Err(MapError::StartOffMap { at, size: self.size });
        }
        Ok(ValidMap { map: self, rules })
    }
}

/// A map that passed [`Map::validate`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValidMap {
    pub(crate) map: Map,
    pub(crate) rules: ValidRules,
}

impl ValidMap {
    /// The map as described.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The compiled rules.
    #[must_use]
    pub fn rules(&self) -> &ValidRules {
        &self.rules
    }

    /// Gives back the plain map, to be changed and validated again.
    #[must_use]
    pub fn into_inner(self) -> Map {
        self.map
    }
}
