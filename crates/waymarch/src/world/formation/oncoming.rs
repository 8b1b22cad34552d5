//! Gates that two groups cross in opposite directions: members of both keep to the right half.
//!
//! What two groups share is not the line of a gate but the leg between two gates: a corridor, for example. So a group opposes another one at both ends of the
//! leg that its members are on or are about to enter.

use alloc::vec::Vec;

use crate::base::{CollisionLayers, FINE_CELL, Fine, Scratch, poison_list, reserve_total};
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
    /// The same gates, from west to east.
    by_x: Vec<BusyGate>,
}

/// A gate that members of a group use.
#[derive(Clone, Copy, Debug)]
struct BusyGate {
    group: u32,
    /// The collision layers of the group's members.
    layers: CollisionLayers,
    way: RouteGate,
}

impl Scratch for OncomingScratch {
    /// The number of units. Each uses at most 3 gates.
    type Demand = usize;

    fn poison(&mut self) {
        poison_list(&mut self.busy, (u32::MAX, Branch::Alternate, 7));
        let way = GateFinder::across(Fine::new(7, -7), (1024, 0), 7, |_| true);
        poison_list(&mut self.by_x, BusyGate { group: u32::MAX, layers: CollisionLayers::ALL, way });
    }

    fn reserve(&mut self, units: usize) {
        reserve_total(&mut self.busy, 3 * units);
        reserve_total(&mut self.by_x, 3 * units);
    }
}

/// The collision layers of a group's members. *Cost:* a pass over the members, or none if all unit types have the same layers.
fn layers_of(units: &Units, id: GroupId) -> CollisionLayers {
    if units.body.crowd.is_on_one_layer() {
        return CollisionLayers::ALL;
    }
    let all = units.members(id).map(|(index, _)| units.body.layers(index));
    all.reduce(CollisionLayers::with).unwrap_or(CollisionLayers::ALL)
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
        let way = gates.get(usize::from(gate))?.way;
        Some(BusyGate { group, layers: layers_of(units, id), way })
    }));
    by_x.sort_unstable_by_key(|busy| busy.way.taut.x);
    let opposes = |id: GroupId, layers: CollisionLayers, way: &RouteGate| {
        let first = by_x.partition_point(|busy| busy.way.taut.x < way.taut.x - MEET_WITHIN);
        let near = by_x[first..].iter();
        near.take_while(|busy| busy.way.taut.x - way.taut.x <= MEET_WITHIN)
            .any(|busy| busy.group != id.index() && busy.layers.meets(layers) && meets(way, &busy.way))
    };
    for (id, group) in groups.list.iter_mut() {
        let layers = layers_of(units, id);
        for branch in [Branch::Main, Branch::Alternate] {
            for gate in group.gates_mut(branch) {
                let opposed = opposes(id, layers, &gate.way);
                gate.traffic = if opposed { Traffic::Opposing } else { Traffic::OneWay };
            }
        }
    }
}
