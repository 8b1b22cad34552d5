//! Memory: hot paths do not allocate, and caches hold the bytes that they report.

use waymarch_testkit::alloc::CountingAllocator;

mod allocations;
mod groups_memory;
mod lazy_memory;
mod tile_memory;
mod world_memory;

/// Counts per thread, so that tests may run side by side.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
