//! Speed factors, and units that enemies do not see.

use alloc::vec::Vec;

use crate::avoid::{MAX_SPEED, MIN_SPEED};
use crate::world::command::CommandError;
use crate::world::state::State;
use crate::world::units::condition::{Concealment, Condition};
use crate::world::units::membership::GroupId;
use crate::world::units::unit::UnitId;
use crate::world::world::World;

impl World {
    /// Slows units, or hastens them: their speed becomes `percent` per cent of their type's, 10 to 300. 100 is the usual speed.
    ///
    /// The speed factors of terrain and the pace of groups apply to this speed. A hastened unit is never faster than one cell per tick, or on fast ground than 3 times its type. A
    /// group walks as fast as its slowest member. Estimates such as [`World::ticks_left`], and the checks for units without progress, know the factor. To root a unit to
    /// the spot, use [`World::engage`].
    ///
    /// # Errors
    /// [`CommandError`] if a unit does not exist, there are no units, or the factor is out of range. No unit has changed then.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let unit = world.spawn(soldier, PlayerId(0), cell(3, 3))?;
    /// world.order(&[unit], Order::move_to(cell(43, 3)))?;
    /// world.tick();
    /// let usual = world.ticks_left(&[unit])?.ticks;
    /// world.set_speed(&[unit], 50)?; // slowed by a spell
    /// let slowed = world.ticks_left(&[unit])?.ticks;
    /// assert!(slowed > 2 * usual - 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_speed(&mut self, units: &[UnitId], percent: u16) -> Result<(), CommandError> {
        let state = &mut self.state;
        let indices = state.indices_of(units)?;
        if !(MIN_SPEED..=MAX_SPEED).contains(&percent) {
            return Err(CommandError::Speed(percent));
        }
        let mut groups = Vec::new();
        for index in indices {
            let place = state.units.place(index);
            state.units.body.crowd.set_speed_percent(place, percent);
            groups.extend(state.group_under_way(index));
        }
        groups.sort_unstable();
        groups.dedup();
        groups.into_iter().for_each(|group| state.measure_speed(group));
        Ok(())
    }

    /// Hides units from enemies, or shows them again: units that are cloaked or burrowed.
    ///
    /// Enemies on an attack-move do not report a hidden unit as [`Sighted`](crate::world::EventKind::Sighted), and questions with
    /// [`UnitFilter::seen_by`](crate::world::UnitFilter::seen_by) leave it out. The unit is as solid as before: other units avoid it and go around it.
    ///
    /// # Errors
    /// [`CommandError`] if a unit does not exist, or there are no units. No unit has changed then.
    ///
    /// ```
    /// use waymarch::base::{cell, Fixed, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::query::Goal;
    /// use waymarch::world::{Concealment, EventKind, Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let unit = world.spawn(soldier, PlayerId(0), cell(3, 3))?;
    /// let spy = world.spawn(soldier, PlayerId(1), cell(8, 5))?;
    /// world.set_concealment(&[spy], Concealment::Hidden)?;
    /// world.order(&[unit], Order::attack_move(Goal::point(cell(40, 3)), Fixed::from_cells(9)))?;
    /// for _ in 0..100 {
    ///     world.tick();
    ///     assert!(!world.events().iter().any(|event| event.what == EventKind::Sighted(spy)));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_concealment(
        &mut self,
        units: &[UnitId],
        concealment: Concealment,
    ) -> Result<(), CommandError> {
        let state = &mut self.state;
        for index in state.indices_of(units)? {
            let before = state.units.conditions.get(index);
            state.units.conditions.set(index, Condition { concealment, ..before });
        }
        Ok(())
    }
}

impl State {
    /// The group whose order a unit carries out, or will carry out.
    fn group_under_way(&self, index: usize) -> Option<GroupId> {
        let own = self.units.membership(index).map(|own| own.group);
        let own = own.filter(|&group| self.groups.list.contains(group));
        own.or_else(|| self.groups.at_stage(self.units.stage(index)?).map(|(id, _)| id))
    }

    /// Measures the speed of a group again: that of its slowest member that has the group's order. *Cost:* a pass over all units.
    fn measure_speed(&mut self, id: GroupId) {
        let Some(group) = self.groups.list.get(id) else { return };
        let is_member = |index: usize| {
            let own = self.units.membership(index).is_some_and(|own| own.group == id);
            (own || group.pending.get(index as u32).is_some())
                && self.units.has_order(index, group.stage.order)
        };
        let members = (0..self.units.column_len()).filter(|&index| is_member(index));
        let speed = members.filter_map(|index| Some(self.units.speed(index, self.type_of(index)?))).min();
        if let (Some(group), Some(speed)) = (self.groups.list.get_mut(id), speed) {
            group.speed = speed;
        }
    }
}
