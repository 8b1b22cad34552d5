//! How fast locomotors are on terrains: apart from what ways over them cost.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::layer::CostLayer;
use super::rules::{Rules, RulesError};
use super::terrain::TerrainId;
use crate::base::{CellPos, Fixed, LocomotorId};

/// The speed on ordinary ground, in per cent of a unit's own.
pub const NORMAL_SPEED: u8 = 100;

/// The most that a terrain lets a unit go, in per cent of its own speed.
pub const MAX_TERRAIN_SPEED: u8 = 250;

/// Derived: the parts of their speed that units have, `[locomotor × terrains + terrain]` in 1024ths; nothing where all are equal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Paces {
    table: Vec<u16>,
    terrains: usize,
}

impl Paces {
    /// Of rules whose terrains and locomotors have been counted.
    ///
    /// # Errors
    /// [`RulesError`] naming the terrain and the locomotor, or the table's shape.
    pub(super) fn compile(rules: &Rules) -> Result<Self, RulesError> {
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

    /// In 1024ths of a unit's speed; all of it for ids that are not of these rules.
    #[inline]
    pub(super) fn of(&self, terrain: TerrainId, locomotor: LocomotorId) -> u16 {
        let at = locomotor.index() * self.terrains + terrain.index();
        if terrain.index() >= self.terrains { 1024 } else { self.table.get(at).copied().unwrap_or(1024) }
    }

    /// Whether all are as fast as they can be everywhere.
    #[inline]
    pub(super) fn is_even(&self) -> bool {
        self.table.is_empty()
    }

    /// All of it.
    pub(super) fn table(&self) -> &[u16] {
        &self.table
    }
}

impl CostLayer {
    /// Which part of its speed a unit has whose middle is over `at`, stamps included: 1 on ordinary ground and off the map. One look
    /// into a table where the rules name no speeds, two or three where they do.
    ///
    /// ```
    /// use waymarch::base::{cell, CellRect, Fixed, GridSize, LocomotorId};
    /// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, TerrainId};
    ///
    /// let mut rules = Rules::spec_000();
    /// let (rough, foot) = (TerrainId(2), LocomotorId(0));
    /// rules.set_speed(rough, foot, Some(50));
    /// let map = Map::flat("field", GridSize::new(8, 8)?, rules).validate()?;
    /// let mut layer = CostLayer::new(&map, CostSettings::default());
    /// layer.set_terrain(CellRect::at(cell(3, 3), 1, 1), rough)?;
    /// assert_eq!([cell(3, 3), cell(4, 3)].map(|at| layer.pace(at, foot)), [Fixed::HALF, Fixed::ONE]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn pace(&self, at: CellPos, locomotor: LocomotorId) -> Fixed {
        let paces = self.ground.rules.paces();
        if paces.is_even() {
            return Fixed::ONE;
        }
        let terrain = self.ground.terrain_at(at);
        terrain.map_or(Fixed::ONE, |terrain| Fixed::from_raw(i32::from(paces.of(terrain, locomotor))))
    }
}

impl Rules {
    /// Says how fast a locomotor is on a terrain, in per cent of its units' speed; `None` is as fast as on ordinary ground.
    pub fn set_speed(&mut self, terrain: TerrainId, locomotor: LocomotorId, speed: Option<u8>) {
        if self.speeds.len() <= terrain.index() {
            self.speeds.resize(terrain.index() + 1, Vec::new());
        }
        let row = &mut self.speeds[terrain.index()];
        if row.len() <= locomotor.index() {
            row.resize(locomotor.index() + 1, None);
        }
        row[locomotor.index()] = speed;
    }
}
