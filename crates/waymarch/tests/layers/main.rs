//! Numbers, cost layers and their edits, sectors, doors, routes over doors, nearest cells.

use waymarch_testkit::alloc::CountingAllocator;

mod behaviour;
mod connectivity;
mod contexts;
mod cost_edits;
mod deprecated_names;
mod doors;
mod ground;
mod levels;
mod merging;
mod passages;
mod path_cache;
mod rims;
mod sectors;
mod snapping;
mod team_gates;
mod threat_observers;
mod trig_error;

/// Counts the allocations of each thread separately, so that tests may run side by side.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
