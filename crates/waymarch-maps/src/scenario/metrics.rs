//! What a simulation was like, in numbers.

use std::collections::BTreeMap;

use serde::Serialize;
use waymarch::base::Tick;
use waymarch::world::{Event, EventKind, RouteChange, UnitId};

/// What a simulation was like, in numbers. Whole numbers only: they are the same on every machine.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Metrics {
    /// How many units there are.
    pub units: u64,
    /// Orders that ended where they led.
    pub arrived: u64,
    /// Orders that were given up.
    pub gave_up: u64,
    /// Events by kind.
    pub events: BTreeMap<&'static str, u64>,
    /// Commands given, and those of them that were refused.
    pub commands: u64,
    /// Commands that were refused.
    pub refused: u64,
    /// Journeys measured: orders to move that were carried out at once and ended where they led.
    pub journeys: u64,
    /// Ticks they took, all in all.
    pub travel_ticks: u64,
    /// Ticks they would have taken in a straight line at full speed, all in all: no way takes less.
    pub least_ticks: u64,
    /// What they took in thousandths of that.
    pub travel_per_mille: u64,
}

/// From the middle of a cell to its corner, rounded up, in 1024ths.
const HALF_DIAGONAL: u64 = 725;

/// A journey under way.
#[derive(Clone, Copy, Debug)]
struct Journey {
    since: Tick,
    least: u64,
}

/// Measures journeys.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter {
    pub(super) metrics: Metrics,
    journeys: BTreeMap<UnitId, Journey>,
}

impl Meter {
    /// A unit sets out, `gap` from the middle of the nearest cell where it may stop, at `speed` per tick, both in 1024ths of a cell. It is there
    /// when it enters that cell, or comes within its `tolerance`.
    pub(super) fn set_out(&mut self, unit: UnitId, now: Tick, gap: u64, speed: u64, tolerance: u64) {
        let least = gap.saturating_sub(tolerance.max(HALF_DIAGONAL)).div_ceil(speed.max(1));
        self.journeys.insert(unit, Journey { since: now, least });
    }

    /// A unit was told something else.
    pub(super) fn forget(&mut self, unit: UnitId) {
        self.journeys.remove(&unit);
    }

    /// What happened in a tick.
    pub(super) fn take(&mut self, events: &[Event], now: Tick) {
        for event in events {
            *self.metrics.events.entry(kind_name(event.what)).or_default() += 1;
            match event.what {
                EventKind::Arrived => {
                    self.metrics.arrived += 1;
                    if let Some(journey) = self.journeys.remove(&event.unit) {
                        self.metrics.journeys += 1;
                        self.metrics.travel_ticks += now.since(journey.since);
                        self.metrics.least_ticks += journey.least;
                    }
                }
                EventKind::GaveUp(_) => {
                    self.metrics.gave_up += 1;
                    self.journeys.remove(&event.unit);
                }
                _ => {}
            }
        }
        let Metrics { travel_ticks, least_ticks, .. } = self.metrics;
        self.metrics.travel_per_mille = (travel_ticks * 1000).checked_div(least_ticks).unwrap_or(0);
    }
}

const fn kind_name(kind: EventKind) -> &'static str {
    match kind {
        EventKind::OrderStarted => "order_started",
        EventKind::RouteChanged(RouteChange::Crowd) => "sent_round",
        EventKind::RouteChanged(_) => "route_changed",
        EventKind::Blocked(_) => "blocked",
        EventKind::Arrived => "arrived",
        EventKind::ReachedStop(_) => "reached_stop",
        EventKind::GroupBroke => "group_broke",
        EventKind::GroupTogether => "group_together",
        EventKind::GroupWaits(_) => "group_waits",
        EventKind::GroupGoesOn => "group_goes_on",
        EventKind::InPlace => "in_place",
        EventKind::Sighted(_) => "sighted",
        EventKind::GaveUp(_) => "gave_up",
    }
}
