//! One passage: its cells, its mouths and its length.

use alloc::vec::Vec;

use super::plane::{BitPlane, LabelPlane};
use crate::base::{CellId, CellPos, CellRect, Dir8};
use crate::cost::{CostField, Neighbours, StepRule};

/// The name of a passage: its first cell in row-major order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PassageId(pub CellId);

/// What lies outside a mouth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Beyond {
    /// Ground on which two units can pass each other.
    Open,
    /// A junction: a narrow cell where three or more branches meet.
    Junction,
}

/// An end of a passage, where units enter and leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mouth {
    /// The cell of the passage at this mouth; the first in row-major order if there are several.
    pub inside: CellPos,
    /// The cell outside, one legal step from `inside`.
    pub outside: CellPos,
    /// The number of cells outside that units can enter from or leave to.
    pub width: u32,
    /// What lies outside.
    pub beyond: Beyond,
}

/// A maximal stretch of ground that is too narrow for two units of one size to pass each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passage {
    /// Its name.
    pub id: PassageId,
    /// The number of its cells.
    pub cells: u32,
    /// The number of cells from its first mouth to its farthest cell. Without mouths: the number of its cells.
    pub length: u32,
    /// The smallest rectangle that holds all its cells.
    pub bounds: CellRect,
    /// Its ends, in row-major order of the cells outside. A dead end has one mouth, a corridor two.
    pub mouths: Vec<Mouth>,
}

impl Passage {
    /// Whether the passage joins two open places. A unit that stands in it closes it for all others. Dead ends, and the corridors of a maze that lead to
    /// junctions, are no bottlenecks.
    #[must_use]
    pub fn is_bottleneck(&self) -> bool {
        self.mouths.len() == 2 && self.mouths.iter().all(|mouth| mouth.beyond == Beyond::Open)
    }
}

/// A legal step out of a passage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Exit {
    outside: CellId,
    inside: CellId,
    /// The number of the mouth that the exit belongs to.
    mouth: u32,
}

/// Scratch: the cells and exits of the passage that is being measured.
#[derive(Clone, Debug, Default)]
pub(super) struct StretchScratch {
    cells: Vec<CellId>,
    exits: Vec<Exit>,
    frontier: Vec<u32>,
    seen: Vec<bool>,
}

/// The ground that passages lie on.
#[derive(Clone, Copy)]
pub(super) struct Survey<'a> {
    pub(super) field: &'a CostField,
    pub(super) rule: StepRule,
    pub(super) narrow: &'a BitPlane,
}

impl Survey<'_> {
    /// Whether three or more branches meet at a narrow cell.
    pub(super) fn is_junction(&self, at: CellPos) -> bool {
        // With four neighbours, each step is a branch of its own. So the shape of the ground is read with diagonal steps.
        let shape = StepRule { neighbours: Neighbours::Eight, ..self.rule };
        let legal = self.field.legal_steps(at, shape);
        // The number of runs of legal directions around the cell.
        (legal & !legal.rotate_left(1)).count_ones() >= 3
    }

    /// Whether a cell belongs to a passage.
    pub(super) fn is_inside(&self, at: CellPos) -> bool {
        self.narrow.get(at) && !self.is_junction(at)
    }

    /// The cells one legal step from an open cell.
    fn steps(&self, at: CellPos) -> impl Iterator<Item = CellPos> {
        let legal = self.field.legal_steps(at, self.rule);
        Dir8::ALL.into_iter().filter(move |dir| legal >> dir.index() & 1 != 0).map(move |dir| at.step(dir))
    }

    fn id(&self, at: CellPos) -> CellId {
        self.field.grid().id(at).expect("legal steps stay on the map")
    }

    /// Measures the passage whose first cell is `first`, and labels its cells.
    pub(super) fn measure(
        &self,
        first: CellPos,
        labels: &mut LabelPlane,
        scratch: &mut StretchScratch,
    ) -> Passage {
        let id = self.id(first);
        let StretchScratch { cells, exits, .. } = scratch;
        cells.clear();
        exits.clear();
        cells.push(id);
        labels.set(first, id.0 + 1);
        let mut bounds = CellRect::at(first, 1, 1);
        let (mut next, mut branches) = (0, false);
        while let Some(&cell) = cells.get(next) {
            next += 1;
            let at = self.field.grid().pos(cell);
            bounds = bounds.union(CellRect::at(at, 1, 1));
            let mut inside = 0;
            for beside in self.steps(at) {
                if !self.is_inside(beside) {
                    exits.push(Exit { outside: self.id(beside), inside: cell, mouth: 0 });
                    continue;
                }
                inside += 1;
                if labels.get(beside) == 0 {
                    labels.set(beside, id.0 + 1);
                    cells.push(self.id(beside));
                }
            }
            branches |= inside > 2;
        }
        let mouths = self.mouths(scratch);
        let count = scratch.cells.len() as u32;
        // Where no cell has more than two neighbours inside, the passage is a line from mouth to mouth, or to its dead end.
        let length = if branches { self.length(scratch) } else { count };
        Passage { id: PassageId(id), cells: count, length, bounds, mouths }
    }

    /// Joins exits to mouths: two exits belong together if they share the cell outside, or if a legal step joins their cells outside.
    fn mouths(&self, scratch: &mut StretchScratch) -> Vec<Mouth> {
        let StretchScratch { exits, frontier, .. } = scratch;
        exits.sort_unstable();
        let mut mouths: Vec<Mouth> = Vec::new();
        for start in 0..exits.len() {
            if exits[start].mouth != 0 {
                continue;
            }
            let number = mouths.len() as u32 + 1;
            let at = |cell: CellId| self.field.grid().pos(cell);
            let (outside, inside) = (at(exits[start].outside), at(exits[start].inside));
            let beyond = if self.narrow.get(outside) { Beyond::Junction } else { Beyond::Open };
            let mut mouth = Mouth { inside, outside, width: 0, beyond };
            frontier.clear();
            frontier.push(exits[start].outside.0);
            while let Some(cell) = frontier.pop() {
                let first = exits.partition_point(|exit| exit.outside.0 < cell);
                let same = exits[first..].partition_point(|exit| exit.outside.0 == cell);
                if same == 0 || exits[first].mouth != 0 {
                    continue;
                }
                exits[first..first + same].iter_mut().for_each(|exit| exit.mouth = number);
                mouth.width += 1;
                // Branches of a junction are different mouths, even where their cells touch.
                if beyond == Beyond::Open {
                    let near = self.steps(at(CellId(cell))).filter(|&near| !self.narrow.get(near));
                    frontier.extend(near.map(|near| self.id(near).0));
                }
            }
            mouths.push(mouth);
        }
        mouths
    }

    /// The number of cells from the first mouth to the farthest cell.
    fn length(&self, scratch: &mut StretchScratch) -> u32 {
        let StretchScratch { cells, exits, frontier, seen } = scratch;
        cells.sort_unstable();
        seen.clear();
        seen.resize(cells.len(), false);
        frontier.clear();
        for exit in exits.iter().filter(|exit| exit.mouth == 1) {
            let place = cells.partition_point(|&cell| cell < exit.inside);
            if !core::mem::replace(&mut seen[place], true) {
                frontier.push(place as u32);
            }
        }
        if frontier.is_empty() {
            return cells.len() as u32;
        }
        let (mut next, mut end, mut length) = (0, frontier.len(), 1);
        while next < frontier.len() {
            if next == end {
                (end, length) = (frontier.len(), length + 1);
            }
            let at = self.field.grid().pos(cells[frontier[next] as usize]);
            next += 1;
            let places = self.steps(at).filter_map(|beside| cells.binary_search(&self.id(beside)).ok());
            for place in places {
                if !core::mem::replace(&mut seen[place], true) {
                    frontier.push(place as u32);
                }
            }
        }
        length
    }
}
