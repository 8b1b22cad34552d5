//! The contract of a planner: one algorithm that finds ways, and what it promises about them.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::hpa::FarScratch;
use crate::base::Tick;
use crate::config::ValidConfig;
use crate::cost::CostLayer;
use crate::query::{PathQuery, PerMille, PlanError};
use crate::search::{Route, SearchScratch};
use crate::sectors::Sectors;

/// What a planner may look at. Nothing here changes while questions are answered.
#[derive(Clone, Copy, Debug)]
pub struct PlanView<'a> {
    /// Layer 1.
    pub layer: &'a CostLayer,
    /// Layer 2.
    pub sectors: &'a Sectors,
    /// The settings.
    pub config: &'a ValidConfig,
    /// The tick.
    pub now: Tick,
}

/// What a planner promises about its routes; the conformance tests hold every planner to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Promise {
    /// No route is cheaper.
    Optimal,
    /// At most so many thousandths of the cheapest.
    Bounded(PerMille),
    /// A legal route whenever there is one. How dear it is was measured, and is not promised.
    Legal,
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Optimal => f.write_str("optimal"),
            Self::Bounded(most) => write!(f, "at most {} thousandths of the cheapest", most.get()),
            Self::Legal => f.write_str("legal"),
        }
    }
}

/// Scratch: what a thread needs to answer questions, whichever planner it asks.
#[derive(Clone, Debug, Default)]
pub struct PlanScratch {
    /// For searches over cells.
    pub search: SearchScratch,
    /// For routes over doors.
    pub far: FarScratch,
}

impl PlanScratch {
    /// An empty one; memory comes with the first question.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// One way of finding ways. [`Planner::prepare`] may change it, [`Planner::plan`] may not, so that many threads can ask at once.
///
/// *Invariant:* what [`Planner::plan`] answers, and the nodes it counts, follow from the view and the question: never from what was asked
/// before, from memory that is kept, or from how often [`Planner::map_changed`] was called.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules};
/// use waymarch::planners::{Planner, PlanScratch, PlanView, PlannerList, Promise};
/// use waymarch::query::{PathQuery, PlanError};
/// use waymarch::search::{Route, astar};
/// use waymarch::world::Navigator;
///
/// /// Goes around by a place of its own choice.
/// #[derive(Clone)]
/// struct Scenic;
///
/// impl Planner for Scenic {
///     fn name(&self) -> &str {
///         "scenic"
///     }
///     fn promise(&self) -> Promise {
///         Promise::Legal
///     }
///     fn plan(&self, view: &PlanView<'_>, query: &PathQuery, scratch: &mut PlanScratch, out: &mut Route) -> Result<(), PlanError> {
///         astar(view.layer, query, view.config.step_rule(), &mut scratch.search, out)
///     }
///     fn boxed(&self) -> Box<dyn Planner> {
///         Box::new(self.clone())
///     }
/// }
///
/// let mut planners = PlannerList::builtin();
/// planners.register(Box::new(Scenic))?;
/// let nav = Navigator::new(Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000()), Config::default())?;
/// let query = PathQuery::new(cell(3, 4), cell(60, 40), LocomotorId(0));
/// let (mut scratch, mut route) = (PlanScratch::new(), Route::new());
/// for planner in planners.iter_mut() {
///     planner.prepare(&nav.view(), &[query]);
///     planner.plan(&nav.view(), &query, &mut scratch, &mut route)?;
///     assert_eq!(route.waypoints.last(), Some(&cell(60, 40)), "{}", planner.name());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Planner: Send + Sync {
    /// Its name, as users write it.
    fn name(&self) -> &str;

    /// What it promises.
    fn promise(&self) -> Promise;

    /// Whether it can answer such a question on such ground; if not, why.
    ///
    /// # Errors
    /// The reason, in a sentence.
    fn suits(&self, _view: &PlanView<'_>, _query: &PathQuery) -> Result<(), &'static str> {
        Ok(())
    }

    /// The map has changed, or a tick has passed. Costs what has changed, and the outcome equals a planner made anew.
    fn map_changed(&mut self, _view: &PlanView<'_>) {}

    /// Makes ready whatever these questions need: to be called, after [`Planner::map_changed`], before they are asked.
    fn prepare(&mut self, _view: &PlanView<'_>, _batch: &[PathQuery]) {}

    /// Answers a question into `out`, whose memory is reused.
    ///
    /// Planners that can pause do so when `scratch` says so, and go on when asked again; see
    /// [`SearchScratch::pause_after`](crate::search::SearchScratch::pause_after). Who makes several searches for one question lets all but the last
    /// run to their ends (`pause_after(None)`).
    ///
    /// # Errors
    /// [`PlanError`] saying why there is no route. [`PlanError::Unsuited`] for questions that it does not suit, and for those it was not
    /// prepared for.
    fn plan(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError>;

    /// A copy: worlds can be copied, and their planners with them.
    fn boxed(&self) -> Box<dyn Planner>;

    /// Bytes it keeps beside the view.
    fn memory_bytes(&self) -> usize {
        0
    }
}

impl Clone for Box<dyn Planner> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// Two planners of one name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is a planner called `{0}` already")]
pub struct NameTaken(pub String);

/// Planners by name. The first is the default.
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
    /// No planners.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// All that come with the engine, the hybrid first.
    #[must_use]
    pub fn builtin() -> Self {
        Self { planners: super::builtin::all() }
    }

    /// Adds one.
    ///
    /// # Errors
    /// [`NameTaken`] if there is one of that name.
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

    /// Takes the planner of that name out, to hand it to a service.
    pub fn take(&mut self, name: &str) -> Option<Box<dyn Planner>> {
        let at = self.planners.iter().position(|planner| planner.name() == name)?;
        Some(self.planners.remove(at))
    }

    /// All, in order, to prepare them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Box<dyn Planner>> {
        self.planners.iter_mut()
    }

    /// All, in order.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Planner> {
        self.planners.iter().map(|planner| &**planner)
    }
}
