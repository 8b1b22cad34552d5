//! The directions of bridges: planks lie across them.

use super::look::Look;

/// For each bridge tile, the unit vector along the bridge.
pub(super) struct Planks {
    width: i32,
    /// By tile index, sorted.
    along: Vec<(u32, (f32, f32))>,
}

/// The direction of a bridge comes from the tiles within 5 tiles.
const REACH: i32 = 5;

impl Planks {
    pub(super) fn new(looks: &[Look], width: i32, height: i32) -> Self {
        let tiles = looks.iter().enumerate().filter(|(_, look)| **look == Look::Bridge);
        let along = tiles.map(|(i, _)| {
            let (x, y) = (i as i32 % width, i as i32 / width);
            (i as u32, direction(looks, width, height, x, y))
        });
        Self { width, along: along.collect() }
    }

    /// The direction of the bridge at a tile; east if the tile is no bridge.
    pub(super) fn along(&self, x: i32, y: i32) -> (f32, f32) {
        let key = (y * self.width + x).max(0) as u32;
        self.along.binary_search_by_key(&key, |entry| entry.0).map_or((1.0, 0.0), |i| self.along[i].1)
    }
}

/// The main axis of the bridge and road tiles around a tile, from their second moments.
fn direction(looks: &[Look], width: i32, height: i32, x: i32, y: i32) -> (f32, f32) {
    let (mut xx, mut xy, mut yy) = (0, 0, 0);
    for dy in -REACH..=REACH {
        for dx in -REACH..=REACH {
            let (nx, ny) = (x + dx, y + dy);
            if dx * dx + dy * dy > REACH * REACH || nx < 0 || ny < 0 || nx >= width || ny >= height {
                continue;
            }
            if matches!(looks[(ny * width + nx) as usize], Look::Bridge | Look::Road) {
                xx += dx * dx;
                xy += dx * dy;
                yy += dy * dy;
            }
        }
    }
    let angle = (2.0 * xy as f32).atan2((xx - yy) as f32) / 2.0;
    (angle.cos(), angle.sin())
}
