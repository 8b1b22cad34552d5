//! The agent of a search: a locomotor and a size.

use core::fmt;

/// The largest size class of a unit: a square of 16×16 cells.
pub const MAX_SIZE_CLASS: u8 = 16;

/// A locomotor, as an index into the rules' list of locomotors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocomotorId(pub u8);

impl LocomotorId {
    /// The index for slices.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The side of the square of cells that a unit needs, 1..=[`MAX_SIZE_CLASS`].
///
/// A unit of side `s` at cell `c` covers the columns `c.x - (s-1)/2 ..= c.x + s/2`, and the rows likewise. Odd sizes are
/// centred on their cell. Even sizes reach one cell further east and south.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SizeClass(u8);

impl SizeClass {
    /// One cell.
    pub const ONE: Self = Self(1);
    /// Two by two cells.
    pub const TWO: Self = Self(2);
    /// Three by three cells.
    pub const THREE: Self = Self(3);

    /// A side of `side` cells; `None` outside 1..=[`MAX_SIZE_CLASS`].
    #[inline]
    #[must_use]
    pub const fn new(side: u8) -> Option<Self> {
        if side >= 1 && side <= MAX_SIZE_CLASS { Some(Self(side)) } else { None }
    }

    /// The side in cells.
    #[inline]
    #[must_use]
    pub const fn side(self) -> u8 {
        self.0
    }

    /// How many cells the unit reaches north and west of its cell.
    #[inline]
    #[must_use]
    pub const fn reach_north_west(self) -> i32 {
        (self.0 as i32 - 1) / 2
    }

    /// How many cells the unit reaches south and east of its cell.
    #[inline]
    #[must_use]
    pub const fn reach_south_east(self) -> i32 {
        self.0 as i32 / 2
    }
}

impl Default for SizeClass {
    fn default() -> Self {
        Self::ONE
    }
}

impl fmt::Display for SizeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}×{0}", self.0)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for SizeClass {
    fn deserialize<D: serde::Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        let side = u8::deserialize(de)?;
        Self::new(side).ok_or_else(|| serde::de::Error::custom("a size class must be 1..=16"))
    }
}

/// A locomotor and a size. Together they decide which cells are open and what they cost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Agent {
    /// How the unit moves, for example on foot or on wheels.
    pub locomotor: LocomotorId,
    /// The size of the unit.
    pub size: SizeClass,
}

impl From<LocomotorId> for Agent {
    fn from(locomotor: LocomotorId) -> Self {
        Self { locomotor, size: SizeClass::ONE }
    }
}

/// Whether a query pays for threat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Threat {
    /// Cells cost what their terrain costs.
    #[default]
    Ignore,
    /// Threat is added to the cost of each cell.
    Heed,
}
