//! Routes of groups that an edit touches: they are requested again.

use crate::base::{Agent, Fine, Vec2};
use crate::cost::{CornerRule, StepRule};
use crate::nav::Navigator;
use crate::search::line_of_sight_between;
use crate::world::formation::forming::{FormingScratch, request_route};
use crate::world::formation::parts::GroupParts;
use crate::world::groups::group::{Group, GroupGate, Groups, update_routes};
use crate::world::orders::parts::OrderView;
use crate::world::orders::reroute::Changed;
use crate::world::units::columns::Units;
use crate::world::units::membership::{Branch, GroupId, RouteProgress};
use crate::world::units::order_progress::Phase;

/// Requests another route for each group whose route leads past a change.
pub(crate) fn review_group_routes(parts: &mut GroupParts<'_>, changed: &Changed<'_>) {
    parts.units.refresh_members();
    for number in 0..parts.groups.list.slot_count() as u32 {
        let Some(id) = parts.groups.list.id_at(number) else { continue };
        let view = parts.view();
        let Some((first, group)) = touched_route(&view, id, changed) else { continue };
        let (order, end) = (group.stage.order, group.end);
        let agent = agent_for_members(&view, id, group.agent);
        let route_search = request_route(parts, first as u32, order, end, agent);
        if let Some(group) = parts.groups.list.get_mut(id) {
            (group.route_search, group.agent) = (route_search, agent);
        }
    }
}

/// The agent of a group after gates or teams have changed; see [`common_agent`](crate::world::formation::forming::common_agent).
fn agent_for_members(view: &OrderView<'_>, id: GroupId, agent: Agent) -> Agent {
    let layer = view.service.nav().layer();
    let mut teams = view.units.members(id).map(|(index, _)| view.units.body.team(index));
    let usual = layer.as_anyone(agent);
    match teams.next() {
        Some(team) if teams.all(|other| other == team) => layer.as_side(usual, team.0),
        _ => usual,
    }
}

/// The member nearest to the centre of a group, and the group, if the route from that member on leads past a change.
fn touched_route<'a>(view: &OrderView<'a>, id: GroupId, changed: &Changed<'_>) -> Option<(usize, &'a Group)> {
    let group = view.groups.list.get(id)?;
    // A route that is still being searched will suit the map as it is now.
    if view.service.status(group.route_search).is_some() || view.orders.get(group.stage.order).is_none() {
        return None;
    }
    let under_way = || {
        let goes = |index: usize| view.units.progress[index].phase == Phase::Going;
        view.units.members(id).filter(move |(index, own)| goes(*index) && own.route.branch() == Branch::Main)
    };
    let (x, y, count) = under_way().fold((0, 0, 0), |(x, y, count), (index, _)| {
        let at = view.units.middle(index);
        (x + i64::from(at.x), y + i64::from(at.y), count + 1)
    });
    if count < 2 {
        return None;
    }
    let middle = Fine::new((x / count) as i32, (y / count) as i32);
    let far = |index: usize| (view.units.middle(index).distance_squared(middle), index);
    let (first, own) = under_way().min_by_key(|(index, _)| far(*index))?;
    let point = |at: Fine| Vec2::from(at);
    let gates = group.gates_ahead(&own.route);
    let ends = gates.iter().map(|gate| point(gate.way.taut)).chain([group.end.centre()]);
    let mut from = point(view.units.middle(first));
    let touched = ends.into_iter().any(|to| {
        let touched = changed.touches(from, to);
        from = to;
        touched
    });
    touched.then_some((first, group))
}

/// Drops the gates of alternate routes that a change has closed. Members on them follow their own routes from then on.
pub(crate) fn review_alternates(
    nav: &Navigator,
    units: &mut Units,
    groups: &mut Groups,
    changed: &Changed<'_>,
    forming: &mut FormingScratch,
) {
    let rule = StepRule { corners: CornerRule::AllowOne, ..nav.config().step_rule() };
    for (id, group) in groups.list.iter_mut() {
        let (Some(alternate), Some(field)) = (&mut group.alternate, nav.layer().field(group.agent)) else {
            continue;
        };
        let point = |gate: &GroupGate| Vec2::from(gate.way.taut);
        let gates = alternate.gates.iter().map(point);
        let closed =
            |(a, b): (Vec2, Vec2)| changed.touches(a, b) && !line_of_sight_between(field, rule, a, b);
        if !gates.clone().zip(gates.clone().skip(1).chain(gates.clone().next_back())).any(closed) {
            continue;
        }
        alternate.narrow = 0;
        forming.spare_gates.0.keep(core::mem::take(&mut alternate.gates));
        let restart = |route: &mut RouteProgress| route.resume_at(0);
        update_routes(units, id, &mut group.pending, Branch::Alternate, restart);
    }
}
