//! Whether it was worth it to send some of a group round a crowded gate, and how long it waits before it tries again if it was not.
//!
//! Others may come to the other way meanwhile, or it may close. Whoever is sent in vain has lost time, and a group that tries again and again loses it every
//! time: so it leaves twice as long between after each time in a row.

use super::byway::{Branch, Byway};
use super::errand::Phase;
use super::group::{Group, GroupId};
use super::lineup::length_over;
use super::simulation::World;
use crate::avoid::Fine;
use crate::base::Tick;

/// More times in a row than this make no difference.
const MOST_VAIN: u8 = 8;

impl Byway {
    /// What the last pause after sending somebody comes to, the usual one being `least` seconds.
    pub(super) fn pause(&self, least: u16) -> u16 {
        least.saturating_mul(1 << self.vain.min(MOST_VAIN))
    }
}

impl Group {
    /// How many ticks its slowest takes for a length, in 1024ths of a cell.
    pub(super) fn ticks_for(&self, length: u64) -> u64 {
        length / u64::from(self.speed.raw().unsigned_abs()).max(1)
    }
}

impl World {
    /// Looks whether those whom a group sent round gained by it, once that is known. If they did not: for how many seconds at least nobody else is sent, the
    /// usual pause being `least`.
    pub(super) fn look_back(&mut self, id: GroupId, now: Tick, least: u16) -> Option<u16> {
        let group = self.groups.list.get(id)?;
        let byway = group.byway.as_ref()?;
        let beat = byway.beat?;
        let (mut on_it, mut through) = (0_u32, 0_u32);
        for (slot, post) in self.units.post.iter().enumerate() {
            let sent = post.is_some_and(|post| post.group == id && post.branch == Branch::Byway);
            let Some(post) = post.filter(|_| sent && self.units.id_at(slot).is_some()) else { continue };
            let ended = self.units.errand[slot].phase == Phase::Idle;
            let count = if ended || post.gate > byway.narrow { &mut through } else { &mut on_it };
            *count += 1;
        }
        if on_it > 0 && now <= beat {
            return None;
        }
        let rest = byway.passages.get(usize::from(byway.narrow)..).unwrap_or(&[]);
        let rest = length_over(rest.iter().map(|passage| passage.way.taut), Fine::centre(group.end));
        let there = now.0.saturating_add(group.ticks_for(rest));
        let gained = on_it == 0 && through > 0 && there <= beat.0;
        let byway = self.groups.list.get_mut(id)?.byway.as_mut()?;
        byway.beat = None;
        byway.vain = if gained { 0 } else { byway.vain.saturating_add(1).min(MOST_VAIN) };
        (!gained).then(|| byway.pause(least))
    }
}
