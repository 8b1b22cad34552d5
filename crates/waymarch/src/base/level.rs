//! Levels of a map, and cells on them.

use core::fmt;

use super::cell::CellPos;

/// The number of a level: 0 is the base, 1 the first deck.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LevelId(pub u16);

impl LevelId {
    /// The base level.
    pub const BASE: Self = Self(0);

    /// The level of deck number `index`, counted from 0.
    #[must_use]
    pub const fn of_deck(index: u16) -> Self {
        Self(index + 1)
    }

    /// The number of the deck; `None` for the base.
    #[must_use]
    pub const fn deck(self) -> Option<usize> {
        if self.0 == 0 { None } else { Some(self.0 as usize - 1) }
    }
}

impl fmt::Display for LevelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::BASE { f.write_str("the base") } else { write!(f, "level {}", self.0) }
    }
}

/// A cell on a level. Its position counts from the north-west corner of the base, on every level: a cell of a bridge and the water
/// under it have the same position.
///
/// ```
/// use waymarch::base::{LevelId, cell};
/// let on_the_bridge = cell(3, 4).on(LevelId(1));
/// assert_eq!(on_the_bridge.to_string(), "(3, 4) on level 1");
/// assert_eq!(cell(3, 4).on(LevelId::BASE).to_string(), "(3, 4) on the base");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LevelCell {
    /// The level.
    pub level: LevelId,
    /// The position over the base.
    pub at: CellPos,
}

impl CellPos {
    /// The cell at this position on a level.
    #[inline]
    #[must_use]
    pub const fn on(self, level: LevelId) -> LevelCell {
        LevelCell { level, at: self }
    }
}

impl fmt::Display for LevelCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.at, self.level)
    }
}
