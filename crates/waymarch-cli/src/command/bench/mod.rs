//! `waymarch bench`: measurements, every answer checked.

mod batch;
mod case;
mod crowd;
mod edits;
mod far;
mod flow;
mod measure;
mod merging;
mod merging_tiles;
mod plain;
mod scen;
mod service;
mod storm;
mod table;
mod tiles;
mod towards;
mod weighted;

use clap::{Args, Subcommand};

use crate::diagnostics::Failure;
use crate::report::Report;

/// Arguments of `waymarch bench`.
#[derive(Args, Debug)]
#[command(after_help = scen::EXAMPLES)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    command: Option<BenchCommand>,
}

#[derive(Subcommand, Debug)]
enum BenchCommand {
    /// Routes of MovingAI scenarios: checked against the file and an independent search, timed per query.
    Scen(scen::ScenArgs),
    /// Random queries on ground of several costs: checked the same way, timed per query.
    Weighted(weighted::WeightedArgs),
    /// Edits of the map: what it costs to follow them, against making everything anew, and whether both are equal.
    Edits(edits::EditsArgs),
    /// Huge maps: what it takes to make them ready, and routes from one end to the other.
    Far(far::FarArgs),
    /// Flow fields and tiles: what it costs to make them, to mend them after edits, with proof that both come to the same, and to
    /// read headings off them.
    Flow(flow::FlowArgs),
    /// Crowds: how well units get past each other, by model, with the measures that other engines are compared by.
    Crowd(crowd::CrowdArgs),
    /// Many starts to one goal: exact searches led by what is left to it, as layer 2 knows it, against other bounds.
    Towards(towards::TowardsArgs),
    /// Merging routes: how many doors and flow tiles groups of a battle share, and how much longer their ways get, by bias.
    Merging(merging::MergingArgs),
    /// The path service: order storms, overload, edit storms, a game in full swing, walled-in soldiers, snapshots; time per tick.
    Service(service::ServiceArgs),
}

pub(super) fn run(args: &BenchArgs) -> Result<Report, Failure> {
    match &args.command {
        None => scen::run(&scen::ScenArgs::default()),
        Some(BenchCommand::Scen(args)) => scen::run(args),
        Some(BenchCommand::Weighted(args)) => weighted::run(args),
        Some(BenchCommand::Edits(args)) => edits::run(args),
        Some(BenchCommand::Far(args)) => far::run(args),
        Some(BenchCommand::Flow(args)) => flow::run(args),
        Some(BenchCommand::Towards(args)) => towards::run(args),
        Some(BenchCommand::Crowd(args)) => crowd::run(args),
        Some(BenchCommand::Merging(args)) => merging::run(args),
        Some(BenchCommand::Service(args)) => service::run(args),
    }
}
