//! What a player can do in a tick, and players that follow a script.

use serde::{Deserialize, Serialize};
use waymarch::base::{ByteReader, ByteWriter, LoadError, Persist, Purpose, Rng, Tick};

use crate::battle::SIDE;

/// Squad number 3 means all units of a player.
pub const ALL_SQUADS: u8 = 3;

/// A cell of the map, as 2 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Spot {
    /// The column, from 0 in the west.
    pub x: u8,
    /// The row, from 0 in the north.
    pub y: u8,
}

/// What a player does in one tick: at most one thing.
///
/// An input names squads and cells, never unit ids. The peer that applies it finds the units in its own World.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Input {
    /// Nothing. Rollback predicts this input.
    #[default]
    Idle,
    /// A squad moves to a cell and stands there as a box.
    March {
        /// 0 to 2, or [`ALL_SQUADS`].
        squad: u8,
        /// The destination.
        to: Spot,
    },
    /// A squad attacks towards a cell.
    Charge {
        /// 0 to 2, or [`ALL_SQUADS`].
        squad: u8,
        /// The destination.
        to: Spot,
    },
    /// A squad patrols between its position and a cell.
    Patrol {
        /// 0 to 2, or [`ALL_SQUADS`].
        squad: u8,
        /// The other end of the patrol.
        to: Spot,
    },
    /// A squad spreads out.
    Scatter {
        /// 0 to 2, or [`ALL_SQUADS`].
        squad: u8,
    },
    /// A wall of 1×6 cells is built. It stands for 30 seconds.
    Wall {
        /// The cell in the north-west.
        at: Spot,
    },
    /// The ground of 3×3 cells becomes rough, or clear again.
    Dig {
        /// The cell in the north-west.
        at: Spot,
    },
    /// A seat takes part from now on. Only the host of a lockstep game sends this.
    Admit {
        /// The seat that joins.
        seat: u8,
    },
}

impl Input {
    /// What the scripted player in a seat does in a tick. About one tick in 16 has an input.
    #[must_use]
    pub fn scripted(seed: u64, seat: u8, tick: u64) -> Self {
        let mut rng = Rng::keyed(seed, Tick(tick), u64::from(seat), Purpose(1));
        if !rng.chance(1, 16) {
            return Self::Idle;
        }
        let mut spot = || Spot { x: rng.below(SIDE) as u8, y: rng.below(SIDE) as u8 };
        let to = spot();
        let squad = rng.below(4) as u8;
        match rng.below(20) {
            0..=5 => Self::March { squad, to },
            6..=11 => Self::Charge { squad, to },
            12..=13 => Self::Patrol { squad, to },
            14 => Self::Scatter { squad },
            15..=17 => Self::Wall { at: to },
            _ => Self::Dig { at: to },
        }
    }
}

/// Four bytes: the kind, the squad or seat, and the cell.
impl Persist for Input {
    fn save(&self, writer: &mut ByteWriter) {
        let nowhere = Spot::default();
        let (kind, number, spot) = match *self {
            Self::Idle => (0, 0, nowhere),
            Self::March { squad, to } => (1, squad, to),
            Self::Charge { squad, to } => (2, squad, to),
            Self::Patrol { squad, to } => (3, squad, to),
            Self::Scatter { squad } => (4, squad, nowhere),
            Self::Wall { at } => (5, 0, at),
            Self::Dig { at } => (6, 0, at),
            Self::Admit { seat } => (7, seat, nowhere),
        };
        writer.raw(&[kind, number, spot.x, spot.y]);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let [kind, number, x, y] = <[u8; 4]>::load(reader)?;
        let spot = Spot { x, y };
        Ok(match kind {
            0 => Self::Idle,
            1 => Self::March { squad: number, to: spot },
            2 => Self::Charge { squad: number, to: spot },
            3 => Self::Patrol { squad: number, to: spot },
            4 => Self::Scatter { squad: number },
            5 => Self::Wall { at: spot },
            6 => Self::Dig { at: spot },
            7 => Self::Admit { seat: number },
            _ => return Err(reader.error("an input of an unknown kind")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_reads_back_as_it_was_written() {
        let scripted = (0..2000).map(|tick| Input::scripted(5, 1, tick));
        for input in scripted.chain([Input::Admit { seat: 3 }]) {
            let mut writer = ByteWriter::new();
            input.save(&mut writer);
            let mut reader = ByteReader::new(writer.bytes());
            assert_eq!(Input::load(&mut reader), Ok(input));
            assert_eq!(reader.finish(), Ok(()));
        }
        assert!(Input::load(&mut ByteReader::new(&[8, 0, 0, 0])).is_err());
    }
}
