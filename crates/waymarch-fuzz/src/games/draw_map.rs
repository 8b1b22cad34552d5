//! Draws maps and rules: sizes from one cell to 4096 cells in a row, walls, terrains with costs and speeds, heights, stamps.

use waymarch::base::{CellPos, Fixed, GridSize, cell};
use waymarch::cost::{
    CrushMask, FootCell, LocomotorDef, MAX_TERRAIN_SPEED, Map, Mobility, PlacedStamp, Rules, Stamp, Surface,
    SurfaceMask, TerrainDef, TerrainId, TerrainModifier,
};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;

/// The longest maps have 4096 cells in a row. Longer ones take too much time.
pub(super) const LONGEST: u32 = 4096;

/// A map with its rules.
pub(super) fn draw_map(rng: &mut SplitMix) -> Map {
    let size = draw_size(rng);
    let rules = draw_rules(rng);
    let terrain = draw_terrain(rng, size, &rules);
    let elevation = draw_heights(rng, size);
    let mut map = Map { terrain, elevation, ..Map::flat("random", size, rules) };
    for _ in 0..rng.pick(&[0, 0, 0, 1, 4]) {
        let stamp = draw_stamp(rng, &map.rules, size);
        let at = place_for(rng, &stamp, size);
        map.stamps.push(PlacedStamp { at, stamp });
    }
    map
}

fn draw_size(rng: &mut SplitMix) -> GridSize {
    let mut side = |low: u32, high: u32| low + rng.below(high - low + 1);
    let (width, height) = match side(0, 99) {
        0..5 => (1, 1),
        5..10 => (side(2, 60), 1),
        10 => (LONGEST, 1),
        11..13 => (side(200, LONGEST), 1),
        13..30 => (side(2, 8), side(2, 8)),
        30..75 => (side(9, 40), side(9, 40)),
        75..97 => (side(30, 90), side(30, 90)),
        _ => (side(100, 160), side(100, 160)),
    };
    let (width, height) = if rng.chance(500) { (width, height) } else { (height, width) };
    GridSize::new(width, height).expect("the sides are 1..=LONGEST")
}

fn draw_rules(rng: &mut SplitMix) -> Rules {
    let mut rules = if rng.chance(600) { Rules::standard() } else { draw_own_rules(rng) };
    if rng.chance(400) {
        for _ in 0..1 + rng.below(6) {
            let terrain = TerrainId(rng.below(rules.terrains.len() as u32) as u8);
            let locomotor = waymarch::base::LocomotorId(rng.below(rules.locomotors.len() as u32) as u8);
            let speed = rng.pick(&[1, 30, 99, 101, 150, 199, 200, 201, 210, MAX_TERRAIN_SPEED]);
            rules.set_speed(terrain, locomotor, Some(speed));
        }
    }
    rules
}

/// Rules with every surface, modifier and ability. Costs that do not fit are left out.
fn draw_own_rules(rng: &mut SplitMix) -> Rules {
    let surfaces = [Surface::Ground, Surface::Water, Surface::Cliff, Surface::Air, Surface::Rubble];
    let terrain = |rng: &mut SplitMix, number: u32| {
        let factor = Fixed::from_raw(1 + rng.below(4096) as i32);
        let modifier = match rng.below(6) {
            0 => TerrainModifier::Difficult(factor),
            1 => TerrainModifier::Impassable,
            2 => TerrainModifier::Water { swim_cost: factor },
            3 => TerrainModifier::Slope { gradient: Fixed::from_raw(rng.below(1025) as i32) },
            _ => TerrainModifier::Normal,
        };
        TerrainDef::new(format!("t{number}"), rng.pick(&surfaces)).modified(modifier)
    };
    let mut terrains = vec![TerrainDef::new("open", Surface::Ground)];
    terrains.extend((0..1 + rng.below(6)).map(|number| terrain(rng, number)));
    let mut locomotors = vec![LocomotorDef::new("foot", SurfaceMask::GROUND)];
    locomotors.push(LocomotorDef { can_swim: true, ..LocomotorDef::new("swimmer", SurfaceMask::GROUND) });
    locomotors.push(LocomotorDef {
        mobility: Mobility::Climber,
        ..LocomotorDef::new("climber", SurfaceMask::GROUND | SurfaceMask::CLIFF | SurfaceMask::RUBBLE)
    });
    locomotors.push(LocomotorDef {
        crushes: CrushMask(rng.next_u64() as u32),
        movement_modifier: Fixed::from_raw(256 + rng.below(2048) as i32),
        ..LocomotorDef::new("crusher", SurfaceMask::GROUND | SurfaceMask::WATER)
    });
    locomotors.push(LocomotorDef::new("flyer", SurfaceMask::AIR));
    locomotors.truncate(1 + rng.below(5) as usize);
    let normal = rng.pick(&[1, 1, 2, 7, 60]);
    let rules = Rules { normal, terrains, locomotors, costs: Vec::new(), speeds: Vec::new() };
    if rules.validate().is_ok() { rules } else { Rules::standard() }
}

/// Walls of one of several kinds, and patches of other terrains.
fn draw_terrain(rng: &mut SplitMix, size: GridSize, rules: &Rules) -> Vec<TerrainId> {
    let (width, height) = (size.width(), size.height());
    let kinds = rules.terrains.len() as u32;
    let seed = rng.next_u64();
    let wide = width > 8 && height > 8;
    let walls = match rng.below(9) {
        8 if wide => draw_gaps(rng, width, height),
        0 if wide => Grid::maze(seed, width, height),
        1 if wide => Grid::rooms(seed, width, height, 9),
        2 if wide => Grid::caves(seed, width, height),
        3 if wide => Grid::city(seed, width, height),
        4 | 5 => Grid::scatter(seed, width, height, rng.pick(&[20, 100, 250, 500])),
        _ => Grid::filled(width, height, 1),
    };
    let closed = TerrainId(rng.below(kinds) as u8);
    let patches: Vec<u8> = (0..1 + rng.below(4)).map(|_| rng.below(kinds) as u8).collect();
    let ground = match rng.below(3) {
        0 => Grid::patches(seed, width, height, &patches),
        1 => Grid::filled(width, height, patches[0]),
        _ => Grid::filled(width, height, 0),
    };
    let of = |at: (i32, i32)| match walls.get(at) {
        Some(255) => closed,
        _ => TerrainId(ground.get(at).unwrap_or(0).min((kinds - 1) as u8)),
    };
    walls.cells().map(of).collect()
}

/// Walls from edge to edge, each with one or two gaps of one cell: units of different sides meet in them.
fn draw_gaps(rng: &mut SplitMix, width: u32, height: u32) -> Grid {
    let mut walls = Grid::filled(width, height, 1);
    let is_across = rng.chance(500);
    let (length, side) = if is_across { (width, height) } else { (height, width) };
    let (mut from, thick) = (2 + rng.below(6), rng.pick(&[1, 1, 3, 6]));
    while from + thick + 2 < length {
        let first = rng.below(side);
        let gaps = [first, if rng.chance(500) { first } else { rng.below(side) }];
        for along in from..from + thick {
            for across in (0..side).filter(|across| !gaps.contains(across)) {
                let (x, y) = if is_across { (along, across) } else { (across, along) };
                walls.set((x as i32, y as i32), 255);
            }
        }
        from += thick + 3 + rng.below(12);
    }
    walls
}

fn draw_heights(rng: &mut SplitMix, size: GridSize) -> Vec<i16> {
    let slope = match rng.below(10) {
        0 => rng.pick(&[10, 40, 90, 300]),
        1 => return size.rect().cells().map(|_| rng.next_u64() as i16).collect(),
        2 => return size.rect().cells().map(|_| rng.below(60) as i16).collect(),
        _ => return Vec::new(),
    };
    // A hill whose sides have the same slope everywhere.
    let top = cell(rng.below(size.width()) as i32, rng.below(size.height()) as i32);
    let height = |at: CellPos| {
        let away = at.x.abs_diff(top.x).max(at.y.abs_diff(top.y)) as i32;
        (4000 - slope * away).clamp(-9000, 9000) as i16
    };
    size.rect().cells().map(height).collect()
}

/// A footprint that fits a map of this size.
pub(super) fn draw_stamp(rng: &mut SplitMix, rules: &Rules, size: GridSize) -> Stamp {
    let most = rng.pick(&[2, 4, 4, 9, 64]);
    let side = |rng: &mut SplitMix, room: u32| 1 + rng.below(room.min(most));
    let (width, height) = (side(rng, size.width()), side(rng, size.height()));
    let draw_cell = |rng: &mut SplitMix| match rng.below(6) {
        0 => FootCell::Open,
        1 => FootCell::NoStop,
        2 => FootCell::Gate,
        3 => FootCell::Wall(rng.below(32) as u8),
        4 => FootCell::Terrain(TerrainId(rng.below(rules.terrains.len() as u32) as u8)),
        _ => FootCell::Blocked,
    };
    let first = draw_cell(rng);
    let mut stamp = Stamp::filled("stamp", width, height, first);
    if rng.chance(300) {
        stamp.cells.iter_mut().for_each(|cell| *cell = draw_cell(rng));
    }
    if rng.chance(250) { stamp.lasting(1 + rng.below(60)) } else { stamp }
}

/// A cell at which the whole footprint is on the map.
pub(super) fn place_for(rng: &mut SplitMix, stamp: &Stamp, size: GridSize) -> CellPos {
    let at = |rng: &mut SplitMix, room: u32, side: u32| rng.below(room - side + 1) as i32;
    cell(at(rng, size.width(), stamp.width), at(rng, size.height(), stamp.height))
}
