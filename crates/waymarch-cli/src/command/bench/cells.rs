//! Random cells and distances between cells, for drawing benchmark games.

use waymarch::base::{CellPos, GridSize, Rng, cell};

/// A random cell of the map: first its column, then its row.
pub(super) fn random_cell(random: &mut Rng, grid: GridSize) -> CellPos {
    let x = random.below(grid.width()) as i32;
    cell(x, random.below(grid.height()) as i32)
}

/// The Chebyshev distance of two cells: how many steps they are apart on open ground, diagonal steps included.
pub(super) fn chebyshev(a: CellPos, b: CellPos) -> u32 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}

/// `count` of the cells in random order; all of them if there are fewer.
pub(super) fn draw_cells(random: &mut Rng, mut cells: Vec<CellPos>, count: usize) -> Vec<CellPos> {
    let count = count.min(cells.len());
    for place in 0..count {
        let other = place + random.below((cells.len() - place) as u32) as usize;
        cells.swap(place, other);
    }
    cells.truncate(count);
    cells
}
