//! True distances from or to a set of cells, which the bounds are made of.

use alloc::vec;
use alloc::vec::Vec;

use super::base::Base;
use crate::base::Dir8;
use crate::cost::{IMPASSABLE, step_length};
use crate::search::buckets::Buckets;

/// The distance of a cell without a route: 2^64 − 1.
pub(super) const UNREACHED: u64 = u64::MAX;

/// In which direction distances are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Towards {
    /// From the sources to every cell.
    Cells,
    /// From every cell to the nearest source.
    Sources,
}

/// A Dijkstra search over the whole map from several sources. The memory is reused from one search to the next.
pub(super) struct Spread<'a> {
    base: &'a Base,
    /// Legal directions of each place.
    legal: Vec<u8>,
    coarse: u32,
    buckets: Buckets,
    /// The cells whose distance is final.
    settled: Vec<bool>,
    /// The distances of the last search, in padded order.
    pub(super) distance: Vec<u64>,
}

impl<'a> Spread<'a> {
    pub(super) fn new(base: &'a Base) -> Self {
        let (costs, padding) = (base.costs(), base.padding());
        let (offsets, table) = (padding.neighbour_offsets(), base.rule().table());
        let mut legal = vec![0; padding.len()];
        for at in base.grid().rect().cells() {
            let place = padding.pad(at).index();
            let mut open = 0;
            for (dir, offset) in offsets.into_iter().enumerate() {
                open |= usize::from(costs[place.wrapping_add_signed(offset as isize)] != IMPASSABLE) << dir;
            }
            legal[place] = if costs[place] == IMPASSABLE { 0 } else { table[open] };
        }
        // No step is shorter than a bucket is wide, so all entries of a bucket are final when it is opened.
        let cheapest = costs.iter().copied().min().unwrap_or(1).max(1);
        let coarse = u32::from(cheapest).ilog2();
        let (settled, distance) = (vec![false; padding.len()], vec![UNREACHED; padding.len()]);
        Self { base, legal, coarse, buckets: Buckets::default(), settled, distance }
    }

    /// The legal directions of each place.
    pub(super) fn legal(&self) -> &[u8] {
        &self.legal
    }

    /// Finds the distances of all cells. Open sources have the distance 0.
    pub(super) fn run(&mut self, sources: impl Iterator<Item = u32>, towards: Towards) {
        let (costs, offsets) = (self.base.costs(), self.base.padding().neighbour_offsets());
        self.distance.fill(UNREACHED);
        self.settled.fill(false);
        self.buckets.begin(0);
        for place in sources {
            self.distance[place as usize] = 0;
            self.buckets.push(0, place);
        }
        // A cell is pushed at most once per neighbour.
        while let Some(item) = self.buckets.pop_below(u64::MAX) {
            let place = item as usize;
            if core::mem::replace(&mut self.settled[place], true) {
                continue;
            }
            let so_far = self.distance[place];
            let mut dirs = self.legal[place];
            while dirs != 0 {
                let dir = Dir8::from_index(dirs.trailing_zeros() as u8);
                dirs &= dirs - 1;
                let next = place.wrapping_add_signed(offsets[usize::from(dir.index())] as isize);
                // Between open cells a step is legal in both directions. It costs as much as the cell it enters.
                let entered = if towards == Towards::Cells { next } else { place };
                let cost = so_far + u64::from(step_length(dir)) * u64::from(costs[entered]);
                if cost < self.distance[next] {
                    self.distance[next] = cost;
                    self.buckets.push(cost >> self.coarse, next as u32);
                }
            }
        }
    }
}

/// The connected parts of the map. Each cell has the number of its part; `u32::MAX` where closed.
pub(super) struct Parts {
    pub(super) label: Vec<u32>,
    /// The first cell of each part.
    pub(super) first: Vec<u32>,
}

impl Parts {
    /// The parts that are connected by the steps of `legal` that `may` allows.
    pub(super) fn new(base: &Base, legal: &[u8], may: impl Fn(usize, usize) -> bool) -> Self {
        let offsets = base.padding().neighbour_offsets();
        let mut label = vec![u32::MAX; legal.len()];
        let mut first = Vec::new();
        let mut open = Vec::new();
        for start in 0..legal.len() {
            if base.costs()[start] == IMPASSABLE || label[start] != u32::MAX {
                continue;
            }
            let number = first.len() as u32;
            first.push(start as u32);
            label[start] = number;
            open.push(start);
            while let Some(place) = open.pop() {
                let mut dirs = legal[place];
                while dirs != 0 {
                    let dir = dirs.trailing_zeros() as usize;
                    dirs &= dirs - 1;
                    let next = place.wrapping_add_signed(offsets[dir] as isize);
                    if label[next] == u32::MAX && may(place, next) {
                        label[next] = number;
                        open.push(next);
                    }
                }
            }
        }
        Self { label, first }
    }
}
