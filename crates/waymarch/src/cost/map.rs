//! A map as a file or a generator describes it: plain data, before any locomotor looks at it.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::rules::{Rules, RulesError, ValidRules};
use super::stamp::{Stamp, StampError};
use super::terrain::TerrainId;
use crate::base::{CellPos, GridSize};

/// This many elevation units are one cell-width of height.
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

/// World data: terrain, heights, the stamps that stand on it, player starts, and the rules it was made for.
///
/// Plain data: fill it in any way, [`Map::validate`] checks it once and everything else takes the result.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Map {
    /// What it is called, for reports.
    pub name: String,
    /// Its size in cells.
    pub size: GridSize,
    /// Terrains, locomotors and costs.
    pub rules: Rules,
    /// One terrain per cell, row by row.
    pub terrain: Vec<TerrainId>,
    /// One height per cell, row by row, [`ELEVATION_UNIT`] to a cell-width; empty for a flat map.
    pub elevation: Vec<i16>,
    /// What stands on it, in order of placing.
    pub stamps: Vec<PlacedStamp>,
    /// Where players start.
    pub starts: Vec<CellPos>,
}

/// What is wrong with a map.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MapError {
    /// The rules are.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A layer has the wrong number of cells.
    #[error("the {what} layer has {found} cells, not {expected}")]
    CellCount {
        /// Terrain or elevation.
        what: &'static str,
        /// How many it has.
        found: usize,
        /// How many the size asks for.
        expected: usize,
    },
    /// A cell of a terrain that the rules do not have.
    #[error("cell {at} is of terrain number {terrain}, but the rules have only {count}")]
    UnknownTerrain {
        /// The cell.
        at: CellPos,
        /// Its terrain.
        terrain: u8,
        /// How many there are.
        count: usize,
    },
    /// A stamp's footprint is wrong.
    #[error(transparent)]
    Stamp(#[from] StampError),
    /// A player start off the map.
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

    /// The terrain of `at`, or `None` off the map.
    #[must_use]
    pub fn terrain_at(&self, at: CellPos) -> Option<TerrainId> {
        self.size.id(at).and_then(|id| self.terrain.get(id.index()).copied())
    }

    /// Sets the terrain of `at`; off the map nothing happens.
    pub fn set_terrain(&mut self, at: CellPos, terrain: TerrainId) {
        if let Some(cell) = self.size.id(at).and_then(|id| self.terrain.get_mut(id.index())) {
            *cell = terrain;
        }
    }

    /// Checks everything: layer sizes, terrain numbers, stamps, starts and rules.
    ///
    /// # Errors
    /// [`MapError`] naming the first culprit.
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

    /// Its rules, compiled.
    #[must_use]
    pub fn rules(&self) -> &ValidRules {
        &self.rules
    }

    /// Gives the plain map back, to be changed and validated again.
    #[must_use]
    pub fn into_inner(self) -> Map {
        self.map
    }
}
