//! Recordings that end right after a command. They once did not replay.

use waymarch::base::{Angle, GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules};
use waymarch::world::{
    Command, PlayerId, Recorder, Recording, Replay, ReplayError, Serial, Setup, UnitType, UnitTypeId,
};

fn replay(recording: &Recording) -> Result<u64, ReplayError> {
    let bytes = recording.to_bytes();
    let recording = Recording::from_bytes(&bytes).expect("its own bytes");
    let mut replay = Replay::new(&recording)?;
    while replay.step(&Serial)? {}
    assert_eq!(replay.world().now(), recording.end);
    Ok(replay.compared())
}

/// A recording of a few ticks that ends after a command. Marks are made every `every` ticks.
fn recording_that_ends_with_a_command(every: u32, ticks: u32) -> Recording {
    let map = Map::flat("field", GridSize::new(64, 64).expect("legal"), Rules::standard());
    let setup = Setup { map, config: Config::default(), seed: 0 };
    let mut world = setup.world().expect("legal");
    let mut recorder = Recorder::new(setup, every);
    let foot = world.nav().locomotor("foot").expect("in the rules");
    recorder.apply(&mut world, Command::AddType(UnitType::new("soldier", foot))).expect("legal");
    let spawn =
        |x| Command::Spawn { kind: UnitTypeId(0), owner: PlayerId(0), at: cell(x, 3), facing: Angle::ZERO };
    recorder.apply(&mut world, spawn(3)).expect("open");
    for _ in 0..ticks {
        world.tick();
        recorder.ticked(&world);
    }
    recorder.apply(&mut world, spawn(5)).expect("open");
    recorder.finish(&world)
}

#[test]
fn a_recording_that_ends_right_after_a_command_replays() {
    for every in [0, 1, 3] {
        for ticks in 0..5 {
            let recording = recording_that_ends_with_a_command(every, ticks);
            let compared = replay(&recording);
            assert_eq!(
                compared,
                Ok(recording.marks.len() as u64),
                "marks every {every} ticks, {ticks} ticks"
            );
        }
    }
}

#[test]
fn a_last_command_that_replays_differently_is_noticed() {
    for every in [0, 1] {
        let mut recording = recording_that_ends_with_a_command(every, 4);
        recording.commands.pop();
        let diverged = replay(&recording);
        assert!(matches!(diverged, Err(ReplayError::Diverged { .. })), "{diverged:?}");
    }
}

/// Recordings of version 0.1 have no mark after the last commands if a mark was due in that tick.
#[test]
fn a_recording_whose_last_mark_is_from_before_its_last_command_replays() {
    let mut recording = recording_that_ends_with_a_command(1, 4);
    recording.marks.pop();
    assert_eq!(replay(&recording), Ok(4));
}
