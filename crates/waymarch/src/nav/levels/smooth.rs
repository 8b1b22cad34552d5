//! Smoothed routes over several levels.

use alloc::vec::Vec;

use super::error::LevelPlanError;
use super::navigator::LevelNavigator;
use super::route::LevelRoute;
use crate::base::{Agent, CellPos, LevelCell, LevelId, Vec2};
use crate::query::{Smoothing, Threat};
use crate::search::{Route, Sight, SmoothError, SmoothPath};

/// A part of a smoothed route: its points on one level, over the base.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LevelPath {
    /// The level.
    pub level: LevelId,
    /// The points, with straight lines between them.
    pub path: SmoothPath,
}

impl LevelNavigator {
    /// The cheapest route, smoothed as the setting `path_smoothing` says: one part for each level that it walks on, in order. No line
    /// leads from level to level, through a deck's side, or past an end of a link.
    ///
    /// # Errors
    /// [`LevelPlanError`] saying why there is no route.
    pub fn path_smooth(
        &mut self,
        from: LevelCell,
        to: LevelCell,
        agent: impl Into<Agent>,
    ) -> Result<Vec<LevelPath>, LevelPlanError> {
        let agent = agent.into();
        let route = self.path(from, to, agent)?;
        // The route was found on this map for this agent, so it is open.
        self.smooth(&route, agent, self.config.smoothing())
            .map_err(|_| LevelPlanError::Unreachable { from, to })
    }

    /// Smooths a route that [`LevelNavigator::path`] has found for `agent`.
    ///
    /// # Errors
    /// [`SmoothError`] if the map has changed and the route is no longer open.
    pub fn smooth(
        &mut self,
        route: &LevelRoute,
        agent: Agent,
        how: Smoothing,
    ) -> Result<Vec<LevelPath>, SmoothError> {
        let sight = Sight::new(&self.layer, agent, Threat::Ignore, self.config.step_rule())?;
        let mut parts = Vec::new();
        for (level, points) in route.legs() {
            let Some(shift) = self.atlas.shift(level) else { continue };
            let waypoints = points.iter().map(|point| point.at.offset(-shift.x, -shift.y)).collect();
            let mut path = SmoothPath::new();
            self.smoother.smooth(&sight, &Route { waypoints, ..Route::new() }, how, &mut path)?;
            let moved = shift.centre() - CellPos::new(0, 0).centre();
            path.points.iter_mut().for_each(|point: &mut Vec2| *point += moved);
            parts.push(LevelPath { level, path });
        }
        Ok(parts)
    }
}
