//! What one unit does in this tick.

use crate::avoid::crowd::Memory;
use crate::avoid::delay::Delay;
use crate::avoid::orca::Share;
use crate::avoid::settings::MAX_NEIGHBOURS;
use crate::base::Fine;

/// Scratch: what one unit does in this tick. Flags are `u8` (1 or 0).
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::avoid) struct Plan {
    /// The chosen velocity.
    pub(in crate::avoid) vel: Fine,
    pub(in crate::avoid) memory: Memory,
    /// The units that it may touch in this tick: the slot, shifted left by 5 bits, and its own share of a push.
    contacts: [u32; MAX_NEIGHBOURS],
    contact_count: u8,
    /// 1 if a wall is near.
    pub(in crate::avoid) near_wall: u8,
    /// 1 if units at its goal block it.
    pub(in crate::avoid) goal_crowded: u8,
    /// 1 if neither the unit nor any unit around it moves.
    pub(in crate::avoid) asleep: u8,
    /// What delays it.
    pub(in crate::avoid) delay: Delay,
    /// How far to look for neighbours in the next tick.
    pub(in crate::avoid) search_hint: i64,
}

impl Plan {
    /// The plan of a unit that stands still and touches no other unit.
    pub(in crate::avoid) fn new(memory: Memory) -> Self {
        Self { memory, ..Self::default() }
    }

    /// The plan of a unit that sleeps.
    pub(in crate::avoid) fn asleep(memory: Memory) -> Self {
        Self { memory, asleep: 1, ..Self::default() }
    }

    /// Turns this into the plan of a unit that holds its position. Others may still push it, perhaps towards a wall.
    pub(super) fn hold(&mut self) {
        self.memory.deflection = 0;
        self.near_wall = 1;
    }

    /// Notes that the unit may touch the unit in a slot and then makes `share` of the push.
    #[inline]
    pub(super) fn add_contact(&mut self, slot: u32, share: Share) {
        self.contacts[usize::from(self.contact_count)] = (slot << 5) | u32::from(share.0);
        self.contact_count += 1;
    }

    /// Whether the unit may touch another unit in this tick.
    #[inline]
    pub(super) const fn has_contacts(&self) -> bool {
        self.contact_count != 0
    }

    /// Whether no unit and no wall can push it in this tick.
    #[inline]
    pub(in crate::avoid) const fn is_untouched(&self) -> bool {
        self.contact_count | self.near_wall == 0
    }

    /// The slots of the units that it may touch, with its own share of a push.
    #[inline]
    pub(in crate::avoid) fn contacts(&self) -> impl Iterator<Item = (usize, Share)> + '_ {
        self.contacts[..usize::from(self.contact_count)]
            .iter()
            .map(|&packed| ((packed >> 5) as usize, Share((packed & 31) as u8)))
    }
}
