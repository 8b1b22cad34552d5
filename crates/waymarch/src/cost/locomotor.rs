//! Locomotors: the ways of moving about that a game has.

use alloc::string::String;

use super::surface::SurfaceMask;
use crate::base::Fixed;

/// At most this many locomotors, so that a set of them is one `u32`.
pub const MAX_LOCOMOTORS: usize = 32;

/// How a locomotor copes with slopes (spec 004).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Mobility {
    /// Flat up to a slope of 0.2; ×1.5 up to 0.4; ×3 up to 0.6; closed beyond.
    #[default]
    Terrestrial,
    /// Factor `1 + slope/2`, never closed.
    Climber,
    /// Slopes do not matter.
    Flying,
}

/// A set of crush classes (0..=31), one bit each: which walls a locomotor drives over, or which class a wall is of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CrushMask(pub u32);

impl CrushMask {
    /// Crushes nothing.
    pub const NONE: Self = Self(0);

    /// Whether class `class` (0..=31) is in the set; greater numbers never are.
    #[inline]
    #[must_use]
    pub const fn contains(self, class: u8) -> bool {
        class < 32 && self.0 & (1 << class) != 0
    }
}

/// A way of moving about.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocomotorDef {
    /// Its name, unique in the rules.
    pub name: String,
    /// The surfaces it can use. One that includes air flies: stamps and slopes never block it, nor terrain
    /// unless the cost table says so in so many words.
    pub surfaces: SurfaceMask,
    /// How it copes with slopes.
    pub mobility: Mobility,
    /// Whether it swims: may cross [`TerrainModifier::Water`](super::TerrainModifier::Water) at the swim cost.
    pub can_swim: bool,
    /// The classes of walls it drives over as if they were not there.
    pub crushes: CrushMask,
    /// Factor on every modifier-derived cost (spec 004's `movement_modifier`); table costs are taken as they are.
    pub movement_modifier: Fixed,
}

impl LocomotorDef {
    /// A terrestrial locomotor on the given surfaces that neither swims nor crushes.
    #[must_use]
    pub fn new(name: impl Into<String>, surfaces: SurfaceMask) -> Self {
        Self {
            name: name.into(),
            surfaces,
            mobility: if surfaces.is_airborne() { Mobility::Flying } else { Mobility::Terrestrial },
            can_swim: false,
            crushes: CrushMask::NONE,
            movement_modifier: Fixed::ONE,
        }
    }

    /// Spec 001's five classes, ready made: ground, amphibious, cliff climber, rubble walker, crusher (crushes class 0).
    #[must_use]
    pub fn five_classes() -> [Self; 5] {
        let ground = SurfaceMask::GROUND;
        [
            Self::new("ground", ground),
            Self::new("amphibious", ground | SurfaceMask::WATER),
            Self { mobility: Mobility::Climber, ..Self::new("cliff-climber", ground | SurfaceMask::CLIFF) },
            Self::new("rubble-walker", ground | SurfaceMask::RUBBLE),
            Self { crushes: CrushMask(1), ..Self::new("crusher", ground) },
        ]
    }
}
