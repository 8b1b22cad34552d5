//! Reports which groups wait for another group, for games that show why units stand.

use crate::world::events::EventKind;
use crate::world::groups::right_of_way::CROSSING_EVERY;
use crate::world::state::State;
use crate::world::traffic::crossing::Blocks;
use crate::world::units::membership::{Branch, GroupId};

/// How a group waits for another group with right of way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Waiting {
    /// How many members wait.
    pub members: u32,
    /// For how many ticks the group has waited. Earlier waits count too, less the time since then. 0 while the group itself has right of way.
    pub ticks: u32,
    /// The group that it waits for; of several the nearest. `None` if that group has just passed: members continue within 4 ticks.
    pub waits_for: Option<GroupId>,
}

/// Scratch: how members of a group wait.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Waits {
    /// How many members waited before this check.
    before: u32,
    /// How many members wait after it.
    pub(crate) now: u32,
    /// The smallest unit index of a member.
    first: Option<u32>,
    /// The index of the group that the first waiting member waits for.
    lets_pass: Option<u32>,
}

impl Waits {
    /// A value that no code may read.
    pub(crate) const POISON: Self = Self { before: 7, now: 7, first: Some(0), lets_pass: Some(0) };
}

impl State {
    /// Notes whether a unit has waited, and the index of the group that it waits for from now on.
    pub(crate) fn note_wait(&self, index: usize, lets_pass: Option<u32>, all: &mut [Waits]) {
        let membership =
            self.units.membership(index).filter(|membership| membership.route.branch() == Branch::Main);
        let Some(membership) = membership.filter(|membership| self.groups.list.contains(membership.group))
        else {
            return;
        };
        let waits = &mut all[membership.group.index() as usize];
        waits.first = waits.first.or(Some(index as u32));
        waits.before += u32::from(self.units.grants_right_of_way(index));
        waits.now += u32::from(lets_pass.is_some());
        waits.lets_pass = waits.lets_pass.or(lets_pass);
    }

    /// Adds events for the first members of groups that begin or cease to wait.
    pub(crate) fn report_waits(&mut self, all: &[Waits]) {
        for waits in all {
            let what = match (waits.before, waits.now) {
                (0, 1..) => {
                    let other = waits.lets_pass.and_then(|other| self.groups.list.id_at(other));
                    other.map(EventKind::GroupWaits)
                }
                (1.., 0) => Some(EventKind::GroupGoesOn),
                _ => None,
            };
            let first = waits.first.and_then(|index| self.units.id_at(index as usize));
            if let Some((unit, what)) = first.zip(what) {
                self.events.add(unit, what);
            }
        }
    }

    /// How a group waits for another group; `None` if no member waits.
    pub(crate) fn waiting_of(&self, id: GroupId) -> Option<Waiting> {
        let group = self.groups.list.get(id)?;
        let is_member = |index: usize| self.units.membership(index).is_some_and(|own| own.group == id);
        let waits = |index: usize| self.units.id_at(index).is_some() && self.units.grants_right_of_way(index);
        let waiting = || (0..self.units.column_len()).filter(|&index| is_member(index) && waits(index));
        let members = waiting().count() as u32;
        if members == 0 {
            return None;
        }
        let mut blocks = Blocks::default();
        self.find_blocks(&mut blocks);
        let other = waiting().find_map(|index| self.stopped_by(index, &blocks));
        let waits_for = other.and_then(|other| self.groups.list.id_at(other));
        let ticks = u32::from(group.right_of_way.waited.max(0).unsigned_abs()) * CROSSING_EVERY as u32;
        Some(Waiting { members, ticks, waits_for })
    }
}
