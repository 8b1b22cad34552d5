//! Edits of the map that a game makes directly.

use crate::base::{CellPos, CellRect};
use crate::cost::{GateState, Stamp, StampId, TerrainId};
use crate::world::command::CommandError;
use crate::world::world::World;

impl World {
    /// Places a stamp; see [`Navigator::place`](crate::world::Navigator::place).
    ///
    /// # Errors
    /// [`EditError`](crate::cost::EditError) if the stamp does not fit.
    pub fn place(&mut self, stamp: &Stamp, at: CellPos) -> Result<StampId, CommandError> {
        Ok(self.state.service.nav_mut().place(stamp, at)?)
    }

    /// Removes a stamp; see [`Navigator::remove`](crate::world::Navigator::remove).
    ///
    /// # Errors
    /// [`EditError`](crate::cost::EditError) if there is no such stamp.
    pub fn remove_stamp(&mut self, id: StampId) -> Result<(), CommandError> {
        Ok(self.state.service.nav_mut().remove(id)?)
    }

    /// Opens or closes the gate cells of a stamp, for all units or for some teams; see [`Navigator::set_gate`](crate::world::Navigator::set_gate).
    ///
    /// ```
    /// use waymarch::base::{GridSize, cell};
    /// use waymarch::cost::{FootCell, GateState, Map, Rules, Stamp};
    /// use waymarch::world::{Navigator, World};
    ///
    /// let map = Map::flat("field", GridSize::new(16, 3)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Default::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let gate = world.place(&Stamp::filled("gate", 1, 3, FootCell::Gate), cell(8, 0))?;
    /// assert!(!world.nav().reachable(cell(2, 1), cell(14, 1), foot));
    /// world.set_gate(gate, GateState::Open)?;
    /// assert!(world.nav().reachable(cell(2, 1), cell(14, 1), foot));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EditError`](crate::cost::EditError) if there is no such stamp, or if there are too many teams with gates.
    pub fn set_gate(&mut self, id: StampId, gate: GateState) -> Result<(), CommandError> {
        Ok(self.state.service.nav_mut().set_gate(id, gate)?)
    }

    /// Changes the terrain of an area; see [`Navigator::set_terrain`](crate::world::Navigator::set_terrain).
    ///
    /// # Errors
    /// [`EditError`](crate::cost::EditError) if the area is not on the map, or the rules have no such terrain.
    pub fn set_terrain(&mut self, area: CellRect, terrain: TerrainId) -> Result<(), CommandError> {
        Ok(self.state.service.nav_mut().set_terrain(area, terrain)?)
    }

    /// Changes the height of an area; see [`Navigator::set_elevation`](crate::world::Navigator::set_elevation).
    ///
    /// # Errors
    /// [`EditError`](crate::cost::EditError) if the area is not on the map.
    pub fn set_elevation(&mut self, area: CellRect, height: i16) -> Result<(), CommandError> {
        Ok(self.state.service.nav_mut().set_elevation(area, height)?)
    }
}
