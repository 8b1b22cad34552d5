//! `waymarch bench edits`: the time of updates after edits of the map, beside the time of a rebuild.

use std::time::Instant;

use clap::Args;
use comfy_table::Table;
use serde::Serialize;
use waymarch::base::{Agent, CellPos, CellRect, Purpose, Rng, Tick, cell};
use waymarch::cost::{CostLayer, CostSettings, FootCell, GateState, Stamp, StampId, StepRule, TerrainId};
use waymarch::passages::Passages;
use waymarch::query::Threat;
use waymarch::search::{JumpGraph, JumpPlanes, WeightedPlanes};
use waymarch::sectors::{DoorScratch, Doors, Sectors};

use crate::arguments::ReadArgs;
use crate::diagnostics::{Failure, Kind};
use crate::load::find_map;
use crate::report::{Report, Verdict, grouped, rounded};
use crate::stats::at_percent;
use crate::table::table;

const EXAMPLES: &str = "\
Examples:
  waymarch bench edits
  waymarch bench edits generate:3:2048x2048 --edits 500 --json
  waymarch bench edits --huge

Exit code 1 if an updated structure differs from one built from the edited map.";

/// The default maps.
const BUILT_IN: [&str; 2] = ["valley", "generate:1:1024x1024"];

/// The largest map, for `--huge`: 4096×4096 cells.
const HUGE: &str = "generate:1:4096x4096";

/// Arguments of `waymarch bench edits`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EditsArgs {
    /// Map files, built-in maps or generate:SEED:WxH.
    #[arg(value_name = "MAP")]
    maps: Vec<String>,
    /// The seed of the edits.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// Edits per map.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    edits: u32,
    /// Also measure a generated map of 4096×4096 cells.
    #[arg(long)]
    huge: bool,
    #[command(flatten)]
    reading: ReadArgs,
}

/// 8 gates stand on the map from the start, closed.
const GATES: u32 = 8;

/// The kinds of edits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum EditKind {
    Place,
    Remove,
    Terrain,
    Gate,
    Bridge,
}

impl EditKind {
    const ALL: [Self; 5] = [Self::Place, Self::Remove, Self::Terrain, Self::Gate, Self::Bridge];

    const fn name(self) -> &'static str {
        match self {
            Self::Place => "place 3x3",
            Self::Remove => "remove 3x3",
            Self::Terrain => "paint 3x3",
            Self::Gate => "turn gate 3x3",
            Self::Bridge => "bridge 3x3",
        }
    }
}

/// The structures that are updated. Cost layer and sectors (`layers 1+2`) cover all agents; the others cover the first locomotor at
/// size 1.
const STRUCTURES: [&str; 6] = ["layers 1+2", "doors", "jps+", "jps-graph", "jpsw", "passages"];

/// One structure and one kind of edit on one map; scripts rely on the keys.
#[derive(Debug, Serialize)]
struct Row {
    map: String,
    kind: &'static str,
    structure: &'static str,
    edits: usize,
    mean_us: f64,
    median_us: f64,
    p99_us: f64,
    rebuild_us: f64,
    equal: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    rows: &'a [Row],
    seed: u32,
}

pub(super) fn run(args: &EditsArgs) -> Result<Report, Failure> {
    let mut maps = args.maps.clone();
    if maps.is_empty() {
        maps.extend(BUILT_IN.map(str::to_owned));
    }
    if args.huge {
        maps.push(HUGE.to_owned());
    }
    let mut rows = Vec::new();
    for map in &maps {
        rows.extend(measure(map, args)?);
    }
    let verdict = if rows.iter().all(|row| row.equal) { Verdict::Good } else { Verdict::Bad };
    let text = format!("{}\n", edits_table(&rows));
    Ok(Report::new(text, &Document { rows: &rows, seed: args.seed }).verdict(verdict))
}

/// All structures of one map that are updated after edits.
struct Structures {
    layer: CostLayer,
    agent: Agent,
    sectors: Sectors,
    doors: Doors,
    planes: JumpPlanes,
    graph: JumpGraph,
    weighted: WeightedPlanes,
    passages: Passages,
}

/// Times in nanoseconds, by structure and kind of edit.
type Times = [[Vec<u64>; 5]; 6];

fn measure(word: &str, args: &EditsArgs) -> Result<Vec<Row>, Failure> {
    let map = find_map(word, &args.reading.options())?;
    let rule = StepRule::default();
    let layer = CostLayer::new(&map, CostSettings::default());
    let agent =
        layer.agents().next().ok_or_else(|| Failure::new(Kind::Invalid, "the map has no locomotor"))?;
    let terrains = map.map().rules.terrains.len() as u32;
    let no_costs = || Failure::new(Kind::Invalid, "the map has no costs for its first locomotor");
    let field = layer.field(agent).ok_or_else(no_costs)?;
    let (planes, graph) = (JumpPlanes::full(field), JumpGraph::new(field));
    let weighted = WeightedPlanes::new(&layer, agent, rule, Threat::Ignore).map_err(|_| no_costs())?;
    let sectors = Sectors::new(&layer, rule);
    let doors = Doors::new(&layer, agent, rule, Threat::Ignore).map_err(|_| no_costs())?;
    let passages = Passages::new(&layer, agent, rule).map_err(|_| no_costs())?;
    let mut all = Structures { layer, agent, sectors, doors, planes, graph, weighted, passages };
    let mut random = Rng::keyed(u64::from(args.seed), Tick::ZERO, 0, Purpose(2));
    let (width, height) = (all.layer.grid().width(), all.layer.grid().height());
    let mut standing: Vec<(StampId, CellPos)> = Vec::new();
    let mut times: Times = Default::default();
    let stamp = Stamp::solid(3.min(width), 3.min(height));
    let mut gates = Vec::new();
    for _ in 0..GATES {
        let at = cell(
            random.below(width - stamp.width + 1) as i32,
            random.below(height - stamp.height + 1) as i32,
        );
        let gate = Stamp::filled("gate", stamp.width, stamp.height, FootCell::Gate);
        let placed = all.layer.place(&gate, at, Tick::ZERO);
        let id = placed.map_err(Failure::invalid)?;
        gates.push((id, at, GateState::Closed));
        all.follow(CellRect::at(at, stamp.width, stamp.height), Instant::now(), EditKind::Gate, &mut times);
    }
    // The gates are not measured.
    times = Times::default();
    for _ in 0..args.edits {
        let at = cell(
            random.below(width - stamp.width + 1) as i32,
            random.below(height - stamp.height + 1) as i32,
        );
        let start = Instant::now();
        let (kind, at) = match random.below(6) {
            0 if !standing.is_empty() => {
                let (id, at) = standing.swap_remove(random.below(standing.len() as u32) as usize);
                all.layer.remove(id).map_err(Failure::invalid)?;
                (EditKind::Remove, at)
            }
            1 => {
                let (area, terrain) =
                    (CellRect::at(at, stamp.width, stamp.height), random.below(terrains) as u8);
                let painted = all.layer.set_terrain(area, TerrainId(terrain));
                painted.map_err(Failure::invalid)?;
                (EditKind::Terrain, at)
            }
            2 => {
                let (id, at, turned) = &mut gates[random.below(GATES) as usize];
                *turned = if *turned == GateState::Open { GateState::Closed } else { GateState::Open };
                all.layer.set_gate(*id, *turned).map_err(Failure::invalid)?;
                (EditKind::Gate, *at)
            }
            3 => {
                let over = FootCell::Terrain(TerrainId(random.below(terrains) as u8));
                let bridge = Stamp::filled("bridge", stamp.width, stamp.height, over);
                standing.push((all.layer.place(&bridge, at, Tick::ZERO).map_err(Failure::invalid)?, at));
                (EditKind::Bridge, at)
            }
            _ => {
                let placed = all.layer.place(&stamp, at, Tick::ZERO);
                let id = placed.map_err(Failure::invalid)?;
                standing.push((id, at));
                (EditKind::Place, at)
            }
        };
        all.follow(CellRect::at(at, stamp.width, stamp.height), start, kind, &mut times);
    }
    Ok(all.rows(&map.map().name, rule, &times))
}

impl Structures {
    /// Updates every structure after an edit within `changed`, and notes the times. The edit itself began at `start`.
    fn follow(&mut self, changed: CellRect, start: Instant, kind: EditKind, times: &mut Times) {
        self.sectors.follow(&self.layer);
        let mut note = |structure: usize, start: Instant| {
            times[structure][kind as usize].push(start.elapsed().as_nanos() as u64);
        };
        note(0, start);
        let start = Instant::now();
        self.doors.follow(&self.layer);
        note(1, start);
        if let Some(field) = self.layer.field(self.agent) {
            let start = Instant::now();
            self.planes.update(field, changed);
            note(2, start);
            let start = Instant::now();
            self.graph.update(field, changed);
            note(3, start);
        }
        let start = Instant::now();
        self.weighted.update(&self.layer, changed);
        note(4, start);
        let start = Instant::now();
        self.passages.follow(&self.layer);
        note(5, start);
    }

    /// Rebuilds every structure from the edited map, compares it with the updated one, and makes the rows.
    fn rows(&self, map: &str, rule: StepRule, times: &Times) -> Vec<Row> {
        let timed = |make: &mut dyn FnMut() -> bool| {
            let start = Instant::now();
            let equal = make();
            (start.elapsed().as_secs_f64() * 1e6, equal)
        };
        let field = self.layer.field(self.agent);
        // Only placing the doors is timed. The comparison finds every cost between doors, which takes far longer.
        let start = Instant::now();
        let made = Doors::new(&self.layer, self.agent, rule, Threat::Ignore);
        let taken = start.elapsed().as_secs_f64() * 1e6;
        let same = |made: Doors| made.same_as(&self.doors, &self.layer, &mut DoorScratch::default());
        let timed_doors = (taken, made.is_ok_and(same));
        let rebuilt = [
            timed(&mut || {
                let layer = self.layer.rebuilt();
                Sectors::new(&layer, rule) == self.sectors && layer.same_derived(&self.layer)
            }),
            timed_doors,
            timed(&mut || field.map(JumpPlanes::full).as_ref() == Some(&self.planes)),
            timed(&mut || field.map(JumpGraph::new).as_ref() == Some(&self.graph)),
            timed(&mut || {
                let made = WeightedPlanes::new(&self.layer, self.agent, rule, Threat::Ignore);
                made.is_ok_and(|made| made == self.weighted)
            }),
            timed(&mut || {
                let made = Passages::new(&self.layer, self.agent, rule);
                made.is_ok_and(|made| made == self.passages)
            }),
        ];
        let mut rows = Vec::new();
        for (structure, name) in STRUCTURES.into_iter().enumerate() {
            for kind in EditKind::ALL {
                let mut taken = times[structure][kind as usize].clone();
                if taken.is_empty() {
                    continue;
                }
                taken.sort_unstable();
                let us = |nanoseconds: u64| rounded(nanoseconds as f64 / 1e3, 2);
                rows.push(Row {
                    map: map.to_owned(),
                    kind: kind.name(),
                    structure: name,
                    edits: taken.len(),
                    mean_us: us(taken.iter().sum::<u64>() / taken.len() as u64),
                    median_us: us(at_percent(&taken, 50)),
                    p99_us: us(at_percent(&taken, 99)),
                    rebuild_us: rounded(rebuilt[structure].0, 1),
                    equal: rebuilt[structure].1,
                });
            }
        }
        rows
    }
}

fn edits_table(rows: &[Row]) -> Table {
    let header =
        ["map", "edit", "structure", "edits", "mean µs", "median µs", "p99 µs", "rebuild µs", "equal"];
    let cells = |row: &Row| {
        [
            row.map.clone(),
            row.kind.to_owned(),
            row.structure.to_owned(),
            grouped(row.edits as u64),
            format!("{:.1}", row.mean_us),
            format!("{:.1}", row.median_us),
            format!("{:.1}", row.p99_us),
            grouped(row.rebuild_us as u64),
            if row.equal { "yes" } else { "NO" }.to_owned(),
        ]
    };
    table(header, rows.iter().map(cells), 3..9)
}
