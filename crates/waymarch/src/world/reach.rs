//! What can be reached, without searching for the way.

use super::navigator::Navigator;
use crate::base::{Agent, CellPos};
use crate::query::{Goal, PlanError};
use crate::sectors::{Sectors, Snapped};

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

    /// Where a unit would have to start and could end up on the way to a goal; see [`Sectors::snap`].
    ///
    /// # Errors
    /// As [`Sectors::snap`].
    pub fn snap(
        &mut self,
        from: CellPos,
        goal: &Goal,
        agent: impl Into<Agent>,
    ) -> Result<Snapped, PlanError> {
        self.sectors.snap(&self.layer, from, goal, agent, &mut self.snapping)
    }

    /// Layer 2, to look at.
    #[must_use]
    pub fn sectors(&self) -> &Sectors {
        &self.sectors
    }
}
