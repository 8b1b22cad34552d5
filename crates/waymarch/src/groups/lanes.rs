//! Lanes: each member crosses a gate at a place of its own, so that groups keep their width.

use alloc::vec::Vec;

use super::gate::{Gate, RouteGate};
use super::geometry::{centroid, fine, moved, offset};
use super::member::Member;
use crate::avoid::Fine;
use crate::base::{Fixed, isqrt};

/// World: a member's place across its group. It is set when the group starts and does not change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LanePlace {
    /// Its rank from left to right, in 65,536ths: (k + 1/2)/n for member k of n.
    pub rank: u16,
    /// Its position between the leftmost and the rightmost member, in 65,536ths.
    pub across: u16,
}

/// World: the lanes of a group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lanes {
    /// The group's width across its route, from centre to centre of the outermost members, in 65,536ths of a cell.
    pub width: i64,
}

/// Whether another group comes through the gate from the other side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Traffic {
    /// No other group does.
    #[default]
    OneWay,
    /// Another group does, and is near.
    Opposing,
}

/// A lane is 2.1 radii wide: 105 % of the radius on each side.
const MARGIN_PER_CENT: i64 = 105;

/// How many members of a radius pass a gate of this width side by side: 2.1 radii each; at least one.
#[must_use]
pub fn lanes_in(width: i64, radius: Fixed) -> u32 {
    let body = (fine(radius).max(1) * MARGIN_PER_CENT / 100).max(1);
    u32::try_from((width / (2 * body)).max(1)).unwrap_or(u32::MAX)
}

/// A gate that members cross.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneCrossing<'a> {
    pub(crate) gate: &'a Gate,
    /// The gate's length, in 65,536ths of a cell.
    pub(crate) length: i64,
    /// The point where the route of the group's centre crosses it.
    pub(crate) taut: Fine,
    pub(crate) traffic: Traffic,
}

impl Lanes {
    /// Writes each member's place across the route to `out`, in the order of `members`. The route leads from the group's centre to `first`,
    /// the middle of the first gate. Costs a sort, which uses `scratch`.
    pub fn of(
        members: &[Member],
        first: Fine,
        scratch: &mut Vec<(i64, u32, u32)>,
        out: &mut Vec<LanePlace>,
    ) -> Self {
        let middle = centroid(members.iter().map(|member| member.at));
        let (x, y) = offset(middle, first);
        // The direction to the right of the route.
        let (x, y) = if (x, y) == (0, 0) { (1, 0) } else { (-y, x) };
        let square = |part: i64| u128::from(part.unsigned_abs()).pow(2);
        let length = (square(x) + square(y)).isqrt().max(1) as i64;
        scratch.clear();
        for (index, member) in members.iter().enumerate() {
            let (dx, dy) = offset(middle, member.at);
            scratch.push((quotient((dx, dy), (x, y), length), member.id, index as u32));
        }
        scratch.sort_unstable();
        let low = scratch.first().map_or(0, |entry| entry.0);
        let width = scratch.last().map_or(0, |entry| entry.0) - low;
        out.clear();
        out.resize(members.len(), LanePlace::default());
        let count = members.len() as u64;
        for (rank, &(aside, _, index)) in (0_u64..).zip(scratch.iter()) {
            let rank = ((2 * rank + 1) * 32_768 / count).min(65_535) as u16;
            // If all members are in one line, their place is the middle.
            let across = if width == 0 {
                32_768
            } else {
                (i128::from(aside - low) * 65_535 / i128::from(width)) as u16
            };
            out[index as usize] = LanePlace { rank, across };
        }
        Self { width }
    }

    /// The lanes along a gate's line: wider where members cross it at an angle, as far as the gate has room.
    #[must_use]
    pub fn across(&self, gate: &RouteGate, radius: Fixed) -> Self {
        self.across_line(gate.width(), gate.slant, radius)
    }

    /// As [`Lanes::across`], for a line of this length.
    pub(crate) fn across_line(&self, length: i64, slant: u16, radius: Fixed) -> Self {
        let body = (fine(radius).max(1) * MARGIN_PER_CENT / 100).max(1);
        let askew = (i128::from(self.width) * i128::from(slant)) >> 10;
        let room = length - 2 * body;
        Self { width: askew.min(i128::from(room)).max(i128::from(self.width)) as i64 }
    }

    /// The point where a member of this radius crosses a gate. `taut` is where the route of the group's centre crosses it.
    ///
    /// A gate narrower than the group has as many lanes as members fit side by side (2.1 radii each), and members take them by rank. In a
    /// wider gate the group keeps its width, as near to `taut` as the gate allows. If another group comes from the other side and there is
    /// room for two lanes, members keep to the right half.
    #[must_use]
    pub fn aim(&self, place: LanePlace, radius: Fixed, gate: &Gate, taut: Fine, traffic: Traffic) -> Fine {
        let length = isqrt(gate.left.distance_squared(gate.right)) as i64;
        self.aim_at(place, radius, &LaneCrossing { gate, length, taut, traffic })
    }

    /// As [`Lanes::aim`], for a gate whose length is known.
    #[inline]
    pub(crate) fn aim_at(&self, place: LanePlace, radius: Fixed, crossing: &LaneCrossing<'_>) -> Fine {
        let LaneCrossing { gate, length, taut, traffic } = *crossing;
        let (x, y) = offset(gate.left, gate.right);
        if length == 0 {
            return gate.left;
        }
        let body = (fine(radius).max(1) * MARGIN_PER_CENT / 100).max(1);
        let margin = body.min(length / 2);
        let (low, high) = match traffic {
            Traffic::Opposing if length > 4 * body => (length / 2 + body, length - margin),
            _ => (margin, length - margin),
        };
        let room = (high - low).max(0);
        let along = if self.width > room || (traffic == Traffic::Opposing && low != margin) {
            let lanes = if low == margin { (length / (2 * body)).max(1) } else { room / (2 * body) + 1 };
            let lane = (i64::from(place.rank) * lanes) >> 16;
            if lanes == 1 { (low + high) / 2 } else { low + lane * room / (lanes - 1) }
        } else {
            let (dx, dy) = offset(gate.left, taut);
            let crossing = quotient((dx, dy), (x, y), length).clamp(0, length);
            // `width` fits between the margins.
            let start = (crossing - self.width / 2).clamp(low, high - self.width);
            start + quotient((i64::from(place.across), 0), (self.width, 0), 65_535)
        };
        let part = |whole: i64| quotient((whole, 0), (along, 0), length);
        moved(gate.left, (part(x), part(y)))
    }
}

/// The dot product of two vectors, divided by a length. Uses 128 bits only if 64 do not suffice.
fn quotient(a: (i64, i64), b: (i64, i64), by: i64) -> i64 {
    let narrow = || a.0.checked_mul(b.0)?.checked_add(a.1.checked_mul(b.1)?);
    let wide = || i128::from(a.0) * i128::from(b.0) + i128::from(a.1) * i128::from(b.1);
    narrow().map_or_else(|| (wide() / i128::from(by)) as i64, |sum| sum / by)
}
