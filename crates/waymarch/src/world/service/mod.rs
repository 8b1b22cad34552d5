//! The path service: requests with names, served by and by within the budgets of a tick.
//!
//! `queue.rs` says who is next, `tick.rs` freezes the requests of a tick and delivers what was found, `lane.rs` does them one after the
//! other, `serve.rs` answers one. `temporary.rs` gives ways over doors to those that have to wait, `sharing.rs` one route to neighbours,
//! `detour.rs` leads around units and back to routes that an edit has cut, `flowing.rs` leads many by one
//! flow, which `leading.rs` sees to.

mod blockers;
mod detour;
mod flowing;
mod flowing_bytes;
mod job;
mod lane;
mod leading;
mod looked;
mod pace;
mod pathfinder;
mod queue;
mod request;
mod save;
mod sense;
mod serve;
mod sharing;
mod status;
mod stock;
mod temporary;
mod tick;

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::fmt;

pub use blockers::{Blockers, NoBlockers};
pub(super) use detour::{POINTS, crosses};
pub use pathfinder::Pathfinder;
pub use request::PathReport;
pub(crate) use save::{MapFacts, ServiceState};
pub use status::{Guidance, PathId, PathReason, PathStatus, PathTag};
pub use tick::ServiceWork;

use super::navigator::Navigator;
use super::spare_lists::SpareLists;
use crate::base::{Slots, WorldPos};
use crate::cost::ChangeMark;
use crate::planners::Planner;
use crate::query::{Goal, PathAsk, Shape, WhenUnreachable};
use flowing::Flowing;
use lane::Lane;
use pace::Pace;
use queue::{Queue, Waiting};
use request::{Request, Task};
use tick::Batch;

/// World: requests for routes, each with a name, served within the budgets of a tick.
///
/// A request is answered in one of the next ticks: in the next one, unless there are more than `max_paths_per_tick` or they take more than
/// `max_path_nodes_per_tick` nodes. Until then it has a way over doors to follow, or heads straight for its goal. No request is lost,
/// and whether there is a way at all is known at once.
///
/// *Invariant:* the answers, and the ticks they come in, follow from the requests and the map. Threads, caches and memory change nothing.
///
/// *Invariant:* in one of three ticks at least, a search that has paused goes on or, if there is none, the oldest request is begun. Lanes take turns at
/// that; a search expands at least a quarter of its share of nodes then, twice as much once an edit has made it start anew, and sixteen times as much each time again. So a request
/// with `n` older ones before it is answered after at most [`PathService::longest_wait`]`(n)` ticks, whatever priority others have.
///
/// ```
/// use waymarch::base::{cell, GridSize};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules, Stamp};
/// use waymarch::query::PathAsk;
/// use waymarch::world::{Guidance, Navigator, PathService, PathStatus};
///
/// let nav = Navigator::new(Map::flat("field", GridSize::new(64, 40)?, Rules::spec_000()), Config::default())?;
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
    pub(super) nav: Navigator,
    /// The game's own planner, if it gave one.
    custom: Option<Box<dyn Planner>>,
    requests: Slots<PathTag, Request>,
    queue: Queue,
    /// How many requests there ever were.
    numbers: u64,
    /// Nodes that earlier ticks took more than they had: searches that cannot pause.
    debt: u32,
    pace: Pace,
    lanes: Vec<Lane>,
    /// Those that have nothing to follow yet, oldest first.
    unguided: VecDeque<PathId>,
    /// Derived: how far the map's changes are known.
    known: ChangeMark,
    /// How many places had been edited since the last tick, before `known`.
    edited: u32,
    flowing: Flowing,
    batch: Batch,
    /// Memory of routes that are no longer needed. Requests without points have none.
    spare: SpareLists<WorldPos>,
    work: ServiceWork,
}

impl fmt::Debug for PathService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (requests, waiting) = (self.requests.len(), self.queue.len());
        f.debug_struct("PathService")
            .field("requests", &requests)
            .field("waiting", &waiting)
            .finish_non_exhaustive()
    }
}

impl PathService {
    /// For routes on a navigator's map.
    #[must_use]
    pub fn new(nav: Navigator) -> Self {
        let lanes = (0..nav.config().get().path_lanes).map(|_| Lane::default()).collect();
        Self {
            known: nav.layer().changes().mark_now(),
            flowing: Flowing::new(&nav),
            nav,
            custom: None,
            requests: Slots::new(),
            queue: Queue::default(),
            numbers: 0,
            debt: 0,
            pace: Pace::default(),
            lanes,
            unguided: VecDeque::new(),
            edited: 0,
            batch: Batch::default(),
            spare: SpareLists::default(),
            work: ServiceWork::default(),
        }
    }

    /// The same, with a planner of the game's own for routes, whatever their detail. It has to be given again after loading.
    #[must_use]
    pub fn with_planner(mut self, planner: Box<dyn Planner>) -> Self {
        self.custom = Some(planner);
        self
    }

    /// Gives it a planner of the game's own from now on, or takes it away.
    pub fn set_planner(&mut self, planner: Option<Box<dyn Planner>>) {
        self.custom = planner;
    }

    /// Forgets all requests, and the planner that the game gave; the navigator stays, which may be another than before. No id is given out twice.
    pub(crate) fn begin_anew(&mut self) {
        let ids: Vec<PathId> = self.requests.iter().map(|(id, _)| id).collect();
        for id in ids {
            self.cancel(id);
        }
        (self.custom, self.queue, self.debt) = (None, Queue::default(), 0);
        self.pace = Pace::default();
        self.unguided.clear();
        self.flowing = Flowing::new(&self.nav);
        self.lanes.clear();
        self.unused_lanes();
        (self.known, self.edited) = (self.nav.layer().changes().mark_now(), 0);
    }

    /// Does as the navigator's settings say, which may have changed, while its layers are the same.
    pub(crate) fn follow_settings(&mut self) {
        self.unused_lanes();
        self.flowing.follow_settings(self.nav.config().get());
    }

    /// The navigator, to look at.
    #[must_use]
    pub fn nav(&self) -> &Navigator {
        &self.nav
    }

    /// The navigator, to edit its map and to ask at once.
    pub fn nav_mut(&mut self) -> &mut Navigator {
        &mut self.nav
    }

    /// Takes a request. That there is no way at all is known at once; all else is found in one of the next ticks.
    pub fn request(&mut self, ask: PathAsk) -> PathId {
        let id = self.request_for_later(ask);
        if self.status(id) == Some(PathStatus::Pending) {
            self.unguided.push_back(id);
        }
        id
    }

    /// The same for one that needs nothing to follow before its route has been found.
    pub(super) fn request_for_later(&mut self, ask: PathAsk) -> PathId {
        let status = self.refused(&ask).map_or(PathStatus::Pending, PathReason::status);
        let end = match ask.goal {
            Goal::In(Shape::Point(to)) => to.centre(),
            ref goal => goal.shapes().first().map_or(ask.from, |shape| {
                let rect = shape.bounds();
                rect.nearest(ask.from.cell()).centre()
            }),
        };
        let (number, asked, priority) = (self.numbers, self.nav.now(), ask.priority);
        self.numbers += 1;
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
            may_share: true,
            report: None,
        };
        let Self { requests, flowing, nav, .. } = self;
        let id = requests.insert_with(|id| {
            flowing.arrived(id, &mut request, nav);
            request
        });
        if status == PathStatus::Pending {
            self.queue.push(priority, Waiting { number, id });
        }
        id
    }

    /// Why a request needs no search, if a look at a few tables says so.
    fn refused(&self, ask: &PathAsk) -> Option<PathReason> {
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
            (_, None) => Some(if field.is_passable(to) { PathReason::NoWay } else { PathReason::GoalClosed }),
            (Some(_), Some(_)) if !layer.can_stop(to, ask.agent) => Some(PathReason::GoalNoStop),
            (Some(one), Some(other)) => (one != other).then_some(PathReason::NoWay),
        }
    }

    /// Asks for a way back to a route that an edit has cut, for a unit that is at `at` and has passed all points before `next`. The old route
    /// stays to be followed until then. Whether there is such a request, with a route.
    pub fn repair(&mut self, id: PathId, at: WorldPos, next: u32) -> bool {
        let Some(request) = self.requests.get_mut(id) else { return false };
        if !request.status.has_way() || request.points.is_empty() || request.flow.is_some() {
            return false;
        }
        let passed = (next as usize).min(request.points.len() - 1);
        request.points.drain(..passed);
        request.points.insert(0, at);
        (request.ask.from, request.task, request.status) = (at, Task::Rejoin, PathStatus::Temporary);
        (request.number, request.asked) = (self.numbers, self.nav.now());
        self.numbers += 1;
        self.queue.push(request.ask.priority, Waiting { number: request.number, id });
        // A search that was made for it looks for something else.
        self.lanes.iter_mut().filter(|lane| lane.holds(id)).for_each(Lane::release);
        true
    }

    /// Forgets a request; whether there was one.
    pub fn cancel(&mut self, id: PathId) -> bool {
        let Some(mut request) = self.requests.remove(id) else { return false };
        self.flowing.gone(&mut request);
        self.spare.keep(request.points);
        true
    }

    /// How far a request has come; `None` if there is none of that name (any more).
    #[must_use]
    pub fn status(&self, id: PathId) -> Option<PathStatus> {
        self.requests.get(id).map(|request| request.status)
    }

    /// What to follow; `None` if there is no such request, or no way.
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

    /// Where a request leads in the end: its goal, or as near to it as can be.
    #[must_use]
    pub fn end(&self, id: PathId) -> Option<WorldPos> {
        self.requests.get(id).map(|request| request.end)
    }

    /// What was asked.
    #[must_use]
    pub fn ask(&self, id: PathId) -> Option<&PathAsk> {
        self.requests.get(id).map(|request| &request.ask)
    }

    /// What answered a request, why that, and what it took. For people to read: no answer depends on it, and it is not saved.
    #[must_use]
    pub fn report(&self, id: PathId) -> Option<PathReport> {
        self.requests.get(id)?.report
    }

    /// How many requests wait for their answer. Looks at all.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.requests.values().filter(|request| !request.status.is_settled()).count()
    }

    /// How many requests there are, answered or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.requests.len()
    }

    /// Whether there are no requests.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// The most ticks until a request is answered that has `older` ones before it.
    #[must_use]
    pub fn longest_wait(&self, older: u64) -> u64 {
        let config = self.nav.config().get();
        // No search expands a cell more often than from eight sides. If that takes n turns, then half of n after it has started anew once, 1/32 after
        // twice, 1/512 after that, and so on: all that edits make it throw away is less than n + n/2 + n/32 + ..., so 4 n in all is more than enough.
        let most_nodes = self.nav.layer().grid().cells() as u64 * 8 * 4;
        let per_tick = u64::from(tick::least_nodes(config));
        let turns = u64::from(pace::MOST_RESTS + 1) * u64::from(config.path_lanes.max(1));
        (older + 1).saturating_mul((most_nodes.div_ceil(per_tick) + 1).saturating_mul(turns))
    }

    /// Fills all scratch with rubbish, as other work could have left it; no answer and no hash changes. For tests.
    pub fn poison_scratch(&mut self) {
        self.lanes.iter_mut().for_each(Lane::poison);
        self.nav.poison_scratch();
    }

    /// What has been done so far, for reports.
    #[must_use]
    pub fn work(&self) -> ServiceWork {
        ServiceWork { looked_at: self.lanes.iter().map(Lane::looked_at).sum(), ..self.work }
    }
}
