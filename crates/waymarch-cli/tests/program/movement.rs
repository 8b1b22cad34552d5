//! Runs `waymarch bench movement`.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use serde_json::Value;

/// Runs the program in an empty folder, without `WAYMARCH_DATA`.
fn run(test: &str, args: &str) -> (Output, PathBuf) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("movement-{test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("waymarch");
    command.current_dir(&folder).env_remove("WAYMARCH_DATA").args(["bench", "movement"]);
    (command.args(args.split_whitespace()).output().unwrap(), folder)
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn rows_have_all_keys_and_a_page_is_written() {
    let args = "--set gaps --scene gap2x1_group --seeds 2 --seed-base 40 --html out.html --json";
    let (output, folder) = run("rows", args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let document = document(&output);
    let rows = document["rows"].as_array().unwrap();
    let names: Vec<_> =
        rows.iter().map(|row| (row["scene"].as_str().unwrap(), row["seed"].as_u64())).collect();
    let (one_way, both) = ("gap2x1_group_one_way", "gap2x1_group");
    assert_eq!(names, [(one_way, Some(40)), (both, Some(40)), (one_way, Some(41)), (both, Some(41))]);
    let keys = [
        "set",
        "scene",
        "seed",
        "units",
        "arrived",
        "gave_up",
        "unended",
        "no_route",
        "ticks",
        "arrival_t50",
        "arrival_t100",
        "overlap_pct",
        "maxpen_pct",
        "wait_pct",
        "longest_wait_s",
        "idle_turn_pct",
        "after_arrival_cells",
        "us_per_unit_tick",
        "flow_per_s",
        "flow_ratio",
        "longest_side_wait_s",
        "hash",
    ];
    for row in rows {
        assert!(keys.iter().all(|key| row.get(key).is_some()), "{row}");
        assert_eq!(row["units"], row["arrived"], "{row}");
    }
    assert_eq!(document["totals"][0]["units"], 240);
    let page = fs::read_to_string(folder.join("out.html")).unwrap();
    assert_eq!(page.matches("<section>").count(), 4);
    assert_eq!(page.matches("<figure>").count(), 24, "six pictures per scene");
    assert_eq!(page.matches("class=curve").count(), 4);
    assert_eq!(page.matches("data:image/png").count(), 1, "all scenes have the same ground");
    assert!(!page.contains("http://") && !page.contains("https://"), "the page needs no other file");
}

#[test]
fn a_scene_plays_the_same_game_every_time() {
    let hashes = |test: &str| -> Vec<Value> {
        let output = run(test, "--set corridors --scene mixed4 --json").0;
        document(&output)["rows"].as_array().unwrap().iter().map(|row| row["hash"].clone()).collect()
    };
    let first = hashes("first");
    assert_eq!(first.len(), 2);
    assert_eq!(first, hashes("again"));
}

#[test]
fn idle_units_hardly_turn_in_any_scenario() {
    let output = run("idle", "--set builtin --json").0;
    let document = document(&output);
    let rows = document["rows"].as_array().unwrap();
    assert!(rows.len() > 10);
    for row in rows {
        assert!(row["idle_turn_pct"].as_f64() <= Some(0.5), "{row}");
        // In three scenarios, units without a reason to make way still move by more than a cell: docs/experiments.md, "Arrival".
        let wanders = ["valley-march", "circle-swap", "order-storm"].iter().any(|name| row["scene"] == *name);
        assert!(wanders || row["undisturbed_cells"].as_f64() <= Some(1.0), "{row}");
        assert_eq!((&row["gave_up"], &row["unended"]), (&0.into(), &0.into()), "{row}");
    }
}

#[test]
fn maps_are_skipped_with_a_note_if_there_is_no_data() {
    let (output, _) = run("maps", "--set maps");
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("WAYMARCH_DATA is not set"));
}

#[test]
fn wrong_arguments_are_named() {
    for (args, word) in [
        ("--set mase", "mase"),
        ("--scene gap7", "there is no scene called `gap7`"),
        ("--set gaps --scene braided", "--scene"),
        ("--seeds 0", "--seeds"),
        ("--seed-base -1", "-1"),
        ("--set yard --html nowhere/out.html", "nowhere/out.html"),
    ] {
        let (output, _) = run("wrong", &format!("{args} --json"));
        assert!(!output.status.success(), "{args} succeeds");
        let message = document(&output)["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(word), "{args}: {message}");
    }
}
