//! Local avoidance, terrain speed, formation slots, slot assignment, gates and lanes.

use waymarch_testkit::alloc::CountingAllocator;

mod avoid_aside;
mod avoid_motion;
mod avoid_odd;
mod avoid_order;
mod avoid_scenes;
mod avoid_smooth;
mod avoid_spatial;
mod avoid_tanks;
mod group_gates;
mod groups_assignment;
mod groups_doors;
mod groups_formations;
mod groups_ground;
mod groups_moving;
mod groups_split;
mod groups_stations;
mod groups_within;
mod terrain_speed;

/// Counts per thread, so that tests may run side by side.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
