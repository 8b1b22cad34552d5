//! `waymarch bench`: how fast is each part of the engine, and are its results right?
//!
//! Every benchmark checks what it measures; exit code 1 means that a check failed. Times are reported, not judged: they depend on
//! the machine.
//!
//! - `planners/`: `bench scen` and `bench weighted`, routes from cell to cell
//! - `far.rs`: routes across huge maps; `towards.rs`: many starts to one goal
//! - `edits.rs`: updates after edits of the map
//! - `flow/`: flow fields, flow tiles and headings; `merging/`: routes that groups share
//! - `crowd/`: how units get past each other; `service/`: whole games, time per tick; `soak/`: a long game, audited
//! - `movement/`: does every unit arrive, on narrow ground too?
//! - `cells.rs`: random cells and distances; `floor_plan.rs`, `maze.rs`: scenes built in code

mod cells;
mod crowd;
mod edits;
mod far;
mod floor_plan;
mod flow;
mod maze;
mod merging;
mod movement;
pub(super) mod planners;
mod service;
mod soak;
mod towards;

use clap::{Args, Subcommand};

use crate::diagnostics::Failure;
use crate::report::Report;

/// Arguments of `waymarch bench`.
#[derive(Args, Debug)]
#[command(after_help = planners::scen::EXAMPLES)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    command: Option<BenchCommand>,
}

#[derive(Subcommand, Debug)]
enum BenchCommand {
    /// Routes of MovingAI scenarios, checked against the file and an independent search; time per query.
    Scen(planners::scen::ScenArgs),
    /// Random queries on weighted ground, checked by an independent search; time per query.
    Weighted(planners::weighted::WeightedArgs),
    /// Edits of the map: the time of updates beside that of a rebuild; checks that both give the same.
    Edits(edits::EditsArgs),
    /// Huge maps: the time and memory to prepare them, and routes from one end to the other.
    Far(far::FarArgs),
    /// Flow fields and tiles: the time to make them, to repair them after edits and to read headings; checks that repaired fields
    /// equal new ones.
    Flow(flow::FlowArgs),
    /// Crowds: how units get past each other with each avoidance model; metrics for comparing engines.
    Crowd(crowd::CrowdArgs),
    /// Many starts to one goal: exact searches with different heuristics.
    Towards(towards::TowardsArgs),
    /// Merging routes: how many doors and flow tiles groups share at each bias, and how much longer their routes become.
    Merging(merging::MergingArgs),
    /// The path service and whole games: order storms, overload, edit storms, steady play, walled-in units, snapshots, an army; time
    /// per tick.
    Service(service::ServiceArgs),
    /// Movement to the end: whether every unit arrives in mazes, gaps, yards, corridors, scenarios and maps; waiting, overlap, flow.
    Movement(movement::MovementArgs),
    /// A long battle with edits and deaths: orders that never end, units inside walls, growing memory, worst tick.
    Soak(soak::SoakArgs),
}

pub(super) fn run(args: &BenchArgs) -> Result<Report, Failure> {
    match &args.command {
        None => planners::scen::run(&planners::scen::ScenArgs::default()),
        Some(BenchCommand::Scen(args)) => planners::scen::run(args),
        Some(BenchCommand::Weighted(args)) => planners::weighted::run(args),
        Some(BenchCommand::Edits(args)) => edits::run(args),
        Some(BenchCommand::Far(args)) => far::run(args),
        Some(BenchCommand::Flow(args)) => flow::run(args),
        Some(BenchCommand::Towards(args)) => towards::run(args),
        Some(BenchCommand::Crowd(args)) => crowd::run(args),
        Some(BenchCommand::Merging(args)) => merging::run(args),
        Some(BenchCommand::Service(args)) => service::run(args),
        Some(BenchCommand::Movement(args)) => movement::run(args),
        Some(BenchCommand::Soak(args)) => soak::run(args),
    }
}
