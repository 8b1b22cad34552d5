//! The metrics of one run.

use serde::Serialize;
use waymarch::base::CollisionLayers;
use waymarch_maps::crowd::{CrowdAgent, CrowdScene};

use super::run::Run;
use crate::movement_metrics::{Disc, GroupReport, OverlapMetrics, StepHistory, StepMetrics, distance};
use crate::report::rounded;
use crate::stats::{at_percent, share};

/// One run of one scene; scripts rely on the keys.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    pub(super) scenario: String,
    pub(super) model: &'static str,
    pub(super) seed: u32,
    pub(super) units: usize,
    pub(super) ticks: usize,
    /// The number of threads.
    pub(super) threads: usize,
    /// Units that have been at their goal, in % of all units.
    pub(super) arrived_pct: f64,
    /// When the last unit arrived ÷ the lower bound of the scene; `None` if a unit never arrived.
    pub(super) mk_lb: Option<f64>,
    /// The mean over units of their time ÷ the least possible time on their shortest route.
    pub(super) mean_t_lb: f64,
    /// Distance travelled beyond the shortest route, in % of that route; the mean over units.
    pub(super) extra_pct: f64,
    /// The deepest overlap, in % of both radii.
    pub(super) maxpen_pct: f64,
    /// Units times ticks that overlap by more than 1 % of both radii, in % of all units times ticks.
    pub(super) ovl_pct: f64,
    /// Degrees of turning per tick of movement, before arrival.
    pub(super) jitter_deg: f64,
    /// Changes between left and right turns of more than 5 degrees, per unit and second.
    pub(super) flips_s: f64,
    /// Ticks at less than a tenth of the speed, in % of all ticks before arrival.
    pub(super) stuck_pct: f64,
    /// The width of the stream at each measuring line, in unit diameters.
    pub(super) width: Vec<f64>,
    /// Ticks from the first arrival until all units stand.
    pub(super) settle_ticks: Option<usize>,
    /// The mean speed in the last 100 ticks, in % of full speed.
    pub(super) resid_pct: f64,
    /// Microseconds of avoidance per unit, in the median tick.
    pub(super) us_per_agent: f64,
    /// Units times ticks that are inside a wall by more than 0.001 cells.
    pub(super) in_wall: usize,
    /// The farthest that a unit which should stay was pushed, in cells.
    pub(super) carried: f64,
    /// Seconds from the last arrival until all units are within tolerance of their goals at once.
    pub(super) formed_s: Option<f64>,
    /// How groups kept together and in formation.
    #[serde(flatten)]
    pub(super) groups: GroupReport,
    /// The state hash at the end.
    pub(super) hash: String,
}

pub(super) fn row(scene: &CrowdScene, model: &'static str, seed: u32, run: &Run) -> Row {
    // A unit that exchanged slots is measured by its new goal.
    let mut own = scene.clone();
    own.agents.iter_mut().zip(&run.goals).for_each(|(agent, &goal)| agent.goal = goal);
    let scene = &own;
    let (frames, count) = (&run.frames, scene.agents.len());
    let hz = f64::from(run.ticks_per_second);
    let arrivals: Vec<Option<usize>> = scene
        .agents
        .iter()
        .enumerate()
        .map(|(unit, agent)| {
            frames.iter().position(|frame| distance(frame[unit], agent.goal) <= scene.tolerance)
        })
        .collect();
    let arrived = arrivals.iter().flatten().count();
    let last = arrivals.iter().flatten().max().copied().unwrap_or(0);
    let complete = arrived == count;
    let motion = motion(scene, frames, &arrivals, hz);
    let overlaps = overlaps(scene, frames);
    let is_home = |frame: &Vec<[f64; 2]>| {
        scene.agents.iter().zip(frame).all(|(agent, &at)| distance(at, agent.goal) <= scene.tolerance)
    };
    let formed = complete.then(|| frames.iter().skip(last).position(is_home)).flatten();
    let mut micros = run.micros.clone();
    micros.sort_unstable_by(f64::total_cmp);
    let carried = scene.agents.iter().enumerate().filter(|(_, agent)| agent.shortest == 0.0);
    let carried = carried
        .flat_map(|(unit, agent)| frames.iter().map(move |frame| distance(frame[unit], agent.goal)))
        .fold(0.0, f64::max);
    Row {
        scenario: scene.name.clone(),
        model,
        seed,
        units: count,
        ticks: frames.len() - 1,
        threads: run.threads,
        arrived_pct: rounded(100.0 * arrived as f64 / count.max(1) as f64, 2),
        mk_lb: complete.then(|| rounded(last as f64 / hz / scene.lower_bound.max(1e-9), 3)),
        mean_t_lb: rounded(motion.time_ratio, 3),
        extra_pct: rounded(motion.extra * 100.0, 2),
        maxpen_pct: rounded(overlaps.deepest() * 100.0, 2),
        ovl_pct: rounded(overlaps.overlapping_share() * 100.0, 3),
        jitter_deg: rounded(motion.steps.jitter(), 3),
        flips_s: rounded(motion.steps.flips(hz), 3),
        stuck_pct: rounded(motion.steps.stuck() * 100.0, 2),
        width: widths(scene, frames),
        settle_ticks: settle(scene, frames, &arrivals, hz),
        resid_pct: rounded(residual(scene, frames, hz) * 100.0, 2),
        us_per_agent: rounded(at_percent(&micros, 50) / count.max(1) as f64, 3),
        in_wall: inside_walls(scene, frames),
        carried: rounded(carried, 2),
        formed_s: formed.map(|ticks| rounded(ticks as f64 / hz, 2)),
        groups: run.groups.clone(),
        hash: format!("{:016x}", run.hash),
    }
}

struct Motion {
    time_ratio: f64,
    extra: f64,
    steps: StepMetrics,
}

fn motion(scene: &CrowdScene, frames: &[Vec<[f64; 2]>], arrivals: &[Option<usize>], hz: f64) -> Motion {
    let (mut ratios, mut extras, mut travellers) = (0.0, 0.0, 0.0);
    let mut steps = StepMetrics::default();
    for (unit, agent) in scene.agents.iter().enumerate() {
        let slow = 0.1 * agent.speed / hz;
        let mut length = 0.0;
        let mut history = StepHistory::default();
        // Steps after arrival do not count: the unit may be making room for others.
        for pair in frames.windows(2).take(arrivals[unit].unwrap_or(frames.len())) {
            let (from, to) = (pair[0][unit], pair[1][unit]);
            length += distance(from, to);
            steps.step(&mut history, from, to, slow);
        }
        if let (Some(arrival), true) = (arrivals[unit], agent.shortest > 0.0) {
            ratios += arrival as f64 / hz / (agent.shortest / agent.speed);
            extras += length / agent.shortest - 1.0;
            travellers += 1.0;
        }
    }
    Motion { time_ratio: share(ratios, travellers), extra: share(extras, travellers).max(0.0), steps }
}

/// The overlaps after each tick. The first frame has the starts.
fn overlaps(scene: &CrowdScene, frames: &[Vec<[f64; 2]>]) -> OverlapMetrics {
    let mut overlaps = OverlapMetrics::default();
    for (tick, frame) in frames.iter().enumerate() {
        let bodies = (0..).zip(frame).zip(&scene.agents);
        let layers = CollisionLayers::default();
        let disc = |((name, &at), agent): ((u64, &[f64; 2]), &CrowdAgent)| Disc {
            name,
            at,
            radius: agent.radius,
            layers,
            displaced: false,
        };
        let discs = bodies.map(disc);
        let discs: Vec<Disc> = discs.collect();
        if tick == 0 { overlaps.place(&discs) } else { overlaps.add_tick(&discs) }
    }
    overlaps
}

fn inside_walls(scene: &CrowdScene, frames: &[Vec<[f64; 2]>]) -> usize {
    let mut inside = 0;
    for frame in frames.iter().filter(|_| !scene.walls.is_empty()) {
        for (agent, &at) in scene.agents.iter().zip(frame) {
            inside += usize::from(scene.walls.iter().any(|&[x0, y0, x1, y1]| {
                let nearest = [at[0].clamp(x0.min(x1), x0.max(x1)), at[1].clamp(y0.min(y1), y0.max(y1))];
                distance(at, nearest) < agent.radius - 1e-3
            }));
        }
    }
    inside
}

/// The width of the stream at each measuring line: from the 5th to the 95th percentile of the crossing points, in unit diameters.
fn widths(scene: &CrowdScene, frames: &[Vec<[f64; 2]>]) -> Vec<f64> {
    let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    let mut widths = Vec::new();
    for &[x0, y0, x1, y1] in &scene.measure_lines {
        let (start, along) = ([x0, y0], [x1 - x0, y1 - y0]);
        let length = along[0].hypot(along[1]).max(1e-9);
        let mut places: Vec<f64> = Vec::new();
        for unit in 0..scene.agents.len() {
            let side = |at: [f64; 2]| cross(along, [at[0] - start[0], at[1] - start[1]]) / length;
            let crossing = frames.windows(2).find_map(|pair| {
                let (from, to) = (pair[0][unit], pair[1][unit]);
                let (a, b) = (side(from), side(to));
                if (a < 0.0) == (b < 0.0) {
                    return None;
                }
                let part = a / (a - b);
                let at = [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])];
                let place = ((at[0] - start[0]) * along[0] + (at[1] - start[1]) * along[1]) / length;
                (0.0..=length).contains(&place).then_some(place)
            });
            places.extend(crossing);
        }
        places.sort_by(f64::total_cmp);
        let at = |part: f64| places.get(((places.len().max(1) - 1) as f64 * part).round() as usize).copied();
        let diameter = 2.0 * scene.agents.first().map_or(0.4, |agent| agent.radius);
        let width = at(0.95).unwrap_or(0.0) - at(0.05).unwrap_or(0.0);
        widths.push(rounded(width / diameter, 2));
    }
    widths
}

/// Ticks from the first arrival of a travelling unit until no unit moves faster than a twentieth of its speed.
fn settle(
    scene: &CrowdScene,
    frames: &[Vec<[f64; 2]>],
    arrivals: &[Option<usize>],
    hz: f64,
) -> Option<usize> {
    let travelled = arrivals.iter().zip(&scene.agents).filter(|(_, agent)| agent.shortest > 0.0);
    let first = travelled.filter_map(|(arrival, _)| *arrival).min()?;
    let moves = |tick: usize| {
        let pairs = frames[tick - 1].iter().zip(&frames[tick]).zip(&scene.agents);
        pairs.into_iter().any(|((&from, &to), agent)| distance(from, to) > 0.05 * agent.speed / hz)
    };
    let last = (1..frames.len()).rev().find(|&tick| moves(tick)).unwrap_or(0);
    (last + 1 < frames.len()).then(|| last.saturating_sub(first))
}

fn residual(scene: &CrowdScene, frames: &[Vec<[f64; 2]>], hz: f64) -> f64 {
    let start = frames.len().saturating_sub(100).max(1);
    let (mut sum, mut count) = (0.0, 0_usize);
    for tick in start..frames.len() {
        for (unit, agent) in scene.agents.iter().enumerate() {
            sum += distance(frames[tick - 1][unit], frames[tick][unit]) * hz / agent.speed;
            count += 1;
        }
    }
    share(sum, count as f64)
}
