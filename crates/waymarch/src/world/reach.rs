//! What can be reached, without searching for the way.

use super::navigator::Navigator;
use crate::base::{Agent, CellPos};
use crate::query::{Goal, PathQuery, PlanError};
use crate::search::Route;
use crate::sectors::{Sectors, SnapMemory, Snapped};

/// A route to a goal, or as near to it as one can get.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NearestRoute {
    /// Where it starts and ends, and how far that is from the goal.
    pub snapped: Snapped,
    /// Why it is not the route that was asked for; none if it is.
    pub reason: Option<PlanError>,
    /// The way from the one to the other.
    pub route: Route,
}

impl Navigator {
    /// Whether `agent` can stand on both cells and walk from one to the other: a look at two tables, whatever lies between.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, Stamp};
    /// use waymarch::query::Goal;
    /// use waymarch::world::Navigator;
    ///
    /// let mut nav = Navigator::new(Map::flat("field", GridSize::new(64, 40)?, Rules::spec_000()), Config::default())?;
    /// let foot = nav.locomotor("foot").unwrap();
    /// nav.place(&Stamp::solid(1, 40), cell(30, 0))?; // a wall from edge to edge
    /// assert!(!nav.reachable(cell(5, 20), cell(60, 20), foot));
    ///
    /// let snapped = nav.snap(cell(5, 20), &Goal::point(cell(60, 20)), foot)?; // as near as can be
    /// assert_eq!(snapped.to, cell(29, 20));
    /// let route = nav.path(snapped.from, snapped.to, foot)?;
    /// assert_eq!(route.cells().count(), 25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reachable(&self, from: CellPos, to: CellPos, agent: impl Into<Agent>) -> bool {
        self.sectors.reachable(from, to, agent)
    }

    /// Where a unit would have to start and could end up on the way to a goal; see [`Sectors::snap_again`]: asked again, with nothing changed
    /// where it could matter, it looks at nothing.
    ///
    /// # Errors
    /// As [`Sectors::snap`].
    pub fn snap(
        &mut self,
        from: CellPos,
        goal: &Goal,
        agent: impl Into<Agent>,
    ) -> Result<Snapped, PlanError> {
        self.sectors.snap_again(&self.layer, from, goal, agent, &mut self.snaps)
    }

    /// A route to `goal`, or as near to it as one can get: a start that is closed is left by the nearest open cell, a goal that
    /// cannot be reached is replaced by the nearest cell that can. What was replaced is said; that there is no way into
    /// the goal costs no search, and asked again not even a look around (see [`Navigator::snap`]).
    ///
    /// Routes are as those of [`Navigator::path_far`]: the cheapest to ends within `short_path_threshold`, over doors to those farther away. For the
    /// cheapest in any case, ask [`Navigator::snap`], then [`Navigator::path`].
    ///
    /// The goal is a shape, but the route goes to one cell of it, the first by rows that can be reached and stopped on; for the cheapest
    /// cell of a shape ask [`Navigator::path_to_goal`].
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, Stamp};
    /// use waymarch::query::Goal;
    /// use waymarch::world::Navigator;
    ///
    /// let mut nav = Navigator::new(Map::flat("field", GridSize::new(64, 40)?, Rules::spec_000()), Config::default())?;
    /// let foot = nav.locomotor("foot").unwrap();
    /// nav.place(&Stamp::solid(5, 5), cell(10, 10))?; // built on top of a unit at 11, 12
    /// nav.place(&Stamp::solid(1, 40), cell(30, 0))?; // and a wall from edge to edge
    /// let found = nav.path_or_nearest(cell(11, 12), &Goal::point(cell(60, 20)), foot)?;
    /// assert_eq!(found.snapped.from, cell(9, 12), "out of the house");
    /// assert_eq!(found.snapped.to, cell(29, 20), "to the wall");
    /// assert_eq!(found.reason, Some(waymarch::query::PlanError::StartBlocked { at: cell(11, 12) }));
    /// assert_eq!(found.route.waypoints.last(), Some(&cell(29, 20)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Sectors::snap`].
    pub fn path_or_nearest(
        &mut self,
        from: CellPos,
        goal: &Goal,
        agent: impl Into<Agent>,
    ) -> Result<NearestRoute, PlanError> {
        let agent = agent.into();
        let snapped = self.snap(from, goal, agent)?;
        let reason = if snapped.from != from {
            Some(PlanError::StartBlocked { at: from })
        } else if snapped.gap > 0 {
            Some(PlanError::GoalUnreachable { from })
        } else {
            None
        };
        let mut route = Route::new();
        self.path_far(&PathQuery::new(snapped.from, snapped.to, agent), &mut route)?;
        Ok(NearestRoute { snapped, reason, route })
    }

    /// Snaps asked for before, to look at: how much work they were.
    #[must_use]
    pub fn snaps(&self) -> &SnapMemory {
        &self.snaps
    }

    /// Layer 2, to look at.
    #[must_use]
    pub fn sectors(&self) -> &Sectors {
        &self.sectors
    }
}
