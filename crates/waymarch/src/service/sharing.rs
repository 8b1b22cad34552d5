//! Route sharing: one route answers neighbouring requests to the same place.
//!
//! If a lane already searches for a neighbour's route that would serve a request too, the request waits for that route and begins no
//! search. So a group that is too small for a flow needs one search, whatever its size.

use super::flow::FlowGroups;
use super::report::{PathReport, ServiceWork};
use super::request::{Request, Task};
use super::request_table::RequestTable;
use super::status::{PathId, PathStatus, PathTag};
use crate::base::{CellPos, Slots, segment_touches};
use crate::nav::Navigator;
use crate::planners::PlannerReason;
use crate::query::{BlockedBy, Detail, Goal, PathAsk, Shape};
use crate::search::Sight;

/// Neighbours are at most 10 columns and rows apart, at the start and at the goal.
const APART: u32 = 10;

/// A request joins a shared route at one of its first 3 turns and leaves it at one of its last 3. So it leaves out up to 2 turns at each
/// end, which only the first request needs.
const SKIPPED_TURNS: usize = 3;

/// A found route is offered to requests whose numbers differ by at most 24. Neighbours mostly ask one after the other.
pub(crate) const NUMBERS_APART: u64 = 24;

/// What sharing a route reads and changes.
pub(crate) struct Sharing<'a> {
    pub(crate) requests: &'a mut RequestTable,
    pub(crate) nav: &'a Navigator,
    pub(crate) flow: &'a mut FlowGroups,
    pub(crate) work: &'a mut ServiceWork,
}

/// Whether a route for this request could serve another one.
fn is_shareable(request: &Request) -> bool {
    let ask = &request.ask;
    ask.detail == Detail::Full && ask.blocked_by == BlockedBy::None && request.task == Task::Find
}

/// Whether routes for one request are valid for the other: same agent, threat mode and closed cells.
pub(crate) fn is_compatible(one: &PathAsk, other: &PathAsk) -> bool {
    (one.agent, one.threat, one.avoid) == (other.agent, other.threat, other.avoid)
}

/// Whether the route of `leader` would likely serve `request`: starts and goals are near each other, both goals are in one room, and the
/// requests are compatible.
pub(crate) fn serves(leader: &Request, request: &Request, nav: &Navigator) -> bool {
    let near = |a: CellPos, b: CellPos| a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)) <= APART;
    let (Goal::In(Shape::Point(to)), Goal::In(Shape::Point(goal))) = (&request.ask.goal, &leader.ask.goal)
    else {
        return false;
    };
    let room = |at| nav.sectors().room(at, request.ask.agent);
    request.may_share
        && is_shareable(leader)
        && is_shareable(request)
        && is_compatible(&leader.ask, &request.ask)
        && near(request.ask.from.cell(), leader.ask.from.cell())
        && near(*to, *goal)
        && room(*to).is_some_and(|there| room(*goal) == Some(there))
}

/// Whether one of the requests `in_progress` came earlier and its route would serve `request`.
pub(crate) fn has_leader(
    mut in_progress: impl Iterator<Item = PathId>,
    request: &Request,
    requests: &Slots<PathTag, Request>,
    nav: &Navigator,
) -> bool {
    let waits = |leader: &&Request| !leader.status.is_settled() && leader.number < request.number;
    request.may_share
        && in_progress
            .any(|id| requests.get(id).filter(waits).is_some_and(|leader| serves(leader, request, nav)))
}

impl Sharing<'_> {
    /// Answers a request by the route of `leader`, if that route fits. It fits if the request's start sees one of the first turns, and its
    /// goal sees one of the last turns. Returns whether the request is answered or gone.
    pub(crate) fn share(&mut self, id: PathId, leader: PathId) -> bool {
        let Self { requests: RequestTable { all, spare, .. }, nav, work, flow } = self;
        let Some(found) =
            all.get(leader).filter(|leader| leader.status == PathStatus::Complete && leader.flow.is_none())
        else {
            return false;
        };
        let Some(request) = all.get(id) else { return true };
        let view = nav.view();
        let ask = &request.ask;
        let Ok(sight) = Sight::new(view.layer, ask.agent, ask.threat, view.config.step_rule()) else {
            return false;
        };
        let Goal::In(Shape::Point(to)) = ask.goal else { return false };
        let [_, inner @ .., _] = found.points.as_slice() else { return false };
        let sees = |a, b| sight.is_clear(a, b) && !segment_touches(ask.avoid, a, b);
        let first = inner.iter().take(SKIPPED_TURNS).position(|&turn| sees(ask.from, turn));
        let last = inner.iter().rev().take(SKIPPED_TURNS).position(|&turn| sees(turn, to.centre()));
        let (Some(first), Some(last)) = (first, last) else { return false };
        let Some(inner) = inner.get(first..inner.len() - last).filter(|inner| !inner.is_empty()) else {
            return false;
        };
        if !view.layer.can_stop(to, ask.agent) {
            return false;
        }
        let reason = PlannerReason::Shared;
        let report = found.report.map(|report| PathReport { reason, nodes: 0, ..report });
        let mut points = spare.take(inner.len() + 2);
        points.push(ask.from);
        points.extend_from_slice(inner);
        points.push(to.centre());
        let Some(request) = all.get_mut(id) else { return true };
        spare.keep(core::mem::replace(&mut request.points, points));
        (request.status, request.end, request.report) = (PathStatus::Complete, to.centre(), report);
        flow.count_answered(request);
        work.answered += 1;
        work.shared += 1;
        true
    }
}
