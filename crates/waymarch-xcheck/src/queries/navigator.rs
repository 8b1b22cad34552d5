//! The navigator: routes, nearest cells, snapshots, changed settings, smoothing and lines of sight.

use waymarch::base::{ByteReader, ByteWriter, CellPos, Fixed, Vec2};
use waymarch::config::{Config, PathSmoothing};
use waymarch::cost::{CornerRule, Neighbours};
use waymarch::planners::{Hybrid, PlanScratch, Planner};
use waymarch::query::{Controller, Goal, PathQuery, Shape, Smoothing, Spline};
use waymarch::search::{
    Route, SearchScratch, Sight, SmoothPath, Smoother, astar, line_of_sight, line_of_sight_between,
};
use waymarch::world::Navigator;

use super::hash_points;
use super::hash_route;
use super::scene::Scene;
use crate::{Digest, Lines, SplitMix};

pub(crate) fn navigator(out: &mut Lines<'_>, s: &mut Scene, batch: &[PathQuery], round: u32) {
    let mut h = Digest::new();
    let mut route = Route::new();
    s.nav.prepare(batch);
    let mut plan = PlanScratch::new();
    for q in batch {
        h.debug(s.nav.planner_for(q.agent, q.threat));
        let done = s.nav.path_into(q, &mut route);
        hash_route(&mut h, done, &route);
        let done = s.nav.path_far(q, &mut route);
        hash_route(&mut h, done, &route);
        let done = s.nav.path_far(q, &mut route);
        hash_route(&mut h, done, &route);
        for c in [Controller::Ai, Controller::Player] {
            h.debug(s.nav.path_for(c, q.from, q.to, q.agent).map(|r| (r.cost, r.waypoints)));
        }
        h.debug(s.nav.reachable(q.from, q.to, q.agent));
        h.debug(s.nav.snap(q.from, &Goal::point(q.to), q.agent));
        h.debug(s.nav.snap(q.from, &Goal::circle(q.to, Fixed::from_cells(3)), q.agent));
        h.debug(s.nav.path_or_nearest(q.from, &Goal::point(q.to), q.agent));
        h.debug(s.nav.path_or_nearest(
            q.to,
            &Goal::OutOf(Shape::Circle { centre: q.to, radius: Fixed::from_cells(9) }),
            q.agent,
        ));
        let view = s.nav.view();
        h.debug((s.nav.hybrid().choice(&view, q), s.nav.hybrid().exact_choice(&view, q)));
        let done = s.nav.hybrid().exact(&view, q, &mut plan, &mut route);
        hash_route(&mut h, done, &route);
        let done = s.nav.hybrid().far(&view, q, &mut plan, &mut route);
        hash_route(&mut h, done, &route);
    }
    h.number(s.nav.snaps().looked_at());
    let mut hybrid = Hybrid::ready(s.nav.layer(), s.nav.config());
    hybrid.prepare(&s.nav.view(), batch);
    let done = hybrid.plan(&s.nav.view(), &batch[0], &mut plan, &mut route);
    hash_route(&mut h, done, &route);
    let mut changes = Vec::new();
    s.nav.take_changes(&mut changes);
    h.debug(&changes);
    // The navigator is saved and loaded. The copy changes its settings twice, and is then restored from the save.
    let mut w = ByteWriter::new();
    s.nav.save(&mut w);
    h.bytes(w.bytes());
    let mut other = Navigator::load(&mut ByteReader::new(w.bytes())).unwrap();
    assert_eq!(other.state_hash(), s.nav.state_hash());
    let before = s.nav.config().get().clone();
    let sector = if before.sector_size == 16 { 32 } else { 16 };
    other
        .configure(Config {
            sector_size: sector,
            neighbours: Neighbours::Eight,
            corner_rule: CornerRule::AllowOne,
            ..before.clone()
        })
        .unwrap();
    h.text(other.state_hash());
    for q in batch.iter().take(5) {
        let done = other.path_far(q, &mut route);
        hash_route(&mut h, done, &route);
    }
    other
        .configure(Config { path_smoothing: PathSmoothing::Spline, route_per_mille: 1100, ..before })
        .unwrap();
    for q in batch.iter().take(5) {
        let done = other.path_into(q, &mut route);
        hash_route(&mut h, done, &route);
        h.debug(other.path_smooth(q.from, q.to, q.agent).map(|p| (p.cost, p.length, p.points)));
    }
    other.restore(&mut ByteReader::new(w.bytes())).unwrap();
    assert_eq!(other.state_hash(), s.nav.state_hash());
    out.hash(&format!("q.{}.{round} navigator", s.name), h);
}

pub(crate) fn smoothing(out: &mut Lines<'_>, s: &mut Scene, batch: &[PathQuery], round: u32) {
    let mut h = Digest::new();
    let mut route = Route::new();
    let mut path = SmoothPath::new();
    let mut smoother = Smoother::new();
    let mut scratch = SearchScratch::new();
    let spline = |samples, tension| Smoothing::Spline(Spline { samples, tension: Fixed::from_raw(tension) });
    for q in batch {
        if astar(s.nav.layer(), q, s.rule, &mut scratch, &mut route).is_err() {
            continue;
        }
        for how in [
            Smoothing::None,
            Smoothing::Funnel,
            spline(1, 0),
            spline(4, 0),
            spline(7, 300),
            spline(16, 1024),
            spline(200, -5),
        ] {
            h.debug(s.nav.smooth_into(q, &route, how, &mut path));
            hash_points(&mut h, &path);
            let sight = Sight::new(s.nav.layer(), q.agent, q.threat, s.rule).unwrap();
            h.debug(smoother.smooth(&sight, &route, how, &mut path));
            hash_points(&mut h, &path);
            h.debug(smoother.tighten(&sight, &mut path));
            hash_points(&mut h, &path);
        }
        let field = s.nav.layer().field(q.agent).unwrap();
        let mut m = SplitMix(u64::from(round) + 3);
        for _ in 0..60 {
            let (a, b) = (
                q.from.offset(m.range(-12, 13), m.range(-12, 13)),
                q.to.offset(m.range(-12, 13), m.range(-12, 13)),
            );
            h.debug(line_of_sight(field, s.rule, a, b));
            let near = q.from.offset(m.range(-9, 10), m.range(-9, 10));
            h.debug(line_of_sight(field, s.rule, q.from, near));
            let jig = |at: CellPos, m: &mut SplitMix| Vec2 {
                x: at.centre().x + Fixed::from_raw(m.range(-512, 512)),
                y: at.centre().y + Fixed::from_raw(m.range(-512, 512)),
            };
            let (p, r) = (jig(q.from, &mut m), jig(near, &mut m));
            h.debug(line_of_sight_between(field, s.rule, p, r));
        }
    }
    out.hash(&format!("q.{}.{round} smooth", s.name), h);
}
