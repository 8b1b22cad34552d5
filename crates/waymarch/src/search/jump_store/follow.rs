//! How a store keeps up: edits are followed, fields that come to differ part, jobs are asked for and published.

use alloc::vec::Vec;

use super::differences::difference;
use super::{JumpStore, Order, Share, Standing};
use crate::base::{Agent, CellRect, RowColBits, Tick};
use crate::cost::CostLayer;

/// An edit of more than one cell in this many is not followed but made anew.
const GREAT_PART: u64 = 8;

/// Scratch: what following needs, kept from one edit to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Workplace {
    /// The areas of the sectors in which something changed.
    sectors: Vec<CellRect>,
    /// What differs within them.
    areas: Vec<CellRect>,
    /// Of the fields of a share, the first of each kind, and the share it has from now on.
    leaders: Vec<(Agent, usize)>,
}

impl Workplace {
    /// Whether anything changed.
    pub(super) fn has_changes(&self) -> bool {
        !self.sectors.is_empty()
    }
}

/// Writes the areas within `sectors` in which `now` differs from `before`. The number of cells in them.
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

    /// Follows what changed in `layer` since this was last called: call it after every edit, at the tick of the edit.
    ///
    /// Afterwards every field's data are valid, or it says that they are not ready. Costs the edit, for each
    /// set of data. A layer of another size is another map: all its data are asked for anew.
    pub fn follow(&mut self, layer: &CostLayer, now: Tick) {
        if layer.grid() != self.grid {
            self.begin_anew(layer, now);
            return;
        }
        self.note_changes(layer);
        if self.work.sectors.is_empty() {
            return;
        }
        let most = layer.grid().cells() as u64 / GREAT_PART;
        for place in 0..self.shares.len() {
            self.follow_share(layer, place, most);
        }
        self.order_missing(layer, now);
        self.publish(layer, now);
    }

    /// A tick has come: follows what changed, and publishes what is due. Call it once per tick.
    pub fn advance(&mut self, layer: &CostLayer, now: Tick) {
        self.follow(layer, now);
        self.publish(layer, now);
    }

    /// Forgets everything and asks for the data of all fields of `layer`.
    fn begin_anew(&mut self, layer: &CostLayer, now: Tick) {
        self.grid = layer.grid();
        self.fields.clear();
        self.fields.extend(layer.agents().map(|agent| (agent, Standing::Missing)));
        self.shares.clear();
        self.orders.clear();
        self.known = layer.changes().mark_now();
        self.order_missing(layer, now);
        self.publish(layer, now);
    }

    /// Brings one share up to date for the fields that use it, unless more than `most` cells are to be looked at.
    ///
    /// The first field's closed cells decide; fields that differ from it now part, with a copy that follows theirs.
    pub(super) fn follow_share(&mut self, layer: &CostLayer, place: usize, most: u64) {
        let Some(share) = self.shares[place].take() else { return };
        let mut leaders = core::mem::take(&mut self.work.leaders);
        leaders.clear();
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
            // They were alike before, so they are if nothing differs where something changed.
            let sectors = &self.work.sectors;
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
            let other = if leaders.is_empty() { place } else { self.put(share.clone()) };
            leaders.push((agent, other));
            self.fields[index].1 = Standing::Ready(other);
        }
        for &(leader, other) in leaders.iter().skip(1) {
            if let Some(copy) = self.shares[other].take() {
                self.shares[other] = self.caught_up(layer, leader, other, copy, most);
            }
        }
        if let Some(&(first, _)) = leaders.first() {
            self.shares[place] = self.caught_up(layer, first, place, share, most);
        }
        self.work.leaders = leaders;
    }

    /// `share`, at `place`, following the field of `agent`; `None`, and its fields without data, if too much has changed.
    fn caught_up(
        &mut self,
        layer: &CostLayer,
        agent: Agent,
        place: usize,
        mut share: Share,
        most: u64,
    ) -> Option<Share> {
        let closed = layer.field(agent)?.closed_bits();
        let Workplace { sectors, areas, .. } = &mut self.work;
        if differing(&share.closed, closed, sectors, areas) > most {
            for (_, standing) in &mut self.fields {
                if *standing == Standing::Ready(place) {
                    *standing = Standing::Missing;
                }
            }
            return None;
        }
        for at in areas.iter().flat_map(|area| area.cells()) {
            share.closed.set(at, closed.get(at));
        }
        share.data.follow(&share.closed, areas);
        Some(share)
    }

    /// Keeps a share; where it is.
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

    /// Finds data for every field that suits and has none: another field's, a job under way, or a job of its own.
    pub(super) fn order_missing(&mut self, layer: &CostLayer, now: Tick) {
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

    /// Forgets the jobs and the data that no field needs any more.
    pub(super) fn drop_unwanted(&mut self) {
        let fields = &self.fields;
        let wanted = |job| fields.iter().any(|(_, standing)| *standing == Standing::Building(job));
        self.orders.retain(|order| wanted(order.job.id));
        for (place, share) in self.shares.iter_mut().enumerate() {
            if !self.fields.iter().any(|(_, standing)| *standing == Standing::Ready(place)) {
                *share = None;
            }
        }
    }

    fn supply(&mut self, closed: &RowColBits, due: Tick) -> Standing {
        self.share_of(closed).map_or_else(|| self.order(closed, due), Standing::Ready)
    }

    /// Where the data for these closed cells are, if there are any.
    pub(super) fn share_of(&self, closed: &RowColBits) -> Option<usize> {
        let alike = |share: &Option<Share>| share.as_ref().is_some_and(|share| share.closed == *closed);
        self.shares.iter().position(alike)
    }

    /// Publishes what is due, doing the work now if nobody has, and catching up with edits made since it was asked for.
    pub(super) fn publish(&mut self, layer: &CostLayer, now: Tick) {
        while let Some(at) = self.orders.iter().position(|order| order.due <= now) {
            let Order { job, result, .. } = self.orders.remove(at);
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
            // However much it is: what can be seen must not depend on when the work was asked for.
            self.follow_share(layer, place, u64::MAX);
        }
    }
}
