//! Draws a map with its layers, routes, goals and searches: the picture that `path` and `render` save.

use std::collections::BTreeMap;

use clap::ValueEnum;
use serde::Serialize;
use waymarch::base::CellPos;
use waymarch::cost::{CostField, STRAIGHT};
use waymarch::flow::tiles::{Breadth, FlowTarget, TileFlows, TileReader, TileSettings};
use waymarch::flow::whole::{FieldKey, Flow, FlowByte, Keep, WholeField, WholeScratch};
use waymarch::passages::{Beyond, Passages};
use waymarch::query::{Goal, Threat};
use waymarch::search::{Route, SearchEvent, SmoothPath};
use waymarch::sectors::{DoorRoute, DoorScratch, Doors, Sectors};
use waymarch_cli::picture::{
    Colour, DistanceMarks, Distances, FlowArrows, Heat, LazyPicture, Palette, Picture, RouteLine, Style,
};

use super::lazy_field::{self, QueriedFlow};
use crate::arguments::EndArgs;
use crate::diagnostics::{Failure, Kind};
use crate::map_setup::MapSetup;

/// A layer to draw over the map.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LayerName {
    /// The terrain as a player sees it, with player starts.
    Terrain,
    /// The cost of each cell.
    Cost,
    /// The clearance of each cell: the side of the largest free square.
    Clearance,
    /// The threat at each cell.
    Threat,
    /// Impassable cells, in red.
    Passability,
    /// The borders of sectors.
    Grid,
    /// Sectors and their rooms. A room is a connected part of a sector; each has its own colour.
    Sectors,
    /// Sectors and the doors between them: main doors in orange, others in blue.
    Portals,
    /// Domains: cells that can reach each other have the same colour.
    Domains,
    /// Passages: ground too narrow for two units of this size to pass each other. Each passage has its own colour; junctions are
    /// white, and the cells outside mouths are black.
    Passages,
    /// A lazy flow field after a few queries: boundary, arrows, working and stored frontier. --from and --to choose its ends.
    Lazy,
    /// The flow field to the goal (--to, or the last player start): arrows over the remaining cost.
    Flow,
    /// The remaining cost to the goal from every cell, with contour lines.
    Integration,
    /// The flow tiles from the start to the goal, with arrows. Cells with line of sight to the goal are gold.
    Los,
}

/// Whether a flow layer has arrows, or the remaining cost alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arrows {
    Shown,
    Hidden,
}

/// A picture of a map, drawn layer by layer.
#[derive(Debug)]
pub(crate) struct Drawing<'a> {
    setup: &'a MapSetup,
    picture: Picture<'a>,
    /// The goal of flow layers.
    goal: Option<CellPos>,
}

impl<'a> Drawing<'a> {
    /// An empty picture with about `target` pixels on the longer side.
    pub(crate) fn new(setup: &'a MapSetup, target: u32) -> Self {
        let style = Style { target, ..Style::default() };
        Self { setup, picture: Picture::new(&setup.map, &style), goal: None }
    }

    /// Draws the terrain and the player starts.
    pub(crate) fn terrain(&mut self) {
        self.picture.draw_map().draw_starts();
    }

    /// Makes flow layers lead to `goal`.
    pub(super) fn lead_to(&mut self, goal: CellPos) {
        self.goal = Some(goal);
    }

    /// Width and height in pixels.
    pub(super) fn canvas_size(&mut self) -> (u32, u32) {
        self.picture.canvas().scale().canvas_size()
    }

    /// Draws one layer over the map. `ends` are the start and goal of a lazy field or of flow tiles.
    pub(super) fn layer(&mut self, layer: LayerName, ends: &EndArgs) -> Result<(), Failure> {
        let field = self.setup.field()?;
        match layer {
            LayerName::Terrain => {}
            LayerName::Cost => self.heat(&costs(field), Palette::Viridis, "cost", 255),
            LayerName::Clearance => {
                let clearance = self.setup.layer.clearance(self.setup.agent.locomotor);
                let sides = clearance.map(|found| found.sides()).unwrap_or_default();
                self.heat(&sides, Palette::Room, "clearance", 0);
            }
            LayerName::Threat => self.threat(),
            LayerName::Passability => {
                let cells = self.setup.layer.grid().rect().cells();
                let closed: Vec<CellPos> = cells.filter(|&at| !field.is_passable(at)).collect();
                self.picture.draw_cells(&closed, Colour::hex(0xd0_20_18), 150);
            }
            LayerName::Grid => {
                self.picture.draw_grid(self.setup.config.get().sector_size);
            }
            LayerName::Sectors => {
                let sectors = self.sectors();
                self.groups(|at| sectors.room(at, self.setup.agent));
                self.picture.draw_grid(self.setup.config.get().sector_size);
            }
            LayerName::Portals => self.doors()?,
            LayerName::Domains => {
                let sectors = self.sectors();
                self.groups(|at| sectors.domain(at, self.setup.agent));
            }
            LayerName::Passages => self.passages()?,
            LayerName::Flow => self.flow(120, Arrows::Shown)?,
            LayerName::Integration => self.flow(205, Arrows::Hidden)?,
            LayerName::Los => self.tiles(ends)?,
            LayerName::Lazy => self.lazy(ends)?,
        }
        Ok(())
    }

    /// Draws both cells of every door, and the borders of sectors.
    fn doors(&mut self) -> Result<(), Failure> {
        let MapSetup { layer, agent, config, .. } = self.setup;
        let doors = Doors::new(layer, *agent, config.step_rule(), Threat::Ignore);
        let doors = doors.map_err(Failure::invalid)?;
        self.picture.draw_grid(config.get().sector_size);
        let cells = |pairs: &mut dyn Iterator<Item = (CellPos, CellPos)>| -> Vec<CellPos> {
            pairs.flat_map(|(a, b)| [a, b]).collect()
        };
        self.picture.draw_cells(&cells(&mut doors.pairs()), Colour::hex(0x2f_8f_ff), 210);
        self.picture.draw_cells(&cells(&mut doors.main_pairs()), Colour::hex(0xff_8a_10), 255);
        Ok(())
    }

    /// Draws the cells of every passage, the junctions between them, and the cells outside their mouths.
    fn passages(&mut self) -> Result<(), Failure> {
        let MapSetup { layer, agent, config, .. } = self.setup;
        let passages = Passages::new(layer, *agent, config.step_rule()).map_err(Failure::invalid)?;
        self.groups(|at| passages.at(at).map(|passage| passage.id));
        let cells = layer.grid().rect().cells();
        let junctions: Vec<CellPos> =
            cells.filter(|&at| passages.is_narrow(at) && passages.at(at).is_none()).collect();
        self.picture.draw_cells(&junctions, Colour::hex(0xff_ff_ff), 200);
        let mouths = passages.iter().flat_map(|passage| &passage.mouths);
        let outside = mouths.filter(|mouth| mouth.beyond == Beyond::Open).map(|mouth| mouth.outside);
        self.picture.draw_cells(&outside.collect::<Vec<_>>(), Colour::hex(0x00_00_00), 150);
        Ok(())
    }

    /// Draws a lazy field to the goal given, or to the middle of the map.
    fn lazy(&mut self, ends: &EndArgs) -> Result<(), Failure> {
        let size = self.setup.layer.grid();
        let goal = match ends.to {
            Some(goal) => goal,
            None => middle(self.setup)?,
        };
        let QueriedFlow { flow, goal, routes } =
            lazy_field::ask(self.setup, goal, ends.from.first().copied())?;
        if let Some(field) = flow.field(goal) {
            self.picture.draw(&LazyPicture { size, ground: flow.ground(), field, routes: &routes });
        }
        Ok(())
    }

    fn sectors(&self) -> Sectors {
        Sectors::new(&self.setup.layer, self.setup.config.step_rule())
    }

    /// Draws the cells of each group in a colour of its own.
    fn groups<G: Ord>(&mut self, group_of: impl Fn(CellPos) -> Option<G>) {
        let mut groups: BTreeMap<G, Vec<CellPos>> = BTreeMap::new();
        for at in self.setup.layer.grid().rect().cells() {
            if let Some(group) = group_of(at) {
                groups.entry(group).or_default().push(at);
            }
        }
        for (number, cells) in (0..).zip(groups.values()) {
            self.picture.draw_cells(cells, Colour::of_group(number), 130);
        }
    }

    /// Draws the remaining cost to the goal, and arrows if wanted.
    fn flow(&mut self, alpha: u8, arrows: Arrows) -> Result<(), Failure> {
        let MapSetup { layer, agent, config, .. } = self.setup;
        let Some(goal) = self.goal else { return Ok(()) };
        // Threat counts if there is any on the map.
        let threat = if layer.threat().is_empty() { Threat::Ignore } else { Threat::Heed };
        let key = FieldKey::new(*agent, goal).with_threat(threat);
        let made = WholeField::new(layer, &key, config.step_rule(), Keep::Costs, &mut WholeScratch::new());
        let field = made?;
        let (size, cells) = (layer.grid(), || layer.grid().rect().cells());
        let left: Vec<Option<u64>> = cells().map(|at| field.cost_to_goal(at).map(|cost| cost.0)).collect();
        let unit = u64::from(STRAIGHT) * u64::from(layer.rules().rules().normal);
        let distances = Distances { size, left: &left, unit, alpha };
        self.picture.draw(&distances);
        if arrows == Arrows::Shown {
            let directions: Vec<Flow> = cells().map(|at| field.direction(at)).collect();
            self.picture.draw(&FlowArrows { size, directions: &directions });
        }
        self.picture.draw(&DistanceMarks(distances));
        Ok(())
    }

    /// Draws the flow tiles along the routes from the start, or from all player starts, to the goal.
    fn tiles(&mut self, ends: &EndArgs) -> Result<(), Failure> {
        let MapSetup { layer, agent, config, .. } = self.setup;
        let Some(goal) = self.goal else { return Ok(()) };
        let rule = config.step_rule();
        let doors = Doors::new(layer, *agent, rule, Threat::Ignore)?;
        let mut flows = TileFlows::new(layer, rule, TileSettings::from(config.get()));
        let flow = flows.open(layer, FlowTarget::new(*agent, goal))?;
        let starts = if ends.from.is_empty() { &self.setup.map.map().starts } else { &ends.from };
        let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
        for &from in starts {
            if doors.route(layer, from, goal, &mut scratch, &mut route) {
                flows.widen(layer, flow, &route, Breadth::Around);
            }
        }
        flows.finish(layer, flow);
        let cells = || layer.grid().rect().cells();
        let mut reader = TileReader::new();
        let bytes: Vec<_> = cells().map(|at| flows.byte(layer, flow, at, &mut reader)).collect();
        let led = |seen: u8| -> Vec<CellPos> {
            let wanted = |byte: &FlowByte| {
                matches!(byte.flow(), Flow::Step(_) | Flow::Goal) && byte.0 & FlowByte::HAS_LOS == seen
            };
            cells()
                .zip(&bytes)
                .filter(|(_, byte)| byte.as_ref().is_some_and(wanted))
                .map(|(at, _)| at)
                .collect()
        };
        self.picture.draw_cells(&led(0), Colour::hex(0x2f_8f_ff), 90);
        self.picture.draw_cells(&led(FlowByte::HAS_LOS), Colour::hex(0xff_c4_20), 150);
        let directions: Vec<Flow> =
            bytes.iter().map(|byte| byte.map_or(Flow::Closed, FlowByte::flow)).collect();
        self.picture.draw(&FlowArrows { size: layer.grid(), directions: &directions });
        Ok(())
    }

    /// Draws threat as heat, where there is any.
    pub(crate) fn threat(&mut self) {
        let (grid, threat) = (self.setup.layer.grid(), self.setup.layer.threat());
        let values: Vec<u8> = grid.rect().cells().map(|at| threat.at(at)).collect();
        self.heat(&values, Palette::Fire, "threat", 0);
    }

    fn heat(&mut self, values: &[u8], palette: Palette, label: &str, blank: u8) {
        let size = self.setup.layer.grid();
        let heat = Heat { size, values, palette, label, alpha: 170, blank: Some(blank) };
        self.picture.draw(&heat);
    }

    /// Draws a recorded search and its route.
    pub(crate) fn search(&mut self, events: &[SearchEvent], route: &Route) {
        self.picture.draw_search(events, &route.waypoints);
    }

    /// Draws a route of cells.
    pub(crate) fn route(&mut self, route: &Route) {
        self.picture.draw_route(&route.waypoints);
    }

    /// Draws a route of cells in a colour of its own.
    pub(crate) fn route_in(&mut self, waypoints: &[CellPos], colour: Colour) {
        self.picture.draw(&RouteLine { cells: waypoints, colour });
    }

    /// Draws a smoothed route over the route of cells it was made from.
    pub(crate) fn smoothed(&mut self, route: &Route, path: &SmoothPath) {
        self.picture.draw_smoothed(&route.waypoints, &path.points);
    }

    /// Draws the cells of a goal area in green, or in red if the route has to leave the area.
    pub(crate) fn goal(&mut self, goal: &Goal) {
        let cells = self.setup.layer.grid().rect().cells();
        let marked: Vec<CellPos> =
            cells.filter(|&at| goal.shapes().iter().any(|shape| shape.contains(at))).collect();
        let to_leave = matches!(goal, Goal::OutOf(_) | Goal::OutOfAll(_));
        let colour = if to_leave { Colour::hex(0xff5a36) } else { Colour::hex(0x2bf064) };
        self.picture.draw_cells(&marked, colour, 110);
    }

    /// The picture as a PNG file.
    pub(crate) fn encode(&self) -> Vec<u8> {
        self.picture.encode()
    }
}

/// The costs of all cells, row by row.
fn costs(field: &CostField) -> Vec<u8> {
    field.grid().rect().cells().map(|at| field.cost(at)).collect()
}

/// The open cell nearest to the middle of the map; the first of several.
fn middle(setup: &MapSetup) -> Result<CellPos, Failure> {
    let (grid, field) = (setup.layer.grid(), setup.field()?);
    let (x, y) = (grid.width() as i32 / 2, grid.height() as i32 / 2);
    let open = grid.rect().cells().filter(|&at| field.is_passable(at));
    let found = open.min_by_key(|at| (at.x.abs_diff(x).max(at.y.abs_diff(y)), *at));
    found.ok_or_else(|| Failure::new(Kind::NoRoute, "no cell of this map is passable"))
}
