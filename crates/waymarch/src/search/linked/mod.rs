//! What is a cheapest route over several levels? The exact searches with links between cells.
//!
//! The levels lie in one grid, an [`Atlas`]. The searches of [`astar`](super::astar()) and [`jpsw`](super::jpsw()) run over it; where a link starts, they also
//! follow the link. Their lower bound is the distance over the base, or the way over links that are shorter than it.
//!
//! Owns: nothing. Reads: the atlas, links and costs. May change: the scratch and the route of the caller.
//!
//! In a route, a waypoint that occurs twice in a row is the start of a link, and the waypoint after it is the end of that link.
//!
//! Files: `bound.rs` is the lower bound, `points.rs` and `jumps.rs` are the two searches.

mod bound;
mod jumps;
mod points;

pub(crate) use jumps::linked_jpsw;
pub(crate) use points::linked_astar;

use super::scratch::NO_PARENT;
use crate::cost::{CostField, CostLayer};
use crate::levels::{Atlas, LinkSteps};
use crate::query::{PathQuery, PlanError};

/// Bit 31 of a parent: the node was reached from it through a link. A place in padded order takes 27 bits.
pub(super) const THROUGH_LINK: u32 = 1 << 31;

/// The index of a parent and whether a link leads from it; `None` for the start.
#[inline]
pub(super) fn parent_of(parent: u32) -> Option<(u32, bool)> {
    (parent != NO_PARENT).then_some((parent & !THROUGH_LINK, parent & THROUGH_LINK != 0))
}

/// The levels and links that a search follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linked<'a> {
    pub(crate) layer: &'a CostLayer,
    pub(crate) atlas: &'a Atlas,
    pub(crate) steps: &'a LinkSteps,
}

impl<'a> Linked<'a> {
    /// The cost field of the query's agent, for which the links must be made.
    fn field(&self, query: &PathQuery) -> Result<&'a CostField, PlanError> {
        if self.steps.agent() != query.agent {
            return Err(PlanError::Unsuited("these links are for another locomotor or size"));
        }
        super::astar::open_ends(self.layer, query)
    }
}
