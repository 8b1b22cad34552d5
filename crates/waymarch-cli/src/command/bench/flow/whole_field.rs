//! Whole-map flow fields: the time to make one, and to repair it after an edit.

use std::time::Instant;

use waymarch::base::{Agent, CellPos, LocomotorId, Purpose, Rng, Tick, cell};
use waymarch::cost::{CostLayer, CostSettings, Stamp, StampId, StepRule, ValidMap};
use waymarch::flow::whole::{FieldKey, Followed, Keep, WholeField, WholeScratch};

use super::case::{FlowCase, Row, open_cells};
use crate::diagnostics::Failure;
use crate::report::rounded;
use crate::stats::at_percent;

/// The times of one case in nanoseconds, and its counts.
#[derive(Default)]
struct Tally {
    times: Vec<u64>,
    grown: usize,
    cells: u64,
    rebuilt: usize,
}

/// Makes a field for each goal and repairs it after edits, on one map.
pub(super) fn measure(case: &FlowCase<'_>) -> Result<Vec<Row>, Failure> {
    let mut bench = Bench::new(case.map, case.seed)?;
    let made = bench.make(case.goals)?;
    let repaired = bench.repair(case.edits)?;
    let equal = bench.equals_new_field()?;
    let cells = bench.layer.grid().cells() as f64;
    let mean = |tally: &Tally| tally.times.iter().sum::<u64>() as f64 / tally.times.len().max(1) as f64;
    let making = mean(&made);
    let row = |name: &'static str, mut tally: Tally, equal: bool| {
        tally.times.sort_unstable();
        let (count, mean) = (tally.times.len(), mean(&tally));
        Row {
            map: case.word.to_owned(),
            case: name,
            ground: case.ground,
            size: bench.layer.grid().to_string(),
            planner: "whole",
            rounds: count,
            mean_us: rounded(mean / 1e3, 2),
            median_us: rounded(at_percent(&tally.times, 50) as f64 / 1e3, 2),
            p99_us: rounded(at_percent(&tally.times, 99) as f64 / 1e3, 2),
            per_cell_ns: rounded(mean / cells, 3),
            allocations: tally.grown,
            bytes_per_cell: rounded(bench.field.memory_bytes() as f64 / cells, 2),
            share_of_making: rounded(mean / making.max(1.0), 5),
            cells: rounded(tally.cells as f64 / count as f64, 1),
            rebuilt: tally.rebuilt,
            equal,
        }
    };
    Ok(vec![row("make", made, true), row("mend 3x3", repaired, equal)])
}

/// A map with one field, whose goal changes.
struct Bench {
    layer: CostLayer,
    agent: Agent,
    field: WholeField,
    scratch: WholeScratch,
    open: Vec<CellPos>,
    random: Rng,
}

impl Bench {
    fn new(map: &ValidMap, seed: u32) -> Result<Self, Failure> {
        let layer = CostLayer::new(map, CostSettings::default());
        let agent = Agent::from(LocomotorId(0));
        let open = open_cells(&layer, agent)?;
        let (key, mut scratch) = (FieldKey::new(agent, open[0]), WholeScratch::new());
        let field = WholeField::new(&layer, &key, StepRule::default(), Keep::Costs, &mut scratch);
        let field = field?;
        let random = Rng::keyed(u64::from(seed), Tick::ZERO, 0, Purpose(3));
        Ok(Self { layer, agent, field, scratch, open, random })
    }

    /// Gives the field another random goal. Some goals lie on islands.
    fn aim(&mut self) -> Result<(), Failure> {
        let goal = self.open[self.random.below(self.open.len() as u32) as usize];
        let key = FieldKey::new(self.agent, goal);
        self.field.retarget(&self.layer, &key, &mut self.scratch).map_err(Failure::from)
    }

    fn memory(&self) -> usize {
        self.field.memory_bytes() + self.scratch.memory_bytes()
    }

    fn make(&mut self, rounds: u32) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        // Warms the caches.
        self.aim()?;
        for _ in 0..rounds {
            let held = self.memory();
            let start = Instant::now();
            self.aim()?;
            tally.times.push(start.elapsed().as_nanos() as u64);
            tally.grown += usize::from(self.memory() > held);
            tally.cells += self.layer.grid().cells() as u64;
        }
        Ok(tally)
    }

    /// Places and removes random buildings and repairs the field after each edit. Every 10 rounds the goal changes.
    fn repair(&mut self, rounds: u32) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        let grid = self.layer.grid();
        let stamp = Stamp::solid(3.min(grid.width()), 3.min(grid.height()));
        let mut standing: Vec<StampId> = Vec::new();
        for round in 0..rounds {
            if round % 10 == 0 {
                self.aim()?;
            }
            if standing.len() > 2 && self.random.below(2) == 0 {
                let id = standing.swap_remove(self.random.below(standing.len() as u32) as usize);
                self.layer.remove(id).map_err(Failure::invalid)?;
            } else {
                let mut along = |length: u32| self.random.below(length) as i32;
                let at = cell(along(grid.width() - stamp.width + 1), along(grid.height() - stamp.height + 1));
                let placed = self.layer.place(&stamp, at, Tick::ZERO);
                standing.push(placed.map_err(Failure::invalid)?);
            }
            let held = self.memory();
            let start = Instant::now();
            let followed = self.field.follow(&self.layer, &mut self.scratch);
            tally.times.push(start.elapsed().as_nanos() as u64);
            tally.grown += usize::from(self.memory() > held);
            match followed? {
                Followed::Unchanged => {}
                Followed::Mended(cells) => tally.cells += u64::from(cells),
                Followed::Rebuilt => tally.rebuilt += 1,
            }
        }
        Ok(tally)
    }

    fn equals_new_field(&mut self) -> Result<bool, Failure> {
        let (key, rule) = (self.field.key(), self.field.rule());
        let fresh = WholeField::new(&self.layer, key, rule, Keep::Costs, &mut self.scratch);
        Ok(fresh? == self.field)
    }
}
