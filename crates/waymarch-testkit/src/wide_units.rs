//! Twins of clearance and of the cost fields of units wider than one cell.

use crate::rule::{BLOCKED, cost_at};

/// The cost of each cell for a unit of side `size`: the highest cost in the square that it covers; blocked if any cell
/// of the square is blocked or off the grid. For cell `(x, y)` the square has columns `x-(size-1)/2 ..= x+size/2`, rows likewise.
///
/// # Panics
/// If `size` is 0 or `cost` has the wrong length.
#[must_use]
pub fn field_for_size(cost: &[u8], width: u32, height: u32, size: u8) -> Vec<u8> {
    assert!(size > 0, "a unit has a size of at least 1");
    let size = i32::from(size);
    let mut field = Vec::with_capacity(cost.len());
    for y in 0..height as i32 {
        for x in 0..width as i32 {
            let mut dearest = 0;
            for row in y - (size - 1) / 2..=y + size / 2 {
                for column in x - (size - 1) / 2..=x + size / 2 {
                    dearest = dearest.max(cost_at(cost, width, height, column, row));
                }
            }
            field.push(dearest);
        }
    }
    field
}

/// The side (at most `cap`) of the largest open square whose north-west corner is each cell; 0 if the cell is blocked.
///
/// # Panics
/// If `cost` has the wrong length.
#[must_use]
pub fn clearance(cost: &[u8], width: u32, height: u32, cap: u8) -> Vec<u8> {
    let open = |x: i32, y: i32| cost_at(cost, width, height, x, y) != BLOCKED;
    let fits = |x: i32, y: i32, side: u8| {
        let side = i32::from(side);
        (y..y + side).all(|row| (x..x + side).all(|column| open(column, row)))
    };
    let mut found = Vec::with_capacity(cost.len());
    for y in 0..height as i32 {
        for x in 0..width as i32 {
            found.push((1..=cap).take_while(|&side| fits(x, y, side)).last().unwrap_or(0));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grids::Grid;

    #[test]
    fn size_one_is_the_field_itself() {
        let grid = Grid::scatter(1, 9, 7, 300);
        assert_eq!(field_for_size(&grid.cost, 9, 7, 1), grid.cost);
    }

    #[test]
    fn an_even_unit_covers_its_cell_and_the_ones_to_the_south_east() {
        let cost = [1, 2, 3, 4, 5, 6, 7, 8, 255];
        assert_eq!(field_for_size(&cost, 3, 3, 2), [5, 6, 255, 8, 255, 255, 255, 255, 255]);
    }

    #[test]
    fn an_odd_unit_covers_all_around_its_cell() {
        let mut cost = [1; 25];
        cost[2] = 9;
        let field = field_for_size(&cost, 5, 5, 3);
        assert_eq!(&field[5..10], [255, 9, 9, 9, 255]);
        assert_eq!(&field[10..15], [255, 1, 1, 1, 255]);
    }

    #[test]
    fn clearance_is_the_largest_square_to_the_south_east() {
        let cost = [1, 1, 1, 1, 1, 1, 1, 1, 255];
        assert_eq!(clearance(&cost, 3, 3, 9), [2, 2, 1, 2, 1, 1, 1, 1, 0]);
        assert_eq!(clearance(&cost, 3, 3, 1), [1, 1, 1, 1, 1, 1, 1, 1, 0]);
    }

    #[test]
    fn a_unit_fits_exactly_where_clearance_at_its_north_west_corner_says() {
        let grid = Grid::caves(3, 20, 16);
        let clear = clearance(&grid.cost, 20, 16, 4);
        for size in 1..=4_u8 {
            let field = field_for_size(&grid.cost, 20, 16, size);
            for (x, y) in grid.cells() {
                let back = (i32::from(size) - 1) / 2;
                let (nw_x, nw_y) = (x - back, y - back);
                let fits = nw_x >= 0 && nw_y >= 0 && clear[grid.index((nw_x, nw_y))] >= size;
                assert_eq!(field[grid.index((x, y))] != BLOCKED, fits, "size {size} at ({x}, {y})");
            }
        }
    }
}
