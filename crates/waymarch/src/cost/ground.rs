//! The ground: terrain, heights and stamps together, and what one cell costs one locomotor.

use alloc::vec::Vec;

use super::map::ELEVATION_UNIT;
use super::rules::{IMPASSABLE, Mobility, TerrainId, ValidRules};
use super::stamps::{CellEffect, StampStore};
use super::step::{DIAGONAL, STRAIGHT};
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
    /// The sides that have had gates of their own, in the order in which a gate first opened to them. Each has cost fields.
    pub(super) sides: Vec<u8>,
    /// For each cell, a bit per locomotor that never enters it; empty if no cell is barred.
    pub(super) bars: Vec<u32>,
}

impl Ground {
    /// The number of locomotors in the rules.
    pub(super) fn locomotors(&self) -> usize {
        self.rules.rules().locomotors.len()
    }

    /// A locomotor of the rules, and the side as which it moves.
    ///
    /// Fields and agents are numbered by side: first the locomotors of the rules, then the same again for each side in [`Ground::sides`].
    #[inline]
    pub(super) fn resolve(&self, locomotor: LocomotorId) -> (LocomotorId, Option<u8>) {
        let count = self.locomotors().max(1);
        if locomotor.index() < count {
            return (locomotor, None);
        }
        let side = self.sides.get(locomotor.index() / count - 1).copied();
        // An unknown number stays unknown.
        if side.is_none() {
            (locomotor, None)
        } else {
            (LocomotorId((locomotor.index() % count) as u8), side)
        }
    }

    /// The visible terrain of a cell: that of the latest stamp, else the map's own. `None` off the map.
    pub(super) fn terrain_at(&self, at: CellPos) -> Option<TerrainId> {
        let own = self.terrain[self.grid.id(at)?.index()];
        Some(self.stamps.effect(at).terrain.map_or(own, |(_, terrain)| terrain))
    }

    /// The slope of a cell: the greatest rise over run to any of its eight neighbours. 0 off the map.
    ///
    /// Because the steepest neighbour counts, no unit ever walks a step that is steeper than allowed.
    pub(super) fn slope(&self, at: CellPos) -> Fixed {
        if self.elevation.is_empty() || !self.grid.contains(at) {
            return Fixed::ZERO;
        }
        let (x, width) = (at.x as usize, self.grid.width() as usize);
        // At the map's edge, the cell itself or the cell beside it stands for a missing neighbour. It adds nothing new.
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
        steepest(straight, diagonal)
    }

    /// [`Ground::slope`] of every cell of row `y`, on a map with heights.
    ///
    /// The greatest rise is the rise to the highest or to the lowest neighbour, so a row is computed many cells at a time.
    pub(super) fn slopes_of_row(&self, y: u32, slopes: &mut [Fixed]) {
        let (width, y) = (self.grid.width() as usize, y as i32);
        slopes[0] = self.slope(CellPos::new(0, y));
        slopes[width - 1] = self.slope(CellPos::new(width as i32 - 1, y));
        if width < 3 {
            return;
        }
        let row = |y: i32, x: usize| {
            let start = y.clamp(0, self.grid.height() as i32 - 1) as usize * width + x;
            &self.elevation[start..start + width - 2]
        };
        let (nw, n, ne) = (row(y - 1, 0), row(y - 1, 1), row(y - 1, 2));
        let (w, here, e) = (row(y, 0), row(y, 1), row(y, 2));
        let (sw, s, se) = (row(y + 1, 0), row(y + 1, 1), row(y + 1, 2));
        let rise = |here: i16, [a, b, c, d]: [i16; 4]| {
            let highest = a.max(b).max(c.max(d)).max(here);
            let lowest = a.min(b).min(c.min(d)).min(here);
            // The heights are at most 65,535 apart, so the difference is right as an unsigned number.
            (highest.wrapping_sub(here) as u16).max(here.wrapping_sub(lowest) as u16)
        };
        for (x, slope) in slopes[1..width - 1].iter_mut().enumerate() {
            let straight = rise(here[x], [n[x], e[x], s[x], w[x]]);
            let diagonal = rise(here[x], [ne[x], se[x], sw[x], nw[x]]);
            *slope = steepest(i32::from(straight), i32::from(diagonal));
        }
    }

    /// How a locomotor copes with slopes. A locomotor with the surface air ignores slopes.
    pub(super) fn mobility(&self, locomotor: LocomotorId) -> Mobility {
        match self.rules.locomotor_def(self.resolve(locomotor).0) {
            Some(def) if !def.surfaces.is_airborne() => def.mobility,
            _ => Mobility::Flying,
        }
    }

    /// What a cell on the map costs a unit of one cell, given the cell's slope and the effect of its stamps.
    pub(super) fn cost_under(
        &self,
        at: CellPos,
        locomotor: LocomotorId,
        slope: Fixed,
        effect: CellEffect,
    ) -> u8 {
        let Some(id) = self.grid.id(at) else { return IMPASSABLE };
        let (locomotor, side) = self.resolve(locomotor);
        let Some(def) = self.rules.locomotor_def(locomotor) else { return IMPASSABLE };
        if self.bars.get(id.index()).is_some_and(|bars| bars >> locomotor.0 & 1 != 0) {
            return IMPASSABLE;
        }
        let terrain = effect.terrain.map_or(self.terrain[id.index()], |(_, terrain)| terrain);
        let cost = self.rules.cost(terrain, locomotor);
        if def.surfaces.is_airborne() {
            return cost;
        }
        let locked = effect.open_to.is_some_and(|sides| !side.is_some_and(|side| sides.contains(side)));
        if locked || effect.blocked || effect.walls & !def.crushes.0 != 0 {
            return IMPASSABLE;
        }
        ValidRules::on_slope(cost, slope, def.mobility)
    }

    /// Whether units may pass `at` but not stop on it.
    pub(super) fn no_stop(&self, at: CellPos) -> bool {
        self.stamps.effect(at).no_stop
    }
}

/// The steeper of two rises, one to a straight and one to a diagonal neighbour, each over its run.
#[inline]
fn steepest(straight: i32, diagonal: i32) -> Fixed {
    let scale = 1024 / i32::from(ELEVATION_UNIT);
    let diagonal = diagonal * scale * STRAIGHT as i32 / DIAGONAL as i32;
    Fixed::from_raw((straight * scale).max(diagonal))
}

impl HashState for Ground {
    fn hash_state(&self, hasher: &mut StateHasher) {
        hasher.write_u32(self.grid.width());
        hasher.write_u32(self.grid.height());
        self.rules.hash_state(hasher);
        // Many bytes at a time: games hash the state every tick.
        let mut bytes = [0; 2048];
        for part in self.terrain.chunks(bytes.len()) {
            bytes.iter_mut().zip(part).for_each(|(byte, terrain)| *byte = terrain.0);
            hasher.write_raw(&bytes[..part.len()]);
        }
        hasher.write_u64(self.elevation.len() as u64);
        for part in self.elevation.chunks(bytes.len() / 2) {
            for (pair, height) in bytes.chunks_exact_mut(2).zip(part) {
                pair.copy_from_slice(&height.to_le_bytes());
            }
            hasher.write_raw(&bytes[..2 * part.len()]);
        }
        self.stamps.hash_state(hasher);
        // Maps without gates for sides keep the hash that they had before these existed.
        if !self.sides.is_empty() {
            hasher.write_raw(&self.sides);
        }
        // A map without bars hashes as it did before there were any.
        for bars in &self.bars {
            hasher.write_u32(*bars);
        }
    }
}
