//! Requests that avoid some cells.

use waymarch::base::{CellPos, CellRect, GridSize, Rng, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, Stamp};
use waymarch::query::{Goal, PathAsk, Shape};
use waymarch::world::{Guidance, Navigator, PathId, PathReason, PathService, PathStatus};

fn service(walls: &[(CellPos, u32, u32)]) -> PathService {
    service_with(walls, Config::default())
}

fn service_with(walls: &[(CellPos, u32, u32)], config: Config) -> PathService {
    let map = Map::flat("field", GridSize::new(64, 48).expect("legal"), Rules::standard());
    let mut service = PathService::new(Navigator::new(map, config).expect("legal"));
    for &(at, wide, high) in walls {
        service.nav_mut().place(&Stamp::solid(wide, high), at).expect("room");
    }
    service
}

fn answer(service: &mut PathService, id: PathId) -> PathStatus {
    for _ in 0..50 {
        service.tick();
        if let Some(status) = service.status(id).filter(PathStatus::is_settled) {
            return status;
        }
    }
    panic!("the request was not answered");
}

/// The length of a route in 1024ths of a cell, and whether it touches `closed`, sampled every eighth of a cell.
fn measured(service: &PathService, id: PathId, closed: CellRect) -> (i64, bool) {
    let Some(Guidance::Waypoints(points)) = service.guidance(id) else { panic!("a route") };
    let (mut length, mut touches) = (0, false);
    for pair in points.windows(2) {
        let raw = |at: waymarch::base::Vec2| (i64::from(at.x.raw()), i64::from(at.y.raw()));
        let ((ax, ay), (bx, by)) = (raw(pair[0]), raw(pair[1]));
        let long = ((bx - ax).pow(2) + (by - ay).pow(2)).isqrt();
        length += long;
        for step in 0..=long / 128 {
            let part = |a: i64, b: i64| (a + (b - a) * step * 128 / long.max(1)).div_euclid(1024) as i32;
            touches |= closed.contains(cell(part(ax, bx), part(ay, by)));
        }
    }
    (length, touches)
}

#[test]
fn a_route_avoids_the_cells_and_is_as_long_as_if_they_were_walls() {
    let mut rng = Rng::pcg32(4, 1);
    let (mut longer, mut none) = (0, 0);
    for number in 0..60 {
        let mut random = |most: u32| rng.below(most) as i32;
        let walls: Vec<_> = (0..6)
            .map(|_| (cell(10 + random(40), random(40)), 1 + random(3) as u32, 1 + random(7) as u32))
            .collect();
        // Every tenth wall reaches from edge to edge, so that there is no route around it.
        let (top, high) = if number % 10 == 0 { (0, 48) } else { (random(20), 10 + random(38) as u32) };
        let closed = CellRect::at(cell(20 + random(10), top), 2 + random(6) as u32, high);
        let (from, to) = (cell(2, 2 + random(40)), cell(60, 2 + random(40)));
        let mut open = service(&walls);
        let ask = PathAsk::new(from.centre(), to, open.nav().locomotor("foot").expect("all have it"));
        let plain = open.request(ask.clone());
        let round = open.request(ask.clone().avoiding(closed));
        answer(&mut open, plain);
        let status = answer(&mut open, round);
        let mut walled = service(&walls);
        let inside = closed.intersect(CellRect::at(cell(0, 0), 64, 48));
        let (wide, high) = (inside.x1 - inside.x0, inside.y1 - inside.y0);
        walled
            .nav_mut()
            .place(&Stamp::solid(wide as u32, high as u32), cell(inside.x0, inside.y0))
            .expect("fits");
        let twin = walled.request(ask);
        let expected = answer(&mut walled, twin);
        assert_eq!(status, expected);
        if status != PathStatus::Complete {
            none += 1;
            continue;
        }
        let (length, touches) = measured(&open, round, closed);
        assert!(!touches, "{closed:?}");
        let shortest = measured(&walled, twin, closed).0;
        // A unit keeps a distance from walls but not from avoided cells, so the route may be a little shorter. Where smoothing would cross
        // avoided cells, the route keeps its own turns and is up to 8.2 % longer.
        assert!(length * 16 >= shortest * 15 && length * 12 <= shortest * 13, "{length} for {shortest}");
        longer += usize::from(length > measured(&open, plain, closed).0 + 1024);
    }
    assert!(longer > 10 && none > 2, "{longer} go around, {none} cannot");
}

#[test]
fn an_edit_on_the_route_does_not_lead_it_through_avoided_cells() {
    // A wall with three doors. The request avoids the nearest door, then the next one is closed by a wall.
    let walls = [(cell(30, 0), 1, 5), (cell(30, 6), 1, 14), (cell(30, 21), 1, 20), (cell(30, 42), 1, 6)];
    let mut service = service(&walls);
    let (from, to) = (cell(5, 5).centre(), cell(55, 5));
    let closed = CellRect::at(cell(30, 5), 1, 1);
    let ask = PathAsk::new(from, to, service.nav().locomotor("foot").expect("all have it")).avoiding(closed);
    let id = service.request(ask);
    assert_eq!(answer(&mut service, id), PathStatus::Complete);
    let first = measured(&service, id, closed);
    assert!(!first.1);
    service.nav_mut().place(&Stamp::solid(1, 1), cell(30, 20)).expect("a door");
    assert!(service.repair(id, from, 0));
    assert_eq!(answer(&mut service, id), PathStatus::Complete);
    let second = measured(&service, id, closed);
    assert!(!second.1 && second.0 > first.0 + 10 * 1024, "by the third door: {second:?} after {first:?}");
    service.nav_mut().place(&Stamp::solid(1, 1), cell(30, 41)).expect("a door");
    assert!(service.repair(id, from, 0));
    assert!(matches!(answer(&mut service, id), PathStatus::Unreachable(_)), "only the avoided door is left");
}

#[test]
fn searches_around_cells_and_into_several_shapes_pause_and_find_the_same() {
    let walls = [(cell(30, 0), 1, 5), (cell(30, 6), 1, 14), (cell(30, 21), 1, 20), (cell(30, 42), 1, 6)];
    let with = |nodes: u32| {
        let config = Config { max_path_nodes_per_tick: nodes, path_lanes: 2, ..Config::default() };
        service_with(&walls, config)
    };
    let (mut quick, mut slow) = (with(1_000_000), with(64));
    let foot = quick.nav().locomotor("foot").expect("all have it");
    let round =
        PathAsk::new(cell(5, 5).centre(), cell(55, 5), foot).avoiding(CellRect::at(cell(30, 5), 1, 1));
    let shapes = vec![Shape::Point(cell(55, 40)), Shape::Rect(CellRect::at(cell(56, 2), 3, 3))];
    let several = PathAsk::to_goal(cell(4, 30).centre(), Goal::AnyOf(shapes), foot);
    let out = PathAsk::to_goal(
        cell(8, 44).centre(),
        Goal::OutOf(Shape::Rect(CellRect::at(cell(0, 9), 44, 39))),
        foot,
    );
    let asks = [round, several, out];
    let ids = asks.map(|ask| (quick.request(ask.clone()), slow.request(ask)));
    (0..2).for_each(|_| quick.tick());
    for tick in 0.. {
        let before = slow.work().nodes;
        slow.tick();
        if tick % 3 == 0 {
            slow.poison_scratch();
        }
        // The budget does not count smoothing and the last node of each lane.
        assert!(slow.work().nodes - before < 64 * 8, "{} nodes in a tick", slow.work().nodes - before);
        if slow.waiting() == 0 {
            break;
        }
        assert!(tick < 400, "the searches do not end");
    }
    assert!(slow.work().pauses > 20 && quick.work().pauses == 0, "{:?}", slow.work());
    for (number, (one, other)) in ids.into_iter().enumerate() {
        assert_eq!(quick.status(one), Some(PathStatus::Complete), "question {number}");
        assert_eq!((slow.status(other), slow.guidance(other)), (quick.status(one), quick.guidance(one)));
    }
}

#[test]
fn searches_end_despite_edits_in_every_tick_and_stay_within_the_budget() {
    let config = Config { max_path_nodes_per_tick: 64, path_lanes: 3, ..Config::default() };
    let mut service = service_with(&[(cell(30, 0), 1, 40)], config);
    let foot = service.nav().locomotor("foot").expect("all have it");
    let closed = CellRect::at(cell(40, 40), 2, 2);
    let ids: Vec<PathId> = (0..6)
        .map(|row| PathAsk::new(cell(5, 4 * row + 2).centre(), cell(55, 5), foot).avoiding(closed))
        .map(|ask| service.request(ask))
        .collect();
    let (mut most, mut ticks) = (0, 0);
    while service.waiting() > 0 {
        // An edit far from all routes.
        let stamp = service.nav_mut().place(&Stamp::solid(1, 1), cell(2, 46)).expect("free");
        service.nav_mut().remove(stamp).expect("it stands");
        let before = service.work().nodes;
        service.tick();
        most = most.max(service.work().nodes - before);
        ticks += 1;
        assert!(ticks < service.longest_wait(6), "the searches do not end");
    }
    assert!(ids.iter().all(|&id| service.status(id) == Some(PathStatus::Complete)));
    // A search takes about 1,200 nodes, so at most one ends per tick.
    assert!(most < 1536 && ticks > 5, "{most} nodes in a tick, {ticks} ticks");
}

#[test]
fn a_search_that_reached_its_node_limit_says_so() {
    let map = Map::flat("field", GridSize::new(400, 400).expect("legal"), Rules::standard());
    let mut service = PathService::new(Navigator::new(map, Config::default()).expect("legal"));
    let foot = service.nav().locomotor("foot").expect("all have it");
    // The strip runs from edge to edge, so the search looks at all 120,000 cells west of it, which is more than it may.
    let strip = CellRect::at(cell(300, 0), 3, 400);
    let id = service.request(PathAsk::new(cell(2, 2).centre(), cell(390, 200), foot).avoiding(strip));
    let status = answer(&mut service, id);
    assert_eq!(status, PathStatus::Failed(PathReason::NodeLimit));
    assert_eq!(status.to_string(), "the search reached its node limit before it found a route");
}
