//! Random games on tiny maps: a World that goes on, one that is loaded from its save, and one that is restored, are equal at every tick.
//!
//! Tiny maps have what large ones rarely have: units on closed ground, goals without a route, requests that fail, groups without room.
//! `WAYMARCH_SAVED_GAMES=1000..9000` plays other seeds than the usual ones.

use waymarch::base::{
    Agent, Angle, CellPos, CellRect, CollisionLayers, Fixed, GridSize, LocomotorId, SizeClass, Vec2, cell,
};
use waymarch::config::{Config, InfluenceAvoidance, PathSmoothing, RepathFrequency};
use waymarch::cost::{
    Falloff, FootCell, GateState, Map, Rules, Stamp, StampId, TerrainId, ThreatId, ThreatSource,
};
use waymarch::groups::Formation;
use waymarch::query::{Goal, Shape};
use waymarch::world::{
    Around, Command, Concealment, Navigator, OnLoss, Order, PlayerId, Target, TeamId, UnitId, UnitType,
    UnitTypeId, When, World,
};
use waymarch_testkit::splitmix::SplitMix;

/// Ticks per game.
const TICKS: u32 = 60;

struct Game {
    rng: SplitMix,
    size: GridSize,
    kinds: u16,
    /// Tiny games have at most 12 units.
    units: Vec<UnitId>,
    threats: Vec<ThreatId>,
    stamps: Vec<StampId>,
}

fn config(rng: &mut SplitMix) -> Config {
    let mut config = Config::default();
    if rng.chance(500) {
        config.stuck_threshold = rng.pick(&[1, 2, 12]);
        config.repath_cooldown = rng.pick(&[0, 1, 30]);
        config.max_paths_per_tick = rng.pick(&[1, 2, 64]);
        config.max_path_nodes_per_tick = rng.pick(&[64, 200, 8192]);
        config.path_lanes = 1 + rng.below(4);
        config.flowfield_group_threshold = 1 + rng.below(8);
        config.short_path_threshold = rng.pick(&[0, 4, 64]);
    }
    if rng.chance(500) {
        config.sector_size = rng.pick(&[8, 16, 32]);
        config.influence_avoidance = rng.pick(InfluenceAvoidance::ALL);
        config.repath_frequency = rng.pick(RepathFrequency::ALL);
        config.path_smoothing = rng.pick(PathSmoothing::ALL);
        config.threat_update_frequency = 1 + rng.below(9);
        config.jps_precomputed = rng.chance(700);
    }
    config
}

impl Game {
    fn new(seed: u64) -> (Self, World) {
        let mut rng = SplitMix::new(seed);
        let side = |rng: &mut SplitMix| rng.pick(&[1, 2, 3, 5, 7, 12, 33]);
        let size = GridSize::new(side(&mut rng), side(&mut rng)).expect("legal");
        let mut rules = Rules::standard();
        if rng.chance(300) {
            let rows = rules.terrains.len();
            rules.speeds = (0..rows).map(|_| vec![Some(1 + rng.below(250) as u8)]).collect();
        }
        let mut map = Map::flat("tiny", size, rules);
        let terrains = map.rules.terrains.len() as u32;
        let mut game = Self { rng, size, kinds: 0, units: vec![], threats: vec![], stamps: vec![] };
        for _ in 0..game.rng.below(1 + size.cells() as u32 / 3) {
            let (at, terrain) = (game.somewhere(), game.rng.below(terrains));
            map.set_terrain(at, TerrainId(terrain as u8));
        }
        let config = config(&mut game.rng);
        let mut world = World::with_seed(Navigator::new(map, config).expect("legal"), seed);
        for _ in 0..1 + game.rng.below(3) {
            let agent = Agent {
                locomotor: LocomotorId(game.rng.below(3) as u8),
                size: game.rng.pick(&[SizeClass::ONE, SizeClass::ONE, SizeClass::TWO, SizeClass::THREE]),
            };
            let kind = if game.rng.chance(500) {
                UnitType::new("foot", agent)
            } else {
                UnitType::vehicle("tank", agent)
            };
            let speed = Fixed::from_raw(game.rng.pick(&[128, 128, 1, 700]));
            let layers = game.rng.pick(&[None, None, Some(CollisionLayers::UNDER)]);
            let (capacity, bulk) = (game.rng.pick(&[0, 1, 5]), game.rng.pick(&[1, 1, 2]));
            let on_loss = game.rng.pick(&[OnLoss::PutOut, OnLoss::Die]);
            world.add_type(UnitType { speed, layers, capacity, bulk, on_loss, ..kind }).expect("legal");
            game.kinds += 1;
        }
        (game, world)
    }

    fn somewhere(&mut self) -> CellPos {
        cell(self.rng.below(self.size.width()) as i32, self.rng.below(self.size.height()) as i32)
    }

    fn area(&mut self) -> CellRect {
        CellRect::at(self.somewhere(), 1 + self.rng.below(6), 1 + self.rng.below(6))
    }

    fn some_units(&mut self) -> Vec<UnitId> {
        let part = self.rng.pick(&[300, 1000]);
        let rng = &mut self.rng;
        self.units.iter().copied().filter(|_| rng.chance(part)).collect()
    }

    fn any_unit(&mut self) -> UnitId {
        if self.units.is_empty() { UnitId::DEAD } else { self.rng.pick(&self.units) }
    }

    fn target(&mut self) -> Target {
        match self.rng.below(3) {
            0 => Target::Cell(self.somewhere()),
            1 => Target::Unit(self.any_unit()),
            _ => Target::Stamp(self.stamps.last().copied().unwrap_or(StampId::DEAD)),
        }
    }

    fn order(&mut self) -> Order {
        let far = Fixed::from_raw(self.rng.below(6 << 10) as i32);
        let (at, other) = (self.somewhere(), self.somewhere());
        match self.rng.below(16) {
            0..=4 => Order::move_to(at),
            5 => Order::Move(Goal::OutOf(Shape::Point(at))),
            6 => Order::Move(Goal::rect(CellRect::at(at, 2, 2))),
            7 => Order::patrol([at, other]),
            8 => Order::follow(self.any_unit(), far),
            9 => Order::attack_move(Goal::circle(at, far), far),
            10 => Order::Scatter { distance: far },
            11 => Order::Around { target: self.target(), how: Around::Surround },
            12 => Order::Around { target: self.target(), how: Around::Dock { queue: Angle::ZERO } },
            13 => Order::move_to(at).formation(Formation::Line),
            14 => Order::Hold,
            _ => Order::Stop,
        }
    }

    fn command(&mut self, world: &World) -> Command {
        self.units = world.units().map(|unit| unit.id).collect();
        self.stamps = world.nav().layer().stamps().map(|(id, ..)| id).collect();
        self.threats = world.nav().layer().threat().sources().map(|(id, _)| id).collect();
        let at = self.somewhere();
        let source = ThreatSource {
            at,
            radius: self.rng.below(20) as u16,
            strength: self.rng.below(256) as u8,
            falloff: Falloff::Linear,
        };
        let threat = if self.threats.is_empty() { None } else { Some(self.rng.pick(&self.threats)) };
        let stamp = if self.stamps.is_empty() { None } else { Some(self.rng.pick(&self.stamps)) };
        match self.rng.below(40) {
            0..=5 if self.units.len() < 12 => Command::Spawn {
                kind: UnitTypeId(self.rng.below(u32::from(self.kinds)) as u16),
                owner: PlayerId(self.rng.below(2) as u8),
                at,
                facing: Angle(self.rng.below(65_536) as u16),
            },
            6 => Command::Remove(self.any_unit()),
            7 => {
                let part = |rng: &mut SplitMix| Fixed::from_raw(rng.below(2001) as i32 - 1000);
                let velocity = Vec2::new(part(&mut self.rng), part(&mut self.rng));
                Command::Put { unit: self.any_unit(), at: at.centre(), velocity }
            }
            8 | 9 => Command::Engage(self.some_units()),
            10 | 11 => Command::Resume(self.some_units()),
            12 => Command::Join { units: self.some_units(), with: self.any_unit() },
            13..=15 => {
                let cells = [FootCell::Blocked, FootCell::NoStop, FootCell::Gate, FootCell::Wall(5)];
                let stamp =
                    Stamp::filled("s", 1 + self.rng.below(3), 1 + self.rng.below(3), self.rng.pick(&cells));
                let stamp = if self.rng.chance(300) { stamp.lasting(1 + self.rng.below(9)) } else { stamp };
                Command::Place { stamp, at }
            }
            16 => Command::RemoveStamp(stamp.unwrap_or(StampId::DEAD)),
            17 => Command::SetGate { id: stamp.unwrap_or(StampId::DEAD), gate: GateState::Open },
            18 | 19 => Command::SetTerrain { area: self.area(), terrain: TerrainId(self.rng.below(7) as u8) },
            20 => Command::SetElevation { area: self.area(), height: self.rng.pick(&[0, 1, 300, -32_768]) },
            21 | 22 => Command::AddThreat(source),
            23 => threat.map_or(Command::AddThreat(source), |id| Command::SetThreat { id, source }),
            24 => threat.map_or(Command::AddThreat(source), Command::RemoveThreat),
            26 => Command::SetTeam {
                player: PlayerId(self.rng.below(3) as u8),
                team: TeamId(self.rng.below(2) as u8),
            },
            27 => Command::SetOwner { units: self.some_units(), owner: PlayerId(self.rng.below(3) as u8) },
            28 | 29 => {
                let kind = UnitTypeId(self.rng.below(u32::from(self.kinds)) as u16);
                Command::SetKind { units: vec![self.any_unit()], kind }
            }
            30 => {
                let percent = self.rng.pick(&[10, 50, 100, 200, 300]);
                Command::SetSpeed { units: self.some_units(), percent }
            }
            31 => {
                let concealment = self.rng.pick(&[Concealment::Hidden, Concealment::Visible]);
                Command::SetConcealment { units: self.some_units(), concealment }
            }
            32 | 33 => {
                let (one, other, transport) = (self.any_unit(), self.any_unit(), self.any_unit());
                Command::Board { units: vec![one, other], transport }
            }
            34 => {
                let aboard = world.units().filter(|unit| unit.transport.is_some()).map(|unit| unit.id);
                Command::Unboard(aboard.collect())
            }
            25 if self.rng.chance(200) => Command::Configure(Box::new(config(&mut self.rng))),
            _ => {
                let when = if self.rng.chance(800) { When::Now } else { When::Queued };
                Command::Order { units: self.some_units(), order: self.order(), when }
            }
        }
    }
}

/// The difference between two Worlds, if there is one.
fn difference(a: &World, b: &World) -> Option<String> {
    let (own, other) = (a.state_hash(), b.state_hash());
    if let Some(part) = own.first_difference(&other) {
        return Some(format!("the hash of `{part}`"));
    }
    (a.save() != b.save()).then(|| "the saved bytes".to_string())
}

/// Plays a game. At random ticks one twin is loaded, another is restored, and a third gets other scratch.
fn play(seed: u64) -> Result<(), String> {
    let (mut game, mut world) = Game::new(seed);
    let mut twins: Vec<(&str, World)> = Vec::new();
    let mut older = world.clone();
    for tick in 0..TICKS {
        for _ in 0..game.rng.below(4) {
            let command = game.command(&world);
            let done = world.apply(&command);
            for (how, twin) in &mut twins {
                if twin.apply(&command) != done {
                    return Err(format!("seed {seed}, tick {tick}: {how}: {command:?}"));
                }
            }
        }
        match game.rng.below(12) {
            0 | 1 => {
                let saved = world.save();
                let loaded =
                    World::load(&saved).map_err(|error| format!("seed {seed}, tick {tick}: {error}"))?;
                let mut restored = older.clone();
                restored.restore(&saved).map_err(|error| format!("seed {seed}, tick {tick}: {error}"))?;
                twins = vec![("loaded", loaded), ("restored", restored), ("cloned", world.clone())];
            }
            2 => older = world.clone(),
            3 => twins.iter_mut().for_each(|(_, twin)| twin.poison_scratch()),
            _ => {}
        }
        world.tick();
        for (how, twin) in &mut twins {
            twin.tick();
            if let Some(what) = difference(&world, twin) {
                return Err(format!("seed {seed}, tick {tick}: {how}: {what}"));
            }
            if world.events() != twin.events() {
                return Err(format!("seed {seed}, tick {tick}: {how}: events"));
            }
        }
    }
    Ok(())
}

#[test]
fn tiny_random_games_go_on_alike_after_loading_restoring_and_poisoning() {
    let seeds = match std::env::var("WAYMARCH_SAVED_GAMES") {
        Ok(range) => {
            let (from, to) = range.split_once("..").expect("a range such as 1000..9000");
            from.parse().expect("a number")..to.parse().expect("a number")
        }
        Err(_) => 0..400,
    };
    let failed: Vec<String> = seeds.filter_map(|seed| play(seed).err()).collect();
    assert!(failed.is_empty(), "{} games:\n{}", failed.len(), failed[..failed.len().min(20)].join("\n"));
}
