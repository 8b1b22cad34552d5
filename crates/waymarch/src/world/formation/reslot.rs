//! New slots for groups that exist: a member died, left or joined, the formation changed, or the target moved on.

use crate::avoid::Stance;
use crate::base::{CellPos, Fixed, Tick};
use crate::groups::{Lanes, MAX_MEMBERS, Member};
use crate::passages::PassageStore;
use crate::world::events::RouteChange;
use crate::world::formation::forming::{FormingScratch, middle_most, request_route};
use crate::world::formation::nearest_member::NearestMember;
use crate::world::formation::parts::GroupParts;
use crate::world::formation::placement::{
    Placed, Placement, collect_members, distance_in_1024ths, place_members, placement_of,
};
use crate::world::formation::reserved::reserve_places;
use crate::world::groups::group::{Group, Reslot};
use crate::world::groups::march::SlotLayout;
use crate::world::orders::order::Order;
use crate::world::orders::parts::{OrderParts, OrderView};
use crate::world::orders::target::{Around, Target};
use crate::world::units::columns::Units;
use crate::world::units::membership::{Branch, GroupId, Membership, RouteProgress};
use crate::world::units::order_progress::Phase;
use crate::world::units::unit::UnitId;

/// A group gets new slots at most 2 times a second, unless a unit has joined or all need other slots.
const PER_SECOND: u64 = 2;
/// A group gets new slots when its target has moved by more than 1 cell.
const TARGET_MOVED: Fixed = Fixed::ONE;
/// A route that ends more than 3 cells from the new slot is requested again.
const SLOT_MOVED: u32 = 3;
/// A unit more than 1 cell from the place at a dock has left it. In 1024ths of a cell.
const OFF_BERTH: u32 = 1024;
/// A unit that has no place in a dock's queue yet comes last: its distance counts as 2^31 - 1, in 1024ths of a cell.
const LAST: u32 = u32::MAX >> 1;

/// Gives new slots to all groups that need them.
pub(crate) fn reslot_stale_groups(parts: &mut OrderParts<'_>, forming: &mut FormingScratch) {
    if parts.groups.list.is_empty() {
        return;
    }
    forming.stale.clear();
    forming.stale.reserve(parts.groups.list.slot_count());
    let now = parts.service.nav().now();
    let every = (u64::from(parts.service.nav().config().get().ticks_per_second) / PER_SECOND).max(1);
    for (id, group) in parts.groups.list.iter() {
        let due = matches!(group.reslot, Reslot::Joined | Reslot::All) || now.since(group.slotted) >= every;
        if due && is_stale(&parts.view(), group, &mut forming.passages) {
            forming.stale.push(id);
        }
    }
    for place in 0..forming.stale.len() {
        reslot_group(parts, forming.stale[place], now, forming);
    }
}

fn is_stale(view: &OrderView<'_>, group: &Group, passages: &mut PassageStore) -> bool {
    let Some(order) = view.orders.get(group.stage.order) else { return false };
    // Scattering units have no common shape to restore.
    if group.reslot != Reslot::None && !matches!(order, Order::Scatter { .. }) {
        return true;
    }
    match order {
        Order::Scatter { .. } => false,
        Order::Around { how: Around::Dock { .. }, .. } => {
            group.berth != UnitId::DEAD && !is_docked(view, group, passages)
        }
        Order::Around { target: target @ Target::Unit(_), how } => {
            let slack = match how {
                Around::InRange { least, most, .. } => {
                    Fixed::from_raw((most.raw() - least.raw()) / 8).max(TARGET_MOVED)
                }
                _ => TARGET_MOVED,
            };
            let there = view.whereabouts(target);
            there.is_some_and(|there| {
                distance_in_1024ths(there.middle, group.anchor) > slack.raw().unsigned_abs()
            })
        }
        _ => false,
    }
}

/// Whether the unit at the place of a dock is still there without another order, or is still in the lane that leads out of the dock: it could not pass the next unit there.
fn is_docked(view: &OrderView<'_>, group: &Group, passages: &mut PassageStore) -> bool {
    let (units, nav) = (view.units, view.service.nav());
    let Some(index) = units.index_of(group.berth) else { return false };
    if units.body.queue[index].0.is_empty() {
        return distance_in_1024ths(units.middle(index), group.first) <= OFF_BERTH;
    }
    let rule = nav.config().step_rule();
    passages.follow(nav.layer(), rule);
    let Some(number) = passages.number_of(nav.layer(), group.agent, rule) else { return false };
    let lane_at = |at: CellPos| passages.get(number).at(at).map(|passage| passage.id);
    lane_at(group.first.cell()).is_some_and(|lane| lane_at(units.cell(index)) == Some(lane))
}

/// Gives new slots to the units of a group that still have the order. Units in place keep theirs.
fn reslot_group(parts: &mut OrderParts<'_>, id: GroupId, now: Tick, forming: &mut FormingScratch) {
    let Some(group) = parts.groups.list.get(id) else { return };
    let Some(placement) = placement_of(&parts.view(), group.stage, Some(group)) else { return };
    let (stage, first, mut berth) = (group.stage, group.first, group.berth);
    let end = group.end;
    // Members that keep their relative positions keep their slots too. Only units that joined get one.
    let keeps = placement.is_relative() && group.reslot != Reslot::All;
    let dock = matches!(placement, Placement::Around(_, Around::Dock { .. }));
    if dock && !is_docked(&parts.view(), group, &mut forming.passages) {
        berth = UnitId::DEAD;
    }
    let docked = parts.units.index_of(berth);
    forming.held.clear();
    forming.chosen.clear();
    for index in 0..parts.units.column_len() {
        let has_slot = parts.units.membership(index).is_some_and(|own| own.group == id);
        if keeps && has_slot {
            continue;
        }
        if parts.units.conditions.is_aboard(index) {
            continue;
        }
        if parts.units.belongs_to(index, stage) || docked == Some(index) {
            forming.chosen.push(index as u32);
        }
    }
    forming.chosen.truncate(MAX_MEMBERS);
    collect_members(&mut GroupParts::of(parts), &placement, forming);
    // Units in place have ended the order, so they are not chosen. Their slots count as taken.
    reserve_places(&parts.view(), &placement, forming);
    if dock {
        for member in &mut forming.members {
            let index = member.id as usize;
            let membership = parts.units.membership(index).filter(|membership| membership.group == id);
            let place = membership.map_or(LAST, |membership| distance_in_1024ths(membership.slot, first) + 1);
            member.left = if docked == Some(index) { 0 } else { place };
        }
    }
    let placed = place_members(parts.service.nav(), &placement, forming);
    if let Some(group) = parts.groups.list.get_mut(id) {
        (group.reslot, group.slotted, group.berth) = (Reslot::None, now, berth);
        if let Some(placed) = &placed {
            (group.anchor, group.end) = (placed.centre, placed.end);
            group.layout =
                SlotLayout::of(placed.centre, placed.towards, forming.slots.iter().map(|slot| slot.at));
            group.first = forming.slots.first().map_or(group.first, |slot| slot.at);
            let speeds = forming.members.iter().map(|member| member.speed);
            group.speed = speeds.min().unwrap_or(group.speed);
            let wide = forming.members.iter().map(|member| member.radius).max();
            group.radius = group.radius.max(wide.unwrap_or_default());
        }
    }
    if let Some(placed) = &placed {
        assign_slots(parts, id, placed, docked, forming);
        if matches!(placement, Placement::Around(..)) {
            follow_target(&mut GroupParts::of(parts), id, end, forming);
        }
    }
}

/// Requests another route for a group if it now ends more than 3 cells from `before`.
fn follow_target(parts: &mut GroupParts<'_>, id: GroupId, before: CellPos, forming: &FormingScratch) {
    let Some(group) = parts.groups.list.get(id).filter(|_| forming.members.len() > 1) else { return };
    let far = group.end.x.abs_diff(before.x).max(group.end.y.abs_diff(before.y)) > SLOT_MOVED;
    if far {
        let (order, end, agent, old) = (group.stage.order, group.end, group.agent, group.route_search);
        parts.service.cancel(old);
        let route_search = request_route(parts, middle_most(&forming.members), order, end, agent);
        if let Some(group) = parts.groups.list.get_mut(id) {
            group.route_search = route_search;
        }
    }
}

/// Gives members their new memberships.
fn assign_slots(
    parts: &mut OrderParts<'_>,
    id: GroupId,
    placed: &Placed,
    docked: Option<usize>,
    forming: &mut FormingScratch,
) {
    let Some(order) = parts.groups.list.get(id).map(|group| group.stage.order) else { return };
    let FormingScratch { members, slots, taken, lanes, sorted, given, nearest, .. } = forming;
    let _ = Lanes::of(members, placed.centre, sorted, lanes);
    find_places(parts.units, id, members, nearest);
    given.clear();
    for place in 0..members.len() {
        let index = members[place].id as usize;
        let Some(at) = taken[place].and_then(|number| slots.get(number as usize)).map(|slot| slot.at) else {
            continue;
        };
        if docked == Some(index) {
            continue;
        }
        let own = parts.units.membership(index).filter(|membership| membership.group == id);
        let (branch, gate) = match own {
            Some(membership) => (membership.route.branch(), membership.route.gate()),
            None => nearest.gate_beside(members[place].at).unwrap_or((Branch::Main, 0)),
        };
        let lane = own.map_or(lanes[place], |membership| membership.lane);
        let facing = placed.facing_at(at);
        let route = RouteProgress::start(branch, gate);
        let membership = Membership { group: id, slot: at, lane, route, facing };
        // A unit that has not begun the order takes this membership when it does.
        given.push((index as u32, membership));
        let begun = parts.units.progress[index].phase != Phase::Idle;
        if begun && parts.units.is_under(index, order) {
            apply_membership(parts, index, membership);
            nearest.note_member(index as u32, members[place].at, route);
        }
    }
    if let Some(group) = parts.groups.list.get_mut(id) {
        group.pending.merge(given);
    }
}

/// Lists the members of a group, and the units that join it, for [`NearestMember::gate_beside`]. Without units that join, the list stays empty.
fn find_places(units: &mut Units, id: GroupId, members: &[Member], nearest: &mut NearestMember) {
    nearest.clear();
    let joins = |member: &&Member| {
        units.membership(member.id as usize).is_none_or(|membership| membership.group != id)
    };
    members.iter().filter(joins).for_each(|member| nearest.add(member.id, member.at, None));
    if nearest.is_empty() {
        return;
    }
    units.refresh_members();
    for (index, own) in units.members(id) {
        nearest.add(index as u32, units.middle(index), Some(own.route));
    }
    nearest.sort();
}

/// Changes the membership of a unit that walks to its slot, or waits in it.
fn apply_membership(parts: &mut OrderParts<'_>, index: usize, membership: Membership) {
    parts.units.set_membership(index, Some(membership));
    let progress = &parts.units.progress[index];
    match progress.phase {
        Phase::Going if progress.escape.is_none() => {
            let to = membership.slot.minus(parts.units.shift(parts.units.body.kind[index])).cell();
            let end = parts.service.end(progress.path).map(crate::base::Vec2::cell);
            let near = end.is_some_and(|end| end.x.abs_diff(to.x).max(end.y.abs_diff(to.y)) <= SLOT_MOVED);
            if !near {
                parts.request_again(index, RouteChange::Target);
            }
        }
        Phase::Waiting if parts.units.stance(index) != Stance::Moving => {
            let place = parts.units.place(index);
            parts.units.body.crowd.set_home(place, membership.slot);
        }
        _ => {}
    }
}
