//! Repairs a route that an edit has cut: a new beginning up to the part behind the cut.

use super::super::request::Task;
use super::context::{LaneScratch, SearchContext};
use super::ends::RouteEnds;
use super::job::Job;
use crate::base::{CellPos, Vec2};
use crate::planners::PlannerReason;
use crate::query::PlanError;
use crate::search::Sight;

/// The new beginning may be twice as long as the straight line plus 16 cells. If it is longer, a whole new route is found.
const SLACK: u64 = 16 * 1024;

impl SearchContext<'_> {
    /// The index of the point at which the job's old route to `to` is joined again. `None` if a whole new route is needed.
    pub(super) fn rejoin_index(&self, job: &Job, to: CellPos) -> Option<usize> {
        let view = &self.view;
        let sight = Sight::new(view.layer, job.agent, job.threat, view.config.step_rule()).ok()?;
        let end = job.points.last().map(|last| last.cell());
        if end == Some(to) { first_behind_cut(&sight, &job.points) } else { None }
    }

    /// Finds a route from the unit to the part of its old route behind the cut. If that is too long, finds a whole new route.
    pub(super) fn rejoin(
        &self,
        job: &mut Job,
        scratch: &mut LaneScratch,
        ends: RouteEnds,
        most: u32,
    ) -> Result<(), PlanError> {
        let behind = if job.avoid.is_empty() { self.rejoin_index(job, ends.to) } else { None };
        let Some(behind) = behind else {
            job.task = Task::Find;
            return self.find(job, scratch, ends, most);
        };
        let at = job.points[behind];
        let query = job.query(ends.from, at.cell());
        core::mem::swap(&mut scratch.detour.old_points, &mut job.points);
        let planned = self.plan(job, &query, scratch, most);
        core::mem::swap(&mut scratch.detour.old_points, &mut job.points);
        planned?;
        let straight = ends.from.centre().distance(at);
        if scratch.route.length() > 2 * u64::from(straight.raw().unsigned_abs()) + SLACK {
            job.task = Task::Find;
            return self.find(job, scratch, ends, most);
        }
        core::mem::swap(&mut scratch.detour.old_points, &mut job.points);
        self.smooth(job, &query, scratch);
        let old = &scratch.detour.old_points;
        job.points.extend_from_slice(&old[behind + 1..]);
        job.start_at_unit();
        job.end = ends.to.centre();
        job.reason = PlannerReason::Rejoined;
        Ok(())
    }
}

/// The index of the first point behind the last closed leg of a route; 1 if all legs are open. `None` if that point is closed or does not
/// exist.
fn first_behind_cut(sight: &Sight<'_>, points: &[Vec2]) -> Option<usize> {
    let last_cut = points.windows(2).rposition(|pair| !sight.is_clear(pair[0], pair[1]));
    let behind = last_cut.map_or(1, |cut| cut + 1);
    (behind < points.len() && sight.is_clear(points[behind], points[behind])).then_some(behind)
}
