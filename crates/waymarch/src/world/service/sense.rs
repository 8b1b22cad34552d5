//! Whether requests that were read make sense: for each other, and on the map they are for.
//!
//! Whatever could not have come about is refused before anything is taken over, so that nothing behind has to reckon with it.

use alloc::vec::Vec;

use super::flowing::FlowGroup;
use super::request::{Request, Task};
use super::save::{MapFacts, ServiceState};
use super::status::{PathId, PathStatus};
use crate::base::WorldPos;
use crate::plan::{Destination, Stage};
use crate::query::{Goal, Shape};

impl ServiceState {
    /// What of it makes no sense, if something does not. Costs a few sorts of as many as there are requests.
    pub(super) fn nonsense(&self, map: &MapFacts<'_>) -> Option<&'static str> {
        let of_requests = self.requests.values().find_map(|request| request.nonsense(map));
        of_requests
            .or_else(|| self.taken_up_twice())
            .or_else(|| self.lanes_off_the_map(map))
            .or_else(|| self.counted_wrong())
            .or_else(|| self.led_astray(map))
    }

    fn taken_up_twice(&self) -> Option<&'static str> {
        let mut numbers: Vec<u64> = self.requests.values().map(|request| request.number).collect();
        if has_twins(&mut numbers) {
            return Some("two requests with one number");
        }
        let held = self.lanes.iter().filter_map(|lane| lane.held.map(|held| held.id));
        let held = held.filter(|&id| self.requests.contains(id));
        let of_queue = self.queue.iter().filter(|waiting| {
            self.requests.get(waiting.id).is_some_and(|request| request.number == waiting.number)
        });
        let mut holders: Vec<PathId> = held.chain(of_queue.map(|waiting| waiting.id)).collect();
        has_twins(&mut holders).then_some("a request that would be taken up twice")
    }

    fn lanes_off_the_map(&self, map: &MapFacts<'_>) -> Option<&'static str> {
        let all = map.grid.rect();
        let is_off = |held: super::lane::Held| held.looked.intersect(all) != held.looked;
        let off = self.lanes.iter().filter_map(|lane| lane.held).any(is_off);
        off.then_some("a search that has looked at places off the map")
    }

    /// Whether requests are counted as the groups say.
    fn counted_wrong(&self) -> Option<&'static str> {
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
        for (to, group) in self.flowing.grouping.decisions() {
            let (pending, live) = (take(to, Stage::Pending), take(to, Stage::Live));
            if (pending, live) != ((group.pending.into(), true), (group.live.into(), true)) {
                return Some("a group that counts other requests than there are");
            }
        }
        (!rest.is_empty()).then_some("a request that no group counts")
    }

    /// Whether units set out from the map, and routes are no more than they can be.
    fn led_astray(&self, map: &MapFacts<'_>) -> Option<&'static str> {
        let is_wrong = |group: &FlowGroup| {
            group.served.iter().any(|served| !map.grid.contains(served.from))
                || group.routes.len() > group.served.len()
                || !(map.has_costs)(group.to.agent)
        };
        self.flowing.groups.iter().any(is_wrong).then_some("a group that sets out from nowhere")
    }
}

/// Whether something is there twice.
fn has_twins<T: Ord>(all: &mut [T]) -> bool {
    all.sort_unstable();
    all.windows(2).any(|pair| pair[0] == pair[1])
}

impl Request {
    fn nonsense(&self, map: &MapFacts<'_>) -> Option<&'static str> {
        let Self { ask, status, task, points, flow, counted, end, .. } = self;
        if let PathStatus::Failed(_) = status {
            // Whatever was asked, it was refused as what it is.
            let is_bare = points.is_empty() && flow.is_none() && counted.is_none();
            return (!is_bare).then_some("a request that was refused, and has a way");
        }
        let on_map = |at: &WorldPos| map.grid.contains(at.cell());
        let is_plain = matches!(ask.goal, Goal::In(Shape::Point(_)));
        if !(map.has_costs)(ask.agent) {
            Some("a request for a locomotor or size without costs")
        } else if !on_map(&ask.from) {
            Some("a request that starts off the map")
        } else if ask.goal.validate(map.grid).is_err() {
            Some("a request whose goal makes no sense on the map")
        } else if !points.iter().all(on_map) || status.has_way() && !on_map(end) {
            Some("a route that leaves the map")
        } else if *task == Task::Rejoin && (*status != PathStatus::Temporary || points.is_empty()) {
            Some("a route to be mended that is not there")
        } else if flow.is_some()
            && (*status != PathStatus::Complete || !is_plain || !points.is_empty() || !ask.avoid.is_empty())
        {
            Some("a request that follows a flow and something else")
        } else if counted.is_some_and(|(to, stage)| {
            to.agent != ask.agent
                || !is_plain
                || !ask.avoid.is_empty()
                || stage == Stage::Pending && status.is_settled()
        }) {
            Some("a request that is counted as what it is not")
        } else {
            None
        }
    }
}
