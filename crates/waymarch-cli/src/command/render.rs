//! `waymarch render`: pictures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;
use waymarch::base::CellPos;
use waymarch::cost::{CostField, Falloff, STRAIGHT, ThreatSource};
use waymarch::flow::tiles::{Breadth, TileAim, TileFlows, TileReader, TileSettings};
use waymarch::flow::whole::{FieldKey, Flow, FlowByte, Keep, WholeField, WholeScratch};
use waymarch::query::{Goal, PathQuery, Threat};
use waymarch::search::{Route, SearchEvent, SmoothPath};
use waymarch::sectors::{DoorRoute, DoorScratch, Doors, Sectors};
use waymarch_cli::picture::{
    Canvas, Colour, DistanceMarks, Distances, FlowArrows, Heat, LazyPicture, Palette, Picture, Style,
};
use waymarch_maps::FileError;

use super::film::{self, FilmArgs};
use super::lazy::{self, Asked};
use super::path::find;
use crate::arguments::{AgentArgs, EndArgs, MapArgs};
use crate::diagnostics::{Failure, Kind};
use crate::planner::PLANNERS;
use crate::report::{Report, bytes};
use crate::scene::{Scene, no_route};

const EXAMPLES: &str = "\
Examples:
  waymarch render
  waymarch render --map pass --layer cost,grid --locomotor wheel
  waymarch render --map rooms --layer clearance --scale 10 --out tight.png
  waymarch render --map islands --layer domains,grid --out islands.png
  waymarch render --map generate:3:256x256 --layer portals --route --out doors.png
  waymarch render --map rooms --layer lazy --out lazy.png
  waymarch render --layer flow
  waymarch render --map rooms --layer integration --to 20,20 --locomotor wheel
  waymarch render --layer threat --threat 40,40,20,120 --threat 90,80,16,200
  waymarch render --map generate:3:256x256 --from 20,20 --out way.png
  waymarch render --gif march.gif --scenario valley-march --ticks 200 --pixels 400";

/// What to draw over the map.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LayerName {
    /// The ground as a player would see it, with player starts.
    Terrain,
    /// What each cell costs.
    Cost,
    /// How big a square is free from each cell.
    Clearance,
    /// How dangerous each cell is.
    Threat,
    /// Cells that are closed, in red.
    Passability,
    /// Sector lines.
    Grid,
    /// Sectors and their rooms: what can be reached within each, a colour for each room.
    Sectors,
    /// Sectors and the doors between them: main doors orange, the others blue.
    Portals,
    /// What can be reached at all, a colour for each domain.
    Domains,
    /// A lazy field after a few questions: boundary, arrows, working and stored frontier; --from and --to choose its ends.
    Lazy,
    /// Which way to the goal (--to, or the last player start) from everywhere: arrows over how far it is.
    Flow,
    /// How far it is to the goal from everywhere, with contour lines.
    Integration,
    /// The flow tiles that lead from the start to the goal: arrows, and in gold where units walk straight at the goal they see.
    Los,
}

/// Arguments of `waymarch render`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    map: MapArgs,
    #[command(flatten)]
    agent: AgentArgs,
    /// What to draw over the map; several with commas between them.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "terrain")]
    layer: Vec<LayerName>,
    /// The PNG file to write.
    #[arg(long, short, value_name = "FILE.png", default_value = "waymarch.png")]
    out: PathBuf,
    #[command(flatten)]
    film: FilmArgs,
    #[command(flatten)]
    ends: EndArgs,
    /// Draw a route from the first to the last player start, or as --from and --to say.
    #[arg(long)]
    route: bool,
    /// About how many pixels the longer side has.
    #[arg(long, value_name = "N", default_value_t = 1400, value_parser = clap::value_parser!(u32).range(64..=4096))]
    pixels: u32,
    /// Pixels per cell, instead of --pixels.
    #[arg(long, value_name = "N", conflicts_with = "pixels", value_parser = clap::value_parser!(u32).range(1..=64))]
    scale: Option<u32>,
}

/// Whether a flow layer says which way, or only how far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arrows {
    Shown,
    Hidden,
}

/// A picture of a scene in the making.
#[derive(Debug)]
pub(crate) struct Drawing<'a> {
    scene: &'a Scene,
    picture: Picture<'a>,
    /// Where flow layers lead.
    goal: Option<CellPos>,
}

impl<'a> Drawing<'a> {
    /// An empty one, with about so many pixels on the longer side.
    pub(crate) fn new(scene: &'a Scene, target: u32) -> Self {
        let style = Style { target, ..Style::default() };
        Self { scene, picture: Picture::new(&scene.map, &style), goal: None }
    }

    /// The ground and the player starts.
    pub(crate) fn terrain(&mut self) {
        self.picture.draw_map().draw_starts();
    }

    fn layer(&mut self, layer: LayerName, ends: &EndArgs) -> Result<(), Failure> {
        let field = self.scene.field()?;
        match layer {
            LayerName::Terrain => {}
            LayerName::Cost => self.heat(&costs(field), Palette::Viridis, "cost", 255),
            LayerName::Clearance => {
                let clearance = self.scene.layer.clearance(self.scene.agent.locomotor);
                let sides = clearance.map(|found| found.sides()).unwrap_or_default();
                self.heat(&sides, Palette::Room, "clearance", 0);
            }
            LayerName::Threat => self.threat(),
            LayerName::Passability => {
                let cells = self.scene.layer.grid().rect().cells();
                let closed: Vec<CellPos> = cells.filter(|&at| !field.is_passable(at)).collect();
                self.picture.draw_cells(&closed, Colour::hex(0xd0_20_18), 150);
            }
            LayerName::Grid => {
                self.picture.draw_grid(self.scene.config.get().sector_size);
            }
            LayerName::Sectors => {
                let sectors = self.sectors();
                self.groups(|at| sectors.room(at, self.scene.agent));
                self.picture.draw_grid(self.scene.config.get().sector_size);
            }
            LayerName::Portals => self.doors()?,
            LayerName::Domains => {
                let sectors = self.sectors();
                self.groups(|at| sectors.domain(at, self.scene.agent));
            }
            LayerName::Flow => self.flow(120, Arrows::Shown)?,
            LayerName::Integration => self.flow(205, Arrows::Hidden)?,
            LayerName::Los => self.tiles(ends)?,
            LayerName::Lazy => self.lazy(ends)?,
        }
        Ok(())
    }

    /// Both cells of every door, and the sectors' lines.
    fn doors(&mut self) -> Result<(), Failure> {
        let Scene { layer, agent, config, .. } = self.scene;
        let doors = Doors::new(layer, *agent, config.step_rule(), Threat::Ignore);
        let doors = doors.map_err(|error| Failure::new(Kind::Invalid, error.to_string()))?;
        self.picture.draw_grid(config.get().sector_size);
        let cells = |pairs: &mut dyn Iterator<Item = (CellPos, CellPos)>| -> Vec<CellPos> {
            pairs.flat_map(|(a, b)| [a, b]).collect()
        };
        self.picture.draw_cells(&cells(&mut doors.pairs()), Colour::hex(0x2f_8f_ff), 210);
        self.picture.draw_cells(&cells(&mut doors.main_pairs()), Colour::hex(0xff_8a_10), 255);
        Ok(())
    }

    /// A lazy field to the end asked for, or to the middle of the map.
    fn lazy(&mut self, ends: &EndArgs) -> Result<(), Failure> {
        let size = self.scene.layer.grid();
        let goal = match ends.to {
            Some(goal) => goal,
            None => middle(self.scene)?,
        };
        let Asked { flow, goal, ways } = lazy::ask(self.scene, goal, ends.from.first().copied())?;
        if let Some(field) = flow.field(goal) {
            self.picture.draw(&LazyPicture { size, ground: flow.ground(), field, ways: &ways });
        }
        Ok(())
    }

    fn sectors(&self) -> Sectors {
        Sectors::new(&self.scene.layer, self.scene.config.step_rule())
    }

    /// Cells of one group in one colour, other groups in others.
    fn groups<G: Ord>(&mut self, group_of: impl Fn(CellPos) -> Option<G>) {
        let mut groups: BTreeMap<G, Vec<CellPos>> = BTreeMap::new();
        for at in self.scene.layer.grid().rect().cells() {
            if let Some(group) = group_of(at) {
                groups.entry(group).or_default().push(at);
            }
        }
        for (number, cells) in (0..).zip(groups.values()) {
            self.picture.draw_cells(cells, Colour::of_group(number), 130);
        }
    }

    /// How far it is to the goal, and which way.
    fn flow(&mut self, alpha: u8, arrows: Arrows) -> Result<(), Failure> {
        let Scene { layer, agent, config, .. } = self.scene;
        let Some(goal) = self.goal else { return Ok(()) };
        // Threat that was asked for, or that is shown, counts.
        let threat = if layer.threat().is_empty() { Threat::Ignore } else { Threat::Heed };
        let key = FieldKey::new(*agent, goal).with_threat(threat);
        let made = WholeField::new(layer, &key, config.step_rule(), Keep::Costs, &mut WholeScratch::new());
        let field = made.map_err(|error| no_route(&error))?;
        let (size, cells) = (layer.grid(), || layer.grid().rect().cells());
        let left: Vec<Option<u64>> = cells().map(|at| field.cost_to_goal(at).map(|cost| cost.0)).collect();
        let unit = u64::from(STRAIGHT) * u64::from(layer.rules().rules().normal);
        let distances = Distances { size, left: &left, unit, alpha };
        self.picture.draw(&distances);
        if arrows == Arrows::Shown {
            let ways: Vec<Flow> = cells().map(|at| field.direction(at)).collect();
            self.picture.draw(&FlowArrows { size, ways: &ways });
        }
        self.picture.draw(&DistanceMarks(distances));
        Ok(())
    }

    /// The tiles along the way from the start, or from all player starts, to the goal.
    fn tiles(&mut self, ends: &EndArgs) -> Result<(), Failure> {
        let Scene { layer, agent, config, .. } = self.scene;
        let Some(goal) = self.goal else { return Ok(()) };
        let rule = config.step_rule();
        let doors = Doors::new(layer, *agent, rule, Threat::Ignore).map_err(|error| no_route(&error))?;
        let mut flows = TileFlows::new(layer, rule, TileSettings::from(config.get()));
        let flow = flows.open(layer, TileAim::new(*agent, goal)).map_err(|error| no_route(&error))?;
        let starts = if ends.from.is_empty() { &self.scene.map.map().starts } else { &ends.from };
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
        let ways: Vec<Flow> = bytes.iter().map(|byte| byte.map_or(Flow::Closed, FlowByte::flow)).collect();
        self.picture.draw(&FlowArrows { size: layer.grid(), ways: &ways });
        Ok(())
    }

    /// Threat as fire, where there is any.
    pub(crate) fn threat(&mut self) {
        let (grid, threat) = (self.scene.layer.grid(), self.scene.layer.threat());
        let values: Vec<u8> = grid.rect().cells().map(|at| threat.at(at)).collect();
        self.heat(&values, Palette::Fire, "threat", 0);
    }

    fn heat(&mut self, values: &[u8], palette: Palette, label: &str, blank: u8) {
        let size = self.scene.layer.grid();
        let heat = Heat { size, values, palette, label, alpha: 170, blank: Some(blank) };
        self.picture.draw(&heat);
    }

    /// What a search looked at and found.
    pub(crate) fn search(&mut self, events: &[SearchEvent], route: &Route) {
        self.picture.draw_search(events, &route.waypoints);
    }

    /// A route, cell by cell.
    pub(crate) fn route(&mut self, route: &Route) {
        self.picture.draw_route(&route.waypoints);
    }

    /// A smoothed route over the route of cells it was made from.
    pub(crate) fn smoothed(&mut self, route: &Route, path: &SmoothPath) {
        self.picture.draw_smoothed(&route.waypoints, &path.points);
    }

    /// The cells of a goal in green, or those it is to get out of in red.
    pub(crate) fn goal(&mut self, goal: &Goal) {
        let cells = self.scene.layer.grid().rect().cells();
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

/// Costs row by row.
fn costs(field: &CostField) -> Vec<u8> {
    field.grid().rect().cells().map(|at| field.cost(at)).collect()
}

/// Writes a file.
pub(crate) fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    Ok(std::fs::write(path, bytes).map_err(|error| FileError::io(path, &error))?)
}

#[derive(Serialize)]
struct Document<'a> {
    map: &'a str,
    out: &'a Path,
    layers: &'a [LayerName],
    locomotor: &'a str,
    size: u8,
    width_px: u32,
    height_px: u32,
    bytes: usize,
    demo_threat: bool,
    route_cost: Option<u64>,
}

pub(super) fn run(args: &RenderArgs) -> Result<Report, Failure> {
    if let Some(out) = &args.film.gif {
        return film::run(&args.film, out, args.pixels);
    }
    let mut scene = Scene::open(&args.map, &args.agent)?;
    let demo_threat = args.layer.contains(&LayerName::Threat) && args.agent.threats.is_empty();
    if demo_threat {
        scene.threaten(&[turret(&scene)])?;
    }
    let flows = args
        .layer
        .iter()
        .any(|layer| matches!(layer, LayerName::Flow | LayerName::Integration | LayerName::Los));
    let for_lazy = args.layer.contains(&LayerName::Lazy);
    // A goal alone is what a flow layer leads to, and both ends are a lazy field's.
    let named = !args.ends.from.is_empty() || (args.ends.to.is_some() && !flows);
    let wants_route = args.route || (named && !for_lazy);
    let route = if wants_route {
        let ends = scene.ends(&args.ends)?;
        let query = PathQuery::new(ends.from, ends.to, scene.agent);
        Some(find(&scene, &PLANNERS[0], &query)?.route)
    } else {
        None
    };
    let grid = scene.layer.grid();
    let long = grid.width().max(grid.height());
    let target = args.scale.map_or(args.pixels, |scale| (scale * long).clamp(64, Canvas::MAX_SIDE));
    let mut drawing = Drawing::new(&scene, target);
    drawing.terrain();
    if flows {
        drawing.goal = Some(scene.ends(&args.ends)?.to);
    }
    for &layer in &args.layer {
        drawing.layer(layer, &args.ends)?;
    }
    if let Some(route) = &route {
        drawing.route(route);
    }
    let png = drawing.encode();
    save(&args.out, &png)?;
    let (width_px, height_px) = drawing.picture.canvas().scale().canvas_size();
    let document = Document {
        map: &scene.plain().name,
        out: &args.out,
        layers: &args.layer,
        locomotor: scene.locomotor_name(),
        size: scene.agent.size.side(),
        width_px,
        height_px,
        bytes: png.len(),
        demo_threat,
        route_cost: route.as_ref().map(|route| route.cost.0),
    };
    let mut text = format!(
        "{}, {grid}, drawn to {} ({width_px}×{height_px} pixels, {}).\n",
        document.map,
        args.out.display(),
        bytes(png.len() as u64)
    );
    if demo_threat {
        text.push_str("No --threat was given: a turret stands in the middle to show what it looks like.\n");
    }
    Ok(Report::new(text, &document))
}

/// The open cell nearest to the middle of the map; of equally near ones the first.
fn middle(scene: &Scene) -> Result<CellPos, Failure> {
    let (grid, field) = (scene.layer.grid(), scene.field()?);
    let (x, y) = (grid.width() as i32 / 2, grid.height() as i32 / 2);
    let open = grid.rect().cells().filter(|&at| field.is_passable(at));
    let found = open.min_by_key(|at| (at.x.abs_diff(x).max(at.y.abs_diff(y)), *at));
    found.ok_or_else(|| Failure::new(Kind::NoRoute, "no cell of this map is open"))
}

/// Something dangerous in the middle of the map.
fn turret(scene: &Scene) -> ThreatSource {
    let grid = scene.layer.grid();
    let (width, height) = (grid.width(), grid.height());
    let at = CellPos::new((width / 2) as i32, (height / 2) as i32);
    let radius = u16::try_from((width.min(height) / 5).clamp(1, 64)).unwrap_or(1);
    ThreatSource { at, radius, strength: 128, falloff: Falloff::Linear }
}
