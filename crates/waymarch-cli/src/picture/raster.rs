//! The map for drawing: one look and one height per tile. A tile is a cell or, on huge maps, several cells.

use waymarch::base::cell;
use waymarch::cost::FootCell;

use super::bridge::Planks;
use super::canvas::Scale;
use super::colour::{Colour, Ink};
use super::hillshade::Slopes;
use super::look::{LOOKS, Look};
use super::map_view::MapView;
use super::shore::shore_distance;

/// The looks of all tiles, and what is derived from them.
pub(super) struct Raster {
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) looks: Vec<Look>,
    /// The colours of [`Look::Plain`] tiles, by tile; empty if there are none.
    plain: Vec<Ink>,
    /// The distance of each water tile from land, in quarter tiles.
    shore: Vec<u8>,
    pub(super) slopes: Slopes,
    pub(super) planks: Planks,
}

impl Raster {
    pub(super) fn new(view: &MapView<'_>, scale: Scale) -> Self {
        let (columns, rows) = scale.tiles();
        let (width, height) = (columns as i32, rows as i32);
        let of: Vec<(Look, Option<Colour>)> =
            (0..=255).map(|t| Look::of(view.rules, waymarch::cost::TerrainId(t))).collect();
        let any_plain = view.terrain.iter().any(|t| of[t.index()].0 == Look::Plain);
        let mut looks = Vec::with_capacity((columns * rows) as usize);
        let mut plain = Vec::new();
        let mut heights = Vec::new();
        let side = scale.cells_per_tile() as i32;
        for y in 0..height {
            for x in 0..width {
                let tile = sum_up(view, &of, x * side, y * side, side);
                looks.push(tile.look);
                if any_plain {
                    plain.push(tile.colour.unwrap_or_default().ink());
                }
                if !view.elevation.is_empty() {
                    heights.push(tile.height / side as f32);
                }
            }
        }
        for placed in view.stamps {
            for (i, foot) in placed.stamp.cells.iter().enumerate() {
                let (dx, dy) = (i as i32 % placed.stamp.width as i32, i as i32 / placed.stamp.width as i32);
                let (x, y) = ((placed.at.x + dx) / side, (placed.at.y + dy) / side);
                let inside = (0..width).contains(&x) && (0..height).contains(&y);
                if let (FootCell::Terrain(terrain), true) = (foot, inside) {
                    looks[(y * width + x) as usize] = of[terrain.index()].0;
                }
            }
        }
        let shore = shore_distance(&looks, width, height);
        let slopes = Slopes::new(&heights, &looks, width, height);
        let planks = Planks::new(&looks, width, height);
        Self { width, height, looks, plain, shore, slopes, planks }
    }

    /// The look of a tile; beyond the edge, that of the nearest tile.
    pub(super) fn look(&self, x: i32, y: i32) -> Look {
        self.looks[self.index(x, y)]
    }

    fn index(&self, x: i32, y: i32) -> usize {
        (y.clamp(0, self.height - 1) * self.width + x.clamp(0, self.width - 1)) as usize
    }

    /// The colour of a plain tile.
    pub(super) fn plain(&self, x: i32, y: i32) -> Ink {
        self.plain.get(self.index(x, y)).copied().unwrap_or(Ink::BLACK)
    }

    /// The share of each look at a point in tiles (middles are at +0.5). A soft 3×3 brush blends neighbours: the
    /// line of equal shares follows the edges of tiles and rounds their corners.
    pub(super) fn shares(&self, x: f32, y: f32) -> [f32; LOOKS] {
        let (cx, cy) = (x.floor(), y.floor());
        let (wx, wy) = (spline(x - cx), spline(y - cy));
        let mut shares = [0.0; LOOKS];
        for (j, wy) in wy.into_iter().enumerate() {
            for (i, wx) in wx.into_iter().enumerate() {
                let look = self.look(cx as i32 + i as i32 - 1, cy as i32 + j as i32 - 1);
                shares[look as usize] += wx * wy;
            }
        }
        shares
    }

    /// The look of the 5×5 tiles around a tile, if all have the same.
    pub(super) fn uniform(&self, x: i32, y: i32) -> Option<Look> {
        let look = self.look(x, y);
        let alike = (-2..=2).all(|dy| (-2..=2).all(|dx| self.look(x + dx, y + dy) == look));
        alike.then_some(look)
    }

    /// The distance of a point on water from land, in tiles, interpolated.
    pub(super) fn depth(&self, x: f32, y: f32) -> f32 {
        let (x, y) = (x - 0.5, y - 0.5);
        let (cx, cy) = (x.floor(), y.floor());
        let (tx, ty) = (x - cx, y - cy);
        let at = |dx: i32, dy: i32| f32::from(self.shore[self.index(cx as i32 + dx, cy as i32 + dy)]) / 4.0;
        let (top, bottom) = (at(0, 0) * (1.0 - tx) + at(1, 0) * tx, at(0, 1) * (1.0 - tx) + at(1, 1) * tx);
        top * (1.0 - ty) + bottom * ty
    }
}

/// Quadratic B-spline weights of the tiles before, at and after a point.
fn spline(t: f32) -> [f32; 3] {
    [(1.0 - t) * (1.0 - t) / 2.0, 0.5 + t - t * t, t * t / 2.0]
}

/// The summary of the cells of a tile.
struct Tile {
    look: Look,
    colour: Option<Colour>,
    height: f32,
}

/// The most frequent look of the cells of a tile, and their mean height. Roads, bridges, walls, rivers and cliffs count double, because
/// they are thin.
fn sum_up(view: &MapView<'_>, of: &[(Look, Option<Colour>)], x: i32, y: i32, side: i32) -> Tile {
    let mut votes = [0_u32; LOOKS];
    let mut best = (0, Look::Void, None);
    let (mut height, mut count) = (0.0, 0.0);
    for cy in y..y + side {
        for cx in x..x + side {
            let Some(id) = view.size.id(cell(cx, cy)) else { continue };
            let Some(terrain) = view.terrain.get(id.index()) else { continue };
            let (look, colour) = of[terrain.index()];
            let thin = matches!(look, Look::Road | Look::Bridge | Look::Wall | Look::River | Look::Cliff);
            votes[look as usize] += if thin { 2 } else { 1 };
            if votes[look as usize] > best.0 {
                best = (votes[look as usize], look, colour);
            }
            height += f32::from(view.elevation.get(id.index()).copied().unwrap_or(0));
            count += 1.0;
        }
    }
    Tile { look: best.1, colour: best.2, height: height / f32::max(count, 1.0) }
}
