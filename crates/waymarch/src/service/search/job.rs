//! The request as a lane sees it, and its answer.

use alloc::vec::Vec;

use super::super::blockers::Blockers;
use super::super::report::PathReport;
use super::super::request::{Request, Task};
use super::super::status::{PathId, PathReason};
use crate::base::{Agent, CellPos, CellRect, Tick, Vec2, segment_touches};
use crate::planners::{PlannerChoice, PlannerReason};
use crate::query::{
    Asker, BlockedBy, Detail, Goal, GoalQuery, Occupied, PathQuery, Shape, Threat, WhenUnreachable,
};
use crate::search::Route;

/// A search into any of several shapes expands at most 262,144 nodes.
const SEVERAL_SHAPES_NODES: u32 = 1 << 18;

/// A search around cells that count as closed expands at most 65,536 nodes.
const AVOIDING_NODES: u32 = 1 << 16;

/// A detour leads around units on the first 24 cells of a route. Units farther along will have moved before the unit gets there.
pub(super) const BLOCKER_RANGE: usize = 24;

/// Memory for 2048 cells with units around the start.
pub(super) const OCCUPIED_CELLS: usize = 2048;

/// Scratch: a request to be answered, and its answer.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(super) from: Vec2,
    pub(super) goal: Goal,
    pub(super) agent: Agent,
    pub(super) threat: Threat,
    pub(super) asker: Asker,
    pub(super) detail: Detail,
    pub(super) when_unreachable: WhenUnreachable,
    /// Cells that count as closed.
    pub(super) avoid: CellRect,
    pub(crate) task: Task,
    /// Cells with units in the way, in the order of [`Occupied`].
    pub(super) occupied: Vec<CellPos>,
    /// The old route if the task is to rejoin it; after the search, the new route.
    pub(crate) points: Vec<Vec2>,
    pub(crate) end: Vec2,
    pub(crate) answer: Answer,
    pub(super) choice: PlannerChoice,
    pub(super) reason: PlannerReason,
    /// The threat mode of the paused search.
    pub(super) effective_threat: Threat,
    /// The cells that the paused search has read.
    pub(super) explored: CellRect,
    /// Nodes counted for the request, in all ticks.
    pub(super) nodes: u32,
    /// Nodes expanded by the paused search.
    pub(super) expanded: u32,
    /// Nodes counted for the request in this round.
    pub(crate) round_nodes: u32,
    pub(crate) begun: Tick,
}

/// How far a job has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// Its search has not begun.
    NotBegun,
    /// Its search has paused and continues in the next tick.
    Paused,
    /// Its points lead into the goal.
    Found,
    /// Its points lead to the nearest cell that can be reached.
    Nearest(PathReason),
    /// There is no route.
    None(PathReason),
}

impl Default for Job {
    fn default() -> Self {
        Self {
            from: Vec2::default(),
            goal: Goal::point(CellPos::default()),
            agent: Agent::default(),
            threat: Threat::Ignore,
            asker: Asker::NOBODY,
            detail: Detail::Full,
            when_unreachable: WhenUnreachable::Fail,
            avoid: CellRect::default(),
            task: Task::Find,
            occupied: Vec::new(),
            points: Vec::new(),
            end: Vec2::default(),
            answer: Answer::NotBegun,
            choice: PlannerChoice::Astar,
            reason: PlannerReason::OneCost,
            effective_threat: Threat::Ignore,
            explored: CellRect::default(),
            nodes: 0,
            expanded: 0,
            round_nodes: 0,
            begun: Tick::ZERO,
        }
    }
}

impl Job {
    /// Takes over what a request asks for, and the cells with units around its start.
    pub(crate) fn fill(&mut self, id: PathId, request: &Request, blockers: &impl Blockers) {
        let ask = &request.ask;
        self.from = ask.from;
        self.goal.clone_from(&ask.goal);
        (self.agent, self.threat, self.detail) = (ask.agent, ask.threat, ask.detail);
        self.asker = ask.asker;
        (self.when_unreachable, self.avoid, self.task) = (ask.when_unreachable, ask.avoid, request.task);
        self.points.extend_from_slice(&request.points);
        // A request without an answer keeps its end.
        self.end = request.end;
        if ask.blocked_by != BlockedBy::None {
            self.occupied.reserve(OCCUPIED_CELLS);
            let at: CellPos = ask.from.cell();
            blockers.near(id, at, BLOCKER_RANGE as i32, ask.blocked_by, &mut self.occupied);
            // A large agent keeps its whole footprint clear of other units.
            let (north_west, south_east) =
                (ask.agent.size.reach_north_west(), ask.agent.size.reach_south_east());
            if north_west + south_east > 0 {
                for index in 0..self.occupied.len() {
                    let kept_clear = CellRect::at(self.occupied[index], 1, 1).grow(south_east, north_west);
                    self.occupied.extend(kept_clear.cells());
                }
            }
            self.occupied.retain(|&cell| cell != at);
            self.occupied.sort_unstable_by_key(|&cell| Occupied::order(cell));
            self.occupied.dedup();
        }
    }

    /// The query from cell to cell for this job.
    pub(super) fn query(&self, from: CellPos, to: CellPos) -> PathQuery {
        PathQuery::new(from, to, self.agent).with_threat(self.threat)
    }

    /// See [`needs_goal_search`].
    pub(super) fn needs_goal_search(&self) -> Option<&'static str> {
        needs_goal_search(&self.goal, self.avoid, self.task)
    }

    /// The query for a goal search. `point` is the end that was chosen for the job.
    pub(super) fn goal_query<'a>(&'a self, query: &'a PathQuery, point: &'a Goal) -> GoalQuery<'a> {
        if self.avoid.is_empty() {
            return GoalQuery::of(query, &self.goal).or_nearest().node_limit(SEVERAL_SHAPES_NODES);
        }
        // A request that accepts the nearest cell gets a route to the chosen end. Any other request gets the cheapest route into its goal
        // shape.
        let or_near = self.when_unreachable == WhenUnreachable::Nearest;
        let to_point = or_near || matches!(self.goal, Goal::In(Shape::Point(_)));
        let goal = if to_point { point } else { &self.goal };
        GoalQuery::of(query, goal).avoiding(self.avoid).node_limit(AVOIDING_NODES)
    }

    /// Replaces the smoothed points by the turns of `route` if they cross cells that count as closed: the smoother does not know these
    /// cells.
    pub(super) fn avoid_closed_cells(&mut self, route: &Route) {
        if self.points.windows(2).any(|pair| segment_touches(self.avoid, pair[0], pair[1])) {
            self.points.clear();
            self.points.extend(route.waypoints.iter().map(|at| at.centre()));
        }
    }

    /// Moves the first point from the centre of its cell to where the unit is in that cell.
    pub(super) fn start_at_unit(&mut self) {
        if let Some(first) = self.points.first_mut().filter(|first| first.cell() == self.from.cell()) {
            *first = self.from;
        }
    }

    /// How the job was answered in tick `now`, for a request of tick `asked`.
    pub(crate) fn report(&self, asked: Tick, now: Tick) -> PathReport {
        let Self { choice: planner, reason, nodes, begun, .. } = *self;
        PathReport { planner, reason, nodes, asked, begun, answered: now }
    }
}

/// Why planners from cell to cell cannot answer, so that a goal search must; `None` if they can. A goal search can pause at any node.
pub(crate) fn needs_goal_search(goal: &Goal, avoid: CellRect, task: Task) -> Option<&'static str> {
    let several = !matches!(goal, Goal::In(_)) && task == Task::Find;
    let closed = (!avoid.is_empty()).then_some("some cells count as closed");
    closed.or(several.then_some("the goal has several shapes, or is an area to leave"))
}
