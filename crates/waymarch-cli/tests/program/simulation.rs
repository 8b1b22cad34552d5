//! Runs `waymarch sim` and `waymarch replay`.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;
use waymarch::world::{Command as GameCommand, Order, Recording};

fn folder(test: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("simulation-{test}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// The program's JSON document and whether it succeeded.
fn json(folder: &PathBuf, args: &str) -> (Value, bool) {
    let mut command: Command = assert_cmd::cargo::cargo_bin_cmd!("waymarch");
    let output = command.current_dir(folder).args(args.split_whitespace()).arg("--json").output().unwrap();
    let document = serde_json::from_slice(&output.stdout);
    (document.unwrap_or_else(|error| panic!("{args}: {error}")), output.status.success())
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn sim_without_arguments_runs_a_scenario() {
    let folder = folder("plain");
    let (document, fine) = json(&folder, "sim --ticks 40");
    assert!(fine);
    assert_eq!(
        keys(&document),
        ["hash", "metrics", "recording", "scenario", "subhashes", "threads", "ticks"]
    );
    assert_eq!(
        (&document["scenario"], &document["ticks"], &document["threads"]),
        (&"valley-march".into(), &40.into(), &1.into())
    );
    assert_eq!(document["hash"].as_str().map(str::len), Some(16));
    assert!(
        keys(&document["subhashes"]).contains(&"units") && keys(&document["subhashes"]).contains(&"cost")
    );
    for key in ["units", "arrived", "gave_up", "events", "travel_per_mille", "ms_per_tick"] {
        assert!(!document["metrics"][key].is_null(), "{key}");
    }
    assert_eq!(
        keys(&document["metrics"]["movement"]),
        [
            "after_arrival_cells",
            "arrived_pct",
            "flips_s",
            "idle_turn_pct",
            "jitter_deg",
            "makespan_s",
            "maxpen_pct",
            "ovl_pct",
            "stuck_pct",
            "undisturbed_cells"
        ]
    );
    assert_eq!(
        keys(&document["metrics"]["groups"]),
        ["arrival_spread", "arrival_spread_most", "arrived_groups", "cohesion", "form_error"]
    );
    let (threaded, _) = json(&folder, "sim --ticks 40 --threads 3");
    assert_eq!((&threaded["hash"], &threaded["threads"]), (&document["hash"], &3.into()));
    let (list, _) = json(&folder, "sim --list");
    assert!(list["scenarios"].as_array().unwrap().len() >= 12);
}

#[test]
fn a_scenario_file_is_run_and_its_errors_are_shown() {
    let folder = folder("file");
    fs::write(folder.join("field.map"), "type octile\nheight 2\nwidth 9\nmap\n.........\n.........\n")
        .unwrap();
    let text = "waymarch_scenario: 1\nname: two\nmap: field.map\nticks: 90\nunit_types: {man: {}}\n\
                units: [{cells: [[0, 0], [0, 1]]}]\norders: [{move: [8, 1]}]\n";
    fs::write(folder.join("two.yaml"), text).unwrap();
    let (document, fine) = json(&folder, "sim two.yaml");
    assert!(fine, "{document}");
    assert_eq!((&document["scenario"], &document["metrics"]["arrived"]), (&"two".into(), &2.into()));
    fs::write(folder.join("bad.yaml"), text.replace("ticks: 90", "tick: 90")).unwrap();
    let (failure, fine) = json(&folder, "sim bad.yaml");
    let place = &failure["error"]["place"];
    assert!(!fine && place["line"] == 4 && place["column"] == 1, "{failure}");
    let (failure, fine) = json(&folder, "sim corer");
    assert!(!fine && failure["error"]["help"].as_str().unwrap().contains("`corner`"), "{failure}");
}

#[test]
fn sim_reports_how_units_and_groups_moved() {
    let folder = folder("moved");
    let row = ".".repeat(40);
    let map = format!("type octile\nheight 12\nwidth 40\nmap\n{}", format!("{row}\n").repeat(12));
    fs::write(folder.join("field.map"), map).unwrap();
    let text = "waymarch_scenario: 1\nname: four\nmap: field.map\nticks: 400\nunit_types: {man: {}}\n\
                units: [{cells: [[2, 4], [2, 5], [3, 4], [3, 5]]}]\norders: [{move: [30, 5]}]\n";
    fs::write(folder.join("four.yaml"), text).unwrap();
    let (document, fine) = json(&folder, "sim four.yaml");
    assert!(fine, "{document}");
    let (movement, groups) = (&document["metrics"]["movement"], &document["metrics"]["groups"]);
    assert_eq!(movement["arrived_pct"], 100.0, "{movement}");
    // About 26 cells at the default speed.
    let makespan = movement["makespan_s"].as_f64().unwrap();
    assert!((4.0..=18.0).contains(&makespan), "{movement}");
    assert!(
        movement["stuck_pct"].as_f64() < Some(20.0) && movement["ovl_pct"].as_f64() < Some(1.0),
        "{movement}"
    );
    assert_eq!(groups["arrived_groups"], 1, "{groups}");
    assert!(groups["form_error"].as_f64() < Some(0.5), "the units stand in formation: {groups}");
    let apart = groups["cohesion"].as_f64().unwrap();
    assert!((0.4..=3.0).contains(&apart), "four units keep together: {groups}");
    // After 60 ticks no unit has arrived, so there is no makespan.
    let (document, _) = json(&folder, "sim four.yaml --ticks 60");
    let (movement, groups) = (&document["metrics"]["movement"], &document["metrics"]["groups"]);
    assert_eq!((&movement["arrived_pct"], &movement["makespan_s"]), (&0.0.into(), &Value::Null));
    assert_eq!((&groups["arrived_groups"], &groups["arrival_spread"]), (&0.into(), &Value::Null));
}

#[test]
fn a_replay_equals_its_recording_unless_the_recording_was_changed() {
    let folder = folder("record");
    let (played, _) = json(&folder, "sim corner --ticks 60 --record game.rec");
    let (again, fine) = json(&folder, "replay game.rec --verify --threads 2");
    assert!(fine, "{again}");
    assert_eq!(
        (&again["hash"], &again["same"], &again["compared"]),
        (&played["hash"], &true.into(), &60.into())
    );
    let (quick, _) = json(&folder, "replay game.rec");
    assert_eq!((&quick["same"], &quick["compared"]), (&true.into(), &1.into()));

    let mut recording = Recording::from_bytes(&fs::read(folder.join("game.rec")).unwrap()).unwrap();
    let order = recording.commands.iter_mut().find_map(|recorded| match &mut recorded.command {
        GameCommand::Order { order, .. } => Some(order),
        _ => None,
    });
    *order.unwrap() = Order::Stop;
    fs::write(folder.join("tampered.rec"), recording.to_bytes()).unwrap();
    let (other, fine) = json(&folder, "replay tampered.rec --verify");
    assert!(!fine && other["same"] == false, "{other}");
    assert_eq!((&other["diverged"]["tick"], &other["diverged"]["same_until"]), (&1.into(), &0.into()));
    assert!(
        ["groups", "orders", "routes", "units"].map(Value::from).contains(&other["diverged"]["part"]),
        "{other}"
    );

    let mut bytes = fs::read(folder.join("game.rec")).unwrap();
    bytes[500] ^= 1;
    fs::write(folder.join("corrupt.rec"), &bytes).unwrap();
    let (failure, fine) = json(&folder, "replay corrupt.rec --verify");
    assert!(!fine && failure["error"]["place"]["byte"] == 0, "{failure}");
    fs::write(folder.join("short.rec"), &bytes[..300]).unwrap();
    let (failure, fine) = json(&folder, "replay short.rec");
    assert!(!fine && failure["error"]["message"].as_str().unwrap().contains("too early"), "{failure}");
}

#[test]
fn two_thousand_threads_are_refused_with_the_limit() {
    let folder = folder("threads");
    for command in ["sim --ticks 1", "replay"] {
        let (document, fine) = json(&folder, &format!("{command} --threads 2000"));
        let message = document["error"]["message"].as_str().unwrap();
        assert!(
            !fine && message.contains("--threads: 2000 threads") && message.contains("1 to 256"),
            "{message}"
        );
    }
}

#[test]
fn bisect_finds_the_first_tick_and_subsystem_of_two_recordings_it_makes_itself() {
    let folder = folder("bisect-builtin");
    let (document, fine) = json(&folder, "replay --bisect");
    assert!(fine && document["same"] == false, "{document}");
    assert_eq!(document["first"]["tick"], 101);
    assert_eq!(document["first"]["same_until"], 100);
    assert_eq!(
        (&document["command"]["tick"], &document["own"]),
        (&100.into(), &serde_json::json!([null, null]))
    );
    assert_eq!(
        keys(&document),
        ["a", "b", "command", "first", "own", "recorded", "replays", "same", "ticks"]
    );
}

#[test]
fn bisect_tells_equal_games_from_other_commands_and_from_another_machine() {
    let folder = folder("bisect");
    json(&folder, "sim crossing --ticks 60 --record a.rec --hash-every 5");
    json(&folder, "sim crossing --ticks 60 --record b.rec --hash-every 7 --threads 2");
    let (document, fine) = json(&folder, "replay --bisect a.rec b.rec");
    assert!(fine && document["same"] == true && document["first"].is_null(), "{document}");
    let read = || Recording::from_bytes(&fs::read(folder.join("a.rec")).unwrap()).unwrap();
    let write = |recording: &Recording| fs::write(folder.join("b.rec"), recording.to_bytes()).unwrap();
    let bisect = || {
        let (document, fine) = json(&folder, "replay --bisect a.rec b.rec");
        assert!(!fine && document["same"] == false, "{document}");
        document
    };
    // Another machine: the same commands, but another state of one subsystem from tick 30 on.
    let mut other = read();
    let part = other.parts.iter().position(|part| part == "orders").unwrap();
    for mark in other.marks.iter_mut().filter(|mark| mark.tick.0 >= 30) {
        mark.parts[part] ^= 1;
        mark.total ^= 1;
    }
    write(&other);
    let document = bisect();
    assert_eq!(document["first"], serde_json::json!({"tick": 30, "part": "orders", "same_until": 25}),);
    assert!(document["replays"].is_null() && document["command"].is_null() && document["own"][0].is_null());
    assert_eq!(document["own"][1]["tick"], 30);
    // Another command: the first order is missing.
    let mut other = read();
    let place = other.commands.iter().position(|it| matches!(it.command, GameCommand::Order { .. })).unwrap();
    let told = other.commands.remove(place);
    write(&other);
    let document = bisect();
    assert_eq!(
        (&document["command"]["number"], &document["command"]["tick"]),
        (&place.into(), &told.tick.0.into())
    );
    assert_eq!(document["first"]["tick"], told.tick.0 + 1);
    // Another seed, a shorter game, one recording only.
    let mut other = read();
    other.setup.seed ^= 1;
    write(&other);
    assert_eq!(bisect()["first"]["part"], "setup");
    json(&folder, "sim crossing --ticks 40 --record b.rec --hash-every 5");
    assert_eq!(bisect()["first"], serde_json::json!({"tick": 41, "part": "end", "same_until": 40}));
    let (document, fine) = json(&folder, "replay --bisect a.rec");
    assert!(!fine && document["error"]["kind"] == "usage", "{document}");
}
