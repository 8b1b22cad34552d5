//! Terrain × locomotor → cost: the table, and its compilation to whole numbers.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::locomotor::{LocomotorDef, MAX_LOCOMOTORS, Mobility};
use super::speeds::Paces;
use super::surface::{Surface, SurfaceMask};
use super::terrain::{TerrainDef, TerrainId, TerrainModifier};
use crate::base::{Fixed, HashState, LocomotorId, StateHasher};

/// The cost of a cell nobody can enter.
pub const IMPASSABLE: u8 = 255;

/// The dearest cost of a cell that can be entered.
pub const MAX_CELL_COST: u8 = 254;

/// The terrains and locomotors of a game, and what each costs each: plain data, checked by [`Rules::validate`].
///
/// A cost is 1..=254, 255 meaning impassable; `normal` is the value that means "ordinary ground" (ERRATA 25), so
/// that a road can be cheaper than normal and rough ground 13 % dearer. Pairs the table leaves out are derived
/// from the terrain's surface and modifier and the locomotor's abilities.
///
/// ```
/// use waymarch::cost::Rules;
/// let rules = Rules::spec_000().validate()?;
/// let (river, foot) = (rules.terrain("River").unwrap(), rules.locomotor("foot").unwrap());
/// assert_eq!(rules.cost(river, foot), 6);
/// # Ok::<(), waymarch::cost::RulesError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rules {
    /// The value that means ordinary ground, 1..=254.
    pub normal: u8,
    /// The terrain types; at most 256.
    pub terrains: Vec<TerrainDef>,
    /// The locomotors; at most 32.
    pub locomotors: Vec<LocomotorDef>,
    /// Explicit costs, `[terrain][locomotor]`; `None` is derived. Rows and entries left out at the end count as `None`.
    pub costs: Vec<Vec<Option<u8>>>,
    /// How fast locomotors are, `[terrain][locomotor]`, in per cent of their units' speed, 1..=250; `None` and what is left out at the end
    /// count as 100. Ways are not chosen by it: what they cost is in `costs` alone.
    #[cfg_attr(feature = "serde", serde(default))]
    pub speeds: Vec<Vec<Option<u8>>>,
}

/// What is wrong with a set of rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RulesError {
    /// No terrain or no locomotor.
    #[error("the rules name no {0}")]
    Empty(&'static str),
    /// Too many of something.
    #[error("{count} {what} are too many: at most {max}")]
    TooMany {
        /// Terrains or locomotors.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        max: usize,
    },
    /// The same name twice.
    #[error("the {what} '{name}' is named twice")]
    Duplicate {
        /// Terrain or locomotor.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A cost of 0, or `normal` outside 1..=254.
    #[error("{what} is {value}: it must be {expected}")]
    OutOfRange {
        /// What the number is.
        what: String,
        /// The number as given.
        value: String,
        /// The legal range.
        expected: &'static str,
    },
    /// A row or entry of costs or speeds for a terrain or locomotor that does not exist.
    #[error("{table} has {count} {what} but the rules name {max}")]
    TableShape {
        /// Which table.
        table: &'static str,
        /// Rows or entries.
        what: &'static str,
        /// How many the table has.
        count: usize,
        /// How many it may have.
        max: usize,
    },
    /// A modifier-derived cost above 254.
    #[error(
        "'{terrain}' would cost '{locomotor}' {cost}, more than 254: choose a smaller `normal` or factor"
    )]
    TooDear {
        /// The terrain.
        terrain: String,
        /// The locomotor.
        locomotor: String,
        /// The cost that does not fit.
        cost: i64,
    },
}

impl Rules {
    /// Spec 000's `terrain_costs` table: seven terrains; foot, wheel, track and float; 1 is normal.
    #[must_use]
    pub fn spec_000() -> Self {
        use Surface::{Ground, Water};
        let land = SurfaceMask::GROUND;
        let x = IMPASSABLE;
        let table: [(&str, Surface, [u8; 4]); 7] = [
            ("Clear", Ground, [1, 1, 1, x]),
            ("Road", Ground, [1, 1, 1, x]),
            ("Rough", Ground, [2, 3, 2, x]),
            ("River", Water, [6, x, x, 1]),
            ("Water", Water, [x, x, x, 1]),
            ("Bridge", Ground, [1, 1, 1, 1]),
            ("Wall", Ground, [x, x, x, x]),
        ];
        Self {
            normal: 1,
            terrains: table.iter().map(|(name, surface, _)| TerrainDef::new(*name, *surface)).collect(),
            locomotors: vec![
                LocomotorDef::new("foot", land),
                LocomotorDef::new("wheel", land),
                LocomotorDef::new("track", land),
                LocomotorDef::new("float", SurfaceMask::WATER),
            ],
            costs: table.iter().map(|(_, _, row)| row.iter().map(|&cost| Some(cost)).collect()).collect(),
            speeds: Vec::new(),
        }
    }

    /// Checks the rules and compiles them to whole numbers.
    ///
    /// # Errors
    /// [`RulesError`] naming the culprit.
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
        Ok(ValidRules { rules: self.clone(), table, paces: Paces::compile(self)? })
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

/// Spec 004's movement cost, in whole numbers: nearest, at least 1.
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

/// `value × factor`, to the nearest whole number (ties up).
fn scaled(value: i64, factor: Fixed) -> i64 {
    (value * i64::from(factor.raw()) + i64::from(Fixed::HALF.raw())) >> Fixed::BITS
}

/// Rules that passed [`Rules::validate`], with the compiled cost table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValidRules {
    rules: Rules,
    /// `[terrain × locomotors + locomotor]`.
    table: Vec<u8>,
    paces: Paces,
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

    /// Its definition; `None` for an id that is not of these rules.
    #[must_use]
    pub fn locomotor_def(&self, locomotor: LocomotorId) -> Option<&LocomotorDef> {
        self.rules.locomotors.get(locomotor.index())
    }

    /// What a flat cell of `terrain` costs `locomotor`; impassable for ids that are not of these rules.
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

    /// Which part of their speed units of `locomotor` have on `terrain`; all of it for ids that are not of these rules.
    #[must_use]
    pub fn pace(&self, terrain: TerrainId, locomotor: LocomotorId) -> Fixed {
        Fixed::from_raw(i32::from(self.paces.of(terrain, locomotor)))
    }

    /// Whether they name speeds: whether some locomotor is faster on one terrain than on another.
    #[inline]
    #[must_use]
    pub fn has_speeds(&self) -> bool {
        !self.paces.is_even()
    }

    #[inline]
    pub(super) fn paces(&self) -> &Paces {
        &self.paces
    }

    /// `cost` on a slope of `slope` (rise over run) for `mobility`: spec 004's penalty, to the nearest whole number,
    /// at most 254 unless the slope is closed.
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

/// The steepest slopes of the bands of [`Mobility::Terrestrial`]: 0.2, 0.4, 0.6 in 1024ths, rounded down, and anything steeper.
pub(super) const SLOPE_BANDS: [Fixed; 4] =
    [Fixed::from_raw(204), Fixed::from_raw(409), Fixed::from_raw(614), Fixed::MAX];

/// Which band a slope is in; each bound belongs to the gentler one.
#[inline]
pub(super) fn slope_band(slope: Fixed) -> usize {
    SLOPE_BANDS[..3].iter().map(|&bound| usize::from(slope > bound)).sum()
}

impl HashState for ValidRules {
    /// Everything that decides costs and speeds; names and colours do not.
    fn hash_state(&self, hasher: &mut StateHasher) {
        hasher.write_len(self.rules.terrains.len());
        for def in &self.rules.locomotors {
            hasher.write_u8(def.surfaces.bits());
            hasher.write_u8(def.mobility as u8);
            hasher.write_u32(def.crushes.0);
        }
        hasher.write_bytes(&self.table);
        // Rules without speeds have the hash that they had before there were any.
        for &pace in self.paces.table() {
            hasher.write_u32(u32::from(pace));
        }
    }
}
