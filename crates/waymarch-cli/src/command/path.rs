//! `waymarch path`: one route.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use serde::Serialize;
use waymarch::base::CellPos;
use waymarch::query::{Controller, Goal, GoalQuery, Outcome, PathQuery, PlanError, Shape, Threat};
use waymarch::search::{Route, SearchScratch, goal_search};

use super::render::{Drawing, save};
use super::watch::{WatchArgs, Watched, watch};
use crate::arguments::{AgentArgs, EndArgs, MapArgs};
use crate::diagnostics::{Failure, Kind};
use crate::goal_arguments::GoalArgs;
use crate::planner::{How, PLANNERS, PlannerDef, Prepared, Promise, planner};
use crate::report::{Lines, Report, bytes, count, grouped, rounded};
use crate::scene::{Scene, no_route};
use crate::smoothing::{Smooth, SmoothDocument, Smoothed};

/// How often the search is repeated for its time; the first answers come from cold memory.
const RUNS: usize = 9;
/// How many waypoints people are shown.
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
    #[command(flatten)]
    goal: GoalArgs,
    #[command(flatten)]
    agent: AgentArgs,
    /// The search to use.
    #[arg(long, short, value_name = "NAME", default_value = PLANNERS[0].name)]
    planner: String,
    /// Who commands the unit: with the setting `influence_avoidance` this decides whether threat counts.
    #[arg(long, value_enum, default_value_t = Commander::Player)]
    controller: Commander,
    /// Pay for threat (see --threat), whoever commands.
    #[arg(long)]
    heed_threat: bool,
    /// Smooth the route: pull it taut like a string, or round its turns as well.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Smooth::None)]
    smooth: Smooth,
    /// Draw map and route to a PNG file.
    #[arg(long, value_name = "FILE.png")]
    render: Option<PathBuf>,
    #[command(flatten)]
    watch: WatchArgs,
    /// About how many pixels the longer side of the picture has.
    #[arg(long, value_name = "N", default_value_t = 1400, value_parser = clap::value_parser!(u32).range(64..=4096))]
    pixels: u32,
}

/// Who commands a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Commander {
    /// A person.
    Player,
    /// The computer.
    Ai,
}

/// A route with the work it took.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) route: Route,
    outcome: Outcome,
    time_us: f64,
    prep_ms: f64,
    memory_bytes: usize,
}

/// Makes `planner` ready for a scene, if it suits it.
pub(super) fn prepare<'a>(scene: &'a Scene, planner: &PlannerDef) -> Result<Box<dyn Prepared + 'a>, Failure> {
    let rule = scene.config.step_rule();
    if let Err(why) = (planner.suits)(&scene.layer, scene.agent, rule) {
        return Err(Failure::new(Kind::Invalid, format!("`{}` cannot be used here: {why}", planner.name)));
    }
    Ok((planner.build)(&scene.layer, scene.agent, How::from(&scene.config)))
}

/// Asks `planner` for a route, several times for the clock's sake.
pub(crate) fn find(scene: &Scene, planner: &PlannerDef, query: &PathQuery) -> Result<Found, Failure> {
    let start = Instant::now();
    let prepared = prepare(scene, planner)?;
    let prep_ms = start.elapsed().as_secs_f64() * 1e3;
    let mut found = timed(|scratch, route| {
        prepared.forget();
        prepared.plan(query, scratch, route)?;
        Ok(Outcome::Reached)
    })?;
    (found.prep_ms, found.memory_bytes) = (prep_ms, prepared.memory_bytes());
    Ok(found)
}

/// Asks for a route into a goal, several times for the clock's sake.
fn find_goal(scene: &Scene, query: &GoalQuery<'_>) -> Result<Found, Failure> {
    let rule = scene.config.step_rule();
    timed(|scratch, route| goal_search(&scene.layer, query, rule, scratch, route))
}

fn timed(
    mut plan: impl FnMut(&mut SearchScratch, &mut Route) -> Result<Outcome, PlanError>,
) -> Result<Found, Failure> {
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let outcome = plan(&mut scratch, &mut route).map_err(|error| no_route(&error))?;
    let mut times = [0.0; RUNS];
    for time in &mut times {
        let start = Instant::now();
        plan(&mut scratch, &mut route).map_err(|error| no_route(&error))?;
        *time = start.elapsed().as_secs_f64() * 1e6;
    }
    times.sort_by(f64::total_cmp);
    Ok(Found { route, outcome, time_us: times[RUNS / 2], prep_ms: 0.0, memory_bytes: 0 })
}

#[derive(Serialize)]
struct Document<'a> {
    map: &'a str,
    width: u32,
    height: u32,
    locomotor: &'a str,
    size: u8,
    planner: &'a str,
    promise: Promise,
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
    /// Events of the search, kept and not kept, when it was watched.
    events: Option<usize>,
    events_left_out: Option<u64>,
}

pub(super) fn run(args: &PathArgs) -> Result<Report, Failure> {
    let planner = planner(&args.planner)?;
    let scene = Scene::open(&args.map, &args.agent)?;
    let controller = match args.controller {
        Commander::Player => Controller::Player,
        Commander::Ai => Controller::Ai,
    };
    let threat = if args.heed_threat { Threat::Heed } else { scene.config.threat_for(controller) };
    let (found, goal, watched) = if args.goal.wanted(&args.ends) {
        if planner.name != PLANNERS[0].name {
            let message = format!("`{}` goes from one cell to one cell only", planner.name);
            let help = format!("use --planner {} for goals and limits", PLANNERS[0].name);
            return Err(Failure::new(Kind::Usage, message).help(help));
        }
        if args.watch.shows_search() || args.watch.trace().is_some() {
            let message = "only searches from one cell to one cell can be watched";
            return Err(
                Failure::new(Kind::Usage, message).help("use --from and --to without goals and limits")
            );
        }
        let asked = args.goal.ask(&scene, &args.ends)?;
        (find_goal(&scene, &asked.query(&scene, threat))?, asked.goal, None)
    } else {
        let ends = scene.ends(&args.ends)?;
        let query = PathQuery::new(ends.from, ends.to, scene.agent).with_threat(threat);
        let watched = watch(&args.watch, &scene, planner, &query)?;
        (find(&scene, planner, &query)?, Goal::point(ends.to), watched)
    };
    let smoothed = match args.smooth {
        Smooth::None => None,
        Smooth::Pull | Smooth::Spline => Some(Smoothed::new(&scene, threat, &found.route, args.smooth)?),
    };
    if let Some(path) = &args.render {
        let mut drawing = Drawing::new(&scene, args.pixels);
        drawing.terrain();
        if !scene.layer.threat().is_empty() {
            drawing.threat();
        }
        if !matches!(goal, Goal::In(Shape::Point(_))) {
            drawing.goal(&goal);
        }
        match (watched.as_ref().filter(|_| args.watch.shows_search()), &smoothed) {
            (Some(watched), _) => drawing.search(watched.events(), &found.route),
            (None, None) => drawing.route(&found.route),
            (None, Some(smoothed)) => drawing.smoothed(&found.route, &smoothed.path),
        }
        save(path, &drawing.encode())?;
    }
    let (straight, diagonal) = found.route.steps();
    let [from, to] = [found.route.waypoints.first(), found.route.waypoints.last()]
        .map(|end| end.copied().unwrap_or_default());
    let goal_text = goal.to_string();
    let document = Document {
        map: &scene.plain().name,
        width: scene.layer.grid().width(),
        height: scene.layer.grid().height(),
        locomotor: scene.locomotor_name(),
        size: scene.agent.size.side(),
        planner: planner.name,
        promise: planner.promise,
        from: pair(from),
        to: pair(to),
        goal: &goal_text,
        outcome: found.outcome,
        gap_cells: rounded(goal.gap(to) as f64 / 1024.0, 3),
        heed_threat: threat == Threat::Heed,
        cost: found.route.cost.0,
        length_cells: rounded(found.route.length() as f64 / 1024.0, 3),
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
        trace: args.watch.trace(),
        events: watched.as_ref().map(|watched| watched.events().len()),
        events_left_out: watched.as_ref().map(Watched::left_out),
    };
    let mut text = describe(args, &scene, [from, to], &found, &document);
    text.extend(watched.iter().flat_map(|watched| watched.describe(&args.watch)));
    Ok(Report::new(text, &document))
}

fn pair(at: CellPos) -> [i32; 2] {
    [at.x, at.y]
}

fn describe(
    args: &PathArgs,
    scene: &Scene,
    [from, to]: [CellPos; 2],
    found: &Found,
    document: &Document<'_>,
) -> String {
    let route = &found.route;
    let normal = f64::from(scene.plain().rules.normal);
    let ordinary = route.cost.0 as f64 / 1024.0 / normal;
    let mut lines = Lines::default();
    lines.add("from", end_name(scene, from)).add("to", end_name(scene, to));
    if args.goal.wanted(&args.ends) {
        let how = match found.outcome {
            Outcome::Reached => "reached".to_owned(),
            Outcome::Nearest => format!("no way: this is the nearest, {:.1} cells off", document.gap_cells),
            Outcome::Partial => format!("node limit: so far, {:.1} cells off", document.gap_cells),
        };
        lines.add("goal", format!("{} ({how})", document.goal));
    }
    lines
        .add("cost", format!("{} (as {ordinary:.1} cells of ordinary ground)", grouped(route.cost.0)))
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
                    "{:.1} cells ({:.1} % shorter), cost {} ({:.1} % less than {} by the same measure)",
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
        lines.add("made ready", format!("in {:.2} ms, {memory}", found.prep_ms));
    }
    let mut out = format!(
        "{}, {}: {} of {}, by {} ({})\n\n{}",
        scene.plain().name,
        scene.layer.grid(),
        document.locomotor,
        scene.agent.size,
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
        out.push_str("\nThe threat does not count for this route: add --heed-threat, or --controller ai.\n");
    }
    match &args.render {
        Some(path) => {
            let _ = writeln!(out, "\nDrawn to {}.", path.display());
        }
        None => out.push_str("\nTo see it: add `--render route.png`.\n"),
    }
    out
}

fn end_name(scene: &Scene, at: CellPos) -> String {
    match scene.plain().starts.iter().position(|&start| start == at) {
        Some(player) => format!("{},{} (player start {})", at.x, at.y, player + 1),
        None => format!("{},{}", at.x, at.y),
    }
}
