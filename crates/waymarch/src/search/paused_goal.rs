//! A goal search that has paused: its query, and how far it has come.

use alloc::vec::Vec;

use crate::base::{Agent, CellPos, CellRect, Scratch, StampId, reserve_total};
use crate::query::{Goal, GoalQuery, Ignore, Limits, Occupied, Threat, Turning};

/// How far a goal search has come, beside its nodes and its open list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Progress {
    /// Nodes that may still be expanded.
    pub(super) nodes_left: u32,
    /// The best node to end at so far: its gap, its cost, its number.
    pub(super) best: Option<(u64, u64, u32)>,
}

/// Scratch: the query of the goal search that has paused last. It is a copy, because the caller may build an equal
/// query to go on.
#[derive(Clone, Debug, Default)]
pub(super) struct PausedGoal {
    from: Vec<CellPos>,
    stamps: Vec<StampId>,
    occupied: Vec<CellPos>,
    goal: Option<Goal>,
    rest: Option<Rest>,
}

#[derive(Clone, Copy, Debug)]
struct Rest {
    agent: Agent,
    threat: Threat,
    limits: Limits,
    turning: Turning,
    closed: CellRect,
    progress: Progress,
}

impl Scratch for PausedGoal {
    /// Always the same amount of memory: for searches from one cell that no units block.
    type Demand = ();

    fn poison(&mut self) {
        let rubbish = CellPos::new(-7, 7);
        self.from.push(rubbish);
        self.occupied.push(rubbish);
        self.stamps.push(StampId::DEAD);
        self.rest = None;
    }

    fn reserve(&mut self, (): ()) {
        reserve_total(&mut self.from, 1);
    }
}

impl PausedGoal {
    /// Keeps the query and how far its search has come.
    pub(super) fn keep(&mut self, query: &GoalQuery<'_>, progress: Progress) {
        let GoalQuery { from, goal, agent, threat, limits, turning, ignore, occupied, closed } = *query;
        let refill = |list: &mut Vec<CellPos>, cells: &[CellPos]| {
            list.clear();
            list.extend_from_slice(cells);
        };
        refill(&mut self.from, from);
        refill(&mut self.occupied, occupied.0);
        self.stamps.clear();
        self.stamps.extend_from_slice(ignore.stamps);
        match &mut self.goal {
            Some(own) => own.clone_from(goal),
            own => *own = Some(goal.clone()),
        }
        self.rest = Some(Rest { agent, threat, limits, turning, closed, progress });
    }

    /// How far the search had come, if `query` is its query.
    pub(super) fn progress_of(&self, query: &GoalQuery<'_>) -> Option<Progress> {
        let Rest { agent, threat, limits, turning, closed, progress } = self.rest?;
        let asked = GoalQuery {
            from: &self.from,
            goal: self.goal.as_ref()?,
            agent,
            threat,
            limits,
            turning,
            ignore: Ignore { stamps: &self.stamps },
            occupied: Occupied(&self.occupied),
            closed,
        };
        (asked == *query).then_some(progress)
    }
}
