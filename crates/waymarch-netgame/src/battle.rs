//! The game: a World, the health of units, and what an input does.

use waymarch::base::{
    ByteReader, ByteWriter, CellPos, CellRect, Fixed, LoadError, Persist, StateHash, Vec2, cell,
};
use waymarch::cost::TerrainId;
use waymarch::world::CommandError;
use waymarch::{
    Config, Formation, Goal, GridSize, Map, Navigator, Order, PlayerId, Rules, Stamp, UnitId, UnitType,
    UnitTypeId, World,
};

use crate::input::{ALL_SQUADS, Input, Spot};

/// The map has 64×64 cells.
pub const SIDE: u32 = 64;
/// Every player has up to 30 units.
pub const UNITS_PER_PLAYER: usize = 30;
/// At most 4 players: one home in each corner.
pub const MAX_PLAYERS: u8 = 4;
/// A new unit has 12 points of health.
const HEALTH: u8 = 12;
/// Every 10 ticks each unit shoots at the nearest enemy.
const VOLLEY_TICKS: u64 = 10;
/// A unit shoots up to 4 cells far.
const RANGE: Fixed = Fixed::from_cells(4);
/// Every 200 ticks (10 seconds) new units replace the fallen ones.
const REINFORCE_TICKS: u64 = 200;
/// A wall stands for 600 ticks (30 seconds).
const WALL_TICKS: u32 = 600;
/// The north-west cells of the homes, by player.
const HOMES: [CellPos; MAX_PLAYERS as usize] = [cell(4, 4), cell(54, 54), cell(54, 4), cell(4, 54)];
/// A home is 6 cells wide: 30 units stand in 5 rows.
const HOME_WIDTH: i32 = 6;
/// Terrains of [`Rules::standard`], by number.
const CLEAR: TerrainId = TerrainId(0);
const ROUGH: TerrainId = TerrainId(2);
const WATER: TerrainId = TerrainId(4);

/// What has happened in a battle so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BattleTotals {
    /// Orders given.
    pub orders: u32,
    /// Edits of the map.
    pub edits: u32,
    /// Inputs that the World refused: for example, an order to a squad without units.
    pub refused: u32,
    /// Units that fell.
    pub fallen: u32,
    /// Units that replaced them.
    pub reinforced: u32,
}

impl BattleTotals {
    const fn numbers(self) -> [u32; 5] {
        [self.orders, self.edits, self.refused, self.fallen, self.reinforced]
    }
}

/// World: the state of the game. All of it is hashed and saved.
pub struct Battle {
    world: World,
    players: u8,
    /// By unit index.
    health: Vec<u8>,
    totals: BattleTotals,
}

impl Battle {
    /// A battle of 1 to [`MAX_PLAYERS`] players. The same seed gives the same battle.
    ///
    /// # Errors
    /// If there are too many players.
    pub fn new(players: u8, seed: u64) -> Result<Self, Box<dyn std::error::Error>> {
        if !(1..=MAX_PLAYERS).contains(&players) {
            return Err(format!("{players} players; there must be 1 to {MAX_PLAYERS}").into());
        }
        let map = Map::flat("field", GridSize::new(SIDE, SIDE)?, Rules::standard());
        let mut nav = Navigator::new(map, Config::default())?;
        // A river from north to south, with two fords of 6 cells.
        for (y, height) in [(0, 14), (20, 24), (50, 14)] {
            nav.set_terrain(CellRect::at(cell(30, y), 4, height), WATER)?;
        }
        let foot = nav.locomotor("foot").ok_or("no locomotor `foot`")?;
        let wheel = nav.locomotor("wheel").ok_or("no locomotor `wheel`")?;
        let mut world = World::with_seed(nav, seed);
        world.add_type(UnitType::new("soldier", foot))?;
        world.add_type(UnitType::new("cart", wheel))?;
        let mut battle = Self { world, players, health: Vec::new(), totals: BattleTotals::default() };
        battle.reinforce();
        battle.totals.reinforced = 0;
        Ok(battle)
    }

    /// The World of the battle.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// The World, to change it behind the game's back: for tests that need a desync.
    pub const fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// The number of ticks so far.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.world.now().0
    }

    /// Ticks per second of game time.
    #[must_use]
    pub fn ticks_per_second(&self) -> u64 {
        u64::from(self.world.nav().config().get().ticks_per_second)
    }

    /// The number of players.
    #[must_use]
    pub const fn players(&self) -> u8 {
        self.players
    }

    /// What has happened so far.
    #[must_use]
    pub const fn totals(&self) -> BattleTotals {
        self.totals
    }

    /// Applies one input per player, by seat, and runs one tick.
    pub fn advance(&mut self, inputs: &[Input]) {
        for (seat, &input) in (0..self.players).zip(inputs) {
            match self.apply(seat, input) {
                Ok(()) => {}
                // The World refuses the same inputs in every peer.
                Err(_) => self.totals.refused += 1,
            }
        }
        self.world.tick();
        if self.tick().is_multiple_of(VOLLEY_TICKS) {
            self.volley();
        }
        if self.tick().is_multiple_of(REINFORCE_TICKS) {
            self.reinforce();
        }
    }

    fn apply(&mut self, seat: u8, input: Input) -> Result<(), CommandError> {
        let at = |spot: Spot| cell(i32::from(spot.x), i32::from(spot.y));
        match input {
            Input::Idle | Input::Admit { .. } => return Ok(()),
            Input::March { squad, to } => {
                self.order(seat, squad, Order::move_to(at(to)).formation(Formation::Box))?;
            }
            Input::Charge { squad, to } => {
                self.order(seat, squad, Order::attack_move(Goal::point(at(to)), RANGE))?;
            }
            Input::Patrol { squad, to } => self.order(seat, squad, Order::patrol([at(to)]))?,
            Input::Scatter { squad } => {
                self.order(seat, squad, Order::Scatter { distance: Fixed::from_cells(4) })?;
            }
            Input::Wall { at: spot } => {
                self.world.place(&Stamp::solid(1, 6).lasting(WALL_TICKS), at(spot))?;
                self.totals.edits += 1;
            }
            Input::Dig { at: spot } => {
                let layer = self.world.nav().layer();
                let terrain = if layer.terrain(at(spot)) == Some(ROUGH) { CLEAR } else { ROUGH };
                let area = CellRect::at(at(spot), 3, 3);
                self.world.apply(&waymarch::Command::SetTerrain { area, terrain })?;
                self.totals.edits += 1;
            }
        }
        Ok(())
    }

    fn order(&mut self, seat: u8, squad: u8, order: Order) -> Result<(), CommandError> {
        let of_squad =
            |id: UnitId| squad >= ALL_SQUADS || id.index() % u32::from(ALL_SQUADS) == u32::from(squad);
        let own = self.world.units().filter(|unit| unit.owner == PlayerId(seat));
        let units: Vec<UnitId> = own.map(|unit| unit.id).filter(|&id| of_squad(id)).collect();
        self.world.order(&units, order)?;
        self.totals.orders += 1;
        Ok(())
    }

    /// Every unit takes one point of health from the nearest enemy in range. All units shoot at once.
    fn volley(&mut self) {
        let units: Vec<(UnitId, PlayerId, Vec2)> =
            self.world.units().map(|unit| (unit.id, unit.owner, unit.position)).collect();
        let range = RANGE.raw().unsigned_abs();
        let reach = u64::from(range) * u64::from(range);
        for &(_, owner, from) in &units {
            let enemies = units.iter().filter(|(_, other, _)| *other != owner);
            let nearest = enemies.map(|&(id, _, at)| (from.distance_squared(at), id.index())).min();
            let target = nearest.filter(|&(distance, _)| distance <= reach).map(|(_, index)| index as usize);
            if let Some(health) = target.and_then(|index| self.health.get_mut(index)) {
                *health = health.saturating_sub(1);
            }
        }
        for &(id, ..) in &units {
            if self.health.get(id.index() as usize) == Some(&0) && self.world.remove(id).is_ok() {
                self.totals.fallen += 1;
            }
        }
    }

    /// Fills up every player's units, on free cells of its home.
    fn reinforce(&mut self) {
        for seat in 0..self.players {
            let mut missing = UNITS_PER_PLAYER.saturating_sub(self.count(seat));
            for number in 0..UNITS_PER_PLAYER as i32 {
                let at = HOMES[usize::from(seat)].offset(number % HOME_WIDTH, number / HOME_WIDTH);
                let occupied = self.world.units().any(|unit| self.world.cell_of(unit.id) == Some(at));
                if missing == 0 || occupied {
                    continue;
                }
                // One unit in 5 is a cart.
                let kind = UnitTypeId(u16::from(number % 5 == 4));
                // A wall may stand on the home: then the unit comes next time.
                if let Ok(id) = self.world.spawn(kind, PlayerId(seat), at) {
                    let index = id.index() as usize;
                    self.health.resize(self.health.len().max(index + 1), 0);
                    self.health[index] = HEALTH;
                    self.totals.reinforced += 1;
                    missing -= 1;
                }
            }
        }
    }

    /// How many units a player has.
    #[must_use]
    pub fn count(&self, seat: u8) -> usize {
        self.world.units().filter(|unit| unit.owner == PlayerId(seat)).count()
    }

    /// The hash of everything: the parts of the World, and `battle` for the game's own state.
    #[must_use]
    pub fn hash(&self) -> StateHash {
        let world = self.world.state_hash();
        let parts = world.parts().iter();
        let builder = parts.fold(StateHash::builder(), |builder, (name, hash)| builder.part(name, hash));
        let own = builder.part_with("battle", |hasher| {
            hasher.write_u8(self.players);
            hasher.write_bytes(&self.health);
            hasher.write_u32s(&self.totals.numbers());
        });
        own.finish()
    }

    /// Appends the whole battle to `writer`.
    pub fn save_into(&self, writer: &mut ByteWriter) {
        self.players.save(writer);
        self.health.save(writer);
        self.totals.numbers().iter().for_each(|number| number.save(writer));
        self.world.save_into(writer);
    }

    /// Loads a saved battle, for a machine that has no World yet.
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are not a saved battle.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let (own, world) = Own::load(bytes)?;
        let Own { players, health, totals } = own;
        Ok(Self { world: World::load(world)?, players, health, totals })
    }

    /// Goes back to what was saved. Faster than [`Battle::load`], because it changes only what differs.
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are not a saved battle. The battle is unchanged then.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let (own, world) = Own::load(bytes)?;
        self.world.restore(world)?;
        (self.players, self.health, self.totals) = (own.players, own.health, own.totals);
        Ok(())
    }
}

/// The game's own state, read from bytes.
struct Own {
    players: u8,
    health: Vec<u8>,
    totals: BattleTotals,
}

impl Own {
    /// The game's own state, and the bytes of the World that follow it.
    fn load(bytes: &[u8]) -> Result<(Self, &[u8]), LoadError> {
        let mut reader = ByteReader::new(bytes);
        let players = u8::load(&mut reader)?;
        if !(1..=MAX_PLAYERS).contains(&players) {
            return Err(reader.error("a battle has 1 to 4 players"));
        }
        let health = Vec::load(&mut reader)?;
        let mut number = || u32::load(&mut reader);
        let totals = BattleTotals {
            orders: number()?,
            edits: number()?,
            refused: number()?,
            fallen: number()?,
            reinforced: number()?,
        };
        let rest = reader.left();
        Ok((Self { players, health, totals }, reader.raw(rest)?))
    }
}

#[cfg(test)]
mod tests;
