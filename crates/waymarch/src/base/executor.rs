//! Which threads do the work of a tick.

/// Runs independent jobs, in any order, on any thread.
///
/// *Invariant:* a job reads only itself and data that no job writes. It writes only to itself. The caller then
/// processes the results in the order of the list. So the choice of threads changes no result.
///
/// The engine starts no threads by itself. With the feature `parallel`, `world::Threads` runs jobs on several threads. A game that has
/// its own thread pool implements this trait.
///
/// ```
/// use waymarch::base::{Executor, Serial};
/// let mut squares = [1_u32, 2, 3];
/// Serial.each(&mut squares, |n| *n *= *n);
/// assert_eq!(squares, [1, 4, 9]);
/// Serial.each_at(&mut squares, |index, n| *n += index as u32);
/// assert_eq!(squares, [1, 5, 11]);
/// assert_eq!(Serial.whole(|| squares.len()), 3);
/// ```
pub trait Executor: Sync {
    /// Calls `work` once for each job with its index in the list. Returns when all jobs are done.
    fn each_at<T: Send>(&self, jobs: &mut [T], work: impl Fn(usize, &mut T) + Sync);

    /// Calls `work` once for each job. Returns when all jobs are done.
    fn each<T: Send>(&self, jobs: &mut [T], work: impl Fn(&mut T) + Sync) {
        self.each_at(jobs, |_, job| work(job));
    }

    /// Runs `work`, which runs several lists of jobs. A thread pool should override this method and run `work` on one of its own
    /// threads. Then the calling thread passes work to the pool once, not once per list.
    fn whole<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        work()
    }
}

/// Runs jobs one after the other on the calling thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Serial;

impl Executor for Serial {
    #[inline]
    fn each_at<T: Send>(&self, jobs: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        for (index, job) in jobs.iter_mut().enumerate() {
            work(index, job);
        }
    }
}
