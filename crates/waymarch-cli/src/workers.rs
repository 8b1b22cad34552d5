//! The threads that share the work of a tick, for `--threads`.

use waymarch::world::{Executor, Serial, Threads};

use crate::diagnostics::{Failure, Kind};

/// This thread alone, or a pool of threads.
#[derive(Debug)]
pub(crate) enum Workers {
    One,
    Several(Threads),
}

impl Workers {
    /// `count` threads; 0 means one per core.
    pub(crate) fn new(count: usize) -> Result<Self, Failure> {
        if count == 1 {
            return Ok(Self::One);
        }
        let threads = Threads::new(count);
        threads.map(Self::Several).map_err(|error| Failure::new(Kind::Usage, format!("--threads: {error}")))
    }

    /// The number of threads.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::One => 1,
            Self::Several(threads) => threads.count(),
        }
    }
}

impl Executor for Workers {
    fn each_at<T: Send>(&self, jobs: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        match self {
            Self::One => Serial.each_at(jobs, work),
            Self::Several(threads) => threads.each_at(jobs, work),
        }
    }

    fn whole<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self {
            Self::One => Serial.whole(work),
            Self::Several(threads) => threads.whole(work),
        }
    }
}
