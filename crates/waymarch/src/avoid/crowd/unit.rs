//! The properties of a unit in layer 4.

use crate::base::{Angle, Fine};

/// What a unit does at the moment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stance {
    /// It stands at its home position, makes way for allies and returns afterwards.
    #[default]
    Idle,
    /// It moves to the goal of its [`Guide`].
    Moving,
    /// It moves back to its home position after it made way or was pushed off.
    Returning,
    /// It holds its position and makes way for no unit.
    Holding,
}

impl Stance {
    /// Whether the unit is moving to its goal or back to its home position.
    #[inline]
    #[must_use]
    pub const fn travels(self) -> bool {
        matches!(self, Self::Moving | Self::Returning)
    }
}

/// The amount that each gate ahead adds to [`Guide::left`]: 2^22, which is 4,096 cells in 1024ths of a cell.
///
/// A unit with this much left or more lines up before a gate. It waits behind the units that go first and does not turn
/// aside. Callers keep distances below this amount, so that one gate counts more than any distance.
pub const GATE_LEFT: u32 = 1 << 22;

/// The group of units that a planner moves from cell to cell. It keeps them apart, so they ignore other units. Overlaps are pushed apart.
pub(crate) const STEPPING: u32 = u32::MAX;

/// Where a unit goes. The caller gives a new guide at each bend of the route. Until then the unit follows the last guide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Guide {
    /// The point to head for now: the next waypoint of the route, or a point ahead in the direction of a flow field.
    pub aim: Fine,
    /// The end of the route. The unit stops there when the goal is also its aim. If several units have the same
    /// goal, later units stop around the units that arrived first.
    pub goal: Fine,
    /// The remaining cost of the route, in any unit of measure that is the same within a group. The unit with less left
    /// goes first.
    pub left: u32,
}

impl Guide {
    /// Straight to a point.
    #[must_use]
    pub fn to(goal: Fine) -> Self {
        Self { aim: goal, goal, left: 0 }
    }
}

/// Which side moves a unit: the engine or the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mover {
    /// The engine.
    #[default]
    Engine,
    /// The game. The engine only computes the velocity that the unit should have. The game moves the unit and reports
    /// the position with [`Crowd::put`](super::Crowd::put). Other units avoid it and cannot push it.
    Game,
}

/// What moves a unit at present: the mover of its type, or a transport that carries it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Drive {
    /// The engine.
    #[default]
    Engine,
    /// The game, or a rule of the World that puts the unit from place to place. Other units avoid it and cannot push it.
    Game,
    /// A transport. The unit has no body: it neither sees other units nor is seen.
    Carried,
}

impl From<Mover> for Drive {
    fn from(mover: Mover) -> Self {
        match mover {
            Mover::Engine => Self::Engine,
            Mover::Game => Self::Game,
        }
    }
}

/// The usual speed of a unit: 100 per cent of its kind's speed.
pub(crate) const USUAL_SPEED: u16 = 100;
/// A unit can be slowed to 10 per cent. Slower units would count as stuck before they have crossed a cell.
pub(crate) const MIN_SPEED: u16 = 10;
/// A unit can be hastened to 300 per cent, which is the greatest speed that a body can have; see [`Crowd::put`](super::Crowd::put).
pub(crate) const MAX_SPEED: u16 = 300;

/// A kind of unit, as an index into the kinds of a [`Crowd`](super::Crowd).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KindId(pub u16);

/// World: the properties of a unit that only commands change, and its stance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::avoid) struct Attributes {
    pub(in crate::avoid) kind: KindId,
    pub(in crate::avoid) team: u8,
    pub(in crate::avoid) stance: Stance,
    pub(in crate::avoid) group: u32,
    /// The part of its kind's speed that the unit may use, in 1024ths.
    pub(in crate::avoid) pace: u16,
    #[cfg_attr(feature = "serde", serde(rename = "mover"))]
    pub(in crate::avoid) drive: Drive,
    /// The speed that commands give the unit, in per cent of its kind's speed.
    #[cfg_attr(feature = "serde", serde(default = "usual_speed"))]
    pub(in crate::avoid) percent: u16,
}

/// The speed of units of a crowd that was stored before units had speeds of their own.
#[cfg(feature = "serde")]
const fn usual_speed() -> u16 {
    USUAL_SPEED
}

/// The yield level of an idle unit that no unit asks to make way.
pub(in crate::avoid) const CALM: u8 = 255;

/// The largest [`Memory::deflection`]: 16,000 of 65,536 parts of a turn, about 88 degrees. A unit that would exceed it
/// starts again at 0, because it turned to the wrong side.
pub(in crate::avoid) const MAX_DEFLECTION: u16 = 16_000;

/// World: what a unit remembers from tick to tick, apart from position and velocity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::avoid) struct Memory {
    /// The clockwise angle between the preferred velocity and the direction tried, which grows while the unit is
    /// blocked. In 65,536ths of a turn, at most [`MAX_DEFLECTION`].
    #[cfg_attr(feature = "serde", serde(rename = "turn"))]
    pub(in crate::avoid) deflection: u16,
    /// How many units are between an idle unit and the travelling unit that it makes way for, plus one. 0 for a unit that
    /// travels itself, [`CALM`] for an idle unit that makes way for no unit.
    #[cfg_attr(feature = "serde", serde(rename = "level"))]
    pub(in crate::avoid) yield_level: u8,
    /// Ticks since a unit last asked this unit to make way, up to a limit.
    #[cfg_attr(feature = "serde", serde(rename = "calm"))]
    pub(in crate::avoid) calm_ticks: u8,
    pub(in crate::avoid) heading: Angle,
    /// Model `orca-lite`: the side on which the unit passes others. 1 is right, -1 is left, 0 is undecided.
    pub(in crate::avoid) side: i8,
    /// Model `orca-lite`: ticks for which the unit keeps its side.
    pub(in crate::avoid) commitment: u8,
    /// Ticks without progress in a narrow or crowded place. Falls by 1 for each tick with progress.
    #[cfg_attr(feature = "serde", serde(rename = "jam"))]
    pub(in crate::avoid) jam_ticks: u8,
    /// 1 if the unit's last tick changed none of its properties, else 0.
    #[cfg_attr(feature = "serde", serde(rename = "rests"))]
    pub(in crate::avoid) resting: u8,
    /// 1 if the unit has arrived at its goal, or has stopped in front of units that have arrived; else 0.
    #[cfg_attr(feature = "serde", serde(rename = "there"))]
    pub(in crate::avoid) arrived: u8,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            deflection: 0,
            yield_level: CALM,
            calm_ticks: 0,
            heading: Angle::ZERO,
            side: 0,
            commitment: 0,
            jam_ticks: 0,
            resting: 0,
            arrived: 0,
        }
    }
}
