//! How much does the rest of a route cost at least? Lower bounds that are tighter than the octile distance.
//!
//! The octile distance times the cheapest cell cost is a weak bound where walls stand in between. It is also weak where
//! cheap ground is rare: one cheap road makes it weak everywhere. The bounds here are made of true distances, once per
//! map.
//!
//! This room owns the bounds. They are Derived from the costs at the time they were made; following an edit changes only their counts. They stay true while no cell is cheaper than it was then: dearer
//! ground and more walls only make routes dearer. After an edit they count the cells that are cheaper now (`base.rs`). While there are any,
//! searches do not use the bounds. Removing a building that was placed later leaves them in use.
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
    /// No other bound.
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
    /// A bound made for one size also serves greater sizes of the same locomotor: a greater unit pays the dearest cell under it.
    pub(super) fn serves(&self, layer: &CostLayer, agent: Agent, rule: StepRule) -> bool {
        self.base().is_some_and(|base| base.serves(agent, rule) && base.holds_in(layer))
    }
}

/// A bound towards one goal.
pub(super) trait ToGoal {
    /// A lower bound on the cost of the cheapest route from `at` to the goal; `place` is the index of `at` in padded order.
    fn at_least(&mut self, place: usize, at: CellPos) -> u64;
}

/// No bound at all.
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

/// Refuses a field of lower bounds that does not fit the query. A field that ignores threat serves queries that heed it too.
pub(super) fn field_suits(left: &RimField<'_>, query: &PathQuery, rule: StepRule) -> Result<(), PlanError> {
    let rims = left.rims();
    if left.goal() != query.to {
        return Err(PlanError::Unsuited("this field is for another goal"));
    }
    if rims.agent() != query.agent || rims.rule() != rule {
        return Err(PlanError::Unsuited("these rims are for another locomotor, size or rule of steps"));
    }
    let threatened = !left.layer().threat().padded().is_empty();
    if threatened && rims.threat() == Threat::Heed && query.threat == Threat::Ignore {
        return Err(PlanError::Unsuited("these rims count threat"));
    }
    Ok(())
}

/// The bound between two cells on the map; `None` while the bound does not hold.
fn between(base: &base::Base, from: CellPos, towards: impl FnOnce(PadId) -> u64) -> Option<u64> {
    (base.holds() && base.contains(from)).then(|| towards(base.padding().pad(from)))
}
