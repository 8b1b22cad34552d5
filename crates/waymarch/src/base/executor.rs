//! Who does the work of a tick: one thread or several.

/// Does independent jobs, in any order, on any thread.
///
/// *Invariant:* a job is a function of the state at the start and of itself, and writes to nothing but itself; what jobs have found is
/// taken up afterwards in the order of the list. So who did them changes nothing.
///
/// The engine starts no threads of its own accord. With the feature `parallel` there is `world::Threads`; games with a pool of their own
/// implement this.
///
/// ```
/// use waymarch::base::{Executor, Serial};
/// let mut squares = [1_u32, 2, 3];
/// Serial.each(&mut squares, |n| *n *= *n);
/// assert_eq!(squares, [1, 4, 9]);
/// Serial.each_at(&mut squares, |place, n| *n += place as u32);
/// assert_eq!(squares, [1, 5, 11]);
/// assert_eq!(Serial.whole(|| squares.len()), 3);
/// ```
pub trait Executor: Sync {
    /// Calls `work` with each job once, and its place in the list, and returns when all are done.
    fn each_at<T: Send>(&self, jobs: &mut [T], work: impl Fn(usize, &mut T) + Sync);

    /// The same, for jobs that know what they are about.
    fn each<T: Send>(&self, jobs: &mut [T], work: impl Fn(&mut T) + Sync) {
        self.each_at(jobs, |_, job| work(job));
    }

    /// Does work in which jobs are given several times, once. Worth its own answer where the thread that asks is none of those that do jobs:
    /// then all of it can be handed over at once, instead of each list of jobs.
    fn whole<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        work()
    }
}

/// One after the other, on the thread that asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Serial;

impl Executor for Serial {
    #[inline]
    fn each_at<T: Send>(&self, jobs: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        for (place, job) in jobs.iter_mut().enumerate() {
            work(place, job);
        }
    }
}
