//! Draws smoothed routes over the routes of cells they were made from.

use waymarch::base::{CellPos, Vec2};

use super::canvas::Canvas;
use super::colour::Colour;
use super::layer::Layer;
use super::route_line::{RouteLine, stroke};

/// A smoothed route, with the route of cells beneath it.
#[derive(Clone, Copy, Debug)]
pub struct SmoothLine<'a> {
    /// The waypoints of the route of cells. They need not be neighbours.
    pub cells: &'a [CellPos],
    /// The points of the smoothed route.
    pub points: &'a [Vec2],
}

impl Layer for SmoothLine<'_> {
    fn draw(&self, canvas: &mut Canvas) {
        let cells: Vec<(f32, f32)> = self.cells.iter().map(|&at| canvas.middle(at)).collect();
        let thin = (canvas.cell_side() * 0.25).clamp(2.0, 4.0);
        canvas.stroke_line(&cells, thin + 2.5, Colour::hex(0x05141a), 170);
        canvas.stroke_line(&cells, thin, Colour::hex(0x7fe9ff), 255);
        let place = |at: &Vec2| canvas.place(at.x.raw() as f32 / 1024.0, at.y.raw() as f32 / 1024.0);
        let points: Vec<(f32, f32)> = self.points.iter().map(place).collect();
        stroke(canvas, &points, RouteLine::COLOUR);
        // Dots mark sharp turns. The small turns of a curve get none.
        let dot = (canvas.cell_side() * 0.3).clamp(2.0, 5.0);
        for turn in points.windows(3).filter(|turn| is_sharp(turn)) {
            canvas.fill_circle(turn[1], dot, Colour::hex(0xffe6fa), 255);
        }
    }
}

/// Whether a line through three positions turns by more than about 15 degrees.
fn is_sharp(places: &[(f32, f32)]) -> bool {
    let [(ax, ay), (bx, by), (cx, cy)] = places else { return false };
    let ((ux, uy), (vx, vy)) = ((bx - ax, by - ay), (cx - bx, cy - by));
    (ux * vy - uy * vx).abs() > 0.27 * (ux * vx + uy * vy)
}
