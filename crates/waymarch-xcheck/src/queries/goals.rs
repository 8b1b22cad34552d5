//! Goals that are shapes, and hierarchical routes.

use waymarch::base::{CellPos, CellRect, Dir8, Fixed, Tick, cell};
use waymarch::cost::StampId;
use waymarch::planners::{ExactSearch, FarScratch, FarSearch, hpa};
use waymarch::query::{Goal, GoalQuery, PathQuery, Shape, Turning};
use waymarch::search::{
    JumpDetail, JumpState, JumpStore, NoProbe, Recorder, Route, SearchRun, SearchScratch, WeightedPlanes,
    WeightedSearch, goal_search,
};
use waymarch::sectors::Doors;

use super::hash_route;
use super::scene::Scene;
use super::state;
use crate::{Digest, Lines, report};

pub(crate) fn goals(out: &mut Lines<'_>, s: &Scene, batch: &[PathQuery], round: u32) {
    let (layer, rule) = (s.nav.layer(), s.rule);
    let mut scratch = SearchScratch::new();
    let mut route = Route::new();
    let mut h = Digest::new();
    let grid = layer.grid();
    let (gw, gh) = (grid.width() as i32, grid.height() as i32);
    let mid = cell(gw / 2, gh / 2);
    let shapes = [
        Goal::circle(mid, Fixed::from_cells(4)),
        Goal::ring(mid, Fixed::from_cells(5), Fixed::from_raw(9 * 1024 + 300)),
        Goal::rect(CellRect::at(cell(3, 3), 7, 9)),
        Goal::AnyOf(vec![
            Shape::Point(cell(1, 1)),
            Shape::Point(cell(gw - 2, gh - 2)),
            Shape::Rect(CellRect::at(mid, 2, 2)),
        ]),
        Goal::OutOf(Shape::Circle { centre: mid, radius: Fixed::from_cells(18) }),
        Goal::OutOfAll(vec![
            Shape::Circle { centre: mid, radius: Fixed::from_cells(9) },
            Shape::Rect(CellRect::at(cell(0, 0), 30, 30)),
        ]),
    ];
    let turning = Turning { per_eighth: 700, heading: Some(Dir8::SW) };
    let mut occupied: Vec<CellPos> = CellRect::at(mid.offset(-6, -6), 12, 5).cells().step_by(2).collect();
    occupied.sort_by_key(|&at| waymarch::query::Occupied::order(at));
    let ids: Vec<StampId> = layer.stamps().map(|(id, ..)| id).collect();
    let mut outcomes = [0_u32; 4];
    for (q, goal) in batch.iter().zip(shapes.iter().cycle()) {
        let starts = [q.from, q.to, cell(2, 2)];
        let base = GoalQuery::new(&starts, goal, q.agent).with_threat(q.threat);
        let variants = [
            base,
            base.or_nearest(),
            base.or_nearest().node_limit(60),
            base.node_limit(3),
            base.with_turning(turning).or_nearest(),
            base.around(&occupied).or_nearest(),
            base.avoiding(CellRect::at(mid.offset(-3, -9), 4, 18)).or_nearest(),
            base.ignoring(&ids).or_nearest(),
            base.ignoring(&ids[..ids.len().min(1)]).with_turning(turning),
        ];
        for query in variants {
            let done = goal_search(layer, &query, rule, &mut scratch, &mut route);
            outcomes[done.map_or(3, |o| o as usize)] += 1;
            hash_route(&mut h, done, &route);
        }
    }
    report!(out, "q.{}.{round} goals {outcomes:?} {:016x}", s.name, h.value());
}

/// Hierarchical routes with every kind of exact search, and a jump store.
pub(crate) fn hierarchical_routes(out: &mut Lines<'_>, s: &Scene, batch: &[PathQuery], round: u32) {
    let (layer, rule) = (s.nav.layer(), s.rule);
    let mut scratch = SearchScratch::new();
    let mut route = Route::new();
    let mut h = Digest::new();
    let mut store = JumpStore::new(layer, rule, JumpDetail::Graph, 2);
    let jobs: Vec<_> = store.jobs().map(|job| (job.id(), job.build())).collect();
    h.number(jobs.len() as u64);
    jobs.into_iter().rev().for_each(|(id, data)| store.install(id, data));
    store.follow(layer, Tick(1));
    store.advance(layer, Tick(2));
    h.number(store.shares() as u64);
    h.number(state(&store));
    for q in batch {
        let doors = Doors::new(layer, q.agent, rule, q.threat).unwrap();
        let weighted = WeightedPlanes::new(layer, q.agent, rule, q.threat).unwrap();
        let mut legs = vec![ExactSearch::Astar(rule), ExactSearch::Weighted(WeightedSearch::new(&weighted))];
        if let JumpState::Ready(data) = store.state(q.agent) {
            legs.push(ExactSearch::Jumps(data));
        }
        let mut far = FarScratch::new();
        for legs in legs {
            let how = FarSearch { doors: &doors, legs, short: 10 };
            let done = hpa(
                layer,
                q,
                &how,
                &mut far,
                SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut NoProbe },
            );
            hash_route(&mut h, done, &route);
            h.debug((&far.doors().cells, far.doors().cost, far.doors().expanded));
            h.debug(far.scope(&how, &route));
            let mut probe = Recorder::with_limit(50);
            let done = hpa(
                layer,
                q,
                &how,
                &mut far,
                SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut probe },
            );
            hash_route(&mut h, done, &route);
            h.debug(probe.events());
        }
    }
    out.hash(&format!("q.{}.{round} hpa", s.name), h);
}
