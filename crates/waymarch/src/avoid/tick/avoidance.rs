//! A tick of layer 4, from start to end.

use super::arrival::update_memory;
use super::chunks::chunks;
use super::commit::{UnitResults, commit};
use super::contacts::Contacts;
use super::context::TickContext;
use super::guiding::guide_and_index;
use super::planning::Planning;
use crate::avoid::crowd::{Crowd, Guide};
use crate::avoid::delay::Delay;
use crate::avoid::neighbours::SpatialIndex;
use crate::avoid::settings::ValidAvoidSettings;
use crate::avoid::timing::Timing;
use crate::avoid::walls::Grounds;
use crate::base::{Executor, Fine, Fixed, Scratch, Serial};

/// Scratch: moves a [`Crowd`], tick by tick. What it keeps between ticks affects the cost and never the result.
///
/// There are two ways to use it. [`tick`](Avoidance::tick) moves the units. Or [`steer`](Avoidance::steer) computes the velocities that
/// units should have; then the game moves them and reports positions with [`Crowd::put`].
///
/// An [`Executor`] may share the work among threads in any order; results are the same, bit for bit. A tick allocates only when the
/// number of units has grown.
#[derive(Clone, Debug)]
pub struct Avoidance {
    settings: ValidAvoidSettings,
    index: SpatialIndex,
    planning: Planning,
    contacts: Contacts,
    results: UnitResults,
}

impl Default for Avoidance {
    fn default() -> Self {
        Self::new(&ValidAvoidSettings::default())
    }
}

impl Avoidance {
    /// Avoidance with these settings.
    #[must_use]
    pub fn new(settings: &ValidAvoidSettings) -> Self {
        Self {
            index: SpatialIndex::new(Fixed::from_raw(settings.get().range.raw() / 2)),
            settings: settings.clone(),
            planning: Planning::default(),
            contacts: Contacts::default(),
            results: UnitResults::default(),
        }
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &ValidAvoidSettings {
        &self.settings
    }

    /// Moves all units by one tick.
    pub fn tick<G: Grounds>(&mut self, crowd: &mut Crowd, grounds: &G) {
        self.tick_with(crowd, grounds, &Serial);
    }

    /// Moves all units by one tick, with the work shared by an executor.
    pub fn tick_with<G: Grounds, E: Executor>(&mut self, crowd: &mut Crowd, grounds: &G, executor: &E) {
        self.tick_guided(crowd, grounds, executor, |_| None);
    }

    /// Moves all units by one tick, after new guides have been given: `guide_of` returns the group and guide for a unit's id, as for
    /// [`Crowd::set_group`] and [`Crowd::guide`].
    pub(crate) fn tick_guided<G: Grounds, E: Executor>(
        &mut self,
        crowd: &mut Crowd,
        grounds: &G,
        executor: &E,
        guide_of: impl Fn(u32) -> Option<(u32, Guide)> + Send + Sync,
    ) {
        let Self { settings, index, planning, contacts, results } = self;
        let timing = Timing::new(crowd.ticks_per_second());
        let context = TickContext { settings: settings.get(), timing: &timing, grounds, executor };
        executor.whole(|| {
            guide_and_index(crowd, index, executor, guide_of);
            planning.run(crowd, index, &mut results.search_hints, &context);
            contacts.separate(planning, &context);
            commit(crowd, index, planning, results, &context);
        });
    }

    /// The velocities that units should have in the next tick, by index. Moves no unit: for games that move all units themselves. A game
    /// that moves only some units uses [`Mover`](crate::avoid::Mover) instead.
    ///
    /// It updates what units remember, and their stances.
    pub fn steer<'a, G: Grounds, E: Executor>(
        &mut self,
        crowd: &'a mut Crowd,
        grounds: &G,
        executor: &E,
    ) -> &'a [Fine] {
        let Self { settings, index, planning, results, .. } = self;
        let timing = Timing::new(crowd.ticks_per_second());
        let context = TickContext { settings: settings.get(), timing: &timing, grounds, executor };
        index.rebuild(&crowd.pos, &crowd.id);
        planning.run(crowd, index, &mut results.search_hints, &context);
        for mut chunk in chunks(crowd, usize::MAX) {
            for (unit, &slot) in index.slots().iter().enumerate() {
                let plan = &planning.plans[slot as usize];
                chunk.chosen_vel[unit] = plan.vel;
                results.search_hints[unit] = plan.search_hint;
                update_memory(&mut chunk, unit, plan, &timing);
            }
        }
        &crowd.chosen_vel
    }

    /// What delayed a unit in the last tick, by its index in the crowd.
    #[must_use]
    pub fn delay(&self, unit: usize) -> Delay {
        self.results.delays.get(unit).copied().unwrap_or_default()
    }

    /// The spatial index of all units at the start of the last [`tick`](Avoidance::tick) or [`steer`](Avoidance::steer).
    #[must_use]
    pub fn index(&self) -> &SpatialIndex {
        &self.index
    }

    /// Fills the scratch memory with rubbish, as another crowd could have left it. No result changes. For tests.
    pub fn poison(&mut self) {
        Scratch::poison(self);
    }
}

impl Scratch for Avoidance {
    /// The number of units.
    type Demand = usize;

    fn poison(&mut self) {
        self.planning.poison();
        self.contacts.poison();
        self.results.poison();
    }

    fn reserve(&mut self, units: usize) {
        self.planning.reserve(units);
        self.contacts.reserve(units);
        self.results.reserve(units);
    }
}
