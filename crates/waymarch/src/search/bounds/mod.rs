//! How much does the rest of a route cost at least? Lower bounds that are tighter than the octile distance.
//!
//! The octile distance times the cheapest cell cost is a weak bound where walls stand in between. It is also weak where
//! cheap ground is rare: one cheap road makes it weak everywhere. The bounds here are made of true distances, once per
//! map.
//!
//! Owns: [`Landmarks`] and [`ZoneDistances`], Derived from the costs at the time they were made. Reads: the cost layer. May change: its own
//! tables.
//!
//! A bound stays true while no cell is cheaper than at that time: higher costs and more walls only make routes more expensive. After an
//! edit, `base.rs` counts the cells that are cheaper now. While there is such a cell, searches ignore the bound. A building that was placed
//! after the bounds were made can be removed again: then no cell is cheaper than before.
//!
//! When ground has become cheaper for good, make new bounds. That changes node counts, and which of several equally
//! cheap routes a search finds, but never the cost of a route. In lockstep, all machines must do it on the same tick.

mod base;
mod landmarks;
mod spread;
mod zones;

pub use landmarks::Landmarks;
pub use zones::ZoneDistances;

use crate::base::{Agent, CellPos, GridSize};
use crate::cost::{CostLayer, PadId, StepRule};
use crate::query::{PathQuery, PlanError, Threat};
use crate::sectors::RimField;

/// Which lower bound a search uses besides the octile distance.
#[derive(Clone, Copy, Debug)]
pub enum Bound<'a> {
    /// No bound besides the octile distance.
    Octile,
    /// Distances between zones: little memory; most useful where walls force detours.
    Zones(&'a ZoneDistances),
    /// Distances from and to eight landmarks: 32 bytes per cell; the tightest bound.
    Landmarks(&'a Landmarks),
}

impl Bound<'_> {
    fn base(&self) -> Option<&base::Base> {
        match self {
            Self::Octile => None,
            Self::Zones(zones) => Some(zones.base()),
            Self::Landmarks(landmarks) => Some(landmarks.base()),
        }
    }

    /// The size of the map that the bound was made for; `None` if it serves all maps.
    pub(super) fn grid(&self) -> Option<GridSize> {
        self.base().map(base::Base::grid)
    }

    /// Whether the bound is true for `agent` under `rule` in `layer` as it is now.
    ///
    /// A bound made for one size also serves larger sizes of the same locomotor. A step of a larger unit costs at least as much, because
    /// the most expensive cell under the unit counts.
    pub(super) fn serves(&self, layer: &CostLayer, agent: Agent, rule: StepRule) -> bool {
        self.base().is_some_and(|base| base.serves(agent, rule) && base.holds_in(layer))
    }
}

/// A bound towards one goal.
pub(super) trait ToGoal {
    /// A lower bound on the cost of the cheapest route from `at` to the goal; `place` is the index of `at` in padded order.
    fn at_least(&mut self, place: usize, at: CellPos) -> u64;
}

/// The bound 0, for searches that use the octile distance only.
pub(super) struct Nothing;

impl ToGoal for Nothing {
    #[inline(always)]
    fn at_least(&mut self, _: usize, _: CellPos) -> u64 {
        0
    }
}

impl ToGoal for &mut RimField<'_> {
    #[inline]
    fn at_least(&mut self, _: usize, at: CellPos) -> u64 {
        self.on_map(at)
    }
}

/// Refuses a field of lower bounds that does not fit the query. A field that ignores threat also serves queries with `Threat::Heed`.
pub(super) fn field_suits(left: &RimField<'_>, query: &PathQuery, rule: StepRule) -> Result<(), PlanError> {
    let rims = left.rims();
    if left.goal() != query.to {
        return Err(PlanError::Unsuited("this field is for another goal"));
    }
    if rims.agent() != query.agent || rims.rule() != rule {
        return Err(PlanError::Unsuited("these rims are for another locomotor, size or step rule"));
    }
    let threat = left.layer().threat();
    // A bound must not count threat that the query does not count. No observer sees more threat than `Threat::Heed` counts.
    let fits = threat.view(rims.threat()).is_empty()
        || query.threat == Threat::Heed
        || threat.same_view(rims.threat(), query.threat);
    if !fits {
        return Err(PlanError::Unsuited("these rims count threat"));
    }
    Ok(())
}

/// The bound between two cells on the map; `None` while the bound does not hold.
fn between(base: &base::Base, from: CellPos, towards: impl FnOnce(PadId) -> u64) -> Option<u64> {
    (base.holds() && base.contains(from)).then(|| towards(base.padding().pad(from)))
}
