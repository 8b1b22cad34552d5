//! The cheapest way to give everybody a place: shortest augmenting paths, in integers.

use alloc::vec::Vec;

use super::likeness::{Likeness, Point};
use crate::base::spoil;

const NONE: u32 = u32::MAX;
/// How often, for each member, members may outbid each other in a round.
const BIDS: usize = 3;

/// Scratch: solves assignments exactly, in the least sum of squared legs.
///
/// The method of Jonker and Volgenant: prices for places such that most members get the place they would choose, then for each
/// of the others a shortest path of exchanges. Prices begin with those that would be right if both sets were clouds of no particular
/// shape ([`Likeness`]); that halves the work. Costs at most n³ steps, some 30 n² for points on a plain.
///
/// *No overflow:* coordinates are below 2^12, so costs are below 2^27. While somebody has no place, some place has not been bid
/// for and has its first price, so no price falls further below the first ones than a cost.
#[derive(Clone, Debug, Default)]
pub(super) struct Exact {
    cost: Vec<i32>,
    price: Vec<i32>,
    /// The row of each column, and the column of each row.
    row_of: Vec<u32>,
    column_of: Vec<u32>,
    free: Vec<u32>,
    /// How far each column is, `i32::MAX` if it is settled, and from which row.
    open: Vec<i32>,
    before: Vec<u32>,
    settled: Vec<(u32, i32)>,
}

impl Exact {
    /// Fills it with rubbish; no answer changes.
    pub(super) fn poison(&mut self) {
        for list in [&mut self.cost, &mut self.price, &mut self.open] {
            spoil(list, -7);
        }
        for list in [&mut self.row_of, &mut self.column_of, &mut self.free, &mut self.before] {
            spoil(list, u32::MAX - 7);
        }
        spoil(&mut self.settled, (u32::MAX, 7));
    }

    /// The place of each member; both lists are equally long, and the longer one's rest is left out if they are not.
    pub(super) fn solve(&mut self, members: &[Point], places: &[Point]) -> &[u32] {
        let count = members.len().min(places.len());
        let (members, places) = (&members[..count], &places[..count]);
        self.cost.clear();
        for member in members {
            self.cost.extend(places.iter().map(|&place| member.leg(place)));
        }
        let likeness = Likeness::of(places, members);
        self.price.clear();
        self.price.extend(places.iter().map(|&place| likeness.price(place)));
        self.row_of.clear();
        self.row_of.resize(count, NONE);
        self.column_of.clear();
        self.column_of.resize(count, NONE);
        self.free.clear();
        self.free.extend(0..count as u32);
        if count > 1 {
            self.bid(count);
        }
        for at in 0..self.free.len() {
            self.augment(self.free[at] as usize, count);
        }
        &self.column_of
    }

    /// Members without a place outbid each other, a few times at most.
    fn bid(&mut self, count: usize) {
        // Two rounds, and not for ever within one: who is still free then is helped by exchanges.
        for _ in 0..2 {
            let (waiting, mut at, mut left, mut bids) = (self.free.len(), 0, 0, 0);
            while at < waiting {
                let row = self.free[at];
                at += 1;
                let (best, mut column, second, other) = self.two_best(row, count);
                let mut ousted = self.row_of[column];
                if best < second {
                    self.price[column] = self.price[column].wrapping_sub(second.wrapping_sub(best));
                } else if ousted != NONE {
                    column = other;
                    ousted = self.row_of[column];
                }
                self.column_of[row as usize] = column as u32;
                self.row_of[column] = row;
                if ousted != NONE {
                    self.column_of[ousted as usize] = NONE;
                    bids += 1;
                    if best < second && bids < BIDS * count {
                        at -= 1;
                        self.free[at] = ousted;
                    } else {
                        // `left` never passes `at`: this place has been read.
                        self.free[left] = ousted;
                        left += 1;
                    }
                }
            }
            self.free.truncate(left);
        }
    }

    /// What the best and the second best place come to for a member, and which they are.
    fn two_best(&self, row: u32, count: usize) -> (i32, usize, i32, usize) {
        let costs = &self.cost[row as usize * count..][..count];
        let (mut best, mut second, mut column, mut other) = (i32::MAX, i32::MAX, 0, 0);
        for (place, (&cost, &price)) in costs.iter().zip(&self.price).enumerate() {
            let pays = cost.wrapping_sub(price);
            if pays < second {
                if pays < best {
                    (second, other) = (best, column);
                    (best, column) = (pays, place);
                } else {
                    (second, other) = (pays, place);
                }
            }
        }
        (best, column, second, other)
    }

    /// Finds a place for a member by the cheapest chain of exchanges.
    fn augment(&mut self, start: usize, count: usize) {
        let Self { cost, price, row_of, column_of, open, before, settled, .. } = self;
        open.clear();
        open.extend(
            cost[start * count..][..count].iter().zip(&*price).map(|(cost, price)| cost.wrapping_sub(*price)),
        );
        before.clear();
        before.resize(count, start as u32);
        settled.clear();
        let mut least = open.iter().copied().min().unwrap_or(0);
        let end = loop {
            // There is one: each round settles a column, and a free one ends it.
            let Some(column) = open.iter().position(|&distance| distance == least) else { return };
            if row_of[column] == NONE {
                break column;
            }
            settled.push((column as u32, least));
            open[column] = i32::MAX;
            let row = row_of[column];
            let costs = &cost[row as usize * count..][..count];
            let base = costs[column].wrapping_sub(price[column]).wrapping_sub(least);
            let mut next = i32::MAX;
            for (((distance, from), &cost), &price) in
                open.iter_mut().zip(before.iter_mut()).zip(costs).zip(&*price)
            {
                let by_row = cost.wrapping_sub(price).wrapping_sub(base);
                // Without branches, so that several columns are done at once.
                let nearer = (*distance != i32::MAX) & (by_row < *distance);
                *distance = if nearer { by_row } else { *distance };
                *from = if nearer { row } else { *from };
                next = next.min(*distance);
            }
            least = next;
        };
        for &(column, distance) in &*settled {
            let price = &mut price[column as usize];
            *price = price.wrapping_add(distance.wrapping_sub(least));
        }
        let mut column = end;
        loop {
            let row = before[column] as usize;
            row_of[column] = row as u32;
            let freed = core::mem::replace(&mut column_of[row], column as u32);
            if row == start {
                return;
            }
            column = freed as usize;
        }
    }
}
