//! Runs `waymarch bench crowd`.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

const SCENE: &str = r#"{"name": "pair", "dt": 0.05, "max_ticks": 300, "goal_tol": 0.2, "lower_bound_s": 4.0,
    "agents": [[-4, 0, 0.4, 2.0, 4, 0, 0, 8.0], [4, 0, 0.4, 2.0, -4, 0, 0, 8.0]]}"#;

/// Runs the program in a folder with one scene. Gives its standard output, whether it succeeded, and the folder.
fn run(test: &str, args: &[&str]) -> (String, bool, PathBuf) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("crowd-{test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("pair.json"), SCENE).unwrap();
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("waymarch");
    let output = command.current_dir(&folder).args(["bench", "crowd"]).args(args).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.success(), folder)
}

#[test]
fn rows_have_all_metrics_and_trajectories_are_written() {
    let args = ["pair.json", "--seeds", "2", "--model", "orca", "--model", "none", "--trj", "out", "--json"];
    let (text, good, folder) = run("rows", &args);
    assert!(good);
    let document: Value = serde_json::from_str(&text).unwrap();
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    let keys = [
        "scenario",
        "model",
        "seed",
        "arrived_pct",
        "mk_lb",
        "mean_t_lb",
        "extra_pct",
        "maxpen_pct",
        "ovl_pct",
        "jitter_deg",
        "flips_s",
        "stuck_pct",
        "width",
        "settle_ticks",
        "resid_pct",
        "us_per_agent",
        "in_wall",
        "cohesion",
        "form_error",
        "arrival_spread",
    ];
    for row in rows {
        assert!(keys.iter().all(|key| row.get(key).is_some()), "{row}");
        assert_eq!(row["arrived_pct"], 100.0, "{row}");
    }
    assert_eq!(rows[0]["maxpen_pct"], 0.0, "with avoidance the units do not touch");
    assert!(
        rows[2]["maxpen_pct"].as_f64() > Some(50.0),
        "without avoidance they walk through each other: {}",
        rows[2]
    );
    // A header of 16 bytes, the frames of two units, and a time per tick.
    let bytes = fs::read(folder.join("out/pair-orca-2.trj")).unwrap();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let frames = word(8) as usize;
    assert_eq!((word(0), word(4), word(12)), (0x314a_5254, 2, 0));
    assert_eq!(bytes.len(), 16 + frames * 2 * 8 + (frames - 1) * 8);
    // The first unit starts near x = -4. These are the upper bytes of the float -4.0, and of the floats just above it.
    assert!([0xc080, 0xc07f].contains(&(word(16) >> 16)), "{:x}", word(16));
}

#[test]
fn an_unknown_model_gets_a_suggestion() {
    let (text, good, _) = run("model", &["pair.json", "--model", "orka", "--json"]);
    assert!(!good);
    let document: Value = serde_json::from_str(&text).unwrap();
    assert!(document["error"]["help"].as_str().unwrap().contains("did you mean `orca`?"), "{document}");
}

#[test]
fn threads_change_nothing_but_the_time() {
    let rows = |threads: &str| {
        let (text, good, _) =
            run(&format!("threads-{threads}"), &["pair.json", "--threads", threads, "--json"]);
        assert!(good);
        serde_json::from_str::<Value>(&text).unwrap()["rows"][0].clone()
    };
    let (one, two) = (rows("1"), rows("2"));
    assert_eq!([&one["threads"], &two["threads"]], [1, 2]);
    assert_eq!(one["hash"], two["hash"]);
}

#[test]
fn a_block_that_made_room_is_reported_as_formed_again() {
    // Four units stand off the middle of their cells, and one unit walks through between them.
    let scene = r#"{"name": "block", "dt": 0.05, "max_ticks": 600, "goal_tol": 0.2, "lower_bound_s": 5.0,
        "agents": [[-5, 0, 0.4, 2.0, 5, 0, 0, 10.0], [0, 0.3, 0.4, 2.0, 0, 0.3, 1, 0.0], [0, -0.7, 0.4, 2.0, 0, -0.7, 1, 0.0],
                   [1, 0.3, 0.4, 2.0, 1, 0.3, 1, 0.0], [1, -0.7, 0.4, 2.0, 1, -0.7, 1, 0.0]]}"#;
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("crowd-block.json");
    fs::write(&folder, scene).unwrap();
    let (text, good, _) = run("block", &[folder.to_str().unwrap(), "--json"]);
    assert!(good);
    let row = &serde_json::from_str::<Value>(&text).unwrap()["rows"][0];
    assert_eq!(row["arrived_pct"], 100.0, "{row}");
    assert!(row["carried"].as_f64() > Some(0.3), "the block made room: {row}");
    assert!(row["formed_s"].as_f64().is_some_and(|seconds| seconds <= 10.0), "{row}");
}

#[test]
fn held_out_scenes_are_run_by_name() {
    let (text, good, _) = run("own", &["--own", "--scene", "corridor2_", "--json"]);
    assert!(good, "{text}");
    let document: Value = serde_json::from_str(&text).unwrap();
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{document}");
    assert_eq!((&rows[0]["scenario"], &rows[0]["units"]), (&"twoway_corridor2_40".into(), &40.into()));
    assert_eq!(rows[0]["in_wall"], 0, "{document}");
    // No unit is faster than its shortest route allows, except for the tolerance at the goal and half cells at corners.
    assert!(rows[0]["mean_t_lb"].as_f64() > Some(0.97), "{document}");
    // Without --own, small scenes are selected by name.
    let (text, good, _) = run("small", &["--scene", "headon", "--json"]);
    let document: Value = serde_json::from_str(&text).unwrap();
    assert!(good && document["rows"][0]["scenario"] == "headon_2", "{document}");
}

#[test]
fn an_unknown_scene_gets_a_suggestion() {
    let (text, good, _) = run("unknown", &["--own", "--scene", "spirall_40", "--json"]);
    assert!(!good);
    let document: Value = serde_json::from_str(&text).unwrap();
    assert!(document["error"]["help"].as_str().unwrap().contains("did you mean `spiral_40`?"), "{document}");
}
