//! Commands as hostile input: bytes and JSON from a network, given to a World.
//!
//! A command that the World refuses changes nothing. After any commands the World ticks on and its save loads. What was read reads back unchanged, from
//! bytes, from JSON, and from bincode.

use std::sync::OnceLock;

use waymarch::base::{ByteReader, ByteWriter, CellRect, LoadError, Persist, cell};
use waymarch::cost::{Falloff, FootCell, Stamp, ThreatSource};
use waymarch::prelude::*;
use waymarch_maps::scenario::random_command;
use waymarch_maps::{FileError, FileResult, Place};

use crate::saved_state::refused;

/// The header of a seed in bytes: the mutator changes mostly what is behind its first 12 bytes and before its last 8.
const HEAD: [u8; 12] = *b"commands    ";
/// The tail of a seed in bytes.
const TAIL: [u8; 8] = *b"        ";

/// At most 40 commands of an input are given to the World: each is followed by two saves.
const MOST: usize = 40;
/// Then the World ticks 10 times.
const TICKS: u32 = 10;

/// A small World with units of two players, a group under way, a gate, a wall and a threat source.
fn game() -> &'static World {
    static GAME: OnceLock<World> = OnceLock::new();
    GAME.get_or_init(|| {
        let config = Config { sector_size: 8, size_classes: vec![1, 2], ..Config::default() };
        let size = GridSize::new(24, 16).expect("a legal size");
        let map = Map::flat("seed", size, Rules::standard());
        let mut world = World::new(Navigator::new(map, config).expect("a legal map"));
        let foot = world.nav().locomotor("foot").expect("in the rules");
        let kind = world.add_type(UnitType::new("a", foot)).expect("legal");
        let own: Vec<CellPos> = CellRect::at(cell(2, 2), 3, 3).cells().collect();
        let units = world.spawn_many(kind, PlayerId(0), &own).expect("open");
        let others = [cell(20, 12), cell(21, 12)];
        world.spawn_many(kind, PlayerId(1), &others).expect("open");
        world.order(&units, Order::move_to(cell(20, 4)).formation(Formation::Box)).expect("on the map");
        world.queue(&units[..3], Order::patrol([cell(1, 1), cell(9, 9)])).expect("on the map");
        world.place(&Stamp::filled("gate", 2, 1, FootCell::Gate), cell(9, 9)).expect("it fits");
        world.place(&Stamp::solid(1, 3).lasting(9), cell(14, 2)).expect("it fits");
        let threat = ThreatSource { at: cell(5, 5), radius: 3, strength: 9, falloff: Falloff::Flat };
        world.apply(&Command::AddThreat(threat)).expect("on the map");
        (0..7).for_each(|_| world.tick());
        world
    })
}

/// Seeds: commands of every kind for the World of this target.
fn drawn() -> impl Iterator<Item = Vec<Command>> {
    (0..24).map(|seed| (0..12).map(|number| random_command(game(), 100 * seed + number)).collect())
}

/// Seeds in bytes.
pub(crate) fn as_bytes() -> Vec<Vec<u8>> {
    let bytes = |commands: Vec<Command>| {
        let mut writer = ByteWriter::new();
        writer.raw(&HEAD);
        commands.save(&mut writer);
        writer.raw(&TAIL);
        writer.into_bytes()
    };
    drawn().map(bytes).collect()
}

/// Seeds as JSON.
pub(crate) fn as_json() -> Vec<Vec<u8>> {
    drawn().map(|commands| serde_json::to_vec(&commands).expect("writing to memory")).collect()
}

/// Commands in bytes.
///
/// # Errors
/// What is refused.
///
/// # Panics
/// If a check fails.
pub fn commands(bytes: &[u8]) -> FileResult<()> {
    let inside = bytes.get(HEAD.len()..bytes.len().saturating_sub(TAIL.len())).unwrap_or_default();
    let mut reader = ByteReader::new(inside);
    let located = |error: LoadError| {
        assert!(error.at <= inside.len() as u64, "{error} is not in the bytes");
        refused(error)
    };
    let commands = Vec::<Command>::load(&mut reader).map_err(located)?;
    reader.finish().map_err(located)?;
    check_all(&commands);
    Ok(())
}

/// Commands as JSON.
///
/// # Errors
/// What is refused.
///
/// # Panics
/// If a check fails.
pub fn commands_json(bytes: &[u8]) -> FileResult<()> {
    let commands: Vec<Command> = serde_json::from_slice(bytes).map_err(|error| {
        let (line, column) = (error.line().max(1), error.column().max(1));
        FileError::new("in.json", error.to_string()).at(Place::Text { line, column, span: None })
    })?;
    check_all(&commands);
    Ok(())
}

fn check_all(commands: &[Command]) {
    reads_back(commands);
    let mut world = game().clone();
    for command in commands.iter().take(MOST) {
        let before = world.save();
        if let Err(error) = world.apply(command) {
            assert!(!error.to_string().is_empty(), "a refusal without a reason: {command:?}");
            assert!(world.save() == before, "a refused command changed the World: {command:?}");
        }
    }
    for _ in 0..TICKS {
        world.tick();
    }
    let loaded = World::load(&world.save()).expect("its own save");
    assert_eq!(loaded.state_hash(), world.state_hash());
}

/// Checks that commands read back unchanged from bytes, from JSON and from bincode.
fn reads_back(commands: &[Command]) {
    for command in commands {
        let mut writer = ByteWriter::new();
        command.save(&mut writer);
        let mut reader = ByteReader::new(writer.bytes());
        assert_eq!(Command::load(&mut reader).as_ref(), Ok(command));
        assert_eq!(reader.finish(), Ok(()), "{command:?}");
        let text = serde_json::to_string(command).expect("writing to memory");
        let again: Command = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(&again, command, "{text}");
        let compact = bincode::serialize(command).expect("writing to memory");
        assert_eq!(&bincode::deserialize::<Command>(&compact).expect("it was just written"), command);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Debug;

    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use waymarch::base::Angle;
    use waymarch::service::PathReason;
    use waymarch::world::{GroupId, HashMark, Recorded, Setup, UnitMotion};

    use super::*;

    fn same<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
        let text = serde_json::to_string(value).expect("writing to memory");
        assert_eq!(&serde_json::from_str::<T>(&text).expect("it was just written"), value, "{text}");
        let compact = bincode::serialize(value).expect("writing to memory");
        assert_eq!(&bincode::deserialize::<T>(&compact).expect("it was just written"), value);
    }

    /// The name of the variant.
    fn kind_of(value: &impl Debug) -> String {
        let text = format!("{value:?}");
        text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default().to_owned()
    }

    #[test]
    fn commands_and_orders_of_every_kind_read_back_from_json_and_bincode() {
        let (mut commands, mut orders) = (BTreeSet::new(), BTreeSet::new());
        for number in 0..3000 {
            let command = random_command(game(), number);
            reads_back(std::slice::from_ref(&command));
            same(&command);
            if let Command::Order { order, .. } = &command {
                orders.insert(kind_of(order));
            }
            commands.insert(kind_of(&command));
        }
        assert!(commands.len() >= 19, "{commands:?}");
        assert!(orders.len() >= 11, "{orders:?}");
    }

    #[test]
    fn events_of_every_kind_read_back() {
        let reasons = [PathReason::NoRoute, PathReason::GoalClosed];
        let motions = [UnitMotion::Blocked, UnitMotion::Trapped];
        let mut all = vec![
            EventKind::OrderStarted,
            EventKind::Arrived,
            EventKind::ReachedStop(7),
            EventKind::InPlace,
            EventKind::GroupBroke,
            EventKind::GroupTogether,
            EventKind::GroupWaits(GroupId::new(3, 4)),
            EventKind::GroupGoesOn,
            EventKind::Sighted(UnitId::new(5, 6)),
            EventKind::GaveUp(GiveUp::TargetGone),
        ];
        let changes = [
            RouteChange::Ground,
            RouteChange::Stuck,
            RouteChange::Target,
            RouteChange::Opened,
            RouteChange::Crowd,
        ];
        all.extend(changes.map(EventKind::RouteChanged));
        for reason in reasons {
            all.push(EventKind::Blocked(reason));
            all.push(EventKind::GaveUp(GiveUp::Nearest(reason)));
            all.push(EventKind::GaveUp(GiveUp::NoRoute(reason)));
        }
        for state in motions {
            all.push(EventKind::GaveUp(GiveUp::Stuck { state, by: None }));
            all.push(EventKind::GaveUp(GiveUp::Stuck { state, by: Some(UnitId::new(1, 0)) }));
        }
        for what in all {
            same(&Event { unit: UnitId::new(9, 2), what });
        }
        let text = serde_json::to_string(&EventKind::GaveUp(GiveUp::TargetGone)).expect("writing to memory");
        assert_eq!(text, r#"{"gave-up":"target-gone"}"#);
    }

    #[test]
    fn frames_and_recordings_read_back() {
        same(&Frame::of(game()));
        let map = Map::flat("field", GridSize::new(9, 8).expect("legal"), Rules::standard());
        let setup = Setup { config: Config::default(), map, seed: 7 };
        let mut world = setup.world().expect("legal");
        let mut recorder = Recorder::new(setup, 5);
        let foot = world.nav().locomotor("foot").expect("in the rules");
        recorder.apply(&mut world, Command::AddType(UnitType::new("a", foot))).expect("legal");
        let spawn =
            Command::Spawn { kind: UnitTypeId(0), owner: PlayerId(0), at: cell(3, 3), facing: Angle(9) };
        recorder.apply(&mut world, spawn.clone()).expect("legal");
        for _ in 0..12 {
            world.tick();
            recorder.ticked(&world);
        }
        let recording = recorder.finish(&world);
        same(&recording);
        same(&Recorded { tick: Tick(3), command: spawn });
        same::<Vec<HashMark>>(&recording.marks);
        assert!(recording.marks.len() > 1);
    }

    #[test]
    fn a_refused_command_of_every_kind_leaves_the_world_as_it_was() {
        let mut refusals = BTreeSet::new();
        for number in 0..4000 {
            let command = random_command(game(), number);
            let mut world = game().clone();
            if world.apply(&command).is_err() {
                assert_eq!(world.save(), game().save(), "{command:?}");
                assert_eq!(world.state_hash(), game().state_hash(), "{command:?}");
                refusals.insert(kind_of(&command));
            }
        }
        // `SetTeam` is never refused.
        assert!(refusals.len() >= 18, "{refusals:?}");
    }
}
