//! Overlays: what the layers know, drawn over the map. To add one: a row in [`OVERLAYS`] and an arm in [`draw`].

use waymarch::base::{Agent, CellPos, CellRect};
use waymarch::cost::CostField;
use waymarch::flow::tiles::TileReader;
use waymarch::flow::whole::{FieldKey, Flow, FlowByte, Keep, WholeField, WholeScratch};
use waymarch::query::{Goal, PathQuery, Threat};
use waymarch::search::{
    JumpPlanes, Recorder, Route, SearchEvent, SearchScratch, WeightedPlanes, WeightedSearch, astar_with,
    jps_with, jpsw_with,
};
use waymarch::sectors::Doors;
use waymarch::world::{Guidance, PathStatus, PlannerChoice, UnitId, World};

use crate::{crowd, details};

/// How an overlay's bytes are laid out: `PROTOCOL.md`, `WMO1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Heat = 0,
    Areas = 1,
    Arrows = 2,
    Lines = 3,
    Cells = 4,
}

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
        "Where members of the selected units' groups, or of all, are to stand, and the gates they go through side by side.",
        Form::Lines,
        "units",
    ),
];

/// The longest side of what is drawn, in cells.
const MAX_SIDE: i32 = 1024;
/// Whole-map fields are made for maps up to so many cells; more takes too long beside a game.
const MAX_FIELD_CELLS: usize = 1024 * 1024;
/// At most so many events of a search are shown.
const MAX_EVENTS: usize = 100_000;
/// At most so many units have lines.
pub(crate) const MAX_LINES: usize = 5000;
/// Nothing, in heat and areas.
const NOTHING: u16 = u16::MAX;

/// What is to be drawn for whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wanted {
    pub(crate) number: usize,
    pub(crate) agent: Agent,
    pub(crate) unit: Option<UnitId>,
    pub(crate) units: Vec<UnitId>,
    pub(crate) area: Option<[i32; 4]>,
}

/// The message, for the world as it is.
pub(crate) fn draw(world: &World, wanted: &Wanted) -> Vec<u8> {
    let layer = world.nav().layer();
    let whole = layer.grid().rect();
    let area = wanted.area.map_or(whole, |[x, y, w, h]| {
        let side = |side: i32| side.clamp(0, MAX_SIDE) as u32;
        CellRect::at(CellPos::new(x, y), side(w), side(h)).intersect(whole)
    });
    let area = area.intersect(CellRect::at(CellPos::new(area.x0, area.y0), MAX_SIDE as u32, MAX_SIDE as u32));
    let paper = Paper { number: wanted.number, tick: world.now().0, area };
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
        "portals" => portals(world, agent, &paper),
        "search" => search(world, wanted.unit, agent, &paper),
        "flow" => flow(world, wanted.unit, agent, &paper),
        "integration" => {
            let field = field_to_goal(world, wanted.unit, agent);
            // In whole cells of the cheapest ground.
            let far = |at| {
                field.as_ref()?.cost_to_goal(at).map(|cost| (cost.0 >> 10).min(u64::from(u32::MAX)) as u32)
            };
            paper.heat(far)
        }
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

/// What is written on: which overlay, when and where.
pub(crate) struct Paper {
    number: usize,
    tick: u64,
    pub(crate) area: CellRect,
}

impl Paper {
    fn head(&self, form: Form, most: u32) -> Vec<u8> {
        let CellRect { x0, y0, x1, y1 } = self.area;
        let (wide, high) = (x1.abs_diff(x0), y1.abs_diff(y0));
        let mut out = b"WMO1".to_vec();
        out.extend_from_slice(&(self.number as u32).to_le_bytes());
        out.extend_from_slice(&(form as u32).to_le_bytes());
        out.extend_from_slice(&self.tick.to_le_bytes());
        [x0, y0].iter().for_each(|side| out.extend_from_slice(&side.to_le_bytes()));
        [wide, high, most].iter().for_each(|side| out.extend_from_slice(&side.to_le_bytes()));
        out
    }

    /// Values that go beyond 16 bits are all made smaller alike.
    pub(crate) fn heat(&self, value: impl Fn(CellPos) -> Option<u32>) -> Vec<u8> {
        let values: Vec<Option<u32>> = self.area.cells().map(value).collect();
        let most = values.iter().flatten().copied().max().unwrap_or(0);
        let shift = (0..32).find(|shift| most >> shift < u32::from(NOTHING)).unwrap_or(31);
        let mut out = self.head(Form::Heat, most >> shift);
        for value in values {
            out.extend_from_slice(&value.map_or(NOTHING, |value| (value >> shift) as u16).to_le_bytes());
        }
        out
    }

    /// Numbers are given anew in the order in which they are met.
    fn areas(&self, value: impl Fn(CellPos) -> Option<u32>) -> Vec<u8> {
        let mut names = std::collections::BTreeMap::new();
        let mut numbers = Vec::new();
        for at in self.area.cells() {
            numbers.push(value(at).map_or(NOTHING, |value| {
                let next = names.len() as u32;
                (*names.entry(value).or_insert(next) % u32::from(NOTHING)) as u16
            }));
        }
        let mut out = self.head(Form::Areas, names.len() as u32);
        numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        out
    }

    pub(crate) fn lines(&self, lines: &[(u32, Vec<[i32; 2]>)]) -> Vec<u8> {
        let mut out = self.head(Form::Lines, 0);
        out.extend_from_slice(&(lines.len() as u32).to_le_bytes());
        for (class, points) in lines {
            out.extend_from_slice(&class.to_le_bytes());
            out.extend_from_slice(&(points.len() as u32).to_le_bytes());
            points.iter().flatten().for_each(|side| out.extend_from_slice(&side.to_le_bytes()));
        }
        out
    }

    pub(crate) fn cells(&self, cells: &[(CellPos, u32)]) -> Vec<u8> {
        let mut out = self.head(Form::Cells, 0);
        out.extend_from_slice(&(cells.len() as u32).to_le_bytes());
        for (at, class) in cells {
            out.extend_from_slice(&at.x.to_le_bytes());
            out.extend_from_slice(&at.y.to_le_bytes());
            out.extend_from_slice(&class.to_le_bytes());
        }
        out
    }
}

fn portals(world: &World, agent: Agent, paper: &Paper) -> Vec<u8> {
    let nav = world.nav();
    if nav.layer().grid().cells() > MAX_FIELD_CELLS {
        return paper.lines(&[]);
    }
    let doors = Doors::new(nav.layer(), agent, nav.config().step_rule(), Threat::Ignore);
    let Ok(doors) = doors else { return paper.lines(&[]) };
    let middle = |at: CellPos| [at.centre().x.raw(), at.centre().y.raw()];
    let main: std::collections::BTreeSet<_> = doors.main_pairs().collect();
    let near = |(from, to): &(CellPos, CellPos)| paper.area.contains(*from) || paper.area.contains(*to);
    let line = |pair: (CellPos, CellPos)| {
        let class = if main.contains(&pair) { 3 } else { 4 };
        (class, vec![middle(pair.0), middle(pair.1)])
    };
    paper.lines(&doors.pairs().filter(near).map(line).collect::<Vec<_>>())
}

/// The question of a unit's way, asked again from where it is, by the search that the engine would choose for it.
fn search(world: &World, unit: Option<UnitId>, agent: Agent, paper: &Paper) -> Vec<u8> {
    let ends = unit.and_then(|unit| world.cell_of(unit).zip(details::goal(world, unit)));
    let Some((from, to)) = ends else { return paper.cells(&[]) };
    let mut recorder = Recorder::with_limit(MAX_EVENTS);
    watch(world, &PathQuery::new(from, to, agent), &mut recorder);
    let cells = recorder.events().iter().map(|event| match *event {
        SearchEvent::Begin { from, .. } => (from, 3),
        SearchEvent::Expand(node) => (node.at, 1),
        SearchEvent::Reach(node, _) if node.jump().is_some() => (node.at, 2),
        SearchEvent::Reach(node, _) => (node.at, 0),
    });
    paper.cells(&cells.chain([(to, 4)]).collect::<Vec<_>>())
}

/// Searches with somebody watching. A question without an answer is watched as far as it goes.
fn watch(world: &World, query: &PathQuery, recorder: &mut Recorder) {
    let (nav, layer) = (world.nav(), world.nav().layer());
    let rule = nav.config().step_rule();
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    // Making planes takes too long beside a game where maps are huge.
    let field = layer.field(query.agent).filter(|_| layer.grid().cells() <= MAX_FIELD_CELLS);
    let done = match (nav.planner_for(query.agent, Threat::Ignore).0, field) {
        (PlannerChoice::JpsPlus, Some(field)) => {
            jps_with(layer, query, &JumpPlanes::full(field), &mut scratch, &mut route, recorder)
        }
        (PlannerChoice::Jps, Some(field)) => {
            jps_with(layer, query, &JumpPlanes::straight(field), &mut scratch, &mut route, recorder)
        }
        (PlannerChoice::Jpsw, Some(_)) => WeightedPlanes::new(layer, query.agent, rule, Threat::Ignore)
            .and_then(|planes| {
                let how = WeightedSearch::new(&planes).with_quality(nav.config().quality());
                jpsw_with(layer, query, &how, &mut scratch, &mut route, recorder)
            }),
        _ => astar_with(layer, query, rule, &mut scratch, &mut route, recorder),
    };
    let _ = done;
}

/// A field to where a unit goes.
fn field_to_goal(world: &World, unit: Option<UnitId>, agent: Agent) -> Option<WholeField> {
    let (nav, goal) = (world.nav(), details::goal(world, unit?)?);
    if nav.layer().grid().cells() > MAX_FIELD_CELLS {
        return None;
    }
    let key = FieldKey::new(agent, Goal::point(goal));
    WholeField::new(nav.layer(), &key, nav.config().step_rule(), Keep::Costs, &mut WholeScratch::new()).ok()
}

fn flow(world: &World, unit: Option<UnitId>, agent: Agent, paper: &Paper) -> Vec<u8> {
    let field = field_to_goal(world, unit, agent);
    let mut out = paper.head(Form::Arrows, 0);
    out.extend(paper.area.cells().map(|at| match field.as_ref().map(|field| field.direction(at)) {
        Some(Flow::Step(dir)) => dir.index(),
        Some(Flow::Goal) => 8,
        _ => 255,
    }));
    out
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
    let line = |unit: waymarch::world::Unit| {
        let class = u32::from(world.route_status(unit.id) == Some(PathStatus::Temporary));
        Some((class, details::route(world, unit.id))).filter(|(_, points)| points.len() > 1)
    };
    paper.lines(&world.units().filter_map(line).take(MAX_LINES).collect::<Vec<_>>())
}
