//! Flow fields: arrows that say which way, and how far it still is as colours with contour lines.

use waymarch::base::{CellPos, Dir8, GridSize};
use waymarch::flow::whole::Flow;

use super::Layer;
use super::canvas::Canvas;
use super::colour::Colour;
use super::heat::{Palette, legend};

/// How far it still is from each cell.
#[derive(Clone, Copy, Debug)]
pub struct Distances<'a> {
    /// The map's size.
    pub size: GridSize,
    /// The remaining cost of each cell, row by row; none where no way leads.
    pub left: &'a [Option<u64>],
    /// The cost of a straight step on normal ground, which counts as one in the legend.
    pub unit: u64,
    /// How opaque, 0..=255.
    pub alpha: u8,
}

/// Which way from each cell.
#[derive(Clone, Copy, Debug)]
pub struct FlowArrows<'a> {
    /// The map's size.
    pub size: GridSize,
    /// What each cell says, row by row.
    pub ways: &'a [Flow],
}

/// The goal, and what the colours of [`Distances`] mean; to be drawn last.
#[derive(Clone, Copy, Debug)]
pub struct DistanceMarks<'a>(pub Distances<'a>);

const PALETTE: Palette = Palette::Viridis;

/// About as many contour lines as this from the goal to the farthest cell.
const CONTOURS: f64 = 14.0;

/// An arrow has at least so many pixels.
const ARROW: f32 = 13.0;

const DARK: Colour = Colour::hex(0x10_14_18);
const BRIGHT: Colour = Colour::hex(0xff_ff_ff);
const GOAL: Colour = Colour::hex(0xff_3b_30);

impl Distances<'_> {
    fn at(&self, x: i32, y: i32) -> Option<u64> {
        let id = self.size.id(CellPos::new(x, y))?;
        self.left.get(id.index()).copied().flatten()
    }

    /// The farthest, and how far contour lines are apart: 1, 2 or 5 times a power of ten.
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
                let (cx, cy) = ((x as f32 / side) as i32, (y as f32 / side) as i32);
                let Some(left) = self.at(cx, cy) else { continue };
                // Near is bright. A line where the cell west or north belongs to another band.
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
        // One arrow for a square of cells where cells are too small for one each.
        let every = (ARROW / side).ceil().max(1.0) as i32;
        let (width, height) = (self.size.width() as i32, self.size.height() as i32);
        let span = side * every as f32;
        for y in (every / 2..height).step_by(every as usize) {
            for x in (every / 2..width).step_by(every as usize) {
                let at = CellPos::new(x, y);
                let way = self.size.id(at).and_then(|id| self.ways.get(id.index()).copied());
                match way {
                    Some(Flow::Step(dir)) => arrow(canvas, canvas.middle(at), span * 0.4, dir),
                    Some(Flow::Nowhere) => cross(canvas, canvas.middle(at), span * 0.16),
                    Some(Flow::Goal | Flow::Closed) | None => {}
                }
            }
        }
    }
}

/// A ring around a goal of one cell, a disc on each cell of a bigger one.
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

/// An arrow of so many pixels from its middle to its tip.
fn arrow(canvas: &mut Canvas, (x, y): (f32, f32), reach: f32, dir: Dir8) {
    let long = if dir.is_diagonal() { std::f32::consts::FRAC_1_SQRT_2 } else { 1.0 };
    let (dx, dy) = (dir.dx() as f32 * long, dir.dy() as f32 * long);
    // Along and across, in pixels.
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

/// Open ground from which no way leads.
fn cross(canvas: &mut Canvas, (x, y): (f32, f32), reach: f32) {
    for down in [reach, -reach] {
        canvas.stroke_line(&[(x - reach, y - down), (x + reach, y + down)], reach * 0.45, GOAL, 190);
    }
}
