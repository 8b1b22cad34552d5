//! The cost layer: every field, clearance, stamp and threat.

use waymarch::base::{LocomotorId, SizeClass};
use waymarch::cost::StampId;
use waymarch::search::jps_suits;

use super::scene::Scene;
use super::state;
use crate::{Digest, Lines, report};

pub(crate) fn layer(out: &mut Lines<'_>, s: &Scene, round: u32) {
    let layer = s.nav.layer();
    let mut h = Digest::new();
    for agent in layer.agents() {
        let f = layer.field(agent).unwrap();
        h.debug(agent);
        h.bytes(f.padded());
        h.debug((f.cheapest(), f.dearest(), f.size(), f.grid(), f.padding()));
        f.histogram().iter().for_each(|&n| h.number(n.into()));
        for y in 0..layer.grid().height() {
            f.closed_bits().rows().line(y).iter().for_each(|&w| h.number(w));
        }
        h.debug(jps_suits(f, s.rule));
    }
    for l in 0..layer.rules().rules().locomotors.len() as u8 {
        if let Some(c) = layer.clearance(LocomotorId(l)) {
            h.byte(c.cap());
            h.bytes(&c.sides());
        }
        for at in layer.grid().rect().cells().step_by(7) {
            h.debug(layer.pace(at, LocomotorId(l)));
            h.debug(layer.can_stop(at, LocomotorId(l).into()));
            let ids: Vec<StampId> = layer.stamps_on(at).map(|(id, _)| id).collect();
            h.byte(layer.cost_without(at, LocomotorId(l).into(), &ids));
            h.debug(layer.can_stop_without(at, LocomotorId(l).into(), &ids));
        }
    }
    h.bytes(layer.threat().padded());
    h.debug(layer.threat().sources().collect::<Vec<_>>());
    h.debug(
        layer
            .stamps()
            .map(|(id, st, sp)| (id, *st, sp.name.clone(), layer.affected_area(id, SizeClass::TWO)))
            .collect::<Vec<_>>(),
    );
    h.debug((layer.changes().ground_version(), layer.changes().sectors().count()));
    layer.changes().sectors().all().for_each(|id| h.number(layer.changes().version(id).into()));
    assert!(layer.rebuilt().same_derived(layer));
    let hash = s.nav.state_hash();
    report!(out, "q.{}.{round} layer {:016x} state {} parts {:016x?}", s.name, h.value(), hash, hash.parts());
    h.number(state(layer));
    out.hash(&format!("q.{}.{round} layerstate", s.name), h);
}
