//! Sectors, nearest cells, grouping of requests, doors.

use waymarch::base::{CellRect, Fixed, cell};
use waymarch::plan::{Destination, Stage};
use waymarch::query::{Goal, MergeBias, PathQuery, Shape, Threat};
use waymarch::sectors::{
    DoorGoal, DoorQuery, DoorRoute, DoorScratch, Doors, LiveDoors, Merging, SnapScratch,
};

use super::scene::Kept;
use super::scene::Scene;
use super::state;
use crate::{Digest, Lines};

pub(crate) fn sectors(out: &mut Lines<'_>, s: &mut Scene, batch: &[PathQuery], round: u32, kept: &mut Kept) {
    let mut h = Digest::new();
    let layer = s.nav.layer();
    let sec = s.nav.sectors();
    for agent in layer.agents() {
        h.number(sec.domains(agent).into());
        for at in layer.grid().rect().cells() {
            h.number(sec.domain(at, agent).map_or(u64::MAX, |d| d.0.into()));
        }
        for at in layer.grid().rect().cells().step_by(5) {
            h.debug(sec.room(at, agent));
        }
    }
    let mut snap = SnapScratch::default();
    for q in batch {
        for goal in [
            Goal::point(q.to),
            Goal::rect(CellRect::at(q.to, 4, 3)),
            Goal::OutOf(Shape::Circle { centre: q.from, radius: Fixed::from_cells(7) }),
        ] {
            h.debug(sec.snap(layer, q.from, &goal, q.agent, &mut snap));
            h.debug(sec.snap_again(layer, q.from, &goal, q.agent, &mut kept.snaps));
        }
        if let Some(d) = Destination::of(sec, q.agent, q.threat, q.to) {
            kept.grouping.join(d, if s.random.chance(500) { Stage::Pending } else { Stage::Live });
            h.debug(kept.grouping.answered(d));
            h.number(kept.grouping.settle().into());
            h.text(kept.grouping.decision(d));
            if s.random.chance(300) {
                h.debug(kept.grouping.leave(d, Stage::Live));
            }
        }
    }
    h.debug(kept.grouping.decisions().collect::<Vec<_>>());
    h.number(state(&kept.grouping));
    h.debug((snap.looked_at(), kept.snaps.looked_at()));
    out.hash(&format!("q.{}.{round} sectors", s.name), h);

    let mut h = Digest::new();
    kept.doors.follow(layer);
    kept.rims.follow(layer);
    let mut scratch = DoorScratch::default();
    let anew = Doors::new(layer, kept.agent, s.rule, Threat::Ignore).unwrap();
    assert!(anew.same_as(&kept.doors, layer, &mut scratch));
    h.debug(kept.doors.pairs().collect::<Vec<_>>());
    h.debug(kept.doors.main_pairs().collect::<Vec<_>>());
    h.number(kept.doors.grain().into());
    let mut live = LiveDoors::new();
    let mut route = DoorRoute::default();
    let mut routes = Vec::new();
    for q in batch {
        let say = |h: &mut Digest, found: bool, r: &DoorRoute| h.debug((found, &r.cells, r.cost, r.expanded));
        let found = kept.doors.route(layer, q.from, q.to, &mut scratch, &mut route);
        say(&mut h, found, &route);
        if found {
            live.add(kept.agent, Threat::Ignore, &route);
            routes.push(route.clone());
        }
        let found = kept.doors.route_hasty(layer, q.from, q.to, &mut scratch, &mut route);
        say(&mut h, found, &route);
        let merging = Merging { live: &live, bias: MergeBias::new(15).unwrap() };
        let found = kept.doors.route_merging(
            layer,
            DoorQuery { from: q.to, to: q.from },
            &merging,
            &mut scratch,
            &mut route,
        );
        say(&mut h, found, &route);
        h.debug(live.shared(kept.agent, Threat::Ignore, &route));
        let mut goal = DoorGoal::new(q.to);
        for from in [q.from, q.from.offset(3, 1), cell(1, 1)] {
            let found = kept.doors.route_towards(layer, from, &mut goal, &mut scratch, &mut route);
            say(&mut h, found, &route);
        }
    }
    for r in &routes {
        h.debug(live.remove(kept.agent, Threat::Ignore, r));
    }
    h.debug(live.is_empty());
    out.hash(&format!("q.{}.{round} doors", s.name), h);
}
