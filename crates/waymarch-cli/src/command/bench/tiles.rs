//! The part of `waymarch bench flow` that is about tiles.

use std::time::Instant;

use waymarch::base::{Agent, CellPos, Fixed, LocomotorId, Purpose, Rng, Tick, Vec2, WorldPos};
use waymarch::cost::{CostLayer, CostSettings, StepRule, ValidMap};
use waymarch::flow::tiles::{Breadth, FlowId, Heading, TileAim, TileFlows, TileReader, TileSettings};
use waymarch::flow::whole::{FieldKey, Flow, Keep, WholeField, WholeScratch};
use waymarch::query::{PlanError, Threat};
use waymarch::sectors::{DoorRoute, DoorScratch, Doors};

use super::flow::{FlowArgs, Row};
use crate::diagnostics::Failure;
use crate::report::rounded;
use crate::scene::no_route;

/// Headings are asked for so many at a time: one takes less than reading the clock.
const HEADINGS: u32 = 256;

/// Batches of headings per goal.
const BATCHES: u32 = 20;

/// Tiles made and headings read for some goals on a map, each along the sectors of a route and those around them.
pub(super) fn measure(
    word: &str,
    ground: &'static str,
    map: &ValidMap,
    args: &FlowArgs,
) -> Result<Vec<Row>, Failure> {
    let mut bench = Bench::new(map, args)?;
    let (mut tiles, mut headings) = (Tally::default(), Tally::default());
    let mut equal = true;
    for round in 0..=args.goals {
        let Some(id) = bench.open(&mut tiles)? else { continue };
        bench.sample(id, &mut headings);
        equal &= bench.is_no_better_elsewhere(id)?;
        bench.flows.close(id);
        if round == 0 {
            // To warm up.
            (tiles, headings) = (Tally::default(), Tally::default());
        }
    }
    let side = bench.layer.changes().sectors().side();
    let tile_cells = f64::from(side * side);
    let row = |case: &'static str, Tally { mut times, grown }: Tally, cells: f64, bytes: f64| {
        times.sort_unstable_by(f64::total_cmp);
        let count = times.len();
        let mean = times.iter().sum::<f64>() / count.max(1) as f64;
        let at = |part: usize| times.get(count * part / 100).copied().unwrap_or(0.0);
        Row {
            map: word.to_owned(),
            case,
            ground,
            size: bench.layer.grid().to_string(),
            planner: "tiles",
            rounds: count,
            mean_us: rounded(mean / 1e3, 4),
            median_us: rounded(at(50) / 1e3, 4),
            p99_us: rounded(at(99) / 1e3, 4),
            per_cell_ns: rounded(mean / cells, 3),
            allocations: grown,
            bytes_per_cell: rounded(bytes, 2),
            share_of_making: 1.0,
            cells,
            rebuilt: 0,
            equal,
        }
    };
    let kept = bench.flows.tile_bytes() as f64 / tile_cells;
    Ok(vec![row("tile", tiles, tile_cells, kept), row("heading", headings, 1.0, kept)])
}

/// Times of one case in nanoseconds.
#[derive(Default)]
struct Tally {
    times: Vec<f64>,
    /// Rounds after which more memory was held than before.
    grown: usize,
}

struct Bench {
    layer: CostLayer,
    agent: Agent,
    doors: Doors,
    flows: TileFlows,
    open: Vec<CellPos>,
    random: Rng,
    scratch: DoorScratch,
    route: DoorRoute,
    reader: TileReader,
    now: Tick,
}

impl Bench {
    fn new(map: &ValidMap, args: &FlowArgs) -> Result<Self, Failure> {
        let layer = CostLayer::new(map, CostSettings::default());
        let agent = Agent::from(LocomotorId(0));
        let costs = layer.field(agent).ok_or_else(|| no_route(&PlanError::UnknownAgent(agent)))?;
        let is_open = |at: &CellPos| costs.is_passable(*at) && layer.can_stop(*at, agent);
        let open: Vec<CellPos> = layer.grid().rect().cells().filter(is_open).collect();
        if open.is_empty() {
            return Err(no_route(&PlanError::GoalClosed));
        }
        let rule = StepRule::default();
        let doors = Doors::new(&layer, agent, rule, Threat::Ignore).map_err(|error| no_route(&error))?;
        let settings = TileSettings { capacity: 64, per_tick: 1, ..TileSettings::default() };
        let flows = TileFlows::new(&layer, rule, settings);
        let random = Rng::keyed(u64::from(args.seed), Tick::ZERO, 0, Purpose(4));
        let (scratch, route) = (DoorScratch::default(), DoorRoute::default());
        Ok(Self {
            layer,
            agent,
            doors,
            flows,
            open,
            random,
            scratch,
            route,
            reader: TileReader::new(),
            now: Tick::ZERO,
        })
    }

    fn any(&mut self) -> CellPos {
        self.open[self.random.below(self.open.len() as u32) as usize]
    }

    /// A flow from somewhere to somewhere, made tile by tile; none if no way joins the two.
    fn open(&mut self, tally: &mut Tally) -> Result<Option<FlowId>, Failure> {
        let (start, goal) = (self.any(), self.any());
        let id = self.flows.open(&self.layer, TileAim::new(self.agent, goal));
        let id = id.map_err(|error| no_route(&error))?;
        if !self.doors.route(&self.layer, start, goal, &mut self.scratch, &mut self.route) {
            self.flows.close(id);
            return Ok(None);
        }
        self.flows.widen(&self.layer, id, &self.route, Breadth::Around);
        while !self.flows.is_done(id) {
            self.now = self.now.next();
            let held = self.flows.memory_bytes();
            let clock = Instant::now();
            self.flows.tick(&self.layer, self.now);
            tally.times.push(clock.elapsed().as_nanos() as f64);
            tally.grown += usize::from(self.flows.memory_bytes() > held);
        }
        Ok(Some(id))
    }

    fn sample(&mut self, id: FlowId, tally: &mut Tally) {
        let sectors = self.layer.changes().sectors();
        let inside: Vec<_> = self.flows.corridor(id).collect();
        let mut points = Vec::new();
        for _ in 0..BATCHES {
            points.clear();
            // Units of a group are near each other, and asked one after the other.
            let sector = inside[self.random.below(inside.len() as u32) as usize];
            let area = sectors.area(sector).intersect(self.layer.grid().rect());
            for _ in 0..HEADINGS {
                let mut axis = |low: i32, high: i32| {
                    let cells = (high - low).unsigned_abs();
                    Fixed::from_raw(low * 1024 + self.random.below(cells * 1024) as i32)
                };
                let (x, y) = (axis(area.x0, area.x1), axis(area.y0, area.y1));
                points.push(WorldPos { x, y, z: Fixed::ZERO });
            }
            // Tiles that were given up are made again.
            self.now = self.now.next();
            self.flows.prepare(&self.layer, self.now, points.iter().map(|at| (id, at.cell())));
            let held = self.flows.memory_bytes();
            let mut sum = Vec2::ZERO;
            let (flows, reader) = (&self.flows, &mut self.reader);
            let clock = Instant::now();
            for &at in &points {
                if let Heading::Go { way, .. } = flows.heading(&self.layer, id, at, reader) {
                    sum += way;
                }
            }
            tally.times.push(clock.elapsed().as_nanos() as f64 / f64::from(HEADINGS));
            tally.grown += usize::from(self.flows.memory_bytes() > held);
            std::hint::black_box(sum);
        }
    }

    /// Walks from the start of the route: a way, and none cheaper than the cheapest on the whole map.
    fn is_no_better_elsewhere(&mut self, id: FlowId) -> Result<bool, Failure> {
        let (Some(&start), Some(&goal)) = (self.route.cells.first(), self.route.cells.last()) else {
            return Ok(true);
        };
        let (key, mut scratch) = (FieldKey::new(self.agent, goal), WholeScratch::new());
        let field = WholeField::new(&self.layer, &key, StepRule::default(), Keep::Costs, &mut scratch);
        let field = field.map_err(|error| no_route(&error))?;
        let Some(costs) = self.layer.field(self.agent) else { return Ok(false) };
        let (mut at, mut paid) = (start, 0);
        for _ in 0..=self.open.len() {
            match self
                .flows
                .byte(&self.layer, id, at, &mut self.reader)
                .map(waymarch::flow::whole::FlowByte::flow)
            {
                Some(Flow::Step(dir)) => {
                    at = at.step(dir);
                    paid += u64::from(waymarch::cost::step_length(dir)) * u64::from(costs.cost(at));
                }
                Some(Flow::Goal) => {
                    let best = field.cost_to_goal(start).map_or(u64::MAX, |cost| cost.0);
                    // Not dearer than the route over doors, and not cheaper than possible.
                    return Ok(at == goal && paid >= best && paid <= self.route.cost);
                }
                _ => return Ok(false),
            }
        }
        Ok(false)
    }
}
