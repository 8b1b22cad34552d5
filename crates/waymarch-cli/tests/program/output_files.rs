//! What becomes of output files and of standard output when the disk is full or the program is interrupted. All on Unix.
#![cfg(unix)]
#![expect(clippy::disallowed_types, reason = "a test waits for the program, with a limit in seconds")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// An empty folder for one test.
fn folder(test: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("output-{test}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Runs the program from a shell: `before` comes first, `after` are redirections.
fn shell(folder: &Path, before: &str, args: &str, after: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_waymarch");
    let line = format!("{before} exec '{program}' {args} {after}");
    let mut command = Command::new("sh");
    command.current_dir(folder).env_remove("WAYMARCH_DATA").args(["-c", &line]);
    command.output().unwrap()
}

/// Files cannot grow beyond one block, as if the disk were full: the system answers "File too large".
const FULL_DISK: &str = "trap '' XFSZ; ulimit -f 1;";

#[test]
fn a_full_disk_leaves_the_previous_file_and_no_partial_one() {
    let folder = folder("full-disk");
    for (args, file) in [
        ("sim crossing --ticks 20 --record out.rec", "out.rec"),
        ("render --pixels 300 --out out.png", "out.png"),
        ("render --gif out.gif --ticks 4 --pixels 300", "out.gif"),
        ("maps convert valley out.yaml", "out.yaml"),
        ("maps convert valley out.png", "out.png"),
        ("maps generate --size 64x64 out.yaml", "out.yaml"),
        ("path --trace out.yaml", "out.yaml"),
        ("path --render out.png", "out.png"),
        ("replay --html out.html", "out.html"),
        ("formations --formation box --out out.png", "out.png"),
    ] {
        fs::write(folder.join(file), "the previous file").unwrap();
        let output = shell(&folder, FULL_DISK, args, "");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args}: {said}");
        assert!(said.contains(file) && said.contains("File too large"), "{args}: {said}");
        assert_eq!(names(&folder), [file], "{args}");
        assert_eq!(fs::read(folder.join(file)).unwrap(), b"the previous file", "{args}");
        let output = shell(&folder, "", args, "");
        assert!(output.status.success(), "{args}");
        assert_ne!(fs::read(folder.join(file)).unwrap(), b"the previous file", "{args}");
        names(&folder).iter().for_each(|name| fs::remove_file(folder.join(name)).unwrap());
    }
}

/// Commands with a short run each.
const ALL_COMMANDS: [&str; 11] = [
    "config default",
    "config check",
    "maps list",
    "maps info",
    "path",
    "render --pixels 64 --out a.png",
    "formations --formation box --pixels 64 --out b.png",
    "sim crossing --ticks 2",
    "replay",
    "--help",
    "--version",
];

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_cannot_be_written_is_an_error() {
    let folder = folder("full-output");
    for args in ALL_COMMANDS.into_iter().flat_map(|args| [args.to_owned(), format!("{args} --json")]) {
        let output = shell(&folder, "", &args, ">/dev/full");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args}: {said}");
        assert!(said.contains("standard output") && said.contains("No space left"), "{args}: {said}");
    }
    // A failure keeps its own exit code.
    let output = shell(&folder, "", "path --nonesuch --json", ">/dev/full");
    assert_eq!(output.status.code(), Some(2));
    // Neither is written: the exit code is all that is left.
    let output = shell(&folder, "", "path", ">/dev/full 2>/dev/full");
    assert_eq!(output.status.code(), Some(1));
    let output = shell(&folder, "", "maps info nonesuch", "2>/dev/full");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let folder = folder("closed-pipe");
    for args in ["config default", "config default --json", "--help"] {
        let output = shell(&folder, "", args, "| true");
        assert!(output.status.success() && output.stderr.is_empty(), "{args}");
    }
}

#[test]
fn a_recording_that_cannot_be_written_is_refused_before_the_simulation() {
    let folder = folder("bad-record");
    let begun = Instant::now();
    let output = shell(&folder, "", "sim order-storm --ticks 100000000 --record none/out.rec", "");
    assert!(begun.elapsed() < Duration::from_secs(60));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("none/out.rec"), "{said}");
}

#[test]
fn an_interrupted_recording_ends_at_the_last_full_tick() {
    let folder = folder("interrupted");
    let mut command = Command::new(env!("CARGO_BIN_EXE_waymarch"));
    command.current_dir(&folder).args(["sim", "crossing", "--ticks", "100000000"]);
    command.args(["--record", "out.rec", "--json"]).stdout(Stdio::piped());
    let running = command.spawn().unwrap();
    let begun = Instant::now();
    while names(&folder).is_empty() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(10));
    }
    // The simulation has begun: wait for some ticks.
    std::thread::sleep(Duration::from_millis(300));
    let kill = format!("kill -INT {}", running.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    let output = running.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["interrupted"], true);
    assert_eq!(names(&folder), ["out.rec"]);
    let replayed = shell(&folder, "", "replay out.rec --verify --json", "");
    assert!(replayed.status.success());
    let replayed: serde_json::Value = serde_json::from_slice(&replayed.stdout).unwrap();
    assert_eq!((&replayed["ticks"], &replayed["hash"]), (&document["ticks"], &document["hash"]));
}

#[test]
fn an_interrupted_trace_leaves_no_file() {
    let folder = folder("interrupted-trace");
    fs::write(folder.join("out.yaml"), "the previous file").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_waymarch"));
    command.current_dir(&folder).args(["path", "--map", "generate:7:1024x1024", "--planner", "astar"]);
    command.args(["--trace", "out.yaml", "--trace-limit", "100000000"]).stdout(Stdio::null());
    let mut running = command.spawn().unwrap();
    let begun = Instant::now();
    while names(&folder).len() < 2 && running.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(120), "no trace was begun");
        std::thread::sleep(Duration::from_millis(1));
    }
    let kill = format!("kill -INT {}", running.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    assert_eq!(running.wait().unwrap().code(), Some(130));
    assert_eq!(names(&folder), ["out.yaml"]);
    assert_eq!(fs::read(folder.join("out.yaml")).unwrap(), b"the previous file");
}
