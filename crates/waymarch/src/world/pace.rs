//! Groups that keep together: at the speed of the slowest, and all there at the same time.

use alloc::vec::Vec;

use super::byway::Branch;
use super::errand::Phase;
use super::group::{Group, Post};
use super::simulation::World;
use super::standing::thousandths;
use crate::avoid::{Fine, Stance};
use crate::base::{Fixed, spoil};
use crate::config::GroupSpeed;

/// Who is this much further from its slot than the others are on average, in 1024ths of a cell, goes as fast as it can: four cells.
const STRAGGLES: u64 = 4 * 1024;
/// Who is nearer than others goes at no less than this part of the group's speed, in 1024ths.
const SLOWEST_PART: u64 = 512;

/// Scratch: how far the members of a group have to go.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Distance {
    longest: u64,
    sum: u64,
    count: u64,
}

/// Scratch: what keeping together takes.
#[derive(Clone, Debug, Default)]
pub(super) struct Pacing {
    /// By slot of the group.
    groups: Vec<Distance>,
    /// By slot of the unit; 0 for those who are not under way with a group.
    left: Vec<u32>,
}

impl Pacing {
    /// Fills it with rubbish; no answer and no hash changes.
    pub(super) fn poison(&mut self) {
        spoil(&mut self.groups, Distance { longest: 7, sum: 7, count: 7 });
        spoil(&mut self.left, 7);
    }
}

impl World {
    /// Sets how fast units that go with a group may be: for `group_speed: slowest`.
    ///
    /// With `synchronized_arrival` those who have less far to go than others are slower in proportion, so that all are there at the same time; who lags
    /// far behind goes at its own speed and nobody waits for it for long.
    pub(super) fn keep_pace(&mut self) {
        let config = self.service.nav().config().get();
        if config.group_speed == GroupSpeed::Own {
            return;
        }
        let (together, ahead) = (config.synchronized_arrival, 1024 * u64::from(config.group_cohesion));
        let mut pacing = core::mem::take(&mut self.pacing);
        pacing.groups.clear();
        pacing.groups.resize(self.groups.list.slot_count(), Distance::default());
        pacing.left.clear();
        pacing.left.resize(self.units.slots(), 0);
        for slot in 0..self.units.slots() {
            let Some((post, group)) = self.marches(slot) else { continue };
            let left = way_left(self.units.middle(slot), &post, group).max(1);
            pacing.left[slot] = left;
            // Nobody waits for those who were sent another way.
            if post.branch == Branch::Byway {
                continue;
            }
            let all = &mut pacing.groups[post.group.index() as usize];
            let left = u64::from(left);
            *all = Distance { longest: all.longest.max(left), sum: all.sum + left, count: all.count + 1 };
        }
        for slot in 0..self.units.slots() {
            // Who lets another group pass has none until it is past.
            if self.units.id_at(slot).is_none() || self.waits_for_others(slot) {
                continue;
            }
            let pace = match self.marches(slot) {
                Some((post, group)) => {
                    let all = pacing.groups[post.group.index() as usize];
                    let left = u64::from(pacing.left[slot]);
                    let mean = all.sum / all.count.max(1);
                    let part = match post.branch {
                        Branch::Byway => 1024,
                        // Who is too far ahead lets the others catch up.
                        Branch::Main if left + ahead < mean => SLOWEST_PART,
                        Branch::Main if together => all.part(left),
                        Branch::Main => 1024,
                    };
                    let own = self.types.get(self.units.kind[slot]).map_or(Fixed::ONE, |kind| kind.speed);
                    if left > mean + STRAGGLES { Fixed::ONE } else { share(group.speed, own, part) }
                }
                None => Fixed::ONE,
            };
            let place = self.units.place(slot);
            if self.units.crowd.pace(place) != pace {
                self.units.crowd.set_pace(place, pace);
            }
        }
        self.pacing = pacing;
    }

    /// Lets everybody go as fast as it can.
    pub(super) fn forget_pace(&mut self) {
        for slot in 0..self.units.slots() {
            if self.units.id_at(slot).is_some() {
                self.units.crowd.set_pace(self.units.place(slot), Fixed::ONE);
            }
        }
    }

    /// The post and the group of a unit that is under way with one.
    fn marches(&self, slot: usize) -> Option<(Post, &Group)> {
        self.units.id_at(slot)?;
        let goes = self.units.errand[slot].phase == Phase::Going && self.units.stance(slot) == Stance::Moving;
        let post = self.units.post[slot].filter(|_| goes)?;
        Some((post, self.groups.list.get(post.group)?))
    }
}

impl Distance {
    /// Which part of the group's speed somebody with so far to go has, in 1024ths.
    fn part(&self, left: u64) -> u64 {
        let mean = self.sum / self.count.max(1);
        // Nobody waits for one who is stuck far behind.
        let longest = self.longest.min(mean + STRAGGLES).max(1);
        (left * 1024 / longest).clamp(SLOWEST_PART, 1024)
    }
}

/// A part of the group's speed, as a part of a unit's own.
fn share(group: Fixed, own: Fixed, part: u64) -> Fixed {
    let (group, own) = (u64::from(group.raw().unsigned_abs()), u64::from(own.raw().unsigned_abs()).max(1));
    // Never nothing: who does not move never arrives.
    Fixed::from_raw((group.min(own) * part / own).clamp(16, 1024) as i32)
}

/// How far it is through the gates that are left and to a slot, in 1024ths of a cell.
fn way_left(at: Fine, post: &Post, group: &Group) -> u32 {
    let gates = group.gates(post.branch).get(usize::from(post.gate)..).unwrap_or(&[]);
    let (left, last) = gates.iter().fold((0_u32, at), |(left, from), gate| {
        (left.saturating_add(thousandths(from, gate.way.taut)), gate.way.taut)
    });
    left.saturating_add(thousandths(last, post.slot))
}
