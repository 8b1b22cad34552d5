//! The cells where a route starts and ends. They differ from the request if its start is closed, or if its goal cannot be reached.

use super::super::status::PathReason;
use super::context::SearchContext;
use super::job::Job;
use crate::base::{CellPos, CellRect};
use crate::plan::work_costs::{SHAPE_CELLS_PER_NODE, SNAP};
use crate::planners::PlanView;
use crate::query::{Goal, Shape, WhenUnreachable};
use crate::sectors::{SnapMemory, Snapped};

/// All cells of a goal shape are tested if its bounding rectangle has at most 16,384 cells.
const SMALL_SHAPE: u64 = 1 << 14;

/// Where a route starts and ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct RouteEnds {
    pub(super) from: CellPos,
    pub(super) to: CellPos,
    /// Why these are not the start and the goal of the request. `None` if they are.
    pub(super) shortfall: Option<PathReason>,
}

/// Where the job's route starts and ends. Also writes `job.end`, and adds the work to `job.nodes`.
///
/// # Errors
/// The reason if the goal cannot be reached and the request does not accept the nearest cell.
pub(super) fn resolve_ends(
    context: &SearchContext<'_>,
    job: &mut Job,
    snaps: &mut SnapMemory,
) -> Result<RouteEnds, PathReason> {
    let view = context.view;
    let from = job.from.cell();
    if let Goal::In(Shape::Point(to)) = job.goal {
        if view.sectors.reachable(from, to, job.agent) && view.layer.can_stop(to, job.agent) {
            job.end = to.centre();
            return Ok(RouteEnds { from, to, shortfall: None });
        }
    }
    // Counted in full even if the answer is remembered, so that memory changes no budget.
    job.nodes = job.nodes.saturating_add(SNAP);
    let small_shape = small_shape(&view, &job.goal);
    if let Some((_, _, cells)) = small_shape {
        job.nodes = job.nodes.saturating_add((cells / SHAPE_CELLS_PER_NODE) as u32);
    }
    let snapped = view.sectors.snap_again(view.layer, from, &job.goal, job.agent, snaps);
    // If the nearest reachable cell is outside of the shape, no cell inside can be reached.
    let can_enter = !matches!(snapped, Ok(Snapped { gap: 1.., .. }));
    if let Some((shape, bounds, _)) = small_shape.filter(|_| can_enter) {
        if let Some(to) = nearest_in_shape(&view, job, &shape, bounds) {
            job.end = to.centre();
            return Ok(RouteEnds { from, to, shortfall: None });
        }
    }
    let snapped = snapped?;
    job.end = snapped.to.centre();
    let shortfall = if snapped.gap > 0 {
        Some(unreachable_reason(&view, from, job))
    } else if snapped.from != from {
        Some(PathReason::StartClosed)
    } else {
        None
    };
    match (shortfall, job.when_unreachable) {
        (Some(reason), WhenUnreachable::Fail) => Err(reason),
        _ => Ok(RouteEnds { from: snapped.from, to: snapped.to, shortfall }),
    }
}

/// The shape of a goal, its bounding rectangle on the map, and the number of cells in that. `None` for points, for several shapes, and
/// for shapes with more cells than [`SMALL_SHAPE`].
fn small_shape(view: &PlanView<'_>, goal: &Goal) -> Option<(Shape, CellRect, u64)> {
    let Goal::In(shape @ (Shape::Circle { .. } | Shape::Ring { .. } | Shape::Rect(_))) = *goal else {
        return None;
    };
    let bounds = shape.bounds().intersect(view.layer.grid().rect());
    let cells = u64::from(bounds.x0.abs_diff(bounds.x1)) * u64::from(bounds.y0.abs_diff(bounds.y1));
    (!bounds.is_empty() && cells <= SMALL_SHAPE).then_some((shape, bounds, cells))
}

/// Of the cells of a shape that the agent can reach and stop on, the nearest to the start in a straight line.
fn nearest_in_shape(view: &PlanView<'_>, job: &Job, shape: &Shape, bounds: CellRect) -> Option<CellPos> {
    let (layer, sectors, from, agent) = (view.layer, view.sectors, job.from.cell(), job.agent);
    let fits = |at: &CellPos| {
        shape.contains(*at) && sectors.reachable(from, *at, agent) && layer.can_stop(*at, agent)
    };
    let distance = |at: CellPos| {
        let (dx, dy) = (i64::from(at.x - from.x), i64::from(at.y - from.y));
        (dx * dx + dy * dy, at.y, at.x)
    };
    bounds.cells().filter(fits).min_by_key(|&at| distance(at))
}

/// Why the job's goal cannot be reached.
fn unreachable_reason(view: &PlanView<'_>, from: CellPos, job: &Job) -> PathReason {
    if view.sectors.domain(from, job.agent).is_none() {
        return PathReason::StartClosed;
    }
    let Goal::In(Shape::Point(to)) = job.goal else { return PathReason::NoRoute };
    match view.layer.field(job.agent) {
        Some(field) if !field.is_passable(to) => PathReason::GoalClosed,
        Some(_) if !view.layer.can_stop(to, job.agent) => PathReason::GoalNoStop,
        _ => PathReason::NoRoute,
    }
}
