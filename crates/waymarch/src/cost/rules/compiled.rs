//! Rules checked and compiled: whole costs for each terrain and locomotor.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::definition::{IMPASSABLE, MAX_CELL_COST, Rules, RulesError};
use super::locomotor::{LocomotorDef, MAX_LOCOMOTORS, Mobility};
use super::speeds::TerrainSpeeds;
use super::surface::Surface;
use super::terrain::{TerrainDef, TerrainId, TerrainModifier};
use crate::base::{Fixed, HashState, LocomotorId, StateHasher};

impl Rules {
    /// Checks the rules and compiles them to whole numbers.
    ///
    /// # Errors
    /// [`RulesError`] naming the first fault.
    pub fn validate(&self) -> Result<ValidRules, RulesError> {
        let (terrains, locomotors) = (self.terrains.len(), self.locomotors.len());
        check_count("terrains", terrains, 256)?;
        check_count("locomotors", locomotors, MAX_LOCOMOTORS)?;
        check_names("terrain", self.terrains.iter().map(|def| def.name.as_str()))?;
        check_names("locomotor", self.locomotors.iter().map(|def| def.name.as_str()))?;
        if self.normal == 0 || self.normal == IMPASSABLE {
            return Err(out_of_range("`normal`", &self.normal, "1..=254"));
        }
        if self.costs.len() > terrains {
            let (table, what) = ("the cost table", "rows");
            return Err(RulesError::TableShape { table, what, count: self.costs.len(), max: terrains });
        }
        for def in &self.locomotors {
            if def.movement_modifier <= Fixed::ZERO {
                let what = alloc::format!("the movement modifier of '{}'", def.name);
                return Err(out_of_range(&what, &def.movement_modifier, "above 0"));
            }
        }
        let mut table = Vec::with_capacity(terrains * locomotors);
        for (row, terrain) in self.terrains.iter().enumerate() {
            check_modifier(terrain)?;
            let explicit = self.costs.get(row).map_or(&[][..], Vec::as_slice);
            if explicit.len() > locomotors {
                let (table, what, count) = ("the cost table", "entries in a row", explicit.len());
                return Err(RulesError::TableShape { table, what, count, max: locomotors });
            }
            for (column, locomotor) in self.locomotors.iter().enumerate() {
                table.push(match explicit.get(column).copied().flatten() {
                    Some(0) => {
                        let what = alloc::format!("the cost of '{}' for '{}'", terrain.name, locomotor.name);
                        return Err(out_of_range(&what, &0, "1..=254, or 255 for impassable"));
                    }
                    Some(cost) => cost,
                    None => derived_cost(self.normal, terrain, locomotor)?,
                });
            }
        }
        Ok(ValidRules { rules: self.clone(), table, speeds: TerrainSpeeds::compile(self)? })
    }
}

fn check_count(what: &'static str, count: usize, max: usize) -> Result<(), RulesError> {
    match count {
        0 => Err(RulesError::Empty(what)),
        _ if count > max => Err(RulesError::TooMany { what, count, max }),
        _ => Ok(()),
    }
}

fn check_names<'a>(what: &'static str, names: impl Iterator<Item = &'a str>) -> Result<(), RulesError> {
    let mut sorted: Vec<&str> = names.collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(RulesError::Duplicate { what, name: pair[0].to_string() }),
        None => Ok(()),
    }
}

fn out_of_range(what: &str, value: &dyn ToString, expected: &'static str) -> RulesError {
    RulesError::OutOfRange { what: what.to_string(), value: value.to_string(), expected }
}

fn check_modifier(terrain: &TerrainDef) -> Result<(), RulesError> {
    let what = |part: &str| alloc::format!("the {part} of '{}'", terrain.name);
    match terrain.modifier {
        TerrainModifier::Difficult(factor) if factor <= Fixed::ZERO => {
            Err(out_of_range(&what("factor"), &factor, "above 0"))
        }
        TerrainModifier::Water { swim_cost } if swim_cost <= Fixed::ZERO => {
            Err(out_of_range(&what("swim cost"), &swim_cost, "above 0"))
        }
        TerrainModifier::Slope { gradient } if gradient < Fixed::ZERO || gradient > Fixed::ONE => {
            Err(out_of_range(&what("gradient"), &gradient, "0..=1"))
        }
        _ => Ok(()),
    }
}

/// The cost of a pair that the cost table leaves out, rounded to the nearest whole number, at least 1.
fn derived_cost(normal: u8, terrain: &TerrainDef, locomotor: &LocomotorDef) -> Result<u8, RulesError> {
    let factor = if locomotor.surfaces.is_airborne() {
        Fixed::ONE
    } else {
        let on_surface = locomotor.surfaces.contains(terrain.surface);
        match terrain.modifier {
            TerrainModifier::Impassable => return Ok(IMPASSABLE),
            TerrainModifier::Water { .. } if locomotor.surfaces.contains(Surface::Water) => Fixed::ONE,
            TerrainModifier::Water { swim_cost } if locomotor.can_swim => swim_cost,
            TerrainModifier::Water { .. } => return Ok(IMPASSABLE),
            _ if !on_surface => return Ok(IMPASSABLE),
            TerrainModifier::Normal => Fixed::ONE,
            TerrainModifier::Difficult(factor) => factor,
            TerrainModifier::Slope { .. } if locomotor.mobility == Mobility::Flying => Fixed::ONE,
            TerrainModifier::Slope { gradient } => Fixed::ONE + gradient + gradient,
        }
    };
    let cost = scaled(i64::from(normal), factor.saturating_mul(locomotor.movement_modifier)).max(1);
    u8::try_from(cost).ok().filter(|&cost| cost <= MAX_CELL_COST).ok_or_else(|| RulesError::TooDear {
        terrain: terrain.name.clone(),
        locomotor: locomotor.name.clone(),
        cost,
    })
}

/// `value × factor`, to the nearest whole number; halves are rounded up.
fn scaled(value: i64, factor: Fixed) -> i64 {
    (value * i64::from(factor.raw()) + i64::from(Fixed::HALF.raw())) >> Fixed::BITS
}

/// Rules that passed [`Rules::validate`], with the compiled cost table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValidRules {
    rules: Rules,
    /// `[terrain × locomotors + locomotor]`.
    table: Vec<u8>,
    speeds: TerrainSpeeds,
}

impl ValidRules {
    /// The rules as written.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The terrain called `name`.
    #[must_use]
    pub fn terrain(&self, name: &str) -> Option<TerrainId> {
        let at = self.rules.terrains.iter().position(|def| def.name == name)?;
        u8::try_from(at).ok().map(TerrainId)
    }

    /// The locomotor called `name`.
    #[must_use]
    pub fn locomotor(&self, name: &str) -> Option<LocomotorId> {
        let at = self.rules.locomotors.iter().position(|def| def.name == name)?;
        u8::try_from(at).ok().map(LocomotorId)
    }

    /// The definition of a locomotor; `None` if the rules do not have it.
    #[must_use]
    pub fn locomotor_def(&self, locomotor: LocomotorId) -> Option<&LocomotorDef> {
        self.rules.locomotors.get(locomotor.index())
    }

    /// What a flat cell of `terrain` costs `locomotor`; impassable for ids that the rules do not have.
    #[inline]
    #[must_use]
    pub fn cost(&self, terrain: TerrainId, locomotor: LocomotorId) -> u8 {
        let locomotors = self.rules.locomotors.len();
        if locomotor.index() >= locomotors {
            return IMPASSABLE;
        }
        let at = terrain.index() * locomotors + locomotor.index();
        self.table.get(at).copied().unwrap_or(IMPASSABLE)
    }

    /// The fraction of its own speed that a unit of `locomotor` has on `terrain`; 1 for ids that the rules do not have.
    #[must_use]
    pub fn pace(&self, terrain: TerrainId, locomotor: LocomotorId) -> Fixed {
        Fixed::from_raw(i32::from(self.speeds.of(terrain, locomotor)))
    }

    /// Whether the rules name speeds: whether some locomotor is faster on one terrain than on another.
    #[inline]
    #[must_use]
    pub fn has_speeds(&self) -> bool {
        !self.speeds.is_even()
    }

    #[inline]
    pub(in crate::cost) fn speeds(&self) -> &TerrainSpeeds {
        &self.speeds
    }

    /// `cost` on a slope (rise over run) for `mobility`, rounded to the nearest whole number. At most 254, unless the slope is closed.
    ///
    /// [`Mobility`] lists the factors.
    #[inline]
    #[must_use]
    pub fn on_slope(cost: u8, slope: Fixed, mobility: Mobility) -> u8 {
        if cost == IMPASSABLE {
            return IMPASSABLE;
        }
        let factor = match mobility {
            Mobility::Flying => Fixed::ONE,
            Mobility::Climber => Fixed::ONE + Fixed::from_raw(slope.raw() / 2),
            Mobility::Terrestrial => match slope_band(slope) {
                0 => Fixed::ONE,
                1 => Fixed::from_raw(1536),
                2 => Fixed::from_raw(3072),
                _ => return IMPASSABLE,
            },
        };
        scaled(i64::from(cost), factor).clamp(1, i64::from(MAX_CELL_COST)) as u8
    }
}

/// The upper bounds of the slope bands of [`Mobility::Terrestrial`]: 0.2, 0.4 and 0.6, in 1024ths rounded down, and no bound.
pub(in crate::cost) const SLOPE_BANDS: [Fixed; 4] =
    [Fixed::from_raw(204), Fixed::from_raw(409), Fixed::from_raw(614), Fixed::MAX];

/// The band of a slope. Each bound belongs to the gentler band.
#[inline]
pub(in crate::cost) fn slope_band(slope: Fixed) -> usize {
    SLOPE_BANDS[..3].iter().map(|&bound| usize::from(slope > bound)).sum()
}

impl HashState for ValidRules {
    /// Hashes everything that decides costs and speeds. Names and colours are not hashed.
    fn hash_state(&self, hasher: &mut StateHasher) {
        hasher.write_len(self.rules.terrains.len());
        for def in &self.rules.locomotors {
            hasher.write_u8(def.surfaces.bits());
            hasher.write_u8(def.mobility as u8);
            hasher.write_u32(def.crushes.0);
        }
        hasher.write_bytes(&self.table);
        // Rules without speeds keep the hash that they had before speeds existed.
        for &speed in self.speeds.table() {
            hasher.write_u32(u32::from(speed));
        }
    }
}
