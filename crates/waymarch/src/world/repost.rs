//! Groups whose slots are made anew on the way: somebody died, left or joined, the formation changed, what they stand around moved on.

use super::byway::Branch;
use super::endings::Lost;
use super::errand::Phase;
use super::events::RouteChange;
use super::group::{Group, GroupId, News, Post, View};
use super::muster::{Sergeant, middle_most};
use super::orders::Order;
use super::simulation::World;
use super::standing::{Arranged, Standing, thousandths};
use super::target::{Around, Target};
use super::units::{UnitId, less};
use crate::avoid::{FINE_CELL, Fine, Stance};
use crate::base::{CellPos, Fixed, Tick};
use crate::groups::{Lanes, MAX_MEMBERS};

/// Slots are made anew at most so many times a second, unless somebody waits for it.
const PER_SECOND: u64 = 2;
/// What units stand around has to move so far before they move too: a cell.
const TARGET_MOVED: Fixed = Fixed::ONE;
/// A unit under way whose slot is so many cells from where its route ends asks for another.
const SLOT_MOVED: u32 = 3;
/// Who leaves the place at a dock by more than this, in 1024ths of a cell, is gone from it.
const OFF_BERTH: u32 = 1024;
/// The place in a line of somebody who has none yet.
const LAST: u32 = u32::MAX >> 1;

impl World {
    /// Makes slots anew where they have to be.
    pub(super) fn remake(&mut self) {
        if self.groups.list.is_empty() {
            return;
        }
        let mut sergeant = core::mem::take(&mut self.sergeant);
        sergeant.stale.clear();
        sergeant.stale.reserve(self.groups.list.slot_count());
        let now = self.now();
        let every = (u64::from(self.service.nav().config().get().ticks_per_second) / PER_SECOND).max(1);
        for (id, group) in self.groups.list.iter() {
            let due = matches!(group.news, News::Joined | News::Anew) || now.0 >= group.posted.0 + every;
            if due && self.is_stale(group) {
                sergeant.stale.push(id);
            }
        }
        for place in 0..sergeant.stale.len() {
            self.repost(sergeant.stale[place], now, &mut sergeant);
        }
        self.sergeant = sergeant;
    }

    fn is_stale(&self, group: &Group) -> bool {
        let Some(order) = self.orders.get(group.order) else { return false };
        // Who scatters goes its own way.
        if group.news != News::None && !matches!(order, Order::Scatter { .. }) {
            return true;
        }
        match order {
            Order::Scatter { .. } => false,
            Order::Around { how: Around::Dock { .. }, .. } => {
                group.berth != UnitId::DEAD && !self.is_docked(group)
            }
            Order::Around { target: target @ Target::Unit(_), how } => {
                let slack = match how {
                    Around::InRange { least, most, .. } => {
                        Fixed::from_raw((most.raw() - least.raw()) / 8).max(TARGET_MOVED)
                    }
                    _ => TARGET_MOVED,
                };
                let there = self.whereabouts(target);
                there
                    .is_some_and(|there| thousandths(there.middle, group.anchor) > slack.raw().unsigned_abs())
            }
            _ => false,
        }
    }

    /// Whether the one at the dock's place is still there, with nothing else to do.
    fn is_docked(&self, group: &Group) -> bool {
        let Some(slot) = self.units.slot(group.berth) else { return false };
        let idle = self.units.queue[slot].0.is_empty();
        idle && thousandths(self.units.middle(slot), group.first) <= OFF_BERTH
    }

    /// Makes the slots of a group anew for all who are under way to them; who is there already keeps its own.
    fn repost(&mut self, id: GroupId, now: Tick, sergeant: &mut Sergeant) {
        let Some(group) = self.groups.list.get(id) else { return };
        let Some(standing) = self.standing_of(group.order, group.leg, Some(group)) else { return };
        let (order, leg, first, mut berth) = (group.order, group.leg, group.first, group.berth);
        let end = group.end;
        // Those who keep the shape they had go on to their slots; only who came is given another.
        let keeps = standing.is_relative() && group.news != News::Anew;
        let dock = matches!(standing, Standing::Around(_, Around::Dock { .. }));
        if dock && !self.is_docked(group) {
            berth = UnitId::DEAD;
        }
        let docked = self.units.slot(berth);
        sergeant.held.clear();
        let mut called = core::mem::take(&mut sergeant.sorted);
        called.clear();
        for slot in 0..self.units.slots() {
            let queue = &self.units.queue[slot].0;
            let at_leg = match queue.front() {
                Some(front) if *front == order => self.units.errand[slot].leg == leg,
                _ => leg == 0 && queue.contains(&order),
            };
            let has_post = self.units.post[slot].is_some_and(|post| post.group == id);
            if keeps && has_post {
                continue;
            }
            if at_leg || docked == Some(slot) {
                called.push((0, slot as u32, 0));
            }
        }
        called.truncate(MAX_MEMBERS);
        self.gather(called.iter().map(|called| called.1), &standing, sergeant);
        sergeant.sorted = called;
        // Who is there already keeps its own.
        self.reserve(&standing, sergeant);
        if dock {
            for member in &mut sergeant.members {
                let slot = member.id as usize;
                let post = self.units.post[slot].filter(|post| post.group == id);
                let place = post.map_or(LAST, |post| thousandths(post.slot, first) + 1);
                member.left = if docked == Some(slot) { 0 } else { place };
            }
        }
        let arranged = self.arrange(&standing, sergeant);
        if let Some(group) = self.groups.list.get_mut(id) {
            (group.news, group.posted, group.berth) = (News::None, now, berth);
            if let Some(arranged) = &arranged {
                (group.anchor, group.end) = (arranged.anchor, arranged.end);
                group.first = sergeant.slots.first().map_or(group.first, |slot| slot.at);
                let speeds = sergeant.members.iter().map(|member| member.speed);
                group.speed = speeds.min().unwrap_or(group.speed);
                let wide = sergeant.members.iter().map(|member| member.radius).max();
                group.radius = group.radius.max(wide.unwrap_or_default());
            }
        }
        if let Some(arranged) = &arranged {
            self.hand_out(id, arranged, docked, sergeant);
            if matches!(standing, Standing::Around(..)) {
                self.lead_after(id, end, sergeant);
            }
        }
    }

    /// Asks for another way for a group whose target has gone far from where its way ended.
    fn lead_after(&mut self, id: GroupId, before: CellPos, sergeant: &Sergeant) {
        let Some(group) = self.groups.list.get(id).filter(|_| sergeant.members.len() > 1) else { return };
        let far = group.end.x.abs_diff(before.x).max(group.end.y.abs_diff(before.y)) > SLOT_MOVED;
        if far {
            let (order, end, agent, old) = (group.order, group.end, group.agent, group.way);
            self.service.cancel(old);
            let way = self.ask_way(middle_most(&sergeant.members), order, end, agent);
            if let Some(group) = self.groups.list.get_mut(id) {
                group.way = way;
            }
        }
    }

    /// Gives members their new posts.
    fn hand_out(&mut self, id: GroupId, arranged: &Arranged, docked: Option<usize>, sergeant: &mut Sergeant) {
        let Sergeant { members, slots, taken, lanes, sorted, .. } = sergeant;
        let _ = Lanes::of(members, arranged.centre, sorted, lanes);
        for place in 0..members.len() {
            let slot = members[place].id as usize;
            let Some(at) = taken[place].and_then(|number| slots.get(number as usize)).map(|slot| slot.at)
            else {
                continue;
            };
            if docked == Some(slot) {
                continue;
            }
            let own = self.units.post[slot].filter(|post| post.group == id);
            let (branch, gate) =
                own.map_or_else(|| self.gate_beside(id, members[place].at), |post| (post.branch, post.gate));
            let lane = own.map_or(lanes[place], |post| post.lane);
            let facing = arranged.facing_at(at);
            let post =
                Post { group: id, slot: at, lane, branch, gate, view: View::Unknown, lost: None, facing };
            if let Some(group) = self.groups.list.get_mut(id) {
                // Of those who have not begun; they take their posts when they do.
                match group.posts.binary_search_by_key(&(slot as u32), |(unit, _)| *unit) {
                    Ok(found) => group.posts[found].1 = post,
                    Err(gap) => group.posts.insert(gap, (slot as u32, post)),
                }
            }
            let begun = self.units.errand[slot].phase != Phase::Idle;
            let front = self.groups.list.get(id).map(|group| group.order);
            if begun && self.units.queue[slot].0.front().copied() == front {
                self.take_post(slot, post);
            }
        }
    }

    /// Another post for a unit that is under way, or waits in its old one.
    fn take_post(&mut self, slot: usize, post: Post) {
        self.units.post[slot] = Some(post);
        let errand = &self.units.errand[slot];
        match errand.phase {
            Phase::Going if errand.escape.is_none() => {
                let to = less(post.slot, self.units.shift(self.units.kind[slot])).cell();
                let end = self.service.end(errand.path).map(crate::base::WorldPos::cell);
                let near =
                    end.is_some_and(|end| end.x.abs_diff(to.x).max(end.y.abs_diff(to.y)) <= SLOT_MOVED);
                if !near {
                    self.ask_afresh(slot, RouteChange::Target);
                }
            }
            Phase::Waiting if self.units.stance(slot) != Stance::Moving => {
                self.units.crowd.set_spot(self.units.place(slot), post.slot);
            }
            _ => {}
        }
    }

    /// The way and the gate that the member of a group goes through next who is nearest to a point.
    fn gate_beside(&self, id: GroupId, at: Fine) -> (Branch, u16) {
        let posts = self.units.post.iter().enumerate();
        let mates =
            posts.filter_map(|(slot, post)| post.filter(|post| post.group == id).map(|post| (slot, post)));
        let far = |slot: usize| (self.units.middle(slot).distance_squared(at), slot);
        mates
            .min_by_key(|&(slot, _)| far(slot))
            .map_or((Branch::Main, 0), |(_, post)| (post.branch, post.gate))
    }

    /// A unit that has an order is about to lose it: its group is one less.
    pub(super) fn leaves_group(&mut self, slot: usize, how: Lost) {
        let Some(post) = self.units.post[slot] else { return };
        let Some(group) = self.groups.list.get_mut(post.group) else { return };
        let under_way = self.units.queue[slot].0.contains(&group.order);
        if under_way && group.news == News::None {
            group.news = News::Missing;
        }
        if let Ok(place) = group.posts.binary_search_by_key(&(slot as u32), |(unit, _)| *unit) {
            if under_way || how == Lost::Unit {
                group.posts.remove(place);
            }
        }
    }
}

/// Whether a unit is so near to its slot that it may wait there.
pub(super) fn is_at(at: Fine, slot: Fine, quarters: u64) -> bool {
    let near = quarters * (FINE_CELL as u64) / 4;
    at.distance_squared(slot) <= near * near
}
