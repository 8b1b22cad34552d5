//! Patience at chokepoints: the rear of a group waits before a crowded gate, unless another way is really faster for it.
//!
//! Once a second a group reckons how long its last members will have to wait before the gate that holds it up most. If that is long, it asks once
//! for a way that leaves this gate closed. When that is known, it is reckoned forward who would be through when ([`Splitter`]), and as many of the rear as
//! make the last one arrive earliest take the other way, if that gains `congestion_gain` seconds. Nobody is sent back, a group has one other
//! way at a time, and it thinks again only after some seconds, the later the more often it was in vain: because none was worth it, or because those who
//! were sent were no earlier there (`hindsight`).

use alloc::vec::Vec;

use super::byway::{Branch, Patience};
use super::errand::Phase;
use super::group::{Group, GroupId};
use super::keepers::{Keepers, wait_at};
use super::lineup::members;
use super::service::PathId;
use super::simulation::World;
use super::units::less;
use crate::base::{CellRect, Fixed, Tick, make_room, spoil};
use crate::groups::{Crosser, Splitter, Standing, WayGate};
use crate::query::{PathAsk, Priority};

/// So many seconds pass at least before a group thinks again, and so many at most.
const LEAST_PAUSE: u16 = 4;
const MOST_PAUSE: u16 = 32;

/// Scratch: what thinking about crowds takes.
#[derive(Clone, Debug, Default)]
pub(super) struct Steward {
    /// Who is under way in a group and has a gate before it, by the group's slot and the unit's; of this tick if that was counted.
    pub(super) under_way: Vec<(u32, u32)>,
    is_counted: bool,
    pub(super) crossers: Vec<Crosser>,
    pub(super) splitter: Splitter,
    pub(super) sent: Vec<u32>,
    /// How far gates lie from the first one of their way.
    pub(super) along: Vec<u64>,
    /// How much each gate holds the group up.
    before: Vec<u64>,
    /// Members by their place across the group.
    pub(super) ranks: Vec<(u16, u32)>,
    pub(super) keepers: Keepers,
}

impl Steward {
    /// Makes memory ahead of need, for so many units: as many as hardly ever wait before one gate.
    pub(super) fn stock_up(&mut self, units: usize) {
        const WAITING: usize = 1024;
        const GATES: usize = 128;
        let waiting = units.min(WAITING);
        make_room(&mut self.under_way, units);
        make_room(&mut self.crossers, waiting);
        make_room(&mut self.sent, waiting);
        make_room(&mut self.ranks, waiting);
        make_room(&mut self.along, GATES);
        make_room(&mut self.before, GATES);
        self.splitter.make_room(waiting);
        self.keepers.make_room(units);
    }

    /// Fills it with rubbish; no answer and no hash changes.
    pub(super) fn poison(&mut self) {
        spoil(&mut self.under_way, (0, u32::MAX));
        self.is_counted = true;
        spoil(&mut self.crossers, Crosser { id: 7, standing: Standing::Free, near: 7, far: 7 });
        self.splitter.poison();
        spoil(&mut self.sent, u32::MAX);
        spoil(&mut self.along, 7);
        spoil(&mut self.before, u64::MAX);
        spoil(&mut self.ranks, (7, u32::MAX));
        self.keepers.poison();
    }
}

impl World {
    /// Lets groups think about the crowd at their gates, and sends some of the rear round.
    pub(super) fn relieve(&mut self) {
        let config = self.service.nav().config().get();
        if self.groups.list.is_empty() {
            return;
        }
        if !config.congestion {
            self.ask_no_more();
            return;
        }
        let (now, second) = (self.now(), u64::from(config.ticks_per_second));
        let mut steward = core::mem::take(&mut self.steward);
        steward.is_counted = false;
        for number in 0..self.groups.list.slot_count() as u32 {
            let Some(id) = self.groups.list.id_at(number) else { continue };
            let turn = now.0.wrapping_add(u64::from(number)) % second == 0;
            let vain = if turn { self.look_back(id, now, LEAST_PAUSE) } else { None };
            let Some(group) = self.groups.list.get(id) else { continue };
            let patience = group.patience;
            if let Some(pause) = vain {
                // Whatever is asked already was asked too early.
                self.service.cancel(patience.ask);
                self.think_again(id, now, pause);
                continue;
            }
            let due = turn && now >= patience.next;
            match self.service.status(patience.ask) {
                Some(status) if status.is_settled() => {
                    self.count(&mut steward);
                    let sent = self.weigh(id, &mut steward);
                    self.service.cancel(patience.ask);
                    let byway = self.groups.list.get(id).and_then(|group| group.byway.as_ref());
                    let pause = byway.filter(|_| sent > 0).map(|byway| byway.pause(LEAST_PAUSE));
                    self.think_again(id, now, pause.unwrap_or(patience.pause.saturating_mul(2)));
                }
                None if due && !group.passages.is_empty() => {
                    self.count(&mut steward);
                    self.look_for_byway(id, &mut steward);
                }
                _ => {}
            }
        }
        self.steward = steward;
    }

    /// Takes back what was asked before the setting was switched off.
    fn ask_no_more(&mut self) {
        let Self { groups, service, .. } = self;
        for (_, group) in groups.list.iter_mut().filter(|(_, group)| group.patience.ask != PathId::DEAD) {
            service.cancel(core::mem::replace(&mut group.patience.ask, PathId::DEAD));
        }
    }

    fn think_again(&mut self, id: GroupId, now: Tick, pause: u16) {
        let second = u64::from(self.service.nav().config().get().ticks_per_second);
        if let Some(group) = self.groups.list.get_mut(id) {
            let pause = pause.clamp(LEAST_PAUSE, MOST_PAUSE);
            let next = Tick(now.0.saturating_add(u64::from(pause) * second));
            group.patience = Patience { ask: PathId::DEAD, next, pause, ..group.patience };
        }
    }

    /// Who has a gate before it, in which group.
    fn count(&self, steward: &mut Steward) {
        if steward.is_counted {
            return;
        }
        steward.is_counted = true;
        steward.under_way.clear();
        for (slot, post) in self.units.post.iter().enumerate() {
            let Some(post) = post else { continue };
            let Some(group) = self.groups.list.get(post.group) else { continue };
            let before = usize::from(post.gate) < group.gates(post.branch).len();
            let goes = self.units.errand[slot].phase == Phase::Going && self.units.stance(slot).travels();
            if before && goes && self.units.id_at(slot).is_some() {
                steward.under_way.push((post.group.index(), slot as u32));
            }
        }
        steward.under_way.sort_unstable();
        self.note_keepers(&mut steward.keepers);
    }

    /// How far the slowest of a group goes in as many seconds as another way has to gain.
    pub(super) fn worthwhile(&self, group: &Group) -> u64 {
        let config = self.service.nav().config().get();
        let ticks = u64::from(config.congestion_gain) * u64::from(config.ticks_per_second);
        ticks.saturating_mul(u64::from(group.speed.raw().unsigned_abs()).max(1))
    }

    /// Asks for another way if the rear of a group will have to wait for long.
    fn look_for_byway(&mut self, id: GroupId, steward: &mut Steward) {
        let Some(group) = self.groups.list.get(id) else { return };
        let Some(gate) = self.crowded(id, group, steward) else { return };
        let near = group.passages[gate].way;
        let crossing = self.line_up_at(id, group, &near, None, steward);
        if steward.splitter.longest_wait(crossing, &steward.crossers) < self.worthwhile(group) {
            return;
        }
        let closed = closed_at(&near).intersect(self.service.nav().layer().grid().rect());
        let free = steward.crossers.iter().filter(|crosser| crosser.standing == Standing::Free);
        let rear = free.max_by_key(|crosser| (crosser.near, core::cmp::Reverse(crosser.id)));
        let ask = rear.and_then(|rear| self.ask_round(rear.id as usize, group, closed));
        let path = ask.map(|ask| self.service.request_for_later(ask));
        let (now, pause) = (self.now(), group.patience.pause.saturating_mul(2));
        match (path, self.groups.list.get_mut(id)) {
            (Some(ask), Some(group)) => {
                group.patience = Patience { ask, gate: gate as u16, ..group.patience };
            }
            _ => self.think_again(id, now, pause),
        }
    }

    /// The gate that holds a group up most, the first of those that do so about as much.
    fn crowded(&self, id: GroupId, group: &Group, steward: &mut Steward) -> Option<usize> {
        let Steward { under_way, before, keepers, .. } = steward;
        let own = members(under_way, id);
        let owner = self.units.owner[own.first()?.1 as usize];
        let posts = || own.iter().filter_map(|&(_, slot)| self.units.post[slot as usize]);
        if let Some(byway) = &group.byway {
            // As long as somebody is on the other way, that is the one there is.
            let len = byway.passages.len();
            if posts().any(|post| post.branch == Branch::Byway && usize::from(post.gate) < len) {
                return byway.gate.map(usize::from).filter(|&gate| gate < group.passages.len());
            }
        }
        before.clear();
        before.resize(group.passages.len() + 1, 0);
        for post in posts().filter(|post| post.branch == Branch::Main) {
            if let Some(count) = before.get_mut(usize::from(post.gate)) {
                *count += 1;
            }
        }
        let mut count = 0;
        for (gate, passage) in before.iter_mut().zip(&group.passages) {
            count += *gate;
            if count > 0 {
                *gate = count * wait_at(group, self.free_lanes(group, owner, &passage.way, keepers));
            }
        }
        before.pop();
        let most = before.iter().copied().max().filter(|&most| most > 0)?;
        before.iter().position(|&delay| delay * 8 >= most * 7)
    }

    /// The question for a way round some cells, for a member.
    fn ask_round(&self, slot: usize, group: &Group, closed: CellRect) -> Option<PathAsk> {
        let (post, from) = (self.units.post[slot]?, self.units.at(slot).at_height(Fixed::ZERO));
        let kind = self.types.get(self.units.kind[slot])?;
        let to = less(post.slot, self.units.shift(self.units.kind[slot])).cell();
        let threat = self.service.nav().config().threat_for(kind.controller);
        let outside = !closed.contains(from.cell()) && !closed.contains(to);
        outside.then(|| {
            PathAsk::new(from, to, group.agent)
                .with_threat(threat)
                .alone()
                .avoiding(closed)
                .with_priority(Priority::Low)
        })
    }
}

/// The cells of a gate, with a little of the walls beside it.
fn closed_at(gate: &WayGate) -> CellRect {
    let (left, right) =
        (CellRect::at(gate.gate.left.cell(), 1, 1), CellRect::at(gate.gate.right.cell(), 1, 1));
    left.union(right).grow(1, 1)
}
