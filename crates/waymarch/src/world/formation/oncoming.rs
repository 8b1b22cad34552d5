//! Gates that two groups cross in opposite directions: members of both keep to the right half.
//!
//! What two groups share is not the line of a gate but the leg between two gates: a corridor, for example. So a group opposes another one at both ends of the
//! leg that its members are on or are about to enter.

use alloc::vec::Vec;

use crate::base::{FINE_CELL, Fine, Scratch, poison_list, reserve_total};
use crate::groups::{GateFinder, RouteGate, Traffic};
use crate::world::groups::gate_match::{MEET_WITHIN, meets};
use crate::world::groups::group::Groups;
use crate::world::units::columns::Units;
use crate::world::units::membership::{Branch, GroupId, Membership};

/// A unit within 15 cells of a gate counts as traffic through it.
const NEAR_GATE: u64 = 15 * FINE_CELL as u64;

/// Scratch of [`mark_oncoming`].
#[derive(Clone, Debug, Default)]
pub(crate) struct OncomingScratch {
    /// The gates at the ends of the legs that members use: group index, branch, number of the gate.
    busy: Vec<(u32, Branch, u16)>,
    /// The same gates with their group indices, from west to east.
    by_x: Vec<(u32, RouteGate)>,
}

impl Scratch for OncomingScratch {
    /// The number of units. Each uses at most 3 gates.
    type Demand = usize;

    fn poison(&mut self) {
        poison_list(&mut self.busy, (u32::MAX, Branch::Alternate, 7));
        let gate = GateFinder::across(Fine::new(7, -7), (1024, 0), 7, |_| true);
        poison_list(&mut self.by_x, (u32::MAX, gate));
    }

    fn reserve(&mut self, units: usize) {
        reserve_total(&mut self.busy, 3 * units);
        reserve_total(&mut self.by_x, 3 * units);
    }
}

/// Notes for each gate of each group whether another group is about to cross it in the opposite direction.
pub(crate) fn mark_oncoming(units: &mut Units, groups: &mut Groups, scratch: &mut OncomingScratch) {
    let OncomingScratch { busy, by_x } = scratch;
    busy.clear();
    units.refresh_members();
    for (id, group) in groups.list.iter() {
        for (index, Membership { route, .. }) in units.members(id) {
            if !units.stance(index).travels() {
                continue;
            }
            let gates = group.gates(route.branch());
            let next = route.gate();
            let is_near = |number: u16| {
                let gate = gates.get(usize::from(number));
                gate.is_some_and(|gate| {
                    units.middle(index).distance_squared(gate.way.taut) < NEAR_GATE * NEAR_GATE
                })
            };
            let count = gates.len() as u16;
            // A member uses the leg from the gate behind it to the gate ahead. Before a gate, it is about to use the leg behind that gate too.
            let last = next.checked_sub(1).filter(|&last| next < count || is_near(last));
            let ahead = if is_near(next) { next..count.min(next + 2) } else { 0..0 };
            for number in last.into_iter().chain(ahead) {
                let gate = (id.index(), route.branch(), number);
                if busy.iter().rev().take(3).all(|known| *known != gate) {
                    busy.push(gate);
                }
            }
        }
    }
    busy.sort_unstable();
    busy.dedup();
    by_x.clear();
    by_x.extend(busy.iter().filter_map(|&(group, branch, gate)| {
        let id = groups.list.id_at(group)?;
        let gates = groups.list.get(id).map_or(&[][..], |group| group.gates(branch));
        Some((group, gates.get(usize::from(gate))?.way))
    }));
    by_x.sort_unstable_by_key(|(_, way)| way.taut.x);
    let opposes = |id: GroupId, way: &RouteGate| {
        let first = by_x.partition_point(|(_, theirs)| theirs.taut.x < way.taut.x - MEET_WITHIN);
        let near = by_x[first..].iter();
        near.take_while(|(_, theirs)| theirs.taut.x - way.taut.x <= MEET_WITHIN)
            .any(|(other, theirs)| *other != id.index() && meets(way, theirs))
    };
    for (id, group) in groups.list.iter_mut() {
        for branch in [Branch::Main, Branch::Alternate] {
            for gate in group.gates_mut(branch) {
                let opposed = opposes(id, &gate.way);
                gate.traffic = if opposed { Traffic::Opposing } else { Traffic::OneWay };
            }
        }
    }
}
