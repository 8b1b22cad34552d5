//! Building the cost fields of all locomotors from the ground of a whole map.

use alloc::vec;
use alloc::vec::Vec;

use super::by_size::LocomotorFields;
use super::field::CostField;
use super::rows::FieldRows;
use crate::base::{BitLines, CellRect, Fixed, LocomotorId, SizeClass};
use crate::cost::ground::Ground;
use crate::cost::rules::{
    IMPASSABLE, MAX_LOCOMOTORS, Mobility, SLOPE_BANDS, TerrainId, ValidRules, slope_band,
};
use crate::cost::stamps::GateState;

/// Builds all fields of all locomotors. Costs a few instructions per cell and field, and no memory besides the fields.
pub(in crate::cost) fn compile(ground: &Ground, sizes_in_use: &[SizeClass]) -> Vec<LocomotorFields> {
    let mut singles = compile_ground(ground);
    put_stamps(ground, &mut singles);
    put_bars(ground, &mut singles);
    let all_sizes = |single: CostField| {
        let mut sizes = Vec::with_capacity(sizes_in_use.len());
        let bigger = sizes_in_use.iter().skip(1).map(|&size| CostField::covering(&single, size));
        sizes.extend(bigger);
        sizes.insert(0, single);
        LocomotorFields { sizes }
    };
    singles.into_iter().map(all_sizes).collect()
}

/// Adds the fields of the side with this number to the fields of the locomotors without a side and of the sides before it. Costs a copy of the fields.
pub(in crate::cost) fn add_side(ground: &Ground, number: usize, fields: &mut Vec<LocomotorFields>) {
    let count = ground.locomotors();
    let mut changed = vec![CellRect::default(); count];
    let mut of_side: Vec<LocomotorFields> = fields.iter().take(count).cloned().collect();
    for (_, standing, stamp) in ground.stamps.iter() {
        if !matches!(standing.gate, GateState::OpenTo(_)) {
            continue;
        }
        for at in CellRect::at(standing.at, stamp.width, stamp.height).cells() {
            let (slope, effect) = (ground.slope(at), ground.stamps.effect(at));
            for (locomotor, (fields, changed)) in of_side.iter_mut().zip(&mut changed).enumerate() {
                let id = LocomotorId(((number + 1) * count + locomotor) as u8);
                let cost = ground.cost_under(at, id, slope, effect);
                if fields.sizes.first_mut().is_some_and(|single| single.set(at, cost)) {
                    *changed = changed.union(CellRect::at(at, 1, 1));
                }
            }
        }
    }
    for (fields, changed) in of_side.iter_mut().zip(changed) {
        fields.follow_changed(changed, |_| {});
    }
    fields.extend(of_side);
}

/// The data that decide what a cell without stamps costs one locomotor.
struct Compiler {
    mobility: Mobility,
    /// Costs by slope band and terrain. Flyers and climbers use the first band only.
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

/// The fields for units of one cell, by locomotor, from terrain and slopes. Stamps are not included yet.
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

/// Recomputes each cell under a stamp once.
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

/// Closes each barred cell to the locomotors that it bars.
fn put_bars(ground: &Ground, singles: &mut [CostField]) {
    for (at, &bars) in ground.grid.rect().cells().zip(&ground.bars) {
        for (id, single) in singles.iter_mut().enumerate().filter(|(id, _)| bars >> id & 1 != 0) {
            debug_assert!(id < MAX_LOCOMOTORS);
            single.set(at, IMPASSABLE);
        }
    }
}
