//! `waymarch bench crowd`: how well do units get past each other?
//!
//! Each scene runs in a `World`, and the metrics come from the recorded positions.
//!
//! - `small_scenes.rs`: a few scenes that need no files
//! - `held_out/`: scenes on which nothing was tuned
//! - `run.rs`: one run of one scene
//! - `metrics.rs`: what is measured in a run
//! - `trajectory.rs`: trajectory files for other tools

mod held_out;
mod metrics;
mod run;
mod small_scenes;
mod trajectory;

use std::path::PathBuf;

use clap::Args;
use comfy_table::Table;
use serde::Serialize;
use waymarch::config::AvoidanceModel;
use waymarch::world::World;
use waymarch_maps::crowd::{self, CrowdScene};

use self::metrics::Row;
use self::run::{Motion, RunSettings, run_scene, start_scene};
use crate::diagnostics::{Failure, Kind};
use crate::report::{Report, Verdict};
use crate::table::table;

const EXAMPLES: &str = "\
Examples:
  waymarch bench crowd
  waymarch bench crowd --own --seeds 3
  waymarch bench crowd --own --scene door --scene spiral
  waymarch bench crowd circle_100.json idle_169.json --seeds 5 --model orca --model orca-lite
  waymarch bench crowd circle_100.json --ticks-per-second 60 --motion tank --trj out --json

Without files, a few small scenes run. With --own, 21 other scenes run on which nothing was tuned:
doors and corridors of other widths, two-way traffic, units of several sizes, crossings, pillars,
generated maps, a yard, a maze. The lower bound (LB) of a scene is the longest of the units' shortest
routes, divided by their speed. It ignores other units, so time in a queue before a door counts as
lost. A seed moves each start by at most 0.0005 cells.
  mk/LB     when the last unit arrived ÷ the lower bound; t/LB: the mean over units of the same
            ratio
  extra     length of the routes beyond the shortest
  maxpen    the deepest overlap, in % of both radii; ovl: units times ticks that overlap by more
            than 1 %
  jit       degrees of turning per tick; flips: changes between left and right turns
  stuck     ticks before arrival at less than a tenth of the speed
  width     width of the stream at the measuring lines, in unit diameters
  settle    ticks from the first arrival until no unit moves; resid: speed left in the last 100
            ticks
  carried   how far a unit that should stay was pushed, in cells
  formed    seconds from the last arrival until all units are at their goals at once
  coh       for groups: the mean distance of members from the group's centre while it travels, in
            cells
  form err  for groups: the distance of members from their slots at the end, in cells
  spread    for groups: ticks from the first arrival to the last
Exit code 1 if a unit was inside a wall.";

/// Arguments of `waymarch bench crowd`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CrowdArgs {
    /// Scene files (JSON).
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Run the scenes on which nothing was tuned.
    #[arg(long, conflicts_with = "files")]
    own: bool,
    /// Run only built-in scenes whose name contains NAME (repeatable).
    #[arg(long, value_name = "NAME", conflicts_with = "files")]
    scene: Vec<String>,
    /// The number of runs per scene, with seeds from 1.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: u32,
    /// Write trajectory files SCENE-MODEL-SEED.trj to this folder.
    #[arg(long, value_name = "DIR")]
    trj: Option<PathBuf>,
    /// The avoidance models to compare (repeatable).
    #[arg(long, value_name = "M", default_value = "orca")]
    model: Vec<String>,
    /// Ticks per second; default: as the scene says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=240))]
    ticks_per_second: Option<u16>,
    /// How units turn and accelerate.
    #[arg(long, value_enum, default_value_t = Motion::Infantry)]
    motion: Motion,
    /// The number of threads, 0 for one per core. Does not change results.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=64))]
    threads: u8,
}

#[derive(Serialize)]
struct Document<'a> {
    rows: &'a [Row],
}

pub(super) fn run(args: &CrowdArgs) -> Result<Report, Failure> {
    let mut scenes = Vec::new();
    for file in &args.files {
        scenes.push(crowd::read(file).map_err(Failure::from)?);
    }
    if scenes.is_empty() {
        scenes = selected_scenes(args)?;
    }
    let models = args.model.iter().map(|word| model(word)).collect::<Result<Vec<_>, _>>()?;
    if let Some(folder) = &args.trj {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::new(Kind::File, format!("{}: {error}", folder.display())))?;
    }
    let mut rows = Vec::new();
    for scene in &scenes {
        for &model in &models {
            for seed in 1..=args.seeds {
                let how = RunSettings {
                    model,
                    seed,
                    ticks_per_second: args.ticks_per_second,
                    motion: args.motion,
                    threads: args.threads.into(),
                };
                let record = run_scene(scene, how)?;
                if let Some(folder) = &args.trj {
                    let path = folder.join(format!("{}-{}-{seed}.trj", scene.name, model.name()));
                    trajectory::write(&path, &record).map_err(Failure::from)?;
                }
                rows.push(metrics::row(scene, model.name(), seed, &record));
            }
        }
    }
    let good = rows.iter().all(|row| row.in_wall == 0);
    let verdict = if good { Verdict::Good } else { Verdict::Bad };
    Ok(Report::new(format!("{}\n", crowd_table(&rows)), &Document { rows: &rows }).verdict(verdict))
}

/// The names of the scenes of `--own`.
pub(super) fn own_scene_names() -> impl Iterator<Item = &'static str> {
    held_out::names()
}

/// A scene of `--own` before its first tick, with default settings, and its limit of ticks.
pub(super) fn start_own_scene(name: &str, seed: u32) -> Result<(World, u64), Failure> {
    let unknown = || Err(Failure::unknown("scene", name, &own_scene_names().collect::<Vec<_>>()));
    let scene = held_out::scene(name).unwrap_or_else(unknown)?;
    let model = AvoidanceModel::default();
    let how = RunSettings { model, seed, ticks_per_second: None, motion: Motion::Infantry, threads: 1 };
    Ok((start_scene(&scene, how)?.world, u64::from(scene.max_ticks)))
}

/// The built-in scenes that the arguments select.
fn selected_scenes(args: &CrowdArgs) -> Result<Vec<CrowdScene>, Failure> {
    let small = if args.own { Vec::new() } else { small_scenes::scenes() };
    let names: Vec<String> = match args.own {
        true => held_out::names().map(str::to_owned).collect(),
        false => small.iter().map(|scene| scene.name.clone()).collect(),
    };
    let has = |name: &str, word: &String| name.contains(word.as_str());
    if let Some(word) = args.scene.iter().find(|word| !names.iter().any(|name| has(name, word))) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        return Err(Failure::unknown("scene", word, &names));
    }
    let wanted = |name: &str| args.scene.is_empty() || args.scene.iter().any(|word| has(name, word));
    let others =
        names.iter().filter(|name| args.own && wanted(name)).filter_map(|name| held_out::scene(name));
    small.into_iter().filter(|scene| wanted(&scene.name)).map(Ok).chain(others).collect()
}

fn model(word: &str) -> Result<AvoidanceModel, Failure> {
    let found = AvoidanceModel::ALL.iter().find(|model| model.name() == word);
    let names: Vec<&str> = AvoidanceModel::ALL.iter().map(|model| model.name()).collect();
    found.copied().ok_or_else(|| Failure::unknown("model", word, &names))
}

fn crowd_table(rows: &[Row]) -> Table {
    let header = [
        "scene", "model", "seed", "arr %", "mk/LB", "t/LB", "extra %", "maxpen %", "ovl %", "jit", "flips/s",
        "stuck %", "width", "settle", "resid %", "µs", "in wall", "carried", "formed s", "coh", "form err",
        "spread",
    ];
    let dash = || "-".to_owned();
    let cells = |row: &Row| {
        let widths: Vec<String> = row.width.iter().map(|width| format!("{width:.1}")).collect();
        [
            row.scenario.clone(),
            row.model.to_owned(),
            row.seed.to_string(),
            format!("{:.1}", row.arrived_pct),
            row.mk_lb.map_or_else(|| "fail".to_owned(), |ratio| format!("{ratio:.2}")),
            format!("{:.2}", row.mean_t_lb),
            format!("{:.1}", row.extra_pct),
            format!("{:.1}", row.maxpen_pct),
            format!("{:.2}", row.ovl_pct),
            format!("{:.2}", row.jitter_deg),
            format!("{:.2}", row.flips_s),
            format!("{:.1}", row.stuck_pct),
            if widths.is_empty() { dash() } else { widths.join("/") },
            row.settle_ticks.map_or_else(dash, |ticks| ticks.to_string()),
            format!("{:.1}", row.resid_pct),
            format!("{:.2}", row.us_per_agent),
            row.in_wall.to_string(),
            format!("{:.1}", row.carried),
            row.formed_s.map_or_else(dash, |seconds| format!("{seconds:.1}")),
            row.groups.cohesion.map_or_else(dash, |cells| format!("{cells:.1}")),
            row.groups.form_error.map_or_else(dash, |cells| format!("{cells:.2}")),
            row.groups.arrival_spread.map_or_else(dash, |ticks| format!("{ticks:.0}")),
        ]
    };
    table(header, rows.iter().map(cells), 2..22)
}
