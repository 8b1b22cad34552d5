//! Two units that must exchange their order in a corridor: one of them goes back to a junction, and the other follows it.

use super::step_planner::{Choices, NOBODY, StepPlanner};
use super::window::LocalCell;
use crate::base::SizeClass;

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
        let mut ends = false;
        // The corridor has at most as many cells as the window.
        for _ in 0..self.window.cells() {
            if self.distance_for(pusher, ahead) >= self.distance_for(pusher, behind) {
                break;
            }
            match self.go_on(graph, behind, ahead) {
                GoOn::Branches => return false,
                GoOn::Ends => {
                    ends = true;
                    break;
                }
                GoOn::To(next) => (behind, ahead) = (ahead, next),
            }
        }
        let wants = |place: usize, cell: LocalCell, other: LocalCell| {
            self.distance_for(place, cell) < self.distance_for(place, other)
        };
        // A unit without a target can be pushed past the pusher's target, unless the corridor ends there.
        let pulled_wants = match self.movers[pulled].target {
            Some(_) => wants(pulled, behind, ahead),
            None => ends,
        };
        pulled_wants && (self.distance_for(pusher, behind) == 0 || wants(pusher, ahead, behind))
    }

    /// Whether a corridor that leads from `behind` over `ahead` has a branch where two units can pass.
    fn can_swap(&self, behind: LocalCell, ahead: LocalCell, graph: u16) -> bool {
        let (first, mut behind, mut ahead) = (behind, behind, ahead);
        for _ in 0..self.window.cells() {
            if ahead == first {
                return false;
            }
            match self.go_on(graph, behind, ahead) {
                GoOn::Branches => return true,
                GoOn::Ends => return false,
                GoOn::To(next) => (behind, ahead) = (ahead, next),
            }
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
