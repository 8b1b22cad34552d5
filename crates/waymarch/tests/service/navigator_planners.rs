//! A navigator's searches: settings choose the search, and all searches find A*'s costs, through edits and threat.

use std::collections::BTreeMap;

use waymarch::base::{Agent, CellPos, CellRect, GridSize, LocomotorId, SizeClass, cell};
use waymarch::config::Config;
use waymarch::cost::{
    CornerRule, Falloff, Map, Neighbours, Rules, Stamp, StampId, TerrainId, ThreatId, ThreatSource,
};
use waymarch::query::{Goal, Observer, PathQuery, PlanError, Threat};
use waymarch::search::{Route, SearchScratch, astar};
use waymarch::world::{Navigator, PlannerChoice, PlannerReason};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;

const SIDE: u32 = 56;
const FOOT: LocomotorId = LocomotorId(0);

fn flat() -> Map {
    Map::flat("field", GridSize::new(SIDE, SIDE).expect("legal"), Rules::standard())
}

fn somewhere(rng: &mut SplitMix) -> CellPos {
    cell(rng.below(SIDE) as i32, rng.below(SIDE) as i32)
}

/// The edits of a game, and the stamps and threat sources that it has placed.
#[derive(Default)]
struct Game {
    standing: Vec<StampId>,
    sources: Vec<ThreatId>,
}

impl Game {
    fn act(&mut self, nav: &mut Navigator, rng: &mut SplitMix) {
        let at = somewhere(rng);
        match rng.below(8) {
            0..2 => self.standing.extend(nav.place(&Stamp::solid(1 + rng.below(3), 3), at)),
            2 if !self.standing.is_empty() => {
                let id = self.standing.swap_remove(rng.below(self.standing.len() as u32) as usize);
                nav.remove(id).expect("it stands");
            }
            3..5 => {
                let area = CellRect::at(at, 1 + rng.below(12), 1 + rng.below(12));
                nav.set_terrain(area, TerrainId(rng.pick(&[0, 1, 2, 3, 6]))).expect("on the map");
            }
            5 => {
                let source = ThreatSource { at, radius: 6, strength: 40, falloff: Falloff::Linear };
                match self.sources.last() {
                    Some(&id) if self.sources.len() > 3 => nav.set_threat(id, source).expect("it is there"),
                    _ => self.sources.push(nav.add_threat(source).expect("on the map")),
                }
                if let Some(&id) = self.sources.last() {
                    let owner = rng.pick(&[None, Some(Observer(0)), Some(Observer(1))]);
                    nav.set_threat_owner(id, owner).expect("it is there");
                }
            }
            6 if rng.chance(300) => nav.set_side(Observer(rng.below(3) as u8), rng.below(3) as u8),
            6 if rng.chance(100) => {
                nav.set_terrain(nav.layer().grid().rect(), TerrainId(0)).expect("on the map");
            }
            _ => nav.tick(),
        }
    }
}

/// Plays random edits and queries and returns how often each search was chosen. Checks that every route costs as much as A*'s route, or at
/// most what the settings allow.
fn play(config: &Config, seed: u64) -> BTreeMap<PlannerChoice, u32> {
    let (mut rng, mut game, mut chosen) = (SplitMix::new(seed), Game::default(), BTreeMap::new());
    let mut nav = Navigator::new(flat(), config.clone()).expect("legal");
    let rule = nav.config().step_rule();
    let (mut scratch, mut route, mut exact) = (SearchScratch::new(), Route::new(), Route::new());
    for step in 0..150 {
        game.act(&mut nav, &mut rng);
        for size in [SizeClass::ONE, SizeClass::THREE] {
            let agent = Agent { locomotor: FOOT, size };
            let observers = [0, 1, 2].map(|number| Threat::HeedAs(Observer(number)));
            for threat in [Threat::Ignore, Threat::Heed].into_iter().chain(observers) {
                let query =
                    PathQuery::new(somewhere(&mut rng), somewhere(&mut rng), agent).with_threat(threat);
                let expected = astar(nav.layer(), &query, rule, &mut scratch, &mut exact);
                let (choice, _) = nav.planner_for(agent, threat);
                assert_eq!(nav.path_into(&query, &mut route), expected, "step {step} {query:?} {choice:?}");
                let most = exact.cost.0 * u64::from(config.route_per_mille) / 1000;
                let cost = route.cost.0;
                assert!(exact.cost.0 <= cost && cost <= most, "step {step} {query:?} {choice:?} {cost}");
                if choice != PlannerChoice::Jpsw {
                    assert_eq!(cost, exact.cost.0, "all other searches are exact");
                }
                *chosen.entry(choice).or_default() += 1;
            }
        }
    }
    chosen
}

#[test]
fn every_search_of_a_navigator_finds_what_astar_finds() {
    let mut chosen = BTreeMap::new();
    for seed in 0..6 {
        for (choice, count) in play(&Config::default(), seed) {
            *chosen.entry(choice).or_insert(0) += count;
        }
    }
    let count = |choice| chosen.get(&choice).copied().unwrap_or(0);
    assert!(count(PlannerChoice::Astar) > 50 && count(PlannerChoice::Jpsw) > 50, "{chosen:?}");
    assert!(count(PlannerChoice::JpsPlus) > 50 && count(PlannerChoice::Jps) == 0, "{chosen:?}");
}

#[test]
fn without_precomputed_jumps_a_navigator_keeps_straight_planes_only() {
    let plain = Config { jps_precomputed: false, ..Config::default() };
    let mut chosen = BTreeMap::new();
    for seed in 0..4 {
        for (choice, count) in play(&plain, seed) {
            *chosen.entry(choice).or_insert(0) += count;
        }
    }
    let choices: Vec<_> = chosen.keys().copied().collect();
    assert_eq!(choices, [PlannerChoice::Astar, PlannerChoice::Jps], "{chosen:?}");
    let [with, without] =
        [Config::default(), plain].map(|config| Navigator::new(flat(), config).expect("legal"));
    assert_eq!(with.planner_for(FOOT, Threat::Ignore), (PlannerChoice::JpsPlus, PlannerReason::OneCost));
    assert_eq!(without.planner_for(FOOT, Threat::Ignore), (PlannerChoice::Jps, PlannerReason::OneCost));
    assert!(without.planner_memory_bytes() * 2 < with.planner_memory_bytes());
}

#[test]
fn every_step_rule_is_served() {
    let rules = [
        (Neighbours::Eight, CornerRule::AllowOne),
        (Neighbours::Eight, CornerRule::Allow),
        (Neighbours::Four, CornerRule::Forbid),
    ];
    for (seed, (neighbours, corner_rule)) in rules.into_iter().enumerate() {
        let chosen = play(&Config { neighbours, corner_rule, ..Config::default() }, seed as u64);
        assert!(
            !chosen.contains_key(&PlannerChoice::JpsPlus) && chosen[&PlannerChoice::Jpsw] > 100,
            "{chosen:?}"
        );
    }
}

#[test]
fn routes_cost_at_most_what_the_setting_allows() {
    for (seed, route_per_mille) in [(1, 1050), (2, 1500), (3, 10_000)] {
        play(&Config { route_per_mille, ..Config::default() }, seed);
    }
}

/// Jump planes that are built early, late or again give the same routes and the same hash.
#[test]
fn earlier_queries_change_no_answer() {
    let mut navs = [(); 3].map(|()| Navigator::new(flat(), Config::default()).expect("legal"));
    let mut games = [(); 3].map(|()| Game::default());
    let (mut rng, mut routes) = (SplitMix::new(77), [(); 3].map(|()| Route::new()));
    let mut compared = 0;
    for step in 0..200 {
        let seed = rng.below(1 << 30);
        for (nav, game) in navs.iter_mut().zip(&mut games) {
            game.act(nav, &mut SplitMix::new(u64::from(seed)));
        }
        // The first navigator gets all queries, the second is prepared and gets few, the third gets hardly any.
        navs[1].make_ready(FOOT);
        let query = PathQuery::new(somewhere(&mut rng), somewhere(&mut rng), FOOT);
        let first = navs[0].path_into(&query, &mut routes[0]);
        for (every, at) in [(5, 1), (40, 2)] {
            if step % every == 0 {
                assert_eq!(navs[at].path_into(&query, &mut routes[at]), first, "step {step}");
                assert_eq!(routes[at], routes[0], "step {step}");
                compared += u32::from(first.is_ok());
            }
        }
        let hashes = navs.each_ref().map(|nav| nav.state_hash());
        assert!(hashes[0] == hashes[1] && hashes[0] == hashes[2], "step {step}");
    }
    assert!(compared > 20, "{compared}");
    navs[0].make_ready(LocomotorId(99));
}

#[test]
fn a_unit_that_is_sealed_in_or_built_over_gets_a_partial_route_and_the_reason() {
    let grid = Grid::filled(120, 90, 1);
    let mut nav = Navigator::new(grid.to_map("pocket"), Config::default()).expect("legal");
    // A pocket of 5 × 5 cells in a ring of walls.
    for (at, width, height) in
        [(cell(20, 20), 7, 1), (cell(20, 26), 7, 1), (cell(20, 21), 1, 5), (cell(26, 21), 1, 5)]
    {
        nav.place(&Stamp::solid(width, height), at).expect("it fits");
    }
    let out = Goal::point(cell(100, 80));
    let found = nav.path_or_nearest(cell(22, 22), &out, FOOT).expect("it can stand there");
    assert_eq!(
        (found.snapped.to, found.reason),
        (cell(25, 25), Some(PlanError::GoalUnreachable { from: cell(22, 22) }))
    );
    let again = nav.path_or_nearest(cell(22, 22), &out, FOOT).expect("as before");
    assert_eq!(again, found);
    // From inside a wall the unit leaves by the nearest open cell. Of equally near cells it is the first by rows, in the north.
    let found = nav.path_or_nearest(cell(23, 20), &out, FOOT).expect("a route out of the wall");
    assert_eq!((found.snapped.from, found.snapped.gap), (cell(23, 19), 0));
    assert_eq!(found.reason, Some(PlanError::StartBlocked { at: cell(23, 20) }));
    assert_eq!(found.route.waypoints.last(), Some(&cell(100, 80)));
    assert!(nav.path_or_nearest(cell(-1, 5), &out, FOOT).is_err());
}
