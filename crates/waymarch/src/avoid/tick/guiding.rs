//! New guides are given to units while the spatial index is rebuilt: neither needs the other.

use super::chunks::{MAX_CHUNKS, chunk_size};
use crate::avoid::crowd::{Attributes, Crowd, Guide, Memory, start_moving};
use crate::avoid::neighbours::SpatialIndex;
use crate::base::{Executor, Fine};

/// Scratch: the guides of adjacent units of a [`Crowd`], to be changed.
struct GuideChunk<'a> {
    id: &'a [u32],
    guide: &'a mut [Guide],
    home: &'a mut [Fine],
    attributes: &'a mut [Attributes],
    memory: &'a mut [Memory],
}

impl GuideChunk<'_> {
    /// Sends the units for which `guide_of` returns a group and a guide.
    fn send(&mut self, guide_of: &impl Fn(u32) -> Option<(u32, Guide)>) {
        let goals = self.guide.iter_mut().zip(self.home.iter_mut());
        let others = self.attributes.iter_mut().zip(self.memory.iter_mut());
        for ((&id, (guide, home)), (attributes, memory)) in self.id.iter().zip(goals).zip(others) {
            if let Some((group, new)) = guide_of(id) {
                attributes.group = group;
                (*guide, *home) = start_moving(new, attributes, memory);
            }
        }
    }
}

/// One job of an executor.
enum Job<'a> {
    Index(&'a mut SpatialIndex),
    Guides(GuideChunk<'a>),
}

/// Sends the units for whose ids `guide_of` returns a group and a guide, and rebuilds the index.
pub(super) fn guide_and_index<E: Executor>(
    crowd: &mut Crowd,
    index: &mut SpatialIndex,
    executor: &E,
    guide_of: impl Fn(u32) -> Option<(u32, Guide)> + Sync,
) {
    let (size, pos, ids) = (chunk_size(crowd.len()), &crowd.pos[..], &crowd.id[..]);
    let goals = crowd.guide.chunks_mut(size).zip(crowd.home.chunks_mut(size));
    let others = crowd.attributes.chunks_mut(size).zip(crowd.memory.chunks_mut(size));
    let mut guides =
        ids.chunks(size).zip(goals).zip(others).map(|((id, (guide, home)), (attributes, memory))| {
            Job::Guides(GuideChunk { id, guide, home, attributes, memory })
        });
    let mut index = Some(Job::Index(index));
    let mut jobs: [_; MAX_CHUNKS + 1] = core::array::from_fn(|_| index.take().or_else(|| guides.next()));
    executor.each(&mut jobs, |job| match job {
        Some(Job::Index(index)) => index.rebuild(pos, ids),
        Some(Job::Guides(guides)) => guides.send(&guide_of),
        None => {}
    });
}
