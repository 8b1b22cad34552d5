//! Which units want to cross a passage, and in which direction.

use alloc::vec::Vec;

use crate::base::{Agent, CellPos, CellRect, Scratch, poison_list};
use crate::flow::tiles::TileReader;
use crate::passages::{Beyond, Passage, PassageId, Passages};
use crate::service::PathService;
use crate::world::deadlock::exits::exit_of;
use crate::world::reservation::turns::{Reservation, Reservations, Side, TURN_SECONDS};
use crate::world::units::columns::Units;
use crate::world::units::occupancy::Occupancy;
use crate::world::units::order_progress::Phase;
use crate::world::units::passage_wait::PassageWait;
use crate::world::units::unit_type::UnitTypes;

/// Units within 8 cells of a passage count as its users.
const REACH: i32 = 8;
/// Passages whose bounds are wider or higher than 128 cells are not reserved.
const MOST_SIDE: i32 = 128;

/// Derived from the map: the passages of each agent that has moved, in the order of first use. And scratch of the search for users.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReservationScratch {
    passages: Vec<Passages>,
    /// The passages to look at: the index of the agent's passages, and the name.
    active: Vec<(u16, PassageId)>,
    users: Vec<User>,
    reader: TileReader,
}

/// A unit that wants to cross a passage.
#[derive(Clone, Copy, Debug)]
struct User {
    index: u32,
    /// The mouth that it leaves through.
    out: u8,
    inside: bool,
}

impl Scratch for ReservationScratch {
    type Demand = ();

    fn poison(&mut self) {
        poison_list(&mut self.active, (7, PassageId(crate::base::CellId(7))));
        poison_list(&mut self.users, User { index: 7, out: 7, inside: true });
        self.reader.poison();
    }

    fn reserve(&mut self, (): ()) {}
}

impl ReservationScratch {
    /// The number of an agent's passages, up to date; `None` if the agent has no costs.
    fn passages_of(&mut self, service: &PathService, agent: Agent) -> Option<u16> {
        let nav = service.nav();
        nav.layer().field(agent)?;
        let known = self.passages.iter().position(|passages| passages.agent() == agent);
        let place = match known {
            Some(place) => place,
            None => {
                self.passages.push(Passages::new(nav.layer(), agent, nav.config().step_rule()).ok()?);
                self.passages.len() - 1
            }
        };
        Some(place as u16)
    }

    /// Sorts the passages to look at by agent and name. The order of first use differs in a loaded World, and must not decide which of too many passages are
    /// reserved.
    fn sort_active(&mut self) {
        let Self { passages, active, .. } = self;
        active.sort_unstable_by_key(|&(number, name)| {
            let agent = passages[usize::from(number)].agent();
            (agent.locomotor.0, agent.size.side(), name)
        });
        active.dedup();
    }
}

/// What reservations read.
#[derive(Clone, Copy)]
pub(crate) struct ReservationView<'a> {
    pub(crate) service: &'a PathService,
    pub(crate) types: &'a UnitTypes,
    /// Must be up to date.
    pub(crate) occupancy: &'a Occupancy,
}

impl ReservationView<'_> {
    /// Follows the units at narrow passages: which passages are contested, whose turn it is, and which units wait. Call it every few ticks.
    ///
    /// *Cost:* a look at each unit under way, and the routes of the units near contested passages.
    pub(crate) fn reserve_passages(
        &self,
        units: &mut Units,
        reservations: &mut Reservations,
        scratch: &mut ReservationScratch,
    ) {
        let layer = self.service.nav().layer();
        let rule = self.service.nav().config().step_rule();
        scratch.passages.iter_mut().for_each(|passages| passages.follow_rule(layer, rule));
        scratch.active.clear();
        for index in 0..units.column_len() {
            units.waits[index] = None;
            if !is_user(units, index) {
                continue;
            }
            let Some(kind) = self.types.get(units.body.kind[index]) else { continue };
            let Some(number) = scratch.passages_of(self.service, kind.agent) else { continue };
            if let Some(passage) = scratch.passages[usize::from(number)].at(units.cell(index)) {
                if is_reserved(passage) {
                    scratch.active.push((number, passage.id));
                }
            }
        }
        // Only a damaged save has such a reservation.
        reservations.list.retain(|held| layer.field(held.agent).is_some());
        for held in &reservations.list {
            if let Some(number) = scratch.passages_of(self.service, held.agent) {
                scratch.active.push((number, PassageId(crate::base::CellId(held.passage))));
            }
        }
        scratch.sort_active();
        for place in 0..scratch.active.len() {
            let (number, name) = scratch.active[place];
            self.follow_passage(units, reservations, scratch, (number, name));
        }
    }

    /// Follows the users of one passage.
    fn follow_passage(
        &self,
        units: &mut Units,
        reservations: &mut Reservations,
        scratch: &mut ReservationScratch,
        (number, name): (u16, PassageId),
    ) {
        let ReservationScratch { passages, users, reader, .. } = scratch;
        let passages = &passages[usize::from(number)];
        let agent = passages.agent();
        let place = reservations.find(agent, name);
        let Some(passage) = passages.get(name).filter(|passage| is_reserved(passage)) else {
            if let Ok(place) = place {
                reservations.list.remove(place);
            }
            return;
        };
        self.find_users(units, passages, passage, users, reader);
        let mut sides = [Side::default(); 2];
        for user in users.iter() {
            let side = &mut sides[usize::from(user.out)];
            if user.inside { side.inside += 1 } else { side.outside += 1 }
        }
        let now = self.service.nav().now();
        let turn = TURN_SECONDS * self.service.nav().config().get().ticks_per_second;
        let held = match place {
            Ok(place) => {
                if !reservations.list[place].follow(sides, now, turn) {
                    reservations.list.remove(place);
                    return;
                }
                reservations.list[place]
            }
            Err(place) => {
                let contested = sides.iter().all(|side| side.inside + side.outside > 0);
                if !contested || !reservations.has_room() {
                    return;
                }
                let held = Reservation::new(agent, name, sides, now);
                reservations.list.insert(place, held);
                held
            }
        };
        for user in users.iter().filter(|user| !held.may_enter(user.out)) {
            // A unit inside walks on if its side only clears the passage.
            if user.inside && user.out == held.out {
                continue;
            }
            let mouth = &passage.mouths[usize::from(1 - user.out)];
            let wait = PassageWait { inside: mouth.inside, outside: mouth.outside, retreats: user.inside };
            units.waits[user.index as usize] = Some(wait);
        }
    }

    /// Whether the straight line between two cells is open and crosses no passage. A unit that has to cross another passage first does not wait for this one.
    fn leads_straight(&self, passages: &Passages, from: CellPos, to: CellPos) -> bool {
        let Some(field) = self.service.nav().layer().field(passages.agent()) else { return false };
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let steps = dx.abs().max(dy.abs());
        (1..=steps).all(|step| {
            let part = |whole: i32| (2 * whole * step + whole.signum() * steps) / (2 * steps);
            let at = CellPos::new(from.x + part(dx), from.y + part(dy));
            field.is_passable(at) && passages.at(at).is_none()
        })
    }

    /// Finds the units that want to cross a passage, in the order of unit indices.
    fn find_users(
        &self,
        units: &Units,
        passages: &Passages,
        passage: &Passage,
        users: &mut Vec<User>,
        reader: &mut TileReader,
    ) {
        let agent = passages.agent();
        let area = passage.bounds.grow(REACH, REACH).intersect(self.service.nav().layer().grid().rect());
        users.clear();
        self.occupancy.each_in(area, |index| {
            let alike = || self.types.get(units.body.kind[index]).is_some_and(|kind| kind.agent == agent);
            if !area.contains(units.cell(index)) || !is_user(units, index) || !alike() {
                return;
            }
            let Some(exit) = exit_of(self.service, units, index, area, reader) else { return };
            let (at, out) = (units.cell(index), nearest_mouth(passage, exit.cell()));
            let inside = passages.at(at).is_some_and(|other| other.id == passage.id);
            let ends_inside = passages.at(exit.cell()).is_some_and(|other| other.id == passage.id);
            let entry = nearest_mouth(passage, at);
            let enters = || {
                entry != out && self.leads_straight(passages, at, passage.mouths[usize::from(entry)].outside)
            };
            if !ends_inside && (inside || enters()) {
                users.push(User { index: index as u32, out, inside });
            }
        });
        users.sort_unstable_by_key(|user| user.index);
        users.dedup_by_key(|user| user.index);
    }
}

/// Whether a unit is under way by itself.
fn is_user(units: &Units, index: usize) -> bool {
    let progress = &units.progress[index];
    units.id_at(index).is_some()
        && progress.phase == Phase::Going
        && !progress.halted
        && progress.escape.is_none()
        && units.step[index].is_none()
}

/// Whether a passage joins two open places.
fn is_reserved(passage: &Passage) -> bool {
    let CellRect { x0, y0, x1, y1 } = passage.bounds;
    passage.mouths.len() == 2
        && passage.mouths.iter().all(|mouth| mouth.beyond == Beyond::Open)
        && x1 - x0 <= MOST_SIDE
        && y1 - y0 <= MOST_SIDE
}

/// The mouth that is nearest to a cell: 0 or 1.
fn nearest_mouth(passage: &Passage, at: CellPos) -> u8 {
    let far = |number: usize| {
        let mouth = passage.mouths[number].outside;
        let (x, y) = (u64::from(mouth.x.abs_diff(at.x)), u64::from(mouth.y.abs_diff(at.y)));
        x * x + y * y
    };
    u8::from(far(1) < far(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{CellId, GridSize, LocomotorId, Tick};
    use crate::config::Config;
    use crate::cost::{Map, Rules};
    use crate::nav::Navigator;
    use crate::world::World;

    /// The passages to look at, by agent, after agents have moved for the first time in this order.
    fn active_after(first_moves: [u8; 2]) -> Vec<(Agent, u32)> {
        let map = Map::flat("field", GridSize::new(16, 16).unwrap(), Rules::standard());
        let service = PathService::new(Navigator::new(map, Config::default()).unwrap());
        let mut scratch = ReservationScratch::default();
        for locomotor in first_moves {
            let number = scratch.passages_of(&service, Agent::from(LocomotorId(locomotor))).unwrap();
            scratch.active.extend([5, 3, 5].map(|name| (number, PassageId(CellId(name)))));
        }
        scratch.sort_active();
        let agent = |number: u16| scratch.passages[usize::from(number)].agent();
        scratch.active.iter().map(|&(number, name)| (agent(number), name.0.0)).collect()
    }

    #[test]
    fn passages_are_looked_at_in_the_same_order_whichever_agent_moved_first() {
        let active = active_after([0, 1]);
        assert_eq!(active, active_after([1, 0]));
        assert_eq!(active.iter().map(|(_, name)| *name).collect::<Vec<_>>(), [3, 5, 3, 5]);
    }

    /// It stayed for ever in a World that never knew the agent, and ended in a World that once had it.
    #[test]
    fn a_reservation_of_an_agent_without_costs_ends() {
        let map = Map::flat("field", GridSize::new(16, 16).unwrap(), Rules::standard());
        let mut world = World::new(Navigator::new(map, Config::default()).unwrap());
        let agent = Agent::from(LocomotorId(200));
        let held = Reservation { agent, passage: 3, out: 0, since: Tick(0), clears: false };
        world.state.reservations.list.push(held);
        (0..8).for_each(|_| world.tick());
        assert_eq!(world.state.reservations, Reservations::default());
    }
}
