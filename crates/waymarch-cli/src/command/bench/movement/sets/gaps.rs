//! A wall in open ground with a gap: 40 units from each side go through it.

use waymarch::base::{CellPos, cell};

use super::super::super::cells::draw_cells;
use super::super::super::floor_plan::FloorPlan;
use super::super::gap_flow::Gap;
use super::super::layout::{Layout, Orders, Squad, scene_random};
use super::super::scene::Scene;
use super::{Amount, Set};

/// Gaps are 1 or 2 cells wide, and 1, 3 or 12 cells long.
const WIDTHS: [i32; 2] = [1, 2];
const LENGTHS: [i32; 3] = [1, 3, 12];
/// 40 units per side.
const UNITS: usize = 40;
/// The ground on each side of the wall has 26 × 33 cells, without the border.
const GROUND: i32 = 26;
const HEIGHT: i32 = 35;
/// The camp of a side has 9 × 9 cells. It begins 8 cells from the wall.
const CAMP: i32 = 9;
const CAMP_DISTANCE: i32 = 8;

/// How the sides of a gap scene differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sides {
    /// Only the western side.
    One,
    /// Both sides belong to one player.
    Both,
    /// Each side belongs to a player of its own.
    TwoPlayers,
}

#[derive(Clone, Copy, Debug)]
struct GapScene {
    width: i32,
    length: i32,
    orders: Orders,
    sides: Sides,
    seed: u32,
}

pub(super) fn scenes(amount: Amount) -> Vec<Scene> {
    let mut scenes = Vec::new();
    for seed in amount.seeds([1, 1]) {
        for width in WIDTHS {
            for length in LENGTHS {
                let plain = GapScene { width, length, orders: Orders::Individual, sides: Sides::Both, seed };
                scenes.extend(Orders::ALL.map(|orders| GapScene { orders, ..plain }.scene()));
            }
        }
        let enemies =
            GapScene { width: 1, length: 3, orders: Orders::Individual, sides: Sides::TwoPlayers, seed };
        scenes.push(enemies.scene());
    }
    scenes
}

impl GapScene {
    fn scene(self) -> Scene {
        let Self { width, length, orders, sides, seed } = self;
        let ending = match sides {
            Sides::One => "_one_way",
            Sides::Both => "",
            Sides::TwoPlayers => "_players",
        };
        let name = format!("gap{width}x{length}_{}{ending}", orders.name());
        let title = name.clone();
        let wall = [GROUND + 1, GROUND + 1 + length].map(f64::from);
        let gap = Gap { wall, row: f64::from(self.first_row()) + f64::from(width) / 2.0 };
        let one_way = (sides != Sides::One).then(|| Self { sides: Sides::One, ..self }.scene());
        let scene = Scene::new(Set::Gaps, name, seed, move || self.layout().game(&title, seed));
        scene.with_gap(gap, one_way)
    }

    /// The first row of the gap.
    fn first_row(self) -> i32 {
        (HEIGHT - self.width) / 2
    }

    fn layout(self) -> Layout {
        let columns = 2 * GROUND + self.length + 2;
        let (west, east) = (GROUND + 1, GROUND + 1 + self.length);
        let plan = FloorPlan::field(columns, HEIGHT).wall([west, 1, east, HEIGHT - 1]).clear([
            west,
            self.first_row(),
            east,
            self.first_row() + self.width,
        ]);
        let right = west - CAMP_DISTANCE;
        let top = (HEIGHT - CAMP) / 2;
        let camp = plan.open_cells([right - CAMP, top, right, top + CAMP]);
        let home = draw_cells(&mut scene_random(self.seed, 2), camp, UNITS);
        let mirrored: Vec<CellPos> = home.iter().map(|at| cell(columns - 1 - at.x, at.y)).collect();
        let mut layout = Layout::from(plan);
        layout.send(Squad::new(&home), &mirrored, self.orders);
        if self.sides != Sides::One {
            let player = u8::from(self.sides == Sides::TwoPlayers);
            layout.send(Squad { player, ..Squad::new(&mirrored) }, &home, self.orders);
        }
        layout
    }
}
