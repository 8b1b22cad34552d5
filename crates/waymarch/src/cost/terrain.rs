//! Terrain types: what a map is painted with.

use alloc::string::String;

use super::surface::Surface;
use crate::base::Fixed;

/// A terrain type by its place in [`Rules::terrains`](super::Rules::terrains).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainId(pub u8);

impl TerrainId {
    /// As a slice position.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a terrain changes the cost of moving over it (spec 004), where the cost table says nothing.
///
/// Factors multiply the table's `normal` value and are compiled to whole cell costs when the rules
/// are validated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TerrainModifier {
    /// The normal cost.
    #[default]
    Normal,
    /// The normal cost times this factor (> 0; above one is harder going, below one easier).
    Difficult(Fixed),
    /// Closed to everyone who does not fly.
    Impassable,
    /// Open to swimmers at this factor, and to locomotors whose surfaces include water at the normal cost.
    Water {
        /// Factor for swimmers.
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
    /// How it changes cost where the table is silent.
    pub modifier: TerrainModifier,
    /// The colour to draw it in, red, green, blue; `None` lets the renderer choose by name and surface.
    pub colour: Option<[u8; 3]>,
}

impl TerrainDef {
    /// A terrain with the normal modifier and no colour of its own.
    #[must_use]
    pub fn new(name: impl Into<String>, surface: Surface) -> Self {
        Self { name: name.into(), surface, ..Self::default() }
    }

    /// The same with another modifier.
    #[must_use]
    pub fn modified(mut self, modifier: TerrainModifier) -> Self {
        self.modifier = modifier;
        self
    }
}
