//! `cargo xtask mutants`: does a test fail when a line of the engine is changed?
//!
//! The task runs `cargo mutants` room by room. Each mutant is one small change of the engine, such as `<` instead of `<=`. A mutant that no
//! test notices is a survivor. All mutants together take days, so a run usually takes a part of them.

use std::path::Path;

use crate::{cargo, root, run};

/// A room, and the test binaries that are run for its mutants beside the unit tests.
struct Room {
    name: &'static str,
    folder: &'static str,
    tests: &'static [&'static str],
}

/// The rooms with algorithms, and the one that loads untrusted bytes.
const ROOMS: [Room; 6] = [
    Room { name: "base", folder: "base", tests: &["golden", "layers"] },
    Room { name: "cost", folder: "cost", tests: &["golden", "layers"] },
    Room { name: "search", folder: "search", tests: &["golden", "search"] },
    Room { name: "flow", folder: "flow", tests: &["golden", "flow"] },
    Room { name: "avoid", folder: "avoid", tests: &["golden", "movement"] },
    Room { name: "save", folder: "world/save", tests: &["golden", "world"] },
];

/// Tests of a mutant that run for more than 240 seconds are ended: the mutant loops.
const TIMEOUT: &str = "240";

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
    let mut rows = vec![String::from("room      caught  survived  endless  not built")];
    for room in chosen.rooms {
        let output = root().join("target/mutants").join(room.name);
        std::fs::create_dir_all(&output).map_err(|error| format!("{}: {error}", output.display()))?;
        let files = format!("crates/waymarch/src/{}/**", room.folder);
        let mut command = cargo(&["mutants", "--package", "waymarch", "--baseline", "skip", "--no-shuffle"]);
        command.args(["--timeout", TIMEOUT, "--file", &files, "--shard", &chosen.part]);
        command.arg("--output").arg(&output).args(["--", "--lib"]);
        room.tests.iter().for_each(|test| _ = command.args(["--test", test]));
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
