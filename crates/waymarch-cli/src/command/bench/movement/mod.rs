//! `waymarch bench movement`: does every unit arrive where a route exists, and how long does it wait?
//!
//! - `sets/`: the scenes; `layout.rs` builds scenes on floor plans
//! - `scene.rs`, `game.rs`: a scene, and what it plays
//! - `play.rs`: plays a scene to its end; `outcomes.rs` and `gap_flow.rs` measure it
//! - `summary.rs`: the tables for people
//! - `film.rs`: pictures of a scene while it is played; `page.rs`, `curve.rs`, `strip.rs`: the HTML page

mod curve;
mod film;
mod game;
mod gap_flow;
mod layout;
mod outcomes;
mod page;
mod play;
mod scene;
mod sets;
mod strip;
mod summary;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;
use waymarch_maps::OutputFile;

use self::play::{Camera, Played, Row, play};
use self::scene::Scene;
use self::sets::{Amount, DefaultSeeds, Set};
use self::summary::{Total, movement_table, totals, totals_table};
use crate::diagnostics::Failure;
use crate::report::{Report, Verdict};

const EXAMPLES: &str = "\
Examples:
  waymarch bench movement
  waymarch bench movement --set mazes --seeds 10
  waymarch bench movement --set gaps --scene gap1x12 --seed-base 100
  waymarch bench movement --set builtin --set crowd --json
  waymarch bench movement --html movement.html
  WAYMARCH_DATA=data waymarch bench movement --set maps --seeds 1

Each scene runs until all orders have ended, or up to a limit of game time: 10 minutes; for armies
and maps 20 minutes; for scenarios 20 minutes after their script.
Without --set, the sets mazes (5 mazes), gaps, yard and corridors run.
  mazes      30 units with goals of their own in 40 braided mazes (loops) and 10 perfect ones
             (trees), with corridors one cell wide. A seed is a maze.
  gaps       40 against 40 units through gaps of 1 and 2 cells, 1, 3 and 12 cells long; ordered
             individually, as groups and as groups in a box; also one side alone
  yard       20 units leave a yard with one exit while 20 enter; a factory; a dock
  corridors  two-way corridors, passing bays, rooms with doors, units of two sizes
  builtin    the built-in scenarios with their scripts
  army       the army of `bench service`: 5,000 units, 10 seeds
  maps       20 groups of 50 units on each game map in WAYMARCH_DATA, 3 seeds
  crowd      the scenes of `bench crowd --own`, 5 seeds
Columns (JSON keys in brackets, under rows; a row also has set, scene, seed, units, ticks and hash):
  arrived    units whose last order ended with an arrival, and which never gave up (arrived)
  gave up    units that gave up an order although a route led to its goal, or that got stuck far
             from the nearest reachable cell (gave_up)
  unended    units whose order had not ended at the limit (unended)
  no route   units that stopped as near to the goal as possible, because no route led to it
             (no_route); they do not count as failed
  t50, t100  the ticks at which half of the units and all units had arrived (arrival_t50,
             arrival_t100)
  ovl        units times ticks that overlap by more than 1 % of both radii (overlap_pct)
  maxpen     the deepest overlap, in % of both radii (maxpen_pct), and when and between which
             units (deepest). Units that were placed over each other, or that an edit moved,
             count for ovl and maxpen once they have been apart
  wait       ticks at less than a tenth of the speed, in % of all ticks of travelling units
             (wait_pct)
  longest    the longest time in which one travelling unit stood, in seconds (longest_wait_s)
  idle turn  ticks in which a unit without an order turned by more than 6 degrees, in % of all
             ticks of such units (idle_turn_pct)
  moved      how far a unit was at most from where it had arrived, while it had no order, in cells;
             units that made way count (after_arrival_cells)
  alone      the same for units that no unit with an order has come near since, within a cell
             of touching (undisturbed_cells)
  µs         microseconds per unit and tick, on Unix of processor time (us_per_unit_tick)
  flow       gaps: units per second (flow_per_s) ÷ the same with one side alone (flow_ratio)
  side wait  gaps: the longest time in which units of one side waited near the gap, none of them
             crossed, and the other side did, in seconds (longest_side_wait_s)
The second table has the sums and the worst values of each set (totals). Below it are the first units of
each scene that gave up, or whose orders had not ended, with their cells (failures).
Exit code 1 if a unit gave up or its order did not end although a route exists.";

/// Arguments of `waymarch bench movement`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MovementArgs {
    /// The set of scenes (repeatable).
    #[arg(long, value_enum, value_name = "NAME")]
    set: Vec<Set>,
    /// Run only scenes whose name contains PATTERN.
    #[arg(long, value_name = "PATTERN", default_value = "")]
    scene: String,
    /// The number of seeds per scene; default: as the set says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    seeds: Option<u32>,
    /// The first seed.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed_base: u32,
    /// Write a page with arrival curves and pictures of every scene.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

#[derive(Serialize)]
struct Document<'a> {
    rows: &'a [Row],
    totals: &'a [Total],
    notes: &'a [&'static str],
}

pub(super) fn run(args: &MovementArgs) -> Result<Report, Failure> {
    let (sets, default) = match &args.set[..] {
        [] => (Set::DEFAULT.to_vec(), DefaultSeeds::Few),
        sets => (sets.to_vec(), DefaultSeeds::All),
    };
    let amount = Amount { seeds: args.seeds, base: args.seed_base, default };
    let notes: Vec<&str> = sets.iter().filter_map(|set| set.note()).collect();
    let scenes = selected_scenes(&sets, amount, &args.scene)?;
    // A path that cannot be written is refused before the scenes are played.
    let html = args.html.as_deref().map(OutputFile::create).transpose()?;
    let played = play_all(&scenes, if html.is_some() { Camera::On } else { Camera::Off })?;
    let rows: Vec<Row> = played.iter().map(|played| played.row.clone()).collect();
    let totals = totals(&rows);
    if let Some(file) = html {
        file.finish_with(page::page(&played, &totals).as_bytes())?;
    }
    let mut text = format!("{}\n{}\n", movement_table(&rows), totals_table(&totals));
    for row in &rows {
        for unit in &row.failures {
            let when = unit.tick.map_or(String::from("no end"), |tick| format!("tick {tick}"));
            let [x, y] = unit.cell;
            let what = &unit.why;
            text.push_str(&format!(
                "{} seed {}: unit {} at {x},{y}, {when}: {what}\n",
                row.scene, row.seed, unit.unit
            ));
        }
    }
    for note in &notes {
        text.push_str(&format!("{note}\n"));
    }
    let good = rows.iter().all(|row| (row.gave_up, row.unended) == (0, 0));
    let verdict = if good { Verdict::Good } else { Verdict::Bad };
    Ok(Report::new(text, &Document { rows: &rows, totals: &totals, notes: &notes }).verdict(verdict))
}

fn selected_scenes(sets: &[Set], amount: Amount, pattern: &str) -> Result<Vec<Scene>, Failure> {
    let mut scenes = Vec::new();
    for set in sets {
        scenes.extend(set.scenes(amount)?);
    }
    if !pattern.is_empty() && !scenes.iter().any(|scene| scene.name.contains(pattern)) {
        let mut names: Vec<&str> = scenes.iter().map(|scene| scene.name.as_str()).collect();
        names.dedup();
        return Err(Failure::unknown("scene", pattern, &names).option("--scene"));
    }
    scenes.retain(|scene| scene.name.contains(pattern));
    Ok(scenes)
}

/// Plays all scenes, each after its one-way scene, with a progress bar. Scenes that share a one-way scene play it once.
fn play_all(scenes: &[Scene], camera: Camera) -> Result<Vec<Played>, Failure> {
    let bar = ProgressBar::new(scenes.len() as u64);
    let mut all: Vec<Played> = Vec::new();
    for scene in scenes {
        let mut flow = None;
        if let Some(one_way) = &scene.one_way {
            let is_same = |row: &Row| row.scene == one_way.name && row.seed == one_way.seed;
            if !all.iter().any(|played| is_same(&played.row)) {
                all.push(play(one_way, None, camera)?);
            }
            let same = all.iter().find(|played| is_same(&played.row));
            flow = same.and_then(|played| played.row.flow_per_s);
        }
        all.push(play(scene, flow, camera)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(all)
}
