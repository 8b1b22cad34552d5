//! A pool of threads to do the work of a tick. The one file of the engine that knows of threads.

use crate::base::Executor;

/// On a pool of threads of its own.
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
        use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
        self.pool.install(|| jobs.par_iter_mut().enumerate().for_each(|(place, job)| work(place, job)));
    }

    fn whole<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }
}
