//! Small valid inputs and dictionaries: text files in `fuzz/`, and binary formats built here.

use std::path::{Path, PathBuf};

use png::{BitDepth, ColorType, Encoder};
use waymarch_testkit::splitmix::SplitMix;
use zip::CompressionMethod;

use crate::openra_parts::{join, map_bin, oramap, toy_parts};
use crate::targets::Target;

/// The folder `fuzz/` of the repository.
#[must_use]
pub fn fuzz_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The seeds of a target with their names: the files of its folder by name, then those that are built here.
///
/// # Errors
/// If a folder or file cannot be read.
pub fn seeds_of(target: &Target) -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let mut seeds = Vec::new();
    let folder = fuzz_dir().join("seeds").join(target.name);
    if folder.is_dir() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            seeds.push((entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path())?));
        }
    }
    seeds.sort();
    let mut built = built(target.name);
    if target.name == "page_message" {
        built.extend(crate::page_messages::single_messages(&seeds));
    }
    let built = built.into_iter().enumerate();
    seeds.extend(built.map(|(number, bytes)| (format!("built-{number}"), bytes)));
    Ok(seeds)
}

/// The words of a target's dictionary (libFuzzer's format); none if it has no dictionary.
///
/// # Errors
/// If a file cannot be read.
pub fn dictionary_of(target: &Target) -> std::io::Result<Vec<Vec<u8>>> {
    let path = fuzz_dir().join("dictionaries").join(format!("{}.dict", target.name));
    if !path.exists() {
        return Ok(Vec::new());
    }
    Ok(std::fs::read_to_string(path)?.lines().filter_map(word).collect())
}

/// One line of a dictionary: `"word"`, with `\\`, `\"` and `\xNN`; `None` for comments and blank lines.
fn word(line: &str) -> Option<Vec<u8>> {
    let body = line.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = Vec::new();
    let mut rest = body.bytes();
    while let Some(byte) = rest.next() {
        match (byte, byte == b'\\') {
            (_, true) => match rest.next()? {
                b'x' => {
                    let digits = [rest.next()?, rest.next()?];
                    bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
                }
                other => bytes.push(other),
            },
            _ => bytes.push(byte),
        }
    }
    Some(bytes)
}

fn built(name: &str) -> Vec<Vec<u8>> {
    match name {
        "goal" => [
            "3,4",
            "circle:12,30,5.5",
            "ring:1,2,0.25,2097151",
            "any:point:3,4;rect:10,-10,8,1;50,4",
            "out-of:any:circle:5,5,3; 7 , 7",
        ]
        .map(|text| text.into())
        .into(),
        "fixed" => ["1.5", "-0.0009765625", "2097151.9990234375", "+7"].map(|text| text.into()).into(),
        "commands" => crate::commands::as_bytes(),
        "commands_json" => crate::commands::as_json(),
        "lazy_flow" => crate::lazy_field::histories(),
        "navigator_state" => crate::saved_state::states(),
        "openra_map_bin" => vec![map_bin(1), map_bin(2)],
        "openra_miniyaml" => toy_parts()[..4].iter().map(|part| part.to_vec()).collect(),
        "openra_tileset" => vec![toy_parts()[2].to_vec()],
        "openra_parts" => {
            let [yaml, own, tileset, rules, _] = toy_parts();
            [1, 2].map(|format| join([yaml, own, tileset, rules, &map_bin(format)])).into()
        }
        "openra_oramap" | "openra_package" => {
            [CompressionMethod::Stored, CompressionMethod::Deflated].map(oramap).into()
        }
        "recording" => crate::saved_state::recordings(),
        "world_state" => crate::saved_state::worlds(),
        "yaml_config" => vec![waymarch_maps::yaml::write_default_config().into_bytes()],
        "png_map" => pictures(),
        "png_heightmap" => pictures().into_iter().take(4).collect(),
        _ => Vec::new(),
    }
}

/// PNG images, grey ones first.
fn pictures() -> Vec<Vec<u8>> {
    let palette = [0x6a, 0x9a, 0x4a, 0x30, 0x2c, 0x28];
    vec![
        picture(3, 2, ColorType::Grayscale, BitDepth::Eight, &[255, 254, 0, 1, 2, 200]),
        picture(9, 2, ColorType::Grayscale, BitDepth::One, &[0x55, 0x80, 0xf0, 0]),
        picture(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0, 1, 0xff, 0xff]),
        picture(1, 2, ColorType::GrayscaleAlpha, BitDepth::Eight, &[9, 255, 200, 0]),
        picture(2, 1, ColorType::Rgb, BitDepth::Eight, &palette),
        picture(1, 1, ColorType::Rgba, BitDepth::Sixteen, &[0x6a, 0, 0x9a, 0, 0x4a, 0, 1, 2]),
        picture(5, 2, ColorType::Indexed, BitDepth::Two, &[0x11, 0x40, 0x04, 0]),
        picture(8, 8, ColorType::Indexed, BitDepth::One, &[0xaa; 8]),
        // Long enough that a false size in its header is noticed late.
        picture(128, 120, ColorType::Indexed, BitDepth::One, &noise(16 * 120)),
    ]
}

fn noise(len: usize) -> Vec<u8> {
    let mut rng = SplitMix::new(1);
    (0..len).map(|_| rng.next_u64() as u8).collect()
}

fn picture(width: u32, height: u32, colour: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if colour == ColorType::Indexed {
        encoder.set_palette(vec![0x6a, 0x9a, 0x4a, 0x30, 0x2c, 0x28]);
        encoder.set_trns(vec![255, 0]);
    }
    let mut writer = encoder.write_header().expect("writing to memory");
    writer.write_image_data(data).expect("writing to memory");
    writer.finish().expect("writing to memory");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::TARGETS;

    #[test]
    fn every_seed_is_accepted_and_every_target_has_one() {
        for target in &TARGETS {
            let seeds = seeds_of(target).unwrap();
            assert!(!seeds.is_empty(), "{}", target.name);
            for (name, bytes) in seeds {
                if let Err(error) = (target.check)(&bytes) {
                    panic!("{}/{name}: {error}", target.name);
                }
            }
        }
    }

    #[test]
    fn every_target_has_its_libfuzzer_target_and_no_other_exists() {
        let mut files: Vec<String> = std::fs::read_dir(fuzz_dir().join("fuzz_targets"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        files.sort();
        let names: Vec<String> = TARGETS.iter().map(|target| format!("{}.rs", target.name)).collect();
        assert_eq!(files, names);
        let manifest = std::fs::read_to_string(fuzz_dir().join("Cargo.toml")).unwrap();
        for target in &TARGETS {
            assert!(manifest.contains(&format!("\"{}\"", target.name)), "{} in fuzz/Cargo.toml", target.name);
        }
    }

    #[test]
    fn dictionaries_read_as_libfuzzer_reads_them() {
        assert_eq!(word(r#"  "a\\\"\x00b" "#), Some(b"a\\\"\0b".to_vec()));
        assert_eq!((word("# note"), word("")), (None, None));
        for target in &TARGETS {
            let words = dictionary_of(target).unwrap();
            assert!(words.iter().all(|word| !word.is_empty()), "{}", target.name);
        }
    }
}
