//! A lane: works on one request at a time, beside other lanes.

use alloc::vec::Vec;

use super::super::request::ROUTE_POINTS;
use super::super::status::PathId;
use super::context::{LaneScratch, SearchContext};
use super::job::{Answer, Job, OCCUPIED_CELLS};
use crate::base::{
    ByteReader, ByteWriter, CellPos, CellRect, LoadError, Persist, Scratch, persist_fields, reserve_total,
};
use crate::planners::PlannerChoice;
use crate::query::{PathQuery, Threat};

/// World: a paused search. The search itself is not saved: it is run again up to where it paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PausedSearch {
    pub(crate) id: PathId,
    /// The planner that searches.
    choice: PlannerChoice,
    /// The threat mode of the search.
    threat: Threat,
    /// The search has read no cell outside of this rectangle.
    pub(crate) explored: CellRect,
    /// Nodes that the search has expanded. 0 if it must start again.
    expanded: u32,
    /// Nodes counted for the request so far, with all other work.
    nodes: u32,
    /// How often an edit has made the search start again.
    restarts: u8,
}

impl PausedSearch {
    /// Whether it searches for a far route, whose legs are found one after the other.
    pub(crate) fn is_far(&self) -> bool {
        self.choice == PlannerChoice::Hpa
    }
}

/// World: the paused search of a lane. All other fields are Scratch.
///
/// What a lane finds depends on its job and its node budget only. So lanes can be run by any number of threads, in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lane {
    pub(crate) paused: Option<PausedSearch>,
    /// Whether the scratch holds the paused search. It does not after loading.
    is_in_scratch: bool,
    /// The request to work on in this round.
    id: Option<PathId>,
    pub(crate) job: Job,
    scratch: LaneScratch,
}

impl Lane {
    /// Whether the lane can take a request.
    pub(crate) fn is_free(&self) -> bool {
        self.paused.is_none()
    }

    /// Whether the lane has a paused search for this request.
    pub(crate) fn holds(&self, id: PathId) -> bool {
        self.paused.is_some_and(|paused| paused.id == id)
    }

    /// Whether the lane has a paused search that must start again.
    pub(crate) fn must_restart(&self) -> bool {
        self.paused.is_some_and(|paused| paused.expanded == 0)
    }

    /// Leaves the lane without a job in the coming round.
    pub(crate) fn clear_job(&mut self) {
        self.id = None;
    }

    /// Takes a request for the coming round. The caller fills the job, whose memory is reused.
    pub(crate) fn assign(&mut self, id: PathId) -> &mut Job {
        self.id = Some(id);
        let job = &mut self.job;
        job.occupied.clear();
        job.points.clear();
        (job.answer, job.nodes, job.expanded) = (Answer::NotBegun, 0, 0);
        job
    }

    /// The door route of the search that has just paused. Empty if it has none.
    pub(crate) fn door_route(&self) -> &[CellPos] {
        match self.job.choice {
            PlannerChoice::Hpa => &self.scratch.plan.far.doors().cells,
            _ => &[],
        }
    }

    /// Writes the queries that a planner may have to answer for the job, in the order in which it may get them.
    pub(crate) fn queries(&mut self, context: &SearchContext<'_>, out: &mut Vec<PathQuery>) {
        context.queries(&mut self.job, &mut self.scratch, out);
    }

    /// The lane's scratch, to be used between rounds.
    pub(crate) fn scratch(&mut self) -> &mut LaneScratch {
        &mut self.scratch
    }

    /// Cells and blocks tested so far to find nearest reachable cells.
    pub(crate) fn snap_work(&self) -> u64 {
        self.scratch.snap_work()
    }

    /// The map, the settings or the search has changed: a paused search must start again.
    pub(crate) fn map_changed(&mut self) {
        if let Some(paused) = &mut self.paused {
            // A search that has made no progress since its last restart loses nothing, so this restart does not count.
            paused.restarts = paused.restarts.saturating_add(u8::from(paused.nodes > 0));
            (paused.expanded, paused.nodes) = (0, 0);
            self.is_in_scratch = false;
            self.scratch.plan.search.forget_paused();
        }
    }

    /// The game has set another planner, or the same one after loading: a paused search is run again up to where it paused.
    pub(crate) fn planner_changed(&mut self) {
        self.is_in_scratch = false;
        self.scratch.plan.search.forget_paused();
    }

    /// The threat has changed in some areas: a paused search that heeds threat and has read a cell there must start again.
    ///
    /// *Invariant:* any other search would expand the same nodes again, so it can go on.
    pub(crate) fn threat_changed(&mut self, mut areas: impl Iterator<Item = CellRect>) {
        let Some(paused) = &self.paused else { return };
        if paused.threat.is_heeded() && areas.any(|area| !area.intersect(paused.explored).is_empty()) {
            self.map_changed();
        }
    }

    /// Drops the paused search.
    pub(crate) fn release(&mut self) {
        self.paused = None;
        self.is_in_scratch = false;
        self.scratch.plan.search.forget_paused();
    }

    /// Works on the job, if there is one, for about `most` nodes.
    pub(crate) fn run(&mut self, context: &SearchContext<'_>, most: u32) {
        let Some(id) = self.id else { return };
        let paused = self.paused.take();
        let paid = paused.map_or(0, |paused| self.resume(context, paused));
        // A paused search that could not be resumed counts as restarted, whatever the cause.
        let is_lost = paused.is_some_and(|paused| paused.expanded > 0) && paid == 0;
        let restarts = paused.map_or(0, |paused| paused.restarts.saturating_add(u8::from(is_lost)));
        // Twice the nodes after the first restart, then sixteen times more after each: so a search ends even if the map is edited in
        // every tick.
        let doublings = (4 * u32::from(restarts)).saturating_sub(3).min(31);
        let most = most.max(1).saturating_mul(1 << doublings);
        // A planner that was set since may need fewer nodes than the paused search had expanded. Then its answer is there.
        if matches!(self.job.answer, Answer::NotBegun | Answer::Paused) {
            self.job.nodes = 0;
            context.answer(&mut self.job, &mut self.scratch, most);
        }
        self.job.round_nodes = self.job.nodes.saturating_sub(paid);
        if self.job.answer == Answer::Paused {
            let Job { choice, explored, effective_threat: threat, expanded, nodes, .. } = self.job;
            self.paused = Some(PausedSearch { id, choice, threat, explored, expanded, nodes, restarts });
        }
        self.is_in_scratch = self.paused.is_some();
    }

    /// Brings the paused search into the scratch, if it is not there. Returns the nodes that were counted for it before; 0 if it must
    /// start again.
    fn resume(&mut self, context: &SearchContext<'_>, paused: PausedSearch) -> u32 {
        let (job, scratch) = (&mut self.job, &mut self.scratch);
        if paused.expanded == 0 || !context.can_resume(job, scratch, paused.choice, paused.threat) {
            scratch.plan.search.forget_paused();
            return 0;
        }
        if !self.is_in_scratch {
            scratch.plan.search.forget_paused();
            context.answer(job, scratch, paused.expanded);
        }
        paused.nodes
    }
}

impl Scratch for Lane {
    /// Cells of the map.
    type Demand = usize;

    /// The paused search stays: it is World. The lane runs it again from its saved fields.
    fn poison(&mut self) {
        self.is_in_scratch = false;
        let end = CellPos::new(7, -7).centre();
        self.job =
            Job { end, nodes: 7, expanded: 7, round_nodes: 7, answer: Answer::Found, ..Job::default() };
        self.scratch.poison();
    }

    /// A lane that has not searched yet reserves nothing: it may never have to search.
    fn reserve(&mut self, cells: usize) {
        if self.scratch.plan.search.is_used() {
            self.scratch.reserve(cells);
            reserve_total(&mut self.job.occupied, OCCUPIED_CELLS);
            reserve_total(&mut self.job.points, ROUTE_POINTS);
        }
    }
}

impl Persist for PlannerChoice {
    fn save(&self, writer: &mut ByteWriter) {
        (*self as u8).save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let code = usize::from(u8::load(reader)?);
        Self::ALL.get(code).copied().ok_or_else(|| reader.error("an unknown planner code of a paused search"))
    }
}

persist_fields! {
    PausedSearch {
        id: PathId,
        choice: PlannerChoice,
        threat: Threat,
        explored: CellRect,
        expanded: u32,
        nodes: u32,
        restarts: u8,
    }
}

impl Persist for Lane {
    fn save(&self, writer: &mut ByteWriter) {
        self.paused.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self { paused: Option::load(reader)?, ..Self::default() })
    }
}
