//! A cache of snaps: a unit that is locked in repeats the same query again and again.

use alloc::vec::Vec;

use smallvec::SmallVec;

use super::connectivity::Sectors;
use super::ids::DomainId;
use super::snap::{Nearest, SnapScratch, Snapped};
use crate::base::{Agent, CellPos, CellRect, Scratch};
use crate::cost::{ChangeMark, CostLayer};
use crate::query::{Goal, PlanError, Shape, Side};

/// The cache keeps at most 256 answers. A power of two, and a multiple of [`WAYS`].
const MOST: usize = 256;

/// An answer can be in one of 4 places.
const WAYS: usize = 4;

/// Goals of more than 64 shapes are not cached, so that memory is bounded.
const MOST_SHAPES: usize = 64;

/// Derived: answers of earlier snaps, and scratch for new ones.
///
/// It saves work and never changes an answer, as long as it is used for one map only. It drops an answer when an edit could matter: near a
/// closed start, or in or beside the sectors that the start's domain covers. It holds at most 256 answers (half a megabyte if all goals have
/// many shapes). It replaces the least recently used of four answers, the same on every machine.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
/// use waymarch::query::Goal;
/// use waymarch::sectors::{Sectors, SnapMemory};
///
/// let map = Map::flat("field", GridSize::new(100, 50)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// layer.place(&Stamp::solid(1, 50), cell(40, 0), Tick::ZERO)?; // a wall from edge to edge
/// let sectors = Sectors::new(&layer, StepRule::default());
/// let (mut memory, out) = (SnapMemory::default(), Goal::point(cell(80, 20)));
/// let first = sectors.snap_again(&layer, cell(5, 5), &out, LocomotorId(0), &mut memory)?;
/// let before = memory.looked_at();
/// let again = sectors.snap_again(&layer, cell(6, 9), &out, LocomotorId(0), &mut memory)?; // another unit
/// assert_eq!((first.to, again.to), (cell(39, 20), cell(39, 20)));
/// assert_eq!(memory.looked_at(), before, "the second answer comes from the cache");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SnapMemory {
    scratch: SnapScratch,
    /// Rows of [`WAYS`] places; empty until the first answer.
    places: Vec<Place>,
    /// The number of queries so far.
    clock: u64,
}

/// Which starts share an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asker {
    /// A unit on a closed cell.
    Closed(CellPos),
    /// A unit in a domain, and whether it wants to enter or leave its goal.
    Within(DomainId, Side),
}

/// A place for an answer.
#[derive(Clone, Debug, Default)]
struct Place {
    /// `None` while the place is empty.
    kept: Option<Kept>,
    /// The shapes of the goal. One shape needs no memory of its own; memory for several is used again.
    shapes: SmallVec<[Shape; 1]>,
    last_use: u64,
}

#[derive(Clone, Copy, Debug)]
struct Kept {
    agent: Agent,
    asker: Asker,
    /// The position of the unit that asked first.
    from: CellPos,
    answer: Option<CellPos>,
    /// The cells on which the answer depends.
    scope: CellRect,
    /// Changes of the map up to this mark do not affect the answer.
    known: ChangeMark,
}

impl Sectors {
    /// As [`Sectors::snap`], with a cache of answers. A cached answer costs the same on every map, as long as nothing changes in or beside the
    /// sectors that the unit's domain covers.
    ///
    /// # Errors
    /// As [`Sectors::snap`].
    pub fn snap_again(
        &self,
        layer: &CostLayer,
        from: CellPos,
        goal: &Goal,
        agent: impl Into<Agent>,
        memory: &mut SnapMemory,
    ) -> Result<Snapped, PlanError> {
        let agent = agent.into();
        self.snap_by(layer, from, goal, agent, |question| memory.nearest(self, layer, agent, question))
    }
}

impl SnapMemory {
    /// Reserves memory for all answers at once.
    pub(crate) fn reserve(&mut self) {
        if self.places.is_empty() {
            self.places.resize(MOST, Place::default());
            self.scratch.reserve(());
        }
    }

    /// Fills the scratch with rubbish. The kept answers stay: they are Derived.
    pub(crate) fn poison_scratch(&mut self) {
        self.scratch.poison();
    }

    /// The work so far: parts of blocks and sectors, and cells, that were looked at. Cached answers add nothing.
    #[must_use]
    pub fn looked_at(&self) -> u64 {
        self.scratch.looked_at()
    }

    /// Bytes held when full of goals of one shape each.
    #[must_use]
    pub const fn full_bytes() -> usize {
        // A place has room for one shape.
        MOST * size_of::<Place>()
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let of_place = |place: &Place| size_of::<Place>() + heap_shapes(place) * size_of::<Shape>();
        self.places.iter().map(of_place).sum()
    }

    /// The answer to `question`, from the cache if possible.
    fn nearest(
        &mut self,
        sectors: &Sectors,
        layer: &CostLayer,
        agent: Agent,
        question: Nearest<'_>,
    ) -> Option<CellPos> {
        let (asker, shapes) = match question {
            Nearest::Open(from) => (Asker::Closed(from), &[][..]),
            Nearest::Stop(_, domain, goal) => (Asker::Within(domain, goal.side()), goal.shapes()),
        };
        if shapes.len() > MOST_SHAPES {
            return sectors.nearest(layer, agent, question, &mut self.scratch);
        }
        self.reserve();
        self.clock += 1;
        let row = row_of(agent, asker, shapes) * WAYS;
        let places = &mut self.places[row..row + WAYS];
        let same = |kept: &Kept| (kept.agent, kept.asker) == (agent, asker);
        let known =
            places.iter_mut().find(|place| place.kept.as_ref().is_some_and(same) && *place.shapes == *shapes);
        let place = match known {
            Some(place) => place,
            // Places that were never used have the `last_use` 0, and any of them will do. All other values of `last_use` differ.
            None => places.iter_mut().min_by_key(|place| place.last_use)?,
        };
        place.last_use = self.clock;
        if let Some(kept) = place.kept.as_mut().filter(|kept| same(kept) && *place.shapes == *shapes) {
            if kept.holds(sectors, layer) {
                return kept.answer;
            }
        }
        let answer = sectors.nearest(layer, agent, question, &mut self.scratch);
        let scope = sectors.scope(agent, question, answer);
        let from = match question {
            Nearest::Open(from) | Nearest::Stop(from, ..) => from,
        };
        place.kept = Some(Kept { agent, asker, from, answer, scope, known: sectors.known });
        place.shapes.clear();
        place.shapes.extend_from_slice(shapes);
        answer
    }
}

/// The number of shapes in memory outside of the place itself.
fn heap_shapes(place: &Place) -> usize {
    if place.shapes.spilled() { place.shapes.capacity() } else { 0 }
}

impl Kept {
    /// Whether the answer still holds: nothing that it depends on has changed.
    fn holds(&mut self, sectors: &Sectors, layer: &CostLayer) -> bool {
        if let Asker::Within(domain, _) = self.asker {
            // A domain's number changes when other domains nearby appear or vanish.
            if sectors.domain(self.from, self.agent) != Some(domain) {
                return false;
            }
        }
        let Some(changed) = layer.changes().since(self.known) else { return false };
        let grid = layer.changes().sectors();
        let matters = |&sector| !grid.area(sector).intersect(self.scope).is_empty();
        if changed.iter().any(matters) {
            return false;
        }
        self.known = layer.changes().mark_now();
        true
    }
}

/// The row of places for a query.
fn row_of(agent: Agent, asker: Asker, shapes: &[Shape]) -> usize {
    let cell = |at: CellPos| u64::from(at.x as u32) << 32 | u64::from(at.y as u32);
    let own = match asker {
        Asker::Closed(at) => cell(at),
        Asker::Within(domain, _) => u64::from(domain.0),
    };
    let of_shape = |shape: &Shape| match *shape {
        Shape::Point(at) => cell(at),
        Shape::Circle { centre, .. } | Shape::Ring { centre, .. } => cell(centre),
        Shape::Rect(rect) => cell(CellPos::new(rect.x0, rect.y0)),
    };
    let agent_bits = u64::from(agent.locomotor.0) << 8 | u64::from(agent.size.side());
    let numbers = [agent_bits, own].into_iter().chain(shapes.iter().map(of_shape));
    let hash = numbers.fold(0_u64, |sum, number| {
        let sum = (sum ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        sum ^ sum >> 29
    });
    (hash % (MOST / WAYS) as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{GridSize, LocomotorId, Tick, cell};
    use crate::cost::{CostSettings, Map, Rules, Stamp, StepRule};

    #[test]
    fn a_memory_full_of_goals_of_one_shape_holds_its_full_bytes() {
        let size = GridSize::new(100, 50).expect("legal");
        let map = Map::flat("field", size, Rules::standard()).validate().expect("legal");
        let mut layer = CostLayer::new(&map, CostSettings::default());
        layer.place(&Stamp::solid(1, 50), cell(40, 0), Tick::ZERO).expect("on the map");
        let sectors = Sectors::new(&layer, StepRule::default());
        let mut memory = SnapMemory::default();
        for at in CellRect::at(cell(50, 0), 50, 50).cells() {
            let snapped =
                sectors.snap_again(&layer, cell(5, 5), &Goal::point(at), LocomotorId(0), &mut memory);
            assert!(snapped.is_ok());
        }
        assert!(memory.places.iter().all(|place| place.shapes.len() == 1), "all places are in use");
        assert_eq!(memory.memory_bytes(), SnapMemory::full_bytes());
    }
}
