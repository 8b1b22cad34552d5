//! Hillshade: the light on slopes, from the north-west.

use waymarch::cost::ELEVATION_UNIT;

use super::look::Look;

/// The slope of each tile to the east and to the south, as rise over run; empty for flat maps.
pub(super) struct Slopes {
    width: i32,
    height: i32,
    lean: Vec<(f32, f32)>,
}

impl Slopes {
    pub(super) fn new(heights: &[f32], looks: &[Look], width: i32, height: i32) -> Self {
        let unit = f32::from(ELEVATION_UNIT);
        let index = |x: i32, y: i32| (y.clamp(0, height - 1) * width + x.clamp(0, width - 1)) as usize;
        let lean = (0..heights.len() as i32).map(|i| {
            let (x, y) = (i % width, i / width);
            if looks[i as usize].is_water() {
                return (0.0, 0.0);
            }
            let at = |dx: i32, dy: i32| heights[index(x + dx, y + dy)];
            // The Sobel operator: the slope over three rows or columns.
            let east = at(1, -1) + 2.0 * at(1, 0) + at(1, 1) - at(-1, -1) - 2.0 * at(-1, 0) - at(-1, 1);
            let south = at(-1, 1) + 2.0 * at(0, 1) + at(1, 1) - at(-1, -1) - 2.0 * at(0, -1) - at(1, -1);
            (east / (8.0 * unit), south / (8.0 * unit))
        });
        Self { width, height, lean: lean.collect() }
    }

    /// The slope at a point in tiles, interpolated.
    pub(super) fn at(&self, x: f32, y: f32) -> (f32, f32) {
        if self.lean.is_empty() {
            return (0.0, 0.0);
        }
        let (x, y) = (x - 0.5, y - 0.5);
        let (cx, cy) = (x.floor(), y.floor());
        let (tx, ty) = (x - cx, y - cy);
        let get = |dx: i32, dy: i32| {
            let (x, y) =
                ((cx as i32 + dx).clamp(0, self.width - 1), (cy as i32 + dy).clamp(0, self.height - 1));
            self.lean[(y * self.width + x) as usize]
        };
        let mix = |a: (f32, f32), b: (f32, f32), t: f32| (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
        mix(mix(get(0, 0), get(1, 0), tx), mix(get(0, 1), get(1, 1), tx), ty)
    }
}

/// The light on a slope: 1 on level ground, more on slopes that face north-west.
pub(super) fn light((east, south): (f32, f32), strength: f32) -> f32 {
    let lit = (east + south) * strength;
    let lit = lit / (1.0 + lit.abs() * 0.9);
    1.0 + if lit > 0.0 { lit * 0.6 } else { lit }
}
