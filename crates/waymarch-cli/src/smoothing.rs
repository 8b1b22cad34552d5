//! What `--smooth` does to a route, and what it saves.

use std::time::Instant;

use clap::ValueEnum;
use serde::Serialize;
use waymarch::query::{Smoothing, Spline, Threat};
use waymarch::search::{Route, Sight, SmoothError, SmoothPath, Smoother};

use crate::diagnostics::{Failure, Kind};
use crate::report::rounded;
use crate::scene::Scene;

/// How often smoothing is repeated for its time.
const RUNS: usize = 9;

/// What is done to a route before it is drawn and measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Smooth {
    /// Nothing.
    None,
    /// String pulling.
    Pull,
    /// String pulling, then rounded turns.
    Spline,
}

impl Smooth {
    /// What the engine calls it; a spline as the settings have it.
    fn how(self, scene: &Scene) -> Smoothing {
        match (self, scene.config.smoothing()) {
            (Self::None, _) => Smoothing::None,
            (Self::Pull, _) => Smoothing::StringPull,
            (Self::Spline, Smoothing::Spline(spline)) => Smoothing::Spline(spline),
            (Self::Spline, _) => {
                let config = scene.config.get();
                let samples = u8::try_from(config.spline_samples).unwrap_or(*Spline::SAMPLES.end());
                Smoothing::Spline(Spline { samples, tension: config.spline_tension })
            }
        }
    }
}

/// A smoothed route with what it saves.
#[derive(Debug)]
pub(crate) struct Smoothed {
    pub(crate) path: SmoothPath,
    /// The route as it was, measured the same way.
    plain: SmoothPath,
    time_us: f64,
}

/// The part of a report about smoothing.
#[derive(Serialize)]
pub(crate) struct SmoothDocument {
    mode: &'static str,
    pub(crate) points: Vec<[f64; 2]>,
    pub(crate) cost: u64,
    pub(crate) length_cells: f64,
    pub(crate) plain_cost: u64,
    pub(crate) plain_length_cells: f64,
    pub(crate) saved_cost_pct: f64,
    pub(crate) saved_length_pct: f64,
    pub(crate) time_us: f64,
}

impl Smoothed {
    /// Smooths `route`, several times for the clock's sake.
    pub(crate) fn new(scene: &Scene, threat: Threat, route: &Route, smooth: Smooth) -> Result<Self, Failure> {
        let failed = |error: SmoothError| Failure::new(Kind::Invalid, error.to_string());
        let rule = scene.config.step_rule();
        let sight = Sight::new(&scene.layer, scene.agent, threat, rule).map_err(failed)?;
        let (mut smoother, mut plain, mut path) = (Smoother::new(), SmoothPath::new(), SmoothPath::new());
        smoother.smooth(&sight, route, Smoothing::None, &mut plain).map_err(failed)?;
        let mut times = [0.0; RUNS];
        for time in &mut times {
            let start = Instant::now();
            smoother.smooth(&sight, route, smooth.how(scene), &mut path).map_err(failed)?;
            *time = start.elapsed().as_secs_f64() * 1e6;
        }
        times.sort_by(f64::total_cmp);
        Ok(Self { path, plain, time_us: times[RUNS / 2] })
    }

    /// For `--json`, and for people.
    pub(crate) fn document(&self, smooth: Smooth) -> SmoothDocument {
        let cells = |length: u64| length as f64 / 1024.0;
        let saved = |before: u64, after: u64| (1.0 - after as f64 / before.max(1) as f64) * 100.0;
        let saved_pct = |before: u64, after: u64| {
            if before == 0 { 0.0 } else { rounded(saved(before, after), 2) }
        };
        let point = |raw: i32| f64::from(raw) / 1024.0;
        SmoothDocument {
            mode: match smooth {
                Smooth::None => "none",
                Smooth::Pull => "pull",
                Smooth::Spline => "spline",
            },
            points: self.path.points.iter().map(|at| [point(at.x.raw()), point(at.y.raw())]).collect(),
            cost: self.path.cost.0,
            length_cells: rounded(cells(self.path.length), 3),
            plain_cost: self.plain.cost.0,
            plain_length_cells: rounded(cells(self.plain.length), 3),
            saved_cost_pct: saved_pct(self.plain.cost.0, self.path.cost.0),
            saved_length_pct: saved_pct(self.plain.length, self.path.length),
            time_us: rounded(self.time_us, 2),
        }
    }
}
