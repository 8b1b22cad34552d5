//! A unit that waits before a passage, or lines up to cross it.

use crate::base::{CellPos, persist_fields};

/// World: the mouth of the passage that a unit waits before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PassageWait {
    /// The cell of the passage at the mouth.
    pub(crate) inside: CellPos,
    /// The cell outside.
    pub(crate) outside: CellPos,
    /// Whether the unit is inside and walks back.
    pub(crate) retreats: bool,
}

/// World: the passage that a unit without a group crosses in a line with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PassageLine {
    /// The number of the passage's first cell, which is its name.
    pub(crate) passage: u32,
    /// The cell of the passage at the mouth through which units enter.
    pub(crate) mouth: CellPos,
    /// Whether the unit is inside.
    pub(crate) inside: bool,
}

persist_fields! {
    PassageWait { inside: CellPos, outside: CellPos, retreats: bool }
    PassageLine { passage: u32, mouth: CellPos, inside: bool }
}
