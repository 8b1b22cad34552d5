//! Groups that come towards each other: both keep right.
//!
//! Two blocks that walk into each other head on stand there until they have seeped through each other, one by one. So both get a gate where they are about
//! to meet, across all the ground that is open there, and pass it as they pass any gate that others come through the other way: each on the right
//! half of it. When all have passed it, it goes.

use super::byway::Branch;
use super::errand::Phase;
use super::group::{GroupId, Passage, Post};
use super::let_pass::Block;
use super::simulation::World;
use crate::avoid::FINE_CELL;
use crate::groups::{GateFinder, Traffic, WayGate};

/// Blocks get their gate when their first members are no further apart: sixteen cells.
const FAR: i64 = 16 * FINE_CELL as i64;
/// Nor nearer: it takes some way to get into lanes. Three cells.
const NEAR: i64 = 3 * FINE_CELL as i64;
/// Groups are given no more gates.
const MOST_GATES: usize = 64;

impl World {
    /// Gives gates to groups that are about to meet head on.
    pub(super) fn part_oncoming(&mut self, blocks: &[Block]) {
        for own in 1..blocks.len() {
            for other in 0..own {
                let (one, two) = (&blocks[other], &blocks[own]);
                if one.opposes(two) && one.marches() && two.marches() {
                    self.part(one, two);
                }
            }
        }
    }

    fn part(&mut self, one: &Block, two: &Block) {
        let Some((at, gap)) = one.meeting(two) else { return };
        if !(NEAR..=FAR).contains(&gap) {
            return;
        }
        let ids = [one, two].map(|block| self.groups.list.id_at(block.group));
        let [Some(first), Some(second)] = ids else { return };
        // Whoever looks for its way will have other gates in a moment.
        let looks =
            |id| self.groups.list.get(id).is_some_and(|group| self.service.status(group.way).is_some());
        if looks(first) || looks(second) {
            return;
        }
        let Some(group) = self.groups.list.get(first) else { return };
        let Some(field) = self.service.nav().layer().field(group.agent.locomotor.into()) else { return };
        let is_open = |at| field.is_passable(at);
        let far = one.width().max(two.width());
        if !is_open(at.cell()) {
            return;
        }
        let gate = GateFinder::across(at, one.ahead(), far, is_open);
        self.give_gate(first, gate);
        self.give_gate(second, gate.turned_round());
    }

    fn give_gate(&mut self, id: GroupId, way: WayGate) {
        let Some(group) = self.groups.list.get_mut(id) else { return };
        let len = group.passages.len();
        if len >= MOST_GATES {
            return;
        }
        if group.passages.capacity() == len {
            let spare = &mut self.sergeant.spare_passages.0;
            let mut longer = spare.take(len + 1);
            longer.extend_from_slice(&group.passages);
            spare.keep(core::mem::replace(&mut group.passages, longer));
        }
        group.passages.push(Passage::new(way, Traffic::Opposing));
        group.meetings = group.meetings.saturating_add(1);
    }

    /// Lets go of the gates of meetings that all who are under way have passed.
    pub(super) fn forget_meetings(&mut self) {
        if self.groups.list.values().all(|group| group.meetings == 0) {
            return;
        }
        let mut ahead = core::mem::take(&mut self.drill.ahead);
        ahead.clear();
        ahead.resize(self.groups.list.slot_count(), u16::MAX);
        for slot in 0..self.units.slots() {
            let goes = self.units.id_at(slot).is_some() && self.units.errand[slot].phase == Phase::Going;
            if let Some(post) = self.units.post[slot].filter(|post| goes && post.branch == Branch::Main) {
                if let Some(least) = ahead.get_mut(post.group.index() as usize) {
                    *least = post.gate.min(*least);
                }
            }
        }
        for (id, group) in self.groups.list.iter_mut().filter(|(_, group)| group.meetings > 0) {
            if usize::from(ahead[id.index() as usize]) < group.passages.len() {
                continue;
            }
            let stays = group.passages.len().saturating_sub(usize::from(group.meetings));
            group.passages.truncate(stays);
            group.meetings = 0;
            // Whoever was past them is past all that stay.
            let posts = self.units.post.iter_mut().flatten();
            let main = |post: &&mut Post| post.group == id && post.branch == Branch::Main;
            for post in posts.chain(group.posts.iter_mut().map(|(_, post)| post)).filter(main) {
                post.gate = post.gate.min(stays as u16);
            }
        }
        self.drill.ahead = ahead;
    }
}
