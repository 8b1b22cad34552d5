//! A goal search that has paused: what it was asked, and how far it has come.

use alloc::vec::Vec;

use super::scratch::{NO_PARENT, Paused, PausedIn, SearchScratch};
use crate::base::{Agent, CellPos, CellRect, GridSize, StampId, make_room};
use crate::query::{Goal, GoalQuery, Ignore, Limits, Occupied, PathQuery, Threat, Turning};

/// How far a goal search has come, beside its nodes and its open list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Progress {
    /// Nodes that may still be expanded.
    pub(super) nodes_left: u32,
    /// The best node to end at so far: its gap, its cost, itself.
    pub(super) best: Option<(u64, u64, u32)>,
}

/// Scratch: the question of the goal search that has paused last. A copy: whoever asks again may have built the same question anew.
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

impl PausedGoal {
    /// Makes memory ahead of need: for searches from a cell, which heed no units.
    pub(super) fn make_room(&mut self) {
        make_room(&mut self.from, 1);
    }

    /// Fills it with rubbish, as another search could have left it.
    pub(super) fn poison(&mut self) {
        self.from.push(CellPos::new(-7, 7));
        self.rest = None;
    }

    fn keep(&mut self, query: &GoalQuery<'_>, progress: Progress) {
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

    /// How far the search had come, if it was asked this.
    fn progress_of(&self, query: &GoalQuery<'_>) -> Option<Progress> {
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

impl SearchScratch {
    /// The goal search that paused, if it is this one: how many nodes it has expanded, and how far it has come.
    pub(super) fn resume_goal(&mut self, query: &GoalQuery<'_>, grid: GridSize) -> Option<(u32, Progress)> {
        let paused = self.resume(PausedIn::Goal, &stand_in(query), grid)?;
        self.goal.progress_of(query).map(|progress| (paused.expanded, progress))
    }

    /// Keeps what a goal search needs to go on.
    pub(super) fn pause_goal(
        &mut self,
        query: &GoalQuery<'_>,
        grid: GridSize,
        expanded: u32,
        progress: Progress,
    ) {
        self.goal.keep(query, progress);
        let (kind, query) = (PausedIn::Goal, stand_in(query));
        self.pause(Paused { kind, query, grid, best: u64::MAX, before_goal: NO_PARENT, expanded });
    }
}

/// What is kept of the question where those from cell to cell are; the whole of it is in [`PausedGoal`].
fn stand_in(query: &GoalQuery<'_>) -> PathQuery {
    let from = query.from.first().copied().unwrap_or_default();
    PathQuery::new(from, from, query.agent).with_threat(query.threat)
}
