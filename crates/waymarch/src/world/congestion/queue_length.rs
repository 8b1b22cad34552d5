//! Which units wait before a gate, and how fast they pass it. A time is given as a distance: how far the group's slowest member walks in that time, in
//! 1024ths of a cell.

use crate::avoid::Fine;
use crate::groups::{Crosser, Crossing, RouteGate, Standing, lanes_in};
use crate::world::congestion::blockers::wait_at;
use crate::world::congestion::gate_queues::QueueScratch;
use crate::world::groups::gate_match::is_same_gate;
use crate::world::groups::group::{Group, GroupGate};
use crate::world::state::State;
use crate::world::units::membership::{Branch, GroupId};
use crate::world::units::progress_monitor::Rung;

/// A queue uses 80 % of a gate's capacity.
const FLOW_PER_CENT: u64 = 80;
/// A detour takes 115 % of the time for its length: units lose 11 to 20 % (measured) when they leave a crowd.
const ROUND_PER_CENT: u64 = 115;
/// A unit within 4 cells of a crowded gate stays there. In 1024ths of a cell.
const AT_GATE: u64 = 4 * 1024;

/// A detour as it was found: its gates, the number of the narrowest, and its end.
#[derive(Clone, Copy)]
pub(crate) struct Detour<'a> {
    pub(crate) gates: &'a [RouteGate],
    pub(crate) narrow: usize,
    pub(crate) end: Fine,
}

impl Detour<'_> {
    /// The time from a point over the gates to the narrowest one; to the end if there are no gates.
    fn from(&self, at: Fine) -> u64 {
        let before = self.gates.get(..=self.narrow).unwrap_or(&[]);
        let first = before.first().map_or(self.end, |gate| gate.taut);
        let legs = before.windows(2).map(|pair| apart(pair[0].taut, pair[1].taut));
        detour_time(legs.fold(apart(at, first), u64::saturating_add))
    }
}

impl State {
    /// Writes all units that have to pass a gate of a group, or the narrowest gate of its detour, to `crossers`. Returns how fast units pass the group's gate.
    /// If units that do not make way fill the gate, a stand-in that never passes is added, and no unit stays there.
    pub(crate) fn queue_at(
        &self,
        id: GroupId,
        group: &Group,
        near: &RouteGate,
        detour: Option<Detour<'_>>,
        queues: &mut QueueScratch,
    ) -> Crossing {
        let lanes = self.lanes_left(id, group, near, queues);
        self.fill_queue(id, near, detour, if lanes == 0 { 0 } else { AT_GATE }, queues);
        if lanes == 0 {
            queues.crossers.push(Crosser { id: u32::MAX, standing: Standing::OtherNear, near: 0, far: 0 });
        }
        Crossing { headway: wait_at(group, lanes), rest: 0 }
    }

    /// How many members of a group can pass a gate side by side. Units that do not make way take lanes.
    pub(crate) fn lanes_left(
        &self,
        id: GroupId,
        group: &Group,
        gate: &RouteGate,
        queues: &mut QueueScratch,
    ) -> u32 {
        let own = members(&queues.under_way, id).iter();
        let Some(party) = self.party_of(own.map(|&(_, index)| index as usize)) else {
            return lanes_of(group, gate);
        };
        self.free_lanes(group, party, gate, &mut queues.blockades)
    }

    /// Writes all units that have to pass a gate of a group, or the narrowest gate of its detour, with their distances. A unit nearer to the gate
    /// than `stays` does not leave it.
    fn fill_queue(
        &self,
        id: GroupId,
        near: &RouteGate,
        detour: Option<Detour<'_>>,
        stays: u64,
        queues: &mut QueueScratch,
    ) {
        let QueueScratch { under_way, crossers, along, .. } = queues;
        crossers.clear();
        let far = detour.and_then(|way| way.gates.get(way.narrow));
        let party = self.party_of(members(under_way, id).iter().map(|&(_, index)| index as usize));
        let is_in_line =
            |index: usize| party.is_none_or(|party| party.layers.meets(self.units.body.layers(index)));
        for run in under_way.chunk_by(|a, b| a.0 == b.0) {
            let Some(whose) = self.groups.list.id_at(run[0].0) else { continue };
            let Some(group) = self.groups.list.get(whose) else { continue };
            for branch in [Branch::Main, Branch::Alternate] {
                let gates = group.gates(branch);
                let place = |gate: &RouteGate| gates.iter().position(|other| is_same_gate(&other.way, gate));
                let (near_at, far_at) = (place(near), far.and_then(place));
                if near_at.is_none() && far_at.is_none() {
                    continue;
                }
                measure(gates, along);
                for &(_, index) in run.iter().filter(|&&(_, index)| is_in_line(index as usize)) {
                    let membership = self
                        .units
                        .membership(index as usize)
                        .filter(|membership| membership.route.branch() == branch);
                    let Some(membership) = membership else { continue };
                    let (middle, next) =
                        (self.units.middle(index as usize), usize::from(membership.route.gate()));
                    let to = |at: usize| {
                        let gate = gates.get(next).filter(|_| next <= at)?;
                        Some(apart(middle, gate.way.taut).saturating_add(along[at] - along[next]))
                    };
                    let mine = whose == id;
                    let (standing, near, far) = match (near_at.and_then(to), far_at.and_then(to)) {
                        (Some(near), _) if mine => {
                            let far = detour.map_or(u64::MAX, |way| way.from(middle));
                            let free = near > stays && self.may_leave(index as usize);
                            (if free { Standing::Free } else { Standing::Near }, near, far)
                        }
                        (Some(near), _) => (Standing::OtherNear, near, 0),
                        (None, Some(far)) if mine => (Standing::Far, 0, far),
                        (None, Some(far)) => (Standing::OtherFar, 0, far),
                        (None, None) => continue,
                    };
                    crossers.push(Crosser { id: index, standing, near, far });
                }
            }
        }
    }

    /// Whether a member can be sent to a detour.
    fn may_leave(&self, index: usize) -> bool {
        self.units.progress[index].escape.is_none() && self.units.monitor[index].rung != Rung::Nearest
    }
}

/// The part of `under_way` that belongs to a group.
pub(crate) fn members(under_way: &[(u32, u32)], id: GroupId) -> &[(u32, u32)] {
    let first = under_way.partition_point(|&(group, _)| group < id.index());
    let count = under_way[first..].partition_point(|&(group, _)| group == id.index());
    &under_way[first..first + count]
}

/// How many members pass a gate side by side.
pub(crate) fn lanes_of(group: &Group, gate: &RouteGate) -> u32 {
    lanes_in(gate.width(), group.radius)
}

/// The distance that a unit walks in the time between two members that pass this number of lanes.
pub(crate) fn headway(group: &Group, lanes: u32) -> u64 {
    // A unit needs 2.1 radii of length, and a queue uses only 80 % of the capacity.
    let body = u64::from(group.radius.raw().unsigned_abs()) * 210 / FLOW_PER_CENT;
    (body / u64::from(lanes.max(1))).max(1)
}

/// The time that a detour of this length takes.
pub(crate) fn detour_time(length: u64) -> u64 {
    length.saturating_mul(ROUND_PER_CENT) / 100
}

/// The length of a line from the first point over all others to the end.
pub(crate) fn length_over(points: impl Iterator<Item = Fine>, end: Fine) -> u64 {
    let (mut sum, mut last) = (0_u64, None);
    for point in points.chain([end]) {
        sum = sum.saturating_add(last.map_or(0, |last| apart(last, point)));
        last = Some(point);
    }
    sum
}

/// Writes the distance of each gate from the first, along the route.
fn measure(gates: &[GroupGate], along: &mut alloc::vec::Vec<u64>) {
    along.clear();
    let mut sum = 0_u64;
    for (number, gate) in gates.iter().enumerate() {
        let before = number.checked_sub(1).map(|before| &gates[before]);
        sum = sum.saturating_add(before.map_or(0, |before| apart(before.way.taut, gate.way.taut)));
        along.push(sum);
    }
}

/// The distance between two points, in 1024ths of a cell.
fn apart(a: Fine, b: Fine) -> u64 {
    a.distance_fixed(b)
}
