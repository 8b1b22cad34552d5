//! How fast locomotors are on terrains. Speeds are separate from costs.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::definition::{Rules, RulesError};
use super::terrain::TerrainId;
use crate::base::LocomotorId;

/// The speed on ordinary ground: 100 per cent of a unit's own speed.
pub const NORMAL_SPEED: u8 = 100;

/// The greatest speed on a terrain: 250 per cent of a unit's own speed.
pub const MAX_TERRAIN_SPEED: u8 = 250;

/// Derived: speeds in 1024ths of a unit's own speed, `[locomotor × terrains + terrain]`. Empty if all are normal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::cost) struct TerrainSpeeds {
    table: Vec<u16>,
    terrains: usize,
}

impl TerrainSpeeds {
    /// Compiles the speed table. The numbers of terrains and locomotors must have been checked before.
    ///
    /// # Errors
    /// [`RulesError`] naming the terrain and the locomotor, or the table's shape.
    pub(in crate::cost) fn compile(rules: &Rules) -> Result<Self, RulesError> {
        let (terrains, locomotors) = (rules.terrains.len(), rules.locomotors.len());
        let table = "the table of speeds";
        if rules.speeds.len() > terrains {
            let (what, count) = ("rows", rules.speeds.len());
            return Err(RulesError::TableShape { table, what, count, max: terrains });
        }
        for (row, terrain) in rules.speeds.iter().zip(&rules.terrains) {
            if row.len() > locomotors {
                let (what, count) = ("entries in a row", row.len());
                return Err(RulesError::TableShape { table, what, count, max: locomotors });
            }
            for (speed, locomotor) in row.iter().zip(&rules.locomotors) {
                if let Some(speed) = speed.filter(|speed| !(1..=MAX_TERRAIN_SPEED).contains(speed)) {
                    let what = format!("the speed of '{}' on '{}'", locomotor.name, terrain.name);
                    let expected = "1..=250 per cent";
                    return Err(RulesError::OutOfRange { what, value: speed.to_string(), expected });
                }
            }
        }
        let speed = |locomotor: usize, terrain: usize| {
            let said = rules.speeds.get(terrain).and_then(|row| row.get(locomotor).copied().flatten());
            said.unwrap_or(NORMAL_SPEED)
        };
        let all = || (0..locomotors).flat_map(|at| (0..terrains).map(move |terrain| speed(at, terrain)));
        if all().all(|speed| speed == NORMAL_SPEED) {
            return Ok(Self::default());
        }
        let table = all().map(|speed| ((u32::from(speed) * 1024 + 50) / 100) as u16).collect();
        Ok(Self { table, terrains })
    }

    /// The speed in 1024ths of a unit's own speed; 1024 for ids that the rules do not have.
    #[inline]
    pub(in crate::cost) fn of(&self, terrain: TerrainId, locomotor: LocomotorId) -> u16 {
        let at = locomotor.index() * self.terrains + terrain.index();
        if terrain.index() >= self.terrains { 1024 } else { self.table.get(at).copied().unwrap_or(1024) }
    }

    /// Whether all locomotors have their normal speed everywhere.
    #[inline]
    pub(in crate::cost) fn is_even(&self) -> bool {
        self.table.is_empty()
    }

    /// The whole table.
    pub(in crate::cost) fn table(&self) -> &[u16] {
        &self.table
    }
}
