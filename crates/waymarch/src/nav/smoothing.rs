//! Smoothed routes from a navigator.

use crate::base::{Agent, CellPos};
use crate::nav::Navigator;
use crate::query::{Controller, PathQuery, PlanError, Smoothing};
use crate::search::{Route, Sight, SmoothError, SmoothPath};

/// Why there is no smoothed route.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SmoothPathError {
    /// There is no route.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// There is a route, but it is not open for this agent on this map.
    #[error(transparent)]
    Smooth(#[from] SmoothError),
}

impl Navigator {
    /// The cheapest route for a player's `agent`, smoothed as the setting `path_smoothing` says.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, Stamp};
    /// use waymarch::world::Navigator;
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut nav = Navigator::new(map, Config::default())?;
    /// let foot = nav.locomotor("foot").unwrap();
    /// nav.place(&Stamp::solid(9, 9), cell(20, 20))?;
    ///
    /// let path = nav.path_smooth(cell(3, 10), cell(60, 40), foot)?;
    /// // Past the house's corner, like a taut string.
    /// let corners = [cell(3, 10), cell(29, 19), cell(60, 40)];
    /// assert!(path.points.iter().copied().eq(corners.map(|at| at.centre())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SmoothPathError`] with the reason why there is none.
    pub fn path_smooth(
        &mut self,
        from: CellPos,
        to: CellPos,
        agent: impl Into<Agent>,
    ) -> Result<SmoothPath, SmoothPathError> {
        let threat = self.config().threat_for(Controller::Player);
        let query = PathQuery::new(from, to, agent).with_threat(threat);
        let (mut route, mut path) = (Route::new(), SmoothPath::new());
        self.path_into(&query, &mut route)?;
        self.smooth_into(&query, &route, self.config().smoothing(), &mut path)?;
        Ok(path)
    }

    /// Smooths `route`, the answer to `query`, into `out` and reuses its memory. Use it in hot paths.
    ///
    /// The agent and threat of the query decide which cells are open and what they cost. Its ends do not matter.
    ///
    /// # Errors
    /// [`SmoothError`] if the map has changed and the route is no longer open.
    pub fn smooth_into(
        &mut self,
        query: &PathQuery,
        route: &Route,
        how: Smoothing,
        out: &mut SmoothPath,
    ) -> Result<(), SmoothError> {
        let sight = Sight::new(&self.layer, query.agent, query.threat, self.config.step_rule())?;
        self.smoother.smooth(&sight, route, how, out)
    }
}
