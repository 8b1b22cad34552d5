//! The map itself: terrain, heights and what stands on them, and what one cell costs one locomotor.

use alloc::vec::Vec;

use super::locomotor::{LocomotorDef, Mobility};
use super::map::ELEVATION_UNIT;
use super::rules::{IMPASSABLE, ValidRules};
use super::stamps::{CellEffect, StampStore};
use super::step::{DIAGONAL, STRAIGHT};
use super::terrain::TerrainId;
use crate::base::{CellPos, Fixed, GridSize, HashState, LocomotorId, StateHasher};

/// World: terrain, heights, stamps and rules.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub(super) grid: GridSize,
    pub(super) rules: ValidRules,
    pub(super) terrain: Vec<TerrainId>,
    /// Empty for a flat map.
    pub(super) elevation: Vec<i16>,
    pub(super) stamps: StampStore,
}

impl Ground {
    /// The terrain that shows at a cell on the map: the latest stamp's, else the map's own.
    pub(super) fn terrain_at(&self, at: CellPos) -> Option<TerrainId> {
        let own = self.terrain[self.grid.id(at)?.index()];
        Some(self.stamps.effect(at).terrain.map_or(own, |(_, terrain)| terrain))
    }

    /// The steepest way out of a cell on the map: the greatest rise over run to any of the eight neighbours (spec 004's slope
    /// is per step; taking the steepest per cell means that no step steeper than allowed is ever walked).
    pub(super) fn slope(&self, at: CellPos) -> Fixed {
        if self.elevation.is_empty() || !self.grid.contains(at) {
            return Fixed::ZERO;
        }
        let (x, width) = (at.x as usize, self.grid.width() as usize);
        // At the edge a neighbour beyond it is the cell beside: it adds nothing that is not counted already.
        let (west, east) = (x.saturating_sub(1), (x + 1).min(width - 1));
        let row = |y: i32| {
            let start = y.clamp(0, self.grid.height() as i32 - 1) as usize * width;
            &self.elevation[start..start + width]
        };
        let (above, level, below) = (row(at.y - 1), row(at.y), row(at.y + 1));
        let rise = |there: i16| (i32::from(there) - i32::from(level[x])).abs();
        let straight = rise(above[x]).max(rise(below[x])).max(rise(level[west])).max(rise(level[east]));
        let north = rise(above[west]).max(rise(above[east]));
        let diagonal = north.max(rise(below[west])).max(rise(below[east]));
        let scale = 1024 / i32::from(ELEVATION_UNIT);
        let diagonal = diagonal * scale * STRAIGHT as i32 / DIAGONAL as i32;
        Fixed::from_raw((straight * scale).max(diagonal))
    }

    /// What a cell on the map costs a unit of one cell, given its slope.
    pub(super) fn cost(&self, at: CellPos, locomotor: LocomotorId, slope: Fixed) -> u8 {
        self.cost_under(at, locomotor, slope, self.stamps.effect(at))
    }

    /// What it costs when what stands on it does `effect`.
    pub(super) fn cost_under(
        &self,
        at: CellPos,
        locomotor: LocomotorId,
        slope: Fixed,
        effect: CellEffect,
    ) -> u8 {
        let Some(id) = self.grid.id(at) else { return IMPASSABLE };
        let Some(def) = self.rules.locomotor_def(locomotor) else { return IMPASSABLE };
        let terrain = effect.terrain.map_or(self.terrain[id.index()], |(_, terrain)| terrain);
        let cost = self.rules.cost(terrain, locomotor);
        if def.surfaces.is_airborne() {
            return cost;
        }
        if effect.blocked || effect.walls & !def.crushes.0 != 0 {
            return IMPASSABLE;
        }
        on_slope(cost, slope, def)
    }

    /// Whether `at` is a cell that may be passed but not stopped on.
    pub(super) fn no_stop(&self, at: CellPos) -> bool {
        self.stamps.effect(at).no_stop
    }
}

/// A cost on a slope, for a locomotor that stays on the ground.
pub(super) fn on_slope(cost: u8, slope: Fixed, def: &LocomotorDef) -> u8 {
    let mobility = if def.surfaces.is_airborne() { Mobility::Flying } else { def.mobility };
    ValidRules::on_slope(cost, slope, mobility)
}

impl HashState for Ground {
    fn hash_state(&self, hasher: &mut StateHasher) {
        hasher.write_u32(self.grid.width());
        hasher.write_u32(self.grid.height());
        self.rules.hash_state(hasher);
        for terrain in &self.terrain {
            hasher.write_u8(terrain.0);
        }
        hasher.write_u64(self.elevation.len() as u64);
        for height in &self.elevation {
            hasher.write_i16(*height);
        }
        self.stamps.hash_state(hasher);
    }
}
