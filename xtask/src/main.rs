//! Project tasks: `cargo xtask help`. Uses only std, so that it builds in seconds.
#![allow(
    clippy::disallowed_types,
    reason = "tasks are outside the simulation and time their stages with a clock"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

mod bench;
mod cross;
mod first_failure;
mod goldens;
mod hooks;
mod mutants;
mod source_copy;
mod stages;
mod tidy;

const HELP: &str = "\
Project tasks.

cargo xtask test [--quick] [--only STAGE]… [--list] [--fail-fast]
    Everything that must hold: formatting, lints, features, documentation, tidy, all tests.
    --quick runs a part of it, for daily work. --list shows the stages of both.
cargo xtask tidy [FOLDER]
    The house rules that compiler and clippy do not check; prints path:line: rule: message.
    FOLDER is another checkout to look at.
cargo xtask goldens [--yes]
    Computes the golden values again and shows what would change; --yes changes them.
cargo xtask cross [--only NAME]… [--quick] [--if-warm]
    The same results on x86_64, aarch64, armv7, i686, s390x, WebAssembly and Windows, debug and release, and with `serde`.
    Installs compilers and emulators (Debian); --if-warm does nothing where they are not installed yet.
cargo xtask hooks
    Installs the git hooks of this repository: the subject of a commit message is checked.
cargo xtask bench [ARGS…]
    `cargo bench` for every crate, with ARGS.
cargo xtask bench program [ARGS…]
    `waymarch bench ARGS…`, built for release.
cargo xtask fuzz [--target NAME]… [--cases N] [--seed S] [--help]
    Damaged input for every parser, a million cases each by default. `--target games` plays random games.
cargo xtask mutants [--room NAME]… [--part K/N] [--seconds N]
    Small changes of the engine that some test should notice (`cargo mutants`, which it installs). Default: one in a hundred.
    After N seconds no new mutant begins. Ends with the score of each room.
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let done = match args.first().map(String::as_str) {
        Some("test") => stages::command(rest),
        Some("tidy") => tidy_command(rest),
        Some("goldens") => goldens::command(rest),
        Some("cross") => cross::command(rest),
        Some("hooks") => hooks::command(rest),
        Some("bench") => bench::command(rest),
        Some("mutants") => mutants::command(rest),
        // Not in the help: cargo calls it for `mutants`.
        Some(first_failure::TASK) => return first_failure::command(rest),
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

/// Feeds damaged input to every parser, with optimisation and all assertions.
fn fuzz(args: &[String]) -> Result<(), String> {
    run(cargo(&["run", "--quiet", "--profile", "fuzz", "--package", "waymarch-fuzz", "--"]).args(args))
}

fn tidy_command(args: &[String]) -> Result<(), String> {
    match args {
        [] => run_tidy(),
        [folder] if !folder.starts_with('-') => tidy_in(Path::new(folder)),
        _ => Err("`tidy` takes one folder, or nothing".to_string()),
    }
}

/// Runs tidy on this repository and prints what it found.
pub(crate) fn run_tidy() -> Result<(), String> {
    tidy_in(&root())
}

fn tidy_in(root: &Path) -> Result<(), String> {
    let report =
        tidy::run(root).map_err(|error| format!("tidy could not read {}: {error}", root.display()))?;
    report.violations.iter().for_each(|violation| println!("{violation}"));
    match report.violations.len() {
        0 => {
            println!("tidy: {} files, no violations", report.files);
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

/// A command as typed in a shell.
pub(crate) fn shown(command: &Command) -> String {
    let program =
        Path::new(command.get_program()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let args = command.get_args().map(|arg| arg.to_string_lossy().into_owned());
    std::iter::once(program).chain(args).collect::<Vec<_>>().join(" ")
}
