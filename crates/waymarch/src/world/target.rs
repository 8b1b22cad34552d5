//! What orders are about besides places: cells, units, buildings; and how units stand around them.

use super::orders::OrderError;
use super::simulation::World;
use super::units::UnitId;
use crate::avoid::{FINE_BITS, FINE_CELL, Fine};
use crate::base::{Angle, CellPos, CellRect, Fixed, GridSize, LocomotorId, StampId};

/// Of a group that is followed so many are looked at.
const SAMPLE: usize = 16;
/// Ranges of up to so many cells.
const MAX_RANGE: i32 = 256;

/// Something that orders are about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A cell.
    Cell(CellPos),
    /// A unit, wherever it goes.
    Unit(UnitId),
    /// A stamp: a building.
    Stamp(StampId),
}

impl From<CellPos> for Target {
    fn from(at: CellPos) -> Self {
        Self::Cell(at)
    }
}

impl From<UnitId> for Target {
    fn from(unit: UnitId) -> Self {
        Self::Unit(unit)
    }
}

impl From<StampId> for Target {
    fn from(stamp: StampId) -> Self {
        Self::Stamp(stamp)
    }
}

impl Target {
    /// Everything but whether it is there.
    pub(super) fn check(&self, size: GridSize) -> Result<(), OrderError> {
        match *self {
            Self::Cell(at) if !size.contains(at) => Err(OrderError::TargetOffMap { at, size }),
            _ => Ok(()),
        }
    }
}

/// What shots fly over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fire {
    /// Everything.
    #[default]
    OverAll,
    /// Ground that this locomotor can pass: a line of fire is a line of sight on its field. Give a map's rules a locomotor of its own for
    /// shots, which goes over water but not through walls.
    Along(LocomotorId),
}

/// How units stand around a target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Around {
    /// In range, with a clear line of fire; on the side they come from, as far as there is room.
    InRange {
        /// No nearer than this, from middle to middle.
        least: Fixed,
        /// No further away than this: up to 256 cells.
        most: Fixed,
        /// What shots fly over.
        fire: Fire,
    },
    /// All around it, evenly, as near as can be.
    Surround,
    /// Along its outside, on the side they come from.
    Park,
    /// One at its place, the others in a line, who move up when it leaves. Beside a stamp the place is on the side of the queue. Who is in the line
    /// is told [`EventKind::InPlace`](super::EventKind::InPlace); who is at the place has arrived, and stays until it is told something else.
    Dock {
        /// Which way the others line up.
        queue: Angle,
    },
}

impl Around {
    /// In range, shots going over everything.
    #[must_use]
    pub const fn in_range(least: Fixed, most: Fixed) -> Self {
        Self::InRange { least, most, fire: Fire::OverAll }
    }

    pub(super) fn check(&self, target: &Target) -> Result<(), OrderError> {
        let wrong = |what, value, expected| Err(OrderError::Reach { what, value, expected });
        match (*self, *target) {
            (Self::InRange { most, .. }, _) if most < Fixed::ZERO || most > Fixed::from_cells(MAX_RANGE) => {
                wrong("most", most, "0..=256 cells")
            }
            (Self::InRange { least, most, .. }, _) if least < Fixed::ZERO || least > most => {
                wrong("least", least, "0..=most")
            }
            (Self::Dock { .. }, Target::Unit(unit)) => Err(OrderError::MovingDock(unit)),
            _ => Ok(()),
        }
    }
}

/// Where a target is now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Whereabouts {
    pub(super) middle: Fine,
    /// How far it reaches from there, as a disc.
    pub(super) radius: Fixed,
    /// The cells it covers.
    pub(super) cells: CellRect,
}

impl World {
    /// Where a target is; `None` if it is gone.
    pub(super) fn whereabouts(&self, target: &Target) -> Option<Whereabouts> {
        match *target {
            Target::Cell(at) => Some(Whereabouts {
                middle: Fine::centre(at),
                radius: Fixed::HALF,
                cells: CellRect::at(at, 1, 1),
            }),
            Target::Unit(unit) => {
                let slot = self.units.slot(unit)?;
                let kind = self.types.get(self.units.kind[slot])?;
                let own = CellRect::at(self.units.cell(slot), 1, 1);
                let size = kind.agent.size;
                let cells = own.grow(size.reach_north_west(), size.reach_south_east());
                Some(Whereabouts { middle: self.units.middle(slot), radius: kind.radius, cells })
            }
            Target::Stamp(stamp) => {
                let (standing, stamp) = self.service.nav().layer().stamp(stamp)?;
                let cells = CellRect::at(standing.at, stamp.width, stamp.height);
                Some(Whereabouts { middle: middle_of(cells), radius: half_diagonal(cells), cells })
            }
        }
    }

    /// The slot of the unit that leads a group: of some that live, the one nearest to their middle; `None` if all are gone.
    ///
    /// *Cost:* a look at sixteen of them, or at all until some are found that live.
    pub(super) fn lead_of(&self, units: &[UnitId]) -> Option<usize> {
        let step = (units.len() / SAMPLE).max(1);
        let live = |unit: &UnitId| self.units.slot(*unit);
        let few = || units.iter().step_by(step).take(SAMPLE).filter_map(live);
        let (x, y, count) = few().fold((0, 0, 0), |(x, y, count), slot| {
            let at = self.units.middle(slot);
            (x + i64::from(at.x), y + i64::from(at.y), count + 1)
        });
        if count == 0 {
            return units.iter().find_map(live);
        }
        let middle = Fine::new((x / count) as i32, (y / count) as i32);
        few().min_by_key(|&slot| (self.units.middle(slot).distance_squared(middle), slot))
    }

    /// Whether what an order is about is there.
    pub(super) fn check_target(&self, target: &Target) -> Result<(), OrderError> {
        match (*target, self.whereabouts(target)) {
            (Target::Unit(unit), None) => Err(OrderError::NoTarget(unit)),
            (Target::Stamp(stamp), None) => Err(OrderError::NoStamp(stamp)),
            _ => Ok(()),
        }
    }
}

fn middle_of(cells: CellRect) -> Fine {
    let half = |a: i32, b: i32| ((i64::from(a) + i64::from(b)) << (FINE_BITS - 1)) as i32;
    Fine::new(half(cells.x0, cells.x1), half(cells.y0, cells.y1))
}

/// From the middle of a rectangle to its corners; stamps have at most 64 cells a side.
fn half_diagonal(cells: CellRect) -> Fixed {
    let side = |a: i32, b: i32| i64::from(b.abs_diff(a).min(1 << 14)) << (Fixed::BITS - 1);
    let (x, y) = (side(cells.x0, cells.x1), side(cells.y0, cells.y1));
    Fixed::saturate((x * x + y * y).isqrt())
}

/// The point outside a rectangle that is nearest to another, so near to its side that nothing is in between.
pub(super) fn beside(cells: CellRect, from: Fine) -> Fine {
    const OFF: i64 = FINE_CELL as i64 / 16;
    let side = |at: i32, low: i32, high: i32| {
        let (low, high) = (i64::from(low) << FINE_BITS, i64::from(high) << FINE_BITS);
        i64::from(at).clamp(low - OFF, high + OFF - 1) as i32
    };
    Fine::new(side(from.x, cells.x0, cells.x1), side(from.y, cells.y0, cells.y1))
}
