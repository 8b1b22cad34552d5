//! What viewers and debuggers ask about a unit. Looking changes nothing.

use super::byway::Branch;
use super::group::GroupId;
use super::service::PathId;
use super::simulation::World;
use super::stuck::Rung;
use super::units::UnitId;
use crate::avoid::Fine;
use crate::base::Angle;
use crate::groups::{Formation, Traffic, WayGate};

impl World {
    /// The name of the route a unit follows or waits for, to ask [`World::service`] about; `None` if the unit is gone or needs none.
    #[must_use]
    pub fn route_of(&self, id: UnitId) -> Option<PathId> {
        let path = self.units.errand[self.units.slot(id)?].path;
        self.service.status(path).map(|_| path)
    }

    /// The waypoint of its route a unit heads for; 0 before it has joined the route.
    #[must_use]
    pub fn next_waypoint(&self, id: UnitId) -> Option<u32> {
        self.units.slot(id).map(|slot| self.units.errand[slot].trace.next)
    }

    /// What a unit tried last because it was stuck; `None` if it is gone.
    #[must_use]
    pub fn rung_of(&self, id: UnitId) -> Option<Rung> {
        self.units.slot(id).map(|slot| self.units.stuck[slot].rung)
    }

    /// For how many ticks a unit has made no headway, and how often it has tried another way since things last went well.
    #[must_use]
    pub fn trouble_of(&self, id: UnitId) -> Option<(u32, u16)> {
        let stuck = &self.units.stuck[self.units.slot(id)?];
        Some((stuck.still, stuck.failures))
    }

    /// A number for a unit's present order: the same for all that were told together. It may be used again when nobody has that order any
    /// more. `None` without an order.
    #[must_use]
    pub fn order_number(&self, id: UnitId) -> Option<u32> {
        self.units.queue[self.units.slot(id)?].0.front().map(|order| order.index())
    }

    /// Where the middle of a unit is, on the scale of layer 4; `None` if it is gone.
    #[must_use]
    pub fn place_of(&self, id: UnitId) -> Option<Fine> {
        self.units.slot(id).map(|slot| self.units.middle(slot))
    }

    /// The group a unit goes with, or went with; `None` if it has none.
    #[must_use]
    pub fn group_of(&self, id: UnitId) -> Option<GroupId> {
        self.units.post[self.units.slot(id)?].map(|post| post.group)
    }

    /// Where the middle of a unit is to be when its group has come to rest; `None` if it has no place in a group.
    #[must_use]
    pub fn slot_of(&self, id: UnitId) -> Option<Fine> {
        self.units.post[self.units.slot(id)?].map(|post| post.slot)
    }

    /// Which gate of its group's way a unit goes through next, the first being 0; as many as there are gates when it is through all. `None` if it has no
    /// place in a group.
    #[must_use]
    pub fn next_gate(&self, id: UnitId) -> Option<u16> {
        self.units.post[self.units.slot(id)?].map(|post| post.gate)
    }

    /// Whether a unit goes, or came, by its group's second way, round a crowded gate; see `congestion` in [`Config`](crate::config::Config).
    #[must_use]
    pub fn is_sent_round(&self, id: UnitId) -> bool {
        self.units
            .slot(id)
            .and_then(|slot| self.units.post[slot])
            .is_some_and(|post| post.branch == Branch::Byway)
    }

    /// The gates of a group's second way, in order; none if it has no such way.
    pub fn gates_round(&self, id: GroupId) -> impl Iterator<Item = (WayGate, Traffic)> {
        let group = self.groups.list.get(id);
        let gates = group.map_or(&[][..], |group| group.gates(Branch::Byway));
        gates.iter().map(|gate| (gate.way, gate.traffic))
    }

    /// The groups that are under way.
    pub fn groups(&self) -> impl Iterator<Item = GroupId> {
        self.groups.list.ids()
    }

    /// The gates that a group goes through, in order, and whether others come the other way.
    pub fn gates_of(&self, id: GroupId) -> impl Iterator<Item = (WayGate, Traffic)> {
        let group = self.groups.list.get(id);
        group.into_iter().flat_map(|group| group.passages.iter().map(|gate| (gate.way, gate.traffic)))
    }

    /// The formation that a group took on its way ([`World::reform`]), or keeps since it set out, and which way it looks; `None` if it stands as its
    /// order or the settings say, or is under way no more.
    #[must_use]
    pub fn formation_of(&self, id: GroupId) -> Option<(&Formation, Option<Angle>)> {
        let group = self.groups.list.get(id)?;
        group.formation.as_ref().map(|formation| (formation, group.facing))
    }

    /// Whether a unit halts where it is until it is told to go on ([`World::engage`]); `false` if it is gone.
    #[must_use]
    pub fn is_halted(&self, id: UnitId) -> bool {
        self.units.slot(id).is_some_and(|slot| self.units.errand[slot].halted)
    }
}
