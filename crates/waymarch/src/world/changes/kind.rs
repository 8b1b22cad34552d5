//! Another type: units that are upgraded, deployed or transformed.

use crate::base::CellPos;
use crate::world::command::CommandError;
use crate::world::notices::News;
use crate::world::state::State;
use crate::world::units::condition::Footing;
use crate::world::units::unit::UnitId;
use crate::world::units::unit_type::{UnitType, UnitTypeId};
use crate::world::world::World;

impl World {
    /// Gives units another type: they are upgraded, deployed or transformed. Size, radius, speed, locomotor, collision layers and everything else of the type
    /// change at once.
    ///
    /// A unit keeps its id, owner, centre, facing, speed factor and orders. It drops its route, and asks for another one in the next tick. In its group it gets another
    /// slot. Each unit gets one event, [`EventKind::KindChanged`](crate::world::EventKind::KindChanged). If the new type has speed 0, all orders end with
    /// [`GiveUp::Immobile`](crate::world::GiveUp::Immobile). Bodies that overlap now push each other apart. Units that have the type already do not change.
    ///
    /// # Errors
    /// No unit has changed after a [`CommandError`]. It names one of these:
    /// - a unit or type that does not exist, or a command without units;
    /// - the cell, if it is closed to the new type or off the map; units in a transport need no ground;
    /// - a transport that would carry more than its type can.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let (foot, track) = (world.nav().locomotor("foot").unwrap(), world.nav().locomotor("track").unwrap());
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let tank = world.add_type(UnitType::vehicle("tank", track))?;
    /// let unit = world.spawn(soldier, PlayerId(0), cell(3, 3))?;
    /// world.order(&[unit], Order::move_to(cell(30, 3)))?;
    /// (0..50).for_each(|_| world.tick());
    ///
    /// world.set_kind(&[unit], tank)?;
    /// (0..400).for_each(|_| world.tick());
    /// assert_eq!((world.unit(unit).unwrap().kind, world.cell_of(unit)), (tank, Some(cell(30, 3))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_kind(&mut self, units: &[UnitId], kind: UnitTypeId) -> Result<(), CommandError> {
        let state = &mut self.state;
        let mut indices = state.indices_of(units)?;
        let new = state.types.get(kind).ok_or(CommandError::UnknownType(kind))?.clone();
        indices.retain(|&index| state.units.body.kind[index] != kind);
        for &index in &indices {
            state.check_ground_for(index, kind, &new)?;
            let carrier = state.units.conditions.carrier(index);
            let own = state.units.id_at(index);
            for transport in carrier.into_iter().chain(own) {
                state.check_load(transport, &indices, &new)?;
            }
        }
        for &index in &indices {
            state.change_kind(index, kind, &new);
        }
        if !indices.is_empty() {
            state.carry_passengers();
            state.units.body.crowd.wake_all();
        }
        Ok(())
    }
}

impl State {
    /// Checks that a unit can stand where it is with another type. A unit in a transport needs no ground.
    fn check_ground_for(&self, index: usize, kind: UnitTypeId, new: &UnitType) -> Result<(), CommandError> {
        if self.units.conditions.is_aboard(index) {
            return Ok(());
        }
        let layer = self.nav().layer();
        let at: CellPos = self.units.middle(index).minus(self.units.shift(kind)).cell();
        if !layer.grid().contains(at) {
            return Err(CommandError::OffMap { at, size: layer.grid() });
        }
        match layer.field(self.units.agent(index, new, layer)) {
            Some(field) if field.is_passable(at) => Ok(()),
            _ => Err(CommandError::Closed { kind, at }),
        }
    }

    fn change_kind(&mut self, index: usize, kind: UnitTypeId, new: &UnitType) {
        let Some(id) = self.units.id_at(index) else { return };
        let before = self.units.body.kind[index];
        self.interrupt(index);
        self.units.conditions.set_footing(index, Footing::Open);
        let drive = self.units.drive(index, new);
        self.units.body.set_kind(index, kind, drive);
        self.notices.add(id, News::KindChanged(before));
        let moves = self.units.body.queue[index].0.iter();
        let moves = moves.filter_map(|&order| self.orders.get(order)).any(|order| !order.is_for_standing());
        if new.speed.raw() == 0 && moves {
            self.order_parts().clear_orders(index);
            self.notices.add(id, News::Immobile);
        }
    }
}
