//! Mazes with corridors one cell wide.

use waymarch::base::{CellPos, Rng, cell};

use super::cells::draw_cells;
use super::floor_plan::FloorPlan;

/// The kinds of mazes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Maze {
    /// Has loops, and no dead ends.
    Braided,
    /// A tree: exactly one route connects any two cells.
    Perfect,
}

/// A square maze of rooms of one cell, with walls one cell thick. `side` is odd.
pub(super) fn maze(kind: Maze, side: i32, random: &mut Rng) -> FloorPlan {
    let last = side - 2;
    let mut plan = open(FloorPlan::solid(side, side), cell(1, 1));
    let mut trail = vec![cell(1, 1)];
    // Depth-first walk to random unvisited rooms; it backs up at dead ends.
    while let Some(&room) = trail.last() {
        let unvisited: Vec<CellPos> =
            neighbours(room, last).filter(|&(_, next)| plan.is_closed(next)).map(|(_, next)| next).collect();
        if unvisited.is_empty() {
            trail.pop();
            continue;
        }
        let next = unvisited[random.below(unvisited.len() as u32) as usize];
        plan = open(open(plan, between(room, next)), next);
        trail.push(next);
    }
    if kind == Maze::Perfect {
        return plan;
    }
    let rooms: Vec<CellPos> =
        (0..side / 2).flat_map(|y| (0..side / 2).map(move |x| cell(2 * x + 1, 2 * y + 1))).collect();
    let count = rooms.len();
    for room in draw_cells(random, rooms, count) {
        let is_dead_end = |plan: &FloorPlan, room| exits(plan, room, last).count() == 1;
        if !is_dead_end(&plan, room) {
            continue;
        }
        let walled = neighbours(room, last).filter(|&(wall, _)| plan.is_closed(wall));
        let (mut ends, mut others) = (Vec::new(), Vec::new());
        for (wall, next) in walled {
            if is_dead_end(&plan, next) { ends.push(wall) } else { others.push(wall) }
        }
        let choice = if ends.is_empty() { others } else { ends };
        plan = open(plan, choice[random.below(choice.len() as u32) as usize]);
    }
    plan
}

/// The rooms beside a room, each with the cell between both.
fn neighbours(room: CellPos, last: i32) -> impl Iterator<Item = (CellPos, CellPos)> {
    let inside = move |at: CellPos| (1..=last).contains(&at.x) && (1..=last).contains(&at.y);
    let rooms = [(0, -2), (2, 0), (0, 2), (-2, 0)].map(|(x, y)| room.offset(x, y));
    rooms.into_iter().filter(move |&next| inside(next)).map(move |next| (between(room, next), next))
}

/// The open cells beside a room.
fn exits(plan: &FloorPlan, room: CellPos, last: i32) -> impl Iterator<Item = CellPos> {
    neighbours(room, last).map(|(wall, _)| wall).filter(|&wall| !plan.is_closed(wall))
}

fn between(a: CellPos, b: CellPos) -> CellPos {
    cell(i32::midpoint(a.x, b.x), i32::midpoint(a.y, b.y))
}

fn open(plan: FloorPlan, at: CellPos) -> FloorPlan {
    plan.clear([at.x, at.y, at.x + 1, at.y + 1])
}

#[cfg(test)]
mod tests {
    use waymarch::base::{Dir8, Purpose, Tick};

    use super::*;

    /// The open cells, and the number of pairs of open cells side by side.
    fn graph(plan: &FloorPlan) -> (Vec<CellPos>, usize) {
        let cells = plan.all_open_cells();
        let is_open = |at: CellPos| usize::from(!plan.is_closed(at));
        let pairs = cells.iter().map(|at| is_open(at.offset(1, 0)) + is_open(at.offset(0, 1))).sum();
        (cells, pairs)
    }

    /// The number of cells that straight steps reach from the first room.
    fn reached(plan: &FloorPlan) -> usize {
        let (mut seen, mut next) = (vec![cell(1, 1)], 0);
        while let Some(&at) = seen.get(next) {
            next += 1;
            for step in Dir8::STRAIGHT.map(|dir| at.step(dir)) {
                if !plan.is_closed(step) && !seen.contains(&step) {
                    seen.push(step);
                }
            }
        }
        seen.len()
    }

    #[test]
    fn perfect_mazes_are_trees_and_braided_mazes_have_loops_and_no_dead_ends() {
        for seed in 1..=20 {
            for side in [21, 33] {
                let mut random = Rng::keyed(seed, Tick::ZERO, 0, Purpose(10));
                let perfect = maze(Maze::Perfect, side, &mut random);
                let (cells, pairs) = graph(&perfect);
                assert_eq!(pairs, cells.len() - 1, "seed {seed}: a tree has one edge less than nodes");
                assert_eq!(reached(&perfect), cells.len(), "seed {seed}");
                let braided = maze(Maze::Braided, side, &mut random);
                let (cells, pairs) = graph(&braided);
                assert!(pairs > cells.len(), "seed {seed}: more than one loop");
                assert_eq!(reached(&braided), cells.len(), "seed {seed}");
                for &at in &cells {
                    let exits =
                        Dir8::STRAIGHT.iter().filter(|&&dir| !braided.is_closed(at.step(dir))).count();
                    assert!(exits >= 2, "seed {seed}: {at} is a dead end");
                    let square = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| at.offset(x, y));
                    assert!(square.iter().any(|&at| braided.is_closed(at)), "seed {seed}: {at} is wide");
                }
            }
        }
    }
}
