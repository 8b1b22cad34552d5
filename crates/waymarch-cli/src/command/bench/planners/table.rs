//! Totals over all maps, geometric means, and the table for people.

use comfy_table::{Table, presets};
use serde::Serialize;
use waymarch::planners::Planner;

use super::measure::Row;
use super::throughput::Throughput;
use crate::report::{bytes, grouped, rounded};
use crate::stats::{mean, percentile};
use crate::table::align_right;

/// A planner that does not support a map, and why.
#[derive(Debug, Serialize)]
pub(super) struct Unsuited {
    pub(super) map: String,
    pub(super) planner: &'static str,
    pub(super) reason: &'static str,
}

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    /// The row of this number.
    Row(usize),
    /// The unsuited planner of this number.
    Unsuited(usize),
}

/// One planner over all maps.
#[derive(Debug, Serialize)]
pub(super) struct Total {
    pub(super) planner: &'static str,
    pub(super) maps: usize,
    pub(super) queries: usize,
    pub(super) missed: usize,
    pub(super) worse: usize,
    pub(super) illegal: usize,
    pub(super) mean_ratio: Option<f64>,
    pub(super) p99_ratio: Option<f64>,
    pub(super) worst_ratio: Option<f64>,
    /// Over all queries.
    pub(super) mean_us: f64,
    /// The geometric mean of the mean times of the maps.
    pub(super) geometric_mean_us: f64,
    /// The mean time of the first planner ÷ that of this one: the geometric mean over the maps that both support.
    pub(super) speed_up: f64,
    pub(super) expanded: f64,
    pub(super) prep_ms: f64,
    pub(super) memory_bytes: usize,
    /// With `--threads` only.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(super) throughput: Option<TotalThroughput>,
}

/// Queries per second over all maps, and the geometric mean of the gain of threads.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct TotalThroughput {
    pub(super) threads: usize,
    pub(super) one_thread_per_s: f64,
    pub(super) threads_per_s: f64,
    pub(super) thread_gain: f64,
}

/// One planner beside the first one, on one map.
#[derive(Debug, Serialize)]
pub(super) struct Gain {
    pub(super) map: String,
    pub(super) planner: &'static str,
    /// The mean time of the first planner ÷ that of this one.
    pub(super) speed_up: f64,
    /// The expanded nodes of the first planner ÷ those of this one.
    pub(super) fewer_nodes: f64,
}

/// Each planner beside the first one, map by map.
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

/// The totals of each planner, in the given order.
pub(super) fn totals(rows: &[Row], planners: &[&'static dyn Planner]) -> Vec<Total> {
    planners.iter().map(|planner| total(rows, planner.name(), planners[0].name())).collect()
}

fn total(rows: &[Row], planner: &'static str, first: &str) -> Total {
    let own: Vec<&Row> = rows.iter().filter(|row| row.planner == planner && row.queries > 0).collect();
    let sum = |of: fn(&Row) -> usize| own.iter().map(|row| of(row)).sum::<usize>();
    let queries = sum(|row| row.queries);
    let per_query = |of: fn(&Row) -> f64| {
        let all: f64 = own.iter().map(|row| of(row) * row.queries as f64).sum();
        all / queries.max(1) as f64
    };
    let beside = |row: &&Row| rows.iter().find(|other| other.planner == first && other.case == row.case);
    let gains = own.iter().filter_map(|row| Some(beside(row)?.mean_us / row.mean_us));
    let mut ratios: Vec<f64> = own.iter().flat_map(|row| &row.ratios).copied().collect();
    ratios.sort_by(f64::total_cmp);
    Total {
        planner,
        maps: own.len(),
        queries,
        missed: sum(|row| row.missed),
        worse: sum(|row| row.worse),
        illegal: sum(|row| row.illegal),
        mean_ratio: mean(&ratios).map(|ratio| rounded(ratio, 6)),
        p99_ratio: (!ratios.is_empty()).then(|| rounded(percentile(&ratios, 99), 6)),
        worst_ratio: ratios.last().map(|&ratio| rounded(ratio, 6)),
        mean_us: rounded(per_query(|row| row.mean_us), 3),
        geometric_mean_us: rounded(geometric_mean(own.iter().map(|row| row.mean_us)), 3),
        speed_up: rounded(geometric_mean(gains), 3),
        expanded: rounded(per_query(|row| row.expanded), 1),
        prep_ms: rounded(own.iter().map(|row| row.prep_ms).sum(), 3),
        memory_bytes: own.iter().map(|row| row.memory_bytes).max().unwrap_or(0),
        throughput: total_throughput(&own),
    }
}

fn total_throughput(rows: &[&Row]) -> Option<TotalThroughput> {
    let measured: Vec<(f64, Throughput)> =
        rows.iter().filter_map(|row| Some((row.queries as f64, row.throughput?))).collect();
    let queries: f64 = measured.iter().map(|(queries, _)| queries).sum();
    let per_s = |of: fn(&Throughput) -> f64| {
        let seconds: f64 = measured.iter().map(|(queries, found)| queries / of(found)).sum();
        rounded(queries / seconds, 1)
    };
    Some(TotalThroughput {
        threads: measured.first()?.1.threads,
        one_thread_per_s: per_s(|found| found.one_thread_per_s),
        threads_per_s: per_s(|found| found.threads_per_s),
        thread_gain: rounded(geometric_mean(measured.iter().map(|(_, found)| found.thread_gain)), 3),
    })
}

/// The geometric mean of the positive finite values; 0 if there are none.
fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = values.filter(|value| *value > 0.0 && value.is_finite()).map(f64::ln).collect();
    mean(&logs).map_or(0.0, f64::exp)
}

/// The table: a row for each map and planner, and a total for each planner.
pub(super) fn render(entries: &[Entry], rows: &[Row], unsuited: &[Unsuited], totals: &[Total]) -> String {
    const HEADER: [&str; 15] = [
        "map",
        "planner",
        "queries",
        "missed",
        "worse",
        "illegal",
        "ratio",
        "ratio p99",
        "worst",
        "mean µs",
        "median",
        "p99",
        "expanded",
        "prep ms",
        "memory",
    ];
    let ratio = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.5}"));
    let count = |value: usize| grouped(value as u64);
    let gains = |one: f64, many: f64, gain: f64| [per_second(one), per_second(many), format!("{gain:.2}×")];
    let threads = rows.iter().find_map(|row| row.throughput).map(|found| found.threads);
    let mut header: Vec<String> = HEADER.map(String::from).into();
    header.extend(threads.into_iter().flat_map(|threads| {
        ["1 thread q/s".to_owned(), format!("{threads} threads q/s"), "gain".to_owned()]
    }));
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header(header);
    let mut notes = Vec::new();
    for entry in entries {
        let row = match *entry {
            Entry::Row(number) => &rows[number],
            Entry::Unsuited(number) => {
                let Unsuited { map, planner, reason } = &unsuited[number];
                table.add_row([map.as_str(), planner]);
                notes.push(Some(*reason));
                continue;
            }
        };
        notes.push(None);
        let mut cells = vec![
            row.map.clone(),
            row.planner.to_owned(),
            count(row.queries),
            count(row.missed),
            count(row.worse),
            count(row.illegal),
            ratio(row.mean_ratio),
            ratio(row.p99_ratio),
            ratio(row.worst_ratio),
            micros(row.mean_us),
            micros(row.median_us),
            micros(row.p99_us),
            grouped(row.expanded.round() as u64),
            format!("{:.2}", row.prep_ms),
            bytes(row.memory_bytes as u64),
        ];
        let found = row.throughput.iter();
        cells.extend(
            found.flat_map(|found| gains(found.one_thread_per_s, found.threads_per_s, found.thread_gain)),
        );
        table.add_row(cells);
    }
    for total in totals.iter().filter(|total| total.maps > 0) {
        let mut cells = vec![
            if total.maps == 1 { "1 map".to_owned() } else { format!("all {} maps", total.maps) },
            total.planner.to_owned(),
            count(total.queries),
            count(total.missed),
            count(total.worse),
            count(total.illegal),
            ratio(total.mean_ratio),
            ratio(total.p99_ratio),
            ratio(total.worst_ratio),
            micros(total.mean_us),
            String::new(),
            String::new(),
            grouped(total.expanded.round() as u64),
            format!("{:.2}", total.prep_ms),
            bytes(total.memory_bytes as u64),
        ];
        let found = total.throughput.iter();
        cells.extend(
            found.flat_map(|found| gains(found.one_thread_per_s, found.threads_per_s, found.thread_gain)),
        );
        table.add_row(cells);
    }
    let columns = table.column_count();
    align_right(&mut table, 2..columns);
    let mut text = format!("{}\n", close_up(&table.to_string(), &notes));
    text.push_str(&means(totals));
    text
}

/// Each planner beside the first one, over the maps that both support.
fn means(totals: &[Total]) -> String {
    let [first, others @ ..] = totals else { return String::new() };
    if others.is_empty() {
        return String::new();
    }
    let wide = totals.iter().map(|total| total.planner.len()).max().unwrap_or(0);
    let mut text =
        format!("\nGeometric means over maps, compared with {} on the same maps:\n", first.planner);
    for total in totals {
        let Total { planner, geometric_mean_us, speed_up, .. } = total;
        let beside = if *speed_up > 0.0 {
            format!("{:>7.3} of the time, {speed_up:>7.2}× as fast", 1.0 / speed_up)
        } else {
            "no map in common".to_owned()
        };
        let maps = format!("{} {},", total.maps, if total.maps == 1 { "map" } else { "maps" });
        let mean = micros(*geometric_mean_us);
        let line = format!("  {planner:wide$} {mean:>10} µs on {maps:10} {beside}\n");
        text.push_str(&line);
    }
    text
}

/// Removes the lines between rows, except below the header and above the totals, and appends the notes of rows.
fn close_up(table: &str, notes: &[Option<&str>]) -> String {
    let is_line = |line: &&str| line.starts_with(['─', '═', '┄', '╌', '-']);
    let lines = || table.lines().map(str::trim_end);
    // The header is the first line that is not a rule.
    let noted = lines().filter(|line| !is_line(line)).skip(1).zip(notes).filter(|(_, note)| note.is_some());
    let wide = noted.map(|(line, _)| line.chars().count()).max().unwrap_or(0);
    let mut seen = 0;
    let mut kept = Vec::new();
    for line in lines() {
        if is_line(&line) {
            // `seen` counts the header and the rows above.
            if seen <= 1 || seen == notes.len() + 1 {
                kept.push(line.to_owned());
            }
            continue;
        }
        let note = usize::checked_sub(seen, 1).and_then(|row| notes.get(row).copied().flatten());
        seen += 1;
        kept.push(match note {
            Some(note) => format!("{line:wide$}   not measured: {note}"),
            None => line.to_owned(),
        });
    }
    kept.join("\n")
}

/// Queries per second, without decimals.
fn per_second(value: f64) -> String {
    grouped(value.round() as u64)
}

/// Microseconds with about three digits.
fn micros(value: f64) -> String {
    match value {
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => grouped(value.round() as u64),
    }
}
