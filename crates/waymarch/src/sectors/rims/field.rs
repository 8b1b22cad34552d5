//! What is left to one goal at least, found outwards from it as far as somebody asks.

use alloc::vec::Vec;

use super::{Crossing, Piece, Rims};
use crate::base::{CellPos, CellRect, OpenEntry, OpenList, StampedMap};
use crate::cost::{CostLayer, DIAGONAL, IMPASSABLE, SectorId};
use crate::sectors::doors::inside::{Ground, Inside, NO_WAY, Towards, UNIT};
use crate::sectors::doors::table::NO_WAY_IN_ROW;

/// Whatever is left, in units, counts as no more than this: the dearest way through a sector can be added to it.
const FAR: u32 = u32::MAX - (1 << 30);
const _: () = assert!(128 * 128 * (DIAGONAL / UNIT) as u64 * 254 < 1 << 30);

/// How often a field goes on twice as far for the cells of one sector.
const DOUBLINGS: u32 = 4;

/// Scratch for [`RimField`]s; rubbish between them. Grows to the map and then allocates no more.
#[derive(Clone, Debug)]
pub struct RimScratch {
    inside: Inside,
    crossings: Vec<Crossing>,
    /// Steps out of the sector that is looked at.
    leaving: Vec<Crossing>,
    /// The least known from each piece, in units.
    least: StampedMap<u64>,
    open: OpenList,
    /// Where the cells of a sector begin, if they are known.
    chunks: StampedMap<u32>,
    /// Least costs of cells, in units, sector by sector.
    cells: Vec<u32>,
    seeds: Vec<(CellPos, u32)>,
}

impl Default for RimScratch {
    fn default() -> Self {
        Self {
            inside: Inside::default(),
            crossings: Vec::new(),
            leaving: Vec::new(),
            least: StampedMap::new(0, 0),
            open: OpenList::new(),
            chunks: StampedMap::new(0, 0),
            cells: Vec::new(),
            seeds: Vec::new(),
        }
    }
}

impl RimScratch {
    /// An empty one; memory comes with the first field.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn tools(&mut self) -> (&mut Inside, &mut Vec<Crossing>) {
        (&mut self.inside, &mut self.crossings)
    }
}

/// What is left to one goal at least, from every cell: an estimate for exact searches, made from layer 2.
///
/// Once per goal a search backwards from piece to piece of sectors' [`Rims`], as far as somebody asks; and a spread over the cells of
/// each sector that somebody asks about. Then an answer costs two looks into memory. For many starts to one goal, keep it; it borrows the
/// layer, so that it cannot be out of date.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
/// use waymarch::query::Threat;
/// use waymarch::sectors::{RimField, RimScratch, Rims};
///
/// let map = Map::flat("field", GridSize::new(300, 300)?, Rules::spec_000()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// for y in (0..280).step_by(40) {
///     layer.place(&Stamp::solid(1, 40), cell(150, y), Tick::ZERO)?; // a wall with a gap in the south
/// }
/// let rims = Rims::new(&layer, LocomotorId(0).into(), StepRule::default(), Threat::Ignore)?;
/// let mut scratch = RimScratch::new();
/// let mut left = RimField::new(&rims, &layer, cell(200, 20), &mut scratch).unwrap();
/// let least = left.at_least(cell(100, 20));
/// // As the crow flies it is 100 cells; around the wall it is about 550.
/// assert!((500 * 1024..=560 * 1024).contains(&least), "{least}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RimField<'a> {
    rims: &'a Rims,
    layer: &'a CostLayer,
    ground: Ground<'a>,
    goal: CellPos,
    scratch: &'a mut RimScratch,
    /// Pieces from which less than this is left, in units, are known; all once there is none.
    front: Option<u64>,
}

impl<'a> RimField<'a> {
    /// Towards `goal`. None for rims that are not current, and for a goal that is closed or off the map.
    #[must_use]
    pub fn new(
        rims: &'a Rims,
        layer: &'a CostLayer,
        goal: CellPos,
        scratch: &'a mut RimScratch,
    ) -> Option<Self> {
        let ground = rims.ground(layer).filter(|ground| ground.field.is_passable(goal))?;
        let RimScratch { least, open, chunks, cells, .. } = scratch;
        least.resize(rims.cut.numbers());
        least.clear();
        open.clear();
        chunks.resize(rims.cut.grid.count());
        chunks.clear();
        cells.clear();
        let mut field = Self { rims, layer, ground, goal, scratch, front: Some(0) };
        field.begin();
        Some(field)
    }

    /// The goal.
    #[must_use]
    pub fn goal(&self) -> CellPos {
        self.goal
    }

    /// The layer it is about.
    #[must_use]
    pub fn layer(&self) -> &'a CostLayer {
        self.layer
    }

    /// The rims it was made from.
    #[must_use]
    pub fn rims(&self) -> &'a Rims {
        self.rims
    }

    /// At most what the cheapest way from a cell to the goal costs; 0 off the map. Says nothing of cells where a unit cannot stand or from which no
    /// way leads. Never depends on what was asked before.
    #[must_use]
    pub fn at_least(&mut self, from: CellPos) -> u64 {
        if self.rims.cut.size.contains(from) { self.on_map(from) } else { 0 }
    }

    /// The same for a cell that is on the map.
    #[inline]
    pub(crate) fn on_map(&mut self, from: CellPos) -> u64 {
        let grid = self.rims.cut.grid;
        let (sector, mask) = (grid.of(from), grid.side() - 1);
        let start = match self.scratch.chunks.get(sector.0) {
            Some(start) => start,
            None => self.look_at(sector),
        };
        let place = (from.y as u32 & mask) * grid.side() + (from.x as u32 & mask);
        u64::from(self.scratch.cells[(start + place) as usize]) * u64::from(UNIT)
    }

    /// The pieces from which the goal can be reached within their square.
    fn begin(&mut self) {
        let (rims, ground) = (self.rims, self.ground);
        let RimScratch { inside, least, open, .. } = &mut *self.scratch;
        for square in rims.cut.squares_of(rims.cut.grid.of(self.goal)) {
            inside.enter(ground, rims.cut.square_area(square), rims.rule);
            inside.spread(self.goal, Towards::Source);
            for &piece in &rims.squares[square as usize].ins {
                let cells = rims.cut.cells(ground, piece);
                let found = cells.map(|at| inside.distance(at)).min().filter(|&found| found != NO_WAY);
                found.into_iter().for_each(|found| reach(least, open, piece, found.into()));
            }
        }
    }

    /// Goes on to the next piece, and says what is left from there.
    fn next(&mut self) -> Option<(Piece, u64)> {
        let RimScratch { inside, crossings, least, open, .. } = &mut *self.scratch;
        let (rims, cut) = (self.rims, self.rims.cut);
        loop {
            let Some(OpenEntry { f: cost, id: piece, .. }) = open.pop() else {
                self.front = None;
                return None;
            };
            if least.get(piece) != Some(cost) {
                continue;
            }
            self.front = Some(cost);
            for square in cut.squares_near(cut.sector(piece)) {
                let known = &rims.squares[square as usize];
                let Ok(row) = known.outs.binary_search(&piece) else { continue };
                if known.costs.row(row).is_none() {
                    rims.find_costs(self.ground, square, (inside, crossings));
                }
                let Some(costs) = known.costs.row(row) else { continue };
                for (&before, through) in known.ins.iter().zip(costs) {
                    if through < NO_WAY_IN_ROW {
                        reach(least, open, before, cost + u64::from(through));
                    }
                }
            }
            return Some((piece, cost));
        }
    }

    /// Finds what is left from the cells of a sector, and says where they begin.
    #[cold]
    fn look_at(&mut self, sector: SectorId) -> u32 {
        let (rims, ground, cut) = (self.rims, self.ground, self.rims.cut);
        let area = cut.area(sector);
        let mut crossings = core::mem::take(&mut self.scratch.leaving);
        rims.steps_out_of(ground, sector, &mut crossings);
        let (start, side) = (self.scratch.cells.len(), cut.grid.side() as usize);
        self.scratch.cells.resize(start + side * side, 0);
        let first = self.first_way_out(sector, &crossings);
        // Twice through it from corner to corner; more if that turns out not to be enough.
        let mut across = 2 * self.corner_to_corner(area);
        for _ in 0..=DOUBLINGS {
            let Some(enough) = first.map(|first| first + across) else { break };
            while self.front.is_some_and(|front| front < enough) {
                self.next();
            }
            if self.spread(sector, &crossings, enough, start) <= enough {
                break;
            }
            across *= 2;
        }
        self.scratch.chunks.set(sector.0, start as u32);
        self.scratch.leaving = crossings;
        start as u32
    }

    /// Spreads over the cells of a sector from the steps out of it to pieces from which no more than `enough` is left, and writes what is left
    /// from each from `start` on; says what is left from the farthest.
    ///
    /// Other pieces may not be known yet. They are left out, known or not, so that no answer depends on what was asked before, and
    /// all cells count as no farther than `enough`.
    fn spread(&mut self, sector: SectorId, crossings: &[Crossing], enough: u64, start: usize) -> u64 {
        let (rims, area, goal) = (self.rims, self.rims.cut.area(sector), self.goal);
        let RimScratch { inside, least, seeds, cells, .. } = &mut *self.scratch;
        let known = |piece| least.get(piece).filter(|&left| left <= enough);
        let capped = |left: u64| left.min(u64::from(FAR)) as u32;
        seeds.clear();
        seeds.extend(
            crossings
                .iter()
                .filter_map(|step| Some((step.from, capped(known(step.piece)? + u64::from(step.units))))),
        );
        if rims.cut.grid.of(goal) == sector {
            seeds.push((goal, 0));
        }
        inside.enter(self.ground, area, rims.rule);
        inside.spread_from(seeds.iter().copied(), rims.rule, Towards::Source);
        let mut farthest = 0;
        for (row, y) in cells[start..].chunks_mut(rims.cut.grid.side() as usize).zip(area.y0..area.y1) {
            for (cell, x) in row.iter_mut().zip(area.x0..area.x1) {
                let left = inside.distance(CellPos::new(x, y));
                if left != NO_WAY {
                    farthest = farthest.max(left);
                }
                *cell = left.min(capped(enough));
            }
        }
        // A room that can be left, and from which no way is known yet.
        let shut = |step: &Crossing| inside.distance(step.from) == NO_WAY;
        if crossings.iter().any(shut) { u64::MAX } else { u64::from(farthest) }
    }

    /// What is left from the nearest piece that can be stepped to from a sector, or from the goal in it. None if the goal cannot be reached.
    fn first_way_out(&mut self, sector: SectorId, crossings: &[Crossing]) -> Option<u64> {
        if self.rims.cut.grid.of(self.goal) == sector {
            return Some(0);
        }
        let known = |step: &Crossing| {
            let left = self.scratch.least.get(step.piece);
            left.filter(|&left| self.front.is_none_or(|front| left <= front))
        };
        let mut first = crossings.iter().filter_map(known).min();
        while first.is_none() {
            let (piece, left) = self.next()?;
            first = crossings.iter().any(|step| step.piece == piece).then_some(left);
        }
        first
    }

    /// What the way from corner to corner of a sector costs, at the average cost of its open cells.
    fn corner_to_corner(&self, area: CellRect) -> u64 {
        let costs = area.cells().map(|at| self.ground.cost(at)).filter(|&cost| cost != IMPASSABLE);
        let (sum, count) = costs.fold((0, 0), |(sum, count), cost| (sum + u64::from(cost), count + 1));
        u64::from(self.rims.cut.grid.side() * DIAGONAL / UNIT) * sum / count.max(1_u64)
    }
}

/// From a piece no more than `cost` is left.
fn reach(least: &mut StampedMap<u64>, open: &mut OpenList, piece: Piece, cost: u64) {
    if least.get(piece).is_none_or(|known| cost < known) {
        least.set(piece, cost);
        open.push(OpenEntry::new(cost, 0, piece));
    }
}
