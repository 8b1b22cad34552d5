//! Forming groups: units that begin an order together get formation slots, lanes and one route for all.

use alloc::vec::Vec;
use core::ops::Range;

use crate::avoid::Fine;
use crate::base::{Agent, Angle, CellPos, CollisionLayers, Fixed, poison_list, reserve_total};
use crate::base::{Scratch, SpareLists};
use crate::cost::CostLayer;
use crate::groups::{
    Assignment, Fit, Formations, GateFinder, LanePlace, Lanes, MAX_MEMBERS, Member, Role, RouteGate, Slot,
    Traffic,
};
use crate::passages::PassageStore;
use crate::plan::work_costs::ROUTE_GATES;
use crate::query::{Detail, Goal, PathAsk, Priority, Shape};
use crate::service::{Guidance, PathId, PathService, PathStatus, ROUTE_POINTS};
use crate::world::formation::begun::{begins, find_begun_orders};
use crate::world::formation::march::{begin_march, keeps_formation};
use crate::world::formation::nearest_member::NearestMember;
use crate::world::formation::parts::GroupParts;
use crate::world::formation::placement::{collect_members, place_members, placement_of};
use crate::world::formation::reserved::{PLACES_AHEAD, Place, reserve_places};
use crate::world::formation::reslot::reslot_stale_groups;
use crate::world::groups::alternate_route::DetourSearch;
use crate::world::groups::group::{Cohesion, Group, GroupGate, Reslot, update_routes};
use crate::world::groups::march::SlotLayout;
use crate::world::groups::meetings::end_meetings;
use crate::world::groups::pending::Pending;
use crate::world::groups::right_of_way::RightOfWay;
use crate::world::orders::order_book::OrderBook;
use crate::world::orders::parts::OrderParts;
use crate::world::state::is_due;
use crate::world::units::membership::{Branch, GroupId, Membership, RouteProgress, Visibility};
use crate::world::units::order_progress::Phase;
use crate::world::units::order_queue::{OrderId, OrderStage};
use crate::world::units::unit::UnitId;

/// A group stays for 10 seconds after its order has ended.
const LINGER_SECONDS: u64 = 10;

/// Gates are found in at least one tick of 7, even if the map is edited in every tick.
const GATES_AT_LEAST_EVERY: u64 = 7;

/// Scratch of forming groups and of their slots and gates.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormingScratch {
    /// Stages of orders that units begin without a group.
    pub(super) begun: Vec<OrderStage>,
    /// These stages, with the indices of all units that have the order.
    pub(super) called: Vec<(OrderStage, u32)>,
    /// The stages whose groups are formed in a later tick, ascending. Their units do not begin them yet.
    pub(crate) deferred: Vec<OrderStage>,
    pub(crate) members: Vec<Member>,
    pub(crate) starts: Vec<(Agent, CellPos)>,
    pub(crate) formations: Formations,
    pub(crate) assignment: Assignment,
    pub(crate) slots: Vec<Slot>,
    pub(crate) taken: Vec<Option<u32>>,
    pub(crate) lanes: Vec<LanePlace>,
    pub(crate) sorted: Vec<(i64, u32, u32)>,
    /// Groups that need new slots.
    pub(crate) stale: Vec<GroupId>,
    /// The indices of units that get slots.
    pub(crate) chosen: Vec<u32>,
    /// Positions and radii that slots keep clear of.
    pub(crate) held: Vec<(Fine, Fixed)>,
    /// All places that are taken.
    pub(crate) places: Vec<Place>,
    /// Whether `places` was filled in this tick.
    pub(crate) places_noted: bool,
    pub(crate) finder: GateFinder,
    pub(crate) points: Vec<Fine>,
    pub(crate) gates: Vec<RouteGate>,
    /// Gates of head-on meetings that one of the two groups will not reach.
    ended: Vec<RouteGate>,
    gone: Vec<GroupId>,
    /// New memberships of a re-slot, in the order of unit indices.
    pub(crate) given: Vec<(u32, Membership)>,
    pub(crate) nearest: NearestMember,
    spare_pending: SpareLists<(u32, Membership)>,
    pub(crate) spare_gates: SpareGates,
    /// Derived from the map: the passages of agents that have moved or formed groups. Reservations use them too.
    pub(crate) passages: PassageStore,
}

/// Scratch: spare lists of gates, with room for 128 gates each. A route across a large map has up to a hundred.
#[derive(Clone, Debug)]
pub(crate) struct SpareGates(pub(crate) SpareLists<GroupGate>);

impl Default for SpareGates {
    fn default() -> Self {
        Self(SpareLists::with_list_capacity(128))
    }
}

/// The numbers that the scratch of forming is reserved for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormingDemand {
    /// Units in the order that was just given.
    pub(crate) ordered: usize,
    /// Length of the unit columns.
    pub(crate) units: usize,
}

impl Scratch for FormingScratch {
    type Demand = FormingDemand;

    fn poison(&mut self) {
        let (at, agent) = (Fine::new(7, -7), Agent::default());
        let stage = OrderStage { order: OrderId::DEAD, leg: 7 };
        poison_list(&mut self.begun, stage);
        poison_list(&mut self.called, (stage, u32::MAX));
        poison_list(&mut self.deferred, stage);
        poison_list(&mut self.members, Member { id: u32::MAX, at, ..Member::default() });
        poison_list(&mut self.starts, (agent, at.cell()));
        self.formations.poison();
        self.assignment.poison();
        let (radius, role, fit) = (Fixed::ONE, Role::default(), Fit::Moved);
        poison_list(&mut self.slots, Slot { at, agent, radius, role, rank: 7, file: 7, fit });
        poison_list(&mut self.taken, Some(u32::MAX));
        poison_list(&mut self.lanes, LanePlace { rank: 7, across: 7 });
        poison_list(&mut self.sorted, (7, u32::MAX, 7));
        poison_list(&mut self.stale, GroupId::DEAD);
        poison_list(&mut self.chosen, u32::MAX);
        poison_list(&mut self.held, (at, Fixed::ONE));
        poison_list(
            &mut self.places,
            Place { unit: 7, at, radius, friend: None, layers: CollisionLayers::ALL },
        );
        self.places_noted = true;
        self.finder.poison();
        poison_list(&mut self.points, at);
        let way = GateFinder::across(at, (1024, 0), 7, |_| true);
        poison_list(&mut self.gates, way);
        poison_list(&mut self.ended, way);
        poison_list(&mut self.gone, GroupId::DEAD);
        let (lane, route) = (LanePlace { rank: 7, across: 7 }, RouteProgress::start(Branch::Main, 7));
        let membership = Membership { group: GroupId::DEAD, slot: at, lane, route, facing: None };
        poison_list(&mut self.given, (u32::MAX, membership));
        self.nearest.poison();
        self.spare_pending.poison();
        self.spare_gates.0.poison();
    }

    fn reserve(&mut self, FormingDemand { ordered, units }: FormingDemand) {
        /// Memory is reserved for 64 groups that begin or end in one tick.
        const GROUPS: usize = 64;
        self.spare_pending.reserve(0);
        self.spare_gates.0.reserve(0);
        self.formations.reserve(ordered);
        reserve_total(&mut self.begun, GROUPS);
        reserve_total(&mut self.deferred, GROUPS);
        reserve_total(&mut self.gone, GROUPS);
        reserve_total(&mut self.ended, GROUPS);
        reserve_total(&mut self.called, ordered);
        reserve_total(&mut self.given, ordered.min(MAX_MEMBERS));
        self.nearest.reserve(ordered.min(MAX_MEMBERS));
        reserve_total(&mut self.chosen, units);
        reserve_total(&mut self.held, (2 * PLACES_AHEAD).min(units));
        reserve_total(&mut self.places, 2 * units);
        reserve_total(&mut self.points, ROUTE_POINTS);
    }
}

/// Forms groups of units that begin the same order in this tick, gives new slots to stale groups, and dismisses finished groups.
pub(crate) fn form_groups(parts: &mut OrderParts<'_>, scratch: &mut FormingScratch) {
    scratch.places_noted = false;
    dismiss_finished(&mut GroupParts::of(parts), scratch);
    find_begun_orders(&mut GroupParts::of(parts), scratch);
    reslot_stale_groups(parts, scratch);
    let parts = &mut GroupParts::of(parts);
    for index in 0..parts.units.column_len() {
        take_membership(parts, index);
    }
}

/// Whether gates are found in this tick. They wait for a tick without edits, which has less work, but at most 7 ticks.
pub(crate) fn gates_are_due(service: &PathService) -> bool {
    service.edits_since_tick() == 0 || is_due(service.nav().now(), GATES_AT_LEAST_EVERY, 0)
}

/// Dismisses groups whose order ended 10 seconds ago.
fn dismiss_finished(parts: &mut GroupParts<'_>, scratch: &mut FormingScratch) {
    let now = parts.service.nav().now();
    let stays = u64::from(parts.service.nav().config().get().ticks_per_second) * LINGER_SECONDS;
    scratch.gone.clear();
    for (id, group) in parts.groups.list.iter_mut() {
        if parts.orders.get(group.stage.order).is_some() {
            continue;
        }
        let over = *group.over.get_or_insert(now);
        if now.since(over) >= stays {
            scratch.gone.push(id);
        }
    }
    let FormingScratch { gone, spare_pending, spare_gates, .. } = scratch;
    for &id in &*gone {
        let Some(group) = parts.groups.remove(id) else { continue };
        parts.service.cancel(group.route_search);
        parts.service.cancel(group.detour.ask);
        if let Some(alternate) = group.alternate {
            spare_gates.0.keep(alternate.gates);
        }
        spare_pending.keep(group.pending.into_list());
        spare_gates.0.keep(group.main_gates);
    }
}

/// Gives a unit that begins an order its pending membership, if its group has one for it.
fn take_membership(parts: &mut GroupParts<'_>, index: usize) {
    if parts.units.progress[index].phase == Phase::Idle && parts.units.stage(index).is_some() {
        parts.units.set_membership(index, None);
    }
    let Some(stage) = begins(&parts.view(), index) else { return };
    let Some((_, group)) = parts.groups.at_stage(stage) else { return };
    let membership = group.pending.get(index as u32);
    parts.units.set_membership(index, membership);
}

/// Forms a group of some of the called units: each gets a formation slot and a lane.
pub(super) fn form(
    parts: &mut GroupParts<'_>,
    stage: OrderStage,
    called: Range<usize>,
    forming: &mut FormingScratch,
) {
    let Some(placement) = placement_of(&parts.view(), stage, None) else { return };
    let FormingScratch { chosen, called: all, .. } = forming;
    chosen.clear();
    chosen.extend(all[called].iter().map(|called| called.1));
    collect_members(parts, &placement, forming);
    forming.held.clear();
    reserve_places(&parts.view(), &placement, forming);
    let Some(placed) = place_members(parts.service.nav(), &placement, forming) else { return };
    let FormingScratch { members, slots, taken, lanes, sorted, spare_pending, places, .. } = forming;
    let broadest = members.iter().map(|member| (member.agent.size, member.radius, member.agent)).max();
    let Some((_, radius, agent)) = broadest else { return };
    let agent = common_agent(parts.service.nav().layer(), members, agent);
    let lanes_of = Lanes::of(members, placed.centre, sorted, lanes);
    let route_search = if members.len() > 1 {
        request_route(parts, middle_most(members), stage.order, placed.end, agent)
    } else {
        PathId::DEAD
    };
    let speed = members.iter().map(|member| member.speed).min().unwrap_or(Fixed::ZERO);
    let id = parts.groups.add(Group {
        stage,
        agent,
        route_search,
        main_gates: Vec::new(),
        alternate: None,
        detour: DetourSearch::default(),
        cohesion: Cohesion::default(),
        lanes: lanes_of,
        speed,
        radius,
        over: None,
        pending: Pending::default(),
        end: placed.end,
        entry: None,
        anchor: placed.centre,
        first: slots.first().map_or(placed.centre, |slot| slot.at),
        berth: UnitId::DEAD,
        formation: placed.keeps.clone(),
        layout: SlotLayout::of(placed.centre, placed.towards, slots.iter().map(|slot| slot.at)),
        march: None,
        facing: placed.facing,
        reslot: Reslot::None,
        slotted: parts.service.nav().now(),
        right_of_way: RightOfWay::new(parts.service.nav().now()),
        meetings: 0,
    });
    let memberships =
        members.iter().zip(taken.iter().zip(lanes.iter())).filter_map(|(member, (slot, lane))| {
            let slot = slots.get((*slot)? as usize)?.at;
            let facing = placed.facing_at(slot);
            let route = RouteProgress::start(Branch::Main, 0);
            let membership = Membership { group: id, slot, lane: *lane, route, facing };
            Some((member.id, membership))
        });
    if let Some(group) = parts.groups.list.get_mut(id) {
        group.pending = Pending::reusing(spare_pending.take(members.len()));
        group.pending.extend(memberships);
        // Groups that are formed later in this tick keep clear of these slots.
        let radius =
            |index: u32| parts.types.get(parts.units.body.kind[index as usize]).map(|kind| kind.radius);
        places.extend(group.pending.iter().map(|&(unit, membership)| Place {
            unit,
            at: membership.slot,
            radius: radius(unit).unwrap_or_default(),
            friend: None,
            layers: parts.units.body.layers(unit as usize),
        }));
    }
}

/// The agent of a group whose broadest member has `agent`. If members are of several teams, no gate counts that is open to some teams only.
pub(crate) fn common_agent(layer: &CostLayer, members: &[Member], agent: Agent) -> Agent {
    let usual = layer.as_anyone(agent);
    let side = |agent: Agent| layer.gate_sides().iter().position(|&side| layer.as_side(agent, side) == agent);
    let alike = usual == agent || members.iter().all(|member| side(member.agent) == side(agent));
    if alike { agent } else { usual }
}

/// Requests the route of a group from the position of the unit with index `middle`. With a planner of the game, and without a search,
/// members follow routes of their own, and the group has none.
pub(crate) fn request_route(
    parts: &mut GroupParts<'_>,
    middle: u32,
    order: OrderId,
    end: CellPos,
    agent: Agent,
) -> PathId {
    let effort = parts.orders.efforts.of(order);
    if parts.service.has_planner() || effort.detail == Detail::Direct {
        return PathId::DEAD;
    }
    let kind = parts.types.get(parts.units.body.kind[middle as usize]);
    let observer = parts.units.observer(middle as usize);
    let threat = kind.map(|kind| parts.service.nav().config().threat_for(kind.controller).seen_by(observer));
    let from = parts.units.at(middle as usize);
    let ask = match shape_of(parts.orders, order) {
        Some(goal) => PathAsk::to_goal(from, goal.clone(), agent),
        None => PathAsk::new(from, end, agent),
    };
    // Low priority: members follow their own routes until the group has its gates.
    let priority = if effort.priority == Priority::High { Priority::High } else { Priority::Low };
    let ask = ask.with_threat(threat.unwrap_or_default()).alone().with_priority(priority);
    let ask = ask.with_detail(effort.detail);
    parts.service.request_without_interim(ask)
}

/// The goal of an order, if it is not a point.
fn shape_of(orders: &OrderBook, order: OrderId) -> Option<&Goal> {
    orders.get(order)?.goal().filter(|goal| !matches!(goal, Goal::In(Shape::Point(_))))
}

/// Turns the routes that were found for groups into gates.
pub(crate) fn find_gates(parts: &mut GroupParts<'_>, forming: &mut FormingScratch) {
    let mut found = 0_u32;
    forming.ended.clear();
    for number in 0..parts.groups.list.slot_count() as u32 {
        let Some(id) = parts.groups.list.id_at(number) else { continue };
        let Some(group) = parts.groups.list.get_mut(id) else { continue };
        let Some(status) = parts.service.status(group.route_search) else { continue };
        if !status.is_settled() {
            continue;
        }
        let keeps_formation = keeps_formation(parts.orders, parts.service.nav().config().get(), group);
        let FormingScratch { finder, points, gates, spare_gates, ended, .. } = &mut *forming;
        points.clear();
        if let (PathStatus::Complete, Some(Guidance::Waypoints(way))) =
            (status, parts.service.guidance(group.route_search))
        {
            points.extend(way.iter().map(|&at| Fine::from(at)));
        }
        if let Some(field) = parts.service.nav().layer().field(group.agent.locomotor.into()) {
            // A formation that is held on the way is as wide as its slots.
            let width = if keeps_formation { group.formation_width() } else { 0 };
            finder.find(points, group.width().max(width), |at| field.is_passable(at), gates);
            found += 1;
            group.note_new_gates(gates);
            let old_gates = core::mem::take(&mut group.main_gates);
            let (own, met) = old_gates.split_at(old_gates.len().saturating_sub(usize::from(group.meetings)));
            if !gates.is_empty() || !met.is_empty() {
                group.main_gates = spare_gates.0.take(gates.len() + met.len());
            }
            group.main_gates.extend(gates.iter().map(|&way| GroupGate::new(way, Traffic::OneWay)));
            group.keep_meetings(points, met, |at| field.is_passable(at), ended);
            parts.service.cancel(core::mem::replace(&mut group.detour.ask, PathId::DEAD));
            // Members start again at the first gate. A member past the gate of a head-on meeting does not go back to it.
            let (kept, count) = (&group.main_gates[gates.len()..], gates.len());
            let restart = |route: &mut RouteProgress| {
                // A unit that skipped gates has crossed none.
                let gate = if route.visibility() == Visibility::Ahead { 0 } else { route.gate() };
                let crossed = usize::from(gate).saturating_sub(own.len());
                let past = met.iter().take(crossed).filter(|gate| kept.contains(gate)).count();
                route.resume_at(if past > 0 { (count + past) as u16 } else { 0 });
            };
            update_routes(parts.units, id, &mut group.pending, Branch::Main, restart);
            spare_gates.0.keep(old_gates);
        }
        parts.service.cancel(group.route_search);
        group.route_search = PathId::DEAD;
        if let [.., from, to] = points[..] {
            let order = group.stage.order;
            if shape_of(parts.orders, order).is_some() {
                note_entry(group, from, to);
            }
            begin_march(parts, id);
        }
    }
    parts.service.charge(found.saturating_mul(ROUTE_GATES));
    end_meetings(parts.groups, parts.units, &forming.ended);
}

/// Notes that the route of a group enters its goal at `to`, coming from `from`. New slots are made on that side.
fn note_entry(group: &mut Group, from: Fine, to: Fine) {
    let part = |to: i32, from: i32| ((i64::from(to) - i64::from(from)) >> 1) as i32;
    let entry = (to, Angle::atan2(part(to.y, from.y), part(to.x, from.x)));
    if group.entry != Some(entry) {
        (group.entry, group.reslot) = (Some(entry), Reslot::All);
    }
}

/// The index of the member nearest to the centre of all members; of several the smallest.
pub(crate) fn middle_most(members: &[Member]) -> u32 {
    let count = members.len().max(1) as i64;
    let sum = members
        .iter()
        .fold((0, 0), |(x, y), member| (x + i64::from(member.at.x), y + i64::from(member.at.y)));
    let middle = Fine::new((sum.0 / count) as i32, (sum.1 / count) as i32);
    let nearest = members.iter().min_by_key(|member| (member.at.distance_squared(middle), member.id));
    nearest.map_or(0, |member| member.id)
}
