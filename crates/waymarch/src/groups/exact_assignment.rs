//! The best assignment of slots to members: shortest augmenting paths, in integers.

use alloc::vec::Vec;

use super::points::Point;
use super::transport_map::TransportMap;
use crate::base::{Scratch, poison_list};

/// No row or column: 2^32 − 1.
const NONE: u32 = u32::MAX;

/// In a round of bids, members outbid each other at most 3 times per member.
const BIDS: usize = 3;

/// Scratch: finds the assignment with the least sum of squared distances. Rows are members, columns are slots.
///
/// The method of Jonker and Volgenant: prices for slots such that most members get their best slot, then a shortest path of exchanges for
/// each of the others. First prices come from a [`TransportMap`], which halves the work. Costs at most n³ steps, and about 30 n² for
/// points in a plane.
///
/// *No overflow:* coordinates are below 2^12, so costs are below 2^27. While a member has no slot, some slot still has its first price.
/// So no price falls below the first prices by more than one cost.
#[derive(Clone, Debug, Default)]
pub(super) struct ExactAssignment {
    cost: Vec<i32>,
    price: Vec<i32>,
    /// The row of each column.
    row_of: Vec<u32>,
    /// The column of each row.
    column_of: Vec<u32>,
    /// Rows without a column.
    free: Vec<u32>,
    /// The distance of each column; `i32::MAX` if it is closed.
    open: Vec<i32>,
    /// The row before each column on its shortest path.
    before: Vec<u32>,
    /// Closed columns, with their distances.
    closed: Vec<(u32, i32)>,
}

/// The two slots with the least cost minus price for a member.
#[derive(Clone, Copy, Debug)]
struct TwoBest {
    best: i32,
    column: usize,
    second: i32,
    /// The column of the second best.
    other: usize,
}

impl Scratch for ExactAssignment {
    /// The memory depends on the number of members of one class, which is at most [`EXACT_UP_TO`](super::EXACT_UP_TO).
    type Demand = ();

    fn poison(&mut self) {
        for list in [&mut self.cost, &mut self.price, &mut self.open] {
            poison_list(list, -7);
        }
        for list in [&mut self.row_of, &mut self.column_of, &mut self.free, &mut self.before] {
            poison_list(list, u32::MAX - 7);
        }
        poison_list(&mut self.closed, (u32::MAX, 7));
    }

    fn reserve(&mut self, (): ()) {}
}

impl ExactAssignment {
    /// The slot of each member. Both lists should be equally long; the rest of a longer one is left out.
    pub(super) fn solve(&mut self, members: &[Point], slots: &[Point]) -> &[u32] {
        let count = members.len().min(slots.len());
        let (members, slots) = (&members[..count], &slots[..count]);
        self.cost.clear();
        for member in members {
            self.cost.extend(slots.iter().map(|&slot| member.distance_squared(slot)));
        }
        let map = TransportMap::of(slots, members);
        self.price.clear();
        self.price.extend(slots.iter().map(|&slot| map.price(slot)));
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

    /// Members without a slot outbid each other.
    fn bid(&mut self, count: usize) {
        // Two rounds, with a limited number of bids. Members that are still free get a slot by exchanges.
        for _ in 0..2 {
            let (waiting, mut at, mut left, mut bids) = (self.free.len(), 0, 0, 0);
            while at < waiting {
                let row = self.free[at];
                at += 1;
                let TwoBest { best, mut column, second, other } = self.two_best(row, count);
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
                        // `left` is never above `at`: this entry has been read.
                        self.free[left] = ousted;
                        left += 1;
                    }
                }
            }
            self.free.truncate(left);
        }
    }

    /// The two best slots of a member.
    fn two_best(&self, row: u32, count: usize) -> TwoBest {
        let costs = &self.cost[row as usize * count..][..count];
        let (mut best, mut second, mut column, mut other) = (i32::MAX, i32::MAX, 0, 0);
        for (slot, (&cost, &price)) in costs.iter().zip(&self.price).enumerate() {
            let pays = cost.wrapping_sub(price);
            if pays < second {
                if pays < best {
                    (second, other) = (best, column);
                    (best, column) = (pays, slot);
                } else {
                    (second, other) = (pays, slot);
                }
            }
        }
        TwoBest { best, column, second, other }
    }

    /// Finds a slot for a member by the cheapest chain of exchanges.
    fn augment(&mut self, start: usize, count: usize) {
        let Self { cost, price, row_of, column_of, open, before, closed, .. } = self;
        open.clear();
        open.extend(
            cost[start * count..][..count].iter().zip(&*price).map(|(cost, price)| cost.wrapping_sub(*price)),
        );
        before.clear();
        before.resize(count, start as u32);
        closed.clear();
        let mut least = open.iter().copied().min().unwrap_or(0);
        let end = loop {
            // There always is one: each round closes a column, and a free column ends the loop.
            let Some(column) = open.iter().position(|&distance| distance == least) else { return };
            if row_of[column] == NONE {
                break column;
            }
            closed.push((column as u32, least));
            open[column] = i32::MAX;
            let row = row_of[column];
            let costs = &cost[row as usize * count..][..count];
            let base = costs[column].wrapping_sub(price[column]).wrapping_sub(least);
            let mut next = i32::MAX;
            for (((distance, from), &cost), &price) in
                open.iter_mut().zip(before.iter_mut()).zip(costs).zip(&*price)
            {
                let by_row = cost.wrapping_sub(price).wrapping_sub(base);
                // Without branches, so that the compiler can use vector instructions.
                let nearer = (*distance != i32::MAX) & (by_row < *distance);
                *distance = if nearer { by_row } else { *distance };
                *from = if nearer { row } else { *from };
                next = next.min(*distance);
            }
            least = next;
        };
        for &(column, distance) in &*closed {
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
