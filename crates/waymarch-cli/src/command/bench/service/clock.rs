//! Ticks, timed, with the memory they make counted.
//!
//! Where the system tells, the processor's time of this thread counts, so that other programs do not.

use waymarch::world::{PathService, Serial, TickPhase, World};
use waymarch_counting::allocations_in;

/// What ticks took, in milliseconds, and how often they asked for memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    /// Commands and tick, without leading and moving the units.
    pub(super) planning: Vec<f64>,
    /// All of it.
    pub(super) whole: Vec<f64>,
    /// By phase of the tick; nothing of what is no tick of a World.
    pub(super) phases: [Vec<f64>; TickPhase::ALL.len()],
    pub(super) allocations: u64,
}

/// Milliseconds of work that this thread has done so far.
#[cfg(unix)]
pub(super) fn now_ms() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// Milliseconds since the first question.
#[cfg(not(unix))]
pub(super) fn now_ms() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64() * 1e3
}

impl Log {
    /// Gives commands and lets a tick pass. Memory is counted for the tick alone: commands bring their own.
    pub(super) fn tick(&mut self, world: &mut World, commands: impl FnOnce(&mut World)) {
        let start = now_ms();
        commands(world);
        let (mut last, mut moving) = (now_ms(), 0.0);
        let mut phases = [0.0; TickPhase::ALL.len()];
        let (made, ()) = allocations_in(|| {
            world.tick_watched(&Serial, |phase| {
                let now = now_ms();
                if matches!(phase, TickPhase::Lead | TickPhase::Avoid) {
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

    /// The same for a service without a World: all that it does is planning.
    pub(super) fn tick_service(&mut self, service: &mut PathService) {
        self.time(|| service.tick());
    }

    /// Times something else.
    pub(super) fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = now_ms();
        let (made, result) = allocations_in(work);
        let took = now_ms() - start;
        self.whole.push(took);
        self.planning.push(took);
        self.allocations += made.calls;
        result
    }

    /// Takes the quicker of each tick: other programs run too, and every round does the same.
    pub(super) fn best_of(&mut self, again: &Self) {
        let phases = self.phases.iter_mut().zip(&again.phases);
        let all = [(&mut self.planning, &again.planning), (&mut self.whole, &again.whole)];
        for (mine, other) in all.into_iter().chain(phases) {
            mine.iter_mut().zip(other).for_each(|(least, &time)| *least = least.min(time));
        }
    }
}
