//! Reservations of passages: whose turn it is.

use alloc::vec::Vec;

use crate::base::{
    Agent, ByteReader, ByteWriter, GridSize, LoadError, Persist, Tick, persist_choices, persist_fields,
};
use crate::passages::PassageId;

/// While one side passes, the other one waits at most 20 seconds. The last second is for units that are slower than expected.
const MOST_WAIT_SECONDS: u32 = 19;
/// A turn ends up to 2 seconds earlier if its side cannot get through anyway: only the last units of a side use the time to the end.
const SPARE_SECONDS: u32 = 2;
/// A turn is at least 6 seconds long, however long the ground is.
const LEAST_TURN_SECONDS: u32 = 6;
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
/// The sides alternate. A turn ends when no unit of its side is left outside, or when the other side has waited long enough. The other side enters when the ground
/// is empty.
///
/// A side waits from the time at which its last unit was halfway across, or from its arrival, until the last unit of the other side is halfway across.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    /// 0 or 1.
    pub(crate) side: u8,
    pub(crate) stage: Stage,
    /// The tick at which the stage began.
    pub(crate) since: Tick,
    /// The tick from which on the other side waits; [`Tick::MAX`] if it has no units. It may be ahead: its units still leave, or have not reached the mouth.
    pub(crate) waits: Tick,
}

/// How long the stages of a turn last at most, in ticks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnLimits {
    /// From the end of a turn until its last unit is halfway across.
    pub(crate) halfway: u32,
    pub(crate) opens: u32,
    /// How long units enter while the other side waits.
    pub(crate) flows: u32,
    /// The part of it that only the last units of a side use.
    pub(crate) spare: u32,
    /// From one unit that enters to the next.
    pub(crate) headway: u32,
    /// How long a turn is at least.
    pub(crate) least: u32,
    pub(crate) clears: u32,
}

impl TurnLimits {
    /// The limits for ground with a length in cells. The slowest unit needs `cell_ticks` for a cell.
    pub(crate) fn of_ground(length: u32, cell_ticks: u32, per_second: u32) -> Self {
        let crossing = length.saturating_mul(cell_ticks);
        Self {
            halfway: crossing / 2,
            opens: OPEN_SECONDS * per_second,
            flows: (MOST_WAIT_SECONDS * per_second).saturating_sub(crossing / 2),
            spare: SPARE_SECONDS * per_second,
            headway: cell_ticks,
            least: LEAST_TURN_SECONDS * per_second,
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
    /// The number of ticks in which the first of them could reach the mouth.
    pub(crate) comes_in: u32,
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
        Self {
            side: u8::from(key(sides[1]) > key(sides[0])),
            stage: Stage::Opens,
            since: now,
            waits: Tick::MAX,
        }
    }

    /// Follows the units of both sides. Returns `false` if no side uses the ground any more.
    pub(crate) fn follow(&mut self, sides: [Side; 2], now: Tick, limits: TurnLimits) -> bool {
        let (own, other) = (sides[usize::from(self.side)], sides[usize::from(1 - self.side)]);
        let is_over = |ticks: u32| now >= self.since + ticks;
        // Time counts only while units of the other side wait.
        let waits = if other.is_empty() { Tick::MAX } else { self.waits.min(now + other.comes_in) };
        let rest = own.outside.saturating_mul(limits.headway);
        let spare = if rest <= limits.spare { 0 } else { limits.spare };
        let has_waited = now >= waits + limits.flows.saturating_sub(spare) && is_over(limits.least);
        let stage = match self.stage {
            _ if own.is_empty() && other.is_empty() => return false,
            // Its side is through.
            _ if own.is_empty() => return self.give_to_other(now, Tick::MAX),
            Stage::Opens if own.inside > 0 => Stage::Flows,
            Stage::Opens | Stage::Flows if other.is_empty() => self.stage,
            Stage::Opens if is_over(limits.opens) => Stage::Clears,
            Stage::Flows if own.outside == 0 || has_waited => Stage::Clears,
            // A side that does not get out lets the other side try.
            Stage::Clears if own.inside == 0 || is_over(limits.clears) => {
                return self.give_to_other(now, self.since + limits.halfway);
            }
            same => same,
        };
        let since = if stage == self.stage { self.since } else { now };
        *self = Self { stage, since, waits, ..*self };
        true
    }

    /// The turn of the other side begins. Its own side waits from a tick on.
    fn give_to_other(&mut self, now: Tick, waits: Tick) -> bool {
        *self = Self { side: 1 - self.side, stage: Stage::Opens, since: now, waits };
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
    Turn { side: u8, stage: Stage, since: Tick, waits: Tick = since 11 or Tick::ZERO }
    Reservation { agent: Agent, passage: u32, turn: Turn }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 20 ticks a second, 8 ticks for a cell.
    const CELL_TICKS: u32 = 8;

    /// What became of two crowds before a passage.
    struct Crossed {
        /// Units of each side that have crossed.
        through: [u32; 2],
        /// The longest time between two units of a side that were halfway across, in ticks, while units of the side waited.
        longest_wait: u32,
        ticks: u32,
    }

    /// Two crowds cross a passage of this length. A unit enters every `headway` ticks, and walks a cell in [`CELL_TICKS`].
    fn cross(length: u32, crowds: [u32; 2], headway: u32) -> Crossed {
        let limits = TurnLimits::of_ground(length, CELL_TICKS, 20);
        let crossing = length * CELL_TICKS;
        let mut outside = crowds;
        // For each side, the ticks at which its units have entered.
        let mut entered: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
        let mut turn: Option<Turn> = None;
        for now in 0..40_000_u32 {
            let inside =
                |side: usize| entered[side].iter().filter(|&&tick| now < tick + crossing).count() as u32;
            let sides = [0, 1].map(|side| Side { inside: inside(side), outside: outside[side], comes_in: 0 });
            if now % 4 == 0 {
                let mut next = turn.unwrap_or_else(|| Turn::first(sides, Tick(0)));
                turn = next.follow(sides, Tick(u64::from(now)), limits).then_some(next);
                if turn.is_none() {
                    let halfway = |tick: &u32| tick + crossing / 2;
                    let wait = |side: usize| {
                        let first = entered[side].first().map_or(0, halfway);
                        let gaps = entered[side].windows(2).map(|pair| pair[1] - pair[0]);
                        gaps.max().unwrap_or(0).max(first)
                    };
                    let through = [0, 1].map(|side| entered[side].len() as u32);
                    return Crossed { through, longest_wait: wait(0).max(wait(1)), ticks: now };
                }
            }
            let Some(turn) = turn else { continue };
            let side = usize::from(turn.side);
            // Opposing units have left.
            let is_empty = inside(1 - side) == 0;
            let is_due = entered[side].last().is_none_or(|&last| now >= last + headway);
            if turn.may_enter(turn.side) && is_empty && is_due && outside[side] > 0 {
                outside[side] -= 1;
                entered[side].push(now);
            }
        }
        panic!("the crowds have not crossed")
    }

    #[test]
    fn no_side_waits_for_more_than_20_seconds_and_the_other_side_to_get_out() {
        for length in [1, 3, 12, 20] {
            for crowds in [[40, 40], [200, 200], [7, 300], [1, 100]] {
                for headway in [8, 12, 30] {
                    let crossed = cross(length, crowds, headway);
                    assert_eq!(crossed.through, crowds);
                    // Its own units take as long to get out as the first of the other side to get in, and its last unit entered up to a headway before its turn ended.
                    let most = 20 * 20 + length * CELL_TICKS + headway;
                    assert!(
                        crossed.longest_wait <= most,
                        "{length} {crowds:?} {headway}: {}",
                        crossed.longest_wait
                    );
                }
            }
        }
    }

    #[test]
    fn a_side_that_can_get_through_in_time_is_not_stopped_before_its_last_units() {
        let crossed = cross(12, [40, 40], CELL_TICKS);
        let one_way = 40 * CELL_TICKS;
        // One switch, in which the passage is empty for as long as it takes to cross it.
        assert!(crossed.ticks <= 2 * (one_way + 12 * CELL_TICKS) + 16, "{}", crossed.ticks);
    }

    #[test]
    fn time_counts_only_while_the_other_side_waits() {
        let limits = TurnLimits::of_ground(3, CELL_TICKS, 20);
        let crowd = |outside| Side { inside: 0, outside, comes_in: 0 };
        let mut turn = Turn::first([crowd(9), crowd(0)], Tick(0));
        for now in 0..2000 {
            assert!(turn.follow([Side { inside: 2, ..crowd(9) }, crowd(0)], Tick(now), limits));
            assert!(turn.may_enter(0), "tick {now}");
        }
        let both = [Side { inside: 2, ..crowd(90) }, crowd(5)];
        let closed = (2000..2400).find(|&now| {
            turn.follow(both, Tick(now), limits);
            !turn.may_enter(0)
        });
        assert!(closed.is_some_and(|tick| (2300..2400).contains(&tick)), "{closed:?}");
    }
}
