//! Textures: hashes of points and smooth noise.

/// A hash of a lattice point, from 0 to 1.
pub(super) fn grain(x: i32, y: i32, salt: u32) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x85eb_ca6b) ^ (y as u32).wrapping_mul(0xc2b2_ae35) ^ salt;
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    h ^= h >> 15;
    (h >> 8) as f32 / 16_777_216.0
}

/// Smooth noise from 0 to 1, with features one unit wide.
pub(super) fn noise(x: f32, y: f32, salt: u32) -> f32 {
    let (fx, fy) = (x.floor(), y.floor());
    let (ix, iy) = (fx as i32, fy as i32);
    let ease = |t: f32| t * t * (3.0 - 2.0 * t);
    let (tx, ty) = (ease(x - fx), ease(y - fy));
    let (a, b) = (grain(ix, iy, salt), grain(ix + 1, iy, salt));
    let (c, d) = (grain(ix, iy + 1, salt), grain(ix + 1, iy + 1, salt));
    let (top, bottom) = (a + (b - a) * tx, c + (d - c) * tx);
    top + (bottom - top) * ty
}
