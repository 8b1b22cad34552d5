//! Open ground, blocks of soldiers and distances for the tests of the World.

use waymarch::base::{CellPos, CellRect, Fine};
use waymarch::config::Config;
use waymarch::world::{Executor, PlayerId, UnitId, World};
use waymarch_testkit::worlds::{flat_world, soldier};

/// A World of open ground with default settings.
pub(crate) fn field(width: u32, height: u32) -> World {
    flat_world(width, height, Config::default())
}

/// Spawns a block of `columns` × `rows` soldiers of player 0 whose north-west cell is `at`.
pub(crate) fn block(world: &mut World, at: CellPos, columns: u32, rows: u32) -> Vec<UnitId> {
    let kind = soldier(world);
    let places: Vec<CellPos> = CellRect::at(at, columns, rows).cells().collect();
    world.spawn_many(kind, PlayerId(0), &places).expect("open ground")
}

/// The distance in 1024ths of a cell.
pub(crate) fn apart(a: Fine, b: Fine) -> u64 {
    a.distance_squared(b).isqrt() >> 6
}

/// Runs jobs from the last to the first.
pub(crate) struct Backwards;

impl Executor for Backwards {
    fn each_at<T: Send>(&self, jobs: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        jobs.iter_mut().enumerate().rev().for_each(|(place, job)| work(place, job));
    }
}

/// Three threads; without the feature `parallel` jobs from the last to the first.
#[cfg(feature = "parallel")]
pub(crate) fn other_executor() -> waymarch::world::Threads {
    waymarch::world::Threads::new(3).expect("the machine has threads")
}

/// Three threads; without the feature `parallel` jobs from the last to the first.
#[cfg(not(feature = "parallel"))]
pub(crate) fn other_executor() -> Backwards {
    Backwards
}
