//! Whether a detour gained time, and how long the group pauses if it did not.
//!
//! Other units may crowd the detour meanwhile, or an edit may close it. Then the members on it have lost time. So the pause before the next detour doubles
//! with each detour in a row that gained nothing.

use crate::avoid::Fine;
use crate::base::Tick;
use crate::world::congestion::queue_length::length_over;
use crate::world::groups::alternate_route::AlternateRoute;
use crate::world::groups::group::Group;
use crate::world::state::State;
use crate::world::units::membership::{Branch, GroupId};
use crate::world::units::order_progress::Phase;

/// At most 8 failed detours in a row count.
const MOST_FAILURES: u8 = 8;

impl AlternateRoute {
    /// The pause after a detour, in seconds; `least` if the last detour gained time.
    pub(crate) fn pause(&self, least: u16) -> u16 {
        least.saturating_mul(1 << self.failures.min(MOST_FAILURES))
    }
}

impl Group {
    /// The ticks that the slowest member needs for a length in 1024ths of a cell.
    pub(crate) fn ticks_for(&self, length: u64) -> u64 {
        length / u64::from(self.speed.raw().unsigned_abs()).max(1)
    }
}

impl State {
    /// Checks whether the detour of a group gained time, once that is known. If it did not, returns the pause before the next detour, in seconds.
    pub(crate) fn look_back(&mut self, id: GroupId, now: Tick, least: u16) -> Option<u16> {
        self.units.refresh_members();
        let group = self.groups.list.get(id)?;
        let alternate = group.alternate.as_ref()?;
        let arrival_without = alternate.arrival_without?;
        let (mut on_it, mut through) = (0_u32, 0_u32);
        let sent = self.units.members(id).filter(|(_, own)| own.route.branch() == Branch::Alternate);
        for (index, own) in sent {
            let ended = self.units.progress[index].phase == Phase::Idle;
            let count = if ended || own.route.gate() > alternate.narrow { &mut through } else { &mut on_it };
            *count += 1;
        }
        if on_it > 0 && now <= arrival_without {
            return None;
        }
        let rest = alternate.gates.get(usize::from(alternate.narrow)..).unwrap_or(&[]);
        let rest = length_over(rest.iter().map(|passage| passage.way.taut), Fine::centre(group.end));
        let there = now.0.saturating_add(group.ticks_for(rest));
        let gained = on_it == 0 && through > 0 && there <= arrival_without.0;
        let alternate = self.groups.list.get_mut(id)?.alternate.as_mut()?;
        alternate.arrival_without = None;
        alternate.failures = if gained { 0 } else { alternate.failures.saturating_add(1).min(MOST_FAILURES) };
        (!gained).then(|| alternate.pause(least))
    }
}
