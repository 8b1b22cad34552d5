//! Sends the rear of a group around a crowded gate, and calls back members that no detour leads around.

use crate::avoid::Fine;
use crate::base::Tick;
use crate::groups::{Crossing, Lanes, Member, RouteGate, Traffic};
use crate::plan::work_costs::ROUTE_GATES;
use crate::service::{Guidance, PathId, PathStatus};
use crate::world::congestion::gate_queues::QueueScratch;
use crate::world::congestion::queue_length::{Detour, detour_time, headway, length_over, members};
use crate::world::events::{EventKind, RouteChange};
use crate::world::formation::forming::FormingScratch;
use crate::world::groups::alternate_route::AlternateRoute;
use crate::world::groups::gate_match::is_same_gate;
use crate::world::groups::group::{Group, GroupGate, update_routes};
use crate::world::state::State;
use crate::world::units::membership::{Branch, GroupId, RouteProgress};

/// A detour must gain at least 1/3 of the additional walking time, or 1/8 of the total time ([`OF_THE_TIME`]).
const OF_THE_WAY: u64 = 3;
/// A detour must gain at least 1/8 of the total time, or 1/3 of the additional walking time ([`OF_THE_WAY`]).
const OF_THE_TIME: u64 = 8;

/// A detour that gains enough.
#[derive(Clone, Copy)]
struct Found {
    /// Its narrowest gate.
    narrow: usize,
    /// The tick in which the last member would arrive without the detour.
    arrival_without: Tick,
}

impl State {
    /// Decides about a detour whose search has ended, and sends rear members there. Returns how many.
    pub(crate) fn decide_detour(
        &mut self,
        id: GroupId,
        queues: &mut QueueScratch,
        forming: &mut FormingScratch,
    ) -> usize {
        let found = self.is_worth_it(id, forming, queues);
        let laid = found.and_then(|found| self.lay_alternate(id, found, forming, queues));
        self.service.charge(ROUTE_GATES);
        let Some((first, ask)) = laid else { return 0 };
        for place in 0..queues.sent.len() {
            self.send(queues.sent[place] as usize, first, ask);
        }
        self.spread_out(id, first, queues, forming);
        // Members that no detour leads around were called back.
        let membership = |&index: &u32| self.units.membership(index as usize);
        queues
            .sent
            .iter()
            .filter_map(membership)
            .filter(|membership| membership.route.branch() == Branch::Alternate)
            .count()
    }

    /// Writes the gates of the detour to `gates`, and the members that should take it to `sent`. `None` if it gains too little.
    fn is_worth_it(
        &self,
        id: GroupId,
        forming: &mut FormingScratch,
        queues: &mut QueueScratch,
    ) -> Option<Found> {
        let group = self.groups.list.get(id)?;
        let (ask, crowded) = (group.detour.ask, usize::from(group.detour.gate));
        let near = group.main_gates.get(crowded)?.way;
        let FormingScratch { finder, points, gates, .. } = forming;
        points.clear();
        if let (Some(PathStatus::Complete), Some(Guidance::Waypoints(way))) =
            (self.service.status(ask), self.service.guidance(ask))
        {
            points.extend(way.iter().map(|&at| Fine::from(at)));
        }
        let &end = points.last()?;
        let field = self.service.nav().layer().field(group.agent.locomotor.into())?;
        finder.find(points, group.width(), |at| field.is_passable(at), gates);
        let lanes_of = |gate: &RouteGate| self.lanes_left(id, group, gate, queues);
        let (narrow, lanes) = narrowest(group, crowded, gates, lanes_of)?;
        let crossing = self.queue_at(id, group, &near, Some(Detour { gates, narrow, end }), queues);
        let main = Crossing {
            headway: crossing.headway,
            rest: length_over(group.main_gates[crowded..].iter().map(|passage| passage.way.taut), end),
        };
        let far = |length: u64| if gates.is_empty() { 0 } else { detour_time(length) };
        let other = Crossing {
            headway: far(headway(group, lanes)),
            rest: far(length_over(gates[narrow.min(gates.len())..].iter().map(|gate| gate.taut), end)),
        };
        let QueueScratch { splitter, crossers, sent, .. } = queues;
        let ends = splitter.split(main, other, crossers, sent);
        let last = sent.last().and_then(|id| crossers.iter().find(|crosser| crosser.id == *id))?;
        let farther = last.far.saturating_add(other.rest).saturating_sub(last.near.saturating_add(main.rest));
        let least = (farther / OF_THE_WAY).min(ends.without / OF_THE_TIME);
        let arrival_without = Tick(self.now().0.saturating_add(group.ticks_for(ends.without)));
        (ends.gain() >= least.max(self.worthwhile(group))).then_some(Found { narrow, arrival_without })
    }

    /// Gives a group its alternate route, unless members are on it already. Returns the gate at which sent members begin, and the request whose route they
    /// follow.
    fn lay_alternate(
        &mut self,
        id: GroupId,
        Found { narrow, arrival_without }: Found,
        forming: &mut FormingScratch,
        queues: &QueueScratch,
    ) -> Option<(u16, PathId)> {
        let group = self.groups.list.get_mut(id)?;
        let (gate, ask) = (group.detour.gate, group.detour.ask);
        let closed = self.service.ask(ask)?.avoid;
        let memberships = || members(&queues.under_way, id).iter().map(|&(_, index)| index as usize);
        let mut failures = 0;
        if let Some(alternate) = &mut group.alternate {
            let count = alternate.gates.len();
            let on_it = |index: usize| {
                self.units.membership(index).is_some_and(|membership| {
                    membership.route.branch() == Branch::Alternate
                        && usize::from(membership.route.gate()) < count
                })
            };
            if alternate.gate == Some(gate) && alternate.closed == closed && memberships().any(on_it) {
                alternate.arrival_without = alternate.arrival_without.max(Some(arrival_without));
                return Some((alternate.narrow, ask));
            }
            failures = if alternate.gate == Some(gate) { alternate.failures } else { 0 };
        }
        let through = group.main_gates.len() as u16;
        let mut detour_gates = forming.spare_gates.0.take(forming.gates.len());
        detour_gates.extend(forming.gates.iter().map(|&way| GroupGate::new(way, Traffic::OneWay)));
        let alternate = AlternateRoute {
            gate: Some(gate),
            closed,
            narrow: narrow as u16,
            gates: detour_gates,
            lanes: Lanes::default(),
            arrival_without: Some(arrival_without),
            failures,
        };
        if let Some(old) = group.alternate.replace(alternate) {
            forming.spare_gates.0.keep(old.gates);
            // A member that came by the old alternate route is past its gates.
            let through = |route: &mut RouteProgress| route.move_to_main(through);
            update_routes(&mut self.units, id, &mut group.pending, Branch::Alternate, through);
        }
        Some((0, ask))
    }

    /// Sends a unit to its group's alternate route, from gate `first` on, along the route of `like` if it can.
    fn send(&mut self, index: usize, first: u16, like: PathId) {
        let view = self.order_view();
        let aim = view.aim(index);
        let goal = aim.and_then(|(aim, target)| Some((view.goal(index, aim, target)?, target)));
        let (Some((goal, target)), Some(membership)) = (goal, self.units.membership_mut(index)) else {
            return;
        };
        membership.route.switch_to(Branch::Alternate, first);
        let Some(kind) = self.type_of(index) else { return };
        let ask = self.order_view().ask_for(index, kind, goal).alone();
        let path = self.service.request_like(ask, like);
        if let Some(PathStatus::Unreachable(_) | PathStatus::Failed(_)) = self.service.status(path) {
            self.service.cancel(path);
            self.order_parts().rejoin_main_route(index);
            return;
        }
        let progress = &mut self.units.progress[index];
        (progress.why, progress.target) = (RouteChange::Crowd, target);
        // A unit without guidance takes the route at once, so its event is added here.
        let is_first = self.service.guidance(progress.path).is_none();
        self.units.reset_monitor(index);
        self.order_parts().take(index, path);
        if let Some(id) = self.units.id_at(index).filter(|_| is_first) {
            self.events.add(id, EventKind::RouteChanged(RouteChange::Crowd));
        }
    }

    /// Spreads both parts of a group over all lanes of their gates. Members on the main route keep their order across the group. Sent members get lanes
    /// as they stand before their first gate.
    fn spread_out(
        &mut self,
        id: GroupId,
        first: u16,
        queues: &mut QueueScratch,
        forming: &mut FormingScratch,
    ) {
        let QueueScratch { under_way, ranks, sent, .. } = queues;
        ranks.clear();
        for &(_, index) in members(under_way, id) {
            let membership = self
                .units
                .membership(index as usize)
                .filter(|membership| membership.route.branch() == Branch::Main);
            ranks.extend(membership.map(|membership| (membership.lane.rank, index)));
        }
        ranks.sort_unstable();
        let count = ranks.len().max(1) as u64;
        for (rank, &(_, index)) in (0_u64..).zip(ranks.iter()) {
            if let Some(membership) = self.units.membership_mut(index as usize) {
                membership.lane.rank = ((2 * rank + 1) * 32_768 / count).min(65_535) as u16;
            }
        }
        let Some(group) = self.groups.list.get_mut(id) else { return };
        let Some(alternate) = &mut group.alternate else { return };
        let Some(gate) = alternate.gates.get(usize::from(first)) else { return };
        let FormingScratch { members, sorted, lanes, .. } = forming;
        members.clear();
        let at = |index: u32| self.units.middle(index as usize);
        members.extend(sent.iter().map(|&id| Member { id, at: at(id), ..Member::default() }));
        let all = Lanes::of(members, gate.way.taut, sorted, lanes);
        if first == 0 {
            alternate.lanes = all;
        }
        for (&index, &lane) in sent.iter().zip(lanes.iter()) {
            if let Some(membership) = self
                .units
                .membership_mut(index as usize)
                .filter(|membership| membership.route.branch() == Branch::Alternate)
            {
                membership.lane = lane;
            }
        }
    }
}

/// The number of the detour's gate with the fewest free lanes, the first of several, and the number of these lanes. On gates that both routes cross,
/// units from the crowded gate take as many lanes as that gate has. `None` if no lanes are left.
fn narrowest(
    group: &Group,
    crowded: usize,
    gates: &[RouteGate],
    mut lanes_of: impl FnMut(&RouteGate) -> u32,
) -> Option<(usize, u32)> {
    let near = group.main_gates.get(crowded).map_or(0, |passage| lanes_of(&passage.way));
    let mut narrow = (u32::MAX, 0);
    for (number, gate) in gates.iter().enumerate() {
        let shared = group.main_gates[crowded..].iter().any(|passage| is_same_gate(&passage.way, gate));
        let lanes = lanes_of(gate).saturating_sub(if shared { near } else { 0 });
        narrow = narrow.min((lanes, number));
    }
    (narrow.0 > 0).then_some((narrow.1, narrow.0))
}
