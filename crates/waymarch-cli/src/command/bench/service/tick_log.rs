//! Times ticks, and counts their allocations.
//!
//! On Unix the times are processor times of this thread, so that other programs do not distort them; elsewhere wall times.

use waymarch::world::{PathService, Serial, TickPhase, World};
use waymarch_counting::allocations_in;

use crate::stats::percentile_of;

/// The times of ticks in milliseconds, and the number of allocations.
#[derive(Clone, Debug, Default)]
pub(super) struct TickLog {
    /// Planning: commands and ticks without the phases that lead and move units.
    pub(super) planning: Vec<f64>,
    /// Whole ticks, with their commands.
    pub(super) whole: Vec<f64>,
    /// By phase of the tick; empty for work that is not a tick of a `World`.
    pub(super) phases: [Vec<f64>; TickPhase::ALL.len()],
    pub(super) allocations: u64,
}

/// The processor time of this thread so far, in milliseconds.
#[cfg(unix)]
pub(in super::super) fn now_ms() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// Milliseconds since the first call.
#[cfg(not(unix))]
pub(in super::super) fn now_ms() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64() * 1e3
}

impl TickLog {
    /// Gives commands and runs one tick. Allocations are counted in the tick alone: commands may allocate.
    pub(super) fn tick(&mut self, world: &mut World, commands: impl FnOnce(&mut World)) {
        let start = now_ms();
        commands(world);
        let (mut last, mut moving) = (now_ms(), 0.0);
        let mut phases = [0.0; TickPhase::ALL.len()];
        let (made, ()) = allocations_in(|| {
            world.tick_watched(&Serial, |phase| {
                let now = now_ms();
                if matches!(phase, TickPhase::Guidance | TickPhase::Avoid) {
                    moving += now - last;
                }
                let known = TickPhase::ALL.iter().zip(&mut phases).find(|(known, _)| **known == phase);
                if let Some((_, took)) = known {
                    *took += now - last;
                }
                last = now;
            });
        });
        let whole = now_ms() - start;
        self.whole.push(whole);
        self.planning.push(whole - moving);
        self.phases.iter_mut().zip(phases).for_each(|(log, took)| log.push(took));
        self.allocations += made.calls;
    }

    /// Runs one tick of a path service without a `World`. All of it is planning.
    pub(super) fn tick_service(&mut self, service: &mut PathService) {
        self.time(|| service.tick());
    }

    /// Times any other work, as planning.
    pub(super) fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = now_ms();
        let (made, result) = allocations_in(work);
        let took = now_ms() - start;
        self.whole.push(took);
        self.planning.push(took);
        self.allocations += made.calls;
        result
    }

    /// Keeps the shorter time of each tick. Every round does the same work, but other programs may slow one of them.
    pub(super) fn best_of(&mut self, again: &Self) {
        let phases = self.phases.iter_mut().zip(&again.phases);
        let all = [(&mut self.planning, &again.planning), (&mut self.whole, &again.whole)];
        for (mine, other) in all.into_iter().chain(phases) {
            mine.iter_mut().zip(other).for_each(|(least, &time)| *least = least.min(time));
        }
    }

    pub(super) fn planning_percentile(&self, percent: usize) -> f64 {
        percentile_of(&self.planning, percent)
    }

    pub(super) fn whole_percentile(&self, percent: usize) -> f64 {
        percentile_of(&self.whole, percent)
    }
}

/// Each game runs 3 times.
pub(super) const ROUNDS: usize = 3;

/// Runs a game `rounds` times from the same start. Keeps the shortest time of each tick, and the allocations of the last round.
pub(super) fn best_round(
    rounds: usize,
    start: &World,
    mut play: impl FnMut(&mut World, &mut TickLog),
) -> TickLog {
    let mut best = TickLog::default();
    for round in 0..rounds {
        let (mut world, mut log) = (start.clone(), TickLog::default());
        play(&mut world, &mut log);
        if round > 0 {
            log.best_of(&best);
        }
        best = log;
    }
    best
}
