//! Every search by itself, without a planner or a navigator.

use waymarch::base::{Agent, Dir8};
use waymarch::cost::{CornerRule, StepRule};
use waymarch::query::{PathQuery, PerMille, Quality, Threat};
use waymarch::search::{
    Bound, Hierarchy, JumpGraph, JumpPlanes, Landmarks, Recorder, Route, SearchRun, SearchScratch,
    WeightedPlanes, WeightedSearch, ZoneDistances, astar_towards, astar_with, hierarchical, jps, jps_graph,
    jps_graph_with, jps_suits, jps_with, jpsw, jpsw_towards, jpsw_with,
};
use waymarch::sectors::{RimField, RimScratch, Rims};

use super::hash_route;
use super::scene::Scene;
use crate::{Digest, Lines};

pub(crate) fn searches(out: &mut Lines<'_>, s: &Scene, batch: &[PathQuery], round: u32) {
    let (layer, rule) = (s.nav.layer(), s.rule);
    let mut scratch = SearchScratch::new();
    let mut route = Route::new();
    let mut h = Digest::new();
    let mut agents: Vec<Agent> = batch.iter().map(|q| q.agent).collect();
    agents.sort();
    agents.dedup();
    for agent in agents {
        let field = layer.field(agent).unwrap();
        let mine = || batch.iter().filter(|q| q.agent == agent);
        let suits = jps_suits(field, rule).is_ok();
        let planes =
            suits.then(|| (JumpPlanes::straight(field), JumpPlanes::full(field), JumpGraph::new(field)));
        if let Some((straight, full, graph)) = &planes {
            h.debug((graph.nodes(), graph.edges()));
            for at in layer.grid().rect().cells().step_by(13) {
                for dir in Dir8::ALL {
                    h.debug((
                        straight.jump_entry(field, at, dir),
                        full.jump_entry(field, at, dir),
                        graph.successors(at, dir),
                    ));
                }
            }
        }
        let tree = if rule == StepRule::eight(CornerRule::Forbid) && suits {
            Some(Hierarchy::with_work(field, 8))
        } else {
            None
        };
        if let Some(t) = &tree {
            h.debug((t.corners(), t.core(), t.links()));
        }
        let weighted = WeightedPlanes::new(layer, agent, rule, Threat::Ignore).unwrap();
        let heeding = WeightedPlanes::new(layer, agent, rule, Threat::Heed).unwrap();
        h.number(weighted.coarseness().into());
        let landmarks = Landmarks::new(layer, agent, rule).unwrap();
        let zones = ZoneDistances::new(layer, agent, rule).unwrap();
        h.debug((zones.zones(), zones.side(), landmarks.holds(), zones.holds()));
        let rims = Rims::new(layer, agent, rule, Threat::Ignore).unwrap();
        for q in mine() {
            let mut probe = Recorder::with_limit(200);
            let done = astar_with(
                layer,
                q,
                rule,
                SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut probe },
            );
            hash_route(&mut h, done, &route);
            h.debug(probe.events());
            h.number(probe.left_out());
            let plain = q.with_threat(Threat::Ignore);
            if let Some((straight, full, graph)) = &planes {
                for p in [straight, full] {
                    let mut probe = Recorder::with_limit(60);
                    let done = jps_with(
                        layer,
                        &plain,
                        p,
                        SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut probe },
                    );
                    hash_route(&mut h, done, &route);
                    h.debug(probe.events());
                    let done = jps(layer, q, p, &mut scratch, &mut route);
                    hash_route(&mut h, done, &route);
                }
                let mut probe = Recorder::with_limit(60);
                let done = jps_graph_with(
                    layer,
                    &plain,
                    graph,
                    SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut probe },
                );
                hash_route(&mut h, done, &route);
                h.debug(probe.events());
                let done = jps_graph(layer, q, graph, &mut scratch, &mut route);
                hash_route(&mut h, done, &route);
            }
            if let Some(t) = &tree {
                let done = hierarchical(layer, &plain, t, &mut scratch, &mut route);
                hash_route(&mut h, done, &route);
            }
            for bound in [Bound::Octile, Bound::Zones(&zones), Bound::Landmarks(&landmarks)] {
                for quality in [Quality::Exact, Quality::Bounded(PerMille::new(1100).unwrap())] {
                    let planes = if q.threat == Threat::Heed { &heeding } else { &weighted };
                    let how = WeightedSearch::new(planes).with_bound(bound).with_quality(quality);
                    let done = jpsw(layer, q, &how, &mut scratch, &mut route);
                    hash_route(&mut h, done, &route);
                }
            }
            let mut probe = Recorder::with_limit(60);
            let done = jpsw_with(
                layer,
                &plain,
                &WeightedSearch::new(&weighted),
                SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut probe },
            );
            hash_route(&mut h, done, &route);
            h.debug(probe.events());
            h.debug((landmarks.at_least(q.from, q.to), zones.at_least(q.from, q.to)));
            let mut rim_scratch = RimScratch::new();
            if let Some(mut left) = RimField::new(&rims, layer, q.to, &mut rim_scratch) {
                for at in layer.grid().rect().cells().step_by(97) {
                    h.number(left.at_least(at));
                }
                let done = astar_towards(&plain, rule, &mut left, &mut scratch, &mut route);
                hash_route(&mut h, done, &route);
                let done = jpsw_towards(
                    &plain,
                    &WeightedSearch::new(&weighted),
                    &mut left,
                    &mut scratch,
                    &mut route,
                );
                hash_route(&mut h, done, &route);
            }
        }
        scratch.poison();
    }
    out.hash(&format!("q.{}.{round} searches", s.name), h);
}
