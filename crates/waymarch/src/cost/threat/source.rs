//! Threat sources: what a game marks as dangerous, and how much threat it adds to a cell.

use crate::base::{CellPos, CellRect, HashState, Id, Observer, StateHasher};
use crate::cost::rules::{IMPASSABLE, MAX_CELL_COST};

/// The tag type of [`ThreatId`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ThreatTag {}

/// Names a threat source. The id of a removed source is never used again.
pub type ThreatId = Id<ThreatTag>;

/// At most 2^24 threat sources, so that no sum of them overflows.
pub const MAX_THREAT_SOURCES: usize = 1 << 24;

/// The largest radius of a threat source: 255 cells.
pub const MAX_THREAT_RADIUS: u16 = 255;

/// How threat decreases with distance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Falloff {
    /// Full strength up to the radius.
    Flat,
    /// Decreases linearly, and is still above zero at the radius.
    #[default]
    Linear,
    /// Decreases with the square of the distance, to zero at the radius.
    Quadratic,
}

/// Something dangerous: full strength on its own cell, less with distance, nothing beyond its radius.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ThreatSource {
    /// Its cell.
    pub at: CellPos,
    /// Its radius in cells, 0..=[`MAX_THREAT_RADIUS`].
    pub radius: u16,
    /// What it adds to the cost of its own cell.
    pub strength: u8,
    /// How its strength decreases with distance.
    pub falloff: Falloff,
}

/// World: a threat source and its owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cost) struct OwnedSource {
    pub(in crate::cost) source: ThreatSource,
    /// Whose side is not frightened. `None`: all observers are.
    pub(in crate::cost) owner: Option<Observer>,
}

/// A source without an owner.
impl From<ThreatSource> for OwnedSource {
    fn from(source: ThreatSource) -> Self {
        Self { source, owner: None }
    }
}

impl ThreatSource {
    /// What it adds at `at`, before clamping.
    #[must_use]
    pub fn strength_at(&self, at: CellPos) -> u8 {
        let (dx, dy) = (i64::from(at.x) - i64::from(self.at.x), i64::from(at.y) - i64::from(self.at.y));
        let radius = i64::from(self.radius.min(MAX_THREAT_RADIUS));
        if dx.abs() > radius || dy.abs() > radius {
            return 0;
        }
        let (distance_squared, strength) = (dx * dx + dy * dy, i64::from(self.strength));
        if distance_squared > radius * radius {
            return 0;
        }
        let fading = match self.falloff {
            Falloff::Flat => strength,
            Falloff::Linear => {
                // In 1024ths of a cell. One cell more than the radius keeps the rim above zero.
                let distance = ((distance_squared as u64) << 20).isqrt() as i64;
                strength * (((radius + 1) << 10) - distance) / ((radius + 1) << 10)
            }
            Falloff::Quadratic => {
                let rim = (radius * radius).max(1);
                strength * (rim - distance_squared) / rim
            }
        };
        if distance_squared == 0 { self.strength } else { fading as u8 }
    }

    pub(super) fn rect(&self) -> CellRect {
        let radius = i32::from(self.radius.min(MAX_THREAT_RADIUS));
        CellRect::at(self.at, 1, 1).grow(radius, radius)
    }
}

/// Terrain cost plus threat, at most 254. Impassable stays impassable.
#[inline]
#[must_use]
pub const fn with_threat(cost: u8, threat: u8) -> u8 {
    if cost == IMPASSABLE {
        return IMPASSABLE;
    }
    let sum = cost.saturating_add(threat);
    if sum > MAX_CELL_COST { MAX_CELL_COST } else { sum }
}

impl HashState for ThreatSource {
    fn hash_state(&self, hasher: &mut StateHasher) {
        self.at.hash_state(hasher);
        hasher.write_u16(self.radius);
        hasher.write_u8(self.strength);
        hasher.write_u8(self.falloff as u8);
    }
}
