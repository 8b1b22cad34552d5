//! The threat map: one byte per cell, added to the terrain cost of units that heed threat.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::shown_cells::ShownCells;
use super::source::{ThreatId, ThreatSource, ThreatTag};
use super::stencil::Stencil;
use crate::base::{CellPos, CellRect, GridSize, HashState, Slots, StateHasher, Tick};
use crate::cost::changes::ChangeLog;
use crate::cost::padding::Padding;
use crate::cost::rules::MAX_CELL_COST;

/// World: one threat source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cost) struct Entry {
    /// The source as the game last set it. `None` after removal, until the next refresh drops the entry.
    pub(in crate::cost) wanted: Option<ThreatSource>,
    /// The source as it counts in the map now.
    pub(in crate::cost) shown: Option<ThreatSource>,
}

/// What a refresh does with a source. Sources that go come first, so that no sum overflows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Step {
    TakeOut,
    Add,
}

/// World: threat sources. Derived: the threat of each cell.
///
/// Changes take effect at the next refresh and cost only the area that they touch.
#[derive(Clone, Debug)]
pub struct ThreatMap {
    grid: GridSize,
    padding: Padding,
    max_cost: u8,
    pub(in crate::cost) entries: Slots<ThreatTag, Entry>,
    /// Derived: the ids of all sources whose `wanted` and `shown` differ. An id may occur several times, and ids of other sources may
    /// occur too. The order does not matter.
    pub(in crate::cost) pending: Vec<ThreatId>,
    /// Scratch: the areas that a refresh touches.
    touched: Vec<CellRect>,
    /// Scratch: the sources that a refresh takes out of the sums and adds to them.
    steps: Vec<(Step, ThreatSource)>,
    stencil: Stencil,
    /// Scratch: the cells whose values are up to date in this refresh.
    shown_cells: ShownCells,
    /// Derived: the number of sources that count in the map now.
    counted: u32,
    /// Unclamped sums, padded; empty until there is a source.
    sums: Vec<u32>,
    /// The sums clamped to the maximum, padded; empty until there is a source.
    values: Vec<u8>,
}

impl ThreatMap {
    pub(in crate::cost) fn new(grid: GridSize, max_cost: u8) -> Self {
        Self {
            grid,
            padding: Padding::new(grid),
            max_cost: max_cost.min(MAX_CELL_COST),
            entries: Slots::new(),
            pending: Vec::new(),
            touched: Vec::new(),
            steps: Vec::new(),
            stencil: Stencil::default(),
            shown_cells: ShownCells::default(),
            counted: 0,
            sums: Vec::new(),
            values: Vec::new(),
        }
    }

    /// The threat at `at`; 0 off the map.
    #[inline]
    #[must_use]
    pub fn at(&self, at: CellPos) -> u8 {
        if self.values.is_empty() || !self.grid.contains(at) {
            return 0;
        }
        self.values[self.padding.pad(at).index()]
    }

    /// The threat of all cells in padded order; empty while no source is counted.
    #[inline]
    #[must_use]
    pub fn padded(&self) -> &[u8] {
        if self.counted == 0 { &[] } else { &self.values }
    }

    /// The sources as the game last set them.
    pub fn sources(&self) -> impl Iterator<Item = (ThreatId, ThreatSource)> {
        self.entries.iter().filter_map(|(id, entry)| Some((id, entry.wanted?)))
    }

    /// The number of sources. A removed source counts until the next refresh.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no source.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Bytes held for all cells together.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.sums.len() * 4 + self.values.len()
    }

    pub(in crate::cost) fn add(&mut self, source: ThreatSource) -> ThreatId {
        let id = self.entries.insert(Entry { wanted: Some(source), shown: None });
        self.pending.push(id);
        id
    }

    pub(in crate::cost) fn set(&mut self, id: ThreatId, source: Option<ThreatSource>) -> Option<()> {
        let entry = self.entries.get_mut(id)?;
        entry.wanted?;
        entry.wanted = source;
        self.pending.push(id);
        Some(())
    }

    /// Applies all changes since the last refresh.
    pub(in crate::cost) fn refresh(&mut self, changes: &mut ChangeLog) {
        if !self.pending.is_empty() {
            self.allocate();
        }
        // Sorted by slot, as after loading. The order of the changes is not saved, so the change log must not depend on it.
        self.pending.sort_unstable_by_key(|id| id.index());
        // All sources first, then sums and values, so that the log lists only what differs in the end.
        while let Some(id) = self.pending.pop() {
            let Some(entry) = self.entries.get_mut(id) else { continue };
            let Entry { wanted, shown } = *entry;
            entry.shown = wanted;
            if wanted.is_none() {
                self.entries.remove(id);
            }
            if wanted == shown {
                continue;
            }
            self.replace(shown, wanted);
        }
        self.show(changes);
    }

    /// Replaces the source `before` by the source `now`. [`ThreatMap::show`] applies it.
    pub(in crate::cost) fn replace(&mut self, before: Option<ThreatSource>, now: Option<ThreatSource>) {
        for (step, source) in [(Step::TakeOut, before), (Step::Add, now)] {
            let Some(source) = source else { continue };
            self.touched.push(source.rect().intersect(self.grid.rect()));
            self.steps.push((step, source));
        }
    }

    pub(in crate::cost) fn allocate(&mut self) {
        if self.values.is_empty() {
            self.sums = vec![0; self.padding.len()];
            self.values = vec![0; self.padding.len()];
        }
    }

    /// Applies the replaced sources to the sums, and updates the values of the touched areas.
    pub(in crate::cost) fn show(&mut self, changes: &mut ChangeLog) {
        self.apply_steps();
        let cells =
            |area: &CellRect| u64::from(area.x0.abs_diff(area.x1)) * u64::from(area.y0.abs_diff(area.y1));
        let overlap = self.touched.iter().map(cells).sum::<u64>() > self.grid.cells() as u64;
        if overlap {
            self.shown_cells.clear(self.padding.len());
        }
        // The order of the areas decides the order of the log, which is hashed.
        while let Some(area) = self.touched.pop() {
            for y in area.y0..area.y1 {
                let row = self.row(area, y);
                let (first, x0) = (row.start, area.x0);
                let at = |place: usize| CellPos { x: x0 + (place - first) as i32, y };
                if overlap {
                    while let Some(run) = self.shown_cells.take_run(row.clone()) {
                        self.show_run(run.clone(), at(run.start), changes);
                    }
                } else {
                    self.show_run(row, at(first), changes);
                }
            }
        }
    }

    /// Updates the values of neighbouring cells of one row. The first one is `from`.
    fn show_run(&mut self, run: Range<usize>, from: CellPos, changes: &mut ChangeLog) {
        let values = self.values[run.clone()].iter_mut();
        for ((x, value), &sum) in (from.x..).zip(values).zip(&self.sums[run]) {
            let new = sum.min(u32::from(self.max_cost)) as u8;
            if *value != new {
                *value = new;
                changes.mark_threat(CellPos { x, y: from.y });
            }
        }
    }

    /// Applies the replaced sources to the sums. Sources of one kind follow each other, so that their strengths are computed once. Sums do
    /// not depend on the order.
    fn apply_steps(&mut self) {
        self.steps.sort_unstable_by_key(|&(step, source)| {
            (step, source.radius, source.strength, source.falloff as u8)
        });
        for number in 0..self.steps.len() {
            let (step, source) = self.steps[number];
            match step {
                Step::TakeOut => {
                    self.counted -= 1;
                    self.add_to_sums(&source, |sum, strength| sum - strength);
                }
                Step::Add => {
                    self.counted += 1;
                    self.add_to_sums(&source, |sum, strength| sum + strength);
                }
            }
        }
        self.steps.clear();
    }

    fn add_to_sums(&mut self, source: &ThreatSource, combine: impl Fn(u32, u32) -> u32) {
        let area = source.rect().intersect(self.grid.rect());
        self.stencil.prepare(source);
        for y in area.y0..area.y1 {
            let row = self.row(area, y);
            let strengths = self.stencil.row(y - source.at.y, area.x0 - source.at.x);
            for (sum, &strength) in self.sums[row].iter_mut().zip(strengths) {
                *sum = combine(*sum, u32::from(strength));
            }
        }
    }

    /// The indices in padded order of one row of an area on the map.
    fn row(&self, area: CellRect, y: i32) -> Range<usize> {
        let first = self.padding.pad(CellPos { x: area.x0, y }).index();
        first..first + area.x0.abs_diff(area.x1) as usize
    }

    /// The threat map rebuilt from the sources that count now (`shown`), for comparison.
    pub(in crate::cost) fn rebuilt(&self) -> Self {
        let mut rebuilt = self.clone();
        rebuilt.sums.fill(0);
        rebuilt.values.fill(0);
        for (_, entry) in self.entries.iter() {
            if let Some(source) = entry.shown {
                for at in source.rect().intersect(self.grid.rect()).cells() {
                    rebuilt.sums[self.padding.pad(at).index()] += u32::from(source.strength_at(at));
                }
            }
        }
        for (value, sum) in rebuilt.values.iter_mut().zip(&rebuilt.sums) {
            *value = (*sum).min(u32::from(self.max_cost)) as u8;
        }
        rebuilt
    }

    pub(in crate::cost) fn same_values(&self, other: &Self) -> bool {
        self.sums == other.sums && self.values == other.values
    }
}

/// Whether the threat map is refreshed in the tick `now`.
pub(in crate::cost) fn refresh_due(now: Tick, every: u32) -> bool {
    now.0 % u64::from(every.max(1)) == 0
}

impl HashState for ThreatMap {
    fn hash_state(&self, hasher: &mut StateHasher) {
        self.entries.hash_state(hasher);
    }
}

impl HashState for Entry {
    fn hash_state(&self, hasher: &mut StateHasher) {
        self.wanted.hash_state(hasher);
        self.shown.hash_state(hasher);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Purpose, Rng, cell};
    use crate::cost::sector_grid::{SectorGrid, SectorId};
    use crate::cost::threat::Falloff;

    fn empty_map() -> (ThreatMap, ChangeLog) {
        let grid = GridSize::new(80, 60).expect("a legal size");
        (ThreatMap::new(grid, 200), ChangeLog::new(SectorGrid::new(grid, 16)))
    }

    fn sources(count: u32) -> Vec<ThreatSource> {
        let mut random = Rng::keyed(5, Tick::ZERO, 0, Purpose(1));
        let mut source = |number: u32| {
            let at = cell(random.below(80) as i32, random.below(60) as i32);
            ThreatSource { at, radius: 4 + (number % 2) as u16, strength: 3, falloff: Falloff::Linear }
        };
        (0..count).map(&mut source).collect()
    }

    #[test]
    fn the_strengths_of_alternating_sources_are_computed_once_per_kind() {
        let (mut map, mut log) = empty_map();
        let ids: Vec<ThreatId> = sources(500).into_iter().map(|source| map.add(source)).collect();
        map.refresh(&mut log);
        assert_eq!(map.stencil.computed, 2);
        assert!(map.same_values(&map.rebuilt()));
        ids.into_iter().for_each(|id| map.set(id, None).expect("it exists"));
        map.refresh(&mut log);
        assert!(map.stencil.computed <= 4 && map.counted == 0 && map.sums.iter().all(|&sum| sum == 0));
    }

    /// Sources in the order of their slots, the cells of each row by row, each cell when it first differs.
    #[test]
    fn many_overlapping_sources_log_their_cells_in_the_order_of_single_ones() {
        for count in [3, 500] {
            let (mut map, mut log) = empty_map();
            let list = sources(count);
            for source in &list {
                map.add(*source);
            }
            map.allocate();
            let (mut values, mut expected) = (map.values.clone(), empty_map().1);
            let (now, then) = (log.mark_now(), expected.mark_now());
            log.begin();
            map.refresh(&mut log);
            expected.begin();
            for source in list {
                for at in source.rect().intersect(map.grid.rect()).cells() {
                    let place = map.padding.pad(at).index();
                    if core::mem::replace(&mut values[place], map.values[place]) != map.values[place] {
                        expected.mark_threat(at);
                    }
                }
            }
            let sectors: Option<&[SectorId]> = expected.since(then);
            assert_eq!(log.since(now), sectors);
            assert_eq!(log.count_since(now), expected.count_since(then));
            assert!(log.count_since(now) > 3);
        }
    }
}
