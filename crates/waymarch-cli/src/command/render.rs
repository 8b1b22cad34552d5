//! `waymarch render`: draws a map to a PNG file, or a scenario to an animated GIF.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use waymarch::base::CellPos;
use waymarch::cost::{Falloff, ThreatSource};
use waymarch::query::PathQuery;
use waymarch_cli::picture::Canvas;
use waymarch_maps::write_file;

use super::animation::{self, AnimationArgs};
use super::drawing::{Drawing, LayerName};
use super::levels;
use super::search::find;
use crate::arguments::{AgentArgs, EndArgs, MapArgs};
use crate::diagnostics::Failure;
use crate::load::find_level_map;
use crate::map_setup::MapSetup;
use crate::planner::{DEFAULT, planner};
use crate::report::{Report, bytes};

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
  waymarch render --map generate:3:256x256 --from 20,20 --out route.png
  waymarch render --gif march.gif --scenario valley-march --ticks 200 --pixels 400";

/// Arguments of `waymarch render`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    map: MapArgs,
    #[command(flatten)]
    agent: AgentArgs,
    /// The layers to draw over the map, separated by commas.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "terrain")]
    layer: Vec<LayerName>,
    /// The PNG file to write.
    #[arg(long, short, value_name = "FILE.png", default_value = "waymarch.png")]
    out: PathBuf,
    #[command(flatten)]
    animation: AnimationArgs,
    #[command(flatten)]
    ends: EndArgs,
    /// Draw a route, from the first to the last player start unless --from and --to are given.
    #[arg(long)]
    route: bool,
    /// The approximate length of the longer side, in pixels.
    #[arg(long, value_name = "N", default_value_t = 1400, value_parser = clap::value_parser!(u32).range(64..=4096))]
    pixels: u32,
    /// Pixels per cell, instead of --pixels.
    #[arg(long, value_name = "N", conflicts_with = "pixels", value_parser = clap::value_parser!(u32).range(1..=64))]
    scale: Option<u32>,
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
    if let Some(out) = &args.animation.gif {
        return animation::run(&args.animation, out, args.pixels);
    }
    if let Some(map) = find_level_map(&args.map.map, &args.map.reading.options())? {
        if args.layer.iter().any(|&layer| layer != LayerName::Terrain) {
            return Err(levels::one_level_only("--layer"));
        }
        let long = map.base.size.width().max(map.base.size.height());
        let pixels = args.scale.map_or(args.pixels, |scale| scale * long);
        return levels::render(levels::LevelSetup::open(map, &args.agent)?, &args.ends, &args.out, pixels);
    }
    let mut setup = MapSetup::open(&args.map, &args.agent)?;
    let demo_threat = args.layer.contains(&LayerName::Threat) && args.agent.threats.is_empty();
    if demo_threat {
        setup.threaten(&[demo_threat_source(&setup)])?;
    }
    let flows = args
        .layer
        .iter()
        .any(|layer| matches!(layer, LayerName::Flow | LayerName::Integration | LayerName::Los));
    let for_lazy = args.layer.contains(&LayerName::Lazy);
    // With a flow layer, --to alone is the goal of the flow. With a lazy field, both ends belong to the field.
    let named = !args.ends.from.is_empty() || (args.ends.to.is_some() && !flows);
    let wants_route = args.route || (named && !for_lazy);
    let route = if wants_route {
        let ends = setup.ends(&args.ends)?;
        let query = PathQuery::new(ends.from, ends.to, setup.agent);
        Some(find(&setup, planner(DEFAULT)?, &query)?.route)
    } else {
        None
    };
    let grid = setup.layer.grid();
    let long = grid.width().max(grid.height());
    let target = args.scale.map_or(args.pixels, |scale| (scale * long).clamp(64, Canvas::MAX_SIDE));
    let mut drawing = Drawing::new(&setup, target);
    drawing.terrain();
    if flows {
        drawing.lead_to(setup.ends(&args.ends)?.to);
    }
    for &layer in &args.layer {
        drawing.layer(layer, &args.ends)?;
    }
    if let Some(route) = &route {
        drawing.route(route);
    }
    let png = drawing.encode();
    write_file(&args.out, &png)?;
    let (width_px, height_px) = drawing.canvas_size();
    let document = Document {
        map: &setup.plain().name,
        out: &args.out,
        layers: &args.layer,
        locomotor: setup.locomotor_name(),
        size: setup.agent.size.side(),
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
        text.push_str(
            "No --threat was given: the picture shows one threat source in the middle of the map.\n",
        );
    }
    Ok(Report::new(text, &document))
}

/// A threat source in the middle of the map.
fn demo_threat_source(setup: &MapSetup) -> ThreatSource {
    let grid = setup.layer.grid();
    let (width, height) = (grid.width(), grid.height());
    let at = CellPos::new((width / 2) as i32, (height / 2) as i32);
    let radius = u16::try_from((width.min(height) / 5).clamp(1, 64)).unwrap_or(1);
    ThreatSource { at, radius, strength: 128, falloff: Falloff::Linear }
}
