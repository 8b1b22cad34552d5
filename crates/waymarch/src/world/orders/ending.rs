//! How an order ends: at a place to stand. A unit that gives up in a passage leaves it first.

use alloc::vec::Vec;

use crate::base::{CellPos, CellRect, Dir8, Fixed, Scratch, poison_list, reserve_total};
use crate::passages::{PassageStore, StandingGround};
use crate::query::Goal;
use crate::world::events::{EventKind, GiveUp};
use crate::world::groups::leaving::Lost;
use crate::world::orders::execute::Turn;
use crate::world::orders::goals::is_simple;
use crate::world::orders::order::Order;
use crate::world::orders::parts::OrderParts;
use crate::world::units::condition::{Ending, Outcome};
use crate::world::units::occupancy::Occupancy;
use crate::world::units::order_progress::{OrderProgress, Phase};
use crate::world::units::unit::UnitId;

/// A place to stand is searched up to 64 cells away: half of the longest passage that is reserved.
const REACH: i32 = 64;
/// The searched square has 129×129 cells.
const CELLS: usize = (2 * REACH as usize + 1) * (2 * REACH as usize + 1);

/// Scratch of the search for places to stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct EndingScratch {
    due: Vec<u32>,
    /// Cells that the search has reached, in the order of their distance.
    reached: Vec<CellPos>,
    /// By cell of the searched square: whether the search has reached it.
    seen: Vec<bool>,
    /// Places that other units walk to.
    taken: Vec<CellPos>,
}

impl Scratch for EndingScratch {
    /// The number of units.
    type Demand = usize;

    fn poison(&mut self) {
        poison_list(&mut self.due, 7);
        poison_list(&mut self.reached, CellPos::new(7, 7));
        poison_list(&mut self.seen, true);
        poison_list(&mut self.taken, CellPos::new(7, 7));
    }

    fn reserve(&mut self, units: usize) {
        reserve_total(&mut self.due, units);
        reserve_total(&mut self.taken, units);
        reserve_total(&mut self.reached, CELLS);
        reserve_total(&mut self.seen, CELLS);
    }
}

impl OrderParts<'_> {
    /// Ends the present order of a unit at the end of this tick. A unit in a passage, or where the map forbids stopping, walks to a place to stand first. A unit with
    /// another order goes on with that at once.
    pub(super) fn end_order(&mut self, index: usize, id: UnitId, outcome: Outcome) -> Turn {
        let leaves = matches!(self.units.conditions.ending(index), Ending::Leaves(..));
        let has_another = self.units.body.queue[index].0.len() > 1;
        if leaves || has_another || !self.may_leave(index, outcome) {
            self.conclude(index, id, outcome);
            return Turn::Again;
        }
        self.stop(index);
        self.units.progress[index].phase = Phase::Waiting;
        self.units.conditions.set_ending(index, Ending::Due(outcome));
        Turn::Done
    }

    /// Whether a unit looks for a place to stand before its order ends in this way. A unit in a formation slot has such a place, and a unit that was sent to one cell
    /// stays there: the order is explicit.
    fn may_leave(&self, index: usize, outcome: Outcome) -> bool {
        let walks = self.type_of(index).is_some_and(|kind| kind.speed > Fixed::ZERO);
        match outcome {
            _ if !walks => false,
            Outcome::GaveUp(why) => why != GiveUp::Immobile,
            Outcome::Arrived => {
                self.units.membership(index).is_none()
                    && self.order_of(index).and_then(Order::goal).is_some_and(is_simple)
            }
        }
    }

    /// Ends the present order now, with its event.
    fn conclude(&mut self, index: usize, id: UnitId, outcome: Outcome) {
        self.units.conditions.set_ending(index, Ending::None);
        let event = match outcome {
            Outcome::Arrived => EventKind::Arrived,
            Outcome::GaveUp(why) => {
                self.groups.note_leaving(self.units, index, Lost::Order);
                EventKind::GaveUp(why)
            }
        };
        self.events.add(id, event);
        self.finish(index);
    }

    /// Lets a unit walk to a place to stand, where its order ends.
    fn leave(&mut self, index: usize, outcome: Outcome, to: CellPos) {
        self.groups.note_leaving(self.units, index, Lost::Order);
        self.units.set_membership(index, None);
        let before = self.units.progress[index];
        self.units.progress[index] = OrderProgress {
            phase: Phase::Asking,
            home: before.home,
            leg: before.leg,
            halted: before.halted,
            ..OrderProgress::default()
        };
        self.units.reset_monitor(index);
        self.units.conditions.set_ending(index, Ending::Leaves(outcome, to));
    }
}

/// Ends the orders that are due. A unit on ground that units keep free walks to the nearest place to stand first, if there is one within [`REACH`].
///
/// *Cost:* nothing if no order is due; a search from each unit that stands in a passage.
pub(crate) fn end_orders(
    parts: &mut OrderParts<'_>,
    passages: &mut PassageStore,
    occupancy: &Occupancy,
    scratch: &mut EndingScratch,
) {
    let conditions = &parts.units.conditions;
    // The orders of passengers wait.
    let is_due =
        |index: &usize| matches!(conditions.ending(*index), Ending::Due(_)) && !conditions.is_aboard(*index);
    scratch.due.clear();
    scratch.due.extend(conditions.special().filter(is_due).map(|index| index as u32));
    if scratch.due.is_empty() {
        return;
    }
    let nav = parts.service.nav();
    passages.follow(nav.layer(), nav.config().step_rule());
    for place in 0..scratch.due.len() {
        let index = scratch.due[place] as usize;
        let Some(id) = parts.units.id_at(index) else { continue };
        let Ending::Due(outcome) = parts.units.conditions.ending(index) else { continue };
        if parts.units.body.queue[index].0.len() > 1 {
            parts.conclude(index, id, outcome);
            continue;
        }
        match place_to_stand(parts, passages, occupancy, (index, outcome), scratch) {
            Some(to) => parts.leave(index, outcome, to),
            None => parts.conclude(index, id, outcome),
        }
    }
}

/// The place to stand that is nearest to a unit on foot, where no unit rests and to which no other unit goes. `None` if the unit stands on such a place, or if there is
/// none within reach. A unit that has arrived stays in its goal.
fn place_to_stand(
    parts: &OrderParts<'_>,
    passages: &mut PassageStore,
    occupancy: &Occupancy,
    (index, outcome): (usize, Outcome),
    scratch: &mut EndingScratch,
) -> Option<CellPos> {
    let (nav, units) = (parts.service.nav(), &*parts.units);
    let agent = parts.view().agent_of(index)?;
    let (field, rule) = (nav.layer().field(agent)?, nav.config().step_rule());
    passages.number_of(nav.layer(), agent, rule)?;
    let ground = StandingGround::new(nav.layer(), passages.all());
    let from = units.cell(index);
    if !field.is_passable(from) || ground.is_place_to_stand(agent, from) {
        return None;
    }
    let goal = parts.order_of(index).and_then(Order::goal).filter(|_| outcome == Outcome::Arrived);
    let EndingScratch { reached, seen, taken, .. } = scratch;
    taken.clear();
    taken.extend(units.conditions.special().filter_map(|other| match units.conditions.ending(other) {
        Ending::Leaves(_, to) => Some(to),
        _ => None,
    }));
    let is_free = |at: CellPos| {
        let mut rests = false;
        occupancy.each_in(CellRect::at(at, 1, 1), |other| {
            rests |= other != index && units.progress[other].phase != Phase::Going;
        });
        !rests && !taken.contains(&at)
    };
    let in_goal = |at: CellPos| goal.is_none_or(|goal: &Goal| goal.contains(at));
    let window = CellRect::at(from, 1, 1).grow(REACH, REACH);
    let width = (window.x1 - window.x0) as usize;
    seen.clear();
    seen.resize(width * width, false);
    let number = |at: CellPos| (at.y - window.y0) as usize * width + (at.x - window.x0) as usize;
    reached.clear();
    reached.push(from);
    seen[number(from)] = true;
    let mut next = 0;
    while let Some(&at) = reached.get(next) {
        next += 1;
        if ground.is_place_to_stand(agent, at) && in_goal(at) && is_free(at) {
            return Some(at);
        }
        let legal = field.legal_steps(at, rule);
        for dir in Dir8::ALL.into_iter().filter(|dir| legal >> dir.index() & 1 != 0) {
            let beside = at.step(dir);
            if window.contains(beside) && !core::mem::replace(&mut seen[number(beside)], true) {
                reached.push(beside);
            }
        }
    }
    None
}
