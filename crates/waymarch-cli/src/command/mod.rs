//! What does each subcommand do? One file or folder per subcommand: a function from its arguments to a [`Report`].
//!
//! Nothing here prints: `main.rs` prints the report. These files are not subcommands:
//!
//! - `search.rs`: finds one route with one planner, and times it; for several subcommands
//! - `trace.rs`: records a search for `--trace` and `--show`
//! - `drawing.rs`: draws a map with layers, routes and searches; for `path` and `render`
//! - `animation.rs` and `lazy_field.rs`: parts of `render`
//! - `ground_picture.rs`: the ground of a running game, for animations and reports
//! - `levels.rs`: `path`, `render` and `maps info` on maps of several levels
//! - `bisect.rs`: a part of `replay`

mod animation;
mod bench;
mod bisect;
mod compare;
mod config;
mod drawing;
mod formations;
mod ground_picture;
mod lazy_field;
mod levels;
mod maps;
mod path;
mod play;
mod render;
mod replay;
mod search;
mod sim;
mod trace;

use clap::Subcommand;

use crate::diagnostics::Failure;
use crate::report::Report;

/// All subcommands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Watch and play games in the browser: the playground.
    Play(play::PlayArgs),
    /// Find one route; prints its cost, length, expanded nodes and time.
    Path(path::PathArgs),
    /// Draw a map with its costs, clearance, threat, flow fields or a route.
    Render(render::RenderArgs),
    /// Compare planners on one map: cost, time, nodes, memory, and the time to follow an edit.
    Compare(compare::CompareArgs),
    /// Draw formations: the slots of a group, and which unit takes which slot.
    Formations(formations::FormationsArgs),
    /// List, inspect, generate and convert maps.
    Maps(maps::MapsArgs),
    /// Show and check settings.
    Config(config::ConfigArgs),
    /// Run a scenario; prints arrivals, movement metrics and time per tick.
    Sim(sim::SimArgs),
    /// Replay a recorded game and compare its hashes.
    Replay(replay::ReplayArgs),
    /// Measure planners, flow fields, crowds, movement and the path service; every result is checked.
    Bench(bench::BenchArgs),
}

impl Command {
    /// Runs the subcommand.
    pub(crate) fn run(&self) -> Result<Report, Failure> {
        match self {
            Self::Play(args) => play::run(args),
            Self::Path(args) => path::run(args),
            Self::Render(args) => render::run(args),
            Self::Compare(args) => compare::run(args),
            Self::Formations(args) => formations::run(args),
            Self::Maps(args) => maps::run(args),
            Self::Config(args) => config::run(args),
            Self::Sim(args) => sim::run(args),
            Self::Replay(args) => replay::run(args),
            Self::Bench(args) => bench::run(args),
        }
    }
}
