//! Mazes with corridors one cell wide: braided ones have loops and no dead ends, perfect ones are trees.

use waymarch::base::Rng;

use super::super::super::cells::draw_cells;
use super::super::super::maze::{Maze, maze};
use super::super::layout::{Layout, Orders, Squad, scene_random};
use super::super::scene::Scene;
use super::{Amount, Set};

/// 30 units per maze.
const UNITS: usize = 30;
/// The side of a maze is odd: 21 to 41 cells, one of 11 values.
const LEAST_SIDE: i32 = 21;
const SIDES: u32 = 11;
/// The numbers of mazes: 40 braided and 10 perfect ones; a few means 3 and 2.
const BRAIDED: [u32; 2] = [40, 3];
const PERFECT: [u32; 2] = [10, 2];

pub(super) fn scenes(amount: Amount) -> Vec<Scene> {
    let braided = amount.seeds(BRAIDED).map(|seed| scene(Maze::Braided, seed));
    braided.chain(amount.seeds(PERFECT).map(|seed| scene(Maze::Perfect, seed))).collect()
}

fn scene(kind: Maze, seed: u32) -> Scene {
    let word = if kind == Maze::Braided { "braided" } else { "perfect" };
    let name = format!("{word}_{}", side(&mut maze_random(kind, seed)));
    let title = name.clone();
    Scene::new(Set::Mazes, name, seed, move || layout(kind, seed).game(&title, seed))
}

fn maze_random(kind: Maze, seed: u32) -> Rng {
    scene_random(seed, kind as u64)
}

fn side(random: &mut Rng) -> i32 {
    LEAST_SIDE + 2 * random.below(SIDES) as i32
}

/// A maze with 30 units. Each has its own start and its own goal.
fn layout(kind: Maze, seed: u32) -> Layout {
    let mut random = maze_random(kind, seed);
    let side = side(&mut random);
    let plan = maze(kind, side, &mut random);
    let starts = draw_cells(&mut random, plan.all_open_cells(), UNITS);
    let goals = draw_cells(&mut random, plan.all_open_cells(), UNITS);
    let mut layout = Layout::from(plan);
    layout.send(Squad::new(&starts), &goals, Orders::Individual);
    layout
}
