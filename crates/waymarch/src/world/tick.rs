//! One tick, from top to bottom.

use alloc::vec::Vec;

use super::cohesion::Whereabouts;
use super::errand::{Phase, Press, Slow};
use super::events::{GiveUp, RouteChange};
use super::follow::Lead;
use super::ground::KindGrounds;
use super::group::{Post, View};
use super::landed::Note;
use super::occupancy::UnitsThere;
use super::orders::Order;
use super::simulation::World;
use super::stuck::{JitterKey, Remedy};
use super::units::{UnitId, Units, less};
use super::waiting::Waits;
use crate::avoid::{Delay, FINE_BITS, Fine, Stance, Walls};
use crate::base::{CellPos, CellRect, Executor, Fixed, Serial, Vec2, spoil};
use crate::flow::tiles::TileReader;
use crate::query::{Goal, Shape};

/// A part of a tick, in the order they come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum TickPhase {
    /// Routes that edits hit are looked at.
    Review,
    /// Orders become requests.
    Orders,
    /// Layers 1 to 3: the clock goes on, and routes and flows are found.
    Paths,
    /// Every unit looks where its route or flow leads it.
    Lead,
    /// Layer 4: units take velocities that keep them from bumping, and move.
    Avoid,
    /// Units that make no headway try something else.
    Stuck,
}

impl TickPhase {
    /// All, in order.
    pub const ALL: [Self; 6] =
        [Self::Review, Self::Orders, Self::Paths, Self::Lead, Self::Avoid, Self::Stuck];
}

/// Seconds for which a unit that is slow and comes no nearer tries all it can.
const VAIN_FOR: u32 = 120;
/// Seconds for which a unit presses against others of its order who stand at the goal.
const PRESSES_FOR: u32 = 3;

/// Units that are led by one job.
pub(super) const CHUNK: usize = 64;

/// Scratch: what leads the units of some slots in a row in a tick.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    pub(super) first: u32,
    pub(super) leads: Vec<Lead>,
    /// Slots of those who were under way and have nowhere to go.
    stops: Vec<u32>,
    /// What is left to do when all have moved.
    pub(super) notes: Vec<Note>,
    pub(super) reader: TileReader,
}

impl World {
    /// One tick passes, on this thread.
    pub fn tick(&mut self) {
        self.tick_with(&Serial);
    }

    /// One tick passes, the work that can be shared done by `executor`. Who does it changes nothing, not even the order of events.
    pub fn tick_with(&mut self, executor: &impl Executor) {
        self.tick_watched(executor, |_| {});
    }

    /// The same, and `done` is called after each phase: the engine has no clock, whoever watches may have one.
    ///
    /// ```
    /// use waymarch::base::GridSize;
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, Serial, TickPhase, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let mut phases = Vec::new();
    /// world.tick_watched(&Serial, |phase| phases.push(phase));
    /// assert_eq!(phases, TickPhase::ALL);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tick_watched(&mut self, executor: &impl Executor, done: impl FnMut(TickPhase) + Send) {
        executor.whole(|| self.tick_whole(executor, done));
    }

    fn tick_whole(&mut self, executor: &impl Executor, mut done: impl FnMut(TickPhase)) {
        self.events.clear();
        self.wake(); // if the ground has changed
        self.review(); // what edits did to routes
        done(TickPhase::Review);
        self.muster(); // who goes together
        self.carry_out_orders(); // requests, and answers to earlier ones
        self.look_out(); // who sees whom
        self.occupy(); // who is in the way of whom
        done(TickPhase::Orders);
        let there = UnitsThere { units: &self.units, occupancy: &self.occupancy };
        let gates_are_due = self.gates_are_due();
        self.service.tick_with(executor, &there); // the clock goes on, and routes are found
        if gates_are_due {
            self.find_gates(); // which way groups go
        }
        done(TickPhase::Paths);
        self.drill(); // who keeps right, who exchanges places
        self.lead(executor); // where each unit wants to go, by the state of the last tick
        done(TickPhase::Lead);
        self.avoid(executor); // where each unit goes, by the state of the last tick
        self.commit(executor); // who has arrived, in the order of slots
        done(TickPhase::Avoid);
        self.help_the_stuck();
        self.events.settle();
        done(TickPhase::Stuck);
    }

    /// Fills all scratch with rubbish, as other work could have left it; no answer and no hash changes. For tests.
    pub fn poison_scratch(&mut self) {
        self.service.poison_scratch();
        self.areas.push(CellRect::at(CellPos::new(-7, -7), 7, 7));
        for chunk in &mut self.chunks {
            chunk.leads.insert(0, Lead { end: Some(Vec2::ZERO), ..Lead::default() });
            chunk.reader.poison();
            chunk.stops.push(u32::MAX);
            chunk.notes.push(Note::Look(u32::MAX));
        }
        self.avoidance.poison();
        self.sergeant.poison(self.service.nav().now());
        self.drill.poison();
        spoil(&mut self.whereabouts, Whereabouts::RUBBISH);
        self.lookout.poison();
        self.pacing.poison();
        self.blocks.poison();
        spoil(&mut self.waits, Waits::RUBBISH);
        self.steward.poison();
    }

    /// Finds what leads each unit. Reads the World and writes to scratch only.
    fn lead(&mut self, executor: &impl Executor) {
        let slots = self.units.slots();
        let mut chunks = core::mem::take(&mut self.chunks);
        while chunks.len() < slots.div_ceil(CHUNK) {
            // At most 2^20 units.
            chunks.push(Chunk {
                first: (chunks.len() * CHUNK) as u32,
                leads: Vec::with_capacity(CHUNK),
                stops: Vec::with_capacity(CHUNK),
                notes: Vec::with_capacity(CHUNK),
                reader: TileReader::new(),
            });
        }
        let leader = self.leader();
        executor.each(&mut chunks, |chunk| {
            let first = chunk.first as usize;
            chunk.leads.clear();
            chunk.notes.clear();
            let Chunk { leads, stops, reader, .. } = chunk;
            leads.extend((first..slots.min(first + CHUNK)).map(|slot| leader.lead(slot, reader)));
            stops.clear();
            let stops_now = |&(lead, slot): &(&Lead, u32)| {
                let slot = slot as usize;
                lead.guide.is_none()
                    && leader.units.id_at(slot).is_some()
                    && leader.units.stance(slot) == Stance::Moving
            };
            stops.extend(leads.iter().zip(chunk.first..).filter(stops_now).map(|(_, slot)| slot));
        });
        self.chunks = chunks;
    }

    /// Lets those who sleep in layer 4 look around if the ground has changed and that has not been looked at.
    fn wake(&mut self) {
        let unseen = self.unseen.list(self.service.nav().layer().changes());
        if unseen.is_none_or(|mut sectors| sectors.next().is_some()) {
            self.units.crowd.wake_all();
        }
    }

    /// Layer 4: units go where they are led.
    fn avoid(&mut self, executor: &impl Executor) {
        for &slot in self.chunks.iter().flat_map(|chunk| &chunk.stops) {
            self.units.crowd.stop(self.units.place(slot as usize));
        }
        let nav = self.service.nav();
        let (layer, corners) = (nav.layer(), nav.config().get().corner_rule);
        let grounds = KindGrounds { layer, types: &self.types, corners };
        let (chunks, Units { crowd, queue, .. }) = (&self.chunks, &mut self.units);
        let told = |id: u32| {
            let slot = id as usize;
            let guide = chunks[slot / CHUNK].leads[slot % CHUNK].guide?;
            // Who was told the same goes together.
            Some((queue[slot].0.front().map_or(0, |order| order.index()), guide))
        };
        self.avoidance.tick_told(crowd, &grounds, executor, told);
    }

    /// For how many ticks a unit presses against those who are at its goal.
    pub(super) fn patience(&self, post: Option<&Post>) -> u32 {
        // A slot of one's own is worth more patience: those who stand before it make way, or exchange theirs for it.
        let seconds = if post.is_some() { 4 * PRESSES_FOR } else { PRESSES_FOR };
        seconds * self.service.nav().config().get().ticks_per_second
    }

    /// Whether a unit has pressed against those who are at its goal for long enough: then it stops, and is as good as there itself. So
    /// nobody shoves for ever, however many are told to go to one place.
    pub(super) fn presses_in_vain(&mut self, slot: usize, left: u32) -> bool {
        let place = self.units.place(slot);
        let since = self.units.errand[slot].press.note(left, self.avoidance.delay(place));
        let vain = u32::from(since) >= self.patience(self.units.post[slot].as_ref());
        if vain {
            self.units.crowd.settle(place);
            if let Some(post) = &self.units.post[slot] {
                // Its slot is its own: it goes there when there is room.
                self.units.crowd.set_spot(place, post.slot);
            }
        }
        vain
    }

    /// Lets a unit that is there belong where it stands if others keep it from its spot: those who are there, so that they come to rest; or, where
    /// there is room beside it, those who pass, so that a canyon full of units does not press them back for ever.
    pub(super) fn calm_down(&mut self, slot: usize) {
        let place = self.units.place(slot);
        let kept = self.units.crowd.stance(place) == Stance::Returning
            && match self.avoidance.delay(place) {
                Delay::Settled => true,
                // Somebody beside it is no matter as long as it gets on.
                Delay::Traffic | Delay::Queue => self.is_slow(slot) && self.is_open_around(slot, 1),
                Delay::None => false,
            };
        let halted = self.units.errand[slot].halted;
        // A group that has only just arrived still sorts itself out.
        let sorts =
            self.units.post[slot].is_some_and(|post| self.groups.list.contains(post.group)) && !halted;
        // Who halted in a crowd stays where the others let it stand.
        let drifts = halted && !self.units.crowd.velocities()[place].is_zero();
        if !sorts && (kept || drifts || self.units.crowd.is_restless(place)) {
            let enough = PRESSES_FOR * self.service.nav().config().get().ticks_per_second;
            if self.units.stuck[slot].fidgets(enough) {
                match halted {
                    true => self.units.crowd.stop(place),
                    false => self.units.crowd.settle(place),
                }
            }
        } else {
            self.units.stuck[slot].calms();
        }
    }

    /// Whether a unit goes at less than a quarter of its speed.
    fn is_slow(&self, slot: usize) -> bool {
        let speed = self.types.get(self.units.kind[slot]).map_or(0, |kind| kind.speed.raw().unsigned_abs());
        let quarter = u64::from(speed) << (FINE_BITS - Fixed::BITS) >> 2;
        let velocity = self.units.crowd.velocities()[self.units.place(slot)];
        velocity.distance_squared(Fine::ZERO) < quarter * quarter
    }

    /// Whether no ground is closed within so many cells of a unit's.
    pub(super) fn is_open_around(&self, slot: usize, cells: i32) -> bool {
        let kind = self.types.get(self.units.kind[slot]);
        let field = kind.and_then(|kind| self.service.nav().layer().field(kind.agent));
        let at = self.units.cell(slot);
        field.is_some_and(|field| field.is_all_open(at.offset(-cells, -cells), at.offset(cells, cells)))
    }

    /// Lets a unit that stands where it was to stand look the way it was to look.
    pub(super) fn look_around(&mut self, slot: usize) {
        let there = matches!(self.units.errand[slot].phase, Phase::Idle | Phase::Waiting);
        if let Some(towards) = self.units.post[slot].and_then(|post| post.facing).filter(|_| there) {
            self.units.crowd.turn(self.units.place(slot), towards);
        }
    }

    /// Takes a unit back as far as the rule of legal steps demands.
    pub(super) fn keep_legal(&mut self, slot: usize, from: Fine) {
        if let Some(at) = self.where_legal(slot, from) {
            self.units.crowd.put(self.units.place(slot), at, less(at, from));
        }
    }

    /// Whether a unit is where it should be though its way goes on: in a goal that is more than a point.
    pub(super) fn is_in_goal(&self, slot: usize) -> bool {
        let order = self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order));
        let Some(goal) = order.and_then(Order::goal) else { return false };
        if self.units.post[slot].is_some() {
            return false; // It has a place of its own in there.
        }
        let at = self.units.cell(slot);
        let may_stop = || {
            let kind = self.types.get(self.units.kind[slot]);
            kind.is_some_and(|kind| self.service.nav().layer().can_stop(at, kind.agent))
        };
        is_simple(goal) && goal.contains(at) && may_stop()
    }

    /// Units without headway try something else, one rung at a time.
    fn help_the_stuck(&mut self) {
        for slot in 0..self.units.slots() {
            let Some(id) = self.units.id_at(slot) else { continue };
            if self.units.errand[slot].phase == Phase::Going {
                self.help(slot, id);
            }
        }
    }

    fn help(&mut self, slot: usize, id: UnitId) {
        let nav = self.service.nav();
        let (config, now, errand) = (nav.config().get(), nav.now(), &self.units.errand[slot]);
        let place = self.units.place(slot);
        let delay = self.avoidance.delay(place);
        // Who goes at the pace of others is not slow.
        let pace = self.units.crowd.pace(place);
        let (at, cell, stuck) = (self.units.at(slot), self.units.cell(slot), &mut self.units.stuck[slot]);
        let kind = self.types.get(self.units.kind[slot]);
        // Nor is who wades through heavy ground.
        let ground = kind.map_or(Fixed::ONE, |kind| nav.layer().pace(cell, kind.agent.locomotor));
        let speed = kind.map(|kind| kind.speed).unwrap_or_default();
        let speed = speed.saturating_mul(pace).saturating_mul(ground);
        // Nor who lets others pass.
        let waits = pace == Fixed::ZERO
            || self.service.status(errand.path).is_some_and(|status| !status.is_settled())
            || self.service.status(errand.fresh).is_some();
        if waits {
            stuck.rest(at);
            return;
        }
        let lost = |post: &&mut Post| post.view == View::Lost && post.lost != Some(post.gate);
        if let Some(post) = self.units.post[slot].as_mut().filter(lost).filter(|_| now >= stuck.retry) {
            post.lost = Some(post.gate);
            stuck.retry = now + config.repath_cooldown;
            self.ask_afresh(slot, RouteChange::Stuck);
            return;
        }
        // Whatever it tries: who stands about for two minutes though it is no queue that keeps it, does not get there.
        // Half of its speed, rounded up: slower is whoever goes less, rounded down to 1024ths. Squared that needs no root.
        let half = u64::from(speed.raw().unsigned_abs()).div_ceil(2) << (FINE_BITS - Fixed::BITS);
        let went = self.units.crowd.velocities()[place].distance_squared(Fine::ZERO);
        // In a queue time passes four times as slowly: somebody is first there, but it may be one who wants to go the other way.
        let queues = matches!(delay, Delay::Queue | Delay::Settled) && !now.is_multiple_of(4);
        let walks = went >= half.saturating_mul(half);
        let slow = !queues && !walks;
        let left = self.units.crowd.guide_of(place).left;
        let limit = VAIN_FOR * config.ticks_per_second;
        let errand = &mut self.units.errand[slot];
        let vain = errand.vain.note(left, if slow { Slow::Yes } else { Slow::No }) >= limit;
        stuck.notice(at, speed, delay, &errand.press, config);
        // Who walks in circles is not slow, and does not get there either.
        if walks && errand.vain.lap.walk(at, speed.raw().unsigned_abs(), delay) {
            stuck.still = stuck.still.max(config.stuck_threshold);
        }
        let vain = vain || errand.vain.lap.is_enough();
        let remedy = stuck.remedy(now, delay, config);
        let stuck = &mut self.units.stuck[slot];
        match if vain { Remedy::GiveUp } else { remedy } {
            Remedy::None => {}
            Remedy::Ask => {
                let key = JitterKey { seed: self.seed, now, unit: id };
                stuck.cool_down(key, config);
                self.units.errand[slot].press = Press::default();
                match self.units.errand[slot].escape {
                    // No route leads out of closed ground, and what is asked for meanwhile is not heard.
                    Some(out) => self.pull_out(slot, out),
                    None => self.ask_afresh(slot, RouteChange::Stuck),
                }
            }
            Remedy::GiveUp => {
                self.give_up(slot, id, GiveUp::Stuck);
            }
        }
    }
}

/// Whether a goal is more than a point, and it is quickly told who is inside.
pub(super) fn is_simple(goal: &Goal) -> bool {
    matches!(goal, Goal::OutOf(_) | Goal::In(Shape::Circle { .. } | Shape::Ring { .. } | Shape::Rect(_)))
}
