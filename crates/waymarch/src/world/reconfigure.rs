//! New settings in the middle of a game.

use crate::avoid::{Avoidance, ValidAvoidSettings};
use crate::base::{Agent, ByteReader, ByteWriter};
use crate::config::{Config, ConfigError, ValidConfig};
use crate::cost::{CostLayer, CostState};
use crate::nav::Navigator;
use crate::search::JumpStore;
use crate::service::PathId;
use crate::world::command::CommandError;
use crate::world::formation::pace::reset_paces;
use crate::world::orders::reroute::UnreviewedEdits;
use crate::world::pipeline::Pipeline;
use crate::world::units::order_progress::Phase;
use crate::world::world::World;

/// Whether the layers built with the old settings are valid for the new ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Built {
    /// The layers stay valid.
    Valid,
    /// The layers must be rebuilt, because settings of steps, sizes, sectors, threat or jump tables have changed. Routes found with the old layers
    /// may be illegal.
    Outdated,
}

impl Built {
    fn with(old: &ValidConfig, new: &ValidConfig) -> Self {
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
        *self = Self::on_layer(CostLayer::from_state(cost, config.cost_settings()), config);
        self.now = now;
        if let (Some(jumps), Some(delay)) = (self.hybrid.jumps_mut(), delay) {
            jumps.set_delay(delay);
        }
        Ok(())
    }
}

impl Pipeline {
    /// Replaces avoidance if its settings have changed.
    pub(crate) fn follow_avoid_settings(&mut self, nav: &Navigator) {
        let settings = ValidAvoidSettings::from(nav.config());
        if *self.avoidance.settings() != settings {
            self.avoidance = Avoidance::new(&settings);
        }
    }
}

impl World {
    /// Continues with other settings from the next tick on.
    ///
    /// If the settings need new layers (see [`Navigator::configure`]), all units request their routes again, and the game's own planner is removed:
    /// call [`World::set_planner`] again.
    ///
    /// # Errors
    /// Nothing has changed after a [`CommandError`]. It names one of these:
    /// - a setting that is wrong;
    /// - a unit type whose size is not among the new `size_classes`;
    /// - `ticks_per_second`, which cannot change because speeds are per tick.
    pub fn configure(&mut self, config: Config) -> Result<(), CommandError> {
        let state = &mut self.state;
        let valid = config.clone().validate()?;
        state.nav().check_memory_for(&valid)?;
        // Locomotors do not change, so only sizes are checked.
        let has_costs = |agent: Agent| valid.get().size_classes.contains(&agent.size.side());
        state.types.list.iter().try_for_each(|kind| kind.check_where(has_costs))?;
        if valid.get().ticks_per_second != state.nav().config().get().ticks_per_second {
            return Err(CommandError::TickRate);
        }
        let built = Built::with(state.nav().config(), &valid);
        if valid.get().group_speed != state.nav().config().get().group_speed {
            reset_paces(&mut state.units);
        }
        state.service.nav_mut().configure(config)?;
        self.pipeline.follow_avoid_settings(state.nav());
        if built == Built::Valid {
            state.service.apply_settings();
            return Ok(());
        }
        state.service.reset();
        for (_, group) in state.groups.list.iter_mut() {
            group.route_search = PathId::DEAD;
        }
        state.unreviewed = UnreviewedEdits::nothing(state.service.nav().layer().changes());
        for progress in &mut state.units.progress {
            (progress.path, progress.fresh, progress.escape) = (PathId::DEAD, PathId::DEAD, None);
            progress.rejoin();
            if progress.phase == Phase::Going {
                progress.phase = Phase::Asking;
            }
        }
        Ok(())
    }
}
