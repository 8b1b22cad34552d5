//! Edits of the map that a game makes directly.

use crate::base::CellPos;
use crate::cost::{Stamp, StampId};
use crate::world::command::CommandError;
use crate::world::world::World;

impl World {
    /// Places a stamp; see [`Navigator::place`](crate::world::Navigator::place).
    ///
    /// # Errors
    /// [`EditError`] if the stamp does not fit.
    pub fn place(&mut self, stamp: &Stamp, at: CellPos) -> Result<StampId, CommandError> {
        Ok(self.state.service.nav_mut().place(stamp, at)?)
    }

    /// Removes a stamp; see [`Navigator::remove`](crate::world::Navigator::remove).
    ///
    /// # Errors
    /// [`EditError`] if there is no such stamp.
    pub fn remove_stamp(&mut self, id: StampId) -> Result<(), CommandError> {
        Ok(self.state.service.nav_mut().remove(id)?)
    }
}
