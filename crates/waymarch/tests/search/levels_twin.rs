//! On random maps with decks and links, with edits between: routes cost what the twin finds, and reachability is right for every pair.

use waymarch::base::{Agent, CellPos, CellRect, Dir8, GridSize, LevelCell, LevelId, LocomotorId, SizeClass};
use waymarch::config::Config;
use waymarch::cost::{
    CornerRule, FootCell, LocomotorDef, Map, Neighbours, PlacedStamp, Rules, Stamp, SurfaceMask, TerrainId,
};
use waymarch::levels::{Deck, DeckState, LevelMap, Link, LinkKind, LinkState, LinkWays, UnitHeight};
use waymarch::nav::{LevelNavigator, LevelPlanError, LevelPlanner, LevelRoute};
use waymarch_testkit::dijkstra::UNREACHED;
use waymarch_testkit::grids::Grid;
use waymarch_testkit::levels::LevelTwin;
use waymarch_testkit::rule::{BLOCKED, Rule};
use waymarch_testkit::splitmix::SplitMix;

const LOCOMOTORS: [&str; 3] = ["foot", "giant", "bird"];

/// A map with up to four decks and eight links.
fn random_map(rng: &mut SplitMix) -> LevelMap {
    let (width, height) = (6 + rng.below(18), 6 + rng.below(14));
    let costs: &[u8] = if rng.chance(400) { &[1, 255] } else { &[1, 2, 3, 7, 255] };
    let mut grid = match rng.below(4) {
        0 => Grid::scatter(rng.next_u64(), width, height, 250),
        1 => Grid::caves(rng.next_u64(), width, height),
        2 => Grid::rooms(rng.next_u64(), width, height, 5),
        _ => Grid::filled(width, height, 1),
    };
    // All costs occur, so that the rules have them as terrains.
    for (at, &cost) in costs.iter().enumerate() {
        grid.cost[at] = cost;
    }
    if rng.chance(500) {
        // A river of closed cells, which only links and decks cross.
        let x = 2 + rng.below(width - 3) as i32;
        (0..height as i32).for_each(|y| grid.set((x, y), BLOCKED));
    }
    let patches = Grid::patches(rng.next_u64(), width, height, costs);
    for (cost, patch) in grid.cost.iter_mut().zip(&patches.cost).skip(costs.len()) {
        if *cost != BLOCKED && *patch != BLOCKED {
            *cost = *patch;
        }
    }
    let mut base = grid.to_map("random");
    add_locomotors(&mut base.rules);
    if rng.chance(300) {
        base.elevation = (0..base.size.cells()).map(|_| rng.below(2) as i16 * 200).collect();
    }
    let terrains = base.rules.terrains.len() as u32;
    let mut map = LevelMap::new(base);
    map.heights.push(UnitHeight { locomotor: LocomotorId(1), height: 300 });
    for number in 0..rng.below(5) {
        let deck = random_deck(rng, map.base.size, terrains, number);
        try_with(&mut map, |map| map.decks.push(deck));
    }
    for _ in 0..rng.below(9) {
        let link = random_link(rng, &map);
        try_with(&mut map, |map| map.links.push(link));
    }
    map
}

fn add_locomotors(rules: &mut Rules) {
    rules.locomotors.push(LocomotorDef::new(LOCOMOTORS[1], SurfaceMask::GROUND));
    rules.locomotors.push(LocomotorDef::new(LOCOMOTORS[2], SurfaceMask::AIR));
    for costs in &mut rules.costs {
        let cost = costs[0];
        costs.extend([cost, Some(1)]);
    }
}

/// Makes the change if the map stays valid.
fn try_with(map: &mut LevelMap, change: impl FnOnce(&mut LevelMap)) {
    let mut changed = map.clone();
    change(&mut changed);
    if changed.clone().validate().is_ok() {
        *map = changed;
    }
}

fn random_deck(rng: &mut SplitMix, base: GridSize, terrains: u32, number: u32) -> Deck {
    let (width, height) = (1 + rng.below(base.width().min(9)), 1 + rng.below(base.height().min(7)));
    let at = CellPos::new(
        rng.below(base.width() - width + 1) as i32,
        rng.below(base.height() - height + 1) as i32,
    );
    let size = GridSize::new(width, height).expect("a legal size");
    let level = rng.pick(&[512, 256, 768, -512, -300]);
    let mut deck = Deck::new(format!("deck {number}"), at, size, level, TerrainId(0));
    if rng.chance(500) {
        deck.terrain.iter_mut().for_each(|terrain| *terrain = TerrainId(rng.below(terrains) as u8));
    }
    if rng.chance(200) {
        deck.elevation = (0..size.cells()).map(|_| rng.below(3) as i16 * 100).collect();
    }
    deck.ends = Dir8::STRAIGHT.into_iter().filter(|_| rng.chance(600)).collect();
    deck
}

fn random_link(rng: &mut SplitMix, map: &LevelMap) -> Link {
    let mut cell = || {
        let level = LevelId(rng.below(map.decks.len() as u32 + 1) as u16);
        let area = level.deck().map_or(map.base.size.rect(), |deck| map.decks[deck].area());
        let (width, height) = ((area.x1 - area.x0) as u32, (area.y1 - area.y0) as u32);
        CellPos::new(area.x0 + rng.below(width) as i32, area.y0 + rng.below(height) as i32).on(level)
    };
    let (from, to) = (cell(), cell());
    let length = rng.pick(&[1, 500, 1024, 3 * 1024, 40_000]);
    let mut link = Link::new(rng.pick(&LinkKind::ALL), from, to, length);
    if link.kind == LinkKind::Ledge || rng.chance(300) {
        link.ways = LinkWays::One;
    }
    if rng.chance(200) {
        link.locomotors = Some(vec![LocomotorId(rng.below(2) as u8)]);
    }
    if rng.chance(200) {
        link.largest = Some(SizeClass::ONE);
    }
    if rng.chance(150) {
        link.state = LinkState::Closed;
    }
    link
}

/// What the twin must know: the map as it is now, and the states of decks and links.
struct Game {
    map: LevelMap,
    decks: Vec<DeckState>,
    links: Vec<LinkState>,
    nav: LevelNavigator,
    rule: Rule,
}

impl Game {
    fn new(map: LevelMap, rule: Rule) -> Self {
        let step = rule.step_rule();
        let config = Config { neighbours: step.neighbours, corner_rule: step.corners, ..Config::default() };
        let nav = LevelNavigator::new(map.clone(), config).expect("a valid map");
        let decks = vec![DeckState::Standing; map.decks.len()];
        Self { decks, links: map.links.iter().map(|link| link.state).collect(), map, nav, rule }
    }

    /// Makes one random edit, both of the navigator and of the description.
    fn edit(&mut self, rng: &mut SplitMix) {
        let level = LevelId(rng.below(self.map.decks.len() as u32 + 1) as u16);
        let (area, size) = match level.deck() {
            Some(deck) => (self.map.decks[deck].area(), self.map.decks[deck].size),
            None => (self.map.base.size.rect(), self.map.base.size),
        };
        let (x, y) = (rng.below(size.width()) as i32, rng.below(size.height()) as i32);
        let at = CellPos::new(area.x0 + x, area.y0 + y);
        let part = CellRect::at(at, 1 + rng.below(3), 1 + rng.below(3));
        match rng.below(6) {
            0 => {
                if let Some(deck) = level.deck() {
                    self.decks[deck] = rng.pick(&[DeckState::Standing, DeckState::Destroyed]);
                    self.nav.set_deck(level, self.decks[deck]).expect("a deck");
                }
            }
            1 if !self.links.is_empty() => {
                let link = rng.below(self.links.len() as u32) as usize;
                self.links[link] = rng.pick(&[LinkState::Open, LinkState::Closed]);
                self.nav.set_link(link as u16, self.links[link]).expect("a link");
            }
            2 => {
                let stamp = Stamp::filled("rubble", 1 + rng.below(2), 1, FootCell::Blocked);
                if self.nav.place(&stamp, at.on(level)).is_ok() {
                    let stamps = match level.deck() {
                        Some(deck) => &mut self.map.decks[deck].stamps,
                        None => &mut self.map.base.stamps,
                    };
                    stamps.push(PlacedStamp { at, stamp });
                }
            }
            3 => {
                let height = rng.below(4) as i16 * 100;
                self.nav.set_elevation(level, part, height).expect("on the level");
                let heights = match level.deck() {
                    Some(deck) => &mut self.map.decks[deck].elevation,
                    None => &mut self.map.base.elevation,
                };
                heights.resize(size.cells(), 0);
                for cell in part.intersect(area).cells() {
                    heights[size.id(cell.offset(-area.x0, -area.y0)).expect("inside").index()] = height;
                }
            }
            _ => {
                let terrain = TerrainId(rng.below(self.map.base.rules.terrains.len() as u32) as u8);
                self.nav.set_terrain(level, part, terrain).expect("on the level");
                let ground = match level.deck() {
                    Some(deck) => &mut self.map.decks[deck].terrain,
                    None => &mut self.map.base.terrain,
                };
                for cell in part.intersect(area).cells() {
                    ground[size.id(cell.offset(-area.x0, -area.y0)).expect("inside").index()] = terrain;
                }
            }
        }
    }

    fn twin(&self, agent: Agent) -> LevelTwin {
        LevelTwin::new(&self.map, &self.decks, &self.links, agent, self.rule)
    }

    /// Compares costs, reachability from `starts` cells to all others, and routes.
    fn check(&mut self, rng: &mut SplitMix, (starts, seed): (usize, u64), compared: &mut Compared) {
        let size = rng.pick(&[SizeClass::ONE, SizeClass::ONE, SizeClass::TWO, SizeClass::THREE]);
        let agent = Agent { locomotor: LocomotorId(rng.below(3) as u8), size };
        let twin = self.twin(agent);
        let cells: Vec<LevelCell> = twin.cells().collect();
        for &at in &cells {
            let cost = self.nav.cost(at, agent).unwrap_or(BLOCKED);
            assert_eq!(cost, twin.cost(at), "seed {seed}: cost of {at} for {agent:?}");
        }
        let open: Vec<LevelCell> = cells.iter().copied().filter(|&at| twin.cost(at) != BLOCKED).collect();
        if open.is_empty() {
            return;
        }
        let mut route = LevelRoute::new();
        for _ in 0..starts {
            let from = rng.pick(&open);
            let distances = twin.distances(from);
            for &to in &cells {
                let expected = distances[twin.index(to).expect("a cell")] != UNREACHED;
                assert_eq!(
                    self.nav.reachable(from, to, agent),
                    expected,
                    "seed {seed}: {from} to {to} for {agent:?}"
                );
            }
            for _ in 0..6 {
                let to = rng.pick(&open);
                let least = distances[twin.index(to).expect("a cell")];
                for planner in LevelPlanner::ALL {
                    let said = format!("seed {seed}, {planner}: {from} to {to} for {agent:?}");
                    match self.nav.path_with(planner, (from, to), agent, &mut route) {
                        Ok(()) => {
                            assert_eq!(route.cost.0, least, "{said}");
                            check_route(&twin, &route, (from, to), &said);
                            compared.crossings += route.crossings.len();
                        }
                        Err(LevelPlanError::Unreachable { .. }) => assert_eq!(least, UNREACHED, "{said}"),
                        Err(other) => panic!("{said}: {other}"),
                    }
                }
            }
        }
        compared.pairs += starts * cells.len();
    }
}

/// How much was compared.
#[derive(Default)]
struct Compared {
    pairs: usize,
    crossings: usize,
}

/// The route is legal on the twin's map, costs what it says, and names a link wherever it takes one.
fn check_route(twin: &LevelTwin, route: &LevelRoute, (from, to): (LevelCell, LevelCell), said: &str) {
    let cells: Vec<LevelCell> = route.cells().collect();
    assert_eq!((cells.first(), cells.last()), (Some(&from), Some(&to)), "{said}");
    let hops = cells.windows(2).map(|pair| {
        twin.hop(pair[0], pair[1]).unwrap_or_else(|| panic!("{said}: no hop from {} to {}", pair[0], pair[1]))
    });
    assert_eq!(hops.sum::<u64>(), route.cost.0, "{said}: {route:?}");
    assert_eq!(route.legs().count(), route.crossings.len() + 1, "{said}");
    for (level, points) in route.legs() {
        assert!(points.iter().all(|point| point.level == level), "{said}: a leg leaves its level");
    }
}

/// Plays `maps` random maps from seed `first` on, with three edits each.
fn play(first: u64, maps: u64) -> Compared {
    let mut compared = Compared::default();
    for seed in first..first + maps {
        let mut rng = SplitMix::new(seed);
        let rule = if rng.chance(600) { Rule::Forbid } else { rng.pick(&Rule::ALL) };
        let mut game = Game::new(random_map(&mut rng), rule);
        game.check(&mut rng, (2, seed), &mut compared);
        for _ in 0..3 {
            game.edit(&mut rng);
            game.check(&mut rng, (1, seed), &mut compared);
            assert!(game.nav.is_as_rebuilt(), "seed {seed}: edits and a rebuild differ");
        }
    }
    compared
}

#[test]
fn routes_and_reachability_over_levels_equal_the_twin_on_2000_maps() {
    let Compared { pairs, crossings } = play(0, 2_000);
    assert!(pairs > 1_500_000 && crossings > 10_000, "{pairs} pairs, {crossings} crossings");
}

#[test]
fn reachability_over_levels_is_right_for_every_pair() {
    let mut pairs = 0;
    for seed in 50_000..50_060 {
        let mut rng = SplitMix::new(seed);
        let mut game = Game::new(random_map(&mut rng), Rule::Forbid);
        (0..2).for_each(|_| game.edit(&mut rng));
        let agent = Agent::from(LocomotorId(rng.below(2) as u8));
        let twin = game.twin(agent);
        let cells: Vec<LevelCell> = twin.cells().collect();
        for &from in cells.iter().filter(|&&at| twin.cost(at) != BLOCKED) {
            let distances = twin.distances(from);
            for (&to, &least) in cells.iter().zip(&distances) {
                pairs += 1;
                assert_eq!(
                    game.nav.reachable(from, to, agent),
                    least != UNREACHED,
                    "seed {seed}: {from} to {to}"
                );
            }
        }
    }
    assert!(pairs > 1_000_000, "{pairs} pairs");
}

#[test]
fn smoothed_lines_stay_on_their_level_and_are_clear_there() {
    let mut lines = 0;
    for seed in 0..60 {
        let mut rng = SplitMix::new(seed ^ 0xface);
        let mut game = Game::new(random_map(&mut rng), Rule::Forbid);
        let agent = Agent::from(LocomotorId(0));
        let twin = game.twin(agent);
        let open: Vec<LevelCell> = twin.cells().filter(|&at| twin.cost(at) != BLOCKED).collect();
        for _ in 0..10 {
            let (from, to) = (rng.pick(&open), rng.pick(&open));
            let Ok(route) = game.nav.path(from, to, agent) else { continue };
            let parts = game.nav.path_smooth(from, to, agent).expect("a route");
            assert_eq!(parts.len(), route.legs().count());
            for (part, (level, points)) in parts.iter().zip(route.legs()) {
                assert_eq!(part.level, level);
                let ends = [points.first(), points.last()].map(|point| point.map(|point| point.at.centre()));
                assert_eq!([part.path.points.first().copied(), part.path.points.last().copied()], ends);
                for line in part.path.points.windows(2) {
                    lines += 1;
                    assert!(is_clear(&twin, level, line[0].cell(), line[1].cell()), "seed {seed}: {line:?}");
                }
            }
        }
    }
    assert!(lines > 300, "{lines} lines");
}

/// Whether 64 points of a line between the middles of two cells lie on open cells of the level.
fn is_clear(twin: &LevelTwin, level: LevelId, from: CellPos, to: CellPos) -> bool {
    let (a, b) = (from.centre(), to.centre());
    (0..=64).all(|part| {
        let along = |a: i32, b: i32| (i64::from(a) + (i64::from(b) - i64::from(a)) * part / 64) as i32;
        let at = CellPos::new(along(a.x.raw(), b.x.raw()) >> 10, along(a.y.raw(), b.y.raw()) >> 10);
        twin.cost(at.on(level)) != BLOCKED
    })
}

/// The helper of the tests above has a default rule too.
#[test]
fn a_corner_rule_of_the_settings_reaches_the_levels() {
    let map = LevelMap::new(Map::flat("field", GridSize::new(9, 9).expect("legal"), Rules::standard()));
    let config =
        Config { neighbours: Neighbours::Four, corner_rule: CornerRule::Forbid, ..Config::default() };
    let mut nav = LevelNavigator::new(map, config).expect("valid");
    let foot = nav.locomotor("foot").expect("foot");
    let at = |x, y| CellPos::new(x, y).on(LevelId::BASE);
    assert_eq!(nav.path(at(1, 1), at(4, 4), foot).expect("a route").cost.0, 6 * 1024);
}
