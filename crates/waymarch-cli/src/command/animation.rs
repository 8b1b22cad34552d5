//! `waymarch render --gif`: a short animation of a scenario.

use std::path::{Path, PathBuf};

use clap::Args;
use gif::{Encoder, Frame, Repeat};
use serde::Serialize;
use waymarch::base::CellRect;
use waymarch::world::{Serial, World};
use waymarch_cli::picture::{Canvas, Colour, Style};
use waymarch_maps::scenario::Simulation;
use waymarch_maps::write_file;

use super::ground_picture::GroundPicture;
use crate::diagnostics::Failure;
use crate::load::find_scenario;
use crate::report::{Report, bytes};

/// One frame every 2 ticks: ten frames a second of game time.
const EVERY: u64 = 2;
/// The time between two frames: 10 hundredths of a second.
const DELAY: u16 = 10;
/// The longer side of an animation has at most 800 pixels.
const MAX_PIXELS: u32 = 800;
/// The colours of the first four players, 0xRRGGBB.
const PLAYERS: [u32; 4] = [0x2f7de0, 0xd9503f, 0xe0b02f, 0x8a4fd0];

/// Arguments of `waymarch render` for animations.
#[derive(Args, Debug)]
pub(crate) struct AnimationArgs {
    /// Write an animation of a scenario instead of a picture of a map.
    #[arg(long, value_name = "FILE.gif")]
    pub(crate) gif: Option<PathBuf>,
    /// With --gif: a scenario file, or the name of a built-in scenario.
    #[arg(long, value_name = "SCENARIO", default_value = "valley-march", requires = "gif")]
    scenario: String,
    /// With --gif: the number of ticks; 20 are one second.
    #[arg(long, value_name = "N", default_value_t = 200, requires = "gif", value_parser = clap::value_parser!(u32).range(1..=2000))]
    ticks: u32,
    /// With --gif: draw formation slots, and a line from each unit to its slot.
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

/// Runs the scenario and writes the animation.
pub(super) fn run(args: &AnimationArgs, out: &Path, pixels: u32) -> Result<Report, Failure> {
    let scenario = find_scenario(&args.scenario)?;
    let starts = scenario.setup.map.starts.clone();
    let name = scenario.name.clone();
    let mut simulation = Simulation::new(scenario, 0).map_err(Failure::invalid)?;
    let style = Style { target: pixels.min(MAX_PIXELS), ..Style::default() };
    let mut ground = GroundPicture::new(simulation.world(), &starts, style);
    let (width_px, height_px) = (ground.canvas().width(), ground.canvas().height());
    let (mut gif, mut frames, mut last) = (Vec::new(), 0, Vec::new());
    {
        let sides = [width_px, height_px].map(|side| u16::try_from(side).unwrap_or(u16::MAX));
        let mut encoder = Encoder::new(&mut gif, sides[0], sides[1], &[]).map_err(Failure::invalid)?;
        encoder.set_repeat(Repeat::Infinite).map_err(Failure::invalid)?;
        for tick in 0..u64::from(args.ticks) {
            simulation.step(&Serial);
            if !tick.is_multiple_of(EVERY) {
                continue;
            }
            ground.follow(simulation.world(), &starts);
            let mut canvas = ground.canvas().clone();
            if args.slots {
                draw_slots(simulation.world(), &mut canvas);
            }
            draw_units(simulation.world(), &mut canvas);
            let next = colours(&canvas);
            let mut changed = unless_same(&last, &next);
            let mut frame = Frame::from_rgba_speed(sides[0], sides[1], &mut changed, 10);
            frame.delay = DELAY;
            frame.dispose = gif::DisposalMethod::Keep;
            encoder.write_frame(&frame).map_err(Failure::invalid)?;
            (last, frames) = (next, frames + 1);
        }
    }
    write_file(out, &gif)?;
    let text = format!(
        "{name}, {} ticks, drawn to {} ({frames} frames of {width_px}×{height_px} pixels, {}).\n",
        args.ticks,
        out.display(),
        bytes(gif.len() as u64)
    );
    let (ticks, bytes) = (args.ticks, gif.len());
    Ok(Report::new(text, &Document { scenario: &name, out, ticks, frames, width_px, height_px, bytes }))
}

/// Draws formation slots; units are drawn over them.
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

/// Draws units as discs in the colour of their player.
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

/// The colours of all pixels, row by row.
fn colours(canvas: &Canvas) -> Vec<[u8; 3]> {
    let area = CellRect { x0: 0, y0: 0, x1: canvas.width() as i32, y1: canvas.height() as i32 };
    area.cells().map(|at| canvas.pixel(at.x as u32, at.y as u32).unwrap_or_default().0).collect()
}

/// The pixels of `next` as RGBA. Unchanged pixels are transparent, which makes the file small.
fn unless_same(last: &[[u8; 3]], next: &[[u8; 3]]) -> Vec<u8> {
    let pixel = |(n, colour): (usize, &[u8; 3])| match last.get(n) {
        Some(old) if old == colour => [0; 4],
        _ => [colour[0], colour[1], colour[2], 255],
    };
    next.iter().enumerate().flat_map(pixel).collect()
}
