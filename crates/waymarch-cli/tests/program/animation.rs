//! Runs `waymarch render --gif`.

use std::fs::{self, File};
use std::path::PathBuf;

#[test]
fn an_animation_of_a_scenario_has_moving_units() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("animation");
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
    // The first frame is the whole map. The others have only the changed pixels, which are few.
    assert_eq!((opaque.len() as u64, opaque[0]), (document["frames"].as_u64().unwrap(), size[0] * size[1]));
    assert_eq!(opaque.len(), 10);
    assert!(
        opaque[5..].iter().any(|count| *count > 0) && opaque[5..].iter().all(|count| *count < opaque[0] / 4)
    );
}

#[test]
fn slots_are_drawn_with_the_option_slots() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("animation-slots");
    fs::create_dir_all(&folder).unwrap();
    let row = ".".repeat(40);
    let map = format!("type octile\nheight 16\nwidth 40\nmap\n{}", format!("{row}\n").repeat(16));
    fs::write(folder.join("field.map"), map).unwrap();
    let scenario = "waymarch_scenario: 1\nname: four\nmap: field.map\nticks: 40\nunit_types: {man: {}}\n\
                    units: [{cells: [[2, 4], [2, 5], [3, 4], [3, 5]]}]\norders: [{move: [30, 5]}]\n";
    fs::write(folder.join("four.yaml"), scenario).unwrap();
    // The last picture, and its width.
    let last = |name: &str, more: &str| {
        let mut program = assert_cmd::cargo::cargo_bin_cmd!("waymarch");
        let args = format!("render --gif {name} --scenario four.yaml --ticks 8 --pixels 400 {more}");
        let output = program.current_dir(&folder).args(args.split_whitespace()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(File::open(folder.join(name)).unwrap()).unwrap();
        let wide = usize::from(decoder.width());
        let mut picture = vec![[0_u8; 3]; wide * usize::from(decoder.height())];
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (number, pixel) in frame.buffer.chunks(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
                let (x, y) = (number % usize::from(frame.width), number / usize::from(frame.width));
                let at = (usize::from(frame.top) + y) * wide + usize::from(frame.left) + x;
                picture[at] = [pixel[0], pixel[1], pixel[2]];
            }
        }
        (picture, wide)
    };
    let ((plain, wide), (slots, _)) = (last("plain.gif", ""), last("slots.gif", "--slots"));
    // The palettes of the two files differ slightly.
    let other = |a: [u8; 3], b: [u8; 3]| (0..3).map(|n| u32::from(a[n].abs_diff(b[n]))).sum::<u32>() > 60;
    let differ = |columns: std::ops::Range<usize>| {
        let differ = (0..plain.len()).filter(|&at| other(plain[at], slots[at]));
        differ.filter(|at| columns.contains(&(at % wide * 40 / wide))).count()
    };
    assert!(differ(28..33) > 40, "the slots around (30, 5): {}", differ(28..33));
    assert_eq!(differ(34..40), 0, "nothing beyond the slots");
}
