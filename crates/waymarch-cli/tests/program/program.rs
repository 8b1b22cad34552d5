//! Every command: without arguments, with `--json`, and its failures.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;

/// An empty folder for one test.
fn folder(test: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("program-{test}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// The program, to be run in `folder` without `WAYMARCH_DATA`.
fn waymarch(folder: &PathBuf, args: &str) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("waymarch");
    command.current_dir(folder).env_remove("WAYMARCH_DATA").args(args.split_whitespace());
    command
}

/// The standard output of a command that succeeds.
fn says(folder: &PathBuf, args: &str) -> String {
    let output = waymarch(folder, args).assert().success().get_output().clone();
    assert!(output.stderr.is_empty(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The JSON document of a command that succeeds. The output must be exactly one document.
fn json(folder: &PathBuf, args: &str) -> Value {
    serde_json::from_str(&says(folder, &format!("{args} --json"))).unwrap()
}

/// The standard error of a command that fails. With `--json` the failure must be a JSON document.
fn fails(folder: &PathBuf, args: &str) -> String {
    let with_json = waymarch(folder, &format!("{args} --json")).assert().failure().get_output().clone();
    let document: Value = serde_json::from_slice(&with_json.stdout).unwrap();
    assert!(document["error"]["message"].is_string(), "{args}: {document}");
    assert!(with_json.stderr.is_empty(), "{args}");
    let output = waymarch(folder, args).assert().failure().get_output().clone();
    assert!(output.stdout.is_empty(), "{args}");
    String::from_utf8(output.stderr).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn png_size(path: PathBuf) -> (u32, u32) {
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    (frame.width, frame.height)
}

#[test]
fn help_and_version_succeed() {
    let folder = folder("help");
    assert!(says(&folder, "--help").contains("Examples:"));
    assert!(says(&folder, "--version").starts_with("waymarch "));
    for command in [
        "path",
        "render",
        "formations",
        "maps",
        "config",
        "sim",
        "replay",
        "bench scen",
        "bench weighted",
        "bench flow",
        "bench service",
    ] {
        assert!(says(&folder, &format!("{command} --help")).contains("--json"), "{command}");
    }
}

#[test]
fn path_without_arguments_finds_a_route_and_says_how_to_draw_it() {
    let folder = folder("path");
    let text = says(&folder, "path");
    for word in ["valley", "player start 1", "cost", "expanded", "µs", "--render"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let route = json(&folder, "path");
    assert_eq!(route["map"], "valley");
    assert_eq!(route["planner"], "astar");
    assert_eq!(route["promise"], "optimal");
    let waypoints = route["waypoints"].as_array().unwrap();
    assert_eq!(waypoints.first(), Some(&route["from"]));
    assert_eq!(waypoints.last(), Some(&route["to"]));
    for key in ["cost", "steps", "expanded", "time_us", "length_cells", "prep_ms", "memory_bytes"] {
        assert!(route[key].is_number(), "{key}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is drawn without --render");
}

#[test]
fn a_smoothed_route_is_shorter_and_drawn_over_the_cells() {
    let folder = folder("smooth");
    let text = says(&folder, "path --map rooms --smooth pull --render pull.png");
    for word in ["smoothed", "% shorter", "points"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(!says(&folder, "path --render none.png --map rooms").contains("smoothed"));
    assert_ne!(fs::read(folder.join("pull.png")).unwrap(), fs::read(folder.join("none.png")).unwrap());
    let smooth = |how: &str| json(&folder, &format!("path --map rooms --smooth {how}"))["smooth"].clone();
    let (none, pull, spline) = (smooth("none"), smooth("pull"), smooth("spline"));
    assert!(none.is_null(), "{none}");
    let length = |of: &serde_json::Value| of["length_cells"].as_f64().unwrap();
    let plain = pull["plain_length_cells"].as_f64().unwrap();
    assert_eq!(pull["plain_length_cells"], spline["plain_length_cells"]);
    assert!(length(&pull) <= length(&spline) && length(&spline) < plain, "{pull} {spline}");
    assert!(pull["saved_length_pct"].as_f64().unwrap() > 1.0, "{pull}");
    let points = |of: &serde_json::Value| of["points"].as_array().unwrap().len();
    assert!(points(&pull) < points(&spline));
    for of in [&pull, &spline] {
        for key in ["cost", "plain_cost", "saved_cost_pct", "time_us"] {
            assert!(of[key].is_number(), "{key}: {of}");
        }
    }
}

#[test]
fn every_locomotor_and_generated_map_has_a_default_start_and_goal() {
    let folder = folder("ends");
    for name in ["foot", "wheel", "track", "float", "hover", "climber", "fly"] {
        let route = json(&folder, &format!("path --locomotor {name} --size 2"));
        assert_eq!(route["locomotor"], name);
    }
    let route = json(&folder, "path --map generate:4:40x30 --from 2,2 --locomotor fly --size 5");
    assert_eq!(route["from"], serde_json::json!([2, 2]));
    assert_eq!((&route["width"], &route["height"]), (&40.into(), &30.into()));
}

#[test]
fn routes_pay_for_threat_with_heed_threat() {
    let folder = folder("threat");
    let args = "path --map open --threat 48,48,40,200";
    let careless = json(&folder, args)["cost"].as_u64().unwrap();
    let careful = json(&folder, &format!("{args} --heed-threat"))["cost"].as_u64().unwrap();
    assert!(careful > careless);
    assert!(says(&folder, args).contains("add --heed-threat"));
}

#[test]
fn formations_are_drawn_with_a_slot_for_every_unit() {
    let folder = folder("formations");
    let drawn = json(&folder, "formations --map open --units 30 --mixed --pixels 96");
    let rows = drawn["rows"].as_array().expect("a list");
    assert_eq!(rows.len(), 9, "all formations");
    for row in rows {
        assert_eq!((&row["units"], &row["slots"]), (&30.into(), &30.into()), "{row}");
        png_size(folder.join(row["out"].as_str().expect("a path")));
    }
    assert!(says(&folder, "formations --formation wedge --pixels 96 --out w.png").contains("w.png"));
    assert!(fails(&folder, "formations --formation herd").contains("herd"));
}

#[test]
fn pictures_are_png_files() {
    let folder = folder("render");
    assert!(says(&folder, "render --pixels 200").contains("waymarch.png"));
    let (width, height) = png_size(folder.join("waymarch.png"));
    assert!(width == height && width >= 100, "{width}×{height}");
    for layer in [
        "cost",
        "clearance",
        "threat",
        "passability",
        "grid",
        "sectors",
        "portals",
        "domains",
        "lazy",
        "flow",
        "integration",
        "los",
        "terrain,cost,grid",
    ] {
        let drawn =
            json(&folder, &format!("render --map open --layer {layer} --pixels 96 --out l.png --route"));
        let (width, height) = png_size(folder.join("l.png"));
        assert_eq!((&drawn["width_px"], &drawn["height_px"]), (&width.into(), &height.into()), "{layer}");
        assert!(drawn["route_cost"].is_number());
    }
    let lazy =
        json(&folder, "render --map open --layer lazy --from 3,4 --to 20,20 --pixels 96 --out lazy.png");
    assert!(lazy["route_cost"].is_null(), "the ends belong to the lazy field");
    let drawn = json(&folder, "render --map open --layer flow --pixels 96 --to 9,9 --out l.png");
    assert!(drawn["route_cost"].is_null(), "a goal alone belongs to the flow layer");
    assert!(fails(&folder, "render --layer flow --to 5000,9").contains("5000"));
    says(&folder, "render --map generate:1:30x20 --scale 4 --out scaled.png");
    assert_eq!(png_size(folder.join("scaled.png")), (120, 80));
    says(&folder, "path --map open --pixels 96 --render way.png --threat 40,40,9,99");
    png_size(folder.join("way.png"));
}

#[test]
fn maps_are_listed_described_generated_and_converted() {
    let folder = folder("maps");
    assert!(says(&folder, "maps").contains("valley"));
    assert_eq!(json(&folder, "maps list")["maps"][0]["name"], "valley");
    assert!(says(&folder, "maps info").contains("foot"));
    let info = json(&folder, "maps info rooms");
    let cells: u64 =
        info["terrains"].as_array().unwrap().iter().map(|row| row["cells"].as_u64().unwrap()).sum();
    assert_eq!(Some(cells), info["cells"].as_u64());
    assert_eq!(info["locomotors"][0]["components"], 1);
    json(&folder, "maps convert");
    assert_eq!(json(&folder, "maps info valley.yaml")["terrains"], json(&folder, "maps info")["terrains"]);
    says(&folder, "maps generate");
    let made = json(&folder, "maps generate --seed 9 --size 50x40 --landform inland nine.yaml");
    assert_eq!(made["out"], "nine.yaml");
    assert_eq!(json(&folder, "maps info nine.yaml")["width"], 50);
    assert!(fails(&folder, "maps convert nine.yaml nine.doc").contains(".yaml"));
}

#[test]
fn settings_are_printed_and_checked() {
    let folder = folder("config");
    let text = says(&folder, "config");
    assert_eq!(text, says(&folder, "config default"));
    assert_eq!(json(&folder, "config")["config"]["sector_size"], 32);
    assert!(says(&folder, "config check").contains("valid"));
    fs::write(folder.join("mine.yaml"), text.replace("sector_size: 32", "sector_size: 16")).unwrap();
    let checked = json(&folder, "config check mine.yaml");
    assert_eq!(checked["changed"][0]["key"], "sector_size");
    assert_eq!(checked["valid"], true);
    json(&folder, "path --map open --config mine.yaml");
    fs::write(folder.join("bad.yaml"), "ic_pathfinder:\n  sector_sise: 16\n").unwrap();
    for args in ["config check bad.yaml", "path --config bad.yaml"] {
        let message = fails(&folder, args);
        assert!(message.contains("bad.yaml:2:3") && message.contains("`sector_size`"), "{message}");
    }
}

#[test]
fn hierarchical_routes_use_the_short_path_threshold() {
    let folder = folder("short");
    let settings = says(&folder, "config default");
    assert!(settings.contains("short_path_threshold: 64 "), "{settings}");
    let expanded = ["0", "8192"].map(|short| {
        let own = settings.replace("short_path_threshold: 64 ", &format!("short_path_threshold: {short} "));
        fs::write(folder.join("own.yaml"), own).expect("it can be written");
        json(&folder, "path --map open --planner hpa --config own.yaml")["expanded"].as_u64()
    });
    assert_ne!(expanded[0], expanded[1], "a search over doors, then an exact search");
}

#[test]
fn unknown_names_get_a_suggestion_and_the_list() {
    let folder = folder("names");
    for (args, near, other) in [
        ("path --planner astr", "`astar`", "known"),
        ("path --map valey", "`valley`", "islands"),
        ("path --locomotor wheels", "`wheel`", "hover"),
        ("render --locomotor foots", "`foot`", "fly"),
        ("bench scen --planner astra", "`astar`", "known"),
    ] {
        let message = fails(&folder, args);
        assert!(message.contains(near) && message.contains(other), "{args}: {message}");
    }
}

#[test]
fn invalid_queries_say_what_is_wrong() {
    let folder = folder("questions");
    for (args, words) in [
        ("path --from 500,3", "(500, 3) is not on a map of 128×128"),
        ("path --from -1,3 --to 3,3", "(-1, 3) is not on a map"),
        ("path --from five", "X,Y"),
        ("path --size 40", "1..=16"),
        ("path --map missing.map", "missing.map"),
        ("path --map generate:7", "generate:SEED:WxH"),
        ("path --map generate:7:0x9", "generate:SEED:WxH"),
        ("path --map maze --from 0,0 --to 2,2", "closed"),
        ("path --map maze --from 2,2 --to 0,0", "closed"),
        ("path --threat 500,500,3,3", "--threat"),
        ("path --map open --render no/such/folder.png", "no/such/folder.png"),
        ("bench scen missing.scen", "missing.scen"),
        ("bench scen .", "no .scen file"),
        ("no-such-command", "no-such-command"),
    ] {
        let message = fails(&folder, args);
        assert!(message.contains(words), "{args}: {message}");
    }
}

#[test]
fn a_malformed_map_is_shown_with_its_line_and_column() {
    let folder = folder("malformed");
    fs::write(folder.join("bad.map"), "type octile\nheight 2\nwidth 3\nmap\n...\n.x.\n").unwrap();
    for args in ["path --map bad.map", "maps info bad.map", "render --map bad.map"] {
        let message = fails(&folder, args);
        assert!(message.contains("bad.map:6:2") && message.contains(".x."), "{message}");
    }
    let output = waymarch(&folder, "maps info bad.map --json").assert().code(1).get_output().clone();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let place = &document["error"]["place"];
    assert_eq!((&place["line"], &place["column"], &place["file"]), (&6.into(), &2.into(), &"bad.map".into()));
}

/// Events of one kind in a trace.
fn events<'a>(trace: &'a Value, kind: &str) -> Vec<&'a Value> {
    trace["events"].as_array().unwrap().iter().filter(|event| event["type"] == kind).collect()
}

#[test]
fn a_trace_has_the_events_that_the_report_counts() {
    let folder = folder("trace");
    let searches = [
        ("maze", "astar"),
        ("maze", "jps"),
        ("maze", "jps+"),
        ("maze", "jps-graph-flat"),
        ("valley", "astar"),
        ("valley", "jpsw"),
        ("valley", "jpsw-zones"),
        ("valley", "jpsw-rims"),
        ("islands", "jpsw-octile"),
        ("pass", "jpsw-1050"),
    ];
    for (map, planner) in searches {
        let args = format!("path --map {map} --planner {planner} --trace way.json");
        let report = json(&folder, &args);
        let trace: Value =
            serde_json::from_str(&fs::read_to_string(folder.join("way.json")).unwrap()).unwrap();
        assert_eq!(trace["version"], "1.4.0");
        assert_eq!(events(&trace, "expanding").len() as u64, report["expanded"].as_u64().unwrap(), "{args}");
        let solution: Vec<Value> = events(&trace, "solution")
            .iter()
            .map(|event| serde_json::json!([event["x"], event["y"]]))
            .collect();
        assert_eq!(Value::from(solution), report["waypoints"], "{args}");
        let end = events(&trace, "end")[0];
        assert_eq!((&end["g"], &end["left_out"]), (&report["cost"], &report["events_left_out"]));
        assert_eq!(report["trace"], "way.json");
    }
    // If the hierarchy finds the route, the trace is of the graph below it: other nodes, the same cost.
    let report = json(&folder, "path --map maze --planner jps-graph --trace way.json");
    let trace: Value = serde_json::from_str(&fs::read_to_string(folder.join("way.json")).unwrap()).unwrap();
    assert_eq!(events(&trace, "end")[0]["g"], report["cost"]);
    assert!(!events(&trace, "expanding").is_empty());
    // The trace of the hybrid is of the search that it chooses for the query.
    for map in ["maze", "valley", "open"] {
        let report = json(&folder, &format!("path --map {map} --planner hybrid --trace way.json"));
        let trace: Value =
            serde_json::from_str(&fs::read_to_string(folder.join("way.json")).unwrap()).unwrap();
        assert_eq!(events(&trace, "end")[0]["g"], report["cost"], "{map}");
        let exact = json(&folder, &format!("path --map {map}"));
        let ratio = report["cost"].as_u64().unwrap() * 100 / exact["cost"].as_u64().unwrap();
        assert!((100..=110).contains(&ratio), "{map}: {ratio} %");
    }
    let text = says(&folder, "path --map maze --trace way.yaml");
    assert!(text.contains("Traced to way.yaml") && text.contains("posthoc"), "{text}");
    assert!(fs::read_to_string(folder.join("way.yaml")).unwrap().starts_with("version: 1.4.0\n"));
    let text = says(&folder, "path --map maze --trace way.yaml --trace-limit 10");
    assert!(text.contains("Only the first 10 of ") && text.contains("raise --trace-limit"), "{text}");
}

#[test]
fn a_search_without_a_route_is_traced_and_an_unwritable_trace_names_its_file() {
    let folder = folder("no-route");
    fs::write(folder.join("two.map"), "type octile\nheight 2\nwidth 5\nmap\n..@..\n..@..\n").unwrap();
    let message = fails(&folder, "path --map two.map --from 0,0 --to 4,1 --trace no-route.json");
    assert!(message.contains("no route") && message.contains("no-route.json"), "{message}");
    let trace: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("no-route.json")).unwrap()).unwrap();
    assert_eq!(events(&trace, "expanding").len(), 4, "all reachable cells");
    assert_eq!(events(&trace, "end")[0]["found"], false);
    for (file, words) in
        [("-", "standard output"), ("way.txt", ".yaml or .json"), ("no/such/way.yaml", "no/such")]
    {
        let message = fails(&folder, &format!("path --map open --trace {file}"));
        assert!(message.contains(file) && message.contains(words), "{message}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing else was written");
}

#[test]
fn pictures_show_the_search_with_show_and_with_trace() {
    let folder = folder("show");
    let draw = |name: &str, args: &str| {
        says(&folder, &format!("path --map maze --planner jps --pixels 300 --render {name} {args}"));
        fs::read(folder.join(name)).unwrap()
    };
    let plain = draw("plain.png", "");
    let search = draw("search.png", "--show search");
    assert!(plain != search);
    assert!(draw("traced.png", "--trace way.yaml") == search);
    assert!(draw("route.png", "--trace way.yaml --show route") == plain);
    assert!(fails(&folder, "path --show search").contains("--render"));
}

#[test]
fn throughput_on_threads_is_measured_in_extra_columns() {
    let folder = folder("threads");
    let args = "bench scen --limit 4 --repeat 1 --threads 3 --planner astar,jps";
    let document = json(&folder, args);
    let rows = document["rows"].as_array().unwrap();
    assert!(rows.len() > 6, "astar on every map and jps on some");
    for row in rows {
        for key in ROW_KEYS {
            assert!(row.get(key).is_some(), "{key}");
        }
        assert_eq!((&row["threads"], &row["different"]), (&3.into(), &0.into()));
        assert!(
            row["one_thread_per_s"].as_f64().unwrap() > 0.0 && row["threads_per_s"].as_f64().unwrap() > 0.0
        );
    }
    assert!(document["totals"][0]["thread_gain"].is_number());
    let text = says(&folder, args);
    for words in
        ["3 threads q/s", "not measured: jump point search needs", "as fast", "every answer compared"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(fails(&folder, "bench scen --threads 0").contains("1..=256"));
}

const ROW_KEYS: [&str; 15] = [
    "expanded",
    "illegal",
    "map",
    "mean_ratio",
    "mean_us",
    "median_us",
    "memory_bytes",
    "missed",
    "p99_ratio",
    "p99_us",
    "planner",
    "prep_ms",
    "queries",
    "worse",
    "worst_ratio",
];

#[test]
fn bench_without_arguments_measures_built_in_maps() {
    let folder = folder("bench");
    let text = says(&folder, "bench scen --limit 3 --repeat 1");
    assert!(text.contains("p99") && text.contains("all 6 maps"), "{text}");
    let document = json(&folder, "bench scen --limit 3 --repeat 1 --planner astar,astar");
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    for row in rows {
        assert_eq!(keys(row), ROW_KEYS);
        assert_eq!(
            (&row["queries"], &row["missed"], &row["worst_ratio"]),
            (&3.into(), &0.into(), &1.0.into())
        );
    }
    says(&folder, "bench");
}

#[test]
fn bench_weighted_checks_promises_and_reports_gains() {
    let folder = folder("weighted");
    let document = json(&folder, "bench weighted valley generate:3:40x30 --queries 12 --repeat 1 --seed 5");
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 10, "two maps, five planners");
    for row in rows {
        assert_eq!(keys(row), ROW_KEYS);
        let faults = [&row["missed"], &row["worse"], &row["illegal"]];
        assert!(faults.iter().all(|count| **count == 0), "{row}");
        let most = if row["planner"] == "jpsw-1050" { 1.05 } else { 1.0 };
        assert!(row["worst_ratio"].as_f64().unwrap() <= most, "{row}");
    }
    assert_eq!(document["compared_by"], "cost");
    assert_eq!(document["gains"].as_array().unwrap().len(), 8);
    let again = json(&folder, "bench weighted valley generate:3:40x30 --queries 12 --repeat 1 --seed 5");
    let expanded = |document: &serde_json::Value| document["rows"][1]["expanded"].clone();
    assert_eq!(expanded(&document), expanded(&again), "the seed decides the queries");
    assert!(fails(&folder, "bench weighted .").contains("no map in this folder"));
    let text = says(&folder, "bench weighted open --queries 2 --repeat 1 --planner astar,jpsw");
    assert!(text.contains("Ratios are to the least cost"), "{text}");
}

/// A map with land, a wall and water in the folder `deep`, with a scenario beside it.
fn with_scenario(test: &str, queries: &[&str]) -> PathBuf {
    let folder = folder(test);
    fs::create_dir(folder.join("deep")).unwrap();
    let map = "type octile\nheight 3\nwidth 6\nmap\n...W..\n.@.W..\n...W..\n";
    fs::write(folder.join("deep/pond.map"), map).unwrap();
    let lines: Vec<String> = queries.iter().map(|query| format!("0\tpond.map\t6\t3\t{query}\n")).collect();
    fs::write(folder.join("deep/pond.map.scen"), format!("version 1\n{}", lines.concat())).unwrap();
    folder
}

#[test]
fn scenarios_are_found_in_folders_and_queries_through_water_are_skipped() {
    let queries =
        ["0\t0\t2\t2\t4.00000000", "0\t0\t0\t0\t0", "0\t0\t5\t0\t5.0", "3\t0\t0\t0\t3.0", "0\t0\t3\t2\t5"];
    let folder = with_scenario("scen", &queries);
    let document = json(&folder, "bench scen . --check all");
    let row = &document["rows"][0];
    assert_eq!((&row["map"], &row["queries"], &row["mean_ratio"]), (&"pond".into(), &2.into(), &1.0.into()));
    assert_eq!(document["checked"], 2);
    let skipped = document["skipped"].as_array().unwrap();
    let reasons: Vec<&str> = skipped.iter().map(|entry| entry["reason"].as_str().unwrap()).collect();
    assert_eq!(reasons, ["goal closed to foot", "no way but through water", "start closed to foot"]);
}

#[test]
fn a_scenario_that_does_not_fit_its_map_is_reported_as_wrong() {
    let folder = with_scenario("worse", &["0\t0\t2\t2\t4.00000000", "0\t0\t2\t0\t1.90"]);
    let document = json(&folder, "bench scen deep/pond.map.scen --planner astar");
    assert_eq!(
        document["rows"][0]["worse"], 0,
        "the independent search agrees with the route, not with the file"
    );
    assert_eq!(document["file_disagrees"], 1);
    assert_eq!(
        (&document["problems"][0]["query"], &document["rows"][0]["worst_ratio"]),
        (&1.into(), &1.0.into())
    );
    let output = waymarch(&folder, "bench scen deep --planner astar").assert().success().get_output().clone();
    assert!(String::from_utf8_lossy(&output.stdout).contains("FILE-DISAGREES: astar on pond, query 1"));
}

#[test]
fn a_scenario_without_its_map_or_for_another_map_is_refused() {
    let folder = with_scenario("strays", &["0\t0\t2\t2\t4.0"]);
    fs::copy(folder.join("deep/pond.map.scen"), folder.join("lost.map.scen")).unwrap();
    assert!(fails(&folder, "bench scen lost.map.scen").contains("not in the same folder"));
    fs::write(folder.join("deep/pond.map"), "type octile\nheight 1\nwidth 1\nmap\n.\n").unwrap();
    assert!(fails(&folder, "bench scen deep").contains("is for a map of 6×3"));
    fs::write(folder.join("deep/pond.map.scen"), "version 1\n0\tpond.map\tsix\n").unwrap();
    assert!(fails(&folder, "bench scen deep").contains("pond.map.scen:2:1"));
}

#[test]
fn the_data_folder_is_used_when_it_is_set() {
    let folder = with_scenario("data", &["0\t0\t2\t2\t4.0"]);
    fs::rename(folder.join("deep"), folder.join("movingai")).unwrap();
    waymarch(&folder, "bench scen --json").env("WAYMARCH_DATA", &folder).assert().success();
    let wrong = waymarch(&folder, "bench scen").env("WAYMARCH_DATA", "/no/such/data").assert().failure();
    assert!(String::from_utf8_lossy(&wrong.get_output().stderr).contains("WAYMARCH_DATA"));
}

#[test]
fn rules_and_heights_can_be_replaced_for_any_map() {
    let folder = with_scenario("rules", &["0\t0\t2\t2\t4.0"]);
    let document = json(&folder, "maps info deep/pond.map --rules movingai-weighted");
    let foot = &document["locomotors"][0];
    assert_eq!((&foot["cheapest"], &foot["dearest"]), (&2.into(), &5.into()), "{foot}");
    let error = fails(&folder, "maps info valley --rules movingai");
    assert!(error.contains("the rules have no terrain"), "{error}");
    // Heights come from a grey picture of the map's size.
    let grey = [0_u8, 40, 80, 120, 160, 200].repeat(3);
    let file = fs::File::create(folder.join("heights.png")).unwrap();
    let mut encoder = png::Encoder::new(file, 6, 3);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&grey).unwrap();
    let flat = json(&folder, "path --map deep/pond.map --from 0,0 --to 2,0");
    // About 20 cells of height from column to column: too steep for units on foot.
    let steep = fails(
        &folder,
        "path --map deep/pond.map --from 0,0 --to 2,0 --heights heights.png --white-height 127",
    );
    assert!(flat["cost"].as_u64().is_some() && steep.contains("closed"), "{steep}");
    assert!(fails(&folder, "maps info valley --heights heights.png").contains("6×3"));
}

#[test]
fn goals_can_be_areas_with_several_starts() {
    let folder = folder("goals");
    let route = json(&folder, "path --map open --from 5,5 --from 90,90 --goal circle:70,70,6.5");
    assert_eq!((&route["outcome"], &route["goal"]), (&"reached".into(), &"circle:70,70,6.5".into()));
    assert_eq!(route["from"], serde_json::json!([90, 90]));
    assert_eq!(route["gap_cells"], 0.0);
    let to: Vec<i64> = route["to"].as_array().unwrap().iter().map(|x| x.as_i64().unwrap()).collect();
    assert!((to[0] - 70).pow(2) + (to[1] - 70).pow(2) <= 42, "{to:?}");
    for goal in
        ["ring:50,50,3,5", "rect:40,40,5,2", "any:9,9;80,80", "out-of:circle:6,6,9", "out-of:any:5,5;6,6"]
    {
        let route =
            json(&folder, &format!("path --map open --from 5,5 --goal {goal} --pixels 96 --render g.png"));
        assert_eq!((&route["outcome"], &route["goal"]), (&"reached".into(), &goal.into()));
        png_size(folder.join("g.png"));
    }
    // Without --from the route starts at a player start.
    assert!(json(&folder, "path --goal rect:60,60,20,20")["cost"].is_number());
    assert_eq!(json(&folder, "path")["outcome"], "reached");
}

#[test]
fn limits_and_turn_costs_change_routes() {
    let folder = folder("limits");
    let ends = "path --map open --from 5,5 --to 90,60";
    let whole = json(&folder, ends);
    let partial = json(&folder, &format!("{ends} --node-limit 20"));
    assert_eq!((&partial["outcome"], &partial["expanded"]), (&"partial".into(), &20.into()));
    assert!(partial["cost"].as_u64() < whole["cost"].as_u64());
    assert!(partial["gap_cells"].as_f64().unwrap() > 1.0);
    assert!(says(&folder, &format!("{ends} --node-limit 20")).contains("node limit"));
    let turning = json(&folder, &format!("{ends} --turn-cost 3000 --heading w"))["cost"].as_u64();
    assert!(turning >= whole["cost"].as_u64().map(|cost| cost + 3 * 3000), "{turning:?}");
}

#[test]
fn stamps_can_be_ignored_and_unreachable_goals_approached() {
    let folder = folder("stamps");
    let row = |text: &str, times: usize| format!("{text}\n").repeat(times);
    let map = format!(
        "waymarch_map: 1\nlegend: {{'.': Clear}}\nrows: |\n{}stamps:\n  - name: keep\n    at: [3, 0]\n    rows: |\n{}",
        row("  .........", 5),
        row("      xxx", 5)
    );
    fs::write(folder.join("keep.yaml"), map).unwrap();
    let ends = "path --map keep.yaml --from 0,2 --to 8,2";
    assert!(fails(&folder, ends).contains("no route"));
    for stamp in ["0", "keep"] {
        let route = json(&folder, &format!("{ends} --ignore-stamp {stamp}"));
        assert_eq!(route["cost"], 8 * 1024, "{stamp}");
    }
    let nearest = json(&folder, &format!("{ends} --nearest"));
    assert_eq!((&nearest["outcome"], &nearest["gap_cells"]), (&"nearest".into(), &6.0.into()));
    assert_eq!(nearest["to"], serde_json::json!([2, 2]));
    let closed = "path --map keep.yaml --from 0,2 --goal rect:3,1,2,2";
    assert!(fails(&folder, closed).contains("--nearest"), "the hint names the option --nearest");
    assert!(fails(&folder, &format!("{ends} --ignore-stamp keeep")).contains("keep"));
}

#[test]
fn wrong_goals_are_refused_with_option_and_position() {
    let folder = folder("wrong-goals");
    for (args, words) in [
        ("--goal circle:5,5", ["--goal", "at 7"]),
        ("--goal any:5,5;x,3", ["--goal", "at 8"]),
        ("--goal 5,5 --to 6,6", ["--goal", "--to"]),
        ("--goal ring:5,5,3,2", ["ring", "greater than its outer radius"]),
        ("--goal 500,5", ["not on a map", "shape 0"]),
        ("--goal out-of:rect:0,0,999,999", ["whole map", "shape 0"]),
        ("--node-limit 0", ["--node-limit", "0"]),
        ("--heading up --turn-cost 5", ["--heading", "nw"]),
        ("--planner jps --nearest", ["jps", "--planner astar"]),
        ("--ignore-stamp 99999", ["--ignore-stamp", "99999"]),
    ] {
        let error = fails(&folder, &format!("path --map open {args}"));
        assert!(words.iter().all(|word| error.contains(word)), "{args}: {error}");
    }
    assert!(fails(&folder, "render --map open --from 1,1 --from 2,2").contains("--from"));
}

#[test]
fn bench_edits_finds_updated_structures_equal_to_rebuilt_ones() {
    let folder = folder("edits");
    let found = json(&folder, "bench edits maze generate:2:70x50 --edits 60");
    let rows = found["rows"].as_array().unwrap();
    for structure in ["layers 1+2", "doors", "jps+", "jps-graph", "jpsw"] {
        assert!(rows.iter().filter(|row| row["structure"] == structure).count() >= 4, "{structure}");
    }
    for row in rows {
        assert_eq!(row["equal"], true, "{row}");
        for key in ["edits", "mean_us", "median_us", "p99_us", "rebuild_us"] {
            assert!(row[key].is_number(), "{key}: {row}");
        }
        assert!(row["map"].is_string() && row["kind"].is_string());
    }
    assert!(says(&folder, "bench edits maze --edits 5").contains("rebuild µs"));
}

#[test]
fn bench_flow_finds_repaired_fields_equal_to_new_ones() {
    let folder = folder("flow");
    let found = json(&folder, "bench flow maze generate:2:70x50 --goals 3 --edits 40");
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 16, "two maps, uniform and weighted: make, repair, tile, heading");
    for row in rows {
        assert_eq!(row["equal"], true, "{row}");
        for key in
            ["rounds", "mean_us", "median_us", "p99_us", "per_cell_ns", "allocations", "bytes_per_cell"]
        {
            assert!(row[key].is_number(), "{key}: {row}");
        }
        for key in ["map", "case", "ground", "size", "planner"] {
            assert!(row[key].is_string(), "{key}: {row}");
        }
    }
    assert!(rows.iter().filter(|row| row["case"] == "make").all(|row| row["allocations"] == 0));
    assert!(says(&folder, "bench flow maze --goals 1 --edits 5").contains("of making"));
}

#[test]
fn bench_merging_shares_more_doors_at_a_higher_bias_within_its_bound() {
    let folder = folder("merging");
    let found = json(&folder, "bench merging valley generate:2:96x96 --battles 12 --seed 3");
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 15, "five biases on each of two maps, and on both together");
    let number = |row: &serde_json::Value, key: &str| row[key].as_f64().unwrap();
    for biases in rows.chunks(5) {
        assert_eq!(
            (number(&biases[0], "mean_increase_pct"), number(&biases[0], "worst_increase_pct")),
            (0.0, 0.0)
        );
        assert!(number(&biases[4], "hit_rate_pct") > number(&biases[0], "hit_rate_pct"), "{biases:?}");
        for row in biases {
            let most = (100.0 / (100.0 - number(row, "bias_pct")) * 100.0 - 100.0).floor();
            let tiles = row["tiles"].as_array().unwrap();
            assert_eq!(tiles.len(), 4, "own goals and one goal, along routes and around them");
            for tiles in tiles {
                let (made, integrated) = (number(tiles, "made"), number(tiles, "integrated"));
                assert!(made > 0.0 && made <= integrated, "{tiles}");
            }
            // With one goal all groups share the tile of a sector. With several goals they need different tiles.
            assert!(number(&tiles[2], "hit_rate_pct") > number(&tiles[0], "hit_rate_pct"), "{row}");
            assert!(number(row, "worst_increase_pct") <= most + 0.001 && row["over_bound"] == 0, "{row}");
            assert!(number(row, "routes") >= 120.0, "{row}");
        }
    }
    assert_eq!(found, json(&folder, "bench merging valley generate:2:96x96 --battles 12 --seed 3"));
    assert!(says(&folder, "bench merging open --battles 2").contains("hit rate"));
}

#[test]
fn the_context_planner_finds_the_cost_of_other_exact_planners() {
    let folder = folder("contexts");
    let route = |planner: &str| json(&folder, &format!("path --map valley --planner {planner}"));
    let (astar, context) = (route("astar"), route("context"));
    assert_eq!(context["cost"], astar["cost"]);
    assert!(context["expanded"].as_u64().unwrap() > 0, "measured without earlier queries: {context}");
    let text = says(&folder, "path --map valley --planner context --trace seen.yaml");
    assert!(text.contains("Traced to"), "{text}");
}

#[test]
fn memory_is_reported_by_component_and_stays_within_the_budget() {
    let folder = folder("memory");
    // The budget for four locomotors on 128×128 cells is 1.4 MB.
    for map in ["valley", "pass"] {
        let memory = json(&folder, &format!("maps info {map} --memory --locomotors 4 --sizes 1"));
        assert_eq!((&memory["agents"], &memory["budget_bytes"]), (&4.into(), &1_433_600.into()));
        let bytes = |row: &serde_json::Value| row["bytes"].as_u64().unwrap();
        let rows = memory["rows"].as_array().unwrap();
        let named = |name: &str| rows.iter().find(|row| row["component"] == name).map(bytes);
        assert_eq!(named("terrain and heights"), Some(128 * 128 * 3));
        for name in
            ["cost fields of foot", "zones", "rooms", "domains", "doors", "jump planes", "search scratch"]
        {
            assert!(named(name).is_some_and(|bytes| bytes > 0), "{map} {name}");
        }
        let total = memory["total_bytes"].as_u64().unwrap();
        assert_eq!(total, rows.iter().map(bytes).sum::<u64>());
        assert!(total <= 1_400_000 && memory["within_budget"] == true, "{map}: {total}");
        assert!(memory["layers_bytes_per_cell_and_locomotor"].as_f64().unwrap() < 24.0);
    }
    let text = says(&folder, "maps info --memory");
    for word in ["7 locomotors at 3 sizes", "cost fields of hover", "per cell", "budget"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(fails(&folder, "maps info --sizes 2").contains("--memory"));
}

#[test]
fn bench_far_crosses_a_map_and_compares_with_exact_routes() {
    let folder = folder("far");
    let found = json(&folder, "bench far generate:2:300x200 --queries 8 --check 4");
    assert_eq!((&found["queries"], &found["missed"]), (&8.into(), &0.into()));
    for key in ["layer_1_ms", "sectors_ms", "doors_ms", "reachable_ns", "first_ms", "median_ms", "p99_ms"] {
        assert!(found[key].is_number(), "{key}: {found}");
    }
    assert!((1.0..1.25).contains(&found["worst_ratio"].as_f64().unwrap()), "{found}");
    assert!(says(&folder, "bench far valley --queries 2 --check 0").contains("searched again"));
    assert!(fails(&folder, "bench far valley --locomotor snail").contains("snail"));
}

#[test]
fn bench_service_reports_the_phases_of_the_armys_tick() {
    let folder = folder("army");
    let small = "--case army --map generate:1:96x96 --units 120 --ticks 80";
    let output = waymarch(&folder, &format!("bench service {small} --json")).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    // Units that give up count as failed, and then the exit code is 1.
    assert_eq!(output.status.success(), found["rows"][0]["failed"] == 0, "{found}");
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{found}");
    let row = &rows[0];
    assert_eq!(
        (&row["case"], &row["units"], &row["ticks"]),
        (&"army".into(), &120.into(), &80.into()),
        "{found}"
    );
    assert_eq!(row["lost"], 0, "every unit has a heading and every order ends with an event: {found}");
    let names: Vec<&str> =
        row["phases"].as_array().unwrap().iter().filter_map(|row| row["phase"].as_str()).collect();
    assert_eq!(names, ["review", "orders", "paths", "lead", "avoid", "stuck"]);
    let some = |key: &str, of: &serde_json::Value| of[key].as_f64() > Some(0.0);
    let avoid = &row["phases"][4];
    assert!(some("mean_ms", avoid) && some("whole_p50_ms", row), "{found}");
}
