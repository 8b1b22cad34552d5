//! Orders.

use alloc::vec::Vec;

use crate::base::{Angle, CellPos, Fixed, GridSize, LocomotorId, StampId};
use crate::groups::{
    Formation, FormationLayout, FormationLayoutError, FormationProfile, MAX_FRONT, MAX_MEMBERS,
};
use crate::query::{Goal, GoalError, Shape};
use crate::world::orders::target::{Around, Target};
use crate::world::units::unit::UnitId;

/// A unit's queue has at most 32 orders, the present one included.
pub const MAX_QUEUED: usize = 32;
/// A patrol has at most 64 stops.
pub const MAX_STOPS: usize = 64;
/// The sight on an attack-move, the leash of a guard and the distance of a scatter are at most 64 cells.
pub const MAX_SIGHT: i32 = 64;

/// What a unit is ordered to do.
///
/// ```
/// use waymarch::base::{cell, Fixed};
/// use waymarch::query::Goal;
/// use waymarch::world::Order;
/// assert_eq!(Order::move_to(cell(3, 4)), Order::Move(Goal::point(cell(3, 4))));
/// let into_range = Order::Move(Goal::circle(cell(40, 40), Fixed::from_cells(6)));
/// let rounds = Order::patrol([cell(1, 1), cell(9, 1), cell(9, 9)]);
/// # let _ = (into_range, rounds);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Order {
    /// Goes into a goal, or as near as possible, and stops there.
    Move(Goal),
    /// Goes to a place and stands there in formation. A single unit stands in the middle.
    Form {
        /// The middle of the formation.
        at: CellPos,
        /// The shape.
        formation: Formation,
        /// The facing of the formation; `None`: the direction of travel.
        facing: Option<Angle>,
        /// Spacing, width, angle and radius.
        layout: FormationLayout,
    },
    /// Goes from stop to stop without end. With a single stop, the place where the patrol began is the second.
    Patrol(Vec<CellPos>),
    /// Keeps within a distance of another unit as long as that unit exists. A unit that comes near enough stands, and sends
    /// [`InPlace`](crate::world::EventKind::InPlace). Its route ends in a cell within the distance, so that it may stand up to half a cell farther away.
    Follow {
        /// The unit to follow.
        target: UnitId,
        /// The distance, from centre to centre.
        distance: Fixed,
    },
    /// Goes into a goal and reports the units of enemies that it sees ([`EventKind::Sighted`](crate::world::EventKind::Sighted)). The game
    /// decides what happens then: see [`World::engage`](crate::world::World::engage).
    AttackMove {
        /// The goal.
        goal: Goal,
        /// How far the unit sees, from centre to centre: up to [`MAX_SIGHT`] cells.
        sight: Fixed,
    },
    /// Keeps within a distance of the unit in the middle of several other units, as long as one of them exists.
    FollowGroup {
        /// The units to follow.
        units: Vec<UnitId>,
        /// The distance, from centre to centre.
        distance: Fixed,
    },
    /// Stays near a target as long as it exists. A unit farther away than the leash returns to half of the leash.
    Guard {
        /// The target.
        target: Target,
        /// How far away from the target the unit may be: up to [`MAX_SIGHT`] cells.
        leash: Fixed,
    },
    /// Stands around a target, each unit in a slot of its own. Around a unit, which may move, the order ends only when that unit is removed.
    Around {
        /// The target.
        target: Target,
        /// How the units stand.
        how: Around,
    },
    /// The units go away from each other.
    Scatter {
        /// How far each unit goes from the middle of all: up to [`MAX_SIGHT`] cells.
        distance: Fixed,
    },
    /// Stops at once.
    Stop,
    /// Stops at once and does not move aside for other units.
    Hold,
}

/// When an order takes effect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum When {
    /// At once. It replaces all orders of the unit.
    #[default]
    Now,
    /// After all orders of the unit.
    Queued,
}

/// Why an order is not valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// The goal is not valid on this map.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// The patrol has no stops.
    #[error("the patrol has no stops: it needs at least 1")]
    NoStops,
    /// The patrol has too many stops.
    #[error("the patrol has {0} stops: at most {MAX_STOPS} are allowed")]
    TooManyStops(usize),
    /// A stop of the patrol is off the map.
    #[error("a stop of the patrol is off the map (cell {at}; map is {size})")]
    StopOffMap {
        /// The stop.
        at: CellPos,
        /// The map's size.
        size: GridSize,
    },
    /// The layout of the formation is out of range, or has no effect on it.
    #[error(transparent)]
    Layout(#[from] FormationLayoutError),
    /// The custom formation has too many slots.
    #[error("the formation has {0} slots: at most {MAX_MEMBERS} are allowed")]
    TooManyPlaces(usize),
    /// A range, leash, sight or distance is out of bounds.
    #[error("`{what}` is {value}: it must be {expected}")]
    Reach {
        /// The name of the field.
        what: &'static str,
        /// Its value.
        value: Fixed,
        /// The values that are allowed.
        expected: &'static str,
    },
    /// The target is off the map.
    #[error("the target is off the map (cell {at}; map is {size})")]
    TargetOffMap {
        /// The cell.
        at: CellPos,
        /// The map's size.
        size: GridSize,
    },
    /// The stamp is not on the map.
    #[error("stamp {0} is not on the map (it may have been removed or have expired)")]
    NoStamp(StampId),
    /// The locomotor for lines of fire does not exist.
    #[error("locomotor {} does not exist", .0.0)]
    NoLocomotor(LocomotorId),
    /// A unit cannot be a dock.
    #[error("unit {0} cannot be a dock: docks are cells or stamps")]
    MovingDock(UnitId),
    /// The group to follow has no units, or too many.
    #[error("the group to follow has {0} units: it must have 1..={MAX_MEMBERS}")]
    GroupSize(usize),
    /// The target unit does not exist.
    #[error("the target unit {0} does not exist (any more)")]
    NoTarget(UnitId),
    /// The distance is less than 0.
    #[error("`distance` is {0}: it must be at least 0")]
    Distance(Fixed),
}

impl Order {
    /// An order to go to the centre of a cell.
    #[must_use]
    pub const fn move_to(at: CellPos) -> Self {
        Self::Move(Goal::point(at))
    }

    /// This order, in formation. Orders without a single goal cell do not change.
    ///
    /// ```
    /// use waymarch::base::cell;
    /// use waymarch::groups::Formation;
    /// use waymarch::world::Order;
    /// let order = Order::move_to(cell(30, 40)).formation(Formation::Wedge);
    /// assert!(matches!(order, Order::Form { formation: Formation::Wedge, facing: None, .. }));
    /// ```
    #[must_use]
    pub fn formation(self, formation: Formation) -> Self {
        self.formed(|kept, _, _| *kept = formation)
    }

    /// This order with the formation and the layout of a profile. Orders without a single goal cell do not change.
    #[must_use]
    pub fn profile(self, profile: &FormationProfile) -> Self {
        self.formed(|formation, _, layout| {
            (*formation, *layout) = (profile.formation.clone(), profile.layout)
        })
    }

    /// This order, with extra room between members in cells: see [`FormationLayout::spacing`]. Like [`Order::facing`], this and the next methods turn a
    /// move to a cell into a formation of the default shape. Orders without a single goal cell do not change.
    ///
    /// ```
    /// use waymarch::base::{Fixed, cell};
    /// use waymarch::groups::Formation;
    /// use waymarch::world::Order;
    /// let loose = Order::move_to(cell(30, 40)).formation(Formation::Box).spacing(Fixed::HALF);
    /// let ring = Order::move_to(cell(30, 40)).formation(Formation::Circle).radius(Fixed::from_cells(6));
    /// # let _ = (loose, ring);
    /// ```
    #[must_use]
    pub fn spacing(self, spacing: Fixed) -> Self {
        self.formed(|_, _, layout| layout.spacing = spacing)
    }

    /// This order, with the width of the front in cells: see [`FormationLayout::width`].
    #[must_use]
    pub fn width(self, width: Fixed) -> Self {
        self.formed(|_, _, layout| layout.width = width)
    }

    /// This order, with the angle of a wedge: see [`FormationLayout::angle`].
    #[must_use]
    pub fn wedge_angle(self, angle: Angle) -> Self {
        self.formed(|_, _, layout| layout.angle = angle)
    }

    /// This order, with the radius of a circle in cells: see [`FormationLayout::radius`].
    #[must_use]
    pub fn radius(self, radius: Fixed) -> Self {
        self.formed(|_, _, layout| layout.radius = radius)
    }

    /// An order to stand along a line that a player drew from the left end of the front to its right end. The units face away from their own side:
    /// to the left of the direction in which the line was drawn. The front is as long as the line, at most [`MAX_FRONT`]; units without room on it form
    /// ranks behind it.
    ///
    /// ```
    /// use waymarch::base::{Dir8, Fixed, cell};
    /// use waymarch::groups::Formation;
    /// use waymarch::world::Order;
    /// let drawn = Order::along_line(cell(10, 20), cell(22, 20));
    /// let line = Order::move_to(cell(16, 20)).formation(Formation::Line);
    /// assert_eq!(drawn, line.facing(Dir8::N).width(Fixed::from_cells(12)));
    /// ```
    #[must_use]
    pub fn along_line(left: CellPos, right: CellPos) -> Self {
        let middle = |a: i32, b: i32| ((i64::from(a) + i64::from(b)) >> 1) as i32;
        let at = CellPos::new(middle(left.x, right.x), middle(left.y, right.y));
        let order = Self::move_to(at).formation(Formation::Line);
        if left == right {
            return order;
        }
        let (x, y) = (i64::from(right.x) - i64::from(left.x), i64::from(right.y) - i64::from(left.y));
        let squared = x.unsigned_abs().saturating_mul(x.unsigned_abs());
        let squared = squared.saturating_add(y.unsigned_abs().saturating_mul(y.unsigned_abs()));
        // In 1024ths of a cell; longer lines than the widest front give the widest.
        let length = squared.saturating_mul(1 << 20).isqrt().min(MAX_FRONT.raw().unsigned_abs().into());
        let right = Angle::atan2((y >> 1) as i32, (x >> 1) as i32);
        order.facing(right - Angle::QUARTER).width(Fixed::from_raw(length as i32))
    }

    /// This order after a change of formation, facing and layout, if it has them or is a move to a cell.
    fn formed(self, change: impl FnOnce(&mut Formation, &mut Option<Angle>, &mut FormationLayout)) -> Self {
        let (at, mut formation, mut facing, mut layout) = match self {
            Self::Move(Goal::In(Shape::Point(at))) => {
                (at, Formation::default(), None, FormationLayout::default())
            }
            Self::Form { at, formation, facing, layout } => (at, formation, facing, layout),
            other => return other,
        };
        change(&mut formation, &mut facing, &mut layout);
        Self::Form { at, formation, facing, layout }
    }

    /// This order, with a facing at the end. A move to a cell becomes a formation of the default shape, [`Formation::Adaptive`]. Orders without a
    /// single goal cell do not change.
    ///
    /// ```
    /// use waymarch::base::{Dir8, cell};
    /// use waymarch::groups::Formation;
    /// use waymarch::world::Order;
    /// let order = Order::move_to(cell(30, 40)).facing(Dir8::N);
    /// assert_eq!(order, Order::move_to(cell(30, 40)).formation(Formation::Adaptive).facing(Dir8::N));
    /// ```
    #[must_use]
    pub fn facing(self, towards: impl Into<Angle>) -> Self {
        self.formed(|_, facing, _| *facing = Some(towards.into()))
    }

    /// An order to go from stop to stop without end.
    #[must_use]
    pub fn patrol(stops: impl Into<Vec<CellPos>>) -> Self {
        Self::Patrol(stops.into())
    }

    /// An order to keep within `distance` of `target`.
    #[must_use]
    pub const fn follow(target: UnitId, distance: Fixed) -> Self {
        Self::Follow { target, distance }
    }

    /// An order to go into a goal and report enemies within `sight`.
    #[must_use]
    pub const fn attack_move(goal: Goal, sight: Fixed) -> Self {
        Self::AttackMove { goal, sight }
    }

    /// An order to stay within `leash` of a target.
    #[must_use]
    pub fn guard(target: impl Into<Target>, leash: Fixed) -> Self {
        Self::Guard { target: target.into(), leash }
    }

    /// An order to stand around a target.
    ///
    /// ```
    /// use waymarch::base::{cell, Fixed};
    /// use waymarch::world::{Around, Order};
    /// let guns = Order::around(cell(40, 40), Around::in_range(Fixed::from_cells(3), Fixed::from_cells(9)));
    /// assert!(matches!(guns, Order::Around { .. }));
    /// ```
    #[must_use]
    pub fn around(target: impl Into<Target>, how: Around) -> Self {
        Self::Around { target: target.into(), how }
    }

    /// The goal of a move or attack-move; `None` for other orders.
    #[must_use]
    pub const fn goal(&self) -> Option<&Goal> {
        match self {
            Self::Move(goal) | Self::AttackMove { goal, .. } => Some(goal),
            _ => None,
        }
    }

    /// Whether a unit that cannot move can carry out the order.
    pub(crate) const fn is_for_standing(&self) -> bool {
        matches!(self, Self::Stop | Self::Hold)
    }

    /// Whether the order lasts as long as its target, so that a unit cannot complete it.
    pub(crate) const fn is_endless(&self) -> bool {
        match self {
            Self::Follow { .. } | Self::FollowGroup { .. } | Self::Guard { .. } => true,
            Self::Around { target, .. } => matches!(target, Target::Unit(_)),
            _ => false,
        }
    }

    /// Checks everything that does not depend on which units and stamps exist.
    pub(crate) fn check(&self, size: GridSize) -> Result<(), OrderError> {
        let reach = |what, value: Fixed| {
            let legal = value >= Fixed::ZERO && value <= Fixed::from_cells(MAX_SIGHT);
            let expected = "0..=64 cells";
            if legal { Ok(()) } else { Err(OrderError::Reach { what, value, expected }) }
        };
        match self {
            Self::Move(goal) => Ok(goal.validate(size)?),
            Self::AttackMove { goal, sight } => {
                goal.validate(size)?;
                reach("sight", *sight)
            }
            Self::FollowGroup { units, .. } if units.is_empty() || units.len() > MAX_MEMBERS => {
                Err(OrderError::GroupSize(units.len()))
            }
            Self::Guard { target, leash } => {
                target.check(size)?;
                reach("leash", *leash)
            }
            Self::Around { target, how } => {
                target.check(size)?;
                how.check(target)
            }
            Self::Scatter { distance } => reach("distance", *distance),
            Self::Form { at, formation, layout, .. } => {
                Goal::point(*at).validate(size)?;
                layout.check(formation)?;
                let Formation::Custom(places) = formation else { return Ok(()) };
                if places.len() > MAX_MEMBERS { Err(OrderError::TooManyPlaces(places.len())) } else { Ok(()) }
            }
            Self::Patrol(stops) if stops.is_empty() => Err(OrderError::NoStops),
            Self::Patrol(stops) if stops.len() > MAX_STOPS => Err(OrderError::TooManyStops(stops.len())),
            Self::Patrol(stops) => match stops.iter().find(|&&at| !size.contains(at)) {
                Some(&at) => Err(OrderError::StopOffMap { at, size }),
                None => Ok(()),
            },
            Self::Follow { distance, .. } | Self::FollowGroup { distance, .. } if *distance < Fixed::ZERO => {
                Err(OrderError::Distance(*distance))
            }
            Self::Follow { .. } | Self::FollowGroup { .. } | Self::Stop | Self::Hold => Ok(()),
        }
    }
}
