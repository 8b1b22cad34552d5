//! Where a search that has paused has looked: what changes elsewhere does not matter to it.

use super::job::Job;
use super::serve::Service;
use crate::base::CellRect;
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::planners::PlanScratch;
use crate::query::{PathQuery, Threat};

impl Service<'_> {
    /// Whether a job pays for threat that there is.
    pub(super) fn heeded(&self, job: &Job) -> Threat {
        if self.view.layer.threat().is_empty() { Threat::Ignore } else { job.threat }
    }

    /// Where all lies that a search which has just paused has looked at.
    pub(super) fn looked(&self, query: &PathQuery, plan: &PlanScratch) -> CellRect {
        let (layer, all) = (self.view.layer, self.view.layer.grid().rect());
        let known = plan.search.looked_up_to().filter(|_| self.custom.is_none());
        let Some((cost, field)) = known.zip(layer.field(query.agent)) else { return all };
        // Whatever was expanded lies on a way that costs no more than that. A way that leaves the rectangle of both ends by a step, and comes
        // back, is longer than the straight one by two diagonal steps less two straight ones at least.
        let (dx, dy) = (query.from.x.abs_diff(query.to.x), query.from.y.abs_diff(query.to.y));
        let straight = u64::from(dx.max(dy)) * u64::from(STRAIGHT)
            + u64::from(dx.min(dy)) * u64::from(DIAGONAL - STRAIGHT);
        let more = (cost / u64::from(field.cheapest().max(1))).saturating_sub(straight);
        // The cells around what was expanded were looked at too.
        let steps = more / u64::from(2 * (DIAGONAL - STRAIGHT)) + 2;
        let steps = i32::try_from(steps).unwrap_or(i32::MAX).min(1 << 15);
        let ends = CellRect::at(query.from, 1, 1).union(CellRect::at(query.to, 1, 1));
        ends.grow(steps, steps).intersect(all)
    }
}
