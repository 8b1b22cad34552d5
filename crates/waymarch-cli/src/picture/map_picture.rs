//! A picture of a map, drawn layer by layer.

use waymarch::base::{CellPos, Vec2};
use waymarch::search::SearchEvent;

use super::canvas::{Canvas, Scale};
use super::colour::Colour;
use super::heat::{Heat, Palette};
use super::layer::Layer;
use super::map_view::MapView;
use super::marks::{CellSet, GridLines, Starts};
use super::raster::Raster;
use super::route_line::RouteLine;
use super::search_trail::SearchTrail;
use super::smooth_line::SmoothLine;
use super::style::Style;
use super::{building, surface, tree};

/// A picture of a map, drawn layer by layer.
#[derive(Debug)]
pub struct Picture<'a> {
    view: MapView<'a>,
    style: Style,
    canvas: Canvas,
}

impl<'a> Picture<'a> {
    /// A black picture of the right size for the map.
    #[must_use]
    pub fn new(map: impl Into<MapView<'a>>, style: &Style) -> Self {
        let view = map.into();
        Self { view, style: *style, canvas: Canvas::new(Scale::fitting(view.size, style.target)) }
    }

    /// The canvas, for drawing without a layer.
    pub fn canvas(&mut self) -> &mut Canvas {
        &mut self.canvas
    }

    /// Draws any layer.
    pub fn draw(&mut self, layer: &dyn Layer) -> &mut Self {
        layer.draw(&mut self.canvas);
        self
    }

    /// Draws the terrain with relief, trees and buildings. Takes about 0.2 µs per pixel.
    pub fn draw_map(&mut self) -> &mut Self {
        let raster = Raster::new(&self.view, self.canvas.scale());
        surface::paint(&mut self.canvas, &raster, self.style);
        tree::plant(&mut self.canvas, &raster);
        building::build(&mut self.canvas, &self.view);
        self
    }

    /// Draws a route as a bright line from a green ring to a red flag.
    pub fn draw_route(&mut self, cells: &[CellPos]) -> &mut Self {
        self.draw(&RouteLine::new(cells))
    }

    /// Draws a recorded search and its route; see [`SearchTrail`].
    pub fn draw_search(&mut self, events: &[SearchEvent], route: &[CellPos]) -> &mut Self {
        let size = self.view.size;
        self.draw(&SearchTrail { size, events, route })
    }

    /// Draws a smoothed route, with the route of cells as a thin line beneath it.
    pub fn draw_smoothed(&mut self, cells: &[CellPos], points: &[Vec2]) -> &mut Self {
        self.draw(&SmoothLine { cells, points })
    }

    /// Draws cells in one colour; `alpha` from 0 (invisible) to 255 (opaque).
    pub fn draw_cells(&mut self, cells: &[CellPos], colour: Colour, alpha: u8) -> &mut Self {
        self.draw(&CellSet { cells, colour, alpha })
    }

    /// Draws one value per cell as a heat map with a legend; see [`Heat`]. Cells of value 255 are left out.
    pub fn draw_values(&mut self, values: &[u8], palette: Palette, label: &str) -> &mut Self {
        let size = self.view.size;
        self.draw(&Heat { size, values, palette, label, alpha: 170, blank: Some(255) })
    }

    /// Draws lines every `every` cells, for sectors, and between cells if they have 8 pixels or more.
    pub fn draw_grid(&mut self, every: u32) -> &mut Self {
        let size = self.view.size;
        self.draw(&GridLines { size, every })
    }

    /// Draws the player starts, numbered from 1.
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
