//! Jump point search on weighted ground.

mod dominance;
mod planes;
mod search;

pub use planes::WeightedPlanes;
use search::Estimate;

use super::astar::open_ends;
use super::octile::octile;
use super::route::Route;
use super::scratch::SearchScratch;
use crate::base::CellPos;
use crate::cost::{CostLayer, Neighbours};
use crate::query::{PathQuery, PlanError, Threat};

struct Octile {
    goal: CellPos,
    neighbours: Neighbours,
    cheapest: u64,
    per_mille: u64,
}

impl Estimate for Octile {
    #[inline]
    fn from(&self, _: usize, at: CellPos) -> u64 {
        octile(at, self.goal, self.neighbours) * self.cheapest * self.per_mille / 1000
    }
}

/// Finds the cheapest route.
///
/// # Errors
/// [`PlanError`] saying why there is no route.
pub fn jpsw(
    layer: &CostLayer,
    query: &PathQuery,
    planes: &WeightedPlanes,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    out.clear();
    open_ends(layer, query)?;
    if query.agent != planes.agent() {
        return Err(PlanError::Unsuited("these planes are for another locomotor or size"));
    }
    if query.threat != planes.threat() && !layer.threat().padded().is_empty() {
        return Err(PlanError::Unsuited(match query.threat {
            Threat::Heed => "these planes do not count threat",
            Threat::Ignore => "these planes count threat",
        }));
    }
    let estimate = Octile {
        goal: query.to,
        neighbours: planes.rule().neighbours,
        cheapest: u64::from(planes.cheapest()),
        per_mille: 1000,
    };
    if search::search(planes, &estimate, query, scratch, out) {
        return Ok(());
    }
    Err(PlanError::Unreachable { from: query.from, to: query.to })
}
