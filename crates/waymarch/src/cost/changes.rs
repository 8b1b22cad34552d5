//! The change log: which sectors changed, and for which locomotors.

use alloc::vec;
use alloc::vec::Vec;

use super::sector_grid::{SectorGrid, SectorId};
use crate::base::{CellPos, LocomotorId};

/// What changed in one sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SectorChange {
    /// The sector.
    pub sector: SectorId,
    /// The locomotors for which the cost of some cell changed at some size, bit = locomotor number.
    pub locomotors: u32,
    /// Whether the threat on some cell changed.
    pub threat: bool,
    /// Whether units may now stop on a cell where they could not before, or the other way round.
    pub stopping: bool,
}

/// Derived: which sectors changed since the last [`ChangeLog::take`].
///
/// A sector is listed only if a value in it changed, or if an edit may have changed the speed on one of its cells.
#[derive(Clone, Debug)]
pub struct ChangeLog {
    sectors: SectorGrid,
    /// Per sector: locomotor bits, bit 32 for threat, bit 33 for stopping, bit 34 for speed.
    pending: Vec<u64>,
    dirty: Vec<SectorId>,
    /// Per sector: a counter that differs after each change.
    versions: Vec<u32>,
    /// Counts all changes except those of threat.
    ground: u64,
    journal: Journal,
}

/// The latest changes in order. Readers that use marks follow the layer without [`ChangeLog::take`].
#[derive(Clone, Debug)]
struct Journal {
    /// The number of entries that were dropped, all of them before the first entry that is kept.
    dropped: u64,
    sectors: Vec<SectorId>,
    /// The most entries that are kept. When the list is full, its older half is dropped.
    most: usize,
    /// The sector noted last in the present edit, if there is one.
    last: Option<SectorId>,
}

impl Journal {
    /// The number of latest entries that are always kept.
    fn reach(&self) -> usize {
        self.most / 2
    }

    fn note(&mut self, sector: SectorId) {
        // Most cells of an edit lie in one sector.
        if self.last.replace(sector) == Some(sector) {
            return;
        }
        if self.sectors.len() == self.most {
            let old = self.most - self.reach();
            self.sectors.drain(..old);
            self.dropped += old as u64;
        }
        self.sectors.push(sector);
    }
}

/// How far a reader has followed a layer's changes; see [`ChangeLog::since`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangeMark(u64);

/// Bit 32 of `pending`: threat changed.
const THREAT: u64 = 1 << 32;
/// Bit 33 of `pending`: the set of cells where units may stop changed.
const STOPPING: u64 = 1 << 33;
/// Bit 34 of `pending`: the speed on a cell may have changed.
const SPEED: u64 = 1 << 34;

impl ChangeLog {
    pub(super) fn new(sectors: SectorGrid) -> Self {
        let count = sectors.count();
        let most = 2 * count.max(64);
        let journal = Journal { dropped: 0, sectors: Vec::with_capacity(most), most, last: None };
        Self {
            sectors,
            pending: vec![0; count],
            dirty: Vec::new(),
            versions: vec![0; count],
            ground: 0,
            journal,
        }
    }

    /// Counts on from the numbers of `before`, the log of the map that this one replaces. So no mark, version or ground version of the old log
    /// is valid in this one.
    pub(super) fn count_on_from(&mut self, before: &Self) {
        self.journal.dropped += before.mark_now().0 + 1;
        self.ground = self.ground.wrapping_add(before.ground.wrapping_add(1));
        let greatest = before.versions.iter().copied().max().unwrap_or(0);
        self.versions
            .iter_mut()
            .for_each(|version| *version = version.wrapping_add(greatest.wrapping_add(1)));
    }

    /// A mark for a reader that knows all changes up to now.
    #[must_use]
    pub fn mark_now(&self) -> ChangeMark {
        ChangeMark(self.journal.dropped + self.journal.sectors.len() as u64)
    }

    /// The sectors that changed since `mark`; a sector may occur several times. `None` if there are more than 64 entries and also more
    /// entries than sectors; then any sector may have changed.
    ///
    /// The answer does not depend on [`ChangeLog::take`], nor on changes before `mark`, which a loaded layer does not know.
    #[must_use]
    pub fn since(&self, mark: ChangeMark) -> Option<&[SectorId]> {
        if self.count_since(mark) > self.journal.reach() as u64 {
            return None;
        }
        let known = mark.0.checked_sub(self.journal.dropped)?;
        self.journal.sectors.get(usize::try_from(known).ok()?..)
    }

    /// Writes the sectors that changed since `mark` into `out` (which is cleared), ascending, each once. If the log no longer reaches back to
    /// `mark`, it writes all sectors.
    pub fn collect_since(&self, mark: ChangeMark, out: &mut Vec<SectorId>) {
        out.clear();
        match self.since(mark) {
            Some(changed) => out.extend_from_slice(changed),
            None => out.extend(self.sectors.all()),
        }
        out.sort_unstable();
        out.dedup();
    }

    /// How many entries [`ChangeLog::since`] would list if none had been dropped.
    #[must_use]
    pub fn count_since(&self, mark: ChangeMark) -> u64 {
        self.mark_now().0.saturating_sub(mark.0)
    }

    /// A number that differs after each change except those of threat.
    #[must_use]
    pub fn ground_version(&self) -> u64 {
        self.ground
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        let lists = (self.dirty.capacity() + self.journal.sectors.capacity()) * size_of::<SectorId>();
        self.pending.len() * 8 + self.versions.len() * 4 + lists
    }

    /// Starts an edit.
    pub(super) fn begin(&mut self) {
        self.journal.last = None;
    }

    /// How the map is divided into sectors.
    #[must_use]
    pub fn sectors(&self) -> SectorGrid {
        self.sectors
    }

    /// A number that differs after each change in `sector`.
    #[must_use]
    pub fn version(&self, sector: SectorId) -> u32 {
        self.versions.get(sector.index()).copied().unwrap_or(0)
    }

    /// Whether nothing changed since the last [`ChangeLog::take`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.dirty.is_empty()
    }

    /// Moves the changed sectors into `out` (which is cleared), ascending.
    pub fn take(&mut self, out: &mut Vec<SectorChange>) {
        self.dirty.sort_unstable();
        out.clear();
        for sector in self.dirty.drain(..) {
            let bits = core::mem::take(&mut self.pending[sector.index()]);
            out.push(SectorChange {
                sector,
                locomotors: bits as u32,
                threat: bits & THREAT != 0,
                stopping: bits & STOPPING != 0,
            });
        }
    }

    #[inline]
    pub(super) fn mark(&mut self, at: CellPos, locomotor: LocomotorId) {
        self.note(at, 1 << locomotor.0);
    }

    #[inline]
    pub(super) fn mark_threat(&mut self, at: CellPos) {
        self.note(at, THREAT);
    }

    #[inline]
    pub(super) fn mark_stopping(&mut self, at: CellPos) {
        self.note(at, STOPPING);
    }

    /// Notes an edit of ground with terrain speeds, so that resting units check their surroundings again.
    #[inline]
    pub(super) fn mark_speed(&mut self, at: CellPos) {
        self.note(at, SPEED);
    }

    fn note(&mut self, at: CellPos, bits: u64) {
        let sector = self.sectors.of(at);
        let pending = &mut self.pending[sector.index()];
        if *pending == 0 {
            self.dirty.push(sector);
        }
        *pending |= bits;
        self.ground = self.ground.wrapping_add(u64::from(bits != THREAT));
        self.journal.note(sector);
        self.versions[sector.index()] = self.versions[sector.index()].wrapping_add(1);
    }
}
