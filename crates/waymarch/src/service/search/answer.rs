//! Answers one job: a function of the map and the request, so that any thread may do it.

use alloc::vec::Vec;

use super::super::request::Task;
use super::context::{LaneScratch, SearchContext};
use super::ends::resolve_ends;
use super::explored::effective_threat;
use super::job::{Answer, Job};
use crate::planners::PlannerChoice;
use crate::query::{PathQuery, PlanError, Threat};

impl SearchContext<'_> {
    /// Answers a job, or continues with a paused one, expanding at most about `most` nodes if its search can pause.
    pub(super) fn answer(&self, job: &mut Job, scratch: &mut LaneScratch, most: u32) {
        match resolve_ends(self, job, &mut scratch.snaps) {
            Err(reason) => job.answer = Answer::None(reason),
            Ok(ends) => {
                let done = match job.task {
                    Task::Rejoin => self.rejoin(job, scratch, ends, most),
                    Task::Find => self.find(job, scratch, ends, most),
                };
                job.answer = match (done, ends.shortfall) {
                    (Err(PlanError::Paused { nodes }), _) => {
                        job.expanded = nodes;
                        Answer::Paused
                    }
                    (Err(error), _) => Answer::None(error.into()),
                    (Ok(()), Some(reason)) => Answer::Nearest(reason),
                    (Ok(()), None) => Answer::Found,
                };
            }
        }
    }

    /// Whether a paused search of this job, by the planner `choice` with this `threat`, is the search that would be run now.
    pub(super) fn can_resume(
        &self,
        job: &mut Job,
        scratch: &mut LaneScratch,
        choice: PlannerChoice,
        threat: Threat,
    ) -> bool {
        if effective_threat(self, job) != threat {
            return false;
        }
        if job.task == Task::Rejoin {
            // Its end is not the goal but a point of the old route; the scratch knows which.
            return true;
        }
        let Ok(ends) = resolve_ends(self, job, &mut scratch.snaps) else { return false };
        let query = job.query(ends.from, ends.to);
        self.choice(job, &query).0 == choice
    }

    /// Writes the queries that a planner may have to answer for a job, in the order in which it may get them.
    pub(super) fn queries(&self, job: &mut Job, scratch: &mut LaneScratch, out: &mut Vec<PathQuery>) {
        let Ok(ends) = resolve_ends(self, job, &mut scratch.snaps) else { return };
        let query = job.query(ends.from, ends.to).with_asker(job.asker);
        if job.needs_goal_search().is_some() {
            return; // No planner is asked.
        }
        if job.task == Task::Rejoin {
            let behind = self.rejoin_index(job, ends.to).map(|behind| job.points[behind].cell());
            out.extend(behind.map(|to| job.query(ends.from, to).with_asker(job.asker)));
        }
        out.push(query);
    }
}
