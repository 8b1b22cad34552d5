//! Yards with one exit of one cell: entered and left at once; a factory and a dock.

use waymarch::base::{CellPos, Dir8, cell};
use waymarch::world::{Around, Order, When};

use super::super::super::cells::draw_cells;
use super::super::super::floor_plan::FloorPlan;
use super::super::layout::{Layout, Orders, Squad, scene_random};
use super::super::scene::Scene;
use super::{Amount, Set};

/// 20 units in the yard and 20 outside.
const UNITS: usize = 20;
/// The factory holds 12 units. 20 idle units stand before its exit.
const BUILT: usize = 12;
const IDLE: usize = 20;
/// 6 units use the dock, one after another.
const DOCKED: usize = 6;

pub(super) fn scenes(amount: Amount) -> Vec<Scene> {
    let mut scenes = Vec::new();
    for seed in amount.seeds([1, 1]) {
        for orders in Orders::ALL {
            let name = format!("yard_{}", orders.name());
            scenes.push(scene(&name, seed, move || yard(seed, orders)));
        }
        for orders in [Orders::Individual, Orders::Group] {
            let name = format!("factory_{}", orders.name());
            scenes.push(scene(&name, seed, move || factory(seed, orders)));
        }
        for (name, lane) in [("dock_alcove", 1), ("dock_lane", 5)] {
            scenes.push(scene(name, seed, move || dock(seed, lane)));
        }
    }
    scenes
}

fn scene(name: &str, seed: u32, draw: impl Fn() -> Layout + 'static) -> Scene {
    let title = name.to_owned();
    Scene::new(Set::Yard, name, seed, move || draw().game(&title, seed))
}

/// A yard of 12 × 12 cells with an exit to the east. The units inside and outside exchange places.
fn yard(seed: u32, orders: Orders) -> Layout {
    let plan = FloorPlan::field(44, 26).wall([6, 6, 20, 20]).clear([7, 7, 19, 19]).clear([19, 12, 20, 13]);
    let random = &mut scene_random(seed, 3);
    let inside = draw_cells(random, plan.open_cells([7, 7, 19, 19]), UNITS);
    let outside = draw_cells(random, plan.open_cells([26, 7, 36, 19]), UNITS);
    let mut layout = Layout::from(plan);
    layout.send(Squad::new(&inside), &outside, orders);
    layout.send(Squad::new(&outside), &inside, orders);
    layout
}

/// A factory of 4 × 3 cells with an exit lane one cell wide and 4 cells long. Idle units stand before the lane.
fn factory(seed: u32, orders: Orders) -> Layout {
    let plan = FloorPlan::field(44, 26).wall([3, 9, 13, 16]).clear([4, 11, 8, 14]).clear([8, 12, 13, 13]);
    let random = &mut scene_random(seed, 4);
    let built = draw_cells(random, plan.open_cells([4, 11, 8, 14]), BUILT);
    let idle = draw_cells(random, plan.open_cells([13, 9, 19, 16]), IDLE);
    let rally = draw_cells(random, plan.open_cells([28, 8, 36, 18]), BUILT);
    let mut layout = Layout::from(plan);
    layout.send(Squad::new(&built), &rally, orders);
    layout.stand(Squad::new(&idle));
    layout
}

/// A dock at the end of a lane one cell wide. Each unit docks, then leaves through the same lane.
fn dock(seed: u32, lane: i32) -> Layout {
    let end = 13 - lane;
    let plan = FloorPlan::field(44, 26).wall([3, 8, 13, 17]).clear([end, 12, 13, 13]);
    let random = &mut scene_random(seed, 5);
    let starts = draw_cells(random, plan.open_cells([20, 8, 28, 18]), DOCKED);
    let exits: Vec<CellPos> = (0..DOCKED).map(|number| cell(36, 6 + 2 * number as i32)).collect();
    let mut layout = Layout::from(plan);
    let units = layout.stand(Squad::new(&starts));
    let queue = Around::Dock { queue: Dir8::E.into() };
    layout.order(&units, Order::around(cell(end, 12), queue), When::Now);
    for (&unit, &exit) in units.iter().zip(&exits) {
        layout.order(&[unit], Order::move_to(exit), When::Queued);
    }
    layout
}
