//! `waymarch render --gif`: a scenario as a short animation.

use std::path::{Path, PathBuf};

use clap::Args;
use gif::{Encoder, Frame, Repeat};
use serde::Serialize;
use waymarch::base::{CellPos, CellRect};
use waymarch::cost::{ChangeMark, PlacedStamp, TerrainId};
use waymarch::world::{Serial, World};
use waymarch_cli::picture::{Canvas, Colour, MapView, Picture, Style};
use waymarch_maps::scenario::Simulation;

use super::render::save;
use super::sim::find;
use crate::diagnostics::{Failure, Kind};
use crate::report::{Report, bytes};

/// A picture is taken every so many ticks, of which there are twenty a second.
const EVERY: u64 = 2;
/// Time between two pictures, in hundredths of a second.
const DELAY: u16 = 10;
/// Animations are no larger, in pixels.
const MAX_PIXELS: u32 = 800;
/// The colours of players.
const PLAYERS: [u32; 4] = [0x2f7de0, 0xd9503f, 0xe0b02f, 0x8a4fd0];

/// What `waymarch render` needs for an animation.
#[derive(Args, Debug)]
pub(crate) struct FilmArgs {
    /// Write an animation of a scenario instead of a picture of a map.
    #[arg(long, value_name = "FILE.gif")]
    pub(crate) gif: Option<PathBuf>,
    /// With --gif: a scenario file, or the name of a built-in scenario.
    #[arg(long, value_name = "SCENARIO", default_value = "valley-march", requires = "gif")]
    scenario: String,
    /// With --gif: how many ticks, twenty to the second.
    #[arg(long, value_name = "N", default_value_t = 200, requires = "gif", value_parser = clap::value_parser!(u32).range(1..=2000))]
    ticks: u32,
    /// With --gif: draw where members of groups are to stand, and a line from each to its place.
    #[arg(long, requires = "gif")]
    slots: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    scenario: &'a str,
    out: &'a Path,
    ticks: u32,
    frames: usize,
    width_px: u32,
    height_px: u32,
    bytes: usize,
}

/// Plays the scenario and writes the animation.
pub(super) fn run(args: &FilmArgs, out: &Path, pixels: u32) -> Result<Report, Failure> {
    let scenario = find(&args.scenario)?;
    let starts = scenario.setup.map.starts.clone();
    let name = scenario.name.clone();
    let invalid = |error: &dyn std::fmt::Display| Failure::new(Kind::Invalid, error.to_string());
    let mut simulation = Simulation::new(scenario, 0).map_err(|error| invalid(&error))?;
    let style = Style { target: pixels.min(MAX_PIXELS), ..Style::default() };
    let mut ground = Ground::new(simulation.world(), &starts, &style);
    let (width_px, height_px) = (ground.canvas.width(), ground.canvas.height());
    let (mut gif, mut frames, mut last) = (Vec::new(), 0, Vec::new());
    {
        let sides = [width_px, height_px].map(|side| u16::try_from(side).unwrap_or(u16::MAX));
        let mut encoder = Encoder::new(&mut gif, sides[0], sides[1], &[]).map_err(|error| invalid(&error))?;
        encoder.set_repeat(Repeat::Infinite).map_err(|error| invalid(&error))?;
        for tick in 0..u64::from(args.ticks) {
            simulation.step(&Serial);
            if !tick.is_multiple_of(EVERY) {
                continue;
            }
            ground.follow(simulation.world(), &starts, &style);
            let mut canvas = ground.canvas.clone();
            if args.slots {
                draw_slots(simulation.world(), &mut canvas);
            }
            draw_units(simulation.world(), &mut canvas);
            let next = colours(&canvas);
            let mut changed = unless_same(&last, &next);
            let mut frame = Frame::from_rgba_speed(sides[0], sides[1], &mut changed, 10);
            frame.delay = DELAY;
            frame.dispose = gif::DisposalMethod::Keep;
            encoder.write_frame(&frame).map_err(|error| invalid(&error))?;
            (last, frames) = (next, frames + 1);
        }
    }
    save(out, &gif)?;
    let text = format!(
        "{name}, {} ticks, drawn to {} ({frames} frames of {width_px}×{height_px} pixels, {}).\n",
        args.ticks,
        out.display(),
        bytes(gif.len() as u64)
    );
    let (ticks, bytes) = (args.ticks, gif.len());
    Ok(Report::new(text, &Document { scenario: &name, out, ticks, frames, width_px, height_px, bytes }))
}

/// The map as it stands, drawn; drawn again when it changes.
struct Ground {
    canvas: Canvas,
    known: ChangeMark,
}

impl Ground {
    fn new(world: &World, starts: &[CellPos], style: &Style) -> Self {
        let layer = world.nav().layer();
        let cells = layer.grid().rect();
        let terrain: Vec<TerrainId> = cells.cells().map(|at| layer.terrain(at).unwrap_or_default()).collect();
        let stamps: Vec<PlacedStamp> = layer
            .stamps()
            .map(|(_, standing, stamp)| PlacedStamp { at: standing.at, stamp: stamp.clone() })
            .collect();
        let view = MapView {
            size: layer.grid(),
            rules: layer.rules().rules(),
            terrain: &terrain,
            elevation: &[],
            stamps: &stamps,
            starts,
        };
        let mut picture = Picture::new(view, style);
        picture.draw_map();
        Self { canvas: picture.canvas().clone(), known: layer.changes().mark_now() }
    }

    fn follow(&mut self, world: &World, starts: &[CellPos], style: &Style) {
        if world.nav().layer().changes().since(self.known).is_none_or(|changed| !changed.is_empty()) {
            *self = Self::new(world, starts, style);
        }
    }
}

/// Where members of groups are to stand, under the units that go there.
fn draw_slots(world: &World, canvas: &mut Canvas) {
    let side = canvas.cell_side();
    for unit in world.units() {
        let Some((slot, here)) = world.slot_of(unit.id).zip(world.place_of(unit.id)) else { continue };
        let radius = world.unit_type(unit.kind).map_or(384, |kind| kind.radius.raw()) as f32 / 1024.0;
        let ends = [here, slot].map(|at| canvas.place(at.x as f32 / 65_536.0, at.y as f32 / 65_536.0));
        canvas.stroke_line(&ends, 0.8, Colour::hex(0xff_ff_ff), 90);
        canvas.stroke_circle(ends[1], (radius * side).max(1.2), 1.0, Colour::hex(0x08_3a_44), 230);
    }
}

/// Units as discs in the colour of their player.
fn draw_units(world: &World, canvas: &mut Canvas) {
    let side = canvas.cell_side();
    for unit in world.units() {
        let [x, y] = [unit.position.x, unit.position.y].map(|part| part.raw() as f32 / 1024.0);
        let radius = world.unit_type(unit.kind).map_or(384, |kind| kind.radius.raw()) as f32 / 1024.0;
        let (at, radius) = (canvas.place(x, y), (radius * side).max(1.2));
        canvas.fill_circle(at, radius + 0.8, Colour::hex(0x101418), 200);
        let colour = PLAYERS[usize::from(unit.owner.0) % PLAYERS.len()];
        canvas.fill_circle(at, radius, Colour::hex(colour), 255);
    }
}

/// All pixels, row by row.
fn colours(canvas: &Canvas) -> Vec<[u8; 3]> {
    let area = CellRect { x0: 0, y0: 0, x1: canvas.width() as i32, y1: canvas.height() as i32 };
    area.cells().map(|at| canvas.pixel(at.x as u32, at.y as u32).unwrap_or_default().0).collect()
}

/// The pixels of `next`, those transparent that are as they were: they cost next to nothing.
fn unless_same(last: &[[u8; 3]], next: &[[u8; 3]]) -> Vec<u8> {
    let pixel = |(n, colour): (usize, &[u8; 3])| match last.get(n) {
        Some(old) if old == colour => [0; 4],
        _ => [colour[0], colour[1], colour[2], 255],
    };
    next.iter().enumerate().flat_map(pixel).collect()
}
