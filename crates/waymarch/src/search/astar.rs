//! A* on weighted cost: the plain exact search that every faster one is measured against.

use super::octile::octile;
use super::probe::{NoProbe, Probe, Reach, Visit};
use super::route::Route;
use super::scratch::{NO_PARENT, Node, SearchScratch};
use crate::base::{CellPos, Dir8, OpenEntry};
use crate::cost::{CostField, CostLayer, IMPASSABLE, PadId, Padding, StepRule, step_length, with_threat};
use crate::query::{Cost, PathQuery, PlanError, Threat};

/// Flag of a node that has been expanded.
const CLOSED: u32 = 1;

/// Finds the cheapest route under `rule` and writes it to `out`.
///
/// Exact: the cost is the least there is. Equal routes are decided by a total order (cost so far plus estimate, then
/// estimate, then cell), so every machine finds the same one. Costs O(n log n) in the cells it looks at; allocates
/// nothing once `scratch` and `out` have grown to the map.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::PathQuery;
/// use waymarch::search::{astar, Route, SearchScratch};
///
/// let map = Map::flat("field", GridSize::new(8, 8)?, Rules::spec_000()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
/// let query = PathQuery::new(cell(0, 0), cell(7, 5), LocomotorId(0));
/// astar(&layer, &query, StepRule::default(), &mut scratch, &mut route)?;
/// assert_eq!(route.cost.0, 5 * 1448 + 2 * 1024);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError`] saying why there is no route; `out` is then empty but for the work done.
pub fn astar(
    layer: &CostLayer,
    query: &PathQuery,
    rule: StepRule,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    astar_with(layer, query, rule, scratch, out, &mut NoProbe)
}

/// [`astar`] with somebody watching.
///
/// # Errors
/// As [`astar`].
pub fn astar_with(
    layer: &CostLayer,
    query: &PathQuery,
    rule: StepRule,
    scratch: &mut SearchScratch,
    out: &mut Route,
    probe: &mut impl Probe,
) -> Result<(), PlanError> {
    out.clear();
    let field = open_ends(layer, query)?;
    let threat = match query.threat {
        Threat::Ignore => &[][..],
        Threat::Heed => layer.threat().padded(),
    };
    let costs = field.padded();
    let found = if threat.is_empty() {
        run(field, query, rule, scratch, out, probe, |at| costs[at])
    } else {
        run(field, query, rule, scratch, out, probe, |at| with_threat(costs[at], threat[at]))
    };
    if found {
        trace_back(field.padding(), query, scratch, out);
        return Ok(());
    }
    Err(PlanError::Unreachable { from: query.from, to: query.to })
}

/// The field the query is about, both ends checked.
pub(super) fn open_ends<'a>(layer: &'a CostLayer, query: &PathQuery) -> Result<&'a CostField, PlanError> {
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

/// Searches; `cost_of` gives the cost of a padded place. Whether the goal was reached.
fn run(
    field: &CostField,
    query: &PathQuery,
    rule: StepRule,
    scratch: &mut SearchScratch,
    out: &mut Route,
    probe: &mut impl Probe,
    cost_of: impl Fn(usize) -> u8,
) -> bool {
    let padding = field.padding();
    let cheapest = u64::from(field.cheapest());
    let estimate = |at: CellPos| (octile(at, query.to, rule.neighbours) * cheapest) as u32;
    let (offsets, legal) = (padding.neighbour_offsets(), rule.table());
    let costs = field.padded();
    scratch.begin(padding.len());
    let SearchScratch { nodes, open, search, .. } = scratch;
    let search = *search;
    let (start, goal) = (padding.pad(query.from), padding.pad(query.to));
    nodes[start.index()] = Node { cost: 0, parent: NO_PARENT, mark: search };
    let start_estimate = estimate(query.from);
    probe.begin(query.from, query.to);
    open.push(OpenEntry::new(u64::from(start_estimate), start_estimate, start.0));
    while let Some(entry) = open.pop() {
        let place = entry.id as usize;
        let node = &mut nodes[place];
        if node.mark & CLOSED != 0 {
            continue;
        }
        node.mark |= CLOSED;
        let (so_far, parent) = (node.cost, node.parent);
        if entry.id == goal.0 {
            out.cost = Cost(so_far);
            return true;
        }
        out.expanded += 1;
        let at = padding.pos(PadId(entry.id));
        let parent = (parent != NO_PARENT).then(|| padding.pos(PadId(parent)));
        probe.expand(Visit { at, parent, cost: so_far, ahead: u64::from(entry.h) });
        let near: [usize; 8] = core::array::from_fn(|dir| place.wrapping_add_signed(offsets[dir] as isize));
        let mut around = 0;
        for (dir, &next) in near.iter().enumerate() {
            around |= usize::from(costs[next] != IMPASSABLE) << dir;
        }
        let mut steps = legal[around];
        while steps != 0 {
            let dir = Dir8::from_index(steps.trailing_zeros() as u8);
            steps &= steps - 1;
            let next = near[usize::from(dir.index())];
            let cost = so_far + u64::from(step_length(dir)) * u64::from(cost_of(next));
            let node = &mut nodes[next];
            if node.mark & !0xff == search && node.cost <= cost {
                continue;
            }
            let how = if node.mark & !0xff == search { Reach::Cheaper } else { Reach::First };
            *node = Node { cost, parent: entry.id, mark: search };
            let ahead = estimate(at.step(dir));
            probe.reach(Visit { at: at.step(dir), parent: Some(at), cost, ahead: u64::from(ahead) }, how);
            open.push(OpenEntry::new(cost + u64::from(ahead), ahead, next as u32));
        }
    }
    false
}

/// Writes the way from start to goal.
fn trace_back(padding: Padding, query: &PathQuery, scratch: &SearchScratch, out: &mut Route) {
    let mut place = padding.pad(query.to);
    loop {
        out.extend_to(padding.pos(place));
        let parent = scratch.nodes[place.index()].parent;
        if parent == NO_PARENT {
            break;
        }
        place = PadId(parent);
    }
    out.waypoints.reverse();
}
