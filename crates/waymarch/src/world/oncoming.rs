//! Groups that come towards each other: both keep right.
//!
//! Two blocks that walk into each other head on stand there until they have seeped through each other, one by one. So both get a gate where they are about
//! to meet, across all the ground that is open there, and pass it as they pass any gate that others come through the other way: each on the right
//! half of it. When all have passed it, it goes.

use alloc::vec::Vec;

use super::byway::Branch;
use super::errand::Phase;
use super::group::{Group, GroupId, Passage, Post};
use super::let_pass::{Block, Blocks};
use super::simulation::World;
use crate::avoid::{FINE_CELL, Fine};
use crate::base::CellPos;
use crate::groups::{GateFinder, Traffic, WayGate};

/// Blocks get their gate when their first members are no further apart: sixteen cells.
const FAR: i64 = 16 * FINE_CELL as i64;
/// Nor nearer: it takes some way to get into lanes. Three cells.
const NEAR: i64 = 3 * FINE_CELL as i64;
/// Groups are given no more gates.
const MOST_GATES: usize = 64;

impl Group {
    /// The group's way has been found anew, along `points`, and its gates are in place: those where it was about to meet others follow, as far as its last leg
    /// leads through them. An edit anywhere on the way has it looked for anew, mostly with the same outcome, and who is in the middle of a meeting
    /// would walk into the others. Writes those that it will not come to to `ended`.
    pub(super) fn keep_meetings(
        &mut self,
        points: &[Fine],
        met: &[Passage],
        is_open: impl Fn(CellPos) -> bool,
        ended: &mut Vec<WayGate>,
    ) {
        self.meetings = 0;
        let last = self.passages.last().map(|passage| passage.way.taut);
        let leg = last.or(points.first().copied()).zip(points.last().copied());
        for passage in met {
            let way = &passage.way;
            let stays = leg.is_some_and(|(from, to)| {
                // Who has no gate before it may be in the middle of the meeting.
                let leads = way.is_behind(from) && last.is_none() || way.is_crossed(from, to);
                leads && way.is_behind(to) && is_clear(way, &is_open)
            });
            if stays && self.passages.len() < MOST_GATES {
                self.passages.push(*passage);
                self.meetings += 1;
            } else {
                ended.push(*way);
            }
        }
    }
}

/// Whether ground is open all along a gate.
fn is_clear(way: &WayGate, is_open: impl Fn(CellPos) -> bool) -> bool {
    let (left, right) = (way.gate.left, way.gate.right);
    // Four looks a cell, none of them at the very ends: those lie against walls.
    let looks = (way.width() / i64::from(FINE_CELL / 4)).max(1);
    let part = |from: i32, to: i32, look: i64| {
        let by = (i64::from(to) - i64::from(from)) * (2 * look + 1) / (2 * looks);
        // Between two points on the plane.
        (i64::from(from) + by) as i32
    };
    (0..looks).all(|look| is_open(Fine::new(part(left.x, right.x, look), part(left.y, right.y, look)).cell()))
}

impl World {
    /// Gives gates to groups that are about to meet head on.
    pub(super) fn part_oncoming(&mut self, blocks: &mut Blocks) {
        let Blocks { list, nearby, meeting } = blocks;
        meeting.clear();
        let marching = || (0_u32..).zip(list.iter()).filter(|(_, block)| block.marches());
        let extent = marching().map(|(_, block)| block.extent()).max().unwrap_or(0);
        // Between the middles of two who meet lies what both reach, along their way and across it.
        nearby.lay(marching().map(|(number, block)| (number, block.middle())), FAR + 4 * extent);
        nearby.pairs(|one, two| {
            let (first, second) = (&list[one as usize], &list[two as usize]);
            let met = if first.opposes(second) { first.meeting(second) } else { None };
            meeting.extend(met.filter(|(_, gap)| (NEAR..=FAR).contains(gap)).map(|(at, _)| (two, one, at)));
        });
        meeting.sort_unstable_by_key(|&(later, earlier, _)| (later, earlier));
        for &(later, earlier, at) in &*meeting {
            self.part(&list[earlier as usize], &list[later as usize], at);
        }
    }

    fn part(&mut self, one: &Block, two: &Block, at: Fine) {
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

    /// Lets go of gates of meetings that the others do not come to any more: these have another way. Who is still to meet them gets another gate.
    pub(super) fn end_meetings(&mut self, ended: &[WayGate]) {
        for theirs in ended {
            let own = theirs.turned_round();
            for (id, group) in self.groups.list.iter_mut().filter(|(_, group)| group.meetings > 0) {
                let first = group.passages.len().saturating_sub(usize::from(group.meetings));
                let met = group.passages[first..].iter().position(|passage| passage.way == own);
                let Some(place) = met.map(|place| first + place) else { continue };
                group.passages.remove(place);
                group.meetings -= 1;
                let posts = self.units.post.iter_mut().flatten();
                let main = |post: &&mut Post| post.group == id && post.branch == Branch::Main;
                for post in posts.chain(group.posts.iter_mut().map(|(_, post)| post)).filter(main) {
                    post.look_anew(post.gate - u16::from(usize::from(post.gate) > place));
                }
            }
        }
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
