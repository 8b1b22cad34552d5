//! One tick, from top to bottom.

use alloc::vec::Vec;

use super::errand::Phase;
use super::events::{GiveUp, RouteChange};
use super::follow::{Outcome, Step};
use super::occupancy::UnitsThere;
use super::orders::Order;
use super::simulation::World;
use super::stuck::{JitterKey, Remedy};
use super::units::UnitId;
use crate::base::{CellPos, CellRect, Executor, Fixed, Serial, Vec2};
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
    /// Units move.
    Move,
    /// Units that make no headway try something else.
    Stuck,
}

impl TickPhase {
    /// All, in order.
    pub const ALL: [Self; 5] = [Self::Review, Self::Orders, Self::Paths, Self::Move, Self::Stuck];
}

/// Units that are led by one job.
const CHUNK: usize = 64;

/// Scratch: what the units of some slots in a row do in a tick.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    first: u32,
    steps: Vec<Step>,
    reader: TileReader,
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
    pub fn tick_watched(&mut self, executor: &impl Executor, mut done: impl FnMut(TickPhase)) {
        self.events.clear();
        self.review(); // what edits did to routes
        done(TickPhase::Review);
        self.carry_out_orders(); // requests, and answers to earlier ones
        self.occupy(); // who is in the way of whom
        done(TickPhase::Orders);
        let there = UnitsThere { units: &self.units, occupancy: &self.occupancy };
        self.service.tick_with(executor, &there); // the clock goes on, and routes are found
        done(TickPhase::Paths);
        self.lead(executor); // where each unit goes, by the state of the last tick
        self.commit(); // units move, in the order of their slots
        done(TickPhase::Move);
        self.help_the_stuck();
        self.events.settle();
        done(TickPhase::Stuck);
    }

    /// Fills all scratch with rubbish, as other work could have left it; no answer and no hash changes. For tests.
    pub fn poison_scratch(&mut self) {
        self.service.poison_scratch();
        self.areas.push(CellRect::at(CellPos::new(-7, -7), 7, 7));
        for chunk in &mut self.chunks {
            chunk
                .steps
                .insert(0, Step { position: Vec2::ZERO, outcome: Outcome::Arrived, ..Step::default() });
            chunk.reader.poison();
        }
    }

    /// Finds what each unit does. Reads the World and writes to scratch only.
    fn lead(&mut self, executor: &impl Executor) {
        let slots = self.units.slots();
        let mut chunks = core::mem::take(&mut self.chunks);
        while chunks.len() < slots.div_ceil(CHUNK) {
            // At most 2^20 units.
            chunks.push(Chunk {
                first: (chunks.len() * CHUNK) as u32,
                steps: Vec::with_capacity(CHUNK),
                reader: TileReader::new(),
            });
        }
        let leader = self.leader();
        executor.each(&mut chunks, |chunk| {
            let first = chunk.first as usize;
            chunk.steps.clear();
            let Chunk { steps, reader, .. } = chunk;
            steps.extend((first..slots.min(first + CHUNK)).map(|slot| leader.step(slot, reader)));
        });
        self.chunks = chunks;
    }

    /// Moves the units and sees who has arrived.
    fn commit(&mut self) {
        let chunks = core::mem::take(&mut self.chunks);
        for (slot, step) in chunks.iter().flat_map(|chunk| &chunk.steps).enumerate() {
            let Some(id) = self.units.id_at(slot) else { continue };
            self.units.position[slot] = step.position;
            self.units.velocity[slot] = step.velocity;
            self.units.facing[slot] = step.facing;
            let errand = &mut self.units.errand[slot];
            (errand.next, errand.known) = (step.next, step.known);
            self.service.moved(errand.path, step.position.at_height(Fixed::ZERO));
            match step.outcome {
                Outcome::Stood => self.units.stuck[slot].rest(step.position),
                Outcome::Arrived => self.arrive(slot, id),
                Outcome::Went if self.is_in_goal(slot) => self.arrive(slot, id),
                Outcome::Went => {}
            }
        }
        self.chunks = chunks;
    }

    /// Whether a unit is where it should be though its way goes on: in a goal that is more than a point.
    fn is_in_goal(&self, slot: usize) -> bool {
        let order = self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order));
        let Some(Order::Move(goal)) = order else { return false };
        let simple = matches!(
            goal,
            Goal::OutOf(_) | Goal::In(Shape::Circle { .. } | Shape::Ring { .. } | Shape::Rect(_))
        );
        let at = self.units.cell(slot);
        let may_stop = || {
            let kind = self.types.get(self.units.kind[slot]);
            kind.is_some_and(|kind| self.service.nav().layer().can_stop(at, kind.agent))
        };
        simple && goal.contains(at) && may_stop()
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
        let (at, stuck) = (self.units.position[slot], &mut self.units.stuck[slot]);
        let speed = self.types.get(self.units.kind[slot]).map(|kind| kind.speed).unwrap_or_default();
        let waits = self.service.status(errand.path).is_some_and(|status| !status.is_settled())
            || self.service.status(errand.fresh).is_some();
        if waits {
            stuck.rest(at);
            return;
        }
        stuck.notice(at, speed, config);
        match stuck.remedy(now, config) {
            Remedy::None => {}
            Remedy::Ask => {
                let key = JitterKey { seed: self.seed, now, unit: id };
                stuck.cool_down(key, config);
                self.ask_afresh(slot, RouteChange::Stuck);
            }
            Remedy::GiveUp => {
                self.give_up(slot, id, GiveUp::Stuck);
            }
        }
    }
}
