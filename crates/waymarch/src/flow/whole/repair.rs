//! Repairing a field after edits: remove the labels that no longer hold, then spread new ones from the rest.

use super::goals::GoalCells;
use super::ground::Ground;
use super::key::Target;
use super::scratch::RepairScratch;
use crate::base::Dir8;
use crate::cost::{CostView, IMPASSABLE, PadId, Padding, SectorGrid, StepRule, step_length};
use crate::flow::dijkstra::{Label, Repairing, Seed, Spread, TooDear};

/// If more than 1/4 of all cells (plus 64) lost their labels, a rebuild is cheaper than a repair.
const MOST_RAISED: usize = 4;

/// The field should be rebuilt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GaveUp;

impl From<TooDear> for GaveUp {
    fn from(_: TooDear) -> Self {
        Self
    }
}

/// What a repair needs besides the field's own memory.
pub(super) struct Edited<'a> {
    pub(super) now: CostView<'a>,
    pub(super) cells: GoalCells<'a>,
    pub(super) target: &'a Target,
    /// How the map is divided into sectors. The changed sectors are in the scratch.
    pub(super) sectors: SectorGrid,
}

/// A field under repair.
pub(super) struct Repair<'a, L> {
    pub(super) labels: &'a mut [L],
    pub(super) ground: &'a mut Ground,
    pub(super) flow: &'a mut [u8],
    pub(super) scratch: &'a mut RepairScratch,
}

/// The index offsets of a place's neighbours, and the legal steps.
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

    /// The least label that steps to the neighbours give.
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

impl<L: Label> Repair<'_, L> {
    /// Follows the edits in the sectors that `scratch` lists. Returns how many cells changed their cost or label; some may count several times.
    ///
    /// The work grows with the number of cells whose route changes, and their neighbours.
    ///
    /// # Errors
    /// [`GaveUp`] if a rebuild is cheaper, or a cost does not fit in the labels.
    pub(super) fn run(&mut self, edited: &Edited<'_>) -> Result<u32, GaveUp> {
        let padding = edited.now.field.padding();
        let around = Around::new(padding, edited.target.rule);
        let most = self.labels.len() / MOST_RAISED + 64;
        self.scratch.queue.clear();
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

    /// Copies costs and goal cells that changed. Opened cells, and cells that entered or left the goal, are pending.
    fn find_touched(&mut self, edited: &Edited<'_>, padding: Padding) {
        let RepairScratch { touched, pending, sectors, .. } = &mut *self.scratch;
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
            // A large unit can stand outside the sector and still cover cells of it.
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

    /// A changed cell affects its neighbours. Neighbours with a label become seeds; the others are pending.
    fn seed_neighbours(&mut self, around: &Around, shift: u32) {
        let RepairScratch { touched, pending, seeds, .. } = &mut *self.scratch;
        seeds.clear();
        for &place in &*touched {
            for next in around.near(place as usize) {
                // Cells off the map are closed.
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

    /// Removes the labels that no longer hold, the cheapest first.
    ///
    /// Whether a cell still has a route as cheap as before depends on cheaper cells only, which are all decided by then. If a cell loses
    /// its label, the neighbours whose route led through it are checked next. No other cell can be affected.
    ///
    /// # Errors
    /// [`GaveUp`] if too many cells lost their labels.
    fn raise(&mut self, around: &Around, shift: u32, most: usize) -> Result<u32, GaveUp> {
        let (mut next_seed, mut present, mut changes) = (0, 0, 0);
        loop {
            let waiting = self.scratch.queue.lowest_from(present);
            let next = self.scratch.seeds.get(next_seed).map(|seed| seed.bucket);
            present = match (waiting, next) {
                (Some(waiting), Some(next)) => waiting.min(next),
                (Some(bucket), None) | (None, Some(bucket)) => bucket,
                (None, None) => break,
            };
            while let Some(seed) = self.scratch.seeds.get(next_seed).filter(|seed| seed.bucket == present) {
                self.scratch.queue.push(present, seed.place);
                next_seed += 1;
            }
            let mut bucket = self.scratch.queue.open(present);
            while let Some(batch) = self.scratch.queue.next(&mut bucket) {
                for &place in batch.places() {
                    changes += self.decide(place, around, shift);
                }
                if self.scratch.pending.len() > most {
                    return Err(GaveUp);
                }
            }
        }
        Ok(changes)
    }

    /// Decides whether a cell's label still holds, after all cheaper ones. Returns 1 if only its direction changed, else 0.
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
            // The cell got cheaper. Its old label is an upper bound on the new cost, which is enough while labels are removed; `lower`
            // corrects it.
            return 0;
        }
        labels[place] = L::UNREACHED;
        for (dir, next) in around.near(place).into_iter().enumerate() {
            let label = labels[next];
            if label.has_step() && usize::from(label.dir()) == (dir + 4) % 8 {
                self.scratch.queue.push(label.bucket(shift), next as u32);
            }
        }
        0
    }

    /// Gives each pending cell the best label that its neighbours offer, and spreads from there.
    ///
    /// # Errors
    /// [`GaveUp`] if a cost does not fit in the labels.
    fn lower(&mut self, around: &Around, rule: StepRule) -> Result<u32, GaveUp> {
        let RepairScratch { queue, pending, seeds, .. } = &mut *self.scratch;
        let (labels, cost, shift) = (&mut *self.labels, &self.ground.cost[..], self.ground.shift);
        seeds.clear();
        let last = L::last_bucket(shift);
        for &place in &*pending {
            let at = place as usize;
            if labels[at] != L::GOAL {
                let best = around.best(labels, cost, at);
                // A pending cell may take its label from another pending cell. Without this check, the sum of many steps could exceed the
                // range of labels.
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
        let mut repairing = Repairing { flow: self.flow, changes: pending.len() as u32 };
        let mut spread = Spread { cost, labels, queue, stride: around.stride, shift };
        spread.run(rule, seeds, &mut repairing)?;
        Ok(repairing.changes)
    }
}
