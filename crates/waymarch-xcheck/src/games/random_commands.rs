//! Random commands, valid and invalid.

use waymarch::avoid::Fine;
use waymarch::base::{Angle, CellRect, Dir8, Fixed, LocomotorId, Vec2};
use waymarch::config::Config;
use waymarch::cost::{Falloff, FootCell, GateState, Stamp, StampId, TerrainId, ThreatId, ThreatSource};
use waymarch::groups::{Formation, FormationLayout};
use waymarch::query::{Goal, Shape};
use waymarch::world::{
    Applied, Around, Command, Concealment, Fire, Order, PlayerId, Target, TeamId, UnitId, UnitTypeId, When,
};

use super::game::Game;
use crate::settings::random_setting;

impl Game {
    /// Gives one command. `base` has the settings that a change of settings starts from.
    pub(crate) fn random_command(&mut self, tick: u32, base: &Config) {
        match self.random.below(100) {
            0..=7 => self.random_unit_command(),
            8..=33 => self.random_edit(),
            34..=49 => self.random_group_command(),
            50 if tick % 3 == 0 => {
                let config = random_setting(&mut self.random, base);
                self.apply(Command::Configure(Box::new(config)));
            }
            51..=53 => self.invalid_command(),
            _ => {
                let (units, order) = (self.some_units(), self.random_order());
                let when = if self.random.chance(300) { When::Queued } else { When::Now };
                self.apply(Command::Order { units, order, when });
            }
        }
    }

    fn random_unit_command(&mut self) {
        match self.random.below(8) {
            0..=3 => {
                let kind = UnitTypeId(self.random.below(6) as u16);
                let at = self.open_cell(kind);
                let owner = self.random.below(3) as u8;
                self.spawn(kind, owner, at);
            }
            4..=6 if self.units.len() > 20 => {
                let index = self.random.below(self.units.len() as u32) as usize;
                let unit = self.units.swap_remove(index);
                self.apply(Command::Remove(unit));
            }
            _ => {
                let (unit, at) = (self.some_unit(), self.any_cell());
                let part = |game: &mut Self| Fixed::from_raw(game.random.range(0, 1024));
                let at = Vec2::from_cells(at.x, at.y) + Vec2::new(part(self), part(self));
                let velocity =
                    self.random.pick(&[Vec2::ZERO, Vec2::new(Fixed::from_raw(60), Fixed::from_raw(-30))]);
                self.apply(Command::Put { unit, at, velocity });
            }
        }
    }

    fn random_edit(&mut self) {
        match self.random.below(26) {
            0..=7 => {
                let at = self.any_cell();
                let kind = self.random.pick(&[
                    FootCell::Blocked,
                    FootCell::Blocked,
                    FootCell::Wall(0),
                    FootCell::NoStop,
                    FootCell::Terrain(TerrainId(1)),
                ]);
                let (width, height) = (1 + self.random.below(6), 1 + self.random.below(6));
                let mut stamp = Stamp::filled("house", width, height, kind);
                if self.random.chance(400) {
                    stamp = stamp.lasting(1 + self.random.below(150));
                }
                if let Some(Applied::Stamp(id)) = self.apply(Command::Place { stamp, at }) {
                    self.stamps.push(id);
                }
            }
            8..=9 => {
                let at = self.any_cell();
                let (width, height) = (1 + self.random.below(3), 1 + self.random.below(3));
                let stamp = Stamp::filled("gate", width, height, FootCell::Gate);
                if let Some(Applied::Stamp(id)) = self.apply(Command::Place { stamp, at }) {
                    self.gates.push(id);
                }
            }
            10..=12 if !self.gates.is_empty() => {
                let id = self.random.pick(&self.gates.clone());
                let gate = self.random.pick(&[GateState::Open, GateState::Closed]);
                self.apply(Command::SetGate { id, gate });
            }
            13..=18 if !self.stamps.is_empty() => {
                let index = self.random.below(self.stamps.len() as u32) as usize;
                let id = self.stamps.swap_remove(index);
                self.apply(Command::RemoveStamp(id));
            }
            19..=21 => {
                let (at, terrain) = (self.any_cell(), TerrainId(self.random.below(5) as u8));
                let (width, height) = (1 + self.random.below(6), 1 + self.random.below(6));
                self.apply(Command::SetTerrain { area: CellRect::at(at, width, height), terrain });
            }
            22 => {
                let (at, height) = (self.any_cell(), self.random.range(-900, 900) as i16);
                self.apply(Command::SetElevation { area: CellRect::at(at, 5, 5), height });
            }
            _ => self.random_threat(),
        }
    }

    fn random_threat(&mut self) {
        let source = ThreatSource {
            at: self.any_cell(),
            radius: 3 + self.random.below(9) as u16,
            strength: self.random.below(256) as u8,
            falloff: self.random.pick(&[Falloff::Flat, Falloff::Linear, Falloff::Quadratic]),
        };
        match (self.random.below(3), self.threats.is_empty()) {
            (0, false) => {
                let id = self.threats.swap_remove(0);
                self.apply(Command::RemoveThreat(id));
            }
            (1, false) => {
                let id = self.threats[0];
                self.apply(Command::SetThreat { id, source });
            }
            _ => {
                if let Some(Applied::Threat(id)) = self.apply(Command::AddThreat(source)) {
                    self.threats.push(id);
                }
            }
        }
    }

    fn random_group_command(&mut self) {
        let units = self.some_units();
        match self.random.below(22) {
            0..=4 => {
                let with = self.some_unit();
                self.apply(Command::Join { units, with });
            }
            5..=9 => {
                let formation = self.random_formation();
                let facing = self.random.chance(500).then(|| Angle(self.random.next() as u16));
                self.apply(Command::Reform { units, formation, facing });
            }
            10..=12 => drop(self.apply(Command::Engage(units))),
            13 => {
                let (player, team) = (self.random.below(4) as u8, self.random.below(3) as u8);
                self.apply(Command::SetTeam { player: PlayerId(player), team: TeamId(team) });
            }
            14..=15 => drop(self.apply(Command::Resume(units))),
            _ => self.random_change(units),
        }
    }

    /// Changes units: owner, type, speed, hidden or not, in a transport or not.
    fn random_change(&mut self, units: Vec<UnitId>) {
        let (owner, kind) = (PlayerId(self.random.below(3) as u8), UnitTypeId(self.random.below(6) as u16));
        let percent = self.random.range(10, 300) as u16;
        let transport = self.some_unit();
        match self.random.below(6) {
            0 => self.apply(Command::SetOwner { units, owner }),
            1 => self.apply(Command::SetKind { units, kind }),
            2 => self.apply(Command::SetSpeed { units, percent }),
            3 => self.apply(Command::SetConcealment { units, concealment: Concealment::Hidden }),
            4 => self.apply(Command::Board { units, transport }),
            _ => {
                let aboard = self.world.units().filter(|unit| unit.transport.is_some()).map(|unit| unit.id);
                let aboard = aboard.collect();
                self.apply(Command::Unboard(aboard))
            }
        };
    }

    /// Gives a command that names a thing that does not exist, or a value outside its range.
    fn invalid_command(&mut self) {
        let (unit, at) = (self.some_unit(), self.any_cell());
        let outside = at.offset(1000, -1000);
        let order = |order| Command::Order { units: vec![unit], order, when: When::Now };
        let commands = [
            Command::Order { units: Vec::new(), order: Order::Stop, when: When::Now },
            order(Order::move_to(outside)),
            order(Order::follow(unit, Fixed::ONE)),
            order(Order::patrol(Vec::new())),
            order(Order::around(at, Around::in_range(Fixed::from_cells(9), Fixed::ONE))),
            order(Order::Move(Goal::AnyOf(Vec::new()))),
            Command::Remove(UnitId::DEAD),
            Command::Join { units: vec![UnitId::DEAD, unit], with: unit },
            Command::Place { stamp: Stamp::solid(3, 3), at: outside },
            Command::RemoveStamp(StampId::DEAD),
            Command::SetGate { id: StampId::DEAD, gate: GateState::Open },
            Command::SetTerrain { area: CellRect::at(at, 2, 2), terrain: TerrainId(250) },
            Command::RemoveThreat(ThreatId::DEAD),
            Command::Configure(Box::new(Config { sector_size: 20, ..Config::default() })),
            Command::Put { unit, at: Vec2::from_cells(outside.x, outside.y), velocity: Vec2::ZERO },
        ];
        let command = self.random.pick(&commands);
        self.apply(command);
    }

    fn some_unit(&mut self) -> UnitId {
        if self.units.is_empty() { UnitId::DEAD } else { self.random.pick(&self.units.clone()) }
    }

    /// One unit, a few, or up to 90 that were made one after another.
    fn some_units(&mut self) -> Vec<UnitId> {
        let first = self.random.below(self.units.len() as u32) as usize;
        let count = match self.random.below(4) {
            0 => 1,
            1 => 2 + self.random.below(6),
            2 => 8 + self.random.below(24),
            _ => 30 + self.random.below(60),
        };
        self.units[first..self.units.len().min(first + count as usize)].to_vec()
    }

    fn random_formation(&mut self) -> Formation {
        use Formation as F;
        let custom = (0..12).map(|i| Fine::new((i % 4) * 100_000 - 150_000, (i / 4) * 80_000)).collect();
        self.random.pick(&[
            F::Adaptive,
            F::Relative,
            F::Box,
            F::Line,
            F::Column,
            F::Wedge,
            F::Circle,
            F::Scatter,
            F::Hex,
            F::Custom(custom),
        ])
    }

    fn random_target(&mut self) -> Target {
        match self.random.below(3) {
            0 => Target::Cell(self.any_cell()),
            1 if !self.units.is_empty() => Target::Unit(self.some_unit()),
            _ if !self.stamps.is_empty() => Target::Stamp(self.random.pick(&self.stamps.clone())),
            _ => Target::Stamp(StampId::DEAD),
        }
    }

    fn random_goal(&mut self) -> Goal {
        let (at, cells) = (self.any_cell(), Fixed::from_cells);
        match self.random.below(6) {
            0 => Goal::circle(at, cells(3)),
            1 => Goal::ring(at, cells(2), cells(6)),
            2 => Goal::AnyOf(vec![
                Shape::Point(at),
                Shape::Point(self.any_cell()),
                Shape::Rect(CellRect::at(at, 3, 2)),
            ]),
            3 => Goal::OutOf(Shape::Circle { centre: at, radius: cells(12) }),
            4 => Goal::OutOfAll(vec![
                Shape::Circle { centre: at, radius: cells(7) },
                Shape::Rect(CellRect::at(self.any_cell(), 9, 5)),
            ]),
            _ => Goal::rect(CellRect::at(at, 5, 4)),
        }
    }

    fn random_order(&mut self) -> Order {
        let (at, cells) = (self.any_cell(), Fixed::from_cells);
        match self.random.below(22) {
            0..=4 => Order::move_to(at),
            5..=8 => Order::Move(self.random_goal()),
            9..=11 => {
                let order = Order::move_to(at).formation(self.random_formation());
                match self.random.below(3) {
                    0 => order.facing(Angle(self.random.next() as u16)),
                    1 => order.facing(Dir8::SW),
                    _ => order,
                }
            }
            12 => Order::patrol([at, self.any_cell(), self.any_cell()]),
            13 => Order::patrol([at]),
            14 => Order::follow(self.some_unit(), cells(3)),
            15 => Order::FollowGroup { units: self.some_units(), distance: cells(4) },
            16 => Order::attack_move(self.random_goal(), cells(8)),
            17 => Order::Guard { target: self.random_target(), leash: cells(6) },
            18 => Order::Around { target: self.random_target(), how: self.random_around() },
            19 => Order::Form {
                at,
                formation: self.random_formation(),
                facing: self.random.chance(500).then_some(Angle(9000)),
                layout: FormationLayout::default(),
            },
            20 => Order::Scatter { distance: cells(5) },
            _ => self.random.pick(&[Order::Stop, Order::Hold]),
        }
    }

    fn random_around(&mut self) -> Around {
        let cells = Fixed::from_cells;
        match self.random.below(5) {
            0 => Around::in_range(cells(2), cells(7)),
            1 => Around::InRange { least: Fixed::ONE, most: cells(9), fire: Fire::Along(LocomotorId(0)) },
            2 => Around::Surround,
            3 => Around::Park,
            _ => Around::Dock { queue: Angle(self.random.next() as u16) },
        }
    }
}
