//! How long the phases of a tick take. The engine has no clock, so the playground measures.

use std::time::{Duration, Instant};

use waymarch::world::TickPhase;

use crate::frame::TIMES;

/// The times in a frame, in order: name, text, and the time that this one is a part of.
pub(crate) const TIMINGS: [(&str, &str, &str); 6] = [
    ("tick", "The whole tick.", ""),
    ("routes", "Layers 2 and 3: the path service finds routes and computes flow tiles.", "tick"),
    ("lead", "Guidance: where its route or flow leads each unit.", "tick"),
    ("avoid", "Layer 4: units avoid each other and move.", "tick"),
    ("hash", "The state hash, computed five times a second.", ""),
    ("frame", "Writing the frame that the page draws.", ""),
];

/// Scratch: measures the phases of one tick.
pub(crate) struct PhaseTimer {
    last: Instant,
    routes: Duration,
    lead: Duration,
    avoid: Duration,
}

impl PhaseTimer {
    /// A tick begins.
    pub(crate) fn begin() -> Self {
        let none = Duration::ZERO;
        Self { last: Instant::now(), routes: none, lead: none, avoid: none }
    }

    /// A phase is over.
    pub(crate) fn done(&mut self, phase: TickPhase) {
        let now = Instant::now();
        let took = now - self.last;
        self.last = now;
        match phase {
            TickPhase::Paths => self.routes += took,
            TickPhase::Guidance => self.lead += took,
            TickPhase::Avoid => self.avoid += took,
            _ => {}
        }
    }
}

/// The times of the last tick and frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TickTimes {
    pub(crate) tick: Duration,
    pub(crate) routes: Duration,
    pub(crate) lead: Duration,
    pub(crate) avoid: Duration,
    pub(crate) hash: Duration,
    pub(crate) frame: Duration,
}

impl TickTimes {
    /// Stores the times of a tick.
    pub(crate) fn ticked(&mut self, tick: Duration, parts: &PhaseTimer) {
        (self.tick, self.routes) = (tick, parts.routes);
        (self.lead, self.avoid) = (parts.lead, parts.avoid);
    }

    /// The times in units of 10 µs, as in a frame; unused ones are 0.
    pub(crate) fn numbers(&self) -> [u16; TIMES] {
        let number = |time: Duration| u16::try_from(time.as_micros() / 10).unwrap_or(u16::MAX);
        let [a, b, c, d, e, f] =
            [self.tick, self.routes, self.lead, self.avoid, self.hash, self.frame].map(number);
        [a, b, c, d, e, f, 0, 0]
    }
}
