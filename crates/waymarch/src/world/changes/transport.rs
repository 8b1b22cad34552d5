//! Transports: units board a unit, ride with it without a body, and get out.

use alloc::vec::Vec;

use crate::base::{Angle, CellPos, Fine};
use crate::world::changes::free_cells::{Stander, Standers};
use crate::world::command::CommandError;
use crate::world::groups::group::Reslot;
use crate::world::notices::News;
use crate::world::state::State;
use crate::world::units::condition::{Condition, Footing};
use crate::world::units::unit::UnitId;
use crate::world::units::unit_type::UnitType;
use crate::world::world::World;

/// Units get out of a transport up to 12 cells from its cell: the widest transport has a radius of 8 cells.
pub(super) const OUT_REACH: i32 = 12;

impl World {
    /// Lets units get into a transport. How near they must be, and whose transports they may use, is for the game to decide.
    ///
    /// A unit in a transport has no body: other units neither avoid nor see nor block it. It moves with its transport, and keeps its id, owner and orders, which wait. It leaves its
    /// group, and gets [`EventKind::Boarded`](crate::world::EventKind::Boarded). Orders of other units that follow it follow the transport. A transport has
    /// [`UnitType::capacity`] places; a unit takes [`UnitType::bulk`] of them.
    ///
    /// # Errors
    /// No unit has boarded after a [`CommandError`]. It names one of these:
    /// - a unit that does not exist, or a command without units;
    /// - a transport that has no places, or not enough of them, or is itself in a transport;
    /// - a unit that would board itself, is in a transport already, or carries units.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let (foot, wheel) = (world.nav().locomotor("foot").unwrap(), world.nav().locomotor("wheel").unwrap());
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let truck = world.add_type(UnitType { capacity: 4, ..UnitType::new("truck", wheel) })?;
    /// let squad = world.spawn_many(soldier, PlayerId(0), &[cell(3, 3), cell(4, 3)])?;
    /// let transport = world.spawn(truck, PlayerId(0), cell(5, 3))?;
    ///
    /// world.board(&squad, transport)?;
    /// assert_eq!((world.passengers(transport).count(), world.places_left(transport)), (2, Some(2)));
    /// world.order(&[transport], Order::move_to(cell(50, 40)))?;
    /// (0..600).for_each(|_| world.tick());
    /// assert_eq!(world.cell_of(squad[0]), Some(cell(50, 40)));
    ///
    /// world.unboard(&squad)?; // the truck itself takes the cell 50,40
    /// assert_eq!([0, 1].map(|unit| world.cell_of(squad[unit])), [Some(cell(50, 39)), Some(cell(49, 40))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn board(&mut self, units: &[UnitId], transport: UnitId) -> Result<(), CommandError> {
        let state = &mut self.state;
        let indices = state.indices_of(units)?;
        let carrier = state.units.index_of(transport).ok_or(CommandError::NoSuchUnit(transport))?;
        let capacity = state.type_of(carrier).map_or(0, |kind| u32::from(kind.capacity));
        if capacity == 0 {
            return Err(CommandError::NoTransport(transport));
        }
        if state.units.conditions.is_aboard(carrier) {
            return Err(CommandError::Aboard(transport));
        }
        let mut needed = state.load_of(transport);
        for &index in &indices {
            let Some(id) = state.units.id_at(index) else { continue };
            if index == carrier {
                return Err(CommandError::BoardsItself(id));
            }
            if state.units.conditions.is_aboard(index) {
                return Err(CommandError::Aboard(id));
            }
            if state.units.conditions.passengers(id).next().is_some() {
                return Err(CommandError::CarriesUnits(id));
            }
            needed += state.bulk_of(index);
        }
        if needed > capacity {
            return Err(CommandError::NoPlaces { transport, needed, capacity });
        }
        for &index in &indices {
            let Some(id) = state.units.id_at(index) else { continue };
            state.interrupt(index);
            let condition = state.units.conditions.get(index);
            let condition = Condition { carrier: transport, footing: Footing::Open, ..condition };
            state.units.conditions.set(index, condition);
            let place = state.units.place(index);
            state.units.body.crowd.carry(place);
            state.notices.add(id, News::Boarded(transport));
        }
        state.carry_passengers();
        state.units.body.crowd.wake_all();
        Ok(())
    }

    /// Lets units get out of their transports, each onto the free cell nearest to its transport, up to 12 cells away. A cell is free if it is open to the unit, the unit
    /// may stop there, and no other body is in the way.
    ///
    /// A unit faces as its transport does, gets [`EventKind::Unboarded`](crate::world::EventKind::Unboarded), and continues its orders in the next tick.
    ///
    /// # Errors
    /// No unit has got out after a [`CommandError`]. It names a unit that does not exist, is in no transport, or has no free cell near its transport.
    ///
    /// See [`World::board`] for an example.
    pub fn unboard(&mut self, units: &[UnitId]) -> Result<(), CommandError> {
        let state = &mut self.state;
        let indices = state.indices_of(units)?;
        let aboard = |&index: &usize| !state.units.conditions.is_aboard(index);
        if let Some(unit) =
            indices.iter().find(|index| aboard(index)).and_then(|&index| state.units.id_at(index))
        {
            return Err(CommandError::NotAboard(unit));
        }
        let places = state.places_outside(&indices, None);
        if let Some((&index, _)) = indices.iter().zip(&places).find(|(_, place)| place.is_none()) {
            let (unit, at) = (state.units.id_at(index).unwrap_or(UnitId::DEAD), state.units.cell(index));
            return Err(CommandError::NoFreeCell { unit, at });
        }
        for (&index, &at) in indices.iter().zip(&places) {
            if let Some(at) = at {
                state.let_out(index, at);
            }
        }
        state.units.body.crowd.wake_all();
        Ok(())
    }

    /// The units in a transport, by unit index. None if the unit does not exist.
    ///
    /// ```
    /// # use waymarch::base::{cell, GridSize};
    /// # use waymarch::config::Config;
    /// # use waymarch::cost::{Map, Rules};
    /// # use waymarch::world::{Navigator, PlayerId, UnitType, World};
    /// # let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// # let mut world = World::new(Navigator::new(map, Config::default())?);
    /// # let foot = world.nav().locomotor("foot").unwrap();
    /// # let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// # let truck = world.add_type(UnitType { capacity: 2, ..UnitType::vehicle("truck", foot) })?;
    /// # let unit = world.spawn(soldier, PlayerId(0), cell(3, 3))?;
    /// # let transport = world.spawn(truck, PlayerId(0), cell(4, 3))?;
    /// world.board(&[unit], transport)?;
    /// assert!(world.passengers(transport).eq([unit]));
    /// assert_eq!(world.unit(unit).unwrap().transport, Some(transport));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn passengers(&self, transport: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        let units = &self.state.units;
        let alive = units.index_of(transport).map(|_| transport);
        let indices = alive.into_iter().flat_map(|id| units.conditions.passengers(id));
        indices.filter_map(|index| units.id_at(index))
    }

    /// How many places are left in a transport, 0 for a unit that is none; `None` if the unit does not exist. See [`World::board`] for an example.
    #[must_use]
    pub fn places_left(&self, transport: UnitId) -> Option<u32> {
        let index = self.state.units.index_of(transport)?;
        let capacity = u32::from(self.state.type_of(index)?.capacity);
        Some(capacity.saturating_sub(self.state.load_of(transport)))
    }
}

impl State {
    fn bulk_of(&self, index: usize) -> u32 {
        self.type_of(index).map_or(1, |kind| u32::from(kind.bulk))
    }

    /// How many places of a transport are taken.
    fn load_of(&self, transport: UnitId) -> u32 {
        self.units.conditions.passengers(transport).map(|index| self.bulk_of(index)).sum()
    }

    /// Checks that a transport can carry its units after some units have become of type `new`.
    pub(super) fn check_load(
        &self,
        transport: UnitId,
        changed: &[usize],
        new: &UnitType,
    ) -> Result<(), CommandError> {
        let changes = |index: usize| changed.binary_search(&index).is_ok();
        let bulk = |index: usize| if changes(index) { u32::from(new.bulk) } else { self.bulk_of(index) };
        let needed: u32 = self.units.conditions.passengers(transport).map(bulk).sum();
        let capacity = match self.units.index_of(transport) {
            Some(index) if changes(index) => u32::from(new.capacity),
            Some(index) => self.type_of(index).map_or(0, |kind| u32::from(kind.capacity)),
            None => 0,
        };
        if needed > capacity { Err(CommandError::NoPlaces { transport, needed, capacity }) } else { Ok(()) }
    }

    /// Puts all units in transports where their transports are. *Cost:* nothing if there are no such units, else a pass over all units.
    pub(crate) fn carry_passengers(&mut self) {
        let Self { units, .. } = self;
        for index in units.conditions.special() {
            let carrier = units.conditions.carrier(index).and_then(|carrier| units.index_of(carrier));
            let Some(carrier) = carrier else { continue };
            let at = units.body.fine(carrier).plus(units.body.shift(units.body.kind[index]));
            let place = units.body.place(index);
            units.body.crowd.carry_to(place, at);
        }
    }

    /// The cells onto which units of transports can get out, one after the other; `None` for a unit without a free cell. The body of `except` is not in the way.
    pub(super) fn places_outside(&self, indices: &[usize], except: Option<usize>) -> Vec<Option<CellPos>> {
        let view = self.order_view();
        let mut out = Vec::with_capacity(indices.len());
        let mut around: Option<(CellPos, Standers)> = None;
        let mut placed: Vec<Stander> = Vec::new();
        for &index in indices {
            let at = self.units.cell(index);
            if around.as_ref().is_none_or(|(middle, _)| *middle != at) {
                let mut standers = Standers::around(&view, at, OUT_REACH, except);
                placed.iter().for_each(|&stander| standers.add(stander));
                around = Some((at, standers));
            }
            let (Some((_, standers)), Some(kind)) = (&mut around, self.type_of(index)) else {
                out.push(None);
                continue;
            };
            let layers = self.units.body.layers(index);
            let agent = self.units.agent(index, kind, self.nav().layer());
            let free =
                standers.free_cell(self.nav().layer(), (kind, agent, layers), (at, OUT_REACH), |_| true);
            if let Some(free) = free {
                let stander = Stander::in_cell(index, kind, layers, free);
                standers.add(stander);
                placed.push(stander);
            }
            out.push(free);
        }
        out
    }

    /// Gives a unit its body back, in the middle of a cell. It continues its orders, and joins its group again if there still is one.
    pub(super) fn let_out(&mut self, index: usize, at: CellPos) {
        let conditions = &mut self.units.conditions;
        let (Some(transport), Some(id)) = (conditions.carrier(index), self.units.body.id_at(index)) else {
            return;
        };
        let before = conditions.get(index);
        conditions.set(index, Condition { carrier: UnitId::DEAD, ..before });
        let place = self.units.place(index);
        let heading = match self.units.index_of(transport) {
            Some(carrier) => self.units.body.crowd.heading(self.units.place(carrier)),
            None => self.units.body.crowd.heading(place),
        };
        self.set_footing(index, Footing::Open);
        self.set_down(index, at, heading);
        self.notices.add(id, News::Unboarded(transport));
        let group = self.units.stage(index).and_then(|stage| self.groups.at_stage(stage)).map(|(id, _)| id);
        if let Some(group) = group.and_then(|id| self.groups.list.get_mut(id)) {
            group.reslot = if group.reslot == Reslot::All { Reslot::All } else { Reslot::Joined };
        }
    }

    /// Puts the body of a unit in the middle of a cell, at rest.
    pub(super) fn set_down(&mut self, index: usize, at: CellPos, heading: Angle) {
        let middle = Fine::centre(at).plus(self.units.shift(self.units.body.kind[index]));
        let place = self.units.place(index);
        self.units.body.crowd.set_down(place, middle, heading);
        self.units.reset_monitor(index);
    }
}
