//! The eight grid directions: north is 0, then clockwise up to north-west, which is 7. `y` grows southwards.

/// One of the eight grid directions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Dir8 {
    /// North: one row up.
    N = 0,
    /// North-east.
    NE = 1,
    /// East: one column right.
    E = 2,
    /// South-east.
    SE = 3,
    /// South: one row down.
    S = 4,
    /// South-west.
    SW = 5,
    /// West: one column left.
    W = 6,
    /// North-west.
    NW = 7,
}

const DX: [i8; 8] = [0, 1, 1, 1, 0, -1, -1, -1];
const DY: [i8; 8] = [-1, -1, 0, 1, 1, 1, 0, -1];

impl Dir8 {
    /// All directions, clockwise from north.
    pub const ALL: [Self; 8] = [Self::N, Self::NE, Self::E, Self::SE, Self::S, Self::SW, Self::W, Self::NW];

    /// The four straight directions, clockwise from north.
    pub const STRAIGHT: [Self; 4] = [Self::N, Self::E, Self::S, Self::W];

    /// The direction numbered `index` modulo 8.
    #[inline]
    #[must_use]
    pub const fn from_index(index: u8) -> Self {
        Self::ALL[(index & 7) as usize]
    }

    /// The number of the direction, 0..=7.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The change of the column in one step.
    #[inline]
    #[must_use]
    pub const fn dx(self) -> i32 {
        DX[self as usize] as i32
    }

    /// The change of the row in one step.
    #[inline]
    #[must_use]
    pub const fn dy(self) -> i32 {
        DY[self as usize] as i32
    }

    /// Whether a step changes both column and row.
    #[inline]
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        self as u8 & 1 == 1
    }

    /// The direction turned clockwise by `eighths` eighths of a turn; anticlockwise if negative.
    #[inline]
    #[must_use]
    pub const fn turn(self, eighths: i8) -> Self {
        Self::from_index((self as u8).wrapping_add(eighths as u8))
    }

    /// The opposite direction.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        self.turn(4)
    }

    /// The direction of a step by (`dx`, `dy`). Only the signs count. `None` if both are 0.
    #[inline]
    #[must_use]
    pub const fn from_delta(dx: i32, dy: i32) -> Option<Self> {
        const TABLE: [u8; 9] = [7, 0, 1, 6, 8, 2, 5, 4, 3];
        let at = (dy.signum() + 1) * 3 + dx.signum() + 1;
        match TABLE[at as usize] {
            8 => None,
            dir => Some(Self::from_index(dir)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Dir8;

    #[test]
    fn directions_go_clockwise_from_north_with_y_southwards() {
        assert_eq!(Dir8::N.dy(), -1);
        assert_eq!(Dir8::E.dx(), 1);
        for dir in Dir8::ALL {
            assert_eq!(Dir8::from_delta(dir.dx(), dir.dy()), Some(dir));
            assert_eq!(Dir8::from_delta(dir.dx() * 9, dir.dy() * 2), Some(dir));
            assert_eq!((dir.opposite().dx(), dir.opposite().dy()), (-dir.dx(), -dir.dy()));
            assert_eq!(dir.turn(8), dir);
            assert_eq!(dir.turn(-3).turn(3), dir);
            assert_eq!(dir.is_diagonal(), dir.dx() != 0 && dir.dy() != 0);
            // A quarter turn clockwise maps (dx, dy) to (-dy, dx) when y grows southwards.
            assert_eq!((dir.turn(2).dx(), dir.turn(2).dy()), (-dir.dy(), dir.dx()));
        }
        assert_eq!(Dir8::from_delta(0, 0), None);
    }
}
