//! A request that a lane works on: what is to be found, and what was.

use alloc::vec::Vec;

use super::detour::crosses;
use super::request::Task;
use super::status::PathReason;
use crate::base::{Agent, CellPos, CellRect, Tick, WorldPos};
use crate::planners::{PlannerChoice, PlannerReason};
use crate::query::{Detail, Goal, GoalQuery, PathQuery, Shape, Threat, WhenUnreachable};
use crate::search::Route;

/// Nodes that a search into any of several shapes may expand.
const MANY_SHAPES_NODES: u32 = 1 << 18;
/// Nodes that a way is worth that enters some cells under no circumstances.
const AVOIDING_NODES: u32 = 1 << 16;

/// A request to be answered, and the answer.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) from: WorldPos,
    pub(super) goal: Goal,
    pub(super) agent: Agent,
    pub(super) threat: Threat,
    pub(super) detail: Detail,
    pub(super) when_unreachable: WhenUnreachable,
    /// Cells that count as closed.
    pub(super) avoid: CellRect,
    pub(super) task: Task,
    /// Cells with units in the way, in reading order.
    pub(super) occupied: Vec<CellPos>,
    /// The route that is to be joined again; then the answer.
    pub(super) points: Vec<WorldPos>,
    pub(super) end: WorldPos,
    pub(super) answer: Answer,
    pub(super) choice: PlannerChoice,
    pub(super) reason: PlannerReason,
    /// Whether the search that has paused pays for threat, and where all lies that it has looked at.
    pub(super) heeds: Threat,
    pub(super) looked: CellRect,
    /// Nodes counted for it, in all ticks.
    pub(super) nodes: u32,
    /// Those of a search that has paused.
    pub(super) expanded: u32,
    /// Nodes counted for it in this round.
    pub(super) round: u32,
    pub(super) begun: Tick,
}

/// How far a job has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// Not begun.
    Waits,
    /// Begun; to be gone on with.
    Paused,
    /// The points lead into the goal.
    Found,
    /// They lead as near as can be.
    Nearest(PathReason),
    /// There is no way.
    None(PathReason),
}

impl Default for Job {
    fn default() -> Self {
        Self {
            from: WorldPos::default(),
            goal: Goal::point(CellPos::default()),
            agent: Agent::default(),
            threat: Threat::Ignore,
            detail: Detail::Full,
            when_unreachable: WhenUnreachable::Fail,
            avoid: CellRect::default(),
            task: Task::Find,
            occupied: Vec::new(),
            points: Vec::new(),
            end: WorldPos::default(),
            answer: Answer::Waits,
            choice: PlannerChoice::Astar,
            reason: PlannerReason::OneCost,
            heeds: Threat::Ignore,
            looked: CellRect::default(),
            nodes: 0,
            expanded: 0,
            round: 0,
            begun: Tick::ZERO,
        }
    }
}

impl Job {
    /// What it wants that planners from cell to cell cannot do.
    pub(super) fn wants(&self) -> Option<&'static str> {
        wants(&self.goal, self.avoid, self.task)
    }

    /// The question for that; `point` is the end that was chosen for it.
    pub(super) fn goal_query<'a>(&'a self, query: &'a PathQuery, point: &'a Goal) -> GoalQuery<'a> {
        if self.avoid.is_empty() {
            return GoalQuery::of(query, &self.goal).or_nearest().node_limit(MANY_SHAPES_NODES);
        }
        // Into a shape where it is cheapest; as near as can be, to where that is.
        let or_near = self.when_unreachable == WhenUnreachable::Nearest;
        let to_point = or_near || matches!(self.goal, Goal::In(Shape::Point(_)));
        let goal = if to_point { point } else { &self.goal };
        GoalQuery::of(query, goal).avoiding(self.avoid).node_limit(AVOIDING_NODES)
    }

    /// Smoothing knows of no cells that count as closed: where it has led through some, the route's own turns are taken.
    pub(super) fn keep_clear(&mut self, route: &Route) {
        if self.points.windows(2).any(|pair| crosses(self.avoid, pair[0], pair[1])) {
            self.points.clear();
            self.points.extend(route.waypoints.iter().map(|at| at.centre()));
        }
    }
}

/// What a task wants that planners from cell to cell cannot do. Searches for it can pause at any time.
pub(super) fn wants(goal: &Goal, avoid: CellRect, task: Task) -> Option<&'static str> {
    let several = !matches!(goal, Goal::In(_)) && task == Task::Find;
    let closed = (!avoid.is_empty()).then_some("some cells count as closed");
    closed.or(several.then_some("the goal is several shapes, or to be left"))
}
