//! Raw commands on a copy of the World. Most are wrong: a refused command must change nothing.

use waymarch::base::{Agent, Angle, CellPos, CellRect, Fixed, LocomotorId, SizeClass, Vec2, cell};
use waymarch::config::Config;
use waymarch::cost::{Falloff, FootCell, GateState, Stamp, StampId, TerrainId, ThreatId, ThreatSource};
use waymarch::groups::Formation;
use waymarch::query::{Goal, Shape};
use waymarch::world::{
    Around, Command, Fire, Order, PlayerId, Target, UnitId, UnitType, UnitTypeId, When, World,
};
use waymarch_testkit::splitmix::SplitMix;

use super::check::differing;

/// A probe gives 4 commands.
const COMMANDS: u64 = 4;

/// Gives random commands to a copy of `world`, which then runs for 2 ticks, is saved and loaded. Returns the number of commands.
///
/// # Errors
/// What went wrong, with the commands.
pub(super) fn probe(world: &World, seed: u64) -> Result<u64, String> {
    let mut drawer = CommandDrawer { rng: SplitMix::new(seed), world: world.clone() };
    // A planner is not saved.
    drawer.world.set_planner(None);
    let mut given = Vec::new();
    for _ in 0..COMMANDS {
        let command = drawer.draw();
        let before = drawer.world.save();
        let applied = drawer.world.apply(&command);
        if applied.is_err() && drawer.world.save() != before {
            return Err(format!("probe: a refused command changed the World\n{command:?}: {applied:?}"));
        }
        given.push(command);
    }
    let mut loaded = World::load(&drawer.world.save())
        .map_err(|error| format!("probe: the World's own save is refused: {error}\nafter {given:?}"))?;
    for _ in 0..2 {
        drawer.world.tick();
        loaded.tick();
        let (own, other) = (drawer.world.state_hash(), loaded.state_hash());
        if own != other {
            return Err(format!("probe: a loaded World {}\nafter {given:?}", differing(&own, &other)));
        }
    }
    World::load(&drawer.world.save()).map_err(|error| {
        format!("probe: the World's own save is refused: {error}\n2 ticks after {given:?}")
    })?;
    Ok(COMMANDS)
}

/// Scratch: draws commands for a World.
struct CommandDrawer {
    rng: SplitMix,
    world: World,
}

impl CommandDrawer {
    fn draw(&mut self) -> Command {
        let (unit, at, units) = (self.unit(), self.cell(), self.units());
        match self.rng.below(20) {
            0 => Command::AddType(self.unit_type()),
            1 | 2 => Command::Spawn {
                kind: UnitTypeId(self.rng.below(7) as u16),
                owner: PlayerId(self.rng.next_u64() as u8),
                at,
                facing: Angle(self.rng.next_u64() as u16),
            },
            3 => Command::Remove(unit),
            4 => Command::Put { unit, at: self.point(), velocity: self.point() },
            5..9 => {
                let (order, when) = (self.order(), self.rng.pick(&[When::Now, When::Now, When::Queued]));
                Command::Order { units, order, when }
            }
            9 => Command::Join { units, with: unit },
            10 => {
                let facing = self.rng.chance(500).then(|| Angle(self.rng.next_u64() as u16));
                Command::Reform { units, formation: self.formation(), facing }
            }
            11 => Command::Engage(units),
            12 => Command::Resume(units),
            13 => Command::Place { stamp: self.stamp(), at },
            14 => Command::RemoveStamp(self.stamp_id()),
            15 => {
                let gate = self.rng.pick(&[GateState::Open, GateState::Closed]);
                Command::SetGate { id: self.stamp_id(), gate }
            }
            16 => Command::SetTerrain { area: self.area(), terrain: TerrainId(self.rng.below(9) as u8) },
            17 => Command::SetElevation { area: self.area(), height: self.rng.next_u64() as i16 },
            18 => match self.rng.below(3) {
                0 => Command::AddThreat(self.threat()),
                1 => Command::RemoveThreat(self.threat_id()),
                _ => Command::SetThreat { id: self.threat_id(), source: self.threat() },
            },
            _ => Command::Configure(Box::new(self.config())),
        }
    }

    /// A number that is small, or near a limit of its type.
    fn number(&mut self) -> i32 {
        let near = self.rng.below(64) as i32;
        self.rng.pick(&[near, near, near, -1, -near, 1024, 65_536, i32::MAX, i32::MIN, i32::MAX - near])
    }

    fn cell(&mut self) -> CellPos {
        let size = self.world.nav().layer().grid();
        if self.rng.chance(750) {
            return cell(self.rng.below(size.width()) as i32, self.rng.below(size.height()) as i32);
        }
        cell(self.number(), self.number())
    }

    fn point(&mut self) -> Vec2 {
        if self.rng.chance(600) {
            let at = self.cell();
            return Vec2::from_cells(at.x, at.y) + Vec2::new(Fixed::HALF, Fixed::HALF);
        }
        Vec2::new(Fixed::from_raw(self.number()), Fixed::from_raw(self.number()))
    }

    fn area(&mut self) -> CellRect {
        let at = self.cell();
        if self.rng.chance(700) {
            return CellRect::at(at, 1 + self.rng.below(6), 1 + self.rng.below(6));
        }
        CellRect { x0: at.x, y0: at.y, x1: self.number(), y1: self.number() }
    }

    fn unit(&mut self) -> UnitId {
        let units: Vec<UnitId> = self.world.units().map(|unit| unit.id).collect();
        if units.is_empty() || self.rng.chance(50) { UnitId::DEAD } else { self.rng.pick(&units) }
    }

    fn units(&mut self) -> Vec<UnitId> {
        let count = self.rng.pick(&[0, 1, 1, 2, 5, 20]);
        (0..count).map(|_| self.unit()).collect()
    }

    fn stamp_id(&mut self) -> StampId {
        let all: Vec<StampId> = self.world.nav().layer().stamps().map(|(id, ..)| id).collect();
        if all.is_empty() || self.rng.chance(100) { StampId::DEAD } else { self.rng.pick(&all) }
    }

    fn threat_id(&mut self) -> ThreatId {
        let all: Vec<ThreatId> = self.world.nav().layer().threat().sources().map(|(id, _)| id).collect();
        if all.is_empty() || self.rng.chance(100) { ThreatId::DEAD } else { self.rng.pick(&all) }
    }

    fn threat(&mut self) -> ThreatSource {
        ThreatSource {
            at: self.cell(),
            radius: self.rng.pick(&[0, 3, 255, 256, u16::MAX]),
            strength: self.rng.next_u64() as u8,
            falloff: self.rng.pick(&[Falloff::Flat, Falloff::Linear, Falloff::Quadratic]),
        }
    }

    fn stamp(&mut self) -> Stamp {
        let (width, height) = (self.rng.pick(&[0, 1, 2, 5, 64, 65]), self.rng.pick(&[1, 1, 3, 64]));
        let class = self.rng.below(40) as u8;
        let kind = self.rng.pick(&[
            FootCell::Blocked,
            FootCell::Gate,
            FootCell::NoStop,
            FootCell::Wall(class),
            FootCell::Terrain(TerrainId(class)),
        ]);
        let mut stamp = Stamp::filled("probe", width, height, kind);
        stamp.lifetime = self.rng.pick(&[None, None, Some(0), Some(1), Some(9), Some(u32::MAX)]);
        if self.rng.chance(50) {
            stamp.cells.pop();
        }
        stamp
    }

    fn unit_type(&mut self) -> UnitType {
        let size = SizeClass::new(1 + self.rng.below(16) as u8).unwrap_or_default();
        let agent = Agent { locomotor: LocomotorId(self.rng.below(34) as u8), size };
        let mut kind = UnitType::vehicle("probe", agent);
        match self.rng.below(4) {
            0 => kind.speed = Fixed::from_raw(self.number()),
            1 => kind.radius = Fixed::from_raw(self.number()),
            2 => kind.name = "x".repeat(self.rng.below(400) as usize),
            _ => kind.acceleration = self.rng.next_u64() as u16,
        }
        kind
    }

    fn config(&mut self) -> Config {
        let mut config = self.world.nav().config().get().clone();
        match self.rng.below(6) {
            0 => config.sector_size = self.rng.next_u64() as u32,
            1 => config.stuck_threshold = self.rng.below(100_010),
            2 => config.ticks_per_second = self.rng.below(300),
            3 => config.size_classes = vec![self.rng.below(3) as u8, 2],
            4 => config.avoidance_horizon = self.rng.below(1010),
            _ => config.max_path_nodes_per_tick = self.rng.below(200),
        }
        config
    }

    fn formation(&mut self) -> Formation {
        let near = |rng: &mut SplitMix| rng.next_u64() as i32;
        let custom = (0..self.rng.below(9))
            .map(|_| waymarch::avoid::Fine::new(near(&mut self.rng), near(&mut self.rng)))
            .collect();
        match self.rng.below(4) {
            0 => Formation::Custom(custom),
            1 => Formation::Line,
            2 => Formation::Hex,
            _ => Formation::Relative,
        }
    }

    fn target(&mut self) -> Target {
        match self.rng.below(3) {
            0 => Target::Cell(self.cell()),
            1 => Target::Unit(self.unit()),
            _ => Target::Stamp(self.stamp_id()),
        }
    }

    fn goal(&mut self) -> Goal {
        let (at, radius) = (self.cell(), Fixed::from_raw(self.number()));
        match self.rng.below(6) {
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
        match self.rng.below(12) {
            0 | 1 => Order::Move(self.goal()),
            2 => {
                let facing = self.rng.chance(500).then(|| Angle(self.rng.next_u64() as u16));
                Order::Form { at, formation: self.formation(), facing }
            }
            3 => Order::Patrol((0..self.rng.pick(&[0, 1, 3, 64, 65])).map(|_| at).collect()),
            4 => Order::Follow { target: self.unit(), distance: far },
            5 => Order::AttackMove { goal: self.goal(), sight: far },
            6 => Order::FollowGroup { units: self.units(), distance: far },
            7 => Order::Guard { target: self.target(), leash: far },
            8 => {
                let fire = Fire::Along(LocomotorId(self.rng.below(6) as u8));
                let most = Fixed::from_raw(self.number());
                let how = match self.rng.below(4) {
                    0 => Around::InRange { least: far, most, fire },
                    1 => Around::Surround,
                    2 => Around::Park,
                    _ => Around::Dock { queue: Angle(self.rng.next_u64() as u16) },
                };
                Order::Around { target: self.target(), how }
            }
            9 => Order::Scatter { distance: far },
            10 => Order::Stop,
            _ => Order::Hold,
        }
    }
}
