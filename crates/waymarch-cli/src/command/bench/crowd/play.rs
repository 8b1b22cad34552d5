//! One run of a crowd scene.

use std::time::Instant;

use waymarch::avoid::{AvoidSettings, Avoidance, Crowd, Fine, Kinematics, Reverse, Spawn, Stance, Turning};
use waymarch::base::{Fixed, LocomotorId, Purpose, Rng, Tick};
use waymarch::config::{AvoidanceModel, Config};
use waymarch::cost::{Map, ValidMap};
use waymarch::world::Navigator;
use waymarch_maps::crowd::{CrowdScene, Ground};

use super::guidance::Guidance;
use crate::diagnostics::{Failure, Kind};

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
    pub(super) frames: Vec<Vec<[f64; 2]>>,
    /// Microseconds of each tick, guidance not included.
    pub(super) micros: Vec<f64>,
    /// The state at the end.
    pub(super) hash: u64,
}

fn invalid(error: &impl ToString) -> Failure {
    Failure::new(Kind::Invalid, error.to_string())
}

pub(super) fn play(scene: &CrowdScene, how: How) -> Result<Record, Failure> {
    let ground = scene.ground().map_err(Failure::from)?;
    let ticks = how.ticks_per_second.unwrap_or(scene.ticks_per_second);
    let map: ValidMap = ground.map.clone().validate().map_err(|error| invalid(&error))?;
    let mut navigator =
        Navigator::new(Map::clone(map.map()), Config::default()).map_err(|error| invalid(&error))?;
    let mut crowd = people(scene, &ground, ticks, how)?;
    let mut guidance = Guidance::new(scene, &ground, &mut navigator, &mut crowd);
    let settings = AvoidSettings { model: how.model, ..AvoidSettings::default() };
    let mut avoidance = Avoidance::new(&settings.validate().map_err(|error| invalid(&error))?);
    let max_ticks = u64::from(scene.max_ticks) * u64::from(ticks) / u64::from(scene.ticks_per_second);
    let mut record =
        Record { ticks_per_second: ticks, frames: vec![frame(&crowd, &ground)], micros: Vec::new(), hash: 0 };
    let mut still = 0;
    for _ in 0..max_ticks {
        guidance.guide(&mut navigator, &mut crowd);
        let field = navigator.layer().field(LocomotorId(0).into());
        let field = field.ok_or_else(|| Failure::new(Kind::Invalid, "the map has no locomotor"))?;
        let start = Instant::now();
        avoidance.tick(&mut crowd, field);
        record.micros.push(start.elapsed().as_nanos() as f64 / 1e3);
        record.frames.push(frame(&crowd, &ground));
        let moves = (0..crowd.len()).any(|unit| crowd.stance(unit) != Stance::Idle)
            || crowd.velocities().iter().any(|velocity| !velocity.is_zero());
        still = if moves { 0 } else { still + 1 };
        if still > STILL_SECONDS * u32::from(ticks) {
            break;
        }
    }
    record.hash = waymarch::base::StateHasher::hash_of(&crowd);
    Ok(record)
}

fn people(scene: &CrowdScene, ground: &Ground, ticks: u16, how: How) -> Result<Crowd, Failure> {
    let mut crowd = Crowd::new(ticks);
    let mut kinds: Vec<(Fixed, Fixed, waymarch::avoid::KindId)> = Vec::new();
    let fixed = |number: f64| Fixed::from_raw((number * 1024.0).round() as i32);
    for (number, agent) in scene.agents.iter().enumerate() {
        let (radius, speed) = (fixed(agent.radius), fixed(agent.speed));
        let known = kinds.iter().find(|kind| (kind.0, kind.1) == (radius, speed)).map(|kind| kind.2);
        let kind = match known {
            Some(kind) => kind,
            None => {
                let infantry = Kinematics::infantry(radius, speed);
                let kind = crowd.add_kind(match how.motion {
                    Motion::Infantry => infantry,
                    Motion::Tank => Kinematics {
                        acceleration: speed * Fixed::from_cells(2),
                        braking: speed * Fixed::from_cells(4),
                        turning: Turning::Rate { degrees: 180, in_place: 60, reverse: Reverse::WhenShorter },
                        ..infantry
                    },
                });
                let kind = kind.map_err(|error| invalid(&error))?;
                kinds.push((radius, speed, kind));
                kind
            }
        };
        let mut random = Rng::keyed(u64::from(how.seed), Tick::ZERO, number as u64, Purpose(8));
        let mut nudge = || random.below(2 * NUDGE as u32 + 1) as i32 - NUDGE;
        let at =
            ground.point(agent.at).plus(if how.seed == 0 { Fine::ZERO } else { Fine::new(nudge(), nudge()) });
        let spawn = Spawn { id: number as u32, kind, at, group: agent.group, ..Spawn::default() };
        crowd.spawn(&spawn).map_err(|error| invalid(&error))?;
    }
    Ok(crowd)
}

fn frame(crowd: &Crowd, ground: &Ground) -> Vec<[f64; 2]> {
    let cells = |part: i32| f64::from(part) / 65_536.0;
    crowd
        .positions()
        .iter()
        .map(|at| [cells(at.x) - ground.shift[0], cells(at.y) - ground.shift[1]])
        .collect()
}
