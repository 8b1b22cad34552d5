//! A\* over several levels.

use super::bound::LinkBound;
use super::{Linked, THROUGH_LINK, parent_of};
use crate::base::CellPos;
use crate::cost::{IMPASSABLE, PadId, Padding, StepRule};
use crate::levels::LinkStep;
use crate::query::{PathQuery, PlanError};
use crate::search::astar::{Expansion, begin, expand_nodes};
use crate::search::probe::NoProbe;
use crate::search::route::Route;
use crate::search::scratch::{NodeFields as _, SearchScratch};
use crate::search::task::{Ending, Task, Verdict};

/// Finds the cheapest route over all levels with A\*; the ends are cells of the atlas.
///
/// # Errors
/// [`PlanError`] saying why there is no route.
pub(crate) fn linked_astar(
    linked: &Linked<'_>,
    query: &PathQuery,
    rule: StepRule,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> Result<(), PlanError> {
    out.clear();
    let field = linked.field(query)?;
    let padding = field.padding();
    let mut task = ToCell {
        costs: field.padded(),
        linked: *linked,
        bound: LinkBound::new(linked, query.to, rule.neighbours),
        goal: padding.pad(query.to),
        cheapest: u64::from(field.cheapest()),
    };
    begin(field, core::slice::from_ref(&query.from), &mut task, scratch);
    let expansion = Expansion { field, rule, most: u32::MAX };
    match expand_nodes(expansion, &mut task, scratch, out, &mut NoProbe) {
        Ending::Arrived(goal) => {
            trace_back(padding, goal, scratch, out);
            Ok(())
        }
        _ => Err(PlanError::Unreachable { from: query.from, to: query.to }),
    }
}

struct ToCell<'a> {
    costs: &'a [u8],
    linked: Linked<'a>,
    bound: LinkBound,
    goal: PadId,
    cheapest: u64,
}

impl Task for ToCell<'_> {
    const LINKED: bool = true;

    #[inline]
    fn is_open(&self, place: usize, _at: CellPos) -> bool {
        self.costs[place] != IMPASSABLE
    }

    #[inline]
    fn cost(&self, place: usize, _at: CellPos) -> u8 {
        self.costs[place]
    }

    #[inline]
    fn estimate(&mut self, at: CellPos) -> u32 {
        (self.bound.at_least(self.linked.atlas.over_base(at)) * self.cheapest).min(u32::MAX.into()) as u32
    }

    #[inline]
    fn visit(&mut self, id: u32, _cost: u64) -> Verdict {
        if id == self.goal.0 { Verdict::Arrive } else { Verdict::Expand }
    }

    #[inline]
    fn links(&self, at: CellPos) -> &[LinkStep] {
        self.linked.steps.from(at)
    }
}

/// Writes the route from its start to the node `end`.
fn trace_back(padding: Padding, end: u32, scratch: &SearchScratch, out: &mut Route) {
    out.extend_to(padding.pos(PadId(end)));
    let mut id = end;
    while let Some((parent, through_link)) = parent_of(scratch.nodes[id as usize].parent()) {
        let at = padding.pos(PadId(parent));
        if through_link {
            out.go_back_through_link(at);
        } else {
            out.extend_to(at);
        }
        id = parent;
    }
    debug_assert!(id & THROUGH_LINK == 0);
    out.waypoints.reverse();
}
