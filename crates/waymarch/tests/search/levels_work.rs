//! How much work a map with 40 decks takes, beside the same map with its bridges as paint.
#![expect(clippy::disallowed_types, reason = "it prints times, and no result depends on them")]

use std::time::{Duration, Instant};

use waymarch::base::{Agent, CellPos, CellRect, Dir8, GridSize, LevelCell, LevelId, LocomotorId};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, TerrainId};
use waymarch::levels::{Deck, DeckState, LevelMap};
use waymarch::nav::{LevelNavigator, LevelPlanner, LevelRoute, Navigator};
use waymarch::query::PathQuery;
use waymarch::search::Route;
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;

const SIDE: u32 = 512;
const CLEAR: TerrainId = TerrainId(0);
const WATER: TerrainId = TerrainId(4);

/// Weighted ground with four rivers of 12 cells, and ten bridges of 3 cells over each.
fn country() -> (Map, Vec<CellRect>) {
    let size = GridSize::new(SIDE, SIDE).expect("legal");
    let mut map = Map::flat("country", size, Rules::standard());
    let patches = Grid::patches(7, SIDE, SIDE, &[1, 1, 2]);
    let walls = Grid::scatter(9, SIDE, SIDE, 40);
    for (terrain, (patch, wall)) in map.terrain.iter_mut().zip(patches.cost.iter().zip(&walls.cost)) {
        *terrain = TerrainId(if *wall == 255 { 6 } else { (*patch - 1) * 2 });
    }
    let mut bridges = Vec::new();
    for river in 0..4 {
        let x = 80 + river * 100;
        for y in 0..SIDE as i32 {
            (x..x + 12).for_each(|x| map.set_terrain(CellPos::new(x, y), WATER));
        }
        for bridge in 0..10 {
            let at = CellPos::new(x, 20 + bridge * 48 + river * 7);
            bridges.push(CellRect::at(at, 12, 3));
            // Both banks are open.
            for cell in CellRect::at(at.offset(-2, 0), 2, 3)
                .cells()
                .chain(CellRect::at(at.offset(12, 0), 2, 3).cells())
            {
                map.set_terrain(cell, CLEAR);
            }
        }
    }
    (map, bridges)
}

fn painted() -> Map {
    let (mut map, bridges) = country();
    bridges.iter().flat_map(|bridge| bridge.cells()).for_each(|at| map.set_terrain(at, CLEAR));
    map
}

fn decked() -> LevelMap {
    let (map, bridges) = country();
    let size = GridSize::new(12, 3).expect("legal");
    let deck = |bridge: &CellRect| {
        Deck::new("bridge", CellPos::new(bridge.x0, bridge.y0), size, 512, CLEAR).joined(&[Dir8::W, Dir8::E])
    };
    LevelMap { decks: bridges.iter().map(deck).collect(), ..LevelMap::new(map) }
}

fn pairs(flat: &Map, count: usize) -> Vec<[CellPos; 2]> {
    let mut rng = SplitMix::new(5);
    let open: Vec<CellPos> =
        flat.size.rect().cells().filter(|&at| flat.terrain_at(at).is_some_and(|id| id.0 < 3)).collect();
    (0..count).map(|_| [rng.pick(&open), rng.pick(&open)]).collect()
}

fn on_base([from, to]: [CellPos; 2]) -> (LevelCell, LevelCell) {
    (from.on(LevelId::BASE), to.on(LevelId::BASE))
}

/// Run it with `--nocapture` for the times.
#[test]
fn forty_decks_take_little_more_nodes_than_forty_painted_bridges() {
    let agent = Agent::from(LocomotorId(0));
    let flat_map = painted();
    let asked = pairs(&flat_map, 60);
    let mut nav = Navigator::new(flat_map, Config::default()).expect("valid");
    let mut levels = LevelNavigator::new(decked(), Config::default()).expect("valid");
    let (mut flat, mut level) = (Route::new(), LevelRoute::new());
    let (mut nodes, mut times) = ([0_u64; 2], [Duration::ZERO; 2]);
    nav.prepare(&asked.iter().map(|&[from, to]| PathQuery::new(from, to, agent)).collect::<Vec<_>>());
    let mut scratch = waymarch::planners::PlanScratch::new();
    for round in 0..3 {
        for &pair in &asked {
            let query = PathQuery::new(pair[0], pair[1], agent);
            let start = Instant::now();
            let found = nav.hybrid().exact(&nav.view(), &query, &mut scratch, &mut flat);
            let flat_time = start.elapsed();
            let start = Instant::now();
            let other = levels.path_with(LevelPlanner::Jpsw, on_base(pair), agent, &mut level);
            let level_time = start.elapsed();
            assert_eq!(found.is_ok(), other.is_ok(), "{pair:?}");
            if found.is_err() || round == 0 {
                continue;
            }
            nodes = [nodes[0] + u64::from(flat.expanded), nodes[1] + u64::from(level.expanded)];
            times = [times[0] + flat_time, times[1] + level_time];
            // Onto a deck and off it units step straight, so a route may cost a little more than over paint.
            assert!(level.cost >= flat.cost && level.cost.0 * 100 <= flat.cost.0 * 102, "{pair:?}");
        }
    }
    println!("nodes, flat and decks: {nodes:?}; time {times:?}");
    assert!(nodes[1] * 100 <= nodes[0] * 115, "{nodes:?}");
    reachability(&nav, &levels, &asked, agent);
    edits(&mut levels);
}

fn reachability(nav: &Navigator, levels: &LevelNavigator, asked: &[[CellPos; 2]], agent: Agent) {
    let mut times = [Duration::ZERO; 2];
    for _ in 0..2_000 {
        let start = Instant::now();
        let flat = asked.iter().filter(|pair| nav.reachable(pair[0], pair[1], agent)).count();
        times[0] += start.elapsed();
        let start = Instant::now();
        let over = asked.iter().filter(|&&pair| {
            let (from, to) = on_base(pair);
            levels.reachable(from, to, agent)
        });
        let over = over.count();
        times[1] += start.elapsed();
        assert_eq!(flat, over);
    }
    println!("reachability, flat and decks: {times:?}");
}

fn edits(levels: &mut LevelNavigator) {
    let mut times = Vec::new();
    for round in 0..4 {
        for deck in 0..40 {
            let state = if round % 2 == 0 { DeckState::Destroyed } else { DeckState::Standing };
            let start = Instant::now();
            levels.set_deck(LevelId::of_deck(deck), state).expect("a deck");
            times.push(start.elapsed());
        }
    }
    times.sort_unstable();
    let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
    println!("a deck destroyed or rebuilt: median {median:?}, longest {longest:?}");
    assert!(levels.is_as_rebuilt());
}
