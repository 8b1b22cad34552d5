//! Reservations of passages: whose turn it is.

use alloc::vec::Vec;

use crate::base::{Agent, ByteReader, ByteWriter, GridSize, LoadError, Persist, Tick, persist_fields};
use crate::passages::PassageId;

/// A side whose turn has lasted for 12 seconds lets the other side go. Longer turns waste less time on clearing the passage, but the other side waits longer.
pub(crate) const TURN_SECONDS: u32 = 12;
/// At most 1,024 passages are reserved at a time. In others, units avoid each other as on open ground.
const MOST_RESERVATIONS: usize = 1024;

/// World: a passage that units want to cross in both directions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reservation {
    pub(crate) agent: Agent,
    /// The number of the passage's first cell, which is its name.
    pub(crate) passage: u32,
    /// The mouth through which units leave in this turn: 0 or 1.
    pub(crate) out: u8,
    /// The tick at which the turn began, or at which it was over.
    pub(crate) since: Tick,
    /// Whether the turn is over, and the side whose turn it was only clears the passage.
    pub(crate) clears: bool,
}

/// What a side does at a passage.
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

impl Reservation {
    /// A new reservation for the side with more units inside; if both have as many, for the side with more units.
    pub(crate) fn new(agent: Agent, passage: PassageId, sides: [Side; 2], now: Tick) -> Self {
        let key = |side: Side| (side.inside, side.outside);
        let out = u8::from(key(sides[1]) > key(sides[0]));
        Self { agent, passage: passage.0.0, out, since: now, clears: false }
    }

    /// Follows the units at the passage. `sides` are by the mouth that units leave through. Returns `false` if the passage is not contested any more.
    pub(crate) fn follow(&mut self, sides: [Side; 2], now: Tick, turn_ticks: u32) -> bool {
        let (own, other) = (sides[usize::from(self.out)], sides[usize::from(1 - self.out)]);
        if own.is_empty() || other.is_empty() {
            return false;
        }
        let long = now >= self.since + turn_ticks;
        // A side that does not get out lets the other side try.
        if self.clears && (own.inside == 0 || long) {
            *self = Self { out: 1 - self.out, since: now, clears: false, ..*self };
        } else if !self.clears && (long || own.outside == 0) {
            (self.since, self.clears) = (now, true);
        }
        true
    }

    /// Whether a unit that leaves through a mouth may enter now.
    pub(crate) fn may_enter(&self, out: u8) -> bool {
        out == self.out && !self.clears
    }
}

/// World: all reservations, by agent and passage.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reservations {
    pub(crate) list: Vec<Reservation>,
}

impl Reservations {
    /// The place of a passage in the list, or where it would be.
    pub(crate) fn find(&self, agent: Agent, passage: PassageId) -> Result<usize, usize> {
        self.list.binary_search_by_key(&key(agent, passage.0.0), |held| key(held.agent, held.passage))
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
        let fits = |held: &Reservation| held.out < 2 && (held.passage as usize) < grid.cells();
        if self.list.len() > MOST_RESERVATIONS || !self.list.iter().all(fits) {
            return Err("a reservation is off the map or has no such mouth, or there are too many");
        }
        let ordered =
            |two: &[Reservation]| key(two[0].agent, two[0].passage) < key(two[1].agent, two[1].passage);
        if !self.list.windows(2).all(ordered) {
            return Err("the reservations are not in order");
        }
        Ok(())
    }
}

fn key(agent: Agent, passage: u32) -> (u8, u8, u32) {
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

persist_fields! {
    Reservation { agent: Agent, passage: u32, out: u8, since: Tick, clears: bool }
}
