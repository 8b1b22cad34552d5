//! Overlays: what the layers know, drawn over the map. To add one: a row in [`OVERLAYS`] and an arm in [`draw`].

use waymarch::base::{Agent, CellPos, CellRect};
use waymarch::cost::CostField;
use waymarch::flow::tiles::TileReader;
use waymarch::flow::whole::FlowByte;
use waymarch::query::Threat;
use waymarch::world::{Guidance, PathStatus, UnitId, World};

use crate::paper::{Form, Paper};
use crate::survey::{Look, Survey};
use crate::{crowd, details, ways};

/// An overlay, as the page lists it.
pub(crate) struct Overlay {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    pub(crate) form: Form,
    /// `unit`, `units` (those selected, or all if none are), or nothing.
    pub(crate) needs: &'static str,
}

const fn row(
    name: &'static str,
    title: &'static str,
    about: &'static str,
    form: Form,
    needs: &'static str,
) -> Overlay {
    Overlay { name, title, about, form, needs }
}

/// All overlays, in the order of their numbers.
pub(crate) const OVERLAYS: [Overlay; 16] = [
    row("cost", "Cost", "What it costs this kind of unit to cross each cell.", Form::Heat, ""),
    row("threat", "Threat", "How much danger adds to the cost of each cell.", Form::Heat, ""),
    row("clearance", "Clearance", "How big a square is free from each cell.", Form::Heat, ""),
    row(
        "sectors",
        "Sectors and rooms",
        "What can be reached within each sector without leaving it.",
        Form::Areas,
        "",
    ),
    row("portals", "Portals", "The doors between sectors that far routes go by.", Form::Lines, ""),
    row("domains", "Domains", "What can be reached at all: cells of one colour are joined.", Form::Areas, ""),
    row(
        "search",
        "Last search",
        "The cells and jump points that the search for the unit's way looks at, in the order it does.",
        Form::Cells,
        "unit",
    ),
    row("flow", "Flow arrows", "Which way leads to the unit's goal from every cell.", Form::Arrows, "unit"),
    row(
        "integration",
        "Integration",
        "How far it is to the unit's goal from every cell.",
        Form::Heat,
        "unit",
    ),
    row(
        "sight",
        "Line of sight",
        "Where units of the same flow go straight to the goal because they see it.",
        Form::Areas,
        "unit",
    ),
    row(
        "routes",
        "Routes",
        "The ways that units follow, and the temporary ones while they wait for better.",
        Form::Lines,
        "",
    ),
    row(
        "velocity",
        "Preferred and actual velocity",
        "Where units would go if nobody were in their way, and where they went.",
        Form::Lines,
        "",
    ),
    row(
        "neighbours",
        "Neighbours",
        "The others that the unit looks at when it chooses its way among them: the nearest.",
        Form::Cells,
        "unit",
    ),
    row("stuck", "Stuck units", "Units that make no headway and have tried another way.", Form::Cells, ""),
    row("density", "Density", "How many units are within a cell of each cell.", Form::Heat, ""),
    row(
        "slots",
        "Formation slots",
        "Where members of the selected units' groups, or of all, are to stand, the gates they go through side by side, and what they follow, guard or stand around.",
        Form::Lines,
        "units",
    ),
];

/// At most so many units have lines.
pub(crate) const MAX_LINES: usize = 5000;
/// Flows are followed for so many cells in all.
const MAX_STEPS: usize = 100_000;

/// What an overlay shows, to know when it has to be drawn again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shows {
    /// The ground, whatever moves on it.
    Ground,
    /// The ground, and where a unit goes.
    Goal,
    /// The ground, where a unit is and where it goes.
    Ends,
    /// What changes with every tick.
    World,
}

/// What the overlay with that number shows.
pub(crate) fn shows(number: usize) -> Shows {
    match OVERLAYS.get(number).map_or("", |overlay| overlay.name) {
        "cost" | "clearance" | "sectors" | "portals" | "domains" => Shows::Ground,
        "flow" | "integration" => Shows::Goal,
        "search" => Shows::Ends,
        _ => Shows::World,
    }
}

/// Whether an overlay takes a look at the whole map; see [`Survey`].
pub(crate) fn look(number: usize) -> Option<Look> {
    match OVERLAYS.get(number)?.name {
        "portals" => Some(Look::Portals),
        "search" => Some(Look::Search),
        "flow" => Some(Look::Flow),
        "integration" => Some(Look::Integration),
        _ => None,
    }
}

/// What is to be drawn for whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wanted {
    pub(crate) number: usize,
    pub(crate) agent: Agent,
    pub(crate) unit: Option<UnitId>,
    pub(crate) units: Vec<UnitId>,
    pub(crate) area: Option<[i32; 4]>,
}

/// The part of the map that is wanted, and how finely it can be drawn.
fn paper(world: &World, wanted: &Wanted) -> Paper {
    let whole = world.nav().layer().grid().rect();
    let area = wanted.area.map_or(whole, |[x, y, w, h]| {
        CellRect::at(CellPos::new(x, y), w.max(0).unsigned_abs(), h.max(0).unsigned_abs())
    });
    Paper::new(wanted.number, world.now().0, area, whole)
}

/// All that it takes to draw an overlay that looks at the whole map, but the ground.
pub(crate) fn survey(world: &World, wanted: &Wanted, look: Look) -> Survey {
    let agent = wanted.unit.and_then(|unit| agent_of(world, unit)).unwrap_or(wanted.agent);
    Survey {
        look,
        agent,
        config: world.nav().config().clone(),
        planner: world.nav().planner_for(agent, Threat::Ignore).0,
        ends: ends(world, wanted.unit),
        paper: paper(world, wanted),
    }
}

/// Where a unit is and where it goes.
pub(crate) fn ends(world: &World, unit: Option<UnitId>) -> Option<(CellPos, CellPos)> {
    world.cell_of(unit?).zip(details::goal(world, unit?))
}

/// The message, for the world as it is.
pub(crate) fn draw(world: &World, wanted: &Wanted) -> Vec<u8> {
    let layer = world.nav().layer();
    if let Some(look) = look(wanted.number) {
        return survey(world, wanted, look).draw(layer);
    }
    let paper = paper(world, wanted);
    let agent = wanted.unit.and_then(|unit| agent_of(world, unit)).unwrap_or(wanted.agent);
    let field = layer.field(agent);
    let open = |at: CellPos| field.is_some_and(|field: &CostField| field.is_passable(at));
    match OVERLAYS.get(wanted.number).map_or("", |overlay| overlay.name) {
        "cost" => paper.heat(|at| field.filter(|_| open(at)).map(|field| u32::from(field.cost(at)))),
        "threat" => paper.heat(|at| Some(u32::from(layer.threat().at(at))).filter(|threat| *threat > 0)),
        "clearance" => {
            let clearance = layer.clearance(agent.locomotor);
            paper.heat(|at| clearance.map(|sides| u32::from(sides.at(at))).filter(|side| *side > 0))
        }
        "sectors" => paper.areas(|at| {
            let room = world.nav().sectors().room(at, agent)?;
            Some(room.sector.0.wrapping_mul(31).wrapping_add(u32::from(room.part)))
        }),
        "domains" => paper.areas(|at| world.nav().sectors().domain(at, agent).map(|domain| domain.0)),
        "sight" => sight(world, wanted.unit, &paper),
        "routes" => routes(world, &paper),
        "velocity" => crowd::velocities(world, &paper),
        "neighbours" => crowd::neighbours(world, wanted.unit, &paper),
        "stuck" => {
            let stuck =
                world.units().filter(|unit| world.rung_of(unit.id).is_some_and(|rung| rung as u8 > 0));
            let cells: Vec<_> = stuck.filter_map(|unit| world.cell_of(unit.id)).map(|at| (at, 5)).collect();
            paper.cells(&cells)
        }
        "density" => crowd::density(world, &paper),
        "slots" => crowd::slots(world, &wanted.units, &paper),
        _ => paper.cells(&[]),
    }
}

fn agent_of(world: &World, unit: UnitId) -> Option<Agent> {
    world.unit(unit).and_then(|unit| world.unit_type(unit.kind)).map(|kind| kind.agent)
}

fn sight(world: &World, unit: Option<UnitId>, paper: &Paper) -> Vec<u8> {
    let path = unit.and_then(|unit| world.route_of(unit));
    let Some(Guidance::Flow(id, _)) = path.and_then(|path| world.service().guidance(path)) else {
        return paper.areas(|_| None);
    };
    let reader = std::cell::RefCell::new(TileReader::new());
    paper.areas(|at| {
        let flows = world.service().flows();
        let byte = flows.byte(world.nav().layer(), id, at, &mut reader.borrow_mut())?;
        Some(u32::from(byte.0 & FlowByte::HAS_LOS != 0))
    })
}

fn routes(world: &World, paper: &Paper) -> Vec<u8> {
    // Longer lines where there are few.
    let steps = (MAX_STEPS / world.unit_count().max(1)).min(ways::LONGEST);
    let line = |unit: waymarch::world::Unit| {
        let class = u32::from(world.route_status(unit.id) == Some(PathStatus::Temporary));
        Some((class, ways::route(world, unit.id, steps))).filter(|(_, points)| points.len() > 1)
    };
    paper.lines(&world.units().filter_map(line).take(MAX_LINES).collect::<Vec<_>>())
}
