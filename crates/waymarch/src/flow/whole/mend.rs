//! Mending a field after edits: first what lost its way is found, then new ways spread from the rim of that.

use super::field::Target;
use super::goals::GoalCells;
use super::ground::{CostsNow, Ground};
use super::label::{Label, TooDear};
use super::scratch::WholeScratch;
use super::spread::{Mending, Seed, Spread};
use crate::base::Dir8;
use crate::cost::{IMPASSABLE, PadId, Padding, SectorGrid, StepRule, step_length};

/// More than a part of this many of all cells lost their way: making a field anew is cheaper.
const TOO_MANY: usize = 4;

/// It is better made anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GaveUp;

impl From<TooDear> for GaveUp {
    fn from(_: TooDear) -> Self {
        Self
    }
}

/// What has to be known beside the field's own memory.
pub(super) struct Edited<'a> {
    pub(super) now: CostsNow<'a>,
    pub(super) cells: GoalCells<'a>,
    pub(super) target: &'a Target,
    /// How sectors lie; the changed ones are in the scratch.
    pub(super) sectors: SectorGrid,
}

/// A field's memory in the mending.
pub(super) struct Mend<'a, L> {
    pub(super) labels: &'a mut [L],
    pub(super) ground: &'a mut Ground,
    pub(super) flow: &'a mut [u8],
    pub(super) scratch: &'a mut WholeScratch,
}

/// Where the neighbours of a place lie, and which of them a step may go to.
struct Around {
    offsets: [isize; 8],
    stride: usize,
    legal: &'static [u8; 256],
}

impl Around {
    fn new(padding: Padding, rule: StepRule) -> Self {
        let offsets = padding.neighbour_offsets().map(|offset| offset as isize);
        Self { offsets, stride: padding.stride() as usize, legal: rule.table() }
    }

    #[inline]
    fn near(&self, place: usize) -> [usize; 8] {
        self.offsets.map(|offset| place.wrapping_add_signed(offset))
    }

    /// The least label that the neighbours' come to.
    #[inline]
    fn best<L: Label>(&self, labels: &[L], cost: &[u8], place: usize) -> L {
        let near = self.near(place);
        let mut open = 0;
        for (dir, &next) in near.iter().enumerate() {
            open |= usize::from(cost[next] != IMPASSABLE) << dir;
        }
        let (mut steps, mut best) = (self.legal[open], L::UNREACHED);
        while steps != 0 {
            let dir = Dir8::from_index(steps.trailing_zeros() as u8);
            steps &= steps - 1;
            let next = near[usize::from(dir.index())];
            if labels[next] != L::UNREACHED {
                let step = step_length(dir) * u32::from(cost[next]);
                best = best.min(labels[next].after(step).with_dir(dir.index()));
            }
        }
        best
    }
}

impl<L: Label> Mend<'_, L> {
    /// Follows the edits in the sectors that `scratch` lists; how many cells changed or got
    /// another label, some perhaps several times.
    ///
    /// Costs the cells whose way changes and their neighbours, times the logarithm of how many lie on the rim.
    pub(super) fn run(&mut self, edited: &Edited<'_>) -> Result<u32, GaveUp> {
        let padding = edited.now.field.padding();
        let around = Around::new(padding, edited.target.rule);
        let most = self.labels.len() / TOO_MANY + 64;
        self.scratch.front.clear();
        self.find_touched(edited, padding);
        if self.scratch.touched.is_empty() {
            self.ground.follow_shift(edited.now);
            return Ok(0);
        }
        if self.scratch.touched.len() > most {
            return Err(GaveUp);
        }
        let shift = self.ground.follow_shift(edited.now);
        self.seed_neighbours(&around, shift);
        let mut changes = self.scratch.touched.len() as u32;
        changes += self.raise(&around, shift, most)?;
        changes += self.lower(&around, edited.target.rule)?;
        Ok(changes)
    }

    /// Takes over costs and goal cells that changed; opened cells and those in and out of the goal are pending.
    fn find_touched(&mut self, edited: &Edited<'_>, padding: Padding) {
        let WholeScratch { touched, pending, sectors, .. } = &mut *self.scratch;
        let labels = &mut *self.labels;
        touched.clear();
        pending.clear();
        for &sector in &*sectors {
            self.ground.follow(edited.now, edited.sectors.area(sector), |place, before, now| {
                touched.push(place as u32);
                if now == IMPASSABLE {
                    labels[place] = L::CLOSED;
                } else if before == IMPASSABLE {
                    labels[place] = L::UNREACHED;
                    pending.push(place as u32);
                }
            });
        }
        let (map, size) = (edited.now.field.grid().rect(), edited.target.key.agent.size);
        for &sector in &*sectors {
            // A unit feels from here whether it may stop there.
            let area = edited.sectors.area(sector).grow(size.reach_south_east(), size.reach_north_west());
            for at in edited.cells.candidates(area.intersect(map)) {
                let PadId(place) = padding.pad(at);
                let label = &mut labels[place as usize];
                let (was, is) = (*label == L::GOAL, edited.cells.contains(at));
                if was != is {
                    *label = if is { L::GOAL } else { L::UNREACHED };
                    touched.push(place);
                    pending.push(place);
                }
            }
        }
        for &place in &*touched {
            self.flow[place as usize] = self.labels[place as usize].byte();
        }
    }

    /// What a changed cell can change are its neighbours: those with a way are looked at in order, the others are pending.
    fn seed_neighbours(&mut self, around: &Around, shift: u32) {
        let WholeScratch { touched, pending, seeds, .. } = &mut *self.scratch;
        seeds.clear();
        for &place in &*touched {
            for next in around.near(place as usize) {
                // Those off the map are closed.
                let label = self.labels[next];
                if label.has_step() {
                    seeds.push(Seed { bucket: label.bucket(shift), place: next as u32 });
                } else if label == L::UNREACHED {
                    pending.push(next as u32);
                }
            }
        }
        seeds.sort_unstable();
        seeds.dedup();
    }

    /// Takes away the labels of all cells whose way no longer holds, those with the cheapest ways first.
    ///
    /// Whether a cell still has a way as cheap as before depends on cheaper cells only, which are all decided by then. A cell whose
    /// way went through one that lost its own is looked at in turn; no other can be affected.
    fn raise(&mut self, around: &Around, shift: u32, most: usize) -> Result<u32, GaveUp> {
        let seeds = core::mem::take(&mut self.scratch.seeds);
        let mut waiting_seeds = seeds.iter().peekable();
        let (mut present, mut changes) = (0, 0);
        loop {
            let waiting = self.scratch.front.lowest_from(present);
            let next = waiting_seeds.peek().map(|seed| seed.bucket);
            present = match (waiting, next) {
                (Some(waiting), Some(next)) => waiting.min(next),
                (Some(bucket), None) | (None, Some(bucket)) => bucket,
                (None, None) => break,
            };
            while let Some(seed) = waiting_seeds.next_if(|seed| seed.bucket == present) {
                self.scratch.front.push(present, seed.place);
            }
            let mut bucket = self.scratch.front.open(present);
            while let Some(batch) = self.scratch.front.next(&mut bucket) {
                for &place in batch.places() {
                    changes += self.decide(place, around, shift);
                }
                if self.scratch.pending.len() > most {
                    self.scratch.seeds = seeds;
                    return Err(GaveUp);
                }
            }
        }
        self.scratch.seeds = seeds;
        Ok(changes)
    }

    /// Decides whether a cell's way still holds, all cheaper ones being decided; 1 if it now begins in another direction.
    fn decide(&mut self, at: u32, around: &Around, shift: u32) -> u32 {
        let (labels, place) = (&mut *self.labels, at as usize);
        let label = labels[place];
        if !label.has_step() {
            return 0;
        }
        let best = around.best(labels, &self.ground.cost, place);
        if best.same_cost(label) {
            labels[place] = best;
            self.flow[place] = best.byte();
            return u32::from(best != label);
        }
        self.scratch.pending.push(at);
        if best < label {
            // Cheaper: what it says is still no less than the truth, which is all its neighbours need for now.
            return 0;
        }
        labels[place] = L::UNREACHED;
        for (dir, next) in around.near(place).into_iter().enumerate() {
            let label = labels[next];
            if label.has_step() && usize::from(label.dir()) == (dir + 4) % 8 {
                self.scratch.front.push(label.bucket(shift), next as u32);
            }
        }
        0
    }

    /// Gives every pending cell the best that its neighbours offer, and spreads from there.
    fn lower(&mut self, around: &Around, rule: StepRule) -> Result<u32, GaveUp> {
        let WholeScratch { front, pending, seeds, .. } = &mut *self.scratch;
        let (labels, cost, shift) = (&mut *self.labels, &self.ground.cost[..], self.ground.shift);
        seeds.clear();
        let last = L::last_bucket(shift);
        for &place in &*pending {
            let at = place as usize;
            if labels[at] != L::GOAL {
                let best = around.best(labels, cost, at);
                // Pending cells build on one another: without this look the sum of many steps would not fit, however near each is.
                if best != L::UNREACHED && best.bucket(shift) > last {
                    return Err(GaveUp);
                }
                labels[at] = best;
                self.flow[at] = best.byte();
            }
            if labels[at] != L::UNREACHED {
                seeds.push(Seed { bucket: labels[at].bucket(shift), place });
            }
        }
        seeds.sort_unstable();
        let mut mending = Mending { flow: self.flow, changes: pending.len() as u32 };
        let mut spread = Spread { cost, labels, front, stride: around.stride, shift };
        spread.run(rule, seeds, &mut mending)?;
        Ok(mending.changes)
    }
}
