//! Marks over the map: cells, grid and sector lines, player starts.

use waymarch::base::{CellPos, GridSize};

use super::canvas::Canvas;
use super::colour::Colour;
use super::layer::Layer;

/// Cells in one colour.
#[derive(Clone, Copy, Debug)]
pub struct CellSet<'a> {
    /// The cells.
    pub cells: &'a [CellPos],
    /// Their colour.
    pub colour: Colour,
    /// The opacity, 0 to 255.
    pub alpha: u8,
}

impl Layer for CellSet<'_> {
    fn draw(&self, canvas: &mut Canvas) {
        let side = canvas.cell_side();
        // Whole pixels, with a gap of one pixel between cells of 6 pixels or more.
        let gap = if side >= 6.0 { 1 } else { 0 };
        let alpha = f32::from(self.alpha) / 255.0;
        for &at in self.cells {
            let (left, top) = canvas.place(at.x as f32, at.y as f32);
            let (left, top) = (left.floor() as i32, top.floor() as i32);
            let span = (side.ceil() as i32 - gap).max(1);
            for y in top..top + span {
                for x in left..left + span {
                    canvas.blend(x, y, self.colour.ink(), alpha);
                }
            }
        }
    }
}

/// Lines between cells of 8 pixels or more, and heavier lines every few cells.
#[derive(Clone, Copy, Debug)]
pub struct GridLines {
    /// The map's size.
    pub size: GridSize,
    /// Cells between heavy lines; 0 for none.
    pub every: u32,
}

impl Layer for GridLines {
    fn draw(&self, canvas: &mut Canvas) {
        let side = canvas.cell_side();
        let (width, height) = (canvas.width() as f32, canvas.height() as f32);
        let mut line = |at: f32, across: [f32; 2], thick: f32, colour: Colour, alpha: u8| {
            canvas.fill_rect([at - thick / 2.0, 0.0, thick, across[1]], colour, alpha);
            canvas.fill_rect([0.0, at - thick / 2.0, across[0], thick], colour, alpha);
        };
        let longest = self.size.width().max(self.size.height());
        if side >= 8.0 {
            for i in 1..longest {
                line(i as f32 * side, [width, height], 1.0, Colour::hex(0x000000), 36);
            }
        }
        if self.every > 0 && self.every as f32 * side >= 4.0 {
            for i in (self.every..longest).step_by(self.every as usize) {
                line(i as f32 * side, [width, height], 2.0, Colour::hex(0xffffff), 110);
            }
        }
    }
}

/// Player starts: a disc in the player's colour with the player's number.
#[derive(Clone, Copy, Debug)]
pub struct Starts<'a> {
    /// The start cells, player 1 first.
    pub starts: &'a [CellPos],
}

/// The colours of the first eight players.
const PLAYERS: [Colour; 8] = [
    Colour::hex(0xe0392f),
    Colour::hex(0x2f7de0),
    Colour::hex(0x2fb84c),
    Colour::hex(0xf2c22b),
    Colour::hex(0x9b4fd6),
    Colour::hex(0xf08428),
    Colour::hex(0x26c4c4),
    Colour::hex(0xf07ab8),
];

impl Layer for Starts<'_> {
    fn draw(&self, canvas: &mut Canvas) {
        let radius = (canvas.cell_side() * 1.6).clamp(9.0, 26.0);
        for (i, &at) in self.starts.iter().enumerate() {
            let middle = canvas.middle(at);
            let colour = PLAYERS[i % PLAYERS.len()];
            canvas.fill_circle((middle.0 + 2.0, middle.1 + 3.0), radius, Colour::hex(0x000000), 90);
            canvas.fill_circle(middle, radius, Colour::hex(0x15181c), 255);
            canvas.fill_circle(middle, radius * 0.88, Colour::hex(0xffffff), 255);
            canvas.fill_circle(middle, radius * 0.74, colour, 255);
            let number = (i + 1).to_string();
            let dot = (radius / 6.0).floor().max(1.0);
            let wide = (number.len() as f32 * 4.0 - 1.0) * dot;
            let corner = ((middle.0 - wide / 2.0).round(), (middle.1 - 2.5 * dot).round());
            canvas.text((corner.0 + 1.0, corner.1 + 1.0), &number, dot, Colour::hex(0x202020));
            canvas.text(corner, &number, dot, Colour::hex(0xffffff));
        }
    }
}
