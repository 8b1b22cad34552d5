//! How the units of a `World` moved.

use serde::Serialize;
use waymarch::world::{EventKind, Order, UnitId, World};

use super::idle::{IdleHistory, IdleMetrics};
use super::overlap::OverlapMetrics;
use super::steps::{StepHistory, StepMetrics};
use crate::report::{percent, rounded};
use crate::scale::{fine_position, fixed_cells};

/// Steps shorter than a tenth of a unit's speed count as standing.
const STANDING_SPEED: f64 = 0.1;

/// What became of all units, and how they moved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct UnitReport {
    /// Units that arrived, in % of the units whose last order sent them to a place.
    pub(crate) arrived_pct: f64,
    /// When the last of these units arrived, in seconds; `None` if one has not arrived.
    pub(crate) makespan_s: Option<f64>,
    /// Units times ticks that overlap by more than 1 % of both radii, in % of all units times ticks.
    pub(crate) ovl_pct: f64,
    /// The deepest overlap, in % of both radii.
    pub(crate) maxpen_pct: f64,
    /// Degrees of turning per tick of movement, before arrival.
    pub(crate) jitter_deg: f64,
    /// Changes between left and right turns of more than 5 degrees, per unit and second.
    pub(crate) flips_s: f64,
    /// Ticks at less than a tenth of the unit's speed, in % of all ticks of units that travel.
    pub(crate) stuck_pct: f64,
    /// Ticks in which a unit without an order turned by more than 6 degrees, in % of all ticks of units without an order.
    pub(crate) idle_turn_pct: f64,
    /// How far a unit was at most from where it had arrived, while it had no order, in cells. Units that made way count.
    pub(crate) after_arrival_cells: f64,
}

/// How a unit's last order ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// It had no order, or its order goes on.
    Open,
    /// It arrived at this tick.
    Arrived(u64),
    GaveUp,
}

/// A unit as it was one tick ago.
#[derive(Clone, Copy, Debug)]
struct TrackedUnit {
    id: UnitId,
    at: [f64; 2],
    history: StepHistory,
    idle: IdleHistory,
    outcome: Outcome,
}

/// Follows the units of a `World` from tick to tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnitTracker {
    /// By unit index.
    units: Vec<Option<TrackedUnit>>,
    steps: StepMetrics,
    idle: IdleMetrics,
    overlaps: OverlapMetrics,
    /// Scratch: positions and radii of this tick.
    positions: Vec<[f64; 2]>,
    radii: Vec<f64>,
}

impl UnitTracker {
    /// Adds the tick that has just passed.
    pub(crate) fn tick(&mut self, world: &World) {
        self.positions.clear();
        self.radii.clear();
        for unit in world.units() {
            let Some(place) = world.place_of(unit.id) else { continue };
            let at = fine_position(place);
            let kind = world.unit_type(unit.kind);
            self.positions.push(at);
            self.radii.push(kind.map_or(0.0, |kind| fixed_cells(kind.radius.raw())));
            let index = unit.id.index() as usize;
            self.units.resize(self.units.len().max(index + 1), None);
            let new = TrackedUnit {
                id: unit.id,
                at,
                history: StepHistory::default(),
                idle: IdleHistory::default(),
                outcome: Outcome::Open,
            };
            let tracked = self.units[index].get_or_insert(new);
            if tracked.id != unit.id {
                *tracked = new;
            }
            let order = world.orders_of(unit.id).next();
            self.idle.add(&mut tracked.idle, order.is_none().then_some(unit.facing), at);
            let travels = matches!(order, Some(Order::Move(_) | Order::Form { .. } | Order::Patrol(_)));
            if travels {
                let slow = STANDING_SPEED * kind.map_or(0.0, |kind| fixed_cells(kind.speed.raw()));
                self.steps.step(&mut tracked.history, tracked.at, at, slow);
            } else {
                tracked.history = StepHistory::default();
            }
            tracked.at = at;
        }
        let radii = &self.radii;
        self.overlaps.add_tick(&self.positions, |unit| radii[unit]);
        for event in world.events() {
            let tracked = self.units.get_mut(event.unit.index() as usize).and_then(Option::as_mut);
            let Some(tracked) = tracked.filter(|tracked| tracked.id == event.unit) else { continue };
            match event.what {
                EventKind::OrderStarted => {
                    tracked.outcome = Outcome::Open;
                    tracked.idle.begin_order();
                }
                EventKind::Arrived => {
                    tracked.outcome = Outcome::Arrived(world.now().0);
                    tracked.idle.arrive(tracked.at);
                }
                EventKind::GaveUp(_) => tracked.outcome = Outcome::GaveUp,
                _ => {}
            }
        }
    }

    /// The longest time in which one travelling unit stood without a break, in ticks.
    pub(crate) fn longest_stand(&self) -> u32 {
        self.steps.longest_stand()
    }

    /// The report for the `World` as it is at the end.
    pub(crate) fn report(&self, world: &World) -> UnitReport {
        let hz = f64::from(world.nav().config().get().ticks_per_second);
        let (mut arrived, mut sent, mut last) = (0_usize, 0_usize, 0);
        for unit in self.units.iter().flatten().filter(|unit| world.unit(unit.id).is_some()) {
            let to_a_place = match world.orders_of(unit.id).next() {
                Some(Order::Move(_) | Order::Form { .. }) => true,
                Some(_) => false,
                None => unit.outcome != Outcome::Open,
            };
            if to_a_place {
                sent += 1;
                if let (Outcome::Arrived(tick), None) = (unit.outcome, world.orders_of(unit.id).next()) {
                    arrived += 1;
                    last = last.max(tick);
                }
            }
        }
        UnitReport {
            arrived_pct: percent(arrived, sent),
            makespan_s: (sent > 0 && arrived == sent).then(|| rounded(last as f64 / hz, 2)),
            ovl_pct: rounded(self.overlaps.overlapping_share() * 100.0, 3),
            maxpen_pct: rounded(self.overlaps.deepest() * 100.0, 2),
            jitter_deg: rounded(self.steps.jitter(), 3),
            flips_s: rounded(self.steps.flips(hz), 3),
            stuck_pct: rounded(self.steps.stuck() * 100.0, 2),
            idle_turn_pct: self.idle.turn_pct(),
            after_arrival_cells: self.idle.farthest(),
        }
    }
}
