//! How a kind of unit moves: from infantry, which turns at once, to tanks, which turn slowly.

use crate::base::Fixed;

/// How a unit turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Turning {
    /// The unit turns at once and can step sideways: infantry.
    #[default]
    Free,
    /// The unit turns at a limited rate and moves only forwards or backwards along its heading: vehicles.
    Rate {
        /// The turn rate in degrees per second, 1..=3600.
        degrees: u16,
        /// If its direction is off by more than this many degrees, the unit stops and turns on the spot, 1..=180.
        in_place: u16,
        /// Whether the unit may drive backwards.
        reverse: Reverse,
    },
}

/// Whether a vehicle drives backwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Reverse {
    /// Never.
    #[default]
    Never,
    /// When the goal lies behind the vehicle and driving there backwards takes less time than turning round.
    WhenShorter,
}

/// How a kind of unit moves: plain data, in cells and seconds. [`Crowd::add_kind`](super::Crowd::add_kind) checks the ranges.
///
/// ```
/// use waymarch::avoid::{Kinematics, Turning};
/// use waymarch::base::Fixed;
/// let fast = Kinematics { speed: Fixed::from_cells(3), ..Kinematics::INFANTRY };
/// assert_eq!(fast.turning, Turning::Free);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Kinematics {
    /// The radius in cells, 1/16..=8.
    pub radius: Fixed,
    /// Cells per second on normal ground, from 0 to 64 or to one cell per tick, whichever is more. A unit with speed 0
    /// never moves by itself.
    pub speed: Fixed,
    /// Acceleration in cells per second per second, above 0.
    pub acceleration: Fixed,
    /// Deceleration in cells per second per second, above 0.
    pub braking: Fixed,
    /// How the unit turns.
    pub turning: Turning,
    /// The weight relative to other units, 1..=255. When two units push each other, the lighter unit gives way more.
    pub weight: u8,
}

impl Kinematics {
    /// Infantry: 2 cells per second, full speed after 0.2 seconds, turns at once.
    pub const INFANTRY: Self = Self {
        radius: Fixed::from_raw(410),
        speed: Fixed::from_cells(2),
        acceleration: Fixed::from_cells(10),
        braking: Fixed::from_cells(10),
        turning: Turning::Free,
        weight: 16,
    };

    /// A tank: 2 cells per second, full speed after 0.5 seconds, turns 180 degrees per second.
    pub const TANK: Self = Self {
        radius: Fixed::from_raw(410),
        speed: Fixed::from_cells(2),
        acceleration: Fixed::from_cells(4),
        braking: Fixed::from_cells(8),
        turning: Turning::Rate { degrees: 180, in_place: 60, reverse: Reverse::WhenShorter },
        weight: 16,
    };

    /// Infantry of this radius and speed, with full speed after 0.2 seconds.
    #[must_use]
    pub fn infantry(radius: Fixed, speed: Fixed) -> Self {
        let gain = Fixed::from_raw(speed.raw().saturating_mul(5));
        Self { radius, speed, acceleration: gain, braking: gain, turning: Turning::Free, weight: 16 }
    }
}

/// A value of [`Kinematics`] that is out of range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a {what} of {value} is out of range")]
pub struct KinematicsError {
    /// The name of the value.
    pub what: &'static str,
    /// The value.
    pub value: Fixed,
}
