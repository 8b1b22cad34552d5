//! A navigator that is saved and loaded, or restored, equals the original and continues like it, after any edits.

use waymarch::base::{
    Agent, ByteReader, ByteWriter, CellPos, CellRect, GridSize, LocomotorId, SizeClass, cell,
};
use waymarch::config::Config;
use waymarch::cost::{
    Falloff, FootCell, GateState, LocomotorDef, Map, Rules, Stamp, StampId, SurfaceMask, TerrainId, ThreatId,
    ThreatSource,
};
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::Route;
use waymarch::world::Navigator;
use waymarch_testkit::splitmix::SplitMix;

const WIDTH: u32 = 75;
const HEIGHT: u32 = 66;

/// A navigator with the default rules and an aircraft, on a map of one cost. Jump planes exist until an edit adds another cost.
fn navigator(config: Config) -> Navigator {
    let mut rules = Rules::standard();
    rules.locomotors.push(LocomotorDef::new("plane", SurfaceMask::GROUND | SurfaceMask::AIR));
    let size = GridSize::new(WIDTH, HEIGHT).expect("legal");
    Navigator::new(Map::flat("field", size, rules), config).expect("legal")
}

fn small() -> Config {
    Config { sector_size: 16, size_classes: vec![1, 2], threat_update_frequency: 3, ..Config::default() }
}

fn saved(nav: &Navigator) -> Vec<u8> {
    let mut writer = ByteWriter::new();
    nav.save(&mut writer);
    writer.into_bytes()
}

fn loaded(bytes: &[u8]) -> Navigator {
    Navigator::load(&mut ByteReader::new(bytes)).expect("what was saved loads")
}

fn somewhere(rng: &mut SplitMix) -> CellPos {
    cell(rng.below(WIDTH) as i32, rng.below(HEIGHT) as i32)
}

fn stamp(rng: &mut SplitMix) -> Stamp {
    let (width, height) = (1 + rng.below(6), 1 + rng.below(6));
    let foot = [
        FootCell::Blocked,
        FootCell::Blocked,
        FootCell::Gate,
        FootCell::NoStop,
        FootCell::Wall(2),
        FootCell::Terrain(TerrainId(5)),
        FootCell::Open,
    ][rng.below(7) as usize];
    let stamp = Stamp::filled("thing", width, height, foot);
    if rng.below(3) == 0 { stamp.lasting(1 + rng.below(9)) } else { stamp }
}

/// Makes one random edit. It may be refused: then all twins must refuse it.
fn edit(nav: &mut Navigator, rng: &mut SplitMix) -> String {
    let stamps: Vec<StampId> = nav.layer().stamps().map(|(id, ..)| id).collect();
    let threats: Vec<ThreatId> = nav.layer().threat().sources().map(|(id, _)| id).collect();
    let any = |rng: &mut SplitMix, count: usize| rng.below(count.max(1) as u32) as usize;
    match rng.below(13) {
        0..=2 => format!("{:?}", nav.place(&stamp(rng), somewhere(rng))),
        3 | 4 => format!("{:?}", stamps.get(any(rng, stamps.len())).map(|&id| nav.remove(id))),
        5 => {
            let gate = [GateState::Open, GateState::Closed][rng.below(2) as usize];
            format!("{:?}", stamps.iter().map(|&id| nav.set_gate(id, gate).is_ok()).collect::<Vec<_>>())
        }
        6 => {
            // Rough ground makes a cost field weighted. Clear ground may make it uniform again.
            let terrain = TerrainId([0, 0, 0, 2, 6][rng.below(5) as usize]);
            let most = if rng.below(4) == 0 { 80 } else { 9 };
            let area = CellRect::at(somewhere(rng), 1 + rng.below(most), 1 + rng.below(most));
            format!("{:?}", nav.set_terrain(area, terrain))
        }
        7 => {
            let area = CellRect::at(somewhere(rng), 1 + rng.below(5), 1 + rng.below(5));
            format!("{:?}", nav.set_elevation(area, [0, 0, 40, 90, 300][rng.below(5) as usize]))
        }
        8 => format!("{:?}", nav.add_threat(threat(rng))),
        9 => format!("{:?}", threats.get(any(rng, threats.len())).map(|&id| nav.set_threat(id, threat(rng)))),
        10 => format!("{:?}", threats.get(any(rng, threats.len())).map(|&id| nav.remove_threat(id))),
        _ => {
            nav.tick();
            String::new()
        }
    }
}

fn threat(rng: &mut SplitMix) -> ThreatSource {
    let falloff = [Falloff::Flat, Falloff::Linear, Falloff::Quadratic][rng.below(3) as usize];
    let (radius, strength) = (rng.below(12) as u16, rng.below(200) as u8);
    ThreatSource { at: somewhere(rng), radius, strength, falloff }
}

type Answer = (Result<(), PlanError>, Route, String);

/// The answers to queries of several agents, and the search that gave each.
fn answers(nav: &mut Navigator, rng: &mut SplitMix) -> Vec<Answer> {
    let mut answers = Vec::new();
    for locomotor in [0, 1, 4].map(LocomotorId) {
        for (size, threat) in [(SizeClass::ONE, Threat::Ignore), (SizeClass::TWO, Threat::Heed)] {
            let agent = Agent { locomotor, size };
            let query = PathQuery::new(somewhere(rng), somewhere(rng), agent).with_threat(threat);
            for far in [false, true] {
                let mut route = Route::new();
                let found =
                    if far { nav.path_far(&query, &mut route) } else { nav.path_into(&query, &mut route) };
                answers.push((found, route, format!("{:?}", nav.planner_for(agent, threat))));
            }
        }
    }
    answers
}

#[track_caller]
fn same(one: &Navigator, other: &Navigator, what: &str) {
    let (one, other) = (one.state_hash(), other.state_hash());
    assert_eq!(one.first_difference(&other), None, "{what}");
}

#[test]
fn a_restored_and_a_loaded_navigator_continue_like_the_saved_one() {
    for seed in 0..60 {
        let mut rng = SplitMix::new(seed);
        let mut nav = navigator(small());
        let warm = rng.below(2) == 0;
        for _ in 0..rng.below(40) {
            edit(&mut nav, &mut rng);
        }
        if warm {
            answers(&mut nav, &mut rng);
        }
        let (bytes, mut kept) = (saved(&nav), nav.clone());
        for _ in 0..rng.below(40) {
            edit(&mut nav, &mut rng);
        }
        if warm {
            answers(&mut nav, &mut rng);
        }
        nav.restore(&mut ByteReader::new(&bytes)).expect("what was saved");
        let mut reloaded = loaded(&bytes);
        let what = format!("seed {seed}");
        for twin in [&nav, &reloaded] {
            same(twin, &kept, &what);
            assert_eq!(twin.now(), kept.now(), "{what}");
            assert!(twin.layer().same_derived(&twin.layer().rebuilt()), "{what}");
            assert_eq!(saved(twin), bytes, "{what}: equal states are saved alike");
        }
        for step in 0..25 {
            let seed = rng.next_u64();
            let act = |nav: &mut Navigator| {
                let mut rng = SplitMix::new(seed);
                let done = edit(nav, &mut rng);
                (done, answers(nav, &mut rng))
            };
            let expected = act(&mut kept);
            assert_eq!(act(&mut nav), expected, "{what}, step {step}: restored");
            assert_eq!(act(&mut reloaded), expected, "{what}, step {step}: loaded");
            same(&nav, &kept, &what);
            same(&reloaded, &kept, &what);
        }
    }
}

#[test]
fn bytes_of_another_map_or_of_other_settings_make_another_navigator() {
    let mut nav = navigator(small());
    nav.place(&Stamp::solid(3, 3), cell(5, 5)).expect("fits");
    let mut elsewhere = navigator(Config { corner_rule: waymarch::cost::CornerRule::Allow, ..small() });
    elsewhere.tick();
    elsewhere.set_terrain(CellRect::at(cell(3, 3), 9, 9), TerrainId(2)).expect("on the map");
    nav.restore(&mut ByteReader::new(&saved(&elsewhere))).expect("what was saved");
    same(&nav, &elsewhere, "settings");
    let size = GridSize::new(20, 30).expect("legal");
    let other = Navigator::new(Map::flat("small", size, Rules::standard()), small()).expect("legal");
    nav.restore(&mut ByteReader::new(&saved(&other))).expect("what was saved");
    same(&nav, &other, "map");
    let mut rng = SplitMix::new(3);
    let (mut nav, mut other) = (nav, other);
    assert_eq!(answers(&mut nav, &mut rng.clone()), answers(&mut other, &mut rng));
}

#[test]
fn damaged_bytes_are_refused_and_change_nothing() {
    let mut rng = SplitMix::new(9);
    let mut nav = navigator(small());
    for _ in 0..30 {
        edit(&mut nav, &mut rng);
    }
    let bytes = saved(&nav);
    edit(&mut nav, &mut rng);
    nav.tick();
    let before = saved(&nav);
    let mut refused = |damaged: &[u8], what: &str| {
        assert!(nav.restore(&mut ByteReader::new(damaged)).is_err(), "{what}");
        assert!(Navigator::load(&mut ByteReader::new(damaged)).is_err(), "{what}");
    };
    for len in (0..bytes.len()).step_by(7) {
        refused(&bytes[..len], "cut short");
    }
    for at in (0..bytes.len()).step_by(5) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        refused(&damaged, "a bit flipped");
    }
    assert_eq!(saved(&nav), before);
}

#[test]
fn pending_jump_planes_are_published_at_the_same_tick_after_a_restore() {
    let mut nav = navigator(small());
    let foot: Agent = LocomotorId(0).into();
    // A wall, so that the aircraft's cost field differs and shares no planes.
    nav.set_terrain(CellRect::at(cell(20, 20), 9, 1), TerrainId(6)).expect("on the map");
    nav.set_terrain(CellRect::at(cell(0, 0), 9, 9), TerrainId(2)).expect("on the map");
    nav.set_terrain(CellRect::at(cell(0, 0), 9, 9), TerrainId(0)).expect("on the map");
    nav.tick();
    let bytes = saved(&nav);
    let reason = |nav: &Navigator| nav.planner_for(foot, Threat::Ignore).1.to_string();
    let course = |nav: &mut Navigator| -> Vec<String> {
        (0..12)
            .map(|_| {
                nav.tick();
                reason(nav)
            })
            .collect()
    };
    assert!(reason(&nav).contains("published at tick"), "{}", reason(&nav));
    let expected = course(&mut nav);
    assert!(expected.iter().any(|reason| reason.contains("one cost")), "{expected:?}");
    // The planes are published now, and are pending again after the restore.
    nav.restore(&mut ByteReader::new(&bytes)).expect("what was saved");
    assert_eq!(course(&mut nav), expected);
    assert_eq!(course(&mut loaded(&bytes)), expected);
}
