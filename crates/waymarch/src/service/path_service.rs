//! The path service's state, and requests to it.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use super::batch::Batch;
use super::budget::{Budget, MOST_IDLE_TICKS, least_nodes};
use super::edits::EditCount;
use super::flow::FlowGroups;
use super::keeper::{Keeper, Upkeep, next_index};
use super::queue::Waiting;
use super::report::{PathReport, ServiceWork};
use super::request::{Request, Task};
use super::request_table::RequestTable;
use super::search::Lane;
use super::sharing::{Sharing, is_compatible};
use super::status::{Guidance, PathId, PathReason, PathStatus};
use crate::base::Vec2;
use crate::flow::tiles::{Heading, NoHeading, TileFlows, TileReader};
use crate::nav::Navigator;
use crate::plan::{Destination, GroupDecision};
use crate::planners::Planner;
use crate::query::{BlockedBy, Detail, Goal, PathAsk, Shape, WhenUnreachable};

/// World: requests for routes, answered within the budgets of a tick.
///
/// A request is answered in the next tick, or later if there are more than `max_paths_per_tick` requests, or if they take more than
/// `max_path_nodes_per_tick` nodes. Until then its unit follows an interim route over doors, or heads straight for the goal. No request is
/// lost. Whether any route exists is known at once.
///
/// *Invariant:* answers, and the ticks in which they come, depend on the requests and the map only, not on threads, caches or memory.
///
/// *Invariant:* in at least one of three ticks a paused search goes on or, if there is none, the oldest request begins. Lanes take turns at
/// that. The search then expands at least a quarter of its lane's share of nodes: twice as many after its first restart, and sixteen times
/// more after each further restart. So a request with `n` older requests before it is answered after at most
/// [`PathService::longest_wait`]`(n)` ticks, whatever priority others have.
///
/// ```
/// use waymarch::base::{cell, GridSize};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules, Stamp};
/// use waymarch::query::PathAsk;
/// use waymarch::world::{Guidance, Navigator, PathService, PathStatus};
///
/// let nav = Navigator::new(Map::flat("field", GridSize::new(64, 40)?, Rules::standard()), Config::default())?;
/// let foot = nav.locomotor("foot").unwrap();
/// let mut service = PathService::new(nav);
/// service.nav_mut().place(&Stamp::solid(1, 30), cell(30, 0))?;
///
/// let id = service.request(PathAsk::new(cell(5, 5).centre(), cell(60, 5), foot));
/// assert_eq!(service.status(id), Some(PathStatus::Pending));
/// service.tick();
/// assert_eq!(service.status(id), Some(PathStatus::Complete));
/// let Some(Guidance::Waypoints(points)) = service.guidance(id) else { panic!("there is a route") };
/// assert_eq!(points.last(), Some(&cell(60, 5).centre()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct PathService {
    pub(crate) nav: Navigator,
    /// The game's own planner, if it has set one.
    pub(super) custom: Option<Box<dyn Planner>>,
    pub(super) requests: RequestTable,
    pub(super) budget: Budget,
    pub(super) edits: EditCount,
    pub(super) lanes: Vec<Lane>,
    pub(super) flow: FlowGroups,
    pub(super) batch: Batch,
    pub(super) work: ServiceWork,
    pub(super) upkeep: Upkeep,
}

impl fmt::Debug for PathService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (requests, waiting) = (self.requests.all.len(), self.requests.queue.len());
        f.debug_struct("PathService")
            .field("requests", &requests)
            .field("waiting", &waiting)
            .finish_non_exhaustive()
    }
}

impl PathService {
    /// A service without requests, for routes on a navigator's map.
    #[must_use]
    pub fn new(nav: Navigator) -> Self {
        let lanes = (0..nav.config().get().path_lanes).map(|_| Lane::default()).collect();
        Self {
            edits: EditCount::new(0, nav.layer().changes()),
            upkeep: Upkeep::new(Keeper::Service, nav.layer().changes()),
            flow: FlowGroups::new(&nav),
            nav,
            custom: None,
            requests: RequestTable::default(),
            budget: Budget::default(),
            lanes,
            batch: Batch::default(),
            work: ServiceWork::default(),
        }
    }

    /// Drops all requests and the game's own planner, after the navigator was replaced. No id is given out twice.
    pub(crate) fn reset(&mut self) {
        let ids: Vec<PathId> = self.requests.all.iter().map(|(id, _)| id).collect();
        for id in ids {
            self.cancel(id);
        }
        self.custom = None;
        self.requests.queue.clear();
        self.requests.unguided.clear();
        self.budget = Budget::default();
        self.flow = FlowGroups::new(&self.nav);
        self.lanes.clear();
        self.resize_lanes();
        self.edits = EditCount::new(0, self.nav.layer().changes());
        self.upkeep = Upkeep::new(self.upkeep.keeper, self.nav.layer().changes());
    }

    /// Takes over changed settings of the navigator, whose map is the same.
    pub(crate) fn apply_settings(&mut self) {
        self.resize_lanes();
        // A loaded service would run a paused search again with the new settings.
        self.lanes.iter_mut().for_each(Lane::map_changed);
        self.flow.apply_settings(self.nav.config().get());
    }

    /// Makes as many lanes as the settings say. The request of a lane that is removed returns to the queue.
    pub(super) fn resize_lanes(&mut self) {
        let wanted = self.nav.config().get().path_lanes as usize;
        for lane in self.lanes.iter().skip(wanted) {
            let Some(id) = lane.paused.map(|paused| paused.id) else { continue };
            let RequestTable { all, queue, .. } = &mut self.requests;
            let Some(request) = all.get(id) else { continue };
            queue.put_back(request.ask.priority, Waiting { number: request.number, id });
        }
        self.lanes.resize_with(wanted, Lane::default);
    }

    /// The same service for a World, which keeps the routes of its units up to date itself.
    pub(crate) fn kept_by_world(mut self) -> Self {
        self.upkeep.keeper = Keeper::World;
        self
    }

    /// The navigator.
    #[must_use]
    pub fn nav(&self) -> &Navigator {
        &self.nav
    }

    /// The navigator, for edits of its map and for queries that are answered at once.
    pub fn nav_mut(&mut self) -> &mut Navigator {
        &mut self.nav
    }

    /// Makes a request. If no route exists, its status says so at once. The route itself is found in one of the next ticks.
    pub fn request(&mut self, ask: PathAsk) -> PathId {
        let id = self.request_without_interim(ask);
        if self.status(id) == Some(PathStatus::Pending) {
            self.requests.unguided.push_back(id);
        }
        id
    }

    /// As [`PathService::request`], for a route that ends exactly at `end`. The goal of `ask` must be the cell of `end`; with
    /// another goal, and if only a nearer cell can be reached, the route ends as usual.
    pub fn request_ending_at(&mut self, ask: PathAsk, end: Vec2) -> PathId {
        let fits = ask.goal == Goal::point(end.cell());
        let id = self.request(ask);
        if let Some(request) =
            self.requests.get_mut(id).filter(|request| fits && !request.status.is_settled())
        {
            (request.exact, request.end, request.may_share) = (Some(end), end, false);
        }
        id
    }

    /// The point that a unit at `at` heads for now, whatever its request follows: the next point of its route, a point one cell ahead along
    /// its flow, or the goal while there is no route yet. `None` if the request does not exist or has no route.
    ///
    /// Changes nothing: any number of threads may ask, each with its own reader.
    #[must_use]
    pub fn next_waypoint(&self, id: PathId, at: Vec2, reader: &mut TileReader) -> Option<Vec2> {
        match self.guidance(id)? {
            Guidance::Straight(end) => Some(end),
            Guidance::Waypoints(points) => points.get(next_index(points, at)).copied(),
            Guidance::Flow(_, end) => match self.heading(id, at, reader) {
                Heading::Go { direction, .. } => Some(at + direction),
                Heading::Arrived { .. } => Some(end),
                Heading::Nowhere(_) => None,
            },
        }
    }

    /// Makes a request that gets no interim route while it waits.
    pub(crate) fn request_without_interim(&mut self, ask: PathAsk) -> PathId {
        let status = self.refusal(&ask).map_or(PathStatus::Pending, PathReason::status);
        let end = match ask.goal {
            Goal::In(Shape::Point(to)) => to.centre(),
            ref goal => goal.shapes().first().map_or(ask.from, |shape| {
                let rect = shape.bounds();
                rect.nearest(ask.from.cell()).centre()
            }),
        };
        let Self { requests: RequestTable { all, queue, .. }, flow, nav, custom, .. } = self;
        let (number, asked, priority) = (queue.new_number(), nav.now(), ask.priority);
        let task = Task::Find;
        let mut request = Request {
            ask,
            status,
            task,
            number,
            asked,
            end,
            points: Vec::new(),
            flow: None,
            counted: None,
            exact: None,
            // The game's planner finds each route itself.
            may_share: custom.is_none(),
            report: None,
        };
        let id = all.insert_with(|id| {
            if custom.is_none() {
                flow.count_new(id, &mut request, nav);
            }
            request
        });
        if status == PathStatus::Pending {
            queue.push(priority, Waiting { number, id });
        }
        id
    }

    /// Makes a request, and answers it at once by the route of `leader` if that serves it too.
    pub(crate) fn request_like(&mut self, ask: PathAsk, leader: PathId) -> PathId {
        let no_planner = self.custom.is_none();
        let alike =
            self.requests.get(leader).is_some_and(|leader| is_compatible(&leader.ask, &ask) && no_planner);
        let may_share = alike && ask.detail == Detail::Full && ask.blocked_by == BlockedBy::None;
        let id = self.request(ask);
        if may_share && self.status(id) == Some(PathStatus::Pending) {
            let Self { requests, nav, flow, work, .. } = self;
            Sharing { requests, nav, flow, work }.share(id, leader);
        }
        id
    }

    /// The reason to refuse a request without a search; `None` if it must be searched for. Costs a few table lookups.
    fn refusal(&self, ask: &PathAsk) -> Option<PathReason> {
        let (layer, sectors, from) = (self.nav.layer(), self.nav.sectors(), ask.from.cell());
        let Some(field) = layer.field(ask.agent) else { return Some(PathReason::UnknownAgent) };
        if !layer.grid().contains(from) {
            return Some(PathReason::OffMap);
        }
        let Goal::In(Shape::Point(to)) = ask.goal else {
            return ask.goal.validate(layer.grid()).is_err().then_some(PathReason::BadGoal);
        };
        if !layer.grid().contains(to) {
            return Some(PathReason::OffMap);
        }
        if ask.when_unreachable == WhenUnreachable::Nearest {
            return None;
        }
        match (sectors.domain(from, ask.agent), sectors.domain(to, ask.agent)) {
            (None, _) => Some(PathReason::StartClosed),
            (_, None) => {
                Some(if field.is_passable(to) { PathReason::NoRoute } else { PathReason::GoalClosed })
            }
            (Some(_), Some(_)) if !layer.can_stop(to, ask.agent) => Some(PathReason::GoalNoStop),
            (Some(one), Some(other)) => (one != other).then_some(PathReason::NoRoute),
        }
    }

    /// Asks for the repair of a route that an edit has cut, for a unit at `at` that has passed all points before index `next`. The unit
    /// follows the old route until the repair is found. Returns false if the request is gone, or has no route to repair.
    pub fn repair(&mut self, id: PathId, at: Vec2, next: u32) -> bool {
        let RequestTable { all, queue, .. } = &mut self.requests;
        let Some(request) = all.get_mut(id) else { return false };
        if !request.status.has_route() || request.points.is_empty() || request.flow.is_some() {
            return false;
        }
        let passed = (next as usize).min(request.points.len() - 1);
        request.points.drain(..passed);
        request.points.insert(0, at);
        // A planner of the game does not know the old route.
        request.task = if self.custom.is_some() { Task::Find } else { Task::Rejoin };
        (request.ask.from, request.status) = (at, PathStatus::Temporary);
        queue.push_again(id, request, self.nav.now());
        // A paused search for this request has another goal.
        self.lanes.iter_mut().filter(|lane| lane.holds(id)).for_each(Lane::release);
        true
    }

    /// Drops a request. Returns false if it does not exist.
    pub fn cancel(&mut self, id: PathId) -> bool {
        let Some(mut request) = self.requests.all.remove(id) else { return false };
        self.flow.uncount(&mut request);
        self.requests.spare.keep(request.points);
        true
    }

    /// The status of a request. `None` if the request never existed or was cancelled.
    #[must_use]
    pub fn status(&self, id: PathId) -> Option<PathStatus> {
        self.requests.get(id).map(|request| request.status)
    }

    /// What the unit of a request follows. `None` if the request does not exist, or has no route.
    #[must_use]
    pub fn guidance(&self, id: PathId) -> Option<Guidance<'_>> {
        let request = self.requests.get(id)?;
        if let Some(flow) = request.flow {
            return Some(Guidance::Flow(flow, request.end));
        }
        match request.status {
            PathStatus::Unreachable(_) | PathStatus::Failed(_) => None,
            _ if request.points.is_empty() => Some(Guidance::Straight(request.end)),
            _ => Some(Guidance::Waypoints(&request.points)),
        }
    }

    /// Where the route of a request ends: in its goal, or in the nearest cell that can be reached.
    #[must_use]
    pub fn end(&self, id: PathId) -> Option<Vec2> {
        self.requests.get(id).map(|request| request.end)
    }

    /// What a request asked for.
    #[must_use]
    pub fn ask(&self, id: PathId) -> Option<&PathAsk> {
        self.requests.get(id).map(|request| &request.ask)
    }

    /// How a request was answered: planner, reason, nodes, ticks. For people to read: no answer depends on it, and it is not saved.
    #[must_use]
    pub fn report(&self, id: PathId) -> Option<PathReport> {
        self.requests.get(id)?.report
    }

    /// How many requests wait for an answer. Costs a look at every request.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.requests.all.values().filter(|request| !request.status.is_settled()).count()
    }

    /// How many requests exist, answered or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.requests.all.len()
    }

    /// Whether there are no requests.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.requests.all.is_empty()
    }

    /// Tells the service where the unit of a request is. Call it every tick for requests with [`Guidance::Flow`]: flows grow where units
    /// are. Call it for routes too: a route that an edit cuts is repaired from there.
    pub fn moved(&mut self, id: PathId, at: Vec2) {
        let keeper = self.upkeep.keeper;
        let follows = |request: &&mut Request| {
            let is_route = request.status.is_settled() && !request.points.is_empty();
            request.flow.is_some() || keeper == Keeper::Service && is_route
        };
        if let Some(request) = self.requests.get_mut(id).filter(follows) {
            request.ask.from = at;
        }
    }

    /// Whether a request follows a flow, so that [`PathService::moved`] must be called for it.
    pub(crate) fn follows_flow(&self, id: PathId) -> bool {
        self.requests.get(id).is_some_and(|request| request.flow.is_some())
    }

    /// The direction for a unit at `at` whose request follows a flow. Changes nothing: any number of threads may ask, each with its own
    /// reader.
    #[must_use]
    pub fn heading(&self, id: PathId, at: Vec2, reader: &mut TileReader) -> Heading {
        match self.requests.get(id).and_then(|request| request.flow) {
            Some(flow) => self.flow.flows.heading(self.nav.layer(), flow, at, reader),
            None => Heading::Nowhere(NoHeading::UnknownFlow),
        }
    }

    /// The flows.
    #[must_use]
    pub fn flows(&self) -> &TileFlows {
        &self.flow.flows
    }

    /// For every destination, whether its requests follow a flow or routes of their own, and why.
    pub fn groups(&self) -> impl Iterator<Item = (Destination, GroupDecision)> {
        self.flow.grouping.decisions()
    }

    /// The most ticks until a request with `older` requests before it is answered.
    #[must_use]
    pub fn longest_wait(&self, older: u64) -> u64 {
        let config = self.nav.config().get();
        // A search expands each cell at most 8 times, once from each side. If that takes n turns, it takes n/2 turns after the first
        // restart, n/32 after the second, n/512 after the third, and so on. All of that together is less than 4n.
        let most_nodes = self.nav.layer().grid().cells() as u64 * 8 * 4;
        let per_tick = u64::from(least_nodes(config));
        let turns = u64::from(MOST_IDLE_TICKS + 1) * u64::from(config.path_lanes.max(1));
        (older + 1).saturating_mul((most_nodes.div_ceil(per_tick) + 1).saturating_mul(turns))
    }

    /// How many places were edited since the last tick.
    pub(crate) fn edits_since_tick(&self) -> u32 {
        self.edits.total(self.nav.layer().changes())
    }

    /// Charges work that was done outside of the service, so that the service does less work of its own.
    pub(crate) fn charge(&mut self, nodes: u32) {
        self.budget.charge(nodes);
    }

    /// The work done so far, for reports.
    #[must_use]
    pub fn work(&self) -> ServiceWork {
        ServiceWork { looked_at: self.lanes.iter().map(Lane::snap_work).sum(), ..self.work }
    }
}
