//! Draws a lazy flow field: boundary, arrows, working and stored frontier, and the routes of its queries.

use waymarch::base::{CellPos, Dir8, GridSize};
use waymarch::flow::lazy::{FrontierPart, LazyField, SparseGround};

use super::canvas::Canvas;
use super::colour::Colour;
use super::layer::Layer;
use super::marks::CellSet;
use super::route_line::RouteLine;

/// A lazy flow field on its ground, with the routes of its queries.
#[derive(Clone, Copy, Debug)]
pub struct LazyPicture<'a> {
    /// The area that is drawn, from cell 0,0.
    pub size: GridSize,
    /// The ground of the field.
    pub ground: &'a SparseGround,
    /// The field.
    pub field: &'a LazyField,
    /// The routes of the queries, start first.
    pub routes: &'a [Vec<CellPos>],
}

const EXPLORED: Colour = Colour::hex(0xf7f3df);
const ARROW: Colour = Colour::hex(0x14304a);
const WORKING: Colour = Colour::hex(0xff7a1a);
const STORED: Colour = Colour::hex(0x2a7fff);
const BOUNDARY: Colour = Colour::hex(0xffe14a);
const DARK: Colour = Colour::hex(0x101418);
const LIGHT: Colour = Colour::hex(0xf4f4f0);

/// Arrows are at least 9 pixels apart.
const ARROW_GAP: f32 = 9.0;

impl Layer for LazyPicture<'_> {
    fn draw(&self, canvas: &mut Canvas) {
        let known: Vec<(CellPos, Dir8)> =
            self.field.directions().filter(|(at, _)| self.size.contains(*at)).collect();
        let cells: Vec<CellPos> = known.iter().map(|(at, _)| *at).collect();
        CellSet { cells: &cells, colour: EXPLORED, alpha: 105 }.draw(canvas);
        let frontier = self.field.frontier(self.ground);
        for (part, colour) in [(FrontierPart::Stored, STORED), (FrontierPart::Working, WORKING)] {
            let cells: Vec<CellPos> =
                frontier.iter().filter(|found| found.1 == part).map(|found| found.0).collect();
            CellSet { cells: &cells, colour, alpha: 235 }.draw(canvas);
        }
        self.boundary(canvas);
        arrows(canvas, &known);
        for route in self.routes {
            RouteLine::new(route).draw(canvas);
        }
        let count = |part| frontier.iter().filter(|found| found.1 == part).count();
        let rows = [
            (EXPLORED, format!("EXPLORED {}", self.field.explored())),
            (WORKING, format!("WORKING FRONTIER {}", count(FrontierPart::Working))),
            (STORED, format!("STORED FRONTIER {}", count(FrontierPart::Stored))),
            (BOUNDARY, String::from("BOUNDARY")),
        ];
        legend(canvas, &rows);
    }
}

impl LazyPicture<'_> {
    /// Draws the edges between cells inside and cells outside the boundary.
    fn boundary(&self, canvas: &mut Canvas) {
        let mut edges = Vec::new();
        for at in self.size.rect().cells().filter(|&at| self.field.inside_boundary(at)) {
            let (x, y) = (at.x as f32, at.y as f32);
            let sides = [
                (Dir8::N, [(x, y), (x + 1.0, y)]),
                (Dir8::E, [(x + 1.0, y), (x + 1.0, y + 1.0)]),
                (Dir8::S, [(x, y + 1.0), (x + 1.0, y + 1.0)]),
                (Dir8::W, [(x, y), (x, y + 1.0)]),
            ];
            let is_edge = |dir| !self.field.inside_boundary(at.step(dir));
            edges.extend(sides.into_iter().filter(|side| is_edge(side.0)).map(|side| side.1));
        }
        let width = (canvas.cell_side() * 0.25).clamp(1.5, 3.0);
        for (width, colour) in [(width + 2.0, DARK), (width, BOUNDARY)] {
            for edge in &edges {
                canvas.stroke_line(&edge.map(|(x, y)| canvas.place(x, y)), width, colour, 230);
            }
        }
    }
}

/// Draws an arrow on every cell, or on every few cells if they are small.
fn arrows(canvas: &mut Canvas, known: &[(CellPos, Dir8)]) {
    let side = canvas.cell_side();
    let every = (ARROW_GAP / side).ceil().max(1.0) as i32;
    let long = side * every as f32 * 0.36;
    let width = (long * 0.32).clamp(1.0, 3.0);
    let is_drawn = |at: &CellPos| at.x.rem_euclid(every) == every / 2 && at.y.rem_euclid(every) == every / 2;
    for (at, dir) in known.iter().filter(|(at, _)| is_drawn(at)) {
        let (x, y) = canvas.middle(*at);
        let shrink = if dir.is_diagonal() { 0.75 } else { 1.0 };
        let (dx, dy) = (dir.dx() as f32 * long * shrink, dir.dy() as f32 * long * shrink);
        let tip = (x + dx, y + dy);
        canvas.stroke_line(&[(x - dx, y - dy), tip], width, ARROW, 220);
        // Two barbs, 45° to either side of the shaft.
        let barb = |turn| {
            let back = dir.turn(turn);
            let shrink = if back.is_diagonal() { 0.75 } else { 1.0 };
            let reach = long * 0.75 * shrink;
            (tip.0 + back.dx() as f32 * reach, tip.1 + back.dy() as f32 * reach)
        };
        canvas.stroke_line(&[barb(3), tip, barb(-3)], width, ARROW, 220);
    }
}

/// Draws the legend in the lower right corner.
fn legend(canvas: &mut Canvas, rows: &[(Colour, String)]) {
    let dot = canvas.legend_dot();
    let letters = rows.iter().map(|(_, text)| text.len()).max().unwrap_or(0);
    let (wide, high) = ((letters as f32 * 4.0 + 20.0) * dot, (rows.len() as f32 * 9.0 + 6.0) * dot);
    let (left, top) = (canvas.width() as f32 - wide - 4.0 * dot, canvas.height() as f32 - high - 4.0 * dot);
    canvas.fill_rect([left, top, wide, high], DARK, 225);
    for (row, (colour, text)) in rows.iter().enumerate() {
        let y = top + (4.0 + row as f32 * 9.0) * dot;
        canvas.fill_rect([left + 4.0 * dot, y, 8.0 * dot, 5.0 * dot], *colour, 255);
        canvas.text((left + 16.0 * dot, y), text, dot, LIGHT);
    }
}
