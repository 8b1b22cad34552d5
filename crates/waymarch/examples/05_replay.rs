//! A game is recorded, replayed and compared, and a desync is found. Run it with `cargo run -p waymarch --example 05_replay`.
//!
//! The same commands in the same ticks give the same game, bit for bit, on every machine. A recording holds the map, the settings
//! and the commands. It also holds hashes, which show at which tick and in which subsystem a replay differs.

use waymarch::base::{Angle, GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, Stamp};
use waymarch::world::{
    Command, Order, PlayerId, Recorder, Recording, Replay, ReplayError, Serial, Setup, UnitType, UnitTypeId,
    When,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    let setup = Setup { config: Config::default(), map, seed: 7 };
    let mut world = setup.world()?;
    // A hash every ten ticks.
    let mut recorder = Recorder::new(setup, 10);

    let foot = world.nav().locomotor("foot").ok_or("no such locomotor")?;
    recorder.apply(&mut world, Command::AddType(UnitType::new("soldier", foot)))?;
    for y in 0..8 {
        let (kind, owner, at) = (UnitTypeId(0), PlayerId(0), cell(4, 10 + 2 * y));
        recorder.apply(&mut world, Command::Spawn { kind, owner, at, facing: Angle::default() })?;
    }
    let units: Vec<_> = world.units().map(|unit| unit.id).collect();
    for tick in 0..120 {
        if tick == 5 {
            let order =
                Command::Order { units: units.clone(), order: Order::move_to(cell(58, 30)), when: When::Now };
            recorder.apply(&mut world, order)?;
        }
        if tick == 60 {
            recorder.apply(&mut world, Command::Place { stamp: Stamp::solid(3, 40), at: cell(30, 10) })?;
        }
        world.tick();
        recorder.ticked(&world);
    }
    let bytes = recorder.finish(&world).to_bytes();
    println!("{} ticks in {} bytes, hash {}", world.now(), bytes.len(), world.state_hash());

    // On another machine: the same game.
    let recording = Recording::from_bytes(&bytes)?;
    let mut replay = Replay::new(&recording)?;
    while replay.step(&Serial)? {}
    assert_eq!(replay.world().state_hash(), world.state_hash());
    println!("replayed: the same at {} hashes", replay.compared());

    // A peer that places the wall one cell farther is detected at the next hash.
    let mut other = recording.clone();
    let wall = other.commands.iter_mut().find_map(|recorded| match &mut recorded.command {
        Command::Place { at, .. } => Some(at),
        _ => None,
    });
    wall.ok_or("the recording has no wall")?.x += 1;
    let mut replay = Replay::new(&other)?;
    let desync = loop {
        match replay.step(&Serial) {
            Ok(true) => {}
            Ok(false) => return Err("the changed recording must not replay without a difference".into()),
            Err(error) => break error,
        }
    };
    println!("another wall: {desync}");
    assert!(matches!(desync, ReplayError::Diverged { tick, .. } if tick.0 == 70));
    Ok(())
}
