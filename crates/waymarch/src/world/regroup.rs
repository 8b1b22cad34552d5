//! Commands for groups under way: others join, the formation changes, units halt to fight and go on.

use super::command::CommandError;
use super::errand::Phase;
use super::group::{GroupId, News};
use super::orders::{Order, OrderError};
use super::simulation::World;
use super::units::UnitId;
use crate::base::Angle;
use crate::groups::{Formation, MAX_MEMBERS};

impl World {
    /// Lets units join another: they are told what it is told at present, in place of what they were to do, and have slots in its group. Who comes when
    /// others are there already stands at the edge.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000());
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
    /// [`CommandError`] naming a unit that is gone, or one to join that has no order.
    pub fn join(&mut self, units: &[UnitId], with: UnitId) -> Result<(), CommandError> {
        let leader = self.units.slot(with).ok_or(CommandError::NoSuchUnit(with))?;
        let order = *self.units.queue[leader].0.front().ok_or(CommandError::NothingToJoin(with))?;
        if units.is_empty() {
            return Err(CommandError::NoUnits);
        }
        if let Some(told) = self.orders.get(order) {
            self.check_units(units, told)?;
        }
        for &unit in units {
            self.units.slot(unit).ok_or(CommandError::NoSuchUnit(unit))?;
        }
        let leg = self.units.errand[leader].leg;
        for &unit in units {
            let slot = unit.index() as usize;
            if self.units.queue[slot].0.front() == Some(&order) {
                continue;
            }
            self.clear_orders(slot);
            self.orders.hold(order);
            self.units.queue[slot].0.push_back(order);
            self.units.errand[slot].leg = leg;
        }
        let group = self.groups.of_order(order, leg).map(|(id, _)| id);
        if let Some(group) = group.and_then(|id| self.groups.list.get_mut(id)) {
            group.news = if group.news == News::Anew { News::Anew } else { News::Joined };
        }
        Ok(())
    }

    /// Lets the groups that units are under way with stand in another formation: slots are made anew where they go, and all keep going.
    ///
    /// # Errors
    /// [`CommandError`] naming a unit that is gone, or that is not under way with a group to a place where it could stand in formation.
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
        for &unit in units {
            self.formed_group(unit)?;
        }
        for &unit in units {
            let id = self.formed_group(unit)?;
            if let Some(group) = self.groups.list.get_mut(id) {
                (group.formation, group.facing) = (Some(formation.clone()), facing);
                group.news = News::Anew;
            }
        }
        Ok(())
    }

    /// The group that a unit is under way with, to stand in formation.
    fn formed_group(&self, unit: UnitId) -> Result<GroupId, CommandError> {
        let slot = self.units.slot(unit).ok_or(CommandError::NoSuchUnit(unit))?;
        let none = CommandError::NotInFormation(unit);
        let &order = self.units.queue[slot].0.front().ok_or(none.clone())?;
        let (id, group) = self
            .groups
            .of_order(order, self.units.errand[slot].leg)
            .ok_or(CommandError::NotInFormation(unit))?;
        match self.orders.get(group.order) {
            Some(Order::Move(_) | Order::AttackMove { .. } | Order::Form { .. } | Order::Patrol(_)) => Ok(id),
            _ => Err(none),
        }
    }

    /// Lets units halt where they are: the game says so when they are to fight, or to do anything else of its own. They keep their orders and their
    /// places in groups, and go on when they are told to [`World::resume`]. An order that takes the place of theirs ends it too. Who has
    /// nothing to do goes on doing nothing.
    ///
    /// ```
    /// use waymarch::base::{cell, Fixed, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::query::Goal;
    /// use waymarch::world::{EventKind, Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000());
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
    ///         (0..40).for_each(|_| world.tick()); // a fight, which the game knows how to fight
    ///         world.remove(enemy)?;
    ///         world.resume(&[hero])?;
    ///     }
    /// }
    /// assert!(arrived && world.unit(enemy).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CommandError::NoSuchUnit`] for one that is gone; nobody halts then.
    pub fn engage(&mut self, units: &[UnitId]) -> Result<(), CommandError> {
        self.all_live(units)?;
        for &unit in units {
            let slot = unit.index() as usize;
            if self.units.queue[slot].0.is_empty() || self.units.errand[slot].halted {
                continue;
            }
            self.stop(slot);
            self.reset_stuck(slot);
            self.units.errand[slot].halted = true;
        }
        Ok(())
    }

    /// Lets units that [`World::engage`] halted take up their orders again. Others go on as they do.
    ///
    /// # Errors
    /// [`CommandError::NoSuchUnit`] for one that is gone; nobody goes on then.
    pub fn resume(&mut self, units: &[UnitId]) -> Result<(), CommandError> {
        self.all_live(units)?;
        for &unit in units {
            let slot = unit.index() as usize;
            if !self.units.errand[slot].halted {
                continue;
            }
            self.reset_stuck(slot);
            let errand = &mut self.units.errand[slot];
            errand.halted = false;
            if errand.phase == Phase::Going {
                errand.phase = Phase::Asking;
            }
        }
        Ok(())
    }

    fn all_live(&self, units: &[UnitId]) -> Result<(), CommandError> {
        if units.is_empty() {
            return Err(CommandError::NoUnits);
        }
        match units.iter().find(|&&unit| self.units.slot(unit).is_none()) {
            Some(&unit) => Err(CommandError::NoSuchUnit(unit)),
            None => Ok(()),
        }
    }

    /// That units can be told an order, as far as that depends on who they are and on what it is about.
    pub(super) fn check_units(&self, units: &[UnitId], order: &Order) -> Result<(), CommandError> {
        use super::target::{Around, Fire, Target};
        let itself = |target: &UnitId| units.contains(target);
        match order {
            Order::Follow { target, .. } => {
                if itself(target) {
                    return Err(CommandError::FollowsItself(*target));
                }
                self.units.slot(*target).ok_or(OrderError::NoTarget(*target))?;
            }
            Order::FollowGroup { units: others, .. } => {
                let mut known = others.clone();
                known.sort_unstable();
                if let Some(&own) = units.iter().find(|unit| known.binary_search(unit).is_ok()) {
                    return Err(CommandError::FollowsItself(own));
                }
                if let (None, Some(&first)) = (self.lead_of(others), others.first()) {
                    return Err(OrderError::NoTarget(first).into());
                }
            }
            Order::Guard { target, .. } | Order::Around { target, .. } => {
                match target {
                    Target::Unit(unit) if itself(unit) => return Err(CommandError::FollowsItself(*unit)),
                    _ => self.check_target(target)?,
                }
                if let Order::Around { how: Around::InRange { fire: Fire::Along(id), .. }, .. } = order {
                    let layer = self.service.nav().layer();
                    layer.field((*id).into()).ok_or(OrderError::NoLocomotor(*id))?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}
