//! A tick of the service: who is served is settled, all are served side by side, and what was found is delivered in order.

use alloc::vec::Vec;

use super::blockers::{Blockers, NoBlockers};
use super::detour::NEAR;
use super::job::{Answer, Job, wants};
use super::lane::Lane;
use super::pace::{Edited, MOST_RESTS};
use super::request::{Request, Task};
use super::serve::{Service, answered};
use super::sharing::has_leader;
use super::status::PathStatus;
use super::{PathId, PathService, Waiting};
use crate::base::{CellPos, CellRect, Executor, Serial, WorldPos};
use crate::config::Config;
use crate::cost::ChangeMark;
use crate::planners::{PlanView, Planner};
use crate::query::{BlockedBy, Occupied, PathQuery};
use crate::world::navigator::Navigator;
use crate::world::spare_lists::SpareLists;

/// What a service has done so far. For people to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ServiceWork {
    /// Requests answered.
    pub answered: u64,
    /// Of those, by a neighbour's route.
    pub shared: u64,
    /// Nodes counted for them.
    pub nodes: u64,
    /// Ticks in which a search paused, for each search.
    pub pauses: u64,
    /// Ways over doors given to those that had to wait.
    pub temporary: u64,
    /// What was looked at to find the nearest place for those who cannot get where they want to: parts of blocks and of sectors, and cells.
    /// Remembered places add nothing, so this says what was asked before; it begins anew where a World is loaded.
    pub looked_at: u64,
}

/// As many nodes take as long as following an edit of one place takes: routes are looked at, doors, planes and flows follow.
const EDIT_NODES: u32 = 1536;

/// Room is made for so many requests a tick at once.
const MANY: usize = 64;

/// Nodes before the search for a far route can pause: it has to know its way over doors first.
const FAR_BEGINS: i64 = 2048;

/// Nodes before the search for a request can pause. Those for near goals can at any time.
fn begin_nodes(request: &Request, nav: &Navigator) -> i64 {
    if wants(&request.ask.goal, request.ask.avoid, request.task).is_some() {
        return 0;
    }
    let (from, to) = (request.ask.from.cell(), request.end.cell());
    let far = from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)) > nav.config().get().short_path_threshold;
    if far { FAR_BEGINS } else { 0 }
}

/// A request of this tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked {
    pub(super) id: PathId,
    /// The number of the lane that does it; `None` if it was given a neighbour's route.
    pub(super) lane: Option<usize>,
}

/// Scratch: the requests of a tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    pub(super) picked: Vec<Picked>,
    queries: Vec<PathQuery>,
    /// Those who wait for the route of a neighbour that is being found, in a round.
    aside: Vec<Waiting>,
    /// Those whom a route that was found may serve.
    pub(super) near: Vec<Waiting>,
    /// How many were taken from the queue by a lane.
    turn: u32,
}

/// The nodes that a search which has paused may expand in a tick, however much others have taken.
pub(super) fn least_nodes(config: &Config) -> u32 {
    (config.max_path_nodes_per_tick / (4 * config.path_lanes.max(1))).max(1)
}

impl PathService {
    /// One tick passes: the map's clock goes on, and as many requests are served as there may be, on this thread, with no units in the way.
    pub fn tick(&mut self) {
        self.tick_with(&Serial, &NoBlockers);
    }

    /// The same, on the threads of `executor`, for a world with units.
    pub fn tick_with(&mut self, executor: &impl Executor, blockers: &impl Blockers) {
        self.note_edits();
        let (ground, mark) = self.map_version();
        self.nav.tick();
        let edited = self.follow_map(ground, mark);
        self.pace_flows(edited);
        self.settle_groups();
        self.lead_strays();
        self.serve(executor, blockers);
        self.guide_the_waiting();
        self.tend_flows();
    }

    /// How many places have been edited since the last tick.
    pub(crate) fn edits(&self) -> u32 {
        let since = self.nav.layer().changes().count_since(self.known);
        self.edited.saturating_add(u32::try_from(since).unwrap_or(u32::MAX))
    }

    fn note_edits(&mut self) {
        (self.edited, self.known) = (self.edits(), self.nav.layer().changes().mark_now());
    }

    /// By which one sees whether the ground has changed, and how far all changes are known.
    fn map_version(&self) -> (u64, ChangeMark) {
        let changes = self.nav.layer().changes();
        (changes.ground_version(), changes.mark_now())
    }

    /// Lets planners follow edits, which counts as work of this tick. Searches that have paused start anew: all if the ground has changed; if
    /// only threat shows otherwise than it did at `mark`, those that pay for it and have looked there.
    fn follow_map(&mut self, ground: u64, mark: ChangeMark) -> Edited {
        let changes = self.nav.layer().changes();
        let edited = if self.edited > 0 { Edited::Now } else { Edited::Not };
        if self.edited > 0 || changes.ground_version() != ground {
            self.note_edits();
            self.lanes.iter_mut().for_each(Lane::map_changed);
        } else if changes.mark_now() != mark {
            let (grid, everything) = (changes.sectors(), self.nav.layer().grid().rect());
            let sectors = changes.since(mark);
            for lane in &mut self.lanes {
                let areas = sectors.unwrap_or_default().iter().map(|&sector| grid.area(sector));
                lane.threat_changed(areas.chain(sectors.is_none().then_some(everything)));
            }
            self.known = changes.mark_now();
        }
        let most = self.nav.config().get().max_path_nodes_per_tick / 2;
        let took = core::mem::take(&mut self.edited).saturating_mul(EDIT_NODES).min(most);
        self.debt = self.debt.saturating_add(took);
        self.nav.follow_planners();
        if let Some(custom) = &mut self.custom {
            custom.map_changed(&self.nav.view());
        }
        edited
    }

    /// Serves requests in rounds, for as long as the budgets last: in each, every lane does one, side by side. First come the searches that
    /// have paused, then whoever is next. Where earlier work has taken all of a tick nobody is served, but for one tick in some.
    fn serve(&mut self, executor: &impl Executor, blockers: &impl Blockers) {
        let config = self.nav.config().get();
        let (most, all) = (config.max_paths_per_tick as usize, config.max_path_nodes_per_tick);
        let mut left = i64::from(all) - i64::from(self.debt);
        self.batch.picked.clear();
        self.batch.picked.reserve(most.min(MANY));
        self.batch.aside.reserve(most.min(MANY));
        self.batch.turn = 0;
        let least = i64::from(least_nodes(config));
        let next = self.next_begins();
        let mut from = 0;
        while next.is_some_and(|takes| from > 0 || self.pace.serves(left, takes, all)) {
            let room = match from {
                0 => self.pick_held(left, blockers),
                _ => {
                    self.lanes.iter_mut().for_each(Lane::rest);
                    left
                }
            };
            self.pick(most, room, blockers);
            self.take_back();
            let lanes = (self.batch.picked.len() - from) as i64;
            if lanes == 0 {
                break;
            }
            self.prepare(from);
            self.run_lanes(executor, (left / lanes).clamp(least, i64::from(u32::MAX)) as u32);
            left -= self.deliver(from);
            self.share_out(from, most);
            from = self.batch.picked.len();
            if left <= 0 || from >= most {
                break;
            }
        }
        self.debt = (-left).clamp(0, i64::from(u32::MAX)) as u32;
    }

    /// What the search that is next takes before it can pause; `None` if nobody waits.
    fn next_begins(&self) -> Option<i64> {
        let held = self.lanes.iter().filter(|lane| !lane.is_free());
        let least = held.map(|lane| if lane.begins_anew() { FAR_BEGINS } else { 1 }).min();
        least.or((self.queue.len() > 0).then_some(FAR_BEGINS))
    }

    /// Gives lanes that hold a search that job, at least one, and as many as can go on with `left` nodes: those that begin anew cannot pause at
    /// once. Gives how many nodes are left for others. Lanes take turns at being the first.
    fn pick_held(&mut self, mut left: i64, blockers: &impl Blockers) -> i64 {
        // No tick in so many is without service.
        const TURN: u64 = MOST_RESTS as u64 + 1;
        let Self { lanes, requests, batch, nav, .. } = self;
        let count = lanes.len();
        let first = (nav.now().0 / TURN % count.max(1) as u64) as usize;
        for at in (first..count).chain(0..first) {
            let lane = &mut lanes[at];
            lane.rest();
            let waits = |id| {
                requests.get(id).filter(|request| !request.status.is_settled()).map(|request| (id, request))
            };
            match lane.held.and_then(|held| waits(held.id)) {
                Some((id, request)) if left > 0 || batch.picked.is_empty() => {
                    left -= if lane.begins_anew() { begin_nodes(request, nav) } else { 0 };
                    fill(lane.take(id), id, request, blockers);
                    batch.picked.push(Picked { id, lane: Some(at) });
                }
                Some(_) => {}
                None => lane.release(),
            }
        }
        left
    }

    /// Gives free lanes a job each, as many as can begin with `left` nodes, and one if no lane has any. Those who can share a route that is
    /// being found are put aside.
    fn pick(&mut self, most: usize, mut left: i64, blockers: &impl Blockers) {
        let Self { lanes, requests, queue, batch, nav, .. } = self;
        let mut free =
            (0..lanes.len()).filter(|&at| lanes[at].is_free()).collect::<smallvec::SmallVec<[usize; 64]>>();
        free.reverse();
        while batch.picked.len() + batch.aside.len() < most && (left > 0 || batch.picked.is_empty()) {
            let Some(&lane) = free.last() else { break };
            let Some(waiting) = queue.take(batch.turn) else { break };
            // Cancelled, asked for anew under another number, or answered in another way.
            let still = |request: &&Request| request.number == waiting.number && !request.status.is_settled();
            let Some(request) = requests.get(waiting.id).filter(still) else { continue };
            let held = lanes.iter().filter_map(|lane| lane.held.map(|held| held.id));
            if has_leader(held.chain(batch.picked.iter().map(|picked| picked.id)), request, requests, nav) {
                batch.aside.push(waiting);
                continue;
            }
            let takes = begin_nodes(request, nav);
            if left < takes / 2 && !batch.picked.is_empty() {
                queue.put_back(request.ask.priority, waiting);
                break;
            }
            free.pop();
            left -= takes;
            fill(lanes[lane].take(waiting.id), waiting.id, request, blockers);
            lanes[lane].job.begun = nav.now();
            batch.turn += 1;
            batch.picked.push(Picked { id: waiting.id, lane: Some(lane) });
        }
    }

    /// Puts back into the queue who was put aside.
    fn take_back(&mut self) {
        let Self { requests, queue, batch, .. } = self;
        while let Some(waiting) = batch.aside.pop() {
            if let Some(request) = requests.get(waiting.id) {
                queue.put_back(request.ask.priority, waiting);
            }
        }
    }

    /// Makes ready what the requests picked since `from` need. A planner of the game's own is told the very questions it will be asked.
    fn prepare(&mut self, from: usize) {
        let Self { requests, batch, nav, custom, lanes, .. } = self;
        for picked in &batch.picked[from..] {
            let Some(request) = requests.get(picked.id) else { continue };
            nav.prepare_for(request.ask.agent, request.ask.threat);
        }
        let Some(custom) = custom else { return };
        batch.queries.clear();
        let view = nav.view();
        let service =
            Service { view, hybrid: nav.hybrid(), custom: None, smoothing: view.config.smoothing() };
        for picked in &batch.picked[from..] {
            if let Some(lane) = picked.lane {
                lanes[lane].questions(&service, &mut batch.queries);
            }
        }
        custom.prepare(&view, &batch.queries);
    }

    /// Lets all lanes do their jobs.
    fn run_lanes(&mut self, executor: &impl Executor, most: u32) {
        let Self { lanes, nav, custom, .. } = self;
        let view: PlanView<'_> = nav.view();
        let custom = custom.as_ref().map(|custom| &**custom as &dyn Planner);
        let service = Service { view, hybrid: nav.hybrid(), custom, smoothing: view.config.smoothing() };
        executor.each(lanes, |lane| lane.run(&service, most));
    }

    /// Takes up what was found for the requests picked since `from`, in order; how many nodes they took.
    fn deliver(&mut self, from: usize) -> i64 {
        let mut nodes = 0;
        for at in from..self.batch.picked.len() {
            let Picked { id, lane } = self.batch.picked[at];
            if let Some(lane) = lane {
                nodes += i64::from(self.lanes[lane].job.round.max(1));
                self.take_up(id, lane);
            }
        }
        nodes
    }

    /// Takes up what a lane found for a request.
    fn take_up(&mut self, id: PathId, lane: usize) {
        let Self { lanes, requests, nav, work, flowing, spare, .. } = self;
        let (job, Some(request)) = (&lanes[lane].job, requests.get_mut(id)) else { return };
        work.nodes += u64::from(job.round);
        let status = match job.answer {
            // The old route, if there is one, is still to be followed.
            Answer::Paused | Answer::Waits => {
                request.task = job.task;
                work.pauses += 1;
                let over = lanes[lane].way_over_doors();
                if request.status == PathStatus::Pending && request.points.is_empty() && over.len() > 1 {
                    request.follow_doors(over, spare);
                    work.temporary += 1;
                }
                return;
            }
            Answer::Found => PathStatus::Complete,
            Answer::Nearest(reason) => PathStatus::Partial(reason),
            Answer::None(reason) => reason.status(),
        };
        request.settle(status, job, spare);
        request.report = Some(answered(job, request.asked, nav.now()));
        flowing.settled(request);
        work.answered += 1;
    }
}

impl Request {
    /// Has a way over doors to follow while it waits for its route.
    pub(super) fn follow_doors(&mut self, over: &[CellPos], spare: &mut SpareLists<WorldPos>) {
        self.make_room(over.len() + 1, spare);
        self.points.push(self.ask.from);
        self.points.extend(over.iter().skip(1).map(|at| at.centre()));
        self.status = PathStatus::Temporary;
    }

    /// An empty list of points with room for so many.
    fn make_room(&mut self, len: usize, spare: &mut SpareLists<WorldPos>) {
        self.points.clear();
        if self.points.capacity() < len {
            spare.keep(core::mem::take(&mut self.points));
            self.points = spare.take(len);
        }
    }

    /// Takes over what a job has found. A copy: lanes keep the memory that has grown for them.
    fn settle(&mut self, status: PathStatus, job: &Job, spare: &mut SpareLists<WorldPos>) {
        (self.status, self.task) = (status, Task::Find);
        self.end = job.end;
        if status.has_way() {
            self.make_room(job.points.len(), spare);
            self.points.extend_from_slice(&job.points);
        } else {
            spare.keep(core::mem::take(&mut self.points));
        }
    }
}

/// Room for so many cells with units is made at once.
pub(super) const AROUND: usize = 2048;

/// What a lane has to know of a request.
fn fill(job: &mut Job, id: PathId, request: &Request, blockers: &impl Blockers) {
    let ask = &request.ask;
    job.from = ask.from;
    job.goal.clone_from(&ask.goal);
    (job.agent, job.threat, job.detail) = (ask.agent, ask.threat, ask.detail);
    (job.when_unreachable, job.avoid, job.task) = (ask.when_unreachable, ask.avoid, request.task);
    job.points.extend_from_slice(&request.points);
    if ask.blocked_by != BlockedBy::None {
        job.occupied.reserve(AROUND);
        let at: CellPos = ask.from.cell();
        blockers.near(id, at, NEAR as i32, ask.blocked_by, &mut job.occupied);
        // A broad unit keeps its whole breadth clear of others.
        let (north_west, south_east) = (ask.agent.size.reach_north_west(), ask.agent.size.reach_south_east());
        if north_west + south_east > 0 {
            for index in 0..job.occupied.len() {
                let kept_clear = CellRect::at(job.occupied[index], 1, 1).grow(south_east, north_west);
                job.occupied.extend(kept_clear.cells());
            }
        }
        job.occupied.retain(|&cell| cell != at);
        job.occupied.sort_unstable_by_key(|&cell| Occupied::order(cell));
        job.occupied.dedup();
    }
}
