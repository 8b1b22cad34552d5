//! Cost layers for the tests of searches.

use waymarch::cost::{CostLayer, CostSettings};
use waymarch_testkit::grids::Grid;

/// The cost layer of a grid, with default settings.
pub(crate) fn layer(grid: &Grid) -> CostLayer {
    let map = grid.to_map("twin").validate().expect("the testkit makes legal maps");
    CostLayer::new(&map, CostSettings::default())
}
