//! The commit phase: units move, stay out of closed ground, and the results go to the crowd.

use alloc::vec::Vec;

use super::arrival::update_memory;
use super::chunks::{MAX_CHUNKS, chunk_size, chunks};
use super::context::TickContext;
use super::planning::Planning;
use crate::avoid::crowd::{Crowd, Drive, KindId, Memory};
use crate::avoid::delay::Delay;
use crate::avoid::neighbours::SpatialIndex;
use crate::avoid::walls::{Grounds, Walls, slide};
use crate::base::{Executor, Fine, Scratch, reserve_total};

/// Scratch: results of a tick that are not part of the crowd, by unit index.
#[derive(Clone, Debug, Default)]
pub(super) struct UnitResults {
    /// What delayed each unit.
    pub(super) delays: Vec<Delay>,
    /// How far each unit looks for neighbours first in the next tick. It affects the cost and never the result.
    pub(super) search_hints: Vec<i64>,
}

impl Scratch for UnitResults {
    /// The number of units.
    type Demand = usize;

    fn poison(&mut self) {
        self.delays.iter_mut().for_each(|delay| *delay = Delay::Queue);
        self.search_hints.iter_mut().zip(-2..).for_each(|(hint, number)| *hint = number << 31);
    }

    fn reserve(&mut self, units: usize) {
        reserve_total(&mut self.delays, units);
        reserve_total(&mut self.search_hints, units);
    }
}

/// Moves all units to their new positions, keeps them out of closed ground, and writes the new state to the crowd.
pub(super) fn commit<G: Grounds, E: Executor>(
    crowd: &mut Crowd,
    index: &SpatialIndex,
    planning: &Planning,
    results: &mut UnitResults,
    context: &TickContext<'_, G, E>,
) {
    let &TickContext { timing, grounds, executor, .. } = context;
    let Planning { states, plans, positions, .. } = planning;
    let UnitResults { delays, search_hints } = results;
    delays.resize(crowd.len(), Delay::None);
    let final_position = |slot: usize| -> Fine {
        let (unit, at) = (&states[slot], positions[slot].on_plane());
        // Without walls within reach the unit cannot run into any.
        let free = plans[slot].near_wall == 0 && {
            let reach = i64::from(unit.max_speed) * timing.wall_horizon;
            at.wide().minus(unit.pos.wide()).length_squared() <= reach * reach
        };
        if free {
            return at;
        }
        let walls = grounds.of_team(KindId(unit.kind), unit.team);
        slide(&walls, unit.pos, at, i64::from(walls.hull(unit.radius)))
    };
    crowd.may_rest();
    let size = chunk_size(crowd.len());
    let mut all = chunks(crowd, size).zip(delays.chunks_mut(size).zip(search_hints.chunks_mut(size)));
    let mut jobs: [_; MAX_CHUNKS] = core::array::from_fn(|_| all.next());
    executor.each(&mut jobs, |job| {
        let Some((chunk, (delays, search_hints))) = job else { return };
        for (unit, &slot) in index.slots()[chunk.first..].iter().take(delays.len()).enumerate() {
            let slot = slot as usize;
            let plan = &plans[slot];
            delays[unit] = plan.delay;
            if plan.asleep != 0 {
                continue;
            }
            search_hints[unit] = plan.search_hint;
            chunk.chosen_vel[unit] = plan.vel;
            if chunk.attributes[unit].drive != Drive::Engine {
                update_memory(chunk, unit, plan, timing);
                continue;
            }
            let (state, at) = (&states[slot], final_position(slot));
            let moved = at.wide().minus(state.pos.wide());
            let vel = moved.clamp_length(i64::from(state.max_speed)).fine();
            let before = (chunk.memory[unit], chunk.vel[unit], chunk.attributes[unit].stance);
            chunk.vel[unit] = vel;
            chunk.pos[unit] = at;
            update_memory(chunk, unit, plan, timing);
            let memory = &mut chunk.memory[unit];
            let stance = chunk.attributes[unit].stance;
            let after = (Memory { resting: before.0.resting, ..*memory }, vel, stance);
            memory.resting = u8::from(moved.length_squared() == 0 && before == after && !stance.travels());
        }
    });
}
