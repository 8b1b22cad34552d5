//! Branches: ways to continue a game. All of them must give the same game.

use waymarch::base::{GridSize, LoadError, StateHash, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, Stamp};
use waymarch::query::Goal;
use waymarch::world::{Event, Navigator, Order, PlayerId, Serial, Threads, UnitType, World};
use waymarch_maps::scenario::{Action, Simulation};
use waymarch_testkit::splitmix::SplitMix;

#[cfg(test)]
use super::fault::Fault;

/// How a branch of a game begins, and what it does in each tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BranchKind {
    /// Continues with a World that was loaded from a save.
    Load,
    /// Saves and loads before every tick, which drops every cache.
    LoadEveryTick,
    /// Before every tick: saves, runs some ticks ahead, and restores the save.
    Rollback,
    /// Restores the save in a copy of the World that is some ticks older.
    RestoreOlder,
    /// Restores the save in a copy of the game that is some ticks ahead, with its commands.
    RestoreLater,
    /// Restores the save in the World of another game.
    RestoreOther,
    /// Continues with a copy.
    Clone,
    /// Continues with 2, 3 and 8 threads in turn.
    Threads,
    /// Fills scratch memory with rubbish before every tick.
    Poison,
    /// Asks for routes, saves and hashes during the game, which must not change it.
    Watch,
}

impl BranchKind {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::Load,
        Self::LoadEveryTick,
        Self::Rollback,
        Self::RestoreOlder,
        Self::RestoreLater,
        Self::RestoreOther,
        Self::Clone,
        Self::Threads,
        Self::Poison,
        Self::Watch,
    ];

    /// Draws the kind of a branch that a game forks at a `reload`.
    pub(super) fn draw(rng: &mut SplitMix) -> Self {
        // `Threads` is drawn seldom, because it takes much time and finds little.
        match rng.below(24) {
            0..6 => Self::Load,
            6..8 => Self::LoadEveryTick,
            8..11 => Self::Rollback,
            11..14 => Self::RestoreOlder,
            14..18 => Self::RestoreLater,
            18..20 => Self::RestoreOther,
            20 => Self::Clone,
            21 => Self::Threads,
            22 => Self::Poison,
            _ => Self::Watch,
        }
    }
}

/// Scratch: thread pools, which are slow to make.
#[derive(Debug)]
pub(super) struct Pools([Threads; 3]);

impl Pools {
    pub(super) fn new() -> Self {
        Self([2, 3, 8].map(|count| Threads::new(count).expect("the machine gives eight threads")))
    }
}

/// Scratch: one way to continue the game.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) kind: BranchKind,
    /// The tick at which the branch was forked from the game.
    pub(super) since: u64,
    pub(super) simulation: Simulation,
    /// What a test breaks in this branch.
    #[cfg(test)]
    pub(super) fault: Option<Fault>,
}

/// What a branch is made from.
pub(super) struct Fork<'a> {
    pub(super) game: &'a Simulation,
    /// A copy of the World of some ticks ago.
    pub(super) older: &'a World,
    /// A number that differs from fork to fork.
    pub(super) number: u64,
}

impl Branch {
    /// Forks a branch from the game.
    ///
    /// # Errors
    /// If the World's own save is refused.
    pub(super) fn new(kind: BranchKind, fork: &Fork<'_>) -> Result<Self, LoadError> {
        let game = fork.game;
        let mut simulation = game.clone();
        let restored = |mut world: World| world.restore(&game.world().save()).map(|()| world);
        match kind {
            BranchKind::Load | BranchKind::LoadEveryTick => {
                simulation.replace_world(World::load(&game.world().save())?);
            }
            BranchKind::RestoreOlder => simulation.replace_world(restored(fork.older.clone())?),
            BranchKind::RestoreLater => {
                let mut ahead = game.clone();
                (0..1 + fork.number % 9).for_each(|_| step_without_reload(&mut ahead));
                simulation.replace_world(restored(ahead.world().clone())?);
            }
            BranchKind::RestoreOther => simulation.replace_world(restored(other_world(fork.number))?),
            _ => {}
        }
        Ok(Self {
            kind,
            since: game.world().now().0,
            simulation,
            #[cfg(test)]
            fault: None,
        })
    }

    /// One tick, after the commands were given.
    ///
    /// # Errors
    /// If the World's own save is refused.
    pub(super) fn tick(&mut self, pools: &Pools) -> Result<(), LoadError> {
        #[cfg(test)]
        if let Some(fault) = self.fault {
            fault.before_tick(self.simulation.world_mut())?;
        }
        let now = self.simulation.world().now().0;
        match self.kind {
            BranchKind::LoadEveryTick => {
                let loaded = World::load(&self.simulation.world().save())?;
                self.simulation.replace_world(loaded);
            }
            BranchKind::Rollback => {
                let saved = self.simulation.world().save();
                let mut world = self.simulation.world().clone();
                (0..1 + now % 3).for_each(|_| world.tick());
                world.restore(&saved)?;
                self.simulation.replace_world(world);
            }
            BranchKind::Poison => self.simulation.world_mut().poison_scratch(),
            BranchKind::Watch => watch(self.simulation.world_mut(), now),
            BranchKind::Threads => {
                self.simulation.tick(&pools.0[now as usize % 3]);
                return Ok(());
            }
            _ => {}
        }
        self.simulation.tick(&Serial);
        Ok(())
    }

    /// The hash that is compared with the game's.
    pub(super) fn state_hash(&self) -> StateHash {
        self.simulation.world().state_hash()
    }

    /// The events that are compared with the game's.
    pub(super) fn events(&self) -> Vec<Event> {
        let events = self.simulation.world().events().to_vec();
        #[cfg(test)]
        let events = self.fault.map_or(events.clone(), |fault| fault.events(events));
        events
    }

    /// The saved bytes that are compared with the game's.
    pub(super) fn save(&self) -> Vec<u8> {
        let bytes = self.simulation.world().save();
        #[cfg(test)]
        let bytes = self.fault.map_or(bytes.clone(), |fault| fault.bytes(self.simulation.world(), bytes));
        bytes
    }
}

/// One tick with the game's commands, but without its reloads.
fn step_without_reload(game: &mut Simulation) {
    for number in game.due_actions() {
        if game.scenario().actions[number].action != Action::Reload {
            game.carry_out(number);
        }
    }
    game.tick(&Serial);
}

/// Asks the World for velocities, routes, a hash and a save. This must not change the game.
fn watch(world: &mut World, now: u64) {
    let mut rng = SplitMix::new(now);
    let size = world.nav().layer().grid();
    let mut place = || cell(rng.below(size.width()) as i32, rng.below(size.height()) as i32);
    let (from, to) = (place(), place());
    let agent = world.types().first().map(|kind| kind.agent);
    for unit in world.units().map(|unit| unit.id).collect::<Vec<_>>() {
        let _ = (world.desired_velocity(unit), world.route_status(unit), world.orders_of(unit).count());
    }
    if let Some(agent) = agent {
        let mut nav = world.queries();
        // No route is a valid answer.
        let _ = (nav.path(from, to, agent), nav.path_smooth(from, to, agent));
        let _ = nav.path_or_nearest(from, &Goal::point(to), agent);
        if now.is_multiple_of(5) {
            nav.make_ready(agent);
            nav.make_ready_far(agent);
        }
    }
    let _ = (world.state_hash(), world.save(), world.clone());
}

/// A game on another map with other settings, other types and some ticks behind it.
fn other_world(number: u64) -> World {
    let side = 8 + (number % 40) as u32;
    let size = GridSize::new(side, 12).expect("a legal size");
    let config = Config {
        sector_size: 8,
        size_classes: vec![1, 2],
        flowfield_group_threshold: 2,
        ..Config::default()
    };
    let nav = Navigator::new(Map::flat("other", size, Rules::standard()), config).expect("legal settings");
    let mut world = World::with_seed(nav, number);
    let foot = world.nav().locomotor("foot").expect("in the rules");
    for name in ["one", "two", "three", "four", "five", "six"] {
        world.add_type(UnitType::new(name, foot)).expect("a legal type");
    }
    let kind = waymarch::world::UnitTypeId(0);
    let cells: Vec<_> = (0..4).map(|x| cell(x, 1)).collect();
    let units = world.spawn_many(kind, PlayerId(0), &cells).expect("open ground");
    world.order(&units, Order::move_to(cell(7, 9))).expect("on the map");
    world.place(&Stamp::solid(2, 2), cell(3, 5)).expect("it fits");
    (0..number % 20).for_each(|_| world.tick());
    world
}
