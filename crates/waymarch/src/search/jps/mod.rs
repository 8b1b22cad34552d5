//! Jump point search: shortest ways over ground of one cost, without cutting corners.

mod diagonals;
mod planes;
mod search;
mod stops;
mod turns;

pub use diagonals::DiagonalPlanes;
pub use stops::StopPlanes;

use super::astar::open_ends;
use super::route::Route;
use super::scratch::SearchScratch;
use crate::cost::CostLayer;
use crate::query::{PathQuery, PlanError};

/// Jump point search with straight stop planes, and with diagonal ones (JPS+) if given.
///
/// # Errors
/// [`PlanError`] saying why there is no route.
pub fn jps(
    layer: &CostLayer,
    query: &PathQuery,
    stops: &StopPlanes,
    diagonals: Option<&DiagonalPlanes>,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    out.clear();
    let field = open_ends(layer, query)?;
    if search::search(field, stops, diagonals, query, scratch, out) {
        return Ok(());
    }
    Err(PlanError::Unreachable { from: query.from, to: query.to })
}
