//! Ways over doors for those that have to wait for their route.

use super::PathService;
use super::status::PathStatus;
use crate::planners::door_nodes;
use crate::query::{Detail, Goal, Shape, Threat};

/// The nodes of so many ticks may go to temporary ways in one: whoever has nothing to follow yet comes first.
const AT_ONCE: u32 = 2;

impl PathService {
    /// Gives ways over doors to requests that have nothing to follow and were not answered in this tick, oldest first, for as long as the budget
    /// lasts. Those that get none head straight for their goals.
    pub(super) fn guide_the_waiting(&mut self) {
        let Self { requests, unguided, nav, lanes, work, spare, .. } = self;
        let config = nav.config().get();
        if !config.async_temp_paths {
            unguided.clear();
            return;
        }
        let mut left = i64::from(config.max_path_nodes_per_tick.saturating_mul(AT_ONCE));
        while left > 0 {
            let Some(id) = unguided.pop_front() else { break };
            let Some(request) = requests.get_mut(id).filter(|request| request.status == PathStatus::Pending)
            else {
                continue;
            };
            left -= 1;
            let Goal::In(Shape::Point(to)) = request.ask.goal else { continue };
            let from = request.ask.from.cell();
            let is_far =
                request.ask.detail != Detail::Direct && nav.sectors().reachable(from, to, request.ask.agent);
            if !is_far {
                continue;
            }
            nav.prepare_for(request.ask.agent, request.ask.threat);
            let view = nav.view();
            let threat = if view.layer.threat().is_empty() { Threat::Ignore } else { request.ask.threat };
            let Ok(doors) = nav.hybrid().doors.get(view.layer, request.ask.agent, threat) else { continue };
            let Some(lane) = lanes.first_mut() else { continue };
            let tools = lane.tools();
            let (scratch, over) = tools.over_doors();
            if !doors.route_hasty(view.layer, from, to, scratch, over) {
                continue;
            }
            left -= i64::from(door_nodes(over));
            request.follow_doors(&over.cells, spare);
            work.temporary += 1;
        }
    }
}
