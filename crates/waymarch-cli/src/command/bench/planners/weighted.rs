//! `waymarch bench weighted`: measures planners on random queries, mainly on weighted ground.

use std::path::{Path, PathBuf};

use clap::Args;
use waymarch_maps::FileError;

use super::case::CaseSource;
use super::run::{Plan, chosen, passes, run_all};
use crate::arguments::ReadArgs;
use crate::diagnostics::{Failure, Kind};
use crate::report::Report;

pub(super) const EXAMPLES: &str = "\
Examples:
  waymarch bench weighted
  waymarch bench weighted openra/maps --mod openra/mod --planner astar,jpsw
  waymarch bench weighted wc3.map --rules movingai-weighted --seed 7 --queries 500 --json

Exit code 1 if a route was not found (missed), costs more than the planner promises (worse), or is
illegal.";

/// The built-in maps with weighted ground.
const BUILT_IN: [&str; 3] = ["valley", "islands", "pass"];

/// Arguments of `waymarch bench weighted`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WeightedArgs {
    /// Map files, folders of map files, built-in maps or generate:SEED:WxH; default: three built-in maps.
    #[arg(value_name = "MAP")]
    maps: Vec<String>,
    /// The planners to measure, separated by commas or repeated. The others are compared with the first.
    #[arg(
        long,
        short,
        value_name = "NAME",
        value_delimiter = ',',
        default_value = "astar,jpsw,jpsw-zones,jpsw-octile,jpsw-1050"
    )]
    planner: Vec<String>,
    /// The seed of the queries.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Queries per map.
    #[arg(long, value_name = "N", default_value_t = 100)]
    queries: usize,
    /// The number of queries per map that an independent search checks; the others are compared with plain A*.
    #[arg(long, value_name = "N", default_value_t = 20)]
    check: usize,
    /// Passes over the queries; the shortest time of each query counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = passes)]
    repeat: usize,
    #[command(flatten)]
    reading: ReadArgs,
}

pub(crate) fn run(args: &WeightedArgs) -> Result<Report, Failure> {
    let mut maps = Vec::new();
    for word in &args.maps {
        let path = Path::new(word);
        if path.is_dir() && !is_map_folder(path) {
            maps.extend(maps_in(path)?);
        } else {
            maps.push(word.clone());
        }
    }
    if args.maps.is_empty() {
        maps.extend(BUILT_IN.map(str::to_owned));
    }
    let (seed, count) = (args.seed, args.queries);
    let sources = maps.into_iter().map(|map| CaseSource::Random { map, seed, count }).collect();
    let (options, planners) = (args.reading.options(), chosen(&args.planner)?);
    let (check, repeat) = (args.check, args.repeat);
    run_all(&Plan { sources, options, planners, limit: count, check, repeat, threads: None })
}

/// Whether a folder is an unpacked OpenRA map.
fn is_map_folder(path: &Path) -> bool {
    path.join("map.yaml").is_file()
}

/// The maps directly in a folder, sorted by name.
fn maps_in(folder: &Path) -> Result<Vec<String>, Failure> {
    const ENDINGS: [&str; 5] = ["oramap", "map", "tmx", "tmj", "yaml"];
    let io = |error: std::io::Error| FileError::io(folder, &error);
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let known =
            path.extension().and_then(|ending| ending.to_str()).is_some_and(|it| ENDINGS.contains(&it));
        if is_map_folder(&path) || known && path.is_file() {
            found.push(path);
        }
    }
    if found.is_empty() {
        return Err(Failure::new(Kind::File, format!("{}: no map in this folder", folder.display())));
    }
    found.sort();
    Ok(found.into_iter().map(|path| path.display().to_string()).collect())
}
