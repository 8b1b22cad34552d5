//! A lane: requests that are served one after the other, beside those of other lanes.

use alloc::vec::Vec;

use super::serve::{Answer, Job, Service, Tools};
use super::status::PathId;
use crate::base::{ByteReader, ByteWriter, LoadError, Persist};
use crate::planners::PlannerChoice;

/// A search that has had to start anew so often is run to its end, so that edits in every tick cannot keep it from it.
const RESTARTS: u8 = 3;

/// World: a search that has paused. The search itself follows from this and from the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Held {
    pub(super) id: PathId,
    /// What searches.
    choice: PlannerChoice,
    /// Nodes it has expanded.
    expanded: u32,
    /// Nodes counted for the request, with all else.
    nodes: u32,
    restarts: u8,
}

/// World, in part: a lane's debt, and the search it holds. The rest is scratch.
///
/// What a lane does in a tick follows from its jobs and its budget, so lanes can be run by as many threads as there are, in any order.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    /// Nodes that earlier ticks took more than they had: searches that cannot pause.
    debt: u32,
    pub(super) held: Option<Held>,
    /// Whether the scratch holds the search that has paused; not after loading.
    is_warm: bool,
    jobs: Vec<Job>,
    count: usize,
    tools: Tools,
}

impl Lane {
    /// Whether it can take requests.
    pub(super) fn is_free(&self) -> bool {
        self.held.is_none()
    }

    /// Forgets the jobs of the last tick.
    pub(super) fn begin(&mut self) {
        self.count = 0;
    }

    /// A place for another job, with the memory of an old one.
    pub(super) fn add(&mut self) -> &mut Job {
        if self.count == self.jobs.len() {
            self.jobs.push(Job::default());
        }
        self.count += 1;
        let job = &mut self.jobs[self.count - 1];
        job.occupied.clear();
        job.points.clear();
        (job.answer, job.nodes, job.expanded) = (Answer::Waits, 0, 0);
        job
    }

    /// How many jobs there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The jobs of this tick.
    pub(super) fn job(&mut self, at: usize) -> &mut Job {
        &mut self.jobs[at]
    }

    /// The tools, between ticks.
    pub(super) fn tools(&mut self) -> &mut Tools {
        &mut self.tools
    }

    /// The map has changed: a search that has paused starts anew.
    pub(super) fn map_changed(&mut self) {
        if let Some(held) = &mut self.held {
            (held.expanded, held.nodes) = (0, 0);
            held.restarts = held.restarts.saturating_add(1);
            self.is_warm = false;
            self.tools.plan.search.forget_paused();
        }
    }

    /// Drops the search it holds.
    pub(super) fn release(&mut self) {
        self.held = None;
        self.is_warm = false;
        self.tools.plan.search.forget_paused();
    }

    /// Does the jobs one after the other, for as long as the budget lasts. If it holds a search, the first job is that one.
    pub(super) fn run(&mut self, service: &Service<'_>, ids: &[PathId], budget: u32) {
        let mut left = i64::from(budget) - i64::from(self.debt);
        let held = self.held.take();
        for (at, &id) in ids.iter().enumerate().take(self.count) {
            if left <= 0 {
                if at == 0 {
                    self.held = held;
                }
                break;
            }
            let job = &mut self.jobs[at];
            let mut paid = 0;
            let mut restarts = 0;
            if let Some(held) = held.filter(|_| at == 0) {
                restarts = held.restarts;
                paid = Self::warm_up(service, job, &mut self.tools, held, self.is_warm);
            }
            let most = if restarts > RESTARTS { u32::MAX } else { left.clamp(1, i64::from(u32::MAX)) as u32 };
            job.nodes = 0;
            service.serve(job, &mut self.tools, most);
            left -= i64::from(job.nodes.saturating_sub(paid));
            if job.answer == Answer::Paused {
                let Job { choice, expanded, nodes, .. } = *job;
                self.held = Some(Held { id, choice, expanded, nodes, restarts });
                break;
            }
        }
        self.is_warm = self.held.is_some();
        self.debt = (-left).clamp(0, i64::from(u32::MAX)) as u32;
    }

    /// Brings the search that has paused into the scratch, if it is not there; how many nodes have been paid for.
    fn warm_up(service: &Service<'_>, job: &mut Job, tools: &mut Tools, held: Held, is_warm: bool) -> u32 {
        if held.expanded == 0 || !service.goes_on(job, tools, held.choice) {
            tools.plan.search.forget_paused();
            return 0;
        }
        if !is_warm {
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

impl Persist for Held {
    fn save(&self, writer: &mut ByteWriter) {
        self.id.save(writer);
        self.choice.save(writer);
        self.expanded.save(writer);
        self.nodes.save(writer);
        self.restarts.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self {
            id: PathId::load(reader)?,
            choice: PlannerChoice::load(reader)?,
            expanded: u32::load(reader)?,
            nodes: u32::load(reader)?,
            restarts: u8::load(reader)?,
        })
    }
}

impl Persist for Lane {
    fn save(&self, writer: &mut ByteWriter) {
        self.debt.save(writer);
        self.held.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self { debt: u32::load(reader)?, held: Option::load(reader)?, ..Self::default() })
    }
}
