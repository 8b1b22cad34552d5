//! How an idle unit makes way for allies: sideways, out of all their lanes at once.

use super::context::SteeringContext;
use crate::avoid::crowd::{KindId, Stance};
use crate::avoid::neighbours::{SpatialIndex, UnitState};
use crate::avoid::walls::{Grounds, Walls};
use crate::base::{FINE_CELL, WideVec, round_unit};
use crate::config::PushMechanics;

/// The lanes of the 24 nearest units count.
const MAX_LANES: usize = 24;
/// Space left beside a lane: 0.12 cells.
const MARGIN: i64 = FINE_CELL as i64 * 12 / 100;

/// Scratch: the strip of ground that an approaching unit is about to need.
#[derive(Clone, Copy, Debug, Default)]
struct Lane {
    /// The squared distance of the approaching unit and its id: the order in which lanes count.
    order: (i64, u32),
    /// The approaching unit's preferred velocity.
    direction: WideVec,
    /// From the approaching unit to the idle unit.
    offset: WideVec,
    /// The distance from the middle of the lane at which the idle unit is out of it.
    half_width: i64,
}

impl<G: Grounds> SteeringContext<'_, G> {
    /// The velocity with which an idle unit leaves the lanes of approaching allies. `None` if no ally approaches or there is no space.
    ///
    /// A unit that avoided one approaching unit at a time would step into the lane of the next. Two units abreast would then push it
    /// along. So lanes that overlap and have about the same direction count as one. The idle unit leaves this lane on the nearer side;
    /// if both sides are equally near, clockwise of the direction. If the ground there is closed, it leaves on the other side. It
    /// starts 1.5 seconds before the others arrive.
    ///
    /// Cost: looks at all units within `reach`.
    pub(in crate::avoid) fn make_way(&self, index: &SpatialIndex, own: usize, reach: i32) -> Option<WideVec> {
        let me = &self.states[own];
        if me.stance != Stance::Idle || self.settings.push == PushMechanics::None {
            return None;
        }
        let mut lanes = [Lane::default(); MAX_LANES];
        let mut count = 0;
        // Of all units whose lane covers the idle unit, the one that arrives first: distance, id and direction.
        let mut first: Option<((i64, u32), WideVec)> = None;
        let limit = i64::from(reach) * i64::from(reach);
        for run in index.runs_around(me.pos, reach) {
            for other in &self.states[run] {
                let offset = other.offset_to(me);
                // Runs contain units beyond `reach`, and which of them depends on the grid. So the distance decides.
                if !other.travels() || offset.length_squared() > limit || !needs_space(other, me) {
                    continue;
                }
                // Most units go elsewhere, and this test finds them without a root.
                if offset.dot(other.preferred.wide()) <= 0 {
                    continue;
                }
                let Some(polar) = other.preferred.wide().polar() else { continue };
                let ahead = round_unit(offset.dot(polar.unit));
                if ahead <= 0 || ahead > self.lane_length(me, other) {
                    continue;
                }
                let half_width = me.sum_of_radii(other) + MARGIN;
                let key = (ahead, other.id);
                let inside = round_unit(polar.unit.cross(offset)).abs() < half_width;
                if inside && first.is_none_or(|(before, _)| key < before) {
                    first = Some((key, polar.unit));
                }
                let order = (offset.length_squared(), other.id);
                let lane = Lane { order, direction: other.preferred.wide(), offset, half_width };
                if count < MAX_LANES {
                    lanes[count] = lane;
                    count += 1;
                } else if let Some(last) = lanes.iter_mut().max_by_key(|lane| lane.order) {
                    if lane.order < last.order {
                        *last = lane;
                    }
                }
            }
        }
        let (_, direction) = first?;
        let (left, right) = edges(&lanes[..count], direction);
        let clockwise = WideVec::new(-direction.y, direction.x);
        let walls = self.grounds.of_team(KindId(me.kind), me.team);
        let is_open = |edge: &i64| {
            let target = me.pos.plus(clockwise.along(*edge).fine());
            walls.is_open(target.wide().minus(walls.shift().wide()).fine().cell())
        };
        let sides = if right <= -left { [right, left] } else { [left, right] };
        let edge = sides.into_iter().find(is_open)?;
        let speed = i64::from(me.max_speed);
        Some(clockwise.along((edge / self.timing.arrival).clamp(-speed, speed)))
    }

    /// How far ahead of an approaching unit its lane reaches: no further than its goal.
    fn lane_length(&self, me: &UnitState, other: &UnitState) -> i64 {
        let ticks = if other.has_bend != 0 { i64::MAX } else { i64::from(other.ticks_to_goal) };
        let distance = i64::from(other.max_speed) * ticks.min(self.timing.open_horizon);
        me.sum_of_radii(other) + distance
    }
}

/// Whether an idle unit makes way for an approaching unit: for allies, except allies that come to join it.
fn needs_space(other: &UnitState, me: &UnitState) -> bool {
    other.team == me.team
        && other.layers.meets(me.layers)
        && !other.joins(me)
        && !other.finds_goal_taken_by(me)
}

/// How far to the left (at most 0) and right (at least 0) of `direction` the joined lanes end. Lanes that cover the idle unit are joined,
/// and so are lanes that overlap a joined lane.
fn edges(lanes: &[Lane], direction: WideVec) -> (i64, i64) {
    let (mut left, mut right) = (0, 0);
    // Each round except the last adds at least one lane.
    for _ in 0..=lanes.len() {
        let before = (left, right);
        for lane in lanes {
            let along = round_unit(lane.direction.dot(direction));
            // Within about 33 degrees.
            if along <= 0 || 10 * along * along < 7 * lane.direction.length_squared() {
                continue;
            }
            let middle = -round_unit(direction.cross(lane.offset));
            if middle - lane.half_width < right && middle + lane.half_width > left {
                left = left.min(middle - lane.half_width);
                right = right.max(middle + lane.half_width);
            }
        }
        if before == (left, right) {
            break;
        }
    }
    (left, right)
}
