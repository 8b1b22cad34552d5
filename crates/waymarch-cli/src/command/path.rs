//! `waymarch path`: finds one route.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;
use waymarch::base::CellPos;
use waymarch::levels::LevelMap;
use waymarch::query::{Controller, Goal, Outcome, PathQuery, Shape, Threat};
use waymarch_maps::write_file;

use super::drawing::Drawing;
use super::levels;
use super::search::{Found, RUNS, find, find_goal};
use super::trace::{TraceArgs, TracedSearch, trace};
use crate::arguments::{AgentArgs, EndArgs, MapArgs};
use crate::diagnostics::{Failure, Kind};
use crate::goal_arguments::GoalArgs;
use crate::load::find_level_map;
use crate::map_setup::{Ends, MapSetup};
use crate::planner::{DEFAULT, PromiseDocument, planner};
use crate::report::{Lines, Report, bytes, count, grouped, rounded};
use crate::scale::length_cells;
use crate::smoothing::{Smooth, SmoothDocument, Smoothed};

/// At most 24 waypoints are printed; `--json` has all of them.
const SHOWN_WAYPOINTS: usize = 24;

const EXAMPLES: &str = "\
Examples:
  waymarch path
  waymarch path --render route.png
  waymarch path --smooth pull --render route.png
  waymarch path --map islands --locomotor hover --from 20,30 --to 140,120
  waymarch path --map maze --planner jps+ --trace search.yaml --render search.png
  waymarch path --threat 64,64,20,120 --heed-threat --render around.png
  waymarch path --from 10,10 --from 90,20 --goal circle:64,64,6 --nearest
  waymarch path --goal out-of:circle:20,20,15 --turn-cost 500";

/// Arguments of `waymarch path`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PathArgs {
    #[command(flatten)]
    map: MapArgs,
    #[command(flatten)]
    ends: EndArgs,
    /// On a map of several levels: the level of the start; 0 is the base, 1 the first deck.
    #[arg(long, value_name = "N", default_value_t = 0)]
    from_level: u16,
    /// On a map of several levels: the level of the goal.
    #[arg(long, value_name = "N", default_value_t = 0)]
    to_level: u16,
    #[command(flatten)]
    goal: GoalArgs,
    #[command(flatten)]
    agent: AgentArgs,
    /// The planner to use.
    #[arg(long, short, value_name = "NAME", default_value = DEFAULT)]
    planner: String,
    /// The commander of the unit. With the setting `influence_avoidance` this decides whether the route pays for threat.
    #[arg(long, value_enum, default_value_t = Commander::Player)]
    controller: Commander,
    /// Pay for threat (see --threat), for either controller.
    #[arg(long)]
    heed_threat: bool,
    /// Smooth the route: pull it straight like a string, or also round its turns.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Smooth::None)]
    smooth: Smooth,
    /// Draw the map and the route to a PNG file.
    #[arg(long, value_name = "FILE.png")]
    render: Option<PathBuf>,
    #[command(flatten)]
    trace: TraceArgs,
    /// The approximate length of the picture's longer side, in pixels.
    #[arg(long, value_name = "N", default_value_t = 1400, value_parser = clap::value_parser!(u32).range(64..=4096))]
    pixels: u32,
}

/// The commander of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Commander {
    /// A person.
    Player,
    /// The computer.
    Ai,
}

#[derive(Serialize)]
struct Document<'a> {
    map: &'a str,
    width: u32,
    height: u32,
    locomotor: &'a str,
    size: u8,
    planner: &'a str,
    promise: PromiseDocument,
    from: [i32; 2],
    to: [i32; 2],
    goal: &'a str,
    outcome: Outcome,
    gap_cells: f64,
    heed_threat: bool,
    cost: u64,
    length_cells: f64,
    steps: u64,
    straight_steps: u64,
    diagonal_steps: u64,
    waypoints: Vec<[i32; 2]>,
    expanded: u32,
    time_us: f64,
    runs: usize,
    prep_ms: f64,
    memory_bytes: usize,
    smooth: Option<SmoothDocument>,
    render: Option<&'a Path>,
    trace: Option<&'a Path>,
    /// The number of recorded events, and the number of events beyond the limit; `None` if the search was not recorded.
    events: Option<usize>,
    events_left_out: Option<u64>,
}

/// Finds a route over several levels.
fn run_on_levels(args: &PathArgs, map: LevelMap) -> Result<Report, Failure> {
    let one_level = [
        (args.goal.wanted(&args.ends), "a goal area or limit"),
        (args.trace.trace().is_some() || args.trace.shows_search(), "--trace or --show"),
        (args.heed_threat || args.controller == Commander::Ai, "threat"),
        (args.smooth != Smooth::None, "--smooth"),
    ];
    if let Some((_, option)) = one_level.iter().find(|(asked, _)| *asked) {
        return Err(levels::one_level_only(option));
    }
    let asked = levels::LevelPathArgs {
        ends: &args.ends,
        levels: [args.from_level, args.to_level],
        planner: &args.planner,
        render: args.render.as_deref(),
        pixels: args.pixels,
    };
    levels::path(levels::LevelSetup::open(map, &args.agent)?, &asked)
}

pub(super) fn run(args: &PathArgs) -> Result<Report, Failure> {
    if let Some(map) = find_level_map(&args.map.map, &args.map.reading.options())? {
        return run_on_levels(args, map);
    }
    if args.from_level > 0 || args.to_level > 0 {
        let message = "--from-level and --to-level: this map has one level, the base (0)";
        return Err(Failure::new(Kind::Usage, message));
    }
    let planner = planner(&args.planner)?;
    let setup = MapSetup::open(&args.map, &args.agent)?;
    let controller = match args.controller {
        Commander::Player => Controller::Player,
        Commander::Ai => Controller::Ai,
    };
    let threat = if args.heed_threat { Threat::Heed } else { setup.config.threat_for(controller) };
    let (found, goal, traced) = if args.goal.wanted(&args.ends) {
        if planner.name() != DEFAULT {
            let message = format!("the planner `{}` takes one start and one goal cell", planner.name());
            let help = format!("use --planner {DEFAULT} for goal areas and limits");
            return Err(Failure::new(Kind::Usage, message).help(help));
        }
        if args.trace.shows_search() || args.trace.trace().is_some() {
            let message = "--trace and --show search need one start and one goal cell";
            return Err(
                Failure::new(Kind::Usage, message).help("use --from and --to, without goal areas and limits")
            );
        }
        let asked = args.goal.ask(&setup, &args.ends)?;
        (find_goal(&setup, &asked.query(&setup, threat))?, asked.goal, None)
    } else {
        let ends = setup.ends(&args.ends)?;
        let query = PathQuery::new(ends.from, ends.to, setup.agent).with_threat(threat);
        let traced = trace(&args.trace, &setup, planner, &query)?;
        (find(&setup, planner, &query)?, Goal::point(ends.to), traced)
    };
    let smoothed = match args.smooth {
        Smooth::None => None,
        Smooth::Pull | Smooth::Spline => Some(Smoothed::new(&setup, threat, &found.route, args.smooth)?),
    };
    if let Some(path) = &args.render {
        let mut drawing = Drawing::new(&setup, args.pixels);
        drawing.terrain();
        if !setup.layer.threat().is_empty() {
            drawing.threat();
        }
        if !matches!(goal, Goal::In(Shape::Point(_))) {
            drawing.goal(&goal);
        }
        match (traced.as_ref().filter(|_| args.trace.shows_search()), &smoothed) {
            (Some(traced), _) => drawing.search(traced.events(), &found.route),
            (None, None) => drawing.route(&found.route),
            (None, Some(smoothed)) => drawing.smoothed(&found.route, &smoothed.path),
        }
        write_file(path, &drawing.encode())?;
    }
    let (straight, diagonal) = found.route.steps();
    let [from, to] = [found.route.waypoints.first(), found.route.waypoints.last()]
        .map(|end| end.copied().unwrap_or_default());
    let goal_text = goal.to_string();
    let document = Document {
        map: &setup.plain().name,
        width: setup.layer.grid().width(),
        height: setup.layer.grid().height(),
        locomotor: setup.locomotor_name(),
        size: setup.agent.size.side(),
        planner: planner.name(),
        promise: planner.promise().into(),
        from: pair(from),
        to: pair(to),
        goal: &goal_text,
        outcome: found.outcome,
        gap_cells: rounded(length_cells(goal.gap(to)), 3),
        heed_threat: threat == Threat::Heed,
        cost: found.route.cost.0,
        length_cells: rounded(length_cells(found.route.length()), 3),
        steps: straight + diagonal,
        straight_steps: straight,
        diagonal_steps: diagonal,
        waypoints: found.route.waypoints.iter().copied().map(pair).collect(),
        expanded: found.route.expanded,
        time_us: rounded(found.time_us, 2),
        runs: RUNS,
        prep_ms: rounded(found.prep_ms, 3),
        memory_bytes: found.memory_bytes,
        smooth: smoothed.map(|smoothed| smoothed.document(args.smooth)),
        render: args.render.as_deref(),
        trace: args.trace.trace(),
        events: traced.as_ref().map(|traced| traced.events().len()),
        events_left_out: traced.as_ref().map(TracedSearch::left_out),
    };
    let mut text = describe(args, &setup, Ends { from, to }, &found, &document);
    text.extend(traced.iter().flat_map(|traced| traced.describe(&args.trace)));
    Ok(Report::new(text, &document))
}

fn pair(at: CellPos) -> [i32; 2] {
    [at.x, at.y]
}

fn describe(args: &PathArgs, setup: &MapSetup, ends: Ends, found: &Found, document: &Document<'_>) -> String {
    let route = &found.route;
    let normal = f64::from(setup.plain().rules.normal);
    let normal_cells = route.cost.0 as f64 / 1024.0 / normal;
    let mut lines = Lines::default();
    lines.add("from", end_name(setup, ends.from)).add("to", end_name(setup, ends.to));
    if args.goal.wanted(&args.ends) {
        let how = match found.outcome {
            Outcome::Reached => "reached".to_owned(),
            Outcome::Nearest => {
                format!("not reachable: this is the nearest cell, {:.1} cells away", document.gap_cells)
            }
            Outcome::Partial => format!("stopped by the node limit, {:.1} cells away", document.gap_cells),
        };
        lines.add("goal", format!("{} ({how})", document.goal));
    }
    lines
        .add(
            "cost",
            format!("{} (as much as {normal_cells:.1} cells of normal ground)", grouped(route.cost.0)),
        )
        .add("length", format!("{:.1} cells", document.length_cells))
        .add(
            "steps",
            format!(
                "{} ({} straight, {} diagonal)",
                grouped(document.steps),
                grouped(document.straight_steps),
                grouped(document.diagonal_steps)
            ),
        )
        .add("waypoints", route.waypoints.len().to_string())
        .add("expanded", count(route.expanded as usize, "node", "nodes"))
        .add("time", format!("{:.1} µs (median of {RUNS} runs, warm)", found.time_us));
    if let Some(smooth) = &document.smooth {
        lines
            .add(
                "smoothed",
                format!(
                    "{:.1} cells ({:.1} % shorter), cost {} ({:.1} % less than {} before smoothing)",
                    smooth.length_cells,
                    smooth.saved_length_pct,
                    grouped(smooth.cost),
                    smooth.saved_cost_pct,
                    grouped(smooth.plain_cost)
                ),
            )
            .add("points", format!("{}, in {:.1} µs", smooth.points.len(), smooth.time_us));
    }
    if found.memory_bytes > 0 {
        let memory = bytes(found.memory_bytes as u64);
        lines.add("preparation", format!("{:.2} ms, {memory}", found.prep_ms));
    }
    let mut out = format!(
        "{}, {}: {} of {}, by {} ({})\n\n{}",
        setup.plain().name,
        setup.layer.grid(),
        document.locomotor,
        setup.agent.size,
        document.planner,
        document.promise.name(),
        lines.render()
    );
    let shown: Vec<String> =
        route.waypoints.iter().take(SHOWN_WAYPOINTS).map(|at| format!("{},{}", at.x, at.y)).collect();
    out.push('\n');
    for row in shown.chunks(8) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "  {}", row.join(" → "));
    }
    if route.waypoints.len() > SHOWN_WAYPOINTS {
        let _ = writeln!(out, "  … and {} more (all with --json)", route.waypoints.len() - SHOWN_WAYPOINTS);
    }
    if !args.agent.threats.is_empty() && !document.heed_threat {
        out.push_str("\nThis route does not pay for threat: add --heed-threat or --controller ai.\n");
    }
    match &args.render {
        Some(path) => {
            let _ = writeln!(out, "\nDrawn to {}.", path.display());
        }
        None => out.push_str("\nTo draw it, add `--render route.png`.\n"),
    }
    out
}

fn end_name(setup: &MapSetup, at: CellPos) -> String {
    match setup.plain().starts.iter().position(|&start| start == at) {
        Some(player) => format!("{},{} (player start {})", at.x, at.y, player + 1),
        None => format!("{},{}", at.x, at.y),
    }
}
