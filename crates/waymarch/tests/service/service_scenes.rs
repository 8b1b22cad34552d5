//! Scenes of the path service, each named after a former bug.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use waymarch::base::{ByteWriter, CellPos, Fixed, FrameKind, GridSize, LocomotorId, Persist, cell};
use waymarch::config::Config;
use waymarch::cost::{Falloff, Map, Rules, Stamp, ThreatSource};
use waymarch::planners::{PlanScratch, PlanView, Planner, Promise};
use waymarch::query::{BlockedBy, Goal, PathAsk, PathQuery, PlanError, Threat};
use waymarch::search::{Route, astar};
use waymarch::world::{
    Blockers, EventKind, Guidance, Navigator, Order, PathId, PathService, PathStatus, PlannerChoice,
    PlayerId, RouteChange, Serial, UnitType, World,
};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::splitmix::SplitMix;

use crate::ground::plain;

const FOOT: LocomotorId = LocomotorId(0);

fn maze(config: Config) -> (Grid, PathService) {
    let (_, grid) =
        every_kind(2, 120, 120).into_iter().find(|(name, _)| name.contains("maze")).expect("there is a maze");
    let nav = Navigator::new(grid.to_map("maze"), config).expect("the testkit makes legal maps");
    (grid, PathService::new(nav))
}

fn is_settled(service: &PathService, id: PathId) -> bool {
    service.status(id).is_some_and(|status| status.is_settled())
}

#[test]
fn issue_6_an_edit_is_not_overlooked_because_a_new_route_was_just_answered() {
    let map = Map::flat("plain", GridSize::new(64, 64).expect("legal"), Rules::standard());
    let mut world = World::new(Navigator::new(map, Config::default()).expect("a legal map"));
    let kind = world.add_type(UnitType::new("soldier", FOOT)).expect("legal");
    let wall = world.place(&Stamp::solid(1, 60), cell(30, 0)).expect("it fits");
    let unit = world.spawn(kind, PlayerId(0), cell(5, 5)).expect("free");
    world.order(&[unit], Order::move_to(cell(58, 5))).expect("a unit");
    (0..12).for_each(|_| world.tick());
    world.remove_stamp(wall).expect("it stands");
    // The route through the gap is requested and found in this tick, and the gap is closed before the route is used.
    world.tick();
    world.place(&Stamp::solid(1, 60), cell(30, 0)).expect("it fits");
    let mut told = false;
    for _ in 0..2 {
        world.tick();
        told |= world.events().iter().any(|event| event.what == EventKind::RouteChanged(RouteChange::Ground));
    }
    assert!(told, "its new route leads through the wall and was not reviewed");
    let ticks = (0..4000).find(|_| {
        world.tick();
        world.events().iter().any(|event| event.what == EventKind::Arrived)
    });
    assert!(ticks.is_some(), "the unit never arrives");
}

#[test]
fn issue_6_a_route_that_is_cut_during_the_search_for_a_better_one_is_dropped() {
    let map = Map::flat("plain", GridSize::new(64, 64).expect("legal"), Rules::standard());
    let config = Config { max_path_nodes_per_tick: 64, path_lanes: 1, ..Config::default() };
    let mut world = World::new(Navigator::new(map, config).expect("a legal map"));
    let kind = world.add_type(UnitType::new("soldier", FOOT)).expect("legal");
    let wall = world.place(&Stamp::solid(1, 60), cell(30, 0)).expect("it fits");
    let unit = world.spawn(kind, PlayerId(0), cell(5, 5)).expect("free");
    world.order(&[unit], Order::move_to(cell(58, 5))).expect("a unit");
    (0..12).for_each(|_| world.tick());
    world.remove_stamp(wall).expect("it stands");
    world.tick();
    // A wall over the whole height closes the old route and the better one.
    world.place(&Stamp::solid(1, 64), cell(40, 0)).expect("it fits");
    let mut given_up = None;
    for tick in 0..400 {
        world.tick();
        if world.events().iter().any(|event| matches!(event.what, EventKind::Blocked(_))) {
            given_up = Some(tick);
            break;
        }
    }
    assert!(given_up.is_some_and(|tick| tick < 4), "told after {given_up:?} ticks that there is no route");
}

/// Moves a threat source to another cell in every tick.
fn move_threat(service: &mut PathService, tick: u32, around: CellPos) {
    let at = around.offset((tick % 3) as i32, 0);
    let source = ThreatSource { at, radius: 2, strength: 9, falloff: Falloff::Flat };
    let known = service.nav().layer().threat().sources().next().map(|(id, _)| id);
    let nav = service.nav_mut();
    match known {
        Some(id) => nav.set_threat(id, source).expect("it is there"),
        None => drop(nav.add_threat(source).expect("on the map")),
    }
}

/// Whether the threat source moves while a search runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Haunting {
    Stays,
    Moves,
}

/// The ticks and nodes of a search while there is threat around a cell.
fn search_under_threat(
    mut service: PathService,
    ask: PathAsk,
    around: CellPos,
    haunting: Haunting,
) -> (u32, u64) {
    // The threat is there from the start and has been refreshed.
    move_threat(&mut service, 0, around);
    service.tick();
    let before = service.work().nodes;
    let id = service.request(ask);
    let mut ticks = 0;
    while !is_settled(&service, id) {
        ticks += 1;
        if haunting == Haunting::Moves {
            move_threat(&mut service, ticks, around);
        }
        service.tick();
        assert!(ticks < 400, "the search does not end while threat moves");
    }
    assert_eq!(service.status(id), Some(PathStatus::Complete));
    (ticks, service.work().nodes - before)
}

fn little_by_little() -> Config {
    Config {
        max_path_nodes_per_tick: 64,
        short_path_threshold: 8192,
        threat_update_frequency: 1,
        path_lanes: 1,
        ..Config::default()
    }
}

#[test]
fn issue_6_threat_that_shows_in_every_tick_does_not_restart_searches_that_ignore_it() {
    let (grid, service) = maze(little_by_little());
    let mut rng = SplitMix::new(4);
    let ends = (0..4000).filter_map(|_| grid.random_open(&mut rng).zip(grid.random_open(&mut rng)));
    let far = |(a, b): &(CellPos, CellPos)| a.x.abs_diff(b.x) + a.y.abs_diff(b.y) > 120;
    let (from, to) = ends.into_iter().find(far).expect("some are far apart");
    let ask = PathAsk::new(from.centre(), to, FOOT);
    let calm = search_under_threat(service.clone(), ask.clone(), from, Haunting::Stays);
    assert!(calm.0 > 2, "the search paused: {calm:?}");
    assert_eq!(search_under_threat(service, ask, from, Haunting::Moves), calm);
}

#[test]
fn issue_6_threat_that_shows_in_every_tick_restarts_a_search_that_heeds_it_a_few_times_if_it_has_looked_there()
 {
    // Without planes A* searches, and knows which cells it has read. Jump point search reads the whole map.
    let config = Config { jps_precomputed: false, ..little_by_little() };
    let mut service = plain(200, 200, config);
    service.nav_mut().place(&Stamp::solid(1, 64), cell(100, 70)).expect("it fits");
    service.nav_mut().place(&Stamp::solid(1, 20), cell(100, 134)).expect("it fits");
    let ask = PathAsk::new(cell(60, 100).centre(), cell(140, 100), FOOT).with_threat(Threat::Heed);
    let run = |around, haunting| search_under_threat(service.clone(), ask.clone(), around, haunting);
    let near = cell(62, 100);
    let (ticks, nodes) = run(near, Haunting::Stays);
    assert!(ticks > 8, "the search paused: {ticks}");
    let (haunted_ticks, haunted_nodes) = run(near, Haunting::Moves);
    assert!((3..=6).contains(&haunted_ticks), "the search must restart a few times: {haunted_ticks} ticks");
    assert!(haunted_nodes < 5 * nodes, "{haunted_nodes} nodes instead of {nodes}");
    // Threat far from the explored cells makes no difference.
    let far = cell(100, 4);
    assert_eq!(run(far, Haunting::Moves), run(far, Haunting::Stays));
}

#[test]
fn issue_6_a_far_route_pauses_between_its_legs_and_is_the_same() {
    for (name, grid) in every_kind(5, 200, 160) {
        let routes = Config { flowfield_group_threshold: 100_000, ..Config::default() };
        let generous = Config { max_path_nodes_per_tick: 1_000_000, short_path_threshold: 8, ..routes };
        let tight = Config { max_path_nodes_per_tick: 64, path_lanes: 2, ..generous.clone() };
        let make = |config| PathService::new(Navigator::new(grid.to_map(name), config).expect("legal"));
        let (mut quick, mut slow) = (make(generous), make(tight));
        let mut rng = SplitMix::new(3);
        let mut ids = Vec::new();
        for _ in 0..8 {
            let Some((from, to)) = grid.random_open(&mut rng).zip(grid.random_open(&mut rng)) else {
                continue;
            };
            let ask = PathAsk::new(from.centre(), to, FOOT);
            ids.push((quick.request(ask.clone()), slow.request(ask)));
        }
        for number in 0..4000 {
            if number < 10 {
                quick.tick();
            }
            slow.tick();
            if number % 3 == 0 {
                slow.poison_scratch();
            }
        }
        assert_eq!((quick.waiting(), slow.waiting()), (0, 0), "{name}");
        let far = ids
            .iter()
            .filter(|(_, id)| slow.report(*id).is_some_and(|report| report.planner == PlannerChoice::Hpa));
        assert!(far.count() == 0 || slow.work().pauses > 0, "{name}: {:?}", slow.work());
        assert_eq!(quick.work().pauses, 0);
        for (a, b) in ids {
            assert_eq!(quick.status(a), slow.status(b), "{name}");
            assert_eq!(quick.guidance(a), slow.guidance(b), "{name}");
        }
    }
}

/// A planner that answers only queries that it was prepared for and that suit it.
#[derive(Clone, Default)]
struct Strict {
    prepared: Vec<PathQuery>,
    asked: Arc<Mutex<Vec<PathQuery>>>,
    /// Goals in this column and further east do not suit it.
    up_to: i32,
}

impl Planner for Strict {
    fn name(&self) -> &str {
        "strict"
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn suits(&self, _view: &PlanView<'_>, query: &PathQuery) -> Result<(), &'static str> {
        if query.to.x < self.up_to { Ok(()) } else { Err("too far east") }
    }

    fn prepare(&mut self, _view: &PlanView<'_>, batch: &[PathQuery]) {
        self.prepared = batch.to_vec();
    }

    fn plan(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        assert!(query.to.x < self.up_to, "the query does not suit the planner");
        self.asked.lock().expect("no panic before").push(*query);
        if !self.prepared.contains(query) {
            return Err(PlanError::Unsuited("not prepared for that"));
        }
        astar(view.layer, query, view.config.step_rule(), &mut scratch.search, out)
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}

#[test]
fn issue_6_a_custom_planner_gets_only_queries_that_it_was_prepared_for_and_that_suit_it() {
    let planner = Strict { up_to: 90, ..Strict::default() };
    let asked = Arc::clone(&planner.asked);
    let mut service = plain(120, 60, Config::default()).with_planner(Box::new(planner));
    let from = cell(5, 30).centre();
    let circle =
        service.request(PathAsk::to_goal(from, Goal::circle(cell(60, 30), Fixed::from_cells(6)), FOOT));
    let point = service.request(PathAsk::new(from, cell(80, 12), FOOT));
    let east = service.request(PathAsk::new(from, cell(110, 30), FOOT));
    service.tick();
    for id in [circle, point, east] {
        assert_eq!(service.status(id), Some(PathStatus::Complete));
    }
    let by = |service: &PathService, id| service.report(id).map(|report| report.planner);
    assert_eq!(by(&service, circle), Some(PlannerChoice::Custom));
    assert_eq!(by(&service, point), Some(PlannerChoice::Custom));
    assert_ne!(by(&service, east), Some(PlannerChoice::Custom), "the query does not suit the planner");
    // The search for a link back to a cut route is a query of its own.
    service.nav_mut().place(&Stamp::solid(3, 20), cell(40, 12)).expect("it fits");
    assert!(service.repair(point, cell(20, 26).centre(), 1));
    service.tick();
    assert_eq!(service.status(point), Some(PathStatus::Complete));
    assert_eq!(by(&service, point), Some(PlannerChoice::Custom));
    assert!(asked.lock().expect("no panic").iter().any(|query| query.from == cell(20, 26)));
}

#[test]
fn issue_6_a_cancelled_request_does_not_wait() {
    let mut service = plain(64, 64, Config { max_paths_per_tick: 1, ..Config::default() });
    let ask = |x| PathAsk::new(cell(x, 3).centre(), cell(60 - x, 60), FOOT);
    let ids: Vec<PathId> = (0..6).map(|x| service.request(ask(x * 8))).collect();
    assert_eq!(service.waiting(), 6);
    ids.iter().take(4).for_each(|&id| assert!(service.cancel(id)));
    assert_eq!(service.waiting(), 2);
}

/// Requests of twenty units to three cells of one room.
fn to_one_room(service: &mut PathService) -> Vec<PathId> {
    let ask = |k: i32| PathAsk::new(cell(3 + k % 5, 4 + k / 5).centre(), cell(110 + k % 3, 110), FOOT);
    let ids: Vec<PathId> = (0..20).map(|k| service.request(ask(k))).collect();
    service.tick();
    ids
}

#[test]
fn issue_6_a_unit_that_leaves_a_flow_has_a_route_of_its_own_in_the_same_tick() {
    let mut service = plain(128, 128, Config::default());
    let ids = to_one_room(&mut service);
    let flows = |service: &PathService, id| matches!(service.guidance(id), Some(Guidance::Flow(..)));
    assert!(ids.iter().all(|&id| flows(&service, id)));
    // In the room of the goal, the flow leads to another cell than two thirds of the units want.
    ids.iter().for_each(|&id| service.moved(id, cell(100, 100).centre()));
    let mut left = 0;
    for _ in 0..9 {
        let before: Vec<PathId> = ids.iter().copied().filter(|&id| flows(&service, id)).collect();
        service.tick();
        for id in before.into_iter().filter(|&id| !flows(&service, id)) {
            left += 1;
            let guidance = service.guidance(id);
            assert!(!matches!(guidance, Some(Guidance::Straight(_))), "{guidance:?} for a tick");
        }
    }
    assert!(left >= 12, "{left}");
}

#[test]
fn issue_6_units_that_strayed_are_led_back_within_the_node_budget() {
    let (_, grid) =
        every_kind(7, 256, 256).into_iter().find(|(name, _)| name.contains("cave")).expect("there are caves");
    let config = Config { max_path_nodes_per_tick: 1024, ..Config::default() };
    let nav = Navigator::new(grid.to_map("caves"), config).expect("legal");
    let mut service = PathService::new(nav);
    let mut rng = SplitMix::new(8);
    let mut open = || grid.random_open(&mut rng).expect("caves are open");
    let goal = loop {
        let at = open();
        if (0..20).filter(|_| service.nav().reachable(open(), at, FOOT)).count() > 10 {
            break at;
        }
    };
    let near: Vec<CellPos> = (0..40_000)
        .map(|_| open())
        .filter(|at| at.x.abs_diff(goal.x).max(at.y.abs_diff(goal.y)) < 24)
        .filter(|&at| service.nav().reachable(at, goal, FOOT))
        .take(300)
        .collect();
    let ids: Vec<PathId> =
        near.iter().map(|at| service.request(PathAsk::new(at.centre(), goal, FOOT))).collect();
    (0..60).for_each(|_| service.tick());
    assert_eq!(service.waiting(), 0);
    // All units are suddenly far away, each in another place.
    for &id in &ids {
        let at = loop {
            let at = open();
            if service.nav().reachable(at, goal, FOOT)
                && at.x.abs_diff(goal.x).max(at.y.abs_diff(goal.y)) > 60
            {
                break at;
            }
        };
        service.moved(id, at.centre());
    }
    let (mut most, mut all) = (0, 0);
    for _ in 0..200 {
        let before = service.work().nodes;
        service.tick();
        let nodes = service.work().nodes - before;
        (most, all) = (nodes.max(most), all + nodes);
    }
    assert!(all > 3 * 1024, "there was work to do: {all}");
    assert!(most <= 2 * 1024 + 1024, "{most} nodes in a tick of 1024");
    let mut reader = waymarch::flow::tiles::TileReader::new();
    for &id in &ids {
        let from = service.ask(id).expect("not cancelled").from;
        let led = match service.guidance(id) {
            Some(Guidance::Flow(..)) => {
                matches!(service.heading(id, from, &mut reader), waymarch::flow::tiles::Heading::Go { .. })
            }
            Some(Guidance::Waypoints(_)) => true,
            _ => false,
        };
        assert!(led, "{id} is not led");
    }
}

/// Stores the path that it is asked about.
struct Asked(AtomicU32);

impl Blockers for Asked {
    fn near(&self, path: PathId, _at: CellPos, _reach: i32, _mode: BlockedBy, _out: &mut Vec<CellPos>) {
        self.0.store(path.index() + 1, Ordering::Relaxed);
    }
}

#[test]
fn issue_6_a_unit_that_moved_since_its_request_does_not_block_itself() {
    let mut service = plain(64, 64, Config::default());
    let first = service.request(PathAsk::new(cell(3, 3).centre(), cell(60, 60), FOOT));
    let ask = PathAsk::new(cell(9, 3).centre(), cell(60, 50), FOOT);
    let second = service.request(ask.with_blocked_by(BlockedBy::All));
    let asked = Asked(AtomicU32::new(0));
    service.tick_with(&Serial, &asked);
    assert_ne!(first, second);
    assert_eq!(asked.0.load(Ordering::Relaxed), second.index() + 1);
}

/// The bytes of a World with a change inside and a matching checksum.
fn reframed(saved: &[u8], change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let version = u32::from_le_bytes(saved[4..8].try_into().expect("four bytes"));
    let kind = FrameKind::new(saved[..4].try_into().expect("four bytes"), version);
    let mut inside = saved[12..saved.len() - 8].to_vec();
    change(&mut inside);
    let mut writer = ByteWriter::new();
    kind.write(&mut writer, |writer| inside.iter().for_each(|byte| byte.save(writer)));
    writer.into_bytes()
}

#[test]
fn issue_6_invalid_requests_are_refused_when_they_are_loaded() {
    let map = Map::flat("plain", GridSize::new(96, 96).expect("legal"), Rules::standard());
    let config = Config { max_path_nodes_per_tick: 64, ..Config::default() };
    let mut world = World::new(Navigator::new(map, config).expect("a legal map"));
    world.place(&Stamp::solid(1, 60), cell(40, 20)).expect("it fits");
    let kind = world.add_type(UnitType::new("soldier", FOOT)).expect("legal");
    let spots: Vec<CellPos> = (0..24).map(|k| cell(3 + k % 6, 40 + k / 6)).collect();
    let units = world.spawn_many(kind, PlayerId(0), &spots).expect("free");
    world.order(&units[..12], Order::move_to(cell(90, 50))).expect("units");
    for (k, &unit) in units[12..].iter().enumerate() {
        world.order(&[unit], Order::move_to(cell(60 + k as i32 % 30, 10 + 7 * k as i32))).expect("a unit");
    }
    (0..3).for_each(|_| world.tick());
    let saved = world.save();
    assert_eq!(reframed(&saved, |_| ()), saved);
    World::load(&saved).expect("what was saved");
    // In the bytes, the requests follow the navigator.
    let (mut refused, mut whys) = (0, Vec::new());
    let mut rng = SplitMix::new(11);
    for round in 0..6000_u32 {
        let damaged = reframed(&saved, |inside| {
            for _ in 0..1 + round % 2 {
                let at = rng.below(inside.len() as u32) as usize;
                inside[at] =
                    if round % 3 == 0 { rng.below(256) as u8 } else { inside[at] ^ 1 << rng.below(8) };
            }
        });
        match World::load(&damaged) {
            Err(error) => {
                refused += 1;
                whys.push(error.what);
            }
            // A change that is accepted must not cause a panic later.
            Ok(mut world) => (0..4).for_each(|_| world.tick()),
        }
    }
    whys.sort_unstable();
    whys.dedup();
    assert!(refused > 2000, "{refused} refused: {whys:?}");
    for what in ["starts off the map", "leaves the map", "without costs", "count differs"] {
        assert!(whys.iter().any(|why| why.contains(what)), "{what} is not in {whys:?}");
    }
}
