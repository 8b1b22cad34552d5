//! Corridors with traffic in both directions, rooms joined by doors, and units of two sizes.

use waymarch::base::{CellPos, cell};

use super::super::super::cells::draw_cells;
use super::super::super::floor_plan::{Area, FloorPlan};
use super::super::layout::{Layout, Orders, Squad, scene_random};
use super::super::scene::Scene;
use super::{Amount, Set};

/// Corridors are 1, 2 or 3 cells wide and 30 cells long. 20 units start at each end.
const WIDTHS: [i32; 3] = [1, 2, 3];
const LENGTH: i32 = 30;
const UNITS: usize = 20;
/// The corridor with passing bays is 40 cells long and has a bay of one cell every 6 cells. 8 units start at each end.
const BAY_LENGTH: i32 = 40;
const BAY_EVERY: usize = 6;
const BAY_UNITS: usize = 8;
/// 5 rooms of 7 × 7 cells in a row. 15 units start at each end.
const ROOMS: i32 = 5;
const ROOM: i32 = 7;
const ROOM_UNITS: usize = 15;
/// Mixed sizes: gaps of 1 to 4 cells; 12 small and 6 large units per side.
const MIXED_GAPS: [i32; 4] = [1, 2, 3, 4];
const SMALL_UNITS: usize = 12;
const LARGE_UNITS: usize = 6;

pub(super) fn scenes(amount: Amount) -> Vec<Scene> {
    let mut scenes = Vec::new();
    for seed in amount.seeds([1, 1]) {
        for orders in [Orders::Individual, Orders::Group] {
            let word = orders.name();
            for width in WIDTHS {
                let name = format!("corridor{width}_{word}");
                scenes.push(scene(&name, seed, move || corridor(seed, width, orders)));
            }
            scenes.push(scene(&format!("bays_{word}"), seed, move || bays(seed, orders)));
            scenes.push(scene(&format!("rooms_{word}"), seed, move || rooms(seed, orders)));
            for gap in MIXED_GAPS {
                let name = format!("mixed{gap}_{word}");
                scenes.push(scene(&name, seed, move || mixed(seed, gap, orders)));
            }
        }
    }
    scenes
}

fn scene(name: &str, seed: u32, draw: impl Fn() -> Layout + 'static) -> Scene {
    let title = name.to_owned();
    Scene::new(Set::Corridors, name, seed, move || draw().game(&title, seed))
}

/// Two squads that exchange places: `count` units from each of two areas.
fn exchange(plan: FloorPlan, ends: [Area; 2], count: usize, seed: u32, orders: Orders) -> Layout {
    let random = &mut scene_random(seed, 6);
    let [west, east] = ends.map(|area| draw_cells(random, plan.open_cells(area), count));
    let mut layout = Layout::from(plan);
    layout.send(Squad::new(&west), &east, orders);
    layout.send(Squad::new(&east), &west, orders);
    layout
}

/// Two rooms of 12 × 14 cells, joined by a corridor.
fn corridor(seed: u32, width: i32, orders: Orders) -> Layout {
    let (plan, ends) = two_rooms(LENGTH, width);
    exchange(plan, ends, UNITS, seed, orders)
}

/// Two rooms of 12 × 14 cells with a corridor in the middle, and the areas where units start.
fn two_rooms(length: i32, width: i32) -> (FloorPlan, [Area; 2]) {
    let (west, east) = (13, 13 + length);
    let top = 8 - width / 2;
    let plan = FloorPlan::solid(east + 13, 16)
        .clear([1, 1, west, 15])
        .clear([west, top, east, top + width])
        .clear([east, 1, east + 12, 15]);
    (plan, [[2, 4, 9, 12], [east + 3, 4, east + 10, 12]])
}

/// A corridor one cell wide with bays where units can let others pass.
fn bays(seed: u32, orders: Orders) -> Layout {
    let (plan, ends) = two_rooms(BAY_LENGTH, 1);
    let bays = (13 + BAY_EVERY as i32 / 2..13 + BAY_LENGTH).step_by(BAY_EVERY);
    let plan = bays.fold(plan, |plan, x| plan.clear([x, 7, x + 1, 8]));
    exchange(plan, ends, BAY_UNITS, seed, orders)
}

/// A row of rooms joined by doors of one cell. The doors are not in line.
fn rooms(seed: u32, orders: Orders) -> Layout {
    let pitch = ROOM + 1;
    let mut plan = FloorPlan::solid(ROOMS * pitch + 1, ROOM + 2);
    for room in 0..ROOMS {
        plan = plan.clear([room * pitch + 1, 1, (room + 1) * pitch, 1 + ROOM]);
    }
    for door in 1..ROOMS {
        let (x, y) = (door * pitch, 2 + (door * 3) % (ROOM - 1));
        plan = plan.clear([x, y, x + 1, y + 1]);
    }
    let last = (ROOMS - 1) * pitch + 1;
    exchange(plan, [[1, 1, 1 + ROOM, 1 + ROOM], [last, 1, last + ROOM, 1 + ROOM]], ROOM_UNITS, seed, orders)
}

/// Small units and units of 2 × 2 cells in two rooms of 16 × 22 cells, with a gap of 2 cells' length between them. Large units go
/// through gaps of 2 or more cells. At a gap of 1 cell they go to the other end of their room.
fn mixed(seed: u32, gap: i32, orders: Orders) -> Layout {
    let top = 12 - gap / 2;
    let plan = FloorPlan::field(36, 24).wall([17, 1, 19, 23]).clear([17, top, 19, top + gap]);
    let random = &mut scene_random(seed, 7);
    let small =
        [[3, 9, 9, 15], [27, 9, 33, 15]].map(|area| draw_cells(random, plan.open_cells(area), SMALL_UNITS));
    // Every second cell: the bodies of large units do not overlap.
    let lattice = |left: i32, top: i32| -> Vec<CellPos> {
        (0..8).map(|number| cell(left + number % 4 * 2, top + number / 4 * 2)).collect()
    };
    let mut draw = |left, top| draw_cells(random, lattice(left, top), LARGE_UNITS);
    let [north_west, south_west, north_east, south_east] =
        [draw(3, 2), draw(3, 19), draw(26, 2), draw(26, 19)];
    let mut layout = Layout::from(plan);
    layout.send(Squad::new(&small[0]), &small[1], orders);
    layout.send(Squad::new(&small[1]), &small[0], orders);
    let [from_west, from_east] =
        if gap == 1 { [&south_west, &north_east] } else { [&north_east, &south_west] };
    layout.send(Squad { size: 2, ..Squad::new(&north_west) }, from_west, orders);
    layout.send(Squad { size: 2, ..Squad::new(&south_east) }, from_east, orders);
    layout
}
