//! The search: Dijkstra from known labels outwards, bucket by bucket.

use super::bucket_queue::BucketQueue;
use super::label::{Label, TooDear};
use crate::cost::{CornerRule, DIAGONAL, Neighbours, STRAIGHT, StepRule};

/// One search (a spread), with the costs that it reads and the labels that it writes.
pub(in crate::flow) struct Spread<'a, L> {
    /// The cost of each cell, in padded order.
    pub(in crate::flow) cost: &'a [u8],
    /// The label of each cell, in padded order.
    pub(in crate::flow) labels: &'a mut [L],
    pub(in crate::flow) queue: &'a mut BucketQueue,
    /// Cells from one row to the next.
    pub(in crate::flow) stride: usize,
    /// Buckets are 2^shift wide.
    pub(in crate::flow) shift: u32,
}

/// A place with a label to start from; ordered by bucket.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::flow) struct Seed {
    pub(in crate::flow) bucket: u64,
    pub(in crate::flow) place: u32,
}

/// What differs between making a field and repairing one.
pub(in crate::flow) trait Purpose {
    /// Whether a place must be queued again after its label was lowered from `before` to `now`.
    fn must_wait<L: Label>(before: L, now: L, shift: u32) -> bool;

    /// A place has a new label.
    fn changed<L: Label>(&mut self, place: usize, label: L);
}

/// Makes a field: all labels are new, so each place with a label is already in the queue, in its bucket.
pub(in crate::flow) struct Making;

impl Purpose for Making {
    #[inline(always)]
    fn must_wait<L: Label>(before: L, now: L, shift: u32) -> bool {
        before.bucket(shift) != now.bucket(shift)
    }

    #[inline(always)]
    fn changed<L: Label>(&mut self, _: usize, _: L) {}
}

/// Repairs a field: most labels are correct and not in the queue. Changed labels are written to the flow bytes at once.
pub(in crate::flow) struct Repairing<'a> {
    /// Padded flow bytes.
    pub(in crate::flow) flow: &'a mut [u8],
    /// The number of label changes. A label that changed twice counts twice.
    pub(in crate::flow) changes: u32,
}

impl Purpose for Repairing<'_> {
    #[inline(always)]
    fn must_wait<L: Label>(before: L, now: L, _: u32) -> bool {
        !before.same_cost(now)
    }

    #[inline(always)]
    fn changed<L: Label>(&mut self, place: usize, label: L) {
        self.changes += 1;
        if let Some(byte) = self.flow.get_mut(place) {
            *byte = label.byte();
        }
    }
}

impl<L: Label> Spread<'_, L> {
    /// Runs the search from `seeds` and from the places in the queue, from bucket 0 up. The seeds must be sorted, and their labels set.
    ///
    /// At the end all labels are the least possible, on two conditions:
    ///
    /// - each label that is set is the cost of some route;
    /// - each place that can lower a neighbour's label is in the queue or a seed.
    ///
    /// # Errors
    /// [`TooDear`] if a cost does not fit in the labels.
    pub(in crate::flow) fn run(
        &mut self,
        rule: StepRule,
        seeds: &[Seed],
        purpose: &mut impl Purpose,
    ) -> Result<(), TooDear> {
        // How many of the two cells beside a diagonal step must be open.
        match (rule.neighbours, rule.corners) {
            (Neighbours::Four, _) => self.run_with::<_, 3>(seeds, purpose),
            (Neighbours::Eight, CornerRule::Forbid) => self.run_with::<_, 2>(seeds, purpose),
            (Neighbours::Eight, CornerRule::AllowOne) => self.run_with::<_, 1>(seeds, purpose),
            (Neighbours::Eight, CornerRule::Allow) => self.run_with::<_, 0>(seeds, purpose),
        }
    }

    fn run_with<P: Purpose, const BESIDE: u8>(
        &mut self,
        seeds: &[Seed],
        purpose: &mut P,
    ) -> Result<(), TooDear> {
        let last = L::last_bucket(self.shift);
        let mut seeds = seeds.iter().peekable();
        let mut present = 0;
        loop {
            let waiting = self.queue.lowest_from(present);
            let next = seeds.peek().map(|seed| seed.bucket);
            present = match (waiting, next) {
                (Some(waiting), Some(next)) => waiting.min(next),
                (Some(bucket), None) | (None, Some(bucket)) => bucket,
                (None, None) => return Ok(()),
            };
            if present > last {
                return Err(TooDear);
            }
            while let Some(seed) = seeds.next_if(|seed| seed.bucket == present) {
                self.queue.push(present, seed.place);
            }
            let mut bucket = self.queue.open(present);
            while let Some(batch) = self.queue.next(&mut bucket) {
                for &place in batch.places() {
                    let place = place as usize;
                    let label = self.labels[place];
                    // If the label was lowered after this entry was queued, the place was expanded in a lower bucket.
                    if label.bucket(self.shift) == present {
                        self.expand::<P, BESIDE>(place, label, purpose);
                    }
                }
            }
        }
    }

    /// Offers the steps into `place` to its eight neighbours. `None` if a neighbour lies outside the array, which padding prevents.
    #[inline(always)]
    fn expand<P: Purpose, const BESIDE: u8>(
        &mut self,
        place: usize,
        label: L,
        purpose: &mut P,
    ) -> Option<()> {
        // A step costs its length times the cost of the cell that it enters.
        let cost = u32::from(*self.cost.get(place)?);
        let (straight, diagonal) = (label.after(STRAIGHT * cost), label.after(DIAGONAL * cost));
        let (queue, shift) = (&mut *self.queue, self.shift);
        let mut offer = |label: &mut L, now: L, place: usize| {
            let before = *label;
            if now < before {
                *label = now;
                purpose.changed(place, now);
                if P::must_wait(before, now, shift) {
                    queue.push(now.bucket(shift), place as u32);
                }
            }
        };
        let start = place - 1;
        let row = self.labels.get_mut(start..)?.first_chunk_mut::<3>()?;
        let beside = [row[0] != L::CLOSED, row[2] != L::CLOSED];
        offer(&mut row[0], straight.with_dir(2), start);
        offer(&mut row[2], straight.with_dir(6), start + 2);
        let next = start - self.stride;
        let row = self.labels.get_mut(next..)?.first_chunk_mut::<3>()?;
        let north = [diagonal.with_dir(3), straight.with_dir(4), diagonal.with_dir(5)];
        offer_row::<L, BESIDE>(row, next, beside, north, &mut offer);
        let next = start + self.stride;
        let row = self.labels.get_mut(next..)?.first_chunk_mut::<3>()?;
        let south = [diagonal.with_dir(1), straight.with_dir(0), diagonal.with_dir(7)];
        offer_row::<L, BESIDE>(row, next, beside, south, &mut offer);
        Some(())
    }
}

/// Offers steps to the three cells of the row north or south of a place, from west to east. `beside` says whether the cells west and east of the place
/// are open.
#[inline(always)]
fn offer_row<L: Label, const BESIDE: u8>(
    row: &mut [L; 3],
    start: usize,
    beside: [bool; 2],
    labels: [L; 3],
    offer: &mut impl FnMut(&mut L, L, usize),
) {
    let middle = row[1] != L::CLOSED;
    let may_pass = |other: bool| match BESIDE {
        0 => true,
        1 => middle | other,
        2 => middle & other,
        _ => false,
    };
    offer(&mut row[1], labels[1], start + 1);
    if may_pass(beside[0]) {
        offer(&mut row[0], labels[0], start);
    }
    if may_pass(beside[1]) {
        offer(&mut row[2], labels[2], start + 2);
    }
}
