//! The threat map: one byte per cell, added to the terrain cost of units that heed threat.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::shown_cells::ShownCells;
use super::sides::{OwnThreat, Sides};
use super::source::{OwnedSource, ThreatId, ThreatSource, ThreatTag};
use super::stencil::Stencil;
use crate::base::{CellPos, CellRect, GridSize, HashState, Observer, Slots, StateHasher, Tick};
use crate::cost::changes::ChangeLog;
use crate::cost::padding::{PadId, Padding};
use crate::cost::rules::MAX_CELL_COST;

/// World: one threat source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cost) struct Entry {
    /// The source as the game last set it. `None` after removal, until the next refresh drops the entry.
    pub(in crate::cost) wanted: Option<OwnedSource>,
    /// The source as it counts in the map now.
    pub(in crate::cost) shown: Option<OwnedSource>,
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
    pub(super) max_cost: u8,
    pub(in crate::cost) entries: Slots<ThreatTag, Entry>,
    /// Derived: the ids of all sources whose `wanted` and `shown` differ. An id may occur several times, and ids of other sources may
    /// occur too. The order does not matter.
    pub(in crate::cost) pending: Vec<ThreatId>,
    /// Scratch: the areas that a refresh touches.
    touched: Vec<CellRect>,
    /// Scratch: the sources that a refresh takes out of the sums and adds to them.
    steps: Vec<(Step, OwnedSource)>,
    stencil: Stencil,
    /// Scratch: the cells whose values are up to date in this refresh.
    shown_cells: ShownCells,
    /// Derived: the number of sources that count in the map now.
    pub(super) counted: u32,
    /// Unclamped sums of all sources, padded; empty until there is a source.
    pub(super) sums: Vec<u32>,
    /// The sums of the sources of each side: the part that does not frighten observers of this side.
    pub(super) own: OwnThreat,
    pub(super) sides: Sides,
    /// The sums clamped to the maximum, padded; empty until there is a source.
    values: Vec<u8>,
}

/// Which cells of the touched areas a refresh marks as changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    /// Cells with another threat: enough while no source has an owner.
    Different,
    /// All cells.
    All,
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
            own: OwnThreat::default(),
            sides: Sides::default(),
            values: Vec::new(),
        }
    }

    /// The threat of all sources at `at`; 0 off the map.
    #[inline]
    #[must_use]
    pub fn at(&self, at: CellPos) -> u8 {
        if self.values.is_empty() || !self.grid.contains(at) {
            return 0;
        }
        self.values[self.padding.pad(at).index()]
    }

    /// The threat of all sources on all cells in padded order; empty while no source is counted.
    #[inline]
    #[must_use]
    pub fn padded(&self) -> &[u8] {
        if self.counted == 0 { &[] } else { &self.values }
    }

    /// The sources as the game last set them.
    pub fn sources(&self) -> impl Iterator<Item = (ThreatId, ThreatSource)> {
        self.entries.iter().filter_map(|(id, entry)| Some((id, entry.wanted?.source)))
    }

    /// The source with this id as the game last set it.
    #[must_use]
    pub fn source(&self, id: ThreatId) -> Option<ThreatSource> {
        Some(self.entries.get(id)?.wanted?.source)
    }

    /// The owner of a source; `None` if it has none or does not exist. A source without an owner frightens all observers.
    #[must_use]
    pub fn owner(&self, id: ThreatId) -> Option<Observer> {
        self.entries.get(id)?.wanted?.owner
    }

    /// The side of an observer. Sources of a side do not frighten observers of this side.
    #[must_use]
    pub fn side(&self, observer: Observer) -> u8 {
        self.sides.of(observer)
    }

    /// The areas of the sources that count in the map now. They may overlap.
    pub(crate) fn areas(&self) -> impl Iterator<Item = CellRect> + '_ {
        let shown = self.entries.values().filter_map(|entry| entry.shown);
        shown.map(|owned| owned.source.rect().intersect(self.grid.rect()))
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
        self.sums.len() * 4 + self.values.len() + self.own.memory_bytes()
    }

    pub(in crate::cost) fn add(&mut self, source: OwnedSource) -> ThreatId {
        let id = self.entries.insert(Entry { wanted: Some(source), shown: None });
        self.pending.push(id);
        id
    }

    /// Changes what a source is, or removes it.
    pub(in crate::cost) fn set(&mut self, id: ThreatId, source: Option<ThreatSource>) -> Option<()> {
        let wanted = self.entries.get(id)?.wanted?;
        self.set_wanted(id, source.map(|source| OwnedSource { source, ..wanted }))
    }

    /// Gives a source to an owner.
    pub(in crate::cost) fn set_owner(&mut self, id: ThreatId, owner: Option<Observer>) -> Option<()> {
        let wanted = self.entries.get(id)?.wanted?;
        self.set_wanted(id, Some(OwnedSource { owner, ..wanted }))
    }

    fn set_wanted(&mut self, id: ThreatId, wanted: Option<OwnedSource>) -> Option<()> {
        let entry = self.entries.get_mut(id)?;
        entry.wanted?;
        if entry.wanted != wanted {
            entry.wanted = wanted;
            self.pending.push(id);
        }
        Some(())
    }

    /// Puts an observer on a side, at once. All cells with sources of the two sides count as changed.
    pub(in crate::cost) fn set_side(&mut self, observer: Observer, side: u8, changes: &mut ChangeLog) {
        let before = self.sides.of(observer);
        if before == side {
            return;
        }
        self.mark_own(before, changes);
        self.mark_own(side, changes);
        self.sides.set(observer, side);
        let moved = self.entries.values().filter_map(|entry| entry.shown);
        self.steps
            .extend(moved.filter(|shown| shown.owner == Some(observer)).map(|shown| (Step::Add, shown)));
        for number in 0..self.steps.len() {
            let (_, OwnedSource { source, .. }) = self.steps[number];
            self.own_step(Step::TakeOut, &source, before);
            self.own_step(Step::Add, &source, side);
        }
        self.steps.clear();
        self.mark_own(side, changes);
    }

    /// Takes over the sides of a saved map.
    pub(super) fn restore_sides(&mut self, sides: &Sides, changes: &mut ChangeLog) {
        for number in 0..=u8::MAX {
            self.set_side(Observer(number), sides.of(Observer(number)), changes);
        }
    }

    /// Notes that the threat of all cells with sources of a side may have changed for some observer.
    fn mark_own(&self, side: u8, changes: &mut ChangeLog) {
        let Some((_, own)) = self.own.of(side) else { return };
        changes.begin();
        own.places().for_each(|place| changes.mark_threat(self.padding.pos(PadId(place as u32))));
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
    pub(in crate::cost) fn replace(&mut self, before: Option<OwnedSource>, now: Option<OwnedSource>) {
        for (step, source) in [(Step::TakeOut, before), (Step::Add, now)] {
            let Some(source) = source else { continue };
            self.touched.push(source.source.rect().intersect(self.grid.rect()));
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
        // Clamped values may stay the same where the threat for one side changes.
        let owned = !self.own.is_empty();
        self.apply_steps();
        let mark = if owned || !self.own.is_empty() { Mark::All } else { Mark::Different };
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
                        self.show_run(run.clone(), at(run.start), mark, changes);
                    }
                } else {
                    self.show_run(row, at(first), mark, changes);
                }
            }
        }
    }

    /// Updates the values of neighbouring cells of one row. The first one is `from`.
    fn show_run(&mut self, run: Range<usize>, from: CellPos, mark: Mark, changes: &mut ChangeLog) {
        let values = self.values[run.clone()].iter_mut();
        for ((x, value), &sum) in (from.x..).zip(values).zip(&self.sums[run]) {
            let new = sum.min(u32::from(self.max_cost)) as u8;
            if *value != new || mark == Mark::All {
                *value = new;
                changes.mark_threat(CellPos { x, y: from.y });
            }
        }
    }

    /// Applies the replaced sources to the sums. Sources of one kind follow each other, so that their strengths are computed once. Sums do
    /// not depend on the order.
    fn apply_steps(&mut self) {
        self.steps.sort_unstable_by_key(|&(step, OwnedSource { source, .. })| {
            (step, source.radius, source.strength, source.falloff as u8)
        });
        for number in 0..self.steps.len() {
            let (step, OwnedSource { source, owner }) = self.steps[number];
            match step {
                Step::TakeOut => self.counted -= 1,
                Step::Add => self.counted += 1,
            }
            self.add_to_sums(step, &source);
            if let Some(owner) = owner {
                self.own_step(step, &source, self.sides.of(owner));
            }
        }
        self.steps.clear();
    }

    fn add_to_sums(&mut self, step: Step, source: &ThreatSource) {
        let area = source.rect().intersect(self.grid.rect());
        self.stencil.prepare(source);
        for y in area.y0..area.y1 {
            let row = self.row(area, y);
            let strengths = self.stencil.row(y - source.at.y, area.x0 - source.at.x);
            for (sum, &strength) in self.sums[row].iter_mut().zip(strengths) {
                *sum = step.combine(*sum, u32::from(strength));
            }
        }
    }

    /// Adds a source to the sums of a side, or takes it out.
    fn own_step(&mut self, step: Step, source: &ThreatSource, side: u8) {
        let (area, padding) = (source.rect().intersect(self.grid.rect()), self.padding);
        self.stencil.prepare(source);
        let sums = match step {
            Step::TakeOut => self.own.take_source(side),
            Step::Add => Some(self.own.add_source(side, padding.len())),
        };
        let Some(sums) = sums else { return };
        for y in area.y0..area.y1 {
            let row = row_of(padding, area, y);
            let strengths = self.stencil.row(y - source.at.y, area.x0 - source.at.x);
            sums.combine(row.clone(), strengths, |sum, strength| step.combine(sum, strength));
            if step == Step::TakeOut {
                sums.free_empty(row);
            }
        }
    }

    /// The indices in padded order of one row of an area on the map.
    fn row(&self, area: CellRect, y: i32) -> Range<usize> {
        row_of(self.padding, area, y)
    }

    /// The threat map rebuilt from the sources that count now (`shown`), for comparison.
    pub(in crate::cost) fn rebuilt(&self) -> Self {
        let mut rebuilt = self.clone();
        rebuilt.sums.fill(0);
        rebuilt.values.fill(0);
        rebuilt.own = OwnThreat::default();
        for (_, entry) in self.entries.iter() {
            if let Some(OwnedSource { source, owner }) = entry.shown {
                if let Some(owner) = owner {
                    rebuilt.own_step(Step::Add, &source, self.sides.of(owner));
                }
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
        let own = self.own.same_sums(&other.own, self.padding.len());
        self.sums == other.sums && self.values == other.values && own
    }
}

impl Step {
    fn combine(self, sum: u32, strength: u32) -> u32 {
        match self {
            Self::TakeOut => sum - strength,
            Self::Add => sum + strength,
        }
    }
}

/// The indices in padded order of one row of an area on the map.
fn row_of(padding: Padding, area: CellRect, y: i32) -> Range<usize> {
    let first = padding.pad(CellPos { x: area.x0, y }).index();
    first..first + area.x0.abs_diff(area.x1) as usize
}

/// Whether the threat map is refreshed in the tick `now`.
pub(in crate::cost) fn refresh_due(now: Tick, every: u32) -> bool {
    now.0 % u64::from(every.max(1)) == 0
}

impl HashState for ThreatMap {
    fn hash_state(&self, hasher: &mut StateHasher) {
        self.entries.hash_state(hasher);
        // Without sources the sides decide no answer.
        if !self.is_empty() {
            self.sides.hash_state(hasher);
        }
    }
}

impl HashState for Entry {
    fn hash_state(&self, hasher: &mut StateHasher) {
        let source = |owned: Option<OwnedSource>| owned.map(|owned| owned.source);
        source(self.wanted).hash_state(hasher);
        source(self.shown).hash_state(hasher);
        // Nothing more is hashed for a source without an owner.
        for (number, owned) in (1..).zip([self.wanted, self.shown]) {
            if let Some(owner) = owned.and_then(|owned| owned.owner) {
                hasher.write_u8(number);
                owner.hash_state(hasher);
            }
        }
    }
}

#[cfg(test)]
mod tests;
