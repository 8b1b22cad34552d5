//! The contract that every planner keeps: what it may read, what it promises, and the calls the engine makes.

use alloc::boxed::Box;
use core::fmt;

use super::hpa::{FarDemand, FarScratch};
use crate::base::{Scratch, Tick};
use crate::config::ValidConfig;
use crate::cost::CostLayer;
use crate::query::{PathQuery, PerMille, PlanError};
use crate::search::{Recorder, Route, SearchScratch, open_ends};
use crate::sectors::{RimScratch, Sectors};

/// What a planner may read. Nothing here changes while queries are answered.
#[derive(Clone, Copy, Debug)]
pub struct PlanView<'a> {
    /// Layer 1: the costs.
    pub layer: &'a CostLayer,
    /// Layer 2: rooms, and which cells are connected.
    pub sectors: &'a Sectors,
    /// The settings.
    pub config: &'a ValidConfig,
    /// The present tick.
    pub now: Tick,
}

impl PlanView<'_> {
    /// `query` with the simplest choice of threat that has the same costs ([`ThreatMap::effective`](crate::cost::ThreatMap::effective)). All such
    /// queries then use the same tables.
    pub(crate) fn effective(&self, query: &PathQuery) -> PathQuery {
        query.with_threat(self.layer.threat().effective(query.threat))
    }

    /// Refuses a query whose ends are not connected, or closed. Call it before tables are made for the query.
    pub(crate) fn refuse(&self, query: &PathQuery) -> Result<(), PlanError> {
        self.refuse_unconnected(query)?;
        open_ends(self.layer, query).map(drop)
    }

    /// Refuses a query whose ends are open but not connected. Costs two table lookups and no search.
    ///
    /// A goal that units may not stop on passes: the search refuses it with its own error, whether or not it is connected.
    pub(crate) fn refuse_unconnected(&self, query: &PathQuery) -> Result<(), PlanError> {
        let domain = |at| self.sectors.domain(at, query.agent);
        match domain(query.from).zip(domain(query.to)) {
            Some((from, to)) if from != to && self.layer.can_stop(query.to, query.agent) => {
                Err(PlanError::Unreachable { from: query.from, to: query.to })
            }
            _ => Ok(()),
        }
    }
}

/// What a planner promises about the cost of its routes. The conformance tests hold every planner to its promise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Promise {
    /// No route is cheaper.
    Optimal,
    /// The route costs at most this many thousandths of the cheapest.
    Bounded(PerMille),
    /// A legal route whenever one exists. Its cost is measured in benchmarks, and not promised.
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

/// Scratch: the memory that one thread needs to ask any planner.
#[derive(Clone, Debug, Default)]
pub struct PlanScratch {
    /// For searches over cells.
    pub search: SearchScratch,
    /// For routes over doors.
    pub far: FarScratch,
    /// For lower bounds over the rims of sectors.
    pub rims: RimScratch,
}

impl PlanScratch {
    /// Empty; the first query allocates the memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Drops a paused search and fills the memory with rubbish. Answers must not change. For tests.
    pub fn poison(&mut self) {
        Scratch::poison(self);
    }
}

impl Scratch for PlanScratch {
    type Demand = FarDemand;

    /// Kept legs stay: they are Derived.
    fn poison(&mut self) {
        self.search.forget_paused();
        self.search.poison();
        self.far.poison();
        self.rims.poison();
    }

    fn reserve(&mut self, demand: FarDemand) {
        self.search.reserve(demand.cells);
        self.far.reserve(demand);
        self.rims.reserve(());
    }
}

/// What a planner works with besides the view and the query.
pub(crate) struct PlanRun<'a, P> {
    pub(crate) scratch: &'a mut PlanScratch,
    /// The route; its memory is reused.
    pub(crate) out: &'a mut Route,
    /// Sees every step of the search.
    pub(crate) probe: &'a mut P,
}

/// Writes [`Planner::plan`] and [`Planner::watch`] for a planner with a method `answer(&self, view, query, run)`, whose run is a
/// [`PlanRun`] with any probe.
macro_rules! plan_and_watch {
    () => {
        fn plan(
            &self,
            view: &$crate::planners::PlanView<'_>,
            query: &$crate::query::PathQuery,
            scratch: &mut $crate::planners::PlanScratch,
            out: &mut $crate::search::Route,
        ) -> Result<(), $crate::query::PlanError> {
            let probe = &mut $crate::search::NoProbe;
            self.answer(view, query, $crate::planners::PlanRun { scratch, out, probe })
        }

        fn watch(
            &self,
            view: &$crate::planners::PlanView<'_>,
            query: &$crate::query::PathQuery,
            scratch: &mut $crate::planners::PlanScratch,
            out: &mut $crate::search::Route,
            probe: &mut $crate::search::Recorder,
        ) -> Result<(), $crate::query::PlanError> {
            self.answer(view, query, $crate::planners::PlanRun { scratch, out, probe })
        }
    };
}
pub(super) use plan_and_watch;

/// One path-finding algorithm. [`Planner::prepare`] may change it, [`Planner::plan`] may not. Therefore several threads can ask at once.
///
/// *Invariant:* the answer of [`Planner::plan`], and the nodes it counts, are a function of the view and the query. They do not depend on
/// earlier queries, on kept memory, or on how often [`Planner::map_changed`] was called.
///
/// What a planner of a game may depend on:
///
/// - the map, the settings and the tick in the view;
/// - the query. It names unit and player ([`PathQuery::asker`]) only if [`Planner::heeds_asker`] says so, so that other planners can keep answers for all units;
/// - data of its own that are the same on all peers, set when the planner is made. After they change, set the planner again
///   ([`World::set_planner`](crate::world::World::set_planner)), in the same tick on all peers and in replays.
///
/// Positions of units are not in the view: they change every tick, and a paused search must find the same again.
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
/// /// A planner of the game's own.
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
/// let nav = Navigator::new(Map::flat("field", GridSize::new(64, 64)?, Rules::standard()), Config::default())?;
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
    /// The name of the planner, as users write it.
    fn name(&self) -> &str;

    /// What it promises about the cost of its routes.
    fn promise(&self) -> Promise;

    /// Whether this planner can answer this query on this ground.
    ///
    /// # Errors
    /// The reason why not, in a sentence.
    fn suits(&self, _view: &PlanView<'_>, _query: &PathQuery) -> Result<(), &'static str> {
        Ok(())
    }

    /// Whether answers depend on [`PathQuery::asker`], the unit and player that a route is for. By default they do not, and the query names neither.
    fn heeds_asker(&self) -> bool {
        false
    }

    /// Follows the map after an edit or a tick. Afterwards the planner answers like a new planner on the edited map.
    ///
    /// A planner may leave the work to the next [`Planner::prepare`]; its documentation says what an edit costs.
    fn map_changed(&mut self, _view: &PlanView<'_>) {}

    /// Builds what the queries in `batch` need. Call it after [`Planner::map_changed`] and before the queries are asked.
    fn prepare(&mut self, _view: &PlanView<'_>, _batch: &[PathQuery]) {}

    /// Answers a query: writes the route to `out`, whose memory is reused.
    ///
    /// A planner that can pause does so when `scratch` says so, and goes on when the same query is asked again; see
    /// [`SearchScratch::pause_after`](crate::search::SearchScratch::pause_after). A planner that runs several searches for one query lets all
    /// but the last run to their ends (`pause_after(None)`).
    ///
    /// # Errors
    /// [`PlanError`] saying why there is no route. [`PlanError::Unsuited`] for a query that the planner does not suit, and for one that was
    /// not prepared.
    fn plan(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError>;

    /// As [`Planner::plan`], and writes the steps of the search to `recorder`, for traces and pictures.
    ///
    /// By default nothing is recorded.
    ///
    /// # Errors
    /// As [`Planner::plan`].
    fn watch(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
        _recorder: &mut Recorder,
    ) -> Result<(), PlanError> {
        self.plan(view, query, scratch, out)
    }

    /// The nodes that [`Planner::prepare`] has expanded since the planner was made; `None` for a planner that searches in
    /// [`Planner::plan`] only.
    ///
    /// For reports. The number depends on earlier queries, so nothing that is hashed or compared between machines may use it.
    fn prepared_nodes(&self) -> Option<u64> {
        None
    }

    /// Drops the results of earlier queries and keeps the memory. The next query then costs as much as with a new planner.
    ///
    /// For measurements: no answer changes.
    fn forget_queries(&mut self) {}

    /// A copy. A world that is cloned copies its planner with it.
    fn boxed(&self) -> Box<dyn Planner>;

    /// Bytes the planner holds, without the view.
    fn memory_bytes(&self) -> usize {
        0
    }
}

impl Clone for Box<dyn Planner> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}
