//! Pictures of maps: terrain as a player would see it, with routes, cells, heat and grids drawn over it.
//!
//! A [`Picture`] is a [`Canvas`] and a map; everything on it is a [`Layer`], drawn in the order asked for. The built-in
//! layers have methods; others implement the trait and need only [`Canvas::place`] to get from cells to pixels.
//!
//! ```
//! use waymarch::base::cell;
//! use waymarch_cli::picture::{Picture, Style};
//! let map = waymarch_maps::generate::builtin("open").unwrap();
//! let mut picture = Picture::new(&map, &Style { target: 200, ..Style::default() });
//! picture.draw_map().draw_starts().draw_route(&[cell(3, 4), cell(40, 50)]);
//! let png: Vec<u8> = picture.encode();
//! assert!(png.starts_with(b"\x89PNG"));
//! ```

mod bridge;
mod building;
mod canvas;
mod colour;
mod flow;
mod glyph;
mod heat;
mod lazy;
mod look;
mod marks;
mod raster;
mod route;
mod searched;
mod shade;
mod shore;
mod slots;
mod smooth;
mod surface;
mod texture;
mod tree;

use waymarch::base::{CellPos, GridSize, WorldPos};
use waymarch::cost::{Map, PlacedStamp, Rules, TerrainId, ValidMap};
use waymarch::search::SearchEvent;

pub use canvas::{Canvas, Scale};
pub use colour::Colour;
pub use flow::{DistanceMarks, Distances, FlowArrows};
pub use heat::{Heat, Palette};
pub use lazy::LazyPicture;
pub use look::Look;
pub use marks::{CellSet, GridLines, Starts};
pub use route::RouteLine;
pub use searched::SearchTrail;
pub use slots::GroupPicture;
pub use smooth::SmoothLine;

/// What a picture is drawn from: a map's layers, borrowed, so that a live map can be drawn without copying it.
#[derive(Clone, Copy, Debug)]
pub struct MapView<'a> {
    /// Its size in cells.
    pub size: GridSize,
    /// Terrains and their names.
    pub rules: &'a Rules,
    /// One terrain per cell.
    pub terrain: &'a [TerrainId],
    /// One height per cell, or empty.
    pub elevation: &'a [i16],
    /// What stands on it.
    pub stamps: &'a [PlacedStamp],
    /// Where players start.
    pub starts: &'a [CellPos],
}

impl<'a> From<&'a Map> for MapView<'a> {
    fn from(map: &'a Map) -> Self {
        Self {
            size: map.size,
            rules: &map.rules,
            terrain: &map.terrain,
            elevation: &map.elevation,
            stamps: &map.stamps,
            starts: &map.starts,
        }
    }
}

impl<'a> From<&'a ValidMap> for MapView<'a> {
    fn from(map: &'a ValidMap) -> Self {
        map.map().into()
    }
}

/// How a picture looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// About how many pixels the longer side has, 64..=4096; a map is never drawn at less than a pixel per cell until
    /// it would pass [`Canvas::MAX_SIDE`].
    pub target: u32,
    /// How strongly heights are shaded, in percent; 0 for none.
    pub relief: u16,
}

impl Default for Style {
    fn default() -> Self {
        Self { target: 1400, relief: 100 }
    }
}

/// Something that can be drawn.
pub trait Layer {
    /// Draws it.
    fn draw(&self, canvas: &mut Canvas);
}

/// A picture in the making.
#[derive(Debug)]
pub struct Picture<'a> {
    view: MapView<'a>,
    style: Style,
    canvas: Canvas,
}

impl<'a> Picture<'a> {
    /// An empty picture of the right size for the map.
    #[must_use]
    pub fn new(map: impl Into<MapView<'a>>, style: &Style) -> Self {
        let view = map.into();
        Self { view, style: *style, canvas: Canvas::new(Scale::fitting(view.size, style.target)) }
    }

    /// The canvas, for whatever no layer does.
    pub fn canvas(&mut self) -> &mut Canvas {
        &mut self.canvas
    }

    /// Draws any layer.
    pub fn draw(&mut self, layer: &dyn Layer) -> &mut Self {
        layer.draw(&mut self.canvas);
        self
    }

    /// The terrain with its relief, trees and buildings. Costs about 0.2 µs per pixel.
    pub fn draw_map(&mut self) -> &mut Self {
        let raster = raster::Raster::new(&self.view, self.canvas.scale());
        surface::paint(&mut self.canvas, &raster, self.style);
        tree::plant(&mut self.canvas, &raster);
        building::build(&mut self.canvas, &self.view);
        self
    }

    /// A route as a bright line, from a green ring to a red flag.
    pub fn draw_route(&mut self, cells: &[CellPos]) -> &mut Self {
        self.draw(&RouteLine::new(cells))
    }

    /// What a search looked at and found; see [`SearchTrail`].
    pub fn draw_search(&mut self, events: &[SearchEvent], route: &[CellPos]) -> &mut Self {
        let size = self.view.size;
        self.draw(&SearchTrail { size, events, route })
    }

    /// A smoothed route, the route of cells it was made from thin beneath it.
    pub fn draw_smoothed(&mut self, cells: &[CellPos], points: &[WorldPos]) -> &mut Self {
        self.draw(&SmoothLine { cells, points })
    }

    /// A set of cells in one colour; `alpha` 0..=255.
    pub fn draw_cells(&mut self, cells: &[CellPos], colour: Colour, alpha: u8) -> &mut Self {
        self.draw(&CellSet { cells, colour, alpha })
    }

    /// One value per cell as heat, with a legend; see [`Heat`].
    pub fn draw_values(&mut self, values: &[u8], palette: Palette, label: &str) -> &mut Self {
        let size = self.view.size;
        self.draw(&Heat { size, values, palette, label, alpha: 170, blank: Some(255) })
    }

    /// Lines every `every` cells (sectors), and between cells when there is room.
    pub fn draw_grid(&mut self, every: u32) -> &mut Self {
        let size = self.view.size;
        self.draw(&GridLines { size, every })
    }

    /// The players' starts, numbered from 1.
    pub fn draw_starts(&mut self) -> &mut Self {
        let starts = self.view.starts;
        self.draw(&Starts { starts })
    }

    /// The picture as a PNG file.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        self.canvas.encode()
    }
}

#[cfg(test)]
mod tests;
