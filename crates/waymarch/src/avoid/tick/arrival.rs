//! What a unit remembers, and whether it has arrived or left its home position.

use super::chunks::Chunk;
use crate::avoid::crowd::{CALM, Memory, Stance};
use crate::avoid::steering::Plan;
use crate::avoid::timing::Timing;
use crate::base::{FINE_CELL, Fine, Fixed};

/// A unit within 0.15 cells of its goal has arrived.
const ARRIVED: u64 = FINE_CELL as u64 * 15 / 100;
/// An idle unit more than 0.5 cells from its home position walks back when no unit disturbs it.
const OFF_HOME: u64 = FINE_CELL as u64 / 2;
/// An idle unit more than 6 cells from its home position walks back at once.
const FAR_OFF_HOME: u64 = FINE_CELL as u64 * 6;

/// Updates what a unit remembers, its stance and its home position after it moved. `unit` is an index into the chunk.
pub(super) fn update_memory(chunk: &mut Chunk<'_>, unit: usize, plan: &Plan, timing: &Timing) {
    let memory = &mut chunk.memory[unit];
    let calm_ticks = if plan.memory.yield_level == CALM {
        memory.calm_ticks.saturating_add(1).min(timing.calm)
    } else {
        0
    };
    *memory = Memory { calm_ticks, ..plan.memory };
    let attributes = &mut chunk.attributes[unit];
    let (guide, home) = (&chunk.guide[unit], &mut chunk.home[unit]);
    let at = chunk.pos[unit];
    let from_home = at.distance_squared(*home);
    let arrives = match attributes.stance {
        // Other units are at its goal already, so it stops in front of them.
        Stance::Moving if plan.goal_crowded != 0 && memory.jam_ticks >= timing.patience => {
            *home = at;
            true
        }
        Stance::Moving if guide.aim == guide.goal => {
            let kind = chunk.kinds.get(usize::from(attributes.kind.0));
            let radius = kind.map_or(Fixed::ZERO, |kind| kind.radius);
            from_home < ARRIVED * ARRIVED || is_past(at, *home, chunk.vel[unit], radius)
        }
        Stance::Moving => false,
        Stance::Returning => from_home < ARRIVED * ARRIVED,
        Stance::Idle => {
            // Home positions in a crowded place may overlap. A unit that cannot get to its home position makes its present position the new
            // one. Otherwise the units would push each other without end.
            let chosen = plan.vel.wide();
            let is_kept = 2 * chunk.vel[unit].wide().dot(chosen) < chosen.length_squared();
            let off_goal = at.distance_squared(guide.goal) > OFF_HOME * OFF_HOME;
            let is_calm = calm_ticks >= timing.calm;
            if is_kept && off_goal && is_calm && from_home <= OFF_HOME * OFF_HOME {
                *home = at;
            }
            let undisturbed = is_calm && from_home > OFF_HOME * OFF_HOME;
            if undisturbed || from_home > FAR_OFF_HOME * FAR_OFF_HOME {
                attributes.stance = Stance::Returning;
            }
            false
        }
        Stance::Holding => false,
    };
    if arrives {
        // A unit that returns keeps its arrived flag.
        let arrived = u8::from(attributes.stance == Stance::Moving) | memory.arrived;
        attributes.stance = Stance::Idle;
        *memory = Memory { calm_ticks: 0, deflection: 0, jam_ticks: 0, arrived, ..*memory };
    }
}

/// Whether a unit moves away from its goal although it is within its radius of it, at most half a cell. Other units kept it from the
/// exact point. It counts as arrived and drifts to the goal later. If it turned back, it would walk against the units behind it,
/// which would push it further past.
fn is_past(at: Fine, goal: Fine, velocity: Fine, radius: Fixed) -> bool {
    let near = u64::from(radius.to_fine().unsigned_abs()).min(OFF_HOME);
    at.distance_squared(goal) < near * near && goal.wide().minus(at.wide()).dot(velocity.wide()) < 0
}
