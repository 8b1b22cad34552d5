//! `waymarch bench scen`: measures planners on MovingAI scenarios.

use std::path::PathBuf;

use clap::Args;
use waymarch_maps::LoadOptions;

use super::case::{CaseSource, find_cases, random_cases};
use super::run::{Plan, chosen, passes, run_all};
use crate::diagnostics::{Failure, Kind};
use crate::report::Report;

pub(crate) const EXAMPLES: &str = "\
Examples:
  waymarch bench scen
  waymarch bench scen movingai/dao --planner astar --limit 200
  waymarch bench scen movingai/ --planner astar,jps,jps+ --threads 4
  waymarch bench scen arena.map.scen --check all --json
  waymarch bench scen movingai/wc3maps512 --rules movingai-weighted --planner astar,jpsw

Exit code 1 if a route was not found (missed), costs more than the planner promises (worse), or is
illegal.";

/// The reference search checks 20 queries per map by default.
const CHECK: usize = 20;
/// 3 passes over the queries by default.
const REPEAT: usize = 3;

/// Arguments of `waymarch bench scen`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ScenArgs {
    /// .scen files, or folders with .scen files at any depth. Default: $WAYMARCH_DATA/movingai, or random queries on built-in maps
    /// if WAYMARCH_DATA is not set.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The planners to measure, separated by commas or repeated; default: all that support the map.
    #[arg(long, short, value_name = "NAME", value_delimiter = ',')]
    planner: Vec<String>,
    /// At most N queries per map, evenly spread over the file.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Passes over the queries; the shortest time of each query counts.
    #[arg(long, value_name = "N", default_value_t = REPEAT, value_parser = passes)]
    repeat: usize,
    /// The number of queries per map that an independent search checks, or `all`.
    #[arg(long, value_name = "N", default_value_t = Check(CHECK), value_parser = check)]
    check: Check,
    /// Also run all queries on N threads: queries per second, and a comparison with the routes of one thread.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Terrain rules, as for `waymarch path`. With `movingai-weighted`, swamp and water cost more.
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
}

impl Default for ScenArgs {
    fn default() -> Self {
        let (paths, planner) = (Vec::new(), Vec::new());
        Self { paths, planner, limit: None, repeat: REPEAT, check: Check(CHECK), threads: None, rules: None }
    }
}

/// The number of queries to check; `usize::MAX` means all.
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

pub(crate) fn run(args: &ScenArgs) -> Result<Report, Failure> {
    let sources = sources(&args.paths)?;
    let options = LoadOptions { rules: args.rules.clone(), ..LoadOptions::default() };
    // Built-in maps are small enough to check every query.
    let built_in = sources.iter().all(|source| matches!(source, CaseSource::Random { .. }));
    let check = if built_in { usize::MAX } else { args.check.0 };
    let limit = args.limit.unwrap_or(usize::MAX);
    let planners = chosen(&args.planner)?;
    run_all(&Plan { sources, options, planners, limit, check, repeat: args.repeat, threads: args.threads })
}

fn sources(paths: &[PathBuf]) -> Result<Vec<CaseSource>, Failure> {
    if !paths.is_empty() {
        return find_cases(paths);
    }
    let Some(data) = std::env::var_os("WAYMARCH_DATA").filter(|data| !data.is_empty()) else {
        return Ok(random_cases());
    };
    let folder = PathBuf::from(data).join("movingai");
    if !folder.is_dir() {
        let message = format!("WAYMARCH_DATA has no folder {}", folder.display());
        return Err(Failure::new(Kind::File, message).help("correct it, unset it, or name a PATH"));
    }
    find_cases(&[folder])
}
