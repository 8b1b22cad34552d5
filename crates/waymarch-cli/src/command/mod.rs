//! The subcommands, a file each: every one is a function from its arguments to a report.

mod bench;
mod config;
mod film;
mod formations;
mod lazy;
mod maps;
mod path;
mod play;
mod render;
mod replay;
mod sim;
mod watch;

use clap::Subcommand;

use crate::diagnostics::Failure;
use crate::report::Report;

/// What the program can be asked to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// The playground: watch and play games in the browser.
    Play(play::PlayArgs),
    /// Find one route: cost, length, work and time.
    Path(path::PathArgs),
    /// Draw a map, what it costs, where it is tight or dangerous, and a route on it.
    Render(render::RenderArgs),
    /// Draw how groups would stand in formation, and who would take which slot.
    Formations(formations::FormationsArgs),
    /// Look at, make and convert maps.
    Maps(maps::MapsArgs),
    /// Show and check settings.
    Config(config::ConfigArgs),
    /// Play a scenario: what it comes to, how units moved, and how long it took.
    Sim(sim::SimArgs),
    /// Play a recorded game again and compare it with what it was.
    Replay(replay::ReplayArgs),
    /// Measure planners, every route checked.
    Bench(bench::BenchArgs),
}

impl Command {
    /// Does it.
    pub(crate) fn run(&self) -> Result<Report, Failure> {
        match self {
            Self::Play(args) => play::run(args),
            Self::Path(args) => path::run(args),
            Self::Render(args) => render::run(args),
            Self::Formations(args) => formations::run(args),
            Self::Maps(args) => maps::run(args),
            Self::Config(args) => config::run(args),
            Self::Sim(args) => sim::run(args),
            Self::Replay(args) => replay::run(args),
            Self::Bench(args) => bench::run(args),
        }
    }
}
