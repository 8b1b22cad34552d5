//! Threat of players: own and allied sources do not frighten, and sources move with units.

use waymarch::base::{Angle, CellPos, CellRect, GridSize, cell};
use waymarch::config::{Config, InfluenceAvoidance};
use waymarch::cost::{EditError, Falloff, Map, Rules, ThreatId, ThreatSource};
use waymarch::query::Threat;
use waymarch::world::{
    Applied, Command, CommandError, Navigator, Order, PlayerId, Recorder, Recording, Replay, Serial, Setup,
    TeamId, ThreatOwner, UnitId, UnitType, UnitTypeId, When, World,
};

use crate::twins::goes_on_alike;

/// Where the threat is: between the start and the goal of all orders.
const TOWER: CellPos = CellPos { x: 40, y: 30 };

fn setup() -> Setup {
    let map = Map::flat("field", GridSize::new(80, 60).expect("legal"), Rules::standard());
    let config = Config { influence_avoidance: InfluenceAvoidance::All, ..Config::default() };
    Setup { map, config, seed: 0 }
}

fn world() -> World {
    let Setup { map, config, seed } = setup();
    let mut world = World::with_seed(Navigator::new(map, config).expect("legal"), seed);
    let foot = world.nav().locomotor("foot").expect("in the rules");
    world.add_type(UnitType::new("soldier", foot)).expect("legal");
    world
}

fn spawn(world: &mut World, owner: u8, area: CellRect) -> Vec<UnitId> {
    let places: Vec<CellPos> = area.cells().collect();
    world.spawn_many(UnitTypeId(0), PlayerId(owner), &places).expect("open ground")
}

fn source(at: CellPos) -> ThreatSource {
    ThreatSource { at, radius: 9, strength: 100, falloff: Falloff::Flat }
}

fn tower(world: &mut World, owner: ThreatOwner) -> ThreatId {
    let command = Command::AddThreatOf { source: source(TOWER), owner };
    let Ok(Applied::Threat(id)) = world.apply(&command) else { panic!("on the map") };
    id
}

fn ticks(world: &mut World, count: u32) {
    (0..count).for_each(|_| world.tick());
}

/// How near units came to the tower on their way past it.
fn nearest_to_tower(world: &mut World, units: &[UnitId]) -> i32 {
    world.order(units, Order::move_to(cell(70, 30))).expect("legal");
    let mut nearest = i32::MAX;
    for _ in 0..900 {
        world.tick();
        for &unit in units {
            let at = world.cell_of(unit).expect("it lives");
            nearest = nearest.min((at.x - TOWER.x).abs().max((at.y - TOWER.y).abs()));
        }
    }
    nearest
}

fn alone(owner: u8, of: ThreatOwner, allied: bool) -> i32 {
    let mut world = world();
    let units = spawn(&mut world, owner, CellRect::at(cell(10, 30), 1, 1));
    tower(&mut world, of);
    ticks(&mut world, 8);
    if allied {
        world.set_team(PlayerId(owner), TeamId(1));
    }
    nearest_to_tower(&mut world, &units)
}

#[test]
fn own_and_allied_towers_do_not_frighten_a_unit() {
    let player = ThreatOwner::Player(PlayerId(1));
    assert!(alone(1, player, false) <= 1, "its own tower");
    assert!(alone(2, player, true) <= 1, "the tower of an ally");
    assert!(alone(2, player, false) >= 6, "the tower of an enemy");
    assert!(alone(1, ThreatOwner::Nobody, false) >= 6, "a tower of nobody");
}

#[test]
fn own_towers_do_not_frighten_an_army_that_shares_a_flow() {
    for (owner, near) in [(1, true), (2, false)] {
        let mut world = world();
        let units = spawn(&mut world, owner, CellRect::at(cell(8, 28), 5, 5));
        tower(&mut world, ThreatOwner::Player(PlayerId(1)));
        ticks(&mut world, 8);
        let nearest = nearest_to_tower(&mut world, &units);
        assert_eq!(nearest <= 2, near, "player {owner}: {nearest} cells");
    }
}

/// The players become allies, or enemies, while an army is under way: its flow must follow.
#[test]
fn a_new_team_changes_the_flow_of_an_army_under_way() {
    for (before, after, near) in [(2, 1, true), (1, 2, false)] {
        let mut world = world();
        let units = spawn(&mut world, 2, CellRect::at(cell(3, 28), 5, 5));
        tower(&mut world, ThreatOwner::Player(PlayerId(1)));
        world.set_team(PlayerId(2), TeamId(before));
        ticks(&mut world, 8);
        for &unit in &units {
            // Single orders to one sector, so that no group is formed and all follow one flow.
            let at = world.cell_of(unit).expect("it lives");
            world.order(&[unit], Order::move_to(cell(66 + at.x % 5, at.y - 3))).expect("legal");
        }
        ticks(&mut world, 20);
        world.set_team(PlayerId(2), TeamId(after));
        let mut nearest = i32::MAX;
        for _ in 0..900 {
            world.tick();
            for &unit in &units {
                let at = world.cell_of(unit).expect("it lives");
                nearest = nearest.min((at.x - TOWER.x).abs().max((at.y - TOWER.y).abs()));
            }
        }
        assert_eq!(nearest <= 3, near, "from team {before} to {after}: {nearest} cells");
    }
}

#[test]
fn a_source_moves_with_its_unit_and_ends_with_it() {
    let mut world = world();
    let [unit] = spawn(&mut world, 1, CellRect::at(cell(10, 10), 1, 1))[..] else { unreachable!() };
    let id = tower(&mut world, ThreatOwner::Unit(unit));
    assert_eq!(world.threat_owner(id), Some(ThreatOwner::Unit(unit)));
    world.order(&[unit], Order::move_to(cell(60, 50))).expect("legal");
    let mut moved = 0;
    for _ in 0..600 {
        world.tick();
        let (at, source) = (world.cell_of(unit).expect("it lives"), world.nav().layer().threat().source(id));
        let source = source.expect("it lives").at;
        let lag = (at.x - source.x).abs().max((at.y - source.y).abs());
        assert!(lag <= 1, "{lag} cells behind");
        moved += u32::from(world.nav().layer().threat().at(at) > 0);
    }
    assert!(moved > 590, "threat is around the unit in {moved} ticks");
    assert_eq!(world.cell_of(unit), Some(cell(60, 50)));
    world.remove(unit).expect("it lives");
    ticks(&mut world, 8);
    assert!(world.nav().layer().threat().is_empty(), "the source ends with its unit");
    assert_eq!(world.threat_owner(id), None);
    let gone = world.apply(&Command::SetThreatOwner { id, owner: ThreatOwner::Nobody });
    assert_eq!(gone, Err(CommandError::Edit(EditError::NoSuchThreat(id))));
}

#[test]
fn a_removed_source_does_not_follow_and_a_wrong_owner_changes_nothing() {
    let mut world = world();
    let [unit] = spawn(&mut world, 1, CellRect::at(cell(10, 10), 1, 1))[..] else { unreachable!() };
    let id = tower(&mut world, ThreatOwner::Unit(unit));
    world.remove_threat(id).expect("it lives");
    ticks(&mut world, 8);
    let [dead] = spawn(&mut world, 1, CellRect::at(cell(20, 10), 1, 1))[..] else { unreachable!() };
    world.remove(dead).expect("it lives");
    let before = world.state_hash();
    let command = Command::AddThreatOf { source: source(TOWER), owner: ThreatOwner::Unit(dead) };
    assert_eq!(world.apply(&command), Err(CommandError::NoSuchUnit(dead)));
    let off = ThreatSource { at: cell(-1, 0), ..source(TOWER) };
    let command = Command::AddThreatOf { source: off, owner: ThreatOwner::Player(PlayerId(1)) };
    assert!(matches!(world.apply(&command), Err(CommandError::Edit(EditError::OffMap { .. }))));
    assert_eq!(world.state_hash(), before);
}

#[test]
fn a_world_with_owners_goes_on_alike_after_a_save() {
    for ahead in [0, 2, 9, 40] {
        let mut world = world();
        let units = spawn(&mut world, 1, CellRect::at(cell(8, 28), 5, 5));
        let others = spawn(&mut world, 2, CellRect::at(cell(68, 26), 5, 5));
        tower(&mut world, ThreatOwner::Player(PlayerId(2)));
        tower(&mut world, ThreatOwner::Unit(units[3]));
        tower(&mut world, ThreatOwner::Unit(others[7]));
        world.order(&units, Order::move_to(cell(70, 30))).expect("legal");
        world.order(&others, Order::move_to(cell(10, 28))).expect("legal");
        ticks(&mut world, 30);
        world.set_team(PlayerId(2), TeamId(7));
        world.set_team(PlayerId(3), TeamId(7));
        goes_on_alike(world, ahead, 60);
    }
}

#[test]
fn owners_are_part_of_a_recording() {
    let setup = setup();
    let mut world = setup.world().expect("legal");
    let mut recorder = Recorder::new(setup, 1);
    let mut apply = |world: &mut World, command| recorder.apply(world, command).expect("legal");
    let foot = world.nav().locomotor("foot").expect("in the rules");
    apply(&mut world, Command::AddType(UnitType::new("soldier", foot)));
    let (kind, owner, facing) = (UnitTypeId(0), PlayerId(1), Angle::ZERO);
    let spawn = Command::Spawn { kind, owner, at: cell(10, 30), facing };
    let Applied::Unit(unit) = apply(&mut world, spawn) else { unreachable!() };
    let add = Command::AddThreatOf { source: source(TOWER), owner: ThreatOwner::Unit(unit) };
    let Applied::Threat(id) = apply(&mut world, add) else { unreachable!() };
    let order = Order::move_to(cell(60, 30));
    apply(&mut world, Command::Order { units: vec![unit], order, when: When::Now });
    ticks(&mut world, 30);
    apply(&mut world, Command::SetThreatOwner { id, owner: ThreatOwner::Player(PlayerId(3)) });
    ticks(&mut world, 30);
    let recording = Recording::from_bytes(&recorder.finish(&world).to_bytes()).expect("its own bytes");
    let mut replay = Replay::new(&recording).expect("a legal start");
    while replay.step(&Serial).expect("the replay is alike") {}
    assert_eq!(replay.world().state_hash(), world.state_hash());
    assert_eq!(replay.world().threat_owner(id), Some(ThreatOwner::Player(PlayerId(3))));
    let threat = replay.world().nav().layer().threat();
    assert_eq!(threat.effective(Threat::HeedAs(PlayerId(3).into())), Threat::Ignore);
}
