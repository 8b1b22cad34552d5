//! The guidance phase: what guides each unit in this tick, on any number of threads.

use alloc::vec::Vec;

use crate::avoid::Stance;
use crate::base::{Executor, Fine, Scratch, Vec2};
use crate::flow::tiles::TileReader;
use crate::service::PathId;
use crate::world::movement::guidance::{Guides, UnitGuide};

/// One job guides 64 units.
pub(crate) const CHUNK: usize = 64;

/// Scratch: what guides 64 consecutive units in a tick.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    /// The first unit index.
    pub(crate) first: u32,
    pub(crate) guides: Vec<UnitGuide>,
    /// Indices of units that move and have nowhere to go.
    stops: Vec<u32>,
    /// Work that is left when all units have moved.
    pub(crate) follow_ups: Vec<FollowUp>,
    pub(crate) reader: TileReader,
}

/// Scratch: what is left to do about a unit that has moved.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FollowUp {
    /// A unit follows a flow with this request, and is at this point now.
    Moved(PathId, Vec2),
    /// The unit at this index may have arrived, or may have made an illegal step.
    Check(u32),
}

/// Scratch of guidance, by unit index.
#[derive(Clone, Debug, Default)]
pub(crate) struct GuidanceScratch {
    pub(crate) chunks: Vec<Chunk>,
}

impl Scratch for GuidanceScratch {
    type Demand = ();

    fn poison(&mut self) {
        for chunk in &mut self.chunks {
            chunk
                .guides
                .insert(0, UnitGuide { end: Some(Vec2::ZERO), from: Fine::ZERO, ..UnitGuide::default() });
            chunk.reader.poison();
            chunk.stops.push(u32::MAX);
            chunk.follow_ups.push(FollowUp::Check(u32::MAX));
        }
    }

    fn reserve(&mut self, (): ()) {}
}

impl GuidanceScratch {
    /// What guides the unit at an index.
    #[inline]
    pub(crate) fn of(&self, index: usize) -> &UnitGuide {
        &self.chunks[index / CHUNK].guides[index % CHUNK]
    }

    /// Indices of units that move and have nowhere to go.
    pub(crate) fn stops(&self) -> impl Iterator<Item = usize> {
        self.chunks.iter().flat_map(|chunk| &chunk.stops).map(|&index| index as usize)
    }

    fn grow(&mut self, units: usize) {
        while self.chunks.len() < units.div_ceil(CHUNK) {
            // At most 2^20 units.
            self.chunks.push(Chunk {
                first: (self.chunks.len() * CHUNK) as u32,
                guides: Vec::with_capacity(CHUNK),
                stops: Vec::with_capacity(CHUNK),
                follow_ups: Vec::with_capacity(CHUNK),
                reader: TileReader::new(),
            });
        }
    }
}

/// Finds what guides each unit. Reads the state and writes scratch only.
pub(crate) fn guide_units(guides: &Guides<'_>, scratch: &mut GuidanceScratch, executor: &impl Executor) {
    let count = guides.units.column_len();
    scratch.grow(count);
    executor.each(&mut scratch.chunks, |chunk| {
        let first = chunk.first as usize;
        chunk.guides.clear();
        chunk.follow_ups.clear();
        let Chunk { guides: found, stops, reader, .. } = chunk;
        found.extend((first..count.min(first + CHUNK)).map(|index| guides.guide(index, reader)));
        stops.clear();
        let stops_now = |&(guide, index): &(&UnitGuide, u32)| {
            let index = index as usize;
            guide.guide.is_none()
                && guides.units.id_at(index).is_some()
                && guides.units.stance(index) == Stance::Moving
        };
        stops.extend(found.iter().zip(chunk.first..).filter(stops_now).map(|(_, index)| index));
    });
}
