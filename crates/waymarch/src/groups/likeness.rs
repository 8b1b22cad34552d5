//! How one cloud of points is best laid over another: the first guess of every assignment.

use alloc::vec::Vec;

/// Coordinates are below this.
const LIMIT: i64 = 1 << 12;
/// First prices are below this.
const MOST_PRICE: i64 = 1 << 27;
const BITS: u32 = 16;

/// A point from the middle of its set, in whatever unit makes coordinates smaller than 2^12.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Point {
    /// The square of the distance.
    #[inline]
    pub(super) fn leg(self, to: Self) -> i32 {
        let (x, y) = (self.x - to.x, self.y - to.y);
        x * x + y * y
    }
}

/// Writes members and places as points, both on one scale. Members that are much further out than any place are brought nearer: they
/// get a place on their side all the same, and the others need the digits.
pub(super) fn points(
    members: impl Iterator<Item = (i64, i64)> + Clone,
    places: impl Iterator<Item = (i64, i64)> + Clone,
    members_out: &mut Vec<Point>,
    places_out: &mut Vec<Point>,
) {
    let far = |points: &mut dyn Iterator<Item = (i64, i64)>| {
        points.map(|(x, y)| x.abs().max(y.abs())).max().unwrap_or(0)
    };
    let reach = far(&mut places.clone()).max(1 << BITS).saturating_mul(32);
    let most = far(&mut members.clone()).min(reach).max(far(&mut places.clone()));
    let mut shift = 0;
    while most >> shift >= LIMIT {
        shift += 1;
    }
    let scaled = |(x, y): (i64, i64)| {
        let part = |part: i64| (part.clamp(-most, most) >> shift) as i32;
        Point { x: part(x), y: part(y) }
    };
    members_out.clear();
    members_out.extend(members.map(scaled));
    places_out.clear();
    places_out.extend(places.map(scaled));
}

/// The linear map that lays a cloud over another with the least sum of squared legs, judged by how far both extend in which
/// directions: a symmetric matrix, 65,536 to one.
///
/// It is the geometric mean of the one's inverse covariance and the other's covariance, which for two by two numbers has a closed form.
/// For sets that differ by a stretch it is the best assignment there is; for others it is a good place to begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Likeness {
    xx: i64,
    xy: i64,
    yy: i64,
}

impl Likeness {
    /// From `these` to `those`.
    pub(super) fn of(these: &[Point], those: &[Point]) -> Self {
        let (here, there) = (Spread::of(these), Spread::of(those));
        let (here_root, there_root) = (here.root(), there.root());
        let sum = |a: i64, b: i64| (a << BITS) / here_root + (b << BITS) / there_root;
        let (xx, xy, yy) = (sum(here.yy, there.xx), sum(-here.xy, there.xy), sum(here.xx, there.yy));
        let root = (xx * yy - xy * xy).max(1).unsigned_abs().isqrt() as i64;
        let stretch = (((there_root as u64) << 32) / here_root as u64).isqrt() as i64;
        let part = |part: i64| (i128::from(part) * i128::from(stretch) / i128::from(root)) as i64;
        Self { xx: part(xx), xy: part(xy), yy: part(yy) }
    }

    /// Where a point of the one comes to lie on the other.
    pub(super) fn map(self, at: Point) -> Point {
        let (x, y) = (i64::from(at.x), i64::from(at.y));
        let part = |value: i64| (value >> BITS).clamp(-LIMIT, LIMIT) as i32;
        Point { x: part(self.xx * x + self.xy * y), y: part(self.xy * x + self.yy * y) }
    }

    /// The price at which each place, of `these`, attracts who comes to lie on it.
    pub(super) fn price(self, at: Point) -> i32 {
        let (x, y) = (i64::from(at.x), i64::from(at.y));
        let pull = (self.xx * x * x + 2 * self.xy * x * y + self.yy * y * y) >> BITS;
        (x * x + y * y - pull).clamp(-MOST_PRICE, MOST_PRICE) as i32
    }
}

/// How far a set extends in which directions: the mean squares of its coordinates.
#[derive(Clone, Copy, Debug)]
struct Spread {
    xx: i64,
    xy: i64,
    yy: i64,
}

impl Spread {
    fn of(points: &[Point]) -> Self {
        let mean = |product: fn(i64, i64) -> i64| {
            let sum: i64 = points.iter().map(|at| product(i64::from(at.x), i64::from(at.y))).sum();
            sum / (points.len() as i64).max(1)
        };
        let (xx, xy, yy) = (mean(|x, _| x * x), mean(|x, y| x * y), mean(|_, y| y * y));
        // Sets in one line have some breadth too, or all that is across it would count without end.
        let breadth = (xx + yy) / 64 + 1;
        Self { xx: xx + breadth, xy, yy: yy + breadth }
    }

    /// The root of the determinant, at least 1.
    fn root(&self) -> i64 {
        ((self.xx * self.yy - self.xy * self.xy).max(1) as u64).isqrt() as i64
    }
}
