//! A thread pool for the parallel work of a tick. No other file of the engine uses threads.

use std::sync::{Mutex, PoisonError};

use crate::base::Executor;

/// Runs the parallel work of a tick on its own thread pool. Pass it to [`World::tick_with`](crate::world::World::tick_with).
///
/// Threads take runs of jobs from a list. The runs get shorter, so that all threads finish at about the same time.
///
/// ```
/// use waymarch::base::Executor;
/// use waymarch::world::Threads;
/// let threads = Threads::new(2)?;
/// let mut squares = [1_u32, 2, 3];
/// threads.each(&mut squares, |n| *n *= *n);
/// assert_eq!(squares, [1, 4, 9]);
/// # Ok::<(), waymarch::world::NoThreads>(())
/// ```
#[derive(Debug)]
pub struct Threads {
    pool: rayon::ThreadPool,
}

/// The error of [`Threads::new`]: more threads than [`Threads::MAX`] were requested, or more than the machine can start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{asked} threads cannot be started: use 1 to {}, or 0 for one per core", Threads::MAX)]
pub struct NoThreads {
    /// The number of threads that were asked for; 0 means one per core.
    pub asked: usize,
}

impl Threads {
    /// A pool has at most 256 threads. A tick has too few jobs for more.
    pub const MAX: usize = 256;

    /// A pool of `count` threads; 0 means one per core.
    ///
    /// # Errors
    /// [`NoThreads`] if `count` is above [`Threads::MAX`], or the machine cannot start the threads.
    pub fn new(count: usize) -> Result<Self, NoThreads> {
        if count > Self::MAX {
            return Err(NoThreads { asked: count });
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        pool.map(|pool| Self { pool }).map_err(|_| NoThreads { asked: count })
    }

    /// The number of threads.
    #[must_use]
    pub fn count(&self) -> usize {
        self.pool.current_num_threads()
    }
}

impl Executor for Threads {
    fn each_at<T: Send>(&self, jobs: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        let threads = self.count().min(jobs.len());
        let list = JobList { left: Mutex::new((0, jobs)), runs: 4 * threads.max(1) };
        self.pool.install(|| run_in_parallel(threads, &|| list.drain(&work)));
    }

    fn whole<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }
}

/// Scratch: the jobs that no thread has taken yet, and the index of the first of them.
struct JobList<'a, T> {
    left: Mutex<(usize, &'a mut [T])>,
    /// A thread takes 1/`runs` of the remaining jobs, rounded up.
    runs: usize,
}

impl<T> JobList<'_, T> {
    /// Runs jobs until none is left.
    fn drain(&self, work: &impl Fn(usize, &mut T)) {
        loop {
            let (first, run) = {
                let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
                let (first, all) = (left.0, core::mem::take(&mut left.1));
                let (run, rest) = all.split_at_mut(all.len().div_ceil(self.runs));
                *left = (first + run.len(), rest);
                (first, run)
            };
            if run.is_empty() {
                return;
            }
            run.iter_mut().enumerate().for_each(|(at, job)| work(first + at, job));
        }
    }
}

/// Calls `each` in parallel `times` times, at least once.
fn run_in_parallel(times: usize, each: &(impl Fn() + Sync)) {
    if times <= 1 {
        each();
    } else {
        rayon::join(each, || run_in_parallel(times - 1, each));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn every_job_is_done_once_and_in_its_place_by_any_number_of_threads() {
        for count in [1, 2, 3, 8] {
            let threads = Threads::new(count).expect("some threads");
            for length in [0, 1, 2, 7, 64, 65, 1000] {
                let mut jobs: Vec<(usize, usize)> = (0..length).map(|_| (0, usize::MAX)).collect();
                threads.whole(|| {
                    threads.each_at(&mut jobs, |place, job| *job = (job.0 + 1, place));
                    threads.each_at(&mut jobs, |place, job| *job = (job.0 + 1, job.1.min(place)));
                });
                assert!(jobs.iter().enumerate().all(|(place, &job)| job == (2, place)), "{count} {length}");
            }
        }
    }

    #[test]
    fn two_thousand_threads_are_refused_at_once_with_the_limit() {
        let error = Threads::new(2000).map(|threads| threads.count()).expect_err("too many");
        assert_eq!(
            alloc::format!("{error}"),
            "2000 threads cannot be started: use 1 to 256, or 0 for one per core"
        );
    }
}
