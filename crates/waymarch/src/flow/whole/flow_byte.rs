//! What a field says of one cell, in one byte.

use crate::base::Dir8;

/// Which way from one cell, in one byte: a direction and flags, as spec 000 lays them out.
///
/// The low four bits are the number of a direction, 8 in the goal, 15 where no way leads to it. Bit 4 is kept free for "sees the
/// goal", bit 5 says that the cell is open, bits 6 and 7 are free.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FlowByte(pub u8);

/// What a cell has for a direction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flow {
    /// Go that way.
    Step(Dir8),
    /// Stay: this is the goal.
    Goal,
    /// Open ground from which no way leads to the goal.
    Nowhere,
    /// The agent cannot stand here.
    Closed,
}

impl FlowByte {
    /// The bits of the direction.
    pub const DIRECTION: u8 = 0x0f;
    /// Free for whoever knows that the goal can be seen from here; whole-map fields leave it unset.
    pub const HAS_LOS: u8 = 0x10;
    /// The cell is open.
    pub const PATHABLE: u8 = 0x20;
    /// In the goal.
    pub const GOAL: Self = Self(Self::PATHABLE | 8);
    /// Open, but no way leads to the goal.
    pub const NOWHERE: Self = Self(Self::PATHABLE | 15);
    /// Closed.
    pub const CLOSED: Self = Self(15);

    /// A step from an open cell.
    #[inline]
    #[must_use]
    pub const fn step(dir: Dir8) -> Self {
        Self(Self::PATHABLE | dir.index())
    }

    /// What it means; a byte that no field writes counts as closed, or as leading nowhere.
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
    fn every_byte_means_something_and_those_of_a_field_what_they_say() {
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
