//! Draws an overlay for the world as it is.

use waymarch::base::{Agent, CellPos, CellRect};
use waymarch::cost::CostField;
use waymarch::flow::tiles::TileReader;
use waymarch::flow::whole::FlowByte;
use waymarch::query::Threat;
use waymarch::world::{Guidance, PathStatus, UnitId, World};

use super::{MAX_LINES, OVERLAYS, OverlayGrid, WholeMapKind, WholeMapOverlay, orders, units, whole_map_kind};
use crate::{route_line, unit_details};

/// All units together follow their flows for at most 100,000 cells.
const MAX_STEPS: usize = 100_000;
/// Class 5 of the marks in `PROTOCOL.md`: a stuck unit.
const STUCK: u32 = 5;

/// Which overlay is drawn, for which kind of unit, which units and which area.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OverlayQuery {
    pub(crate) number: usize,
    /// Used when there is no `unit`.
    pub(crate) agent: Agent,
    pub(crate) unit: Option<UnitId>,
    pub(crate) units: Vec<UnitId>,
    /// x, y, width and height in cells; the whole map if `None`.
    pub(crate) area: Option<[i32; 4]>,
}

fn grid_of(world: &World, query: &OverlayQuery) -> OverlayGrid {
    let whole = world.nav().layer().grid().rect();
    let area = query.area.map_or(whole, |[x, y, w, h]| {
        CellRect::at(CellPos::new(x, y), w.max(0).unsigned_abs(), h.max(0).unsigned_abs())
    });
    OverlayGrid::new(query.number, world.now().0, area, whole)
}

/// Everything that drawing a whole-map overlay needs except the ground.
pub(crate) fn whole_map_overlay(world: &World, query: &OverlayQuery, kind: WholeMapKind) -> WholeMapOverlay {
    let agent = query.unit.and_then(|unit| agent_of(world, unit)).unwrap_or(query.agent);
    WholeMapOverlay {
        kind,
        agent,
        config: world.nav().config().clone(),
        planner: world.nav().planner_for(agent, Threat::Ignore).0,
        ends: route_ends(world, query.unit),
        grid: grid_of(world, query),
    }
}

/// The cell of a unit and the last cell of its route.
pub(crate) fn route_ends(world: &World, unit: Option<UnitId>) -> Option<(CellPos, CellPos)> {
    world.cell_of(unit?).zip(unit_details::goal(world, unit?))
}

/// The `WMO1` message of an overlay.
pub(crate) fn draw(world: &World, query: &OverlayQuery) -> Vec<u8> {
    let layer = world.nav().layer();
    if let Some(kind) = whole_map_kind(query.number) {
        return whole_map_overlay(world, query, kind).draw(layer);
    }
    let grid = grid_of(world, query);
    let agent = query.unit.and_then(|unit| agent_of(world, unit)).unwrap_or(query.agent);
    let field = layer.field(agent);
    let open = |at: CellPos| field.is_some_and(|field: &CostField| field.is_passable(at));
    match OVERLAYS.get(query.number).map_or("", |overlay| overlay.name) {
        "cost" => grid.heat(|at| field.filter(|_| open(at)).map(|field| u32::from(field.cost(at)))),
        "threat" => grid.heat(|at| Some(u32::from(layer.threat().at(at))).filter(|threat| *threat > 0)),
        "clearance" => {
            let clearance = layer.clearance(agent.locomotor);
            grid.heat(|at| clearance.map(|sides| u32::from(sides.at(at))).filter(|side| *side > 0))
        }
        "sectors" => grid.areas(|at| {
            let room = world.nav().sectors().room(at, agent)?;
            Some(room.sector.0.wrapping_mul(31).wrapping_add(u32::from(room.part)))
        }),
        "domains" => grid.areas(|at| world.nav().sectors().domain(at, agent).map(|domain| domain.0)),
        "sight" => sight(world, query.unit, &grid),
        "routes" => routes(world, &grid),
        "velocity" => units::velocities(world, &grid),
        "neighbours" => units::neighbours(world, query.unit, &grid),
        "stuck" => {
            let stuck =
                world.units().filter(|unit| world.rung_of(unit.id).is_some_and(|rung| rung as u8 > 0));
            let cells = stuck.filter_map(|unit| world.cell_of(unit.id)).map(|at| (at, STUCK));
            grid.cells(&cells.collect::<Vec<_>>())
        }
        "density" => units::density(world, &grid),
        "slots" => units::slots(world, &query.units, &grid),
        "orders" => orders::orders(world, &query.units, &grid),
        _ => grid.cells(&[]),
    }
}

fn agent_of(world: &World, unit: UnitId) -> Option<Agent> {
    world.unit(unit).and_then(|unit| world.unit_type(unit.kind)).map(|kind| kind.agent)
}

/// 1 where the flow of a unit sees its goal, 0 on the flow's other cells.
fn sight(world: &World, unit: Option<UnitId>, grid: &OverlayGrid) -> Vec<u8> {
    let path = unit.and_then(|unit| world.route_of(unit));
    let Some(Guidance::Flow(id, _)) = path.and_then(|path| world.service().guidance(path)) else {
        return grid.areas(|_| None);
    };
    let reader = std::cell::RefCell::new(TileReader::new());
    grid.areas(|at| {
        let flows = world.service().flows();
        let byte = flows.byte(world.nav().layer(), id, at, &mut reader.borrow_mut())?;
        Some(u32::from(byte.0 & FlowByte::HAS_LOS != 0))
    })
}

fn routes(world: &World, grid: &OverlayGrid) -> Vec<u8> {
    // The fewer units there are, the further each flow is followed.
    let steps = (MAX_STEPS / world.unit_count().max(1)).min(route_line::MAX_FLOW_STEPS);
    let line = |unit: waymarch::world::Unit| {
        let class = u32::from(world.route_status(unit.id) == Some(PathStatus::Temporary));
        Some((class, route_line::route(world, unit.id, steps))).filter(|(_, points)| points.len() > 1)
    };
    grid.lines(&world.units().filter_map(line).take(MAX_LINES).collect::<Vec<_>>())
}
