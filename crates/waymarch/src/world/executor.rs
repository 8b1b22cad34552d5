//! A pool of threads to do the work of a tick. The one file of the engine that knows of threads.

use std::sync::{Mutex, PoisonError};

use crate::base::Executor;

/// On a pool of threads of its own.
///
/// Jobs are taken from their list in runs that get shorter and shorter, so that all threads are done at about the same time.
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

/// The machine gave no threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the machine did not give {asked} threads")]
pub struct NoThreads {
    /// How many were asked for.
    pub asked: usize,
}

impl Threads {
    /// So many threads; 0 for one per core.
    ///
    /// # Errors
    /// [`NoThreads`] if the machine does not give them.
    pub fn new(count: usize) -> Result<Self, NoThreads> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        pool.map(|pool| Self { pool }).map_err(|_| NoThreads { asked: count })
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.pool.current_num_threads()
    }
}

impl Executor for Threads {
    fn each_at<T: Send>(&self, jobs: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        let threads = self.count().min(jobs.len());
        let list = JobList { left: Mutex::new((0, jobs)), runs: 4 * threads.max(1) };
        self.pool.install(|| beside(threads, &|| list.drain(&work)));
    }

    fn whole<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }
}

/// Scratch: jobs that have not been taken yet, and the place of the first of them.
struct JobList<'a, T> {
    left: Mutex<(usize, &'a mut [T])>,
    /// One part of so many is taken at a time.
    runs: usize,
}

impl<T> JobList<'_, T> {
    /// Does jobs until none is left.
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

/// Calls `each` so many times beside one another, at least once.
fn beside(times: usize, each: &(impl Fn() + Sync)) {
    if times <= 1 {
        each();
    } else {
        rayon::join(each, || beside(times - 1, each));
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
}
