//! How an idle unit gets out of the way of friends: sideways, out of all their lanes at once.

use super::crowd::{KindId, Stance};
use super::fine::{FINE_CELL, Wide, round_unit};
use super::seen::Seen;
use super::spatial::SpatialIndex;
use super::steer::View;
use super::walls::{Grounds, Walls};

/// Lanes looked at, at most: those of the nearest.
const MAX_LANES: usize = 24;
/// Room left beside a lane, in 65,536ths of a cell.
const MARGIN: i64 = FINE_CELL as i64 * 12 / 100;

/// Scratch: the strip of ground that somebody who comes my way is about to need.
#[derive(Clone, Copy, Debug, Default)]
struct Lane {
    /// How far away its owner is, squared, and its owner's id: the order in which lanes count.
    order: (i64, u32),
    /// The velocity its owner would like.
    way: Wide,
    /// From its owner to me.
    from: Wide,
    /// How far from its middle I am clear of it.
    half: i64,
}

impl<G: Grounds> View<'_, G> {
    /// The velocity that takes an idle unit out of the lanes of friends who come its way; `None` if nobody comes or there is no room.
    ///
    /// Why not one traveller at a time: between two who walk abreast there is no room, and who dodges one into the lane of the next
    /// is carried along by both. So lanes that overlap and go much the same way count as one, and the unit leaves it on the
    /// nearer side, clockwise of the way if both are as near, or on the other side if the ground is closed there. It
    /// starts a second and a half before they are here. Costs a look at all units within `reach`.
    pub(super) fn aside(&self, index: &SpatialIndex, own: usize, reach: i32) -> Option<Wide> {
        let me = &self.seen[own];
        if me.stance != Stance::Idle {
            return None;
        }
        let mut lanes = [Lane::default(); MAX_LANES];
        let mut count = 0;
        // Who is here first, of those whose lane I stand in, and its direction.
        let mut first: Option<((i64, u32), Wide)> = None;
        let limit = i64::from(reach) * i64::from(reach);
        for run in index.runs_around(me.pos, reach) {
            for other in &self.seen[run] {
                let from = other.offset_to(me);
                // Runs have some more, and how many depends on where all others are.
                if !other.travels() || from.square() > limit || !needs_room(other, me) {
                    continue;
                }
                // Who goes elsewhere is most, and known without a root.
                if from.dot(other.wish.wide()) <= 0 {
                    continue;
                }
                let Some(polar) = other.wish.wide().polar() else { continue };
                let forth = round_unit(from.dot(polar.unit));
                if forth <= 0 || forth > self.lane_length(me, other) {
                    continue;
                }
                let half = i64::from(me.radius) + i64::from(other.radius) + MARGIN;
                let key = (forth, other.id);
                let inside = round_unit(polar.unit.cross(from)).abs() < half;
                if inside && first.is_none_or(|(before, _)| key < before) {
                    first = Some((key, polar.unit));
                }
                let lane = Lane { order: (from.square(), other.id), way: other.wish.wide(), from, half };
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
        let (_, way) = first?;
        let (left, right) = edges(&lanes[..count], way);
        let clockwise = Wide::new(-way.y, way.x);
        let walls = self.grounds.of(KindId(me.kind));
        let has_room = |edge: &i64| {
            let spot = me.pos.plus(clockwise.along(*edge).fine());
            let (at, shift) = (spot.wide(), walls.shift().wide());
            walls.is_open(at.minus(shift).fine().cell())
        };
        let sides = if right <= -left { [right, left] } else { [left, right] };
        let edge = sides.into_iter().find(has_room)?;
        let speed = i64::from(me.speed);
        Some(clockwise.along((edge / self.tempo.arrive).clamp(-speed, speed)))
    }

    /// How far ahead of a traveller I make room for it: not beyond where it stops.
    fn lane_length(&self, me: &Seen, other: &Seen) -> i64 {
        let ticks = if other.passing != 0 { i64::MAX } else { i64::from(other.to_goal) };
        let way = i64::from(other.speed) * ticks.min(self.tempo.long);
        i64::from(me.radius) + i64::from(other.radius) + way
    }
}

/// Whether an idle unit makes room for a traveller: for friends, but not for those who come to join it.
fn needs_room(other: &Seen, me: &Seen) -> bool {
    other.team == me.team && !other.joins(me) && !other.has_my_place(me)
}

/// How far away, left (not above 0) and right (not below 0) of `way`, all lanes end that cover me, or overlap one that does.
fn edges(lanes: &[Lane], way: Wide) -> (i64, i64) {
    let (mut left, mut right) = (0, 0);
    // Each round but the last takes up a lane at least.
    for _ in 0..=lanes.len() {
        let before = (left, right);
        for lane in lanes {
            let along = round_unit(lane.way.dot(way));
            // Within some thirty degrees.
            if along <= 0 || 10 * along * along < 7 * lane.way.square() {
                continue;
            }
            let middle = -round_unit(way.cross(lane.from));
            if middle - lane.half < right && middle + lane.half > left {
                left = left.min(middle - lane.half);
                right = right.max(middle + lane.half);
            }
        }
        if before == (left, right) {
            break;
        }
    }
    (left, right)
}
