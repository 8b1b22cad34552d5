//! What units are told to do, and the book it is kept in.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::units::UnitId;
use crate::base::{
    Angle, ByteReader, ByteWriter, CellPos, Fixed, GridSize, Id, LoadError, Persist, Slots, persist_choices,
    persist_fields,
};
use crate::groups::{Formation, MAX_MEMBERS};
use crate::query::{Goal, GoalError, Shape};

/// At most so many orders wait in a unit's queue, the present one included.
pub const MAX_QUEUED: usize = 32;
/// At most so many stops on a patrol.
pub const MAX_STOPS: usize = 64;

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

    /// Everything but whether units live.
    pub(super) fn check(&self, size: GridSize) -> Result<(), OrderError> {
        match self {
            Self::Move(goal) => Ok(goal.validate(size)?),
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
            Self::Follow { distance, .. } if *distance < Fixed::ZERO => Err(OrderError::Distance(*distance)),
            Self::Follow { .. } | Self::Stop | Self::Hold => Ok(()),
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
    order: Order,
    users: u32,
}

/// World: every order that some unit has, once, however many units have it. So an order for thousands costs no more memory than
/// one for one, and what a unit keeps is a short queue of names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct OrderBook {
    entries: Slots<OrderTag, Entry>,
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

persist_choices! {
    When { Now, Queued }
}

persist_fields! {
    Entry { order: Order, users: u32 }
    OrderBook { entries: Slots<OrderTag, Entry> }
}

impl Persist for OrderQueue {
    fn save(&self, writer: &mut ByteWriter) {
        writer.count(self.0.len());
        self.0.iter().for_each(|id| id.save(writer));
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let count = reader.count(8)?;
        if count > MAX_QUEUED {
            return Err(reader.error("a queue of too many orders"));
        }
        (0..count).map(|_| OrderId::load(reader)).collect::<Result<_, _>>().map(Self)
    }
}

impl Persist for Formation {
    fn save(&self, writer: &mut ByteWriter) {
        let code: u8 = match self {
            Self::Adaptive => 0,
            Self::Relative => 1,
            Self::Box => 2,
            Self::Line => 3,
            Self::Column => 4,
            Self::Wedge => 5,
            Self::Circle => 6,
            Self::Scatter => 7,
            Self::Hex => 8,
            Self::Custom(_) => 9,
        };
        code.save(writer);
        if let Self::Custom(places) = self {
            places.save(writer);
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Adaptive,
            1 => Self::Relative,
            2 => Self::Box,
            3 => Self::Line,
            4 => Self::Column,
            5 => Self::Wedge,
            6 => Self::Circle,
            7 => Self::Scatter,
            8 => Self::Hex,
            9 => Self::Custom(Vec::load(reader)?),
            _ => return Err(reader.error("an unknown formation")),
        })
    }
}

impl Persist for Order {
    fn save(&self, writer: &mut ByteWriter) {
        match self {
            Self::Move(goal) => {
                0_u8.save(writer);
                goal.save(writer);
            }
            Self::Patrol(stops) => {
                1_u8.save(writer);
                stops.save(writer);
            }
            Self::Follow { target, distance } => {
                2_u8.save(writer);
                target.save(writer);
                distance.save(writer);
            }
            Self::Form { at, formation, facing } => {
                5_u8.save(writer);
                at.save(writer);
                formation.save(writer);
                facing.save(writer);
            }
            Self::Stop => 3_u8.save(writer),
            Self::Hold => 4_u8.save(writer),
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Move(Goal::load(reader)?),
            1 => Self::Patrol(Vec::load(reader)?),
            2 => Self::Follow { target: UnitId::load(reader)?, distance: Fixed::load(reader)? },
            3 => Self::Stop,
            4 => Self::Hold,
            5 => Self::Form {
                at: CellPos::load(reader)?,
                formation: Formation::load(reader)?,
                facing: Option::load(reader)?,
            },
            _ => return Err(reader.error("an unknown order")),
        })
    }
}
