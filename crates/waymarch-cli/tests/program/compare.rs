//! Runs `waymarch compare`.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use serde_json::Value;

/// Runs the program in an empty folder with the given files.
fn run(test: &str, files: &[(&str, &str)], args: &str) -> (Output, PathBuf) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("compare-{test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("waymarch");
    command.current_dir(&folder).env_remove("WAYMARCH_DATA").arg("compare");
    (command.args(args.split_whitespace()).output().unwrap(), folder)
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn planners_answer_the_same_queries_and_follow_the_same_edits() {
    let args =
        "rooms --random 20 --edits 6 --repeat 1 --planner astar,jpsw-octile,hpa --html out.html --json";
    let (output, folder) = run("same", &[], args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let document = document(&output);
    assert_eq!((&document["queries"], &document["without_route"]), (&20.into(), &0.into()));
    let planners = document["planners"].as_array().unwrap();
    let names: Vec<_> = planners.iter().map(|row| row["planner"].as_str().unwrap()).collect();
    assert_eq!(names, ["astar", "jpsw-octile", "hpa"]);
    for row in planners {
        assert_eq!(
            (&row["missed"], &row["worse"], &row["illegal"]),
            (&0.into(), &0.into(), &0.into()),
            "{row}"
        );
        assert_eq!((&row["edits"]["edits"], &row["edits"]["wrong"]), (&6.into(), &0.into()), "{row}");
        assert_eq!(row["edits"]["checked"], 20, "{row}");
    }
    assert_eq!(planners[0]["mean_ratio"], 1.0);
    assert_eq!(planners[1]["worst_ratio"], 1.0);
    assert!(planners[0]["expanded"].as_f64() > planners[1]["expanded"].as_f64(), "A* expands more nodes");
    let page = fs::read_to_string(folder.join("out.html")).unwrap();
    assert_eq!(page.matches("<tr class=good>").count(), 3);
    assert_eq!(page.matches("class=plot ").count(), 2);
    assert_eq!(page.matches("data:image/png").count(), 1, "the query with the dearest route");
    assert!(!page.contains("http://") && !page.contains("https://"), "the page needs no other file");
}

#[test]
fn planners_that_do_not_support_the_ground_are_named_with_the_reason() {
    let (output, _) = run("unsuited", &[], "--random 3 --edits 0 --repeat 1 --planner jps+,astar --json");
    assert!(output.status.success());
    let document = document(&output);
    assert_eq!(document["unsuited"][0]["planner"], "jps+");
    assert!(document["unsuited"][0]["reason"].as_str().unwrap().contains("one cost"));
    assert!(document["planners"][0]["edits"].is_null());
}

/// A wall without a gap: the second query has no route.
const WALLED: &str = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n..@..\n";
const QUERIES: &str =
    "version 1\n0\twalled.map\t5\t3\t0\t0\t1\t2\t2.41421356\n0\twalled.map\t5\t3\t0\t0\t4\t2\t0\n";

#[test]
fn queries_of_a_file_without_a_route_must_be_refused_by_every_planner() {
    let files = [("walled.map", WALLED), ("walled.map.scen", QUERIES)];
    let (output, _) = run("walled", &files, "walled.map --scen walled.map.scen --json");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let document = document(&output);
    assert_eq!((&document["queries"], &document["without_route"]), (&1.into(), &1.into()));
    assert!(document["planners"].as_array().unwrap().len() > 5);
}

#[test]
fn a_file_for_another_map_and_a_unit_without_ground_are_refused_by_name() {
    let files = [("walled.map.scen", QUERIES)];
    for (args, wanted) in [
        ("valley --scen walled.map.scen", "query 0 is for a map of 5×3"),
        ("valley --scen none.scen", "none.scen"),
        ("valley --planner jps9", "jps9"),
        ("open --locomotor boat", "boat"),
    ] {
        let (output, _) = run("refused", &files, args);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(wanted), "{args}: {error}");
    }
}
