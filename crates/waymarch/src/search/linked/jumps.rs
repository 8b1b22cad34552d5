//! Weighted jump point search over several levels.

use super::Linked;
use super::bound::LinkBound;
use crate::base::CellPos;
use crate::levels::LinkStep;
use crate::query::{PathQuery, PlanError};
use crate::search::jpsw::{Estimate, WeightedPlanes, search_planes};
use crate::search::probe::NoProbe;
use crate::search::route::Route;
use crate::search::run::SearchRun;
use crate::search::scratch::SearchScratch;

/// Finds the cheapest route over all levels by jumps; the ends are cells of the atlas. The runs of `planes` must stop where links start; see
/// [`WeightedPlanes::stop_at`].
///
/// # Errors
/// [`PlanError`] saying why there is no route. [`PlanError::Unsuited`] if the planes are for another agent, or out of date.
pub(crate) fn linked_jpsw(
    linked: &Linked<'_>,
    query: &PathQuery,
    planes: &WeightedPlanes,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    out.clear();
    linked.field(query)?;
    if planes.agent() != query.agent || planes.grid() != linked.layer.grid() {
        return Err(PlanError::Unsuited("these planes are for another locomotor, size or map"));
    }
    if !planes.is_current(linked.layer) {
        return Err(PlanError::Unsuited(
            "costs have changed since these planes were last brought up to date",
        ));
    }
    let mut guess = LinkedGuess {
        linked: *linked,
        bound: LinkBound::new(linked, query.to, planes.rule().neighbours),
        cheapest: u64::from(planes.cheapest()),
    };
    search_planes(planes, &mut guess, query, SearchRun { scratch, out, probe: &mut NoProbe })
}

struct LinkedGuess<'a> {
    linked: Linked<'a>,
    bound: LinkBound,
    cheapest: u64,
}

impl Estimate for LinkedGuess<'_> {
    const LINKED: bool = true;

    #[inline]
    fn from(&mut self, _place: usize, at: CellPos) -> u64 {
        self.bound.at_least(self.linked.atlas.over_base(at)) * self.cheapest
    }

    #[inline]
    fn is_inflated(&self) -> bool {
        false
    }

    #[inline]
    fn starts_link(&self, place: usize) -> bool {
        self.linked.steps.starts_at(place)
    }

    #[inline]
    fn link(&self, at: CellPos, number: usize) -> Option<LinkStep> {
        self.linked.steps.from(at).get(number).copied()
    }
}
