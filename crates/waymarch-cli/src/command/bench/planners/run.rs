//! Runs all planners on all cases, and makes the report.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use waymarch::planners::Planner;
use waymarch::search::SearchScratch;
use waymarch_maps::LoadOptions;

use super::case::CaseSource;
use super::measure::{Effort, FILE_DISAGREES, NumberedCase, Problem, Row, measure};
use super::table::{Entry, Gain, Total, Unsuited, gains, render, totals};
use crate::diagnostics::Failure;
use crate::planner::{planner, planners, suits};
use crate::report::{Report, Verdict, count, grouped, rounded};

/// At most 20 problems are printed; the JSON document has all.
const SHOWN_PROBLEMS: usize = 20;

/// What to measure.
pub(super) struct Plan {
    pub(super) sources: Vec<CaseSource>,
    pub(super) options: LoadOptions,
    pub(super) planners: Vec<&'static dyn Planner>,
    /// At most this many queries per map.
    pub(super) limit: usize,
    /// How many of them the reference search checks.
    pub(super) check: usize,
    pub(super) repeat: usize,
    /// Also measure throughput on this many threads.
    pub(super) threads: Option<u16>,
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
    /// Each planner beside the first one, map by map.
    gains: &'a [Gain],
    skipped: &'a [Skipped],
    unsuited: &'a [Unsuited],
    problems: &'a [Problem],
    /// Routes whose length differs from the file although the reference search finds no cheaper route: the file does not fit its own
    /// map. They do not count as `worse`.
    file_disagrees: usize,
    /// Queries checked by the reference search.
    checked: usize,
    /// `length`: routes are compared with the lengths in the files, which hold on ground of one cost. `cost`: they are compared with
    /// the least cost, found by the reference search or by plain A*.
    compared_by: &'static str,
    repeat: usize,
    /// The number of threads that this machine can run at once.
    cores: usize,
    seconds: f64,
}

/// Runs the plan and makes the report.
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
            if let Err(reason) = suits(*planner, &case.view(), case.agent) {
                entries.push(Entry::Unsuited(unsuited.len()));
                unsuited.push(Unsuited { map: map.clone(), planner: planner.name(), reason });
                continue;
            }
            let measured = measure(NumberedCase { number, case: &case }, *planner, effort, &mut scratch);
            entries.push(Entry::Row(rows.len()));
            rows.push(measured.row);
            problems.extend(measured.problems);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let totals = totals(&rows, planners);
    let gains = planners.first().map_or_else(Vec::new, |first| gains(&rows, first.name()));
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

/// The planners of these names, each once; all planners if there are no names.
pub(in crate::command) fn chosen(names: &[String]) -> Result<Vec<&'static dyn Planner>, Failure> {
    if names.is_empty() {
        return Ok(planners().collect());
    }
    let mut chosen: Vec<&'static dyn Planner> = Vec::new();
    for name in names {
        let found = planner(name)?;
        if !chosen.iter().any(|planner| planner.name() == found.name()) {
            chosen.push(found);
        }
    }
    Ok(chosen)
}

pub(in crate::command) fn passes(word: &str) -> Result<usize, String> {
    let number: usize = word.parse().map_err(|_| "a whole number, 1 to 1000".to_owned())?;
    if (1..=1000).contains(&number) { Ok(number) } else { Err("1 to 1000".to_owned()) }
}

/// A progress bar on standard error, in a terminal only. It moves between maps, so that drawing it is never timed.
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
        "\nEvery route was replayed; {} also by an independent search; best of {} passes; {:.1} s in total.",
        count(document.checked, "query answered", "queries answered"),
        document.repeat,
        document.seconds
    );
    if document.compared_by == "cost" {
        text.push_str("Ratios are to the least cost, found by the independent search or plain A*.\n");
    }
    for Skipped { map, reason, queries } in document.skipped {
        let _ = writeln!(text, "Skipped: {} of {map}: {reason}.", count(*queries, "query", "queries"));
    }
    if let Some(throughput) = document.rows.iter().find_map(|row| row.throughput) {
        let _ = writeln!(
            text,
            "{} on a machine that can run {} at once; every answer compared with that of one thread.",
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
            "{} of these routes are right: the independent search finds no cheaper one, so the file does not fit its map.",
            grouped(document.file_disagrees as u64)
        );
    }
    if document.problems.len() > SHOWN_PROBLEMS {
        let rest = document.problems.len() - SHOWN_PROBLEMS;
        let _ = writeln!(text, "… and {} not shown (all with --json).", count(rest, "problem", "problems"));
    }
    text
}
