//! Path cache: a stored route is returned only if a search would find the same one, for every cache size.

use waymarch::base::{CellPos, CellRect, LocomotorId, Tick, cell};
use waymarch::config::Config;
use waymarch::cost::{CostLayer, CostSettings, Neighbours, Stamp, StampId, StepRule, TerrainId};
use waymarch::plan::{PathCache, PathKey, Scope};
use waymarch::planners::{ExactSearch, FarScratch, FarSearch, hpa};
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{
    JumpPlanes, NoProbe, Route, SearchRun, SearchScratch, WeightedPlanes, WeightedSearch, astar, jps,
    jps_suits,
};
use waymarch::sectors::Doors;
use waymarch::world::Navigator;
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::splitmix::SplitMix;

const FOOT: LocomotorId = LocomotorId(0);
const RULE: StepRule = StepRule::eight(waymarch::cost::CornerRule::Forbid);

fn layer(grid: &Grid) -> CostLayer {
    let map = grid.to_map("cache").validate().expect("the testkit makes legal maps");
    CostLayer::new(&map, CostSettings { sector_size: 16, ..CostSettings::default() })
}

/// All planners, up to date with the map.
struct Planners {
    doors: Doors,
    planes: Option<JumpPlanes>,
    search: SearchScratch,
    far: FarScratch,
}

impl Planners {
    fn new(layer: &CostLayer) -> Self {
        let doors = Doors::new(layer, FOOT.into(), RULE, Threat::Ignore).expect("foot exists");
        Self { doors, planes: None, search: SearchScratch::new(), far: FarScratch::new() }
    }

    fn follow(&mut self, layer: &CostLayer) {
        self.doors.follow(layer);
        let field = layer.field(FOOT.into()).expect("foot exists");
        self.planes = jps_suits(field, RULE).is_ok().then(|| JumpPlanes::full(field));
    }

    /// Plans with the planner of this number, and returns what the answer depends on.
    fn plan(
        &mut self,
        layer: &CostLayer,
        query: &PathQuery,
        planner: u32,
        out: &mut Route,
    ) -> Result<Scope, PlanError> {
        let neighbours = Neighbours::Eight;
        match (planner, &self.planes) {
            (0, _) | (1, None) => {
                astar(layer, query, RULE, &mut self.search, out)?;
                Ok(Scope { cost: out.cost.0, grain: 1, neighbours })
            }
            (1, Some(planes)) => {
                jps(layer, query, planes, &mut self.search, out)?;
                Ok(Scope { cost: out.cost.0, grain: 1, neighbours })
            }
            _ => {
                let how = FarSearch { doors: &self.doors, legs: ExactSearch::Astar(RULE), short: 20 };
                hpa(
                    layer,
                    query,
                    &how,
                    &mut self.far,
                    SearchRun { scratch: &mut self.search, out, probe: &mut NoProbe },
                )?;
                Ok(self.far.scope(&how, out))
            }
        }
    }
}

fn edit(layer: &mut CostLayer, standing: &mut Vec<StampId>, rng: &mut SplitMix) {
    let (width, height) = (layer.grid().width(), layer.grid().height());
    let at = cell(rng.below(width) as i32, rng.below(height) as i32);
    match rng.below(4) {
        0 if !standing.is_empty() => {
            let taken = standing.swap_remove(rng.below(standing.len() as u32) as usize);
            layer.remove(taken).expect("it stands");
        }
        1 => {
            let terrains = layer.rules().rules().terrains.len() as u32;
            let area = CellRect::at(at, 1 + rng.below(5), 1 + rng.below(5)).intersect(layer.grid().rect());
            layer.set_terrain(area, TerrainId(rng.below(terrains) as u8)).expect("on the map");
        }
        _ => standing.extend(layer.place(&Stamp::solid(2, 2), at, Tick::ZERO).ok()),
    }
}

#[test]
fn cold_warm_tiny_and_no_caches_give_the_same_routes() {
    let mut rng = SplitMix::new(2);
    let (mut hits, mut asked, mut known) = (0, 0, Route::new());
    for (name, grid) in every_kind(6, 160, 140).into_iter().chain(every_kind(7, 1300, 30)) {
        let mut layer = layer(&grid);
        let mut planners = Planners::new(&layer);
        let mut caches = [0, 1, 5, 10_000].map(PathCache::new);
        let spots: Vec<CellPos> = (0..4).filter_map(|_| grid.random_open(&mut rng)).collect();
        let mut standing = Vec::new();
        for round in 0..25 {
            if rng.chance(250) {
                edit(&mut layer, &mut standing, &mut rng);
            }
            planners.follow(&layer);
            let now = Tick(round);
            for _ in 0..6 {
                let query = PathQuery::new(rng.pick(&spots), rng.pick(&spots), FOOT);
                // Jump point search and A* find different routes of equal cost, so the planner is part of the key.
                let planner = rng.below(3);
                let number = if planner == 1 && planners.planes.is_none() { 0 } else { planner };
                let key = PathKey::new(&query, number);
                let mut fresh = Route::new();
                let answer = planners.plan(&layer, &query, planner, &mut fresh);
                asked += 1;
                for cache in &mut caches {
                    match (cache.get(key, &layer, now, &mut known), answer) {
                        (true, answer) => {
                            hits += 1;
                            assert!(
                                answer.is_ok(),
                                "{name}, round {round}: a route that no longer exists, {key:?}"
                            );
                            assert_eq!(known, fresh, "{name}, round {round}: {key:?}");
                        }
                        (false, Ok(scope)) => cache.put(key, &fresh, scope, &layer, now),
                        (false, Err(_)) => {}
                    }
                }
            }
        }
        let most = caches.map(|cache| cache.len());
        assert!(most[0] == 0 && most[1] <= 1 && most[2] <= 5, "{name}: {most:?}");
    }
    assert!(hits * 4 > asked, "the cache is hardly used: {hits} of {asked}");
}

#[test]
fn removing_a_wall_beside_a_route_invalidates_it() {
    // The route around the end of the wall does not change; the gap that opens is several sectors away from it.
    let grid = Grid::filled(200, 200, 1);
    let mut layer = layer(&grid);
    let walls: Vec<StampId> = (0..3)
        .map(|at| layer.place(&Stamp::solid(4, 50), cell(100, 40 * at), Tick::ZERO).expect("it fits"))
        .collect();
    let query = PathQuery::new(cell(80, 20), cell(120, 20), FOOT);
    let (mut scratch, mut route, mut cache) = (SearchScratch::new(), Route::new(), PathCache::new(9));
    let mut again = Route::new();
    astar(&layer, &query, RULE, &mut scratch, &mut route).expect("around the end");
    let key = PathKey::new(&query, 0);
    cache.put(
        key,
        &route,
        Scope { cost: route.cost.0, grain: 1, neighbours: Neighbours::Eight },
        &layer,
        Tick(1),
    );
    let crossed = route.cells().any(|at| at.y < 16 && (96..112).contains(&at.x));
    assert!(!crossed, "it passes far from where the gap will be");
    layer.remove(walls[0]).expect("it stands");
    assert!(
        !cache.get(key, &layer, Tick(2), &mut again),
        "the sectors of the route have not changed, but a search finds another route"
    );
    // A building far behind the start does not invalidate the route.
    astar(&layer, &query, RULE, &mut scratch, &mut route).expect("straight");
    cache.put(
        key,
        &route,
        Scope { cost: route.cost.0, grain: 1, neighbours: Neighbours::Eight },
        &layer,
        Tick(3),
    );
    layer.place(&Stamp::solid(3, 3), cell(20, 180), Tick::ZERO).expect("it fits");
    assert!(cache.get(key, &layer, Tick(4), &mut again));
    assert_eq!(again, route);
    assert_eq!(cache.uses(), (1, 1));
}

#[test]
fn a_large_cache_takes_memory_for_the_routes_it_keeps_and_not_for_its_setting() {
    let layer = layer(&Grid::filled(200, 200, 1));
    let (mut route, mut again) = (Route::new(), Route::new());
    let put = |cache: &mut PathCache, number: u32, route: &Route| {
        let query = PathQuery::new(cell(number as i32 % 200, number as i32 / 200), cell(0, 0), FOOT);
        let scope = Scope { cost: 0, grain: 1, neighbours: Neighbours::Eight };
        cache.put(PathKey::new(&query, 0), route, scope, &layer, Tick(number.into()));
        PathKey::new(&query, 0)
    };
    // `path_cache_size: 100000` keeps this number of legs. Memory for all of them at once took 2 GB.
    let mut cache = PathCache::new(100_000 * 32);
    route.waypoints = vec![cell(1, 2); 50];
    put(&mut cache, 0, &route);
    let first = cache.memory_bytes();
    assert!(first < 4 << 20, "{first} bytes for one route");
    for number in 1..10_000 {
        route.waypoints[0] = cell(number as i32, 7);
        put(&mut cache, number, &route);
    }
    assert_eq!(cache.len(), 10_000);
    assert!(cache.memory_bytes() <= 4 * first, "{} bytes for 10,000 routes", cache.memory_bytes());
    assert!(cache.clone().memory_bytes() <= 4 * first);
    // Nothing was lost while it grew.
    for number in 1..10_000 {
        route.waypoints[0] = cell(number, 7);
        let query = PathQuery::new(cell(number % 200, number / 200), cell(0, 0), FOOT);
        assert!(cache.get(PathKey::new(&query, 0), &layer, Tick(20_000), &mut again), "{number}");
        assert_eq!(again.waypoints, route.waypoints, "{number}");
    }
}

/// Navigators that differ only in cache size. Every query is put to each of them in every form.
struct Fleet {
    navigators: Vec<Navigator>,
    routes: Vec<Route>,
}

impl Fleet {
    fn new(grid: &Grid, config: &Config) -> Self {
        let navigator = |path_cache_size| {
            let config =
                Config { path_cache_size, sector_size: 16, short_path_threshold: 20, ..config.clone() };
            Navigator::new(grid.to_map("fleet"), config).expect("legal")
        };
        let navigators: Vec<Navigator> = [0, 1, 4, 1000].map(navigator).into();
        let routes = navigators.iter().map(|_| Route::new()).collect();
        Self { navigators, routes }
    }

    fn all_ask(
        &mut self,
        mut ask: impl FnMut(&mut Navigator, &mut Route) -> Result<(), PlanError>,
        what: &str,
    ) {
        let answers: Vec<_> = self
            .navigators
            .iter_mut()
            .zip(&mut self.routes)
            .map(|(navigator, route)| ask(navigator, route))
            .collect();
        for (answer, route) in answers.iter().zip(&self.routes) {
            assert_eq!(answer, &answers[0], "{what}");
            if answer.is_ok() {
                assert_eq!(route, &self.routes[0], "{what}");
            }
        }
        let hash = self.navigators[0].state_hash();
        assert!(self.navigators.iter().all(|navigator| navigator.state_hash() == hash), "{what}: hashes");
    }
}

#[test]
fn navigators_give_the_same_answers_for_every_cache_size() {
    let mut rng = SplitMix::new(12);
    for (name, grid) in every_kind(3, 130, 110) {
        let per_mille = rng.pick(&[1000, 1000, 1100]);
        let config =
            Config { route_per_mille: per_mille, jps_precomputed: rng.chance(800), ..Config::default() };
        let mut fleet = Fleet::new(&grid, &config);
        let spots: Vec<CellPos> = (0..5).filter_map(|_| grid.random_open(&mut rng)).collect();
        let mut standing: Vec<StampId> = Vec::new();
        for round in 0..30 {
            let at = cell(rng.below(125) as i32, rng.below(105) as i32);
            match rng.below(6) {
                0 if !standing.is_empty() => {
                    let id = standing.swap_remove(rng.below(standing.len() as u32) as usize);
                    fleet.navigators.iter_mut().for_each(|nav| nav.remove(id).expect("it stands"));
                }
                1 => {
                    let placed: Vec<_> = fleet
                        .navigators
                        .iter_mut()
                        .map(|nav| nav.place(&Stamp::solid(3, 3), at).ok())
                        .collect();
                    standing.extend(placed[0]);
                }
                2 => fleet.navigators.iter_mut().for_each(Navigator::tick),
                _ => {}
            }
            for _ in 0..5 {
                let query = PathQuery::new(rng.pick(&spots), rng.pick(&spots), FOOT);
                let what = format!("{name}, round {round}, {} to {}", query.from, query.to);
                fleet.all_ask(|nav, route| nav.path_into(&query, route), &what);
                fleet.all_ask(|nav, route| nav.path_far(&query, route), &what);
            }
        }
    }
}

#[test]
fn remembered_legs_change_no_route() {
    let mut rng = SplitMix::new(17);
    let mut found = 0;
    for (name, grid) in every_kind(5, 300, 200) {
        let mut layer = layer(&grid);
        let mut doors = Doors::new(&layer, FOOT.into(), RULE, Threat::Ignore).expect("foot exists");
        let mut planes = WeightedPlanes::new(&layer, FOOT.into(), RULE, Threat::Ignore).expect("foot exists");
        let mut memories = [0, 3, 10_000].map(FarScratch::remembering);
        let (mut standing, mut search) = (Vec::new(), SearchScratch::new());
        let goals = [(); 3].map(|()| grid.random_open(&mut rng).expect("an open cell"));
        for round in 0..12 {
            let from = grid.random_open(&mut rng).expect("an open cell");
            let query = PathQuery::new(from, goals[round % 3], FOOT);
            let legs = ExactSearch::Weighted(WeightedSearch::new(&planes));
            let how = FarSearch { doors: &doors, legs, short: 20 };
            let answers = memories.each_mut().map(|far| {
                let mut route = Route::new();
                let answer = hpa(
                    &layer,
                    &query,
                    &how,
                    far,
                    SearchRun { scratch: &mut search, out: &mut route, probe: &mut NoProbe },
                );
                (answer, route)
            });
            assert!(answers.windows(2).all(|two| two[0] == two[1]), "{name}, round {round}");
            edit(&mut layer, &mut standing, &mut rng);
            doors.follow(&layer);
            planes.follow(&layer);
        }
        assert!(memories[0].legs().is_empty() && memories[1].legs().len() <= 3, "{name}");
        found += memories[2].legs().uses().0;
    }
    assert!(found > 50, "legs are walked again: {found}");
}
