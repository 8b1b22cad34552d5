//! Looking out on an attack-move: whom of other players a unit sees.

use alloc::vec::Vec;

use super::events::EventKind;
use super::orders::Order;
use super::simulation::World;
use super::units::UnitId;
use crate::avoid::{Fine, SpatialIndex};
use crate::base::{Fixed, spoil};

/// Each unit looks around every so many ticks, in its own.
const LOOK_EVERY: u64 = 8;
/// Grid cells of the index are so wide.
const SIDE: Fixed = Fixed::from_cells(4);

/// Scratch: what looking around takes.
#[derive(Clone, Debug, Default)]
pub(super) struct Lookout {
    /// Made when it is first needed.
    index: Option<SpatialIndex>,
    found: Vec<u32>,
}

impl Lookout {
    /// Fills it with rubbish; no answer and no hash changes.
    pub(super) fn poison(&mut self) {
        if let Some(index) = &mut self.index {
            index.rebuild(&[Fine::new(7, 7)], &[7]);
        }
        spoil(&mut self.found, 0);
    }
}

impl World {
    /// Lets units on an attack-move look around.
    ///
    /// *Cost:* nothing without such units; otherwise an index of all units, and a look at those within sight of each.
    pub(super) fn look_out(&mut self) {
        let now = self.now().0;
        let mut lookout = core::mem::take(&mut self.lookout);
        let mut indexed = false;
        for slot in 0..self.units.slots() {
            if now.wrapping_add(slot as u64) % LOOK_EVERY != 0 || self.units.errand[slot].halted {
                continue;
            }
            let order = self.units.queue[slot].0.front().and_then(|&order| self.orders.get(order));
            let (Some(id), Some(Order::AttackMove { sight, .. })) = (self.units.id_at(slot), order) else {
                continue;
            };
            let sight = *sight;
            let Lookout { index, found } = &mut lookout;
            let index = index.get_or_insert_with(|| SpatialIndex::new(SIDE));
            if !indexed {
                index.rebuild(self.units.crowd.positions(), self.units.crowd.ids());
                indexed = true;
            }
            index.within(self.units.middle(slot), sight, found);
            let owner = self.units.owner[slot];
            let slots = found.iter().map(|&place| self.units.crowd.ids()[place as usize] as usize);
            let nearest = slots.into_iter().find(|&other| self.units.owner[other] != owner);
            let seen = nearest.and_then(|other| self.units.id_at(other)).unwrap_or(UnitId::DEAD);
            let errand = &mut self.units.errand[slot];
            if seen != errand.sighted {
                errand.sighted = seen;
                if seen != UnitId::DEAD {
                    self.events.add(id, EventKind::Sighted(seen));
                }
            }
        }
        self.lookout = lookout;
    }
}
