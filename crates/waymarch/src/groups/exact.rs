//! The cheapest way to give everybody a place: shortest augmenting paths, in integers.

use alloc::vec::Vec;

const NONE: u32 = u32::MAX;

/// A point in 1024ths of a cell, from the middle of its set: moving all places by the same does not change who should take which.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Point {
    #[inline]
    pub(super) fn leg(self, to: Self) -> i64 {
        let (x, y) = (i64::from(self.x) - i64::from(to.x), i64::from(self.y) - i64::from(to.y));
        x * x + y * y
    }
}

/// Scratch: solves assignments exactly, in the least sum of squared legs.
///
/// The method of Jonker and Volgenant: prices for places such that most members get the place they would choose, then for each
/// of the others a shortest path of exchanges. Costs at most n³ steps, near n² for points on a plain.
#[derive(Clone, Debug, Default)]
pub(super) struct Exact {
    cost: Vec<i64>,
    price: Vec<i64>,
    /// The row of each column, and the column of each row.
    row_of: Vec<u32>,
    column_of: Vec<u32>,
    free: Vec<u32>,
    shortest: Vec<i64>,
    before: Vec<u32>,
    /// Columns: those settled, those at the least distance, the others.
    columns: Vec<u32>,
}

impl Exact {
    /// The place of each member; both lists are equally long, and the longer one's rest is left out if they are not.
    pub(super) fn solve(&mut self, members: &[Point], places: &[Point]) -> &[u32] {
        let count = members.len().min(places.len());
        self.cost.clear();
        for member in &members[..count] {
            self.cost.extend(places[..count].iter().map(|&place| member.leg(place)));
        }
        self.price.clear();
        self.price.resize(count, i64::MAX);
        self.row_of.clear();
        self.row_of.resize(count, NONE);
        self.column_of.clear();
        self.column_of.resize(count, NONE);
        if count > 0 {
            self.begin(count);
            self.bid(count);
            for at in 0..self.free.len() {
                self.augment(self.free[at] as usize, count);
            }
        }
        &self.column_of
    }

    /// Each place is priced at what its nearest member pays, who takes it if it has none.
    fn begin(&mut self, count: usize) {
        self.before.clear();
        self.before.resize(count, 0);
        for (row, costs) in self.cost.chunks_exact(count).enumerate() {
            for (column, &cost) in costs.iter().enumerate() {
                if cost < self.price[column] {
                    self.price[column] = cost;
                    self.before[column] = row as u32;
                }
            }
        }
        for column in (0..count).rev() {
            let row = self.before[column] as usize;
            if self.column_of[row] == NONE {
                self.column_of[row] = column as u32;
                self.row_of[column] = row as u32;
            }
        }
    }

    /// Members without a place outbid each other, a few times at most.
    fn bid(&mut self, count: usize) {
        self.free.clear();
        self.free.extend((0..count as u32).filter(|&row| self.column_of[row as usize] == NONE));
        // Two rounds, and not for ever within one: who is still free then is helped by exchanges.
        for _ in 0..2 {
            let (waiting, mut at, mut left, mut bids) = (self.free.len(), 0, 0, 0);
            while at < waiting {
                let row = self.free[at];
                at += 1;
                let costs = &self.cost[row as usize * count..][..count];
                let (mut best, mut second, mut column, mut other) = (i64::MAX, i64::MAX, 0, 0);
                for (place, (&cost, &price)) in costs.iter().zip(&self.price).enumerate() {
                    let pays = cost - price;
                    if pays < second {
                        if pays < best {
                            (second, other) = (best, column);
                            (best, column) = (pays, place);
                        } else {
                            (second, other) = (pays, place);
                        }
                    }
                }
                if count == 1 {
                    second = best;
                }
                let mut ousted = self.row_of[column];
                if best < second {
                    self.price[column] -= second - best;
                } else if ousted != NONE && count > 1 {
                    column = other;
                    ousted = self.row_of[column];
                }
                self.column_of[row as usize] = column as u32;
                self.row_of[column] = row;
                if ousted != NONE {
                    self.column_of[ousted as usize] = NONE;
                    bids += 1;
                    if best < second && bids < 8 * count {
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

    /// Finds a place for a member by the cheapest chain of exchanges.
    fn augment(&mut self, start: usize, count: usize) {
        let Self { cost, price, row_of, column_of, shortest, before, columns, .. } = self;
        columns.clear();
        columns.extend(0..count as u32);
        before.clear();
        before.resize(count, start as u32);
        shortest.clear();
        shortest.extend(
            cost[start * count..][..count].iter().zip(price.iter()).map(|(cost, price)| cost - price),
        );
        // Settled: ..low. At the least distance: low..up.
        let (mut low, mut up, mut settled, mut least) = (0, 0, 0, 0);
        let end = 'search: loop {
            if low == up {
                settled = low;
                least = i64::MAX;
                for at in low..count {
                    let distance = shortest[columns[at] as usize];
                    if distance <= least {
                        if distance < least {
                            up = low;
                            least = distance;
                        }
                        columns.swap(at, up);
                        up += 1;
                    }
                }
                if let Some(&free) = columns[low..up].iter().find(|&&column| row_of[column as usize] == NONE)
                {
                    break 'search free as usize;
                }
            }
            let column = columns[low] as usize;
            low += 1;
            let row = row_of[column] as usize;
            let costs = &cost[row * count..][..count];
            let base = costs[column] - price[column] - least;
            for at in up..count {
                let next = columns[at] as usize;
                let distance = costs[next] - price[next] - base;
                if distance < shortest[next] {
                    before[next] = row as u32;
                    shortest[next] = distance;
                    if distance == least {
                        if row_of[next] == NONE {
                            break 'search next;
                        }
                        columns.swap(at, up);
                        up += 1;
                    }
                }
            }
        };
        for &column in &columns[..settled] {
            price[column as usize] += shortest[column as usize] - least;
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
