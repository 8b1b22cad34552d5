//! A navigator continues with other settings.

use crate::base::{ByteReader, ByteWriter};
use crate::config::{Config, ConfigError, ValidConfig};
use crate::cost::{CostLayer, CostState};
use crate::nav::Navigator;
use crate::search::JumpStore;

/// Whether the layers built with the old settings are valid for the new ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Built {
    /// The layers stay valid.
    Valid,
    /// The layers must be rebuilt, because settings of steps, sizes, sectors, threat or jump tables have changed. Routes found with the old layers
    /// may be illegal.
    Outdated,
}

impl Built {
    /// Whether layers built with the settings `old` are valid for the settings `new`.
    pub(crate) fn with(old: &ValidConfig, new: &ValidConfig) -> Self {
        let serves = old.step_rule() == new.step_rule()
            && old.cost_settings() == new.cost_settings()
            && old.get().jps_precomputed == new.get().jps_precomputed;
        if serves { Self::Valid } else { Self::Outdated }
    }
}

impl Navigator {
    /// Continues with other settings. Map, stamps, threat and clock stay.
    ///
    /// *Cost:* very small, unless steps, sizes, sectors, threat limits or jump tables change. Then it costs as much as [`Navigator::new`].
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Neighbours, Rules};
    /// use waymarch::world::Navigator;
    ///
    /// let mut nav = Navigator::new(Map::flat("field", GridSize::new(64, 64)?, Rules::standard()), Config::default())?;
    /// let foot = nav.locomotor("foot").unwrap();
    /// assert_eq!(nav.path(cell(3, 3), cell(9, 9), foot)?.cells().count(), 7);
    /// nav.configure(Config { neighbours: Neighbours::Four, ..Config::default() })?;
    /// assert_eq!(nav.path(cell(3, 3), cell(9, 9), foot)?.cells().count(), 13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ConfigError`] names the setting that is wrong. Nothing has changed then.
    pub fn configure(&mut self, config: Config) -> Result<(), ConfigError> {
        let config = config.validate()?;
        self.check_memory_for(&config)?;
        if Built::with(&self.config, &config) == Built::Valid {
            self.keep_answers(&config);
            self.config = config;
            return Ok(());
        }
        // Saves the cost layer and loads it with the new settings.
        let mut writer = ByteWriter::new();
        self.layer.save(&mut writer);
        let cost = CostState::load(&mut ByteReader::new(writer.bytes()));
        let cost = cost.expect("a layer that was written a moment ago");
        let (now, delay) = (self.now, self.hybrid.jumps().map(JumpStore::delay));
        let layer = CostLayer::from_state(cost, config.cost_settings()).replacing(&self.layer);
        let tables = self.hybrid.table_waits().clone();
        *self = Self::on_layer(layer, config);
        *self.hybrid.table_waits_mut() = tables;
        self.now = now;
        if let (Some(jumps), Some(delay)) = (self.hybrid.jumps_mut(), delay) {
            jumps.set_delay(delay);
        }
        Ok(())
    }
}
