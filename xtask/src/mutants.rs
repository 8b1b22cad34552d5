//! `cargo xtask mutants`: does a test fail when a line of the engine is changed?
//!
//! The task runs `cargo mutants` room by room. Each mutant is one small change of the engine, such as `<` instead of `<=`. A mutant that no
//! test notices is a survivor. All mutants together take days, so a run usually takes a part of them, or ends after some time.
//!
//! Mutants are built in a copy of the engine, whose profile makes a rebuild cheap. The tests of a mutant end at the first that fails.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::source_copy::{copy_crates, mirror};
use crate::{cargo, first_failure, root, run};

/// A room, and the test binaries that are run for its mutants beside the unit tests.
struct Room {
    name: &'static str,
    /// Folders and files below the sources of the engine.
    places: &'static [&'static str],
    tests: &'static [&'static str],
}

/// The rooms with algorithms, and those that save, load and check.
const ROOMS: [Room; 12] = [
    Room { name: "base", places: &["base"], tests: &["layers"] },
    Room { name: "cost", places: &["cost"], tests: &["layers"] },
    Room { name: "search", places: &["search"], tests: &["search"] },
    Room { name: "flow", places: &["flow"], tests: &["flow"] },
    Room { name: "avoid", places: &["avoid"], tests: &["movement"] },
    Room { name: "save", places: &["world/save"], tests: &["world"] },
    Room {
        name: "check",
        places: &[
            "world/check.rs",
            "service/validate.rs",
            "service/save.rs",
            "service/state.rs",
            "service/queue.rs",
            "service/flow/save.rs",
            "plan/grouping_bytes.rs",
            "nav/snapshot.rs",
        ],
        tests: &["world", "service"],
    },
    Room { name: "units", places: &["world/units"], tests: &["world"] },
    Room { name: "groups", places: &["world/groups"], tests: &["world"] },
    Room { name: "record", places: &["world/record"], tests: &["world"] },
    Room { name: "zones", places: &["world/deadlock"], tests: &["world"] },
    Room { name: "reservation", places: &["world/reservation"], tests: &["world"] },
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

/// Every `every`th mutant from number `first` on, written as `K/N`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    first: usize,
    every: usize,
}

impl Part {
    fn parse(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((first, every)) if first < every => Ok(Self { first, every }),
            _ => Err(format!("`--part` takes K/N with K below N, not `{text}`")),
        }
    }
}

/// What the arguments ask for.
struct Chosen {
    rooms: Vec<&'static Room>,
    part: Part,
    /// After this time no new mutant begins.
    limit: Option<Duration>,
}

impl Chosen {
    fn new(args: &[String]) -> Result<Self, String> {
        let mut chosen = Self { rooms: Vec::new(), part: Part { first: 0, every: 100 }, limit: None };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let value = args.next().ok_or_else(|| format!("`{arg}` needs a value"))?;
            match arg.as_str() {
                "--room" => {
                    let names = || ROOMS.iter().map(|room| room.name).collect::<Vec<_>>().join(", ");
                    let room = ROOMS.iter().find(|room| room.name == value);
                    chosen
                        .rooms
                        .push(room.ok_or_else(|| format!("there is no room `{value}`: {}", names()))?);
                }
                "--part" => chosen.part = Part::parse(value)?,
                "--seconds" => {
                    let seconds =
                        value.parse().map_err(|_| format!("`--seconds` takes a number, not `{value}`"))?;
                    chosen.limit = Some(Duration::from_secs(seconds));
                }
                other => {
                    return Err(format!(
                        "`mutants` takes --room NAME, --part K/N and --seconds N, not `{other}`"
                    ));
                }
            }
        }
        if chosen.rooms.is_empty() {
            chosen.rooms.extend(ROOMS.iter());
        }
        Ok(chosen)
    }
}

/// What became of mutants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Score {
    caught: usize,
    survived: usize,
    endless: usize,
    unviable: usize,
}

impl Score {
    fn add(&mut self, other: Self) {
        self.caught += other.caught;
        self.survived += other.survived;
        self.endless += other.endless;
        self.unviable += other.unviable;
    }

    /// The part of the built mutants that some test noticed, in percent, rounded down. An endless mutant is noticed.
    fn percent(self) -> Option<usize> {
        let noticed = self.caught + self.endless;
        (noticed * 100).checked_div(noticed + self.survived)
    }

    fn row(self, name: &str) -> String {
        let Self { caught, survived, endless, unviable } = self;
        let percent = self.percent().map_or(String::from("-"), |percent| format!("{percent} %"));
        format!("{name:12}{caught:6}  {survived:8}  {endless:7}  {unviable:9}  {percent:>7}")
    }
}

/// The table of all rooms, with their sum if there are several.
fn table(scores: &[(&str, Score)]) -> String {
    let mut rows = vec![String::from("room        caught  survived  endless  not built  noticed")];
    rows.extend(scores.iter().map(|(name, score)| score.row(name)));
    if scores.len() > 1 {
        let mut sum = Score::default();
        scores.iter().for_each(|(_, score)| sum.add(*score));
        rows.push(sum.row("all"));
    }
    rows.join("\n")
}

/// The mutants of a part, as room and number: one of each room in turn, so that a run that is ended early has some of every room.
fn turns(counts: &[usize], part: Part) -> Vec<(usize, usize)> {
    let most = counts.iter().copied().max().unwrap_or(0);
    let numbers = (part.first..most).step_by(part.every);
    let rooms = |number: usize| (0..counts.len()).map(move |room| (room, number));
    numbers.flat_map(rooms).filter(|&(room, number)| number < counts[room]).collect()
}

/// Runs `cargo mutants` and prints a table. Survivors are no error: a person decides about each.
pub(crate) fn command(args: &[String]) -> Result<(), String> {
    let chosen = Chosen::new(args)?;
    if cargo(&["mutants", "--version"]).output().is_ok_and(|output| !output.status.success()) {
        run(&mut cargo(&["install", "cargo-mutants", "--locked"]))?;
    }
    let tool = Tool::new()?;
    let mut scores: Vec<(&str, Score)> =
        chosen.rooms.iter().map(|room| (room.name, Score::default())).collect();
    for room in &chosen.rooms {
        // The list of an earlier run.
        _ = std::fs::remove_file(survivors(room));
    }
    let Part { first, every } = chosen.part;
    match chosen.limit {
        None => {
            for (place, room) in chosen.rooms.iter().enumerate() {
                scores[place].1 = tool.test(room, &format!("{first}/{every}"))?;
            }
        }
        Some(limit) => {
            let begun = Instant::now();
            let counts = chosen.rooms.iter().map(|room| tool.count(room));
            let counts = counts.collect::<Result<Vec<usize>, String>>()?;
            let turns = turns(&counts, chosen.part);
            let mut tested = 0;
            for &(place, number) in turns.iter().take_while(|_| begun.elapsed() < limit) {
                scores[place].1.add(tool.test(chosen.rooms[place], &format!("{number}/{}", counts[place]))?);
                tested += 1;
            }
            println!("mutants: {tested} of {} in {:.0} s", turns.len(), begun.elapsed().as_secs_f64());
        }
    }
    println!("{}\nsurvivors are listed in target/mutants/ROOM/survivors.txt", table(&scores));
    Ok(())
}

/// The list of survivors of a room.
fn survivors(room: &Room) -> PathBuf {
    output_of(room).join("survivors.txt")
}

fn output_of(room: &Room) -> PathBuf {
    root().join("target/mutants").join(room.name)
}

/// `cargo mutants` in a copy of the engine.
struct Tool {
    copy: PathBuf,
    /// The program that runs test binaries, and ends them at the first failure.
    runner: String,
}

impl Tool {
    fn new() -> Result<Self, String> {
        let copy = copy_engine()?;
        let own = std::env::current_exe().map_err(|error| format!("the program of the tasks: {error}"))?;
        Ok(Self { copy, runner: format!("{} {}", own.display(), first_failure::TASK) })
    }

    /// `cargo mutants` for a room.
    fn command(&self, room: &Room) -> Command {
        let mut command = cargo(&["mutants", "--package", "waymarch", "--no-shuffle", "--dir"]);
        command.arg(&self.copy).args(["--exclude-re", NO_LOGIC]);
        for place in room.places {
            let below = if place.ends_with(".rs") { "" } else { "/**" };
            command.arg("--file").arg(format!("crates/waymarch/src/{place}{below}"));
        }
        command.env_remove("CARGO_TARGET_DIR");
        command
    }

    /// The number of mutants of a room.
    fn count(&self, room: &Room) -> Result<usize, String> {
        let output = self.command(room).arg("--list").output();
        let output = output.map_err(|error| format!("`cargo mutants` could not start: {error}"))?;
        if !output.status.success() {
            return Err(format!("`cargo mutants --list` failed for `{}` ({})", room.name, output.status));
        }
        Ok(String::from_utf8_lossy(&output.stdout).lines().count())
    }

    /// Makes and tests some mutants of a room: `K/N` is every Nth from the Kth on. Appends survivors to the list of the room.
    fn test(&self, room: &Room, shard: &str) -> Result<Score, String> {
        let output = output_of(room);
        std::fs::create_dir_all(&output).map_err(|error| format!("{}: {error}", output.display()))?;
        let mut command = self.command(room);
        // The copy belongs to this task alone, so mutants are made in it, and builds stay.
        command.args(["--in-place", "--baseline", "skip", "--timeout", TIMEOUT]);
        command.args(["--sharding", "round-robin", "--shard", shard]).arg("--output").arg(&output);
        command.args(["--", "--lib"]);
        room.tests.iter().for_each(|test| _ = command.args(["--test", test]));
        command.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", &self.runner);
        // Its exit code is 2 if mutants survived and 3 if some did not end.
        let status = command.status().map_err(|error| format!("`cargo mutants` could not start: {error}"))?;
        if !matches!(status.code(), Some(0 | 2 | 3)) {
            return Err(format!("`cargo mutants` failed for `{}` ({status})", room.name));
        }
        let read =
            |name: &str| std::fs::read_to_string(output.join("mutants.out").join(name)).unwrap_or_default();
        let missed = read("missed.txt");
        let file = survivors(room);
        let known = std::fs::read_to_string(&file).unwrap_or_default();
        std::fs::write(&file, known + &missed).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(Score {
            caught: read("caught.txt").lines().count(),
            survived: missed.lines().count(),
            endless: read("timeout.txt").lines().count(),
            unviable: read("unviable.txt").lines().count(),
        })
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(args: &[&str]) -> Result<Chosen, String> {
        Chosen::new(&args.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn rooms_parts_and_a_limit_are_chosen_and_unknown_ones_refused() {
        let all = chosen(&[]).expect("the defaults");
        assert_eq!((all.rooms.len(), all.part, all.limit), (12, Part { first: 0, every: 100 }, None));
        let some = chosen(&["--room", "flow", "--part", "3/40", "--seconds", "90"]).expect("legal");
        assert_eq!((some.rooms[0].name, some.part), ("flow", Part { first: 3, every: 40 }));
        assert_eq!(some.limit, Some(Duration::from_secs(90)));
        assert!(chosen(&["--room", "cellar"]).is_err_and(|error| error.contains("base, cost")));
        assert!(chosen(&["--room"]).is_err() && chosen(&["--all", "1"]).is_err());
        for part in ["3", "3/3", "a/4", "1/0"] {
            assert!(chosen(&["--part", part]).is_err_and(|error| error.contains(part)));
        }
        assert!(chosen(&["--seconds", "long"]).is_err());
    }

    #[test]
    fn every_place_of_a_room_is_a_folder_or_a_file_of_the_engine() {
        for room in ROOMS {
            for place in room.places {
                let path = root().join("crates/waymarch/src").join(place);
                assert_eq!((path.is_file(), path.exists()), (place.ends_with(".rs"), true), "{place}");
            }
        }
    }

    #[test]
    fn a_sample_takes_rooms_in_turn() {
        let part = Part { first: 1, every: 3 };
        assert_eq!(turns(&[5, 2, 0, 9], part), [(0, 1), (1, 1), (3, 1), (0, 4), (3, 4), (3, 7)]);
        assert_eq!(turns(&[1], part), []);
    }

    #[test]
    fn the_score_counts_endless_mutants_as_noticed_and_leaves_out_those_that_were_not_built() {
        let one = Score { caught: 5, survived: 2, endless: 1, unviable: 9 };
        assert_eq!((one.percent(), Score::default().percent()), (Some(75), None));
        let text = table(&[("base", one), ("flow", Score { caught: 2, ..Score::default() })]);
        let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(rows[1], ["base", "5", "2", "1", "9", "75", "%"]);
        assert_eq!(rows[3], ["all", "7", "2", "1", "9", "80", "%"]);
    }
}
