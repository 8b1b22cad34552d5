//! Flow fields: tiles over a corridor, lazy fields, whole-map fields.

use waymarch_testkit::alloc::CountingAllocator;

mod flow_tiles;
mod ground;
mod lazy_field;
mod lazy_scenes;
mod tile_fuzz;
mod tile_quality;
mod tile_questions;
mod tile_state;
mod whole_cache;
mod whole_dear;
mod whole_edits;
mod whole_field;

/// Counts the allocations of each thread separately, so that tests may run side by side.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
