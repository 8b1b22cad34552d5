//! The World as state: save and load, executors, state hash, and commands as bytes.

use waymarch::base::{
    Angle, ByteReader, ByteWriter, CellPos, CellRect, CollisionLayers, Dir8, Fixed, Id, LocomotorId, Persist,
    StampId, Vec2, cell,
};
use waymarch::config::Config;
use waymarch::cost::{Falloff, GateState, Stamp, TerrainId, ThreatSource};
use waymarch::groups::Formation;
use waymarch::query::{Goal, Shape};
use waymarch::world::{
    Around, Command, Event, Executor, Fire, Order, PlayerId, TeamId, UnitId, UnitType, UnitTypeId, When,
    World,
};
use waymarch_testkit::worlds::{flat_world, soldier};

use crate::squads::Backwards;

/// A World with all kinds of orders on a map that is edited.
fn busy() -> (World, Vec<UnitId>) {
    let mut world = flat_world(96, 96, Config::default());
    let kind = soldier(&mut world);
    let places: Vec<CellPos> = CellRect::at(cell(2, 2), 15, 10).cells().collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).expect("open");
    world.order(&units[..60], Order::move_to(cell(80, 80))).expect("good");
    world.queue(&units[..60], Order::move_to(cell(5, 80))).expect("good");
    world.order(&units[60..80], Order::patrol([cell(80, 5), cell(40, 50)])).expect("good");
    world.order(&units[80..100], Order::follow(units[0], Fixed::from_cells(4))).expect("good");
    let range = Goal::AnyOf(vec![
        Shape::Point(cell(90, 3)),
        Shape::Circle { centre: cell(50, 50), radius: Fixed::ONE },
    ]);
    world.order(&units[100..120], Order::Move(range)).expect("good");
    world.order(&units[120..130], Order::Hold).expect("good");
    // Groups around targets, some of which move.
    let far = Fixed::from_cells(6);
    world.order(&units[130..138], Order::around(units[62], Around::in_range(Fixed::ONE, far))).expect("good");
    world
        .order(&units[138..143], Order::around(cell(30, 20), Around::Dock { queue: Dir8::E.into() }))
        .expect("good");
    let attack = Order::attack_move(Goal::rect(CellRect::at(cell(60, 20), 8, 8)), far);
    world.order(&units[143..148], attack).expect("good");
    world.order(&units[148..149], Order::guard(units[60], far)).expect("good");
    let units_followed = units[60..80].to_vec();
    world.order(&units[149..], Order::FollowGroup { units: units_followed, distance: far }).expect("good");
    let enemy = world.spawn(kind, PlayerId(1), cell(40, 12)).expect("open");
    world.order(&[enemy], Order::Hold).expect("good");
    (world, units)
}

/// The edits and commands of a tick.
fn meddle(world: &mut World, units: &[UnitId], tick: u64) {
    let done = match tick {
        10 => world.place(&Stamp::solid(30, 2), cell(30, 40)).map(drop),
        25 => world.place(&Stamp::solid(96, 1).lasting(60), cell(0, 60)).map(drop).or(Ok(())),
        26 => world.place(&Stamp::solid(60, 1).lasting(60), cell(0, 60)).map(drop),
        40 => world.remove(units[65]),
        41 => world.order(&units[..5], Order::move_to(cell(3, 3))),
        45 => world.engage(&units[143..146]),
        46 => world.join(&units[125..130], units[10]),
        48 => world.reform(&units[10..11], &Formation::Line, Some(Dir8::S.into())),
        70 => world.resume(&units[143..148]),
        75 => world.order(&units[20..40], Order::Scatter { distance: Fixed::from_cells(3) }),
        50 => world.place(&Stamp::solid(9, 9), cell(20, 20)).map(drop),
        _ => Ok(()),
    };
    done.expect("it can be done");
}

#[test]
fn loaded_worlds_continue_like_the_saved_ones() {
    let (mut world, units) = busy();
    for tick in 0..120 {
        meddle(&mut world, &units, tick);
        let mut again = World::load(&world.save()).expect("what was saved");
        assert_eq!(again.state_hash(), world.state_hash(), "tick {tick}");
        if tick % 7 == 0 {
            let mut other = world.clone();
            for _ in 0..20 {
                other.tick();
                again.tick();
                assert_eq!(again.state_hash(), other.state_hash(), "from tick {tick} at {}", other.now());
                assert_eq!(again.events(), other.events());
            }
        }
        world.tick();
    }
}

#[test]
fn damaged_bytes_are_refused_or_make_a_world_that_ticks() {
    let (mut world, _) = busy();
    (0..30).for_each(|_| world.tick());
    let mut writer = ByteWriter::new();
    world.save_units(&mut writer);
    let bytes = writer.into_bytes();
    let load = |bytes: &[u8]| World::load_units(world.service().clone(), &mut ByteReader::new(bytes));
    for length in (0..bytes.len()).step_by(97) {
        assert!(load(&bytes[..length]).is_err(), "{length} bytes are incomplete");
    }
    let mut accepted = 0;
    for at in (0..bytes.len()).step_by(53) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        if let Ok(mut loaded) = load(&damaged) {
            accepted += 1;
            (0..3).for_each(|_| loaded.tick());
        }
    }
    assert!(accepted > 0, "some bytes, such as a facing, may have any value");
}

fn story(executor: &impl Executor) -> Vec<(u64, Vec<Event>)> {
    let (mut world, units) = busy();
    (0..150)
        .map(|tick| {
            meddle(&mut world, &units, tick);
            world.tick_with(executor);
            assert!(world.events().is_sorted_by_key(|event| event.unit.index()));
            (world.state_hash().total(), world.events().to_vec())
        })
        .collect()
}

#[test]
fn the_executor_and_its_order_change_nothing() {
    let serial = story(&waymarch::world::Serial);
    assert_eq!(story(&Backwards), serial);
    #[cfg(feature = "parallel")]
    for threads in [1, 2, 3, 8] {
        let threads = waymarch::world::Threads::new(threads).expect("the machine has threads");
        assert_eq!(story(&threads), serial);
    }
}

#[test]
fn the_hash_says_which_part_differs() {
    let (mut world, units) = busy();
    let before = world.state_hash();
    world.order(&units[..1], Order::move_to(cell(9, 90))).expect("good");
    let part = world.state_hash().first_difference(&before);
    assert_eq!(part, Some("orders"));
    assert_ne!(
        World::with_seed(world.nav().clone(), 1).state_hash(),
        World::new(world.nav().clone()).state_hash()
    );
}

#[test]
fn commands_survive_a_round_trip_through_bytes() {
    let source = ThreatSource { at: cell(3, 4), radius: 7, strength: 9, falloff: Falloff::Linear };
    let (unit, stamp, threat): (UnitId, StampId, _) = (Id::new(3, 1), Id::new(4, 2), Id::new(5, 3));
    let area = CellRect::at(cell(2, 3), 4, 5);
    let shots = Around::InRange { least: Fixed::ZERO, most: Fixed::ONE, fire: Fire::Along(LocomotorId(3)) };
    let order = |order, when| Command::Order { units: vec![unit, Id::new(9, 0)], order, when };
    let commands = [
        Command::AddType(UnitType::new("soldier é", waymarch::base::LocomotorId(1))),
        Command::Spawn { kind: UnitTypeId(2), owner: PlayerId(3), at: cell(4, 5), facing: Angle::QUARTER },
        Command::Remove(unit),
        order(Order::move_to(cell(3, 4)), When::Now),
        order(Order::patrol([cell(1, 2), cell(3, 4)]), When::Queued),
        order(Order::follow(unit, Fixed::HALF), When::Now),
        order(Order::Stop, When::Now),
        order(Order::Hold, When::Queued),
        Command::Place { stamp: Stamp::solid(3, 2).lasting(9), at: cell(1, 1) },
        Command::RemoveStamp(stamp),
        Command::SetGate { id: stamp, gate: GateState::Open },
        Command::SetTerrain { area, terrain: TerrainId(3) },
        Command::SetElevation { area, height: -7 },
        Command::AddThreat(source),
        Command::SetThreat { id: threat, source },
        Command::RemoveThreat(threat),
        order(Order::attack_move(Goal::rect(area), Fixed::ONE), When::Now),
        order(Order::FollowGroup { units: vec![unit], distance: Fixed::ONE }, When::Now),
        order(Order::guard(stamp, Fixed::ONE), When::Now),
        order(Order::guard(cell(3, 4), Fixed::ONE), When::Now),
        order(Order::around(unit, Around::Surround), When::Now),
        order(Order::around(stamp, Around::Park), When::Now),
        order(Order::around(unit, Around::in_range(Fixed::HALF, Fixed::ONE)), When::Now),
        order(Order::around(stamp, shots), When::Queued),
        order(Order::around(cell(3, 4), Around::Dock { queue: Angle::HALF }), When::Now),
        order(Order::Scatter { distance: Fixed::ONE }, When::Now),
        Command::Join { units: vec![unit], with: Id::new(7, 0) },
        Command::Reform { units: vec![unit], formation: Formation::Wedge, facing: Some(Angle::QUARTER) },
        Command::Engage(vec![unit]),
        Command::Resume(vec![unit, Id::new(7, 0)]),
        Command::Put { unit, at: Vec2::from_cells(3, 4), velocity: Vec2::from_cells(0, -1) },
        Command::SetTeam { player: PlayerId(3), team: TeamId(250) },
        Command::AddType(UnitType {
            layers: Some(CollisionLayers::ALL),
            ..UnitType::new("b", LocomotorId(1))
        }),
    ];
    for command in commands {
        let mut writer = ByteWriter::new();
        command.save(&mut writer);
        let mut reader = ByteReader::new(writer.bytes());
        assert_eq!(Command::load(&mut reader).as_ref(), Ok(&command));
        assert_eq!(reader.finish(), Ok(()));
        for length in 0..writer.bytes().len() {
            assert!(Command::load(&mut ByteReader::new(&writer.bytes()[..length])).is_err(), "{command:?}");
        }
    }
    assert!(Command::load(&mut ByteReader::new(&[13])).is_err());
}
