//! The `waymarch` program: routes, pictures, maps, settings and benchmarks from the command line.
#![allow(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "reports and clocks are outside the simulation"
)]

mod arguments;
mod command;
mod conduct;
mod context;
mod diagnostics;
mod far;
mod goal_arguments;
mod hybrid;
mod memory;
mod planner;
mod regions;
mod report;
mod scene;
mod smoothing;
mod weighted;
mod workers;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::command::Command;
use crate::diagnostics::Failure;
use crate::report::Form;

/// Benchmarks say how often memory was made.
#[global_allocator]
static ALLOCATOR: waymarch_counting::CountingAllocator = waymarch_counting::CountingAllocator;

const EXAMPLES: &str = "\
Examples:
  waymarch path                                     a route on the built-in valley
  waymarch path --locomotor wheel --render way.png  the same on wheels, drawn
  waymarch path --map generate:7:256x192 --size 2   on a map made from seed 7, for a big unit
  waymarch render --layer cost --locomotor track    what the ground costs tracked vehicles
  waymarch maps info my.map                         what is in a map file
  waymarch sim crossing --record game.rec           two columns cross; all of it written down
  waymarch replay game.rec --verify                 the same game again, compared tick by tick
  waymarch bench scen movingai/ --planner astar     every .scen file below a folder

Every command takes --json: one JSON document on standard output and nothing else there.";

/// Finds ways for real-time strategy games: the same answer, bit for bit, on every machine.
#[derive(Parser, Debug)]
#[command(name = "waymarch", version, about, after_help = EXAMPLES, max_term_width = 110)]
struct Program {
    /// Write one JSON document to standard output, and nothing else.
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
    match program.command.run() {
        Ok(report) => report.print(form),
        Err(failure) => failure.print(form),
    }
}

/// Help and version go to standard output; a misused option is a failure like any other.
fn refuse(error: &clap::Error) -> ExitCode {
    let wants_json = std::env::args_os().any(|word| word == "--json");
    let is_answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if wants_json && !is_answer {
        return Failure::usage(error).print(Form::Json);
    }
    // A closed pipe is the reader's business.
    let _ = error.print();
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
