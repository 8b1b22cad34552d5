//! Maps of several levels: what is refused and by what name, room under decks, ends of decks, and edits.

use waymarch::base::{
    Agent, CellPos, CellRect, Dir8, GridSize, LevelCell, LevelId, LocomotorId, SizeClass, cell,
};
use waymarch::config::Config;
use waymarch::cost::{Map, PlacedStamp, Rules, Stamp, TerrainId};
use waymarch::levels::{
    Deck, DeckState, LevelError, LevelMap, Link, LinkKind, LinkState, LinkWays, Passage, UnitHeight,
};
use waymarch::nav::{LevelEditError, LevelNavigator, LevelPlanError, LevelPlanner};

const FOOT: LocomotorId = LocomotorId(0);
const FLOAT: LocomotorId = LocomotorId(3);
const WATER: TerrainId = TerrainId(4);
const WALL: TerrainId = TerrainId(6);
const BRIDGE: LevelId = LevelId(1);

fn base(x: i32, y: i32) -> LevelCell {
    cell(x, y).on(LevelId::BASE)
}

/// A river from north to south in columns 8 to 11.
fn river() -> Map {
    let mut map = Map::flat("river", GridSize::new(20, 12).unwrap(), Rules::standard());
    for y in 0..12 {
        (8..12).for_each(|x| map.set_terrain(cell(x, y), WATER));
    }
    map
}

fn bridge(at: CellPos, height: i16) -> Deck {
    Deck::new("bridge", at, GridSize::new(4, 3).unwrap(), height, TerrainId(0)).joined(&[Dir8::W, Dir8::E])
}

fn with_bridge() -> LevelMap {
    LevelMap { decks: vec![bridge(cell(8, 4), 512)], ..LevelMap::new(river()) }
}

fn navigator(map: LevelMap) -> LevelNavigator {
    LevelNavigator::new(map, Config::default()).expect("a valid map")
}

fn refused(change: impl FnOnce(&mut LevelMap)) -> String {
    let mut map = with_bridge();
    change(&mut map);
    map.validate().expect_err("must be refused").to_string()
}

#[test]
fn wrong_decks_are_named() {
    let text = refused(|map| map.decks[0].at = cell(18, 4));
    assert!(text.starts_with("deck 'bridge' covers cells") && text.ends_with("map of 20×12"), "{text}");
    let twice = refused(|map| map.decks.push(Deck { name: "second".into(), ..bridge(cell(10, 6), 512) }));
    assert_eq!(twice, "decks 'bridge' and 'second' are both at (10, 6) at height 512");
    assert!(refused(|map| map.decks[0].height = 0).contains("'bridge' has the height 0"));
    assert_eq!(
        refused(|map| map.decks[0].terrain.truncate(5)),
        "the terrain of deck 'bridge' has 5 cells, not 12"
    );
    let unknown = refused(|map| map.decks[0].terrain[5] = TerrainId(99));
    assert_eq!(unknown, "cell (9, 5) of deck 'bridge' is of terrain number 99, but the rules have only 7");
    assert!(refused(|map| map.decks[0].ends.push(Dir8::NE)).contains("direction NE"));
    let edge = refused(|map| map.decks[0] = bridge(cell(0, 4), 512));
    assert_eq!(edge, "deck 'bridge' ends in direction W, but there the map ends");
    let stamp = PlacedStamp { at: cell(11, 4), stamp: Stamp::solid(2, 1) };
    assert!(refused(|map| map.decks[0].stamps.push(stamp)).starts_with("deck 'bridge': stamp 'building'"));
}

#[test]
fn two_decks_at_different_heights_may_cross() {
    let mut map = with_bridge();
    map.decks.push(Deck { name: "second".into(), ..bridge(cell(10, 4), 1024) });
    assert!(map.validate().is_ok());
}

#[test]
fn wrong_links_are_named() {
    let link = |from, to| Link::new(LinkKind::Stairs, from, to, 1024);
    let refused = |link: Link| refused(|map| map.links.push(link));
    assert_eq!(
        refused(link(base(1, 1), cell(3, 3).on(BRIDGE))),
        "the stairs from (1, 1) on the base: there is no cell (3, 3) on level 1"
    );
    assert!(
        refused(link(base(1, 1), cell(8, 4).on(LevelId(7)))).ends_with("there is no cell (8, 4) on level 7")
    );
    assert!(refused(link(base(1, 1), base(1, 1))).ends_with("leads to its own start"));
    assert!(refused(Link { length: 0, ..link(base(1, 1), base(2, 2)) }).contains("has the length 0"));
    let mut closed = with_bridge();
    closed.base.set_terrain(cell(1, 1), WALL);
    closed.links.push(link(base(1, 1), base(3, 3)));
    assert_eq!(
        closed.validate().map(drop),
        Err(LevelError::LinkClosed { kind: LinkKind::Stairs, from: base(1, 1), at: base(1, 1) })
    );
    let mut both_ways = Link::new(LinkKind::Ledge, base(1, 1), base(3, 3), 1024);
    both_ways.ways = LinkWays::Both;
    assert!(refused(both_ways).contains("a ledge is one way"));
    let nobody = Link { locomotors: Some(Vec::new()), ..link(base(1, 1), base(3, 3)) };
    assert!(refused(nobody).contains("no locomotor"));
}

#[test]
fn a_loop_of_teleporters_is_refused_and_a_chain_is_not() {
    let teleporter = |from, to| Link::new(LinkKind::Teleporter, from, to, 1024);
    let mut map = with_bridge();
    map.links = vec![teleporter(base(1, 1), base(3, 3)), teleporter(base(3, 3), base(5, 1)).one_way()];
    assert!(map.clone().validate().is_ok());
    map.links.push(teleporter(base(5, 1), base(1, 1)).one_way());
    let error = map.validate().map(drop).expect_err("a loop");
    assert_eq!(error, LevelError::TeleporterLoop { from: base(5, 1), to: base(1, 1) });
}

#[test]
fn units_cross_over_a_bridge_and_boats_pass_under_it() {
    let mut nav = navigator(with_bridge());
    let over = nav.path(base(5, 5), base(15, 5), FOOT).unwrap();
    assert_eq!(over.cost.0, 10 * 1024);
    assert_eq!(
        over.waypoints,
        [base(5, 5), base(7, 5), cell(8, 5).on(BRIDGE), cell(11, 5).on(BRIDGE), base(12, 5), base(15, 5)]
    );
    assert!(over.crossings.iter().all(|crossing| crossing.through == Passage::End(0)));
    assert_eq!(nav.path(base(9, 0), base(9, 11), FLOAT).unwrap().cost.0, 11 * 1024);
    // A click on the bridge means the deck, or the water under it.
    assert!(nav.reachable(base(5, 5), cell(9, 5).on(BRIDGE), FOOT));
    assert!(!nav.reachable(base(5, 5), base(9, 5), FOOT));
    assert!(!nav.reachable(base(9, 0), cell(9, 5).on(BRIDGE), FLOAT));
}

#[test]
fn a_deck_closes_the_cells_under_it_to_units_that_are_too_high() {
    let mut map = with_bridge();
    map.heights = vec![UnitHeight { locomotor: FLOAT, height: 513 }];
    let mut nav = navigator(map);
    let (north, south) = (base(9, 0), base(9, 11));
    assert_eq!(nav.path(north, south, FLOAT), Err(LevelPlanError::Unreachable { from: north, to: south }));
    // The bridge is destroyed: nothing is above the water any more.
    nav.set_deck(BRIDGE, DeckState::Destroyed).unwrap();
    assert!(nav.path(north, south, FLOAT).is_ok());
    assert!(!nav.reachable(base(5, 5), base(15, 5), FOOT));
    nav.set_deck(BRIDGE, DeckState::Standing).unwrap();
    assert!(!nav.reachable(north, south, FLOAT) && nav.reachable(base(5, 5), base(15, 5), FOOT));
    // The bridge is raised by one unit of height.
    nav.set_elevation(BRIDGE, CellRect::at(cell(8, 4), 4, 3), 1).unwrap();
    assert!(nav.reachable(north, south, FLOAT));
    assert!(nav.is_as_rebuilt());
}

#[test]
fn a_tunnel_closes_to_units_that_are_higher_than_the_ground_over_it() {
    let mut map = LevelMap::new(Map::flat("hill", GridSize::new(20, 9).unwrap(), Rules::standard()));
    for y in 0..9 {
        (8..12).for_each(|x| map.base.set_terrain(cell(x, y), WALL));
    }
    map.decks.push(bridge(cell(8, 3), -400));
    map.heights = vec![UnitHeight { locomotor: LocomotorId(1), height: 401 }];
    let nav = navigator(map);
    assert!(nav.reachable(base(2, 4), base(17, 4), FOOT));
    assert!(!nav.reachable(base(2, 4), base(17, 4), LocomotorId(1)), "wheels are too high");
}

#[test]
fn a_wide_unit_crosses_a_bridge_where_all_of_it_fits() {
    let mut nav = navigator(with_bridge());
    for (size, fits) in [(SizeClass::TWO, true), (SizeClass::THREE, true)] {
        let agent = Agent { locomotor: FOOT, size };
        assert_eq!(nav.reachable(base(4, 5), base(15, 5), agent), fits, "{size:?}");
        assert_eq!(nav.path(base(4, 5), base(15, 5), agent).unwrap().cost.0, 11 * 1024);
    }
    // A column that blocks the middle of the deck leaves room for one cell.
    nav.place(&Stamp::solid(1, 1), cell(9, 5).on(BRIDGE)).unwrap();
    assert!(nav.reachable(base(4, 5), base(15, 5), FOOT));
    assert!(!nav.reachable(base(4, 5), base(15, 5), Agent { locomotor: FOOT, size: SizeClass::TWO }));
}

#[test]
fn one_way_links_lead_one_way_and_closed_links_nowhere() {
    let mut map = with_bridge();
    for y in 0..12 {
        map.base.set_terrain(cell(3, y), WALL);
    }
    map.links.push(Link::new(LinkKind::Ledge, base(4, 6), base(2, 6), 2 * 1024));
    let mut nav = navigator(map);
    assert!(nav.reachable(base(6, 6), base(0, 0), FOOT) && !nav.reachable(base(0, 0), base(6, 6), FOOT));
    assert_eq!(nav.path(base(4, 6), base(2, 6), FOOT).unwrap().cost.0, 2 * 1024);
    nav.set_link(0, LinkState::Closed).unwrap();
    assert!(!nav.reachable(base(6, 6), base(0, 0), FOOT));
    assert_eq!(nav.set_link(1, LinkState::Open), Err(LevelEditError::NoSuchLink(1)));
}

#[test]
fn wrong_queries_and_edits_are_refused_by_name() {
    let mut nav = navigator(with_bridge());
    let off = cell(3, 3).on(BRIDGE);
    assert_eq!(nav.path(base(1, 1), off, FOOT), Err(LevelPlanError::NoSuchCell { at: off }));
    assert_eq!(nav.path(base(9, 1), base(1, 1), FOOT), Err(LevelPlanError::StartBlocked { at: base(9, 1) }));
    assert_eq!(nav.path(base(1, 1), base(9, 1), FOOT), Err(LevelPlanError::GoalBlocked { at: base(9, 1) }));
    assert_eq!(nav.set_deck(LevelId::BASE, DeckState::Destroyed), Err(LevelEditError::BaseIsNoDeck));
    assert_eq!(nav.set_deck(LevelId(2), DeckState::Destroyed), Err(LevelEditError::NoSuchLevel(LevelId(2))));
    let over_the_side = nav.place(&Stamp::solid(3, 1), cell(10, 5).on(BRIDGE)).map(drop);
    assert_eq!(over_the_side, Err(LevelEditError::OffLevel { at: cell(10, 5).on(BRIDGE) }));
    let error = "hpa".parse::<LevelPlanner>().expect_err("it does not follow links").to_string();
    assert_eq!(error, "planner `hpa` does not follow links between levels: use `astar` or `jpsw`");
}

#[test]
fn states_of_decks_and_links_are_in_the_hash() {
    let mut nav = navigator(with_bridge());
    let before = nav.state_hash();
    nav.set_deck(BRIDGE, DeckState::Destroyed).unwrap();
    let destroyed = nav.state_hash();
    nav.set_deck(BRIDGE, DeckState::Standing).unwrap();
    assert!(destroyed != before && nav.state_hash() == before);
}

#[test]
fn a_map_without_decks_finds_the_routes_of_a_navigator() {
    let mut levels = navigator(LevelMap::new(river()));
    let mut flat = waymarch::Navigator::new(river(), Config::default()).unwrap();
    for (from, to) in [(cell(0, 0), cell(7, 11)), (cell(13, 2), cell(19, 11))] {
        let (one, other) = (
            flat.path(from, to, FOOT).unwrap(),
            levels.path(from.on(LevelId::BASE), to.on(LevelId::BASE), FOOT).unwrap(),
        );
        assert_eq!(one.cost, other.cost);
        assert!(other.crossings.is_empty());
    }
}
