//! How a store keeps up to date: it follows edits, separates fields that now differ, begins jobs and publishes them.

use alloc::vec::Vec;

use super::differences::difference;
use super::{JumpStore, PendingJob, Share, Standing};
use crate::base::{Agent, CellRect, RowColBits, Tick};
use crate::cost::CostLayer;

/// After an edit of more than one cell in 8, all data are made again.
const GREAT_PART: u64 = 8;

/// Scratch of following edits.
#[derive(Clone, Debug, Default)]
pub(super) struct FollowScratch {
    /// The areas of the sectors in which something changed.
    sectors: Vec<CellRect>,
    /// The areas that differ within them.
    areas: Vec<CellRect>,
    /// For each set of equal fields of a share: its first field, and the index of its share from now on.
    leaders: Vec<(Agent, usize)>,
}

impl FollowScratch {
    /// Whether anything changed.
    pub(super) fn has_changes(&self) -> bool {
        !self.sectors.is_empty()
    }
}

/// Writes the areas within `sectors` in which `now` differs from `before`. Returns the number of cells in them.
fn differing(before: &RowColBits, now: &RowColBits, sectors: &[CellRect], out: &mut Vec<CellRect>) -> u64 {
    out.clear();
    out.extend(sectors.iter().map(|&area| difference(before, now, area)).filter(|area| !area.is_empty()));
    out.iter().map(|area| (area.x1 - area.x0) as u64 * (area.y1 - area.y0) as u64).sum()
}

impl JumpStore {
    /// Lists the sectors that changed since this was last called.
    pub(super) fn note_changes(&mut self, layer: &CostLayer) {
        let (log, sectors) = (layer.changes(), &mut self.work.sectors);
        sectors.clear();
        match log.since(self.known) {
            Some(changed) => sectors.extend(changed.iter().map(|&sector| log.sectors().area(sector))),
            None => sectors.extend(log.sectors().all().map(|sector| log.sectors().area(sector))),
        }
        self.known = log.mark_now();
        sectors.sort_unstable_by_key(|area| (area.y0, area.x0));
        sectors.dedup();
    }

    /// Follows the changes of `layer` since the last call. Call it after every edit, at the tick of the edit.
    ///
    /// Afterwards the data of every field are valid or marked as not ready. Costs as much as the edit, for each set of
    /// data. A layer of another size is another map: all data are made again.
    pub fn follow(&mut self, layer: &CostLayer, now: Tick) {
        if layer.grid() != self.grid {
            self.restart(layer, now);
            return;
        }
        self.note_changes(layer);
        // Fields of a side are added when a gate first opens to it.
        let known = self.fields.len();
        self.fields.extend(layer.agents().skip(known).map(|agent| (agent, Standing::Missing)));
        if self.work.sectors.is_empty() {
            return;
        }
        let most = layer.grid().cells() as u64 / GREAT_PART;
        for place in 0..self.shares.len() {
            self.follow_share(layer, place, most);
        }
        self.begin_missing_jobs(layer, now);
        self.publish(layer, now);
    }

    /// Follows the changes and publishes the jobs that are due. Call it once per tick.
    pub fn advance(&mut self, layer: &CostLayer, now: Tick) {
        self.follow(layer, now);
        self.publish(layer, now);
    }

    /// Drops all data and begins jobs for all fields of `layer`.
    fn restart(&mut self, layer: &CostLayer, now: Tick) {
        self.grid = layer.grid();
        self.fields.clear();
        self.fields.extend(layer.agents().map(|agent| (agent, Standing::Missing)));
        self.shares.clear();
        self.pending.clear();
        self.known = layer.changes().mark_now();
        self.begin_missing_jobs(layer, now);
        self.publish(layer, now);
    }

    /// Brings one share up to date for the fields that use it, unless more than `most` cells changed.
    ///
    /// The share follows the first field. Fields that differ from it now get a copy that follows them.
    pub(super) fn follow_share(&mut self, layer: &CostLayer, place: usize, most: u64) {
        if self.shares[place].is_none() {
            return;
        }
        self.work.leaders.clear();
        for index in 0..self.fields.len() {
            let (agent, standing) = self.fields[index];
            if standing != Standing::Ready(place) {
                continue;
            }
            let Some(field) = layer.field(agent) else { continue };
            if let Err(why) = self.suits(field) {
                self.fields[index].1 = Standing::Unsuited(why);
                continue;
            }
            // The fields were equal before, so they are equal if they do not differ in the changed sectors.
            let FollowScratch { sectors, leaders, .. } = &self.work;
            let alike = |leader: Agent| {
                layer.field(leader).is_some_and(|other| {
                    let (ours, theirs) = (field.closed_bits(), other.closed_bits());
                    sectors.iter().all(|&area| difference(ours, theirs, area).is_empty())
                })
            };
            if let Some((_, other)) = leaders.iter().find(|(leader, _)| alike(*leader)) {
                self.fields[index].1 = Standing::Ready(*other);
                continue;
            }
            let other = match &self.shares[place] {
                Some(share) if !leaders.is_empty() => self.put(share.clone()),
                _ => place,
            };
            self.work.leaders.push((agent, other));
            self.fields[index].1 = Standing::Ready(other);
        }
        if self.work.leaders.is_empty() {
            self.shares[place] = None;
        }
        for index in 0..self.work.leaders.len() {
            let (leader, other) = self.work.leaders[index];
            self.catch_up(layer, leader, other, most);
        }
    }

    /// Makes the share at `place` follow the field of `agent`. If more than `most` cells changed, drops it: its fields then have no data.
    fn catch_up(&mut self, layer: &CostLayer, agent: Agent, place: usize, most: u64) {
        let Self { fields, shares, work: FollowScratch { sectors, areas, .. }, .. } = self;
        let (Some(field), Some(share)) = (layer.field(agent), &mut shares[place]) else { return };
        let closed = field.closed_bits();
        if differing(&share.closed, closed, sectors, areas) > most {
            shares[place] = None;
            let users = fields.iter_mut().filter(|(_, standing)| *standing == Standing::Ready(place));
            users.for_each(|(_, standing)| *standing = Standing::Missing);
            return;
        }
        for at in areas.iter().flat_map(|area| area.cells()) {
            share.closed.set(at, closed.get(at));
        }
        share.data.follow(&share.closed, areas);
    }

    /// Keeps a share. Returns its index.
    pub(super) fn put(&mut self, share: Share) -> usize {
        let used = |place: usize, fields: &[(Agent, Standing)]| {
            fields.iter().any(|(_, standing)| *standing == Standing::Ready(place))
        };
        let free = (0..self.shares.len())
            .find(|&place| self.shares[place].is_none() && !used(place, &self.fields))
            .unwrap_or(self.shares.len());
        if free == self.shares.len() {
            self.shares.push(None);
        }
        self.shares[free] = Some(share);
        free
    }

    /// Finds data for every suited field without data: the data of another field with the same closed cells, a running job, or a new job.
    pub(super) fn begin_missing_jobs(&mut self, layer: &CostLayer, now: Tick) {
        for index in 0..self.fields.len() {
            let (agent, standing) = self.fields[index];
            let Some(field) = layer.field(agent) else { continue };
            let suited = self.suits(field);
            self.fields[index].1 = match (suited, standing) {
                (Err(why), _) => Standing::Unsuited(why),
                (Ok(()), Standing::Ready(_) | Standing::Building(_)) => standing,
                (Ok(()), Standing::Unsuited(_) | Standing::Missing) => {
                    self.supply(field.closed_bits(), now + self.delay)
                }
            };
        }
        self.drop_unwanted();
    }

    /// Drops jobs and data that no field needs.
    pub(super) fn drop_unwanted(&mut self) {
        let fields = &self.fields;
        let wanted = |job| fields.iter().any(|(_, standing)| *standing == Standing::Building(job));
        self.pending.retain(|entry| wanted(entry.job.id));
        for (place, share) in self.shares.iter_mut().enumerate() {
            if !self.fields.iter().any(|(_, standing)| *standing == Standing::Ready(place)) {
                *share = None;
            }
        }
    }

    fn supply(&mut self, closed: &RowColBits, due: Tick) -> Standing {
        self.share_of(closed).map_or_else(|| self.begin_job(closed, due), Standing::Ready)
    }

    /// The index of the share for these closed cells, if there is one.
    pub(super) fn share_of(&self, closed: &RowColBits) -> Option<usize> {
        let alike = |share: &Option<Share>| share.as_ref().is_some_and(|share| share.closed == *closed);
        self.shares.iter().position(alike)
    }

    /// Publishes the jobs that are due. Does the work now if no result is installed, and follows the edits since the job began.
    pub(super) fn publish(&mut self, layer: &CostLayer, now: Tick) {
        while let Some(at) = self.pending.iter().position(|entry| entry.due <= now) {
            let PendingJob { job, result, .. } = self.pending.remove(at);
            let data = result.unwrap_or_else(|| job.build());
            let place = self.put(Share { closed: job.closed, data });
            for (_, standing) in &mut self.fields {
                if *standing == Standing::Building(job.id) {
                    *standing = Standing::Ready(place);
                }
            }
            let sectors = layer.changes().sectors();
            self.work.sectors.clear();
            self.work.sectors.extend(sectors.all().map(|sector| sectors.area(sector)));
            // The share follows edits of any size here, because answers must not depend on when the job began.
            self.follow_share(layer, place, u64::MAX);
        }
    }
}
