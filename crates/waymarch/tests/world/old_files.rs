//! Files of earlier versions: they load, play on, and are saved as the present version, or are refused by naming both versions.
//!
//! Each file was written by the engine of its version, and never changes. `docs/saves.md` says what is promised.

use std::path::{Path, PathBuf};

use waymarch::base::{ByteReader, ByteWriter, FORMAT, LoadError, OLDEST_FORMAT, StateHasher, Tick};
use waymarch::prelude::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/saves")
}

/// The files whose names begin with `kind`, by name, each with the version number in its name.
fn files(kind: &str) -> Vec<(String, u32, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder()).expect("the folder of old files") {
        let entry = entry.expect("a file");
        let name = entry.file_name().into_string().expect("a plain name");
        if let Some(rest) = name.strip_prefix(kind).and_then(|rest| rest.strip_prefix('-')) {
            let version =
                rest.split('-').next().and_then(|number| number.parse().ok()).expect("KIND-VERSION-NAME");
            all.push((name, version, std::fs::read(entry.path()).expect("readable")));
        }
    }
    all.sort();
    all
}

/// The version number in a frame.
fn version_of(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes[4..8].try_into().expect("four bytes"))
}

/// The frame with another version number and a hash that fits.
fn with_version(bytes: &[u8], version: u32) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[4..8].copy_from_slice(&version.to_le_bytes());
    let end = bytes.len() - 8;
    let mut hasher = StateHasher::new();
    hasher.write_raw(&bytes[..end]);
    bytes[end..].copy_from_slice(&hasher.finish().to_le_bytes());
    bytes
}

#[test]
fn worlds_of_every_version_since_10_load_and_play_on() {
    // How many units each World has.
    let known = [
        ("world-10-corridor.bin", 3..=3),
        ("world-10-drawn.bin", 2..=9),
        ("world-10-gap.bin", 6..=6),
        ("world-10-orders.bin", 1..=8),
    ];
    let files = files("world");
    assert_eq!(files.len(), known.len(), "every file has a line in the table");
    for ((name, version, bytes), (known_name, units)) in files.iter().zip(known) {
        assert_eq!((name.as_str(), version_of(bytes)), (known_name, *version));
        let mut world = World::load(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(units.contains(&world.unit_count()), "{name}: {} units", world.unit_count());
        assert!(world.now() > Tick::ZERO, "{name}");
        // It is saved as the present version, which loads with the same hash and plays the same game.
        let saved = world.save();
        assert_eq!(version_of(&saved), FORMAT, "{name}");
        let mut again = World::load(&saved).expect("its own save");
        let mut other = world.clone();
        other.restore(bytes).expect("an old save can be restored");
        for _ in 0..100 {
            assert_eq!(again.state_hash(), world.state_hash(), "{name}");
            assert_eq!(other.state_hash(), world.state_hash(), "{name}");
            [&mut world, &mut again, &mut other].into_iter().for_each(World::tick);
        }
    }
}

#[test]
fn navigators_of_version_3_load_as_version_10() {
    let files = files("navigator");
    assert!(!files.is_empty());
    for (name, version, bytes) in files {
        assert_eq!(version_of(&bytes), version);
        let nav =
            Navigator::load(&mut ByteReader::new(&bytes)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut writer = ByteWriter::new();
        nav.save(&mut writer);
        assert_eq!(version_of(writer.bytes()), FORMAT);
        let again = Navigator::load(&mut ByteReader::new(writer.bytes())).expect("its own save");
        assert_eq!(again.state_hash(), nav.state_hash(), "{name}");
    }
}

#[test]
fn recordings_of_version_4_load_with_an_empty_engine() {
    let files = files("recording");
    assert!(!files.is_empty());
    for (name, version, bytes) in files {
        assert_eq!(version_of(&bytes), version);
        let recording = Recording::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(recording.engine, "", "{name}: the field did not exist");
        assert!(recording.end > Tick::ZERO && !recording.commands.is_empty(), "{name}");
        // Its commands can be carried out. Whether the hashes are those of then depends on the engine: results may change between versions.
        let mut world = recording.setup.world().expect("legal");
        let done =
            recording.commands.iter().filter(|recorded| world.apply(&recorded.command).is_ok()).count();
        assert!(done > 0, "{name}");
        let saved = recording.to_bytes();
        assert_eq!(version_of(&saved), FORMAT);
        assert_eq!(Recording::from_bytes(&saved), Ok(recording), "{name}");
    }
}

#[test]
fn a_new_recording_says_which_engine_played() {
    let size = GridSize::new(9, 8).expect("legal");
    let map = Map::flat("field", size, Rules::standard());
    let setup = waymarch::world::Setup { config: Config::default(), map, seed: 7 };
    let mut world = setup.world().expect("legal");
    let recorder = Recorder::new(setup, 1);
    world.tick();
    let recording = Recording::from_bytes(&recorder.finish(&world).to_bytes()).expect("its own bytes");
    assert_eq!(recording.engine, env!("CARGO_PKG_VERSION"));
}

#[test]
fn files_of_versions_that_are_not_read_are_refused_by_naming_both() {
    let refused = |bytes: &[u8]| -> Vec<LoadError> {
        let mut world = World::load(&files("world")[0].2).expect("it loads");
        let before = world.save();
        let errors = vec![
            World::load(bytes).expect_err("another version"),
            world.restore(bytes).expect_err("another version"),
        ];
        assert_eq!(world.save(), before, "a refused save changes nothing");
        errors
    };
    let (_, _, old) = &files("world")[0];
    for version in [0, 3, OLDEST_FORMAT - 1, FORMAT + 1, u32::MAX] {
        for error in refused(&with_version(old, version)) {
            assert_eq!(error.versions, Some([version, FORMAT]));
            let message = error.to_string();
            let both = format!("format version {version}, this program reads version {FORMAT}");
            assert!(message.contains(&both), "{message}");
            let which = if version > FORMAT { "newer version" } else { "too old" };
            assert!(message.contains(which), "{message}");
        }
    }
}
