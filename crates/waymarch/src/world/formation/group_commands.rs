//! Commands for groups that walk: units join, the formation changes, units halt to fight and resume their orders.

use alloc::vec::Vec;

use crate::base::Angle;
use crate::config::Config;
use crate::groups::{Formation, MAX_MEMBERS};
use crate::world::command::CommandError;
use crate::world::formation::placement::forms_groups;
use crate::world::groups::group::Reslot;
use crate::world::orders::order::{Order, OrderError};
use crate::world::orders::parts::OrderView;
use crate::world::orders::target::{Around, Fire, Target};
use crate::world::units::membership::GroupId;
use crate::world::units::order_progress::Phase;
use crate::world::units::order_queue::OrderStage;
use crate::world::units::unit::UnitId;
use crate::world::world::World;

impl World {
    /// Lets units join the group of the unit `with`. They drop their own orders, get its present order, and get slots in its group. A unit that joins
    /// when other members are in place gets a slot at the edge.
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
    /// let squad = world.spawn_many(soldier, PlayerId(0), &[cell(3, 3), cell(4, 3), cell(5, 3)])?;
    /// world.order(&squad, Order::move_to(cell(40, 40)))?;
    /// (0..50).for_each(|_| world.tick());
    /// let late = world.spawn(soldier, PlayerId(0), cell(10, 3))?;
    /// world.join(&[late], squad[0])?;
    /// world.tick();
    /// assert_eq!(world.group_of(late), world.group_of(squad[0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// No unit has joined after a [`CommandError`]. It names one of these:
    /// - a unit that does not exist, or a command without units;
    /// - the unit `with`, if it has no order;
    /// - a unit that would follow itself, or a target that does not exist any more;
    /// - a group that would have more than 8,192 members.
    pub fn join(&mut self, units: &[UnitId], with: UnitId) -> Result<(), CommandError> {
        let leader = self.state.units.index_of(with).ok_or(CommandError::NoSuchUnit(with))?;
        let stage = self.state.units.stage(leader).ok_or(CommandError::NothingToJoin(with))?;
        let OrderStage { order, leg } = stage;
        if units.is_empty() {
            return Err(CommandError::NoUnits);
        }
        if let Some(told) = self.state.orders.get(order) {
            check_units(&self.state.order_view(), units, told)?;
            let is_new = |unit: &&UnitId| {
                let index = self.state.units.index_of(**unit);
                index.is_some_and(|index| !self.state.units.is_under(index, order))
            };
            let joining: Vec<UnitId> = units.iter().filter(is_new).copied().collect();
            check_group_size(self.state.config(), &joining, told, self.state.orders.users(order))?;
        }
        for &unit in units {
            self.state.units.index_of(unit).ok_or(CommandError::NoSuchUnit(unit))?;
        }
        for &unit in units {
            let index = unit.index() as usize;
            if self.state.units.is_under(index, order) {
                continue;
            }
            self.state.order_parts().clear_orders(index);
            self.state.orders.hold(order);
            self.state.units.body.queue[index].0.push_back(order);
            self.state.units.progress[index].leg = leg;
        }
        let group = self.state.groups.at_stage(stage).map(|(id, _)| id);
        if let Some(group) = group.and_then(|id| self.state.groups.list.get_mut(id)) {
            group.reslot = if group.reslot == Reslot::All { Reslot::All } else { Reslot::Joined };
        }
        Ok(())
    }

    /// Gives the groups of these units another formation. All members get new slots at their goal, and keep walking.
    ///
    /// # Errors
    /// No group has changed after a [`CommandError`]. It names one of these:
    /// - a unit that does not exist, or a command without units;
    /// - a unit that is not in a group, or whose order has no formation: only move, attack-move, form and patrol have one;
    /// - a custom formation with too many slots.
    pub fn reform(
        &mut self,
        units: &[UnitId],
        formation: &Formation,
        facing: Option<Angle>,
    ) -> Result<(), CommandError> {
        if units.is_empty() {
            return Err(CommandError::NoUnits);
        }
        if let Formation::Custom(places) = formation {
            if places.len() > MAX_MEMBERS {
                return Err(OrderError::TooManyPlaces(places.len()).into());
            }
        }
        let mut groups = Vec::new();
        for &unit in units {
            let id = self.formed_group(unit)?;
            // Units of one group are mostly named one after another.
            if groups.last() != Some(&id) {
                groups.push(id);
            }
        }
        groups.sort_unstable();
        groups.dedup();
        for id in groups {
            if let Some(group) = self.state.groups.list.get_mut(id) {
                (group.formation, group.facing) = (Some(formation.clone()), facing);
                group.reslot = Reslot::All;
            }
        }
        Ok(())
    }

    /// The group of a unit, if its order has a formation.
    fn formed_group(&self, unit: UnitId) -> Result<GroupId, CommandError> {
        let index = self.state.units.index_of(unit).ok_or(CommandError::NoSuchUnit(unit))?;
        let none = CommandError::NotInFormation(unit);
        let stage = self.state.units.stage(index).ok_or(none.clone())?;
        let (id, _) = self.state.groups.at_stage(stage).ok_or(none.clone())?;
        match self.state.orders.get(stage.order) {
            Some(Order::Move(_) | Order::AttackMove { .. } | Order::Form { .. } | Order::Patrol(_)) => Ok(id),
            _ => Err(none),
        }
    }

    /// Halts units where they are, for a fight or another action of the game. They keep their orders and slots, and continue after
    /// [`World::resume`]. A new order that replaces theirs ends the halt too. Units without an order do not change.
    ///
    /// ```
    /// use waymarch::base::{cell, Fixed, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::query::Goal;
    /// use waymarch::world::{EventKind, Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let hero = world.spawn(soldier, PlayerId(0), cell(3, 3))?;
    /// let enemy = world.spawn(soldier, PlayerId(1), cell(30, 5))?;
    /// world.order(&[hero], Order::attack_move(Goal::point(cell(60, 3)), Fixed::from_cells(6)))?;
    /// let mut arrived = false;
    /// for _ in 0..900 {
    ///     world.tick();
    ///     let seen = world.events().iter().any(|event| event.what == EventKind::Sighted(enemy));
    ///     arrived |= world.events().iter().any(|event| event.what == EventKind::Arrived);
    ///     if seen {
    ///         world.engage(&[hero])?;
    ///         (0..40).for_each(|_| world.tick()); // the game plays a fight
    ///         world.remove(enemy)?;
    ///         world.resume(&[hero])?;
    ///     }
    /// }
    /// assert!(arrived && world.unit(enemy).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CommandError`] if a unit is gone, or if there are no units. No unit halts then.
    pub fn engage(&mut self, units: &[UnitId]) -> Result<(), CommandError> {
        self.all_live(units)?;
        for &unit in units {
            let index = unit.index() as usize;
            if self.state.units.body.queue[index].0.is_empty() || self.state.units.progress[index].halted {
                continue;
            }
            self.state.order_parts().stop(index);
            self.state.units.reset_monitor(index);
            self.state.units.progress[index].halted = true;
        }
        Ok(())
    }

    /// Lets units that [`World::engage`] halted resume their orders. Other units do not change.
    ///
    /// # Errors
    /// [`CommandError`] if a unit is gone, or if there are no units. No unit resumes its order then.
    pub fn resume(&mut self, units: &[UnitId]) -> Result<(), CommandError> {
        self.all_live(units)?;
        for &unit in units {
            let index = unit.index() as usize;
            if !self.state.units.progress[index].halted {
                continue;
            }
            self.state.units.reset_monitor(index);
            let progress = &mut self.state.units.progress[index];
            progress.halted = false;
            if progress.phase == Phase::Going {
                progress.phase = Phase::Asking;
            }
        }
        Ok(())
    }

    fn all_live(&self, units: &[UnitId]) -> Result<(), CommandError> {
        if units.is_empty() {
            return Err(CommandError::NoUnits);
        }
        match units.iter().find(|&&unit| self.state.units.index_of(unit).is_none()) {
            Some(&unit) => Err(CommandError::NoSuchUnit(unit)),
            None => Ok(()),
        }
    }
}

/// Refuses an order that would make a group larger than [`MAX_MEMBERS`]. A unit named twice counts once.
pub(crate) fn check_group_size(
    config: &Config,
    units: &[UnitId],
    order: &Order,
    members: usize,
) -> Result<(), CommandError> {
    if members + units.len() <= MAX_MEMBERS || !forms_groups(order, config) {
        return Ok(());
    }
    let mut different = units.to_vec();
    different.sort_unstable();
    different.dedup();
    match members + different.len() {
        count if count > MAX_MEMBERS => Err(CommandError::TooManyMembers(count)),
        _ => Ok(()),
    }
}

/// Checks whether units can get an order, as far as that depends on the units and on the order's target.
pub(crate) fn check_units(view: &OrderView<'_>, units: &[UnitId], order: &Order) -> Result<(), CommandError> {
    let itself = |target: &UnitId| units.contains(target);
    match order {
        Order::Follow { target, .. } => {
            if itself(target) {
                return Err(CommandError::FollowsItself(*target));
            }
            view.units.index_of(*target).ok_or(OrderError::NoTarget(*target))?;
        }
        Order::FollowGroup { units: others, .. } => {
            let mut known = others.clone();
            known.sort_unstable();
            if let Some(&own) = units.iter().find(|unit| known.binary_search(unit).is_ok()) {
                return Err(CommandError::FollowsItself(own));
            }
            if let (None, Some(&first)) = (view.lead_of(others), others.first()) {
                return Err(OrderError::NoTarget(first).into());
            }
        }
        Order::Guard { target, .. } | Order::Around { target, .. } => {
            match target {
                Target::Unit(unit) if itself(unit) => return Err(CommandError::FollowsItself(*unit)),
                _ => view.check_target(target)?,
            }
            if let Order::Around { how: Around::InRange { fire: Fire::Along(id), .. }, .. } = order {
                let layer = view.service.nav().layer();
                layer.field((*id).into()).ok_or(OrderError::NoLocomotor(*id))?;
            }
        }
        _ => {}
    }
    Ok(())
}
