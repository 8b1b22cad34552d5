//! Other settings for a game that is being played.

use super::command::CommandError;
use super::errand::Phase;
use super::navigator::Navigator;
use super::review::Unseen;
use super::service::PathId;
use super::simulation::World;
use crate::avoid::{Avoidance, ValidAvoidSettings};
use crate::base::{Agent, ByteReader, ByteWriter};
use crate::config::{Config, ConfigError, ValidConfig};
use crate::cost::{CostLayer, CostState};
use crate::search::JumpStore;

/// Whether what was built with some settings serves others too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Built {
    /// It does.
    Serves,
    /// Layers are made anew, and ways that were found may be none any more: other steps, sizes, sectors, threat or jump tables.
    Fails,
}

impl Built {
    fn with(old: &ValidConfig, new: &ValidConfig) -> Self {
        let serves = old.step_rule() == new.step_rule()
            && old.cost_settings() == new.cost_settings()
            && old.get().jps_precomputed == new.get().jps_precomputed;
        if serves { Self::Serves } else { Self::Fails }
    }
}

impl Navigator {
    /// Goes on with other settings: map, stamps, threat and clock stay. Costs next to nothing if the layers serve them too; other steps,
    /// sizes, sectors, threat limits or jump tables cost what [`Navigator::new`] does.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Neighbours, Rules};
    /// use waymarch::world::Navigator;
    ///
    /// let mut nav = Navigator::new(Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000()), Config::default())?;
    /// let foot = nav.locomotor("foot").unwrap();
    /// assert_eq!(nav.path(cell(3, 3), cell(9, 9), foot)?.cells().count(), 7);
    /// nav.configure(Config { neighbours: Neighbours::Four, ..Config::default() })?;
    /// assert_eq!(nav.path(cell(3, 3), cell(9, 9), foot)?.cells().count(), 13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ConfigError`] naming the setting that is wrong; nothing was changed then.
    pub fn configure(&mut self, config: Config) -> Result<(), ConfigError> {
        let config = config.validate()?;
        if Built::with(&self.config, &config) == Built::Serves {
            self.keep_answers(&config);
            self.config = config;
            return Ok(());
        }
        // As if it were saved, and loaded by somebody with other settings.
        let mut writer = ByteWriter::new();
        self.layer.save(&mut writer);
        let cost = CostState::load(&mut ByteReader::new(writer.bytes()));
        let cost = cost.expect("a layer that was written a moment ago");
        let (now, delay) = (self.now, self.hybrid.jumps.as_ref().map(JumpStore::delay));
        *self = Self::on_layer(CostLayer::from_state(cost, config.cost_settings()), config);
        self.now = now;
        if let (Some(jumps), Some(delay)) = (&mut self.hybrid.jumps, delay) {
            jumps.set_delay(delay);
        }
        Ok(())
    }
}

impl World {
    /// Lets layer 4 do as the settings say, which may be others than before.
    pub(super) fn follow_avoid_settings(&mut self) {
        let settings = ValidAvoidSettings::from(self.service.nav().config());
        if *self.avoidance.settings() != settings {
            self.avoidance = Avoidance::new(&settings);
        }
    }

    /// Goes on with other settings from the next tick on. If layers have to be made anew for them, see [`Navigator::configure`], all
    /// units ask for their ways anew, and a planner of the game's own has to be given again.
    ///
    /// # Errors
    /// [`CommandError`] naming the setting that is wrong, a kind of unit that the new sizes leave out, or `ticks_per_second`, which a game
    /// keeps: speeds are per tick. Nothing was changed then.
    pub fn configure(&mut self, config: Config) -> Result<(), CommandError> {
        let valid = config.clone().validate()?;
        // Locomotors stay what they are.
        let has_costs = |agent: Agent| valid.get().size_classes.contains(&agent.size.side());
        self.types.list.iter().try_for_each(|kind| kind.check_where(has_costs))?;
        if valid.get().ticks_per_second != self.nav().config().get().ticks_per_second {
            return Err(CommandError::TickRate);
        }
        let built = Built::with(self.nav().config(), &valid);
        if valid.get().group_speed != self.nav().config().get().group_speed {
            self.forget_pace();
        }
        self.service.nav_mut().configure(config)?;
        self.follow_avoid_settings();
        if built == Built::Serves {
            self.service.follow_settings();
            return Ok(());
        }
        self.service.begin_anew();
        for (_, group) in self.groups.list.iter_mut() {
            group.way = PathId::DEAD;
        }
        self.unseen = Unseen::nothing(self.service.nav().layer().changes());
        for errand in &mut self.units.errand {
            (errand.path, errand.fresh, errand.escape) = (PathId::DEAD, PathId::DEAD, None);
            errand.rejoin();
            if errand.phase == Phase::Going {
                errand.phase = Phase::Asking;
            }
        }
        Ok(())
    }
}
