//! The canvas: pixels, the scale between cells and pixels, and drawing functions for layers.

use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};
use waymarch::base::{CellPos, GridSize};

use super::colour::{Colour, Ink};
use super::glyph;

/// How cells become pixels: a tile of `cells` × `cells` cells has `pixels` × `pixels` pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scale {
    size: GridSize,
    /// Cells along the side of a tile; more than 1 only if the map has more cells a side than the canvas may have pixels.
    cells: u32,
    /// Pixels along the side of a tile, as drawn.
    pixels: u32,
}

impl Scale {
    /// The largest scale at which the longer side has at most `target` pixels.
    #[must_use]
    pub fn fitting(size: GridSize, target: u32) -> Self {
        let long = size.width().max(size.height());
        let cells = long.div_ceil(Canvas::MAX_SIDE);
        let pixels = (target.clamp(64, Canvas::MAX_SIDE) / long).clamp(1, 64);
        Self { size, cells, pixels }
    }

    /// The width and height of the canvas in pixels.
    #[must_use]
    pub fn canvas_size(&self) -> (u32, u32) {
        let (columns, rows) = self.tiles();
        (columns * self.pixels, rows * self.pixels)
    }

    /// Columns and rows of tiles.
    pub(super) fn tiles(&self) -> (u32, u32) {
        (self.size.width().div_ceil(self.cells), self.size.height().div_ceil(self.cells))
    }

    /// Cells along the side of a tile.
    pub(super) fn cells_per_tile(&self) -> u32 {
        self.cells
    }

    /// Pixels along the side of a tile.
    pub(super) fn pixels_per_tile(&self) -> u32 {
        self.pixels
    }
}

/// Pixels with a [`Scale`]. Layers draw on it.
#[derive(Clone, Debug)]
pub struct Canvas {
    pixmap: Pixmap,
    scale: Scale,
}

impl Canvas {
    /// The longest side of a picture: 4,096 pixels.
    pub const MAX_SIDE: u32 = 4096;

    /// A black canvas.
    ///
    /// # Panics
    /// Never: a [`Scale`] has no empty canvas.
    #[must_use]
    pub fn new(scale: Scale) -> Self {
        let (width, height) = scale.canvas_size();
        let mut pixmap = Pixmap::new(width, height).expect("a scale gives at least one pixel a side");
        pixmap.fill(tiny_skia::Color::BLACK);
        Self { pixmap, scale }
    }

    /// The scale between cells and pixels.
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Pixels per cell; less than 1 for the largest maps.
    #[must_use]
    pub fn cell_side(&self) -> f32 {
        self.scale.pixels as f32 / self.scale.cells as f32
    }

    /// The pixel position of a point given in cells (the middle of a cell is at +0.5).
    #[must_use]
    pub fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (x * self.cell_side(), y * self.cell_side())
    }

    /// The pixel position of the middle of a cell.
    #[must_use]
    pub fn middle(&self, at: CellPos) -> (f32, f32) {
        self.place(at.x as f32 + 0.5, at.y as f32 + 0.5)
    }

    /// Columns of pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.pixmap.width()
    }

    /// Rows of pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.pixmap.height()
    }

    /// The colour of a pixel; `None` off the canvas.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<Colour> {
        self.pixmap.pixel(x, y).map(|p| Colour([p.red(), p.green(), p.blue()]))
    }

    /// The cell under a pixel.
    pub(super) fn cell_at(&self, x: u32, y: u32) -> CellPos {
        let side = self.cell_side();
        CellPos::new((x as f32 / side) as i32, (y as f32 / side) as i32)
    }

    /// The size of a dot of letters in legends, in pixels: larger on larger canvases.
    pub(super) fn legend_dot(&self) -> f32 {
        (self.width() as f32 / 500.0).round().clamp(1.0, 4.0)
    }

    /// One row of pixels, four bytes each.
    pub(super) fn row_mut(&mut self, y: u32) -> &mut [u8] {
        let stride = self.pixmap.width() as usize * 4;
        &mut self.pixmap.data_mut()[y as usize * stride..][..stride]
    }

    /// Mixes `ink` into a pixel. Pixels off the canvas are ignored.
    pub(super) fn blend(&mut self, x: i32, y: i32, ink: Ink, alpha: f32) {
        let (width, height) = (self.pixmap.width() as i32, self.pixmap.height() as i32);
        if x < 0 || y < 0 || x >= width || y >= height {
            return;
        }
        let at = (y as usize * width as usize + x as usize) * 4;
        let pixel = &mut self.pixmap.data_mut()[at..at + 3];
        let under = Ink([f32::from(pixel[0]), f32::from(pixel[1]), f32::from(pixel[2])]);
        pixel.copy_from_slice(&under.mix(ink, alpha).bytes());
    }

    /// Fills a disc with a soft edge, given in pixels. Faster than [`Self::fill_circle`] for thousands of small discs.
    pub(super) fn disc(&mut self, centre: (f32, f32), radius: f32, ink: Ink, alpha: f32) {
        let (cx, cy) = centre;
        for y in (cy - radius - 1.0).floor() as i32..=(cy + radius + 1.0).ceil() as i32 {
            for x in (cx - radius - 1.0).floor() as i32..=(cx + radius + 1.0).ceil() as i32 {
                let (dx, dy) = (x as f32 + 0.5 - cx, y as f32 + 0.5 - cy);
                let cover = (radius - (dx * dx + dy * dy).sqrt() + 0.5).clamp(0.0, 1.0);
                if cover > 0.0 {
                    self.blend(x, y, ink, cover * alpha);
                }
            }
        }
    }

    /// Fills a rectangle given in pixels as `[left, top, width, height]`.
    pub fn fill_rect(&mut self, [x, y, w, h]: [f32; 4], colour: Colour, alpha: u8) {
        if let Some(rect) = Rect::from_xywh(x, y, w, h) {
            self.pixmap.fill_rect(rect, &paint(colour, alpha), Transform::identity(), None);
        }
    }

    /// Fills a polygon given in pixels.
    pub fn fill_polygon(&mut self, points: &[(f32, f32)], colour: Colour, alpha: u8) {
        if let Some(path) = path_of(points, Ends::Closed) {
            let rule = FillRule::Winding;
            self.pixmap.fill_path(&path, &paint(colour, alpha), rule, Transform::identity(), None);
        }
    }

    /// Fills a circle given in pixels.
    pub fn fill_circle(&mut self, (x, y): (f32, f32), radius: f32, colour: Colour, alpha: u8) {
        if let Some(path) = PathBuilder::from_circle(x, y, radius) {
            let rule = FillRule::Winding;
            self.pixmap.fill_path(&path, &paint(colour, alpha), rule, Transform::identity(), None);
        }
    }

    /// Strokes a circle given in pixels.
    pub fn stroke_circle(&mut self, (x, y): (f32, f32), radius: f32, width: f32, colour: Colour, alpha: u8) {
        if let Some(path) = PathBuilder::from_circle(x, y, radius) {
            let stroke = Stroke { width, ..Stroke::default() };
            self.pixmap.stroke_path(&path, &paint(colour, alpha), &stroke, Transform::identity(), None);
        }
    }

    /// Strokes a line through points given in pixels, with round ends and joins.
    pub fn stroke_line(&mut self, points: &[(f32, f32)], width: f32, colour: Colour, alpha: u8) {
        if let Some(path) = path_of(points, Ends::Open) {
            let stroke =
                Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
            self.pixmap.stroke_path(&path, &paint(colour, alpha), &stroke, Transform::identity(), None);
        }
    }

    /// Draws text in capitals at a pixel position. Each glyph has 3×5 squares of `dot` pixels; unknown characters leave a gap.
    pub fn text(&mut self, (x, y): (f32, f32), text: &str, dot: f32, colour: Colour) {
        for (i, letter) in text.chars().enumerate() {
            for (column, row) in glyph::dots(letter) {
                let left = x + (i as f32 * 4.0 + column as f32) * dot;
                self.fill_rect([left, y + row as f32 * dot, dot, dot], colour, 255);
            }
        }
    }

    /// The picture as a PNG file.
    ///
    /// # Panics
    /// Never: writing to memory does not fail.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let rgb: Vec<u8> = self.pixmap.data().chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width(), self.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().expect("memory takes every byte");
        writer.write_image_data(&rgb).expect("memory takes every byte");
        writer.finish().expect("memory takes every byte");
        file
    }
}

/// Whether the last point is connected to the first.
#[derive(Clone, Copy)]
enum Ends {
    Open,
    Closed,
}

fn path_of(points: &[(f32, f32)], ends: Ends) -> Option<Path> {
    let (&(x, y), rest) = points.split_first()?;
    let mut builder = PathBuilder::new();
    builder.move_to(x, y);
    for &(x, y) in rest {
        builder.line_to(x, y);
    }
    if matches!(ends, Ends::Closed) {
        builder.close();
    }
    builder.finish()
}

fn paint(colour: Colour, alpha: u8) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    let [r, g, b] = colour.0;
    paint.set_color_rgba8(r, g, b, alpha);
    paint
}
