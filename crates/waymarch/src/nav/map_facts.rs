//! The facts that a state is checked against: the size of its map, the settings and the tick.

use super::{Navigator, NavigatorState};
use crate::base::{Agent, CollisionLayers, GridSize, LocomotorId, Observer, Tick};
use crate::cost::{LocomotorDef, SectorGrid, ThreatId};

/// The facts of a map that decide whether a state is possible on it. A running navigator has them, and so has a saved one.
pub(crate) trait MapFacts {
    /// The size of the map.
    fn grid(&self) -> GridSize;
    /// The present tick.
    fn now(&self) -> Tick;
    /// The setting `ticks_per_second`.
    fn ticks_per_second(&self) -> u32;
    /// How the map is divided into sectors.
    fn sectors(&self) -> SectorGrid;
    /// Whether there are costs for `agent`.
    fn has_costs(&self, agent: Agent) -> bool;
    /// The collision layers of a locomotor; the ground if the rules do not have it.
    fn locomotor_layers(&self, locomotor: LocomotorId) -> CollisionLayers;
    /// Whether a threat source exists.
    fn has_threat(&self, id: ThreatId) -> bool;
    /// The side of an observer.
    fn side(&self, observer: Observer) -> u8;
}

impl MapFacts for Navigator {
    fn grid(&self) -> GridSize {
        self.layer.grid()
    }

    fn now(&self) -> Tick {
        self.now
    }

    fn ticks_per_second(&self) -> u32 {
        self.config.get().ticks_per_second
    }

    fn sectors(&self) -> SectorGrid {
        self.layer.changes().sectors()
    }

    fn has_costs(&self, agent: Agent) -> bool {
        self.layer.field(agent).is_some()
    }

    fn locomotor_layers(&self, locomotor: LocomotorId) -> CollisionLayers {
        let agent = self.layer.as_anyone(locomotor.into());
        let def = self.layer.rules().locomotor_def(agent.locomotor);
        def.map(LocomotorDef::collision_layers).unwrap_or_default()
    }

    fn has_threat(&self, id: ThreatId) -> bool {
        self.layer.threat().source(id).is_some()
    }

    fn side(&self, observer: Observer) -> u8 {
        self.layer.threat().side(observer)
    }
}

impl MapFacts for NavigatorState<'_> {
    fn grid(&self) -> GridSize {
        self.cost.grid()
    }

    fn now(&self) -> Tick {
        self.now
    }

    fn ticks_per_second(&self) -> u32 {
        self.config.get().ticks_per_second
    }

    fn sectors(&self) -> SectorGrid {
        SectorGrid::new(self.grid(), self.config.get().sector_size)
    }

    fn has_costs(&self, agent: Agent) -> bool {
        self.cost.has_locomotor(agent.locomotor)
            && self.config.get().size_classes.contains(&agent.size.side())
    }

    fn locomotor_layers(&self, locomotor: LocomotorId) -> CollisionLayers {
        self.cost.locomotor_layers(locomotor)
    }

    fn has_threat(&self, id: ThreatId) -> bool {
        self.cost.has_threat(id)
    }

    fn side(&self, observer: Observer) -> u8 {
        self.cost.side(observer)
    }
}
