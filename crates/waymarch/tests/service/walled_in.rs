//! Units with unreachable goals: repeated requests cost almost no work, and their answers stay the same.

use waymarch::base::{CellPos, CellRect, Fixed, LocomotorId, cell};
use waymarch::config::Config;
use waymarch::cost::Stamp;
use waymarch::query::{Goal, PathAsk};
use waymarch::world::{EventKind, Order, PathId, PathReason, PathService, PathStatus, PlayerId, World};
use waymarch_testkit::worlds::{flat_world, soldier};

const FOOT: LocomotorId = LocomotorId(0);
/// The yard of the eighty units: corner, width and height in cells.
const YARD: (CellPos, u32, u32) = (CellPos { x: 21, y: 21 }, 10, 8);
const OUTSIDE: CellPos = CellPos { x: 180, y: 150 };

fn config() -> Config {
    Config { flowfield_group_threshold: 100_000, ..Config::default() }
}

/// Open ground with a yard of 10 × 8 cells in a ring of walls.
fn walled(config: Config) -> World {
    let mut world = flat_world(200, 200, config);
    for (at, width, height) in
        [(cell(20, 20), 12, 1), (cell(20, 29), 12, 1), (cell(20, 21), 1, 8), (cell(31, 21), 1, 8)]
    {
        world.place(&Stamp::solid(width, height), at).expect("it fits");
    }
    world
}

fn yard() -> Vec<CellPos> {
    CellRect::at(YARD.0, YARD.1, YARD.2).cells().collect()
}

/// Every unit in the yard makes a request and gets an answer.
fn all_ask(service: &mut PathService, goal: &Goal) -> Vec<(PathStatus, Option<CellPos>)> {
    let ask = |at: CellPos| PathAsk::to_goal(at.centre(), goal.clone(), FOOT).or_nearest();
    let ids: Vec<PathId> = yard().into_iter().map(|at| service.request(ask(at))).collect();
    for _ in 0..100 {
        if service.waiting() == 0 {
            break;
        }
        service.tick();
    }
    let answers = ids
        .iter()
        .map(|&id| (service.status(id).expect("it is there"), service.end(id).map(|end| end.cell())))
        .collect();
    assert!(ids.into_iter().all(|id| service.cancel(id)));
    answers
}

#[test]
fn eighty_repeated_requests_for_an_unreachable_goal_do_no_new_work() {
    let goals = [
        Goal::point(OUTSIDE),
        Goal::circle(OUTSIDE, Fixed::from_cells(12)),
        Goal::AnyOf(vec![Goal::point(OUTSIDE).shapes()[0], Goal::point(cell(190, 3)).shapes()[0]]),
    ];
    for goal in goals {
        let mut service = PathService::new(walled(config()).nav().clone());
        let first = all_ask(&mut service, &goal);
        let nodes = service.work().nodes;
        let looked_at = service.work().looked_at;
        assert!(looked_at > 0, "{goal}");
        assert!(
            first.iter().all(|(status, _)| *status == PathStatus::Partial(PathReason::NoRoute)),
            "{goal}"
        );
        for round in 2..=20 {
            assert_eq!(all_ask(&mut service, &goal), first, "{goal}");
            assert_eq!(
                service.work().looked_at,
                looked_at,
                "{goal}: nothing has changed, so nothing is searched"
            );
            assert_eq!(service.work().nodes, round * nodes, "{goal}: counted work does not depend on memory");
        }
        // A building elsewhere causes no new search; a hole in the wall does.
        service.nav_mut().place(&Stamp::solid(3, 3), cell(120, 40)).expect("it fits");
        assert_eq!(all_ask(&mut service, &goal), first, "{goal}");
        assert_eq!(service.work().looked_at, looked_at, "{goal}");
        let wall = service.nav().layer().stamps().next().expect("the northern wall").0;
        service.nav_mut().remove(wall).expect("it stands");
        let free = all_ask(&mut service, &goal);
        assert!(free.iter().all(|(status, _)| *status == PathStatus::Complete), "{goal}: {free:?}");
    }
}

/// The memory of a lane changes no answer: a new service gives the same ones.
#[test]
fn remembered_answers_are_those_of_a_new_service() {
    let mut old = PathService::new(walled(config()).nav().clone());
    for step in 0..30 {
        let side = 1 + step % 7;
        let at = cell(15 + step * 5 % 40, 18 + step * 3 % 30);
        // Some stamps do not fit; the other service is built from the same map.
        let _ = old.nav_mut().place(&Stamp::solid(side as u32, 1).lasting(9), at);
        let goal = match step % 3 {
            0 => Goal::point(OUTSIDE),
            1 => Goal::circle(OUTSIDE, Fixed::from_cells(5)),
            _ => Goal::circle(cell(26, 25), Fixed::from_cells(9)),
        };
        old.tick();
        let mut fresh = PathService::new(old.nav().clone());
        assert_eq!(all_ask(&mut old, &goal), all_ask(&mut fresh, &goal), "step {step}: {goal}");
    }
}

#[test]
fn eighty_soldiers_behind_a_wall_stop_and_cost_almost_no_work() {
    let mut world = walled(Config::default());
    let kind = soldier(&mut world);
    let units = world.spawn_many(kind, PlayerId(0), &yard()).expect("open ground");
    world.order(&units, Order::move_to(OUTSIDE)).expect("on the map");
    let mut told = 0;
    for _ in 0..100 {
        world.tick();
        let blocked = |what: &EventKind| matches!(what, EventKind::Blocked(_) | EventKind::GaveUp(_));
        told += world.events().iter().filter(|event| blocked(&event.what)).count();
    }
    assert!(told >= 80, "every unit gets an event: {told}");
    let before = world.service().work();
    (0..600).for_each(|_| world.tick());
    let after = world.service().work();
    assert_eq!(after.looked_at, before.looked_at, "nothing has changed");
    let nodes = (after.nodes - before.nodes) / 600;
    assert!(nodes <= 200, "{nodes} nodes a tick for eighty units that cannot get out");
}
