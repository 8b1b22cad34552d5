//! Which units want to cross a passage, and in which direction.

use alloc::vec::Vec;

use crate::base::{Agent, CellPos, CellRect, FINE_CELL, Fixed, Scratch, poison_list};
use crate::flow::tiles::TileReader;
use crate::nav::MapFacts;
use crate::passages::{Passage, PassageId, PassageStore, Passages};
use crate::service::PathService;
use crate::world::deadlock::exits::exit_of;
use crate::world::reservation::turns::{Reservation, Reservations, Side, Stage, Turn, TurnLimits, order_of};
use crate::world::units::columns::Units;
use crate::world::units::occupancy::Occupancy;
use crate::world::units::order_progress::Phase;
use crate::world::units::passage_wait::{PassageLine, PassageWait};
use crate::world::units::unit_type::UnitTypes;

/// Units within 8 cells of a passage count as its users.
const REACH: i32 = 8;
/// The next side walks to the mouth when the last unit inside leaves it at least 1 cell before they meet.
const ROOM: u32 = 1;
/// A unit that needs more than 200 ticks for a cell counts as if it needed 200.
const SLOWEST_CELL: u32 = 200;
/// A unit looks for passages 8 cells ahead.
const AHEAD: i64 = REACH as i64 * FINE_CELL as i64;
/// Passages whose bounds are wider or higher than 128 cells are not reserved.
const MOST_SIDE: i32 = 128;

/// Scratch of the search for users.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReservationScratch {
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
    /// Its distance to the mouth that it leaves through; if it is outside, to the mouth that it enters through. In cells.
    far: u32,
    /// The number of ticks in which it walks a cell.
    cell_ticks: u32,
    /// Whether it is at most 1 cell from another passage. Standing there, it would block that one.
    elsewhere: bool,
}

impl Scratch for ReservationScratch {
    type Demand = ();

    fn poison(&mut self) {
        poison_list(&mut self.active, (7, PassageId(crate::base::CellId(7))));
        poison_list(
            &mut self.users,
            User { index: 7, out: 7, inside: true, far: 7, cell_ticks: 7, elsewhere: true },
        );
        self.reader.poison();
    }

    fn reserve(&mut self, (): ()) {}
}

impl ReservationScratch {
    /// Sorts the passages to look at by agent and name. The order of first use differs in a loaded World, and must not decide which of too many passages are
    /// reserved.
    fn sort_active(&mut self, passages: &PassageStore) {
        self.active.sort_unstable_by_key(|&(number, name)| order_of(passages.get(number).agent(), name.0.0));
        self.active.dedup();
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
        passages: &mut PassageStore,
        scratch: &mut ReservationScratch,
    ) {
        let layer = self.service.nav().layer();
        let rule = self.service.nav().config().step_rule();
        passages.follow(layer, rule);
        scratch.active.clear();
        for index in 0..units.column_len() {
            (units.waits[index], units.lines[index]) = (None, None);
            if !is_user(units, index) || !self.is_on_own_layers(units, index) {
                continue;
            }
            let Some(kind) = self.types.get(units.body.kind[index]) else { continue };
            let own = units.agent(index, kind, layer);
            let Some(everyone) = passages.number_of(layer, kind.agent, rule) else { continue };
            let Some(own) = passages.number_of(layer, own, rule) else { continue };
            for at in [Some(units.cell(index)), cell_ahead(units, index)].into_iter().flatten() {
                // Units of all teams share the turns of a passage. Only a team's open gate has a passage that the others do not have.
                let in_plane = |number: u16| passages.get(number).at(at).map(|found| (number, found));
                let found = in_plane(everyone).or_else(|| in_plane(own));
                let reserved = found.filter(|(_, passage)| is_reserved(passage));
                scratch.active.extend(reserved.map(|(number, passage)| (number, passage.id)));
            }
        }
        // Only a damaged save has such a reservation.
        reservations.list.retain(|held| layer.field(held.agent).is_some());
        for held in &reservations.list {
            if let Some(number) = passages.number_of(layer, held.agent, rule) {
                scratch.active.push((number, PassageId(crate::base::CellId(held.passage))));
            }
        }
        scratch.sort_active(passages);
        for place in 0..scratch.active.len() {
            let (number, name) = scratch.active[place];
            self.follow_passage(units, reservations, scratch, (passages.get(number), name));
        }
    }

    /// Follows the users of one passage.
    fn follow_passage(
        &self,
        units: &mut Units,
        reservations: &mut Reservations,
        scratch: &mut ReservationScratch,
        (passages, name): (&Passages, PassageId),
    ) {
        let ReservationScratch { users, reader, .. } = scratch;
        let agent = passages.agent();
        let Some(passage) = passages.get(name).filter(|passage| is_reserved(passage)) else {
            if let Ok(place) = reservations.find(agent, name) {
                reservations.list.remove(place);
            }
            return;
        };
        self.find_users(units, passages, passage, users, reader);
        let mut sides = [Side::default(); 2];
        for user in users.iter() {
            let side = &mut sides[usize::from(user.out)];
            if user.inside {
                side.inside += 1;
            } else {
                let comes_in = user.far * user.cell_ticks;
                side.comes_in = if side.outside == 0 { comes_in } else { side.comes_in.min(comes_in) };
                side.outside += 1;
            }
        }
        let turn = self.follow_turn(reservations, (agent, passage), users, sides);
        let may_enter = |out: u8| turn.is_none_or(|turn| turn.may_enter(out));
        let released =
            turn.is_some_and(|turn| turn.stage == Stage::Clears && is_almost_clear(users, turn.side));
        for user in users.iter() {
            let index = user.index as usize;
            let mouth = &passage.mouths[usize::from(1 - user.out)];
            let leaves = user.inside && turn.is_some_and(|turn| turn.side == user.out);
            if may_enter(user.out) || leaves {
                if units.membership(index).is_none() {
                    let line = PassageLine { passage: name.0.0, mouth: mouth.inside, inside: user.inside };
                    units.lines[index] = Some(line);
                }
                continue;
            }
            // The next side may walk to the mouth while the last units leave. A unit in another passage comes out of that one first.
            if !user.inside && (released || user.elsewhere) {
                continue;
            }
            let wait = PassageWait { inside: mouth.inside, outside: mouth.outside, retreats: user.inside };
            units.waits[index] = Some(wait);
        }
    }

    /// Follows the turns of the sides of a passage. `None` if no unit has to wait, because the passage is not contested.
    fn follow_turn(
        &self,
        reservations: &mut Reservations,
        (agent, passage): (Agent, &Passage),
        users: &[User],
        sides: [Side; 2],
    ) -> Option<Turn> {
        let now = self.service.nav().now();
        let per_second = self.service.nav().config().get().ticks_per_second;
        let slowest = users.iter().map(|user| user.cell_ticks).max().unwrap_or(0);
        let limits = TurnLimits::of_ground(passage.length, slowest, per_second);
        match reservations.find(agent, passage.id) {
            Ok(place) => {
                let turn = &mut reservations.list[place].turn;
                if !turn.follow(sides, now, limits) {
                    reservations.list.remove(place);
                    return None;
                }
                Some(*turn)
            }
            Err(place) => {
                let contested = sides.iter().all(|side| side.inside + side.outside > 0);
                if !contested || !reservations.has_room() {
                    return None;
                }
                let turn = Turn::first(sides, now);
                reservations.list.insert(place, Reservation { agent, passage: passage.id.0.0, turn });
                Some(turn)
            }
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

    /// Whether a unit can meet the usual users of its passages: units on the layers of the locomotor. A submarine that has the locomotor of ships
    /// neither waits for them nor makes them wait.
    fn is_on_own_layers(&self, units: &Units, index: usize) -> bool {
        let Some(kind) = self.types.get(units.body.kind[index]) else { return false };
        let usual = || self.service.nav().locomotor_layers(kind.agent.locomotor);
        kind.layers.is_none_or(|layers| layers.meets(usual()))
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
            let layer = self.service.nav().layer();
            // A unit of any team uses the passages that all units of its kind have.
            let alike = || {
                let kind = self.types.get(units.body.kind[index]);
                kind.is_some_and(|kind| kind.agent == agent || units.agent(index, kind, layer) == agent)
            };
            if !area.contains(units.cell(index))
                || !is_user(units, index)
                || !alike()
                || !self.is_on_own_layers(units, index)
            {
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
                let mouth = passage.mouths[usize::from(if inside { out } else { entry })].outside;
                let speed = self
                    .types
                    .get(units.body.kind[index])
                    .map_or(1, |kind| units.speed(index, kind).raw().max(1));
                let cell_ticks = (Fixed::ONE.raw() / speed).unsigned_abs().clamp(1, SLOWEST_CELL);
                let far = at.x.abs_diff(mouth.x).max(at.y.abs_diff(mouth.y));
                let around = CellRect::at(at, 1, 1).grow(1, 1).cells();
                let elsewhere =
                    around.into_iter().any(|at| passages.at(at).is_some_and(|other| other.id != passage.id));
                users.push(User { index: index as u32, out, inside, far, cell_ticks, elsewhere });
            }
        });
        users.sort_unstable_by_key(|user| user.index);
        users.dedup_by_key(|user| user.index);
    }
}

/// The cell [`AHEAD`] before a unit. A passage that the unit walks towards is there for some ticks, so it is found in time.
fn cell_ahead(units: &Units, index: usize) -> Option<CellPos> {
    let (at, aim) = (units.middle(index), units.body.crowd.guide_of(units.place(index)).aim);
    let ahead = aim.wide().minus(at.wide()).polar()?.unit;
    Some(at.plus(ahead.along(AHEAD).fine()).on_plane().cell())
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

/// Whether the last units of a side that leaves a passage are nearer to its mouth than the first unit of the other side, less [`ROOM`].
fn is_almost_clear(users: &[User], side: u8) -> bool {
    let mut inside =
        users.iter().filter(|user| user.inside).map(|user| (user.out == side).then_some(user.far));
    let last = inside.try_fold(0, |last: u32, far| Some(last.max(far?)));
    let first = users.iter().filter(|user| !user.inside && user.out != side).map(|user| user.far).min();
    last.zip(first).is_some_and(|(last, first)| last + ROOM <= first)
}

/// Whether a passage joins two open places, and is not too large.
fn is_reserved(passage: &Passage) -> bool {
    let CellRect { x0, y0, x1, y1 } = passage.bounds;
    passage.is_bottleneck() && x1 - x0 <= MOST_SIDE && y1 - y0 <= MOST_SIDE
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
        let (mut passages, mut scratch) = (PassageStore::default(), ReservationScratch::default());
        let (layer, rule) = (service.nav().layer(), service.nav().config().step_rule());
        for locomotor in first_moves {
            let agent = Agent::from(LocomotorId(locomotor));
            let number = passages.number_of(layer, agent, rule).unwrap();
            scratch.active.extend([5, 3, 5].map(|name| (number, PassageId(CellId(name)))));
        }
        scratch.sort_active(&passages);
        let agent = |number: u16| passages.get(number).agent();
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
        let turn = Turn { side: 0, stage: Stage::Opens, since: Tick(0), waits: Tick(0) };
        let held = Reservation { agent, passage: 3, turn };
        world.state.reservations.list.push(held);
        (0..8).for_each(|_| world.tick());
        assert_eq!(world.state.reservations, Reservations::default());
    }
}
