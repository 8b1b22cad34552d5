//! Terrain types: what a map's cells are made of.

use alloc::string::String;

use super::surface::Surface;
use crate::base::Fixed;

/// A terrain type: an index into [`Rules::terrains`](super::Rules::terrains).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainId(pub u8);

impl TerrainId {
    /// As a slice index.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a terrain changes the cost of moving over it, where the cost table has no entry.
///
/// Factors multiply the rules' `normal` cost and are compiled to whole costs when the rules are validated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TerrainModifier {
    /// The normal cost.
    #[default]
    Normal,
    /// The normal cost times this factor, which must be above 0. A factor below 1 makes the terrain cheaper.
    Difficult(Fixed),
    /// Closed to all locomotors that do not fly.
    Impassable,
    /// Water. Swimmers pay this factor; locomotors whose surfaces include water pay the normal cost.
    Water {
        /// The factor for swimmers.
        swim_cost: Fixed,
    },
    /// A slope of this gradient, 0..=1: factor `1 + 2·gradient`, except for flyers.
    Slope {
        /// Rise over run.
        gradient: Fixed,
    },
}

/// A terrain type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainDef {
    /// Its name, unique in the rules.
    pub name: String,
    /// What kind of ground it is.
    pub surface: Surface,
    /// How it changes the cost where the table has no entry.
    pub modifier: TerrainModifier,
    /// The colour to draw it in: red, green, blue. `None` lets the renderer choose by name and surface.
    pub colour: Option<[u8; 3]>,
}

impl TerrainDef {
    /// A terrain with the normal modifier and no colour of its own.
    #[must_use]
    pub fn new(name: impl Into<String>, surface: Surface) -> Self {
        Self { name: name.into(), surface, ..Self::default() }
    }

    /// The same terrain with another modifier.
    #[must_use]
    pub fn modified(mut self, modifier: TerrainModifier) -> Self {
        self.modifier = modifier;
        self
    }
}
