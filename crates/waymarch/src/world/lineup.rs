//! Who stands before a gate, and how fast it lets them through: lengths in 1024ths of a cell, as the group walks.

use super::byway::Branch;
use super::congestion::Steward;
use super::group::{Group, GroupId, Passage};
use super::keepers::wait_at;
use super::march::is_same_gate;
use super::simulation::World;
use super::stuck::Rung;
use crate::avoid::{FINE_BITS, Fine};
use crate::base::{Fixed, isqrt};
use crate::groups::{Crosser, Crossing, Standing, WayGate, lanes_in};

/// Of what a gate could let through, so much passes in a queue, in per cent.
const FLOW_PER_CENT: u64 = 80;
/// Who leaves a crowd and goes round takes longer than its way is long: by 11 to 20 per cent, measured. In per cent.
const ROUND_PER_CENT: u64 = 115;
/// Who is nearer to a crowded gate than this stays there: four cells.
const AT_GATE: u64 = 4 * 1024;

/// The other way of a group, as it was found: its gates, the narrowest of them, and where it ends.
#[derive(Clone, Copy)]
pub(super) struct OtherWay<'a> {
    pub(super) gates: &'a [WayGate],
    pub(super) narrow: usize,
    pub(super) end: Fine,
}

impl OtherWay<'_> {
    /// How far it is from a point over its gates to the narrowest; to its end if it has no gates.
    fn from(&self, at: Fine) -> u64 {
        let before = self.gates.get(..=self.narrow).unwrap_or(&[]);
        let first = before.first().map_or(self.end, |gate| gate.taut);
        let legs = before.windows(2).map(|pair| apart(pair[0].taut, pair[1].taut));
        on_the_way_round(legs.fold(apart(at, first), u64::saturating_add))
    }
}

impl World {
    /// Writes down all who have to pass a gate of a group, or the narrowest of its other way, and how the former lets them through. Before one that is filled with
    /// units who make no way somebody stands who is never through, and nobody stays there.
    pub(super) fn line_up_at(
        &self,
        id: GroupId,
        group: &Group,
        near: &WayGate,
        other_way: Option<OtherWay<'_>>,
        steward: &mut Steward,
    ) -> Crossing {
        let lanes = self.lanes_left(id, group, near, steward);
        self.line_up(id, near, other_way, if lanes == 0 { 0 } else { AT_GATE }, steward);
        if lanes == 0 {
            steward.crossers.push(Crosser { id: u32::MAX, standing: Standing::OtherNear, near: 0, far: 0 });
        }
        Crossing { headway: wait_at(group, lanes), rest: 0 }
    }

    /// How many of a group pass a gate side by side, beside units that make no way for them.
    pub(super) fn lanes_left(
        &self,
        id: GroupId,
        group: &Group,
        gate: &WayGate,
        steward: &mut Steward,
    ) -> u32 {
        let first = members(&steward.under_way, id).first();
        let Some(owner) = first.map(|&(_, slot)| self.units.owner[slot as usize]) else {
            return lanes_of(group, gate);
        };
        self.free_lanes(group, owner, gate, &mut steward.keepers)
    }

    /// Writes down all who have to pass a gate of a group, or the narrowest of its other way: how far they are, and whose they are. Who is nearer to the
    /// gate than `stays` does not leave it.
    fn line_up(
        &self,
        id: GroupId,
        near: &WayGate,
        other_way: Option<OtherWay<'_>>,
        stays: u64,
        steward: &mut Steward,
    ) {
        let Steward { under_way, crossers, along, .. } = steward;
        crossers.clear();
        let far = other_way.and_then(|way| way.gates.get(way.narrow));
        for run in under_way.chunk_by(|a, b| a.0 == b.0) {
            let Some(whose) = self.groups.list.id_at(run[0].0) else { continue };
            let Some(group) = self.groups.list.get(whose) else { continue };
            for branch in [Branch::Main, Branch::Byway] {
                let gates = group.gates(branch);
                let place = |gate: &WayGate| gates.iter().position(|other| is_same_gate(&other.way, gate));
                let (near_at, far_at) = (place(near), far.and_then(place));
                if near_at.is_none() && far_at.is_none() {
                    continue;
                }
                measure(gates, along);
                for &(_, slot) in run {
                    let post = self.units.post[slot as usize].filter(|post| post.branch == branch);
                    let Some(post) = post else { continue };
                    let (middle, next) = (self.units.middle(slot as usize), usize::from(post.gate));
                    let to = |at: usize| {
                        let gate = gates.get(next).filter(|_| next <= at)?;
                        Some(apart(middle, gate.way.taut).saturating_add(along[at] - along[next]))
                    };
                    let mine = whose == id;
                    let (standing, near, far) = match (near_at.and_then(to), far_at.and_then(to)) {
                        (Some(near), _) if mine => {
                            let far = other_way.map_or(u64::MAX, |way| way.from(middle));
                            let free = near > stays && self.may_leave(slot as usize);
                            (if free { Standing::Free } else { Standing::Near }, near, far)
                        }
                        (Some(near), _) => (Standing::OtherNear, near, 0),
                        (None, Some(far)) if mine => (Standing::Far, 0, far),
                        (None, Some(far)) => (Standing::OtherFar, 0, far),
                        (None, None) => continue,
                    };
                    crossers.push(Crosser { id: slot, standing, near, far });
                }
            }
        }
    }

    /// Whether a unit that has a post can be sent another way.
    fn may_leave(&self, slot: usize) -> bool {
        self.units.errand[slot].escape.is_none() && self.units.stuck[slot].rung != Rung::Nearest
    }
}

/// The members of a group among those who are under way.
pub(super) fn members(under_way: &[(u32, u32)], id: GroupId) -> &[(u32, u32)] {
    let first = under_way.partition_point(|&(group, _)| group < id.index());
    let count = under_way[first..].partition_point(|&(group, _)| group == id.index());
    &under_way[first..first + count]
}

/// How many members pass a gate side by side.
pub(super) fn lanes_of(group: &Group, gate: &WayGate) -> u32 {
    lanes_in(gate.width(), group.radius)
}

/// How far one walks between two who pass so many lanes one after the other.
pub(super) fn headway(group: &Group, lanes: u32) -> u64 {
    // 2.1 radii, of which a queue leaves a part unused.
    let body = u64::from(group.radius.raw().unsigned_abs()) * 210 / FLOW_PER_CENT;
    (body / u64::from(lanes.max(1))).max(1)
}

/// A length of another way, as long as it takes.
pub(super) fn on_the_way_round(length: u64) -> u64 {
    length.saturating_mul(ROUND_PER_CENT) / 100
}

/// How far it is from the first of some points over all others to the end.
pub(super) fn length_over(points: impl Iterator<Item = Fine>, end: Fine) -> u64 {
    let (mut sum, mut last) = (0_u64, None);
    for point in points.chain([end]) {
        sum = sum.saturating_add(last.map_or(0, |last| apart(last, point)));
        last = Some(point);
    }
    sum
}

/// How far each gate lies from the first.
fn measure(gates: &[Passage], along: &mut alloc::vec::Vec<u64>) {
    along.clear();
    let mut sum = 0_u64;
    for (number, gate) in gates.iter().enumerate() {
        let before = number.checked_sub(1).map(|before| &gates[before]);
        sum = sum.saturating_add(before.map_or(0, |before| apart(before.way.taut, gate.way.taut)));
        along.push(sum);
    }
}

/// In 1024ths of a cell.
fn apart(a: Fine, b: Fine) -> u64 {
    isqrt(a.distance_squared(b)) >> (FINE_BITS - Fixed::BITS)
}
