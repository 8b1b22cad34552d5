//! Reservations of passages: whose turn it is.

use alloc::vec::Vec;

use crate::base::{
    Agent, ByteReader, ByteWriter, GridSize, LoadError, Persist, Tick, persist_choices, persist_fields,
};
use crate::passages::PassageId;

/// A turn and half of the time to cross the ground are 18 seconds: so the other side waits less than 20 seconds between its last unit and its next.
const TURN_SECONDS: u32 = 18;
/// A turn is at least 6 seconds long, however long the ground is.
const LEAST_TURN_SECONDS: u32 = 6;
/// A turn begins when the first unit enters, or 4 seconds after it may: units that wait need time to walk to the mouth.
const HEAD_START_SECONDS: u32 = 4;
/// A side that has not entered 8 seconds after it may lets the other side go.
const OPEN_SECONDS: u32 = 8;
/// The last units have twice the time to cross the ground and 6 seconds to leave it.
const CLEAR_SECONDS: u32 = 6;
/// At most 1,024 passages are reserved at a time. In others, units avoid each other as on open ground.
const MOST_RESERVATIONS: usize = 1024;

/// World: what the side whose turn it is does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// It may enter, and none of its units is inside yet.
    Opens,
    /// Its units enter.
    Flows,
    /// It enters no more, and the units inside leave.
    Clears,
}

/// World: which of two sides may enter ground that they cannot cross at once.
///
/// The sides alternate. A turn ends when no unit of its side is left outside, or when its time is up. The other side enters when the ground is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    /// 0 or 1.
    pub(crate) side: u8,
    pub(crate) stage: Stage,
    /// The tick at which the stage began.
    pub(crate) since: Tick,
}

/// How long the stages of a turn last at most, in ticks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnLimits {
    pub(crate) head_start: u32,
    pub(crate) opens: u32,
    pub(crate) flows: u32,
    pub(crate) clears: u32,
}

impl TurnLimits {
    /// The limits for ground that the slowest unit crosses in this number of ticks.
    pub(crate) fn of_crossing(crossing: u32, per_second: u32) -> Self {
        let flows = (TURN_SECONDS * per_second).saturating_sub(crossing / 2);
        Self {
            head_start: HEAD_START_SECONDS * per_second,
            opens: OPEN_SECONDS * per_second,
            flows: flows.max(LEAST_TURN_SECONDS * per_second),
            clears: 2 * crossing + CLEAR_SECONDS * per_second,
        }
    }
}

/// What a side does at the ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Side {
    /// Units inside.
    pub(crate) inside: u32,
    /// Units outside that want to enter.
    pub(crate) outside: u32,
}

impl Side {
    fn is_empty(self) -> bool {
        self.inside == 0 && self.outside == 0
    }
}

impl Turn {
    /// The first turn: for the side with more units inside; if both have as many, for the side with more units.
    pub(crate) fn first(sides: [Side; 2], now: Tick) -> Self {
        let key = |side: Side| (side.inside, side.outside);
        Self { side: u8::from(key(sides[1]) > key(sides[0])), stage: Stage::Opens, since: now }
    }

    /// Follows the units of both sides. Returns `false` if no side uses the ground any more.
    pub(crate) fn follow(&mut self, sides: [Side; 2], now: Tick, limits: TurnLimits) -> bool {
        let (own, other) = (sides[usize::from(self.side)], sides[usize::from(1 - self.side)]);
        let is_over = |ticks: u32| now >= self.since + ticks;
        let (side, stage) = match self.stage {
            _ if own.is_empty() && other.is_empty() => return false,
            // Its side is through.
            _ if own.is_empty() => (1 - self.side, Stage::Opens),
            Stage::Opens if own.inside > 0 => (self.side, Stage::Flows),
            // Time counts only for a side that lets others wait.
            Stage::Opens | Stage::Flows if other.is_empty() => return true,
            Stage::Opens if is_over(limits.opens) => (self.side, Stage::Clears),
            Stage::Flows if own.outside == 0 || is_over(limits.flows) => (self.side, Stage::Clears),
            // A side that does not get out lets the other side try.
            Stage::Clears if own.inside == 0 || is_over(limits.clears) => (1 - self.side, Stage::Opens),
            _ => return true,
        };
        let since = if stage == Stage::Flows { now.min(self.since + limits.head_start) } else { now };
        *self = Self { side, stage, since };
        true
    }

    /// Whether units of a side may enter now.
    pub(crate) fn may_enter(&self, side: u8) -> bool {
        side == self.side && self.stage != Stage::Clears
    }
}

/// World: a passage that units want to cross in both directions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reservation {
    pub(crate) agent: Agent,
    /// The number of the passage's first cell, which is its name.
    pub(crate) passage: u32,
    /// A side is the mouth through which its units leave.
    pub(crate) turn: Turn,
}

/// World: all reservations, by agent and passage.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reservations {
    pub(crate) list: Vec<Reservation>,
}

impl Reservations {
    /// The place of a passage in the list, or where it would be.
    pub(crate) fn find(&self, agent: Agent, passage: PassageId) -> Result<usize, usize> {
        self.list
            .binary_search_by_key(&order_of(agent, passage.0.0), |held| order_of(held.agent, held.passage))
    }

    /// Whether one more passage can be reserved.
    pub(crate) fn has_room(&self) -> bool {
        self.list.len() < MOST_RESERVATIONS
    }

    /// Checks what loading must refuse.
    ///
    /// # Errors
    /// The first fault.
    pub(crate) fn check(&self, grid: GridSize) -> Result<(), &'static str> {
        let fits = |held: &Reservation| held.turn.side < 2 && (held.passage as usize) < grid.cells();
        if self.list.len() > MOST_RESERVATIONS || !self.list.iter().all(fits) {
            return Err("a reservation is off the map or has no such mouth, or there are too many");
        }
        let ordered = |two: &[Reservation]| {
            order_of(two[0].agent, two[0].passage) < order_of(two[1].agent, two[1].passage)
        };
        if !self.list.windows(2).all(ordered) {
            return Err("the reservations are not in order");
        }
        Ok(())
    }
}

/// Passages are sorted by agent, then by name.
pub(crate) fn order_of(agent: Agent, passage: u32) -> (u8, u8, u32) {
    (agent.locomotor.0, agent.size.side(), passage)
}

impl Persist for Reservations {
    fn save(&self, writer: &mut ByteWriter) {
        self.list.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self { list: Vec::load(reader)? })
    }
}

persist_choices! {
    Stage { Opens, Flows, Clears }
}

persist_fields! {
    Turn { side: u8, stage: Stage, since: Tick }
    Reservation { agent: Agent, passage: u32, turn: Turn }
}
