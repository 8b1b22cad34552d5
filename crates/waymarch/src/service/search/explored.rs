//! The area that a paused search has read. Changes of the map outside of it do not affect the search.

use super::context::SearchContext;
use super::job::Job;
use crate::base::CellRect;
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::planners::PlanScratch;
use crate::query::{PathQuery, Threat};

/// The job's threat mode, as simple as the sources on the map allow.
pub(super) fn effective_threat(context: &SearchContext<'_>, job: &Job) -> Threat {
    context.view.layer.threat().effective(job.threat)
}

/// A rectangle that contains all cells that the search has read: the whole map if no smaller rectangle is known. Call it when the search
/// has just paused.
pub(super) fn explored_area(
    context: &SearchContext<'_>,
    query: &PathQuery,
    scratch: &PlanScratch,
) -> CellRect {
    let (layer, map) = (context.view.layer, context.view.layer.grid().rect());
    let known = scratch.search.looked_up_to().filter(|_| context.custom.is_none());
    let Some((cost, field)) = known.zip(layer.field(query.agent)) else { return map };
    // Every expanded cell lies on a route that costs at most `cost`. A route that leaves the rectangle of both ends by one step must also
    // return. This makes it longer than the straight one by at least two diagonal steps minus two straight ones.
    let (dx, dy) = (query.from.x.abs_diff(query.to.x), query.from.y.abs_diff(query.to.y));
    let straight =
        u64::from(dx.max(dy)) * u64::from(STRAIGHT) + u64::from(dx.min(dy)) * u64::from(DIAGONAL - STRAIGHT);
    let extra = (cost / u64::from(field.cheapest().max(1))).saturating_sub(straight);
    // The neighbours of expanded cells were read too.
    let steps = extra / u64::from(2 * (DIAGONAL - STRAIGHT)) + 2;
    let steps = i32::try_from(steps).unwrap_or(i32::MAX).min(1 << 15);
    let ends = CellRect::at(query.from, 1, 1).union(CellRect::at(query.to, 1, 1));
    ends.grow(steps, steps).intersect(map)
}
