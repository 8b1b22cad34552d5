//! Terrain, heights and stamps of a whole map made into the fields of all locomotors.

use alloc::vec;
use alloc::vec::Vec;

use super::field::CostField;
use super::field_rows::FieldRows;
use super::ground::Ground;
use super::layer::{CostSettings, LocomotorFields};
use super::locomotor::Mobility;
use super::rules::{SLOPE_BANDS, ValidRules, slope_band};
use super::terrain::TerrainId;
use crate::base::{BitLines, CellRect, Fixed, LocomotorId, SizeClass};

/// All fields of all locomotors. Costs a few instructions per cell and field, and no memory beside what it makes.
pub(super) fn compile(ground: &Ground, settings: &CostSettings) -> Vec<LocomotorFields> {
    let mut singles = compile_ground(ground);
    put_stamps(ground, &mut singles);
    let all_sizes = |single: CostField| {
        let mut sizes = Vec::with_capacity(settings.sizes.len());
        let bigger = settings.sizes.iter().skip(1).map(|&size| CostField::covering(&single, size));
        sizes.extend(bigger);
        sizes.insert(0, single);
        LocomotorFields { sizes }
    };
    singles.into_iter().map(all_sizes).collect()
}

/// What decides one locomotor's cost of a cell without stamps.
struct Compiler {
    mobility: Mobility,
    /// By slope band and terrain; flyers and climbers use the first band only.
    table: Vec<u8>,
    rows: FieldRows,
}

impl Compiler {
    fn new(ground: &Ground, locomotor: LocomotorId) -> Self {
        let flat = |terrain: usize| ground.rules.cost(TerrainId(terrain as u8), locomotor);
        let mobility = ground.mobility(locomotor);
        let mut table = vec![0; SLOPE_BANDS.len() * 256];
        for (band, steepest) in SLOPE_BANDS.into_iter().enumerate() {
            for terrain in 0..256 {
                table[band << 8 | terrain] = match mobility {
                    Mobility::Terrestrial => ValidRules::on_slope(flat(terrain), steepest, mobility),
                    Mobility::Climber | Mobility::Flying => flat(terrain),
                };
            }
        }
        Self { mobility, table, rows: FieldRows::new(ground.grid, SizeClass::ONE) }
    }
}

/// Terrain and slope for units of one cell, before stamps: by locomotor.
fn compile_ground(ground: &Ground) -> Vec<CostField> {
    let width = ground.grid.width() as usize;
    let locomotors = ground.rules.rules().locomotors.len() as u8;
    let mut all: Vec<Compiler> = (0..locomotors).map(|id| Compiler::new(ground, LocomotorId(id))).collect();
    let mut slopes = vec![Fixed::ZERO; width];
    let (mut on_bands, mut row) = (vec![0_u16; width], vec![0_u8; width]);
    for y in 0..ground.grid.height() {
        let start = y as usize * width;
        let terrain = &ground.terrain[start..start + width];
        if !ground.elevation.is_empty() {
            ground.slopes_of_row(y, &mut slopes);
        }
        for ((place, terrain), &slope) in on_bands.iter_mut().zip(terrain).zip(&slopes) {
            *place = (slope_band(slope) as u16) << 8 | u16::from(terrain.0);
        }
        for Compiler { mobility, table, rows } in &mut all {
            match mobility {
                Mobility::Terrestrial => {
                    let costs = on_bands.iter().map(|&place| table[usize::from(place)]);
                    row.iter_mut().zip(costs).for_each(|(cost, found)| *cost = found);
                }
                Mobility::Flying => {
                    let costs = terrain.iter().map(|terrain| table[terrain.index()]);
                    row.iter_mut().zip(costs).for_each(|(cost, found)| *cost = found);
                }
                Mobility::Climber => {
                    for ((cost, terrain), &slope) in row.iter_mut().zip(terrain).zip(&slopes) {
                        *cost = ValidRules::on_slope(table[terrain.index()], slope, Mobility::Climber);
                    }
                }
            }
            rows.push(&row);
        }
    }
    all.into_iter().map(|compiler| compiler.rows.finish()).collect()
}

/// Works out the cells under stamps, each once.
fn put_stamps(ground: &Ground, singles: &mut [CostField]) {
    let mut seen = BitLines::new(ground.grid.height(), ground.grid.width());
    for (_, standing, stamp) in ground.stamps.iter() {
        for at in CellRect::at(standing.at, stamp.width, stamp.height).cells() {
            if seen.get(at.y as u32, at.x) {
                continue;
            }
            seen.set(at.y as u32, at.x as u32, true);
            let (slope, effect) = (ground.slope(at), ground.stamps.effect(at));
            for (id, single) in singles.iter_mut().enumerate() {
                single.set(at, ground.cost_under(at, LocomotorId(id as u8), slope, effect));
            }
        }
    }
}
