//! A counting allocator: proves that a hot path allocates no memory.
//!
//! Install it in a program or a test binary of its own (a file in `tests`), then count:
//!
//! ```
//! use waymarch_counting::{CountingAllocator, allocations_in};
//!
//! #[global_allocator]
//! static ALLOCATOR: CountingAllocator = CountingAllocator;
//!
//! fn main() {
//!     let (count, total) = allocations_in(|| [1, 2, 3].iter().sum::<u32>());
//!     assert_eq!((count.calls, total), (0, 6));
//! }
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

/// What was requested from the allocator; freeing memory is not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Allocations {
    /// How often memory was allocated, grown or shrunk.
    pub calls: u64,
    /// How many bytes were requested in total.
    pub bytes: u64,
}

thread_local! {
    // Needs no destructor and no lazy start, so the allocator can use it at any time.
    static SO_FAR: Cell<Allocations> = const { Cell::new(Allocations { calls: 0, bytes: 0 }) };
    static HELD: Cell<Held> = const { Cell::new(Held { now: 0, peak: 0 }) };
}

/// Bytes allocated and not yet freed; below zero if this thread frees memory of another thread.
#[derive(Clone, Copy)]
struct Held {
    now: i64,
    peak: i64,
}

fn hold(change: i64) {
    let _ = HELD.try_with(|held| {
        let Held { now, peak } = held.get();
        let now = now.wrapping_add(change);
        held.set(Held { now, peak: peak.max(now) });
    });
}

/// The system's allocator, counting per thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

fn count(bytes: usize) {
    // Fails only while the thread ends; then the count is not needed.
    let _ = SO_FAR.try_with(|so_far| {
        let Allocations { calls, bytes: sum } = so_far.get();
        so_far.set(Allocations { calls: calls + 1, bytes: sum.wrapping_add(bytes as u64) });
    });
}

// SAFETY: every method passes its arguments on to `System` unchanged; counting uses no heap memory.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        hold(layout.size() as i64);
        // SAFETY: the caller keeps the contract of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        hold(layout.size() as i64);
        // SAFETY: the caller keeps the contract of `System`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        hold(size as i64 - layout.size() as i64);
        // SAFETY: the caller keeps the contract of `System`, which also allocated `memory`.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        hold(-(layout.size() as i64));
        // SAFETY: the caller keeps the contract of `System`, which also allocated `memory`.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Runs `work` and counts what this thread requested from the allocator meanwhile.
///
/// # Panics
/// If [`CountingAllocator`] is not the global allocator: a count of zero would prove nothing.
pub fn allocations_in<T>(work: impl FnOnce() -> T) -> (Allocations, T) {
    assert_installed();
    let before = SO_FAR.get();
    let result = work();
    let after = SO_FAR.get();
    let counted =
        Allocations { calls: after.calls - before.calls, bytes: after.bytes.wrapping_sub(before.bytes) };
    (counted, result)
}

/// Runs `work` and returns the most bytes that this thread held at once meanwhile, beyond what it held before.
///
/// # Panics
/// If [`CountingAllocator`] is not the global allocator.
pub fn peak_in<T>(work: impl FnOnce() -> T) -> (u64, T) {
    assert_installed();
    let before = HELD.get().now;
    HELD.set(Held { now: before, peak: before });
    let result = work();
    let peak = HELD.get().peak.wrapping_sub(before);
    (u64::try_from(peak).unwrap_or(0), result)
}

/// Runs `work` and returns the bytes that this thread holds afterwards, beyond what it held before.
///
/// # Panics
/// If [`CountingAllocator`] is not the global allocator.
pub fn held_by<T>(work: impl FnOnce() -> T) -> (u64, T) {
    assert_installed();
    let before = HELD.get().now;
    let result = work();
    (u64::try_from(HELD.get().now.wrapping_sub(before)).unwrap_or(0), result)
}

/// The bytes that this thread has allocated and not freed; below zero if it freed memory of another thread.
///
/// # Panics
/// If [`CountingAllocator`] is not the global allocator.
#[must_use]
pub fn held_now() -> i64 {
    assert_installed();
    HELD.get().now
}

fn assert_installed() {
    let before = SO_FAR.get();
    drop(black_box(Box::new(black_box(0_u8))));
    assert!(SO_FAR.get() != before, "CountingAllocator is not this program's #[global_allocator]");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "is not this program's #[global_allocator]")]
    fn counting_without_the_allocator_is_refused() {
        allocations_in(|| ());
    }
}
