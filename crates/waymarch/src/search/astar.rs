//! A* over cell costs: the plain exact search that all faster searches are compared with.

use super::bounds::{Nothing, ToGoal, field_suits};
use super::linked::THROUGH_LINK;
use super::octile::octile;
use super::probe::{NoProbe, Probe, Reach, Visit};
use super::route::Route;
use super::run::SearchRun;
use super::scratch::{NO_PARENT, Node, NodeFields, Paused, PausedIn, SearchScratch};
use super::task::{CLOSED, Ending, Task, Verdict};
use crate::base::{CellPos, Dir8, OpenEntry, OpenList};
use crate::cost::{
    CostField, CostLayer, IMPASSABLE, Neighbours, PadId, Padding, StepRule, ThreatView, step_length,
    with_threat,
};
use crate::levels::LinkState;
use crate::query::{Cost, PathQuery, PlanError};
use crate::sectors::RimField;

/// Finds the cheapest route under `rule` and writes it to `out`.
///
/// Exact: no route costs less. Ties are broken by a total order (cost so far plus heuristic, then heuristic, then cell), so every machine
/// finds the same route. Takes O(n log n) time for n visited cells. Allocates nothing once `scratch` and `out` have grown to the map.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::PathQuery;
/// use waymarch::search::{astar, Route, SearchScratch};
///
/// let map = Map::flat("field", GridSize::new(8, 8)?, Rules::standard()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
/// let query = PathQuery::new(cell(0, 0), cell(7, 5), LocomotorId(0));
/// astar(&layer, &query, StepRule::default(), &mut scratch, &mut route)?;
/// assert_eq!(route.cost.0, 5 * 1448 + 2 * 1024);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError`] saying why there is no route. `out` is then empty, except for its count of expanded nodes.
pub fn astar(
    layer: &CostLayer,
    query: &PathQuery,
    rule: StepRule,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    astar_with(layer, query, rule, SearchRun { scratch, out, probe: &mut NoProbe })
}

/// [`astar`] with a probe that sees every step.
///
/// # Errors
/// As [`astar`].
pub fn astar_with(
    layer: &CostLayer,
    query: &PathQuery,
    rule: StepRule,
    run: SearchRun<'_, impl Probe>,
) -> Result<(), PlanError> {
    search(layer, query, rule, Nothing, run)
}

/// As [`astar`], with a tighter heuristic: the lower bound over the rims of sectors.
///
/// The route costs as much as that of [`astar`], but it may be another one of the same cost.
///
/// # Errors
/// As [`astar`]. [`PlanError::Unsuited`] if the field is for another goal, locomotor, size or step rule, or if it counts threat and the
/// query does not.
pub fn astar_towards(
    query: &PathQuery,
    rule: StepRule,
    left: &mut RimField<'_>,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    out.clear();
    open_ends(left.layer(), query)?;
    field_suits(left, query, rule)?;
    search(left.layer(), query, rule, left, SearchRun { scratch, out, probe: &mut NoProbe })
}

fn search(
    layer: &CostLayer,
    query: &PathQuery,
    rule: StepRule,
    bound: impl ToGoal,
    mut run: SearchRun<'_, impl Probe>,
) -> Result<(), PlanError> {
    run.out.clear();
    let field = open_ends(layer, query)?;
    let threat = layer.threat().view(query.threat);
    let ending = if threat.is_empty() {
        let mut task = ToPoint::<PLAIN, _>::new(field, threat, query, rule, bound);
        to_point(field, &mut task, query, rule, &mut run)
    } else {
        let mut task = ToPoint::<THREATENED, _>::new(field, threat, query, rule, bound);
        to_point(field, &mut task, query, rule, &mut run)
    };
    let Ending::Arrived(goal) = ending else { return Err(run.scratch.no_route(query)) };
    trace_back(field.padding(), goal, 1, run.scratch, run.out);
    Ok(())
}

/// The cost field of the query's agent. Refuses ends that are off the map or closed, and goals that units may not stop on.
pub(crate) fn open_ends<'a>(layer: &'a CostLayer, query: &PathQuery) -> Result<&'a CostField, PlanError> {
    let field = layer.field(query.agent).ok_or(PlanError::UnknownAgent(query.agent))?;
    for at in [query.from, query.to] {
        if !field.grid().contains(at) {
            return Err(PlanError::OffMap { at, size: field.grid() });
        }
    }
    if !field.is_passable(query.from) {
        return Err(PlanError::StartBlocked { at: query.from });
    }
    if !field.is_passable(query.to) {
        return Err(PlanError::GoalBlocked { at: query.to });
    }
    if !layer.can_stop(query.to, query.agent) {
        return Err(PlanError::GoalNoStop { at: query.to });
    }
    Ok(field)
}

/// The value 0 of `GROUND`: a search without threat. The compiler makes one search for each value, so no cell is checked for threat at run
/// time.
const PLAIN: u8 = 0;
/// The value 1 of `GROUND`: a search with threat.
const THREATENED: u8 = 1;

/// The search for one cell.
struct ToPoint<'a, const GROUND: u8, B> {
    costs: &'a [u8],
    threat: ThreatView<'a>,
    to: CellPos,
    goal: PadId,
    neighbours: Neighbours,
    cheapest: u64,
    bound: B,
}

impl<'a, const GROUND: u8, B> ToPoint<'a, GROUND, B> {
    fn new(
        field: &'a CostField,
        threat: ThreatView<'a>,
        query: &PathQuery,
        rule: StepRule,
        bound: B,
    ) -> Self {
        Self {
            costs: field.padded(),
            threat,
            to: query.to,
            goal: field.padding().pad(query.to),
            neighbours: rule.neighbours,
            cheapest: u64::from(field.cheapest()),
            bound,
        }
    }
}

impl<const GROUND: u8, B: ToGoal> Task for ToPoint<'_, GROUND, B> {
    #[inline]
    fn is_open(&self, place: usize, _at: CellPos) -> bool {
        self.costs[place] != IMPASSABLE
    }

    #[inline]
    fn cost(&self, place: usize, _at: CellPos) -> u8 {
        let cost = self.costs[place];
        if GROUND == PLAIN { cost } else { with_threat(cost, self.threat.at(place)) }
    }

    #[inline]
    fn estimate(&mut self, at: CellPos) -> u32 {
        let octile = octile(at, self.to, self.neighbours) * self.cheapest;
        octile.max(self.bound.at_least(0, at)).min(u32::MAX.into()) as u32
    }

    #[inline]
    fn visit(&mut self, id: u32, _cost: u64) -> Verdict {
        if id == self.goal.0 { Verdict::Arrive } else { Verdict::Expand }
    }
}

/// Starts a search from cell to cell, or resumes it, and runs it until it ends or pauses.
fn to_point<const GROUND: u8, B: ToGoal>(
    field: &CostField,
    task: &mut ToPoint<'_, GROUND, B>,
    query: &PathQuery,
    rule: StepRule,
    run: &mut SearchRun<'_, impl Probe>,
) -> Ending {
    match run.scratch.resume(PausedIn::Astar, query, field.grid()) {
        Some(paused) => run.out.expanded = paused.expanded,
        None => {
            run.probe.begin(query.from, query.to);
            begin(field, core::slice::from_ref(&query.from), task, run.scratch);
        }
    }
    let most = run.scratch.most_nodes(run.out.expanded);
    let ending = expand_nodes(Expansion { field, rule, most }, task, run.scratch, run.out, run.probe);
    if ending == Ending::Paused {
        let (kind, query, grid, expanded) = (PausedIn::Astar, *query, field.grid(), run.out.expanded);
        run.scratch.pause(Paused { kind, query, grid, best: u64::MAX, before_goal: NO_PARENT, expanded });
    }
    ending
}

/// Begins a search with all of `starts` on the open list.
pub(super) fn begin<T: Task>(
    field: &CostField,
    starts: &[CellPos],
    task: &mut T,
    scratch: &mut SearchScratch,
) {
    let padding = field.padding();
    scratch.begin(padding.len() * T::STATES as usize);
    let SearchScratch { nodes, open, search, .. } = scratch;
    let search = *search;
    let (state, flags) = task.start_state();
    for &start in starts {
        let id = padding.pad(start).0 * T::STATES + state;
        nodes[id as usize] = (0, NO_PARENT, search | flags);
        let ahead = task.estimate(start);
        open.push(OpenEntry::new(u64::from(ahead), ahead, id));
    }
}

/// The cost field, the step rule and the node limit of a search.
#[derive(Clone, Copy)]
pub(super) struct Expansion<'a> {
    pub(super) field: &'a CostField,
    pub(super) rule: StepRule,
    /// The search pauses when it has expanded this many nodes in all.
    pub(super) most: u32,
}

/// Expands the nodes of `task`, the best first, and returns how the search ended. Counts the nodes in `out`.
pub(super) fn expand_nodes<T: Task>(
    expansion: Expansion<'_>,
    task: &mut T,
    scratch: &mut SearchScratch,
    out: &mut Route,
    probe: &mut impl Probe,
) -> Ending {
    let Expansion { field, rule, most } = expansion;
    let padding = field.padding();
    let (offsets, legal) = (padding.neighbour_offsets(), rule.table());
    let SearchScratch { nodes, open, search, .. } = scratch;
    let search = *search;
    while let Some(entry) = open.pop() {
        let node = &mut nodes[entry.id as usize];
        if node.mark() & CLOSED != 0 {
            continue;
        }
        let flags = node.mark() & 0xff;
        *node.mark_mut() |= CLOSED;
        let (so_far, parent) = (node.cost(), node.parent());
        match task.visit(entry.id, so_far) {
            Verdict::Expand => {}
            Verdict::GiveUp => return Ending::GaveUp,
            Verdict::Arrive => {
                out.cost = Cost(so_far);
                return Ending::Arrived(entry.id);
            }
        }
        out.expanded += 1;
        let at = padding.pos(PadId(entry.id / T::STATES));
        let place = entry.id as usize / T::STATES as usize;
        let unflagged = if T::LINKED { parent & !THROUGH_LINK } else { parent };
        let parent = (parent != NO_PARENT).then(|| padding.pos(PadId(unflagged / T::STATES)));
        probe.expand(Visit { at, parent, turn: at, cost: so_far, ahead: u64::from(entry.h) });
        let near: [usize; 8] = core::array::from_fn(|dir| place.wrapping_add_signed(offsets[dir] as isize));
        let mut around = 0;
        for (dir, &next) in near.iter().enumerate() {
            let to = at.step(Dir8::from_index(dir as u8));
            around |= usize::from(task.is_open(next, to)) << dir;
        }
        let mut steps = legal[around];
        while steps != 0 {
            let dir = Dir8::from_index(steps.trailing_zeros() as u8);
            steps &= steps - 1;
            let next = near[usize::from(dir.index())];
            let turn = task.turn(entry.id % T::STATES, flags, dir);
            let cost = so_far + turn + u64::from(step_length(dir)) * u64::from(task.cost(next, at.step(dir)));
            let id = T::node(next, dir);
            let node = &mut nodes[id];
            if node.mark() & !0xff == search && node.cost() <= cost {
                continue;
            }
            let how = if node.mark() & !0xff == search { Reach::Cheaper } else { Reach::First };
            *node = (cost, entry.id, search);
            let ahead = task.estimate(at.step(dir));
            let to = at.step(dir);
            probe.reach(Visit { at: to, parent: Some(at), turn: to, cost, ahead: u64::from(ahead) }, how);
            open.push(OpenEntry::new(cost + u64::from(ahead), ahead, id as u32));
        }
        if T::LINKED {
            follow_links(padding, task, (entry.id, at, so_far), (nodes, open, search));
        }
        if out.expanded >= most {
            return Ending::Paused;
        }
    }
    Ending::Exhausted
}

/// Reaches the ends of the links that start at a node, given by its id, cell and cost. A search that follows links has one state per cell.
fn follow_links<T: Task>(
    padding: Padding,
    task: &mut T,
    (id, at, so_far): (u32, CellPos, u64),
    (nodes, open, search): (&mut [Node], &mut OpenList, u32),
) {
    for number in 0..task.links(at).len() {
        let step = task.links(at)[number];
        let next = padding.pad(step.to);
        if step.state == LinkState::Closed || !task.is_open(next.index(), step.to) {
            continue;
        }
        let cost = so_far + u64::from(step.length) * u64::from(task.cost(next.index(), step.to));
        let node = &mut nodes[next.index()];
        if node.mark() & !0xff == search && node.cost() <= cost {
            continue;
        }
        *node = (cost, id | THROUGH_LINK, search);
        let ahead = task.estimate(step.to);
        open.push(OpenEntry::new(cost + u64::from(ahead), ahead, next.0));
    }
}

/// Writes the route from its start to the node `end` by following the parents; there are `states` nodes per cell.
pub(super) fn trace_back(padding: Padding, end: u32, states: u32, scratch: &SearchScratch, out: &mut Route) {
    let mut id = end;
    loop {
        out.extend_to(padding.pos(PadId(id / states)));
        let parent = scratch.nodes[id as usize].parent();
        if parent == NO_PARENT {
            break;
        }
        id = parent;
    }
    out.waypoints.reverse();
}
