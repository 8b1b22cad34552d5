//! Random commands, legal and illegal ones.

use waymarch::avoid::Fine;
use waymarch::base::{
    Agent, Angle, CellPos, CellRect, CollisionLayers, Fixed, LocomotorId, Purpose, Rng, SizeClass, Tick,
    Vec2, cell,
};
use waymarch::config::Config;
use waymarch::cost::{
    Falloff, FootCell, GateState, SideMask, Stamp, StampId, TerrainId, ThreatId, ThreatSource,
};
use waymarch::groups::{Formation, FormationLayout};
use waymarch::query::{Detail, Goal, Priority, Shape};
use waymarch::world::{
    Around, Command, Concealment, Fire, Order, OrderEffort, PlayerId, SpawnPlace, Target, TeamId,
    ThreatOwner, UnitId, UnitType, UnitTypeId, When, WhenTaken, World,
};

/// The purpose of the random numbers for random commands.
const COMMAND_RNG: Purpose = Purpose(0x5CE2_0002);

/// A command drawn from a number and the World: of any kind, with its units and stamps. Many are refused, because they are off the map, name a unit that
/// is gone, or have a number out of range.
///
/// Equal Worlds get equal commands. Use it to test that a game refuses bad commands, and survives odd ones.
#[must_use]
pub fn random_command(world: &World, number: u64) -> Command {
    CommandDrawer { rng: Rng::keyed(number, Tick::ZERO, 0, COMMAND_RNG), world }.draw()
}

/// Scratch: draws commands for a World.
struct CommandDrawer<'a> {
    rng: Rng,
    world: &'a World,
}

impl CommandDrawer<'_> {
    fn below(&mut self, bound: u32) -> u32 {
        self.rng.below(bound)
    }

    fn chance(&mut self, per_mille: u32) -> bool {
        self.rng.chance(per_mille, 1000)
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize]
    }

    /// Any number.
    fn any(&mut self) -> u64 {
        self.rng.next_u64()
    }

    fn draw(&mut self) -> Command {
        let (unit, at, units) = (self.unit(), self.cell(), self.units());
        match self.below(29) {
            0 => Command::AddType(self.unit_type()),
            1 | 2 => Command::Spawn {
                kind: UnitTypeId(self.below(7) as u16),
                owner: PlayerId(self.any() as u8),
                at,
                facing: Angle(self.any() as u16),
            },
            3 => Command::Remove(unit),
            4 => Command::Put { unit, at: self.point(), velocity: self.point() },
            5..9 => {
                let (order, when) = (self.order(), self.pick(&[When::Now, When::Now, When::Queued]));
                if self.chance(800) {
                    Command::Order { units, order, when }
                } else {
                    let detail = self.pick(&[Detail::Full, Detail::Simplified, Detail::Direct]);
                    let effort = OrderEffort { detail, priority: self.pick(&Priority::ALL) };
                    Command::OrderWith { units, order, when, effort }
                }
            }
            9 => Command::Join { units, with: unit },
            10 => {
                let facing = self.chance(500).then(|| Angle(self.any() as u16));
                Command::Reform { units, formation: self.formation(), facing }
            }
            11 => Command::Engage(units),
            12 => Command::Resume(units),
            13 => Command::Place { stamp: self.stamp(), at },
            14 => Command::RemoveStamp(self.stamp_id()),
            15 => {
                let teams = GateState::OpenTo(SideMask(self.any() as u32 & 0x7));
                let gate = self.pick(&[GateState::Open, GateState::Closed, teams]);
                Command::SetGate { id: self.stamp_id(), gate }
            }
            16 => Command::SetTerrain { area: self.area(), terrain: TerrainId(self.below(9) as u8) },
            17 => Command::SetElevation { area: self.area(), height: self.any() as i16 },
            18 => match self.below(5) {
                0 => Command::AddThreat(self.threat()),
                1 => Command::RemoveThreat(self.threat_id()),
                2 => Command::AddThreatOf { source: self.threat(), owner: self.threat_owner() },
                3 => Command::SetThreatOwner { id: self.threat_id(), owner: self.threat_owner() },
                _ => Command::SetThreat { id: self.threat_id(), source: self.threat() },
            },
            19 => {
                // Few teams, so that some players are allies.
                let (player, team) = (self.pick(&[0, 1, 2, 3, 255]), self.pick(&[0, 1, 2, 255]));
                Command::SetTeam { player: PlayerId(player), team: TeamId(team) }
            }
            20 => {
                let facing = Angle(self.any() as u16);
                let taken = self.pick(&[WhenTaken::Overlap, WhenTaken::Refuse, WhenTaken::Spread]);
                let kind = UnitTypeId(self.below(7) as u16);
                let place = SpawnPlace { at, facing, taken };
                Command::SpawnAt { kind, owner: PlayerId(self.below(3) as u8), place }
            }
            21 => Command::SetOwner { units, owner: PlayerId(self.below(3) as u8) },
            22 => Command::SetKind { units, kind: UnitTypeId(self.below(7) as u16) },
            23 => {
                let percent = self.pick(&[0, 9, 10, 50, 100, 150, 300, 301, u16::MAX]);
                Command::SetSpeed { units, percent }
            }
            24 => {
                let concealment = self.pick(&[Concealment::Hidden, Concealment::Visible]);
                Command::SetConcealment { units, concealment }
            }
            25 | 26 => Command::Board { units, transport: unit },
            27 => Command::Unboard(self.units_aboard(units)),
            _ => Command::Configure(Box::new(self.config())),
        }
    }

    /// All units of one transport mostly, else these units.
    fn units_aboard(&mut self, others: Vec<UnitId>) -> Vec<UnitId> {
        let aboard = self.world.units().filter_map(|unit| unit.transport);
        let transports: Vec<UnitId> = aboard.collect();
        if transports.is_empty() || self.chance(200) {
            return others;
        }
        let transport = self.pick(&transports);
        self.world.passengers(transport).collect()
    }

    /// A number that is small, or near a limit of its type.
    fn number(&mut self) -> i32 {
        let near = self.below(64) as i32;
        self.pick(&[near, near, near, -1, -near, 1024, 65_536, i32::MAX, i32::MIN, i32::MAX - near])
    }

    fn cell(&mut self) -> CellPos {
        let size = self.world.nav().layer().grid();
        if self.chance(750) {
            return cell(self.below(size.width()) as i32, self.below(size.height()) as i32);
        }
        cell(self.number(), self.number())
    }

    fn point(&mut self) -> Vec2 {
        if self.chance(600) {
            let at = self.cell();
            return Vec2::from_cells(at.x, at.y) + Vec2::new(Fixed::HALF, Fixed::HALF);
        }
        Vec2::new(Fixed::from_raw(self.number()), Fixed::from_raw(self.number()))
    }

    fn area(&mut self) -> CellRect {
        let at = self.cell();
        if self.chance(700) {
            return CellRect::at(at, 1 + self.below(6), 1 + self.below(6));
        }
        CellRect { x0: at.x, y0: at.y, x1: self.number(), y1: self.number() }
    }

    fn unit(&mut self) -> UnitId {
        let units: Vec<UnitId> = self.world.units().map(|unit| unit.id).collect();
        if units.is_empty() || self.chance(50) { UnitId::DEAD } else { self.pick(&units) }
    }

    fn units(&mut self) -> Vec<UnitId> {
        let count = self.pick(&[0, 1, 1, 2, 5, 20]);
        (0..count).map(|_| self.unit()).collect()
    }

    fn stamp_id(&mut self) -> StampId {
        let all: Vec<StampId> = self.world.nav().layer().stamps().map(|(id, ..)| id).collect();
        if all.is_empty() || self.chance(100) { StampId::DEAD } else { self.pick(&all) }
    }

    fn threat_id(&mut self) -> ThreatId {
        let all: Vec<ThreatId> = self.world.nav().layer().threat().sources().map(|(id, _)| id).collect();
        if all.is_empty() || self.chance(100) { ThreatId::DEAD } else { self.pick(&all) }
    }

    fn threat_owner(&mut self) -> ThreatOwner {
        let (player, unit) = (PlayerId(self.pick(&[0, 1, 2, 255])), self.unit());
        self.pick(&[ThreatOwner::Nobody, ThreatOwner::Player(player), ThreatOwner::Unit(unit)])
    }

    fn threat(&mut self) -> ThreatSource {
        ThreatSource {
            at: self.cell(),
            radius: self.pick(&[0, 3, 255, 256, u16::MAX]),
            strength: self.any() as u8,
            falloff: self.pick(&[Falloff::Flat, Falloff::Linear, Falloff::Quadratic]),
        }
    }

    fn stamp(&mut self) -> Stamp {
        let (width, height) = (self.pick(&[0, 1, 2, 5, 64, 65]), self.pick(&[1, 1, 3, 64]));
        let class = self.below(40) as u8;
        let kind = self.pick(&[
            FootCell::Blocked,
            FootCell::Gate,
            FootCell::NoStop,
            FootCell::Wall(class),
            FootCell::Terrain(TerrainId(class)),
        ]);
        let mut stamp = Stamp::filled("probe", width, height, kind);
        stamp.lifetime = self.pick(&[None, None, Some(0), Some(1), Some(9), Some(u32::MAX)]);
        if self.chance(50) {
            stamp.cells.pop();
        }
        stamp
    }

    fn unit_type(&mut self) -> UnitType {
        let size = SizeClass::new(1 + self.below(16) as u8).unwrap_or_default();
        let agent = Agent { locomotor: LocomotorId(self.below(34) as u8), size };
        let mut kind = UnitType::vehicle("probe", agent);
        if self.chance(300) {
            kind.layers = CollisionLayers::from_bits(self.below(16) as u8);
        }
        (kind.capacity, kind.bulk) = (self.pick(&[0, 2, 40, 4096, 4097]), self.pick(&[0, 1, 1, 3]));
        match self.below(4) {
            0 => kind.speed = Fixed::from_raw(self.number()),
            1 => kind.radius = Fixed::from_raw(self.number()),
            2 => kind.name = "x".repeat(self.below(400) as usize),
            _ => kind.acceleration = self.any() as u16,
        }
        kind
    }

    fn config(&mut self) -> Config {
        let mut config = self.world.nav().config().get().clone();
        match self.below(6) {
            0 => config.sector_size = self.any() as u32,
            1 => config.stuck_threshold = self.below(100_010),
            2 => config.ticks_per_second = self.below(300),
            3 => config.size_classes = vec![self.below(3) as u8, 2],
            4 => config.avoidance_horizon = self.below(1010),
            _ => config.max_path_nodes_per_tick = self.below(200),
        }
        config
    }

    fn formation(&mut self) -> Formation {
        let custom = (0..self.below(9)).map(|_| Fine::new(self.any() as i32, self.any() as i32)).collect();
        match self.below(4) {
            0 => Formation::Custom(custom),
            1 => Formation::Line,
            2 => Formation::Hex,
            _ => Formation::Relative,
        }
    }

    /// Mostly no layout, sometimes one that is out of range or has no effect on the formation.
    fn layout(&mut self) -> FormationLayout {
        let mut layout = FormationLayout::default();
        match self.below(8) {
            0 => layout.spacing = Fixed::from_raw(self.number()),
            1 => layout.width = Fixed::from_raw(self.number()),
            2 => layout.angle = Angle(self.any() as u16),
            3 => layout.radius = Fixed::from_raw(self.number()),
            _ => {}
        }
        layout
    }

    fn target(&mut self) -> Target {
        match self.below(3) {
            0 => Target::Cell(self.cell()),
            1 => Target::Unit(self.unit()),
            _ => Target::Stamp(self.stamp_id()),
        }
    }

    fn goal(&mut self) -> Goal {
        let (at, radius) = (self.cell(), Fixed::from_raw(self.number()));
        match self.below(6) {
            0 => Goal::circle(at, radius),
            1 => Goal::In(Shape::Ring { centre: at, inner: radius, outer: Fixed::from_raw(self.number()) }),
            2 => Goal::rect(self.area()),
            3 => Goal::OutOfAll(vec![Shape::Rect(self.area()), Shape::Circle { centre: at, radius }]),
            4 => Goal::AnyOf(Vec::new()),
            _ => Goal::point(at),
        }
    }

    fn order(&mut self) -> Order {
        let (at, far) = (self.cell(), Fixed::from_raw(self.number()));
        match self.below(12) {
            0 | 1 => Order::Move(self.goal()),
            2 => {
                let facing = self.chance(500).then(|| Angle(self.any() as u16));
                Order::Form { at, formation: self.formation(), facing, layout: self.layout() }
            }
            3 => Order::Patrol((0..self.pick(&[0, 1, 3, 64, 65])).map(|_| at).collect()),
            4 => Order::Follow { target: self.unit(), distance: far },
            5 => Order::AttackMove { goal: self.goal(), sight: far },
            6 => Order::FollowGroup { units: self.units(), distance: far },
            7 => Order::Guard { target: self.target(), leash: far },
            8 => {
                let fire = Fire::Along(LocomotorId(self.below(6) as u8));
                let most = Fixed::from_raw(self.number());
                let how = match self.below(4) {
                    0 => Around::InRange { least: far, most, fire },
                    1 => Around::Surround,
                    2 => Around::Park,
                    _ => Around::Dock { queue: Angle(self.any() as u16) },
                };
                Order::Around { target: self.target(), how }
            }
            9 => Order::Scatter { distance: far },
            10 => Order::Stop,
            _ => Order::Hold,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use waymarch::base::GridSize;
    use waymarch::cost::{Map, Rules};
    use waymarch::world::Setup;

    use super::*;

    /// The name of the variant.
    fn kind_of(command: &Command) -> String {
        let text = format!("{command:?}");
        text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default().to_owned()
    }

    #[test]
    fn random_commands_are_of_every_kind_and_of_each_kind_some_are_legal() {
        let size = GridSize::new(24, 16).expect("a legal size");
        let setup =
            Setup { config: Config::default(), map: Map::flat("m", size, Rules::standard()), seed: 3 };
        let mut game = setup.world().expect("legal");
        let foot = game.nav().locomotor("foot").expect("in the rules");
        let kind = game.add_type(UnitType { capacity: 9, ..UnitType::new("a", foot) }).expect("legal");
        let cells: Vec<CellPos> = (0..6).map(|x| cell(x, 1)).collect();
        let units = game.spawn_many(kind, PlayerId(0), &cells).expect("open");
        game.board(&units[..2], units[5]).expect("places");
        game.order(&units, Order::move_to(cell(20, 12))).expect("on the map");
        game.place(&Stamp::filled("gate", 2, 1, FootCell::Gate), cell(9, 9)).expect("it fits");
        let threat = ThreatSource { at: cell(5, 5), radius: 3, strength: 9, falloff: Falloff::Flat };
        game.apply(&Command::AddThreat(threat)).expect("on the map");
        (0..4).for_each(|_| game.tick());
        let (mut legal, mut refused) = (BTreeMap::new(), 0);
        for number in 0..2000 {
            let mut world = game.clone();
            let command = random_command(&world, number);
            assert_eq!(command, random_command(&game, number), "equal Worlds get equal commands");
            match world.apply(&command) {
                Ok(_) => *legal.entry(kind_of(&command)).or_insert(0) += 1,
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 300, "{refused}");
        assert_eq!(legal.len(), 28, "{legal:?}");
    }
}
