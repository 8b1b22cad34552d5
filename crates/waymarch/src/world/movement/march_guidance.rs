//! Guidance of a member in formation: it heads for its place in the moving frame of its group.

use crate::avoid::{FINE_CELL, Fine, GATE_LEFT, Guide};
use crate::base::WideVec;
use crate::world::groups::group::Group;
use crate::world::movement::corners::fits;
use crate::world::movement::guidance::{Guides, Sight};
use crate::world::units::membership::Membership;

/// A member that is in its place while the frame stands creeps ahead: its aim is 1 cell ahead if its place is nearer than 1/8 cell.
const IN_PLACE: u64 = FINE_CELL as u64 / 8;
/// Where closed ground parts the formation, a member tries places 1/4, 2/4, 3/4 and 4/4 of the way to the middle of the frame.
const PARTS: i64 = 4;

impl Guides<'_> {
    /// What guides a member in formation. `None` if its group keeps no formation now, or if it neither sees its place in the frame nor one nearer to the
    /// middle: then its gates lead it.
    pub(crate) fn follow_frame(
        &self,
        index: usize,
        sight: &Sight<'_>,
        group: &Group,
        membership: &Membership,
    ) -> Option<Guide> {
        let (middle, config) = (self.units.middle(index), self.service.nav().config().get());
        let (frame, place) = (group.frame()?, group.frame_slot(membership)?);
        let far = group.layout.reach.unsigned_abs() + u64::from(config.group_cohesion) * FINE_CELL as u64;
        if middle.distance_squared(place) > far * far {
            return None;
        }
        let ahead = frame.lead(place, config.ticks_per_second);
        let aside = frame.aside(place);
        let nearer =
            |part: i64| ahead.minus(WideVec::new(aside.x * part / PARTS, aside.y * part / PARTS).fine());
        let point = |at: Fine| at.minus(sight.shift).floor();
        let sees = |at: Fine| fits(sight, at) && self.centre_sees(sight.field, point(middle), point(at));
        let aim = (0..=PARTS).map(nearer).find(|&at| sees(at))?;
        let facing = frame.facing;
        let aim = if middle.distance_squared(aim) < IN_PLACE * IN_PLACE && aim != membership.slot {
            middle.plus(Fine::new(facing.cos_16(), facing.sin_16()))
        } else {
            aim
        };
        // Members in front go first.
        let next = group.next_gate(&membership.route).map_or(group.anchor, |gate| gate.way.taut);
        let along = i64::from(facing.cos_16()) * middle.offset_to(next).x
            + i64::from(facing.sin_16()) * middle.offset_to(next).y;
        let near = ((along >> 22) + (group.layout.reach >> 6)).clamp(0, i64::from(GATE_LEFT) - 1) as u32;
        let gates = group.gates_ahead(&membership.route).len().min(900) as u32;
        Some(Guide { aim, goal: membership.slot, left: gates.saturating_mul(GATE_LEFT).saturating_add(near) })
    }
}
