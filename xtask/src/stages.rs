//! `cargo xtask test`: everything that must hold, stage by stage.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::{cargo, root, run, run_tidy, shown};

/// A part of the test command.
struct Stage {
    name: &'static str,
    about: &'static str,
    run: fn() -> Result<(), String>,
}

const STAGES: [Stage; 8] = [
    Stage { name: "fmt", about: "rustfmt has nothing to change", run: fmt },
    Stage {
        name: "tidy",
        about: "the house rules: ranks, no floats, no clocks, links, lengths",
        run: run_tidy,
    },
    Stage { name: "clippy", about: "no lint fires, in any target, with all features", run: clippy },
    Stage {
        name: "features",
        about: "the engine builds without std and with each feature alone",
        run: features,
    },
    Stage { name: "doc", about: "documentation builds without a warning", run: doc },
    Stage {
        name: "browser",
        about: "there is a Chromium for the playground's tests, or it is said that not",
        run: browser,
    },
    Stage { name: "tests", about: "all tests of all crates, documentation examples included", run: tests },
    Stage { name: "examples", about: "the engine's examples run, and what they assert holds", run: examples },
];

/// Runs the stages asked for.
pub(crate) fn command(args: &[String]) -> Result<(), String> {
    let mut only: Vec<&str> = Vec::new();
    let mut stop_early = false;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--list" => {
                STAGES.iter().for_each(|stage| println!("{:10}{}", stage.name, stage.about));
                return Ok(());
            }
            "--fail-fast" => stop_early = true,
            "--only" => only.push(args.next().ok_or("`--only` needs the name of a stage (see `--list`)")?),
            other => return Err(format!("`test` takes --only STAGE, --list and --fail-fast, not `{other}`")),
        }
    }
    if let Some(unknown) = only.iter().find(|name| !STAGES.iter().any(|stage| stage.name == **name)) {
        let names: Vec<&str> = STAGES.iter().map(|stage| stage.name).collect();
        return Err(format!("there is no stage `{unknown}`: {}", names.join(", ")));
    }
    let mut summary = Vec::new();
    let mut failed: Vec<String> = Vec::new();
    for stage in STAGES.iter().filter(|stage| only.is_empty() || only.contains(&stage.name)) {
        println!("== {}: {}", stage.name, stage.about);
        let start = Instant::now();
        let result = (stage.run)();
        let seconds = start.elapsed().as_secs_f64();
        let verdict = if result.is_ok() { "ok" } else { "FAILED" };
        println!("== {}: {verdict} in {seconds:.1} s\n", stage.name);
        summary.push(format!("{:10}{verdict:8}{seconds:7.1} s", stage.name));
        if let Err(message) = result {
            failed.push(format!("stage `{}`: {message}", stage.name));
            if stop_early {
                break;
            }
        }
    }
    println!("{}", summary.join("\n"));
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\nxtask: ")) }
}

fn fmt() -> Result<(), String> {
    run(&mut cargo(&["fmt", "--all", "--check"])).map_err(|error| format!("{error}: run `cargo fmt --all`"))
}

fn clippy() -> Result<(), String> {
    run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]))
}

fn features() -> Result<(), String> {
    let manifest = std::fs::read_to_string(root().join("crates/waymarch/Cargo.toml"))
        .map_err(|error| format!("crates/waymarch/Cargo.toml: {error}"))?;
    // Clippy rather than check: what a missing feature leaves unused is an error too.
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
    let programs: &[&str] = &["--package", "waymarch-cli", "--package", "xtask", "--bins"];
    for targets in [programs, &["--workspace", "--lib"]] {
        run(cargo(&["doc", "--no-deps", "--quiet"]).args(targets).env("RUSTDOCFLAGS", "-D warnings"))?;
    }
    Ok(())
}

/// Sees to it that the playground can be tested in a browser. A machine on which none can be had is no failure: the tests say that they
/// were left out.
fn browser() -> Result<(), String> {
    if let Some(found) = installed_browser() {
        println!("browser: {found}");
        return Ok(());
    }
    let installer = ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"];
    println!("browser: none here; trying `{}`", installer.join(" "));
    let done =
        Command::new(installer[0]).args(&installer[1..]).stdin(Stdio::null()).stdout(Stdio::null()).status();
    match (done.is_ok_and(|status| status.success()), installed_browser()) {
        (true, Some(found)) => println!("browser: {found}"),
        _ => println!("browser: SKIPPED, no Chromium can be had: the playground is not tested in a browser"),
    }
    Ok(())
}

/// The browser that tests will use, as `crates/waymarch-cli/tests/browser` looks for it.
fn installed_browser() -> Option<String> {
    if let Some(named) = std::env::var_os("WAYMARCH_CHROMIUM") {
        return Some(named.to_string_lossy().into_owned());
    }
    let folders = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut places = std::env::split_paths(&folders).flat_map(|folder| names.map(|name| folder.join(name)));
    places.find(|path| path.is_file()).map(|path| path.display().to_string())
}

fn tests() -> Result<(), String> {
    let mut command = cargo(&["test", "--workspace", "--all-features", "--no-fail-fast"]);
    let counts = run_counted(&mut command)?;
    println!("tests: {} passed, {} failed, {} ignored", counts[0], counts[1], counts[2]);
    Ok(())
}

/// Runs all examples of the engine. With the features of the test stage, so that nothing but the examples is built.
fn examples() -> Result<(), String> {
    let names = example_names(&root().join("crates/waymarch/examples"))?;
    for name in &names {
        println!("example {name}");
        let command = ["run", "--quiet", "--package", "waymarch", "--all-features", "--example", name];
        run(cargo(&command).stdout(Stdio::null()))?;
    }
    println!("examples: {} ran", names.len());
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

/// Runs cargo test, shows its output, and adds up what its summaries say: passed, failed, ignored.
fn run_counted(command: &mut Command) -> Result<[u64; 3], String> {
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
        Ok(status) if status.success() => Ok(counts),
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
    fn unknown_stages_and_options_are_refused() {
        assert!(command(&["--only".into(), "nothing".into()]).unwrap_err().contains("fmt, tidy"));
        assert!(command(&["--only".into()]).is_err());
        assert!(command(&["--verbose".into()]).is_err());
    }
}
