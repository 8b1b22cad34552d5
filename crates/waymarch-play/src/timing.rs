//! How long the parts of a tick take: the playground's clock, the engine has none.

use std::time::{Duration, Instant};

use waymarch::world::TickPhase;

use crate::frame::TIMES;

/// What the times in a frame are of, in their order; and which other each is a part of, if any.
pub(crate) const TIMINGS: [(&str, &str, &str); 6] = [
    ("tick", "All of a tick.", ""),
    ("routes", "Layers 2 and 3: the path service looks for routes and makes flow tiles.", "tick"),
    ("lead", "Where each unit's route or flow leads it.", "tick"),
    ("avoid", "Layer 4: units keep from bumping, and move.", "tick"),
    ("hash", "The state hash, taken a few times a second.", ""),
    ("frame", "Making the bytes that the page draws.", ""),
];

/// Scratch: looks at the clock after each part of a tick.
pub(crate) struct Timed {
    last: Instant,
    routes: Duration,
    lead: Duration,
    avoid: Duration,
}

impl Timed {
    /// A tick begins.
    pub(crate) fn begin() -> Self {
        let none = Duration::ZERO;
        Self { last: Instant::now(), routes: none, lead: none, avoid: none }
    }

    /// A part of it is over.
    pub(crate) fn done(&mut self, phase: TickPhase) {
        let now = Instant::now();
        let took = now - self.last;
        self.last = now;
        match phase {
            TickPhase::Paths => self.routes += took,
            TickPhase::Lead => self.lead += took,
            TickPhase::Avoid => self.avoid += took,
            _ => {}
        }
    }
}

/// The times of the last tick and frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    pub(crate) tick: Duration,
    pub(crate) routes: Duration,
    pub(crate) lead: Duration,
    pub(crate) avoid: Duration,
    pub(crate) hash: Duration,
    pub(crate) frame: Duration,
}

impl Times {
    /// Takes over what was spent in a tick.
    pub(crate) fn ticked(&mut self, tick: Duration, parts: &Timed) {
        (self.tick, self.routes) = (tick, parts.routes);
        (self.lead, self.avoid) = (parts.lead, parts.avoid);
    }

    /// As frames have them: in 10 µs.
    pub(crate) fn numbers(&self) -> [u16; TIMES] {
        let number = |time: Duration| u16::try_from(time.as_micros() / 10).unwrap_or(u16::MAX);
        let [a, b, c, d, e, f] =
            [self.tick, self.routes, self.lead, self.avoid, self.hash, self.frame].map(number);
        [a, b, c, d, e, f, 0, 0]
    }
}
