//! A picture of the ground of a running game.

use waymarch::base::CellPos;
use waymarch::cost::{ChangeMark, PlacedStamp, TerrainId};
use waymarch::world::World;
use waymarch_cli::picture::{Canvas, MapView, Picture, Style};

/// The drawn map of a `World`. It is drawn again when the map changes.
pub(super) struct GroundPicture {
    canvas: Canvas,
    known: ChangeMark,
    style: Style,
}

impl GroundPicture {
    pub(super) fn new(world: &World, starts: &[CellPos], style: Style) -> Self {
        let layer = world.nav().layer();
        let cells = layer.grid().rect();
        let terrain: Vec<TerrainId> = cells.cells().map(|at| layer.terrain(at).unwrap_or_default()).collect();
        let stamps: Vec<PlacedStamp> = layer
            .stamps()
            .map(|(_, standing, stamp)| PlacedStamp { at: standing.at, stamp: stamp.clone() })
            .collect();
        let view = MapView {
            size: layer.grid(),
            rules: layer.rules().rules(),
            terrain: &terrain,
            elevation: &[],
            stamps: &stamps,
            starts,
        };
        let mut picture = Picture::new(view, &style);
        picture.draw_map();
        Self { canvas: picture.canvas().clone(), known: layer.changes().mark_now(), style }
    }

    /// Draws the map again if it has changed since it was drawn. Returns whether it has.
    pub(super) fn follow(&mut self, world: &World, starts: &[CellPos]) -> bool {
        let changes = world.nav().layer().changes().since(self.known);
        let has_changed = changes.is_none_or(|changed| !changed.is_empty());
        if has_changed {
            *self = Self::new(world, starts, self.style);
        }
        has_changed
    }

    pub(super) fn canvas(&self) -> &Canvas {
        &self.canvas
    }
}
