//! Saved state: bytes read as a navigator, a World or a recorded game, which must then work, and be the same when it is saved again.

use waymarch::base::{ByteReader, ByteWriter, CellRect, FrameKind, GridSize, LoadError, LocomotorId, cell};
use waymarch::config::Config;
use waymarch::cost::{Falloff, FootCell, Map, Rules, Stamp, TerrainId, ThreatSource};
use waymarch::world::{Navigator, Recording, Replay, Serial, World};
use waymarch_maps::scenario::{Scenario, Simulation};
use waymarch_maps::{FileError, FileResult, Place};

/// What is wrong with saved bytes, as an error of a file.
pub(crate) fn refused(error: LoadError) -> FileError {
    FileError::new("in.state", error.what).at(Place::Byte(error.at))
}

/// Makes length and hash of a frame right again.
pub(crate) fn repair_frame(bytes: &mut [u8]) {
    if bytes.len() < 20 {
        return;
    }
    let (mut mark, mut version) = ([0; 4], [0; 4]);
    mark.copy_from_slice(&bytes[..4]);
    version.copy_from_slice(&bytes[4..8]);
    let mut writer = ByteWriter::new();
    let inside = &bytes[12..bytes.len() - 8];
    FrameKind { mark, version: u32::from_le_bytes(version) }.write(&mut writer, |writer| writer.raw(inside));
    bytes.copy_from_slice(writer.bytes());
}

fn saved(nav: &Navigator) -> Vec<u8> {
    let mut writer = ByteWriter::new();
    nav.save(&mut writer);
    writer.into_bytes()
}

/// A small map of two costs with something of everything on it.
fn navigator(width: u32, height: u32) -> Navigator {
    let size = GridSize::new(width, height).expect("a legal size");
    let config = Config { sector_size: 8, size_classes: vec![1, 2], ..Config::default() };
    let mut nav = Navigator::new(Map::flat("seed", size, Rules::spec_000()), config).expect("a legal map");
    let gate = Stamp::filled("gate", 2, 1, FootCell::Gate);
    let gone = nav.place(&Stamp::solid(2, 2), cell(1, 1)).expect("fits");
    nav.place(&gate, cell(4, 3)).expect("fits");
    nav.place(&Stamp::solid(1, 3).lasting(9), cell(6, 2)).expect("fits");
    nav.remove(gone).expect("stands");
    nav.set_terrain(CellRect::at(cell(0, 4), 3, 2), TerrainId(2)).expect("on the map");
    let threat = ThreatSource { at: cell(3, 3), radius: 3, strength: 90, falloff: Falloff::Linear };
    nav.add_threat(threat).expect("on the map");
    (0..5).for_each(|_| nav.tick());
    nav.add_threat(ThreatSource { radius: 2, ..threat }).expect("on the map");
    nav
}

/// Seeds: as it is, and on a map with heights.
pub(crate) fn states() -> Vec<Vec<u8>> {
    let flat = navigator(9, 8);
    let mut hilly = navigator(12, 7);
    hilly.set_elevation(CellRect::at(cell(2, 2), 2, 2), 60).expect("on the map");
    vec![saved(&flat), saved(&hilly)]
}

/// [`Navigator::load`] and [`Navigator::restore`]: the same from either, and again after saving.
///
/// # Errors
/// What is refused.
///
/// # Panics
/// When a promise is broken.
pub fn navigator_state(bytes: &[u8]) -> FileResult<()> {
    let located = |error: LoadError| {
        assert!(error.at <= bytes.len() as u64, "{error} is not in the bytes");
        refused(error)
    };
    let mut nav = Navigator::load(&mut ByteReader::new(bytes)).map_err(located)?;
    let mut other = navigator(9, 8);
    other.restore(&mut ByteReader::new(bytes)).expect("what loads can be gone back to");
    assert_eq!(nav.state_hash(), other.state_hash());
    let again = saved(&nav);
    let twin = Navigator::load(&mut ByteReader::new(&again)).expect("what was saved loads");
    assert_eq!(twin.state_hash(), nav.state_hash());
    for twin in [&mut nav, &mut other] {
        (0..12).for_each(|_| twin.tick());
        let size = twin.layer().grid();
        let far = cell(size.width() as i32 - 1, size.height() as i32 - 1);
        // That there may be no way is as good an answer as any.
        let _ = twin.path(cell(0, 0), far, LocomotorId(0));
    }
    assert_eq!(nav.state_hash(), other.state_hash());
    Ok(())
}

/// A few units of all sorts on a small map, some ticks into what they are told.
fn game(ticks: u32) -> Simulation {
    let scenario: Scenario =
        waymarch_maps::yaml::read_scenario("seed", SCENARIO, &|_| Err("no maps".to_owned()))
            .expect("the seed is a scenario");
    let mut simulation = Simulation::new(scenario, 3).expect("the seed can be played");
    (0..ticks).for_each(|_| simulation.step(&Serial));
    simulation
}

/// A scenario with something of everything.
pub(crate) const SCENARIO: &[u8] = include_bytes!("../../../fuzz/seeds/yaml_scenario/all.yaml");

pub(crate) fn worlds() -> Vec<Vec<u8>> {
    [2, 30].map(|ticks| game(ticks).world().save()).into()
}

pub(crate) fn recordings() -> Vec<Vec<u8>> {
    vec![game(12).finish().to_bytes()]
}

/// [`World::load`] and [`World::restore`]: the same from either, for some ticks.
///
/// # Errors
/// What is refused.
///
/// # Panics
/// When a promise is broken.
pub fn world_state(bytes: &[u8]) -> FileResult<()> {
    let mut world = World::load(bytes).map_err(refused)?;
    let mut other = World::new(navigator(9, 8));
    other.restore(bytes).expect("what loads can be gone back to");
    assert_eq!(world.state_hash(), other.state_hash());
    let again = World::load(&world.save()).expect("what was saved loads");
    assert_eq!(world.state_hash(), again.state_hash());
    for _ in 0..6 {
        world.tick();
        other.tick();
        assert_eq!(world.state_hash(), other.state_hash());
        assert_eq!(world.events(), other.events());
    }
    Ok(())
}

/// [`Recording::from_bytes`]: it reads back as it was, and playing it ends, well or not.
///
/// # Errors
/// What is refused.
///
/// # Panics
/// When a promise is broken.
pub fn recording(bytes: &[u8]) -> FileResult<()> {
    let recording = Recording::from_bytes(bytes).map_err(refused)?;
    assert_eq!(Recording::from_bytes(&recording.to_bytes()), Ok(recording.clone()));
    let Ok(mut replay) = Replay::new(&recording) else { return Ok(()) };
    // That it is another game, or a longer one, is as good an answer as any.
    for _ in 0..20 {
        if !replay.step(&Serial).unwrap_or(false) {
            break;
        }
    }
    Ok(())
}

/// `yaml::read_scenario`, every map it names being a small one, and a few ticks of it.
///
/// # Errors
/// What is refused.
///
/// # Panics
/// When a promise is broken.
pub fn yaml_scenario(bytes: &[u8]) -> FileResult<()> {
    let size = GridSize::new(16, 12).expect("a legal size");
    let scenario = waymarch_maps::yaml::read_scenario("in.yaml", bytes, &|word| {
        Ok(Map::flat(word, size, Rules::spec_000()))
    });
    let scenario = scenario.inspect_err(|error| {
        assert!(!error.problem.is_empty() && error.place != Place::Whole, "{error}");
    })?;
    // Many units on a small map have no room, and that is all there is to say.
    if scenario.squads.iter().map(|squad| squad.place.count()).sum::<u32>() > 500 {
        return Ok(());
    }
    if let Ok(mut simulation) = Simulation::new(scenario, 0) {
        (0..5).for_each(|_| simulation.step(&Serial));
    }
    Ok(())
}
