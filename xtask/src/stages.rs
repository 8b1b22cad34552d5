//! `cargo xtask test`: everything that must hold, stage by stage.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Instant, SystemTime};

use crate::{cargo, root, run, run_tidy, shown};

/// A part of the test command.
struct Stage {
    name: &'static str,
    about: &'static str,
    run: fn() -> Result<(), String>,
}

const FMT: Stage = Stage { name: "fmt", about: "rustfmt has nothing to change", run: fmt };

const TIDY: Stage = Stage {
    name: "tidy",
    about: "the house rules: ranks, import cycles, no floats, no clocks, sentences, links, lengths",
    run: run_tidy,
};

/// The stages of `cargo xtask test`.
///
/// Stages that build the whole workspace use the same packages and features, so that they share what is built.
const ALL: &[Stage] = &[
    FMT,
    TIDY,
    Stage { name: "clippy", about: "no lint fires, in any target, with all features", run: clippy },
    Stage {
        name: "features",
        about: "the engine builds without std and with each feature alone",
        run: features,
    },
    Stage { name: "doc", about: "documentation builds without a warning", run: doc },
    Stage {
        name: "browser",
        about: "a Chromium for the playground's tests is installed, or a note says that they are skipped",
        run: browser,
    },
    Stage { name: "tests", about: "all tests of all crates, documentation examples included", run: tests },
    Stage {
        name: "games",
        about: "90 seconds of random games with the seed of the day: every branch agrees",
        run: games,
    },
    Stage {
        name: "examples",
        about: "the examples of the engine and of the network games run, and what they assert holds",
        run: examples,
    },
];

/// The stages of `cargo xtask test --quick`.
const QUICK: &[Stage] = &[
    FMT,
    TIDY,
    Stage { name: "lint", about: "no lint fires in libraries and programs", run: lint },
    Stage { name: "unit", about: "unit tests of all crates, and the engine's golden values", run: unit },
    Stage {
        name: "scenes",
        about: "golden scenarios and the fast modules of the engine's tests",
        run: scenes,
    },
];

/// The test binaries that `--quick` builds beside the unit tests.
const FAST_BINARIES: &[&str] = &["layers", "search", "movement", "maps"];

/// Names of tests and test modules that `--quick` runs from [`FAST_BINARIES`].
const FAST_TESTS: &[&str] = &["golden"];

/// What the arguments ask for.
struct Chosen {
    stages: &'static [Stage],
    only: Vec<String>,
    stop_early: bool,
}

impl Chosen {
    fn new(args: &[String]) -> Result<Self, String> {
        let mut chosen = Self { stages: ALL, only: Vec::new(), stop_early: false };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--quick" => chosen.stages = QUICK,
                "--fail-fast" => chosen.stop_early = true,
                "--only" => {
                    let name = args.next().ok_or("`--only` needs the name of a stage (see `--list`)")?;
                    chosen.only.push(name.clone());
                }
                other => {
                    return Err(format!(
                        "`test` takes --quick, --only STAGE, --list and --fail-fast, not `{other}`"
                    ));
                }
            }
        }
        let names: Vec<&str> = chosen.stages.iter().map(|stage| stage.name).collect();
        match chosen.only.iter().find(|name| !names.contains(&name.as_str())) {
            Some(unknown) => Err(format!("there is no stage `{unknown}`: {}", names.join(", "))),
            None => Ok(chosen),
        }
    }

    fn stages(&self) -> impl Iterator<Item = &'static Stage> {
        let wanted = |name: &str| self.only.is_empty() || self.only.iter().any(|only| only == name);
        self.stages.iter().filter(move |stage| wanted(stage.name))
    }
}

/// Runs the stages asked for.
pub(crate) fn command(args: &[String]) -> Result<(), String> {
    if args.iter().any(|arg| arg == "--list") {
        for (title, stages) in [("cargo xtask test", ALL), ("cargo xtask test --quick", QUICK)] {
            println!("{title}");
            stages.iter().for_each(|stage| println!("  {:10}{}", stage.name, stage.about));
        }
        return Ok(());
    }
    let chosen = Chosen::new(args)?;
    let begun = Instant::now();
    let mut summary = Vec::new();
    let mut failed: Vec<String> = Vec::new();
    for stage in chosen.stages() {
        println!("== {}: {}", stage.name, stage.about);
        let start = Instant::now();
        let result = (stage.run)();
        let seconds = start.elapsed().as_secs_f64();
        let verdict = if result.is_ok() { "ok" } else { "FAILED" };
        println!("== {}: {verdict} in {seconds:.1} s\n", stage.name);
        summary.push(format!("{:10}{verdict:8}{seconds:7.1} s", stage.name));
        if let Err(message) = result {
            failed.push(format!("stage `{}`: {message}", stage.name));
            if chosen.stop_early {
                break;
            }
        }
    }
    println!("{}\n{:18}{:7.1} s", summary.join("\n"), "all", begun.elapsed().as_secs_f64());
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\nxtask: ")) }
}

fn fmt() -> Result<(), String> {
    run(&mut cargo(&["fmt", "--all", "--check"])).map_err(|error| format!("{error}: run `cargo fmt --all`"))
}

/// All packages with all features. Stages that name their packages one by one would build dependencies with other features again.
const WHOLE: [&str; 2] = ["--workspace", "--all-features"];

fn clippy() -> Result<(), String> {
    run(cargo(&["clippy", "--all-targets"]).args(WHOLE).args(["--", "-D", "warnings"]))
}

/// Clippy without tests, benches and examples: the next stages compile the tests anyway.
fn lint() -> Result<(), String> {
    run(cargo(&["clippy", "--quiet"]).args(WHOLE).args(["--", "-D", "warnings"]))
}

fn features() -> Result<(), String> {
    let manifest = std::fs::read_to_string(root().join("crates/waymarch/Cargo.toml"))
        .map_err(|error| format!("crates/waymarch/Cargo.toml: {error}"))?;
    // Clippy rather than check: code that a missing feature leaves unused is an error too.
    let check = |more: &[&str]| {
        let alone = ["clippy", "--quiet", "--package", "waymarch", "--no-default-features"];
        run(cargo(&alone).args(more).args(["--", "-D", "warnings"]))
    };
    println!("waymarch without features");
    check(&[])?;
    for feature in feature_names(&manifest).into_iter().filter(|name| name != "default") {
        println!("waymarch with `{feature}` alone");
        check(&["--features", &feature])?;
    }
    Ok(())
}

/// The keys of a manifest's `[features]` table.
fn feature_names(manifest: &str) -> Vec<String> {
    let table = manifest.lines().map(str::trim).skip_while(|line| *line != "[features]").skip(1);
    let keys = table.take_while(|line| !line.starts_with('[')).filter(|line| !line.starts_with('#'));
    keys.filter_map(|line| line.split_once('='))
        .map(|(key, _)| key.trim().trim_matches('"').to_string())
        .collect()
}

fn doc() -> Result<(), String> {
    // The program and the engine are both called `waymarch`, so their pages are made one after the other.
    for targets in ["--bins", "--lib"] {
        let mut command = cargo(&["doc", "--no-deps", "--quiet", targets]);
        run(command.args(WHOLE).env("RUSTDOCFLAGS", "-D warnings"))?;
    }
    Ok(())
}

/// Finds or installs a browser for the playground's tests. A machine without one is no failure: the tests print that they were skipped.
fn browser() -> Result<(), String> {
    if let Some(found) = installed_browser() {
        println!("browser: {found}");
        return Ok(());
    }
    let installer = ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"];
    println!("browser: none found; trying `{}`", installer.join(" "));
    let done =
        Command::new(installer[0]).args(&installer[1..]).stdin(Stdio::null()).stdout(Stdio::null()).status();
    match (done.is_ok_and(|status| status.success()), installed_browser()) {
        (true, Some(found)) => println!("browser: {found}"),
        _ => println!(
            "browser: SKIPPED, Chromium cannot be installed: the playground is not tested in a browser"
        ),
    }
    Ok(())
}

/// The browser that tests will use, as `crates/waymarch-cli/tests/browser` looks for it.
pub(crate) fn installed_browser() -> Option<String> {
    if let Some(named) = std::env::var_os("WAYMARCH_CHROMIUM") {
        return Some(named.to_string_lossy().into_owned());
    }
    let folders = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut places = std::env::split_paths(&folders).flat_map(|folder| names.map(|name| folder.join(name)));
    places.find(|path| path.is_file()).map(|path| path.display().to_string())
}

fn tests() -> Result<(), String> {
    run_counted(cargo(&["test", "--no-fail-fast"]).args(WHOLE))
}

fn unit() -> Result<(), String> {
    run_counted(cargo(&["test", "--no-fail-fast", "--lib", "--test", "golden"]).args(WHOLE))
}

fn scenes() -> Result<(), String> {
    let mut command = cargo(&["test", "--no-fail-fast"]);
    command.args(WHOLE).args(FAST_BINARIES.iter().flat_map(|name| ["--test", name]));
    run_counted(command.arg("--").args(FAST_TESTS))
}

/// Random games run for 90 seconds.
const GAME_SECONDS: u64 = 90;

/// Plays random games with the seed of the day. They are built as the tests are, optimized and with all checks, so that only the program
/// itself is compiled.
fn games() -> Result<(), String> {
    let seed = seed_of_day(SystemTime::now())?;
    println!("games: to repeat: cargo xtask fuzz --target games --seconds {GAME_SECONDS} --seed {seed}");
    run(cargo(&["build", "--quiet", "--bin", "waymarch-fuzz"]).args(WHOLE))?;
    let own = std::env::current_exe().map_err(|error| format!("the folder of programs: {error}"))?;
    let folder = own.parent().unwrap_or(Path::new("."));
    let program = folder.join(format!("waymarch-fuzz{}", std::env::consts::EXE_SUFFIX));
    let (seconds, seed) = (GAME_SECONDS.to_string(), seed.to_string());
    let args = ["--target", "games", "--seconds", &seconds, "--seed", &seed];
    run(Command::new(program).current_dir(root()).args(args))
}

/// The date as a number, such as 20261118: a new seed on each day of the calendar (UTC).
fn seed_of_day(now: SystemTime) -> Result<u64, String> {
    let since = now.duration_since(SystemTime::UNIX_EPOCH).map_err(|error| format!("the clock: {error}"))?;
    // Years begin in March here, so that the leap day is the last day of a year. 719,468 days lie between 0000-03-01 and 1970-01-01.
    let days = since.as_secs() / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    Ok(year * 10_000 + month * 100 + day)
}

/// Folders of examples, with the arguments that they get. Network games run for 600 ticks: their own tests run longer ones.
const EXAMPLES: [(&str, &[&str]); 2] = [
    ("crates/waymarch/examples", &[]),
    ("crates/waymarch-netgame/examples", &["--peers", "3", "--ticks", "600"]),
];

/// Builds and runs all examples. They are built with the packages and features of the test stage, so that nothing but the
/// examples is compiled.
fn examples() -> Result<(), String> {
    run(cargo(&["build", "--quiet", "--examples"]).args(WHOLE))?;
    let own = std::env::current_exe().map_err(|error| format!("the folder of programs: {error}"))?;
    let programs = own.parent().unwrap_or(Path::new(".")).join("examples");
    let mut ran = 0;
    for (folder, arguments) in EXAMPLES {
        for name in example_names(&root().join(folder))? {
            println!("example {name}");
            let program = programs.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
            run(Command::new(program).args(arguments).current_dir(root()).stdout(Stdio::null()))?;
            ran += 1;
        }
    }
    println!("examples: {ran} ran");
    Ok(())
}

/// The names of the examples in a folder, in order.
fn example_names(folder: &Path) -> Result<Vec<String>, String> {
    let unread = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Runs cargo test, shows its output, and prints the sums of passed, failed and ignored tests.
fn run_counted(command: &mut Command) -> Result<(), String> {
    let shown = shown(command);
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("`{shown}` could not start: {error}"))?;
    let mut counts = [0; 3];
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            for (sum, count) in counts.iter_mut().zip(summary_counts(&line)) {
                *sum += count;
            }
        }
    }
    match child.wait() {
        Ok(status) if status.success() => {
            println!("tests: {} passed, {} failed, {} ignored", counts[0], counts[1], counts[2]);
            Ok(())
        }
        Ok(status) => Err(format!("{} tests failed, {} passed: `{shown}` ({status})", counts[1], counts[0])),
        Err(error) => Err(format!("`{shown}`: {error}")),
    }
}

/// Passed, failed and ignored in a line like `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
fn summary_counts(line: &str) -> [u64; 3] {
    let Some(rest) = line.strip_prefix("test result:") else {
        return [0; 3];
    };
    ["passed", "failed", "ignored"].map(|word| {
        let before = rest.split(word).next().unwrap_or_default().trim_end();
        before.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_from_the_manifest() {
        let manifest =
            "[package]\nname = \"x\"\n\n[features]\ndefault = [\"std\"]\n# why\nstd = []\n\n[lints]\na = 1\n";
        assert_eq!(feature_names(manifest), ["default", "std"]);
        assert_eq!(feature_names("[package]\nname = \"x\"\n"), Vec::<String>::new());
    }

    #[test]
    fn test_counts_are_read_from_cargo() {
        let line =
            "test result: ok. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s";
        assert_eq!(summary_counts(line), [12, 3, 1]);
        assert_eq!(summary_counts("test a::passed ... ok"), [0; 3]);
    }

    /// README and the stage above name the same examples, and all are there.
    #[test]
    fn the_engine_has_the_examples_that_the_readme_names() {
        let names = example_names(&root().join("crates/waymarch/examples")).expect("the folder is there");
        assert_eq!(names, ["01_one_unit", "02_service", "03_edit_the_map", "04_custom_planner", "05_replay"]);
        let readme = std::fs::read_to_string(root().join("README.md")).expect("it is there");
        for name in names {
            assert!(
                readme.contains(&format!("crates/waymarch/examples/{name}.rs")),
                "README does not name {name}"
            );
        }
        assert!(example_names(&root().join("no such folder")).is_err());
    }

    #[test]
    fn the_seed_of_a_day_is_its_date() {
        let seed = |days: u64| {
            seed_of_day(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(days * 86_400 + 86_399))
        };
        assert_eq!(seed(0), Ok(19_700_101));
        assert_eq!(seed(59), Ok(19_700_301));
        assert_eq!(seed(11_016), Ok(20_000_229));
        assert_eq!(seed(20_775), Ok(20_261_118));
    }

    #[test]
    fn quick_has_stages_of_its_own() {
        let names = |args: &[&str]| -> Vec<&str> {
            let args: Vec<String> = args.iter().map(ToString::to_string).collect();
            Chosen::new(&args).expect("stages that exist").stages().map(|stage| stage.name).collect()
        };
        assert_eq!(names(&["--quick"]), ["fmt", "tidy", "lint", "unit", "scenes"]);
        assert_eq!(names(&["--quick", "--only", "unit"]), ["unit"]);
        assert_eq!(names(&["--only", "doc", "--fail-fast"]), ["doc"]);
        assert_eq!(names(&[]).len(), ALL.len());
    }

    #[test]
    fn unknown_stages_and_options_are_refused() {
        assert!(command(&["--only".into(), "nothing".into()]).unwrap_err().contains("fmt, tidy"));
        assert!(command(&["--only".into(), "unit".into()]).is_err());
        assert!(command(&["--only".into()]).is_err());
        assert!(command(&["--verbose".into()]).is_err());
    }
}
