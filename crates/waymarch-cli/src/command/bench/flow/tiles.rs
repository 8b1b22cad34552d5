//! Flow tiles: the time to make one, and to read headings from them.

use std::time::Instant;

use waymarch::base::{Agent, CellPos, Fixed, LocomotorId, Purpose, Rng, Tick, Vec2};
use waymarch::cost::{CostLayer, CostSettings, StepRule, ValidMap};
use waymarch::flow::tiles::{Breadth, FlowId, FlowTarget, Heading, TileFlows, TileReader, TileSettings};
use waymarch::flow::whole::{FieldKey, Flow, Keep, WholeField, WholeScratch};
use waymarch::query::Threat;
use waymarch::sectors::{DoorRoute, DoorScratch, Doors};

use super::case::{FlowCase, Row, open_cells};
use crate::diagnostics::Failure;
use crate::report::rounded;
use crate::stats::{at_percent, mean_or_zero};

/// Headings are timed 256 at a time, because one takes less than reading the clock.
const HEADINGS: u32 = 256;

/// 20 batches of headings per goal.
const BATCHES: u32 = 20;

/// Makes tiles and reads headings for random goals, along the sectors of a route and the sectors around them.
pub(super) fn measure(case: &FlowCase<'_>) -> Result<Vec<Row>, Failure> {
    let mut bench = Bench::new(case.map, case.seed)?;
    let (mut tiles, mut headings) = (Tally::default(), Tally::default());
    let mut equal = true;
    for round in 0..=case.goals {
        let Some(id) = bench.open(&mut tiles)? else { continue };
        bench.sample(id, &mut headings);
        equal &= bench.leads_to_goal(id)?;
        bench.flows.close(id);
        if round == 0 {
            // The first round warms the caches.
            (tiles, headings) = (Tally::default(), Tally::default());
        }
    }
    let side = bench.layer.changes().sectors().side();
    let tile_cells = f64::from(side * side);
    let row = |name: &'static str, Tally { mut times, grown }: Tally, cells: f64, bytes: f64| {
        times.sort_unstable_by(f64::total_cmp);
        let count = times.len();
        let mean = mean_or_zero(&times);
        Row {
            map: case.word.to_owned(),
            case: name,
            ground: case.ground,
            size: bench.layer.grid().to_string(),
            planner: "tiles",
            rounds: count,
            mean_us: rounded(mean / 1e3, 4),
            median_us: rounded(at_percent(&times, 50) / 1e3, 4),
            p99_us: rounded(at_percent(&times, 99) / 1e3, 4),
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

/// The times of one case in nanoseconds.
#[derive(Default)]
struct Tally {
    times: Vec<f64>,
    /// Rounds that ended with more memory held than before.
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
    fn new(map: &ValidMap, seed: u32) -> Result<Self, Failure> {
        let layer = CostLayer::new(map, CostSettings::default());
        let agent = Agent::from(LocomotorId(0));
        let open = open_cells(&layer, agent)?;
        let rule = StepRule::default();
        let doors = Doors::new(&layer, agent, rule, Threat::Ignore)?;
        let settings = TileSettings { capacity: 64, per_tick: 1, ..TileSettings::default() };
        let flows = TileFlows::new(&layer, rule, settings);
        let random = Rng::keyed(u64::from(seed), Tick::ZERO, 0, Purpose(4));
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

    fn random_open_cell(&mut self) -> CellPos {
        self.open[self.random.below(self.open.len() as u32) as usize]
    }

    /// Makes a flow between two random cells, tile by tile; `None` if no route connects them.
    fn open(&mut self, tally: &mut Tally) -> Result<Option<FlowId>, Failure> {
        let (start, goal) = (self.random_open_cell(), self.random_open_cell());
        let id = self.flows.open(&self.layer, FlowTarget::new(self.agent, goal));
        let id = id?;
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
            // The units of a group are near each other, and their headings are read one after the other.
            let sector = inside[self.random.below(inside.len() as u32) as usize];
            let area = sectors.area(sector).intersect(self.layer.grid().rect());
            for _ in 0..HEADINGS {
                let mut axis = |low: i32, high: i32| {
                    let cells = (high - low).unsigned_abs();
                    Fixed::from_raw(low * 1024 + self.random.below(cells * 1024) as i32)
                };
                let (x, y) = (axis(area.x0, area.x1), axis(area.y0, area.y1));
                points.push(Vec2 { x, y });
            }
            // Tiles that the cache dropped are made again.
            self.now = self.now.next();
            self.flows.prepare(&self.layer, self.now, points.iter().map(|at| (id, at.cell())));
            let held = self.flows.memory_bytes();
            let mut sum = Vec2::ZERO;
            let (flows, reader) = (&self.flows, &mut self.reader);
            let clock = Instant::now();
            for &at in &points {
                if let Heading::Go { direction, .. } = flows.heading(&self.layer, id, at, reader) {
                    sum += direction;
                }
            }
            tally.times.push(clock.elapsed().as_nanos() as f64 / f64::from(HEADINGS));
            tally.grown += usize::from(self.flows.memory_bytes() > held);
            std::hint::black_box(sum);
        }
    }

    /// Whether the tiles lead from the start to the goal, at a cost between the optimum and the cost of the route over doors.
    fn leads_to_goal(&mut self, id: FlowId) -> Result<bool, Failure> {
        let (Some(&start), Some(&goal)) = (self.route.cells.first(), self.route.cells.last()) else {
            return Ok(true);
        };
        let (key, mut scratch) = (FieldKey::new(self.agent, goal), WholeScratch::new());
        let field = WholeField::new(&self.layer, &key, StepRule::default(), Keep::Costs, &mut scratch);
        let field = field?;
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
                    return Ok(at == goal && paid >= best && paid <= self.route.cost);
                }
                _ => return Ok(false),
            }
        }
        Ok(false)
    }
}
