//! A lane: one request that is worked on, beside those of other lanes.

use super::detour::POINTS;
use super::job::{Answer, Job};
use super::serve::{Service, Tools};
use super::status::PathId;
use super::tick::AROUND;
use alloc::vec::Vec;

use crate::base::{ByteReader, ByteWriter, CellPos, CellRect, LoadError, Persist, make_room, persist_fields};
use crate::planners::PlannerChoice;
use crate::query::{PathQuery, Threat};

/// World: a search that has paused. The search itself follows from this and from the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Held {
    pub(super) id: PathId,
    /// What searches.
    choice: PlannerChoice,
    /// Whether it pays for threat that there is.
    threat: Threat,
    /// It has looked at no cell outside of this.
    pub(super) looked: CellRect,
    /// Nodes it has expanded.
    expanded: u32,
    /// Nodes counted for the request, with all else.
    nodes: u32,
    restarts: u8,
}

/// World, in part: the search that a lane holds. The rest is scratch.
///
/// What a lane does follows from its job and what it is allowed, so lanes can be run by as many threads as there are, in any order.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    pub(super) held: Option<Held>,
    /// Whether the scratch holds the search that has paused; not after loading.
    is_warm: bool,
    /// Whose job is to be done in this round.
    id: Option<PathId>,
    pub(super) job: Job,
    tools: Tools,
}

impl Lane {
    /// Whether it can take a request.
    pub(super) fn is_free(&self) -> bool {
        self.held.is_none()
    }

    /// Whether it holds a search for this request.
    pub(super) fn holds(&self, id: PathId) -> bool {
        self.held.is_some_and(|held| held.id == id)
    }

    /// Whether the search it holds has to begin anew.
    pub(super) fn begins_anew(&self) -> bool {
        self.held.is_some_and(|held| held.expanded == 0)
    }

    /// Makes memory ahead of need, for a map of so many cells.
    pub(super) fn stock_up(&mut self, cells: usize) {
        // As long as it has done nothing, it may never have to.
        if self.tools.plan.search.is_used() {
            self.tools.stock_up(cells);
            make_room(&mut self.job.occupied, AROUND);
            make_room(&mut self.job.points, POINTS);
        }
    }

    /// Nothing to do, for now.
    pub(super) fn rest(&mut self) {
        self.id = None;
    }

    /// Takes a job, in memory that was used before.
    pub(super) fn take(&mut self, id: PathId) -> &mut Job {
        self.id = Some(id);
        let job = &mut self.job;
        job.occupied.clear();
        job.points.clear();
        (job.answer, job.nodes, job.expanded) = (Answer::Waits, 0, 0);
        job
    }

    /// The way over doors that the search which has just paused goes along; empty if it goes along none.
    pub(super) fn way_over_doors(&self) -> &[CellPos] {
        match self.job.choice {
            PlannerChoice::Hpa => &self.tools.plan.far.doors().cells,
            _ => &[],
        }
    }

    /// Writes down the questions that a planner will be asked for the job, in the order in which it may be asked them.
    pub(super) fn questions(&mut self, service: &Service<'_>, out: &mut Vec<PathQuery>) {
        service.questions(&mut self.job, &mut self.tools, out);
    }

    /// The tools, between rounds.
    pub(super) fn tools(&mut self) -> &mut Tools {
        &mut self.tools
    }

    /// How much was looked at to find nearest places.
    pub(super) fn looked_at(&self) -> u64 {
        self.tools.looked_at()
    }

    /// The map has changed: a search that has paused starts anew.
    pub(super) fn map_changed(&mut self) {
        if let Some(held) = &mut self.held {
            // Nothing is lost of a search that has not gone on since it last started anew.
            held.restarts = held.restarts.saturating_add(u8::from(held.nodes > 0));
            (held.expanded, held.nodes) = (0, 0);
            self.is_warm = false;
            self.tools.plan.search.forget_paused();
        }
    }

    /// Threat shows otherwise in some areas: a search that pays for it and has looked there starts anew.
    ///
    /// *Invariant:* any other would find the same again, node by node, so nothing is lost by going on.
    pub(super) fn threat_changed(&mut self, mut areas: impl Iterator<Item = CellRect>) {
        let Some(held) = &self.held else { return };
        if held.threat == Threat::Heed && areas.any(|area| !area.intersect(held.looked).is_empty()) {
            self.map_changed();
        }
    }

    /// Fills the scratch with rubbish. A search that has paused is found again from what is saved of it.
    pub(super) fn poison(&mut self) {
        self.is_warm = false;
        self.job = Job { nodes: 7, expanded: 7, round: 7, answer: Answer::Found, ..Job::default() };
        self.tools.poison();
    }

    /// Drops the search it holds.
    pub(super) fn release(&mut self) {
        self.held = None;
        self.is_warm = false;
        self.tools.plan.search.forget_paused();
    }

    /// Does its job, if it has one, or goes on with it, for about `most` nodes.
    pub(super) fn run(&mut self, service: &Service<'_>, most: u32) {
        let Some(id) = self.id else { return };
        let held = self.held.take();
        let paid = held.map_or(0, |held| self.warm_up(service, held));
        // A search that was thrown away has started anew, whatever for.
        let lost = held.is_some_and(|held| held.expanded > 0) && paid == 0;
        let restarts = held.map_or(0, |held| held.restarts.saturating_add(u8::from(lost)));
        // Twice as much when it starts anew, and sixteen times as much each time again, so that edits in every tick cannot keep it from its end.
        let more = (4 * u32::from(restarts)).saturating_sub(3).min(31);
        let most = most.max(1).saturating_mul(1 << more);
        self.job.nodes = 0;
        service.serve(&mut self.job, &mut self.tools, most);
        self.job.round = self.job.nodes.saturating_sub(paid);
        if self.job.answer == Answer::Paused {
            let Job { choice, looked, heeds: threat, expanded, nodes, .. } = self.job;
            self.held = Some(Held { id, choice, threat, looked, expanded, nodes, restarts });
        }
        self.is_warm = self.held.is_some();
    }

    /// Brings the search that has paused into the scratch, if it is not there; how many nodes have been counted for it before.
    fn warm_up(&mut self, service: &Service<'_>, held: Held) -> u32 {
        let (job, tools) = (&mut self.job, &mut self.tools);
        if held.expanded == 0 || !service.goes_on(job, tools, held.choice, held.threat) {
            tools.plan.search.forget_paused();
            return 0;
        }
        if !self.is_warm {
            tools.plan.search.forget_paused();
            service.serve(job, tools, held.expanded);
        }
        held.nodes
    }
}

impl Persist for PlannerChoice {
    fn save(&self, writer: &mut ByteWriter) {
        (*self as u8).save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let code = usize::from(u8::load(reader)?);
        Self::ALL.get(code).copied().ok_or_else(|| reader.error("an unknown search"))
    }
}

persist_fields! {
    Held {
        id: PathId,
        choice: PlannerChoice,
        threat: Threat,
        looked: CellRect,
        expanded: u32,
        nodes: u32,
        restarts: u8,
    }
}

impl Persist for Lane {
    fn save(&self, writer: &mut ByteWriter) {
        self.held.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self { held: Option::load(reader)?, ..Self::default() })
    }
}
