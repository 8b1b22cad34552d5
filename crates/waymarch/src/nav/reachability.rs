//! Whether a goal can be reached, and the nearest cell that can, without a search for the route.

use crate::base::{Agent, CellPos};
use crate::nav::Navigator;
use crate::query::{Goal, PathQuery, PlanError};
use crate::search::Route;
use crate::sectors::{Sectors, SnapMemory, Snapped};

/// A route to a goal, or to the nearest cell that can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NearestRoute {
    /// Where the route starts and ends, and how far its end is from the goal.
    pub snapped: Snapped,
    /// Why start or end differ from the query; `None` if they do not.
    pub reason: Option<PlanError>,
    /// The route between them.
    pub route: Route,
}

impl Navigator {
    /// Whether `agent` can stand on both cells and walk from one to the other. Costs two table lookups, at any distance.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, Stamp};
    /// use waymarch::query::Goal;
    /// use waymarch::world::Navigator;
    ///
    /// let mut nav = Navigator::new(Map::flat("field", GridSize::new(64, 40)?, Rules::standard()), Config::default())?;
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

    /// The open cell at which a unit starts, and the cell nearest to the goal that it can reach; see [`Sectors::snap_again`]. The answer is
    /// remembered: the same query costs no search until an edit could change it.
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

    /// A route to `goal`, or to the nearest cell that can be reached. A closed start is replaced by the nearest open cell. The answer says
    /// what was replaced. An unreachable goal costs no search for a route. Nearest cells are remembered; see [`Navigator::snap`].
    ///
    /// Routes are found by [`Navigator::path_far`]: the cheapest within `short_path_threshold` cells, near-cheapest beyond. For the
    /// cheapest at any distance, ask [`Navigator::snap`], then [`Navigator::path`].
    ///
    /// If the goal is a shape, the route goes to its first cell, by rows, that can be reached and stopped on. For the cheapest cell of a
    /// shape ask [`Navigator::path_to_goal`].
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, Stamp};
    /// use waymarch::query::Goal;
    /// use waymarch::world::Navigator;
    ///
    /// let mut nav = Navigator::new(Map::flat("field", GridSize::new(64, 40)?, Rules::standard()), Config::default())?;
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

    /// The remembered nearest cells, with counts of the work that they took.
    #[must_use]
    pub fn snaps(&self) -> &SnapMemory {
        &self.snaps
    }

    /// Layer 2: the sectors.
    #[must_use]
    pub fn sectors(&self) -> &Sectors {
        &self.sectors
    }
}
