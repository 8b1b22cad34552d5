//! The targets of the units in a zone, with distances for a limited number of cells.

use alloc::vec::Vec;

use crate::base::{CellPos, Scratch, poison_list};
use crate::mapf::{Around, LocalCell, StepPlanner, Target};

/// Units of a large crowd with targets in one square of 8×8 cells share distances.
const BLOCK: i32 = 8;

/// Whether each unit gets exact distances to its own target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Sharing {
    /// Each unit has distances to its own target.
    #[default]
    None,
    /// Far from its target, a unit uses distances to a target near its own.
    Blocks,
}

/// What a unit heads for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wanted {
    pub(super) graph: u16,
    pub(super) goal: LocalCell,
    /// The position of the goal.
    pub(super) pos: CellPos,
    pub(super) around: Around,
}

impl Wanted {
    fn block(&self) -> (u16, i32, i32, Around) {
        (self.graph, self.pos.x.div_euclid(BLOCK), self.pos.y.div_euclid(BLOCK), self.around)
    }
}

/// Scratch: the targets whose distances the planner has.
#[derive(Clone, Debug, Default)]
pub(super) struct Targets {
    known: Vec<(Wanted, Target)>,
    sharing: Sharing,
    /// The number of cells for which distances may still be computed.
    left: usize,
    /// Whether a unit got no target, because there are too many.
    pub(super) any_left_out: bool,
}

impl Targets {
    /// Begins a plan: distances are computed for at most `most` cells. With distances for `own` cells each unit would have its own.
    pub(super) fn begin(&mut self, most: usize, own: usize) {
        self.known.clear();
        self.sharing = if own <= most { Sharing::None } else { Sharing::Blocks };
        self.left = most;
        self.any_left_out = false;
    }

    /// The target of a unit at a cell. `None` if no route leads there inside the window, or if there are too many targets.
    pub(super) fn find(
        &mut self,
        planner: &mut StepPlanner,
        at: LocalCell,
        wanted: Wanted,
    ) -> Option<Target> {
        if self.sharing == Sharing::None {
            let own = self.own(planner, wanted)?;
            return planner.distance(own, at).map(|_| own);
        }
        let shared = if planner.is_near(at, wanted.goal) {
            Some(planner.add_near_target(wanted.graph, wanted.goal, wanted.around))
        } else {
            let block = wanted.block();
            let in_block = |(known, _): &&(Wanted, Target)| known.block() == block;
            let known = self.known.iter().find(in_block).map(|&(_, target)| target);
            known.or_else(|| self.own(planner, wanted))
        };
        let target = shared.filter(|&target| planner.distance(target, at).is_some());
        // A wall may lie between the unit and its target, or between two targets.
        let target = target.or_else(|| self.own(planner, wanted))?;
        planner.distance(target, at).map(|_| target)
    }

    /// Distances to the target of one unit in the whole window.
    fn own(&mut self, planner: &mut StepPlanner, wanted: Wanted) -> Option<Target> {
        if let Some(&(_, target)) = self.known.iter().find(|(known, _)| *known == wanted) {
            return Some(target);
        }
        let Some(left) = self.left.checked_sub(planner.cells()) else {
            self.any_left_out = true;
            return None;
        };
        self.left = left;
        let target = planner.add_target(wanted.graph, wanted.goal, wanted.around);
        self.known.push((wanted, target));
        Some(target)
    }
}

impl Scratch for Targets {
    type Demand = ();

    fn poison(&mut self) {
        let wanted = Wanted { graph: 7, goal: LocalCell(7), pos: CellPos::new(7, 7), around: Around::Nobody };
        poison_list(&mut self.known, (wanted, Target::Near(7)));
        (self.sharing, self.left, self.any_left_out) = (Sharing::Blocks, 7, true);
    }

    fn reserve(&mut self, (): ()) {}
}
