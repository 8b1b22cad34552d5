//! The path service: every request is answered in bounded time and in order, and the number of lanes or threads changes no answer.

use waymarch::base::{CellPos, Fixed, LocomotorId, Vec2, cell};
use waymarch::config::Config;
use waymarch::cost::Stamp;
use waymarch::flow::tiles::{Guide, Heading, TileReader};
use waymarch::plan::GroupMode;
use waymarch::query::{BlockedBy, Detail, Goal, PathAsk, PathQuery, Priority};
use waymarch::search::Route;
use waymarch::world::{
    Blockers, Guidance, Navigator, PathId, PathReason, PathService, PathStatus, PlannerChoice, PlannerReason,
    Serial,
};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::splitmix::SplitMix;

use crate::ground::plain;

const FOOT: LocomotorId = LocomotorId(0);

/// Every request gets a route of its own, never a flow.
fn routes_only() -> Config {
    Config { flowfield_group_threshold: 100_000, ..Config::default() }
}

fn service(grid: &Grid, config: Config) -> PathService {
    PathService::new(Navigator::new(grid.to_map("service"), config).expect("the testkit makes legal maps"))
}

fn points(service: &PathService, id: PathId) -> Vec<Vec2> {
    match service.guidance(id) {
        Some(Guidance::Waypoints(points)) => points.to_vec(),
        other => panic!("{other:?} is no route, status {:?}", service.status(id)),
    }
}

/// Ticks the service until no request waits. Returns the number of ticks.
fn run(service: &mut PathService, most: u32) -> u32 {
    for tick in 0..most {
        if service.waiting() == 0 {
            return tick;
        }
        service.tick();
    }
    panic!("{} requests still wait after {most} ticks", service.waiting());
}

#[test]
fn every_request_is_answered_as_the_navigator_would() {
    for seed in 0..3 {
        for (name, grid) in every_kind(seed, 90, 70) {
            let mut service = service(&grid, routes_only());
            let mut nav = Navigator::new(grid.to_map(name), Config::default()).expect("legal");
            let mut rng = SplitMix::new(seed);
            let mut asked = Vec::new();
            for _ in 0..40 {
                let Some((from, to)) = grid.random_open(&mut rng).zip(grid.random_open(&mut rng)) else {
                    continue;
                };
                asked.push((service.request(PathAsk::new(from.centre(), to, FOOT)), from, to));
            }
            run(&mut service, 400);
            for (id, from, to) in asked {
                let mut route = Route::new();
                let expected = nav.path_far(&PathQuery::new(from, to, FOOT), &mut route);
                let status = service.status(id).expect("it was not cancelled");
                assert_eq!(
                    status == PathStatus::Complete,
                    expected.is_ok(),
                    "{name}: {from} to {to}: {status:?}"
                );
                if expected.is_err() {
                    assert_eq!(
                        status,
                        PathStatus::Unreachable(PathReason::NoRoute),
                        "{name}: {from} to {to}"
                    );
                    continue;
                }
                let points = points(&service, id);
                assert_eq!(points.first(), Some(&from.centre()));
                assert_eq!(points.last(), Some(&to.centre()));
            }
        }
    }
}

#[test]
fn a_hundred_thousand_requests_are_answered_in_order_at_a_bounded_cost_per_tick() {
    let config = Config { max_paths_per_tick: 1000, max_path_nodes_per_tick: 20_000, ..routes_only() };
    let mut service = plain(128, 128, config);
    service.nav_mut().place(&Stamp::solid(64, 1), cell(30, 60)).expect("it fits");
    let mut rng = SplitMix::new(9);
    let mut place = || loop {
        let at = cell(rng.below(128) as i32, rng.below(128) as i32);
        if !(at.y == 60 && (30..94).contains(&at.x)) {
            return at;
        }
    };
    let ids: Vec<PathId> =
        (0..100_000).map(|_| service.request(PathAsk::new(place().centre(), place(), FOOT))).collect();
    assert_eq!(service.waiting(), 100_000);
    let mut answered = 0;
    let mut nodes = 0;
    for tick in 0.. {
        assert!(tick < 2000, "{} still wait", service.waiting());
        service.tick();
        let work = service.work();
        // Limits per tick: requests, and nodes. The last search of each lane may exceed the node budget.
        assert!(work.answered - answered <= 1000);
        assert!(work.nodes - nodes <= 20_000 + 4 * 4000, "{} nodes in tick {tick}", work.nodes - nodes);
        (answered, nodes) = (work.answered, work.nodes);
        if service.waiting() == 0 {
            break;
        }
    }
    assert_eq!(answered, 100_000);
    // All have one priority: older requests are begun first. A request that waited for a route that it cannot share may be begun a tick later.
    let (mut last, mut late) = (0, 0);
    for &id in &ids {
        assert_eq!(service.status(id), Some(PathStatus::Complete));
        let begun = service.report(id).expect("answered").begun.0;
        assert!(begun + 1 >= last, "{id} was begun in tick {begun}, a younger one in {last}");
        late += u32::from(begun < last);
        last = last.max(begun);
    }
    assert!(late < 1000, "{late}");
}

#[test]
fn a_stream_of_urgent_requests_starves_no_other_request() {
    let config = Config { max_paths_per_tick: 4, ..routes_only() };
    let mut service = plain(64, 64, config);
    let urgent = |service: &mut PathService, n: u32| {
        for k in 0..n {
            let from = cell((k * 7 % 60) as i32, (k * 13 % 60) as i32);
            let ask = PathAsk::new(from.centre(), cell(60 - from.x, 60 - from.y), FOOT);
            service.request(ask.with_priority(Priority::High));
        }
    };
    urgent(&mut service, 40);
    let low =
        service.request(PathAsk::new(cell(1, 1).centre(), cell(50, 60), FOOT).with_priority(Priority::Low));
    let older = 40;
    let bound = service.longest_wait(older);
    let mut ticks = 0;
    while !service.status(low).is_some_and(|status| status.is_settled()) {
        urgent(&mut service, 8);
        service.tick();
        ticks += 1;
        assert!(ticks <= bound.min(older + 1), "a request of low priority starves: {ticks} ticks");
    }
    assert!(ticks > 5, "the request had to wait");
}

#[test]
fn a_search_beyond_the_budget_goes_on_in_the_next_ticks_and_finds_the_same() {
    for (name, grid) in every_kind(5, 100, 100) {
        let generous =
            Config { max_path_nodes_per_tick: 1_000_000, short_path_threshold: 8192, ..Config::default() };
        let tight = Config { max_path_nodes_per_tick: 64, path_lanes: 3, ..generous.clone() };
        let (mut quick, mut slow) = (service(&grid, generous), service(&grid, tight));
        let mut rng = SplitMix::new(1);
        let mut ids = Vec::new();
        for _ in 0..12 {
            let Some((from, to)) = grid.random_open(&mut rng).zip(grid.random_open(&mut rng)) else {
                continue;
            };
            let ask = PathAsk::new(from.centre(), to, FOOT);
            ids.push((quick.request(ask.clone()), slow.request(ask)));
        }
        run(&mut quick, 10);
        run(&mut slow, 5000);
        if name.contains("maze") {
            assert!(slow.work().pauses > 10, "{name}: {:?}", slow.work());
        }
        assert_eq!(quick.work().pauses, 0);
        for (a, b) in ids {
            assert_eq!(quick.status(a), slow.status(b), "{name}");
            assert_eq!(quick.guidance(a), slow.guidance(b), "{name}");
        }
    }
}

#[test]
fn a_long_search_ends_despite_edits_in_every_tick() {
    let (_, grid) =
        every_kind(2, 120, 120).into_iter().find(|(name, _)| name.contains("maze")).expect("there is a maze");
    let config = Config { max_path_nodes_per_tick: 64, short_path_threshold: 8192, ..Config::default() };
    let mut service = service(&grid, config);
    let mut rng = SplitMix::new(4);
    let ends = (0..60).filter_map(|_| grid.random_open(&mut rng).zip(grid.random_open(&mut rng)));
    let far = |(a, b): &(CellPos, CellPos)| a.x.abs_diff(b.x) + a.y.abs_diff(b.y) > 100;
    let (from, to) = ends.into_iter().find(far).expect("some are far apart");
    let id = service.request(PathAsk::new(from.centre(), to, FOOT));
    let mut ticks = 0;
    while !service.status(id).is_some_and(|status| status.is_settled()) {
        let stamp = service.nav_mut().place(&Stamp::solid(1, 1), cell(0, 0)).expect("it fits");
        service.nav_mut().remove(stamp).expect("it stands");
        service.tick();
        ticks += 1;
        assert!(ticks < 50, "the search does not end");
    }
    assert!(ticks > 2, "the search had to restart");
    assert_eq!(service.status(id), Some(PathStatus::Complete));
}

#[test]
fn waiting_units_follow_an_interim_route_over_doors() {
    let config = Config { max_paths_per_tick: 1, ..Config::default() };
    let mut service = plain(200, 200, config);
    service.nav_mut().place(&Stamp::solid(60, 1), cell(70, 100)).expect("it fits");
    let ids: Vec<PathId> = (0..12)
        .map(|k| service.request(PathAsk::new(cell(5 + 15 * k, 5).centre(), cell(190 - 12 * k, 190), FOOT)))
        .collect();
    service.tick();
    let temporary: Vec<PathId> =
        ids.iter().copied().filter(|&id| service.status(id) == Some(PathStatus::Temporary)).collect();
    assert_eq!(temporary.len(), 11, "one request is answered, the others have interim routes");
    let before = points(&service, temporary[10]);
    assert_eq!(before.last(), Some(&cell(190 - 12 * 11, 190).centre()));
    run(&mut service, 40);
    for id in ids {
        assert_eq!(service.status(id), Some(PathStatus::Complete));
    }
    assert_ne!(points(&service, temporary[10]), before);
}

#[test]
fn neighbours_share_a_route() {
    let mut service = plain(120, 60, Config::default());
    service.nav_mut().place(&Stamp::solid(1, 50), cell(50, 0)).expect("it fits");
    let first = service.request(PathAsk::new(cell(10, 10).centre(), cell(100, 10), FOOT));
    let second = service.request(PathAsk::new(cell(12, 11).centre(), cell(101, 12), FOOT));
    let other = service.request(PathAsk::new(cell(10, 40).centre(), cell(100, 10), FOOT));
    service.tick();
    assert_eq!(service.report(second).map(|report| report.reason), Some(PlannerReason::Shared));
    assert_ne!(service.report(other).map(|report| report.reason), Some(PlannerReason::Shared));
    let (a, b) = (points(&service, first), points(&service, second));
    assert_eq!(b.first(), Some(&cell(12, 11).centre()));
    assert_eq!(b.last(), Some(&cell(101, 12).centre()));
    assert_eq!(a[1..a.len() - 1], b[1..b.len() - 1]);
    assert!(a.len() > 2, "around the wall");
}

#[test]
fn a_route_that_an_edit_cuts_is_rejoined_behind_the_edit() {
    let mut service = plain(300, 60, Config::default());
    service.nav_mut().place(&Stamp::solid(1, 50), cell(200, 10)).expect("it fits");
    let id = service.request(PathAsk::new(cell(5, 50).centre(), cell(290, 50), FOOT));
    service.tick();
    let before = points(&service, id);
    // A house on the route before its first turn.
    let middle =
        cell((before[0].cell().x + before[1].cell().x) / 2, (before[0].cell().y + before[1].cell().y) / 2);
    service.nav_mut().place(&Stamp::solid(5, 5), middle.offset(-2, -2)).expect("it fits");
    assert!(service.repair(id, cell(30, 45).centre(), 1));
    assert_eq!(service.status(id), Some(PathStatus::Temporary));
    service.tick();
    assert_eq!(service.status(id), Some(PathStatus::Complete));
    let after = points(&service, id);
    assert_eq!(service.report(id).map(|report| report.reason), Some(PlannerReason::Rejoined));
    assert_eq!(after.first(), Some(&cell(30, 45).centre()));
    assert_eq!(after[after.len() - 2..], before[before.len() - 2..], "the rest of the route is the old one");
    let nav = service.nav();
    let sight =
        waymarch::search::Sight::new(nav.layer(), FOOT.into(), Default::default(), nav.config().step_rule())
            .expect("foot has costs");
    for pair in after.windows(2) {
        assert!(sight.is_clear(pair[0], pair[1]), "{:?} to {:?}", pair[0], pair[1]);
    }
    assert!(!service.repair(PathId::DEAD, cell(1, 1).centre(), 0));
}

struct Crowd(Vec<CellPos>);

impl Blockers for Crowd {
    fn near(&self, _path: PathId, at: CellPos, reach: i32, mode: BlockedBy, out: &mut Vec<CellPos>) {
        assert_ne!(mode, BlockedBy::None);
        out.extend(
            self.0.iter().filter(|to| to.x.abs_diff(at.x).max(to.y.abs_diff(at.y)) <= reach.unsigned_abs()),
        );
    }
}

#[test]
fn a_request_for_a_route_around_units_gets_one() {
    let mut service = plain(80, 40, Config::default());
    let crowd = Crowd((15..25).map(|y| cell(20, y)).collect());
    let ask = PathAsk::new(cell(10, 20).centre(), cell(70, 20), FOOT);
    let around = service.request(ask.clone().with_blocked_by(BlockedBy::All));
    let through = service.request(ask);
    service.tick_with(&Serial, &crowd);
    assert_eq!(points(&service, through).len(), 2, "a straight route");
    assert_eq!(service.report(around).map(|report| report.reason), Some(PlannerReason::Units));
    // The route goes around one end of the row and back.
    let route = points(&service, around);
    assert!(route.len() > 2, "{route:?}");
    // The unit is enclosed by units: there is no route around them, so the plain route is used.
    let ring = Crowd(CellPos::new(30, 20).around());
    let stuck = service
        .request(PathAsk::new(cell(30, 20).centre(), cell(70, 20), FOOT).with_blocked_by(BlockedBy::All));
    service.tick_with(&Serial, &ring);
    assert_eq!(service.status(stuck), Some(PathStatus::Complete));
}

trait Around {
    fn around(self) -> Vec<CellPos>;
}

impl Around for CellPos {
    fn around(self) -> Vec<CellPos> {
        waymarch::base::Dir8::ALL.into_iter().map(|dir| self.step(dir)).collect()
    }
}

#[test]
fn less_detail_is_less_work() {
    let mut service = plain(256, 256, Config::default());
    service.nav_mut().place(&Stamp::solid(60, 3), cell(100, 120)).expect("it fits");
    let ask = PathAsk::new(cell(10, 10).centre(), cell(240, 230), FOOT);
    let ids = [Detail::Full, Detail::Simplified, Detail::Direct]
        .map(|detail| service.request(ask.clone().with_detail(detail)));
    service.tick();
    let choices = ids.map(|id| service.report(id).map(|report| report.planner));
    assert_eq!(choices, [Some(PlannerChoice::Hpa), Some(PlannerChoice::Hpa), Some(PlannerChoice::Direct)]);
    assert_eq!(points(&service, ids[2]), [cell(10, 10).centre(), cell(240, 230).centre()]);
    assert!(points(&service, ids[0]).len() <= points(&service, ids[1]).len());
}

#[test]
fn a_route_into_a_shape_ends_where_it_enters() {
    let mut service = plain(100, 100, Config::default());
    let circle = Goal::circle(cell(80, 50), Fixed::from_cells(10));
    let id = service.request(PathAsk::to_goal(cell(10, 50).centre(), circle.clone(), FOOT));
    let away = Goal::circle(cell(20, 20), Fixed::from_cells(9)).inverse();
    let out = service.request(PathAsk::to_goal(cell(22, 20).centre(), away.clone(), FOOT));
    service.tick();
    assert_eq!(service.end(id), Some(cell(70, 50).centre()));
    assert!(service.end(out).is_some_and(|end| away.contains(end.cell())));
    assert_eq!(points(&service, id).last(), service.end(id).as_ref());
}

#[test]
fn illegal_or_unreachable_requests_are_answered_at_once() {
    let mut service = plain(60, 60, Config::default());
    service.nav_mut().place(&Stamp::solid(1, 60), cell(30, 0)).expect("it fits");
    let from = cell(5, 5).centre();
    let mut ask = |ask: PathAsk| {
        let id = service.request(ask);
        service.status(id)
    };
    assert_eq!(ask(PathAsk::new(from, cell(60, 5), FOOT)), Some(PathStatus::Failed(PathReason::OffMap)));
    assert_eq!(
        ask(PathAsk::new(cell(-1, 0).centre(), cell(5, 5), FOOT)),
        Some(PathStatus::Failed(PathReason::OffMap))
    );
    assert_eq!(
        ask(PathAsk::new(from, cell(9, 9), LocomotorId(99))),
        Some(PathStatus::Failed(PathReason::UnknownAgent))
    );
    assert_eq!(
        ask(PathAsk::to_goal(from, Goal::AnyOf(Vec::new()), FOOT)),
        Some(PathStatus::Failed(PathReason::BadGoal))
    );
    assert_eq!(
        ask(PathAsk::new(from, cell(30, 9), FOOT)),
        Some(PathStatus::Unreachable(PathReason::GoalClosed))
    );
    assert_eq!(
        ask(PathAsk::new(from, cell(50, 9), FOOT)),
        Some(PathStatus::Unreachable(PathReason::NoRoute))
    );
    assert_eq!(
        ask(PathAsk::new(cell(30, 3).centre(), cell(9, 9), FOOT)),
        Some(PathStatus::Unreachable(PathReason::StartClosed))
    );
    assert_eq!(service.waiting(), 0, "none of them needs a search");
    // A request for the nearest cell needs a search and returns the reason.
    let id = service.request(PathAsk::new(from, cell(50, 9), FOOT).or_nearest());
    service.tick();
    assert_eq!(service.status(id), Some(PathStatus::Partial(PathReason::NoRoute)));
    assert_eq!(service.end(id), Some(cell(29, 9).centre()));
    assert!(service.cancel(id) && !service.cancel(id));
    assert_eq!((service.status(id), service.guidance(id)), (None, None));
}

/// Requests of twenty adjacent units to one goal.
fn squad(service: &mut PathService, corner: CellPos, goal: CellPos) -> Vec<PathId> {
    let places = (0..20).map(|k| corner.offset(k % 5, k / 5));
    places.map(|at| service.request(PathAsk::new(at.centre(), goal, FOOT))).collect()
}

#[test]
fn many_units_with_one_goal_follow_one_flow_and_arrive() {
    let mut service = plain(160, 120, Config::default());
    service.nav_mut().place(&Stamp::solid(4, 60), cell(80, 20)).expect("it fits");
    service.nav_mut().place(&Stamp::solid(4, 40), cell(80, 80)).expect("it fits");
    let goal = cell(140, 100);
    let ids = squad(&mut service, cell(10, 10), goal);
    let few = service.request(PathAsk::new(cell(10, 60).centre(), cell(20, 110), FOOT));
    service.tick();
    assert_eq!(service.status(few), Some(PathStatus::Complete));
    assert_eq!(service.report(few).map(|report| report.planner), Some(PlannerChoice::JpsPlus));
    let mut reader = TileReader::new();
    let mut places: Vec<Vec2> = (0..20).map(|k| cell(10, 10).offset(k % 5, k / 5).centre()).collect();
    for (id, at) in ids.iter().zip(&places) {
        assert!(matches!(service.guidance(*id), Some(Guidance::Flow(..))));
        assert_eq!(service.report(*id).map(|report| report.reason), Some(PlannerReason::Many));
        assert!(matches!(service.heading(*id, *at, &mut reader), Heading::Go { .. }), "in the same tick");
    }
    assert_eq!(service.groups().filter(|(_, group)| group.mode == GroupMode::FlowField).count(), 1);
    let mut arrived = 0;
    for tick in 0..2000 {
        if tick == 60 {
            // A wall with one gap across the rest of the corridor.
            service.nav_mut().place(&Stamp::solid(2, 60), cell(110, 0)).expect("it fits");
            service.nav_mut().place(&Stamp::solid(2, 50), cell(110, 64)).expect("it fits");
        }
        service.tick();
        arrived = 0;
        for (id, at) in ids.iter().zip(&mut places) {
            match service.heading(*id, *at, &mut reader) {
                Heading::Arrived { .. } => arrived += 1,
                Heading::Go { direction, by } => {
                    let length = Fixed::from_raw(300);
                    let step = if by == Guide::Inward { direction } else { direction.with_length(length) };
                    let next = *at + step;
                    *at = next;
                    let field = service.nav().layer().field(FOOT.into()).expect("foot has costs");
                    assert!(field.is_passable(at.cell()), "tick {tick}: {id} into {}", at.cell());
                }
                Heading::Nowhere(_) => {}
            }
            service.moved(*id, *at);
        }
        if arrived == ids.len() {
            break;
        }
    }
    assert_eq!(arrived, ids.len());
    // After half of the requests are cancelled, the others keep the flow. After all are cancelled, it is closed.
    ids.iter().take(16).for_each(|&id| assert!(service.cancel(id)));
    service.tick();
    assert!(matches!(service.guidance(ids[17]), Some(Guidance::Flow(..))));
    service.cancel(ids[16]);
    service.tick();
    service.tick();
    assert!(matches!(service.guidance(ids[17]), Some(Guidance::Waypoints(_))), "too few for a flow");
    ids.iter().for_each(|&id| {
        service.cancel(id);
    });
    service.tick();
    assert_eq!(service.groups().count(), 1, "only the group with another goal is left");
}

#[test]
fn a_hundred_thousand_units_with_a_few_goals_are_led_by_flows() {
    let mut service = plain(128, 128, Config::default());
    let mut rng = SplitMix::new(5);
    let ids: Vec<PathId> = (0..100_000)
        .map(|k| {
            let from = cell(rng.below(128) as i32, rng.below(128) as i32);
            service.request(PathAsk::new(from.centre(), cell(10 + 30 * (k % 4), 100), FOOT))
        })
        .collect();
    run(&mut service, 30);
    let mut reader = TileReader::new();
    let by_flow = |id: &&PathId| matches!(service.guidance(**id), Some(Guidance::Flow(..)));
    assert!(ids.iter().filter(by_flow).count() > 99_000, "all but those that were answered before the flow");
    for &id in ids.iter().filter(by_flow) {
        let at = service.ask(id).expect("it was not cancelled").from;
        assert!(!matches!(service.heading(id, at, &mut reader), Heading::Nowhere(_)));
    }
}

#[test]
fn a_unit_that_is_cut_off_from_a_flow_is_told() {
    let mut service = plain(160, 120, Config::default());
    let ids = squad(&mut service, cell(10, 10), cell(140, 100));
    service.tick();
    assert!(ids.iter().all(|&id| matches!(service.guidance(id), Some(Guidance::Flow(..)))));
    for y in [0, 60] {
        service.nav_mut().place(&Stamp::solid(1, 60), cell(100, y)).expect("it fits");
    }
    (0..20).for_each(|_| service.tick());
    for &id in &ids {
        assert_eq!(service.status(id), Some(PathStatus::Unreachable(PathReason::NoRoute)));
    }
}

#[test]
fn issue_6_a_paused_repair_resumes() {
    // Rough ground, and a wall with a gate in the middle and a gap in the south.
    let grid = Grid::patches(3, 200, 120, &[2, 3, 5, 2]);
    let tight = Config { max_path_nodes_per_tick: 64, short_path_threshold: 64, ..routes_only() };
    let mut service = service(&grid, tight);
    for (y, long) in [(0, 54), (55, 57)] {
        service.nav_mut().place(&Stamp::solid(1, long), cell(60, y)).expect("it fits");
    }
    let (from, to) = (cell(50, 54), cell(190, 54));
    let id = service.request(PathAsk::new(from.centre(), to, FOOT));
    run(&mut service, 3000);
    assert!(
        points(&service, id).iter().any(|at| at.cell().x.abs_diff(60) < 8 && at.cell().y.abs_diff(54) < 8)
    );
    let paused = service.work().pauses;
    service.nav_mut().place(&Stamp::solid(1, 1), cell(60, 54)).expect("it fits");
    assert!(service.repair(id, from.centre(), 1));
    run(&mut service, 4000);
    assert_eq!(service.status(id), Some(PathStatus::Complete));
    assert!(service.work().pauses - paused > 3, "{:?}", service.work());
}

#[test]
fn issue_6_flows_that_heeded_threat_continue_when_it_is_gone() {
    use waymarch::cost::{Falloff, ThreatSource};
    use waymarch::query::Threat;
    let mut service = plain(160, 120, Config::default());
    let source = ThreatSource { at: cell(80, 60), radius: 8, strength: 60, falloff: Falloff::Linear };
    let threat = service.nav_mut().add_threat(source).expect("on the map");
    (0..5).for_each(|_| service.tick());
    let places = (0..20).map(|k| cell(10, 10).offset(k % 5, k / 5));
    let ids: Vec<PathId> = places
        .map(|at| service.request(PathAsk::new(at.centre(), cell(140, 100), FOOT).with_threat(Threat::Heed)))
        .collect();
    service.nav_mut().remove_threat(threat).expect("it is there");
    (0..40).for_each(|_| service.tick());
    for &id in &ids {
        assert_eq!(service.status(id), Some(PathStatus::Complete), "{id}");
        assert!(service.guidance(id).is_some());
    }
}
