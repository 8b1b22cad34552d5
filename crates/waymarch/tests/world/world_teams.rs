//! Teams: allies make way for each other like units of one player, and the command that changes a team is part of the game.

use waymarch::base::{Angle, ByteWriter, CellPos, CellRect, Fine, Fixed, GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, TerrainId};
use waymarch::query::Goal;
use waymarch::world::{
    Command, EventKind, Navigator, Order, PlayerId, Recorder, Recording, Relation, Replay, Serial, Setup,
    TeamId, UnitId, UnitType, UnitTypeId, When, World,
};

use crate::squads::other_executor;

const WALL: TerrainId = TerrainId(6);

/// A wall with a gap of one cell and a gap of four cells, on a field.
fn walled_map() -> Map {
    let mut map = Map::flat("field", GridSize::new(64, 48).expect("legal"), Rules::standard());
    for y in (0..48).filter(|y| *y != 12 && !(30..34).contains(y)) {
        map.set_terrain(cell(32, y), WALL);
    }
    map
}

fn world() -> (World, UnitTypeId) {
    let mut world = World::new(Navigator::new(walled_map(), Config::default()).expect("legal"));
    let foot = world.nav().locomotor("foot").expect("in the rules");
    let kind = world.add_type(UnitType::new("soldier", foot)).expect("legal");
    (world, kind)
}

fn spawn(world: &mut World, kind: UnitTypeId, owner: PlayerId, area: CellRect) -> Vec<UnitId> {
    let places: Vec<CellPos> = area.cells().collect();
    world.spawn_many(kind, owner, &places).expect("open ground")
}

fn places(world: &World) -> Vec<Option<Fine>> {
    world.units().map(|unit| world.place_of(unit.id)).collect()
}

/// Units of player 0, and units of `other`: in each other's way in the open, in front of gates and in them.
fn together(other: PlayerId, team: TeamId) -> World {
    let (mut world, kind) = world();
    world.set_team(other, team);
    let first = PlayerId(0);
    let march = |world: &mut World, owner, area, to| {
        let units = spawn(world, kind, owner, area);
        world.order(&units, Order::move_to(to)).expect("legal");
    };
    // An idle block of the other player, right before and in the wide gap, and one in the open.
    spawn(&mut world, kind, other, CellRect::at(cell(28, 30), 6, 4));
    spawn(&mut world, kind, other, CellRect::at(cell(14, 38), 4, 6));
    march(&mut world, first, CellRect::at(cell(4, 28), 5, 5), cell(56, 31));
    march(&mut world, first, CellRect::at(cell(4, 38), 4, 4), cell(26, 40));
    // Groups that cross.
    march(&mut world, other, CellRect::at(cell(12, 2), 5, 5), cell(14, 24));
    march(&mut world, first, CellRect::at(cell(2, 14), 5, 5), cell(26, 16));
    // Units that go through the narrow gap in both directions.
    for number in 0..4 {
        march(&mut world, first, CellRect::at(cell(27, 10 + number), 1, 1), cell(44, 9 + number));
        march(&mut world, other, CellRect::at(cell(38, 10 + number), 1, 1), cell(22, 9 + number));
    }
    world
}

#[test]
fn allies_make_way_for_each_other_like_units_of_one_player() {
    let mut own = together(PlayerId(0), TeamId(0));
    let mut allied = together(PlayerId(1), TeamId(0));
    let mut hostile = together(PlayerId(1), TeamId(1));
    let mut differs = false;
    for tick in 0..700 {
        [&mut own, &mut allied, &mut hostile].into_iter().for_each(World::tick);
        assert_eq!(places(&own), places(&allied), "tick {tick}");
        let what = |world: &World| world.events().iter().map(|event| event.what).collect::<Vec<_>>();
        assert_eq!(what(&own), what(&allied), "tick {tick}");
        differs |= places(&own) != places(&hostile);
    }
    assert!(differs, "enemies do not make way");
}

#[test]
fn players_are_enemies_until_they_are_in_one_team() {
    let (mut world, _) = world();
    let (a, b, c) = (PlayerId(3), PlayerId(4), PlayerId(250));
    assert_eq!([a, b, c].map(|player| world.team_of(player).0), [3, 4, 250]);
    assert_eq!(world.relation(a, a), Relation::Own);
    assert_eq!(world.relation(a, b), Relation::Enemy);
    world.set_team(a, TeamId(250));
    world.set_team(b, TeamId(250));
    for (one, other) in [(a, b), (b, c), (c, a)] {
        assert_eq!([world.relation(one, other), world.relation(other, one)], [Relation::Ally; 2]);
    }
    assert!(Relation::Own.is_friendly() && Relation::Ally.is_friendly() && !Relation::Enemy.is_friendly());
    world.set_team(b, TeamId(4));
    assert_eq!(world.relation(a, b), Relation::Enemy);
}

#[test]
fn allies_are_not_sighted_until_they_leave_the_team() {
    let (mut world, kind) = world();
    let scout = world.spawn(kind, PlayerId(0), cell(4, 4)).expect("open");
    let other = world.spawn(kind, PlayerId(1), cell(10, 4)).expect("open");
    world.set_team(PlayerId(1), TeamId(0));
    let order = Order::attack_move(Goal::point(cell(16, 4)), Fixed::from_cells(12));
    world.order(&[scout], order).expect("legal");
    let sights = |world: &mut World| {
        (0..20).any(|_| {
            world.tick();
            world.events().iter().any(|event| event.what == EventKind::Sighted(other))
        })
    };
    assert!(!sights(&mut world));
    world.set_team(PlayerId(1), TeamId(1));
    assert!(sights(&mut world));
    world.set_team(PlayerId(0), TeamId(1));
    assert!(!sights(&mut world));
}

#[test]
fn teams_are_hashed_and_saved_only_while_a_player_has_left_its_first_team() {
    let (mut world, kind) = world();
    world.spawn(kind, PlayerId(1), cell(4, 4)).expect("open");
    let (before, saved) = (world.state_hash(), world.save());
    world.set_team(PlayerId(1), TeamId(9));
    assert_eq!(before.first_difference(&world.state_hash()), Some("units"));
    let loaded = World::load(&world.save()).expect("its own save");
    assert_eq!(loaded.team_of(PlayerId(1)), TeamId(9));
    assert_eq!(loaded.state_hash(), world.state_hash());
    // A player without units counts too.
    let mut other = loaded.clone();
    other.set_team(PlayerId(200), TeamId(9));
    assert_eq!(other.state_hash().first_difference(&loaded.state_hash()), Some("units"));
    world.set_team(PlayerId(1), TeamId(1));
    assert_eq!(world.state_hash(), before);
    assert!(world.save() == saved, "no trace is left");
}

/// Equal teams have one form as bytes. A save that lists a player twice, or in its first team, is refused.
#[test]
fn a_save_whose_teams_are_not_in_order_is_refused() {
    let (mut world, _) = world();
    world.set_team(PlayerId(3), TeamId(9));
    world.set_team(PlayerId(5), TeamId(9));
    let mut writer = ByteWriter::new();
    world.save_units(&mut writer);
    let bytes = writer.into_bytes();
    let found: Vec<usize> = (0..bytes.len() - 3).filter(|&at| bytes[at..at + 4] == [3, 9, 5, 9]).collect();
    let &[at] = &found[..] else { panic!("{found:?}") };
    let load = |change: [u8; 4]| {
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&change);
        let nav = Navigator::new(walled_map(), Config::default()).expect("legal");
        let service = waymarch::world::PathService::new(nav);
        World::load_units(service, &mut waymarch::base::ByteReader::new(&changed)).map(|_| ())
    };
    assert_eq!(load([3, 9, 5, 9]), Ok(()));
    for wrong in [[5, 9, 3, 9], [3, 9, 3, 9], [3, 3, 5, 9]] {
        let error = load(wrong).expect_err("refused").to_string();
        assert!(error.contains("teams"), "{error}");
    }
}

/// The commands of a game in which alliances change while armies are in each other's way.
fn commands(tick: u32) -> Vec<Command> {
    let set = |player, team| Command::SetTeam { player: PlayerId(player), team: TeamId(team) };
    let spawn = |owner, area: CellRect| {
        let facing = Angle::ZERO;
        area.cells()
            .map(move |at| Command::Spawn { kind: UnitTypeId(0), owner: PlayerId(owner), at, facing })
            .collect::<Vec<_>>()
    };
    let march = |units: core::ops::Range<u32>, to| Command::Order {
        units: units.map(|index| UnitId::new(index, 0)).collect(),
        order: Order::attack_move(Goal::point(to), Fixed::from_cells(5)),
        when: When::Now,
    };
    match tick {
        0 => {
            let foot = waymarch::base::LocomotorId(0);
            let kind = vec![Command::AddType(UnitType::new("soldier", foot))];
            let armies = [
                spawn(0, CellRect::at(cell(20, 28), 4, 4)),
                spawn(1, CellRect::at(cell(40, 28), 4, 4)),
                spawn(2, CellRect::at(cell(30, 30), 4, 4)),
            ];
            let orders = vec![march(0..16, cell(50, 31)), march(16..32, cell(12, 31))];
            kind.into_iter().chain(armies.into_iter().flatten()).chain(orders).collect()
        }
        30 => vec![set(2, 0)],
        70 => vec![set(1, 0), set(255, 7)],
        110 => vec![set(0, 1), set(2, 2)],
        150 => vec![set(1, 1), set(2, 1)],
        _ => Vec::new(),
    }
}

#[test]
fn teams_that_change_in_a_game_are_saved_loaded_recorded_and_replayed_alike() {
    let setup = Setup { config: Config::default(), map: walled_map(), seed: 3 };
    let mut world = setup.world().expect("legal");
    let mut recorder = Recorder::new(setup, 1);
    let mut twins: Vec<World> = Vec::new();
    let (mut sighted, mut teams_seen) = (0, Vec::new());
    let threads = other_executor();
    for tick in 0..260 {
        for command in commands(tick) {
            recorder.apply(&mut world, command.clone()).expect("legal");
            for twin in &mut twins {
                twin.apply(&command).expect("legal");
            }
        }
        if [5, 31, 71, 111, 151].contains(&tick) {
            twins.push(World::load(&world.save()).expect("its own save"));
            let mut restored = twins[0].clone();
            (0..5).for_each(|_| restored.tick());
            restored.restore(&world.save()).expect("its own save");
            twins.push(restored);
            teams_seen.push([0, 1, 2].map(|player| world.team_of(PlayerId(player)).0));
        }
        world.tick();
        recorder.ticked(&world);
        sighted += world.events().iter().filter(|event| matches!(event.what, EventKind::Sighted(_))).count();
        for (number, twin) in twins.iter_mut().enumerate() {
            if number % 2 == 0 {
                twin.tick()
            } else {
                twin.tick_with(&threads)
            }
            let (a, b) = (world.state_hash(), twin.state_hash());
            assert_eq!(a.first_difference(&b), None, "tick {tick}, twin {number}");
            assert_eq!(world.events(), twin.events(), "tick {tick}, twin {number}");
        }
    }
    assert!(sighted > 0, "some were enemies for a time");
    assert_eq!(teams_seen, [[0, 1, 2], [0, 1, 0], [0, 0, 0], [1, 0, 2], [1, 1, 1]]);
    let recording = Recording::from_bytes(&recorder.finish(&world).to_bytes()).expect("a recording");
    let mut replay = Replay::new(&recording).expect("legal");
    while replay.step(&Serial).expect("the replay is alike") {}
    assert_eq!(replay.world().state_hash(), world.state_hash());
}
