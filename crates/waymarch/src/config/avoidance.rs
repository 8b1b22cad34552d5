//! Which settings of local avoidance each model uses. Others are refused unless they are at their defaults.

use alloc::string::ToString;

use super::{AvoidanceModel, Config, ConfigError};

/// The value of a setting, as a number that differs where the setting does.
type Value = fn(&Config) -> i64;

impl AvoidanceModel {
    /// Whether the model uses the setting with this key. `true` for every setting that does not belong to local avoidance.
    ///
    /// ```
    /// use waymarch::config::AvoidanceModel;
    /// assert!(AvoidanceModel::OrcaLite.uses("comfort_margin"));
    /// assert!(!AvoidanceModel::Orca.uses("comfort_margin"));
    /// ```
    #[must_use]
    pub fn uses(self, key: &str) -> bool {
        match key {
            "avoidance_strength" | "comfort_margin" | "commitment_ticks" => self == Self::OrcaLite,
            "avoidance_horizon" => matches!(self, Self::OrcaLite | Self::VoSampling),
            "avoidance_neighbours" | "push_mechanics" => self != Self::None,
            _ => true,
        }
    }

    /// What an error says about a setting that the model does not use.
    const fn unused(self) -> &'static str {
        match self {
            Self::OrcaLite => "left at its default: `avoidance_model: orca-lite` does not use it",
            Self::Orca => "left at its default: `avoidance_model: orca` does not use it",
            Self::SimpleBoids => "left at its default: `avoidance_model: simple-boids` does not use it",
            Self::VoSampling => "left at its default: `avoidance_model: vo-sampling` does not use it",
            Self::None => "left at its default: `avoidance_model: none` does not use it",
        }
    }
}

impl Config {
    /// Refuses settings of local avoidance that the model does not use and that are not at their defaults.
    pub(super) fn check_avoidance(&self) -> Result<(), ConfigError> {
        let (usual, scaled) = (Self::default(), Self::at(self.ticks_per_second));
        let values: [(&'static str, Value); 6] = [
            ("avoidance_neighbours", |config| config.avoidance_neighbours.into()),
            ("avoidance_horizon", |config| config.avoidance_horizon.into()),
            ("avoidance_strength", |config| config.avoidance_strength.raw().into()),
            ("comfort_margin", |config| config.comfort_margin.raw().into()),
            ("commitment_ticks", |config| config.commitment_ticks.into()),
            ("push_mechanics", |config| config.push_mechanics as i64),
        ];
        for (key, value) in values {
            let own = value(self);
            let is_usual = own == value(&usual) || own == value(&scaled);
            if !is_usual && !self.avoidance_model.uses(key) {
                let value = match key {
                    "push_mechanics" => self.push_mechanics.name().to_string(),
                    _ => own.to_string(),
                };
                return Err(ConfigError { key, value, expected: self.avoidance_model.unused() });
            }
        }
        Ok(())
    }

    /// Sets the settings of local avoidance that the model does not use to their defaults. For data from before version 11, in which any value was legal.
    pub(super) fn forget_unused_avoidance(&mut self) {
        let (usual, model) = (Self::default(), self.avoidance_model);
        macro_rules! forget {
            ($($key:ident),*) => {$(if !model.uses(stringify!($key)) { self.$key = usual.$key; })*};
        }
        forget!(
            avoidance_neighbours,
            avoidance_horizon,
            avoidance_strength,
            comfort_margin,
            commitment_ticks,
            push_mechanics
        );
    }
}
