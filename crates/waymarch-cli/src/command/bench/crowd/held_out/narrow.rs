//! Scenes with doors and corridors.

use waymarch::base::{CellPos, Purpose, Rng, Tick};

use super::super::super::cells::{chebyshev, draw_cells};
use super::super::super::maze::{Maze, maze};
use super::draft::{Block, Draft};

/// 30 units in the maze. Their goals are more than 10 cells away.
const MAZE_UNITS: usize = 30;
const MAZE_LEAST: u32 = 11;

/// Two rooms with a wall between them, 60 × 50 cells in all. Each door is given by its first row and the row after its last.
fn rooms(doors: &[[i32; 2]]) -> Draft {
    let walled = Draft::field(60, 50).wall([30, 1, 31, 49]);
    doors.iter().fold(walled, |draft, &[from, to]| {
        draft.clear([30, from, 31, to]).measure([31.0, f64::from(from), 31.0, f64::from(to)])
    })
}

/// Two groups before two doors of 3 cells, 4 cells apart. Each group's goal is behind the other's door.
pub(super) fn neighbouring_doors() -> Draft {
    rooms(&[[20, 23], [27, 30]])
        .send(Block::new([14.0, 21.5], 10, 5), [46.0, 28.5])
        .send(Block::new([14.0, 28.5], 10, 5), [46.0, 21.5])
}

/// 150 units through a door of 5 cells.
pub(super) fn door5() -> Draft {
    rooms(&[[22, 27]]).send(Block::new([14.5, 24.5], 15, 10), [45.5, 24.5])
}

/// Two doors of 2 cells, 10 cells apart.
pub(super) fn two_doors() -> Draft {
    rooms(&[[18, 20], [30, 32]]).send(Block::new([14.0, 25.0], 12, 10), [46.0, 25.0])
}

/// A corridor of 3 cells that turns right once.
pub(super) fn bend() -> Draft {
    Draft::solid(60, 60)
        .clear([2, 2, 18, 14])
        .clear([18, 6, 46, 9])
        .clear([43, 9, 46, 44])
        .clear([34, 44, 58, 58])
        .measure([46.0, 6.0, 43.0, 9.0])
        .send(Block::new([10.0, 8.0], 10, 6), [46.0, 51.0])
}

/// A funnel that narrows from 28 cells to 3.
pub(super) fn funnel() -> Draft {
    let mut draft = Draft::field(80, 41).wall([44, 1, 46, 40]).clear([44, 19, 46, 22]);
    for x in 20..44 {
        let open = 2 + (44 - x) / 2;
        draft = draft.wall([x, 1, x + 1, 20 - open]).wall([x, 21 + open, x + 1, 40]);
    }
    draft.measure([45.0, 19.0, 45.0, 22.0]).send(Block::new([10.0, 20.5], 10, 10), [62.0, 20.5])
}

/// Three walls with openings of 5 cells at alternating ends.
pub(super) fn slalom() -> Draft {
    Draft::field(70, 30)
        .wall([18, 1, 19, 24])
        .wall([34, 6, 35, 29])
        .wall([50, 1, 51, 24])
        .send(Block::new([8.0, 15.0], 6, 10), [60.0, 15.0])
}

/// Around the end of a long wall and back.
pub(super) fn u_turn() -> Draft {
    Draft::field(60, 50).wall([1, 24, 46, 26]).send(Block::new([12.0, 12.0], 10, 6), [12.0, 38.0])
}

/// A corridor of 4 cells that winds twice to the centre.
pub(super) fn spiral() -> Draft {
    let corridors = [
        [1, 1, 47, 5],
        [43, 1, 47, 47],
        [1, 43, 47, 47],
        [1, 11, 5, 47],
        [1, 11, 37, 15],
        [33, 11, 37, 37],
        [11, 33, 37, 37],
        [11, 20, 15, 37],
        [11, 20, 29, 29],
    ];
    let draft = corridors.into_iter().fold(Draft::solid(48, 48), Draft::clear);
    draft.send(Block::new([7.0, 3.0], 10, 4), [21.0, 25.0])
}

/// 40 units from each side through one door of 3 cells.
pub(super) fn two_way_door() -> Draft {
    rooms(&[[23, 26]])
        .send(Block::new([14.0, 24.5], 8, 5), [46.0, 24.5])
        .send(Block::new([46.0, 24.5], 8, 5), [14.0, 24.5])
}

/// 20 units from each side in a corridor of 2 cells.
pub(super) fn two_way_corridor() -> Draft {
    Draft::solid(74, 36)
        .clear([2, 8, 22, 28])
        .clear([22, 17, 52, 19])
        .clear([52, 8, 72, 28])
        .send(Block::new([12.5, 18.0], 5, 4), [61.5, 18.0])
        .send(Block::new([61.5, 18.0], 5, 4), [12.5, 18.0])
}

/// 80 units from each side in a street of 20 cells.
pub(super) fn two_way_street() -> Draft {
    Draft::solid(100, 28)
        .clear([2, 4, 98, 24])
        .measure([50.0, 4.0, 50.0, 24.0])
        .send(Block::new([12.0, 14.0], 8, 10), [88.0, 14.0])
        .send(Block::new([88.0, 14.0], 8, 10), [12.0, 14.0])
}

/// Small, medium and large units through a door of 6 cells with a pillar behind it.
pub(super) fn mixed_pillar() -> Draft {
    let block = |y: f64, columns, rows, spacing, radius| Block {
        spacing,
        radius,
        ..Block::new([14.0, y], columns, rows)
    };
    Draft::field(70, 60)
        .wall([34, 1, 35, 59])
        .clear([34, 27, 35, 33])
        .wall([40, 29, 42, 31])
        .measure([35.0, 27.0, 35.0, 33.0])
        .send(block(16.0, 6, 6, 0.8, 0.3), [54.0, 44.0])
        .send(block(30.0, 6, 4, 1.2, 0.5), [54.0, 30.0])
        .send(block(44.0, 5, 2, 2.2, 0.9), [54.0, 16.0])
}

/// 40 units from each side through a gap of 1 cell in a thin wall.
pub(super) fn two_way_gap() -> Draft {
    two_way(rooms(&[[24, 25]]), 60.0)
}

/// The same through a gap that is 12 cells long.
pub(super) fn two_way_long_gap() -> Draft {
    two_way(Draft::field(72, 50).wall([30, 1, 42, 49]).clear([30, 24, 42, 25]), 72.0)
}

/// Two groups of 40 units that exchange places, on ground that is `width` cells wide.
fn two_way(draft: Draft, width: f64) -> Draft {
    let (west, east) = ([14.0, 24.5], [width - 14.0, 24.5]);
    draft.send(Block::new(west, 8, 5), east).send(Block::new(east, 8, 5), west)
}

/// A yard with one exit of 1 cell. 20 units leave it, and 20 enter it.
pub(super) fn yard() -> Draft {
    let (inside, outside) = ([12.0, 15.0], [36.0, 15.0]);
    Draft::field(50, 30)
        .wall([4, 8, 20, 22])
        .clear([5, 9, 19, 21])
        .clear([19, 14, 20, 15])
        .send(Block::new(inside, 5, 4), outside)
        .send(Block::new(outside, 5, 4), inside)
}

/// A braided maze of 31 × 31 cells. 30 units have a start and a goal of their own.
pub(super) fn braided_maze() -> Draft {
    let mut random = Rng::keyed(13, Tick::ZERO, 0, Purpose(9));
    let plan = maze(Maze::Braided, 31, &mut random);
    let starts = draw_cells(&mut random, plan.all_open_cells(), MAZE_UNITS);
    let mut goals: Vec<CellPos> = Vec::new();
    for &start in &starts {
        let free = |at: &CellPos| chebyshev(*at, start) >= MAZE_LEAST && !goals.contains(at);
        let far = plan.all_open_cells().into_iter().filter(free).collect();
        goals.extend(draw_cells(&mut random, far, 1));
    }
    let centre = |at: CellPos| [f64::from(at.x) + 0.5, f64::from(at.y) + 0.5];
    let ends = starts.iter().zip(&goals).map(|(&start, &goal)| (centre(start), centre(goal)));
    // A group for each unit: no unit exchanges its goal.
    ends.fold(plan.into(), |draft: Draft, ends| draft.group(0.4, std::iter::once(ends)))
}
