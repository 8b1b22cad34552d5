//! A World that is saved and loaded, restored, or recorded and replayed equals the original at every tick.

use waymarch::base::{Angle, CellPos, CellRect, Fixed, GridSize, LocomotorId, StateHasher, Tick, cell};
use waymarch::config::{Config, GroupSpeed, RepathFrequency};
use waymarch::cost::{
    Falloff, FootCell, GateState, Map, Rules, Stamp, StampId, TerrainId, ThreatId, ThreatSource,
};
use waymarch::groups::{Formation, FormationLayout, Role};
use waymarch::query::Goal;
use waymarch::world::{
    Around, Command, Fire, Order, PlayerId, Recorder, Recording, Replay, ReplayError, Serial, Setup, Target,
    TeamId, UnitId, UnitType, UnitTypeId, When, World,
};
use waymarch_testkit::splitmix::SplitMix;

const SIDE: u32 = 48;

fn setup(seed: u64) -> Setup {
    let mut rng = SplitMix::new(seed);
    let size = GridSize::new(SIDE, SIDE).expect("legal");
    let mut map = Map::flat("field", size, Rules::standard());
    for _ in 0..rng.below(120) {
        map.set_terrain(somewhere(&mut rng), TerrainId([2, 2, 6][rng.below(3) as usize]));
    }
    let frequency = [RepathFrequency::Adaptive, RepathFrequency::Low][rng.below(2) as usize];
    let group_speed = [GroupSpeed::Own, GroupSpeed::Slowest][rng.below(2) as usize];
    let config = Config {
        max_paths_per_tick: 2,
        sector_size: 16,
        repath_frequency: frequency,
        group_speed,
        ..Config::default()
    };
    Setup { config, map, seed }
}

fn somewhere(rng: &mut SplitMix) -> CellPos {
    cell(rng.below(SIDE) as i32, rng.below(SIDE) as i32)
}

fn pick<T: Copy>(rng: &mut SplitMix, list: &[T]) -> Option<T> {
    list.get(rng.below(list.len().max(1) as u32) as usize).copied()
}

/// Commands that add the unit types of all games here.
fn kinds(world: &World) -> Vec<Command> {
    let foot = world.nav().locomotor("foot").expect("in the rules");
    let wheel = world.nav().locomotor("wheel").expect("in the rules");
    let fast = UnitType { speed: Fixed::from_raw(500), role: Role::Front, ..UnitType::new("car", wheel) };
    vec![Command::AddType(UnitType::new("soldier", foot)), Command::AddType(fast)]
}

/// A change of settings; some need new layers and some do not.
fn other_settings(rng: &mut SplitMix) -> Command {
    let mut config = Config { path_lanes: 1 + rng.below(5), ..Config::default() };
    config.flowfield_group_threshold = 2 + rng.below(9);
    match rng.below(8) {
        0 => config.sector_size = 16,
        1 => config.jps_precomputed = false,
        2 => config.threat_max_cost = 30,
        3 => config.avoidance_neighbours = 2,
        _ => {}
    }
    Command::Configure(Box::new(config))
}

/// A random command; some are refused.
fn command(world: &World, rng: &mut SplitMix) -> Command {
    let units: Vec<UnitId> = world.units().map(|unit| unit.id).collect();
    let stamps: Vec<StampId> = world.nav().layer().stamps().map(|(id, ..)| id).collect();
    let threats: Vec<ThreatId> = world.nav().layer().threat().sources().map(|(id, _)| id).collect();
    let some: Vec<UnitId> = (0..1 + rng.below(6)).filter_map(|_| pick(rng, &units)).collect();
    let when = [When::Now, When::Now, When::Queued][rng.below(3) as usize];
    let source = ThreatSource { at: somewhere(rng), radius: 6, strength: 90, falloff: Falloff::Linear };
    let spawn = Command::Spawn {
        kind: UnitTypeId(rng.below(2) as u16),
        owner: PlayerId(1),
        at: somewhere(rng),
        facing: Angle(rng.below(65_536) as u16),
    };
    match rng.below(28) {
        20 => other_settings(rng),
        21..=27 => group_command(rng, some, &units, &stamps, when),
        0..=3 => spawn,
        4..=8 => Command::Order { units: some, order: Order::move_to(somewhere(rng)), when },
        9 => {
            let goal = Goal::circle(somewhere(rng), Fixed::from_cells(4));
            Command::Order { units: some, order: Order::Move(goal), when }
        }
        10 => Command::Order { units: some, order: Order::patrol([somewhere(rng), somewhere(rng)]), when },
        11 => match pick(rng, &units) {
            Some(target) => {
                Command::Order { units: some, order: Order::follow(target, Fixed::from_cells(2)), when }
            }
            None => spawn,
        },
        12 => Command::Order {
            units: some,
            order: [Order::Stop, Order::Hold][rng.below(2) as usize].clone(),
            when,
        },
        13 | 14 => {
            let foot = [FootCell::Blocked, FootCell::Blocked, FootCell::Gate][rng.below(3) as usize];
            let stamp = Stamp::filled("thing", 1 + rng.below(9), 1 + rng.below(9), foot);
            let stamp = if rng.below(2) == 0 { stamp.lasting(3 + rng.below(20)) } else { stamp };
            Command::Place { stamp, at: somewhere(rng) }
        }
        15 => pick(rng, &stamps).map_or(spawn, Command::RemoveStamp),
        16 => pick(rng, &stamps).map_or(spawn, |id| Command::SetGate { id, gate: GateState::Open }),
        17 => {
            let terrain = TerrainId([0, 2][rng.below(2) as usize]);
            Command::SetTerrain { area: CellRect::at(somewhere(rng), 4, 4), terrain }
        }
        18 => match pick(rng, &threats) {
            Some(id) if rng.below(2) == 0 => Command::RemoveThreat(id),
            _ => Command::AddThreat(source),
        },
        _ => pick(rng, &units).map_or(spawn, Command::Remove),
    }
}

/// A random group command: an order around a target, or a change while the group moves.
fn group_command(
    rng: &mut SplitMix,
    units: Vec<UnitId>,
    all: &[UnitId],
    stamps: &[StampId],
    when: When,
) -> Command {
    let other = pick(rng, all).unwrap_or(UnitId::DEAD);
    let target = match rng.below(3) {
        0 => Target::Cell(somewhere(rng)),
        1 => Target::Unit(other),
        _ => Target::Stamp(pick(rng, stamps).unwrap_or(StampId::DEAD)),
    };
    let (near, far) = (Fixed::from_cells(2), Fixed::from_cells(7));
    let fire = [Fire::OverAll, Fire::Along(LocomotorId(0))][rng.below(2) as usize];
    let how = match rng.below(4) {
        0 => Around::InRange { least: near, most: far, fire },
        1 => Around::Surround,
        2 => Around::Park,
        _ => Around::Dock { queue: Angle(rng.below(65_536) as u16) },
    };
    let formation = [Formation::Line, Formation::Wedge, Formation::Hex][rng.below(3) as usize].clone();
    let facing = [None, Some(Angle(rng.below(65_536) as u16))][rng.below(2) as usize];
    let order = match rng.below(12) {
        0 => return Command::Join { units, with: other },
        1 => return Command::Reform { units, formation, facing },
        2 => return Command::Engage(units),
        3 if rng.below(2) == 0 => {
            let (player, team) = (PlayerId(rng.below(2) as u8), TeamId(rng.below(2) as u8));
            return Command::SetTeam { player, team };
        }
        3 => return Command::Resume(all.to_vec()),
        4 => Order::attack_move(Goal::rect(CellRect::at(somewhere(rng), 8, 6)), far),
        5 => {
            let layout = FormationLayout {
                spacing: Fixed::from_raw(rng.below(2) as i32 * 700),
                width: Fixed::from_cells(rng.below(9) as i32),
                angle: Angle([0, 9000][rng.below(2) as usize]),
                ..FormationLayout::default()
            };
            let layout = layout.for_formation(&formation);
            Order::Form { at: somewhere(rng), formation, facing, layout }
        }
        6 => Order::Guard { target, leash: far },
        7 => Order::FollowGroup { units: all[all.len() / 2..].to_vec(), distance: near },
        8 => Order::Scatter { distance: near },
        _ => Order::Around { target, how },
    };
    // A third of the orders go to all units, to form large groups.
    let units = if rng.below(3) == 0 { all.to_vec() } else { units };
    Command::Order { units, order, when }
}

/// Plays a game of `ticks` ticks and calls `seen` after the commands of each tick and after each tick.
fn play(seed: u64, ticks: u32, mut seen: impl FnMut(&World)) -> Recording {
    let setup = setup(seed);
    let mut world = setup.world().expect("legal");
    let mut recorder = Recorder::new(setup, 1);
    let mut rng = SplitMix::new(seed ^ 0xABCD);
    for kind in kinds(&world) {
        recorder.apply(&mut world, kind).expect("legal kinds");
    }
    for _ in 0..ticks {
        for _ in 0..rng.below(4) {
            let command = command(&world, &mut rng);
            // Commands may be refused.
            let _ = recorder.apply(&mut world, command);
        }
        seen(&world);
        world.tick();
        recorder.ticked(&world);
        seen(&world);
    }
    recorder.finish(&world)
}

#[test]
fn saving_loading_and_restoring_at_every_tick_changes_nothing() {
    for seed in 0..6 {
        let mut last: Option<(World, World)> = None;
        play(seed, 90, |world| {
            let expected = world.state_hash();
            let what = format!("seed {seed}, tick {}", world.now());
            if let Some((mut loaded, mut restored)) = last.take() {
                // The twins did not get the commands that came before the save in the same tick.
                if loaded.now() < world.now() {
                    for twin in [&mut loaded, &mut restored] {
                        twin.tick();
                        assert_eq!(twin.state_hash().first_difference(&expected), None, "{what}");
                        assert_eq!(twin.events(), world.events(), "{what}");
                    }
                }
                last = Some((loaded, restored));
            }
            let saved = world.save();
            let loaded = World::load(&saved).expect("what was saved");
            // The restored World has run on for a while and held another state before.
            let mut restored = last.take().map_or_else(|| world.clone(), |(_, restored)| restored);
            (0..3).for_each(|_| restored.tick());
            restored.restore(&saved).expect("what was saved");
            for twin in [&loaded, &restored] {
                assert_eq!(twin.state_hash().first_difference(&expected), None, "{what}");
                assert!(twin.save() == saved, "{what}: equal Worlds are saved alike");
            }
            last = Some((loaded, restored));
        });
    }
}

#[test]
fn damaged_bytes_are_refused_and_change_nothing() {
    let mut world = None;
    play(3, 40, |now| world = Some(now.clone()));
    let mut world = world.expect("played");
    let saved = world.save();
    world.tick();
    let before = world.save();
    for at in (0..saved.len()).step_by(11) {
        let mut damaged = saved.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(world.restore(&damaged).is_err() && world.restore(&saved[..at]).is_err(), "byte {at}");
    }
    assert!(world.save() == before);
    world.restore(&saved).expect("whole bytes");
    assert!(world.save() == saved);
}

/// Members are counted by group index. With such a save, the first tick would allocate memory for 1.6 billion groups.
#[test]
fn a_membership_of_a_group_that_never_was_is_refused() {
    let mut world = setup(1).world().expect("legal");
    kinds(&world).iter().for_each(|kind| {
        world.apply(kind).expect("legal");
    });
    let squad: Vec<CellPos> = CellRect::at(cell(4, 4), 4, 3).cells().collect();
    squad.iter().for_each(|&at| {
        drop(world.apply(&Command::SetTerrain { area: CellRect::at(at, 1, 1), terrain: TerrainId(0) }))
    });
    let units = world.spawn_many(UnitTypeId(0), PlayerId(0), &squad).expect("open ground");
    world.order(&units, Order::move_to(cell(30, 30)).formation(Formation::Box)).expect("legal");
    (0..3).for_each(|_| world.tick());
    let group = world.group_of(units[0]).expect("a group was formed").to_bits();
    let saved = world.save();
    let mut refused = 0;
    for at in 12..saved.len() - 16 {
        if saved[at..at + 8] != group.to_le_bytes() {
            continue;
        }
        let mut bytes = saved.clone();
        bytes[at + 4..at + 8].copy_from_slice(&0x6000_0000_u32.to_le_bytes());
        let end = bytes.len() - 8;
        let mut hasher = StateHasher::new();
        hasher.write_raw(&bytes[..end]);
        bytes[end..].copy_from_slice(&hasher.finish().to_le_bytes());
        let error = World::load(&bytes).err();
        refused += usize::from(
            error.is_some_and(|error| error.what == "a unit is a member of a group that never existed"),
        );
    }
    assert!(refused >= units.len(), "{refused} refused");
}

fn replayed(recording: &Recording) -> Result<u64, ReplayError> {
    let mut replay = Replay::new(recording)?;
    while replay.step(&Serial)? {}
    Ok(replay.world().state_hash().total())
}

#[test]
fn a_replay_is_the_same_game() {
    let mut hash = 0;
    let recording = play(5, 120, |world| hash = world.state_hash().total());
    let again = Recording::from_bytes(&recording.to_bytes()).expect("what was written");
    assert_eq!(again, recording);
    assert_eq!(replayed(&again), Ok(hash));
}

#[test]
fn a_command_that_was_tampered_with_is_found_at_its_tick() {
    let recording = play(6, 80, |_| {});
    let is_spawn = |command: &Command| matches!(command, Command::Spawn { .. });
    // The last command of its tick: later commands might name the unit and be refused.
    let number = recording.commands.windows(2).position(|pair| {
        pair[0].tick > Tick(20) && pair[1].tick > pair[0].tick && is_spawn(&pair[0].command)
    });
    let number = number.expect("units are spawned all the time");
    let tick = recording.commands[number].tick;
    let mut tampered = recording.clone();
    if let Command::Spawn { facing, .. } = &mut tampered.commands[number].command {
        facing.0 ^= 0x4000;
    }
    let error = replayed(&tampered).expect_err("it is another game");
    let expected = ReplayError::Diverged { tick: tick.next(), part: "units".to_string(), same: tick };
    assert_eq!(error, expected);
    let mut without = recording.clone();
    without.commands.remove(number);
    assert!(matches!(replayed(&without), Err(ReplayError::Diverged { tick: at, .. }) if at == tick.next()));
    // A command that cannot be carried out is named.
    let mut early = recording;
    early.commands.insert(0, early.commands[number].clone());
    early.commands[0].tick = Tick::ZERO;
    assert!(matches!(replayed(&early), Err(ReplayError::Refused { tick: Tick::ZERO, number: 0, .. })));
}

#[test]
fn damaged_recordings_are_refused() {
    let bytes = play(7, 10, |_| {}).to_bytes();
    for at in (0..bytes.len()).step_by(3) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Recording::from_bytes(&damaged).is_err(), "bit flipped in byte {at}");
        assert!(Recording::from_bytes(&bytes[..at]).is_err(), "cut to {at} bytes");
    }
}
