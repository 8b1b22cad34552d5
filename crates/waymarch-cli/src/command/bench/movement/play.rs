//! Plays a scene to its end and measures it.

use serde::Serialize;

use super::super::service::now_ms;
use super::film::Film;
use super::gap_flow::GapTracker;
use super::outcomes::{Failed, OutcomeTracker, has_order_that_can_end};
use super::scene::Scene;
use crate::diagnostics::Failure;
use crate::movement_metrics::{DeepestOverlap, UnitTracker};
use crate::report::rounded;

/// One scene with one seed; scripts rely on the keys.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    pub(super) set: &'static str,
    pub(super) scene: String,
    pub(super) seed: u32,
    pub(super) units: usize,
    /// Units whose last order ended with an arrival and which never gave up.
    pub(super) arrived: usize,
    /// Units that gave up an order although a route led to its goal, or far from the nearest reachable cell.
    pub(super) gave_up: usize,
    /// Units whose order had not ended at the limit of ticks.
    pub(super) unended: usize,
    /// Units that gave up their last order as near to the goal as possible, because no route led to the goal.
    pub(super) no_route: usize,
    pub(super) ticks: u64,
    /// The tick at which half of the units had arrived.
    pub(super) arrival_t50: Option<u64>,
    /// The tick at which all units had arrived, except those without a route.
    pub(super) arrival_t100: Option<u64>,
    /// Units times ticks that overlap by more than 1 % of both radii, in % of all units times ticks.
    pub(super) overlap_pct: f64,
    /// The deepest overlap, in % of both radii.
    pub(super) maxpen_pct: f64,
    /// Which two units that was.
    pub(super) deepest: Option<DeepestOverlap>,
    /// Ticks at less than a tenth of the unit's speed, in % of all ticks of units that travel.
    pub(super) wait_pct: f64,
    /// The longest time in which one travelling unit stood without a break, in seconds.
    pub(super) longest_wait_s: f64,
    /// Ticks in which a unit without an order turned by more than 6 degrees, in % of all ticks of units without an order.
    pub(super) idle_turn_pct: f64,
    /// How far a unit was at most from where it had arrived, while it had no order, in cells.
    pub(super) after_arrival_cells: f64,
    /// The same for units that no unit with an order has come near since.
    pub(super) undisturbed_cells: f64,
    /// Microseconds of processor time per unit and tick; on other systems than Unix, of time.
    pub(super) us_per_unit_tick: f64,
    /// Units per second through the gap, from the first crossing to the last.
    pub(super) flow_per_s: Option<f64>,
    /// The flow divided by the flow of one side alone.
    pub(super) flow_ratio: Option<f64>,
    /// The longest time in which one side waited at the gap and the other side passed, in seconds.
    pub(super) longest_side_wait_s: Option<f64>,
    /// The first units that failed.
    pub(super) failures: Vec<Failed>,
    /// The state hash at the end.
    pub(super) hash: String,
}

/// A played scene.
pub(super) struct Played {
    pub(super) row: Row,
    /// The ticks at which units arrived, sorted.
    pub(super) arrivals: Vec<u64>,
    /// The ticks at which units gave up, sorted.
    pub(super) give_ups: Vec<u64>,
    /// Pictures, if there was a camera.
    pub(super) film: Option<Film>,
}

/// Whether pictures are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Camera {
    Off,
    On,
}

/// Plays a scene until no unit has an order that can end, or until its limit of ticks.
pub(super) fn play(scene: &Scene, one_way_flow: Option<f64>, camera: Camera) -> Result<Played, Failure> {
    let mut game = scene.start()?;
    let mut film = (camera == Camera::On).then(|| Film::new(game.world()));
    let mut units = UnitTracker::default();
    let mut orders = OutcomeTracker::default();
    let mut gap = scene.gap.map(|gap| GapTracker::new(gap, game.world()));
    let (mut ticks, mut time_ms, mut unit_ticks) = (0, 0.0, 0);
    while ticks < game.max_ticks() {
        game.give_commands()?;
        orders.before_tick(game.world());
        let start = now_ms();
        game.tick();
        time_ms += now_ms() - start;
        ticks += 1;
        unit_ticks += game.world().unit_count();
        units.tick(game.world());
        orders.after_tick(game.world());
        if let Some(gap) = &mut gap {
            gap.tick(game.world());
        }
        if let Some(film) = &mut film {
            film.tick(game.world(), &orders);
        }
        if !game.has_more_commands() && !has_order_that_can_end(game.world()) {
            break;
        }
    }
    let world = game.world();
    let counts = orders.outcomes(world);
    let arrivals = orders.arrivals(world);
    let movement = units.report(world);
    let hz = f64::from(world.nav().config().get().ticks_per_second);
    let sent = counts.arrived + counts.gave_up + counts.unended;
    let arrival = |number: usize| number.checked_sub(1).and_then(|last| arrivals.get(last)).copied();
    let flow = gap.as_ref().and_then(GapTracker::flow).map(|flow| flow * hz);
    if let Some(film) = &mut film {
        film.end(world, &orders);
    }
    let row = Row {
        set: scene.set.name(),
        scene: scene.name.clone(),
        seed: scene.seed,
        units: counts.units,
        arrived: counts.arrived,
        gave_up: counts.gave_up,
        unended: counts.unended,
        no_route: counts.no_route,
        ticks,
        arrival_t50: arrival(sent.div_ceil(2)),
        arrival_t100: arrival(sent),
        overlap_pct: movement.ovl_pct,
        maxpen_pct: movement.maxpen_pct,
        deepest: units.deepest().cloned(),
        wait_pct: movement.stuck_pct,
        longest_wait_s: rounded(f64::from(units.longest_stand()) / hz, 2),
        idle_turn_pct: movement.idle_turn_pct,
        after_arrival_cells: movement.after_arrival_cells,
        undisturbed_cells: movement.undisturbed_cells,
        us_per_unit_tick: rounded(time_ms * 1e3 / unit_ticks.max(1) as f64, 3),
        flow_per_s: flow.map(|flow| rounded(flow, 3)),
        flow_ratio: flow.zip(one_way_flow).map(|(flow, one_way)| rounded(flow / one_way, 3)),
        longest_side_wait_s: gap.map(|mut gap| rounded(gap.longest_side_wait() as f64 / hz, 2)),
        failures: orders.failures(world),
        hash: format!("{:016x}", world.state_hash().total()),
    };
    Ok(Played { row, arrivals, give_ups: orders.give_ups(), film })
}
