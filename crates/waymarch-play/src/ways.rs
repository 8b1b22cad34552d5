//! The ways that units follow, as lines to draw.

use waymarch::base::{CellPos, Dir8};
use waymarch::flow::tiles::{FlowId, TileReader};
use waymarch::flow::whole::{Flow, FlowByte};
use waymarch::world::{Guidance, UnitId, World};

/// A flow is followed for so many cells at most.
pub(crate) const LONGEST: usize = 4096;

/// The rest of a unit's route, from where it is. A flow is followed for `steps` cells, then the line goes straight to the end.
pub(crate) fn route(world: &World, id: UnitId, steps: usize) -> Vec<[i32; 2]> {
    let Some((unit, path)) = world.unit(id).zip(world.route_of(id)) else { return Vec::new() };
    let mut line = vec![[unit.position.x.raw(), unit.position.y.raw()]];
    let next = world.next_waypoint(id).unwrap_or(0) as usize;
    match world.service().guidance(path) {
        Some(Guidance::Waypoints(points)) => {
            line.extend(points.iter().skip(next).map(|at| [at.x.raw(), at.y.raw()]));
        }
        Some(Guidance::Straight(end)) => line.push([end.x.raw(), end.y.raw()]),
        Some(Guidance::Flow(flow, end)) => {
            if let Some(from) = world.cell_of(id) {
                follow(world, flow, from, steps, &mut line);
            }
            line.push([end.x.raw(), end.y.raw()]);
        }
        None => line.clear(),
    }
    line
}

/// Where a flow leads, turn by turn, until its goal is in sight or it is not known any further.
fn follow(world: &World, flow: FlowId, from: CellPos, steps: usize, line: &mut Vec<[i32; 2]>) {
    let (flows, layer) = (world.service().flows(), world.nav().layer());
    let (mut reader, mut at, mut last) = (TileReader::new(), from, None::<Dir8>);
    for _ in 0..steps {
        let Some(byte) = flows.byte(layer, flow, at, &mut reader) else { return };
        let Flow::Step(dir) = byte.flow() else { return };
        if last != Some(dir) {
            if last.is_some() {
                line.push(middle(at));
            }
            last = Some(dir);
        }
        if byte.0 & FlowByte::HAS_LOS != 0 {
            line.push(middle(at));
            return;
        }
        at = at.step(dir);
    }
    line.push(middle(at));
}

/// The middle of a cell, in 1024ths.
fn middle(at: CellPos) -> [i32; 2] {
    [at.x, at.y].map(|side| side.saturating_mul(1024).saturating_add(512))
}
