//! `path --smooth`: smooths a route and reports how much shorter and cheaper it becomes.

use clap::ValueEnum;
use serde::Serialize;
use waymarch::query::{Smoothing, Spline, Threat};
use waymarch::search::{Route, Sight, SmoothPath, Smoother};

use crate::diagnostics::Failure;
use crate::map_setup::MapSetup;
use crate::report::rounded;
use crate::scale::{fixed_cells, length_cells};
use crate::stats::median_time_us;

/// Smoothing is timed over 9 runs; the median counts.
const RUNS: usize = 9;

/// How a route is smoothed before it is drawn and measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Smooth {
    /// No smoothing.
    None,
    /// String pulling: the shortest route through the same gaps.
    Pull,
    /// String pulling, then a spline that rounds the turns.
    Spline,
}

impl Smooth {
    /// The engine's name for it; a spline takes its parameters from the settings.
    fn how(self, setup: &MapSetup) -> Smoothing {
        match (self, setup.config.smoothing()) {
            (Self::None, _) => Smoothing::None,
            (Self::Pull, _) => Smoothing::Funnel,
            (Self::Spline, Smoothing::Spline(spline)) => Smoothing::Spline(spline),
            (Self::Spline, _) => {
                let config = setup.config.get();
                let samples = u8::try_from(config.spline_samples).unwrap_or(*Spline::SAMPLES.end());
                Smoothing::Spline(Spline { samples, tension: config.spline_tension })
            }
        }
    }
}

/// A smoothed route beside the route it was made from.
#[derive(Debug)]
pub(crate) struct Smoothed {
    pub(crate) path: SmoothPath,
    /// The route before smoothing, measured the same way.
    plain: SmoothPath,
    time_us: f64,
}

/// The part of the JSON document about smoothing.
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
    /// Smooths `route`, and measures the time over several runs.
    pub(crate) fn new(
        setup: &MapSetup,
        threat: Threat,
        route: &Route,
        smooth: Smooth,
    ) -> Result<Self, Failure> {
        let rule = setup.config.step_rule();
        let sight = Sight::new(&setup.layer, setup.agent, threat, rule).map_err(Failure::invalid)?;
        let (mut smoother, mut plain, mut path) = (Smoother::new(), SmoothPath::new(), SmoothPath::new());
        smoother.smooth(&sight, route, Smoothing::None, &mut plain).map_err(Failure::invalid)?;
        let how = smooth.how(setup);
        let time_us = median_time_us::<RUNS, _>(|| smoother.smooth(&sight, route, how, &mut path));
        Ok(Self { path, plain, time_us: time_us.map_err(Failure::invalid)? })
    }

    /// The numbers for the report.
    pub(crate) fn document(&self, smooth: Smooth) -> SmoothDocument {
        let saved = |before: u64, after: u64| (1.0 - after as f64 / before.max(1) as f64) * 100.0;
        let saved_pct = |before: u64, after: u64| {
            if before == 0 { 0.0 } else { rounded(saved(before, after), 2) }
        };
        SmoothDocument {
            mode: match smooth {
                Smooth::None => "none",
                Smooth::Pull => "pull",
                Smooth::Spline => "spline",
            },
            points: self
                .path
                .points
                .iter()
                .map(|at| [fixed_cells(at.x.raw()), fixed_cells(at.y.raw())])
                .collect(),
            cost: self.path.cost.0,
            length_cells: rounded(length_cells(self.path.length), 3),
            plain_cost: self.plain.cost.0,
            plain_length_cells: rounded(length_cells(self.plain.length), 3),
            saved_cost_pct: saved_pct(self.plain.cost.0, self.path.cost.0),
            saved_length_pct: saved_pct(self.plain.length, self.path.length),
            time_us: rounded(self.time_us, 2),
        }
    }
}
