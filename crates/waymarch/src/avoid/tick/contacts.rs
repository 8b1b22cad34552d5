//! The contact phase: overlapping units push each other apart, in a few passes.

use alloc::vec::Vec;

use super::context::TickContext;
use super::planning::Planning;
use crate::avoid::crowd::KindId;
use crate::avoid::neighbours::UnitState;
use crate::avoid::orca::Share;
use crate::avoid::steering::Plan;
use crate::avoid::walls::{Grounds, Walls, push_out};
use crate::base::{
    Executor, Fine, Scratch, Serial, UNIT_BITS, WideVec, poison_list, reserve_total, round_unit,
};

/// Below 256 units, sharing the work among threads takes longer than the work.
const PARALLEL_FROM: usize = 256;
/// After 2 passes, a unit makes at least half of the push away from a unit that is wedged: the wall behind that unit may undo its share of the push.
const SHARED_PASSES: u8 = 2;
/// After the passes of the settings, 6 more passes push wedged units only: walls undo a part of each push, so that those overlaps shrink more slowly.
const WEDGED_PASSES: u8 = 6;

/// Scratch of the contact phase.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    /// What one pass does to each touched unit.
    pushed: Vec<Pushed>,
    /// The last pass that moved each unit, by slot, starting with 1; 0 for none.
    moved_in_pass: Vec<u8>,
    /// By slot: whether a unit is wedged: it is near a wall, or in contact with a wedged unit.
    wedged: Vec<bool>,
}

/// What one pass does to a unit.
#[derive(Clone, Copy, Debug)]
struct Pushed {
    at: Fine,
    wedged: bool,
}

impl Pushed {
    const NOWHERE: Self = Self { at: Fine::ZERO, wedged: false };
}

impl Contacts {
    /// Pushes overlapping units apart: changes the positions of the planning phase.
    pub(super) fn separate<G: Grounds, E: Executor>(
        &mut self,
        planning: &mut Planning,
        context: &TickContext<'_, G, E>,
    ) {
        let Self { pushed, moved_in_pass, wedged } = self;
        let Planning { states, plans, positions, touched, .. } = planning;
        let (states, plans) = (&states[..], &plans[..]);
        pushed.resize(touched.len(), Pushed::NOWHERE);
        moved_in_pass.clear();
        moved_in_pass.resize(states.len(), 0);
        wedged.clear();
        wedged.extend(plans.iter().map(|plan| plan.near_wall != 0));
        let all = context.settings.contact_passes;
        for pass in 0..all.saturating_add(if all > 0 { WEDGED_PASSES } else { 0 }) {
            if pass == all && !wedged.contains(&true) {
                return;
            }
            let least = if pass < SHARED_PASSES { Share::NONE } else { Share::HALF };
            let (grounds, gap) = (context.grounds, context.timing.contact_gap);
            let before = Before { states, positions, wedged, grounds, gap, least };
            let push = |entry: usize, out: &mut Pushed| {
                let slot = touched[entry] as usize;
                // If the last pass moved neither the unit nor any unit around it, this pass does not move it.
                let moved = |slot: usize| moved_in_pass[slot] == pass;
                let takes_part = pass < all || before.wedged[slot];
                *out = if takes_part && (moved(slot) || plans[slot].contacts().any(|(other, _)| moved(other)))
                {
                    before.pushed(&plans[slot], slot)
                } else {
                    Pushed { at: before.positions[slot], wedged: before.wedged[slot] }
                };
            };
            if pushed.len() < PARALLEL_FROM {
                Serial.each_at(pushed, push)
            } else {
                context.executor.each_at(pushed, push)
            }
            let mut any_moved = false;
            for (&slot, after) in touched.iter().zip(&*pushed) {
                let (slot, at) = (slot as usize, after.at);
                wedged[slot] = after.wedged;
                if positions[slot] != at {
                    (positions[slot], moved_in_pass[slot], any_moved) = (at, pass + 1, true);
                }
            }
            if !any_moved {
                return;
            }
        }
    }
}

impl Scratch for Contacts {
    /// The number of units.
    type Demand = usize;

    fn poison(&mut self) {
        poison_list(&mut self.pushed, Pushed { at: Fine::new(7, -7), wedged: true });
        poison_list(&mut self.moved_in_pass, 7);
        poison_list(&mut self.wedged, true);
    }

    fn reserve(&mut self, units: usize) {
        reserve_total(&mut self.pushed, units);
        reserve_total(&mut self.moved_in_pass, units);
        reserve_total(&mut self.wedged, units);
    }
}

/// What one pass reads: all units as the pass before left them, so that the order of work does not matter.
struct Before<'a, G> {
    states: &'a [UnitState],
    positions: &'a [Fine],
    wedged: &'a [bool],
    grounds: &'a G,
    /// The gap that a push leaves between two units.
    gap: i64,
    /// The least share of the push away from a wedged unit, except for units that others cannot push at all.
    least: Share,
}

impl<G: Grounds> Before<'_, G> {
    /// A unit after one pass.
    #[inline]
    fn pushed(&self, plan: &Plan, own: usize) -> Pushed {
        let at = self.positions[own];
        let me = &self.states[own];
        let mut push = WideVec::ZERO;
        let (mut contacts, mut wedged) = (0, self.wedged[own]);
        for (slot, share) in plan.contacts() {
            let other = &self.states[slot];
            let radii = me.sum_of_radii(other);
            let away = at.wide().minus(self.positions[slot].wide());
            let square = away.length_squared();
            if square >= radii * radii {
                continue;
            }
            contacts += 1;
            let (unit, distance) = match away.polar() {
                Some(polar) => (polar.unit, polar.length()),
                None => (WideVec::new(if me.id > other.id { 1 << UNIT_BITS } else { -1 << UNIT_BITS }, 0), 0),
            };
            wedged |= self.wedged[slot];
            let gives_way = self.wedged[slot] && share != Share::NONE;
            let share = if gives_way { share.max(self.least) } else { share };
            push = push.plus(unit.along(share.of(radii - distance + self.gap)));
        }
        let at = match contacts {
            0 => at,
            1 => at.plus(push.fine()),
            _ => {
                // The sum of several pushes would overshoot, so only 3 / (2 + contacts) of it counts.
                let part = (3_i64 << UNIT_BITS) / (2 + contacts);
                at.plus(WideVec::new(round_unit(push.x * part), round_unit(push.y * part)).fine())
            }
        };
        if plan.near_wall == 0 {
            return Pushed { at, wedged };
        }
        let walls = self.grounds.of_team(KindId(me.kind), me.team);
        Pushed { at: push_out(&walls, at, i64::from(walls.hull(me.radius))), wedged }
    }
}
