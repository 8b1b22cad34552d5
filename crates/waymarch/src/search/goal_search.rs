//! A* into goals of any shape: from many starts, within limits, with turn costs, ignoring stamps.

use super::astar::{Expansion, begin, expand_nodes, trace_back};
use super::goal_distance::goal_distance;
use super::paused_goal::Progress;
use super::probe::NoProbe;
use super::route::Route;
use super::scratch::SearchScratch;
use super::task::{Ending, FREE_TURN, Task, Verdict};
use crate::base::{CellPos, CellRect, Dir8};
use crate::cost::{CostField, CostLayer, IMPASSABLE, Neighbours, PadId, StepRule, ThreatView, with_threat};
use crate::query::{Cost, Goal, GoalQuery, Outcome, PlanError, Shape, Side, WhenUnreachable};

/// Before the search, up to 4096 cells of a goal are checked for an open cell. For a larger goal, only the search shows whether it has an
/// open cell.
const LOOKED_AT: usize = 4096;

/// The greatest distance that the heuristic returns: 2^24 − 1. No shortest route on an empty map is longer. Multiplied by any cell cost, it
/// fits in 32 bits.
const LONGEST: u64 = (1 << 24) - 1;

/// Answers `query` under `rule`: writes the route to `out` and returns how far it goes.
///
/// Exact: a route that reaches the goal is the cheapest from any start to any goal cell where the unit may stop. A route that ends
/// elsewhere is the cheapest to its end; [`Outcome`] says which end that is. Ties are broken as in [`astar`](super::astar).
///
/// Costs as much as A\*, plus a distance to each shape of the goal per cell. With turn costs it takes up to eight times as much. Allocates
/// nothing once `scratch` and `out` have grown. Pauses after as many nodes as [`SearchScratch::pause_after`] says.
///
/// ```
/// use waymarch::base::{cell, Fixed, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::{Goal, GoalQuery, Outcome};
/// use waymarch::search::{goal_search, Route, SearchScratch};
///
/// let map = Map::flat("field", GridSize::new(32, 32)?, Rules::standard()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
/// let (squad, goal) = ([cell(0, 0), cell(4, 20)], Goal::circle(cell(30, 20), Fixed::from_cells(6)));
/// let query = GoalQuery::new(&squad, &goal, LocomotorId(0));
/// let outcome = goal_search(&layer, &query, StepRule::default(), &mut scratch, &mut route)?;
/// assert_eq!(outcome, Outcome::Reached);
/// assert_eq!(route.waypoints, [cell(4, 20), cell(24, 20)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError`] saying why there is no route. `out` is then empty, except for its count of expanded nodes.
pub fn goal_search(
    layer: &CostLayer,
    query: &GoalQuery<'_>,
    rule: StepRule,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<Outcome, PlanError> {
    out.clear();
    let ground = GroundFor::new(layer, query)?;
    check_ends(&ground, query)?;
    if query.turning.per_eighth == 0 {
        ToGoal::<1>::new(ground, query, rule).answer(rule, scratch, out)
    } else {
        ToGoal::<8>::new(ground, query, rule).answer(rule, scratch, out)
    }
}

/// What cells cost the query's agent, without the stamps that the query ignores.
#[derive(Clone, Copy)]
struct GroundFor<'a> {
    layer: &'a CostLayer,
    query: &'a GoalQuery<'a>,
    field: &'a CostField,
    costs: &'a [u8],
    threat: ThreatView<'a>,
    /// Holds every cell that the ignored stamps can affect; empty without such stamps.
    changed: CellRect,
    cheapest: u8,
}

impl<'a> GroundFor<'a> {
    fn new(layer: &'a CostLayer, query: &'a GoalQuery<'a>) -> Result<Self, PlanError> {
        let agent = query.agent;
        let field = layer.field(agent).ok_or(PlanError::UnknownAgent(agent))?;
        let threat = layer.threat().view(query.threat);
        let (mut changed, mut cheapest) = (CellRect::default(), field.cheapest());
        for &stamp in query.ignore.stamps {
            let area = layer.affected_area(stamp, agent.size).ok_or(PlanError::NoSuchStamp(stamp))?;
            changed = changed.union(area);
            let costs = area.cells().map(|at| layer.cost_without(at, agent, query.ignore.stamps));
            cheapest = costs.fold(cheapest, u8::min);
        }
        Ok(Self { layer, query, field, costs: field.padded(), threat, changed, cheapest })
    }

    /// The cost of a cell before threat.
    #[inline]
    fn base(&self, place: usize, at: CellPos) -> u8 {
        let closed = self.query.occupied.contains(at) || self.query.closed.contains(at);
        if closed && !self.query.from.contains(&at) {
            return IMPASSABLE;
        }
        if self.changed.contains(at) {
            return self.layer.cost_without(at, self.query.agent, self.query.ignore.stamps);
        }
        self.costs[place]
    }

    #[inline]
    fn cost(&self, place: usize, at: CellPos) -> u8 {
        let base = self.base(place, at);
        if self.threat.is_empty() { base } else { with_threat(base, self.threat.at(place)) }
    }

    /// Whether a cell on the map can be entered.
    fn is_passable(&self, at: CellPos) -> bool {
        self.base(self.field.padding().pad(at).index(), at) != IMPASSABLE
    }

    fn can_stop(&self, at: CellPos) -> bool {
        self.layer.can_stop_without(at, self.query.agent, self.query.ignore.stamps)
    }
}

/// Refuses queries that certainly have no route: closed starts, goals without an open cell.
fn check_ends(ground: &GroundFor<'_>, query: &GoalQuery<'_>) -> Result<(), PlanError> {
    let size = ground.field.grid();
    if query.from.is_empty() {
        return Err(PlanError::NoStart);
    }
    for &at in query.from {
        if !size.contains(at) {
            return Err(PlanError::OffMap { at, size });
        }
        if !ground.is_passable(at) {
            return Err(PlanError::StartBlocked { at });
        }
    }
    query.goal.validate(size)?;
    if query.limits.when_unreachable == WhenUnreachable::Nearest || query.goal.side() == Side::Out {
        return Ok(());
    }
    if let Goal::In(Shape::Point(at)) = *query.goal {
        if !ground.is_passable(at) {
            return Err(PlanError::GoalBlocked { at });
        }
        return if ground.can_stop(at) { Ok(()) } else { Err(PlanError::GoalNoStop { at }) };
    }
    let mut looked_at = 0;
    for shape in query.goal.shapes() {
        for at in shape.bounds().intersect(size.rect()).cells() {
            looked_at += 1;
            let enough = looked_at > LOOKED_AT;
            if enough || (shape.contains(at) && ground.is_passable(at) && ground.can_stop(at)) {
                return Ok(());
            }
        }
    }
    Err(PlanError::GoalClosed)
}

/// The search into a goal: one node per cell, or eight where turns cost.
struct ToGoal<'a, const STATES: u32> {
    ground: GroundFor<'a>,
    query: &'a GoalQuery<'a>,
    neighbours: Neighbours,
    /// The best node to end at. It is kept only if the search may end outside the goal.
    progress: Progress,
    may_end_elsewhere: bool,
}

impl<'a, const STATES: u32> ToGoal<'a, STATES> {
    fn new(ground: GroundFor<'a>, query: &'a GoalQuery<'a>, rule: StepRule) -> Self {
        let limits = query.limits;
        Self {
            ground,
            query,
            neighbours: rule.neighbours,
            progress: Progress {
                // There are fewer nodes than this on any map.
                nodes_left: limits.nodes.map_or(u32::MAX, core::num::NonZeroU32::get),
                best: None,
            },
            may_end_elsewhere: limits.nodes.is_some() || limits.when_unreachable == WhenUnreachable::Nearest,
        }
    }

    fn answer(
        mut self,
        rule: StepRule,
        scratch: &mut SearchScratch,
        out: &mut Route,
    ) -> Result<Outcome, PlanError> {
        let (field, query) = (self.ground.field, self.query);
        match scratch.resume_goal(query, field.grid()) {
            Some((expanded, progress)) => (out.expanded, self.progress) = (expanded, progress),
            None => {
                scratch.try_grow(field.padding().len(), STATES)?;
                begin(field, query.from, &mut self, scratch);
            }
        }
        let most = scratch.most_nodes(out.expanded);
        let ending = expand_nodes(Expansion { field, rule, most }, &mut self, scratch, out, &mut NoProbe);
        let (end, outcome) = match (ending, self.progress.best) {
            (Ending::Arrived(id), _) => (id, Outcome::Reached),
            (Ending::Paused, _) => {
                scratch.pause_goal(query, field.grid(), out.expanded, self.progress);
                return Err(PlanError::Paused { nodes: out.expanded });
            }
            (Ending::GaveUp, Some((_, cost, id))) => {
                out.cost = Cost(cost);
                (id, Outcome::Partial)
            }
            (Ending::GaveUp, None) => return Err(PlanError::NodeLimit { nodes: out.expanded }),
            (Ending::Exhausted, Some((_, cost, id)))
                if query.limits.when_unreachable == WhenUnreachable::Nearest =>
            {
                out.cost = Cost(cost);
                (id, Outcome::Nearest)
            }
            (Ending::Exhausted, _) => return Err(unreachable(query)),
        };
        trace_back(field.padding(), end, STATES, scratch, out);
        Ok(outcome)
    }
}

/// The error for a goal that cannot be reached.
fn unreachable(query: &GoalQuery<'_>) -> PlanError {
    match (query.from, query.goal) {
        (&[from], &Goal::In(Shape::Point(to))) => PlanError::Unreachable { from, to },
        _ => query.from.first().map_or(PlanError::NoStart, |&from| PlanError::GoalUnreachable { from }),
    }
}

impl<const STATES: u32> Task for ToGoal<'_, STATES> {
    /// 1 node per cell, or 8 with turn costs.
    const STATES: u32 = STATES;

    #[inline]
    fn is_open(&self, place: usize, at: CellPos) -> bool {
        self.ground.base(place, at) != IMPASSABLE
    }

    #[inline]
    fn cost(&self, place: usize, at: CellPos) -> u8 {
        self.ground.cost(place, at)
    }

    #[inline]
    fn estimate(&mut self, at: CellPos) -> u32 {
        let ahead = goal_distance(self.query.goal, at, self.neighbours).min(LONGEST);
        (ahead * u64::from(self.ground.cheapest)) as u32
    }

    fn visit(&mut self, id: u32, cost: u64) -> Verdict {
        let at = self.ground.field.padding().pos(PadId(id / STATES));
        let goal = self.query.goal;
        if goal.contains(at) && self.ground.can_stop(at) {
            return Verdict::Arrive;
        }
        if self.progress.nodes_left == 0 {
            return Verdict::GiveUp;
        }
        self.progress.nodes_left -= 1;
        if self.may_end_elsewhere {
            let end = (goal.gap(at), cost, id);
            if self.progress.best.is_none_or(|best| end < best) && self.ground.can_stop(at) {
                self.progress.best = Some(end);
            }
        }
        Verdict::Expand
    }

    #[inline]
    fn start_state(&self) -> (u32, u32) {
        match self.query.turning.heading {
            Some(heading) if STATES > 1 => (u32::from(heading.index()), 0),
            _ => (0, FREE_TURN),
        }
    }

    #[inline]
    fn turn(&self, state: u32, flags: u32, dir: Dir8) -> u64 {
        if STATES == 1 || flags & FREE_TURN != 0 {
            return 0;
        }
        let eighths = u32::from(dir.index()).abs_diff(state);
        u64::from(eighths.min(8 - eighths)) * u64::from(self.query.turning.per_eighth)
    }
}
