//! Threat: a u8 per cell, added to terrain cost for units that heed it.

use alloc::vec;
use alloc::vec::Vec;

use super::changes::ChangeLog;
use super::field::Padding;
use super::rules::{IMPASSABLE, MAX_CELL_COST};
use crate::base::{CellPos, CellRect, GridSize, HashState, Id, Slots, StateHasher, Tick};

/// Names a threat source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ThreatTag {}

/// A threat source; an id of one that is gone is told from all later ones.
pub type ThreatId = Id<ThreatTag>;

/// The largest radius of a threat source, in cells.
pub const MAX_THREAT_RADIUS: u16 = 255;

/// How threat fades with distance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Falloff {
    /// Full strength out to the radius.
    Flat,
    /// Falls evenly, to a last step above nothing at the radius.
    #[default]
    Linear,
    /// Falls with the square of the distance, to nothing at the radius.
    Quadratic,
}

/// Something dangerous: full strength at its cell, fading out to its radius.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ThreatSource {
    /// Where it is.
    pub at: CellPos,
    /// How far it reaches, in cells, 0..=[`MAX_THREAT_RADIUS`].
    pub radius: u16,
    /// What it adds to the cost of its own cell.
    pub strength: u8,
    /// How that fades.
    pub falloff: Falloff,
}

impl ThreatSource {
    /// What it adds at `at`, before clamping.
    #[must_use]
    pub fn strength_at(&self, at: CellPos) -> u8 {
        let (dx, dy) = (i64::from(at.x) - i64::from(self.at.x), i64::from(at.y) - i64::from(self.at.y));
        let radius = i64::from(self.radius.min(MAX_THREAT_RADIUS));
        if dx.abs() > radius || dy.abs() > radius {
            return 0;
        }
        let (distance_squared, strength) = (dx * dx + dy * dy, i64::from(self.strength));
        if distance_squared > radius * radius {
            return 0;
        }
        let fading = match self.falloff {
            Falloff::Flat => strength,
            Falloff::Linear => {
                // In 1024ths; the +1024 keeps the rim above nothing.
                let distance = ((distance_squared as u64) << 20).isqrt() as i64;
                strength * (((radius + 1) << 10) - distance) / ((radius + 1) << 10)
            }
            Falloff::Quadratic => {
                let rim = (radius * radius).max(1);
                strength * (rim - distance_squared) / rim
            }
        };
        if distance_squared == 0 { self.strength } else { fading as u8 }
    }

    fn rect(&self) -> CellRect {
        let radius = i32::from(self.radius.min(MAX_THREAT_RADIUS));
        CellRect::at(self.at, 1, 1).grow(radius, radius)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// As the game last said; `None` once removed, until the next refresh forgets it.
    pub(super) wanted: Option<ThreatSource>,
    /// As the map shows.
    pub(super) shown: Option<ThreatSource>,
}

/// World: threat sources, and (Derived from those shown) the threat of each cell.
///
/// Changes show at the next refresh, every `threat_update_frequency` ticks, and cost only the area they touch.
#[derive(Clone, Debug)]
pub struct ThreatMap {
    grid: GridSize,
    padding: Padding,
    max_cost: u8,
    pub(super) entries: Slots<ThreatTag, Entry>,
    /// Ids with something to show, in order of change.
    pub(super) pending: Vec<ThreatId>,
    /// Scratch: the areas a refresh touches.
    touched: Vec<CellRect>,
    /// Unclamped sums and clamped values, padded; empty until there is a source.
    sums: Vec<u32>,
    values: Vec<u8>,
}

impl ThreatMap {
    pub(super) fn new(grid: GridSize, max_cost: u8) -> Self {
        Self {
            grid,
            padding: Padding::new(grid),
            max_cost: max_cost.min(MAX_CELL_COST),
            entries: Slots::new(),
            pending: Vec::new(),
            touched: Vec::new(),
            sums: Vec::new(),
            values: Vec::new(),
        }
    }

    /// The threat shown at `at`; 0 off the map.
    #[inline]
    #[must_use]
    pub fn at(&self, at: CellPos) -> u8 {
        if self.values.is_empty() || !self.grid.contains(at) {
            return 0;
        }
        self.values[self.padding.pad(at).index()]
    }

    /// The threat shown, in padded order; empty when there never was a source.
    #[inline]
    #[must_use]
    pub fn padded(&self) -> &[u8] {
        &self.values
    }

    /// The sources as the game last said them.
    pub fn sources(&self) -> impl Iterator<Item = (ThreatId, ThreatSource)> {
        self.entries.iter().filter_map(|(id, entry)| Some((id, entry.wanted?)))
    }

    /// How many sources there are, those just removed included until the next refresh.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Bytes held per map cell, in all.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.sums.len() * 4 + self.values.len()
    }

    pub(super) fn add(&mut self, source: ThreatSource) -> ThreatId {
        let id = self.entries.insert(Entry { wanted: Some(source), shown: None });
        self.pending.push(id);
        id
    }

    pub(super) fn set(&mut self, id: ThreatId, source: Option<ThreatSource>) -> Option<()> {
        let entry = self.entries.get_mut(id)?;
        entry.wanted?;
        entry.wanted = source;
        self.pending.push(id);
        Some(())
    }

    /// Shows all changes since the last refresh.
    pub(super) fn refresh(&mut self, changes: &mut ChangeLog) {
        if !self.pending.is_empty() {
            self.make_room();
        }
        // All sums first, then the values they come to, so that only what differs in the end is told.
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
            if let Some(source) = shown {
                self.add_to_sums(&source, |sum, strength| sum - strength);
            }
            if let Some(source) = wanted {
                self.add_to_sums(&source, |sum, strength| sum + strength);
            }
        }
        self.show(changes);
    }

    pub(super) fn make_room(&mut self) {
        if self.values.is_empty() {
            self.sums = vec![0; self.padding.len()];
            self.values = vec![0; self.padding.len()];
        }
    }

    /// Brings the values up to date with the sums that were touched.
    pub(super) fn show(&mut self, changes: &mut ChangeLog) {
        while let Some(area) = self.touched.pop() {
            for at in area.cells() {
                let place = self.padding.pad(at).index();
                let value = self.sums[place].min(u32::from(self.max_cost)) as u8;
                if self.values[place] != value {
                    self.values[place] = value;
                    changes.mark_threat(at);
                }
            }
        }
    }

    pub(super) fn add_to_sums(&mut self, source: &ThreatSource, combine: fn(u32, u32) -> u32) {
        let area = source.rect().intersect(self.grid.rect());
        self.touched.push(area);
        for at in area.cells() {
            let place = self.padding.pad(at).index();
            self.sums[place] = combine(self.sums[place], u32::from(source.strength_at(at)));
        }
    }

    /// The threat map made anew from the shown sources, for comparison.
    pub(super) fn rebuilt(&self) -> Self {
        let mut anew = self.clone();
        anew.sums.fill(0);
        anew.values.fill(0);
        for (_, entry) in self.entries.iter() {
            if let Some(source) = entry.shown {
                for at in source.rect().intersect(self.grid.rect()).cells() {
                    anew.sums[self.padding.pad(at).index()] += u32::from(source.strength_at(at));
                }
            }
        }
        for (value, sum) in anew.values.iter_mut().zip(&anew.sums) {
            *value = (*sum).min(u32::from(self.max_cost)) as u8;
        }
        anew
    }

    pub(super) fn same_values(&self, other: &Self) -> bool {
        self.sums == other.sums && self.values == other.values
    }
}

/// Terrain cost plus threat: clamped to 254, impassable staying impassable (ERRATA 22).
#[inline]
#[must_use]
pub const fn with_threat(cost: u8, threat: u8) -> u8 {
    if cost == IMPASSABLE {
        return IMPASSABLE;
    }
    let sum = cost.saturating_add(threat);
    if sum > MAX_CELL_COST { MAX_CELL_COST } else { sum }
}

/// Whether `now` is a tick on which the threat map is refreshed.
pub(super) fn refresh_due(now: Tick, every: u32) -> bool {
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

impl HashState for ThreatSource {
    fn hash_state(&self, hasher: &mut StateHasher) {
        self.at.hash_state(hasher);
        hasher.write_u16(self.radius);
        hasher.write_u8(self.strength);
        hasher.write_u8(self.falloff as u8);
    }
}
