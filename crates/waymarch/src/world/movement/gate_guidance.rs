//! Guidance of a group's member: through its place in each gate, then to its formation slot.

use core::cell::{LazyCell, OnceCell};

use crate::avoid::{GATE_LEFT, Guide};
use crate::base::{FINE_CELL, Fine, segment_touches};
use crate::world::groups::group::{Group, GroupGate};
use crate::world::movement::corners::fits;
use crate::world::movement::guidance::{Guides, Sight};
use crate::world::units::membership::{Branch, Membership, Visibility};

/// A unit within 24 cells of its next gate or slot checks visibility every 4 ticks.
const LOOK_EVERY: u64 = 4;
/// Up to 24 cells, visibility is checked every 4 ticks.
const LOOK_NEAR: u64 = 24 * FINE_CELL as u64;
/// Between 24 and 128 cells, visibility is checked every 16 ticks.
const LOOK_FAR_EVERY: u64 = 16;
/// Beyond 128 cells a unit walks straight only where all ground has one cost: there a straight line never costs more than another route.
const LOOK_FAR: u64 = 128 * FINE_CELL as u64;
/// Beyond 128 cells, visibility is checked every 64 ticks.
const LOOK_OUT_EVERY: u64 = 64;

/// Scratch: with which units a unit lines up in narrow places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Stream {
    /// With the units of its order.
    #[default]
    Order,
    /// With none: in formation, members pass each other on the way to their places.
    Own,
}

/// Scratch: what guides a member of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Followed {
    pub(crate) guide: Guide,
    /// Its updated membership.
    pub(crate) membership: Membership,
    pub(crate) stream: Stream,
}

impl Followed {
    fn in_stream(guide: Guide, membership: Membership) -> Self {
        Self { guide, membership, stream: Stream::Order }
    }
}

impl Guides<'_> {
    /// What guides a member of a group, and its updated membership. `alone` is what would guide the unit without the group.
    pub(crate) fn follow_gates(
        &self,
        index: usize,
        sight: &Sight<'_>,
        alone: impl FnOnce() -> Guide,
        mut membership: Membership,
    ) -> Followed {
        let middle = self.units.middle(index);
        if self.service.has_planner() {
            // Its route is followed to the end, also past gates and where the slot is visible.
            membership.route.see(Visibility::Hidden);
            return Followed::in_stream(guide_to_slot(middle, alone, &membership), membership);
        }
        let Some(group) = self.groups.list.get(membership.group) else {
            return Followed::in_stream(guide_to_slot(middle, alone, &membership), membership);
        };
        if group.march.is_some() {
            let gates = group.gates(membership.route.branch());
            if membership.route.visibility() == Visibility::Ahead {
                resume_skipped_gates(gates, &mut membership, middle);
            }
            note_passed_gates(group, &mut membership, middle);
            if let Some(guide) = self.follow_frame(index, sight, group, &membership) {
                membership.route.see(Visibility::Unknown);
                return Followed { guide, membership, stream: Stream::Own };
            }
        }
        let alone = LazyCell::new(alone);
        let is_due = |every: u64| self.now.0.wrapping_add(index as u64) % every == 0;
        let gate = membership.route.gate();
        let gates = group.gates(membership.route.branch());
        let ahead = group.next_gate(&membership.route).map_or(membership.slot, |gate| gate.way.taut);
        let look = match (middle.distance_squared(ahead), membership.route.visibility()) {
            (_, Visibility::Unknown) => true,
            (far, _) if far < LOOK_NEAR * LOOK_NEAR => is_due(LOOK_EVERY),
            (far, _) if far < LOOK_FAR * LOOK_FAR => is_due(LOOK_FAR_EVERY),
            _ => is_due(LOOK_OUT_EVERY),
        };
        let count = gates.len() as u16;
        // A unit on a detour may see its slot through the crowded gate that it avoids. Such a line does not count.
        let closed = group.avoids(membership.route.branch(), gate);
        let point = |at: Fine| at.minus(sight.shift).floor();
        let sees = |to: Fine| {
            !segment_touches(closed, point(middle), point(to)) && self.can_walk_straight(sight, middle, to)
        };
        let (slot_seen, to_slot) = (OnceCell::new(), membership.slot);
        let sees_slot = || *slot_seen.get_or_init(|| sees(to_slot));
        let skipped = membership.route.visibility() == Visibility::Ahead && membership.route.gate() == count;
        if look && skipped && !sees_slot() {
            resume_skipped_gates(gates, &mut membership, middle);
        }
        note_passed_gates(group, &mut membership, middle);
        // A unit that went around the gate is beyond it and sees its slot.
        let went_around = |gate: &GroupGate| gate.way.is_behind(middle) && sees_slot();
        let next_gate = membership.route.gate();
        if look && group.next_gate(&membership.route).is_some_and(went_around) {
            membership.route.skip_gates(count);
        }
        let has_room = |at: Fine| fits(sight, at);
        let aim = group.aim(&membership, sight.kind.radius, has_room);
        // A unit whose slot is visible and nearer than the gate skips the gate.
        let nearer = |aim: Fine| middle.distance_squared(to_slot) < middle.distance_squared(aim);
        if look && aim.is_some_and(nearer) && sees_slot() {
            membership.route.skip_gates(count);
        }
        let skipped = skipped || membership.route.gate() != next_gate;
        let look = look || membership.route.gate() != gate;
        let aim = aim.filter(|_| membership.route.gate() < count);
        if look {
            let seen = match aim {
                None if sees_slot() => {
                    if skipped {
                        Visibility::Ahead
                    } else {
                        Visibility::Clear
                    }
                }
                Some(aim) if sees(aim) => Visibility::Clear,
                Some(aim) if group.taut(&membership).is_some_and(|taut| taut != aim && sees(taut)) => {
                    Visibility::Taut
                }
                _ if self.may_be_lost(index, &membership)
                    && leads_back(gates, &membership, middle, alone.aim) =>
                {
                    Visibility::Lost
                }
                _ => Visibility::Hidden,
            };
            membership.route.see(seen);
        }
        let Some(aim) = aim else {
            let mut guide = guide_to_slot(middle, || *alone, &membership);
            if membership.route.visibility().is_clear() {
                guide.aim = self.past_corner(index, sight, guide.aim);
            }
            return Followed::in_stream(guide, membership);
        };
        let gates = u32::from(count - membership.route.gate()).min(900);
        let left = gates.saturating_mul(GATE_LEFT).saturating_add(distance(middle, aim));
        let aim = match membership.route.visibility() {
            Visibility::Clear | Visibility::Ahead => {
                self.past_corner(index, sight, group.funnel(&membership, middle, aim, has_room))
            }
            Visibility::Taut => self.past_corner(index, sight, group.taut(&membership).unwrap_or(aim)),
            Visibility::Unknown | Visibility::Hidden => alone.aim,
            // The unit walks forward until it has another route, not back against the members behind it.
            Visibility::Lost => aim,
        };
        Followed::in_stream(Guide { aim, goal: membership.slot, left }, membership)
    }

    /// Whether a unit that sees neither gate nor slot may be [`Visibility::Lost`]: it has not requested another route at this gate yet, or still waits
    /// for that route.
    fn may_be_lost(&self, index: usize, membership: &Membership) -> bool {
        !membership.route.was_lost_here() || self.service.status(self.units.progress[index].fresh).is_some()
    }

    /// Whether a unit's centre can walk straight from one point to another. Beyond [`LOOK_FAR`] only where all ground costs the same.
    fn can_walk_straight(&self, sight: &Sight<'_>, from: Fine, to: Fine) -> bool {
        let point = |at: Fine| at.minus(sight.shift).floor();
        let is_even = || {
            let threat = self.service.nav().config().threat_for(sight.kind.controller);
            !threat.is_heeded() && sight.field.cheapest() == sight.field.dearest()
        };
        (from.distance_squared(to) < LOOK_FAR * LOOK_FAR || is_even())
            && self.centre_sees(sight.field, point(from), point(to))
    }
}

/// Notes which of the next 3 gates a unit has crossed. On the main route, a unit that has crossed a gate has also crossed all gates before it.
fn note_passed_gates(group: &Group, membership: &mut Membership, middle: Fine) {
    for number in membership.route.gate()..membership.route.gate().saturating_add(3) {
        let passed = group
            .gates(membership.route.branch())
            .get(usize::from(number))
            .is_some_and(|gate| gate.is_passed(middle));
        if passed {
            membership.route.pass_gate(number);
        } else if membership.route.branch() == Branch::Alternate {
            // A detour may turn back: a unit before one of its gates may be beyond the line of the next gate.
            return;
        }
    }
}

/// Resumes the gates that a unit skipped because it saw its slot, as far as they are still ahead of it.
fn resume_skipped_gates(gates: &[GroupGate], membership: &mut Membership, middle: Fine) {
    let before = |number: u16| gates.get(usize::from(number)).is_some_and(|gate| !gate.way.is_behind(middle));
    membership.route.resume_gates(before);
}

/// Whether the line from a unit to a point leads back through the gate that the unit crossed last.
fn leads_back(gates: &[GroupGate], membership: &Membership, middle: Fine, to: Fine) -> bool {
    let last = membership.route.gate().checked_sub(1).and_then(|number| gates.get(usize::from(number)));
    last.is_some_and(|gate| gate.way.is_crossed(to, middle))
}

/// What guides a unit beyond the last gate: its own route, which ends near its slot, until it sees the slot.
fn guide_to_slot(middle: Fine, alone: impl FnOnce() -> Guide, membership: &Membership) -> Guide {
    let leads = || Some(alone()).filter(|alone| alone.aim != alone.goal);
    let straight =
        membership.route.visibility().is_clear() || membership.route.visibility() == Visibility::Lost;
    let aim = if straight { None } else { leads() }.map_or(membership.slot, |alone| alone.aim);
    Guide { aim, goal: membership.slot, left: distance(middle, membership.slot) }
}

/// The distance between two points in 1024ths of a cell, less than [`GATE_LEFT`].
fn distance(a: Fine, b: Fine) -> u32 {
    a.distance_fixed(b).min(u64::from(GATE_LEFT - 1)) as u32
}
