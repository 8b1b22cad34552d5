//! The tables for people: one row per scene and seed, and the totals of each set.

use comfy_table::Table;
use serde::Serialize;

use super::play::Row;
use crate::report::percent;
use crate::table::table;

/// The sum of all rows of a set.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Total {
    pub(super) set: &'static str,
    pub(super) rows: usize,
    pub(super) units: usize,
    pub(super) arrived: usize,
    pub(super) gave_up: usize,
    pub(super) unended: usize,
    pub(super) no_route: usize,
    /// Units that arrived, in % of all units that had a route.
    pub(super) arrived_pct: f64,
    /// The worst values of all rows.
    pub(super) worst_overlap_pct: f64,
    pub(super) worst_maxpen_pct: f64,
    pub(super) worst_wait_s: f64,
    pub(super) worst_idle_turn_pct: f64,
    pub(super) worst_after_arrival_cells: f64,
    pub(super) worst_undisturbed_cells: f64,
    pub(super) worst_flow_ratio: Option<f64>,
    pub(super) worst_side_wait_s: Option<f64>,
}

/// The totals of the sets, in the order of the rows.
pub(super) fn totals(rows: &[Row]) -> Vec<Total> {
    rows.chunk_by(|a, b| a.set == b.set).map(total).collect()
}

fn total(rows: &[Row]) -> Total {
    let sum = |of: fn(&Row) -> usize| rows.iter().map(of).sum::<usize>();
    let most = |of: fn(&Row) -> f64| rows.iter().map(of).fold(0.0, f64::max);
    let (arrived, gave_up, unended) =
        (sum(|row| row.arrived), sum(|row| row.gave_up), sum(|row| row.unended));
    Total {
        set: rows.first().map_or("", |row| row.set),
        rows: rows.len(),
        units: sum(|row| row.units),
        arrived,
        gave_up,
        unended,
        no_route: sum(|row| row.no_route),
        arrived_pct: percent(arrived, arrived + gave_up + unended),
        worst_overlap_pct: most(|row| row.overlap_pct),
        worst_maxpen_pct: most(|row| row.maxpen_pct),
        worst_wait_s: most(|row| row.longest_wait_s),
        worst_idle_turn_pct: most(|row| row.idle_turn_pct),
        worst_after_arrival_cells: most(|row| row.after_arrival_cells),
        worst_undisturbed_cells: most(|row| row.undisturbed_cells),
        worst_flow_ratio: rows.iter().filter_map(|row| row.flow_ratio).min_by(f64::total_cmp),
        worst_side_wait_s: rows.iter().filter_map(|row| row.longest_side_wait_s).max_by(f64::total_cmp),
    }
}

fn or_dash<T>(value: Option<T>, text: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), text)
}

pub(super) fn movement_table(rows: &[Row]) -> Table {
    let header = [
        "scene",
        "seed",
        "units",
        "arrived",
        "gave up",
        "unended",
        "no route",
        "ticks",
        "t50",
        "t100",
        "ovl %",
        "maxpen %",
        "wait %",
        "longest s",
        "idle turn %",
        "moved",
        "alone",
        "µs",
        "flow",
        "side wait s",
    ];
    let cells = |row: &Row| {
        [
            row.scene.clone(),
            row.seed.to_string(),
            row.units.to_string(),
            row.arrived.to_string(),
            row.gave_up.to_string(),
            row.unended.to_string(),
            row.no_route.to_string(),
            row.ticks.to_string(),
            or_dash(row.arrival_t50, |tick| tick.to_string()),
            or_dash(row.arrival_t100, |tick| tick.to_string()),
            format!("{:.2}", row.overlap_pct),
            format!("{:.1}", row.maxpen_pct),
            format!("{:.1}", row.wait_pct),
            format!("{:.1}", row.longest_wait_s),
            format!("{:.2}", row.idle_turn_pct),
            format!("{:.1}", row.after_arrival_cells),
            format!("{:.1}", row.undisturbed_cells),
            format!("{:.2}", row.us_per_unit_tick),
            or_dash(row.flow_ratio, |ratio| format!("{ratio:.2}")),
            or_dash(row.longest_side_wait_s, |seconds| format!("{seconds:.1}")),
        ]
    };
    table(header, rows.iter().map(cells), 1..20)
}

pub(super) fn totals_table(totals: &[Total]) -> Table {
    let header = [
        "set",
        "rows",
        "units",
        "arrived",
        "gave up",
        "unended",
        "no route",
        "arrived %",
        "worst ovl %",
        "maxpen %",
        "longest s",
        "idle turn %",
        "moved",
        "alone",
        "flow",
        "side wait s",
    ];
    let cells = |total: &Total| {
        [
            total.set.to_owned(),
            total.rows.to_string(),
            total.units.to_string(),
            total.arrived.to_string(),
            total.gave_up.to_string(),
            total.unended.to_string(),
            total.no_route.to_string(),
            format!("{:.2}", total.arrived_pct),
            format!("{:.2}", total.worst_overlap_pct),
            format!("{:.1}", total.worst_maxpen_pct),
            format!("{:.1}", total.worst_wait_s),
            format!("{:.2}", total.worst_idle_turn_pct),
            format!("{:.1}", total.worst_after_arrival_cells),
            format!("{:.1}", total.worst_undisturbed_cells),
            or_dash(total.worst_flow_ratio, |ratio| format!("{ratio:.2}")),
            or_dash(total.worst_side_wait_s, |seconds| format!("{seconds:.1}")),
        ]
    };
    table(header, totals.iter().map(cells), 1..16)
}
