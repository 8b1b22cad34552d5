//! The directions to follow, grouped by quarters: a quarter is a diagonal and the two straight directions beside it, searched in one walk.

use crate::base::Dir8;

/// Bit 0 of a quarter in [`QUARTERS`]: jump north or south.
pub(super) const UP_DOWN: u16 = 1;
/// Bit 1 of a quarter in [`QUARTERS`]: jump east or west.
pub(super) const SIDEWAYS: u16 = 2;
/// Bit 2 of a quarter in [`QUARTERS`]: walk the diagonal.
pub(super) const DIAGONALLY: u16 = 4;

/// What to do in each quarter, by the set of directions to follow (one bit per direction index). Each quarter has four bits: north-east
/// lowest, then south-east, south-west and north-west.
///
/// Every direction of the set is in exactly one quarter. A straight direction is grouped with a diagonal beside it if there is one, else with
/// a straight direction at a right angle.
pub(super) static QUARTERS: [u16; 256] = quarters();

const fn quarters() -> [u16; 256] {
    let mut table = [0; 256];
    let mut dirs = 0;
    while dirs < 256 {
        table[dirs] = share_out(dirs as u8);
        dirs += 1;
    }
    table
}

const fn share_out(dirs: u8) -> u16 {
    let mut rest = dirs;
    let mut all = 0;
    // First the quarters with a diagonal, then quarters with two straight directions left, then single directions.
    let mut round = 0;
    while round < 3 {
        let mut quarter = 0;
        while quarter < 4 {
            let diagonal = Dir8::from_index(2 * quarter + 1);
            let (one, other) = (diagonal.turn(-1), diagonal.turn(1));
            let straight = 1 << one.index() | 1 << other.index();
            let take = match round {
                0 => rest & 1 << diagonal.index() != 0,
                1 => rest & straight == straight,
                _ => rest & straight != 0,
            };
            if take {
                let mut todo = 0;
                todo |= part(rest, diagonal, DIAGONALLY);
                todo |= part(rest, one, if one.dx() == 0 { UP_DOWN } else { SIDEWAYS });
                todo |= part(rest, other, if other.dx() == 0 { UP_DOWN } else { SIDEWAYS });
                rest &= !(straight | 1 << diagonal.index());
                all |= todo << (4 * quarter);
            }
            quarter += 1;
        }
        round += 1;
    }
    all
}

const fn part(dirs: u8, dir: Dir8, todo: u16) -> u16 {
    if dirs & 1 << dir.index() != 0 { todo } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_direction_is_in_exactly_one_quarter() {
        for dirs in 0..=255_u8 {
            let mut again = 0_u16;
            for quarter in 0..4 {
                let diagonal = Dir8::from_index(2 * quarter + 1);
                let todo = QUARTERS[usize::from(dirs)] >> (4 * quarter);
                for dir in [diagonal.turn(-1), diagonal, diagonal.turn(1)] {
                    let bit = match (dir.is_diagonal(), dir.dx()) {
                        (true, _) => DIAGONALLY,
                        (false, 0) => UP_DOWN,
                        (false, _) => SIDEWAYS,
                    };
                    let times = u16::from(todo & bit != 0) << dir.index();
                    assert_eq!(again & times, 0, "{dirs:#b}: twice {dir:?}");
                    again |= times;
                }
            }
            assert_eq!(again, u16::from(dirs), "{dirs:#b}");
        }
    }

    #[test]
    fn straight_directions_go_with_the_diagonal_between_them() {
        // North, north-east, east.
        assert_eq!(QUARTERS[0b111], UP_DOWN | SIDEWAYS | DIAGONALLY);
        // South and west, the corner between them closed.
        assert_eq!(QUARTERS[0b101_0000], (UP_DOWN | SIDEWAYS) << 8);
    }
}
