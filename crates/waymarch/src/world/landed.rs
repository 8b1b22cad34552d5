//! After all have moved: who has arrived, who comes to rest, and who went where it may not.

use super::errand::{Errand, Press, Vain};
use super::follow::{Lead, is_within};
use super::group::Post;
use super::motion::walk;
use super::orders::Order;
use super::service::PathId;
use super::simulation::World;
use super::stuck::Stuck;
use super::tick::{CHUNK, Chunk, is_simple};
use super::units::{coarse, less};
use crate::avoid::{Fine, Stance};
use crate::base::{Executor, Fixed, Vec2};

/// Jobs at most that units are looked at in.
const JOBS: usize = 64;

/// Scratch: what is left to do about a unit that has moved.
#[derive(Clone, Copy, Debug)]
pub(super) enum Note {
    /// It follows a flow, and is here now.
    Moved(PathId, Vec2),
    /// The unit in this slot has to be looked at.
    Look(u32),
}

/// Scratch: some units in a row, to be looked at beside others, and changed.
struct Squad<'a> {
    chunks: &'a mut [Chunk],
    errand: &'a mut [Errand],
    post: &'a mut [Option<Post>],
    stuck: &'a mut [Stuck],
}

impl World {
    /// Takes a last look at where units went, and sees who has arrived, in the order of slots.
    ///
    /// Most units have just gone on, or stand: what that takes concerns nobody else, and is shared out. The others are looked at one by
    /// one. What is done about one of them changes nothing that is looked at for another.
    pub(super) fn commit(&mut self, executor: &impl Executor) {
        self.look_at_all(executor);
        let chunks = core::mem::take(&mut self.chunks);
        for chunk in &chunks {
            for &note in &chunk.notes {
                match note {
                    Note::Moved(path, at) => self.service.moved(path, at.at_height(Fixed::ZERO)),
                    Note::Look(slot) => self.look_at(slot as usize, &chunk.leads[slot as usize % CHUNK]),
                }
            }
        }
        self.chunks = chunks;
    }

    fn look_at_all(&mut self, executor: &impl Executor) {
        let mut chunks = core::mem::take(&mut self.chunks);
        let mut errand = core::mem::take(&mut self.units.errand);
        let mut post = core::mem::take(&mut self.units.post);
        let mut stuck = core::mem::take(&mut self.units.stuck);
        let world = &*self;
        let size = errand.len().div_ceil(JOBS).next_multiple_of(CHUNK).max(CHUNK);
        let units = errand.chunks_mut(size).zip(post.chunks_mut(size)).zip(stuck.chunks_mut(size));
        let mut squads = chunks
            .chunks_mut(size / CHUNK)
            .zip(units)
            .map(|(chunks, ((errand, post), stuck))| Squad { chunks, errand, post, stuck });
        let mut jobs: [_; JOBS] = core::array::from_fn(|_| squads.next());
        executor.each(&mut jobs, |job| {
            let Some(Squad { chunks, errand, post, stuck }) = job else { return };
            let own = errand.iter_mut().zip(post.iter_mut()).zip(stuck.iter_mut());
            let mut own = own.map(|((errand, post), stuck)| (errand, post, stuck));
            for Chunk { first, leads, notes, .. } in chunks.iter_mut() {
                for (slot, (lead, own)) in (*first..).zip(leads.iter().zip(own.by_ref())) {
                    notes.extend(world.glance_at(slot as usize, lead, own));
                }
            }
        });
        self.chunks = chunks;
        (self.units.errand, self.units.post, self.units.stuck) = (errand, post, stuck);
    }

    /// Brings up to date what concerns nobody but the unit in a slot, if there is one; says what else there is to do.
    #[inline]
    fn glance_at(
        &self,
        slot: usize,
        lead: &Lead,
        (errand, post, stuck): (&mut Errand, &mut Option<Post>, &mut Stuck),
    ) -> Option<Note> {
        self.units.id_at(slot)?;
        let look = Some(Note::Look(slot as u32));
        let (place, kind) = (self.units.place(slot), self.units.kind[slot]);
        let crowd = &self.units.crowd;
        let stance = crowd.stance(place);
        let Some(guide) = lead.guide else {
            let stands = matches!(stance, Stance::Idle | Stance::Holding)
                && crowd.velocities()[place].is_zero()
                && self.units.middle(slot) == lead.from;
            let looks =
                post.and_then(|post| post.facing).is_none_or(|towards| crowd.heading(place) == towards);
            if !stands || !looks {
                return look;
            }
            stuck.rest(self.units.at(slot));
            stuck.calms();
            return None;
        };
        errand.trace = lead.trace;
        if let Some(next) = lead.post {
            if post.is_some_and(|post| next.gate < post.gate) {
                // There is more before it than it thought: what was left then is no measure.
                (errand.press, errand.vain) = (Press::default(), Vain::default());
            }
            *post = Some(next);
        }
        let at = coarse(less(self.units.middle(slot), self.units.shift(kind)));
        if self.where_legal(slot, lead.from).is_some() {
            return look;
        }
        if let Some(end) = lead.end {
            let near = self.types.get(kind).is_some_and(|kind| is_within(at, end, kind.tolerance));
            let order = || self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order));
            let simple = || order().and_then(Order::goal).is_some_and(is_simple);
            if stance != Stance::Moving || near || (post.is_none() && simple()) {
                return look;
            }
            let mut press = errand.press;
            let since = press.note(guide.left, self.avoidance.delay(place));
            if u32::from(since) >= self.patience(post.as_ref()) {
                return look;
            }
            errand.press = press;
        }
        self.service.follows_flow(errand.path).then_some(Note::Moved(errand.path, at))
    }

    /// All that may have to be done about the unit in a slot.
    fn look_at(&mut self, slot: usize, lead: &Lead) {
        let Some(id) = self.units.id_at(slot) else { return };
        self.keep_legal(slot, lead.from);
        let at = self.units.at(slot);
        if lead.guide.is_none() {
            self.units.stuck[slot].rest(at);
            self.calm_down(slot);
            self.look_around(slot);
            return;
        }
        self.service.moved(self.units.errand[slot].path, at.at_height(Fixed::ZERO));
        let Some(end) = lead.end else { return };
        let tolerance = self.types.get(self.units.kind[slot]).map(|kind| kind.tolerance);
        // Layer 4 lets a unit stop at its goal, or before others that are there already.
        let arrived = self.units.stance(slot) != Stance::Moving
            || tolerance.is_some_and(|near| is_within(at, end, near))
            || self.is_in_goal(slot)
            || self.presses_in_vain(slot, lead.guide.map_or(0, |guide| guide.left));
        if arrived {
            self.arrive(slot, id);
        }
    }

    /// Where the rule of legal steps demands a unit to be that was at `from`; `None` if that is where it is.
    pub(super) fn where_legal(&self, slot: usize, from: Fine) -> Option<Fine> {
        let (middle, kind) = (self.units.middle(slot), self.units.kind[slot]);
        let shift = self.units.shift(kind);
        let (from, to) = (less(from, shift), less(middle, shift));
        if from.cell() == to.cell() {
            return None;
        }
        let nav = self.service.nav();
        let field = self.types.get(kind).and_then(|kind| nav.layer().field(kind.agent))?;
        let legal = walk(field, nav.config().step_rule(), from, to);
        (legal != to).then(|| legal.plus(shift))
    }
}
