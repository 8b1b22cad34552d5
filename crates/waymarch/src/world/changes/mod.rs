//! Changes: how does a unit that exists become another one: owned by another player, of another type, faster, hidden, in a transport, or off closed ground?
//!
//! The room owns nothing. It reads the map, unit types and orders. It may change all columns of units, groups that units leave, and the notices. Events of commands
//! are notices first: the next tick sends them, also after a save.
//!
//! Rules:
//! - A command changes all of its units, or is refused with an error that names the unit, type or cell.
//! - A new owner ends all orders. Another type keeps them, and drops only the route: the unit asks again in the next tick. It gets a slot of its group again.
//! - A unit in a transport has no body: no unit avoids it, sees it, or finds it in a question, unless the question asks for it. It is where its transport is. It keeps its id,
//!   owner and orders; the orders wait. A transport in a transport carries no units.
//! - A hidden unit is solid. Only sighting leaves it out, and questions that ask what a player sees.
//! - Ground that an edit closes under a unit: the unit gets one event, and the setting `eviction` says whether it stays, walks out, is put out, or dies.
//!
//! | file | idea |
//! |---|---|
//! | `owner`, `kind`, `speed` | another owner; another type; a part of the speed, and hidden units |
//! | `transport`, `removal` | boarding and unboarding; a unit that is removed, with its passengers |
//! | `free_cells` | the nearest cell in which a body has room |
//! | `spawn` | new units on taken cells |
//! | `site` | whether a building can stand here, and which units are in its way |
//! | `evict` | units on ground that an edit has closed |

pub(crate) mod evict;
pub(crate) mod free_cells;
pub(crate) mod kind;
pub(crate) mod owner;
pub(crate) mod removal;
pub(crate) mod site;
pub(crate) mod spawn;
pub(crate) mod speed;
pub(crate) mod transport;

use alloc::vec::Vec;

use crate::world::command::CommandError;
use crate::world::groups::leaving::Lost;
use crate::world::state::State;
use crate::world::units::condition::{Ending, Footing};
use crate::world::units::order_progress::Phase;
use crate::world::units::unit::UnitId;

impl State {
    /// The indices of the units of a command, ascending, each once.
    ///
    /// # Errors
    /// The command names no unit, or one that does not exist.
    pub(super) fn indices_of(&self, units: &[UnitId]) -> Result<Vec<usize>, CommandError> {
        if units.is_empty() {
            return Err(CommandError::NoUnits);
        }
        let index = |&unit: &UnitId| self.units.index_of(unit).ok_or(CommandError::NoSuchUnit(unit));
        let mut indices = units.iter().map(index).collect::<Result<Vec<usize>, _>>()?;
        indices.sort_unstable();
        indices.dedup();
        Ok(indices)
    }

    /// Interrupts what a unit does for its orders: it leaves its group and drops its routes. It keeps the orders, and asks for a route again.
    fn interrupt(&mut self, index: usize) {
        self.groups.note_leaving(&self.units, index, Lost::Order);
        self.units.set_membership(index, None);
        self.order_parts().drop_routes(index);
        self.forget_narrow_ground(index);
        let progress = &mut self.units.progress[index];
        if progress.phase != Phase::Idle {
            (progress.phase, progress.short) = (Phase::Asking, None);
        }
        self.units.reset_monitor(index);
        self.end_where_it_stands(index);
    }

    /// Lets the order of a unit that walked to a place to stand end where the unit is now: it was moved, or is of another kind.
    pub(in crate::world) fn end_where_it_stands(&mut self, index: usize) {
        if let Ending::Leaves(outcome, _) = self.units.conditions.ending(index) {
            self.order_parts().drop_routes(index);
            self.units.progress[index].phase = Phase::Waiting;
            self.units.conditions.set_ending(index, Ending::Due(outcome));
        }
    }

    /// Takes a unit out of passages and deadlock zones.
    fn forget_narrow_ground(&mut self, index: usize) {
        (self.units.step[index], self.units.waits[index], self.units.lines[index]) = (None, None, None);
    }

    /// Changes what a unit does about closed ground under it, and what moves it.
    pub(in crate::world) fn set_footing(&mut self, index: usize, footing: Footing) {
        self.units.conditions.set_footing(index, footing);
        let Some(kind) = self.types.get(self.units.body.kind[index]) else { return };
        let (drive, place) = (self.units.drive(index, kind), self.units.place(index));
        self.units.body.crowd.set_drive(place, drive);
    }
}
