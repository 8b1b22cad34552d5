//! `record_scenarios FILE`: records the built-in scenarios for `cargo xtask cross`.
//!
//! The file is a list of names and recordings. The recordings have as many ticks as the golden test of the scenarios plays, and a hash of
//! every subsystem at every 50th tick.

use std::process::ExitCode;

use waymarch::base::{ByteWriter, Persist};
use waymarch::world::Serial;
use waymarch_maps::scenario::{BUILTIN_SCENARIOS, Simulation, builtin_scenario};

/// The golden test plays at most 450 ticks of a scenario.
const MOST_TICKS: u64 = 450;

/// A recording has a hash at every 50th tick.
const HASH_EVERY: u32 = 50;

fn main() -> ExitCode {
    let Some(file) = std::env::args_os().nth(1) else {
        eprintln!("record_scenarios: give the name of the file to write");
        return ExitCode::FAILURE;
    };
    match record().and_then(|bytes| std::fs::write(&file, bytes).map_err(|error| error.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("record_scenarios: {}: {error}", file.display());
            ExitCode::FAILURE
        }
    }
}

/// The names and recordings as bytes.
fn record() -> Result<Vec<u8>, String> {
    let mut recordings: Vec<(String, Vec<u8>)> = Vec::new();
    for (name, _) in BUILTIN_SCENARIOS {
        let scenario = builtin_scenario(name).ok_or_else(|| format!("there is no scenario `{name}`"))?;
        let mut simulation = Simulation::new(scenario, HASH_EVERY).map_err(|error| error.to_string())?;
        for _ in 0..simulation.scenario().ticks.min(MOST_TICKS) {
            simulation.step(&Serial);
        }
        recordings.push(((*name).to_string(), simulation.finish().to_bytes()));
    }
    let mut writer = ByteWriter::new();
    recordings.save(&mut writer);
    Ok(writer.into_bytes())
}
