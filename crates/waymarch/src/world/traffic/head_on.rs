//! Groups that walk towards each other: both keep right.
//!
//! Two blocks that meet head-on block each other until their units have passed one by one. So both get a gate where they are about to meet, across
//! all open ground there. They cross it like any gate with opposing traffic: each on its right half. The gate is removed when all members have passed it.

use crate::avoid::{FINE_CELL, Fine};
use crate::groups::{GateFinder, RouteGate, Traffic};
use crate::world::formation::forming::{FormingScratch, SpareGates};
use crate::world::groups::group::{GroupGate, update_routes};
use crate::world::groups::meetings::MOST_GATES;
use crate::world::state::State;
use crate::world::traffic::crossing::{Block, Blocks};
use crate::world::units::membership::{Branch, GroupId, RouteProgress};
use crate::world::units::order_progress::Phase;

/// Blocks get their gate when their first members are at most 16 cells apart.
const FAR: i64 = 16 * FINE_CELL as i64;
/// Blocks get no gate when their first members are less than 3 cells apart: units need some distance to change lanes.
const NEAR: i64 = 3 * FINE_CELL as i64;

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
                route.branch() == Branch::Main && usize::from(route.gate()) < group.main_gates.len()
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
