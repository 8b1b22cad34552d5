//! Lower bounds of the remaining cost to one goal, found outwards from it as far as needed.

use alloc::vec::Vec;

use super::pieces::Piece;
use super::squares::{Crossing, Rims};
use crate::base::{CellPos, CellRect, OpenEntry, OpenList, Scratch, StampedMap, poison_list};
use crate::cost::{CostLayer, CostView, DIAGONAL, IMPASSABLE, SectorId};
use crate::sectors::doors::distances::{NO_ROUTE, SectorDistances, Towards, UNIT};
use crate::sectors::doors::table::NO_ROUTE_IN_ROW;

/// Bounds are capped at 2^32 − 2^30 units, so that the cost of any route through a sector can be added.
const FAR: u32 = u32::MAX - (1 << 30);
const _: () = assert!(128 * 128 * (DIAGONAL / UNIT) as u64 * 254 < 1 << 30);

/// A field doubles its reach up to 4 times for the cells of one sector.
const DOUBLINGS: u32 = 4;

/// Scratch for [`RimField`]s; meaningless between them. It grows to the map's size once.
#[derive(Clone, Debug)]
pub struct RimScratch {
    inside: SectorDistances,
    crossings: Vec<Crossing>,
    /// Steps out of the present sector.
    leaving: Vec<Crossing>,
    /// The least known bound of each piece, in units.
    least: StampedMap<u64>,
    open: OpenList,
    /// By sector: where its cells begin, if they are known.
    chunks: StampedMap<u32>,
    /// Bounds of cells, in units, sector by sector.
    cells: Vec<u32>,
    seeds: Vec<(CellPos, u32)>,
}

impl Default for RimScratch {
    fn default() -> Self {
        Self {
            inside: SectorDistances::default(),
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
    /// Empty scratch. The first field allocates its memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Scratch for RimScratch {
    /// Reserves nothing: only planners that a game asks by name use it.
    type Demand = ();

    fn poison(&mut self) {
        let rubbish = CellPos::new(-7, 7);
        self.inside.poison();
        for list in [&mut self.crossings, &mut self.leaving] {
            poison_list(list, Crossing { from: rubbish, units: 7, piece: 7 });
        }
        self.least.poison(7);
        self.open.push(OpenEntry::new(7, 7, 7));
        self.chunks.poison(7);
        poison_list(&mut self.cells, 7);
        poison_list(&mut self.seeds, (rubbish, 7));
    }

    fn reserve(&mut self, (): ()) {}
}

impl Rims {
    /// Finds all costs that are not known yet. Call it while a map is loaded, so that the first fields are fast.
    pub fn prepare_all(&self, layer: &CostLayer, scratch: &mut RimScratch) {
        let Some(ground) = self.ground(layer) else { return };
        for square in 0..self.pieces.squares() {
            if self.squares[square as usize].costs.row(0).is_none() {
                self.find_costs(ground, square, &mut scratch.inside, &mut scratch.crossings);
            }
        }
    }
}

/// Lower bounds of the remaining cost to one goal, for every cell: an estimate for exact searches.
///
/// The first query in a sector searches backwards from the goal, from piece to piece of [`Rims`], as far as this sector needs. Then it spreads
/// over the sector's cells. Further queries in the sector cost two lookups. For many starts to one goal, keep the field. It borrows the layer,
/// so it cannot be out of date.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
/// use waymarch::query::Threat;
/// use waymarch::sectors::{RimField, RimScratch, Rims};
///
/// let map = Map::flat("field", GridSize::new(300, 300)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// for y in (0..280).step_by(40) {
///     layer.place(&Stamp::solid(1, 40), cell(150, y), Tick::ZERO)?; // a wall with a gap in the south
/// }
/// let rims = Rims::new(&layer, LocomotorId(0).into(), StepRule::default(), Threat::Ignore)?;
/// let mut scratch = RimScratch::new();
/// let mut left = RimField::new(&rims, &layer, cell(200, 20), &mut scratch).unwrap();
/// let least = left.at_least(cell(100, 20));
/// // The straight line is 100 cells; around the wall it is about 550.
/// assert!((500 * 1024..=560 * 1024).contains(&least), "{least}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RimField<'a> {
    rims: &'a Rims,
    layer: &'a CostLayer,
    ground: CostView<'a>,
    goal: CellPos,
    scratch: &'a mut RimScratch,
    /// Pieces with a bound below this, in units, are final; all of them if `None`.
    front: Option<u64>,
}

impl<'a> RimField<'a> {
    /// Starts a field for `goal`. `None` if the rims are not current, or the goal is closed or off the map.
    #[must_use]
    pub fn new(
        rims: &'a Rims,
        layer: &'a CostLayer,
        goal: CellPos,
        scratch: &'a mut RimScratch,
    ) -> Option<Self> {
        let ground = rims.ground(layer).filter(|ground| ground.field.is_passable(goal))?;
        let RimScratch { least, open, chunks, cells, .. } = scratch;
        least.resize(rims.pieces.numbers());
        least.clear();
        open.clear();
        chunks.resize(rims.pieces.grid.count());
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

    /// The layer.
    #[must_use]
    pub fn layer(&self) -> &'a CostLayer {
        self.layer
    }

    /// The rims it was made from.
    #[must_use]
    pub fn rims(&self) -> &'a Rims {
        self.rims
    }

    /// A lower bound of the cost of the cheapest route from a cell to the goal; 0 off the map. Meaningless for cells where a unit cannot stand, or from
    /// which no route leads to the goal. Does not depend on earlier queries.
    #[must_use]
    pub fn at_least(&mut self, from: CellPos) -> u64 {
        if self.rims.pieces.size.contains(from) { self.on_map(from) } else { 0 }
    }

    /// [`RimField::at_least`] for a cell that is on the map.
    #[inline]
    pub(crate) fn on_map(&mut self, from: CellPos) -> u64 {
        let grid = self.rims.pieces.grid;
        let (sector, mask) = (grid.of(from), grid.side() - 1);
        let start = match self.scratch.chunks.get(sector.0) {
            Some(start) => start,
            None => self.look_at(sector),
        };
        let place = (from.y as u32 & mask) * grid.side() + (from.x as u32 & mask);
        u64::from(self.scratch.cells[(start + place) as usize]) * u64::from(UNIT)
    }

    /// Finds the bounds of pieces from which the goal can be reached within their square.
    fn begin(&mut self) {
        let (rims, ground) = (self.rims, self.ground);
        let RimScratch { inside, least, open, .. } = &mut *self.scratch;
        for square in rims.pieces.squares_of(rims.pieces.grid.of(self.goal)) {
            inside.enter(ground, rims.pieces.square_area(square), rims.rule);
            inside.spread(self.goal, Towards::Source);
            for &piece in &rims.squares[square as usize].ins {
                let cells = rims.pieces.cells(ground, piece);
                let found = cells.map(|at| inside.distance(at)).min().filter(|&found| found != NO_ROUTE);
                found.into_iter().for_each(|found| reach(least, open, piece, found.into()));
            }
        }
    }

    /// Expands the next piece. Returns it with its bound.
    fn next(&mut self) -> Option<(Piece, u64)> {
        let RimScratch { inside, crossings, least, open, .. } = &mut *self.scratch;
        let (rims, pieces) = (self.rims, self.rims.pieces);
        loop {
            let Some(OpenEntry { f: cost, id: piece, .. }) = open.pop() else {
                self.front = None;
                return None;
            };
            if least.get(piece) != Some(cost) {
                continue;
            }
            self.front = Some(cost);
            for square in pieces.squares_near(pieces.sector(piece)) {
                let known = &rims.squares[square as usize];
                let Ok(row) = known.outs.binary_search(&piece) else { continue };
                if known.costs.row(row).is_none() {
                    rims.find_costs(self.ground, square, inside, crossings);
                }
                let Some(costs) = known.costs.row(row) else { continue };
                for (&before, through) in known.ins.iter().zip(costs) {
                    if through < NO_ROUTE_IN_ROW {
                        reach(least, open, before, cost + u64::from(through));
                    }
                }
            }
            return Some((piece, cost));
        }
    }

    /// Finds the bounds of a sector's cells. Returns where they begin.
    #[cold]
    fn look_at(&mut self, sector: SectorId) -> u32 {
        let (rims, ground, pieces) = (self.rims, self.ground, self.rims.pieces);
        let area = pieces.area(sector);
        rims.steps_out_of(ground, sector, &mut self.scratch.leaving);
        let (start, side) = (self.scratch.cells.len(), pieces.grid.side() as usize);
        self.scratch.cells.resize(start + side * side, 0);
        let first = self.least_exit_bound(sector);
        // Twice the cost from corner to corner; more if that is not enough.
        let mut across = 2 * self.corner_to_corner(area);
        for _ in 0..=DOUBLINGS {
            let Some(enough) = first.map(|first| first + across) else { break };
            while self.front.is_some_and(|front| front < enough) {
                self.next();
            }
            if self.spread(sector, enough, start) <= enough {
                break;
            }
            across *= 2;
        }
        self.scratch.chunks.set(sector.0, start as u32);
        start as u32
    }

    /// Spreads over the cells of a sector, from the exits that lead to pieces with bounds of at most `enough`. Writes the cells' bounds from
    /// `start` on. Returns the greatest distance, or `u64::MAX` if no distance is known yet for some exit.
    ///
    /// Other pieces are left out even if their bounds are known. So no answer depends on earlier queries, and every
    /// cell's bound is at most `enough`.
    fn spread(&mut self, sector: SectorId, enough: u64, start: usize) -> u64 {
        let (rims, area, goal) = (self.rims, self.rims.pieces.area(sector), self.goal);
        let RimScratch { inside, leaving, least, seeds, cells, .. } = &mut *self.scratch;
        let known = |piece| least.get(piece).filter(|&left| left <= enough);
        let capped = |left: u64| left.min(u64::from(FAR)) as u32;
        seeds.clear();
        seeds.extend(
            leaving
                .iter()
                .filter_map(|step| Some((step.from, capped(known(step.piece)? + u64::from(step.units))))),
        );
        if rims.pieces.grid.of(goal) == sector {
            seeds.push((goal, 0));
        }
        inside.enter(self.ground, area, rims.rule);
        inside.spread_from(seeds.iter().copied(), rims.rule, Towards::Source);
        let mut farthest = 0;
        for (row, y) in cells[start..].chunks_mut(rims.pieces.grid.side() as usize).zip(area.y0..area.y1) {
            for (cell, x) in row.iter_mut().zip(area.x0..area.x1) {
                let left = inside.distance(CellPos::new(x, y));
                if left != NO_ROUTE {
                    farthest = farthest.max(left);
                }
                *cell = left.min(capped(enough));
            }
        }
        // If an exit has no distance, no route from its room is known yet.
        let shut = |step: &Crossing| inside.distance(step.from) == NO_ROUTE;
        if leaving.iter().any(shut) { u64::MAX } else { u64::from(farthest) }
    }

    /// The least bound of the pieces that steps out of the sector lead to; 0 if the goal is in the sector. `None` if the goal cannot be reached.
    fn least_exit_bound(&mut self, sector: SectorId) -> Option<u64> {
        if self.rims.pieces.grid.of(self.goal) == sector {
            return Some(0);
        }
        let known = |step: &Crossing| {
            let left = self.scratch.least.get(step.piece);
            left.filter(|&left| self.front.is_none_or(|front| left <= front))
        };
        let mut first = self.scratch.leaving.iter().filter_map(known).min();
        while first.is_none() {
            let (piece, left) = self.next()?;
            first = self.scratch.leaving.iter().any(|step| step.piece == piece).then_some(left);
        }
        first
    }

    /// The cost from corner to corner of a sector, at the average cost of its open cells.
    fn corner_to_corner(&self, area: CellRect) -> u64 {
        let costs = area.cells().map(|at| self.ground.cost(at)).filter(|&cost| cost != IMPASSABLE);
        let (sum, count) = costs.fold((0, 0), |(sum, count), cost| (sum + u64::from(cost), count + 1));
        u64::from(self.rims.pieces.grid.side() * DIAGONAL / UNIT) * sum / count.max(1_u64)
    }
}

/// Lowers the bound of a piece to `cost`.
fn reach(least: &mut StampedMap<u64>, open: &mut OpenList, piece: Piece, cost: u64) {
    if least.get(piece).is_none_or(|known| cost < known) {
        least.set(piece, cost);
        open.push(OpenEntry::new(cost, 0, piece));
    }
}
