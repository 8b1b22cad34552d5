//! Two units that must exchange their order in a corridor: one of them goes back to a junction, and the other follows it.

use super::step_planner::{Choices, NOBODY, StepPlanner};
use super::window::LocalCell;
use crate::base::SizeClass;

/// A branch of a junction is searched for a free cell up to 48 cells.
const LARGE_BRANCH: usize = 48;

impl StepPlanner {
    /// The unit that must pass this one: it stands before this unit or behind it in a corridor, it wants to go where this unit comes from, and there is
    /// a junction where they can pass. This unit then goes away from its target, and the other follows.
    pub(super) fn swap_partner(&self, place: usize, choices: &Choices) -> Option<usize> {
        let mover = &self.movers[place];
        if mover.size != SizeClass::ONE || mover.target.is_none() {
            return None;
        }
        let (at, best) = (mover.at, *choices.as_slice().first()?);
        let unit_at = |cell: LocalCell| {
            let other = usize::from(self.now[cell.index()]);
            let free = self.movers.get(other).filter(|other| other.size == SizeClass::ONE && !other.fixed);
            free.filter(|_| other != place).map(|_| other)
        };
        let undecided = |other: &usize| self.next[*other].is_none();
        // The unit ahead has to come past this one.
        if let Some(ahead) = unit_at(best).filter(undecided) {
            if self.must_swap((place, at), (ahead, best)) && self.can_swap(best, at, mover.graph) {
                return Some(ahead);
            }
        }
        // A unit behind would push this unit into ground from which neither gets out: it must come past.
        let mut behind = self.beside(mover.graph, at).filter(|&cell| cell != best).filter_map(unit_at);
        behind.find(|&other| {
            best != at
                && undecided(&other)
                && self.must_swap((other, at), (place, best))
                && self.can_swap(best, at, mover.graph)
        })
    }

    /// Whether a unit that pushes another one along a corridor reaches its target only if the two exchange their order.
    fn must_swap(&self, pusher: (usize, LocalCell), pulled: (usize, LocalCell)) -> bool {
        let ((pusher, mut behind), (pulled, mut ahead)) = (pusher, pulled);
        let graph = self.movers[pusher].graph;
        if self.movers[pulled].target.is_none() {
            return self.has_no_room_behind((pusher, behind), ahead);
        }
        // The corridor has at most as many cells as the window.
        for _ in 0..self.window.cells() {
            if self.distance_for(pusher, ahead) >= self.distance_for(pusher, behind) {
                break;
            }
            match self.go_on(graph, behind, ahead) {
                GoOn::Branches => return false,
                GoOn::Ends => break,
                GoOn::To(next) => (behind, ahead) = (ahead, next),
            }
        }
        let wants = |place: usize, cell: LocalCell, other: LocalCell| {
            self.distance_for(place, cell) < self.distance_for(place, other)
        };
        wants(pulled, behind, ahead)
            && (self.distance_for(pusher, behind) == 0 || wants(pusher, ahead, behind))
    }

    /// Whether the target of a unit lies in a dead end in which the units ahead have no room behind the target.
    fn has_no_room_behind(&self, pusher: (usize, LocalCell), mut ahead: LocalCell) -> bool {
        let (pusher, mut behind) = pusher;
        let graph = self.movers[pusher].graph;
        let (mut units, mut room, mut passed) = (0_u32, 0_u32, false);
        for _ in 0..self.window.cells() {
            units += u32::from(self.now[ahead.index()] != NOBODY);
            room += u32::from(passed);
            if self.distance_for(pusher, ahead) == 0 {
                passed = true;
            } else if !passed && self.distance_for(pusher, ahead) >= self.distance_for(pusher, behind) {
                return false;
            }
            let mut on = self.beside(graph, ahead).filter(|&cell| cell != behind);
            match (on.next(), on.next()) {
                (_, Some(_)) => return false,
                (Some(next), None) => (behind, ahead) = (ahead, next),
                (None, None) => return units > room,
            }
        }
        false
    }

    /// Whether a corridor that leads from `behind` over `ahead` has a junction where two units can pass: at least two of its branches have room.
    fn can_swap(&self, behind: LocalCell, ahead: LocalCell, graph: u16) -> bool {
        let (first, mut behind, mut ahead) = (behind, behind, ahead);
        for _ in 0..self.window.cells() {
            if ahead == first {
                return false;
            }
            let mut on = self.beside(graph, ahead).filter(|&cell| cell != behind);
            let next = match (on.next(), on.next()) {
                (None, _) => return false,
                (Some(next), None) => next,
                (Some(_), Some(_)) => {
                    let branches = self.beside(graph, ahead).filter(|&cell| cell != behind);
                    let mut open = branches.filter(|&cell| self.has_room_in(graph, ahead, cell));
                    match (open.next(), open.next()) {
                        (None, _) => return false,
                        (Some(next), None) => next,
                        (Some(_), Some(_)) => return true,
                    }
                }
            };
            (behind, ahead) = (ahead, next);
        }
        false
    }

    /// Whether a branch of a junction has a free cell. A branch of more than [`LARGE_BRANCH`] cells counts as having one.
    fn has_room_in(&self, graph: u16, junction: LocalCell, first: LocalCell) -> bool {
        let mut seen = [junction; LARGE_BRANCH];
        seen[1] = first;
        let (mut count, mut next) = (2, 1);
        while next < count {
            let cell = seen[next];
            if self.now[cell.index()] == NOBODY {
                return true;
            }
            for beside in self.beside(graph, cell) {
                if seen[..count].contains(&beside) {
                    continue;
                }
                if count == LARGE_BRANCH {
                    return true;
                }
                seen[count] = beside;
                count += 1;
            }
            next += 1;
        }
        false
    }

    /// How a corridor goes on at `ahead`, for a unit that comes from `behind`. A dead end with a unit at its target does not count as a branch.
    fn go_on(&self, graph: u16, behind: LocalCell, ahead: LocalCell) -> GoOn {
        let is_settled = |cell: LocalCell| {
            let other = self.now[cell.index()];
            other != NOBODY
                && self.graphs[usize::from(graph)].degree(cell) == 1
                && self.movers[usize::from(other)].target.is_some()
                && self.distance_for(usize::from(other), cell) == 0
        };
        let mut on = self.beside(graph, ahead).filter(|&cell| cell != behind && !is_settled(cell));
        match (on.next(), on.next()) {
            (_, Some(_)) => GoOn::Branches,
            (Some(next), None) => GoOn::To(next),
            (None, None) => GoOn::Ends,
        }
    }
}

/// How a corridor goes on.
enum GoOn {
    To(LocalCell),
    Branches,
    Ends,
}
