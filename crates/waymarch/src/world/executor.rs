//! Who does the work of a tick: one thread or several. The one file of the engine that knows of threads.

/// Does independent jobs, in any order, on any thread.
///
/// *Invariant:* a job is a function of the state at the start and of itself, and writes to nothing but itself; what jobs have found is
/// taken up afterwards in the order of the list. So who did them changes nothing.
///
/// ```
/// use waymarch::world::{Executor, Serial};
/// let mut squares = [1_u32, 2, 3];
/// Serial.each(&mut squares, |n| *n *= *n);
/// assert_eq!(squares, [1, 4, 9]);
/// ```
pub trait Executor {
    /// Calls `work` with each job once, and returns when all are done.
    fn each<T: Send>(&self, jobs: &mut [T], work: impl Fn(&mut T) + Sync);
}

/// One after the other, on the thread that asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Serial;

impl Executor for Serial {
    fn each<T: Send>(&self, jobs: &mut [T], work: impl Fn(&mut T) + Sync) {
        jobs.iter_mut().for_each(work);
    }
}

/// On a pool of threads of its own.
///
/// ```
/// use waymarch::world::{Executor, Threads};
/// let threads = Threads::new(2)?;
/// let mut squares = [1_u32, 2, 3];
/// threads.each(&mut squares, |n| *n *= *n);
/// assert_eq!(squares, [1, 4, 9]);
/// # Ok::<(), waymarch::world::NoThreads>(())
/// ```
#[cfg(feature = "parallel")]
#[derive(Debug)]
pub struct Threads {
    pool: rayon::ThreadPool,
}

/// The machine gave no threads.
#[cfg(feature = "parallel")]
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the machine did not give {asked} threads")]
pub struct NoThreads {
    /// How many were asked for.
    pub asked: usize,
}

#[cfg(feature = "parallel")]
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

#[cfg(feature = "parallel")]
impl Executor for Threads {
    fn each<T: Send>(&self, jobs: &mut [T], work: impl Fn(&mut T) + Sync) {
        use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};
        self.pool.install(|| jobs.par_iter_mut().for_each(&work));
    }
}
