//! What changed: which sectors, for which locomotors, since somebody last asked.

use alloc::vec;
use alloc::vec::Vec;

use crate::base::{
    ByteReader, ByteWriter, CellPos, CellRect, Dir8, GridSize, LoadError, LocomotorId, MAX_SIDE, Persist,
};

/// A square of cells by its row-major place among the map's sectors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SectorId(pub u32);

impl SectorId {
    /// As a slice position.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a map divides into sectors: squares of a power of two cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SectorGrid {
    shift: u32,
    columns: u32,
    rows: u32,
}

impl SectorGrid {
    /// Sectors of `side` cells (rounded up to a power of two, at most [`MAX_SIDE`]) over a map of `grid`.
    #[must_use]
    pub const fn new(grid: GridSize, side: u32) -> Self {
        let side = if side > MAX_SIDE { MAX_SIDE } else { side };
        let shift = side.next_power_of_two().trailing_zeros();
        let round = (1 << shift) - 1;
        Self { shift, columns: (grid.width() + round) >> shift, rows: (grid.height() + round) >> shift }
    }

    /// Cells per side.
    #[must_use]
    pub const fn side(self) -> u32 {
        1 << self.shift
    }

    /// Sectors per row.
    #[must_use]
    pub const fn columns(self) -> u32 {
        self.columns
    }

    /// Rows of sectors.
    #[must_use]
    pub const fn rows(self) -> u32 {
        self.rows
    }

    /// How many sectors.
    #[must_use]
    pub const fn count(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// Every sector.
    pub fn all(self) -> impl ExactSizeIterator<Item = SectorId> + Clone {
        (0..self.count() as u32).map(SectorId)
    }

    /// The cells of a sector; those at the right and lower edge may reach over the edge of the map.
    #[must_use]
    pub const fn area(self, sector: SectorId) -> CellRect {
        let (x, y) = (sector.0 % self.columns, sector.0 / self.columns);
        let at = CellPos::new((x << self.shift) as i32, (y << self.shift) as i32);
        CellRect::at(at, self.side(), self.side())
    }

    /// The sector beside another; none past the edge of the map.
    #[inline]
    #[must_use]
    pub const fn beside(self, sector: SectorId, dir: Dir8) -> Option<SectorId> {
        let x = (sector.0 % self.columns) as i32 + dir.dx();
        let y = (sector.0 / self.columns) as i32 + dir.dy();
        let on_map = x >= 0 && y >= 0 && x < self.columns as i32 && y < self.rows as i32;
        if on_map { Some(SectorId(y as u32 * self.columns + x as u32)) } else { None }
    }

    /// The sector of a cell that is on the map.
    #[inline]
    #[must_use]
    pub const fn of(self, at: CellPos) -> SectorId {
        SectorId((at.y as u32 >> self.shift) * self.columns + (at.x as u32 >> self.shift))
    }
}

/// What changed in one sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SectorChange {
    /// The sector.
    pub sector: SectorId,
    /// The locomotors for which some cell's cost changed at some size, bit = locomotor number.
    pub locomotors: u32,
    /// Whether the threat on some cell changed.
    pub threat: bool,
    /// Whether some cell may be stopped on now and could not before, or the other way round.
    pub stopping: bool,
}

/// Which sectors changed since the last [`ChangeLog::take`], exactly: a sector is listed only if a value in it did change, or the speed on
/// a cell in it may have.
#[derive(Clone, Debug)]
pub struct ChangeLog {
    sectors: SectorGrid,
    /// Per sector: locomotor bits, bit 32 for threat, bit 33 for stopping, bit 34 for speed.
    pending: Vec<u64>,
    dirty: Vec<SectorId>,
    /// Per sector: how often it changed; only good for telling whether it did.
    versions: Vec<u32>,
    /// Counts changes other than of threat.
    ground: u64,
    journal: Journal,
}

/// The latest changes in the order they came, for those who follow a layer without taking its changes away from others.
#[derive(Clone, Debug)]
struct Journal {
    /// How many entries there were before the first that is kept.
    dropped: u64,
    sectors: Vec<SectorId>,
    /// At most so many are kept.
    most: usize,
    /// The sector noted last, if that was in the present edit.
    last: Option<SectorId>,
}

impl Journal {
    fn note(&mut self, sector: SectorId) {
        // Most cells of an edit lie in one sector.
        if self.last.replace(sector) == Some(sector) {
            return;
        }
        if self.sectors.len() == self.most {
            let old = self.most / 2;
            self.sectors.drain(..old);
            self.dropped += old as u64;
        }
        self.sectors.push(sector);
    }
}

/// How far somebody has followed a layer's changes; see [`ChangeLog::since`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangeMark(u64);

const THREAT: u64 = 1 << 32;
const STOPPING: u64 = 1 << 33;
const SPEED: u64 = 1 << 34;

impl ChangeLog {
    pub(super) fn new(sectors: SectorGrid) -> Self {
        let count = sectors.count();
        let journal = Journal { dropped: 0, sectors: Vec::new(), most: count.max(64), last: None };
        Self {
            sectors,
            pending: vec![0; count],
            dirty: Vec::new(),
            versions: vec![0; count],
            ground: 0,
            journal,
        }
    }

    /// A mark that says: everything up to now is known.
    #[must_use]
    pub fn mark_now(&self) -> ChangeMark {
        ChangeMark(self.journal.dropped + self.journal.sectors.len() as u64)
    }

    /// The sectors that changed since `mark`, some perhaps several times, whoever took the changes meanwhile; `None` if that is so
    /// long ago that any of them may have.
    #[must_use]
    pub fn since(&self, mark: ChangeMark) -> Option<&[SectorId]> {
        let known = mark.0.checked_sub(self.journal.dropped)?;
        self.journal.sectors.get(usize::try_from(known).ok()?..)
    }

    /// How many entries [`ChangeLog::since`] would list, had none been dropped.
    #[must_use]
    pub fn count_since(&self, mark: ChangeMark) -> u64 {
        self.mark_now().0.saturating_sub(mark.0)
    }

    /// A number that is another one after every change but of threat.
    #[must_use]
    pub fn ground_version(&self) -> u64 {
        self.ground
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        let lists = (self.dirty.capacity() + self.journal.sectors.capacity()) * size_of::<SectorId>();
        self.pending.len() * 8 + self.versions.len() * 4 + lists
    }

    /// An edit begins.
    pub(super) fn begin(&mut self) {
        self.journal.last = None;
    }

    /// The sectors it speaks of.
    #[must_use]
    pub fn sectors(&self) -> SectorGrid {
        self.sectors
    }

    /// A number that is another one after every change in `sector`.
    #[must_use]
    pub fn version(&self, sector: SectorId) -> u32 {
        self.versions.get(sector.index()).copied().unwrap_or(0)
    }

    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.dirty.is_empty()
    }

    /// Moves the changed sectors into `out` (which is cleared), by ascending sector, and starts anew.
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

    /// An edit of ground that units go over at different speeds: those who rest there look around again.
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

impl Persist for SectorId {
    fn save(&self, writer: &mut ByteWriter) {
        self.0.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        u32::load(reader).map(Self)
    }
}
