//! Maps made of integers.

use crate::SplitMix;
use waymarch::base::{CellPos, CellRect, Fixed, GridSize, cell};
use waymarch::cost::{
    CrushMask, FootCell, LocomotorDef, Map, Mobility, PlacedStamp, Rules, Stamp, Surface, SurfaceMask,
    TerrainDef, TerrainId, TerrainModifier,
};

/// Rules with derived costs, slopes, swimmers, climbers, crushers and speeds.
pub(crate) fn rich_rules() -> Rules {
    use TerrainModifier as M;
    let ground = SurfaceMask::GROUND;
    let terrains = vec![
        TerrainDef::new("grass", Surface::Ground),
        TerrainDef::new("road", Surface::Ground),
        TerrainDef::new("mud", Surface::Ground).modified(M::Difficult(Fixed::ratio(19, 10))),
        TerrainDef::new("forest", Surface::Ground).modified(M::Difficult(Fixed::ratio(27, 10))),
        TerrainDef::new("water", Surface::Water).modified(M::Water { swim_cost: Fixed::ratio(7, 2) }),
        TerrainDef::new("cliff", Surface::Cliff),
        TerrainDef::new("rubble", Surface::Rubble),
        TerrainDef::new("slope", Surface::Ground).modified(M::Slope { gradient: Fixed::ratio(3, 10) }),
        TerrainDef::new("rock", Surface::Ground).modified(M::Impassable),
    ];
    let locomotors = vec![
        LocomotorDef { can_swim: true, ..LocomotorDef::new("foot", ground | SurfaceMask::RUBBLE) },
        LocomotorDef { movement_modifier: Fixed::ratio(12, 10), ..LocomotorDef::new("wheel", ground) },
        LocomotorDef { crushes: CrushMask(0b101), ..LocomotorDef::new("track", ground) },
        LocomotorDef::new("boat", SurfaceMask::WATER),
        LocomotorDef {
            mobility: Mobility::Climber,
            ..LocomotorDef::new("climber", ground | SurfaceMask::CLIFF)
        },
        LocomotorDef::new("wing", SurfaceMask::AIR),
    ];
    let mut costs = vec![Vec::new(); terrains.len()];
    costs[1] = vec![Some(5), Some(3), Some(5)];
    costs[2] = vec![None, Some(40), None];
    let mut rules = Rules { normal: 8, terrains, locomotors, costs, speeds: Vec::new() };
    use waymarch::base::LocomotorId as L;
    rules.set_speed(TerrainId(1), L(1), Some(170));
    rules.set_speed(TerrainId(2), L(0), Some(55));
    rules.set_speed(TerrainId(3), L(0), Some(80));
    rules.set_speed(TerrainId(3), L(2), Some(30));
    rules
}

/// Value noise on a lattice, 0..=255.
fn noise(seed: u64, x: i32, y: i32, cell_size: i32) -> i32 {
    let (gx, gy) = (x.div_euclid(cell_size), y.div_euclid(cell_size));
    let (fx, fy) = (x.rem_euclid(cell_size), y.rem_euclid(cell_size));
    let at = |gx: i32, gy: i32| {
        let mut m = SplitMix(seed ^ (gx as u32 as u64) << 32 ^ gy as u32 as u64);
        m.next();
        (m.next() >> 56) as i32
    };
    let lerp = |a: i32, b: i32, f: i32| a + (b - a) * f / cell_size;
    lerp(lerp(at(gx, gy), at(gx + 1, gy), fx), lerp(at(gx, gy + 1), at(gx + 1, gy + 1), fx), fy)
}

fn size(w: u32, h: u32) -> GridSize {
    GridSize::new(w, h).expect("legal")
}

/// Patches of all terrains, hills, a road, stamps.
pub(crate) fn mixed(seed: u64, w: u32, h: u32) -> Map {
    let mut map = Map::flat("mixed", size(w, h), rich_rules());
    map.elevation = vec![0; size(w, h).cells()];
    for at in size(w, h).rect().cells() {
        let n = noise(seed, at.x, at.y, 13) * 2 / 3 + noise(seed ^ 77, at.x, at.y, 5) / 3;
        let t = match n {
            0..=52 => 4,
            53..=66 => 2,
            67..=140 => 0,
            141..=165 => 3,
            166..=176 => 7,
            177..=188 => 6,
            189..=197 => 5,
            _ => 8,
        };
        map.set_terrain(at, TerrainId(t));
        let id = map.size.id(at).expect("on map").index();
        map.elevation[id] = (noise(seed ^ 5, at.x, at.y, 21) * 3) as i16;
    }
    let mut y = h as i32 / 2;
    let mut m = SplitMix(seed ^ 9);
    for x in 0..w as i32 {
        y = (y + m.range(-1, 2)).clamp(2, h as i32 - 3);
        for d in -1..=1 {
            map.set_terrain(cell(x, y + d), TerrainId(1));
        }
    }
    for _ in 0..8 {
        let at = cell(m.range(0, w as i32 - 6), m.range(0, h as i32 - 6));
        let kind = m.pick(&[
            FootCell::Blocked,
            FootCell::Wall(0),
            FootCell::NoStop,
            FootCell::Wall(2),
            FootCell::Gate,
        ]);
        let stamp = Stamp::filled("thing", 1 + m.below(4), 1 + m.below(4), kind);
        map.stamps.push(PlacedStamp { at, stamp });
    }
    map.starts = vec![cell(3, 3), cell(w as i32 - 4, h as i32 - 4)];
    map
}

/// Rooms with doors, ground of one cost.
pub(crate) fn rooms(seed: u64, w: u32, h: u32) -> Map {
    let mut map = Map::flat("rooms", size(w, h), Rules::standard());
    let mut m = SplitMix(seed);
    let side = 11;
    for at in size(w, h).rect().cells() {
        if at.x % side == side - 1 || at.y % side == side - 1 {
            map.set_terrain(at, TerrainId(6));
        }
    }
    let (cols, rows) = ((w as i32 + side - 1) / side, (h as i32 + side - 1) / side);
    for row in 0..rows {
        for col in 0..cols {
            let wide = 1 + m.below(3) as i32;
            let off = m.range(0, side - 1 - wide);
            if m.chance(800) {
                (0..wide).for_each(|i| {
                    map.set_terrain(cell(col * side + side - 1, row * side + off + i), TerrainId(0))
                });
            }
            let wide = 1 + m.below(4) as i32;
            let off = m.range(0, side - 1 - wide);
            if m.chance(850) {
                (0..wide).for_each(|i| {
                    map.set_terrain(cell(col * side + off + i, row * side + side - 1), TerrainId(0))
                });
            }
        }
    }
    map
}

/// A maze of corridors three cells wide.
pub(crate) fn maze(seed: u64, w: u32, h: u32) -> Map {
    let mut map = Map::flat("maze", size(w, h), Rules::standard());
    map.terrain.fill(TerrainId(6));
    let (cols, rows) = (w as i32 / 4, h as i32 / 4);
    let mut seen = vec![false; (cols * rows) as usize];
    let mut m = SplitMix(seed);
    let mut stack = vec![(0, 0)];
    let open = |map: &mut Map, at: CellPos, w, h| {
        CellRect::at(at, w, h).cells().for_each(|c| map.set_terrain(c, TerrainId(0)));
    };
    open(&mut map, cell(0, 0), 3, 3);
    seen[0] = true;
    while let Some(&(x, y)) = stack.last() {
        let mut ways: Vec<(i32, i32)> = Vec::new();
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (nx, ny) = (x + dx, y + dy);
            if nx >= 0 && ny >= 0 && nx < cols && ny < rows && !seen[(ny * cols + nx) as usize] {
                ways.push((dx, dy));
            }
        }
        if ways.is_empty() {
            stack.pop();
            continue;
        }
        let (dx, dy) = m.pick(&ways);
        let (nx, ny) = (x + dx, y + dy);
        seen[(ny * cols + nx) as usize] = true;
        let (ax, ay) = (x.min(nx) * 4, y.min(ny) * 4);
        open(&mut map, cell(ax, ay), if dx != 0 { 7 } else { 3 }, if dy != 0 { 7 } else { 3 });
        stack.push((nx, ny));
    }
    // A few more openings, so that there is a choice.
    for _ in 0..cols * rows / 12 {
        let (x, y) = (m.range(0, cols - 1), m.range(0, rows - 1));
        if m.chance(500) {
            open(&mut map, cell(x * 4 + 3, y * 4), 1, 3)
        } else {
            open(&mut map, cell(x * 4, y * 4 + 3), 3, 1)
        }
    }
    map
}

/// A winding river with bridges, some rough ground and a road.
pub(crate) fn river(seed: u64, w: u32, h: u32) -> Map {
    let mut map = Map::flat("river", size(w, h), Rules::standard());
    let mut m = SplitMix(seed);
    let mut x = w as i32 / 2;
    let mut course = Vec::new();
    for y in 0..h as i32 {
        x = (x + m.range(-1, 2)).clamp(10, w as i32 - 16);
        course.push(x);
        for d in 0..7 {
            map.set_terrain(cell(x + d, y), TerrainId(if d == 0 || d == 6 { 3 } else { 4 }));
        }
    }
    for k in 1..=3 {
        let y = h as i32 * k / 4;
        for row in 0..(1 + k) {
            for d in -3..11 {
                map.set_terrain(cell(course[y as usize] + d, y + row), TerrainId(5));
            }
        }
    }
    for _ in 0..14 {
        let area =
            CellRect::at(cell(m.range(0, w as i32), m.range(0, h as i32)), 2 + m.below(8), 2 + m.below(8));
        area.cells().for_each(|at| {
            if map.terrain_at(at) == Some(TerrainId(0)) {
                map.set_terrain(at, TerrainId(2));
            }
        });
    }
    map
}

/// Open ground with blocks.
pub(crate) fn blocks(seed: u64, w: u32, h: u32) -> Map {
    let mut map = Map::flat("blocks", size(w, h), Rules::standard());
    let mut m = SplitMix(seed);
    for _ in 0..(w * h / 160) {
        let area =
            CellRect::at(cell(m.range(0, w as i32), m.range(0, h as i32)), 1 + m.below(5), 1 + m.below(5));
        area.cells().for_each(|at| map.set_terrain(at, TerrainId(6)));
    }
    map
}

/// Open ground without obstacles.
pub(crate) fn flat(w: u32, h: u32) -> Map {
    Map::flat("flat", size(w, h), Rules::standard())
}

/// Speckles: a random terrain for every cell.
pub(crate) fn speckles(seed: u64, w: u32, h: u32) -> Map {
    let mut map = Map::flat("speckles", size(w, h), Rules::standard());
    let mut m = SplitMix(seed);
    for at in size(w, h).rect().cells() {
        let t = m.pick(&[0, 0, 0, 0, 1, 2, 2, 3, 6, 0]);
        map.set_terrain(at, TerrainId(t));
    }
    map
}
