//! Decks: levels over or under the base.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::base::{CellPos, CellRect, Dir8, GridSize};
use crate::cost::{PlacedStamp, TerrainId};

/// A level over or under the base: a bridge, a tunnel, a floor or the top of a wall. World data.
///
/// ```
/// use waymarch::base::{Dir8, GridSize, cell};
/// use waymarch::cost::TerrainId;
/// use waymarch::levels::Deck;
///
/// // A bridge of 12×3 cells, two cells high, that joins the base in the west and in the east.
/// let bridge = Deck::new("bridge", cell(10, 20), GridSize::new(12, 3)?, 512, TerrainId(0)).joined(&[Dir8::W, Dir8::E]);
/// assert_eq!(bridge.area().cells().count(), 36);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Deck {
    /// The name, for errors and reports.
    pub name: String,
    /// The north-west cell, over the base.
    pub at: CellPos,
    /// The size in cells.
    pub size: GridSize,
    /// The height over the base's height 0, in elevation units; below 0 for a tunnel, never 0.
    /// [`ELEVATION_UNIT`](crate::cost::ELEVATION_UNIT) is one cell width.
    pub height: i16,
    /// One terrain per cell, row by row.
    pub terrain: Vec<TerrainId>,
    /// One height per cell above [`Deck::height`], row by row; empty for a flat deck.
    pub elevation: Vec<i16>,
    /// The stamps on the deck. Positions count as on the base.
    pub stamps: Vec<PlacedStamp>,
    /// The sides (north, east, south, west) on which the deck ends at the base: each cell of such a side is linked with the base cell beyond.
    pub ends: Vec<Dir8>,
}

/// Whether a deck stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum DeckState {
    /// It stands.
    #[default]
    Standing,
    /// It is destroyed: all of its cells are closed, and it takes no room from the level below.
    Destroyed,
}

impl Deck {
    /// A flat deck of one terrain, which ends nowhere at the base.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        at: CellPos,
        size: GridSize,
        height: i16,
        terrain: TerrainId,
    ) -> Self {
        Self {
            name: name.into(),
            at,
            size,
            height,
            terrain: vec![terrain; size.cells()],
            elevation: Vec::new(),
            stamps: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// The same deck, ending at the base on these sides.
    #[must_use]
    pub fn joined(mut self, sides: &[Dir8]) -> Self {
        self.ends = sides.to_vec();
        self
    }

    /// The cells over the base that the deck covers.
    #[must_use]
    pub fn area(&self) -> CellRect {
        CellRect::at(self.at, self.size.width(), self.size.height())
    }

    /// The height of its surface at a cell over the base: the deck's height and that of the cell.
    pub(super) fn surface(&self, at: CellPos) -> i32 {
        let here = self.size.id(at.offset(-self.at.x, -self.at.y));
        let own = here.and_then(|id| self.elevation.get(id.index())).copied().unwrap_or(0);
        i32::from(self.height) + i32::from(own)
    }
}
