//! A tick of the service: requests are picked, lanes search side by side, and the answers are delivered in the order of picking.

use super::batch::{Batch, Picked};
use super::blockers::{Blockers, NoBlockers};
use super::budget::{Edited, MOST_IDLE_TICKS, least_nodes};
use super::flow::FlowContext;
use super::path_service::PathService;
use super::request::{Request, Task};
use super::request_table::RequestTable;
use super::search::{Answer, Lane, SearchContext, needs_goal_search};
use super::sharing::{NUMBERS_APART, Sharing, has_leader, serves};
use super::status::{PathId, PathStatus};
use crate::base::{Asker, Executor, Serial};
use crate::cost::ChangeMark;
use crate::nav::Navigator;
use crate::plan::work_costs::{EDIT, FAR_SEARCH_START};
use crate::planners::{Planner, PlannerChoice};
use crate::query::{Detail, Goal, Shape};

/// A lane is first to continue its paused search for 3 ticks in a row. At least one of these ticks serves requests.
const FIRST_LANE_TICKS: u64 = MOST_IDLE_TICKS as u64 + 1;

/// An exact search for each lane, if its paused search uses one for its legs. The setting `path_lanes` is at most 64.
type LegSearches = smallvec::SmallVec<[Option<PlannerChoice>; 64]>;

/// Nodes before the search for a request can pause. A search for a near goal can pause at any node.
fn start_nodes(request: &Request, nav: &Navigator) -> i64 {
    if needs_goal_search(&request.ask.goal, request.ask.avoid, request.task).is_some() {
        return 0;
    }
    let (from, to) = (request.ask.from.cell(), request.end.cell());
    let far = from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)) > nav.config().get().short_path_threshold;
    if far { FAR_SEARCH_START } else { 0 }
}

/// Whether a request must wait until the tables of its agent count as made: its route leads over doors. It has a rough route meanwhile. Only goals of one cell
/// have rough routes, so a request with another goal does not wait.
fn needs_unmade_tables(request: &Request, nav: &Navigator) -> bool {
    let over_doors = request.ask.detail == Detail::Simplified || start_nodes(request, nav) > 0;
    let has_rough_route = matches!(request.ask.goal, Goal::In(Shape::Point(_)));
    over_doors && has_rough_route && !nav.tables_are_made(request.ask.agent)
}

impl PathService {
    /// Advances the map by one tick, and serves requests within the budgets, on this thread, without units in the way.
    pub fn tick(&mut self) {
        self.tick_with(&Serial, &NoBlockers);
    }

    /// As [`PathService::tick`], on the threads of `executor`, around the units that `blockers` reports.
    pub fn tick_with(&mut self, executor: &impl Executor, blockers: &impl Blockers) {
        self.edits.update(self.nav.layer().changes());
        let (before, legs) = (self.map_version(), self.leg_searches());
        self.nav.tick();
        let edited = self.update_after_edits(before);
        self.restart_where_legs_changed(&legs);
        self.flow.clear_changed();
        self.follow_edits();
        let (cost, all) = (self.flow.update_cost(&self.nav), self.nav.config().get().max_path_nodes_per_tick);
        self.budget.schedule_flow_update(edited, cost, all);
        let threat_every = self.nav.config().get().threat_update_frequency;
        let threat_changes = self.nav.now().is_multiple_of(threat_every);
        self.in_flow_groups(|flow, context| {
            if threat_changes {
                flow.follow_observers(context);
            }
            flow.settle(context);
            flow.check_followers(context);
        });
        self.list_changed_followers();
        self.serve_requests(executor, blockers);
        self.give_interim_routes();
        self.in_flow_groups(|flow, context| flow.integrate(context));
    }

    /// Calls `phase` with the flow groups and the parts of the service that they may change.
    fn in_flow_groups(&mut self, phase: impl FnOnce(&mut super::flow::FlowGroups, &mut FlowContext<'_>)) {
        let Self { nav, requests, budget, work, flow, .. } = self;
        phase(flow, &mut FlowContext { nav, requests, budget, work });
    }

    /// The version of the ground, and the number of the last change of any kind.
    fn map_version(&self) -> (u64, ChangeMark) {
        let changes = self.nav.layer().changes();
        (changes.ground_version(), changes.mark_now())
    }

    /// Updates planners after edits and charges the work to this tick. Paused searches start again: all of them if the ground has changed. If
    /// only threat has changed since version `before`, only searches that heed threat and have read a changed cell start again.
    fn update_after_edits(&mut self, before: (u64, ChangeMark)) -> Edited {
        let (ground, mark) = before;
        let changes = self.nav.layer().changes();
        let edited = if self.edits.counted() > 0 { Edited::SinceLastTick } else { Edited::No };
        if edited == Edited::SinceLastTick || changes.ground_version() != ground {
            self.edits.update(changes);
            self.lanes.iter_mut().for_each(Lane::map_changed);
        } else if changes.mark_now() != mark {
            let (grid, map) = (changes.sectors(), self.nav.layer().grid().rect());
            let sectors = changes.since(mark);
            for lane in &mut self.lanes {
                let areas = sectors.unwrap_or_default().iter().map(|&sector| grid.area(sector));
                lane.threat_changed(areas.chain(sectors.is_none().then_some(map)));
            }
            self.edits.skip(changes);
        }
        let most = self.nav.config().get().max_path_nodes_per_tick / 2;
        self.budget.charge(self.edits.counted().saturating_mul(EDIT).min(most));
        self.edits.clear();
        self.nav.follow_planners();
        if let Some(custom) = &mut self.custom {
            custom.map_changed(&self.nav.view());
        }
        edited
    }

    /// For each lane: the exact search that finds the legs of a paused far route, or the new beginning of an old route.
    fn leg_searches(&self) -> LegSearches {
        let legs = |lane: &Lane| {
            let paused = lane.paused?;
            let request = self.requests.get(paused.id)?;
            let has_legs = paused.is_far() || request.task == Task::Rejoin;
            has_legs.then(|| self.nav.planner_for(request.ask.agent, request.ask.threat).0)
        };
        self.lanes.iter().map(legs).collect()
    }

    /// Restarts each paused search whose legs are now found by another search than `before`, because jump data were published. A route with
    /// legs from two different searches could not be found again after loading.
    fn restart_where_legs_changed(&mut self, before: &LegSearches) {
        let now = self.leg_searches();
        let changed = self.lanes.iter_mut().zip(before.iter().zip(&now)).filter(|(_, (was, is))| was != is);
        changed.for_each(|(lane, _)| lane.map_changed());
    }

    /// Serves requests in rounds until the budgets are spent. In each round every lane works on one request. Paused searches come first,
    /// then the queue. If earlier work has taken all nodes of this tick, no request is served. At least one tick in three serves requests.
    fn serve_requests(&mut self, executor: &impl Executor, blockers: &impl Blockers) {
        let config = self.nav.config().get();
        let (most, all) = (config.max_paths_per_tick as usize, config.max_path_nodes_per_tick);
        let mut left = i64::from(all) - i64::from(self.budget.debt());
        self.batch.begin(most);
        let least = i64::from(least_nodes(config));
        let next_start = self.next_start_nodes();
        let mut from = 0;
        while next_start.is_some_and(|nodes| from > 0 || self.budget.may_search(left, nodes, all)) {
            let left_for_queue = match from {
                0 => self.pick_paused(left, blockers),
                _ => {
                    self.lanes.iter_mut().for_each(Lane::clear_job);
                    left
                }
            };
            self.pick_queued(most, left_for_queue, blockers);
            self.requeue_set_aside();
            let lanes = (self.batch.picked.len() - from) as i64;
            if lanes == 0 {
                break;
            }
            self.prepare_planners(from);
            self.run_lanes(executor, (left / lanes).clamp(least, i64::from(u32::MAX)) as u32);
            left -= self.deliver(from);
            self.share_found_routes(from, most);
            from = self.batch.picked.len();
            if left <= 0 || from >= most {
                break;
            }
        }
        self.budget.set_debt((-left).clamp(0, i64::from(u32::MAX)) as u32);
    }

    /// Nodes that the next search takes before it can pause. `None` if no request waits.
    fn next_start_nodes(&self) -> Option<i64> {
        let paused = self.lanes.iter().filter(|lane| !lane.is_free());
        let least = paused.map(|lane| if lane.must_restart() { FAR_SEARCH_START } else { 1 }).min();
        least.or((self.requests.queue.len() > 0).then_some(FAR_SEARCH_START))
    }

    /// Lets lanes continue their paused searches: at least one, and all that `left` nodes suffice for. A search that must start again
    /// cannot pause at once, so its first nodes are set aside. Returns the nodes left for the queue. Lanes take turns at being first.
    fn pick_paused(&mut self, mut left: i64, blockers: &impl Blockers) -> i64 {
        let Self { lanes, requests, batch, nav, .. } = self;
        let count = lanes.len();
        let first = (nav.now().0 / FIRST_LANE_TICKS % count.max(1) as u64) as usize;
        for at in (first..count).chain(0..first) {
            let lane = &mut lanes[at];
            lane.clear_job();
            let waits = |id| {
                requests.get(id).filter(|request| !request.status.is_settled()).map(|request| (id, request))
            };
            match lane.paused.and_then(|paused| waits(paused.id)) {
                Some((id, request)) if left > 0 || batch.picked.is_empty() => {
                    left -= if lane.must_restart() { start_nodes(request, nav) } else { 0 };
                    lane.assign(id).fill(id, request, blockers);
                    batch.picked.push(Picked { id, lane: Some(at) });
                }
                Some(_) => {}
                None => lane.release(),
            }
        }
        left
    }

    /// Gives each free lane a request from the queue, while `left` nodes suffice. If no lane has a request, at least one gets one. Requests
    /// that can share a route that is being searched are set aside.
    fn pick_queued(&mut self, most: usize, mut left: i64, blockers: &impl Blockers) {
        let Self { lanes, requests: RequestTable { all, queue, .. }, batch, nav, custom, .. } = self;
        let mut waiting_for_tables = 0;
        let mut free =
            (0..lanes.len()).filter(|&at| lanes[at].is_free()).collect::<smallvec::SmallVec<[usize; 64]>>();
        free.reverse();
        while batch.picked.len() + batch.aside.len() < most + waiting_for_tables
            && (left > 0 || batch.picked.is_empty())
        {
            let Some(&lane) = free.last() else { break };
            let Some(waiting) = queue.take(batch.turn) else { break };
            // An entry is out of date if its request was cancelled, was made again, or is answered.
            let is_current =
                |request: &&Request| request.number == waiting.number && !request.status.is_settled();
            let Some(request) = all.get(waiting.id).filter(is_current) else { continue };
            if custom.is_none() && needs_unmade_tables(request, nav) {
                batch.aside.push(waiting);
                waiting_for_tables += 1;
                continue;
            }
            let paused = lanes.iter().filter_map(|lane| lane.paused.map(|paused| paused.id));
            if has_leader(paused.chain(batch.picked.iter().map(|picked| picked.id)), request, all, nav) {
                batch.aside.push(waiting);
                continue;
            }
            let nodes = start_nodes(request, nav);
            if left < nodes / 2 && !batch.picked.is_empty() {
                queue.put_back(request.ask.priority, waiting);
                break;
            }
            free.pop();
            left -= nodes;
            lanes[lane].assign(waiting.id).fill(waiting.id, request, blockers);
            lanes[lane].job.begun = nav.now();
            batch.turn += 1;
            batch.picked.push(Picked { id: waiting.id, lane: Some(lane) });
        }
    }

    /// Returns requests that were set aside to the queue.
    fn requeue_set_aside(&mut self) {
        let Self { requests: RequestTable { all, queue, .. }, batch, .. } = self;
        while let Some(waiting) = batch.aside.pop() {
            if let Some(request) = all.get(waiting.id) {
                queue.put_back(request.ask.priority, waiting);
            }
        }
    }

    /// Prepares planners for the requests picked since index `from`. The game's own planner gets the exact queries it will be asked.
    fn prepare_planners(&mut self, from: usize) {
        let Self { requests, batch, nav, custom, lanes, .. } = self;
        for picked in &batch.picked[from..] {
            let Some(request) = requests.get(picked.id) else { continue };
            nav.prepare_for(request.ask.agent, request.ask.threat);
        }
        let Some(custom) = custom else { return };
        batch.queries.clear();
        let context = search_context(nav, None);
        for picked in &batch.picked[from..] {
            if let Some(lane) = picked.lane {
                lanes[lane].queries(&context, &mut batch.queries);
            }
        }
        if !custom.heeds_asker() {
            batch.queries.iter_mut().for_each(|query| query.asker = Asker::NOBODY);
        }
        custom.prepare(&context.view, &batch.queries);
    }

    /// Runs all lanes, each with about `most` nodes.
    fn run_lanes(&mut self, executor: &impl Executor, most: u32) {
        let Self { lanes, nav, custom, .. } = self;
        let context = search_context(nav, custom.as_ref().map(|custom| &**custom as &dyn Planner));
        executor.each(lanes, |lane| lane.run(&context, most));
    }

    /// Delivers the answers to requests picked since index `from`, in order. Returns the nodes they took.
    fn deliver(&mut self, from: usize) -> i64 {
        let mut nodes = 0;
        for at in from..self.batch.picked.len() {
            let Picked { id, lane } = self.batch.picked[at];
            if let Some(lane) = lane {
                nodes += i64::from(self.lanes[lane].job.round_nodes.max(1));
                self.deliver_answer(id, lane);
            }
        }
        nodes
    }

    /// Writes the answer of a lane to its request.
    fn deliver_answer(&mut self, id: PathId, lane: usize) {
        let Self { lanes, requests: RequestTable { all, spare, .. }, nav, work, flow, .. } = self;
        let (job, Some(request)) = (&lanes[lane].job, all.get_mut(id)) else { return };
        work.nodes += u64::from(job.round_nodes);
        let status = match job.answer {
            // The unit still follows its old route, if it has one.
            Answer::Paused | Answer::NotBegun => {
                request.task = job.task;
                work.pauses += 1;
                let doors = lanes[lane].door_route();
                if request.status == PathStatus::Pending && request.points.is_empty() && doors.len() > 1 {
                    request.follow_doors(doors, spare);
                    work.temporary += 1;
                }
                return;
            }
            Answer::Found => PathStatus::Complete,
            Answer::Nearest(reason) => PathStatus::Partial(reason),
            Answer::None(reason) => reason.status(),
        };
        request.settle(status, job.end, &job.points, spare);
        request.end_exactly(nav);
        request.report = Some(job.report(request.asked, nav.now()));
        flow.count_answered(request);
        work.answered += 1;
    }

    /// Offers the routes found for requests picked since index `from` to neighbours, up to `most` answers in this tick.
    fn share_found_routes(&mut self, from: usize, most: usize) {
        let Self { requests, nav, flow, work, batch: Batch { picked, sharing: near, .. }, .. } = self;
        let mut sharing = Sharing { requests, nav, flow, work };
        near.reserve(2 * NUMBERS_APART as usize + 1);
        for at in from..picked.len() {
            let leader = picked[at].id;
            let RequestTable { all, queue, .. } = &*sharing.requests;
            let Some(found) = all.get(leader).filter(|found| found.status == PathStatus::Complete) else {
                continue;
            };
            near.clear();
            near.extend(queue.near(found.number, NUMBERS_APART).filter(|waiting| {
                let request = all.get(waiting.id).filter(|request| request.number == waiting.number);
                request.is_some_and(|request| !request.status.is_settled() && serves(found, request, nav))
            }));
            for waiting in near.iter() {
                if picked.len() >= most {
                    break;
                }
                if sharing.share(waiting.id, leader) {
                    picked.push(Picked { id: waiting.id, lane: None });
                } else if let Some(request) = sharing.requests.get_mut(waiting.id) {
                    request.may_share = false;
                }
            }
        }
    }
}

/// What lanes read in this tick.
fn search_context<'a>(nav: &'a Navigator, custom: Option<&'a dyn Planner>) -> SearchContext<'a> {
    let view = nav.view();
    SearchContext { view, hybrid: nav.hybrid(), custom, smoothing: view.config.smoothing() }
}
