//! The rows put together: totals, geometric means, and the table people see.

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use super::measure::Row;
use crate::planner::PlannerDef;
use crate::report::{bytes, grouped, rounded};

/// One planner over all maps.
#[derive(Debug, Serialize)]
pub(super) struct Total {
    pub(super) planner: &'static str,
    pub(super) maps: usize,
    pub(super) queries: usize,
    pub(super) missed: usize,
    pub(super) worse: usize,
    pub(super) illegal: usize,
    pub(super) worst_ratio: Option<f64>,
    /// Over all queries.
    pub(super) mean_us: f64,
    /// The geometric mean of the maps' means.
    pub(super) geometric_mean_us: f64,
    /// The geometric mean over the maps that both have of (the first planner's mean ÷ this one's).
    pub(super) speed_up: f64,
    pub(super) expanded: f64,
    pub(super) prep_ms: f64,
    pub(super) memory_bytes: usize,
}

/// One planner against the first on one map.
#[derive(Debug, Serialize)]
pub(super) struct Gain {
    pub(super) map: String,
    pub(super) planner: &'static str,
    /// The first planner's mean time ÷ this one's.
    pub(super) speed_up: f64,
    /// The first planner's expanded nodes ÷ this one's.
    pub(super) fewer_nodes: f64,
}

/// What each planner gains over the first, map by map.
pub(super) fn gains(rows: &[Row], first: &str) -> Vec<Gain> {
    let own = rows.iter().filter(|row| row.planner != first && row.queries > 0);
    let gain = |row: &Row| {
        let beside = rows.iter().find(|other| other.planner == first && other.map == row.map)?;
        Some(Gain {
            map: row.map.clone(),
            planner: row.planner,
            speed_up: rounded(beside.mean_us / row.mean_us.max(1e-3), 2),
            fewer_nodes: rounded(beside.expanded / row.expanded.max(0.1), 2),
        })
    };
    own.filter_map(gain).collect()
}

/// The totals of each planner, in the order asked for.
pub(super) fn totals(rows: &[Row], planners: &[&'static PlannerDef]) -> Vec<Total> {
    planners.iter().map(|planner| total(rows, planner.name, planners[0].name)).collect()
}

fn total(rows: &[Row], planner: &'static str, first: &str) -> Total {
    let own: Vec<&Row> = rows.iter().filter(|row| row.planner == planner && row.queries > 0).collect();
    let sum = |of: fn(&Row) -> usize| own.iter().map(|row| of(row)).sum::<usize>();
    let queries = sum(|row| row.queries);
    let per_query = |of: fn(&Row) -> f64| {
        let all: f64 = own.iter().map(|row| of(row) * row.queries as f64).sum();
        all / queries.max(1) as f64
    };
    let beside = |row: &&Row| rows.iter().find(|other| other.planner == first && other.map == row.map);
    let gains = own.iter().filter_map(|row| Some(beside(row)?.mean_us / row.mean_us));
    Total {
        planner,
        maps: own.len(),
        queries,
        missed: sum(|row| row.missed),
        worse: sum(|row| row.worse),
        illegal: sum(|row| row.illegal),
        worst_ratio: own.iter().filter_map(|row| row.worst_ratio).max_by(f64::total_cmp),
        mean_us: rounded(per_query(|row| row.mean_us), 3),
        geometric_mean_us: rounded(geometric_mean(own.iter().map(|row| row.mean_us)), 3),
        speed_up: rounded(geometric_mean(gains), 3),
        expanded: rounded(per_query(|row| row.expanded), 1),
        prep_ms: rounded(own.iter().map(|row| row.prep_ms).sum(), 3),
        memory_bytes: own.iter().map(|row| row.memory_bytes).max().unwrap_or(0),
    }
}

/// The geometric mean of the positive values; 0 of none.
fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = values.filter(|value| *value > 0.0 && value.is_finite()).map(f64::ln).collect();
    super::measure::mean(&logs).map_or(0.0, f64::exp)
}

/// The table: a row per map and planner, and a total per planner.
pub(super) fn render(rows: &[Row], totals: &[Total]) -> String {
    const HEADER: [&str; 14] = [
        "map", "planner", "queries", "missed", "worse", "illegal", "ratio", "worst", "mean µs", "median",
        "p99", "expanded", "prep ms", "memory",
    ];
    let ratio = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.5}"));
    let count = |value: usize| grouped(value as u64);
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header(HEADER);
    for row in rows {
        table.add_row([
            row.map.clone(),
            row.planner.to_owned(),
            count(row.queries),
            count(row.missed),
            count(row.worse),
            count(row.illegal),
            ratio(row.mean_ratio),
            ratio(row.worst_ratio),
            micros(row.mean_us),
            micros(row.median_us),
            micros(row.p99_us),
            grouped(row.expanded.round() as u64),
            format!("{:.2}", row.prep_ms),
            bytes(row.memory_bytes as u64),
        ]);
    }
    for total in totals {
        table.add_row([
            format!("all {} maps", total.maps),
            total.planner.to_owned(),
            count(total.queries),
            count(total.missed),
            count(total.worse),
            count(total.illegal),
            String::new(),
            ratio(total.worst_ratio),
            micros(total.mean_us),
            String::new(),
            String::new(),
            grouped(total.expanded.round() as u64),
            format!("{:.2}", total.prep_ms),
            bytes(total.memory_bytes as u64),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = format!("{}\n", without_inner_lines(&table.to_string(), rows.len()));
    if totals.len() > 1 {
        text.push_str("\nGeometric means over maps:\n");
        for total in totals {
            let line = format!(
                "  {:12} {:>10} µs  {:>7.2}× {}\n",
                total.planner,
                micros(total.geometric_mean_us),
                total.speed_up,
                totals[0].planner
            );
            text.push_str(&line);
        }
    }
    text
}

/// Lines only below the header and above the totals: rows read better close together.
fn without_inner_lines(table: &str, rows: usize) -> String {
    let is_line = |line: &str| line.starts_with(['─', '═', '┄', '╌', '-']);
    let mut seen = 0;
    let kept = table.lines().filter(|line| {
        seen += usize::from(!is_line(line));
        // The header is the first line of text; `seen` is one more than the rows above.
        !is_line(line) || seen <= 1 || seen == rows + 1
    });
    kept.map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Three figures or so.
fn micros(value: f64) -> String {
    match value {
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => grouped(value.round() as u64),
    }
}
