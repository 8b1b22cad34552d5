//! Surfaces: what kind of ground a terrain is, and which kinds a locomotor can use.

use core::fmt;
use core::ops::BitOr;

/// What kind of ground a terrain is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Surface {
    /// Land.
    #[default]
    Ground,
    /// Water.
    Water,
    /// Cliff faces, for climbers.
    Cliff,
    /// Nothing but air, such as a chasm; for flyers.
    Air,
    /// Ruins and debris, for rubble walkers.
    Rubble,
}

impl Surface {
    /// All 5 surfaces, in bit order.
    pub const ALL: [Self; 5] = [Self::Ground, Self::Water, Self::Cliff, Self::Air, Self::Rubble];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ground => "ground",
            Self::Water => "water",
            Self::Cliff => "cliff",
            Self::Air => "air",
            Self::Rubble => "rubble",
        }
    }
}

/// A set of surfaces, one bit each (bit 0 ground, 1 water, 2 cliff, 3 air, 4 rubble).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SurfaceMask(u8);

impl SurfaceMask {
    /// No surface.
    pub const NONE: Self = Self(0);
    /// Land only.
    pub const GROUND: Self = Self(1);
    /// Water only.
    pub const WATER: Self = Self(1 << 1);
    /// Cliffs only.
    pub const CLIFF: Self = Self(1 << 2);
    /// Air. A locomotor with this bit flies: stamps and slopes never block it.
    pub const AIR: Self = Self(1 << 3);
    /// Rubble only.
    pub const RUBBLE: Self = Self(1 << 4);

    /// The bits.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The union of both sets; the `const` form of `|`.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether `surface` is in the set.
    #[must_use]
    pub const fn contains(self, surface: Surface) -> bool {
        self.0 & (1 << surface as u8) != 0
    }

    /// Whether a locomotor with these surfaces flies.
    #[must_use]
    pub const fn is_airborne(self) -> bool {
        self.contains(Surface::Air)
    }

    /// Its surfaces in bit order.
    pub fn iter(self) -> impl Iterator<Item = Surface> {
        Surface::ALL.into_iter().filter(move |surface| self.contains(*surface))
    }
}

impl From<Surface> for SurfaceMask {
    fn from(surface: Surface) -> Self {
        Self(1 << surface as u8)
    }
}

impl FromIterator<Surface> for SurfaceMask {
    fn from_iter<I: IntoIterator<Item = Surface>>(iter: I) -> Self {
        iter.into_iter().fold(Self::NONE, |mask, surface| mask | surface.into())
    }
}

impl BitOr for SurfaceMask {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.with(other)
    }
}

impl fmt::Debug for SurfaceMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
