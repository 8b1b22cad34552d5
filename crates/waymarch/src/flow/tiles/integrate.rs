//! Integrating one sector: from its exits to the remaining cost of every cell.

use alloc::vec::Vec;

use super::frame::{Frame, NO_LABEL, cost_of};
use super::ground::TileGround;
use crate::base::{CellPos, Scratch};
use crate::cost::{IMPASSABLE, STRAIGHT};
use crate::flow::dijkstra::{BucketQueue, Label, Making, Seed, Spread, TooDear};

/// What a sector is integrated from: its exits, and the goal if it is inside.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) frame: Frame,
    /// The exits' labels, by rim index.
    pub(super) exits: &'a [u64],
    pub(super) goal: Option<CellPos>,
}

impl Sources<'_> {
    /// The greatest cost that can be subtracted from all exits so that each still costs at least one step. Smaller costs fit narrow labels.
    pub(super) fn base(&self) -> u64 {
        if self.goal.is_some() {
            return 0;
        }
        let least = self.exits.iter().copied().min().unwrap_or(NO_LABEL);
        // Leaving a sector costs at least one step.
        if least == NO_LABEL { 0 } else { cost_of(least).saturating_sub(u64::from(STRAIGHT)) }
    }
}

/// Scratch: the labels of one sector's cells, with a margin of closed cells.
#[derive(Clone, Debug, Default)]
pub(super) struct SectorLabels {
    queue: BucketQueue,
    cost: Vec<u8>,
    narrow: Vec<u32>,
    wide: Vec<u64>,
    seeds: Vec<Seed>,
    base: u64,
    width: Width,
}

/// Scratch for integrating tiles.
#[derive(Clone, Debug, Default)]
pub(super) struct TileScratch {
    pub(super) labels: SectorLabels,
    /// Exits of a tile that is integrated again with doors added.
    pub(super) exits: Vec<u64>,
}

/// Which list of labels holds the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Width {
    #[default]
    Narrow,
    Wide,
}

impl Scratch for TileScratch {
    /// The cells per side of a sector.
    type Demand = usize;

    fn poison(&mut self) {
        self.labels.poison();
        self.exits.push(7);
    }

    fn reserve(&mut self, side: usize) {
        self.labels.reserve(side);
        self.exits.reserve(4 * side);
    }
}

impl TileScratch {
    /// See [`SectorLabels::integrate`].
    pub(super) fn integrate(&mut self, ground: TileGround<'_>, from: Sources<'_>) {
        self.labels.integrate(ground, from);
    }

    /// See [`SectorLabels::label`].
    #[inline]
    pub(super) fn label(&self, frame: Frame, at: CellPos) -> u64 {
        self.labels.label(frame, at)
    }

    /// See [`SectorLabels::write_flow`].
    pub(super) fn write_flow(&self, frame: Frame, flow: &mut Vec<u8>) {
        self.labels.write_flow(frame, flow);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.labels.memory_bytes() + self.exits.capacity() * 8
    }
}

impl Scratch for SectorLabels {
    /// The cells per side of a sector.
    type Demand = usize;

    fn reserve(&mut self, side: usize) {
        let cells = (side + 2) * (side + 2);
        self.cost.reserve(cells);
        self.narrow.reserve(cells);
        self.seeds.reserve(4 * side + 1);
        self.queue.reserve(2 * side * side);
    }

    fn poison(&mut self) {
        self.cost.fill(7);
        self.narrow.fill(7);
        self.wide.fill(7);
        (self.base, self.width) = (7, Width::Wide);
    }
}

impl SectorLabels {
    /// Finds the remaining cost of every cell of a sector. Costs per cell about what a whole-map field costs.
    pub(super) fn integrate(&mut self, ground: TileGround<'_>, from: Sources<'_>) {
        self.base = from.base();
        self.copy_costs(ground, from.frame);
        let shift = ground.shift();
        let Self { queue, cost, narrow, wide, seeds, base, width } = self;
        let mut work = Work { ground, from, base: *base, shift, queue, cost, seeds };
        *width = Width::Narrow;
        if work.run(narrow) == Err(TooDear) {
            *width = Width::Wide;
            // Labels of 8 bytes are wide enough for every legal map.
            let _enough = work.run(wide);
        }
    }

    fn copy_costs(&mut self, ground: TileGround<'_>, frame: Frame) {
        let (stride, area) = (frame.width() + 2, frame.area);
        self.cost.clear();
        self.cost.resize(stride * (frame.height() + 2), IMPASSABLE);
        for (y, row) in (area.y0..area.y1).zip(self.cost.chunks_exact_mut(stride).skip(1)) {
            ground.copy_row(CellPos::new(area.x0, y), &mut row[1..stride - 1]);
        }
    }

    /// The label of a cell: remaining cost and first step; `NO_LABEL` if no route leads on.
    #[inline]
    pub(super) fn label(&self, frame: Frame, at: CellPos) -> u64 {
        let (x, y) = ((at.x - frame.area.x0) as usize, (at.y - frame.area.y0) as usize);
        let place = (y + 1) * (frame.width() + 2) + x + 1;
        match self.width {
            Width::Narrow => self.narrow.get(place).map_or(NO_LABEL, |&label| absolute(label, self.base)),
            Width::Wide => self.wide.get(place).map_or(NO_LABEL, |&label| absolute(label, self.base)),
        }
    }

    /// Writes the flow bytes of all cells, row by row.
    pub(super) fn write_flow(&self, frame: Frame, flow: &mut Vec<u8>) {
        fn rows<L: Label>(labels: &[L], stride: usize, flow: &mut Vec<u8>) {
            let rows = labels.chunks_exact(stride);
            let inner = rows.len().saturating_sub(2);
            for row in rows.skip(1).take(inner) {
                flow.extend(row[1..stride - 1].iter().map(|label| label.byte()));
            }
        }
        flow.clear();
        flow.reserve_exact(frame.width() * frame.height());
        match self.width {
            Width::Narrow => rows(&self.narrow, frame.width() + 2, flow),
            Width::Wide => rows(&self.wide, frame.width() + 2, flow),
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let labels = self.narrow.capacity() * 4 + self.wide.capacity() * 8;
        self.queue.memory_bytes() + self.cost.capacity() + labels + self.seeds.capacity() * size_of::<Seed>()
    }
}

#[inline]
fn absolute<L: Label>(label: L, base: u64) -> u64 {
    if label == L::GOAL {
        0
    } else if label.has_step() {
        base + label.number()
    } else {
        NO_LABEL
    }
}

struct Work<'a> {
    ground: TileGround<'a>,
    from: Sources<'a>,
    base: u64,
    shift: u32,
    queue: &'a mut BucketQueue,
    cost: &'a [u8],
    seeds: &'a mut Vec<Seed>,
}

impl Work<'_> {
    fn run<L: Label>(&mut self, labels: &mut Vec<L>) -> Result<(), TooDear> {
        let Sources { frame, exits, goal } = self.from;
        let stride = frame.width() + 2;
        labels.clear();
        let blank = |&cost: &u8| if cost == IMPASSABLE { L::CLOSED } else { L::UNREACHED };
        labels.extend(self.cost.iter().map(blank));
        self.seeds.clear();
        let mut seed = |at: CellPos, label: L| {
            let (x, y) = ((at.x - frame.area.x0) as usize, (at.y - frame.area.y0) as usize);
            let place = (y + 1) * stride + x + 1;
            if labels[place] != L::CLOSED && label < labels[place] {
                labels[place] = label;
                self.seeds.push(Seed { bucket: label.bucket(self.shift), place: place as u32 });
            }
        };
        if let Some(goal) = goal {
            seed(goal, L::GOAL);
        }
        for at in frame.rim() {
            let exit = exits[frame.rim_place(at)];
            if exit != NO_LABEL {
                seed(at, L::from_number(exit - self.base).ok_or(TooDear)?);
            }
        }
        self.seeds.sort_unstable();
        self.queue.clear();
        let mut spread = Spread { cost: self.cost, labels, queue: self.queue, stride, shift: self.shift };
        spread.run(self.ground.rule, self.seeds, &mut Making)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{CellRect, GridSize, LocomotorId, Tick, cell};
    use crate::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
    use crate::query::Threat;

    /// The exits of two rooms in one sector cost so differently that narrow labels cannot hold both.
    #[test]
    fn exits_further_apart_than_narrow_labels_reach_get_exact_labels() {
        let size = GridSize::new(9, 3).expect("legal");
        let map = Map::flat("two rooms", size, Rules::standard()).validate().expect("legal");
        let mut layer = CostLayer::new(&map, CostSettings::default());
        layer.place(&Stamp::solid(1, 3), cell(4, 0), Tick::ZERO).expect("on the map");
        let ground = TileGround::new(&layer, LocomotorId(0).into(), Threat::Ignore, StepRule::default());
        let ground = ground.expect("known");
        let frame = Frame { area: CellRect::at(cell(0, 0), 9, 3) };
        let mut scratch = TileScratch::default();
        for far in [1_u64 << 20, 1 << 31, 1 << 32, 1 << 40, 1 << 56] {
            let mut exits = alloc::vec![NO_LABEL; frame.rim_len()];
            exits[frame.rim_place(cell(0, 1))] = 4096 + 6;
            exits[frame.rim_place(cell(8, 1))] = far + 2;
            scratch.integrate(ground, Sources { frame, exits: &exits, goal: None });
            assert_eq!(scratch.label(frame, cell(0, 1)), 4096 + 6);
            assert_eq!(scratch.label(frame, cell(3, 1)), 4096 + 3 * 1024 + 6);
            assert_eq!(scratch.label(frame, cell(8, 1)), far + 2);
            assert_eq!(scratch.label(frame, cell(5, 1)), far + 3 * 1024 + 2);
            assert_eq!(scratch.label(frame, cell(4, 1)), NO_LABEL, "the wall");
            let mut flow = Vec::new();
            scratch.write_flow(frame, &mut flow);
            assert_eq!(flow[frame.place(cell(5, 1))] & 15, 2, "east");
            assert_eq!(flow[frame.place(cell(3, 1))] & 15, 6, "west");
        }
    }
}
