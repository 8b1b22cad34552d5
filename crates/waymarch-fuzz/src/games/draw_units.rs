//! Draws unit types and squads.

use waymarch::avoid::{Reverse, Turning};
use waymarch::base::{
    Agent, Angle, CellPos, CellRect, CollisionLayers, Dir8, Fixed, GridSize, LocomotorId, SizeClass, cell,
};
use waymarch::config::Config;
use waymarch::cost::Rules;
use waymarch::groups::Role;
use waymarch::query::Controller;
use waymarch::world::{Mover, OnLoss, PlayerId, Setup, UnitType, UnitTypeId, WhenTaken, World};
use waymarch_maps::scenario::{Placement, Scenario, Squad};
use waymarch_testkit::splitmix::SplitMix;

/// One to five unit types.
pub(super) fn draw_types(rng: &mut SplitMix, rules: &Rules, config: &Config) -> Vec<UnitType> {
    (0..1 + rng.below(5)).map(|number| draw_type(rng, number, rules, config)).collect()
}

/// A unit type whose numbers reach from one end of their ranges to the other.
fn draw_type(rng: &mut SplitMix, number: u32, rules: &Rules, config: &Config) -> UnitType {
    let side = if rng.chance(600) { 1 } else { rng.pick(&config.size_classes) };
    let size = SizeClass::new(side).expect("settings have legal sizes");
    let agent = Agent { locomotor: LocomotorId(rng.below(rules.locomotors.len() as u32) as u8), size };
    let name = format!("k{number}");
    let usual = if rng.chance(600) { UnitType::new(name, agent) } else { UnitType::vehicle(name, agent) };
    if rng.chance(300) {
        return usual;
    }
    let fixed = |rng: &mut SplitMix, choices: &[i32]| Fixed::from_raw(rng.pick(choices));
    let radius = if rng.chance(700) { usual.radius } else { fixed(rng, &[64, 200, 512, 3000, 8192]) };
    UnitType {
        radius,
        speed: fixed(rng, &[0, 1, 64, 128, 128, 256, 512, 1000, 1024]),
        acceleration: rng.pick(&[1, 2, 4, 20, 1000]),
        braking: rng.pick(&[1, 2, 4, 20, 1000]),
        turning: match rng.below(3) {
            0 => Turning::Free,
            _ => Turning::Rate {
                degrees: rng.pick(&[1, 90, 180, 3600]),
                in_place: rng.pick(&[1, 30, 60, 180]),
                reverse: rng.pick(&[Reverse::Never, Reverse::WhenShorter]),
            },
        },
        weight: rng.pick(&[1, 5, 16, 64, 255]),
        mover: if rng.chance(100) { Mover::Game } else { Mover::Engine },
        tolerance: fixed(rng, &[0, 64, 300, 1024, 16_384]),
        role: rng.pick(&[Role::Front, Role::Middle, Role::Back]),
        controller: rng.pick(&[Controller::Player, Controller::Ai]),
        capacity: rng.pick(&[0, 0, 1, 3, 12, 4096]),
        bulk: rng.pick(&[1, 1, 2, 4096]),
        on_loss: rng.pick(&[OnLoss::PutOut, OnLoss::PutOut, OnLoss::Die]),
        layers: if rng.chance(300) { CollisionLayers::from_bits(1 + rng.below(15) as u8) } else { None },
        ..usual
    }
}

/// Scratch: the World before the first command, to see which cells are open.
pub(super) struct Ground {
    world: World,
}

impl Ground {
    pub(super) fn new(setup: &Setup) -> Self {
        Self { world: setup.world().expect("drawn maps and settings are legal") }
    }

    fn is_open(&self, agent: Agent, at: CellPos) -> bool {
        self.world.nav().layer().field(agent).is_some_and(|field| field.is_passable(at))
    }

    /// A cell that is open to `agent`; `None` after 40 closed ones.
    fn open_cell(&self, rng: &mut SplitMix, agent: Agent) -> Option<CellPos> {
        let size = self.world.nav().layer().grid();
        (0..40).map(|_| any_cell(rng, size)).find(|&at| self.is_open(agent, at))
    }
}

/// Any cell of the map.
pub(super) fn any_cell(rng: &mut SplitMix, size: GridSize) -> CellPos {
    cell(rng.below(size.width()) as i32, rng.below(size.height()) as i32)
}

/// Draws squads into the scenario, and returns the indices of the squads that appear later.
pub(super) fn draw_squads(rng: &mut SplitMix, ground: &Ground, scenario: &mut Scenario) -> Vec<usize> {
    let cells = scenario.setup.map.size.cells() as u32;
    let wanted = match rng.below(10) {
        0 => 0,
        1..4 => 1 + rng.below(4),
        4..9 => 4 + rng.below(24),
        _ => 30 + rng.below(60),
    };
    // Units may share cells, but a small map gets few units.
    let (wanted, mut units, mut later) = (wanted.min(4 + cells / 2), 0, Vec::new());
    while units < wanted {
        let kind = UnitTypeId(rng.below(scenario.types.len() as u32) as u16);
        let agent = scenario.types[kind.index()].agent;
        let size = scenario.setup.map.size;
        let place = if rng.chance(150) {
            later.push(scenario.squads.len());
            draw_later_place(rng, size)
        } else {
            match ground.open_cell(rng, agent) {
                Some(at) => draw_block(rng, ground, agent, at),
                None => {
                    units += 1;
                    continue;
                }
            }
        };
        units += place.count();
        let owner = PlayerId(rng.pick(&[0, 0, 0, 1, 1, 255]));
        let facing = Angle::from(rng.pick(&Dir8::ALL));
        let taken = rng.pick(&[WhenTaken::Overlap, WhenTaken::Overlap, WhenTaken::Refuse, WhenTaken::Spread]);
        // A squad that stands there at the start must find room.
        let taken = if later.last() == Some(&scenario.squads.len()) { taken } else { WhenTaken::Overlap };
        scenario.squads.push(Squad { kind, owner, place, facing, taken });
    }
    later
}

/// Up to 12 open cells, in a block whose first cell is `at`. In one block of ten all units stand on `at`, so that they overlap.
fn draw_block(rng: &mut SplitMix, ground: &Ground, agent: Agent, at: CellPos) -> Placement {
    let step = if rng.chance(700) { i32::from(agent.size.side()) } else { 1 };
    let count = rng.pick(&[1, 1, 1, 3, 6, 12]);
    let mut cells: Vec<CellPos> =
        (0..count).map(|number: i32| at.offset(number % 4 * step, number / 4 * step)).collect();
    if rng.chance(100) {
        cells.iter_mut().for_each(|place| *place = at);
    }
    cells.retain(|&place| ground.is_open(agent, place));
    Placement::Cells(cells)
}

/// A place that may be closed when its tick comes.
fn draw_later_place(rng: &mut SplitMix, size: GridSize) -> Placement {
    let at = any_cell(rng, size);
    match rng.below(3) {
        0 => Placement::Ring {
            centre: at,
            radius: Fixed::from_raw(rng.below(6000) as i32),
            count: 1 + rng.below(5),
        },
        1 => {
            let (width, height) = (1 + rng.below(6), 1 + rng.below(6));
            let area = CellRect::at(at, width, height).intersect(size.rect());
            Placement::Rect(area, 1 + rng.below(6))
        }
        _ => Placement::Cells(vec![at]),
    }
}
