//! Groups that walk towards each other: both keep right.
//!
//! Two blocks that meet head-on block each other until their units have passed one by one. So both get a gate where they are about to meet, across
//! all open ground there. They cross it like any gate with opposing traffic: each on its right half. The gate is removed when all members have passed it.

use alloc::vec::Vec;

use crate::avoid::{FINE_CELL, Fine};
use crate::base::CellPos;
use crate::groups::{GateFinder, RouteGate, Traffic};
use crate::world::formation::forming::{FormingScratch, SpareGates};
use crate::world::formation::group::{Group, GroupGate, update_routes};
use crate::world::state::State;
use crate::world::traffic::crossing::{Block, Blocks};
use crate::world::units::membership::{Branch, GroupId, RouteProgress};
use crate::world::units::order_progress::Phase;

/// Blocks get their gate when their first members are at most 16 cells apart.
const FAR: i64 = 16 * FINE_CELL as i64;
/// Blocks get no gate when their first members are less than 3 cells apart: units need some distance to change lanes.
const NEAR: i64 = 3 * FINE_CELL as i64;
/// A group with 64 gates gets no more.
const MOST_GATES: usize = 64;

impl Group {
    /// Adds the gates of meetings to the gates of a new route along `points`, as far as its last leg leads through them. Writes the others to `ended`.
    ///
    /// An edit near the route makes the group request it again, mostly with the same result. Without its gate, a unit in the middle of a meeting would
    /// walk into the other group.
    pub(crate) fn keep_meetings(
        &mut self,
        points: &[Fine],
        met: &[GroupGate],
        is_open: impl Fn(CellPos) -> bool,
        ended: &mut Vec<RouteGate>,
    ) {
        self.meetings = 0;
        let last = self.main_gates.last().map(|passage| passage.way.taut);
        let leg = last.or(points.first().copied()).zip(points.last().copied());
        for passage in met {
            let way = &passage.way;
            let stays = leg.is_some_and(|(from, to)| {
                // A group without another gate may be in the middle of the meeting.
                let leads = way.is_behind(from) && last.is_none() || way.is_crossed(from, to);
                leads && way.is_behind(to) && is_clear(way, &is_open)
            });
            if stays && self.main_gates.len() < MOST_GATES {
                self.main_gates.push(*passage);
                self.meetings += 1;
            } else {
                ended.push(*way);
            }
        }
    }
}

/// Whether ground is open all along a gate.
fn is_clear(way: &RouteGate, is_open: impl Fn(CellPos) -> bool) -> bool {
    let (left, right) = (way.gate.left, way.gate.right);
    // Four points per cell are checked, but not the ends of the gate: they touch walls.
    let looks = (way.width() / i64::from(FINE_CELL / 4)).max(1);
    let part = |from: i32, to: i32, look: i64| {
        let by = (i64::from(to) - i64::from(from)) * (2 * look + 1) / (2 * looks);
        // The result lies between two valid coordinates, so it fits i32.
        (i64::from(from) + by) as i32
    };
    (0..looks).all(|look| is_open(Fine::new(part(left.x, right.x, look), part(left.y, right.y, look)).cell()))
}

impl State {
    /// Gives gates to groups that are about to meet head-on.
    pub(crate) fn part_oncoming(&mut self, blocks: &mut Blocks, forming: &mut FormingScratch) {
        let Blocks { list, nearby, meeting } = blocks;
        meeting.clear();
        let marching = || (0_u32..).zip(list.iter()).filter(|(_, block)| block.marches());
        let extent = marching().map(|(_, block)| block.extent()).max().unwrap_or(0);
        // The distance between the centres of two blocks that meet includes the extents of both, along and across their direction.
        nearby.lay(marching().map(|(number, block)| (number, block.middle())), FAR + 4 * extent);
        nearby.pairs(|one, two| {
            let (first, second) = (&list[one as usize], &list[two as usize]);
            let met = if first.opposes(second) { first.meeting(second) } else { None };
            meeting.extend(met.filter(|(_, gap)| (NEAR..=FAR).contains(gap)).map(|(at, _)| (two, one, at)));
        });
        meeting.sort_unstable_by_key(|&(later, earlier, _)| (later, earlier));
        for &(later, earlier, at) in &*meeting {
            if let Some(gates) = self.meeting_gates(&list[earlier as usize], &list[later as usize], at) {
                gates.into_iter().for_each(|(id, gate)| self.give_gate(id, gate, &mut forming.spare_gates));
            }
        }
    }

    /// The gates for two groups that are about to meet at a point.
    fn meeting_gates(&self, one: &Block, two: &Block, at: Fine) -> Option<[(GroupId, RouteGate); 2]> {
        let (first, second) = (self.groups.list.id_at(one.group)?, self.groups.list.id_at(two.group)?);
        // A group that waits for its route will have other gates soon.
        let looks = |id| {
            self.groups.list.get(id).is_some_and(|group| self.service.status(group.route_search).is_some())
        };
        if looks(first) || looks(second) {
            return None;
        }
        let group = self.groups.list.get(first)?;
        let field = self.service.nav().layer().field(group.agent.locomotor.into())?;
        let is_open = |at| field.is_passable(at);
        if !is_open(at.cell()) {
            return None;
        }
        let gate = GateFinder::across(at, one.ahead(), one.width().max(two.width()), is_open);
        Some([(first, gate), (second, gate.turned_round())])
    }

    fn give_gate(&mut self, id: GroupId, way: RouteGate, SpareGates(spare): &mut SpareGates) {
        let Some(group) = self.groups.list.get_mut(id) else { return };
        let len = group.main_gates.len();
        if len >= MOST_GATES {
            return;
        }
        if group.main_gates.capacity() == len {
            let mut longer = spare.take(len + 1);
            longer.extend_from_slice(&group.main_gates);
            spare.keep(core::mem::replace(&mut group.main_gates, longer));
        }
        group.main_gates.push(GroupGate::new(way, Traffic::Opposing));
        group.meetings = group.meetings.saturating_add(1);
    }

    /// Removes gates of meetings that the other group will not reach, because it has another route. If the groups still meet, they get another gate.
    pub(crate) fn end_meetings(&mut self, ended: &[RouteGate]) {
        for theirs in ended {
            let own = theirs.turned_round();
            for (id, group) in self.groups.list.iter_mut().filter(|(_, group)| group.meetings > 0) {
                let first = group.main_gates.len().saturating_sub(usize::from(group.meetings));
                let met = group.main_gates[first..].iter().position(|passage| passage.way == own);
                let Some(place) = met.map(|place| first + place) else { continue };
                group.main_gates.remove(place);
                group.meetings -= 1;
                let restart = |route: &mut RouteProgress| {
                    route.resume_at(route.gate - u16::from(usize::from(route.gate) > place));
                };
                update_routes(&mut self.units, id, &mut group.pending, Branch::Main, restart);
            }
        }
    }

    /// Removes the gates of meetings that all walking members have passed.
    pub(crate) fn forget_meetings(&mut self) {
        if self.groups.list.values().all(|group| group.meetings == 0) {
            return;
        }
        self.units.refresh_members();
        for (id, group) in self.groups.list.iter_mut().filter(|(_, group)| group.meetings > 0) {
            let goes = |index: usize| self.units.progress[index].phase == Phase::Going;
            let mut under_way = self.units.members(id).filter(|(index, _)| goes(*index));
            let is_before = |route: RouteProgress| {
                route.branch == Branch::Main && usize::from(route.gate) < group.main_gates.len()
            };
            let any_before = under_way.any(|(_, own)| is_before(own.route));
            drop(under_way);
            if any_before {
                continue;
            }
            let stays = group.main_gates.len().saturating_sub(usize::from(group.meetings));
            group.main_gates.truncate(stays);
            group.meetings = 0;
            // A member past these gates is past all that stay.
            let clamp = |route: &mut RouteProgress| route.clamp_gate(stays as u16);
            update_routes(&mut self.units, id, &mut group.pending, Branch::Main, clamp);
        }
    }
}
