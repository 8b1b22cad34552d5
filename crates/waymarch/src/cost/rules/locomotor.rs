//! Locomotors: how units of a game move.

use alloc::string::String;

use super::surface::{Surface, SurfaceMask};
use crate::base::{CollisionLayers, Fixed};

/// The rules have at most 32 locomotors, so that a set of them fits in one `u32`.
pub const MAX_LOCOMOTORS: usize = 32;

/// How a locomotor copes with slopes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Mobility {
    /// Factor 1 up to a slope of 0.2, 1.5 up to 0.4, 3 up to 0.6; steeper slopes are closed.
    #[default]
    Terrestrial,
    /// Factor `1 + slope/2`; no slope is closed.
    Climber,
    /// Slopes do not matter.
    Flying,
}

/// A set of crush classes (0..=31), one bit each: which walls a locomotor drives over, or which class a wall has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CrushMask(pub u32);

impl CrushMask {
    /// Crushes nothing.
    pub const NONE: Self = Self(0);

    /// Whether class `class` is in the set. Only classes 0..=31 can be.
    #[inline]
    #[must_use]
    pub const fn contains(self, class: u8) -> bool {
        class < 32 && self.0 & (1 << class) != 0
    }
}

/// How a kind of unit moves.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocomotorDef {
    /// Its name, unique in the rules.
    pub name: String,
    /// The surfaces it can use. A locomotor whose surfaces include air flies: stamps and slopes never block it, and terrain blocks it only
    /// if the cost table says 255.
    pub surfaces: SurfaceMask,
    /// How it copes with slopes.
    pub mobility: Mobility,
    /// Whether it swims: it may cross [`TerrainModifier::Water`](super::TerrainModifier::Water) at the swim cost.
    pub can_swim: bool,
    /// The classes of walls that do not block it.
    pub crushes: CrushMask,
    /// A factor on every derived cost. Costs in the table are taken as they are.
    pub movement_modifier: Fixed,
}

impl LocomotorDef {
    /// A terrestrial locomotor for the given surfaces that neither swims nor crushes. With air among the surfaces it flies.
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

    /// The collision layers of units with this locomotor, unless their type names others: air if it flies, water if it can use no surface but water,
    /// ground and water if it can use water among others, else ground.
    #[must_use]
    pub fn collision_layers(&self) -> CollisionLayers {
        if self.surfaces.is_airborne() {
            CollisionLayers::AIR
        } else if self.surfaces == SurfaceMask::WATER {
            CollisionLayers::WATER
        } else if self.surfaces.contains(Surface::Water) {
            CollisionLayers::GROUND | CollisionLayers::WATER
        } else {
            CollisionLayers::GROUND
        }
    }

    /// Five common locomotors: ground, amphibious, cliff climber, rubble walker, crusher (crushes class 0).
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
