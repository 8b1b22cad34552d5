//! Snaps that were asked for before: a unit that cannot get out asks again and again.

use alloc::vec::Vec;

use smallvec::SmallVec;

use super::snap::Nearest;
use super::{DomainId, Sectors, SnapScratch, Snapped};
use crate::base::{Agent, CellPos, CellRect};
use crate::cost::{ChangeMark, CostLayer};
use crate::query::{Goal, PlanError, Shape, Side};

/// Answers kept at the most. A power of two, [`WAYS`] times the number of rows.
const MOST: usize = 256;

/// An answer may be kept in so many places.
const WAYS: usize = 4;

/// Goals of more shapes are not remembered, so that memory is bounded.
const MOST_SHAPES: usize = 64;

/// Derived: snaps that were asked for before, and scratch for new ones.
///
/// It saves work and never changes an answer, as long as it is asked about one map only. An answer is dropped when something changes where it could matter: near a closed start, in or beside
/// the sectors that the start's domain extends over. Holds at most 256 answers (half a megabyte, if all their goals are of many
/// shapes); the least recently used of four goes first, the same on every machine.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
/// use waymarch::query::Goal;
/// use waymarch::sectors::{Sectors, SnapMemory};
///
/// let map = Map::flat("field", GridSize::new(100, 50)?, Rules::spec_000()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// layer.place(&Stamp::solid(1, 50), cell(40, 0), Tick::ZERO)?; // a wall from edge to edge
/// let sectors = Sectors::new(&layer, StepRule::default());
/// let (mut memory, out) = (SnapMemory::default(), Goal::point(cell(80, 20)));
/// let first = sectors.snap_again(&layer, cell(5, 5), &out, LocomotorId(0), &mut memory)?;
/// let before = memory.looked_at();
/// let again = sectors.snap_again(&layer, cell(6, 9), &out, LocomotorId(0), &mut memory)?; // a friend of his
/// assert_eq!((first.to, again.to), (cell(39, 20), cell(39, 20)));
/// assert_eq!(memory.looked_at(), before, "nothing was looked at again");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SnapMemory {
    scratch: SnapScratch,
    /// Rows of [`WAYS`] places; none until the first answer.
    places: Vec<Place>,
    /// How often it was asked.
    clock: u64,
}

/// Whose question it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asker {
    /// A unit on a closed cell.
    Closed(CellPos),
    /// A unit in a domain, and whether its goal is to be entered or left.
    Within(DomainId, Side),
}

/// A place for an answer.
#[derive(Clone, Debug, Default)]
struct Place {
    /// None while nothing is kept here.
    kept: Option<Kept>,
    /// The shapes of the goal: mostly one, which takes no memory of its own; that of several is used again.
    shapes: SmallVec<[Shape; 1]>,
    last_use: u64,
}

#[derive(Clone, Copy, Debug)]
struct Kept {
    agent: Agent,
    asker: Asker,
    /// Where the unit was that asked first.
    from: CellPos,
    answer: Option<CellPos>,
    /// What it depends on.
    scope: CellRect,
    /// Up to here the map's changes are known not to matter.
    known: ChangeMark,
}

impl Sectors {
    /// As [`Sectors::snap`], but what was answered before is not looked for again: it costs the same on every map and in every pocket, as long as
    /// nothing changes in or beside the sectors that the unit's domain extends over.
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
    /// Room for what it remembers: all at once, when the first has to be, or before.
    pub(crate) fn make_room(&mut self) {
        if self.places.is_empty() {
            self.places.resize(MOST, Place::default());
            self.scratch.make_room();
        }
    }

    /// How much was looked at since it was made: parts of blocks and of sectors, and cells. What was remembered adds nothing.
    #[must_use]
    pub fn looked_at(&self) -> u64 {
        self.scratch.looked_at()
    }

    /// Bytes held when full of goals of one shape each.
    #[must_use]
    pub const fn full_bytes() -> usize {
        MOST * (size_of::<Place>() + size_of::<Shape>())
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let of_place = |place: &Place| size_of::<Place>() + heap_shapes(place) * size_of::<Shape>();
        self.places.iter().map(of_place).sum()
    }

    /// The answer to `question`, from memory if it can be.
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
        self.make_room();
        self.clock += 1;
        let row = row_of(agent, asker, shapes) * WAYS;
        let places = &mut self.places[row..row + WAYS];
        let same = |kept: &Kept| (kept.agent, kept.asker) == (agent, asker);
        let known =
            places.iter_mut().find(|place| place.kept.as_ref().is_some_and(same) && *place.shapes == *shapes);
        let place = match known {
            Some(place) => place,
            // Uses are all different, but of places never used: there it does not matter which.
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

/// Room for shapes that is not in the place itself.
fn heap_shapes(place: &Place) -> usize {
    if place.shapes.spilled() { place.shapes.capacity() } else { 0 }
}

impl Kept {
    /// Whether nothing changed that could matter.
    fn holds(&mut self, sectors: &Sectors, layer: &CostLayer) -> bool {
        if let Asker::Within(domain, _) = self.asker {
            // Domains get other numbers when others nearby come and go; the domain itself is where it was.
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

/// The row of places a question belongs to.
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
    let who = u64::from(agent.locomotor.0) << 8 | u64::from(agent.size.side());
    let numbers = [who, own].into_iter().chain(shapes.iter().map(of_shape));
    let stirred = numbers.fold(0_u64, |sum, number| {
        let sum = (sum ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        sum ^ sum >> 29
    });
    (stirred % (MOST / WAYS) as u64) as usize
}
