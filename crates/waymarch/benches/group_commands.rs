//! Time of commands for one large group: a new order, joining, another formation, and the removal of all members.
#![allow(clippy::disallowed_types, clippy::float_arithmetic, reason = "a benchmark measures time")]

use std::time::Instant;

use waymarch::base::{CellRect, Fine, GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules};
use waymarch::groups::Formation;
use waymarch::world::{Navigator, Order, PlayerId, UnitId, UnitType, World};

/// The map has 512 cells per side.
const SIDE: u32 = 512;

fn world(columns: u32, rows: u32) -> (World, Vec<UnitId>) {
    let size = GridSize::new(SIDE, SIDE).expect("a legal size");
    let map = Map::flat("bench", size, Rules::standard());
    let mut world = World::new(Navigator::new(map, Config::default()).expect("a legal map"));
    let foot = world.nav().locomotor("foot").expect("in the rules");
    let soldier = world.add_type(UnitType::new("soldier", foot)).expect("a legal kind");
    let places: Vec<_> = CellRect::at(cell(20, 20), columns, rows).cells().collect();
    let units = world.spawn_many(soldier, PlayerId(0), &places).expect("open ground");
    (world, units)
}

/// Milliseconds of `work`.
fn time(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1000.0
}

fn run_ticks(world: &mut World, count: u32) {
    (0..count).for_each(|_| world.tick());
}

fn main() {
    println!(
        "{:>6} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "units", "re-order", "join", "its tick", "reform", "its tick", "remove", "usual tick"
    );
    for (columns, rows) in [(32, 32), (64, 64), (128, 64)] {
        let (mut world, units) = self::world(columns, rows);
        world.order(&units, Order::move_to(cell(300, 300))).expect("good");
        run_ticks(&mut world, 40);
        let order = time(|| world.order(&units, Order::move_to(cell(300, 200))).expect("good"));
        run_ticks(&mut world, 40);
        let places: Vec<Fine> = CellRect::at(cell(0, 0), columns, rows).cells().map(Fine::centre).collect();
        let reform = time(|| world.reform(&units, &Formation::Custom(places), None).expect("good"));
        let reform_tick = time(|| world.tick());
        run_ticks(&mut world, 40);
        let usual = time(|| run_ticks(&mut world, 8)) / 8.0;
        let remove = time(|| units.iter().for_each(|&unit| world.remove(unit).expect("alive")));
        let (mut world, units) = self::world(columns, rows);
        let (even, odd): (Vec<UnitId>, Vec<UnitId>) = units.iter().partition(|unit| unit.index() % 2 == 0);
        world.order(&even, Order::move_to(cell(300, 300))).expect("good");
        run_ticks(&mut world, 40);
        let join = time(|| world.join(&odd, even[0]).expect("good"));
        let join_tick = time(|| world.tick());
        println!(
            "{:>6} {order:>10.2} {join:>10.2} {join_tick:>10.2} {reform:>10.2} {reform_tick:>10.2} {remove:>10.2} {usual:>10.2}",
            units.len()
        );
    }
}
