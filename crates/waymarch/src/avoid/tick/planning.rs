//! The planning phase: each unit looks around and chooses a velocity.

use alloc::vec::Vec;

use super::chunks::{MAX_CHUNKS, chunk_size};
use super::context::TickContext;
use crate::avoid::crowd::{Crowd, Memory, Motor, STEPPING};
use crate::avoid::neighbours::{NeighbourSearch, Neighbours, Observer, SpatialIndex, UnitState};
use crate::avoid::settings::{AvoidSettings, MAX_NEIGHBOURS};
use crate::avoid::steering::{Plan, SteeringContext};
use crate::avoid::walls::Grounds;
use crate::base::{Executor, FINE_CELL, Fine, Scratch, reserve_total};
use crate::config::AvoidanceModel;

/// Scratch: what units see and plan. All lists except `motors` are in the order of the spatial index's slots.
#[derive(Clone, Debug, Default)]
pub(super) struct Planning {
    /// By kind.
    motors: Vec<Motor>,
    pub(super) states: Vec<UnitState>,
    pub(super) plans: Vec<Plan>,
    /// The number of units before each slot that are not resting.
    awake_before: Vec<u32>,
    /// The planned position of each unit. The contact phase changes it.
    pub(super) positions: Vec<Fine>,
    /// The slots of the units that other units or walls may push, in order.
    pub(super) touched: Vec<u32>,
}

impl Planning {
    /// Makes the plans of all units. The index is up to date. `search_hints` are by unit index.
    pub(super) fn run<G: Grounds, E: Executor>(
        &mut self,
        crowd: &Crowd,
        index: &SpatialIndex,
        search_hints: &mut Vec<i64>,
        context: &TickContext<'_, G, E>,
    ) {
        let &TickContext { settings, timing, grounds, executor } = context;
        let Self { motors, states, plans, awake_before, positions, touched } = self;
        motors.clear();
        motors.extend(crowd.kinds.iter().filter_map(|kind| Motor::new(kind, crowd.ticks_per_second()).ok()));
        states.resize(crowd.len(), UnitState::default());
        plans.resize(crowd.len(), Plan::default());
        search_hints.resize(crowd.len(), i64::MAX);
        let observer = Observer { crowd, grounds, motors, timing };
        let order = index.order();
        executor.each_at(states, |slot, out: &mut UnitState| {
            *out = observer.state(order[slot] as usize);
        });
        let extremes = Extremes::count_awake(states, awake_before);
        let (states, search_hints) = (&states[..], &search_hints[..]);
        let rest = Rest { index, states, awake_before, margin: 2 * extremes.max_speed };
        let reach = |unit: &UnitState| extremes.reach(settings, unit);
        let limit = usize::from(settings.neighbours).min(MAX_NEIGHBOURS);
        let Extremes { max_radius, min_radius, max_speed, .. } = extremes;
        let one_layer = !extremes.any_carried && crowd.is_on_one_layer();
        let search = NeighbourSearch { index, states, max_radius, min_radius, one_layer, limit };
        let steering = SteeringContext { settings, timing, motors, states, grounds, max_radius, max_speed };
        let plan = |slot: usize, neighbours: &mut Neighbours, out: &mut Plan| {
            let me = &states[slot];
            let unit = index.order()[slot] as usize;
            let memory = crowd.memory[unit];
            if me.is_carried() || rest.may_sleep(me, reach(me)) {
                *out = Plan::asleep(memory);
                return;
            }
            neighbours.find(&search, slot, reach(me), search_hints[unit]);
            if me.group == STEPPING && me.travels() {
                *out = steering.step(slot, neighbours, memory);
                out.search_hint = neighbours.hint(limit);
                return;
            }
            match settings.model {
                AvoidanceModel::Orca => {
                    let make_way = steering.make_way(index, slot, reach(me));
                    steering.orca(slot, neighbours, memory, make_way, out);
                }
                AvoidanceModel::OrcaLite => *out = steering.orca_lite(slot, neighbours, memory),
                AvoidanceModel::SimpleBoids => *out = steering.boids(slot, neighbours, memory),
                AvoidanceModel::VoSampling => *out = steering.vo_sampling(slot, neighbours, memory),
                AvoidanceModel::None => *out = steering.ignore_neighbours(slot, memory),
            }
            out.search_hint = neighbours.hint(limit);
        };
        touched.resize(states.len(), 0);
        positions.resize(states.len(), Fine::ZERO);
        let size = chunk_size(states.len());
        let lists = plans.chunks_mut(size).zip(positions.chunks_mut(size)).zip(touched.chunks_mut(size));
        let mut chunks = lists.enumerate();
        let mut jobs: [_; MAX_CHUNKS] = core::array::from_fn(|_| chunks.next().map(|chunk| (chunk, 0)));
        executor.each(&mut jobs, |job| {
            let Some(((number, ((plans, positions), touched)), count)) = job else { return };
            let mut neighbours = Neighbours::default();
            for (slot, (out, at)) in (*number * size..).zip(plans.iter_mut().zip(positions.iter_mut())) {
                plan(slot, &mut neighbours, out);
                *at = states[slot].pos.plus(out.vel);
                // Branch-free: the next slot overwrites an entry that does not count.
                if let Some(entry) = touched.get_mut(*count) {
                    *entry = slot as u32;
                }
                *count += usize::from(!out.is_untouched());
            }
        });
        let counts = jobs.map(|job| job.map_or(0, |(_, count)| count));
        let mut count = 0;
        for (number, &here) in counts.iter().enumerate() {
            let start = number * size;
            touched.copy_within(start.min(states.len())..(start + here).min(states.len()), count);
            count += here;
        }
        touched.truncate(count);
    }
}

impl Scratch for Planning {
    /// The number of units.
    type Demand = usize;

    fn poison(&mut self) {
        self.motors.clear();
        self.states.iter_mut().for_each(|state| (state.pos, state.resting) = (Fine::new(-7, 7), 1));
        self.plans.iter_mut().for_each(|plan| *plan = Plan::asleep(Memory::default()));
        self.awake_before.iter_mut().for_each(|count| *count = 7);
        self.positions.push(Fine::new(7, 7));
        self.touched.push(u32::MAX);
    }

    fn reserve(&mut self, units: usize) {
        reserve_total(&mut self.states, units);
        reserve_total(&mut self.plans, units);
        reserve_total(&mut self.awake_before, units + 1);
        reserve_total(&mut self.positions, units);
        reserve_total(&mut self.touched, units);
    }
}

/// The largest and smallest values of all units.
#[derive(Clone, Copy)]
struct Extremes {
    max_radius: i32,
    min_radius: i32,
    max_speed: i32,
    /// Whether a transport carries any unit.
    any_carried: bool,
}

impl Extremes {
    /// The extremes of all units. Also fills `awake_before` with the number of units before each slot that are not resting.
    fn count_awake(states: &[UnitState], awake_before: &mut Vec<u32>) -> Self {
        let mut extremes = Self { max_radius: 0, min_radius: i32::MAX, max_speed: 0, any_carried: false };
        awake_before.clear();
        awake_before.push(0);
        let mut count = 0;
        for unit in states {
            count += u32::from(unit.resting == 0);
            if unit.is_carried() {
                extremes.any_carried = true;
                awake_before.push(count);
                continue;
            }
            extremes.max_radius = extremes.max_radius.max(unit.radius);
            extremes.min_radius = extremes.min_radius.min(unit.radius);
            extremes.max_speed = extremes.max_speed.max(unit.max_speed);
            awake_before.push(count);
        }
        extremes
    }

    /// How far a unit looks for neighbours: the range of the settings, and at least one cell beyond touching.
    fn reach(&self, settings: &AvoidSettings, unit: &UnitState) -> i32 {
        settings.range.to_fine().max(unit.radius + self.max_radius + FINE_CELL)
    }
}

/// Decides which units sleep.
struct Rest<'a> {
    index: &'a SpatialIndex,
    states: &'a [UnitState],
    awake_before: &'a [u32],
    /// How much further than its reach a unit looks for units that are awake: two ticks of the fastest unit. So a resting unit
    /// still sees a unit that leaves its reach.
    margin: i32,
}

impl Rest<'_> {
    /// Whether the unit is resting and no unit is awake within its reach.
    #[inline]
    fn may_sleep(&self, me: &UnitState, reach: i32) -> bool {
        me.resting != 0 && self.is_alone(me.pos, reach.saturating_add(self.margin))
    }

    /// Whether no unit is awake within `reach` of a point.
    fn is_alone(&self, at: Fine, reach: i32) -> bool {
        let limit = i64::from(reach) * i64::from(reach);
        let is_far =
            |unit: &UnitState| unit.resting != 0 || unit.pos.wide().minus(at.wide()).length_squared() > limit;
        self.index.runs_around(at, reach).all(|run| {
            self.awake_before[run.end] == self.awake_before[run.start] || self.states[run].iter().all(is_far)
        })
    }
}
