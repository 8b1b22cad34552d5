//! A nearly best assignment for many members: blocks of neighbours, each solved exactly.

use alloc::vec::Vec;
use core::ops::Range;

use super::exact_assignment::ExactAssignment;
use super::points::Point;
use super::transport_map::TransportMap;
use crate::base::{Scratch, poison_list};

/// A block has at most 24 members.
const BLOCK: usize = 24;

/// The first sweep cuts at 4/8, along the axes of the map.
const FIRST_SWEEP: Sweep = Sweep { eighths: 4, axis: (1, 0), cuts: Cut::Both };

/// The second sweep cuts at 3/8 first, along diagonal axes, so that its blocks differ from the first sweep's.
const SECOND_SWEEP: Sweep = Sweep { eighths: 3, axis: (1, 1), cuts: Cut::Slots };

/// A member is compared for an exchange with the next 1,023 members in the order of blocks: a window of 1,024 with itself.
const WINDOW: usize = 1024;

/// A member is compared with 32 others at a time, by vector instructions.
const LANES: usize = 32;

/// Scratch: finds assignments whose sum of squared distances is near the least.
///
/// Members are moved onto the slots by a [`TransportMap`]. Both sets are cut at their medians, along the axis on which they extend
/// farther, until blocks are small. Each block is solved exactly. Then each pair of members that gains by it exchanges slots, once. Then
/// blocks are cut along other lines and solved again. Only the first step can make the sum larger.
///
/// Measured: at most 0.25 % above the best for 201 to 500 members, from two shapes into six, at a distance of about the group's own size
/// (`tests/movement/groups_assignment.rs`).
#[derive(Clone, Debug, Default)]
pub(super) struct BlockAssignment {
    mapped: Vec<Point>,
    cutter: Cutter,
    pairs: Pairs,
}

/// Scratch: cuts members and slots into blocks, and solves each.
#[derive(Clone, Debug, Default)]
struct Cutter {
    /// Indices of members, and of slots, in the order of blocks.
    rows: Vec<u32>,
    columns: Vec<u32>,
    stack: Vec<Range<usize>>,
    /// Members and slots of one block.
    members: Vec<Point>,
    slots: Vec<Point>,
    /// The member of each slot.
    row_of: Vec<u32>,
}

/// Members and their slots as four lists of 16-bit numbers, for vector instructions.
#[derive(Clone, Debug, Default)]
struct Pairs {
    x: Vec<i16>,
    y: Vec<i16>,
    slot_x: Vec<i16>,
    slot_y: Vec<i16>,
}

/// Members and slots, the same number of each.
#[derive(Clone, Copy, Debug)]
struct Sets<'a> {
    members: &'a [Point],
    slots: &'a [Point],
}

/// How a sweep cuts the sets.
#[derive(Clone, Copy, Debug)]
struct Sweep {
    /// The first cut is at this many eighths, all later cuts at the half.
    eighths: usize,
    /// The direction of the first of two axes.
    axis: (i32, i32),
    cuts: Cut,
}

/// What a sweep cuts: both sets, or the slots alone, each with its member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cut {
    Both,
    Slots,
}

impl Scratch for BlockAssignment {
    /// The memory grows with the largest class of members so far.
    type Demand = ();

    fn poison(&mut self) {
        let Self { mapped, cutter, pairs: Pairs { x, y, slot_x, slot_y } } = self;
        for list in [&mut cutter.rows, &mut cutter.columns, &mut cutter.row_of] {
            poison_list(list, u32::MAX);
        }
        for list in [mapped, &mut cutter.members, &mut cutter.slots] {
            poison_list(list, Point { x: -7, y: 7 });
        }
        poison_list(&mut cutter.stack, 7..7);
        for list in [x, y, slot_x, slot_y] {
            poison_list(list, 7);
        }
    }

    fn reserve(&mut self, (): ()) {}
}

impl BlockAssignment {
    /// Writes the slot of each member to `out`. Both lists should be equally long; the rest of a longer one is left out.
    pub(super) fn solve(
        &mut self,
        exact: &mut ExactAssignment,
        members: &[Point],
        slots: &[Point],
        out: &mut Vec<u32>,
    ) {
        let count = members.len().min(slots.len());
        let (members, slots) = (&members[..count], &slots[..count]);
        let Self { mapped, cutter, pairs } = self;
        cutter.begin(count);
        let map = TransportMap::of(members, slots);
        mapped.clear();
        mapped.extend(members.iter().map(|&at| map.map(at)));
        cutter.sweep(exact, Sets { members: mapped, slots }, FIRST_SWEEP);
        pairs.exchange(Sets { members, slots }, &cutter.columns, &mut cutter.row_of);
        cutter.sweep(exact, Sets { members, slots }, SECOND_SWEEP);
        out.clear();
        out.resize(count, 0);
        for (column, &row) in cutter.row_of.iter().enumerate() {
            out[row as usize] = column as u32;
        }
    }
}

impl Cutter {
    fn begin(&mut self, count: usize) {
        self.rows.clear();
        self.rows.extend(0..count as u32);
        self.columns.clear();
        self.columns.extend(0..count as u32);
        self.row_of.clear();
        self.row_of.resize(count, 0);
    }

    /// Cuts the sets into blocks and solves each.
    fn sweep(&mut self, exact: &mut ExactAssignment, sets: Sets<'_>, sweep: Sweep) {
        let whole = 0..self.columns.len();
        self.stack.clear();
        self.stack.push(whole.clone());
        while let Some(range) = self.stack.pop() {
            if range.len() <= BLOCK {
                self.solve_block(exact, sets, range, sweep.cuts);
                continue;
            }
            let at = if range == whole { range.len() * sweep.eighths / 8 } else { range.len() / 2 };
            let columns = &mut self.columns[range.clone()];
            let axis = longer_axis(sets.slots, columns, sweep.axis);
            cut(sets.slots, columns, at, axis);
            if sweep.cuts == Cut::Both {
                cut(sets.members, &mut self.rows[range.clone()], at, axis);
            }
            self.stack.push(range.start + at..range.end);
            self.stack.push(range.start..range.start + at);
        }
    }

    fn solve_block(&mut self, exact: &mut ExactAssignment, sets: Sets<'_>, range: Range<usize>, cuts: Cut) {
        let columns = &mut self.columns[range.clone()];
        // Sorted, since the order within a block depends on how the median was found.
        columns.sort_unstable();
        if cuts == Cut::Slots {
            for (row, &column) in self.rows[range.clone()].iter_mut().zip(&*columns) {
                *row = self.row_of[column as usize];
            }
        }
        let rows = &mut self.rows[range];
        rows.sort_unstable();
        self.members.clear();
        self.members.extend(rows.iter().map(|&row| sets.members[row as usize]));
        self.slots.clear();
        self.slots.extend(columns.iter().map(|&column| sets.slots[column as usize]));
        let found = exact.solve(&self.members, &self.slots);
        for (&row, &column) in rows.iter().zip(found) {
            self.row_of[columns[column as usize] as usize] = row;
        }
    }
}

impl Pairs {
    /// Exchanges the slots of pairs that gain by it. Two members gain if the vector between their slots points against the vector between
    /// the members.
    fn exchange(&mut self, sets: Sets<'_>, columns: &[u32], row_of: &mut [u32]) {
        let Self { x, y, slot_x, slot_y } = self;
        let row = |column: u32| sets.members[row_of[column as usize] as usize];
        fill(x, columns.iter().map(|&column| row(column).x));
        fill(y, columns.iter().map(|&column| row(column).y));
        fill(slot_x, columns.iter().map(|&column| sets.slots[column as usize].x));
        fill(slot_y, columns.iter().map(|&column| sets.slots[column as usize].y));
        let count = columns.len();
        for one in 0..count {
            let end = count.min(one + WINDOW);
            let mut from = one + 1;
            while from < end {
                let to = end.min(from + LANES);
                let (own_x, own_y, slot) = (x[one], y[one], (slot_x[one], slot_y[one]));
                let others = x[from..to].iter().zip(&y[from..to]);
                let theirs = slot_x[from..to].iter().zip(&slot_y[from..to]);
                // Coordinates are below 2^12: differences fit 16 bits, products 32.
                let gain = |((x, y), (px, py)): ((&i16, &i16), (&i16, &i16))| {
                    i32::from(x.wrapping_sub(own_x)) * i32::from(px.wrapping_sub(slot.0))
                        + i32::from(y.wrapping_sub(own_y)) * i32::from(py.wrapping_sub(slot.1))
                };
                let worst = others.clone().zip(theirs.clone()).map(gain).fold(0, i32::min);
                if worst < 0 {
                    // The pair that gains most exchanges slots. Later members are compared with the new member.
                    let found = others.zip(theirs).map(gain).position(|gain| gain == worst);
                    let other = from + found.unwrap_or(0);
                    x.swap(one, other);
                    y.swap(one, other);
                    let (a, b) = (columns[one] as usize, columns[other] as usize);
                    row_of.swap(a, b);
                }
                from = to;
            }
        }
    }
}

fn fill(list: &mut Vec<i16>, values: impl Iterator<Item = i32>) {
    list.clear();
    list.extend(values.map(|value| value as i16));
}

/// A point's coordinate along an axis.
#[inline]
fn along(point: Point, (x, y): (i32, i32)) -> i32 {
    point.x * x + point.y * y
}

/// The axis along which points extend farther: `axis`, or the one at right angles to it.
fn longer_axis(points: &[Point], which: &[u32], axis: (i32, i32)) -> (i32, i32) {
    let other = (-axis.1, axis.0);
    let (mut low, mut high) = ((i32::MAX, i32::MAX), (i32::MIN, i32::MIN));
    for &index in which {
        let at = (along(points[index as usize], axis), along(points[index as usize], other));
        low = (low.0.min(at.0), low.1.min(at.1));
        high = (high.0.max(at.0), high.1.max(at.1));
    }
    if i64::from(high.0) - i64::from(low.0) >= i64::from(high.1) - i64::from(low.1) { axis } else { other }
}

/// Puts the `at` points that come first along an axis before all others.
fn cut(points: &[Point], which: &mut [u32], at: usize, axis: (i32, i32)) {
    which.select_nth_unstable_by_key(at, |&index| (along(points[index as usize], axis), index));
}
