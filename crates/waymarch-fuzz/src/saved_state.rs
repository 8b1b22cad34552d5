//! Saved state: bytes are loaded as a navigator, a World or a recording, which must then work and save to the same bytes.

use waymarch::base::{ByteReader, ByteWriter, CellRect, GridSize, LoadError, LocomotorId, StateHasher, cell};
use waymarch::config::Config;
use waymarch::cost::{Falloff, FootCell, Map, Rules, Stamp, TerrainId, ThreatSource};
use waymarch::world::{Navigator, Recording, Replay, Serial, UnitMotion, World};
use waymarch_maps::scenario::{Scenario, Simulation};
use waymarch_maps::{FileError, FileResult, Place};

use crate::games::draw_game;

/// The error of saved bytes as the error of a file.
pub(crate) fn refused(error: LoadError) -> FileError {
    FileError::new("in.state", error.what).at(Place::Byte(error.at))
}

/// Corrects length and hash of a frame.
pub(crate) fn repair_frame(bytes: &mut [u8]) {
    if bytes.len() < 20 {
        return;
    }
    let (inside, end) = (bytes.len() - 20, bytes.len() - 8);
    bytes[8..12].copy_from_slice(&(inside as u32).to_le_bytes());
    let mut hasher = StateHasher::new();
    hasher.write_raw(&bytes[..end]);
    bytes[end..].copy_from_slice(&hasher.finish().to_le_bytes());
}

/// A state that was accepted must work for 100 ticks.
const TICKS: u32 = 100;

/// One accepted state in 8 is also restored into another World, saved and loaded again: that costs as much as 100 ticks.
fn is_compared(bytes: &[u8]) -> bool {
    // The last byte is one of the checksum, which is as good as a random number.
    bytes.last().is_some_and(|byte| byte % 8 == 0)
}

fn saved(nav: &Navigator) -> Vec<u8> {
    let mut writer = ByteWriter::new();
    nav.save(&mut writer);
    writer.into_bytes()
}

/// A small map with two costs, stamps and threat sources.
fn navigator(width: u32, height: u32) -> Navigator {
    let size = GridSize::new(width, height).expect("a legal size");
    let config = Config { sector_size: 8, size_classes: vec![1, 2], ..Config::default() };
    let mut nav = Navigator::new(Map::flat("seed", size, Rules::standard()), config).expect("a legal map");
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

/// Seeds: the map as it is, and with heights.
pub(crate) fn states() -> Vec<Vec<u8>> {
    let flat = navigator(9, 8);
    let mut hilly = navigator(12, 7);
    hilly.set_elevation(CellRect::at(cell(2, 2), 2, 2), 60).expect("on the map");
    vec![saved(&flat), saved(&hilly)]
}

/// [`Navigator::load`] and [`Navigator::restore`]: both give the same, also after saving again.
///
/// # Errors
/// What is refused.
///
/// # Panics
/// If a check fails.
pub fn navigator_state(bytes: &[u8]) -> FileResult<()> {
    let located = |error: LoadError| {
        assert!(error.at <= bytes.len() as u64, "{error} is not in the bytes");
        refused(error)
    };
    let mut nav = Navigator::load(&mut ByteReader::new(bytes)).map_err(located)?;
    let work = |nav: &mut Navigator| {
        (0..TICKS).for_each(|_| nav.tick());
        let size = nav.layer().grid();
        let far = cell(size.width() as i32 - 1, size.height() as i32 - 1);
        // No route is a valid answer.
        let _ = nav.path(cell(0, 0), far, LocomotorId(0));
    };
    if is_compared(bytes) {
        let mut other = navigator(9, 8);
        other.restore(&mut ByteReader::new(bytes)).expect("a state that loads can be restored");
        assert_eq!(nav.state_hash(), other.state_hash());
        let again = saved(&nav);
        let twin = Navigator::load(&mut ByteReader::new(&again)).expect("what was saved loads");
        assert_eq!(twin.state_hash(), nav.state_hash());
        work(&mut nav);
        work(&mut other);
        assert_eq!(nav.state_hash(), other.state_hash());
    } else {
        work(&mut nav);
    }
    Ok(())
}

/// A few units of all types on a small map, some ticks into their orders.
fn game(ticks: u32) -> Simulation {
    let scenario: Scenario =
        waymarch_maps::yaml::read_scenario("seed", SCENARIO, &|_| Err("no maps".to_owned()))
            .expect("the seed is a scenario");
    let mut simulation = Simulation::new(scenario, 3).expect("the seed can be played");
    (0..ticks).for_each(|_| simulation.step(&Serial));
    simulation
}

/// A scenario with every kind of order and edit.
pub(crate) const SCENARIO: &[u8] = include_bytes!("../../../fuzz/seeds/yaml_scenario/all.yaml");

/// Files that are larger than 8 KiB are no seeds: their mutants would take too long.
const MAX_SEED: usize = 8 << 10;

/// The first 8 drawn games that are small, with units.
fn small_games() -> Vec<Scenario> {
    let games = (0..400).map(draw_game);
    let is_small = |game: &Scenario| {
        let units: u32 = game.squads.iter().map(|squad| squad.place.count()).sum();
        (2..=9).contains(&units) && game.setup.map.size.cells() <= 500 && game.ticks > 25
    };
    games.filter(is_small).take(8).collect()
}

/// Saves of one game at several ticks, so that recombined files have parts that fit.
pub(crate) fn worlds() -> Vec<Vec<u8>> {
    let mut saves: Vec<Vec<u8>> = [2, 30].map(|ticks| game(ticks).world().save()).into();
    for scenario in small_games() {
        let mut simulation = Simulation::new(scenario, 0).expect("drawn games can be played");
        for tick in 0..=25 {
            if [1, 12, 13, 25].contains(&tick) {
                saves.push(simulation.world().save());
            }
            simulation.step(&Serial);
        }
    }
    saves.extend(narrow_saves());
    saves.retain(|save| save.len() <= MAX_SEED);
    saves
}

/// Units of two sides want to cross a passage of one cell, and units that meet in a corridor of one cell must exchange their order.
/// With the motion of a unit, and the part of the state hash, that each is saved for.
const NARROW: [(&str, UnitMotion, &str); 2] = [
    (
        "waymarch_scenario: 1
name: gap
map:
  legend: {'.': Clear, '#': Wall}
  rows: |
    .....##.....
    .....##.....
    ............
    .....##.....
    .....##.....
ticks: 300
config: {ticks_per_second: 4, sector_size: 8}
unit_types: {a: {locomotor: foot, speed: 0.25}}
units: [{group: w, rect: [0, 1, 2, 3], count: 3}, {group: e, rect: [10, 1, 2, 3], count: 3}]
orders: [{group: w, move: [10, 2]}, {group: e, move: [1, 2]}]
",
        UnitMotion::Queued,
        "reservations",
    ),
    (
        "waymarch_scenario: 1
name: corridor
map:
  legend: {'.': Clear, '#': Wall}
  rows: |
    ............
    #####.######
    ############
ticks: 300
config: {ticks_per_second: 4, sector_size: 8}
unit_types: {a: {locomotor: foot, speed: 0.25}}
units: [{group: w, at: [0, 0]}, {group: v, at: [1, 0]}, {group: e, at: [11, 0]}]
orders: [{group: w, move: [10, 0]}, {group: v, move: [11, 0]}, {group: e, move: [1, 0]}]
",
        UnitMotion::Yielding,
        "zones",
    ),
];

/// Saves with reserved passages and waiting units, and with deadlock zones and units that step as they are told.
fn narrow_saves() -> Vec<Vec<u8>> {
    let mut saves = Vec::new();
    let empty = World::new(navigator(9, 8)).state_hash();
    for (text, motion, part) in NARROW {
        let scenario =
            waymarch_maps::yaml::read_scenario("seed", text.as_bytes(), &|_| Err("no maps".to_owned()));
        let mut simulation =
            Simulation::new(scenario.expect("the seed is a scenario"), 0).expect("the seed can be played");
        // Saves at most every 5 ticks, so that they differ.
        let mut last = 0;
        for tick in 5..300 {
            simulation.step(&Serial);
            let world = simulation.world();
            let is_kept = world.units().any(|unit| world.motion_of(unit.id) == Some(motion))
                && world.state_hash().part(part) != empty.part(part);
            if tick >= last + 5 && is_kept {
                last = tick;
                saves.push(world.save());
                if saves.len() % 4 == 0 {
                    break;
                }
            }
        }
    }
    saves
}

pub(crate) fn recordings() -> Vec<Vec<u8>> {
    let mut all = vec![game(12).finish().to_bytes()];
    for scenario in small_games() {
        let mut simulation = Simulation::new(scenario, 5).expect("drawn games can be played");
        (0..20).for_each(|_| simulation.step(&Serial));
        all.push(simulation.finish().to_bytes());
    }
    all.retain(|bytes| bytes.len() <= MAX_SEED);
    all
}

/// [`World::load`] and [`World::restore`]: both give the same for 100 ticks.
///
/// # Errors
/// What is refused.
///
/// # Panics
/// If a check fails.
pub fn world_state(bytes: &[u8]) -> FileResult<()> {
    let mut world = World::load(bytes).map_err(refused)?;
    if !is_compared(bytes) {
        (0..TICKS).for_each(|_| world.tick());
        return Ok(());
    }
    let mut other = World::new(navigator(9, 8));
    other.restore(bytes).expect("a state that loads can be restored");
    assert_eq!(world.state_hash(), other.state_hash());
    let again = World::load(&world.save()).expect("what was saved loads");
    assert_eq!(world.state_hash(), again.state_hash());
    for _ in 0..TICKS {
        world.tick();
        other.tick();
        assert_eq!(world.state_hash(), other.state_hash());
        assert_eq!(world.events(), other.events());
    }
    World::load(&world.save()).expect("what was saved loads");
    Ok(())
}

/// [`Recording::from_bytes`]: it reads back unchanged, and replaying it ends, with or without an error.
///
/// # Errors
/// What is refused.
///
/// # Panics
/// If a check fails.
pub fn recording(bytes: &[u8]) -> FileResult<()> {
    let recording = Recording::from_bytes(bytes).map_err(refused)?;
    assert_eq!(Recording::from_bytes(&recording.to_bytes()), Ok(recording.clone()));
    let Ok(mut replay) = Replay::new(&recording) else { return Ok(()) };
    // An error because the game diverges, or is too long, is a valid answer.
    for _ in 0..TICKS {
        if !replay.step(&Serial).unwrap_or(false) {
            break;
        }
    }
    // Most damaged games diverge at the first mark: their commands are played on.
    play_on(&recording);
    Ok(())
}

/// Plays the commands of a recording for 100 ticks without a look at its hashes, and returns the World. Refused commands are left out, and after its
/// last tick the game goes on without commands.
fn play_on(recording: &Recording) -> Option<World> {
    let mut world = recording.setup.world().ok()?;
    let mut commands = recording.commands.iter().peekable();
    for _ in 0..TICKS {
        while let Some(due) = commands.next_if(|next| next.tick <= world.now()) {
            // A damaged command may be illegal: that is a valid answer.
            let _ = world.apply(&due.command);
        }
        world.tick();
    }
    Some(world)
}

/// `yaml::read_scenario`, with a small map for every map name, and a few ticks of the scenario.
///
/// # Errors
/// What is refused.
///
/// # Panics
/// If a check fails.
pub fn yaml_scenario(bytes: &[u8]) -> FileResult<()> {
    let size = GridSize::new(16, 12).expect("a legal size");
    let scenario = waymarch_maps::yaml::read_scenario("in.yaml", bytes, &|word| {
        Ok(Map::flat(word, size, Rules::standard()))
    });
    let scenario = scenario.inspect_err(|error| {
        assert!(!error.problem.is_empty() && error.place != Place::Whole, "{error}");
    })?;
    // Too many units for a small map have no room: that is a valid answer.
    if scenario.squads.iter().map(|squad| squad.place.count()).sum::<u32>() > 500 {
        return Ok(());
    }
    if let Ok(mut simulation) = Simulation::new(scenario, 0) {
        (0..5).for_each(|_| simulation.step(&Serial));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use waymarch::base::{Fixed, Tick};
    use waymarch::world::{Command, Order, Recorded, When};

    use super::*;

    /// Each of them diverges at its first mark after the change, so the comparison stops early.
    #[test]
    fn a_recording_with_one_changed_command_is_played_for_100_ticks() {
        let mut early = 0;
        for bytes in recordings() {
            let mut recording = Recording::from_bytes(&bytes).expect("a seed");
            let order =
                |all: &&mut Recorded| matches!(all.command, Command::Order { .. } | Command::Spawn { .. });
            let Some(changed) = recording.commands.iter_mut().rev().find(order) else { continue };
            changed.command = match &changed.command {
                Command::Order { units, .. } => Command::Order {
                    units: units.clone(),
                    order: Order::Scatter { distance: Fixed::ONE },
                    when: When::Now,
                },
                _ => Command::Engage(Vec::new()),
            };
            assert_eq!(super::recording(&recording.to_bytes()).map_err(|error| error.to_string()), Ok(()));
            let world = play_on(&recording).expect("its map is legal");
            assert_eq!(world.now(), Tick(u64::from(TICKS)));
            let mut replay = Replay::new(&recording).expect("its map is legal");
            let stopped = std::iter::from_fn(|| Some(replay.step(&Serial))).find(|step| *step != Ok(true));
            early += u32::from(stopped.is_some_and(|step| step.is_err()));
        }
        assert!(early > 0, "no replay diverged");
    }

    /// Saves without them were the only seeds for a while: what zones and reservations save was never damaged on purpose.
    #[test]
    fn seeds_of_worlds_have_reservations_deadlock_zones_and_units_in_them() {
        let worlds: Vec<World> =
            worlds().iter().map(|save| World::load(save).expect("its own save")).collect();
        for motion in [UnitMotion::Queued, UnitMotion::Yielding] {
            let has = |world: &&World| world.units().any(|unit| world.motion_of(unit.id) == Some(motion));
            assert!(worlds.iter().filter(has).count() >= 3, "{motion:?}");
        }
        let empty = World::new(navigator(9, 8)).state_hash();
        for part in ["zones", "reservations"] {
            let has = |world: &&World| world.state_hash().part(part) != empty.part(part);
            assert!(worlds.iter().filter(has).count() >= 3, "{part}");
        }
    }
}
