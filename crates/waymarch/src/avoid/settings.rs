//! The settings of layer 4.

use crate::base::{Fixed, HashState, StateHasher};
use crate::config::{AvoidanceModel, PushMechanics, ValidConfig};

/// Neighbours looked at, at most.
pub const MAX_NEIGHBOURS: usize = 12;

/// How units avoid each other: plain data, checked by [`AvoidSettings::validate`].
///
/// ```
/// use waymarch::avoid::AvoidSettings;
/// let settings = AvoidSettings { contact_passes: 3, ..AvoidSettings::default() }.validate()?;
/// assert_eq!(settings.get().neighbours, 8);
/// assert!(AvoidSettings { neighbours: 0, ..AvoidSettings::default() }.validate().is_err());
/// # Ok::<(), waymarch::avoid::AvoidSettingsError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AvoidSettings {
    /// Which model.
    pub model: AvoidanceModel,
    /// How hard units shove.
    pub push: PushMechanics,
    /// The nearest so many others are looked at, 1..=12.
    pub neighbours: u8,
    /// How far units look, in cells, 1..=64.
    pub range: Fixed,
    /// How often overlaps are worked on each tick, 0..=16.
    pub contact_passes: u8,
    /// Ticks ahead to look for collisions, 1..=1000: `orca-lite` and `vo-sampling`. Full `orca` looks ahead by context.
    pub horizon: u32,
    /// Strength of avoidance, 0..=64: `orca-lite`.
    pub strength: Fixed,
    /// Clearance that units would like beyond their radii, in cells, 0..=64: `orca-lite` and `vo-sampling`.
    pub margin: Fixed,
    /// Ticks to stay with a side, 0..=255: `orca-lite`.
    pub commitment: u32,
}

impl Default for AvoidSettings {
    fn default() -> Self {
        Self {
            model: AvoidanceModel::Orca,
            push: PushMechanics::Gentle,
            neighbours: 8,
            range: Fixed::from_raw(4813),
            contact_passes: 6,
            horizon: 24,
            strength: Fixed::HALF,
            margin: Fixed::from_raw(128),
            commitment: 8,
        }
    }
}

/// A setting outside its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{key}` must be {expected}")]
pub struct AvoidSettingsError {
    /// The setting.
    pub key: &'static str,
    /// What is legal.
    pub expected: &'static str,
}

impl AvoidSettings {
    /// What a configuration says. How long a tick is, is the [`Crowd`](super::Crowd)'s to know.
    #[must_use]
    pub fn of_config(config: &ValidConfig) -> Self {
        let config = config.get();
        Self {
            model: config.avoidance_model,
            push: config.push_mechanics,
            neighbours: config.avoidance_neighbours.min(MAX_NEIGHBOURS as u32) as u8,
            horizon: config.avoidance_horizon,
            strength: config.avoidance_strength,
            margin: config.comfort_margin,
            commitment: config.commitment_ticks.min(255),
            ..Self::default()
        }
    }

    /// Checks every range.
    ///
    /// # Errors
    /// [`AvoidSettingsError`] naming the first that is out of range.
    pub fn validate(self) -> Result<ValidAvoidSettings, AvoidSettingsError> {
        let cells = |number: Fixed, least: Fixed| number >= least && number <= Fixed::from_cells(64);
        let checks = [
            ("neighbours", "1..=12", (1..=MAX_NEIGHBOURS).contains(&usize::from(self.neighbours))),
            ("range", "1..=64 cells", cells(self.range, Fixed::ONE)),
            ("contact_passes", "0..=16", self.contact_passes <= 16),
            ("horizon", "1..=1000 ticks", (1..=1000).contains(&self.horizon)),
            ("strength", "0..=64", cells(self.strength, Fixed::ZERO)),
            ("margin", "0..=64 cells", cells(self.margin, Fixed::ZERO)),
            ("commitment", "0..=255 ticks", self.commitment <= 255),
        ];
        match checks.into_iter().find(|(_, _, good)| !good) {
            Some((key, expected, _)) => Err(AvoidSettingsError { key, expected }),
            None => Ok(ValidAvoidSettings(self)),
        }
    }
}

/// Settings that passed [`AvoidSettings::validate`]; the defaults do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ValidAvoidSettings(AvoidSettings);

impl ValidAvoidSettings {
    /// The settings.
    #[must_use]
    pub fn get(&self) -> &AvoidSettings {
        &self.0
    }
}

impl From<&ValidConfig> for ValidAvoidSettings {
    /// What a configuration says: its ranges are no wider than these.
    fn from(config: &ValidConfig) -> Self {
        Self(AvoidSettings::of_config(config))
    }
}

impl HashState for ValidAvoidSettings {
    /// All of them: each changes results.
    fn hash_state(&self, h: &mut StateHasher) {
        let AvoidSettings {
            model,
            push,
            neighbours,
            range,
            contact_passes,
            horizon,
            strength,
            margin,
            commitment,
        } = &self.0;
        h.write_bytes(&[*model as u8, *push as u8, *neighbours, *contact_passes]);
        h.write_u32(*horizon);
        h.write_u32(*commitment);
        for number in [range, strength, margin] {
            number.hash_state(h);
        }
    }
}

/// Derived: spans of time in ticks, turns per tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tempo {
    /// How far ahead units look that meet in the open.
    pub(super) long: i64,
    /// How far ahead at least, near the goal; and idle units among each other.
    pub(super) short: i64,
    /// Within one stream, behind a leader.
    pub(super) stream: i64,
    /// The same before a gate: with less, those who wait jostle.
    pub(super) gate: i64,
    /// Idle units, towards those that pass.
    pub(super) idle: i64,
    /// A gap to a wall is closed in no less.
    pub(super) wall: i64,
    /// Units that overlap part within so long.
    pub(super) touch: i64,
    /// The last stretch takes about so long.
    pub(super) arrive: i64,
    /// How long an idle unit is left alone before it walks back.
    pub(super) calm: u8,
    /// Who has not got on for so long in a narrow place is jammed; what is remembered at most.
    pub(super) jam: u8,
    pub(super) longest_jam: u8,
    /// Who has not got on for so long before those at its goal stops there.
    pub(super) patience: u8,
    /// Turning aside when blocked, and back, per tick.
    pub(super) turn_up: u16,
    pub(super) turn_down: u16,
    /// A push aims at so much more than touching, in 65,536ths of a cell.
    pub(super) spare: i64,
    /// A wish that is outside a half-plane by no more than this, per tick, needs nobody to make way.
    pub(super) level_band: i64,
}

impl Tempo {
    pub(super) fn new(ticks_per_second: u16) -> Self {
        let hz = i64::from(ticks_per_second);
        Self {
            long: (3 * hz / 2).max(1),
            short: (3 * hz / 10).max(1),
            stream: (hz / 2).max(1),
            gate: (17 * hz / 20).max(1),
            idle: (3 * hz / 4).max(1),
            wall: (hz / 4).max(1),
            touch: (hz / 20).max(1),
            arrive: (hz / 5).max(1),
            calm: (hz / 2).clamp(1, 250) as u8,
            jam: (hz / 2).clamp(1, 120) as u8,
            longest_jam: (2 * hz).clamp(1, 240) as u8,
            patience: (3 * hz / 2).clamp(1, 200) as u8,
            turn_up: (6500 / hz) as u16,
            turn_down: (3250 / hz) as u16,
            spare: (160 / hz).max(1),
            level_band: 1280 / hz,
        }
    }
}
