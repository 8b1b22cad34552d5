//! What units are told to do, and the book it is kept in.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::target::{Around, Target};
use super::units::UnitId;
use crate::base::{Angle, CellPos, Fixed, GridSize, Id, LocomotorId, Slots, StampId};
use crate::groups::{Formation, MAX_MEMBERS};
use crate::query::{Goal, GoalError, Shape};

/// At most so many orders wait in a unit's queue, the present one included.
pub const MAX_QUEUED: usize = 32;
/// At most so many stops on a patrol.
pub const MAX_STOPS: usize = 64;
/// Units on an attack-move see so far at most, and guards go so far at most, in cells.
pub const MAX_SIGHT: i32 = 64;

/// What a unit is told to do.
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
pub enum Order {
    /// To go into a goal, or as near as can be, and stop there.
    Move(Goal),
    /// To go to a place and stand there in formation; alone, in the middle of it.
    Form {
        /// Where the middle of it is to be.
        at: CellPos,
        /// How.
        formation: Formation,
        /// Which way it looks; `None`: the way it came.
        facing: Option<Angle>,
    },
    /// To go from stop to stop, for ever; a single stop is joined by the place where the patrol begins.
    Patrol(Vec<CellPos>),
    /// To keep within a distance of another unit for as long as it lives.
    Follow {
        /// Whom.
        target: UnitId,
        /// How near, from middle to middle.
        distance: Fixed,
    },
    /// To go into a goal and to say ([`EventKind::Sighted`](super::EventKind::Sighted)) whom of another player it sees on the way. What comes of it is the
    /// game's business: see [`World::engage`](super::World::engage).
    AttackMove {
        /// Where to.
        goal: Goal,
        /// How far it sees, from middle to middle: up to [`MAX_SIGHT`] cells.
        sight: Fixed,
    },
    /// To keep within a distance of a group of other units, by the one in their middle, for as long as one of them lives.
    FollowGroup {
        /// Whom.
        units: Vec<UnitId>,
        /// How near.
        distance: Fixed,
    },
    /// To stay near something for as long as it is there: further away than the leash, the unit comes back to half of it.
    Guard {
        /// What.
        target: Target,
        /// How far away it may be, up to [`MAX_SIGHT`] cells.
        leash: Fixed,
    },
    /// To stand around something, each in a place of its own. Around a unit, which may move, it ends when that is gone only.
    Around {
        /// What.
        target: Target,
        /// How.
        how: Around,
    },
    /// To go away from each other: each so far from the middle of all.
    Scatter {
        /// How far.
        distance: Fixed,
    },
    /// To stop at once.
    Stop,
    /// To stop at once and to give way to nobody.
    Hold,
}

/// When an order takes effect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum When {
    /// At once, in place of all that the unit was to do.
    #[default]
    Now,
    /// After all that the unit is to do.
    Queued,
}

/// What is wrong with an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// A goal that makes no sense on this map.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// A patrol without stops.
    #[error("a patrol without stops")]
    NoStops,
    /// A patrol with too many stops.
    #[error("a patrol with {0} stops, more than {MAX_STOPS}")]
    TooManyStops(usize),
    /// A stop that is not on the map.
    #[error("stop {at} of the patrol is not on a map of {size}")]
    StopOffMap {
        /// The stop.
        at: CellPos,
        /// The map's size.
        size: GridSize,
    },
    /// A formation of too many places.
    #[error("a formation of {0} places, more than {MAX_MEMBERS}")]
    TooManyPlaces(usize),
    /// A range, a leash or a sight that nobody has.
    #[error("`{what}` is {value}, it must be {expected}")]
    Reach {
        /// Which.
        what: &'static str,
        /// Its value.
        value: Fixed,
        /// What is legal.
        expected: &'static str,
    },
    /// A target that is not on the map.
    #[error("the target {at} is not on a map of {size}")]
    TargetOffMap {
        /// Where.
        at: CellPos,
        /// The map's size.
        size: GridSize,
    },
    /// A stamp that does not stand.
    #[error("stamp {0} does not stand (any more)")]
    NoStamp(StampId),
    /// Shots along the ways of a locomotor that there is none of.
    #[error("there is no locomotor number {}", .0.0)]
    NoLocomotor(LocomotorId),
    /// A dock that moves.
    #[error("unit {0} cannot be a dock: docks are cells or stamps")]
    MovingDock(UnitId),
    /// A group to follow of too many units, or of none.
    #[error("a group of {0} units cannot be followed, 1..={MAX_MEMBERS} can")]
    GroupSize(usize),
    /// A unit to follow that is gone.
    #[error("unit {0} is to be followed but does not exist (any more)")]
    NoTarget(UnitId),
    /// A distance under 0.
    #[error("a distance of {0} is under 0")]
    Distance(Fixed),
}

impl Order {
    /// To go to the middle of a cell.
    #[must_use]
    pub const fn move_to(at: CellPos) -> Self {
        Self::Move(Goal::point(at))
    }

    /// The same in formation. Orders that do not lead to a single place stay what they are.
    ///
    /// ```
    /// use waymarch::base::cell;
    /// use waymarch::groups::Formation;
    /// use waymarch::world::Order;
    /// let order = Order::move_to(cell(30, 40)).formation(Formation::Wedge);
    /// assert_eq!(order, Order::Form { at: cell(30, 40), formation: Formation::Wedge, facing: None });
    /// ```
    #[must_use]
    pub fn formation(self, formation: Formation) -> Self {
        match self {
            Self::Move(Goal::In(Shape::Point(at))) => Self::Form { at, formation, facing: None },
            Self::Form { at, facing, .. } => Self::Form { at, formation, facing },
            other => other,
        }
    }

    /// The same, looking this way in the end: for orders in formation; others stay what they are.
    #[must_use]
    pub fn facing(self, towards: impl Into<Angle>) -> Self {
        match self {
            Self::Form { at, formation, .. } => Self::Form { at, formation, facing: Some(towards.into()) },
            other => other,
        }
    }

    /// To go from stop to stop.
    #[must_use]
    pub fn patrol(stops: impl Into<Vec<CellPos>>) -> Self {
        Self::Patrol(stops.into())
    }

    /// To keep within `distance` of `target`.
    #[must_use]
    pub const fn follow(target: UnitId, distance: Fixed) -> Self {
        Self::Follow { target, distance }
    }

    /// To go into a goal, looking out for others.
    #[must_use]
    pub const fn attack_move(goal: Goal, sight: Fixed) -> Self {
        Self::AttackMove { goal, sight }
    }

    /// To stay within `leash` of something.
    #[must_use]
    pub fn guard(target: impl Into<Target>, leash: Fixed) -> Self {
        Self::Guard { target: target.into(), leash }
    }

    /// To stand around something.
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

    /// The goal of a move, with or without looking out for others.
    #[must_use]
    pub const fn goal(&self) -> Option<&Goal> {
        match self {
            Self::Move(goal) | Self::AttackMove { goal, .. } => Some(goal),
            _ => None,
        }
    }

    /// Whether it goes on for ever unless its target goes: there is nothing to arrive at.
    pub(super) const fn is_endless(&self) -> bool {
        match self {
            Self::Follow { .. } | Self::FollowGroup { .. } | Self::Guard { .. } => true,
            Self::Around { target, .. } => matches!(target, Target::Unit(_)),
            _ => false,
        }
    }

    /// Everything but whether units live and stamps stand.
    pub(super) fn check(&self, size: GridSize) -> Result<(), OrderError> {
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
            Self::Form { at, formation, .. } => {
                Goal::point(*at).validate(size)?;
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

/// What an [`OrderId`] names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OrderTag {}

pub(super) type OrderId = Id<OrderTag>;

/// An order and how many queues it is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) order: Order,
    pub(super) users: u32,
}

/// World: every order that some unit has, once, however many units have it. So an order for thousands costs no more memory than
/// one for one, and what a unit keeps is a short queue of names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct OrderBook {
    pub(super) entries: Slots<OrderTag, Entry>,
}

impl OrderBook {
    /// Writes an order down; it goes when the last of `users` has let go of it.
    pub(super) fn write(&mut self, order: Order, users: u32) -> OrderId {
        self.entries.insert(Entry { order, users })
    }

    pub(super) fn get(&self, id: OrderId) -> Option<&Order> {
        self.entries.get(id).map(|entry| &entry.order)
    }

    /// One more queue has it.
    pub(super) fn hold(&mut self, id: OrderId) {
        if let Some(entry) = self.entries.get_mut(id) {
            entry.users = entry.users.saturating_add(1);
        }
    }

    pub(super) fn let_go(&mut self, id: OrderId) {
        if let Some(entry) = self.entries.get_mut(id) {
            entry.users = entry.users.saturating_sub(1);
            if entry.users == 0 {
                self.entries.remove(id);
            }
        }
    }

    /// Every order with the number of its users.
    pub(super) fn iter(&self) -> impl Iterator<Item = (OrderId, &Order, u32)> {
        self.entries.iter().map(|(id, entry)| (id, &entry.order, entry.users))
    }
}

/// World: the orders of one unit, the present one first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct OrderQueue(pub(super) VecDeque<OrderId>);
