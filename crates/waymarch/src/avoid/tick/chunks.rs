//! A crowd in chunks, which threads change side by side.

use crate::avoid::crowd::{Attributes, Crowd, Guide, Kinematics, Memory};
use crate::base::Fine;

/// The largest number of chunks: 64, so that threads finish at about the same time.
pub(super) const MAX_CHUNKS: usize = 64;

/// The number of units in each chunk except the last, at least 8.
#[inline]
pub(super) const fn chunk_size(units: usize) -> usize {
    let size = units.div_ceil(MAX_CHUNKS);
    if size < 8 { 8 } else { size }
}

/// Scratch: adjacent units of a [`Crowd`], to be changed. The lists are slices of the crowd's lists.
pub(super) struct Chunk<'a> {
    /// The index of the first unit in the crowd.
    pub(super) first: usize,
    pub(super) kinds: &'a [Kinematics],
    pub(super) pos: &'a mut [Fine],
    pub(super) vel: &'a mut [Fine],
    pub(super) chosen_vel: &'a mut [Fine],
    pub(super) guide: &'a [Guide],
    pub(super) home: &'a mut [Fine],
    pub(super) attributes: &'a mut [Attributes],
    pub(super) memory: &'a mut [Memory],
}

/// All units in chunks of `size`, at least 1. The last chunk may be smaller.
pub(super) fn chunks(crowd: &mut Crowd, size: usize) -> impl Iterator<Item = Chunk<'_>> {
    let (size, kinds) = (size.max(1), &crowd.kinds[..]);
    let goals = crowd.guide.chunks(size).zip(crowd.home.chunks_mut(size));
    let moves =
        crowd.pos.chunks_mut(size).zip(crowd.vel.chunks_mut(size)).zip(crowd.chosen_vel.chunks_mut(size));
    let others = crowd.attributes.chunks_mut(size).zip(crowd.memory.chunks_mut(size));
    goals.zip(moves).zip(others).enumerate().map(
        move |(number, (((guide, home), moves), (attributes, memory)))| {
            let ((pos, vel), chosen_vel) = moves;
            Chunk { first: number * size, kinds, pos, vel, chosen_vel, guide, home, attributes, memory }
        },
    )
}
