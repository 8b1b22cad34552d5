//! A unit that is removed, with what becomes of the units it carries.

use alloc::vec::Vec;

use crate::world::events::Death;
use crate::world::groups::leaving::Lost;
use crate::world::notices::News;
use crate::world::state::State;
use crate::world::units::unit::UnitId;
use crate::world::units::unit_type::OnLoss;

impl State {
    /// Removes a unit. The units that it carries get out or die, as its type says.
    pub(crate) fn remove_unit(&mut self, index: usize, unit: UnitId) {
        let carried: Vec<usize> = self.units.conditions.passengers(unit).collect();
        let on_loss = self.type_of(index).map_or(OnLoss::PutOut, |kind| kind.on_loss);
        let heading = self.units.body.crowd.heading(self.units.place(index));
        self.remove_one(index, unit);
        if carried.is_empty() {
            return;
        }
        let places = match on_loss {
            OnLoss::PutOut => self.places_outside(&carried, None),
            OnLoss::Die => alloc::vec![None; carried.len()],
        };
        for (&index, at) in carried.iter().zip(places) {
            let Some(id) = self.units.id_at(index) else { continue };
            match at {
                Some(at) => {
                    self.let_out(index, at);
                    self.set_down(index, at, heading);
                }
                None => {
                    self.remove_one(index, id);
                    self.notices.add(id, News::Died(Death::WithTransport(unit)));
                }
            }
        }
        self.units.body.crowd.wake_all();
    }

    fn remove_one(&mut self, index: usize, unit: UnitId) {
        self.groups.note_leaving(&self.units, index, Lost::Unit);
        self.order_parts().clear_orders(index);
        self.units.remove(unit);
        self.threats.end_with(unit, self.service.nav_mut());
    }
}
