//! Going as a group: through gates side by side, to the right of those who come the other way, each to a slot of its own.

use alloc::vec::Vec;
use core::cell::{LazyCell, OnceCell};

use super::byway::Branch;
use super::corners::fits;
use super::follow::{Leader, Sight};
use super::group::{Group, GroupId, Passage, Post, View};
use super::let_pass::LET_PASS_EVERY;
use super::muster::is_turn;
use super::service::crosses;
use super::simulation::World;
use super::units::{coarse, less};
use crate::avoid::{FINE_BITS, FINE_CELL, Fine, GATE_LEFT, Guide, SpatialIndex, Stance};
use crate::base::{Fixed, isqrt, make_room, spoil};
use crate::groups::{GateFinder, Swapper, Traffic, WIDEST_GATE, Walker, WayGate};
use crate::query::Threat;

/// Units look for their place in a gate, or for their slot, every so many ticks, each in its own; from further away than some cells less often.
const LOOK_EVERY: u64 = 4;
const LOOK_NEAR: u64 = 24 * FINE_CELL as u64;
const LOOK_FAR_EVERY: u64 = 16;
/// And no further away than this, unless all ground costs the same: then a straight line is never dearer than another way.
const LOOK_FAR: u64 = 128 * FINE_CELL as u64;
const LOOK_OUT_EVERY: u64 = 64;
/// Neighbours exchange slots, and opposing traffic is looked for, every so many ticks.
const SWAP_EVERY: u64 = 4;
const TRAFFIC_EVERY: u64 = 8;
/// Others who come through the same gate count from here: 15 cells.
const ONCOMING: u64 = 15 * FINE_CELL as u64;
/// Neighbours exchange slots within this distance.
const SWAP_REACH: Fixed = Fixed::from_cells(2);

/// Scratch: what exchanging slots and keeping right takes.
#[derive(Clone, Debug, Default)]
pub(super) struct Drill {
    swapper: Swapper,
    /// Made when it is first needed: an empty one has memory too.
    index: Option<SpatialIndex>,
    walkers: Vec<Walker>,
    at: Vec<Fine>,
    ids: Vec<u32>,
    kin: Vec<(u32, u16, u32)>,
    pairs: Vec<(u32, u32)>,
    /// Gates that somebody is near to and has to pass: the group's slot, which of its ways, the gate's number.
    busy: Vec<(u32, Branch, u16)>,
    /// The same gates by where they are, from west to east, with the group's slot.
    crowded: Vec<(u32, WayGate)>,
    /// By slot of the group: the least number of a gate that a member has to pass.
    pub(super) ahead: Vec<u16>,
}

impl Drill {
    /// Makes memory ahead of need, for so many units.
    pub(super) fn stock_up(&mut self, units: usize) {
        const GROUPS: usize = 64;
        make_room(&mut self.busy, units);
        make_room(&mut self.crowded, units);
        make_room(&mut self.pairs, units / 2);
        make_room(&mut self.ahead, GROUPS);
        self.swapper.make_room();
    }

    /// Fills it with rubbish; no answer and no hash changes.
    pub(super) fn poison(&mut self) {
        let at = Fine::new(7, -7);
        self.swapper.poison();
        if let Some(index) = &mut self.index {
            index.rebuild(&[at], &[7]);
        }
        spoil(&mut self.walkers, Walker { id: u32::MAX, at, slot: at, kin: 0 });
        spoil(&mut self.at, at);
        spoil(&mut self.ids, u32::MAX);
        spoil(&mut self.kin, (7, 7, u32::MAX));
        spoil(&mut self.pairs, (u32::MAX, 7));
        spoil(&mut self.busy, (u32::MAX, Branch::Byway, 7));
        spoil(&mut self.crowded, (u32::MAX, GateFinder::across(at, (1024, 0), 7, |_| true)));
        spoil(&mut self.ahead, 0);
    }
}

impl Leader<'_> {
    /// What leads a unit that has a post, given what would lead it alone.
    pub(super) fn march(
        &self,
        slot: usize,
        sight: &Sight<'_>,
        alone: impl FnOnce() -> Guide,
        mut post: Post,
    ) -> (Guide, Post) {
        let middle = self.units.middle(slot);
        let Some(group) = self.groups.list.get(post.group) else {
            return (straight_if_last(middle, alone, &post), post);
        };
        let alone = LazyCell::new(alone);
        let turn = |every: u64| self.now.0.wrapping_add(slot as u64) % every == 0;
        let gate = post.gate;
        let gates = group.gates(post.branch);
        let ahead = gates.get(usize::from(gate)).map_or(post.slot, |gate| gate.way.taut);
        let look = match (middle.distance_squared(ahead), post.view) {
            (_, View::Unknown) => true,
            (far, _) if far < LOOK_NEAR * LOOK_NEAR => turn(LOOK_EVERY),
            (far, _) if far < LOOK_FAR * LOOK_FAR => turn(LOOK_FAR_EVERY),
            _ => turn(LOOK_OUT_EVERY),
        };
        let count = gates.len() as u16;
        // Who is sent round a crowded gate may see its slot through that very gate.
        let closed = group.avoids(post.branch, gate);
        let point = |at: Fine| coarse(less(at, sight.shift)).at_height(Fixed::ZERO);
        let finds = |to: Fine| !crosses(closed, point(middle), point(to)) && self.finds(sight, middle, to);
        let (slot_seen, to_slot) = (OnceCell::new(), post.slot);
        let sees_slot = || *slot_seen.get_or_init(|| finds(to_slot));
        let left_out = post.view == View::Ahead && post.gate == count;
        if look && left_out && !sees_slot() {
            come_back(gates, &mut post, middle);
        }
        pass(group, &mut post, middle);
        // Who came another way is beyond the gate and sees its slot.
        let strays = |gate: &Passage| gate.way.is_behind(middle) && sees_slot();
        let asked = post.gate;
        if look && gates.get(usize::from(post.gate)).is_some_and(strays) {
            post.gate = count;
        }
        let has_room = |at: Fine| fits(sight, at);
        let aim = group.aim(&post, sight.kind.radius, has_room);
        // Nor does one go through it who has its slot before it.
        let nearer = |aim: Fine| middle.distance_squared(to_slot) < middle.distance_squared(aim);
        if look && aim.is_some_and(nearer) && sees_slot() {
            post.gate = count;
        }
        let left_out = left_out || post.gate != asked;
        let look = look || post.gate != gate;
        let aim = aim.filter(|_| post.gate < count);
        if look {
            post.view = match aim {
                None if sees_slot() => {
                    if left_out {
                        View::Ahead
                    } else {
                        View::Clear
                    }
                }
                Some(aim) if finds(aim) => View::Clear,
                Some(aim) if group.taut(&post).is_some_and(|taut| taut != aim && finds(taut)) => View::Taut,
                _ if self.may_be_lost(slot, &post) && leads_back(gates, &post, middle, alone.aim) => {
                    View::Lost
                }
                _ => View::Hidden,
            };
        }
        let Some(aim) = aim else {
            let mut guide = straight_if_last(middle, || *alone, &post);
            if post.view.is_clear() {
                guide.aim = self.past_corner(slot, sight, guide.aim);
            }
            return (guide, post);
        };
        let gates = u32::from(count - post.gate).min(900);
        let left = gates.saturating_mul(GATE_LEFT).saturating_add(distance(middle, aim));
        let aim = match post.view {
            View::Clear | View::Ahead => {
                self.past_corner(slot, sight, group.funnel(&post, middle, aim, has_room))
            }
            View::Taut => self.past_corner(slot, sight, group.taut(&post).unwrap_or(aim)),
            View::Unknown | View::Hidden => alone.aim,
            // Until it has that, forward, not against those who come behind it.
            View::Lost => aim,
        };
        (Guide { aim, goal: post.slot, left }, post)
    }

    /// Whether a unit beyond a gate has not asked for another route there yet, or not got it.
    fn may_be_lost(&self, slot: usize, post: &Post) -> bool {
        post.lost != Some(post.gate) || self.service.status(self.units.errand[slot].fresh).is_some()
    }

    /// Whether a unit can walk straight from where its middle is to where it is to be.
    fn finds(&self, sight: &Sight<'_>, from: Fine, to: Fine) -> bool {
        let point = |at: Fine| coarse(less(at, sight.shift));
        let is_even = || {
            let threat = self.service.nav().config().threat_for(sight.kind.controller);
            threat == Threat::Ignore && sight.field.cheapest() == sight.field.dearest()
        };
        (from.distance_squared(to) < LOOK_FAR * LOOK_FAR || is_even())
            && self.glimpses(sight.field, point(from), point(to))
    }
}

/// Notes the gates that a unit has gone through.
fn pass(group: &Group, post: &mut Post, middle: Fine) {
    for number in post.gate..post.gate.saturating_add(3) {
        let passed = group
            .gates(post.branch)
            .get(usize::from(number))
            .is_some_and(|passage| passage.is_passed(middle));
        if passed {
            post.gate = number + 1;
        } else if post.branch == Branch::Byway {
            // Ways round turn back: who is before one of their gates may be beyond the line of the next.
            return;
        }
    }
}

/// Who left gates out because it saw its slot, and no longer does, has those before it again that it has not gone past.
fn come_back(gates: &[Passage], post: &mut Post, middle: Fine) {
    let before = |number: u16| gates.get(usize::from(number)).is_some_and(|gate| !gate.way.is_behind(middle));
    while post.gate > 0 && before(post.gate - 1) {
        post.gate -= 1;
    }
}

/// Whether a unit is beyond a gate that it would have to go back through to get to a point.
fn leads_back(gates: &[Passage], post: &Post, middle: Fine, to: Fine) -> bool {
    let last = post.gate.checked_sub(1).and_then(|number| gates.get(usize::from(number)));
    last.is_some_and(|gate| gate.way.is_crossed(to, middle))
}

/// Beyond the last gate a unit goes to its slot: by its own way, which ends near it, until it sees it.
fn straight_if_last(middle: Fine, alone: impl FnOnce() -> Guide, post: &Post) -> Guide {
    let leads = || Some(alone()).filter(|alone| alone.aim != alone.goal);
    let straight = post.view.is_clear() || post.view == View::Lost;
    let aim = if straight { None } else { leads() }.map_or(post.slot, |alone| alone.aim);
    Guide { aim, goal: post.slot, left: distance(middle, post.slot) }
}

/// In 1024ths of a cell.
fn distance(a: Fine, b: Fine) -> u32 {
    (isqrt(a.distance_squared(b)) >> (FINE_BITS - Fixed::BITS)).min(u64::from(GATE_LEFT - 1)) as u32
}

impl World {
    /// What groups do every few ticks: keep right where others come, and exchange slots.
    pub(super) fn drill(&mut self) {
        let now = self.now();
        // Who waits does not do so longer than its group lasts.
        if is_turn(now, LET_PASS_EVERY, 3) {
            self.let_pass();
        }
        if self.groups.list.is_empty() {
            return;
        }
        if is_turn(now, TRAFFIC_EVERY, 0) {
            self.keep_right();
        }
        if is_turn(now, SWAP_EVERY, 1) {
            self.exchange();
        }
        if is_turn(now, SWAP_EVERY, 2) {
            self.keep_pace();
        }
        if is_turn(now, u64::from(self.service.nav().config().get().ticks_per_second), 0) {
            self.watch_cohesion();
        }
    }

    /// Finds gates that are passed both ways.
    fn keep_right(&mut self) {
        let mut drill = core::mem::take(&mut self.drill);
        drill.busy.clear();
        for (slot, post) in self.units.post.iter().enumerate() {
            let Some(post) = post else { continue };
            let Some(group) = self.groups.list.get(post.group) else { continue };
            let Some(passage) = group.gates(post.branch).get(usize::from(post.gate)) else { continue };
            let under_way = self.units.id_at(slot).is_some() && self.units.stance(slot).travels();
            if under_way && self.units.middle(slot).distance_squared(passage.way.taut) < ONCOMING * ONCOMING {
                let gate = (post.group.index(), post.branch, post.gate);
                if drill.busy.last() != Some(&gate) {
                    drill.busy.push(gate);
                }
            }
        }
        drill.busy.sort_unstable();
        drill.busy.dedup();
        let Drill { busy, crowded, .. } = &mut drill;
        crowded.clear();
        crowded.extend(busy.iter().filter_map(|&(group, branch, gate)| {
            let passages = self.passages(self.groups.list.id_at(group)?, branch);
            Some((group, passages.get(usize::from(gate))?.way))
        }));
        crowded.sort_unstable_by_key(|(_, way)| way.taut.x);
        let opposes = |id: GroupId, way: &WayGate| {
            let first = crowded.partition_point(|(_, theirs)| theirs.taut.x < way.taut.x - MEET_WITHIN);
            let near = crowded[first..].iter();
            near.take_while(|(_, theirs)| theirs.taut.x - way.taut.x <= MEET_WITHIN)
                .any(|(other, theirs)| *other != id.index() && meets(way, theirs))
        };
        for (id, group) in self.groups.list.iter_mut() {
            for branch in [Branch::Main, Branch::Byway] {
                for passage in group.gates_mut(branch) {
                    let opposed = opposes(id, &passage.way);
                    passage.traffic = if opposed { Traffic::Opposing } else { Traffic::OneWay };
                }
            }
        }
        self.drill = drill;
    }

    fn passages(&self, group: GroupId, branch: Branch) -> &[Passage] {
        self.groups.list.get(group).map_or(&[], |group| group.gates(branch))
    }

    /// Lets neighbours who would both have less far to go exchange slots.
    fn exchange(&mut self) {
        let mut drill = core::mem::take(&mut self.drill);
        drill.kin.clear();
        for (slot, post) in self.units.post.iter().enumerate() {
            // Who halted for the game's sake has no business in its slot yet.
            let takes_part =
                |post: &Post| self.groups.list.contains(post.group) && !self.units.errand[slot].halted;
            if let Some(post) = post.filter(takes_part) {
                drill.kin.push((post.group.index(), self.units.kind[slot].0, slot as u32));
            }
        }
        drill.kin.sort_unstable();
        drill.walkers.clear();
        drill.at.clear();
        drill.ids.clear();
        let mut kin = 0;
        for (place, &(group, kind, slot)) in drill.kin.iter().enumerate() {
            let same = place > 0 && (drill.kin[place - 1].0, drill.kin[place - 1].1) == (group, kind);
            kin += u32::from(!same);
            let (at, post) = (self.units.middle(slot as usize), self.units.post[slot as usize]);
            let Some(post) = post else { continue };
            drill.walkers.push(Walker { id: slot, at, slot: post.slot, kin });
            drill.at.push(at);
            drill.ids.push(slot);
        }
        let index = drill.index.get_or_insert_with(|| SpatialIndex::new(SWAP_REACH));
        index.rebuild(&drill.at, &drill.ids);
        drill.swapper.find(&drill.walkers, index, SWAP_REACH, &mut drill.pairs);
        for &(a, b) in &drill.pairs {
            let (a, b) = (drill.walkers[a as usize], drill.walkers[b as usize]);
            self.take_slot(a.id as usize, b.slot);
            self.take_slot(b.id as usize, a.slot);
        }
        self.drill = drill;
    }

    /// Another slot for a unit, which may stand in its own already.
    fn take_slot(&mut self, slot: usize, to: Fine) {
        if let Some(post) = &mut self.units.post[slot] {
            // What its neighbour saw, it sees too, until it looks again.
            post.slot = to;
        }
        let place = self.units.place(slot);
        if self.units.stance(slot) != Stance::Moving {
            self.units.crowd.send(place, to);
        }
    }
}

/// Gates that are farther apart than this are not the same place.
const MEET_WITHIN: i32 = (WIDEST_GATE / 2) as i32 + FINE_CELL;

/// Whether two gates are the same place, passed in opposite directions.
fn meets(one: &WayGate, other: &WayGate) -> bool {
    dot(one, other) < 0 && is_same_place(one, other)
}

/// Whether two gates are the same place, passed in the same direction.
pub(super) fn is_same_gate(one: &WayGate, other: &WayGate) -> bool {
    dot(one, other) > 0 && is_same_place(one, other)
}

fn dot(one: &WayGate, other: &WayGate) -> i32 {
    i32::from(one.ahead.0) * i32::from(other.ahead.0) + i32::from(one.ahead.1) * i32::from(other.ahead.1)
}

fn is_same_place(one: &WayGate, other: &WayGate) -> bool {
    let apart = one.taut.distance_squared(other.taut);
    let within = |width: i64| {
        let reach = (width / 2 + i64::from(FINE_CELL)) as u64;
        apart < reach * reach
    };
    // Widths take roots, and most gates are far from each other.
    within(WIDEST_GATE) && within(one.width().min(other.width()))
}
