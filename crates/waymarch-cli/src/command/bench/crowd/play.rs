//! One run of a crowd scene, through a World: its own ways, groups and units.

use std::time::{Duration, Instant};

use waymarch::avoid::{Fine, Reverse, Stance, Turning};
use waymarch::base::{Agent, Dir8, Fixed, LocomotorId, Purpose, Rng, SizeClass, Tick, Vec2};
use waymarch::config::{AvoidanceModel, Config};
use waymarch::groups::Formation;
use waymarch::world::{Navigator, Order, PlayerId, TickPhase, UnitId, UnitType, UnitTypeId, World};
use waymarch_maps::crowd::{CrowdScene, Ground};

use crate::conduct::{GroupReport, Marches};
use crate::diagnostics::{Failure, Kind};
use crate::workers::Workers;

/// A seed moves starts by at most so much, in 65,536ths of a cell: 0.0005 cells.
const NUDGE: i32 = 32;

/// A run ends when all have been there and nobody moved for so many seconds.
const STILL_SECONDS: u32 = 5;

/// How a scene is run.
#[derive(Clone, Copy, Debug)]
pub(super) struct How {
    pub(super) model: AvoidanceModel,
    pub(super) seed: u32,
    /// Other than the scene's.
    pub(super) ticks_per_second: Option<u16>,
    pub(super) motion: Motion,
    /// Threads to share the work.
    pub(super) threads: usize,
}

/// How the units move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum Motion {
    /// Turning at once.
    Infantry,
    /// Turning by half a turn a second, slow to start, never sideways.
    Tank,
}

/// What happened: positions in cells, tick by tick, the start first.
pub(super) struct Record {
    pub(super) ticks_per_second: u16,
    pub(super) threads: usize,
    pub(super) frames: Vec<Vec<[f64; 2]>>,
    /// Where each was to go: another than the scene says if it exchanged its place with another.
    pub(super) goals: Vec<[f64; 2]>,
    /// Microseconds of each tick: layer 4 only, and all of it.
    pub(super) micros: Vec<f64>,
    pub(super) whole: Vec<f64>,
    pub(super) groups: GroupReport,
    /// The state at the end.
    pub(super) hash: u64,
}

fn invalid(error: &impl ToString) -> Failure {
    Failure::new(Kind::Invalid, error.to_string())
}

pub(super) fn play(scene: &CrowdScene, how: How) -> Result<Record, Failure> {
    let ground = scene.ground().map_err(Failure::from)?;
    let ticks = how.ticks_per_second.unwrap_or(scene.ticks_per_second);
    let config = Config { avoidance_model: how.model, ..Config::at(u32::from(ticks)) };
    let nav = Navigator::new(ground.map.clone(), config).map_err(|error| invalid(&error))?;
    let mut world = World::with_seed(nav, u64::from(how.seed));
    let units = people(&mut world, scene, &ground, ticks, how)?;
    orders(&mut world, scene, &ground, &units)?;
    let max_ticks = u64::from(scene.max_ticks) * u64::from(ticks) / u64::from(scene.ticks_per_second);
    let workers = Workers::new(how.threads)?;
    let mut record = Record {
        ticks_per_second: ticks,
        threads: workers.count(),
        frames: vec![frame(&world, &units, &ground)],
        goals: Vec::new(),
        micros: Vec::new(),
        whole: Vec::new(),
        groups: GroupReport::default(),
        hash: 0,
    };
    let mut marches = Marches::default();
    let mut still = 0;
    for _ in 0..max_ticks {
        let start = Instant::now();
        let (mut before, mut layer) = (start, Duration::ZERO);
        world.tick_watched(&workers, |phase| {
            let now = Instant::now();
            if phase == TickPhase::Avoid {
                layer = now.duration_since(before);
            }
            before = now;
        });
        record.whole.push(start.elapsed().as_nanos() as f64 / 1e3);
        record.micros.push(layer.as_nanos() as f64 / 1e3);
        record.frames.push(frame(&world, &units, &ground));
        marches.tick(&world);
        let moves = world.units().any(|unit| unit.stance != Stance::Idle || !unit.velocity.is_zero());
        still = if moves { 0 } else { still + 1 };
        if still > STILL_SECONDS * u32::from(ticks) {
            break;
        }
    }
    record.goals = goals(&world, scene, &ground, &units);
    record.groups = marches.report(&world);
    record.hash = world.state_hash().total();
    Ok(record)
}

/// The units, where the scene has them.
fn people(
    world: &mut World,
    scene: &CrowdScene,
    ground: &Ground,
    ticks: u16,
    how: How,
) -> Result<Vec<UnitId>, Failure> {
    let mut kinds: Vec<(Fixed, Fixed, UnitTypeId)> = Vec::new();
    let fixed = |number: f64| Fixed::from_raw((number * 1024.0).round() as i32);
    let mut units = Vec::with_capacity(scene.agents.len());
    for (number, agent) in scene.agents.iter().enumerate() {
        let (radius, speed) = (fixed(agent.radius), fixed(agent.speed / f64::from(ticks)));
        let known = kinds.iter().find(|kind| (kind.0, kind.1) == (radius, speed)).map(|kind| kind.2);
        let kind = match known {
            Some(kind) => kind,
            None => {
                let side = (2.0 * agent.radius).ceil().clamp(1.0, 3.0) as u8;
                let body =
                    Agent { locomotor: LocomotorId(0), size: SizeClass::new(side).unwrap_or_default() };
                let plain = UnitType { radius, speed, ..UnitType::new("unit", body) };
                let quarter = |part: u16| (ticks / part).max(1);
                let kind = match how.motion {
                    Motion::Infantry => UnitType { acceleration: quarter(5), braking: quarter(5), ..plain },
                    Motion::Tank => UnitType {
                        acceleration: quarter(2),
                        braking: quarter(4),
                        turning: Turning::Rate { degrees: 180, in_place: 60, reverse: Reverse::WhenShorter },
                        ..plain
                    },
                };
                let kind = world.add_type(kind).map_err(|error| invalid(&error))?;
                kinds.push((radius, speed, kind));
                kind
            }
        };
        let mut random = Rng::keyed(u64::from(how.seed), Tick::ZERO, number as u64, Purpose(8));
        let mut nudge = || random.below(2 * NUDGE as u32 + 1) as i32 - NUDGE;
        let at =
            ground.point(agent.at).plus(if how.seed == 0 { Fine::ZERO } else { Fine::new(nudge(), nudge()) });
        let unit = world.spawn(kind, PlayerId(0), at.cell()).map_err(|error| invalid(&error))?;
        world.put(unit, Vec2::from(at), Vec2::ZERO).map_err(|error| invalid(&error))?;
        units.push(unit);
    }
    Ok(units)
}

/// Tells units where to go: those who may exchange their places together, all others by themselves. Who has no way to go is idle.
fn orders(world: &mut World, scene: &CrowdScene, ground: &Ground, units: &[UnitId]) -> Result<(), Failure> {
    let mut give = |who: &[usize], formation: Formation, middle: Fine| {
        let who: Vec<UnitId> = who.iter().map(|&number| units[number]).collect();
        let order = Order::move_to(middle.cell()).formation(formation).facing(Dir8::N);
        world.order(&who, order).map_err(|error| invalid(&error))
    };
    let goal = |number: usize| ground.point(scene.agents[number].goal);
    let offset = |middle: Fine, to: Fine| {
        let centre = Fine::centre(middle.cell());
        Fine::new(to.x - centre.x, to.y - centre.y)
    };
    for &group in &scene.interchangeable {
        let who: Vec<usize> =
            (0..units.len()).filter(|&number| scene.agents[number].group == group).collect();
        let Some(&first) = who.first() else { continue };
        if who.iter().all(|&number| scene.agents[number].goal == scene.agents[first].goal) {
            give(&who, Formation::Hex, goal(first))?;
        } else {
            let sum = who.iter().fold((0, 0), |(x, y), &number| {
                (x + i64::from(goal(number).x), y + i64::from(goal(number).y))
            });
            let count = who.len() as i64;
            let middle = Fine::new((sum.0 / count) as i32, (sum.1 / count) as i32);
            let places = who.iter().map(|&number| offset(middle, goal(number))).collect();
            give(&who, Formation::Custom(places), middle)?;
        }
    }
    let idle = |number: &usize| {
        let agent = &scene.agents[*number];
        !scene.interchangeable.contains(&agent.group) && agent.shortest <= 0.0
    };
    for (number, agent) in scene.agents.iter().enumerate() {
        if !scene.interchangeable.contains(&agent.group) && agent.shortest > 0.0 {
            let to = goal(number);
            give(&[number], Formation::Custom(vec![offset(to, to)]), to)?;
        }
    }
    // Who stays belongs where the scene has it, not in the middle of its cell.
    let stay: Vec<UnitId> = (0..units.len()).filter(idle).map(|number| units[number]).collect();
    if !stay.is_empty() {
        world.order(&stay, Order::Stop).map_err(|error| invalid(&error))?;
    }
    Ok(())
}

/// Where each was to go in the end.
fn goals(world: &World, scene: &CrowdScene, ground: &Ground, units: &[UnitId]) -> Vec<[f64; 2]> {
    let own = |number: usize| {
        let agent = &scene.agents[number];
        let shared = scene
            .agents
            .iter()
            .filter(|other| other.group == agent.group)
            .all(|other| other.goal == agent.goal);
        let may = scene.interchangeable.contains(&agent.group) && !shared;
        match world.slot_of(units[number]) {
            Some(slot) if may => cells(slot, ground),
            _ => agent.goal,
        }
    };
    (0..units.len()).map(own).collect()
}

fn cells(at: Fine, ground: &Ground) -> [f64; 2] {
    let part = |part: i32| f64::from(part) / 65_536.0;
    [part(at.x) - ground.shift[0], part(at.y) - ground.shift[1]]
}

fn frame(world: &World, units: &[UnitId], ground: &Ground) -> Vec<[f64; 2]> {
    units.iter().map(|&unit| world.place_of(unit).map_or([0.0; 2], |at| cells(at, ground))).collect()
}
