//! One route for neighbours that go to the same place.

use super::request::{Request, Task};
use super::status::{PathStatus, PathTag};
use super::tick::{Batch, By};
use super::{PathId, PathService};
use crate::base::Slots;
use crate::planners::PlannerReason;
use crate::query::{BlockedBy, Detail, Goal, Shape};
use crate::search::Sight;
use crate::world::navigator::Navigator;

/// How many columns and rows neighbours are apart at most, at the start and at the goal.
const APART: u32 = 6;

impl Batch {
    /// The picked request whose route would serve `request` as well, if there is one: from near its start to near its goal, for the same
    /// agent, both in full detail.
    pub(super) fn leader_of(
        &self,
        request: &Request,
        requests: &Slots<PathTag, Request>,
        nav: &Navigator,
    ) -> Option<usize> {
        let Goal::In(Shape::Point(to)) = request.ask.goal else { return None };
        let (from, sectors) = (request.ask.from.cell(), nav.sectors());
        let room = sectors.room(to, request.ask.agent)?;
        let near = |a: crate::base::CellPos, b: crate::base::CellPos| {
            a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)) <= APART
        };
        let is_plain = |request: &Request| {
            let ask = &request.ask;
            ask.detail == Detail::Full && ask.blocked_by == BlockedBy::None && request.task == Task::Find
        };
        if !is_plain(request) || !request.may_share {
            return None;
        }
        self.picked.iter().position(|picked| {
            let Some(leader) = requests.get(picked.waiting.id) else { return false };
            let Goal::In(Shape::Point(goal)) = leader.ask.goal else { return false };
            matches!(picked.by, By::Lane(_))
                && is_plain(leader)
                && (leader.ask.agent, leader.ask.threat) == (request.ask.agent, request.ask.threat)
                && near(from, leader.ask.from.cell())
                && near(to, goal)
                && sectors.room(goal, request.ask.agent) == Some(room)
        })
    }
}

impl PathService {
    /// Gives a request the route of its leader, if it sees where that leads, and its own goal from where it ends; whether it does.
    pub(super) fn share(&mut self, id: PathId, leader: usize) -> bool {
        let Self { requests, batch, nav, spare, work, flowing, .. } = self;
        let leader = batch.picked[leader].waiting.id;
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
        let (Some(&first), Some(&last)) = (inner.first(), inner.last()) else { return false };
        let sees = |a, b| sight.is_clear(a, b);
        if !sees(ask.from, first) || !sees(last, to.centre()) || !view.layer.can_stop(to, ask.agent) {
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
