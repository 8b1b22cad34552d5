//! One tick, from top to bottom.

use crate::avoid::STEPPING;
use crate::base::{Executor, Scratch, Serial};
use crate::world::changes::evict::{evict_units, leave_closed_ground};
use crate::world::check::{check_state, check_whole_state};
use crate::world::deadlock::direct::{direct_zones, find_zones};
use crate::world::formation::cohesion::watch_cohesion;
use crate::world::formation::forming::{find_gates, form_groups, gates_are_due};
use crate::world::formation::march::{advance_marches, pace_marches};
use crate::world::formation::oncoming::mark_oncoming;
use crate::world::formation::pace::set_paces;
use crate::world::formation::parts::GroupParts;
use crate::world::formation::reroute::{review_alternates, review_group_routes};
use crate::world::formation::slot_exchange::exchange_slots;
use crate::world::groups::right_of_way::CROSSING_EVERY;
use crate::world::movement::arrival::settle_units;
use crate::world::movement::gate_guidance::Stream;
use crate::world::movement::guidance::UnitGuide;
use crate::world::movement::guide_units::guide_units;
use crate::world::movement::terrain::KindGrounds;
use crate::world::orders::ending::end_orders;
use crate::world::orders::execute::execute_orders;
use crate::world::orders::parts::OrderParts;
use crate::world::orders::reroute::{review_edits, tell_followers};
use crate::world::orders::sighting::report_sightings;
use crate::world::orders::unstick::{Surroundings, unstick_units};
use crate::world::pipeline::{Pipeline, WholeChecks};
use crate::world::reservation::users::ReservationView;
use crate::world::state::{State, is_due};
use crate::world::units::bodies::Bodies;
use crate::world::units::columns::Units;
use crate::world::units::occupancy::UnitsThere;
use crate::world::units::wait_for::WaitFor;
use crate::world::world::World;

/// Gates are checked for oncoming traffic every 8 ticks.
const ONCOMING_EVERY: u64 = 8;
/// Formation slots are exchanged, and paces set, every 4 ticks.
const EXCHANGE_EVERY: u64 = 4;

/// Passages are reserved every 4 ticks.
const RESERVE_EVERY: u64 = 4;
/// Debug builds check the whole state every 16 ticks.
const CHECK_ALL_EVERY: u64 = 16;
/// The streams of passages have this bit, the streams of orders have not.
const PASSAGE_STREAM: u32 = 1 << 31;
/// The streams of units in formation have this bit, the streams of orders have not.
const FORMATION_STREAM: u32 = 1 << 30;
/// Deadlocks are searched every 8 ticks.
const DEADLOCKS_EVERY: u64 = 8;

/// A phase of a tick. The variants are in the order of the phases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum TickPhase {
    /// Routes that edits have cut are repaired or requested again.
    Review,
    /// Orders become groups, formation slots and requests for routes.
    Orders,
    /// The clock advances. Searches and flows serve the requests (layers 1 to 3).
    Paths,
    /// Each unit finds the point that its route, gate or flow leads it to.
    Guidance,
    /// Units choose velocities that keep them clear of others, and move (layer 4).
    Avoid,
    /// Units without progress request another route or give up.
    Stuck,
}

impl TickPhase {
    /// All phases, in order.
    pub const ALL: [Self; 6] =
        [Self::Review, Self::Orders, Self::Paths, Self::Guidance, Self::Avoid, Self::Stuck];

    /// Renamed to [`TickPhase::Guidance`].
    #[deprecated(since = "0.2.0", note = "renamed to `Guidance`")]
    #[allow(non_upper_case_globals, reason = "it has the name of the variant it replaces")]
    pub const Lead: Self = Self::Guidance;
}

impl World {
    /// Runs one tick on the calling thread.
    pub fn tick(&mut self) {
        self.tick_with(&Serial);
    }

    /// Runs one tick. `executor` runs the parallel work. The choice of executor changes no result, not even the order of events.
    pub fn tick_with(&mut self, executor: &impl Executor) {
        self.tick_watched(executor, |_| {});
    }

    /// Runs one tick and calls `done` after each phase. For timing: the engine has no clock, the caller may have one.
    ///
    /// ```
    /// use waymarch::base::GridSize;
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, Serial, TickPhase, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let mut phases = Vec::new();
    /// world.tick_watched(&Serial, |phase| phases.push(phase));
    /// assert_eq!(phases, TickPhase::ALL);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tick_watched(&mut self, executor: &impl Executor, done: impl FnMut(TickPhase) + Send) {
        executor.whole(|| self.run_phases(executor, done));
    }

    fn run_phases(&mut self, executor: &impl Executor, mut done: impl FnMut(TickPhase)) {
        let Self { state, pipeline } = self;
        state.events.clear();
        evict_units(state);
        state.notices.announce(&mut state.events);
        // Review routes that edits may have cut.
        wake_crowd(state);
        review_routes(state, pipeline);
        done(TickPhase::Review);
        // Orders become groups, slots and requests for routes.
        form_groups(&mut state.order_parts(), &mut pipeline.forming);
        state.relieve_gates(&mut pipeline.queues, &mut pipeline.forming);
        execute_orders(&mut state.order_parts(), &pipeline.forming.deferred);
        let (now, State { units, orders, events, .. }) = (state.now(), &mut *state);
        report_sightings(units, orders, events, now, &mut pipeline.sighting);
        pipeline.occupancy.follow(&state.units, &state.types, state.service.nav().layer().grid());
        done(TickPhase::Orders);
        // The clock advances, and routes are found. Routes of groups become gates.
        let gates_are_due = gates_are_due(&state.service);
        state.move_threats();
        let blockers = UnitsThere { units: &state.units, occupancy: &pipeline.occupancy };
        let before = state.service.work().nodes;
        state.service.tick_with(executor, &blockers);
        tell_followers(&mut state.order_parts());
        let searched = state.service.work().nodes - before;
        if gates_are_due {
            find_gates(&mut GroupParts::of(&mut state.order_parts()), &mut pipeline.forming);
        }
        done(TickPhase::Paths);
        // Find the point that each unit heads for.
        coordinate_groups(state, pipeline);
        share_narrow_ground(state, pipeline);
        guide_units(&state.guides(), &mut pipeline.guidance, executor);
        done(TickPhase::Guidance);
        // Units choose velocities, move, and may arrive.
        avoid_and_move(state, pipeline, executor);
        settle_units(&mut state.order_parts(), &mut pipeline.guidance, &pipeline.avoidance, executor);
        leave_closed_ground(state);
        done(TickPhase::Avoid);
        // Units without progress request another route or give up.
        let Pipeline { avoidance, occupancy, deadlocks, forming, endings, .. } = pipeline;
        let areas = &mut deadlocks.wait_for.found;
        unstick_units(&mut state.order_parts(), Surroundings { avoidance, occupancy }, areas);
        end_orders(&mut state.order_parts(), &mut forming.passages, occupancy, endings);
        let now = state.now();
        areas.iter().for_each(|&area| state.zones.add(area, now));
        // All units are where they are in this tick.
        state.carry_passengers();
        state.events.sort();
        pipeline.ahead.work(state, &mut pipeline.forming.passages, searched);
        done(TickPhase::Stuck);
        debug_assert_eq!(check_state(state), Ok(()), "tick {}: loading would refuse this state", state.now());
        if cfg!(debug_assertions)
            && pipeline.whole_checks == WholeChecks::Made
            && is_due(state.now(), CHECK_ALL_EVERY, 7)
        {
            assert_eq!(check_whole_state(state), Ok(()), "tick {now}: loading would refuse this state");
        }
    }

    /// Leaves out the check of the whole state that debug builds make every 16 ticks: it allocates. For tests that count allocations.
    #[doc(hidden)]
    pub fn skip_whole_checks(&mut self) {
        self.pipeline.whole_checks = WholeChecks::Skipped;
    }

    /// Fills all scratch with rubbish, as other work could have left it. No later result may change. For tests.
    pub fn poison_scratch(&mut self) {
        self.state.service.poison_scratch();
        self.pipeline.poison();
    }
}

/// Wakes sleeping members of the crowd if the ground has changed since routes were last reviewed.
fn wake_crowd(state: &mut State) {
    let unreviewed = state.unreviewed.list(state.service.nav().layer().changes());
    if unreviewed.is_none_or(|mut sectors| sectors.next().is_some()) {
        state.units.body.crowd.wake_all();
    }
}

/// Reviews the routes of units and groups, if the map has changed since the last review.
fn review_routes(state: &mut State, pipeline: &mut Pipeline) {
    let State { service, types, units, orders, groups, unreviewed, seed, events, .. } = state;
    let mut parts = OrderParts { service, units, orders, groups, events, types, seed: *seed };
    let Some(changed) = review_edits(&mut parts, unreviewed, &mut pipeline.changed_areas) else { return };
    parts.service.review_flows(changed.areas());
    let mut parts = GroupParts::of(&mut parts);
    review_group_routes(&mut parts, &changed);
    review_alternates(parts.service.nav(), parts.units, parts.groups, &changed, &mut pipeline.forming);
}

/// Every few ticks: right of way between groups, oncoming traffic at gates, exchange of slots, pace and cohesion.
fn coordinate_groups(state: &mut State, pipeline: &mut Pipeline) {
    let now = state.now();
    // Also runs without groups: a unit must not wait for right of way after its group has ended.
    if is_due(now, CROSSING_EVERY, 3) {
        state.grant_right_of_way(&mut pipeline.crossing, &mut pipeline.forming);
    }
    if state.groups.list.is_empty() {
        return;
    }
    let per_second = u64::from(state.config().ticks_per_second);
    let State { service, units, types, groups, events, .. } = state;
    if is_due(now, ONCOMING_EVERY, 0) {
        mark_oncoming(units, groups, &mut pipeline.oncoming);
    }
    if is_due(now, EXCHANGE_EVERY, 1) {
        exchange_slots(units, groups, &mut pipeline.exchange);
    }
    if is_due(now, EXCHANGE_EVERY, 2) {
        let config = service.nav().config().get();
        set_paces(units, groups, types, config, &mut pipeline.pace);
        let layer = service.nav().layer();
        pace_marches(units, groups, types, config, |group| layer.field(group.agent.locomotor.into()));
    }
    advance_marches(groups);
    if is_due(now, per_second, 0) {
        let config = service.nav().config().get();
        watch_cohesion(units, groups, config, events);
    }
}

/// Narrow ground: reserves passages, finds deadlocks every few ticks, and plans the steps of the units in them.
fn share_narrow_ground(state: &mut State, pipeline: &mut Pipeline) {
    let now = state.now();
    let Pipeline { occupancy, deadlocks, reservations, forming, .. } = pipeline;
    let State { service, types, units, orders, groups, zones, reservations: reserved, seed, events, .. } =
        state;
    if is_due(now, RESERVE_EVERY, 1) {
        let view = ReservationView { service, types, occupancy };
        view.reserve_passages(units, reserved, &mut forming.passages, reservations);
    }
    if is_due(now, DEADLOCKS_EVERY, 5) {
        let wait_for = WaitFor { service, types, units, occupancy };
        find_zones(wait_for, zones, now, &mut deadlocks.wait_for);
    }
    if !zones.list.is_empty() {
        let mut parts = OrderParts { service, units, orders, groups, events, types, seed: *seed };
        direct_zones(&mut parts, zones, occupancy, deadlocks);
    }
}

/// Avoidance: units choose velocities that keep them clear of others, and move. Units of one order form one stream.
fn avoid_and_move(state: &mut State, pipeline: &mut Pipeline, executor: &impl Executor) {
    let State { service, types, units, .. } = state;
    let Pipeline { guidance, avoidance, .. } = pipeline;
    for index in guidance.stops() {
        let place = units.place(index);
        units.body.crowd.stop(place);
    }
    let nav = service.nav();
    let grounds = KindGrounds { layer: nav.layer(), types, corners: nav.config().get().corner_rule };
    let Units { body: Bodies { crowd, queue, .. }, lines, step, .. } = units;
    let guided = |id: u32| {
        let index = id as usize;
        let UnitGuide { guide, stream, .. } = guidance.of(index);
        let guide = (*guide)?;
        // Units that cross a passage in a line form one stream, whatever their orders.
        let passage = lines[index].map(|line| line.passage | PASSAGE_STREAM);
        let own = (*stream == Stream::Own).then_some(id | FORMATION_STREAM);
        let order = || queue[index].front().map_or(0, |order| order.index());
        let steps = step[index].filter(|step| !step.overdue).map(|_| STEPPING);
        Some((steps.or(passage).or(own).unwrap_or_else(order), guide))
    };
    avoidance.tick_guided(crowd, &grounds, executor, guided);
}
