//! The table for people.

use std::fmt::Write as _;

use super::{Compared, Comparison};
use crate::report::{bytes, count, grouped};
use crate::table::table;

const HEADER: [&str; 11] = [
    "planner",
    "promise",
    "cost",
    "worst",
    "mean µs",
    "p99 µs",
    "nodes",
    "prepared ms",
    "memory",
    "edit µs",
    "faults",
];

/// At most 10 problems are printed; the JSON document has all.
const SHOWN_PROBLEMS: usize = 10;

/// The report as text.
pub(super) fn describe(comparison: &Comparison<'_>) -> String {
    let Comparison { map, width, height, locomotor, size, .. } = comparison;
    let mut text = format!(
        "{map}, {width}×{height}: {locomotor} of {size}×{size}, {}\n",
        count(comparison.queries, "query", "queries")
    );
    let rows = comparison.planners.iter().map(cells);
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "{}", table(HEADER, rows, 2..11));
    text.push_str(LEGEND);
    if let Some(shared) = comparison.shared_edit_us {
        let _ =
            writeln!(text, "Costs and sectors, which all planners share, follow an edit in {shared:.0} µs.");
    }
    if comparison.without_route > 0 {
        let left_out = count(comparison.without_route, "query has", "queries have");
        let _ =
            writeln!(text, "{left_out} no route for this unit. Every planner was asked, and must find none.");
    }
    for unsuited in &comparison.unsuited {
        let _ = writeln!(text, "Not compared: {}: {}.", unsuited.planner, unsuited.reason);
    }
    for problem in comparison.problems.iter().take(SHOWN_PROBLEMS) {
        let ([x, y], [to_x, to_y]) = (problem.from, problem.to);
        let (verdict, planner, detail) = (problem.verdict.to_uppercase(), problem.planner, &problem.detail);
        let _ = writeln!(text, "{verdict}: {planner}, {x},{y} to {to_x},{to_y}: {detail}");
    }
    match comparison.html {
        Some(path) => {
            let _ = writeln!(text, "\nThe page is in {}.", path.display());
        }
        None => text.push_str("\nFor plots and pictures, add `--html report.html`.\n"),
    }
    text
}

/// What the columns mean.
pub(super) const LEGEND: &str = "\
Cost and worst: the cost of a route divided by that of the cheapest. Edit: the median time to follow a building of
3×3 cells. Faults: routes that are missed, illegal or dearer than promised, and wrong answers after edits.
";

/// The cells of a planner's row, for text and for the page.
pub(super) fn cells(compared: &Compared) -> [String; 11] {
    let row = &compared.row;
    let ratio = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.4}"));
    let edits = compared.edits.as_ref();
    let wrong = edits.map_or(0, |edits| edits.wrong);
    [
        row.planner.to_owned(),
        compared.promise.name().to_owned(),
        ratio(row.mean_ratio),
        ratio(row.worst_ratio),
        format!("{:.1}", row.mean_us),
        format!("{:.1}", row.p99_us),
        grouped(row.expanded.round() as u64),
        format!("{:.2}", row.prep_ms),
        bytes(row.memory_bytes as u64),
        edits.map_or("–".to_owned(), |edits| grouped(edits.median_us.round() as u64)),
        (row.missed + row.worse + row.illegal + wrong).to_string(),
    ]
}
