//! Checks whether a service could have reached a state on a map.
//!
//! Loaded bytes are checked before anything is taken over. So the rest of the service never meets an impossible state. Debug builds make
//! the same checks of requests, paused searches and flow groups after every tick of a World, and all of them every few ticks.

use alloc::vec::Vec;

use super::flow::{FlowGroup, FlowGroups, check_flows};
use super::path_service::PathService;
use super::queue::Queue;
use super::request::{Request, Task};
use super::request_table::RequestTable;
use super::search::Lane;
use super::state::ServiceState;
use super::status::{PathId, PathStatus, PathTag};
use crate::base::{Slots, Vec2};
use crate::flow::tiles::TileFlowsState;
use crate::nav::MapFacts;
use crate::plan::{Destination, Grouping, Stage};
use crate::query::{Goal, Shape};

/// The setting `path_lanes` is at most 64.
const MAX_LANES: usize = 64;

/// The parts of a service that are checked together.
struct CheckedService<'a> {
    requests: &'a Slots<PathTag, Request>,
    queue: &'a Queue,
    lanes: &'a [Lane],
    grouping: &'a Grouping,
    groups: &'a [FlowGroup],
    flows: &'a TileFlowsState,
}

impl ServiceState {
    /// What is wrong with the state, if anything, apart from flows and their groups. Costs a few sorts of lists as long as the number of requests.
    pub(super) fn fault(&self, map: &impl MapFacts) -> Option<&'static str> {
        let Self { requests, queue, lanes, flow, .. } = self;
        let (grouping, groups, flows) = (&flow.grouping, &*flow.groups, flow.flows());
        CheckedService { requests, queue, lanes, grouping, groups, flows }.fault(map)
    }
}

impl CheckedService<'_> {
    fn fault(&self, map: &impl MapFacts) -> Option<&'static str> {
        if self.lanes.len() > MAX_LANES {
            return Some("more than 64 search lanes");
        }
        if !self.grouping.is_ordered() {
            return Some("the groups of requests are not in order");
        }
        if !self.queue.is_ordered() {
            return Some("a request queue that is not in the order of request numbers");
        }
        let has_no_flow = |request: &Request| request.flow.is_some_and(|flow| !self.flows.has(flow));
        if self.requests.values().any(has_no_flow) {
            return Some("a request that follows a flow which does not exist");
        }
        if self.queue.numbers_given() > u64::MAX / 2 {
            return Some("a request count above 2^63");
        }
        if self.has_lost_request() {
            return Some("a waiting request that is neither in the queue nor in a lane");
        }
        fault_of_each(self.requests, self.lanes, self.groups, map)
            .or_else(|| self.duplicate())
            .or_else(|| self.miscount())
    }

    /// Whether there is a waiting request that no lane would ever take.
    fn has_lost_request(&self) -> bool {
        let queued = self.queue.iter().map(|waiting| (waiting.id, waiting.number));
        let held = self.lanes.iter().filter_map(|lane| lane.paused.map(|paused| paused.id));
        let held = held.filter_map(|id| self.requests.get(id).map(|request| (id, request.number)));
        let mut taken_up: Vec<(PathId, u64)> = queued.chain(held).collect();
        taken_up.sort_unstable();
        let waits = |request: &Request| !request.status.is_settled();
        self.requests.iter().any(|(id, request)| {
            request.number >= self.queue.numbers_given()
                || waits(request) && taken_up.binary_search(&(id, request.number)).is_err()
        })
    }

    fn duplicate(&self) -> Option<&'static str> {
        let mut numbers: Vec<u64> = self.requests.values().map(|request| request.number).collect();
        if has_duplicates(&mut numbers) {
            return Some("two requests with the same number");
        }
        let held = self.lanes.iter().filter_map(|lane| lane.paused.map(|paused| paused.id));
        let held = held.filter(|&id| self.requests.contains(id));
        let of_queue = self.queue.iter().filter(|waiting| {
            self.requests.get(waiting.id).is_some_and(|request| request.number == waiting.number)
        });
        let mut holders: Vec<PathId> = held.chain(of_queue.map(|waiting| waiting.id)).collect();
        has_duplicates(&mut holders).then_some("a request that is twice in the queue or in lanes")
    }

    /// Checks that the counts of each destination equal the number of requests that are counted for it.
    fn miscount(&self) -> Option<&'static str> {
        let mut counted: Vec<(Destination, Stage)> =
            self.requests.values().filter_map(|request| request.counted).collect();
        counted.sort_unstable();
        let mut rest = counted.as_slice();
        let mut take = |to: Destination, stage: Stage| {
            let many = rest.partition_point(|&other| other <= (to, stage));
            let (these, others) = rest.split_at(many);
            rest = others;
            (these.len() as u64, these.iter().all(|&other| other == (to, stage)))
        };
        for (to, group) in self.grouping.decisions() {
            let (pending, live) = (take(to, Stage::Pending), take(to, Stage::Live));
            if (pending, live) != ((group.pending.into(), true), (group.live.into(), true)) {
                return Some("a destination whose count differs from its requests");
            }
        }
        (!rest.is_empty()).then_some("a counted request without a destination")
    }
}

impl PathService {
    /// What loading would find wrong with a request, a paused search or a flow group by itself, if anything. Costs time linear in the points of
    /// all routes, and no memory.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        fault_of_each(&self.requests.all, &self.lanes, &self.flow.groups, &self.nav)
    }

    /// What loading would find wrong with the whole service, if anything. Allocates, and costs as much as saving all flows.
    pub(crate) fn whole_fault(&self) -> Option<&'static str> {
        let FlowGroups { grouping, groups, flows, .. } = &self.flow;
        let flows = &flows.state(self.nav.layer());
        let RequestTable { all: requests, queue, .. } = &self.requests;
        let service = CheckedService { requests, queue, lanes: &self.lanes, grouping, groups, flows };
        check_flows(groups, flows, &self.nav).err().or_else(|| service.fault(&self.nav))
    }
}

/// What is wrong with a request, a paused search or a flow group by itself, if anything.
fn fault_of_each(
    requests: &Slots<PathTag, Request>,
    lanes: &[Lane],
    groups: &[FlowGroup],
    map: &impl MapFacts,
) -> Option<&'static str> {
    let of_requests = requests.values().find_map(|request| request.fault(map));
    of_requests.or_else(|| lane_off_map(lanes, map)).or_else(|| bad_group(groups, map))
}

fn lane_off_map(lanes: &[Lane], map: &impl MapFacts) -> Option<&'static str> {
    let cells = map.grid().rect();
    let explored = lanes.iter().filter_map(|lane| Some(lane.paused?.explored));
    let mut off_map = explored.filter(|explored| explored.intersect(cells) != *explored);
    off_map.next().map(|_| "a paused search that has read cells off the map")
}

/// Checks that groups start on the map, and have at most one route for each room.
fn bad_group(groups: &[FlowGroup], map: &impl MapFacts) -> Option<&'static str> {
    let is_bad = |group: &FlowGroup| {
        group.served.iter().any(|served| !map.grid().contains(served.from))
            || group.routes.len() > group.served.len()
            || !map.has_costs(group.to.agent)
    };
    let fault = "a flow group that starts off the map, has too many routes, or has an agent without costs";
    groups.iter().any(is_bad).then_some(fault)
}

/// Sorts a list, and says whether it contains a value twice.
fn has_duplicates<T: Ord>(all: &mut [T]) -> bool {
    all.sort_unstable();
    all.windows(2).any(|pair| pair[0] == pair[1])
}

impl Request {
    /// What is wrong with the request, if anything.
    fn fault(&self, map: &impl MapFacts) -> Option<&'static str> {
        let Self { ask, status, task, asked, points, flow, counted, end, exact, .. } = self;
        if *asked > map.now() {
            return Some("a request that was made in the future");
        }
        if let PathStatus::Failed(_) = status {
            // A request that is not valid may ask for anything.
            let is_bare = points.is_empty() && flow.is_none() && counted.is_none();
            return (!is_bare).then_some("a failed request with a route, a flow or a destination");
        }
        let grid = map.grid();
        let on_map = |at: &Vec2| grid.contains(at.cell());
        let is_point = matches!(ask.goal, Goal::In(Shape::Point(_)));
        if !map.has_costs(ask.agent) {
            Some("a request for a locomotor or size without costs")
        } else if !on_map(&ask.from) {
            Some("a request that starts off the map")
        } else if ask.goal.validate(grid).is_err() {
            Some("a request whose goal is not valid on the map")
        } else if exact.is_some_and(|exact| ask.goal != Goal::point(exact.cell())) {
            Some("a request with an exact end outside of its goal")
        } else if !points.iter().all(on_map) || status.has_route() && !on_map(end) {
            Some("a route that leaves the map")
        } else if *task == Task::Rejoin && (*status != PathStatus::Temporary || points.is_empty()) {
            Some("a request that rejoins a route it does not have")
        } else if flow.is_some()
            && (*status != PathStatus::Complete || !is_point || !points.is_empty() || !ask.avoid.is_empty())
        {
            Some("a request that follows a flow and a route")
        } else if counted.is_some_and(|(to, stage)| {
            to.agent != ask.agent
                || !is_point
                || !ask.avoid.is_empty()
                || stage == Stage::Pending && status.is_settled()
        }) {
            Some("a request that is counted for a wrong destination or stage")
        } else {
            None
        }
    }
}
