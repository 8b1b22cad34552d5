//! Interim routes: door routes for requests that have to wait for their exact route.

use alloc::vec::Vec;

use super::budget::INTERIM_SHARE;
use super::path_service::PathService;
use super::request::Request;
use super::request_table::RequestTable;
use super::sharing::serves;
use super::status::{PathId, PathStatus};
use crate::base::Vec2;
use crate::nav::Navigator;
use crate::plan::GroupMode;
use crate::plan::work_costs::door_route;
use crate::query::{Detail, Goal, Shape};
use crate::sectors::DoorQuery;

impl PathService {
    /// Gives a door route to each request that has no route and was not answered in this tick: oldest first, until the nodes of a tick are
    /// spent. The units of the other requests head straight for their goals.
    pub(super) fn give_interim_routes(&mut self) {
        let Self { requests, nav, lanes, work, budget, flow, .. } = self;
        let config = nav.config().get();
        if !config.async_temp_paths {
            requests.unguided.clear();
            return;
        }
        let all = config.max_path_nodes_per_tick;
        let (mut left, mut before) = (i64::from(all), None);
        let mut postponed = 0;
        while left > 0 && requests.unguided.len() > postponed {
            let Some(id) = requests.unguided.pop_front() else { break };
            let Some(request) = requests.get(id).filter(|request| request.status == PathStatus::Pending)
            else {
                continue;
            };
            left -= 1;
            let joins = |(to, _)| flow.grouping.decision(to).mode == GroupMode::FlowField;
            if budget.joins_deferred() && request.counted.is_some_and(joins) {
                // It joins a flow in one of the next ticks.
                requests.unguided.push_back(id);
                postponed += 1;
                continue;
            }
            let Goal::In(Shape::Point(to)) = request.ask.goal else { continue };
            let (from, agent, threat) = (request.ask.from.cell(), request.ask.agent, request.ask.threat);
            let is_possible = request.ask.detail != Detail::Direct
                && request.ask.avoid.is_empty()
                && nav.sectors().reachable(from, to, agent);
            if !is_possible {
                continue;
            }
            if let Some(points) = before.and_then(|before| copy_interim_route(before, id, requests, nav)) {
                let RequestTable { all, spare, .. } = requests;
                if let Some(request) = all.get_mut(id) {
                    spare.keep(core::mem::replace(&mut request.points, points));
                    request.status = PathStatus::Temporary;
                }
                work.temporary += 1;
                continue;
            }
            nav.prepare_for(agent, threat);
            let view = nav.view();
            let threat = view.layer.threat().effective(threat);
            let Ok(doors) = nav.hybrid().doors(view.layer, agent, threat) else { continue };
            let Some(lane) = lanes.first_mut() else { continue };
            let (scratch, route) = lane.scratch().doors();
            let found = match nav.tables_are_made(agent) {
                true => doors.route_hasty(view.layer, from, to, scratch, route),
                false => {
                    let query = DoorQuery { from, to };
                    doors.route_rough(view.layer, view.sectors, query, (scratch, route))
                }
            };
            if !found {
                continue;
            }
            left -= i64::from(door_route(route));
            let RequestTable { all, spare, .. } = requests;
            let Some(request) = all.get_mut(id) else { continue };
            request.follow_doors(&route.cells, spare);
            work.temporary += 1;
            before = Some(id);
        }
        let took = u32::try_from(i64::from(all) - left).unwrap_or(u32::MAX);
        budget.charge(took.min(all / INTERIM_SHARE));
    }
}

/// A copy of the interim route of `before`, with the start and end of `id`. `None` if it does not serve `id`.
fn copy_interim_route(
    before: PathId,
    id: PathId,
    requests: &mut RequestTable,
    nav: &Navigator,
) -> Option<Vec<Vec2>> {
    let RequestTable { all, spare, .. } = requests;
    let (found, request) = (all.get(before)?, all.get(id)?);
    let room = |request: &Request| nav.sectors().room(request.ask.from.cell(), request.ask.agent);
    if !serves(found, request, nav) || room(found) != room(request) {
        return None;
    }
    let [_, doors @ .., _] = found.points.as_slice() else { return None };
    let mut points = spare.take(doors.len() + 2);
    points.push(request.ask.from);
    points.extend_from_slice(doors);
    points.push(request.end);
    Some(points)
}
