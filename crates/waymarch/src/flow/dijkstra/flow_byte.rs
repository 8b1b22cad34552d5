//! A flow byte: a cell's direction and flags.

use crate::base::Dir8;

/// The direction from one cell, with flags, in one byte.
///
/// The low 4 bits are a direction number: 8 in the goal, 15 where no route leads to the goal. Bit 4 means that the goal is visible, bit 5
/// that the cell is open. Bit 6 is used only inside flow tiles, which never return it. Bit 7 is free.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FlowByte(pub u8);

/// What a flow byte says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flow {
    /// Go in this direction.
    Step(Dir8),
    /// Stay: this is the goal.
    Goal,
    /// Open ground from which no route leads to the goal.
    Nowhere,
    /// The agent cannot stand here.
    Closed,
}

impl FlowByte {
    /// The low 4 bits: the direction.
    pub const DIRECTION: u8 = 0x0f;
    /// Bit 4: the goal is visible from here. Whole-map fields leave it unset.
    pub const HAS_LOS: u8 = 0x10;
    /// Bit 5: the cell is open.
    pub const PATHABLE: u8 = 0x20;
    /// In the goal: direction 8.
    pub const GOAL: Self = Self(Self::PATHABLE | 8);
    /// Open, but no route leads to the goal: direction 15.
    pub const NOWHERE: Self = Self(Self::PATHABLE | 15);
    /// Closed: direction 15 without the open bit.
    pub const CLOSED: Self = Self(15);

    /// A step from an open cell.
    #[inline]
    #[must_use]
    pub const fn step(dir: Dir8) -> Self {
        Self(Self::PATHABLE | dir.index())
    }

    /// What the byte says. A byte that no field writes counts as closed or as leading nowhere.
    #[inline]
    #[must_use]
    pub const fn flow(self) -> Flow {
        if self.0 & Self::PATHABLE == 0 {
            return Flow::Closed;
        }
        match self.0 & Self::DIRECTION {
            dir @ 0..=7 => Flow::Step(Dir8::from_index(dir)),
            8 => Flow::Goal,
            _ => Flow::Nowhere,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_meaning_and_the_bytes_of_fields_keep_theirs() {
        for dir in Dir8::ALL {
            assert_eq!(FlowByte::step(dir).flow(), Flow::Step(dir));
            assert_eq!(FlowByte(FlowByte::step(dir).0 | FlowByte::HAS_LOS).flow(), Flow::Step(dir));
        }
        assert_eq!(FlowByte::GOAL.flow(), Flow::Goal);
        assert_eq!(FlowByte::NOWHERE.flow(), Flow::Nowhere);
        assert_eq!(FlowByte::CLOSED.flow(), Flow::Closed);
        assert_eq!(FlowByte(0x2c).flow(), Flow::Nowhere);
        assert_eq!(FlowByte(0).flow(), Flow::Closed);
    }
}
