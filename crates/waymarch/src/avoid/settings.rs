//! The settings of layer 4.

use crate::base::{Fixed, HashState, StateHasher};
use crate::config::{AvoidanceModel, PushMechanics, ValidConfig};

/// The largest number of neighbours that a unit avoids: 12.
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
    /// The avoidance model.
    pub model: AvoidanceModel,
    /// How hard units push each other.
    pub push: PushMechanics,
    /// How many of the nearest neighbours a unit avoids, 1..=12.
    pub neighbours: u8,
    /// How far a unit looks for neighbours, in cells, 1..=64.
    pub range: Fixed,
    /// Passes per tick that separate overlapping units, 0..=16.
    pub contact_passes: u8,
    /// Time horizon in ticks, 1..=1000: models `orca-lite` and `vo-sampling`. The model `orca` has time horizons of its own for each
    /// situation.
    pub horizon: u32,
    /// Strength of the sidestep, 0..=64: model `orca-lite`.
    pub strength: Fixed,
    /// The gap that units keep between them, in cells, 0..=64: model `orca-lite`.
    pub margin: Fixed,
    /// Ticks for which a unit keeps its passing side, 0..=255: model `orca-lite`.
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
    /// The legal range.
    pub expected: &'static str,
}

impl AvoidSettings {
    /// The settings that a configuration names; the others have their defaults. The tick rate belongs to the
    /// [`Crowd`](super::Crowd).
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

    /// Checks the range of every setting.
    ///
    /// # Errors
    /// [`AvoidSettingsError`] with the first setting that is out of range.
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

/// Settings that passed [`AvoidSettings::validate`]. The default settings are valid.
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
    /// The settings that a configuration names. They are valid, because the ranges of the configuration are no wider.
    fn from(config: &ValidConfig) -> Self {
        Self(AvoidSettings::of_config(config))
    }
}

impl HashState for ValidAvoidSettings {
    /// Hashes all settings, because each of them changes results.
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
