//! How the units of a `World` moved.

use serde::Serialize;
use waymarch::base::CellPos;
use waymarch::world::{EventKind, Order, UnitId, UnitTypeId, World};

use super::distance::distance;
use super::idle::{IdleHistory, IdleMetrics};
use super::overlap::{Disc, OverlapMetrics};
use super::steps::{StepHistory, StepMetrics};
use crate::report::{percent, rounded};
use crate::scale::{fine_position, fixed_cells};

/// Steps shorter than a tenth of a unit's speed count as standing.
const STANDING_SPEED: f64 = 0.1;

/// A unit disturbs idle units that it would touch if both were a cell wider.
const NEAR_CELLS: f64 = 1.0;
/// The widest units have a radius of 8 cells.
const WIDEST: f64 = 8.0;

/// Whether one of `units`, sorted from west to east, is within [`NEAR_CELLS`] of touching a body.
fn is_near_any(units: &[([f64; 2], f64)], at: [f64; 2], radius: f64) -> bool {
    let reach = radius + WIDEST + NEAR_CELLS;
    let first = units.partition_point(|(other, _)| other[0] < at[0] - reach);
    let near = units[first..].iter().take_while(|(other, _)| other[0] <= at[0] + reach);
    near.into_iter().any(|&(other, wide)| distance(at, other) < radius + wide + NEAR_CELLS)
}

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
    /// The same for units that had no reason to make way: since they arrived, no unit with an order came within a cell of touching them, and no unit that made
    /// way itself.
    pub(crate) undisturbed_cells: f64,
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
    deepest: Option<DeepestOverlap>,
    /// Scratch: bodies of this tick.
    discs: Vec<Disc>,
    /// Scratch: position and radius of each unit that others make way for, from west to east.
    pressing: Vec<([f64; 2], f64)>,
}

/// Which two units overlapped most, and when.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct DeepestOverlap {
    pub(crate) tick: u64,
    /// The indices of both units.
    pub(crate) units: [u32; 2],
    /// The cell of each.
    pub(crate) cells: [[i32; 2]; 2],
    /// What each of them did.
    pub(crate) motion: [String; 2],
}

/// Whether a unit of a type stands on ground that is closed to it, or stood there a tick ago: an edit has closed it.
fn is_on_closed_ground(world: &World, kind: UnitTypeId, at: [f64; 2], last: [f64; 2]) -> bool {
    let agent = world.unit_type(kind).map(|kind| kind.agent);
    let Some((agent, field)) = agent.and_then(|agent| Some((agent, world.nav().layer().field(agent)?)))
    else {
        return false;
    };
    // From the centre of a large unit to the centre of its first cell.
    let shift = f64::from(agent.size.side() - 1) / 2.0;
    let is_closed = |at: [f64; 2]| {
        let [x, y] = at.map(|part| (part - shift).floor() as i32);
        !field.is_passable(CellPos::new(x, y))
    };
    is_closed(at) || is_closed(last)
}

impl DeepestOverlap {
    /// Two units, by name, as they are now.
    fn of(world: &World, pair: [u64; 2]) -> Self {
        let ids = pair.map(UnitId::from_bits);
        Self {
            tick: world.now().0,
            units: ids.map(UnitId::index),
            cells: ids.map(|id| world.cell_of(id).map_or([-1, -1], |at| [at.x, at.y])),
            motion: ids
                .map(|id| world.motion_of(id).map_or(String::new(), |motion| motion.name().to_owned())),
        }
    }
}

impl UnitTracker {
    /// Adds the tick that has just passed.
    pub(crate) fn tick(&mut self, world: &World) {
        self.discs.clear();
        self.note_pressing(world);
        for unit in world.units() {
            let Some(place) = world.place_of(unit.id) else { continue };
            let at = fine_position(place);
            let kind = world.unit_type(unit.kind);
            // A passenger has no body.
            if unit.transport.is_none() {
                let radius = kind.map_or(0.0, |kind| fixed_cells(kind.radius.raw()));
                let layers = world.layers_of_type(unit.kind).unwrap_or_default();
                // A unit on closed ground, or that was there a tick ago.
                let before = self.units.get(unit.id.index() as usize).copied().flatten();
                let last = before.filter(|before| before.id == unit.id).map_or(at, |before| before.at);
                let displaced = is_on_closed_ground(world, unit.kind, at, last);
                self.discs.push(Disc { name: unit.id.to_bits(), at, radius, layers, displaced });
            }
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
            let radius = kind.map_or(0.0, |kind| fixed_cells(kind.radius.raw()));
            if order.is_none() && is_near_any(&self.pressing, at, radius) {
                tracked.idle.disturb();
            }
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
        // A transport carries its passengers away from where they arrived.
        let carries = |kind| world.unit_type(kind).is_some_and(|kind| kind.capacity > 0);
        for transport in world.units().filter(|unit| carries(unit.kind)) {
            for passenger in world.passengers(transport.id) {
                if let Some(Some(tracked)) = self.units.get_mut(passenger.index() as usize) {
                    tracked.idle.begin_order();
                }
            }
        }
        let before = self.overlaps.deepest();
        self.overlaps.add_tick(&self.discs);
        if self.overlaps.deepest() > before {
            self.deepest = self.overlaps.deepest_pair().map(|pair| DeepestOverlap::of(world, pair));
        }
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

    /// Which two units overlapped most; `None` if none did.
    pub(crate) fn deepest(&self) -> Option<&DeepestOverlap> {
        self.deepest.as_ref()
    }

    /// Lists the units that others make way for: those with an order, and those that make way themselves and moved in this tick.
    fn note_pressing(&mut self, world: &World) {
        self.pressing.clear();
        for unit in world.units() {
            let Some(place) = world.place_of(unit.id) else { continue };
            let at = fine_position(place);
            let tracked = self.units.get(unit.id.index() as usize).and_then(Option::as_ref);
            let makes_way = tracked.is_some_and(|before| {
                before.id == unit.id && before.idle.is_disturbed() && distance(before.at, at) > 0.0
            });
            if makes_way || world.orders_of(unit.id).next().is_some() {
                let radius = world.unit_type(unit.kind).map_or(0.0, |kind| fixed_cells(kind.radius.raw()));
                self.pressing.push((at, radius));
            }
        }
        self.pressing.sort_by(|(a, _), (b, _)| a[0].total_cmp(&b[0]));
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
            undisturbed_cells: self.idle.farthest_undisturbed(),
        }
    }
}
