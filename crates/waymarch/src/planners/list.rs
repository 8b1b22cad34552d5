//! The planners by name: the engine's own, and the ones that a game adds.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::astar::Astar;
use super::context::ContextPlanner;
use super::hpa_planner::Hpa;
use super::hybrid::Hybrid;
use super::jps;
use super::jps_graph::JpsGraph;
use super::jpsw::{BoundKind, Jpsw};
use super::planner::Planner;
use crate::query::Quality;

/// The list has a planner of this name already.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is a planner called `{0}` already")]
pub struct NameTaken(pub String);

/// Planners by name. The first is the default.
///
/// The program's `--planner NAME` runs the planner of this name in [`PlannerList::builtin`]: what a benchmark measures is what a game gets.
#[derive(Clone, Default)]
pub struct PlannerList {
    planners: Vec<Box<dyn Planner>>,
}

impl fmt::Debug for PlannerList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl PlannerList {
    /// A list without planners.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// All planners that come with the engine, the hybrid first.
    ///
    /// | name | routes | tables, and what an edit costs |
    /// |---|---|---|
    /// | `hybrid` | cheapest when near, near-cheapest when far | jump planes or weighted planes, doors; all follow edits |
    /// | `astar` | cheapest | none |
    /// | `jps`, `jps+` | cheapest; ground of one cost only | jump planes; follow edits |
    /// | `jps-graph` | cheapest; ground of one cost only | jump graph, and a hierarchy where corners see few others; the hierarchy is rebuilt after an edit |
    /// | `jps-graph-flat` | cheapest; ground of one cost only | jump graph; follows edits |
    /// | `jpsw` | cheapest | weighted planes and landmarks; the landmarks are rebuilt after an edit |
    /// | `jpsw-zones` | cheapest | weighted planes and distances between zones; the distances are rebuilt after an edit |
    /// | `jpsw-rims` | cheapest | weighted planes and rims; follow edits |
    /// | `jpsw-octile` | cheapest | weighted planes; follow edits |
    /// | `jpsw-1050` | cost at most 5 % more than the cheapest | as `jpsw` |
    /// | `hpa` | near-cheapest | doors, and jump planes or weighted planes; follow edits |
    /// | `context` | cheapest | one kept search per goal; a search is dropped when an edit touches a sector it has seen |
    ///
    /// A rebuild visits every cell 17 times for landmarks, and costs more for a hierarchy. Use planners that rebuild tables only on maps
    /// that seldom change.
    #[must_use]
    pub fn builtin() -> Self {
        let bounded = Quality::from_per_mille(1050).unwrap_or_default();
        Self {
            planners: vec![
                Box::new(Hybrid::new()),
                Box::new(Astar),
                jps::straight(),
                jps::plus(),
                Box::new(JpsGraph::with_hierarchy()),
                Box::new(JpsGraph::flat()),
                Box::new(Jpsw::new("jpsw", BoundKind::Landmarks, Quality::Exact)),
                Box::new(Jpsw::new("jpsw-zones", BoundKind::Zones, Quality::Exact)),
                Box::new(Jpsw::new("jpsw-rims", BoundKind::Rims, Quality::Exact)),
                Box::new(Jpsw::new("jpsw-octile", BoundKind::Octile, Quality::Exact)),
                Box::new(Jpsw::new("jpsw-1050", BoundKind::Landmarks, bounded)),
                Box::new(Hpa::default()),
                Box::new(ContextPlanner::default()),
            ],
        }
    }

    /// Adds a planner.
    ///
    /// # Errors
    /// [`NameTaken`] if the list has a planner of that name.
    pub fn register(&mut self, planner: Box<dyn Planner>) -> Result<(), NameTaken> {
        if self.get(planner.name()).is_some() {
            return Err(NameTaken(planner.name().into()));
        }
        self.planners.push(planner);
        Ok(())
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.planners.iter().map(|planner| planner.name())
    }

    /// The planner of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&dyn Planner> {
        self.planners.iter().find(|planner| planner.name() == name).map(|planner| &**planner)
    }

    /// Takes the planner of that name out of the list, to hand it to a service.
    pub fn take(&mut self, name: &str) -> Option<Box<dyn Planner>> {
        let at = self.planners.iter().position(|planner| planner.name() == name)?;
        Some(self.planners.remove(at))
    }

    /// All planners, in order, to prepare them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Box<dyn Planner>> {
        self.planners.iter_mut()
    }

    /// All planners, in order.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Planner> {
        self.planners.iter().map(|planner| &**planner)
    }
}
