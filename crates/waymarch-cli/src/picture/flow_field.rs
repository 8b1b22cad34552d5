//! Draws flow fields: arrows for directions, and colours with contour lines for the remaining cost.

use waymarch::base::{CellPos, Dir8, GridSize};
use waymarch::flow::whole::Flow;

use super::canvas::Canvas;
use super::colour::Colour;
use super::heat::{Palette, legend};
use super::layer::Layer;

/// The remaining cost of each cell, as colours.
#[derive(Clone, Copy, Debug)]
pub struct Distances<'a> {
    /// The map's size.
    pub size: GridSize,
    /// The remaining cost of each cell, row by row; `None` if the goal cannot be reached.
    pub left: &'a [Option<u64>],
    /// The cost of a straight step on normal ground, which is 1 in the legend.
    pub unit: u64,
    /// The opacity, 0 to 255.
    pub alpha: u8,
}

/// The direction of the flow at each cell, as arrows.
#[derive(Clone, Copy, Debug)]
pub struct FlowArrows<'a> {
    /// The map's size.
    pub size: GridSize,
    /// The flow of each cell, row by row.
    pub directions: &'a [Flow],
}

/// The goal, and the legend of [`Distances`]. Draw it last.
#[derive(Clone, Copy, Debug)]
pub struct DistanceMarks<'a>(pub Distances<'a>);

const PALETTE: Palette = Palette::Viridis;

/// About 14 contour lines from the goal to the farthest cell.
const CONTOURS: f64 = 14.0;

/// An arrow is at least 13 pixels long.
const ARROW: f32 = 13.0;

const DARK: Colour = Colour::hex(0x10_14_18);
const BRIGHT: Colour = Colour::hex(0xff_ff_ff);
const GOAL: Colour = Colour::hex(0xff_3b_30);

impl Distances<'_> {
    fn at(&self, x: i32, y: i32) -> Option<u64> {
        let id = self.size.id(CellPos::new(x, y))?;
        self.left.get(id.index()).copied().flatten()
    }

    /// The largest remaining cost, and the distance between contour lines: 1, 2 or 5 times a power of ten.
    fn span(&self) -> (f64, f64) {
        let far =
            self.left.iter().flatten().max().copied().unwrap_or(0).max(1) as f64 / self.unit.max(1) as f64;
        let rough = (far / CONTOURS).max(1.0);
        let ten = 10_f64.powi(rough.log10().floor() as i32);
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * ten).find(|&step| step >= rough);
        (far, step.unwrap_or(rough))
    }
}

impl Layer for Distances<'_> {
    fn draw(&self, canvas: &mut Canvas) {
        let (far, step) = self.span();
        let side = canvas.cell_side();
        let cells = |left: u64| left as f64 / self.unit.max(1) as f64;
        let band = |left: u64| (cells(left) / step) as u64;
        for y in 0..canvas.height() {
            for x in 0..canvas.width() {
                let CellPos { x: cx, y: cy } = canvas.cell_at(x, y);
                let Some(left) = self.at(cx, cy) else { continue };
                // Cells near the goal are bright. A contour line marks a change of band to the west or north.
                let colour = PALETTE.at(1.0 - (cells(left) / far) as f32);
                canvas.blend(x as i32, y as i32, colour.ink(), f32::from(self.alpha) / 255.0);
                let first = |at: u32, cell: i32| at == 0 || ((at - 1) as f32 / side) as i32 != cell;
                let differs = |other: Option<u64>| other.is_some_and(|other| band(other) != band(left));
                let west = first(x, cx) && differs(self.at(cx - 1, cy));
                let north = first(y, cy) && differs(self.at(cx, cy - 1));
                if west || north {
                    canvas.blend(x as i32, y as i32, BRIGHT.ink(), 0.75);
                }
            }
        }
    }
}

impl Layer for DistanceMarks<'_> {
    fn draw(&self, canvas: &mut Canvas) {
        let is_goal = |at: &CellPos| self.0.at(at.x, at.y) == Some(0);
        let goals: Vec<CellPos> = self.0.size.rect().cells().filter(is_goal).collect();
        goal_marks(canvas, &goals);
        let (far, step) = self.0.span();
        let (label, farthest) = (format!("cells to go - a line every {step:.0}"), format!("{far:.0}"));
        legend(canvas, &|share| PALETTE.at(1.0 - share), &label, "0", &farthest);
    }
}

impl Layer for FlowArrows<'_> {
    fn draw(&self, canvas: &mut Canvas) {
        let side = canvas.cell_side();
        // One arrow per square of cells if cells are too small for an arrow each.
        let every = (ARROW / side).ceil().max(1.0) as i32;
        let (width, height) = (self.size.width() as i32, self.size.height() as i32);
        let span = side * every as f32;
        for y in (every / 2..height).step_by(every as usize) {
            for x in (every / 2..width).step_by(every as usize) {
                let at = CellPos::new(x, y);
                let flow = self.size.id(at).and_then(|id| self.directions.get(id.index()).copied());
                match flow {
                    Some(Flow::Step(dir)) => arrow(canvas, canvas.middle(at), span * 0.4, dir),
                    Some(Flow::Nowhere) => cross(canvas, canvas.middle(at), span * 0.16),
                    Some(Flow::Goal | Flow::Closed) | None => {}
                }
            }
        }
    }
}

/// Draws a ring around a goal of one cell, or a disc on each cell of a larger goal.
fn goal_marks(canvas: &mut Canvas, goals: &[CellPos]) {
    let side = canvas.cell_side();
    if let [at] = *goals {
        let (middle, radius) = (canvas.middle(at), (side * 0.9).clamp(7.0, 16.0));
        canvas.stroke_circle(middle, radius, radius * 0.55, DARK, 220);
        canvas.stroke_circle(middle, radius, radius * 0.32, BRIGHT, 255);
        canvas.fill_circle(middle, radius * 0.55, GOAL, 255);
        return;
    }
    for &at in goals {
        canvas.disc(canvas.middle(at), (side * 0.35).max(1.0), GOAL.ink(), 0.9);
    }
}

/// Draws an arrow with `reach` pixels from its middle to its tip.
fn arrow(canvas: &mut Canvas, (x, y): (f32, f32), reach: f32, dir: Dir8) {
    let long = if dir.is_diagonal() { std::f32::consts::FRAC_1_SQRT_2 } else { 1.0 };
    let (dx, dy) = (dir.dx() as f32 * long, dir.dy() as f32 * long);
    // A point along and across the arrow.
    let at = |along: f32, across: f32| {
        (x + (dx * along - dy * across) * reach, y + (dy * along + dx * across) * reach)
    };
    let outline = |head: f32, half: f32, shaft: f32, tip: f32, tail: f32| {
        [
            at(tip, 0.0),
            at(head, half),
            at(head, shaft),
            at(tail, shaft),
            at(tail, -shaft),
            at(head, -shaft),
            at(head, -half),
        ]
    };
    canvas.fill_polygon(&outline(-0.1, 0.82, 0.34, 1.25, -1.12), DARK, 150);
    canvas.fill_polygon(&outline(0.08, 0.56, 0.17, 1.0, -0.95), BRIGHT, 245);
}

/// Draws a cross: open ground from which the goal cannot be reached.
fn cross(canvas: &mut Canvas, (x, y): (f32, f32), reach: f32) {
    for down in [reach, -reach] {
        canvas.stroke_line(&[(x - reach, y - down), (x + reach, y + down)], reach * 0.45, GOAL, 190);
    }
}
