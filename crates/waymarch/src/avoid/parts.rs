//! A crowd in parts, so that threads can change it beside each other.

use super::crowd::{Body, Crowd, Guide, Mind, Stance};
use super::fine::Fine;
use super::kinematics::Kinematics;
use super::spatial::SpatialIndex;
use crate::base::Executor;

/// Parts at most: enough for threads to be done at about the same time.
pub(super) const PARTS: usize = 64;

/// Units in each part of a list of so many, but the last.
#[inline]
pub(super) const fn part_size(units: usize) -> usize {
    let size = units.div_ceil(PARTS);
    if size < 8 { 8 } else { size }
}

/// Scratch: some units of a [`Crowd`] in a row, to be changed; its lists are as there.
pub(super) struct Part<'a> {
    /// The place of the first in the crowd.
    pub(super) first: usize,
    pub(super) kinds: &'a [Kinematics],
    pub(super) pos: &'a mut [Fine],
    pub(super) vel: &'a mut [Fine],
    pub(super) wanted: &'a mut [Fine],
    pub(super) guide: &'a [Guide],
    pub(super) spot: &'a mut [Fine],
    pub(super) body: &'a mut [Body],
    pub(super) mind: &'a mut [Mind],
}

/// Scratch: where some units of a [`Crowd`] in a row are to go, to be changed.
struct Ways<'a> {
    id: &'a [u32],
    guide: &'a mut [Guide],
    spot: &'a mut [Fine],
    body: &'a mut [Body],
    mind: &'a mut [Mind],
}

impl Ways<'_> {
    /// Sends those on their way whom `told` tells a group and a guide.
    fn send(&mut self, told: &impl Fn(u32) -> Option<(u32, Guide)>) {
        let ways = self.guide.iter_mut().zip(self.spot.iter_mut());
        let selves = self.body.iter_mut().zip(self.mind.iter_mut());
        for ((&id, (guide, spot)), (body, mind)) in self.id.iter().zip(ways).zip(selves) {
            if let Some((group, way)) = told(id) {
                body.group = group;
                (*guide, *spot) = send_off(way, body, mind);
            }
        }
    }
}

/// Makes a unit go: gives its guide and its spot from now on.
#[inline]
pub(super) fn send_off(way: Guide, body: &mut Body, mind: &mut Mind) -> (Guide, Fine) {
    let way = Guide { aim: way.aim.on_plane(), goal: way.goal.on_plane(), left: way.left };
    body.stance = Stance::Moving;
    (mind.there, mind.rests) = (0, 0);
    (way, way.goal)
}

/// What is done before anybody looks around.
enum First<'a> {
    Index(&'a mut SpatialIndex),
    Ways(Ways<'a>),
}

impl Crowd {
    /// Sends those on their way whom `told` tells a group and a guide, and makes the index anew: neither needs the other.
    pub(super) fn send_all<E: Executor>(
        &mut self,
        index: &mut SpatialIndex,
        executor: &E,
        told: impl Fn(u32) -> Option<(u32, Guide)> + Sync,
    ) {
        let (size, pos, ids) = (part_size(self.len()), &self.pos[..], &self.id[..]);
        let ways = self.guide.chunks_mut(size).zip(self.spot.chunks_mut(size));
        let selves = self.body.chunks_mut(size).zip(self.mind.chunks_mut(size));
        let mut ways = ids
            .chunks(size)
            .zip(ways)
            .zip(selves)
            .map(|((id, (guide, spot)), (body, mind))| First::Ways(Ways { id, guide, spot, body, mind }));
        let mut index = Some(First::Index(index));
        let mut jobs: [_; PARTS + 1] = core::array::from_fn(|_| index.take().or_else(|| ways.next()));
        executor.each(&mut jobs, |job| match job {
            Some(First::Index(index)) => index.rebuild(pos, ids),
            Some(First::Ways(ways)) => ways.send(&told),
            None => {}
        });
    }

    /// All units, in parts of `size` (at least one); the last may be smaller.
    pub(super) fn parts(&mut self, size: usize) -> impl Iterator<Item = Part<'_>> {
        let (size, kinds) = (size.max(1), &self.kinds[..]);
        let ways = self.guide.chunks(size).zip(self.spot.chunks_mut(size));
        let moves =
            self.pos.chunks_mut(size).zip(self.vel.chunks_mut(size)).zip(self.wanted.chunks_mut(size));
        let selves = self.body.chunks_mut(size).zip(self.mind.chunks_mut(size));
        ways.zip(moves).zip(selves).enumerate().map(
            move |(number, (((guide, spot), moves), (body, mind)))| {
                let ((pos, vel), wanted) = moves;
                Part { first: number * size, kinds, pos, vel, wanted, guide, spot, body, mind }
            },
        )
    }
}
