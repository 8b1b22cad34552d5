//! The `waymarch` program: routes, pictures, maps, settings and benchmarks from the command line.
#![allow(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "reports and clocks are outside the simulation"
)]

mod arguments;
mod command;
mod diagnostics;
mod goal_arguments;
mod interrupt;
mod load;
mod map_setup;
mod memory;
mod movement_metrics;
mod planner;
mod regions;
mod report;
mod scale;
mod smoothing;
mod stats;
mod table;
mod workers;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::command::Command;
use crate::diagnostics::Failure;
use crate::report::{Form, exit_code};

/// Counts allocations, for benchmarks that report them.
#[global_allocator]
static ALLOCATOR: waymarch_counting::CountingAllocator = waymarch_counting::CountingAllocator;

const EXAMPLES: &str = "\
Examples:
  waymarch path                                     a route on the built-in map `valley`
  waymarch path --locomotor wheel --render out.png  the same for wheels, drawn
  waymarch path --map generate:7:256x192 --size 2   for a 2×2 unit on a map generated from seed 7
  waymarch render --layer cost --locomotor track    the cost of each cell for tracked vehicles
  waymarch maps info my.map                         what is in a map file
  waymarch sim crossing --record game.rec           two columns cross; the game is recorded
  waymarch replay game.rec --verify                 replay it and compare every tick
  waymarch bench scen movingai/ --planner astar     every .scen file below a folder

With --json every command prints one JSON document to standard output, and nothing else.";

/// Finds routes for real-time strategy games: the same result, bit for bit, on every machine.
#[derive(Parser, Debug)]
#[command(name = "waymarch", version, about, after_help = EXAMPLES, max_term_width = 110)]
struct Program {
    /// Print one JSON document to standard output, and nothing else.
    #[arg(long, global = true, display_order = 100)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let program = match Program::try_parse() {
        Ok(program) => program,
        Err(error) => return refuse(&error),
    };
    let form = if program.json { Form::Json } else { Form::Text };
    interrupt::install();
    match program.command.run() {
        Ok(report) => report.print(form),
        Err(failure) => failure.print(form),
    }
}

/// Prints help and version to standard output, and a wrong option as a failure.
fn refuse(error: &clap::Error) -> ExitCode {
    let wants_json = std::env::args_os().any(|word| word == "--json");
    let is_answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if wants_json && !is_answer {
        return Failure::usage(error).print(Form::Json);
    }
    exit_code(u8::try_from(error.exit_code()).unwrap_or(2), &error.print())
}
