//! The game's own planner.

use alloc::boxed::Box;

use super::path_service::PathService;
use super::search::Lane;
use super::status::PathId;
use crate::base::Asker;
use crate::planners::Planner;

impl PathService {
    /// The same service with the game's own planner, which answers requests of any detail from cell to cell. The planner is not saved: set it
    /// again after loading.
    ///
    /// Its routes are followed as they are: they are not smoothed, no flow or route of another request replaces them, and a route that an edit
    /// has cut is planned anew. The engine's planners answer the queries that the planner does not [suit](Planner::suits), goals of several
    /// shapes, and detours ([`PathAsk::avoiding`](crate::query::PathAsk::avoiding)). They also lead around units that block the first 24
    /// cells ([`BlockedBy`](crate::query::BlockedBy)), and over doors until a route is found.
    #[must_use]
    pub fn with_planner(mut self, planner: Box<dyn Planner>) -> Self {
        self.set_planner(Some(planner));
        self
    }

    /// Sets the game's own planner, or removes it. Paused searches go on with the new planner, and requests that wait to join a flow get routes of the
    /// planner. Answered requests keep their routes and flows.
    pub fn set_planner(&mut self, planner: Option<Box<dyn Planner>>) {
        self.custom = planner;
        if self.custom.is_some() {
            let waiting = self.requests.all.iter_mut().filter(|(_, request)| !request.status.is_settled());
            waiting.for_each(|(_, request)| self.flow.uncount(request));
        }
        // A loaded service has no nodes of another planner either.
        self.lanes.iter_mut().for_each(Lane::planner_changed);
    }

    /// Whether the game has set a planner of its own.
    #[must_use]
    pub fn has_planner(&self) -> bool {
        self.custom.is_some()
    }

    /// Says which unit and player a request is for. Does nothing if it does not exist.
    pub(crate) fn set_asker(&mut self, id: PathId, asker: Asker) {
        if let Some(request) = self.requests.get_mut(id) {
            request.ask.asker = asker;
        }
    }
}
