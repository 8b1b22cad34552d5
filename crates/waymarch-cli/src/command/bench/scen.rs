//! `waymarch bench scen`: MovingAI scenarios.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use waymarch::search::SearchScratch;
use waymarch_maps::LoadOptions;

use super::case::{CaseSource, find_cases, made_cases};
use super::measure::{Effort, FILE_DISAGREES, Problem, Row, measure};
use super::table::{Entry, Gain, Total, Unsuited, gains, render, totals};
use crate::diagnostics::{Failure, Kind};
use crate::planner::{PLANNERS, PlannerDef, planner};
use crate::report::{Report, Verdict, count, grouped, rounded};

pub(super) const EXAMPLES: &str = "\
Examples:
  waymarch bench scen
  waymarch bench scen movingai/dao --planner astar --limit 200
  waymarch bench scen movingai/ --planner astar,jps,jps+ --threads 4
  waymarch bench scen arena.map.scen --check all --json
  waymarch bench scen movingai/wc3maps512 --rules movingai-weighted --planner astar,jpsw

Exit code 1 when any query was missed, worse than the optimum, or illegal.";

/// Problems shown to people; all are in the JSON document.
const SHOWN_PROBLEMS: usize = 20;
/// Queries checked by the independent search, per map, unless told otherwise.
const CHECK: usize = 20;
/// Passes over the queries unless told otherwise.
const REPEAT: usize = 3;

/// Arguments of `waymarch bench scen`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ScenArgs {
    /// .scen files, or folders with such files at any depth. Unless given: $WAYMARCH_DATA/movingai, or if that is not
    /// set, random queries on built-in maps.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The planners to measure, with commas or several times; all that suit the map unless given.
    #[arg(long, short, value_name = "NAME", value_delimiter = ',')]
    planner: Vec<String>,
    /// At most so many queries per map, evenly spread.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Passes over the queries; the best time of each query counts.
    #[arg(long, value_name = "N", default_value_t = REPEAT, value_parser = passes)]
    repeat: usize,
    /// How many queries per map are also answered by an independent search: a number or `all`.
    #[arg(long, value_name = "N", default_value_t = Check(CHECK), value_parser = check)]
    check: Check,
    /// Also ask batches of all queries of so many threads: answers compared with one thread's, queries per second.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Other rules for the maps, as for `waymarch path`: with `movingai-weighted`, swamp and water cost more.
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
}

impl Default for ScenArgs {
    fn default() -> Self {
        let (paths, planner) = (Vec::new(), Vec::new());
        Self { paths, planner, limit: None, repeat: REPEAT, check: Check(CHECK), threads: None, rules: None }
    }
}

/// How many queries are checked; the largest number means all.
#[derive(Clone, Copy, Debug)]
struct Check(usize);

impl std::fmt::Display for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            usize::MAX => f.write_str("all"),
            number => number.fmt(f),
        }
    }
}

fn check(word: &str) -> Result<Check, String> {
    match word {
        "all" => Ok(Check(usize::MAX)),
        _ => word.parse().map(Check).map_err(|_| "a number or `all`".to_owned()),
    }
}

pub(super) fn passes(word: &str) -> Result<usize, String> {
    let number: usize = word.parse().map_err(|_| "a whole number, 1 to 1000".to_owned())?;
    if (1..=1000).contains(&number) { Ok(number) } else { Err("1 to 1000".to_owned()) }
}

#[derive(Serialize)]
struct Skipped {
    map: String,
    reason: &'static str,
    queries: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    rows: &'a [Row],
    totals: &'a [Total],
    /// Each planner against the first, map by map.
    gains: &'a [Gain],
    skipped: &'a [Skipped],
    unsuited: &'a [Unsuited],
    problems: &'a [Problem],
    /// How many routes are longer or shorter than their file says though the independent search finds no cheaper one: the
    /// file is at odds with its own map. Not counted as `worse`.
    file_disagrees: usize,
    /// Queries that an independent search answered too.
    checked: usize,
    /// `length`: with what the files say, which holds on ground of one cost; `cost`: with the least cost, found by the
    /// independent search or, where that was not asked, by plain A*.
    compared_by: &'static str,
    repeat: usize,
    /// How many threads this machine runs at once; more gain nothing.
    cores: usize,
    seconds: f64,
}

pub(super) fn run(args: &ScenArgs) -> Result<Report, Failure> {
    let sources = sources(&args.paths)?;
    let options = LoadOptions { rules: args.rules.clone(), ..LoadOptions::default() };
    // Built-in maps are small enough to check every query.
    let built_in = sources.iter().all(|source| matches!(source, CaseSource::Random { .. }));
    let check = if built_in { usize::MAX } else { args.check.0 };
    let limit = args.limit.unwrap_or(usize::MAX);
    let planners = chosen(&args.planner)?;
    run_all(&Plan { sources, options, planners, limit, check, repeat: args.repeat, threads: args.threads })
}

/// What is to be measured.
pub(super) struct Plan {
    pub(super) sources: Vec<CaseSource>,
    pub(super) options: LoadOptions,
    pub(super) planners: Vec<&'static PlannerDef>,
    /// At most so many queries per map.
    pub(super) limit: usize,
    /// How many of them an independent search answers too.
    pub(super) check: usize,
    pub(super) repeat: usize,
    /// Batches over so many threads as well.
    pub(super) threads: Option<u16>,
}

/// Measures everything and reports it.
pub(super) fn run_all(plan: &Plan) -> Result<Report, Failure> {
    let start = Instant::now();
    let Plan { sources, options, planners, limit, check, repeat, threads } = plan;
    let bar = progress(sources.len());
    let (mut rows, mut problems, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    let (mut unsuited, mut entries, mut checked, mut by_cost) = (Vec::new(), Vec::new(), 0, false);
    let effort = Effort { repeat: *repeat, threads: threads.map(usize::from) };
    let mut scratch = SearchScratch::new();
    for (number, source) in sources.iter().enumerate() {
        let case = source.open(*limit, *check, options)?;
        bar.set_message(case.name.clone());
        let mut reasons: BTreeMap<&'static str, usize> = BTreeMap::new();
        for (_, reason) in &case.skipped {
            *reasons.entry(reason.name()).or_default() += 1;
        }
        let map = &case.name;
        skipped.extend(reasons.into_iter().map(|(reason, queries)| Skipped {
            map: map.clone(),
            reason,
            queries,
        }));
        checked += case.queries.len().min(*check);
        by_cost |= case.queries.iter().any(|query| query.optimum.is_none());
        for planner in planners {
            if let Err(reason) = (planner.suits)(&case.layer, case.agent, case.rule) {
                entries.push(Entry::Unsuited(unsuited.len()));
                unsuited.push(Unsuited { map: map.clone(), planner: planner.name, reason });
                continue;
            }
            let measured = measure((number, &case), planner, effort, &mut scratch);
            entries.push(Entry::Row(rows.len()));
            rows.push(measured.row);
            problems.extend(measured.problems);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let totals = totals(&rows, planners);
    let gains = planners.first().map_or_else(Vec::new, |first| gains(&rows, first.name));
    let seconds = rounded(start.elapsed().as_secs_f64(), 2);
    let disagreeing = problems.iter().filter(|problem| problem.verdict == FILE_DISAGREES).count();
    let document = Document {
        rows: &rows,
        totals: &totals,
        gains: &gains,
        skipped: &skipped,
        unsuited: &unsuited,
        problems: &problems,
        file_disagrees: disagreeing,
        checked,
        compared_by: if by_cost { "cost" } else { "length" },
        repeat: *repeat,
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        seconds,
    };
    let verdict = if problems.len() == disagreeing { Verdict::Good } else { Verdict::Bad };
    Ok(Report::new(describe(&document, &entries), &document).verdict(verdict))
}

/// The planners asked for, each once; all when none is named.
pub(super) fn chosen(names: &[String]) -> Result<Vec<&'static PlannerDef>, Failure> {
    if names.is_empty() {
        return Ok(PLANNERS.iter().collect());
    }
    let mut chosen: Vec<&'static PlannerDef> = Vec::new();
    for name in names {
        let found = planner(name)?;
        if !chosen.iter().any(|planner| planner.name == found.name) {
            chosen.push(found);
        }
    }
    Ok(chosen)
}

fn sources(paths: &[PathBuf]) -> Result<Vec<CaseSource>, Failure> {
    if !paths.is_empty() {
        return find_cases(paths);
    }
    let Some(data) = std::env::var_os("WAYMARCH_DATA").filter(|data| !data.is_empty()) else {
        return Ok(made_cases());
    };
    let folder = PathBuf::from(data).join("movingai");
    if !folder.is_dir() {
        let message = format!("WAYMARCH_DATA has no folder {}", folder.display());
        return Err(Failure::new(Kind::File, message).help("correct it, unset it, or name a PATH"));
    }
    find_cases(&[folder])
}

/// A bar on standard error, in a terminal only. It moves between maps: nothing else runs while the clock does.
fn progress(maps: usize) -> ProgressBar {
    let bar = ProgressBar::new(maps as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} maps, {elapsed}, {msg}") {
        bar.set_style(style);
    }
    bar
}

fn describe(document: &Document<'_>, entries: &[Entry]) -> String {
    let mut text = render(entries, document.rows, document.unsuited, document.totals);
    // Writing to a `String` cannot fail.
    let _ = writeln!(
        text,
        "\nEvery route replayed; {} also by an independent search; best of {} passes; {:.1} s in all.",
        count(document.checked, "query answered", "queries answered"),
        document.repeat,
        document.seconds
    );
    if document.compared_by == "cost" {
        text.push_str(
            "Ratios are to the least cost, by the independent search or plain A*: no file tells it.\n",
        );
    }
    for Skipped { map, reason, queries } in document.skipped {
        let _ = writeln!(text, "Not asked: {} of {map}: {reason}.", count(*queries, "query", "queries"));
    }
    if let Some(throughput) = document.rows.iter().find_map(|row| row.throughput) {
        let _ = writeln!(
            text,
            "{} on a machine that runs {} at once; every answer compared with one thread's.",
            count(throughput.threads, "thread", "threads"),
            document.cores
        );
    }
    for problem in document.problems.iter().take(SHOWN_PROBLEMS) {
        let Problem { map, planner, query, from, to, verdict, detail, .. } = problem;
        let ends = format!("{},{} to {},{}", from[0], from[1], to[0], to[1]);
        let _ = writeln!(
            text,
            "{}: {planner} on {map}, query {query} ({ends}): {detail}",
            verdict.to_uppercase()
        );
    }
    if document.file_disagrees > 0 {
        let _ = writeln!(
            text,
            "{} of those: the independent search finds no cheaper route either; the file is at odds with its map.",
            grouped(document.file_disagrees as u64)
        );
    }
    if document.problems.len() > SHOWN_PROBLEMS {
        let rest = document.problems.len() - SHOWN_PROBLEMS;
        let _ = writeln!(text, "… and {} not shown (all with --json).", count(rest, "problem", "problems"));
    }
    text
}
