//! Eviction: units on ground that an edit has closed, under a new building or where a bridge is gone.

use crate::avoid::{Fine, Mover};
use crate::base::{CellPos, Fixed};
use crate::config::Eviction;
use crate::world::changes::free_cells::{Standers, nearest_open};
use crate::world::events::{Death, Displaced};
use crate::world::notices::News;
use crate::world::state::State;
use crate::world::units::condition::Footing;
use crate::world::units::order_progress::Phase;

/// Open ground is searched up to 64 cells away: the longest side of a stamp.
const OUT_REACH: i32 = 64;

/// Applies the setting `eviction` to each unit whose ground an edit has closed. Costs nothing without edits, else a look at the cell of each unit. Each unit is told once.
pub(crate) fn evict_units(state: &mut State) {
    let mut unreviewed = state.unreviewed.list(state.service.nav().layer().changes());
    if unreviewed.as_mut().is_some_and(|sectors| sectors.next().is_none()) {
        return;
    }
    drop(unreviewed);
    for index in 0..state.units.column_len() {
        if state.units.id_at(index).is_some() && !state.units.conditions.is_aboard(index) {
            state.review_ground(index);
        }
    }
}

/// Moves the units that walk off closed ground, and forgets closed ground that a unit has left. Costs nothing if there are no such units.
pub(crate) fn leave_closed_ground(state: &mut State) {
    if state.units.conditions.are_default() {
        return;
    }
    for index in 0..state.units.column_len() {
        match state.units.conditions.get(index).footing {
            Footing::Open => {}
            Footing::Stays => {
                if state.is_on_open_ground(index) {
                    state.set_footing(index, Footing::Open);
                }
            }
            Footing::Leaves(to) => state.walk_out(index, to),
        }
    }
}

impl State {
    fn is_on_open_ground(&self, index: usize) -> bool {
        let field = self.agent_of(index).and_then(|agent| self.nav().layer().field(agent));
        field.is_some_and(|field| field.is_passable(self.units.cell(index)))
    }

    /// Finds out whether the ground under a unit is closed, and what the unit does then.
    fn review_ground(&mut self, index: usize) {
        let rule = self.config().eviction;
        let footing = self.units.conditions.get(index).footing;
        match footing {
            Footing::Leaves(to) => {
                // The cell that it walks to may be closed now.
                let field = self.agent_of(index).and_then(|agent| self.nav().layer().field(agent));
                if field.is_some_and(|field| field.is_passable(to)) {
                    return;
                }
            }
            Footing::Stays if rule == Eviction::Stay => return,
            Footing::Stays | Footing::Open => {}
        }
        if self.is_on_open_ground(index) {
            return;
        }
        match rule {
            Eviction::Stay => self.stay(index),
            Eviction::Walk => self.begin_walk(index),
            Eviction::Put => self.put_out(index),
            Eviction::Die => {
                let Some(id) = self.units.id_at(index) else { return };
                self.remove_unit(index, id);
                self.notices.add(id, News::Died(Death::OnClosedGround));
            }
        }
    }

    fn tell(&mut self, index: usize, how: Displaced) {
        if let Some(id) = self.units.id_at(index) {
            self.notices.add(id, News::Displaced(how));
        }
    }

    /// The unit stays, and has sent its event.
    fn stay(&mut self, index: usize) {
        if self.units.conditions.get(index).footing != Footing::Stays {
            self.set_footing(index, Footing::Stays);
            self.tell(index, Displaced::Stays);
        }
    }

    /// Lets a unit walk to the nearest open cell, if it can walk at all.
    fn begin_walk(&mut self, index: usize) {
        let at = self.units.cell(index);
        let open = |counts: &dyn Fn(CellPos) -> bool| {
            nearest_open(self.nav().layer(), self.agent_of(index)?, (at, OUT_REACH), counts)
        };
        let out = open(&|cell| self.leads_on(index, cell)).or_else(|| open(&|_| true));
        let can_walk = self.type_of(index).is_some_and(|kind| kind.speed > Fixed::ZERO);
        let Some(to) = out.filter(|_| can_walk) else { return self.stay(index) };
        let progress = &mut self.units.progress[index];
        if progress.phase != Phase::Idle {
            progress.phase = Phase::Asking;
        }
        self.order_parts().drop_routes(index);
        self.forget_narrow_ground(index);
        self.set_footing(index, Footing::Leaves(to));
        self.tell(index, Displaced::Walks(to));
    }

    /// Where a unit is put: the nearest free cell, or the nearest open one if none is free.
    fn place_outside(&self, index: usize) -> Option<CellPos> {
        let (at, layers) = (self.units.cell(index), self.units.body.layers(index));
        let standers = Standers::around(&self.order_view(), at, OUT_REACH, Some(index));
        let (layer, leads_on) = (self.nav().layer(), |cell| self.leads_on(index, cell));
        let kind = self.type_of(index)?;
        let agent = self.units.agent(index, kind, layer);
        let free = standers.free_cell(layer, (kind, agent, layers), (at, OUT_REACH), leads_on);
        let open = || nearest_open(layer, agent, (at, OUT_REACH), leads_on);
        let any = || nearest_open(layer, agent, (at, OUT_REACH), |_| true);
        free.or_else(open).or_else(any)
    }

    /// Puts a unit onto the nearest free cell, or the nearest open one if none is free.
    fn put_out(&mut self, index: usize) {
        let Some(to) = self.place_outside(index) else { return self.stay(index) };
        let progress = &mut self.units.progress[index];
        if progress.phase != Phase::Idle {
            progress.phase = Phase::Asking;
        }
        self.order_parts().drop_routes(index);
        self.forget_narrow_ground(index);
        self.set_footing(index, Footing::Open);
        let heading = self.units.body.crowd.heading(self.units.place(index));
        self.set_down(index, to, heading);
        self.tell(index, Displaced::Put(to));
        self.carry_passengers();
        self.units.body.crowd.wake_all();
    }

    /// Whether the target of a unit's present order can be reached from a cell, as far as that can be known. Without an order, every cell counts.
    fn leads_on(&self, index: usize, from: CellPos) -> bool {
        let progress = &self.units.progress[index];
        let nav = self.nav();
        let Some(agent) = self.agent_of(index).filter(|_| progress.phase != Phase::Idle) else { return true };
        let field = nav.layer().field(agent);
        // A target on closed ground says nothing about where to go.
        let is_open = field.is_some_and(|field| field.is_passable(progress.target));
        !is_open || nav.reachable(from, progress.target, agent)
    }

    /// Moves a unit towards the open cell it walks to. A unit that the game moves has left closed ground when its cell is open.
    fn walk_out(&mut self, index: usize, to: CellPos) {
        let Some(kind) = self.type_of(index) else { return };
        let (place, middle) = (self.units.place(index), self.units.middle(index));
        let is_out = if kind.mover == Mover::Game {
            self.is_on_open_ground(index)
        } else {
            let aim = Fine::centre(to).plus(self.units.shift(self.units.body.kind[index]));
            let step = self.units.speed(index, kind).to_fine();
            let next = middle.towards(aim, step);
            self.units.body.crowd.put(place, next, next.minus(middle));
            self.units.body.crowd.face(place, next.minus(middle));
            next == aim
        };
        if is_out {
            self.set_footing(index, Footing::Open);
            let at = self.units.middle(index);
            self.units.body.crowd.put(place, at, Fine::ZERO);
            self.units.body.crowd.stop(place);
            self.units.reset_monitor(index);
        }
    }
}
