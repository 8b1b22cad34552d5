//! The rest of a unit's route as a line to draw.

use waymarch::base::{CellPos, Dir8};
use waymarch::flow::tiles::{FlowId, TileReader};
use waymarch::flow::whole::{Flow, FlowByte};
use waymarch::world::{Guidance, UnitId, World};

/// A flow is followed for at most 4096 cells.
pub(crate) const MAX_FLOW_STEPS: usize = 4096;

/// The rest of a unit's route from its position. A flow is followed for up to `steps` cells; then the line goes straight to the end.
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

/// Adds the corners of a flow to `line`, until the goal is in sight or the flow is not computed any further.
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

/// The middle of a cell in 1/1024 cell.
fn middle(at: CellPos) -> [i32; 2] {
    [at.x, at.y].map(|side| side.saturating_mul(1024).saturating_add(512))
}
