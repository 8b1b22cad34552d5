//! How long the parts of a tick take: the playground's clock, the engine has none.

use std::cell::Cell;
use std::time::{Duration, Instant};

use waymarch::world::{Executor, Serial};

use crate::frame::TIMES;

/// What the times in a frame are of, in their order; and which other each is a part of, if any.
pub(crate) const TIMINGS: [(&str, &str, &str); 5] = [
    ("tick", "All of a tick.", ""),
    ("routes", "Layers 2 and 3: the path service looks for routes and makes flow tiles.", "tick"),
    ("steering", "Where each unit goes next.", "tick"),
    ("hash", "The state hash, taken a few times a second.", ""),
    ("frame", "Making the bytes that the page draws.", ""),
];

/// Scratch: does the jobs of a tick and looks at the clock.
#[derive(Default)]
pub(crate) struct Timed {
    routes: Cell<Duration>,
    steering: Cell<Duration>,
}

impl Executor for Timed {
    fn each_at<T: Send>(&self, jobs: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        let begun = Instant::now();
        Serial.each_at(jobs, work);
        // Jobs of the last phase are called so in the engine. A name that changes spoils a label, nothing else.
        let sum =
            if std::any::type_name::<T>().ends_with("tick::Chunk") { &self.steering } else { &self.routes };
        sum.set(sum.get() + begun.elapsed());
    }
}

/// The times of the last tick and frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    pub(crate) tick: Duration,
    pub(crate) routes: Duration,
    pub(crate) steering: Duration,
    pub(crate) hash: Duration,
    pub(crate) frame: Duration,
}

impl Times {
    /// Takes over what was spent in a tick.
    pub(crate) fn ticked(&mut self, tick: Duration, parts: &Timed) {
        (self.tick, self.routes, self.steering) = (tick, parts.routes.get(), parts.steering.get());
    }

    /// As frames have them: in 10 µs.
    pub(crate) fn numbers(&self) -> [u16; TIMES] {
        let number = |time: Duration| u16::try_from(time.as_micros() / 10).unwrap_or(u16::MAX);
        let [a, b, c, d, e] = [self.tick, self.routes, self.steering, self.hash, self.frame].map(number);
        [a, b, c, d, e, 0, 0, 0]
    }
}
