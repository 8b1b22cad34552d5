//! A game that is played: a World, its recorder and the ids that commands refer to.

use waymarch::base::{Agent, Angle, CellPos, CellRect, CollisionLayers, Fixed, LocomotorId, SizeClass, cell};
use waymarch::config::Config;
use waymarch::cost::{StampId, ThreatId};
use waymarch::groups::Role;
use waymarch::planners::PlannerList;
use waymarch::query::Controller;
use waymarch::world::{
    Applied, Command, Mover, Order, PlayerId, Recorder, Setup, UnitId, UnitType, UnitTypeId, When, World,
};

use super::list::Spec;
use crate::{Digest, SplitMix, maps};

/// The unit types of every game.
fn unit_types() -> Vec<UnitType> {
    let agent = |locomotor, size| Agent {
        locomotor: LocomotorId(locomotor),
        size: SizeClass::new(size).expect("a legal size"),
    };
    vec![
        UnitType { role: Role::Front, ..UnitType::new("soldier", agent(0, 1)) },
        UnitType {
            speed: Fixed::from_raw(200),
            role: Role::Back,
            controller: Controller::Ai,
            weight: 5,
            ..UnitType::new("scout", agent(0, 1))
        },
        UnitType { speed: Fixed::from_raw(150), ..UnitType::vehicle("tank", agent(2, 2)) },
        UnitType {
            speed: Fixed::from_raw(90),
            tolerance: Fixed::from_raw(300),
            capacity: 12,
            ..UnitType::vehicle("fort", agent(1, 3))
        },
        UnitType { mover: Mover::Game, ..UnitType::new("puppet", agent(0, 1)) },
        UnitType { layers: Some(CollisionLayers::UNDER), ..UnitType::new("mole", agent(0, 1)) },
    ]
}

/// A game that is played.
pub(crate) struct Game {
    pub(crate) world: World,
    pub(crate) recorder: Option<Recorder>,
    pub(crate) random: SplitMix,
    pub(crate) units: Vec<UnitId>,
    pub(crate) stamps: Vec<StampId>,
    pub(crate) gates: Vec<StampId>,
    pub(crate) threats: Vec<ThreatId>,
    /// Units that the game moves itself.
    pub(crate) puppets: Vec<UnitId>,
    pub(crate) refused: u32,
    pub(crate) done: u32,
    /// The answers to commands, and what was observed.
    pub(crate) seen: Digest,
}

impl Game {
    /// A game with its unit types, its planner and its first units.
    pub(crate) fn new(spec: &Spec) -> Self {
        let setup = Setup { config: spec.config.clone(), map: spec.map.clone(), seed: spec.seed };
        let world = setup.world().expect("a legal map and settings");
        // A recording has no planner: a replay would use the default one.
        let recorder = spec.planner.is_none().then(|| Recorder::new(setup, 50));
        let mut game = Self {
            world,
            recorder,
            random: SplitMix(spec.seed ^ 0x00ab_cdef),
            units: Vec::new(),
            stamps: Vec::new(),
            gates: Vec::new(),
            threats: Vec::new(),
            puppets: Vec::new(),
            refused: 0,
            done: 0,
            seen: Digest::new(),
        };
        for kind in unit_types() {
            game.apply(Command::AddType(kind));
        }
        game.use_planner(spec.planner);
        // Squads in blocks of 24, and single units.
        let mut left = spec.units;
        while left > 0 {
            let kind = UnitTypeId(game.random.pick(&[0, 0, 0, 1, 2, 2, 3, 4]));
            let corner = game.open_cell(kind);
            let owner = game.random.below(3) as u8;
            let side: i32 = game.world.types()[kind.index()].agent.size.side().into();
            let count = if game.random.chance(700) { 24 } else { 1 };
            for number in 0..count.min(left) as i32 {
                game.spawn(kind, owner, corner.offset(number % 6 * side, number / 6 * side));
            }
            left -= count.min(left);
        }
        game
    }

    pub(crate) fn use_planner(&mut self, name: Option<&str>) {
        if let Some(name) = name {
            self.world.set_planner(PlannerList::builtin().take(name));
        }
    }

    /// Gives a command. The answer, or the error, is part of what was seen.
    pub(crate) fn apply(&mut self, command: Command) -> Option<Applied> {
        let result = match &mut self.recorder {
            Some(recorder) => recorder.apply(&mut self.world, command),
            None => self.world.apply(&command),
        };
        self.seen.debug(&result);
        match result {
            Ok(applied) => {
                self.done += 1;
                Some(applied)
            }
            Err(error) => {
                self.seen.text(&error);
                self.refused += 1;
                None
            }
        }
    }

    /// A cell of the map, or one just outside.
    pub(crate) fn any_cell(&mut self) -> CellPos {
        let grid = self.world.nav().layer().grid();
        cell(self.random.range(-1, grid.width() as i32 + 1), self.random.range(-1, grid.height() as i32 + 1))
    }

    /// A cell that is open to a type of unit, if one is found in 60 tries.
    pub(crate) fn open_cell(&mut self, kind: UnitTypeId) -> CellPos {
        let agent = self.world.types()[kind.index()].agent;
        for _ in 0..60 {
            let at = self.any_cell();
            let layer = self.world.nav().layer();
            if layer.grid().contains(at) && layer.field(agent).is_some_and(|field| field.is_passable(at)) {
                return at;
            }
        }
        self.any_cell()
    }

    pub(crate) fn spawn(&mut self, kind: UnitTypeId, owner: u8, at: CellPos) {
        let facing = Angle(self.random.next() as u16);
        let command = Command::Spawn { kind, owner: PlayerId(owner), at, facing };
        if let Some(Applied::Unit(id)) = self.apply(command) {
            if self.world.types()[kind.index()].mover == Mover::Game {
                self.puppets.push(id);
            }
            self.units.push(id);
        }
    }

    /// A block of units of one type.
    pub(crate) fn squad(&mut self, kind: u16, owner: u8, cells: CellRect) -> Vec<UnitId> {
        let first = self.units.len();
        let side: i32 = self.world.types()[usize::from(kind)].agent.size.side().into();
        for at in cells.cells() {
            let (column, row) = (at.x - cells.x0, at.y - cells.y0);
            self.spawn(UnitTypeId(kind), owner, cell(cells.x0, cells.y0).offset(column * side, row * side));
        }
        self.units[first..].to_vec()
    }

    pub(crate) fn order(&mut self, units: &[UnitId], order: Order, when: When) {
        self.apply(Command::Order { units: units.to_vec(), order, when });
    }

    /// Moves the puppets by the velocity that the engine proposes.
    pub(crate) fn move_puppets(&mut self) {
        for id in self.puppets.clone() {
            let Some(unit) = self.world.unit(id) else { continue };
            let velocity = self.world.desired_velocity(id);
            self.apply(Command::Put { unit: id, at: unit.position + velocity, velocity });
        }
    }
}

/// A small World with units, orders, stamps and threats, for the section `bytes`.
pub(crate) fn small_world() -> World {
    let spec = Spec {
        name: "small",
        map: maps::mixed(55, 40, 36),
        config: Config { sector_size: 8, flowfield_group_threshold: 3, ..Config::default() },
        seed: 3,
        ticks: 40,
        units: 30,
        busy: 1000,
        planner: None,
        script: None,
    };
    let mut game = Game::new(&spec);
    for tick in 0..spec.ticks {
        game.random_command(tick, &spec.config);
        game.world.tick();
    }
    game.world
}
