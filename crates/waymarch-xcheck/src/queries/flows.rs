//! Flow fields of whole maps, tiles, kept searches and remembered routes.

use waymarch::base::{CellPos, CellRect, Fixed, Tick};
use waymarch::cost::CostLayer;
use waymarch::flow::tiles::{Breadth, FlowTarget, TileFlows, TileReader, TileSettings};
use waymarch::flow::whole::{FieldKey, Keep, WholeField, WholeScratch};
use waymarch::plan::{PathKey, Scope};
use waymarch::query::{Goal, PathQuery, Shape};
use waymarch::search::{Recorder, Route};
use waymarch::sectors::{DoorRoute, DoorScratch, Doors};

use super::hash_route;
use super::scene::Kept;
use super::scene::Scene;
use super::state;
use crate::{Digest, Lines};

pub(crate) fn flows(out: &mut Lines<'_>, s: &mut Scene, batch: &[PathQuery], round: u32, kept: &mut Kept) {
    let layer = s.nav.layer();
    let mut h = Digest::new();
    let mut scratch = WholeScratch::new();
    h.debug(kept.whole.follow(layer, &mut scratch));
    let dump = |h: &mut Digest, f: &WholeField, layer: &CostLayer, from: CellPos| {
        for at in layer.grid().rect().cells() {
            h.byte(f.byte(at).0);
        }
        for at in layer.grid().rect().cells().step_by(3) {
            h.debug(f.cost_to_goal(at));
        }
        let mut path = Vec::new();
        h.debug(f.path_into(from, &mut path));
        h.debug(&path);
        h.debug(f.path_over(layer, from, &mut path));
        h.debug(&path);
        h.debug(f.direction(from));
    };
    dump(&mut h, &kept.whole, layer, batch[0].from);
    for q in batch.iter().take(6) {
        let keys = [
            FieldKey::new(q.agent, q.to).with_threat(q.threat),
            FieldKey::new(
                q.agent,
                Goal::AnyOf(vec![Shape::Point(q.to), Shape::Point(q.from), Shape::Point(q.to)]),
            )
            .normal(),
            FieldKey::new(q.agent, Goal::OutOf(Shape::Rect(CellRect::at(q.to.offset(-4, -4), 9, 9)))),
        ];
        for key in keys {
            h.debug(&key);
            match kept.fields.get(layer, &key, Tick(u64::from(round))) {
                Ok(f) => dump(&mut h, f, layer, q.from),
                Err(e) => h.debug(e),
            }
            if let Ok(f) = WholeField::new(layer, &key, s.rule, Keep::DirectionsOnly, &mut scratch) {
                for at in layer.grid().rect().cells().step_by(11) {
                    h.byte(f.byte(at).0);
                }
            }
        }
    }
    h.debug(kept.fields.work());
    out.hash(&format!("q.{}.{round} whole", s.name), h);

    let mut h = Digest::new();
    let mut reader = TileReader::new();
    let mut door_scratch = DoorScratch::default();
    let mut route = DoorRoute::default();
    for q in batch.iter().take(5) {
        let Ok(id) = kept.tiles.open(layer, FlowTarget::new(q.agent, q.to).with_threat(q.threat)) else {
            continue;
        };
        let doors = Doors::new(layer, q.agent, s.rule, q.threat).unwrap();
        if doors.route(layer, q.from, q.to, &mut door_scratch, &mut route) {
            h.debug(kept.tiles.widen(
                layer,
                id,
                &route,
                if s.random.chance(500) { Breadth::Around } else { Breadth::Route },
            ));
        }
        kept.flows.push(id);
    }
    if kept.flows.len() > 8 {
        let id = kept.flows.remove(0);
        h.debug(kept.tiles.close(id));
    }
    for now in 0..6_u64 {
        let users: Vec<_> = kept.flows.iter().zip(batch).map(|(&id, q)| (id, q.from)).collect();
        kept.tiles.prepare(layer, Tick(u64::from(round) * 20 + now), users);
        for &id in &kept.flows {
            h.debug((
                kept.tiles.is_done(id),
                kept.tiles.corridor(id).collect::<Vec<_>>(),
                kept.tiles.target(id),
            ));
            for at in layer.grid().rect().cells().step_by(61) {
                let mut p = at.centre();
                p.x = Fixed::from_raw(p.x.raw() + s.random.range(-512, 512));
                p.y = Fixed::from_raw(p.y.raw() + s.random.range(-512, 512));
                h.debug_old(kept.tiles.heading(layer, id, p, &mut reader));
                h.debug((
                    kept.tiles.byte(layer, id, at, &mut reader),
                    kept.tiles.leads(layer, id, at, &mut reader),
                ));
            }
        }
    }
    let st = kept.tiles.state(layer);
    h.debug(&st);
    h.number(state(&kept.tiles));
    let again =
        TileFlows::restore(layer, s.rule, TileSettings { per_tick: 2, sight: 12, capacity: 5, ttl: 4 }, &st);
    h.debug(again.as_ref().map(|t| (t.len(), t.is_empty())));
    if let Some(&id) = kept.flows.last() {
        h.debug(kept.tiles.finish(layer, id));
    }
    h.debug((kept.tiles.work(), kept.tiles.tiles(), kept.tiles.len()));
    reader.poison();
    out.hash(&format!("q.{}.{round} tiles", s.name), h);

    let mut h = Digest::new();
    let mut route = Route::new();
    for (i, q) in batch.iter().enumerate() {
        let q = &PathQuery { to: batch[i % 4].to, ..*q };
        let done = kept.contexts.plan(layer, q, Tick(round.into()), &mut route);
        hash_route(&mut h, done, &route);
        let mut probe = Recorder::with_limit(40);
        let done = kept.contexts.plan_with(layer, q, Tick(round.into()), &mut route, &mut probe);
        hash_route(&mut h, done, &route);
        h.debug(probe.events());
        kept.contexts.prepare(layer, q, Tick(round.into()));
        let done = kept.contexts.read(layer, q, &mut route);
        hash_route(&mut h, done, &route);
        let key = PathKey::new(q, 0);
        let hit = kept.cache.get(key, layer, Tick(round.into()), &mut route);
        h.debug(hit);
        if !hit && !route.waypoints.is_empty() {
            let scope = Scope { cost: route.cost.0, grain: 1, neighbours: s.rule.neighbours };
            kept.cache.put(key, &route, scope, layer, Tick(round.into()));
        }
    }
    h.debug((kept.contexts.work(), kept.contexts.len(), kept.cache.len(), kept.cache.uses()));
    out.hash(&format!("q.{}.{round} contexts", s.name), h);
}
