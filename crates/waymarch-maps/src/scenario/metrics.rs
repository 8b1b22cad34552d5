//! Counts what happens in a simulation.

use std::collections::BTreeMap;

use serde::Serialize;
use waymarch::base::Tick;
use waymarch::world::{Event, EventKind, RouteChange, UnitId};

/// Numbers about a simulation. All are integers, so they are equal on every machine.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Metrics {
    /// Number of units that appeared, most of them at the start.
    pub units: u64,
    /// Orders that ended with an arrival.
    pub arrived: u64,
    /// Orders that a unit gave up.
    pub gave_up: u64,
    /// Events by kind.
    pub events: BTreeMap<&'static str, u64>,
    /// Commands that were given.
    pub commands: u64,
    /// Commands that were refused.
    pub refused: u64,
    /// Journeys: orders to move that started at once and ended with an arrival.
    pub journeys: u64,
    /// Ticks of all journeys together.
    pub travel_ticks: u64,
    /// Ticks of all journeys together in a straight line at full speed: a lower bound.
    pub least_ticks: u64,
    /// `travel_ticks` in thousandths of `least_ticks`.
    pub travel_per_mille: u64,
}

/// From the middle of a cell to its corner: 725/1024 cell, rounded up.
const HALF_DIAGONAL: u64 = 725;

/// A journey that has not ended yet.
#[derive(Clone, Copy, Debug)]
struct Journey {
    since: Tick,
    least: u64,
}

/// World: the numbers so far, and the journeys that have not ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter {
    pub(super) metrics: Metrics,
    journeys: BTreeMap<UnitId, Journey>,
}

impl Meter {
    /// A journey begins. `gap` is the distance to the middle of the nearest cell of the goal, `speed` is per tick; both are in 1/1024 cell.
    /// The unit arrives when it enters that cell or comes within its `tolerance`.
    pub(super) fn start_journey(&mut self, unit: UnitId, now: Tick, gap: u64, speed: u64, tolerance: u64) {
        let least = gap.saturating_sub(tolerance.max(HALF_DIAGONAL)).div_ceil(speed.max(1));
        self.journeys.insert(unit, Journey { since: now, least });
    }

    /// A unit got another order: its journey does not count.
    pub(super) fn forget(&mut self, unit: UnitId) {
        self.journeys.remove(&unit);
    }

    /// Counts the events of a tick.
    pub(super) fn count(&mut self, events: &[Event], now: Tick) {
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
        EventKind::OwnerChanged(_) => "owner_changed",
        EventKind::KindChanged(_) => "kind_changed",
        EventKind::Boarded(_) => "boarded",
        EventKind::Unboarded(_) => "unboarded",
        EventKind::Displaced(_) => "displaced",
        EventKind::Died(_) => "died",
        _ => "other",
    }
}
