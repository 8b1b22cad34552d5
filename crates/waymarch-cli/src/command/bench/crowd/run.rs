//! One run of a crowd scene in a `World`, with its routes, groups and units.

use std::time::{Duration, Instant};

use waymarch::avoid::{Reverse, Stance, Turning};
use waymarch::base::{Agent, Dir8, Fine, Fixed, LocomotorId, Purpose, Rng, SizeClass, Tick, Vec2};
use waymarch::config::{AvoidanceModel, Config};
use waymarch::groups::Formation;
use waymarch::world::{Navigator, Order, PlayerId, TickPhase, UnitId, UnitType, UnitTypeId, World};
use waymarch_maps::crowd::{CrowdScene, Ground};

use crate::diagnostics::Failure;
use crate::movement_metrics::{GroupReport, GroupTracker};
use crate::scale::fine_position;
use crate::workers::Workers;

/// A seed moves each start by at most 32/65,536 of a cell: 0.0005 cells.
const NUDGE: i32 = 32;

/// A run ends when all units have been idle and still for 5 seconds.
const STILL_SECONDS: u32 = 5;

/// The settings of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunSettings {
    pub(super) model: AvoidanceModel,
    pub(super) seed: u32,
    /// Ticks per second; the scene's if `None`.
    pub(super) ticks_per_second: Option<u16>,
    pub(super) motion: Motion,
    /// The number of threads; 0 means one per core.
    pub(super) threads: usize,
}

/// How units turn and accelerate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum Motion {
    /// Turns at once.
    Infantry,
    /// Turns by half a turn per second, accelerates slowly, never moves sideways.
    Tank,
}

/// A finished run.
pub(super) struct Run {
    pub(super) ticks_per_second: u16,
    pub(super) threads: usize,
    /// The positions of all units in cells, tick by tick; the first frame is the start.
    pub(super) frames: Vec<Vec<[f64; 2]>>,
    /// The goal of each unit at the end. It differs from the scene if units exchanged slots.
    pub(super) goals: Vec<[f64; 2]>,
    /// The microseconds that avoidance takes in each tick.
    pub(super) micros: Vec<f64>,
    /// The microseconds of each whole tick.
    pub(super) whole: Vec<f64>,
    pub(super) groups: GroupReport,
    /// The state hash at the end.
    pub(super) hash: u64,
}

/// A scene before its first tick: its units have their orders.
pub(super) struct Start {
    pub(super) world: World,
    units: Vec<UnitId>,
    ground: Ground,
    ticks: u16,
}

/// Spawns the units of a scene and gives them their orders.
pub(super) fn start_scene(scene: &CrowdScene, how: RunSettings) -> Result<Start, Failure> {
    let ground = scene.ground().map_err(Failure::from)?;
    let ticks = how.ticks_per_second.unwrap_or(scene.ticks_per_second);
    let config = Config { avoidance_model: how.model, ..Config::at(u32::from(ticks)) };
    let nav = Navigator::new(ground.map.clone(), config).map_err(Failure::invalid)?;
    let mut world = World::with_seed(nav, u64::from(how.seed));
    let units = spawn_units(&mut world, scene, &ground, ticks, how)?;
    orders(&mut world, scene, &ground, &units)?;
    Ok(Start { world, units, ground, ticks })
}

pub(super) fn run_scene(scene: &CrowdScene, how: RunSettings) -> Result<Run, Failure> {
    let Start { mut world, units, ground, ticks } = start_scene(scene, how)?;
    let max_ticks = u64::from(scene.max_ticks) * u64::from(ticks) / u64::from(scene.ticks_per_second);
    let workers = Workers::new(how.threads)?;
    let mut record = Run {
        ticks_per_second: ticks,
        threads: workers.count(),
        frames: vec![frame(&world, &units, &ground)],
        goals: Vec::new(),
        micros: Vec::new(),
        whole: Vec::new(),
        groups: GroupReport::default(),
        hash: 0,
    };
    let mut group_tracker = GroupTracker::default();
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
        group_tracker.tick(&world);
        let moves = world.units().any(|unit| unit.stance != Stance::Idle || !unit.velocity.is_zero());
        still = if moves { 0 } else { still + 1 };
        if still > STILL_SECONDS * u32::from(ticks) {
            break;
        }
    }
    record.goals = goals(&world, scene, &ground, &units);
    record.groups = group_tracker.report(&world);
    record.hash = world.state_hash().total();
    Ok(record)
}

/// Spawns the units of the scene at their starts.
fn spawn_units(
    world: &mut World,
    scene: &CrowdScene,
    ground: &Ground,
    ticks: u16,
    how: RunSettings,
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
                let kind = world.add_type(kind).map_err(Failure::invalid)?;
                kinds.push((radius, speed, kind));
                kind
            }
        };
        let mut random = Rng::keyed(u64::from(how.seed), Tick::ZERO, number as u64, Purpose(8));
        let mut nudge = || random.below(2 * NUDGE as u32 + 1) as i32 - NUDGE;
        let at =
            ground.point(agent.at).plus(if how.seed == 0 { Fine::ZERO } else { Fine::new(nudge(), nudge()) });
        let unit = world.spawn(kind, PlayerId(0), at.cell()).map_err(Failure::invalid)?;
        world.put(unit, Vec2::from(at), Vec2::ZERO).map_err(Failure::invalid)?;
        units.push(unit);
    }
    Ok(units)
}

/// Gives the orders. Units that may exchange goals get one order as a group, others one order each. Units that start at their goal
/// stay idle.
fn orders(world: &mut World, scene: &CrowdScene, ground: &Ground, units: &[UnitId]) -> Result<(), Failure> {
    let mut give = |numbers: &[usize], formation: Formation, middle: Fine| {
        let members: Vec<UnitId> = numbers.iter().map(|&number| units[number]).collect();
        let order = Order::move_to(middle.cell()).formation(formation).facing(Dir8::N);
        world.order(&members, order).map_err(Failure::invalid)
    };
    let goal = |number: usize| ground.point(scene.agents[number].goal);
    let offset = |middle: Fine, to: Fine| {
        let centre = Fine::centre(middle.cell());
        Fine::new(to.x - centre.x, to.y - centre.y)
    };
    for &group in &scene.interchangeable {
        let members: Vec<usize> =
            (0..units.len()).filter(|&number| scene.agents[number].group == group).collect();
        let Some(&first) = members.first() else { continue };
        if members.iter().all(|&number| scene.agents[number].goal == scene.agents[first].goal) {
            give(&members, Formation::Hex, goal(first))?;
        } else {
            let sum = members.iter().fold((0, 0), |(x, y), &number| {
                (x + i64::from(goal(number).x), y + i64::from(goal(number).y))
            });
            let count = members.len() as i64;
            let middle = Fine::new((sum.0 / count) as i32, (sum.1 / count) as i32);
            let places = members.iter().map(|&number| offset(middle, goal(number))).collect();
            give(&members, Formation::Custom(places), middle)?;
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
    // `Stop` keeps idle units at their exact position instead of the middle of their cell.
    let stay: Vec<UnitId> = (0..units.len()).filter(idle).map(|number| units[number]).collect();
    if !stay.is_empty() {
        world.order(&stay, Order::Stop).map_err(Failure::invalid)?;
    }
    Ok(())
}

/// The goal of each unit at the end: its slot if its group may exchange goals, else the goal in the scene.
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
    let [x, y] = fine_position(at);
    [x - ground.shift[0], y - ground.shift[1]]
}

fn frame(world: &World, units: &[UnitId], ground: &Ground) -> Vec<[f64; 2]> {
    units.iter().map(|&unit| world.place_of(unit).map_or([0.0; 2], |at| cells(at, ground))).collect()
}
