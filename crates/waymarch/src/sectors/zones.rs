//! Zones: connected cells of a sector that are open to the same locomotors and sizes.

use alloc::vec;
use alloc::vec::Vec;

use super::labels::{Labels, NO_ZONE};
use super::union_find::UnionFind;
use crate::base::{CellPos, CellRect, Dir8, GridSize};
use crate::cost::{CornerRule, CostField, Neighbours, SectorGrid, SectorId, StepRule};

/// Which neighbours of an open cell connect to it if they are open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Connection {
    /// The four straight neighbours. Diagonal steps add nothing: a unit can go around by straight steps.
    Four,
    /// All eight neighbours: corners may be cut.
    Eight,
}

impl Connection {
    pub(super) fn of(rule: StepRule) -> Self {
        if rule.neighbours == Neighbours::Eight && rule.corners == CornerRule::Allow {
            Self::Eight
        } else {
            Self::Four
        }
    }

    /// The number of cells by which a run in the next row may lie beyond the end of a run and still touch it.
    const fn overhang(self) -> u32 {
        match self {
            Self::Four => 0,
            Self::Eight => 1,
        }
    }

    /// The directions in which a sector can be connected to neighbours.
    pub(super) const fn directions(self) -> &'static [Dir8] {
        match self {
            Self::Four => &Dir8::STRAIGHT,
            Self::Eight => &Dir8::ALL,
        }
    }
}

/// A zone that touches a zone of another sector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Touch {
    /// The direction of the other sector.
    pub(super) dir: Dir8,
    pub(super) mine: u16,
    pub(super) theirs: u16,
}

/// The zones of one sector.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct SectorZones {
    /// By zone: the fields in which it is open, one bit each. Zones are numbered by their first cell.
    pub(super) open_to: Vec<u64>,
    /// Pairs of zones that touch within the sector, the lower number first.
    pub(super) inside: Vec<(u16, u16)>,
    /// Zones that touch zones of neighbouring sectors, sorted.
    pub(super) across: Vec<Touch>,
}

/// Derived from the passability of up to 64 fields: every cell's zone, shared by all fields.
///
/// The open cells of one field are a union of zones, so another locomotor needs no labels of its own: a hovercraft uses the zones of land and
/// those of water.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Zones {
    grid: GridSize,
    sectors: SectorGrid,
    /// Cells per side of a sector, as a power of two.
    side_bits: u32,
    connection: Connection,
    labels: Labels,
    by_sector: Vec<SectorZones>,
}

/// A run of cells in a row that are open to the same fields.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: u32,
    to: u32,
    open_to: u64,
}

/// Scratch for finding zones.
#[derive(Clone, Debug, Default)]
pub(super) struct ZoneScratch {
    runs: Vec<Run>,
    /// Where each row's runs begin.
    rows: Vec<usize>,
    /// Groups of fields with the same open cells in the sector, one bit per field.
    views: Vec<u64>,
    /// The open cells of each group.
    open: Vec<u64>,
    joined: UnionFind,
    /// Pairs of runs that touch and are open to different fields.
    touching: Vec<(u32, u32)>,
    pairs: Vec<u64>,
    labels: Vec<u16>,
    zones: SectorZones,
    across: Vec<Touch>,
}

impl Zones {
    /// All cells closed.
    pub(super) fn new(grid: GridSize, sectors: SectorGrid, connection: Connection) -> Self {
        let by_sector = vec![SectorZones::default(); sectors.count()];
        let side_bits = sectors.side().trailing_zeros();
        let labels = Labels::new(sectors.count(), 2 * side_bits);
        Self { grid, sectors, side_bits, connection, labels, by_sector }
    }

    /// The map's size.
    #[inline]
    pub(super) fn grid(&self) -> GridSize {
        self.grid
    }

    /// The zone of a cell on the map.
    #[inline(always)]
    pub(super) fn zone(&self, at: CellPos) -> (SectorId, u16) {
        let sector = self.sectors.of(at);
        (sector, self.labels.get(sector, self.place(at)))
    }

    /// The directions in which a sector can be connected to neighbours.
    pub(super) fn directions(&self) -> &'static [Dir8] {
        self.connection.directions()
    }

    /// The zones of a sector.
    #[inline]
    pub(super) fn sector(&self, sector: SectorId) -> &SectorZones {
        &self.by_sector[sector.index()]
    }

    #[inline]
    fn place(&self, at: CellPos) -> usize {
        let last = (1 << self.side_bits) - 1;
        (((at.y as u32) & last) << self.side_bits | ((at.x as u32) & last)) as usize
    }

    /// The cells of a sector that are on the map.
    pub(super) fn area(&self, sector: SectorId) -> CellRect {
        self.sectors.area(sector).intersect(self.grid.rect())
    }

    /// The neighbouring sector in a direction.
    pub(super) fn beside(&self, sector: SectorId, dir: Dir8) -> Option<SectorId> {
        let area = self.sectors.area(sector);
        let side = self.sectors.side() as i32;
        let at = CellPos::new(area.x0 + dir.dx() * side, area.y0 + dir.dy() * side);
        self.grid.contains(at).then(|| self.sectors.of(at))
    }

    /// Finds the zones of a sector again, but not yet which zones of other sectors they touch. Returns whether anything
    /// changed.
    pub(super) fn relabel(
        &mut self,
        sector: SectorId,
        fields: &[Option<&CostField>],
        scratch: &mut ZoneScratch,
    ) -> bool {
        let area = self.area(sector);
        let side = self.sectors.side();
        scratch.find_runs(area, fields);
        scratch.join_runs(self.connection);
        scratch.number_zones(side);
        let zones = &mut self.by_sector[sector.index()];
        let relabelled = self.labels.set(sector, &scratch.labels, scratch.zones.open_to.len());
        let same = !relabelled && zones.open_to == scratch.zones.open_to;
        // Labels and fields decide which zones touch within a sector.
        if !same {
            scratch.pair_zones();
            zones.open_to.clone_from(&scratch.zones.open_to);
            zones.inside.clone_from(&scratch.zones.inside);
        }
        !same
    }

    /// Finds again which zones touch across the borders of `sectors` (sorted).
    pub(super) fn retouch_around(&mut self, sectors: &[SectorId], scratch: &mut ZoneScratch) {
        for &sector in sectors {
            scratch.across.clear();
            for &dir in self.connection.directions() {
                self.find_touches(sector, dir, &mut scratch.across);
            }
            self.by_sector[sector.index()].across.clone_from(&scratch.across);
        }
        for &sector in sectors {
            for &dir in self.connection.directions() {
                match self.beside(sector, dir) {
                    Some(other) if sectors.binary_search(&other).is_err() => {
                        self.retouch(other, dir.opposite(), scratch);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Finds again which zones a sector's zones touch in one direction.
    fn retouch(&mut self, sector: SectorId, dir: Dir8, scratch: &mut ZoneScratch) {
        scratch.across.clear();
        self.find_touches(sector, dir, &mut scratch.across);
        let across = &mut self.by_sector[sector.index()].across;
        let from = across.partition_point(|touch| touch.dir < dir);
        let to = across.partition_point(|touch| touch.dir <= dir);
        if across[from..to] != scratch.across {
            across.splice(from..to, scratch.across.iter().copied());
        }
    }

    /// Adds the zones that a sector's zones touch in one direction, in order.
    fn find_touches(&self, sector: SectorId, dir: Dir8, touches: &mut Vec<Touch>) {
        let Some(other) = self.beside(sector, dir) else { return };
        let begin = touches.len();
        let edge = edge(self.area(sector), dir);
        let first = CellPos::new(edge.x0, edge.y0);
        let (mine_from, theirs_from) = (self.place(first), self.place(first.step(dir)));
        // Along an edge, the next cell is in the same row or in the next row. A corner has only one cell.
        let along = if edge.y1 - edge.y0 > 1 { self.sectors.side() as usize } else { 1 };
        let length = (edge.x1 - edge.x0).max(edge.y1 - edge.y0) as usize;
        let overhang = self.connection.overhang() as usize;
        for at in 0..length {
            let mine = self.labels.get(sector, mine_from + at * along);
            if mine == NO_ZONE {
                continue;
            }
            for beside in at.saturating_sub(overhang)..=(at + overhang).min(length - 1) {
                let theirs = self.labels.get(other, theirs_from + beside * along);
                let touch = Touch { dir, mine, theirs };
                if theirs != NO_ZONE && touches.last() != Some(&touch) {
                    touches.push(touch);
                }
            }
        }
        touches[begin..].sort_unstable_by_key(|touch| u32::from(touch.mine) << 16 | u32::from(touch.theirs));
        touches.dedup();
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        let of_sector = |zones: &SectorZones| {
            zones.open_to.capacity() * 8 + zones.inside.capacity() * 4 + zones.across.capacity() * 6
        };
        self.labels.memory_bytes()
            + self.by_sector.len() * size_of::<SectorZones>()
            + self.by_sector.iter().map(of_sector).sum::<usize>()
    }
}

/// The cells of `area` along its edge (or in its corner) towards `dir`.
pub(super) fn edge(area: CellRect, dir: Dir8) -> CellRect {
    let cut = |low: i32, high: i32, side: i32| match side {
        0 => (low, high),
        1 => (high - 1, high),
        _ => (low, low + 1),
    };
    let ((x0, x1), (y0, y1)) = (cut(area.x0, area.x1, dir.dx()), cut(area.y0, area.y1, dir.dy()));
    CellRect { x0, y0, x1, y1 }
}

impl ZoneScratch {
    /// Cuts each row of `area` into runs.
    fn find_runs(&mut self, area: CellRect, fields: &[Option<&CostField>]) {
        self.find_views(area, fields);
        self.runs.clear();
        self.rows.clear();
        let mut at = 0;
        for _ in area.y0..area.y1 {
            self.rows.push(self.runs.len());
            for x0 in (area.x0..area.x1).step_by(64) {
                self.add_runs((x0 - area.x0) as u32, (area.x1 - x0).min(64) as u32, at);
                at += 1;
            }
        }
        self.rows.push(self.runs.len());
    }

    /// Reads the passability of `area`, row by row, up to 64 cells at a time. Fields with the same open cells are stored once.
    fn find_views(&mut self, area: CellRect, fields: &[Option<&CostField>]) {
        let Self { views, open, .. } = self;
        views.clear();
        open.clear();
        let words = ((area.x1 - area.x0) as usize).div_ceil(64) * (area.y1 - area.y0) as usize;
        for (number, field) in fields.iter().flatten().enumerate() {
            let (rows, start) = (field.closed_bits().rows(), open.len());
            for y in area.y0..area.y1 {
                let mut x = area.x0;
                while x < area.x1 {
                    open.push(!rows.word_from(y as u32, x as u32));
                    x += 64;
                }
            }
            let (known, own) = open.split_at(start);
            match views.iter_mut().zip(known.chunks(words)).find(|(_, view)| *view == own) {
                Some((fields, _)) => {
                    *fields |= 1 << number;
                    open.truncate(start);
                }
                None => views.push(1 << number),
            }
        }
    }

    /// Adds the runs of up to 64 cells of a row: word number `at` of the views. The first cell is cell number `start` of the row.
    fn add_runs(&mut self, start: u32, width: u32, at: usize) {
        let words = self.open.len() / self.views.len().max(1);
        let mut views = [(0, 0); 64];
        let inside = u64::MAX >> (64 - width);
        // A run starts where the passability for any field differs from the cell before.
        let mut starts = 1;
        for (number, (view, &fields)) in views.iter_mut().zip(&self.views).enumerate() {
            let open = self.open[number * words + at];
            *view = (open, fields);
            starts |= open ^ open << 1;
        }
        let views = &views[..self.views.len()];
        starts &= inside;
        let here = self.rows.last().copied().unwrap_or(0);
        while starts != 0 {
            let from = starts.trailing_zeros();
            starts &= starts - 1;
            let to = if starts == 0 { width } else { starts.trailing_zeros() };
            let open_in = |&(open, fields): &(u64, u64)| fields & (open >> from & 1).wrapping_neg();
            let open_to = views.iter().fold(0, |all, view| all | open_in(view));
            if open_to == 0 {
                continue;
            }
            let (from, to) = (start + from, start + to);
            // Only a run that reaches the end of the word before can continue here.
            match self.runs[here..].last_mut() {
                Some(run) if run.to == from && run.open_to == open_to => run.to = to,
                _ => self.runs.push(Run { from, to, open_to }),
            }
        }
    }

    /// Joins runs that touch and are open to the same fields, and notes other runs that touch.
    fn join_runs(&mut self, connection: Connection) {
        let overhang = connection.overhang();
        self.touching.clear();
        self.joined.start(self.runs.len() as u32);
        for row in 0..self.rows.len() - 1 {
            let here = self.rows[row]..self.rows[row + 1];
            let mut above = if row == 0 { 0 } else { self.rows[row - 1] };
            let end_above = here.start;
            for at in here {
                let run = self.runs[at];
                if at > end_above && self.runs[at - 1].to == run.from {
                    self.touching.push((at as u32 - 1, at as u32));
                }
                while above < end_above && self.runs[above].to + overhang <= run.from {
                    above += 1;
                }
                for (other, touching) in (above..).zip(&self.runs[above..end_above]) {
                    if touching.from >= run.to + overhang {
                        break;
                    }
                    if touching.open_to == run.open_to {
                        self.joined.join(other as u32, at as u32);
                    } else {
                        self.touching.push((other as u32, at as u32));
                    }
                }
            }
        }
    }

    /// Numbers the zones by their first cells and labels all cells.
    fn number_zones(&mut self, side: u32) {
        self.labels.clear();
        self.labels.resize((side * side) as usize, NO_ZONE);
        self.joined.number();
        self.zones.open_to.clear();
        for (row, bounds) in self.rows.windows(2).enumerate() {
            for (node, run) in (bounds[0]..).zip(&self.runs[bounds[0]..bounds[1]]) {
                let zone = self.joined.number_of(node as u32);
                if zone as usize == self.zones.open_to.len() {
                    self.zones.open_to.push(run.open_to);
                }
                let start = row * side as usize;
                self.labels[start + run.from as usize..start + run.to as usize].fill(zone as u16);
            }
        }
    }

    /// Lists which zones touch, each pair once, in order.
    fn pair_zones(&mut self) {
        let Self { joined, zones, touching, pairs, .. } = self;
        let pair = |&(a, b): &(u32, u32)| {
            let (a, b) = (joined.number_of(a), joined.number_of(b));
            (a.min(b), a.max(b))
        };
        zones.inside.clear();
        let count = zones.open_to.len();
        if count > MOST_ZONES_BY_BITS {
            zones.inside.extend(touching.iter().map(pair).map(|(a, b)| (a as u16, b as u16)));
            zones.inside.sort_unstable();
            zones.inside.dedup();
            return;
        }
        // One bit per pair: setting it twice makes no difference, and reading the bits gives the order.
        let words = count.div_ceil(64);
        pairs.clear();
        pairs.resize(count * words, 0);
        for (a, b) in touching.iter().map(pair) {
            pairs[a as usize * words + (b >> 6) as usize] |= 1 << (b & 63);
        }
        for (a, bits) in (0..).zip(pairs.chunks(words.max(1))) {
            for (first, &bits) in (0..).step_by(64).zip(bits) {
                let mut left = bits;
                while left != 0 {
                    zones.inside.push((a, first + left.trailing_zeros() as u16));
                    left &= left - 1;
                }
            }
        }
    }
}

/// Pairs of up to 512 zones are sorted by setting bits.
const MOST_ZONES_BY_BITS: usize = 512;
