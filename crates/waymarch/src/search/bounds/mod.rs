//! Lower bounds on what is left to a goal, tighter than the distance over empty ground.
//!
//! The octile distance times the cheapest cost is weak where the cheapest ground is rare (one road is enough) and where
//! walls are in the way. The bounds here know the ground: they are made of true distances, once per map.
//!
//! They are Derived from the costs *as they were when they were made*, and stay true while no cell costs less than
//! it did then: dearer ground and more walls only make ways dearer. So they follow an edit by counting the cells that are now
//! cheaper ([`Base`]); while there are any, the bounds are not used. Taking away a building that was placed
//! later leaves them in use. When ground has become cheaper for good, make them anew. Making them anew changes how much
//! work a search takes and which of several equally cheap routes it finds, never what a route costs: in lockstep, all
//! machines must do it on the same tick.

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
    /// None.
    Octile,
    /// Distances between zones: small, and worth most where walls make detours.
    Zones(&'a ZoneDistances),
    /// Distances from and to a few far cells: 32 bytes a cell, and the tightest.
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

    /// The size of the map it was made for; none if it is good for all.
    pub(super) fn grid(&self) -> Option<GridSize> {
        self.base().map(base::Base::grid)
    }

    /// Whether it speaks of ways that are never dearer than those of `agent` under `rule`, and is still true in `layer`.
    ///
    /// Made for a smaller size of the same locomotor it serves a bigger one too, which pays the dearest cell under it.
    pub(super) fn serves(&self, layer: &CostLayer, agent: Agent, rule: StepRule) -> bool {
        self.base().is_some_and(|base| base.serves(agent, rule) && base.holds_in(layer))
    }
}

/// A bound towards one goal.
pub(super) trait ToGoal {
    /// At most what the cheapest way from the cell `at`, whose place is `place`, costs.
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

/// Whether a field of what is left is about the question; if not, why. One that ignores threat is good for those who heed it too.
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

/// The bound between two cells by `bound`, both on the map, for tests of what is promised.
fn between(base: &base::Base, from: CellPos, towards: impl FnOnce(PadId) -> u64) -> Option<u64> {
    (base.holds() && base.contains(from)).then(|| towards(base.padding().pad(from)))
}
