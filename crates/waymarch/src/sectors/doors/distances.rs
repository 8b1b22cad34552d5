//! Distances between cells of one sector by routes that do not leave it.

use alloc::vec;
use alloc::vec::Vec;

use crate::base::{CellPos, CellRect, Dir8, Scratch, poison_list};
use crate::cost::{CostView, DIAGONAL, IMPASSABLE, Neighbours, STRAIGHT, StepRule, step_length};

/// All route costs are multiples of 8, so distances are counted in units of 8. Then the cost of any route through a sector of 128 cells per
/// side, or a block of 256, fits in 32 bits.
pub(in crate::sectors) const UNIT: u32 = 8;

const _: () = assert!(STRAIGHT % UNIT == 0 && DIAGONAL % UNIT == 0);
/// The most expensive route enters every cell of a block once, by the longest step at the highest cost. Its cost stays below
/// the two largest 32-bit numbers, which mean "no route".
const _: () = assert!((256 * 256) * (DIAGONAL / UNIT) as u64 * 254 < u32::MAX as u64 - 1);

/// What a step in direction `dir` into a cell of this cost costs, in [`UNIT`]s.
#[inline]
pub(in crate::sectors) const fn step_units(dir: Dir8, cost: u8) -> u32 {
    step_length(dir) / UNIT * cost as u32
}

/// 2^32 − 1: no route.
pub(in crate::sectors) const NO_ROUTE: u32 = u32::MAX;

/// The direction of distances. A step costs what the entered cell costs, so the two directions differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sectors) enum Towards {
    /// From the source to every cell.
    Cells,
    /// From every cell to the source.
    Source,
}

/// Bits 0, 2, 4 and 6: the four straight directions.
const STRAIGHTS: u8 = 0b0101_0101;

/// Memory for an area of 16 cells per side, with its rim: 2^9 cells.
const SMALL: usize = 1 << 9;
/// Memory for an area of 32 cells per side: 2^11 cells.
const MEDIUM: usize = 1 << 11;
/// Memory for an area of 64 cells per side: 2^13 cells.
const LARGE: usize = 1 << 13;
/// Memory for an area of 128 cells per side: 2^15 cells.
const HUGE: usize = 1 << 15;
/// Memory for an area of 256 cells per side: 2^17 cells.
const GIANT: usize = 1 << 17;
const _: () =
    assert!(17 * 18 + 1 < SMALL && 33 * 34 + 1 < MEDIUM && 65 * 66 + 1 < LARGE && 129 * 130 + 1 < HUGE);
const _: () = assert!(257 * 258 + 1 < GIANT);

/// 512 buckets in the ring: more than the most expensive step spans at the least bucket width.
const RING: usize = 512;
/// 2^32 − 1: no entry.
const NONE: u32 = u32::MAX;

/// Scratch: the cells of one sector with a closed rim, and distances from one of them.
#[derive(Clone, Debug)]
pub(in crate::sectors) struct SectorDistances {
    area: CellRect,
    /// Cells from one row to the next: the width of the area plus one closed cell.
    stride: u32,
    cost: Vec<u8>,
    legal: Vec<u8>,
    /// If all cells are open and cost the same: their cost, and the neighbours that units may step to.
    uniform: Option<(u8, Neighbours)>,
    offsets: [i32; 8],
    /// A distance shifted right by this many bits is its bucket. No step is shorter than a bucket is wide.
    shift: u32,
    distance: Vec<u32>,
    heads: Vec<u32>,
    /// Waiting cells, each with the next entry of its bucket.
    waiting: Vec<(u32, u32)>,
    /// Where the spread starts: cells and distances, the least distance first.
    seeds: Vec<(u32, u32)>,
}

impl Default for SectorDistances {
    fn default() -> Self {
        Self {
            area: CellRect::at(CellPos::new(0, 0), 0, 0),
            stride: 0,
            cost: Vec::new(),
            legal: Vec::new(),
            uniform: None,
            offsets: [0; 8],
            shift: 0,
            distance: Vec::new(),
            heads: vec![NONE; RING],
            waiting: Vec::new(),
            seeds: Vec::new(),
        }
    }
}

impl Scratch for SectorDistances {
    /// Reserves nothing: one sector takes little memory.
    type Demand = ();

    /// The buckets stay as they are: they are empty between calls.
    fn poison(&mut self) {
        poison_list(&mut self.cost, 7);
        poison_list(&mut self.legal, 7);
        poison_list(&mut self.distance, 7);
        poison_list(&mut self.seeds, (7, 7));
        poison_list(&mut self.waiting, (7, 7));
        self.area = CellRect::at(CellPos::new(-7, 7), 7, 7);
        (self.stride, self.shift, self.uniform) = (7, 7, Some((7, Neighbours::Four)));
        self.offsets = [7; 8];
    }

    fn reserve(&mut self, (): ()) {}
}

impl SectorDistances {
    /// Reads the costs of `area`, which lies on the map.
    pub(in crate::sectors) fn enter(&mut self, ground: CostView<'_>, area: CellRect, rule: StepRule) {
        let (width, height) = ((area.x1 - area.x0) as usize, (area.y1 - area.y0) as usize);
        let stride = width + 1;
        self.area = area;
        self.stride = stride as u32;
        let s = stride as i32;
        self.offsets = [-s, -s + 1, 1, s + 1, s, s - 1, -1, -s - 1];
        self.cost.clear();
        self.cost.resize(stride * (height + 2) + 1, IMPASSABLE);
        for row in 0..height {
            let to = (row + 1) * stride + 1;
            ground.copy_row(CellPos::new(area.x0, area.y0 + row as i32), &mut self.cost[to..to + width]);
        }
        let inner = || (0..height).map(|row| &self.cost[(row + 1) * stride + 1..][..width]);
        let (low, high) =
            inner().flatten().fold((u8::MAX, 0), |(low, high), &cost| (low.min(cost), high.max(cost)));
        self.shift = (u32::from(low.max(1)) * (STRAIGHT / UNIT)).ilog2();
        self.uniform = (low == high && high != IMPASSABLE).then_some((low, rule.neighbours));
        if self.uniform.is_none() {
            self.find_legal(width, height, rule);
        }
    }

    /// Finds the legal directions of each open cell.
    fn find_legal(&mut self, width: usize, height: usize, rule: StepRule) {
        let (table, stride, cost) = (rule.table(), self.stride as usize, &self.cost);
        self.legal.clear();
        self.legal.resize(cost.len(), 0);
        let open = |place: usize| u8::from(cost[place] != IMPASSABLE);
        // A column of three cells; the upper one is the lowest bit.
        let column = |place: usize| open(place - stride) | open(place) << 1 | open(place + stride) << 2;
        for row in 1..=height {
            let first = row * stride + 1;
            // The cell before each row is closed.
            let (mut west, mut here) = (0, column(first));
            for place in first..first + width {
                let east = if place + 1 < first + width { column(place + 1) } else { 0 };
                if here & 2 != 0 {
                    let around = (here & 1) // north
                        | (east & 1) << 1
                        | (east & 2) << 1
                        | (east & 4) << 1
                        | (here & 4) << 2
                        | (west & 4) << 3
                        | (west & 2) << 5
                        | (west & 1) << 7;
                    self.legal[place] = table[usize::from(around)];
                }
                (west, here) = (here, east);
            }
        }
    }

    #[inline]
    fn place(&self, at: CellPos) -> usize {
        ((at.y - self.area.y0 + 1) as u32 * self.stride + (at.x - self.area.x0 + 1) as u32) as usize
    }

    /// Finds the distances between `source` and all other cells. `source` is an open cell of the area.
    pub(in crate::sectors) fn spread(&mut self, source: CellPos, towards: Towards) {
        if self.uniform.is_some() {
            // On uniform ground a formula gives the distances.
            self.distance.clear();
            self.distance.extend([source.x as u32, source.y as u32]);
            return;
        }
        self.seeds.clear();
        self.seeds.push((self.place(source) as u32, 0));
        self.spread_seeds(towards);
    }

    /// Whether distances from a single cell need no spread.
    pub(in crate::sectors) fn is_uniform(&self) -> bool {
        self.uniform.is_some()
    }

    /// As [`SectorDistances::spread`], from several cells of the area at once, each with a distance of its own. Each of
    /// these distances plus the cost of any route through the area must fit in 32 bits. `rule` is the rule that was passed to
    /// [`SectorDistances::enter`].
    pub(in crate::sectors) fn spread_from(
        &mut self,
        seeds: impl Iterator<Item = (CellPos, u32)>,
        rule: StepRule,
        towards: Towards,
    ) {
        if self.uniform.take().is_some() {
            let (width, height) = (self.area.x1 - self.area.x0, self.area.y1 - self.area.y0);
            self.find_legal(width as usize, height as usize, rule);
        }
        self.seeds.clear();
        for (at, distance) in seeds {
            let place = self.place(at) as u32;
            self.seeds.push((place, distance));
        }
        self.seeds.sort_unstable_by_key(|&(place, distance)| (distance, place));
        self.spread_seeds(towards);
    }

    fn spread_seeds(&mut self, towards: Towards) {
        // Indices stay below the next power of two, so that none needs a bounds check.
        let needed = self.stride as usize * (self.area.y1 - self.area.y0 + 2) as usize + 1;
        match needed {
            HUGE.. => self.spread_over::<GIANT>(towards),
            LARGE.. => self.spread_over::<HUGE>(towards),
            MEDIUM.. => self.spread_over::<LARGE>(towards),
            SMALL.. => self.spread_over::<MEDIUM>(towards),
            _ => self.spread_over::<SMALL>(towards),
        }
    }

    /// Spreads over cells in memory of size `N`.
    fn spread_over<const N: usize>(&mut self, towards: Towards) {
        self.distance.clear();
        self.distance.resize(N, NO_ROUTE);
        self.cost.resize(N, IMPASSABLE);
        self.legal.resize(N, 0);
        self.waiting.clear();
        let (Ok(distance), Ok(cost), Ok(legal), Ok(heads)) = (
            <&mut [u32; N]>::try_from(self.distance.as_mut_slice()),
            <&[u8; N]>::try_from(self.cost.as_slice()),
            <&[u8; N]>::try_from(self.legal.as_slice()),
            <&mut [u32; RING]>::try_from(self.heads.as_mut_slice()),
        ) else {
            return;
        };
        let (shift, waiting, offsets) = (self.shift, &mut self.waiting, self.offsets);
        let mut seeds = self.seeds.as_slice();
        // A seed enters the ring only when its bucket is reached, because the ring is only as wide as one step.
        let mut next_seed = seeds.first().map_or(NONE, |&(_, distance)| distance >> shift);
        let (mut bucket, mut left) = (next_seed, 0_u32);
        // A cell waits at most once per neighbour, and once as a seed.
        loop {
            if left == 0 {
                bucket = next_seed;
            }
            while bucket == next_seed {
                let Some((&(place, found), rest)) = seeds.split_first() else { return };
                seeds = rest;
                next_seed = rest.first().map_or(NONE, |&(_, distance)| distance >> shift);
                let place = place as usize & (N - 1);
                if cost[place] != IMPASSABLE && found < distance[place] {
                    distance[place] = found;
                    let slot = bucket as usize % RING;
                    waiting.push((place as u32, heads[slot]));
                    heads[slot] = waiting.len() as u32 - 1;
                    left += 1;
                }
            }
            let slot = bucket as usize % RING;
            let head = heads[slot];
            if head == NONE {
                bucket += 1;
                continue;
            }
            let Some(&(place, next)) = waiting.get(head as usize) else { return };
            heads[slot] = next;
            left -= 1;
            let place = place as usize & (N - 1);
            let so_far = distance[place];
            // The cell was reached at a lower cost and is done.
            if so_far >> shift != bucket {
                continue;
            }
            let mut reach = |dirs: u8, length: u32| {
                let mut dirs = dirs;
                let leaving = so_far + length * u32::from(cost[place]);
                while dirs != 0 {
                    let dir = (dirs.trailing_zeros() & 7) as usize;
                    dirs &= dirs - 1;
                    let next = place.wrapping_add_signed(offsets[dir] as isize) & (N - 1);
                    let found = match towards {
                        Towards::Source => leaving,
                        Towards::Cells => so_far + length * u32::from(cost[next]),
                    };
                    if found < distance[next] {
                        distance[next] = found;
                        let slot = (found >> shift) as usize % RING;
                        let item = waiting.len() as u32;
                        waiting.push((next as u32, heads[slot]));
                        heads[slot] = item;
                        left += 1;
                    }
                }
            };
            reach(legal[place] & STRAIGHTS, STRAIGHT / UNIT);
            reach(legal[place] & !STRAIGHTS, DIAGONAL / UNIT);
        }
    }

    /// The distance that the last spread found for a cell of the area, in [`UNIT`]s; [`NO_ROUTE`] if there is no route.
    #[inline]
    pub(in crate::sectors) fn distance(&self, at: CellPos) -> u32 {
        let Some((cost, neighbours)) = self.uniform else { return self.distance[self.place(at)] };
        let (dx, dy) = (at.x.abs_diff(self.distance[0] as i32), at.y.abs_diff(self.distance[1] as i32));
        let steps = match neighbours {
            Neighbours::Four => (dx + dy) * (STRAIGHT / UNIT),
            Neighbours::Eight => {
                let (short, long) = (dx.min(dy), dx.max(dy));
                long * (STRAIGHT / UNIT) + short * ((DIAGONAL - STRAIGHT) / UNIT)
            }
        };
        steps * u32::from(cost)
    }
}
