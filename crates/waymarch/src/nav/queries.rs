//! Route queries that change nothing but caches: [`NavQueries`].

use crate::base::{Agent, CellPos};
use crate::nav::{Navigator, NearestRoute, SmoothPathError};
use crate::query::{Controller, Goal, GoalQuery, Outcome, PathQuery, PlanError};
use crate::search::{Route, SmoothPath};
use crate::sectors::Snapped;

/// A map that answers route queries and cannot be edited: what [`World::queries`](crate::world::World::queries) returns.
///
/// Queries fill caches and prepare planners. That makes later queries faster and changes no answer. So any number of queries, on any peer,
/// leaves the game as it is.
///
/// ```
/// use waymarch::{Config, GridSize, Map, Navigator, Rules, World, cell};
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
/// let mut world = World::new(Navigator::new(map, Config::default())?);
/// let foot = world.nav().locomotor("foot").unwrap();
/// let before = world.state_hash();
/// let route = world.queries().path(cell(3, 3), cell(9, 9), foot)?;
/// assert_eq!(route.cells().count(), 7);
/// assert_eq!(world.state_hash(), before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// An edit is a command of the World, so that recordings and other players see it:
///
/// ```compile_fail,E0599
/// use waymarch::{World, cell};
/// use waymarch::cost::Stamp;
/// fn build(world: &mut World) {
///     world.queries().place(&Stamp::solid(1, 1), cell(3, 3)); // there is no such method; use `World::place`
/// }
/// ```
#[derive(Debug)]
pub struct NavQueries<'a>(&'a mut Navigator);

impl<'a> NavQueries<'a> {
    pub(crate) fn new(nav: &'a mut Navigator) -> Self {
        Self(nav)
    }

    /// See [`Navigator::path`].
    ///
    /// # Errors
    /// [`PlanError`] with the reason why there is no route.
    pub fn path(&mut self, from: CellPos, to: CellPos, agent: impl Into<Agent>) -> Result<Route, PlanError> {
        self.0.path(from, to, agent)
    }

    /// See [`Navigator::path_for`].
    ///
    /// # Errors
    /// [`PlanError`] with the reason why there is no route.
    pub fn path_for(
        &mut self,
        controller: Controller,
        from: CellPos,
        to: CellPos,
        agent: impl Into<Agent>,
    ) -> Result<Route, PlanError> {
        self.0.path_for(controller, from, to, agent)
    }

    /// See [`Navigator::path_into`].
    ///
    /// # Errors
    /// [`PlanError`] with the reason why there is no route.
    pub fn path_into(&mut self, query: &PathQuery, out: &mut Route) -> Result<(), PlanError> {
        self.0.path_into(query, out)
    }

    /// See [`Navigator::path_far`].
    ///
    /// # Errors
    /// [`PlanError`] with the reason why there is no route.
    pub fn path_far(&mut self, query: &PathQuery, out: &mut Route) -> Result<(), PlanError> {
        self.0.path_far(query, out)
    }

    /// See [`Navigator::path_to_goal`].
    ///
    /// # Errors
    /// [`PlanError`] with the reason why there is no route.
    pub fn path_to_goal(&mut self, query: &GoalQuery<'_>, out: &mut Route) -> Result<Outcome, PlanError> {
        self.0.path_to_goal(query, out)
    }

    /// See [`Navigator::path_smooth`].
    ///
    /// # Errors
    /// [`SmoothPathError`] with the reason why there is no route.
    pub fn path_smooth(
        &mut self,
        from: CellPos,
        to: CellPos,
        agent: impl Into<Agent>,
    ) -> Result<SmoothPath, SmoothPathError> {
        self.0.path_smooth(from, to, agent)
    }

    /// See [`Navigator::path_or_nearest`].
    ///
    /// # Errors
    /// [`PlanError`] if the agent has no costs on this map, or a cell lies outside it.
    pub fn path_or_nearest(
        &mut self,
        from: CellPos,
        goal: &Goal,
        agent: impl Into<Agent>,
    ) -> Result<NearestRoute, PlanError> {
        self.0.path_or_nearest(from, goal, agent)
    }

    /// See [`Navigator::snap`].
    ///
    /// # Errors
    /// [`PlanError`] if the agent has no costs on this map, or a cell lies outside it.
    pub fn snap(
        &mut self,
        from: CellPos,
        goal: &Goal,
        agent: impl Into<Agent>,
    ) -> Result<Snapped, PlanError> {
        self.0.snap(from, goal, agent)
    }

    /// See [`Navigator::make_ready`].
    pub fn make_ready(&mut self, agent: impl Into<Agent>) {
        self.0.make_ready(agent);
    }

    /// See [`Navigator::make_ready_far`].
    pub fn make_ready_far(&mut self, agent: impl Into<Agent>) {
        self.0.make_ready_far(agent);
    }
}
