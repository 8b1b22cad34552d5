//! The areas in which two bit grids differ.

use crate::base::{CellPos, CellRect, RowColBits};

/// The smallest rectangle within `area` that holds all cells in which `a` and `b` differ; empty if there are none. Both have the same size.
pub(super) fn difference(a: &RowColBits, b: &RowColBits, area: CellRect) -> CellRect {
    let area = area.intersect(a.grid().rect());
    let mut found = CellRect::default();
    if area.is_empty() {
        return found;
    }
    let (first, last) = (area.x0 >> 6, (area.x1 - 1) >> 6);
    for y in area.y0..area.y1 {
        // The first word of a line is padding.
        let (a, b) = (&a.rows().line(y as u32)[1..], &b.rows().line(y as u32)[1..]);
        for at in first..=last {
            let mut bits = a[at as usize] ^ b[at as usize];
            if at == first {
                bits &= u64::MAX << (area.x0 & 63);
            }
            if at == last {
                bits &= u64::MAX >> (63 - ((area.x1 - 1) & 63));
            }
            if bits != 0 {
                let (west, east) = (bits.trailing_zeros(), 63 - bits.leading_zeros());
                let at = CellPos::new(at * 64 + west as i32, y);
                found = found.union(CellRect::at(at, east - west + 1, 1));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::difference;
    use crate::base::{CellRect, GridSize, RowColBits, cell};

    #[test]
    fn differences_are_found_within_the_area_and_only_there() {
        let grid = GridSize::new(150, 40).expect("legal");
        let a = RowColBits::new(grid);
        let mut b = a.clone();
        let spots = [cell(3, 2), cell(63, 9), cell(64, 9), cell(127, 30), cell(149, 39)];
        spots.iter().for_each(|&at| b.set(at, true));
        for x0 in (0..150).step_by(7) {
            for (y0, x1, y1) in [(0, 150, 40), (3, x0 + 20, 35), (9, x0 + 1, 10), (30, x0 + 90, 60)] {
                let area = CellRect { x0, y0, x1, y1 };
                let inside = spots.iter().filter(|&&at| area.contains(at));
                let expected = inside.fold(CellRect::default(), |all, &at| all.union(CellRect::at(at, 1, 1)));
                assert_eq!(difference(&a, &b, area), expected, "{area:?}");
            }
        }
        assert!(difference(&a, &a, grid.rect()).is_empty());
    }
}
