//! `waymarch bench merging`: how many doors and flow tiles do groups share when routes are biased towards live routes (Merging A\*)?
//!
//! `mod.rs` draws battles and counts doors; `tiles.rs` counts flow tiles.

mod tiles;

use clap::Args;
use serde::Serialize;
use waymarch::base::{Agent, CellPos, Purpose, Rng, Tick};
use waymarch::cost::{CostLayer, CostSettings, StepRule};
use waymarch::query::{MergeBias, PlanError, Threat};
use waymarch::sectors::{DoorQuery, DoorRoute, DoorScratch, Doors, LiveDoors, Merging, Sectors};

use self::tiles::{TileCount, TileRow};
use super::cells::{chebyshev, random_cell};
use crate::arguments::ReadArgs;
use crate::diagnostics::{Failure, Kind};
use crate::load::find_map;
use crate::report::{Report, Verdict, grouped, rounded};
use crate::stats::mean;
use crate::table::table;

const EXAMPLES: &str = "\
Examples:
  waymarch bench merging
  waymarch bench merging maze generate:3:512x512 --battles 200 --groups 20 --json

In a battle, groups from all over the map go to one base, one after the other. All routes found so
far are live. A hit is a door that a live route already passes in the same direction, or a flow
tile that already exists. Tiles are counted twice: with a goal of its own for each group (own),
and with one goal for all groups (one).
Exit code 1 if a route costs more than its bias allows.";

/// The default maps: 96 to 256 cells a side.
const BUILT_IN: [&str; 6] =
    ["open", "valley", "generate:1:128x128", "generate:2:128x128", "generate:1:256x256", "pass"];

/// The biases that are measured, in percent.
const BIASES: [u32; 5] = [0, 5, 10, 15, 20];

/// Arguments of `waymarch bench merging`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MergingArgs {
    /// Map files, built-in maps or generate:SEED:WxH.
    #[arg(value_name = "MAP")]
    maps: Vec<String>,
    /// The seed of the battles.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// Battles per map.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    battles: u32,
    /// Groups in a battle.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    groups: u32,
    /// Cells per sector edge.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(8..=128))]
    sector_size: u32,
    #[command(flatten)]
    reading: ReadArgs,
}

/// One bias on one map; scripts rely on the keys.
#[derive(Debug, Serialize)]
struct Row {
    map: String,
    size: String,
    bias_pct: u32,
    routes: usize,
    /// Doors passed by all routes.
    crossings: u64,
    /// The share of these doors that live routes already passed.
    hit_rate_pct: f64,
    mean_increase_pct: f64,
    worst_increase_pct: f64,
    /// Routes that cost over 2 % more than the cheapest route.
    detours_pct: f64,
    /// Doors expanded per route.
    expanded: f64,
    /// Routes that cost more than the bias allows.
    over_bound: usize,
    /// The flow tiles that these routes need.
    tiles: Vec<TileRow>,
}

#[derive(Debug, Serialize)]
struct Document {
    battles: u32,
    groups: u32,
    rows: Vec<Row>,
}

pub(super) fn run(args: &MergingArgs) -> Result<Report, Failure> {
    let built_in = BUILT_IN.map(String::from);
    let maps = if args.maps.is_empty() { &built_in[..] } else { &args.maps };
    let mut rows = Vec::new();
    let mut all: Vec<Tally> = BIASES.map(|_| Tally::default()).into();
    for name in maps {
        let map = find_map(name, &args.reading.options())?;
        let settings = CostSettings { sector_size: args.sector_size, ..CostSettings::default() };
        let layer = CostLayer::new(&map, settings);
        let agent =
            layer.agents().next().ok_or_else(|| Failure::new(Kind::Invalid, "the map has no locomotor"))?;
        let field = Field::new(&layer, agent)?;
        let battles = field.battles(args);
        for (percent, all) in BIASES.into_iter().zip(&mut all) {
            let tally = field.fight(&battles, MergeBias::new(percent).unwrap_or_default());
            let (width, height) = (layer.grid().width(), layer.grid().height());
            rows.push(tally.row(map.map().name.clone(), format!("{width}×{height}"), percent));
            all.add(tally);
        }
    }
    if maps.len() > 1 {
        let name = format!("all {} maps", maps.len());
        rows.extend(
            BIASES.into_iter().zip(all).map(|(percent, all)| all.row(name.clone(), String::new(), percent)),
        );
    }
    let verdict = if rows.iter().all(|row| row.over_bound == 0) { Verdict::Good } else { Verdict::Bad };
    let document = Document { battles: args.battles, groups: args.groups, rows };
    Ok(Report::new(text(&document), &document).verdict(verdict))
}

/// A map with what battles on it need.
struct Field<'a> {
    layer: &'a CostLayer,
    agent: Agent,
    doors: Doors,
    sectors: Sectors,
}

/// The start and the goal of each group.
type Battle = Vec<(CellPos, CellPos)>;

impl<'a> Field<'a> {
    fn new(layer: &'a CostLayer, agent: Agent) -> Result<Self, PlanError> {
        let rule = StepRule::default();
        let doors = Doors::new(layer, agent, rule, Threat::Ignore)?;
        Ok(Self { layer, agent, doors, sectors: Sectors::new(layer, rule) })
    }

    fn battles(&self, args: &MergingArgs) -> Vec<Battle> {
        let each = (0..args.battles).map(|number| self.battle(args, number));
        each.filter(|battle| battle.len() == args.groups as usize).collect()
    }

    /// Groups that start at least a third of the map from a base and go to cells around it. All can reach the base. Empty if no such
    /// base was found.
    fn battle(&self, args: &MergingArgs, number: u32) -> Battle {
        let grid = self.layer.grid();
        let mut random = Rng::keyed(u64::from(args.seed), Tick::ZERO, u64::from(number), Purpose(4));
        let far = grid.width().max(grid.height()) / 3;
        let reach = (args.sector_size / 4) as i32;
        for _ in 0..100 {
            let mut spot = || random_cell(&mut random, grid);
            let base = spot();
            let joined = |at: CellPos| self.sectors.reachable(at, base, self.agent);
            let mut battle = Battle::new();
            for _ in 0..args.groups * 50 {
                let from = spot();
                if battle.len() == args.groups as usize {
                    return battle;
                }
                let aside = spot();
                let to = base.offset(aside.x % (2 * reach) - reach, aside.y % (2 * reach) - reach);
                if chebyshev(from, base) >= far && joined(from) && joined(to) {
                    battle.push((from, to));
                }
            }
        }
        Battle::new()
    }

    /// Counts the tiles of the same battle with one goal for all groups: that of the first group.
    fn to_one_goal(&self, battle: &Battle, bias: MergeBias, found: &mut Vec<TileRow>) {
        let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
        let (mut live, mut tiles) = (LiveDoors::new(), TileCount::new(self.layer, self.agent));
        let Some(&(_, to)) = battle.first() else { return };
        for &(from, _) in battle {
            let merging = Merging { live: &live, bias };
            if self.doors.route_merging(
                self.layer,
                DoorQuery { from, to },
                &merging,
                &mut scratch,
                &mut route,
            ) {
                live.add(self.agent, Threat::Ignore, &route);
                tiles.lead(to, &route);
            }
        }
        found.extend(tiles.rows("one"));
    }

    fn fight(&self, battles: &[Battle], bias: MergeBias) -> Tally {
        let mut tally = Tally::default();
        let (mut scratch, mut plain, mut merged) =
            (DoorScratch::default(), DoorRoute::default(), DoorRoute::default());
        for battle in battles {
            let mut live = LiveDoors::new();
            let mut tiles = TileCount::new(self.layer, self.agent);
            for &(from, to) in battle {
                let merging = Merging { live: &live, bias };
                let layer = self.layer;
                let found = self.doors.route(layer, from, to, &mut scratch, &mut plain)
                    && self.doors.route_merging(
                        layer,
                        DoorQuery { from, to },
                        &merging,
                        &mut scratch,
                        &mut merged,
                    );
                if !found || plain.cost == 0 {
                    continue;
                }
                let (shared, doors) = live.shared(self.agent, Threat::Ignore, &merged);
                tally.hits += u64::from(shared);
                tally.crossings += u64::from(doors);
                tally.expanded += u64::from(merged.expanded);
                tally.increases.push((merged.cost as f64 / plain.cost as f64 - 1.0) * 100.0);
                tally.over_bound += usize::from(merged.cost > bias.most(plain.cost));
                live.add(self.agent, Threat::Ignore, &merged);
                tiles.lead(to, &merged);
            }
            tally.own_goals.extend(tiles.rows("own"));
            self.to_one_goal(battle, bias, &mut tally.one_goal);
        }
        tally
    }
}

/// Sums over battles.
#[derive(Default)]
struct Tally {
    hits: u64,
    crossings: u64,
    expanded: u64,
    increases: Vec<f64>,
    over_bound: usize,
    own_goals: Vec<TileRow>,
    one_goal: Vec<TileRow>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.hits += other.hits;
        self.crossings += other.crossings;
        self.expanded += other.expanded;
        self.increases.extend(other.increases);
        self.over_bound += other.over_bound;
        self.own_goals.extend(other.own_goals);
        self.one_goal.extend(other.one_goal);
    }

    fn row(&self, map: String, size: String, bias_pct: u32) -> Row {
        let routes = self.increases.len();
        let share = |part: f64, whole: f64| rounded(100.0 * part / whole.max(1.0), 2);
        let detours = self.increases.iter().filter(|&&increase| increase > 2.0).count();
        Row {
            map,
            size,
            bias_pct,
            routes,
            crossings: self.crossings,
            hit_rate_pct: share(self.hits as f64, self.crossings as f64),
            mean_increase_pct: rounded(mean(&self.increases).unwrap_or(0.0), 3),
            worst_increase_pct: rounded(self.increases.iter().copied().fold(0.0, f64::max), 3),
            detours_pct: share(detours as f64, routes as f64),
            expanded: rounded(self.expanded as f64 / routes.max(1) as f64, 1),
            over_bound: self.over_bound,
            tiles: TileRow::sums(self.own_goals.iter().chain(&self.one_goal)),
        }
    }
}

fn text(document: &Document) -> String {
    let header = [
        "map", "size", "bias", "routes", "doors", "hit rate", "dearer", "worst", "> 2 %", "expanded", "own",
        "one",
    ];
    let cells = |row: &Row| {
        [
            row.map.clone(),
            row.size.clone(),
            format!("{} %", row.bias_pct),
            grouped(row.routes as u64),
            grouped(row.crossings),
            format!("{:.1} %", row.hit_rate_pct),
            format!("{:.2} %", row.mean_increase_pct),
            format!("{:.2} %", row.worst_increase_pct),
            format!("{:.1} %", row.detours_pct),
            format!("{:.0}", row.expanded),
            TileRow::text(&row.tiles, "own"),
            TileRow::text(&row.tiles, "one"),
        ]
    };
    let table = table(header, document.rows.iter().map(cells), 2..12);
    // Rows without lines between them are easier to read.
    let lines = table.to_string();
    let rows: Vec<&str> = lines.lines().filter(|line| !line.starts_with('─')).collect();
    let table = rows.join("\n");
    let Document { battles, groups, .. } = document;
    format!(
        "{table}\n\n{battles} battles of {groups} groups per map. Hit rate: the share of doors that a live route already passes.\n\
         Dearer: the extra cost over the cheapest route over doors, on average. Worst: the same at most.\n\
         Own, one: the share of needed flow tiles that already exist, with a goal for each group or one for all.\n"
    )
}
