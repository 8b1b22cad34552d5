//! The distance of water from land.

use super::look::Look;

/// The distance of each tile to the nearest land in quarter tiles: 0 on land, at most 255. Two sweeps count 4 for a straight step and 6 for
/// a diagonal one. Bridges count as water, and the border of the map does not count as land.
pub(super) fn shore_distance(looks: &[Look], width: i32, height: i32) -> Vec<u8> {
    let wet = |look: &Look| look.is_water() || *look == Look::Bridge;
    let mut far: Vec<u8> = looks.iter().map(|look| if wet(look) { 255 } else { 0 }).collect();
    let mut relax = |x: i32, y: i32, steps: [(i32, i32, u8); 4]| {
        let at = (y * width + x) as usize;
        for (dx, dy, step) in steps {
            let (nx, ny) = (x + dx, y + dy);
            if nx >= 0 && ny >= 0 && nx < width && ny < height {
                far[at] = far[at].min(far[(ny * width + nx) as usize].saturating_add(step));
            }
        }
    };
    for y in 0..height {
        for x in 0..width {
            relax(x, y, [(-1, 0, 4), (0, -1, 4), (-1, -1, 6), (1, -1, 6)]);
        }
    }
    for y in (0..height).rev() {
        for x in (0..width).rev() {
            relax(x, y, [(1, 0, 4), (0, 1, 4), (1, 1, 6), (-1, 1, 6)]);
        }
    }
    far
}
