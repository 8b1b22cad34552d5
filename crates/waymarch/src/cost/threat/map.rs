//! The threat map: one byte per cell, added to the terrain cost of units that heed threat.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

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
    stencil: Stencil,
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
            stencil: Stencil::default(),
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
        // All sums first, then the values, so that the log lists only what differs in the end.
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

    /// Replaces the source `before` by the source `now` in the sums.
    pub(in crate::cost) fn replace(&mut self, before: Option<ThreatSource>, now: Option<ThreatSource>) {
        if let Some(source) = before {
            self.counted -= 1;
            self.add_to_sums(&source, |sum, strength| sum - strength);
        }
        if let Some(source) = now {
            self.counted += 1;
            self.add_to_sums(&source, |sum, strength| sum + strength);
        }
    }

    pub(in crate::cost) fn allocate(&mut self) {
        if self.values.is_empty() {
            self.sums = vec![0; self.padding.len()];
            self.values = vec![0; self.padding.len()];
        }
    }

    /// Updates the values of the touched areas from the sums.
    pub(in crate::cost) fn show(&mut self, changes: &mut ChangeLog) {
        while let Some(area) = self.touched.pop() {
            for y in area.y0..area.y1 {
                let row = self.row(area, y);
                let values = self.values[row.clone()].iter_mut();
                for ((x, value), &sum) in (area.x0..).zip(values).zip(&self.sums[row]) {
                    let new = sum.min(u32::from(self.max_cost)) as u8;
                    if *value != new {
                        *value = new;
                        changes.mark_threat(CellPos { x, y });
                    }
                }
            }
        }
    }

    fn add_to_sums(&mut self, source: &ThreatSource, combine: impl Fn(u32, u32) -> u32) {
        let area = source.rect().intersect(self.grid.rect());
        self.touched.push(area);
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
