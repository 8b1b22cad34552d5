use proptest::prelude::*;

use super::{CellId, CellPos, CellRect, GridSize, MAX_SIDE, cell};
use crate::base::Fixed;

fn rect() -> impl Strategy<Value = CellRect> {
    let side = -6..7_i32;
    (side.clone(), side.clone(), side.clone(), side).prop_map(|(x0, y0, x1, y1)| CellRect { x0, y0, x1, y1 })
}

/// All cells of the rectangles above, and a border around them.
fn all_cells() -> impl Iterator<Item = CellPos> {
    (-12..13).flat_map(|y| (-12..13).map(move |x| cell(x, y)))
}

#[test]
fn a_size_with_an_illegal_side_is_an_error() {
    for (side, legal) in [(0, false), (1, true), (MAX_SIDE, true), (MAX_SIDE + 1, false), (u32::MAX, false)] {
        assert_eq!(GridSize::new(side, 5).is_ok(), legal);
        assert_eq!(GridSize::new(5, side).is_ok(), legal);
    }
    let error = GridSize::new(0, 9000).expect_err("too small, and too tall");
    assert_eq!(error.to_string(), "a map of 0×9000 cells is not legal: each side must be 1..=8192");
}

#[test]
fn ids_and_cells_correspond_one_to_one_row_by_row() {
    for (width, height) in [(1, 1), (1, 7), (7, 1), (5, 3), (64, 65)] {
        let size = GridSize::new(width, height).expect("legal");
        let cells: Vec<CellPos> = size.rect().cells().collect();
        assert_eq!(cells.len(), size.cells());
        assert!(cells.windows(2).all(|pair| pair[0] < pair[1]), "in the order of cells");
        for (index, &pos) in (0_u32..).zip(&cells) {
            assert_eq!(size.id(pos), Some(CellId(index)));
            assert_eq!(size.pos(CellId(index)), pos);
        }
        for pos in size.rect().grow(2, 2).cells() {
            assert_eq!(size.contains(pos), size.rect().contains(pos));
            assert_eq!(size.id(pos).is_some(), size.contains(pos));
        }
    }
}

#[test]
fn the_last_cell_of_the_largest_map_has_an_id() {
    let size = GridSize::new(MAX_SIDE, MAX_SIDE).expect("legal");
    let last = cell(MAX_SIDE as i32 - 1, MAX_SIDE as i32 - 1);
    let id = size.id(last).expect("on the map");
    assert_eq!(id.index() + 1, size.cells());
    assert_eq!(size.pos(id), last);
    assert!(!size.contains(cell(i32::MIN, i32::MIN)) && !size.contains(cell(i32::MAX, 0)));
}

#[test]
fn a_cell_contains_its_centre_and_its_north_west_corner() {
    for pos in all_cells() {
        assert_eq!(pos.centre().cell(), pos);
        let mut corner = pos.centre();
        corner.x -= Fixed::HALF;
        corner.y -= Fixed::HALF;
        assert_eq!(corner.cell(), pos);
        corner.x -= Fixed::from_raw(1);
        assert_eq!(corner.cell(), pos.offset(-1, 0));
    }
}

#[test]
fn rectangles_saturate_at_the_ends_of_the_range() {
    let corner = CellRect::at(cell(i32::MAX - 1, i32::MIN), u32::MAX, u32::MAX);
    assert_eq!(corner, CellRect { x0: i32::MAX - 1, y0: i32::MIN, x1: i32::MAX, y1: i32::MAX });
    assert_eq!(corner.grow(9, 9).y0, i32::MIN);
    assert_eq!(cell(i32::MAX, i32::MIN).offset(1, -1), cell(i32::MAX, i32::MIN));
}

proptest! {
    #[test]
    fn rectangles_are_sets_of_cells(a in rect(), b in rect()) {
        let both = a.intersect(b);
        let hull = a.union(b);
        for pos in all_cells() {
            prop_assert_eq!(both.contains(pos), a.contains(pos) && b.contains(pos));
            prop_assert!(hull.contains(pos) || !(a.contains(pos) || b.contains(pos)));
        }
        prop_assert_eq!(a.is_empty(), a.cells().next().is_none());
        prop_assert!(a.cells().eq(all_cells().filter(|&pos| a.contains(pos))), "row by row");
        // No smaller rectangle contains both.
        for shrunk in [
            CellRect { x0: hull.x0 + 1, ..hull },
            CellRect { y0: hull.y0 + 1, ..hull },
            CellRect { x1: hull.x1 - 1, ..hull },
            CellRect { y1: hull.y1 - 1, ..hull },
        ] {
            let mut lost = all_cells().filter(|&pos| !shrunk.contains(pos));
            prop_assert!(hull.is_empty() || lost.any(|pos| a.contains(pos) || b.contains(pos)));
        }
    }

    #[test]
    fn growing_adds_a_border(
        a in rect().prop_filter("not empty", |rect| !rect.is_empty()),
        north_west in 0..4_i32, south_east in 0..4_i32) {
        let grown = a.grow(north_west, south_east);
        for pos in all_cells() {
            let near = (-south_east..=north_west)
                .any(|dy| (-south_east..=north_west).any(|dx| a.contains(pos.offset(dx, dy))));
            prop_assert_eq!(grown.contains(pos), near);
        }
        prop_assert_eq!(grown.grow(-north_west, -south_east), a);
    }
}
