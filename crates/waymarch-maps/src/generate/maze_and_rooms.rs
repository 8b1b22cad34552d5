//! Maps of walls: a maze and a floor of rooms, for tests, benchmarks and demonstrations.

use waymarch::base::{CellPos, GridSize, cell};
use waymarch::cost::Map;

use super::noise::Stream;
use super::standard_rules::{ground, standard_rules};

/// A perfect maze: exactly one route connects any two places. Corridors are three cells wide, walls one cell thick.
/// Starts are in opposite corners. If a side is not 4 n + 1 cells long, the rest is wall.
#[must_use]
pub fn maze(seed: u64, size: GridSize) -> Map {
    const PITCH: i32 = 4;
    let mut map = Map::flat("maze", size, standard_rules());
    map.terrain.fill(ground::WALL);
    let (columns, rows) = ((size.width() as i32 - 1) / PITCH, (size.height() as i32 - 1) / PITCH);
    if columns == 0 || rows == 0 {
        return map;
    }
    let mut stream = Stream::new(seed, 50);
    let mut seen = vec![false; (columns * rows) as usize];
    let mut trail = vec![(0, 0)];
    seen[0] = true;
    open(&mut map, cell(1, 1), PITCH - 1, PITCH - 1);
    // Depth-first walk to random unvisited rooms; it backs up at dead ends.
    while let Some(&(x, y)) = trail.last() {
        let directions: Vec<(i32, i32)> = [(0, -1), (1, 0), (0, 1), (-1, 0)]
            .into_iter()
            .filter(|&(dx, dy)| {
                let (nx, ny) = (x + dx, y + dy);
                (0..columns).contains(&nx) && (0..rows).contains(&ny) && !seen[(ny * columns + nx) as usize]
            })
            .collect();
        if directions.is_empty() {
            trail.pop();
            continue;
        }
        let (dx, dy) = directions[stream.below(directions.len() as u32) as usize];
        let (nx, ny) = (x + dx, y + dy);
        seen[(ny * columns + nx) as usize] = true;
        // Opens the next room, and the wall between it and the present room.
        let (left, top) = (nx * PITCH + 1 - i32::from(dx > 0), ny * PITCH + 1 - i32::from(dy > 0));
        open(&mut map, cell(left, top), PITCH - 1 + dx.abs(), PITCH - 1 + dy.abs());
        trail.push((nx, ny));
    }
    map.starts = vec![cell(2, 2), cell(columns * PITCH - 2, rows * PITCH - 2)];
    map
}

/// Rooms of different sizes in rows, with some blocks in them. Each room has a door three cells wide to every neighbour.
/// Starts are in the four corner rooms.
#[must_use]
pub fn rooms(seed: u64, size: GridSize) -> Map {
    let mut map = Map::flat("rooms", size, standard_rules());
    let mut stream = Stream::new(seed, 51);
    let (width, height) = (size.width() as i32, size.height() as i32);
    let (columns, rows) = (walls(width, &mut stream), walls(height, &mut stream));
    for y in 0..height {
        for x in 0..width {
            if columns.contains(&x) || rows.contains(&y) {
                map.set_terrain(cell(x, y), ground::WALL);
            }
        }
    }
    for across in columns.windows(2) {
        for down in rows.windows(2) {
            let (x0, x1, y0, y1) = (across[0] + 1, across[1], down[0] + 1, down[1]);
            if x1 < width - 1 {
                let door = stream.between(y0, (y1 - 3).max(y0));
                open(&mut map, cell(x1, door), 1, 3.min(y1 - door));
            }
            if y1 < height - 1 {
                let door = stream.between(x0, (x1 - 3).max(x0));
                open(&mut map, cell(door, y1), 3.min(x1 - door), 1);
            }
            // Some large rooms have a block in the middle, never near a wall.
            if x1 - x0 > 10 && y1 - y0 > 10 && stream.below(3) == 0 {
                let kind = [ground::ROCK, ground::WATER, ground::RUBBLE][stream.below(3) as usize];
                let at = cell((x0 + x1) / 2 - 1, (y0 + y1) / 2 - 1);
                fill(&mut map, at, 3, 3, kind);
            }
        }
    }
    for (x, y) in [(3, 3), (width - 4, height - 4), (width - 4, 3), (3, height - 4)] {
        map.starts.push(cell(x, y));
    }
    map
}

/// The positions of walls along a side: at both ends and every 10 to 18 cells between.
fn walls(side: i32, stream: &mut Stream) -> Vec<i32> {
    let mut at = vec![0];
    let mut next = stream.between(10, 18);
    while next < side - 10 {
        at.push(next);
        next += stream.between(10, 18);
    }
    at.push(side - 1);
    at
}

fn open(map: &mut Map, at: CellPos, width: i32, height: i32) {
    fill(map, at, width, height, ground::CLEAR);
}

fn fill(map: &mut Map, at: CellPos, width: i32, height: i32, terrain: waymarch::cost::TerrainId) {
    for y in at.y..at.y + height {
        for x in at.x..at.x + width {
            map.set_terrain(cell(x, y), terrain);
        }
    }
}
