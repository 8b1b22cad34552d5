//! Orders that pages give: words become commands, recorded like all others.

use std::collections::{BTreeMap, BTreeSet};

use waymarch::base::{Angle, CellPos, Fixed, Vec2};
use waymarch::config::FormationType;
use waymarch::groups::Formation;
use waymarch::query::Goal;
use waymarch::world::{Around, Command, Order, Target, UnitId, When};

use crate::game::Game;
use crate::message::{OrderWord, Told};

/// Who was told together: the number of the order, what else is to be done, and who.
type Company = (Option<u32>, Vec<Order>, Vec<UnitId>);

impl Game {
    pub(crate) fn order(&mut self, told: &Told) -> Result<(), String> {
        let mut units = self.units(&told.units);
        let order = self.order_of(told, &units)?;
        let others: BTreeSet<UnitId> = match &order {
            Order::Follow { target, .. }
            | Order::Guard { target: Target::Unit(target), .. }
            | Order::Around { target: Target::Unit(target), .. } => BTreeSet::from([*target]),
            Order::FollowGroup { units, .. } => units.iter().copied().collect(),
            _ => BTreeSet::new(),
        };
        units.retain(|unit| !others.contains(unit));
        let when = if told.queue { When::Queued } else { When::Now };
        self.give(Command::Order { units, order, when })
    }

    /// The order that the words of a message mean.
    fn order_of(&self, told: &Told, units: &[UnitId]) -> Result<Order, String> {
        let cell = || told.x.zip(told.y).map(|(x, y)| CellPos::new(x, y)).ok_or("`x` and `y` are missing");
        let cells = |usual: u16| Fixed::from_cells(i32::from(told.distance.unwrap_or(usual).min(1000)));
        let formation = told.formation.as_deref().map(formation_named).transpose()?;
        if formation.is_some() && told.order != OrderWord::Move {
            return Err(String::from("`formation` goes with `move` only"));
        }
        if told.facing.is_some() && !matches!(told.order, OrderWord::Move | OrderWord::Dock) {
            return Err(String::from("`facing` goes with `move` and `dock` only"));
        }
        let facing = told.facing.map(Angle);
        let order = match told.order {
            OrderWord::Move => match (formation, facing) {
                (None, None) => Order::move_to(cell()?),
                (formation, facing) => {
                    let formation = formation.unwrap_or_else(|| self.config().formation_type.into());
                    Order::Form { at: cell()?, formation, facing }
                }
            },
            OrderWord::Attack => Order::attack_move(Goal::point(cell()?), cells(8)),
            OrderWord::Patrol => Order::Patrol(told.stops.iter().map(|&[x, y]| CellPos::new(x, y)).collect()),
            OrderWord::Follow => Order::follow(self.unit_told(told)?, cells(2)),
            OrderWord::FollowGroup => {
                Order::FollowGroup { units: self.companions(self.unit_told(told)?), distance: cells(3) }
            }
            OrderWord::Guard => Order::guard(self.target(told)?, cells(8)),
            OrderWord::Range => {
                let least = Fixed::from_cells(i32::from(told.least.unwrap_or(3).min(1000)));
                Order::around(self.target(told)?, Around::in_range(least, cells(8)))
            }
            OrderWord::Surround => Order::around(self.target(told)?, Around::Surround),
            OrderWord::Park => Order::around(self.target(told)?, Around::Park),
            OrderWord::Dock => {
                let target = self.target(told)?;
                let queue = facing.unwrap_or_else(|| self.side_of(target, units));
                Order::around(target, Around::Dock { queue })
            }
            OrderWord::Scatter => Order::Scatter { distance: cells(6) },
            OrderWord::Stop => Order::Stop,
            OrderWord::Hold => Order::Hold,
        };
        Ok(order)
    }

    /// The unit that a message names.
    fn unit_told(&self, told: &Told) -> Result<UnitId, String> {
        let slot = told.target.ok_or("`target` is missing")?;
        self.unit(slot).ok_or_else(|| format!("there is no unit {slot}"))
    }

    /// What a message is about: the unit it names, or what stands at the place, or the place.
    fn target(&self, told: &Told) -> Result<Target, String> {
        if told.target.is_some() {
            return self.unit_told(told).map(Target::Unit);
        }
        let at = told.x.zip(told.y).map(|(x, y)| CellPos::new(x, y));
        let at = at.ok_or("`target`, or `x` and `y` are missing")?;
        let stamp = self.world().nav().layer().stamps_on(at).map(|(id, _)| id).max();
        Ok(stamp.map_or(Target::Cell(at), Target::Stamp))
    }

    /// On which side of a target most of the units are.
    fn side_of(&self, target: Target, units: &[UnitId]) -> Angle {
        let Some(to) = self.place_of(target) else { return Angle::ZERO };
        let (mut x, mut y) = (0_i64, 0_i64);
        for unit in units.iter().filter_map(|&unit| self.world().unit(unit)) {
            x += i64::from(unit.position.x.raw()) - i64::from(to.x.raw());
            y += i64::from(unit.position.y.raw()) - i64::from(to.y.raw());
        }
        let count = units.len().max(1) as i64;
        // Means of differences of places on the map: they fit again.
        let mean = |sum: i64| Fixed::from_raw((sum / count) as i32);
        Vec2 { x: mean(x), y: mean(y) }.angle()
    }

    /// The middle of a target; `None` if it is gone.
    pub(crate) fn place_of(&self, target: Target) -> Option<Vec2> {
        crate::details::target_place(self.world(), target)
    }

    /// Those who are told what a unit is told, itself included.
    fn companions(&self, unit: UnitId) -> Vec<UnitId> {
        let world = self.world();
        let Some(number) = world.order_number(unit) else { return vec![unit] };
        let all = world.positions().map(|(id, _)| id);
        all.filter(|&id| world.order_number(id) == Some(number)).collect()
    }

    /// Units by what they are told: the same present order and the same plans.
    fn companies(&self, slots: &[u32]) -> Vec<Company> {
        let mut told: Vec<Company> = Vec::new();
        for unit in self.units(slots) {
            let world = self.world();
            let number = world.order_number(unit);
            let same =
                |(other, plans, _): &&mut Company| *other == number && world.orders_of(unit).eq(plans.iter());
            match told.iter_mut().find(same) {
                Some((.., units)) => units.push(unit),
                None => told.push((number, world.orders_of(unit).cloned().collect(), vec![unit])),
            }
        }
        told
    }

    /// How many units have each order.
    fn headcounts(&self) -> BTreeMap<u32, usize> {
        let mut counts = BTreeMap::new();
        for number in self.world().positions().filter_map(|(id, _)| self.world().order_number(id)) {
            *counts.entry(number).or_insert(0) += 1;
        }
        counts
    }

    /// Tells units the same as before, one order after another: who was told with others goes by itself from now on.
    fn tell_anew(&mut self, units: &[UnitId], orders: Vec<Order>) -> Result<(), String> {
        let when = std::iter::once(When::Now).chain(std::iter::repeat(When::Queued));
        orders
            .into_iter()
            .zip(when)
            .try_for_each(|(order, when)| self.give(Command::Order { units: units.to_vec(), order, when }))
    }

    /// Units that are on their way somewhere go on in another formation, and take it for all that they are to do after that; how many do.
    /// A whole group changes while it walks; those who were told together stay together.
    pub(crate) fn form(&mut self, slots: &[u32], word: &str, facing: Option<u16>) -> Result<u32, String> {
        let (formation, facing) = (formation_named(word)?, facing.map(Angle));
        let (mut count, all) = (0, self.headcounts());
        for (number, orders, units) in self.companies(slots) {
            let shaped = |order: &Order| match order.clone().formation(formation.clone()) {
                Order::Form { at, formation, facing: old } => {
                    Order::Form { at, formation, facing: facing.or(old) }
                }
                other => other,
            };
            let formed: Vec<Order> = orders.iter().map(shaped).collect();
            // A whole group with nothing else to do, or one whose order has no formation of its own.
            let whole = number.and_then(|number| all.get(&number)) == Some(&units.len());
            let changes = formed != orders;
            let as_it_walks = if changes { whole && orders.len() == 1 } else { whole };
            if as_it_walks && self.has_taken(&units, &formation, facing) {
                continue;
            }
            let command = Command::Reform { units: units.clone(), formation: formation.clone(), facing };
            // Who has not set out yet, or walks alone, has no group that could change.
            if (as_it_walks && self.give(command).is_ok())
                || (changes && self.tell_anew(&units, formed).map(|()| true)?)
            {
                count += units.len() as u32;
            }
        }
        Ok(count)
    }

    /// Whether units go in that formation already: they were told so on their way, or by their order.
    fn has_taken(&self, units: &[UnitId], formation: &Formation, facing: Option<Angle>) -> bool {
        let world = self.world();
        units.iter().all(|&unit| {
            let told = match world.orders_of(unit).next() {
                Some(Order::Form { formation, facing, .. }) => Some((formation, *facing)),
                _ => None,
            };
            let taken = world.group_of(unit).and_then(|group| world.formation_of(group)).or(told);
            taken.is_some_and(|(taken, looks)| taken == formation && (facing.is_none() || looks == facing))
        })
    }

    /// Units do what another does from now on, in its group.
    pub(crate) fn join(&mut self, slots: &[u32], with: u32) -> Result<(), String> {
        let leader = self.unit(with).ok_or_else(|| format!("there is no unit {with}"))?;
        let units = self.units(slots).into_iter().filter(|unit| *unit != leader).collect();
        self.give(Command::Join { units, with: leader })
    }

    /// Units leave their groups and go on as groups of their own; how many do. Whole groups stay what they are.
    pub(crate) fn split(&mut self, slots: &[u32]) -> Result<u32, String> {
        let (mut count, all) = (0, self.headcounts());
        for (number, orders, units) in self.companies(slots) {
            if number.is_some_and(|number| all.get(&number) != Some(&units.len())) {
                count += units.len() as u32;
                self.tell_anew(&units, orders)?;
            }
        }
        Ok(count)
    }

    /// Units halt where they are and keep their orders.
    pub(crate) fn engage(&mut self, slots: &[u32]) -> Result<(), String> {
        let units = self.units(slots);
        self.give(Command::Engage(units))
    }

    /// Units that halted go on.
    pub(crate) fn resume(&mut self, slots: &[u32]) -> Result<(), String> {
        let units = self.units(slots);
        self.give(Command::Resume(units))
    }
}

/// The formation of that name.
fn formation_named(word: &str) -> Result<Formation, String> {
    let found = FormationType::ALL.iter().find(|named| named.name() == word);
    found.map(|&named| named.into()).ok_or_else(|| {
        let names: Vec<&str> = FormationType::ALL.iter().map(|named| named.name()).collect();
        format!("there is no formation `{word}`, only {}", names.join(", "))
    })
}
