//! `waymarch render --gif` from outside.

use std::fs::{self, File};
use std::path::PathBuf;

#[test]
fn a_scenario_becomes_an_animation_in_which_something_moves() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("film");
    fs::create_dir_all(&folder).unwrap();
    let mut program = assert_cmd::cargo::cargo_bin_cmd!("waymarch");
    let args = "render --gif door.gif --scenario door --ticks 20 --pixels 200 --json";
    let output = program.current_dir(&folder).args(args.split_whitespace()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(File::open(folder.join("door.gif")).unwrap()).unwrap();
    let size = [u64::from(decoder.width()), u64::from(decoder.height())];
    assert_eq!(
        size.map(serde_json::Value::from),
        [document["width_px"].clone(), document["height_px"].clone()]
    );
    let mut opaque = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        opaque.push(frame.buffer.chunks(4).filter(|pixel| pixel[3] > 0).count() as u64);
    }
    // The first frame is all of the map, the others what has moved: something, and not much.
    assert_eq!((opaque.len() as u64, opaque[0]), (document["frames"].as_u64().unwrap(), size[0] * size[1]));
    assert_eq!(opaque.len(), 10);
    assert!(
        opaque[5..].iter().any(|count| *count > 0) && opaque[5..].iter().all(|count| *count < opaque[0] / 4)
    );
}
