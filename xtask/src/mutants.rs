//! `cargo xtask mutants`: does a test fail when a line of the engine is changed?
//!
//! The task runs `cargo mutants` room by room. Each mutant is one small change of the engine, such as `<` instead of `<=`. A mutant that no
//! test notices is a survivor. All mutants together take days, so a run usually takes a part of them.
//!
//! Mutants are built in a copy of the engine, whose profile makes a rebuild cheap. The tests of a mutant end at the first that fails.

use std::path::{Path, PathBuf};

use crate::source_copy::{copy_crates, mirror};
use crate::{cargo, first_failure, root, run};

/// A room, and the test binaries that are run for its mutants beside the unit tests.
struct Room {
    name: &'static str,
    folder: &'static str,
    tests: &'static [&'static str],
}

/// The rooms with algorithms, and the one that loads untrusted bytes.
const ROOMS: [Room; 6] = [
    Room { name: "base", folder: "base", tests: &["layers"] },
    Room { name: "cost", folder: "cost", tests: &["layers"] },
    Room { name: "search", folder: "search", tests: &["search"] },
    Room { name: "flow", folder: "flow", tests: &["flow"] },
    Room { name: "avoid", folder: "avoid", tests: &["movement"] },
    Room { name: "save", folder: "world/save", tests: &["world"] },
];

/// Tests of a mutant that run for more than 240 seconds are ended: the mutant loops.
const TIMEOUT: &str = "240";

/// The crates in the copy: the engine, and what its tests need.
const CRATES: [&str; 3] = ["waymarch", "waymarch-counting", "waymarch-testkit"];

/// The profile of the copy: small units of code, so that a mutant costs a part of a build.
const PROFILE: &str = r#"
[profile.dev]
opt-level = 1
debug = false
incremental = true
codegen-units = 256

[profile.dev.package."*"]
opt-level = 2
"#;

/// Mutants of these functions change texts and memory, and no result.
const NO_LOGIC: &str = "memory_bytes|full_bytes|fmt|reserve|poison|shrink";

/// What the arguments ask for.
struct Chosen {
    rooms: Vec<&'static Room>,
    /// The part of all mutants, as `cargo mutants --shard` takes it: `K/N` is every Nth mutant from the Kth on.
    part: String,
}

impl Chosen {
    fn new(args: &[String]) -> Result<Self, String> {
        let (mut rooms, mut part) = (Vec::new(), String::from("0/100"));
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let value = args.next().ok_or_else(|| format!("`{arg}` needs a value"))?;
            match arg.as_str() {
                "--room" => {
                    let names = || ROOMS.iter().map(|room| room.name).collect::<Vec<_>>().join(", ");
                    let room = ROOMS.iter().find(|room| room.name == value);
                    rooms.push(room.ok_or_else(|| format!("there is no room `{value}`: {}", names()))?);
                }
                "--part" => part.clone_from(value),
                other => return Err(format!("`mutants` takes --room NAME and --part K/N, not `{other}`")),
            }
        }
        if rooms.is_empty() {
            rooms.extend(ROOMS.iter());
        }
        Ok(Self { rooms, part })
    }
}

/// Runs `cargo mutants` and prints a table. Survivors are no error: a person decides about each.
pub(crate) fn command(args: &[String]) -> Result<(), String> {
    let chosen = Chosen::new(args)?;
    if cargo(&["mutants", "--version"]).output().is_ok_and(|output| !output.status.success()) {
        run(&mut cargo(&["install", "cargo-mutants", "--locked"]))?;
    }
    let copy = copy_engine()?;
    let runner = std::env::current_exe().map_err(|error| format!("the program of the tasks: {error}"))?;
    let mut rows = vec![String::from("room      caught  survived  endless  not built")];
    for room in chosen.rooms {
        let output = root().join("target/mutants").join(room.name);
        std::fs::create_dir_all(&output).map_err(|error| format!("{}: {error}", output.display()))?;
        let files = format!("crates/waymarch/src/{}/**", room.folder);
        let mut command = cargo(&["mutants", "--package", "waymarch", "--baseline", "skip", "--no-shuffle"]);
        // The copy belongs to this task alone, so mutants are made in it, and builds stay.
        command.arg("--in-place").arg("--dir").arg(&copy).args(["--exclude-re", NO_LOGIC]);
        command.args(["--timeout", TIMEOUT, "--file", &files, "--sharding", "round-robin"]);
        command.args(["--shard", &chosen.part]).arg("--output").arg(&output).args(["--", "--lib"]);
        room.tests.iter().for_each(|test| _ = command.args(["--test", test]));
        let runner = format!("{} {}", runner.display(), first_failure::TASK);
        command.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", runner).env_remove("CARGO_TARGET_DIR");
        // Its exit code is 2 if mutants survived and 3 if some did not end.
        let status = command.status().map_err(|error| format!("`cargo mutants` could not start: {error}"))?;
        if !matches!(status.code(), Some(0 | 2 | 3)) {
            return Err(format!("`cargo mutants` failed for `{}` ({status})", room.name));
        }
        let lines = |name: &str| count_lines(&output.join("mutants.out").join(name));
        let [caught, missed, endless, unviable] =
            ["caught.txt", "missed.txt", "timeout.txt", "unviable.txt"].map(lines);
        rows.push(format!("{:10}{caught:6}  {missed:8}  {endless:7}  {unviable:9}", room.name));
    }
    println!("{}\nsurvivors are listed in target/mutants/ROOM/mutants.out/missed.txt", rows.join("\n"));
    Ok(())
}

/// Brings the copy of the engine up to date; returns its folder.
fn copy_engine() -> Result<PathBuf, String> {
    let to = root().join("target/mutants/source");
    copy_crates(&to, &CRATES, PROFILE)?;
    mirror(&root().join("testdata"), &to.join("testdata")).map_err(|error| format!("testdata: {error}"))?;
    for name in ["Cargo.lock", "README.md"] {
        std::fs::copy(root().join(name), to.join(name)).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(to)
}

fn count_lines(path: &Path) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_and_parts_are_chosen_and_unknown_ones_refused() {
        let chosen = |args: &[&str]| Chosen::new(&args.iter().map(ToString::to_string).collect::<Vec<_>>());
        let all = chosen(&[]).expect("the defaults");
        assert_eq!((all.rooms.len(), all.part.as_str()), (6, "0/100"));
        let some = chosen(&["--room", "flow", "--part", "3/40"]).expect("legal");
        assert_eq!((some.rooms[0].name, some.part.as_str()), ("flow", "3/40"));
        assert!(chosen(&["--room", "cellar"]).is_err_and(|error| error.contains("base, cost")));
        assert!(chosen(&["--room"]).is_err() && chosen(&["--all", "1"]).is_err());
    }

    #[test]
    fn every_room_is_a_folder_of_the_engine() {
        for room in ROOMS {
            assert!(root().join("crates/waymarch/src").join(room.folder).is_dir(), "{}", room.name);
        }
    }
}
