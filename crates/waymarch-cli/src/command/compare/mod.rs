//! `waymarch compare`: which planner suits this map?
//!
//! All planners get the same queries on one map. Every route is replayed and compared with the cheapest one. The same planners then follow edits
//! of the map, and must answer as plain A\* does on the edited map.
//!
//! - `edits.rs`: the time of a planner to follow an edit
//! - `table.rs`: the table for people
//! - `page.rs`, `plot.rs`: the page of `--html`

mod edits;
mod page;
mod plot;
mod table;

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use waymarch::planners::Planner;
use waymarch::search::SearchScratch;
use waymarch_maps::write_file;

use self::edits::{EditTimes, Edits};
use super::bench::planners::case::{Case, QuerySource};
use super::bench::planners::measure::{Effort, Measured, NumberedCase, Problem, Row, measure};
use super::bench::planners::run::{chosen, passes};
use crate::arguments::{AgentArgs, ReadArgs};
use crate::diagnostics::{Failure, Kind};
use crate::map_setup::MapSetup;
use crate::planner::{PromiseDocument, suits};
use crate::report::{Report, Verdict};

const EXAMPLES: &str = "\
Examples:
  waymarch compare
  waymarch compare islands --locomotor boat --random 500
  waymarch compare my.map --scen my.map.scen --planner jps+,jpsw,hpa --html report.html
  waymarch compare generate:7:512x512 --size 2 --edits 50

Exit code 1 if a route was not found (missed), costs more than the planner promises (worse), is illegal,
or differs from that of plain A* after edits of the map.";

/// 200 random queries by default.
const RANDOM: usize = 200;
/// 3 passes over the queries by default.
const REPEAT: usize = 3;
/// 20 edits by default.
const EDITS: u32 = 20;

/// Arguments of `waymarch compare`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompareArgs {
    /// A map file, the name of a built-in map (see `waymarch maps`), or generate:SEED:WxH.
    #[arg(value_name = "MAP", default_value = "valley")]
    map: String,
    /// Take the queries from a MovingAI scenario file.
    #[arg(long, value_name = "FILE.scen", conflicts_with_all = ["random", "seed"])]
    scen: Option<PathBuf>,
    /// At most N queries of --scen, evenly spread over the file.
    #[arg(long, value_name = "N", requires = "scen")]
    limit: Option<usize>,
    /// N random queries between cells of the largest connected region.
    #[arg(long, value_name = "N", default_value_t = RANDOM)]
    random: usize,
    /// The seed of random queries and of the edits.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// The planners to compare, separated by commas or repeated; default: all that support the map and the unit.
    #[arg(long, short, value_name = "NAME", value_delimiter = ',')]
    planner: Vec<String>,
    /// Passes over the queries; the shortest time of each query counts.
    #[arg(long, value_name = "N", default_value_t = REPEAT, value_parser = passes)]
    repeat: usize,
    /// Edits of 3×3 cells that every planner follows; 0 leaves them out.
    #[arg(long, value_name = "N", default_value_t = EDITS, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    edits: u32,
    /// Also write a page with the table, plots, and a picture of each failure.
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadArgs,
    #[command(flatten)]
    agent: AgentArgs,
}

/// A planner that does not support the map or the unit.
#[derive(Debug, Serialize)]
struct Unsuited {
    planner: &'static str,
    reason: &'static str,
}

/// One planner: what it promises, how it answers, and how it follows edits.
#[derive(Debug, Serialize)]
struct Compared {
    promise: PromiseDocument,
    #[serde(flatten)]
    row: Row,
    /// `None` if no edits were asked for.
    edits: Option<EditTimes>,
    /// The time of each query in microseconds, for plots.
    #[serde(skip)]
    times: Vec<f64>,
}

impl Compared {
    fn is_good(&self) -> bool {
        let Row { missed, worse, illegal, .. } = self.row;
        missed + worse + illegal == 0 && self.edits.as_ref().is_none_or(|edits| edits.wrong == 0)
    }
}

/// All that the report and the page show.
#[derive(Debug, Serialize)]
struct Comparison<'a> {
    map: &'a str,
    width: u32,
    height: u32,
    locomotor: &'a str,
    size: u8,
    queries: usize,
    /// Queries of the file without a route for this unit. Every planner was asked, and must find none.
    without_route: usize,
    planners: Vec<Compared>,
    unsuited: Vec<Unsuited>,
    problems: Vec<Problem>,
    /// The time to change the costs and the sectors after an edit, which all planners share.
    shared_edit_us: Option<f64>,
    html: Option<&'a Path>,
    #[serde(skip)]
    setup: &'a MapSetup,
    #[serde(skip)]
    case: &'a Case,
}

pub(super) fn run(args: &CompareArgs) -> Result<Report, Failure> {
    let chosen = chosen(&args.planner)?;
    let setup = MapSetup::open_named(&args.map, &args.reading, &args.agent)?;
    let source = match &args.scen {
        Some(path) => QuerySource::File { path: path.clone(), limit: args.limit.unwrap_or(usize::MAX) },
        None => QuerySource::Random { seed: u64::from(args.seed), count: args.random },
    };
    let case = Case::on(&setup, &source)?;
    if case.queries.is_empty() {
        let message =
            format!("{}: no query has a route for the locomotor `{}`", case.name, setup.locomotor_name());
        return Err(Failure::new(Kind::NoRoute, message).help("choose another --locomotor, --size or --scen"));
    }
    let edits = (args.edits > 0).then(|| Edits::draw(&case, args.seed, args.edits));
    let comparison = compare(args, &setup, &case, &chosen, edits.as_ref())?;
    if let Some(path) = &args.html {
        write_file(path, page::page(&comparison)?.as_bytes())?;
    }
    let good = comparison.planners.iter().all(Compared::is_good);
    let verdict = if good { Verdict::Good } else { Verdict::Bad };
    Ok(Report::new(table::describe(&comparison), &comparison).verdict(verdict))
}

fn compare<'a>(
    args: &'a CompareArgs,
    setup: &'a MapSetup,
    case: &'a Case,
    chosen: &[&'static dyn Planner],
    edits: Option<&Edits>,
) -> Result<Comparison<'a>, Failure> {
    let mut scratch = SearchScratch::new();
    let effort = Effort { repeat: args.repeat, threads: None };
    let (mut planners, mut unsuited, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    let mut shared_edit_us = None;
    for &planner in chosen {
        if let Err(reason) = suits(planner, &case.view(), case.agent) {
            unsuited.push(Unsuited { planner: planner.name(), reason });
            continue;
        }
        let measured = measure(NumberedCase { number: 0, case }, planner, effort, &mut scratch);
        let Measured { row, problems: more, times } = measured;
        problems.extend(more);
        let edits = edits.map(|edits| edits.follow(planner, case)).transpose()?;
        shared_edit_us = shared_edit_us.or(edits.as_ref().map(|edits| edits.shared_us));
        planners.push(Compared { promise: planner.promise().into(), row, edits, times });
    }
    let grid = case.layer.grid();
    Ok(Comparison {
        map: &setup.plain().name,
        width: grid.width(),
        height: grid.height(),
        locomotor: setup.locomotor_name(),
        size: case.agent.size.side(),
        queries: case.queries.len(),
        without_route: case.skipped.len(),
        planners,
        unsuited,
        problems,
        shared_edit_us,
        html: args.html.as_deref(),
        setup,
        case,
    })
}
