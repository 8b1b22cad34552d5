//! The settings of lazy fields.

use crate::base::{HashState, StateHasher};
use crate::cost::{CornerRule, StepRule};

/// Which steps units take, and what they cost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum LazySteps {
    /// North, east, south and west. Every open cell costs the same.
    #[default]
    FourUniform,
    /// All eight neighbours without cutting corners. A step costs 1024 or 1448 times the cost of the cell that it enters.
    EightWeighted,
}

impl LazySteps {
    /// The step rule of these steps.
    #[must_use]
    pub const fn rule(self) -> StepRule {
        match self {
            Self::FourUniform => StepRule::FOUR,
            Self::EightWeighted => StepRule::eight(CornerRule::Forbid),
        }
    }
}

/// How lazy fields work. Each setting names its range.
///
/// `steps`, `explore_limit` and `pocket_limit` decide answers. The other two only decide what queries cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct LazySettings {
    /// The steps that units take.
    pub steps: LazySteps,
    /// How many cells of the cheapest ground a field grows beyond the start of a query, so that the next queries find an answer: 10..=100.
    pub expansion_buffer: u32,
    /// A field that has explored this many cells starts no new level, 1..=2^30. It may exceed the limit by one level.
    ///
    /// It limits what one query can cost. On open ground a field of `n` cells reaches about √(n/2) cells far in four directions, √(n/3) in eight.
    pub explore_limit: u32,
    /// How many cells around a start are flooded to prove that it is walled in: 0 (never) ..=65536.
    ///
    /// Without it, a query from a walled-in start explores the goal's field to its limit and gets `Unknown`.
    pub pocket_limit: u32,
    /// How many fields are kept, 1..=65536. The field that was used longest ago is dropped first.
    pub max_fields: u32,
}

impl Default for LazySettings {
    fn default() -> Self {
        Self {
            steps: LazySteps::FourUniform,
            expansion_buffer: 20,
            explore_limit: 1 << 20,
            pocket_limit: 256,
            max_fields: 64,
        }
    }
}

/// A setting is out of range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{key}` is {value}: it must be {low}..={high}")]
pub struct LazySettingsError {
    /// The setting.
    pub key: &'static str,
    /// Its value as given.
    pub value: u32,
    /// The least legal value.
    pub low: u32,
    /// The greatest legal value.
    pub high: u32,
}

impl LazySettings {
    /// Checks all ranges.
    ///
    /// # Errors
    /// [`LazySettingsError`] naming the first setting that is out of range.
    pub fn validate(self) -> Result<ValidLazySettings, LazySettingsError> {
        let ranges = [
            ("expansion_buffer", self.expansion_buffer, 10, 100),
            ("explore_limit", self.explore_limit, 1, 1 << 30),
            ("pocket_limit", self.pocket_limit, 0, 1 << 16),
            ("max_fields", self.max_fields, 1, 1 << 16),
        ];
        for (key, value, low, high) in ranges {
            if value < low || value > high {
                return Err(LazySettingsError { key, value, low, high });
            }
        }
        Ok(ValidLazySettings(self))
    }
}

/// Settings that passed [`LazySettings::validate`]. The default settings are valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ValidLazySettings(LazySettings);

impl ValidLazySettings {
    /// The settings.
    #[inline]
    #[must_use]
    pub const fn get(&self) -> &LazySettings {
        &self.0
    }
}

impl HashState for ValidLazySettings {
    /// Hashes the settings that decide answers.
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_u8(self.0.steps as u8);
        h.write_u32(self.0.explore_limit);
        h.write_u32(self.0.pocket_limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_valid_and_an_error_names_the_setting() {
        assert_eq!(LazySettings::default().validate(), Ok(ValidLazySettings::default()));
        let wrong = LazySettings { expansion_buffer: 9, ..LazySettings::default() };
        let error = wrong.validate().unwrap_err();
        assert_eq!(error.to_string(), "`expansion_buffer` is 9: it must be 10..=100");
    }
}
