//! One request: what was asked, its status, and the route found for it.

use alloc::vec::Vec;

use super::report::PathReport;
use super::status::PathStatus;
use crate::base::{CellPos, SpareLists, Tick, Vec2};
use crate::flow::tiles::FlowId;
use crate::nav::Navigator;
use crate::plan::{Destination, Stage};
use crate::query::PathAsk;
use crate::search::line_of_sight_between;

/// Lists of route points are preallocated for 512 points: nearly all routes have fewer.
pub(crate) const ROUTE_POINTS: usize = 512;

/// What has to be done for a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// Find a new route.
    Find,
    /// Repair the route that the request has, which an edit has cut: find a route from the unit to the part behind the cut.
    Rejoin,
}

/// World: one request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    pub(crate) ask: PathAsk,
    pub(crate) status: PathStatus,
    pub(crate) task: Task,
    /// Requests are numbered in the order in which they came. A request that waits again gets a new number. Unique.
    pub(crate) number: u64,
    pub(crate) asked: Tick,
    /// Where the route ends: in the goal, or in the nearest cell that can be reached.
    pub(crate) end: Vec2,
    /// The route, from point to point. Empty while there is none, and for requests that follow a flow.
    pub(crate) points: Vec<Vec2>,
    /// The flow that the unit follows, if the request belongs to a flow group.
    pub(crate) flow: Option<FlowId>,
    /// How the request is counted in [`Grouping`](crate::plan::Grouping), if it is.
    pub(crate) counted: Option<(Destination, Stage)>,
    /// Whether the request may take a neighbour's route. False after a neighbour's route did not fit.
    pub(crate) may_share: bool,
    /// Where the route ends in the cell of the goal; `None`: in its middle.
    pub(crate) exact: Option<Vec2>,
    pub(crate) report: Option<PathReport>,
}

impl Request {
    /// Makes the door route `doors` the interim route.
    pub(crate) fn follow_doors(&mut self, doors: &[CellPos], spare: &mut SpareLists<Vec2>) {
        self.clear_points(doors.len() + 1, spare);
        self.points.push(self.ask.from);
        self.points.extend(doors.iter().skip(1).map(|at| at.centre()));
        self.status = PathStatus::Temporary;
    }

    /// Ends the request with the answer `status`. `points` are copied, so that the searching lane keeps its own memory.
    pub(crate) fn settle(
        &mut self,
        status: PathStatus,
        end: Vec2,
        points: &[Vec2],
        spare: &mut SpareLists<Vec2>,
    ) {
        (self.status, self.task, self.end) = (status, Task::Find, end);
        if status.has_route() {
            self.clear_points(points.len(), spare);
            self.points.extend_from_slice(points);
        } else {
            spare.keep(core::mem::take(&mut self.points));
        }
    }

    /// Lets a complete route end at the exact point, if the request has one.
    pub(crate) fn end_exactly(&mut self, nav: &Navigator) {
        let (Some(exact), Some(&last)) = (self.exact, self.points.last()) else { return };
        let Some(field) = nav.layer().field(self.ask.agent) else { return };
        if self.status != PathStatus::Complete || last.cell() != exact.cell() {
            return;
        }
        let before = self.points.len().checked_sub(2).map(|at| self.points[at]);
        let rule = nav.config().step_rule();
        let sees = before.is_some_and(|before| line_of_sight_between(field, rule, before, exact));
        if let Some(last) = self.points.last_mut().filter(|last| sees || **last == exact) {
            *last = exact;
        } else {
            self.points.push(exact);
        }
        self.end = exact;
    }

    /// Empties the list of points and gives it the capacity for `len` points.
    fn clear_points(&mut self, len: usize, spare: &mut SpareLists<Vec2>) {
        self.points.clear();
        if self.points.capacity() < len {
            spare.keep(core::mem::take(&mut self.points));
            self.points = spare.take(len);
        }
    }
}
