//! The result of one game, its row in the report, and the tables for people.

use comfy_table::Table;
use serde::Serialize;
use waymarch::world::TickPhase;

use super::tick_log::TickLog;
use crate::report::{grouped, phase_name, rounded};
use crate::stats::{mean_or_zero, percentile_of};
use crate::table::table;

/// The result of one game.
pub(super) struct Case {
    pub(super) case: &'static str,
    pub(super) map: String,
    pub(super) units: usize,
    /// Units that failed an order although it could be fulfilled.
    pub(super) failed: usize,
    /// Units without a heading, or requests without an answer.
    pub(super) lost: usize,
    /// The limits, and the values measured.
    pub(super) limit: String,
    /// Whether the limits were kept.
    pub(super) holds: bool,
    pub(super) log: TickLog,
}

/// The row of one game; scripts rely on the keys.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) case: &'static str,
    pub(super) map: String,
    pub(super) units: usize,
    pub(super) ticks: usize,
    pub(super) tick_p50_ms: f64,
    pub(super) tick_p99_ms: f64,
    pub(super) tick_max_ms: f64,
    pub(super) whole_p50_ms: f64,
    pub(super) whole_p99_ms: f64,
    pub(super) failed: usize,
    pub(super) lost: usize,
    pub(super) allocations: u64,
    pub(super) limit: String,
    pub(super) within_limits: bool,
    /// Only for games whose limits are about whole ticks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) phases: Vec<PhaseRow>,
}

/// The times of one phase of the tick.
#[derive(Debug, Serialize)]
pub(super) struct PhaseRow {
    pub(super) phase: &'static str,
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    pub(super) max_ms: f64,
    pub(super) mean_ms: f64,
}

/// The times of each phase of the tick.
fn by_phase(log: &TickLog) -> Vec<PhaseRow> {
    let row = |(phase, times): (&TickPhase, &Vec<f64>)| {
        let at = |percent| rounded(percentile_of(times, percent), 3);
        let mean = mean_or_zero(times);
        PhaseRow {
            phase: phase_name(*phase),
            p50_ms: at(50),
            p99_ms: at(99),
            max_ms: at(100),
            mean_ms: rounded(mean, 3),
        }
    };
    TickPhase::ALL.iter().zip(&log.phases).map(row).collect()
}

impl From<Case> for Row {
    fn from(case: Case) -> Self {
        let Case { case, map, units, failed, lost, limit, holds, log } = case;
        let at = |percent| rounded(log.planning_percentile(percent), 3);
        Self {
            case,
            map,
            units,
            ticks: log.planning.len(),
            tick_p50_ms: at(50),
            tick_p99_ms: at(99),
            tick_max_ms: at(100),
            whole_p50_ms: rounded(log.whole_percentile(50), 3),
            whole_p99_ms: rounded(log.whole_percentile(99), 3),
            failed,
            lost,
            allocations: log.allocations,
            limit,
            within_limits: holds,
            phases: if case == "army" || case.starts_with("scale") { by_phase(&log) } else { Vec::new() },
        }
    }
}

/// The times of a row by phase.
pub(super) fn phase_table(row: &Row) -> Table {
    let cells = |phase: &PhaseRow| {
        let [p50, p99, max, mean] =
            [phase.p50_ms, phase.p99_ms, phase.max_ms, phase.mean_ms].map(|time| format!("{time:.3}"));
        [phase.phase.to_owned(), p50, p99, max, mean]
    };
    table(["phase", "p50 ms", "p99 ms", "max ms", "mean ms"], row.phases.iter().map(cells), 1..5)
}

/// One line per game.
pub(super) fn case_table(rows: &[Row]) -> Table {
    let header = [
        "case",
        "map",
        "units",
        "ticks",
        "p50 ms",
        "p99 ms",
        "max ms",
        "whole p99",
        "failed",
        "lost",
        "allocations",
        "limit",
        "",
    ];
    let cells = |row: &Row| {
        [
            row.case.to_owned(),
            row.map.clone(),
            grouped(row.units as u64),
            grouped(row.ticks as u64),
            format!("{:.3}", row.tick_p50_ms),
            format!("{:.3}", row.tick_p99_ms),
            format!("{:.3}", row.tick_max_ms),
            format!("{:.3}", row.whole_p99_ms),
            grouped(row.failed as u64),
            grouped(row.lost as u64),
            grouped(row.allocations),
            row.limit.clone(),
            if row.within_limits { "met" } else { "NOT met" }.to_owned(),
        ]
    };
    table(header, rows.iter().map(cells), 2..11)
}
