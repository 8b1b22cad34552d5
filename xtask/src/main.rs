//! Project tasks: `cargo xtask help`. Only std, so that it builds in seconds.
#![allow(
    clippy::disallowed_types,
    reason = "tasks are outside the simulation: stages are timed with a clock"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

mod bench;
mod goldens;
mod stages;
mod tidy;

const HELP: &str = "\
Project tasks.

cargo xtask test [--only STAGE]… [--list] [--fail-fast]
    Everything that must hold: formatting, lints, features, documentation, tidy, all tests.
cargo xtask tidy [FOLDER]
    The house rules that compiler and clippy do not check; prints path:line: rule: message.
    FOLDER is another checkout to look at.
cargo xtask goldens [--yes]
    Computes the golden values anew and shows what would change; --yes changes them.
cargo xtask bench [ARGS…]
    `cargo bench` for every crate, with ARGS.
cargo xtask bench program [ARGS…]
    `waymarch bench ARGS…`, built for release.
cargo xtask fuzz [--target NAME]… [--cases N] [--seed S] [--help]
    Spoilt input for every parser, a million cases each unless told otherwise.
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let done = match args.first().map(String::as_str) {
        Some("test") => stages::command(rest),
        Some("tidy") => tidy_command(rest),
        Some("goldens") => goldens::command(rest),
        Some("bench") => bench::command(rest),
        Some("fuzz") => fuzz(rest),
        None | Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => Err(format!("there is no task `{other}`\n\n{HELP}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Spoils inputs for every parser, optimised and with all assertions.
fn fuzz(args: &[String]) -> Result<(), String> {
    run(cargo(&["run", "--quiet", "--profile", "fuzz", "--package", "waymarch-fuzz", "--"]).args(args))
}

fn tidy_command(args: &[String]) -> Result<(), String> {
    match args {
        [] => run_tidy(),
        [folder] if !folder.starts_with('-') => tidy_in(Path::new(folder)),
        _ => Err("`tidy` takes one folder or nothing".to_string()),
    }
}

/// Runs tidy on this repository and prints what it found.
pub(crate) fn run_tidy() -> Result<(), String> {
    tidy_in(&root())
}

fn tidy_in(root: &Path) -> Result<(), String> {
    let report =
        tidy::run(root).map_err(|error| format!("tidy could not read {}: {error}", root.display()))?;
    for violation in &report.violations {
        println!("{violation}");
    }
    match report.violations.len() {
        0 => {
            println!("tidy: {} files, nothing to say", report.files);
            Ok(())
        }
        count => Err(format!("tidy: {count} violations in {} files", report.files)),
    }
}

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Cargo, run at the root.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Runs a command to its end.
///
/// # Errors
/// When it cannot start or does not succeed, naming it.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let shown = shown(command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` failed ({status})")),
        Err(error) => Err(format!("`{shown}` could not start: {error}")),
    }
}

/// A command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let program =
        Path::new(command.get_program()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let args = command.get_args().map(|arg| arg.to_string_lossy().into_owned());
    std::iter::once(program).chain(args).collect::<Vec<_>>().join(" ")
}
