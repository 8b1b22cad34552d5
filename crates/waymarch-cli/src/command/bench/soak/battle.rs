//! The game of the soak: two players, orders to random squads, buildings that come and go, deaths and new units.

use waymarch::base::{CellPos, CellRect, Fixed, Purpose, Rng, Tick};
use waymarch::config::Config;
use waymarch::cost::{Stamp, StampId, ValidMap};
use waymarch::query::Goal;
use waymarch::world::{Order, PlayerId, UnitId, UnitType, UnitTypeId, World};

use super::super::service::{Places, prepared_navigator};
use super::audit::Audit;
use crate::diagnostics::Failure;

/// After the last order the game goes on until all orders have ended, for at most 12,000 ticks (10 minutes).
pub(super) const PLAYED_OUT: usize = 12_000;
/// A squad gets an order every 10 ticks (twice a second).
const ORDER_EVERY: usize = 10;
/// A building is placed or removed every 15 ticks.
const EDIT_EVERY: usize = 15;
/// A unit dies and is replaced every 20 ticks (once a second).
const DEATH_EVERY: usize = 20;
/// At most 24 buildings of 3×3 cells stand at a time, so that most of the map stays connected.
const STANDING: usize = 24;
/// A squad has 4 to 43 units.
const SQUAD: [u32; 2] = [4, 40];

/// Units on an attack-move see 8 cells far.
const SIGHT: Fixed = Fixed::from_cells(8);

/// The settings of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Limits {
    Defaults,
    /// The smallest caches and budgets that the settings allow.
    Smallest,
}

impl From<bool> for Limits {
    fn from(tiny: bool) -> Self {
        if tiny { Self::Smallest } else { Self::Defaults }
    }
}

impl Limits {
    fn config(self) -> Config {
        match self {
            Self::Defaults => Config::default(),
            Self::Smallest => Config {
                path_cache_size: 1,
                flowfield_cache_max_tiles: 1,
                max_paths_per_tick: 1,
                max_flowfield_gens_per_tick: 1,
                max_path_nodes_per_tick: 64,
                path_lanes: 1,
                ..Config::default()
            },
        }
    }
}

/// A World, and everything that its commands are drawn from.
pub(super) struct Battle {
    pub(super) world: World,
    kind: UnitTypeId,
    units: Vec<UnitId>,
    places: Places,
    random: Rng,
    standing: Vec<(StampId, CellRect)>,
}

impl Battle {
    /// Spawns `count` units of two players on random cells.
    pub(super) fn new(map: &ValidMap, count: usize, seed: u32, limits: Limits) -> Result<Self, Failure> {
        let (nav, agent) = prepared_navigator(map, limits.config())?;
        let mut places = Places::new(&nav, agent, seed)?;
        let mut world = World::with_seed(nav, u64::from(seed));
        let kind = world.add_type(UnitType::new("soldier", agent)).map_err(Failure::invalid)?;
        let mut units = Vec::with_capacity(count);
        for number in 0..count {
            let at = places.draw(world.nav(), |_| true)?;
            units.push(world.spawn(kind, owner(number), at).map_err(Failure::invalid)?);
        }
        let random = Rng::keyed(u64::from(seed), Tick::ZERO, 1, Purpose(7));
        Ok(Self { world, kind, units, places, random, standing: Vec::with_capacity(STANDING + 1) })
    }

    /// Gives the commands of a tick.
    pub(super) fn command(&mut self, number: usize, audit: &mut Audit) {
        if number.is_multiple_of(ORDER_EVERY) {
            self.give_order(audit);
        }
        if number.is_multiple_of(EDIT_EVERY) {
            self.edit(audit);
        }
        if number.is_multiple_of(DEATH_EVERY) {
            self.replace_unit(audit);
        }
    }

    /// Sends a squad of one player to a random cell. One order in four is an attack-move.
    fn give_order(&mut self, audit: &mut Audit) {
        let Some(goal) = self.place() else { return };
        let player = self.random.below(2) as usize;
        let members = (SQUAD[0] + self.random.below(SQUAD[1])) as usize;
        let first = self.random.below(self.units.len() as u32) as usize;
        let of_player = (0..self.units.len()).map(|step| (first + step) % self.units.len());
        let squad: Vec<UnitId> = of_player
            .filter(|number| number % 2 == player)
            .take(members)
            .map(|number| self.units[number])
            .collect();
        let order = match self.random.below(4) {
            0 => Order::attack_move(Goal::point(goal), SIGHT),
            _ => Order::move_to(goal),
        };
        if self.world.order(&squad, order).is_ok() {
            audit.ordered(&squad);
        }
    }

    /// Removes the oldest building if 24 stand, or with a chance of 1 in 4. Otherwise places one on a random cell, also over units.
    fn edit(&mut self, audit: &mut Audit) {
        if self.standing.len() >= STANDING || self.random.below(4) == 0 && !self.standing.is_empty() {
            let (stamp, area) = self.standing.remove(0);
            if self.world.remove_stamp(stamp).is_ok() {
                audit.edited(&self.world, area);
            }
            return;
        }
        let Some(at) = self.place() else { return };
        // No building covers the root, because random cells must be reachable from it.
        if CellRect::at(at, 3, 3).contains(self.places.root) {
            return;
        }
        if let Ok(stamp) = self.world.place(&Stamp::solid(3, 3), at) {
            let area = CellRect::at(at, 3, 3);
            self.standing.push((stamp, area));
            audit.edited(&self.world, area);
        }
    }

    /// Removes a unit and spawns another of the same player.
    fn replace_unit(&mut self, audit: &mut Audit) {
        let number = self.random.below(self.units.len() as u32) as usize;
        let Some(at) = self.place() else { return };
        let Ok(unit) = self.world.spawn(self.kind, owner(number), at) else { return };
        let dead = std::mem::replace(&mut self.units[number], unit);
        if self.world.remove(dead).is_ok() {
            audit.died(dead);
        }
    }

    fn place(&mut self) -> Option<CellPos> {
        self.places.draw(self.world.nav(), |_| true).ok()
    }
}

/// Units take turns between two players.
fn owner(number: usize) -> PlayerId {
    PlayerId((number % 2) as u8)
}
