//! Ways over doors for those that have to wait for their route.

use alloc::vec::Vec;

use super::request::Request;
use super::sharing::leads;
use super::status::{PathStatus, PathTag};
use super::{PathId, PathService};
use crate::base::{Slots, WorldPos};
use crate::plan::GroupMode;
use crate::planners::door_nodes;
use crate::query::{Detail, Goal, Shape, Threat};
use crate::world::navigator::Navigator;
use crate::world::spare_lists::SpareLists;

/// Of the nodes of a tick, one in so many is taken at most for temporary ways of the one before.
const SHARE: u32 = 4;

impl PathService {
    /// Gives ways over doors to requests that have nothing to follow and were not answered in this tick, oldest first, for as long as the budget
    /// lasts. Those that get none head straight for their goals.
    pub(super) fn guide_the_waiting(&mut self) {
        let joins_wait = self.joins_wait();
        let Self { requests, unguided, nav, lanes, work, spare, debt, flowing, .. } = self;
        let config = nav.config().get();
        if !config.async_temp_paths {
            unguided.clear();
            return;
        }
        let all = config.max_path_nodes_per_tick;
        // As much as all else may take: whoever has nothing to follow yet comes first.
        let budget = i64::from(all);
        let (mut left, mut before) = (budget, None);
        let mut later = 0;
        while left > 0 && unguided.len() > later {
            let Some(id) = unguided.pop_front() else { break };
            let Some(request) = requests.get(id).filter(|request| request.status == PathStatus::Pending)
            else {
                continue;
            };
            left -= 1;
            let joins = |(to, _)| flowing.grouping.decision(to).mode == GroupMode::FlowField;
            if joins_wait && request.counted.is_some_and(joins) {
                // A flow leads it from the next tick on.
                unguided.push_back(id);
                later += 1;
                continue;
            }
            let Goal::In(Shape::Point(to)) = request.ask.goal else { continue };
            let from = request.ask.from.cell();
            let is_far = request.ask.detail != Detail::Direct
                && request.ask.avoid.is_empty()
                && nav.sectors().reachable(from, to, request.ask.agent);
            if !is_far {
                continue;
            }
            if let Some(points) = before.and_then(|before| neighbours_way(before, id, requests, nav, spare)) {
                if let Some(request) = requests.get_mut(id) {
                    spare.keep(core::mem::replace(&mut request.points, points));
                    request.status = PathStatus::Temporary;
                }
                work.temporary += 1;
                continue;
            }
            let (agent, threat) = (request.ask.agent, request.ask.threat);
            nav.prepare_for(agent, threat);
            let view = nav.view();
            let threat = if view.layer.threat().is_empty() { Threat::Ignore } else { threat };
            let Ok(doors) = nav.hybrid().doors.get(view.layer, agent, threat) else { continue };
            let Some(lane) = lanes.first_mut() else { continue };
            let tools = lane.tools();
            let (scratch, over) = tools.over_doors();
            if !doors.route_hasty(view.layer, from, to, scratch, over) {
                continue;
            }
            left -= i64::from(door_nodes(over));
            let Some(request) = requests.get_mut(id) else { continue };
            request.follow_doors(&over.cells, spare);
            work.temporary += 1;
            before = Some(id);
        }
        // Routes have less in the next tick, but most of it is theirs however many are to be guided.
        let took = u32::try_from(budget - left).unwrap_or(u32::MAX);
        *debt = debt.saturating_add(took.min(all / SHARE));
    }
}

/// The way over doors that was just found for a neighbour, from where `id` is to its own goal; `None` if it does not suit.
fn neighbours_way(
    before: PathId,
    id: PathId,
    requests: &Slots<PathTag, Request>,
    nav: &Navigator,
    spare: &mut SpareLists<WorldPos>,
) -> Option<Vec<WorldPos>> {
    let (found, request) = (requests.get(before)?, requests.get(id)?);
    let room = |request: &Request| nav.sectors().room(request.ask.from.cell(), request.ask.agent);
    if !leads(found, request, nav) || room(found) != room(request) {
        return None;
    }
    let [_, doors @ .., _] = found.points.as_slice() else { return None };
    let mut points = spare.take(doors.len() + 2);
    points.push(request.ask.from);
    points.extend_from_slice(doors);
    points.push(request.end);
    Some(points)
}
