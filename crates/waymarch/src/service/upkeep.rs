//! Waypoint routes follow edits: routes that an edit cuts are repaired, and requests without a route are searched again if one may exist.

use super::flow::FlowChange;
use super::keeper::{Keeper, next_index};
use super::path_service::PathService;
use super::request::{Request, Task};
use super::status::{PathId, PathStatus};
use crate::base::{CellPos, CellRect, Vec2};
use crate::cost::{CornerRule, StepRule};
use crate::nav::Navigator;
use crate::query::{Detail, Goal, Shape};
use crate::search::line_of_sight_between;

/// What an edit does to a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    None,
    /// Its route is cut.
    Cut,
    /// A route to its goal may exist now.
    Opened,
}

impl PathService {
    /// The requests whose routes edits have changed in the last tick, by id. Routes are searched again, and are often found in the
    /// same tick: ask for status and guidance. Flows follow edits by themselves; their followers are listed once the new best route is known,
    /// some ticks later, if they have not passed the change and the route costs more, or much less. This is known to a sector.
    ///
    /// In a World the list is empty: the World sends events.
    #[must_use]
    pub fn changed(&self) -> &[PathId] {
        &self.upkeep.changed
    }

    /// Repairs or requests again the waypoint routes that edits since the last tick have cut, and requests again where a route may exist now.
    pub(super) fn follow_edits(&mut self) {
        let Self { upkeep, nav, requests, flow, .. } = self;
        upkeep.changed.clear();
        if upkeep.keeper == Keeper::World {
            return;
        }
        let changes = nav.layer().changes();
        if changes.ground_version() != upkeep.ground {
            let (grid, map) = (changes.sectors(), nav.layer().grid().rect());
            upkeep.areas.clear();
            match changes.since(upkeep.mark) {
                Some(sectors) => upkeep.areas.extend(sectors.iter().map(|&sector| grid.area(sector))),
                None => upkeep.areas.push(map),
            }
            upkeep.areas.sort_unstable_by_key(|area| (area.y0, area.x0));
            upkeep.areas.dedup();
            let affected = requests
                .all
                .iter()
                .filter(|(_, request)| effect(nav, request, &upkeep.areas) != Effect::None);
            upkeep.changed.extend(affected.map(|(id, _)| id));
            flow.review(nav, Some(&upkeep.areas));
        }
        (upkeep.ground, upkeep.mark) = (changes.ground_version(), changes.mark_now());
        for at in 0..self.upkeep.changed.len() {
            self.route_again(self.upkeep.changed[at]);
        }
    }

    /// Marks the routes of flows that edits within `areas` have touched: they are found again. `None`: any cell may have changed.
    pub(crate) fn review_flows(&mut self, areas: Option<&[CellRect]>) {
        self.flow.review(&self.nav, areas);
    }

    /// Whether edits have changed routes of flows, as found in the last tick.
    pub(crate) fn has_flow_changes(&self) -> bool {
        self.flow.has_changed()
    }

    /// How edits have changed the route of a request that follows a flow, as found in the last tick.
    pub(crate) fn flow_change(&self, id: PathId) -> Option<FlowChange> {
        if !self.flow.has_changed() {
            return None;
        }
        let request = self.requests.get(id)?;
        let sectors = self.nav.layer().changes().sectors();
        self.flow.change_for(request.flow?, sectors.of(request.ask.from.cell()))
    }

    /// Adds the followers of flows whose routes edits have changed to the list of changed requests.
    pub(super) fn list_changed_followers(&mut self) {
        if self.upkeep.keeper == Keeper::World || !self.flow.has_changed() {
            return;
        }
        let mut changed = core::mem::take(&mut self.upkeep.changed);
        let followers = self.requests.all.iter().map(|(id, _)| id);
        changed.extend(followers.filter(|&id| self.flow_change(id).is_some()));
        changed.sort_unstable();
        self.upkeep.changed = changed;
    }

    /// Repairs the route of a request from where its unit was last, or searches for it again if it has none.
    fn route_again(&mut self, id: PathId) {
        let Some(request) = self.requests.get(id) else { return };
        let from = request.ask.from;
        if request.status == PathStatus::Complete {
            let next = next_index(&request.points, from);
            self.repair(id, from, u32::try_from(next).unwrap_or(u32::MAX));
            return;
        }
        let now = self.nav.now();
        let Some(request) = self.requests.all.get_mut(id) else { return };
        (request.status, request.task) = (PathStatus::Pending, Task::Find);
        self.requests.spare.keep(core::mem::take(&mut request.points));
        self.requests.queue.push_again(id, request, now);
        self.requests.unguided.push_back(id);
    }
}

/// What the edits within `areas` do to a request.
fn effect(nav: &Navigator, request: &Request, areas: &[CellRect]) -> Effect {
    let (ask, layer) = (&request.ask, nav.layer());
    let Some(field) = layer.field(ask.agent) else { return Effect::None };
    if request.flow.is_some() || ask.detail == Detail::Direct || !request.status.is_settled() {
        return Effect::None;
    }
    if request.status != PathStatus::Complete {
        let Goal::In(Shape::Point(goal)) = ask.goal else { return Effect::None };
        let open =
            nav.sectors().reachable(ask.from.cell(), goal, ask.agent) && layer.can_stop(goal, ask.agent);
        let cut = request.points.windows(2).any(|leg| !is_open(nav, request, (leg[0], leg[1])));
        return if open || cut { Effect::Opened } else { Effect::None };
    }
    let next = next_index(&request.points, ask.from);
    let rest = request.points.get(next.saturating_sub(1)..).unwrap_or_default();
    let touched = |a: CellPos, b: CellPos| {
        let low = CellPos::new(a.x.min(b.x), a.y.min(b.y));
        // A line of sight also reads the neighbours of its cells.
        let bounds = CellRect::at(low, a.x.abs_diff(b.x) + 1, a.y.abs_diff(b.y) + 1).grow(1, 1);
        areas.iter().any(|area| !area.intersect(bounds).is_empty())
    };
    let closed =
        |leg: &[Vec2]| touched(leg[0].cell(), leg[1].cell()) && !is_open(nav, request, (leg[0], leg[1]));
    let goal_closed = request.points.last().is_some_and(|end| !field.is_passable(end.cell()));
    if goal_closed || rest.windows(2).any(closed) { Effect::Cut } else { Effect::None }
}

/// Whether the leg of a route is open.
fn is_open(nav: &Navigator, request: &Request, (a, b): (Vec2, Vec2)) -> bool {
    let Some(field) = nav.layer().field(request.ask.agent) else { return false };
    let rule = nav.config().step_rule();
    // A route may start or end beside a wall, where only the line of the centre is open.
    let thin = StepRule { corners: CornerRule::AllowOne, ..rule };
    let is_middle = |at: Vec2| at == at.cell().centre();
    line_of_sight_between(field, if is_middle(a) && is_middle(b) { rule } else { thin }, a, b)
}
