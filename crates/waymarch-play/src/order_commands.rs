//! Turns the order messages of pages into commands. Commands are recorded.

use std::collections::{BTreeMap, BTreeSet};

use waymarch::base::{Angle, CellPos, Fixed, Vec2};
use waymarch::config::FormationType;
use waymarch::groups::{Formation, FormationLayout, MAX_MEMBERS};
use waymarch::query::Goal;
use waymarch::world::{Around, Command, Order, Target, UnitId, When};

use crate::game::Game;
use crate::page_message::{OrderKind, OrderRequest};

/// Units with the same orders: the number of their present order, all their orders, and the units.
type Company = (Option<u32>, Vec<Order>, Vec<UnitId>);

impl Game {
    pub(crate) fn order(&mut self, told: &OrderRequest) -> Result<(), String> {
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
        // A group has at most `MAX_MEMBERS` units, so more units get several orders. The World refuses an order without units.
        if units.is_empty() {
            return self.give(Command::Order { units, order, when });
        }
        units.chunks(MAX_MEMBERS).try_for_each(|units| {
            self.give_to(units, Command::Order { units: units.to_vec(), order: order.clone(), when })
        })
    }

    /// The order that a message means.
    fn order_of(&self, told: &OrderRequest, units: &[UnitId]) -> Result<Order, String> {
        let cell = || told.x.zip(told.y).map(|(x, y)| CellPos::new(x, y)).ok_or("`x` and `y` are missing");
        let cells = |usual: u16| Fixed::from_cells(i32::from(told.distance.unwrap_or(usual).min(1000)));
        let formation = told.formation.as_deref().map(formation_named).transpose()?;
        if formation.is_some() && told.order != OrderKind::Move {
            return Err(String::from("`formation` is only allowed with `move`"));
        }
        if told.facing.is_some() && !matches!(told.order, OrderKind::Move | OrderKind::Dock) {
            return Err(String::from("`facing` is only allowed with `move` and `dock`"));
        }
        let facing = told.facing.map(Angle);
        let length = |cells: Option<i32>| Fixed::from_raw(cells.unwrap_or_default());
        let layout = FormationLayout {
            spacing: length(told.spacing),
            width: length(told.width),
            ..FormationLayout::default()
        };
        if layout != FormationLayout::default() && told.order != OrderKind::Move {
            return Err(String::from("`spacing` and `width` are only allowed with `move`"));
        }
        let order = match told.order {
            OrderKind::Move => match (formation, facing) {
                (None, None) if layout == FormationLayout::default() => Order::move_to(cell()?),
                (formation, facing) => {
                    let formation = formation.unwrap_or_else(|| self.config().formation_type.into());
                    Order::Form { at: cell()?, formation, facing, layout }
                }
            },
            OrderKind::Attack => Order::attack_move(Goal::point(cell()?), cells(8)),
            OrderKind::Patrol => Order::Patrol(told.stops.iter().map(|&[x, y]| CellPos::new(x, y)).collect()),
            OrderKind::Follow => Order::follow(self.unit_told(told)?, cells(2)),
            OrderKind::FollowGroup => {
                Order::FollowGroup { units: self.companions(self.unit_told(told)?), distance: cells(3) }
            }
            OrderKind::Guard => Order::guard(self.target(told)?, cells(8)),
            OrderKind::Range => {
                let least = Fixed::from_cells(i32::from(told.least.unwrap_or(3).min(1000)));
                Order::around(self.target(told)?, Around::in_range(least, cells(8)))
            }
            OrderKind::Surround => Order::around(self.target(told)?, Around::Surround),
            OrderKind::Park => Order::around(self.target(told)?, Around::Park),
            OrderKind::Dock => {
                let target = self.target(told)?;
                let queue = facing.unwrap_or_else(|| self.side_of(target, units));
                Order::around(target, Around::Dock { queue })
            }
            OrderKind::Scatter => Order::Scatter { distance: cells(6) },
            OrderKind::Stop => Order::Stop,
            OrderKind::Hold => Order::Hold,
        };
        Ok(order)
    }

    /// The unit that a message names.
    fn unit_told(&self, told: &OrderRequest) -> Result<UnitId, String> {
        let index = told.target.ok_or("`target` is missing")?;
        self.unit(index).ok_or_else(|| format!("there is no unit {index}"))
    }

    /// The target of a message: the unit it names, or the stamp on the cell, or the cell.
    fn target(&self, told: &OrderRequest) -> Result<Target, String> {
        if told.target.is_some() {
            return self.unit_told(told).map(Target::Unit);
        }
        let at = told.x.zip(told.y).map(|(x, y)| CellPos::new(x, y));
        let at = at.ok_or("`target`, or `x` and `y`, are missing")?;
        let stamp = self.world().nav().layer().stamps_on(at).map(|(id, _)| id).max();
        Ok(stamp.map_or(Target::Cell(at), Target::Stamp))
    }

    /// The direction from a target to the middle of the units.
    fn side_of(&self, target: Target, units: &[UnitId]) -> Angle {
        let Some(to) = self.place_of(target) else { return Angle::ZERO };
        let (mut x, mut y) = (0_i64, 0_i64);
        for unit in units.iter().filter_map(|&unit| self.world().unit(unit)) {
            x += i64::from(unit.position.x.raw()) - i64::from(to.x.raw());
            y += i64::from(unit.position.y.raw()) - i64::from(to.y.raw());
        }
        let count = units.len().max(1) as i64;
        // A mean of differences between positions on the map fits into an `i32`.
        let mean = |sum: i64| Fixed::from_raw((sum / count) as i32);
        Vec2 { x: mean(x), y: mean(y) }.angle()
    }

    /// The middle of a target; `None` if it no longer exists.
    pub(crate) fn place_of(&self, target: Target) -> Option<Vec2> {
        crate::unit_details::target_place(self.world(), target)
    }

    /// All units with the same present order as `unit`, itself included.
    fn companions(&self, unit: UnitId) -> Vec<UnitId> {
        let world = self.world();
        let Some(number) = world.order_number(unit) else { return vec![unit] };
        let all = world.positions().map(|(id, _)| id);
        all.filter(|&id| world.order_number(id) == Some(number)).collect()
    }

    /// Groups units by their present order and their queued orders.
    fn companies(&self, indices: &[u32]) -> Vec<Company> {
        let mut told: Vec<Company> = Vec::new();
        for unit in self.units(indices) {
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

    /// Gives units their orders again, so that they form a group of their own.
    fn repeat_orders(&mut self, units: &[UnitId], orders: Vec<Order>) -> Result<(), String> {
        let when = std::iter::once(When::Now).chain(std::iter::repeat(When::Queued));
        orders.into_iter().zip(when).try_for_each(|(order, when)| {
            self.give_to(units, Command::Order { units: units.to_vec(), order, when })
        })
    }

    /// Changes the formation of units that have orders, now and in all their queued orders; returns how many changed.
    /// A whole group re-forms while it walks. Units that share an order stay together.
    pub(crate) fn form(&mut self, indices: &[u32], word: &str, facing: Option<u16>) -> Result<u32, String> {
        let (formation, facing) = (formation_named(word)?, facing.map(Angle));
        let (mut count, all) = (0, self.headcounts());
        for (number, orders, units) in self.companies(indices) {
            let shaped = |order: &Order| match order.clone().formation(formation.clone()) {
                Order::Form { at, formation, facing: old, layout } => {
                    // What has no effect on the new formation is dropped: the World would refuse the order.
                    let layout = layout.for_formation(&formation);
                    Order::Form { at, formation, facing: facing.or(old), layout }
                }
                other => other,
            };
            let formed: Vec<Order> = orders.iter().map(shaped).collect();
            // Re-form the walking group if it is whole and has no queued orders, or if its order has no formation to change.
            let whole = number.and_then(|number| all.get(&number)) == Some(&units.len());
            let changes = formed != orders;
            let as_it_walks = if changes { whole && orders.len() == 1 } else { whole };
            if as_it_walks && self.has_taken(&units, &formation, facing) {
                continue;
            }
            let command = Command::Reform { units: units.clone(), formation: formation.clone(), facing };
            // Units without a group cannot re-form: they have not started yet, or walk alone.
            if (as_it_walks && self.give_to(&units, command).is_ok())
                || (changes && self.repeat_orders(&units, formed).map(|()| true)?)
            {
                count += units.len() as u32;
            }
        }
        Ok(count)
    }

    /// Whether all units already have that formation, by a command during the walk or by their order.
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

    /// Gives units the orders of another unit, in its group.
    pub(crate) fn join(&mut self, indices: &[u32], with: u32) -> Result<(), String> {
        let leader = self.unit(with).ok_or_else(|| format!("there is no unit {with}"))?;
        let units: Vec<UnitId> = self.units(indices).into_iter().filter(|unit| *unit != leader).collect();
        self.give_to(&units.clone(), Command::Join { units, with: leader })
    }

    /// Takes units out of their groups and makes new groups of them; returns how many. Whole groups stay as they are.
    pub(crate) fn split(&mut self, indices: &[u32]) -> Result<u32, String> {
        let (mut count, all) = (0, self.headcounts());
        for (number, orders, units) in self.companies(indices) {
            if number.is_some_and(|number| all.get(&number) != Some(&units.len())) {
                count += units.len() as u32;
                self.repeat_orders(&units, orders)?;
            }
        }
        Ok(count)
    }

    /// Units halt and keep their orders.
    pub(crate) fn engage(&mut self, indices: &[u32]) -> Result<(), String> {
        let units = self.units(indices);
        self.give_to(&units.clone(), Command::Engage(units))
    }

    /// Units that halted continue their orders.
    pub(crate) fn resume(&mut self, indices: &[u32]) -> Result<(), String> {
        let units = self.units(indices);
        self.give_to(&units.clone(), Command::Resume(units))
    }
}

/// The formation with that name.
fn formation_named(word: &str) -> Result<Formation, String> {
    let found = FormationType::ALL.iter().find(|named| named.name() == word);
    found.map(|&named| named.into()).ok_or_else(|| {
        let names: Vec<&str> = FormationType::ALL.iter().map(|named| named.name()).collect();
        format!("there is no formation `{word}`; use one of {}", names.join(", "))
    })
}
