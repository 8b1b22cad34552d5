//! New settings in the middle of a game.

use crate::avoid::{Avoidance, ValidAvoidSettings};
use crate::base::Agent;
use crate::config::Config;
use crate::nav::{Built, Navigator};
use crate::service::PathId;
use crate::world::command::CommandError;
use crate::world::formation::pace::reset_paces;
use crate::world::orders::reroute::UnreviewedEdits;
use crate::world::pipeline::Pipeline;
use crate::world::units::order_progress::Phase;
use crate::world::world::World;

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
        for index in 0..state.units.column_len() {
            state.units.rejoin(index);
            let progress = &mut state.units.progress[index];
            (progress.path, progress.fresh, progress.escape) = (PathId::DEAD, PathId::DEAD, None);
            if progress.phase == Phase::Going {
                progress.phase = Phase::Asking;
            }
        }
        Ok(())
    }
}
