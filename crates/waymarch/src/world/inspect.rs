//! What viewers and debuggers ask about a unit. Looking changes nothing.

use super::service::PathId;
use super::simulation::World;
use super::stuck::Rung;
use super::units::UnitId;

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
}
