//! The rules as a game writes them: terrains, locomotors, costs and speeds.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::locomotor::LocomotorDef;
use super::surface::{Surface, SurfaceMask};
use super::terrain::{TerrainDef, TerrainId};
use crate::base::LocomotorId;

/// The cost 255 marks a cell that units cannot enter.
pub const IMPASSABLE: u8 = 255;

/// The highest cost of an open cell: 254.
pub const MAX_CELL_COST: u8 = 254;

/// The terrains and locomotors of a game, and what each terrain costs each locomotor. Plain data, checked by [`Rules::validate`].
///
/// A cost is 1..=254; 255 is impassable. `normal` is the cost of ordinary ground. With a `normal` of 8, for
/// example, a road can cost 4 and rough ground 9, only 12.5 % more. The cost of a pair that the table leaves out is derived from
/// the terrain's surface and modifier and the locomotor's abilities.
///
/// ```
/// use waymarch::cost::Rules;
/// let rules = Rules::standard().validate()?;
/// let (river, foot) = (rules.terrain("River").unwrap(), rules.locomotor("foot").unwrap());
/// assert_eq!(rules.cost(river, foot), 6);
/// # Ok::<(), waymarch::cost::RulesError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rules {
    /// The cost of ordinary ground, 1..=254.
    pub normal: u8,
    /// The terrain types; at most 256.
    pub terrains: Vec<TerrainDef>,
    /// The locomotors; at most 32.
    pub locomotors: Vec<LocomotorDef>,
    /// Explicit costs, `[terrain][locomotor]`. A cost that is `None` or missing is derived.
    pub costs: Vec<Vec<Option<u8>>>,
    /// Speeds, `[terrain][locomotor]`, in per cent of a unit's own speed, 1..=250. A speed that is `None` or missing is 100.
    ///
    /// Speeds do not affect the choice of routes; only `costs` do.
    #[cfg_attr(feature = "serde", serde(default))]
    pub speeds: Vec<Vec<Option<u8>>>,
}

/// What is wrong with a set of rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RulesError {
    /// There is no terrain, or no locomotor.
    #[error("the rules have no {0}: they need at least one")]
    Empty(&'static str),
    /// There are too many terrains or locomotors.
    #[error("{count} {what} are too many: at most {max}")]
    TooMany {
        /// Terrains or locomotors.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        max: usize,
    },
    /// Two terrains or two locomotors have the same name.
    #[error("the {what} '{name}' is named twice")]
    Duplicate {
        /// Terrain or locomotor.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A number is out of range.
    #[error("{what} is {value}: it must be {expected}")]
    OutOfRange {
        /// What the number is.
        what: String,
        /// The number as given.
        value: String,
        /// The legal range.
        expected: &'static str,
    },
    /// The table of costs or speeds has a row or an entry for a terrain or locomotor that does not exist.
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
    /// A derived cost is above 254.
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
    /// Rules to start with: seven terrains, the locomotors foot, wheel, track and float, and a normal cost of 1.
    #[must_use]
    pub fn standard() -> Self {
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

    /// See [`Rules::standard`].
    #[deprecated(since = "0.2.0", note = "renamed to `standard`")]
    #[must_use]
    pub fn spec_000() -> Self {
        Self::standard()
    }

    /// Sets how fast a locomotor is on a terrain, in per cent of a unit's own speed. `None` means 100.
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
