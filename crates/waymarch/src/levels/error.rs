//! What is wrong with a map of levels.

use alloc::string::String;

use super::link::LinkKind;
use crate::base::{CellPos, CellRect, Dir8, GridSize, LevelCell, LocomotorId, SizeError};
use crate::cost::{MapError, StampError};

/// What is wrong with a map of levels. It names the deck by its name, and the link by its kind and its first cell.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LevelError {
    /// The base, or the rules, are wrong.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A stamp on a deck is wrong, or does not fit there.
    #[error("deck '{deck}': {fault}")]
    Stamp {
        /// The deck.
        deck: String,
        /// The fault.
        fault: StampError,
    },
    /// There are too many decks or links.
    #[error("the map has {found} {what}, more than {most}")]
    TooMany {
        /// Decks or links.
        what: &'static str,
        /// Their number.
        found: usize,
        /// The most there may be.
        most: usize,
    },
    /// All levels together need more cells than a grid may have.
    #[error("base and decks together do not fit one grid: {0}")]
    TooLarge(SizeError),
    /// A deck is not over the base.
    #[error("deck '{deck}' covers cells {area:?}, which are not all on a map of {size}")]
    DeckOffMap {
        /// The deck.
        deck: String,
        /// The cells that it covers.
        area: CellRect,
        /// The size of the base.
        size: GridSize,
    },
    /// A deck has the height 0, which is that of the base.
    #[error("deck '{deck}' has the height 0 of the base: raise it, or sink it below 0")]
    DeckOnBase {
        /// The deck.
        deck: String,
    },
    /// Two decks are in the same place and height.
    #[error("decks '{first}' and '{second}' are both at {at} at height {height}")]
    DecksMeet {
        /// The first deck.
        first: String,
        /// The second deck.
        second: String,
        /// A cell of both.
        at: CellPos,
        /// Their height.
        height: i16,
    },
    /// Terrain or heights of a deck have the wrong number of cells.
    #[error("the {what} of deck '{deck}' has {found} cells, not {expected}")]
    CellCount {
        /// The deck.
        deck: String,
        /// Terrain or elevation.
        what: &'static str,
        /// The number of cells it has.
        found: usize,
        /// The number of cells of the deck.
        expected: usize,
    },
    /// A cell of a deck has a terrain that the rules do not have.
    #[error("cell {at} of deck '{deck}' is of terrain number {terrain}, but the rules have only {count}")]
    UnknownTerrain {
        /// The deck.
        deck: String,
        /// The cell, over the base.
        at: CellPos,
        /// Its terrain.
        terrain: u8,
        /// The number of terrains in the rules.
        count: usize,
    },
    /// A deck ends on a side that is diagonal or named twice.
    #[error("deck '{deck}' ends in direction {side:?}: name north, east, south and west, each at most once")]
    DeckEnd {
        /// The deck.
        deck: String,
        /// The direction.
        side: Dir8,
    },
    /// A deck ends at the edge of the map.
    #[error("deck '{deck}' ends in direction {side:?}, but there the map ends")]
    EndOffMap {
        /// The deck.
        deck: String,
        /// The direction.
        side: Dir8,
    },
    /// A height is given for a locomotor that the rules do not have, or twice.
    #[error("the height of locomotor number {} is given twice, or the rules do not have it", .0.0)]
    UnknownLocomotor(LocomotorId),
    /// An end of a link is not on its level.
    #[error("the {kind} from {from}: there is no cell {at}")]
    LinkOffMap {
        /// The kind of the link.
        kind: LinkKind,
        /// Its first cell.
        from: LevelCell,
        /// The cell that does not exist.
        at: LevelCell,
    },
    /// A link leads to its own start.
    #[error("the {kind} from {from} leads to its own start")]
    LinkToItself {
        /// The kind of the link.
        kind: LinkKind,
        /// Its cell.
        from: LevelCell,
    },
    /// A link has a length out of range.
    #[error("the {kind} from {from} has the length {length}: it must be 1 to 16777215 (1024 is one cell)")]
    LinkLength {
        /// The kind of the link.
        kind: LinkKind,
        /// Its first cell.
        from: LevelCell,
        /// Its length.
        length: u32,
    },
    /// A ledge leads both ways.
    #[error("the ledge from {from} leads both ways: a ledge is one way, use stairs or a ladder")]
    LedgeBothWays {
        /// Its first cell.
        from: LevelCell,
    },
    /// A link names a locomotor that the rules do not have, or none at all.
    #[error("the {kind} from {from} is for no locomotor of the rules")]
    LinkLocomotors {
        /// The kind of the link.
        kind: LinkKind,
        /// Its first cell.
        from: LevelCell,
    },
    /// No unit that may use a link can stand at both of its ends.
    #[error("the {kind} from {from} starts or ends on a cell that is closed to all its units: {at}")]
    LinkClosed {
        /// The kind of the link.
        kind: LinkKind,
        /// Its first cell.
        from: LevelCell,
        /// The closed cell.
        at: LevelCell,
    },
    /// Teleporters lead back to where they started.
    #[error("the teleporter from {from} to {to} closes a loop of teleporters")]
    TeleporterLoop {
        /// Its first cell.
        from: LevelCell,
        /// Its second cell.
        to: LevelCell,
    },
}
