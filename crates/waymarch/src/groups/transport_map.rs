//! The linear map that moves one set of points onto another: the first guess of every assignment.

use super::points::{LIMIT, Point};

/// First prices are below 2^27.
const MOST_PRICE: i64 = 1 << 27;

/// Fractions of the map have 16 bits.
const BITS: u32 = 16;

/// The linear map from one set of points to another with the least sum of squared distances, if both sets were normal distributions: a
/// symmetric matrix in 65,536ths.
///
/// It is the geometric mean of the inverse covariance of one set and the covariance of the other, which has a closed form in two
/// dimensions. For sets that differ by a stretch it is the best assignment. For others it is a good first guess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TransportMap {
    xx: i64,
    xy: i64,
    yy: i64,
}

impl TransportMap {
    /// The map from one set to another.
    pub(super) fn of(from: &[Point], to: &[Point]) -> Self {
        let (here, there) = (Covariance::of(from), Covariance::of(to));
        let (here_root, there_root) = (here.root(), there.root());
        let sum = |a: i64, b: i64| (a << BITS) / here_root + (b << BITS) / there_root;
        let (xx, xy, yy) = (sum(here.yy, there.xx), sum(-here.xy, there.xy), sum(here.xx, there.yy));
        let root = (xx * yy - xy * xy).max(1).unsigned_abs().isqrt() as i64;
        let stretch = (((there_root as u64) << 32) / here_root as u64).isqrt() as i64;
        let part = |part: i64| (i128::from(part) * i128::from(stretch) / i128::from(root)) as i64;
        Self { xx: part(xx), xy: part(xy), yy: part(yy) }
    }

    /// Where the map moves a point.
    pub(super) fn map(self, at: Point) -> Point {
        let (x, y) = (i64::from(at.x), i64::from(at.y));
        let part = |value: i64| (value >> BITS).clamp(-LIMIT, LIMIT) as i32;
        Point { x: part(self.xx * x + self.xy * y), y: part(self.xy * x + self.yy * y) }
    }

    /// The first price of a slot: the right price if members lay exactly where the map moves the slots.
    pub(super) fn price(self, at: Point) -> i32 {
        let (x, y) = (i64::from(at.x), i64::from(at.y));
        let pull = (self.xx * x * x + 2 * self.xy * x * y + self.yy * y * y) >> BITS;
        (x * x + y * y - pull).clamp(-MOST_PRICE, MOST_PRICE) as i32
    }
}

/// The covariance of a set of points.
#[derive(Clone, Copy, Debug)]
struct Covariance {
    xx: i64,
    xy: i64,
    yy: i64,
}

impl Covariance {
    fn of(points: &[Point]) -> Self {
        let mean = |product: fn(i64, i64) -> i64| {
            let sum: i64 = points.iter().map(|at| product(i64::from(at.x), i64::from(at.y))).sum();
            sum / (points.len() as i64).max(1)
        };
        let (xx, xy, yy) = (mean(|x, _| x * x), mean(|x, y| x * y), mean(|_, y| y * y));
        // A little breadth for points in one line, so that the inverse stays small.
        let breadth = (xx + yy) / 64 + 1;
        Self { xx: xx + breadth, xy, yy: yy + breadth }
    }

    /// The square root of the determinant, at least 1.
    fn root(&self) -> i64 {
        ((self.xx * self.yy - self.xy * self.xy).max(1) as u64).isqrt() as i64
    }
}
