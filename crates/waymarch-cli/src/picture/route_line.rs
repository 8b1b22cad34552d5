//! Draws routes: a bright line with a dark outline, from a green ring to a red flag.

use waymarch::base::CellPos;

use super::canvas::Canvas;
use super::colour::Colour;
use super::layer::Layer;

/// A route through the middles of cells.
#[derive(Clone, Copy, Debug)]
pub struct RouteLine<'a> {
    /// The waypoints, start first. They need not be neighbours.
    pub cells: &'a [CellPos],
    /// The line's colour.
    pub colour: Colour,
}

impl<'a> RouteLine<'a> {
    /// The default colour of routes. No terrain has it.
    pub const COLOUR: Colour = Colour::hex(0xff2fd0);

    /// A route in the default colour.
    #[must_use]
    pub fn new(cells: &'a [CellPos]) -> Self {
        Self { cells, colour: Self::COLOUR }
    }
}

impl Layer for RouteLine<'_> {
    fn draw(&self, canvas: &mut Canvas) {
        let points: Vec<(f32, f32)> = self.cells.iter().map(|&at| canvas.middle(at)).collect();
        stroke(canvas, &points, self.colour);
    }
}

/// Draws a line through pixel positions, with a ring at its start and a flag at its end.
pub(super) fn stroke(canvas: &mut Canvas, points: &[(f32, f32)], colour: Colour) {
    line(canvas, points, colour);
    ends(canvas, points);
}

/// Draws a line through pixel positions.
pub(super) fn line(canvas: &mut Canvas, points: &[(f32, f32)], colour: Colour) {
    let width = (canvas.cell_side() * 0.55).clamp(4.0, 10.0);
    canvas.stroke_line(points, width + 4.0, Colour::hex(0x12060f), 215);
    canvas.stroke_line(points, width, colour, 255);
    canvas.stroke_line(points, width * 0.36, Colour::hex(0xffe6fa), 255);
}

/// Draws a ring at the first of some pixel positions and a flag at the last.
pub(super) fn ends(canvas: &mut Canvas, points: &[(f32, f32)]) {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return };
    let size = (canvas.cell_side() * 1.2).clamp(8.0, 22.0);
    ring(canvas, first, size);
    flag(canvas, last, size);
}

fn ring(canvas: &mut Canvas, at: (f32, f32), size: f32) {
    let dark = Colour::hex(0x06230f);
    canvas.fill_circle(at, size * 0.3, dark, 255);
    canvas.fill_circle(at, size * 0.2, Colour::hex(0x7dff9a), 255);
    canvas.stroke_circle(at, size * 0.75, size * 0.46, dark, 255);
    canvas.stroke_circle(at, size * 0.75, size * 0.24, Colour::hex(0x2bf064), 255);
}

fn flag(canvas: &mut Canvas, (x, y): (f32, f32), size: f32) {
    let dark = Colour::hex(0x2a0606);
    let (top, pole) = (y - size * 2.1, size * 0.16);
    canvas.fill_circle((x, y), size * 0.42, dark, 255);
    canvas.fill_circle((x, y), size * 0.28, Colour::hex(0xff4a3a), 255);
    canvas.stroke_line(&[(x, y), (x, top)], pole + 3.0, dark, 255);
    let cloth = [(x, top - size * 0.05), (x + size * 1.35, top + size * 0.42), (x, top + size * 0.95)];
    let outline = [cloth[0], cloth[1], cloth[2], cloth[0]];
    canvas.stroke_line(&outline, 3.5, dark, 255);
    canvas.fill_polygon(&cloth, Colour::hex(0xff3b30), 255);
    canvas.stroke_line(&[(x, y - size * 0.2), (x, top)], pole, Colour::hex(0xf4ead0), 255);
}
