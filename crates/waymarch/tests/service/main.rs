//! The navigator and the path service: which search answers, budgets, queues, flow or route.

use waymarch_testkit::alloc::CountingAllocator;

mod ground;
mod grouping;
mod navigator_planners;
mod navigator_state;
mod path_service;
mod service_avoiding;
mod service_backlog;
mod service_planner;
mod service_scenes;
mod service_told;
mod service_truth;
mod walled_in;

/// Counts per thread, so that tests may run side by side.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
