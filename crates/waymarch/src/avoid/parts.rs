//! A crowd in parts, so that threads can change it beside each other.

use super::crowd::{Body, Crowd, Guide, Mind};
use super::fine::Fine;

/// Parts at most: enough for threads to be done at about the same time.
pub(super) const PARTS: usize = 64;

/// Units in each part of a list of so many, but the last.
#[inline]
pub(super) const fn part_size(units: usize) -> usize {
    let size = units.div_ceil(PARTS);
    if size < 8 { 8 } else { size }
}

/// World: some units of a [`Crowd`] in a row, its lists as there.
pub(super) struct Part<'a> {
    /// The place of the first in the crowd.
    pub(super) first: usize,
    pub(super) pos: &'a mut [Fine],
    pub(super) vel: &'a mut [Fine],
    pub(super) wanted: &'a mut [Fine],
    pub(super) guide: &'a [Guide],
    pub(super) spot: &'a mut [Fine],
    pub(super) body: &'a mut [Body],
    pub(super) mind: &'a mut [Mind],
}

impl Crowd {
    /// All units, in parts of `size` (at least one); the last may be smaller.
    pub(super) fn parts(&mut self, size: usize) -> impl Iterator<Item = Part<'_>> {
        let size = size.max(1);
        let ways = self.guide.chunks(size).zip(self.spot.chunks_mut(size));
        let moves = self.pos.chunks_mut(size).zip(self.vel.chunks_mut(size)).zip(self.wanted.chunks_mut(size));
        let selves = self.body.chunks_mut(size).zip(self.mind.chunks_mut(size));
        ways.zip(moves).zip(selves).enumerate().map(move |(number, (((guide, spot), moves), (body, mind)))| {
            let ((pos, vel), wanted) = moves;
            Part { first: number * size, pos, vel, wanted, guide, spot, body, mind }
        })
    }
}
