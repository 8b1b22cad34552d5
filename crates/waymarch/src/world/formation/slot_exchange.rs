//! Neighbours of one group and type exchange formation slots if that lowers the sum of their squared distances.

use alloc::vec::Vec;

use crate::avoid::{SpatialIndex, Stance};
use crate::base::{CollisionLayers, Fine, Fixed, Scratch, poison_list, reserve_total};
use crate::groups::{Swapper, Walker};
use crate::world::groups::group::Groups;
use crate::world::units::columns::Units;

/// Units exchange slots with neighbours within 2 cells.
const REACH: Fixed = Fixed::from_cells(2);

/// Scratch of [`exchange_slots`].
#[derive(Clone, Debug, Default)]
pub(crate) struct ExchangeScratch {
    swapper: Swapper,
    /// Made at first use, because even an empty index allocates memory.
    grid: Option<SpatialIndex>,
    walkers: Vec<Walker>,
    at: Vec<Fine>,
    ids: Vec<u32>,
    /// Group index, unit type and unit index of each member.
    kin: Vec<(u32, u16, u32)>,
    pairs: Vec<(u32, u32)>,
}

impl Scratch for ExchangeScratch {
    /// The number of units.
    type Demand = usize;

    fn poison(&mut self) {
        let at = Fine::new(7, -7);
        self.swapper.poison();
        if let Some(grid) = &mut self.grid {
            grid.rebuild(&[at], &[7]);
        }
        poison_list(&mut self.walkers, Walker { id: u32::MAX, at, slot: at, kin: 0 });
        poison_list(&mut self.at, at);
        poison_list(&mut self.ids, u32::MAX);
        poison_list(&mut self.kin, (7, 7, u32::MAX));
        poison_list(&mut self.pairs, (u32::MAX, 7));
    }

    fn reserve(&mut self, units: usize) {
        reserve_total(&mut self.pairs, units / 2);
        self.swapper.reserve(());
    }
}

/// Exchanges the slots of neighbours. Units that the game has halted take no part: they do not walk to a slot.
pub(crate) fn exchange_slots(units: &mut Units, groups: &Groups, scratch: &mut ExchangeScratch) {
    let kin = &mut scratch.kin;
    kin.clear();
    units.refresh_members();
    // Which sets of collision layers there are, one bit for each.
    let mut layers = 0_u16;
    for id in groups.list.ids() {
        let walking = units.members(id).filter(|&(index, _)| !units.progress[index].halted);
        kin.extend(walking.map(|(index, _)| {
            layers |= 1 << units.body.layers(index).bits();
            (id.index(), units.body.kind[index].0, index as u32)
        }));
    }
    kin.sort_unstable();
    // A unit looks at its nearest neighbours only. So units on other layers must not be among them.
    let sets = (0..u16::BITS as u8).filter(|bits| layers & 1 << bits != 0);
    for set in sets.filter_map(CollisionLayers::from_bits) {
        exchange_on(units, groups, set, scratch);
    }
}

/// Exchanges the slots of neighbours that are on exactly these collision layers.
fn exchange_on(units: &mut Units, groups: &Groups, layers: CollisionLayers, scratch: &mut ExchangeScratch) {
    let ExchangeScratch { swapper, grid, walkers, at, ids, kin, pairs } = scratch;
    walkers.clear();
    at.clear();
    ids.clear();
    let mut class = 0;
    for (place, &(group, kind, index)) in kin.iter().enumerate() {
        let same = place > 0 && (kin[place - 1].0, kin[place - 1].1) == (group, kind);
        class += u32::from(!same);
        if units.body.layers(index as usize) != layers {
            continue;
        }
        let middle = units.middle(index as usize);
        let Some(membership) = units.membership(index as usize) else { continue };
        // Members in formation compare places in the moving frame.
        let frame_slot = groups.list.get(membership.group).and_then(|group| group.frame_slot(&membership));
        let slot = frame_slot.unwrap_or(membership.slot);
        walkers.push(Walker { id: index, at: middle, slot, kin: class });
        at.push(middle);
        ids.push(index);
    }
    let grid = grid.get_or_insert_with(|| SpatialIndex::new(REACH));
    grid.rebuild(at, ids);
    swapper.find(walkers, grid, REACH, pairs);
    for &(a, b) in &*pairs {
        let [a, b] = [a, b].map(|walker| walkers[walker as usize].id as usize);
        if let Some((own, other)) = units.membership(a).zip(units.membership(b)) {
            give_slot(units, a, other.slot);
            give_slot(units, b, own.slot);
        }
    }
}

/// Gives a unit another slot. What the unit saw of its old slot counts for the new one until it looks again.
fn give_slot(units: &mut Units, index: usize, to: Fine) {
    if let Some(membership) = units.membership_mut(index) {
        membership.slot = to;
    }
    let place = units.place(index);
    if units.stance(index) != Stance::Moving {
        units.body.crowd.send(place, to);
    }
}
