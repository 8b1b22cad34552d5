//! Queues at gates: when does a group look for a detour around a crowded gate?
//!
//! Once a second a group estimates how long its last members will wait before the gate that delays it most. If that is long, it requests one route on
//! which this gate is closed. When the route is found, [`Splitter`] estimates when each member would pass, and how many rear members must take the detour
//! for the last member to arrive earliest. They take it if that gains `congestion_gain` seconds. A group has one detour at a time. After an attempt
//! without success, or a detour that gained nothing (`review`), the pause before the next attempt is longer.

use alloc::vec::Vec;

use crate::base::{CellRect, Scratch, Tick, poison_list, reserve_total};
use crate::groups::{Crosser, RouteGate, Splitter, Standing};
use crate::query::{PathAsk, Priority};
use crate::service::PathId;
use crate::world::congestion::blockers::{Blockades, wait_at};
use crate::world::congestion::queue_length::members;
use crate::world::formation::forming::FormingScratch;
use crate::world::groups::alternate_route::DetourSearch;
use crate::world::groups::group::Group;
use crate::world::state::State;
use crate::world::units::membership::{Branch, GroupId};
use crate::world::units::order_progress::Phase;

/// A group pauses for at least 4 seconds between attempts to find a detour.
const LEAST_PAUSE: u16 = 4;
/// A group pauses for at most 32 seconds.
const MOST_PAUSE: u16 = 32;

/// Scratch of the estimates at gates.
#[derive(Clone, Debug, Default)]
pub(crate) struct QueueScratch {
    /// Walking members with a gate before them: group index and unit index.
    pub(crate) under_way: Vec<(u32, u32)>,
    /// Whether `under_way` and `blockades` were filled in this tick.
    is_counted: bool,
    pub(crate) crossers: Vec<Crosser>,
    pub(crate) splitter: Splitter,
    pub(crate) sent: Vec<u32>,
    /// The distance of each gate from the first gate of its route.
    pub(crate) along: Vec<u64>,
    /// How much each gate delays the group.
    before: Vec<u64>,
    /// Members by their place across the group.
    pub(crate) ranks: Vec<(u16, u32)>,
    pub(crate) blockades: Blockades,
}

impl Scratch for QueueScratch {
    /// The number of units.
    type Demand = usize;

    fn poison(&mut self) {
        poison_list(&mut self.under_way, (0, u32::MAX));
        self.is_counted = true;
        poison_list(&mut self.crossers, Crosser { id: 7, standing: Standing::Free, near: 7, far: 7 });
        self.splitter.poison();
        poison_list(&mut self.sent, u32::MAX);
        poison_list(&mut self.along, 7);
        poison_list(&mut self.before, u64::MAX);
        poison_list(&mut self.ranks, (7, u32::MAX));
        self.blockades.poison();
    }

    fn reserve(&mut self, units: usize) {
        /// Memory is reserved for at most 1,024 units that wait at one gate.
        const WAITING: usize = 1024;
        /// Memory is reserved for the 128 gates of a long route.
        const GATES: usize = 128;
        let waiting = units.min(WAITING);
        reserve_total(&mut self.under_way, units);
        reserve_total(&mut self.crossers, waiting);
        reserve_total(&mut self.sent, waiting);
        reserve_total(&mut self.ranks, waiting);
        reserve_total(&mut self.along, GATES);
        reserve_total(&mut self.before, GATES);
        self.splitter.reserve(waiting);
        self.blockades.reserve(units);
    }
}

impl State {
    /// Lets groups look for detours around crowded gates, and sends rear members there.
    pub(crate) fn relieve_gates(&mut self, queues: &mut QueueScratch, forming: &mut FormingScratch) {
        let config = self.config();
        if self.groups.list.is_empty() {
            return;
        }
        if !config.congestion {
            self.ask_no_more();
            return;
        }
        let (now, second) = (self.now(), u64::from(config.ticks_per_second));
        queues.is_counted = false;
        for number in 0..self.groups.list.slot_count() as u32 {
            let Some(id) = self.groups.list.id_at(number) else { continue };
            let turn = now.0.wrapping_add(u64::from(number)) % second == 0;
            let failed = if turn { self.look_back(id, now, LEAST_PAUSE) } else { None };
            let Some(group) = self.groups.list.get(id) else { continue };
            let patience = group.detour;
            if let Some(pause) = failed {
                // The last detour gained nothing, so the group pauses. A request that it has made meanwhile is cancelled.
                self.service.cancel(patience.ask);
                self.think_again(id, now, pause);
                continue;
            }
            let due = turn && now >= patience.next;
            match self.service.status(patience.ask) {
                Some(status) if status.is_settled() => {
                    self.count(queues);
                    let sent = self.decide_detour(id, queues, forming);
                    self.service.cancel(patience.ask);
                    let alternate = self.groups.list.get(id).and_then(|group| group.alternate.as_ref());
                    let pause = alternate.filter(|_| sent > 0).map(|alternate| alternate.pause(LEAST_PAUSE));
                    self.think_again(id, now, pause.unwrap_or(patience.pause.saturating_mul(2)));
                }
                None if due && !group.main_gates.is_empty() => {
                    self.count(queues);
                    self.look_for_alternate(id, queues);
                }
                _ => {}
            }
        }
    }

    /// Cancels the requests for detours that groups made before `congestion` was switched off.
    fn ask_no_more(&mut self) {
        let Self { groups, service, .. } = self;
        for (_, group) in groups.list.iter_mut().filter(|(_, group)| group.detour.ask != PathId::DEAD) {
            service.cancel(core::mem::replace(&mut group.detour.ask, PathId::DEAD));
        }
    }

    fn think_again(&mut self, id: GroupId, now: Tick, pause: u16) {
        let second = u64::from(self.config().ticks_per_second);
        if let Some(group) = self.groups.list.get_mut(id) {
            let pause = pause.clamp(LEAST_PAUSE, MOST_PAUSE);
            let next = Tick(now.0.saturating_add(u64::from(pause) * second));
            group.detour = DetourSearch { ask: PathId::DEAD, next, pause, ..group.detour };
        }
    }

    /// Collects the walking members with a gate before them, and the units that block gates.
    fn count(&self, queues: &mut QueueScratch) {
        if queues.is_counted {
            return;
        }
        queues.is_counted = true;
        queues.under_way.clear();
        for (index, membership) in self.units.memberships().iter().enumerate() {
            let Some(membership) = membership else { continue };
            let Some(group) = self.groups.list.get(membership.group) else { continue };
            let before = group.next_gate(&membership.route).is_some();
            let goes = self.units.progress[index].phase == Phase::Going && self.units.stance(index).travels();
            if before && goes && self.units.id_at(index).is_some() {
                queues.under_way.push((membership.group.index(), index as u32));
            }
        }
        queues.under_way.sort_unstable();
        self.note_blockers(&mut queues.blockades);
    }

    /// The distance that the slowest member walks in `congestion_gain` seconds, in 1024ths of a cell.
    pub(crate) fn worthwhile(&self, group: &Group) -> u64 {
        let config = self.config();
        let ticks = u64::from(config.congestion_gain) * u64::from(config.ticks_per_second);
        ticks.saturating_mul(u64::from(group.speed.raw().unsigned_abs()).max(1))
    }

    /// Requests a detour if the rear of a group will have to wait for long.
    fn look_for_alternate(&mut self, id: GroupId, queues: &mut QueueScratch) {
        let Some(group) = self.groups.list.get(id) else { return };
        let Some(gate) = self.crowded(id, group, queues) else { return };
        let near = group.main_gates[gate].way;
        let crossing = self.queue_at(id, group, &near, None, queues);
        if queues.splitter.longest_wait(crossing, &queues.crossers) < self.worthwhile(group) {
            return;
        }
        let closed = closed_at(&near).intersect(self.service.nav().layer().grid().rect());
        let free = queues.crossers.iter().filter(|crosser| crosser.standing == Standing::Free);
        let rear = free.max_by_key(|crosser| (crosser.near, core::cmp::Reverse(crosser.id)));
        let ask = rear.and_then(|rear| self.ask_round(rear.id as usize, group, closed));
        let path = ask.map(|ask| self.service.request_without_interim(ask));
        let (now, pause) = (self.now(), group.detour.pause.saturating_mul(2));
        match (path, self.groups.list.get_mut(id)) {
            (Some(ask), Some(group)) => {
                group.detour = DetourSearch { ask, gate: gate as u16, ..group.detour };
            }
            _ => self.think_again(id, now, pause),
        }
    }

    /// The gate that delays a group most: the first gate whose delay is at least 7/8 of the longest delay.
    fn crowded(&self, id: GroupId, group: &Group, queues: &mut QueueScratch) -> Option<usize> {
        let QueueScratch { under_way, before, blockades, .. } = queues;
        let own = members(under_way, id);
        let party = self.party_of(own.iter().map(|&(_, index)| index as usize))?;
        let memberships = || own.iter().filter_map(|&(_, index)| self.units.membership(index as usize));
        if let Some(alternate) = &group.alternate {
            // While a member is on the detour, the gate that it avoids counts as the crowded one.
            let len = alternate.gates.len();
            if memberships().any(|membership| {
                membership.route.branch() == Branch::Alternate && usize::from(membership.route.gate()) < len
            }) {
                return alternate.gate.map(usize::from).filter(|&gate| gate < group.main_gates.len());
            }
        }
        before.clear();
        before.resize(group.main_gates.len() + 1, 0);
        for membership in memberships().filter(|membership| membership.route.branch() == Branch::Main) {
            if let Some(count) = before.get_mut(usize::from(membership.route.gate())) {
                *count += 1;
            }
        }
        let mut count = 0;
        for (gate, passage) in before.iter_mut().zip(&group.main_gates) {
            count += *gate;
            if count > 0 {
                *gate = count * wait_at(group, self.free_lanes(group, party, &passage.way, blockades));
            }
        }
        before.pop();
        let most = before.iter().copied().max().filter(|&most| most > 0)?;
        before.iter().position(|&delay| delay * 8 >= most * 7)
    }

    /// The request for a route of a member around some cells. `None` if it starts or ends inside them.
    fn ask_round(&self, index: usize, group: &Group, closed: CellRect) -> Option<PathAsk> {
        let (membership, from) = (self.units.membership(index)?, self.units.at(index));
        let kind = self.type_of(index)?;
        let to = membership.slot.minus(self.units.shift(self.units.body.kind[index])).cell();
        let threat =
            self.service.nav().config().threat_for(kind.controller).seen_by(self.units.observer(index));
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
fn closed_at(gate: &RouteGate) -> CellRect {
    let (left, right) =
        (CellRect::at(gate.gate.left.cell(), 1, 1), CellRect::at(gate.gate.right.cell(), 1, 1));
    left.union(right).grow(1, 1)
}
