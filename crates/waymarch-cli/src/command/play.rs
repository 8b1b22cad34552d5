//! `waymarch play`: serves the playground to a browser.

use std::io::Write as _;
use std::process::{Command, Stdio};

use clap::Args;
use serde::Serialize;
use waymarch_maps::openra::GameMod;
use waymarch_maps::scenario::BUILTIN_SCENARIOS;
use waymarch_play::{PlayOptions, Playground};

use crate::arguments::ReadArgs;
use crate::diagnostics::{Failure, Kind};
use crate::load::find_only_map;
use crate::report::Report;

/// Arguments of `waymarch play`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  waymarch play                              the scenario `valley-march`, in the browser
  waymarch play order-storm
  waymarch play --map generate:7:256x256     an empty generated map
  waymarch play --mod ~/openra/mods/ra       also opens .oramap files of that mod
  waymarch play --port 9000 --no-open

Only this machine can reach the server. Ctrl-C stops it.")]
pub(crate) struct PlayArgs {
    /// A built-in scenario (see `waymarch sim --list`). The page can load others.
    scenario: Option<String>,
    /// A map instead of a scenario: a built-in name, generate:SEED:WxH, or a file.
    #[arg(long, value_name = "MAP", conflicts_with = "scenario")]
    map: Option<String>,
    #[command(flatten)]
    reading: ReadArgs,
    /// The port of the server; if it is in use, a free one.
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
        Some(word) => Some(find_only_map(word, &args.reading.options())?.map().clone()),
        None if args.reading.names_more_than_a_mod() => {
            let message = "--legend, --rules and --heights are for a map: name one with --map";
            return Err(Failure::new(Kind::Usage, message));
        }
        None => None,
    };
    let openra_mod = match &args.reading.mod_dir {
        Some(folder) => Some(GameMod::read_dir(folder, &args.reading.options()).map_err(Failure::from)?),
        None => None,
    };
    let playground =
        Playground::open(PlayOptions { port: args.port, scenario: args.scenario.clone(), map, openra_mod })
            .map_err(Failure::invalid)?;
    let url = playground.url();
    // The report is printed when the server has ended, but the address is needed now.
    // If standard error is closed, the playground runs without this message.
    let _ = writeln!(std::io::stderr(), "The playground is at {url} (Ctrl-C stops it)");
    if !args.no_open {
        open_browser(&url);
    }
    playground.run().map_err(Failure::invalid)?;
    Ok(Report::new(format!("The playground at {url} has ended.\n"), &Document { url }))
}

/// Opens the page in a browser. A machine without a browser is not a failure.
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
