//! `waymarch play`: the playground.

use std::process::{Command, Stdio};

use clap::Args;
use serde::Serialize;
use waymarch_maps::scenario::BUILTIN_SCENARIOS;
use waymarch_play::{Play, PlayError, Playground};

use crate::arguments::ReadArgs;
use crate::diagnostics::{Failure, Kind};
use crate::report::Report;
use crate::scene::find_map;

/// Arguments of `waymarch play`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  waymarch play                              a march through a valley, in the browser
  waymarch play order-storm
  waymarch play --map generate:7:256x256     a map to play on
  waymarch play --port 9000 --no-open

Only this machine can reach it. Ctrl-C ends it.")]
pub(crate) struct PlayArgs {
    /// A built-in scenario (`waymarch sim --list`); others are chosen in the page.
    scenario: Option<String>,
    /// A map to play on, instead of a scenario: built-in, `generate:SEED:WxH`, or a file.
    #[arg(long, value_name = "MAP", conflicts_with = "scenario")]
    map: Option<String>,
    #[command(flatten)]
    reading: ReadArgs,
    /// The port; a free one if it is taken.
    #[arg(long, value_name = "N", default_value_t = 7878)]
    port: u16,
    /// Do not open a browser.
    #[arg(long)]
    no_open: bool,
}

#[derive(Serialize)]
struct Document {
    url: String,
}

pub(super) fn run(args: &PlayArgs) -> Result<Report, Failure> {
    if let Some(name) = &args.scenario {
        let names: Vec<&str> = BUILTIN_SCENARIOS.iter().map(|(name, _)| *name).collect();
        if !names.contains(&name.as_str()) {
            return Err(Failure::unknown("built-in scenario", name, &names));
        }
    }
    let map = match &args.map {
        Some(word) => Some(find_map(word, &args.reading.options())?.map().clone()),
        None => None,
    };
    let failed = |error: PlayError| Failure::new(Kind::Invalid, error.to_string());
    let playground =
        Playground::open(Play { port: args.port, scenario: args.scenario.clone(), map }).map_err(failed)?;
    let url = playground.url();
    // Said before the report, which comes when the server has ended.
    eprintln!("The playground is at {url} (Ctrl-C ends it)");
    if !args.no_open {
        open_browser(&url);
    }
    playground.run().map_err(failed)?;
    Ok(Report::new(format!("The playground at {url} has ended.\n"), &Document { url }))
}

/// Tries to open a page; a machine without a browser is no failure.
fn open_browser(url: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let quiet = Stdio::null;
    let _ = Command::new(program).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
}
