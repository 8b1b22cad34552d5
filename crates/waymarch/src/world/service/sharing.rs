//! One route for neighbours that go to the same place.
//!
//! Whoever waits while a neighbour's route is being found does not have its own found beside it: it waits for that one. A group that is too small
//! for a flow asks once in this way, however many it is.

use super::detour::crosses;
use super::request::{Request, Task};
use super::status::{PathStatus, PathTag};
use super::tick::Picked;
use super::{PathId, PathService};
use crate::base::{CellPos, Slots};
use crate::planners::PlannerReason;
use crate::query::{BlockedBy, Detail, Goal, PathAsk, Shape};
use crate::search::Sight;
use crate::world::navigator::Navigator;

/// How many columns and rows neighbours are apart at most, at the start and at the goal.
const APART: u32 = 10;

/// So many turns of a route may be left out at either end, for one that sees the next.
const TURNS: usize = 3;

/// When a route has been found, those who asked so many requests before or after it are looked at. Neighbours mostly ask one after the other.
const LOOKED_AT: u64 = 24;

/// Whether a route could serve another request.
fn is_plain(request: &Request) -> bool {
    let ask = &request.ask;
    ask.detail == Detail::Full && ask.blocked_by == BlockedBy::None && request.task == Task::Find
}

/// Whether the route of `leader` would serve `request` as well: it leads from near its start to near its goal, for the same agent, both in full detail.
pub(super) fn leads(leader: &Request, request: &Request, nav: &Navigator) -> bool {
    let near = |a: CellPos, b: CellPos| a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)) <= APART;
    let (Goal::In(Shape::Point(to)), Goal::In(Shape::Point(goal))) = (&request.ask.goal, &leader.ask.goal)
    else {
        return false;
    };
    let room = |at| nav.sectors().room(at, request.ask.agent);
    request.may_share
        && is_plain(leader)
        && is_plain(request)
        && is_for(&leader.ask, &request.ask)
        && near(request.ask.from.cell(), leader.ask.from.cell())
        && near(*to, *goal)
        && room(*to).is_some_and(|there| room(*goal) == Some(there))
}

/// Whether the route of one of those that are worked on and that asked earlier would serve `request` as well.
pub(super) fn has_leader(
    mut worked_on: impl Iterator<Item = PathId>,
    request: &Request,
    requests: &Slots<PathTag, Request>,
    nav: &Navigator,
) -> bool {
    let waits = |leader: &&Request| !leader.status.is_settled() && leader.number < request.number;
    request.may_share
        && worked_on
            .any(|id| requests.get(id).filter(waits).is_some_and(|leader| leads(leader, request, nav)))
}

/// Whether routes for one are routes for the other.
fn is_for(one: &PathAsk, other: &PathAsk) -> bool {
    (one.agent, one.threat, one.avoid) == (other.agent, other.threat, other.avoid)
}

impl PathService {
    /// Gives the routes that have just been found for those picked since `from` to neighbours who asked when they did, up to `most` answers in
    /// this tick.
    pub(super) fn share_out(&mut self, from: usize, most: usize) {
        let mut near = core::mem::take(&mut self.batch.near);
        near.reserve(2 * LOOKED_AT as usize + 1);
        for at in from..self.batch.picked.len() {
            let Some(leader) = self.batch.picked.get(at).map(|picked| picked.id) else { continue };
            let Self { requests, queue, nav, .. } = self;
            let Some(found) = requests.get(leader).filter(|found| found.status == PathStatus::Complete)
            else {
                continue;
            };
            near.clear();
            near.extend(queue.around(found.number, LOOKED_AT).filter(|waiting| {
                let request = requests.get(waiting.id).filter(|request| request.number == waiting.number);
                request.is_some_and(|request| !request.status.is_settled() && leads(found, request, nav))
            }));
            for waiting in &near {
                if self.batch.picked.len() >= most {
                    break;
                }
                if self.share(waiting.id, leader) {
                    self.batch.picked.push(Picked { id: waiting.id, lane: None });
                } else if let Some(request) = self.requests.get_mut(waiting.id) {
                    request.may_share = false;
                }
            }
        }
        self.batch.near = near;
    }

    /// A request like any other, answered at once by the route of `leader` if that serves as well.
    pub(crate) fn request_like(&mut self, ask: PathAsk, leader: PathId) -> PathId {
        let alike = self.requests.get(leader).is_some_and(|leader| is_for(&leader.ask, &ask));
        let plain = ask.detail == Detail::Full && ask.blocked_by == BlockedBy::None;
        let id = self.request(ask);
        if alike && plain && self.status(id) == Some(PathStatus::Pending) {
            self.share(id, leader);
        }
        id
    }

    /// Gives a request the route of its leader, if it sees where that leads, and its own goal from where it ends; whether it does.
    fn share(&mut self, id: PathId, leader: PathId) -> bool {
        let Self { requests, nav, spare, work, flowing, .. } = self;
        let Some(found) = requests
            .get(leader)
            .filter(|leader| leader.status == PathStatus::Complete && leader.flow.is_none())
        else {
            return false;
        };
        let Some(request) = requests.get(id) else { return true };
        let view = nav.view();
        let ask = &request.ask;
        let Ok(sight) = Sight::new(view.layer, ask.agent, ask.threat, view.config.step_rule()) else {
            return false;
        };
        let Goal::In(Shape::Point(to)) = ask.goal else { return false };
        let [_, inner @ .., _] = found.points.as_slice() else { return false };
        let sees = |a, b| sight.is_clear(a, b) && !crosses(ask.avoid, a, b);
        // Turns near the ends are the leader's own.
        let first = inner.iter().take(TURNS).position(|&turn| sees(ask.from, turn));
        let last = inner.iter().rev().take(TURNS).position(|&turn| sees(turn, to.centre()));
        let (Some(first), Some(last)) = (first, last) else { return false };
        let Some(inner) = inner.get(first..inner.len() - last).filter(|inner| !inner.is_empty()) else {
            return false;
        };
        if !view.layer.can_stop(to, ask.agent) {
            return false;
        }
        let report = found.report.map(|report| super::PathReport {
            reason: PlannerReason::Shared,
            nodes: 0,
            ..report
        });
        let mut points = spare.take(inner.len() + 2);
        points.push(ask.from);
        points.extend_from_slice(inner);
        points.push(to.centre());
        let Some(request) = requests.get_mut(id) else { return true };
        spare.keep(core::mem::replace(&mut request.points, points));
        (request.status, request.end, request.report) = (PathStatus::Complete, to.centre(), report);
        flowing.settled(request);
        work.answered += 1;
        work.shared += 1;
        true
    }
}
