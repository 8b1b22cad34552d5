//! The input of the builds: a copy of the engine and the check, and recordings of the scenarios.
//!
//! The copy has always the same path, and a file changes only when its text does. So clones at different paths share target folders,
//! and nothing is built again without a reason.

use std::path::PathBuf;
use std::process::Command;

use super::Cache;
use crate::source_copy::copy_crates;
use crate::{cargo, root, run};

/// The crates that are copied: the check, the engine, and what the engine's manifest names.
const CRATES: [&str; 4] = ["waymarch", "waymarch-counting", "waymarch-testkit", "waymarch-xcheck"];

/// The profiles of the check. Tuned so that building and running together take little time: the emulators run what is built once.
const PROFILES: &str = r#"
[profile.dev]
opt-level = 1
debug = false
incremental = false
debug-assertions = true
overflow-checks = true

[profile.release]
opt-level = 2
debug = false
codegen-units = 16
"#;

/// The folder of the copy.
pub(crate) fn folder(cache: &Cache) -> PathBuf {
    cache.path("source")
}

/// Copies the sources.
pub(crate) fn copy(cache: &Cache) -> Result<(), String> {
    let (from, to) = (root(), folder(cache));
    copy_crates(&to, &CRATES, PROFILES)?;
    // Cargo removes packages that the copy does not need from the lock file, and keeps the versions of the others.
    std::fs::copy(from.join("Cargo.lock"), to.join("Cargo.lock"))
        .map_err(|error| format!("Cargo.lock: {error}"))?;
    let mut fetch = cargo(&["fetch", "--quiet", "--manifest-path"]);
    run(fetch.arg(to.join("Cargo.toml")))
}

/// Records the scenarios on this machine, with the program that the tests build; returns the file.
pub(crate) fn record_scenarios(cache: &Cache) -> Result<PathBuf, String> {
    // The same packages and features as `cargo xtask test`, so that its builds are used.
    run(&mut cargo(&["build", "--quiet", "--workspace", "--all-features", "--example", "record_scenarios"]))?;
    let own = std::env::current_exe().map_err(|error| format!("the folder of programs: {error}"))?;
    let program = own.with_file_name("examples").join("record_scenarios");
    let file = cache.path("scenarios.bin");
    run(Command::new(program).arg(&file))?;
    Ok(file)
}
