//! Collision layers: which bodies can meet at all.

use core::fmt;

use super::bytes::{ByteReader, ByteWriter, LoadError, Persist};

/// A set of collision layers. Units without a common layer neither avoid nor push nor block each other.
///
/// ```
/// use waymarch::base::CollisionLayers;
/// let hover = CollisionLayers::GROUND | CollisionLayers::WATER;
/// assert!(hover.meets(CollisionLayers::WATER) && !hover.meets(CollisionLayers::AIR));
/// assert_eq!(CollisionLayers::from_bits(0), None, "a body is on one layer at least");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
pub struct CollisionLayers(u8);

impl CollisionLayers {
    /// On land: infantry, vehicles.
    pub const GROUND: Self = Self(1);
    /// On water: ships.
    pub const WATER: Self = Self(1 << 1);
    /// In the air: aircraft.
    pub const AIR: Self = Self(1 << 2);
    /// Under ground or under water: submarines, tunnelling units.
    pub const UNDER: Self = Self(1 << 3);
    /// On no layer: a unit without a body meets no other.
    pub(crate) const NONE: Self = Self(0);
    /// On all four layers.
    pub const ALL: Self = Self(0b1111);

    /// The layers and their names in files, in the order of their bits.
    pub const NAMED: [(&'static str, Self); 4] =
        [("ground", Self::GROUND), ("water", Self::WATER), ("air", Self::AIR), ("under", Self::UNDER)];

    /// The bits: 0 ground, 1 water, 2 air, 3 under.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The layers with these bits; `None` if there is no layer among them, or a bit above 3.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Option<Self> {
        if bits == 0 || bits > Self::ALL.0 { None } else { Some(Self(bits)) }
    }

    /// The layers of both; the `const` form of `|`.
    #[inline]
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether both have a layer in common.
    #[inline]
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl Default for CollisionLayers {
    fn default() -> Self {
        Self::GROUND
    }
}

impl core::ops::BitOr for CollisionLayers {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.with(other)
    }
}

impl TryFrom<u8> for CollisionLayers {
    type Error = &'static str;
    fn try_from(bits: u8) -> Result<Self, Self::Error> {
        Self::from_bits(bits).ok_or("collision layers need at least one of the bits 0 to 3, and no other")
    }
}

impl From<CollisionLayers> for u8 {
    fn from(layers: CollisionLayers) -> Self {
        layers.0
    }
}

impl fmt::Debug for CollisionLayers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::NAMED.iter().filter(|(_, layer)| self.meets(*layer));
        f.debug_set().entries(named.map(|(name, _)| name)).finish()
    }
}

impl Persist for CollisionLayers {
    fn save(&self, writer: &mut ByteWriter) {
        self.0.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Self::try_from(u8::load(reader)?).map_err(|what| reader.error(what))
    }
}
