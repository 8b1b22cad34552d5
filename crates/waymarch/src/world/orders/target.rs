//! Targets of orders (cells, units, stamps), and how units stand around them.

use crate::avoid::{FINE_BITS, FINE_CELL, Fine};
use crate::base::{Angle, CellPos, CellRect, Fixed, GridSize, LocomotorId, StampId};
use crate::world::orders::order::OrderError;
use crate::world::orders::parts::OrderView;
use crate::world::units::unit::UnitId;

/// The middle of a followed group is computed from at most 16 of its units.
const SAMPLE: usize = 16;
/// A range of fire is at most 256 cells.
const MAX_RANGE: i32 = 256;

/// The target of an order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Target {
    /// A cell.
    Cell(CellPos),
    /// A unit, which may move.
    Unit(UnitId),
    /// A stamp, for example a building.
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
    /// Checks that a target cell is on the map. Whether a unit or stamp exists is checked by [`OrderView::check_target`].
    pub(crate) fn check(&self, size: GridSize) -> Result<(), OrderError> {
        match *self {
            Self::Cell(at) if !size.contains(at) => Err(OrderError::TargetOffMap { at, size }),
            _ => Ok(()),
        }
    }
}

/// Which ground shots can fly over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Fire {
    /// Shots fly over everything.
    #[default]
    OverAll,
    /// Shots fly over ground that this locomotor can pass: a line of fire is a line of sight on its cost field. Add a locomotor for shots to the
    /// map's rules, for example one that can pass water but not walls.
    Along(LocomotorId),
}

/// How units stand around a target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Around {
    /// In range, with a clear line of fire. Units stand on the side that they come from, as far as there is room.
    InRange {
        /// The least distance, from centre to centre.
        least: Fixed,
        /// The greatest distance: up to 256 cells.
        most: Fixed,
        /// Which ground shots can fly over.
        fire: Fire,
    },
    /// All around the target, evenly, as near as possible.
    Surround,
    /// Along the edge of the target, on the side that the units come from.
    Park,
    /// One unit at the dock, the others in a queue. The queue moves up when the unit at the dock leaves.
    ///
    /// Beside a stamp, the dock is on the side of the queue. A unit in the queue gets [`EventKind::InPlace`](crate::world::EventKind::InPlace). The unit
    /// at the dock has arrived, and stays until its next order.
    Dock {
        /// The direction of the queue, seen from the target.
        queue: Angle,
    },
}

impl Around {
    /// In range, with shots that fly over everything.
    #[must_use]
    pub const fn in_range(least: Fixed, most: Fixed) -> Self {
        Self::InRange { least, most, fire: Fire::OverAll }
    }

    pub(crate) fn check(&self, target: &Target) -> Result<(), OrderError> {
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

/// A unit can stand around a target if it can come within 3 cells of the target's edge.
const NEAR: i32 = 3;

/// Where a target is now, and how large it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Whereabouts {
    pub(crate) middle: Fine,
    /// The radius of the target as a disc.
    pub(crate) radius: Fixed,
    /// The cells it covers.
    pub(crate) cells: CellRect,
}

impl OrderView<'_> {
    /// Where a target is; `None` if it does not exist.
    pub(crate) fn whereabouts(&self, target: &Target) -> Option<Whereabouts> {
        match *target {
            Target::Cell(at) => Some(Whereabouts {
                middle: Fine::centre(at),
                radius: Fixed::HALF,
                cells: CellRect::at(at, 1, 1),
            }),
            Target::Unit(unit) => {
                let index = self.units.index_of(unit)?;
                let kind = self.type_of(index)?;
                let own = CellRect::at(self.units.cell(index), 1, 1);
                let size = kind.agent.size;
                let cells = own.grow(size.reach_north_west(), size.reach_south_east());
                Some(Whereabouts { middle: self.units.middle(index), radius: kind.radius, cells })
            }
            Target::Stamp(stamp) => {
                let (standing, stamp) = self.service.nav().layer().stamp(stamp)?;
                let cells = CellRect::at(standing.at, stamp.width, stamp.height);
                Some(Whereabouts { middle: middle_of(cells), radius: half_diagonal(cells), cells })
            }
        }
    }

    /// The index of the unit nearest to the middle of several units; `None` if none of them exists.
    ///
    /// *Cost:* reads a sample of 16 units. If none of the sample exists, it takes the first unit that does.
    pub(crate) fn lead_of(&self, units: &[UnitId]) -> Option<usize> {
        let step = (units.len() / SAMPLE).max(1);
        let live = |unit: &UnitId| self.units.index_of(*unit);
        let few = || units.iter().step_by(step).take(SAMPLE).filter_map(live);
        let (x, y, count) = few().fold((0, 0, 0), |(x, y, count), index| {
            let at = self.units.middle(index);
            (x + i64::from(at.x), y + i64::from(at.y), count + 1)
        });
        if count == 0 {
            return units.iter().find_map(live);
        }
        let middle = Fine::new((x / count) as i32, (y / count) as i32);
        few().min_by_key(|&index| (self.units.middle(index).distance_squared(middle), index))
    }

    /// Checks that a target exists.
    pub(crate) fn check_target(&self, target: &Target) -> Result<(), OrderError> {
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

/// The distance from the centre of a rectangle to its corners. A stamp has at most 64 cells a side.
fn half_diagonal(cells: CellRect) -> Fixed {
    let side = |a: i32, b: i32| i64::from(b.abs_diff(a).min(1 << 14)) << (Fixed::BITS - 1);
    let (x, y) = (side(cells.x0, cells.x1), side(cells.y0, cells.y1));
    Fixed::saturate((x * x + y * y).isqrt())
}

/// The point 1/16 of a cell outside a rectangle that is nearest to `from`. No closed cell lies between that point and the rectangle.
pub(crate) fn beside(cells: CellRect, from: Fine) -> Fine {
    /// 1/16 of a cell: the point must lie outside the rectangle, and far from the next cell beyond.
    const OFF: i64 = FINE_CELL as i64 / 16;
    let side = |at: i32, low: i32, high: i32| {
        let (low, high) = (i64::from(low) << FINE_BITS, i64::from(high) << FINE_BITS);
        i64::from(at).clamp(low - OFF, high + OFF - 1) as i32
    };
    Fine::new(side(from.x, cells.x0, cells.x1), side(from.y, cells.y0, cells.y1))
}

/// How near to the centre of a target a unit must be able to come, so that it can stand around the target.
pub(crate) fn near(there: &Whereabouts, how: &Around) -> Fixed {
    match how {
        Around::InRange { most, .. } => *most,
        Around::Surround | Around::Park | Around::Dock { .. } => {
            there.radius.saturating_add(Fixed::from_cells(NEAR))
        }
    }
}
