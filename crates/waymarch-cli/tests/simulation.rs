//! `waymarch sim` and `waymarch replay` from outside.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;
use waymarch::world::{Command as Deed, Order, Recording};

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
fn sim_with_no_arguments_plays_a_scenario() {
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
        ["arrived_pct", "flips_s", "jitter_deg", "makespan_s", "maxpen_pct", "ovl_pct", "stuck_pct"]
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
fn a_scenario_file_is_played_and_its_mistakes_are_shown() {
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
fn a_simulation_says_how_units_and_groups_moved() {
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
    // Some 26 cells at a soldier's pace, and not for ever.
    let makespan = movement["makespan_s"].as_f64().unwrap();
    assert!((4.0..=18.0).contains(&makespan), "{movement}");
    assert!(
        movement["stuck_pct"].as_f64() < Some(20.0) && movement["ovl_pct"].as_f64() < Some(1.0),
        "{movement}"
    );
    assert_eq!(groups["arrived_groups"], 1, "{groups}");
    assert!(groups["form_error"].as_f64() < Some(0.5), "they stand in form: {groups}");
    let apart = groups["cohesion"].as_f64().unwrap();
    assert!((0.4..=3.0).contains(&apart), "four men keep together: {groups}");
    // Half way there, nobody has arrived, and there is no makespan.
    let (document, _) = json(&folder, "sim four.yaml --ticks 60");
    let (movement, groups) = (&document["metrics"]["movement"], &document["metrics"]["groups"]);
    assert_eq!((&movement["arrived_pct"], &movement["makespan_s"]), (&0.0.into(), &Value::Null));
    assert_eq!((&groups["arrived_groups"], &groups["arrival_spread"]), (&0.into(), &Value::Null));
}

#[test]
fn a_recording_is_the_same_game_unless_it_was_tampered_with() {
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
        Deed::Order { order, .. } => Some(order),
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
    fs::write(folder.join("spoilt.rec"), &bytes).unwrap();
    let (failure, fine) = json(&folder, "replay spoilt.rec --verify");
    assert!(!fine && failure["error"]["place"]["byte"] == 0, "{failure}");
    fs::write(folder.join("short.rec"), &bytes[..300]).unwrap();
    let (failure, fine) = json(&folder, "replay short.rec");
    assert!(!fine && failure["error"]["message"].as_str().unwrap().contains("too early"), "{failure}");
}
