//! A half-plane of velocities: what one neighbour or wall allows.

use crate::base::{Fine, WideVec};

/// A half-plane of velocities. It allows each velocity `v` for which `dir.cross(v - point)` is not negative.
///
/// As `y` grows southwards, these are the velocities to the right of the line through `point` along `dir`.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfPlane {
    point: Fine,
    /// The direction of the line, of length 2^30.
    dir: Fine,
}

impl HalfPlane {
    /// A placeholder.
    pub(super) const NONE: Self = Self { point: Fine::ZERO, dir: Fine::ZERO };

    /// The half-plane at a line through `point` (within 2^29 of zero) along `dir` (of length 2^30).
    #[inline]
    pub(super) const fn new(point: WideVec, dir: WideVec) -> Self {
        // Both fit into 32 bits, so plain casts lose nothing; saturating would cost more.
        Self { point: Fine::new(point.x as i32, point.y as i32), dir: Fine::new(dir.x as i32, dir.y as i32) }
    }

    /// A point of the line.
    #[inline]
    pub(super) const fn point(&self) -> WideVec {
        self.point.wide()
    }

    /// The direction of the line, of length 2^30.
    #[inline]
    pub(super) const fn dir(&self) -> WideVec {
        self.dir.wide()
    }

    /// How far `v` lies outside of the half-plane, times 2^30. Negative inside.
    #[inline]
    pub(super) const fn violation(&self, v: WideVec) -> i64 {
        self.dir().cross(self.point().minus(v))
    }
}
