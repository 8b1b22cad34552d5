//! `waymarch bench crowd`: how well units get past each other.

mod builtin;
mod metrics;
mod own;
mod play;
mod trj;

use std::path::PathBuf;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use waymarch::config::AvoidanceModel;
use waymarch_maps::crowd::{self, CrowdScene};

use self::metrics::Row;
use self::play::{How, Motion, play};
use crate::diagnostics::{Failure, Kind};
use crate::report::{Report, Verdict};

const EXAMPLES: &str = "\
Examples:
  waymarch bench crowd
  waymarch bench crowd --own --seeds 3
  waymarch bench crowd --own --scene door --scene spiral
  waymarch bench crowd circle_100.json idle_169.json --seeds 5 --model orca --model orca-lite
  waymarch bench crowd circle_100.json --ticks-per-second 60 --motion tank --trj out --json

Without files a few small scenes are run; with --own, seventeen others that nothing was tuned on: doors and corridors of other widths, two-way
and mixed ones, crossings, pillars, generated maps. The least possible time of those is the longest of the units' shortest ways, by our
exact search and pulled straight, over their speed; nobody else is in the way then, so that a queue before a door counts as time lost.
A seed moves starts by at most 0.0005 cells.
mk/LB: when the last arrived over the least possible time; ovl: units times ticks that overlap by more than 1 %;
jit: degrees of turning per tick; stuck: ticks before arrival at less than a tenth of the speed.
Of groups of two and more, coh: cells from members to their middle on the way; form err: cells from where their formation has
them at the end; spread: ticks from the first arrival of a group to its last. Units that go alone are in none.
Exit code 1 when a unit was in a wall.";

/// Arguments of `waymarch bench crowd`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CrowdArgs {
    /// Scene files (JSON).
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The scenes that nothing was tuned on.
    #[arg(long, conflicts_with = "files")]
    own: bool,
    /// Only built-in scenes with this in their name.
    #[arg(long, value_name = "NAME", conflicts_with = "files")]
    scene: Vec<String>,
    /// Runs per scene, from seed 1 on.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: u32,
    /// Folder for trajectory files, SCENE-MODEL-SEED.trj.
    #[arg(long, value_name = "DIR")]
    trj: Option<PathBuf>,
    /// The models to compare.
    #[arg(long, value_name = "M", default_value = "orca")]
    model: Vec<String>,
    /// Other than the scenes'.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=240))]
    ticks_per_second: Option<u16>,
    /// How units move.
    #[arg(long, value_enum, default_value_t = Motion::Infantry)]
    motion: Motion,
    /// Threads to share the work, 0 for one per core. Changes no result but the time.
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
        scenes = known(args)?;
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
                let how = How {
                    model,
                    seed,
                    ticks_per_second: args.ticks_per_second,
                    motion: args.motion,
                    threads: args.threads.into(),
                };
                let record = play(scene, how)?;
                if let Some(folder) = &args.trj {
                    let path = folder.join(format!("{}-{}-{seed}.trj", scene.name, model.name()));
                    trj::write(&path, &record).map_err(Failure::from)?;
                }
                rows.push(metrics::row(scene, model.name(), seed, &record));
            }
        }
    }
    let good = rows.iter().all(|row| row.in_wall == 0);
    let verdict = if good { Verdict::Good } else { Verdict::Bad };
    Ok(Report::new(format!("{}\n", table(&rows)), &Document { rows: &rows }).verdict(verdict))
}

/// The built-in scenes that are asked for.
fn known(args: &CrowdArgs) -> Result<Vec<CrowdScene>, Failure> {
    let small = if args.own { Vec::new() } else { builtin::scenes() };
    let names: Vec<String> = match args.own {
        true => own::names().map(str::to_owned).collect(),
        false => small.iter().map(|scene| scene.name.clone()).collect(),
    };
    let has = |name: &str, word: &String| name.contains(word.as_str());
    if let Some(word) = args.scene.iter().find(|word| !names.iter().any(|name| has(name, word))) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        return Err(Failure::unknown("scene", word, &names));
    }
    let wanted = |name: &str| args.scene.is_empty() || args.scene.iter().any(|word| has(name, word));
    let others = names.iter().filter(|name| args.own && wanted(name)).filter_map(|name| own::scene(name));
    small.into_iter().filter(|scene| wanted(&scene.name)).map(Ok).chain(others).collect()
}

fn model(word: &str) -> Result<AvoidanceModel, Failure> {
    let found = AvoidanceModel::ALL.iter().find(|model| model.name() == word);
    let names: Vec<&str> = AvoidanceModel::ALL.iter().map(|model| model.name()).collect();
    found.copied().ok_or_else(|| Failure::unknown("model", word, &names))
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header([
        "scene", "model", "seed", "arr %", "mk/LB", "t/LB", "extra %", "maxpen %", "ovl %", "jit", "flips/s",
        "stuck %", "width", "settle", "resid %", "µs", "in wall", "carried", "formed s", "coh", "form err",
        "spread",
    ]);
    let dash = || "-".to_owned();
    for row in rows {
        let widths: Vec<String> = row.width.iter().map(|width| format!("{width:.1}")).collect();
        table.add_row([
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
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
