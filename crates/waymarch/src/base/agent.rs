//! The agent of a search: a locomotor and a size.

use core::fmt;

use super::bytes::{ByteReader, ByteWriter, LoadError, Persist};
use super::hash::{HashState, StateHasher};

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

/// A player as queries see it: the player that looks at the map.
///
/// It decides which threat sources count: those of its own side do not. It is the number of a [`PlayerId`](crate::world::PlayerId). Later it
/// can also select what the player knows of the map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Observer(pub u8);

impl Observer {
    /// The index for arrays of [`OBSERVERS`] entries.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of observers: 256, one for each number of a player.
pub const OBSERVERS: usize = 256;

/// Whether a query pays for threat, and for which sources.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Threat {
    /// Cells cost what their terrain costs.
    #[default]
    Ignore,
    /// The threat of all sources is added to the cost of each cell.
    Heed,
    /// As [`Threat::Heed`], but the sources of the observer and its allies do not count.
    HeedAs(Observer),
}

impl Threat {
    /// The same choice as this observer makes it: [`Threat::Heed`] becomes [`Threat::HeedAs`].
    #[must_use]
    pub const fn seen_by(self, observer: Observer) -> Self {
        match self {
            Self::Ignore => Self::Ignore,
            Self::Heed | Self::HeedAs(_) => Self::HeedAs(observer),
        }
    }

    /// Whether threat counts.
    #[inline]
    #[must_use]
    pub const fn is_heeded(self) -> bool {
        !matches!(self, Self::Ignore)
    }
}

impl HashState for Observer {
    fn hash_state(&self, hasher: &mut StateHasher) {
        hasher.write_u8(self.0);
    }
}

impl HashState for Threat {
    fn hash_state(&self, hasher: &mut StateHasher) {
        match *self {
            Self::Ignore => hasher.write_u8(0),
            Self::Heed => hasher.write_u8(1),
            Self::HeedAs(observer) => {
                hasher.write_u8(2);
                observer.hash_state(hasher);
            }
        }
    }
}

impl Persist for Observer {
    fn save(&self, writer: &mut ByteWriter) {
        self.0.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        u8::load(reader).map(Self)
    }
}

impl Persist for Threat {
    fn save(&self, writer: &mut ByteWriter) {
        match *self {
            Self::Ignore => 0_u8.save(writer),
            Self::Heed => 1_u8.save(writer),
            Self::HeedAs(observer) => {
                2_u8.save(writer);
                observer.save(writer);
            }
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Ignore,
            1 => Self::Heed,
            2 => Self::HeedAs(Observer::load(reader)?),
            _ => return Err(reader.error("an unknown choice of threat")),
        })
    }
}
