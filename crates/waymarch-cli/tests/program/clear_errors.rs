//! Arguments that were ignored in silence, and messages that named the wrong thing.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn folder(test: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("errors-{test}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// The message of a command that fails.
fn message(folder: &Path, args: &str) -> String {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("waymarch");
    command.current_dir(folder).env_remove("WAYMARCH_DATA").args(args.split_whitespace()).arg("--json");
    let output = command.output().unwrap();
    assert!(!output.status.success(), "{args} succeeds");
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    document["error"]["message"].as_str().unwrap().to_owned()
}

#[test]
fn a_legend_or_a_mod_that_the_map_has_no_use_for_is_refused() {
    let folder = folder("unused");
    fs::write(folder.join("a.map"), "type octile\nheight 1\nwidth 2\nmap\n..\n").unwrap();
    for args in [
        "path --map valley --legend nonesuch.yaml",
        "path --map generate:1:32x32 --mod nonesuch",
        "maps info a.map --legend nonesuch.yaml",
        "maps convert a.map b.yaml --mod nonesuch",
        "render --mod nonesuch",
    ] {
        let message = message(&folder, args);
        assert!(message.contains("have a use for it"), "{args}: {message}");
    }
    assert!(message(&folder, "play --legend nonesuch.yaml --no-open").contains("--map"));
    assert!(message(&folder, "path --white-height 3").contains("--heights"));
    assert!(!folder.join("b.yaml").exists());
}

#[test]
fn the_mod_of_a_playground_is_read_before_it_starts() {
    let folder = folder("play-mod");
    let said = message(&folder, "play --mod nonesuch --no-open");
    assert!(said.starts_with("nonesuch/tilesets: "), "{said}");
}

#[test]
fn a_converted_picture_is_read_without_its_legend_file() {
    let folder = folder("legend-inside");
    let run = |args: &str| {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("waymarch");
        let output = command.current_dir(&folder).args(args.split_whitespace()).output().unwrap();
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    run("maps convert valley a.png");
    let with = run("maps info a.png --json");
    fs::remove_file(folder.join("a.legend.yaml")).unwrap();
    assert_eq!(run("maps info a.png --json"), with);
}

#[test]
fn an_unknown_case_of_a_benchmark_is_refused_with_the_known_ones() {
    let folder = folder("case");
    let message = message(&folder, "bench service --case nonesuch");
    assert_eq!(message, "--case: there is no case called `nonesuch`");
}

#[test]
fn a_corrupt_openra_map_is_blamed_and_not_its_missing_mod() {
    let folder = folder("oramap");
    fs::write(folder.join("bad.oramap"), "this is no ZIP").unwrap();
    let said = message(&folder, "maps info bad.oramap");
    assert!(said.starts_with("bad.oramap") && said.contains("ZIP"), "{said}");
    fs::create_dir(folder.join("folder")).unwrap();
    fs::write(folder.join("folder/map.yaml"), "MapFormat: 12\n").unwrap();
    let said = message(&folder, "maps info folder");
    assert!(said.contains("map.bin"), "{said}");
}

#[test]
fn numbers_out_of_range_are_called_so_with_a_range_that_holds() {
    let folder = folder("numbers");
    let said = message(&folder, "path --ignore-stamp 77777");
    assert!(said.contains("no stamp number 77777") && said.contains("0 to "), "{said}");
    let said = message(&folder, "maps info --memory --locomotors 0");
    assert!(said.contains("--locomotors") && said.contains("at least 1"), "{said}");
    let said = message(&folder, "path --map generate:99999999999999999999:32x32");
    assert!(said.contains("too large") && !said.contains("not a whole number"), "{said}");
    fs::write(folder.join("g.yaml"), "waymarch_scenario: 1\nmap: generate:99999999999999999999:32x32\n")
        .unwrap();
    let said = message(&folder, "sim g.yaml");
    assert!(
        said.contains("g.yaml:2") && said.contains("too large") && !said.contains("whole number"),
        "{said}"
    );
    let map = "waymarch_map: 1\nname: a\nsize: [0, 3]\nlegend: {'.': Clear}\nrows: |\n  ...\n";
    fs::write(folder.join("a.yaml"), map).unwrap();
    let said = message(&folder, "maps info a.yaml");
    assert!(said.contains("1..=8192"), "{said}");
    fs::write(folder.join("s.yaml"), "waymarch_scenario: 1\nmap: valley\nseed: 99999999999999999999\n")
        .unwrap();
    let said = message(&folder, "sim s.yaml");
    assert!(said.contains("out of range") && !said.contains("must be a whole number"), "{said}");
}

#[test]
fn a_recording_of_another_version_is_refused_with_both_versions() {
    let folder = folder("version");
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("waymarch");
    command.current_dir(&folder).args(["sim", "crossing", "--ticks", "2", "--record", "a.rec"]);
    assert!(command.output().unwrap().status.success());
    let mut bytes = fs::read(folder.join("a.rec")).unwrap();
    let version = bytes[4];
    bytes[4] = 99;
    fs::write(folder.join("a.rec"), bytes).unwrap();
    let said = message(&folder, "replay a.rec");
    assert!(said.contains(&format!("version 99, this program reads version {version}")), "{said}");
}

#[test]
fn the_army_finds_goals_on_a_map_that_is_almost_all_closed() {
    let folder = folder("army");
    // 512×512 cells, of which 40 in one row are open.
    let open = format!("{}{}{}\n", "@".repeat(200), ".".repeat(40), "@".repeat(272));
    let row = |y: usize| if y == 300 { open.clone() } else { "@".repeat(512) + "\n" };
    let rows: String = (0..512).map(row).collect();
    fs::write(folder.join("a.map"), format!("type octile\nheight 512\nwidth 512\nmap\n{rows}")).unwrap();
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("waymarch");
    command.current_dir(&folder).args(["bench", "service", "--case", "army", "--map", "a.map"]);
    let output = command.args(["--units", "4", "--ticks", "60", "--json"]).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["rows"][0]["units"], 4, "{document}");
}
