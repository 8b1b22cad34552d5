//! How the work of a tick is shared out.

/// Runs the same work for every item of a list, in any order, on any number of threads.
///
/// The engine starts no threads; whoever has some implements this. Each call of the work writes its own item only and reads what does not
/// change meanwhile, so results do not depend on how it is done.
pub trait Executor {
    /// Calls `work` once for each item, with its place.
    fn for_each<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync);
}

/// One after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Serial;

impl Executor for Serial {
    #[inline]
    fn for_each<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        for (place, item) in items.iter_mut().enumerate() {
            work(place, item);
        }
    }
}
