//! Scratch: reusable memory whose contents mean nothing between calls.

use alloc::vec::Vec;

/// Scratch of one phase or algorithm. Tests poison it through this trait. The world reserves its memory when an order
/// is given.
pub(crate) trait Scratch {
    /// What decides how much memory the next calls need: a number of cells, of units, or several such numbers.
    type Demand: Copy;

    /// Fills the memory with rubbish, as earlier calls could have left it. No later answer may depend on it.
    fn poison(&mut self);

    /// Reserves memory for `demand`, so that ticks do not allocate. Does nothing if the memory is there already.
    fn reserve(&mut self, demand: Self::Demand);
}

/// Overwrites all entries of a scratch list with `rubbish`, and adds one entry.
pub(crate) fn poison_list<T: Clone>(list: &mut Vec<T>, rubbish: T) {
    list.fill(rubbish.clone());
    list.push(rubbish);
}

/// Reserves capacity for `total` entries, including the present ones.
pub(crate) fn reserve_total<T>(list: &mut Vec<T>, total: usize) {
    list.reserve(total.saturating_sub(list.len()));
}
