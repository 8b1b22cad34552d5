//! The path service: requests with names, served by and by within the budgets of a tick.

mod state;
mod status;

use alloc::collections::VecDeque;
use alloc::vec::Vec;

pub(crate) use state::ServiceState;
pub use status::{Guidance, PathId, PathReason, PathStatus, PathTag};

use super::navigator::Navigator;
use crate::base::{CellPos, Slots, WorldPos};
use crate::query::{Detail, PathAsk, PathQuery, PlanError, Priority, WhenUnreachable};
use crate::search::{Route, SmoothPath};

/// One request.
#[derive(Clone, Debug)]
struct Request {
    ask: PathAsk,
    status: PathStatus,
    /// Where it leads in the end: the goal, or as near as can be.
    end: WorldPos,
    points: Vec<WorldPos>,
}

/// World: requests for routes, each with a name, served within the budgets of a tick.
#[derive(Clone, Debug)]
pub struct PathService {
    nav: Navigator,
    requests: Slots<PathTag, Request>,
    waiting: [VecDeque<PathId>; 3],
    route: Route,
    smooth: SmoothPath,
}

impl PathService {
    /// For routes on a navigator's map.
    #[must_use]
    pub fn new(nav: Navigator) -> Self {
        Self {
            nav,
            requests: Slots::new(),
            waiting: Default::default(),
            route: Route::new(),
            smooth: SmoothPath::new(),
        }
    }

    /// The navigator, to look at.
    #[must_use]
    pub fn nav(&self) -> &Navigator {
        &self.nav
    }

    /// The navigator, to edit its map and to ask at once.
    pub fn nav_mut(&mut self) -> &mut Navigator {
        &mut self.nav
    }

    /// Takes a request. That there is no way at all is known at once; all else is found in later ticks.
    pub fn request(&mut self, ask: PathAsk) -> PathId {
        let snapped = self.nav.snap(ask.from.cell(), &ask.goal, ask.agent);
        let (status, end) = match snapped {
            Err(error) => (PathReason::from(error).status(), ask.from),
            Ok(snapped) => {
                let reason = if snapped.gap > 0 {
                    Some(PathReason::NoWay)
                } else if snapped.from != ask.from.cell() {
                    Some(PathReason::StartClosed)
                } else {
                    None
                };
                match (reason, ask.when_unreachable) {
                    (Some(reason), WhenUnreachable::Fail) => (reason.status(), snapped.to.centre()),
                    _ => (PathStatus::Pending, snapped.to.centre()),
                }
            }
        };
        let priority = ask.priority;
        let id = self.requests.insert(Request { ask, status, end, points: Vec::new() });
        if status == PathStatus::Pending {
            self.waiting[lane(priority)].push_back(id);
        }
        id
    }

    /// Forgets a request; whether there was one.
    pub fn cancel(&mut self, id: PathId) -> bool {
        self.requests.remove(id).is_some()
    }

    /// How far a request has come; `None` if there is none of that name (any more).
    #[must_use]
    pub fn status(&self, id: PathId) -> Option<PathStatus> {
        self.requests.get(id).map(|request| request.status)
    }

    /// What to follow; `None` if there is no such request, or no way.
    #[must_use]
    pub fn guidance(&self, id: PathId) -> Option<Guidance<'_>> {
        let request = self.requests.get(id)?;
        match request.status {
            PathStatus::Unreachable(_) | PathStatus::Failed(_) => None,
            _ if request.points.is_empty() => Some(Guidance::Straight(request.end)),
            _ => Some(Guidance::Waypoints(&request.points)),
        }
    }

    /// Where a request leads in the end: its goal, or as near to it as can be.
    #[must_use]
    pub fn end(&self, id: PathId) -> Option<WorldPos> {
        self.requests.get(id).map(|request| request.end)
    }

    /// One tick passes: the map's clock goes on, and as many requests are served as there may be.
    pub fn tick(&mut self) {
        self.nav.tick();
        let mut left = self.nav.config().get().max_paths_per_tick;
        for queue in 0..self.waiting.len() {
            while left > 0 {
                let Some(id) = self.waiting[queue].pop_front() else { break };
                if self.requests.contains(id) {
                    self.serve(id);
                    left -= 1;
                }
            }
        }
    }

    fn serve(&mut self, id: PathId) {
        let Some(request) = self.requests.get_mut(id) else { return };
        let (from, to): (CellPos, CellPos) = (request.ask.from.cell(), request.end.cell());
        let query = PathQuery::new(from, to, request.ask.agent).with_threat(request.ask.threat);
        let found = match request.ask.detail {
            Detail::Direct => {
                request.status = PathStatus::Complete;
                return;
            }
            Detail::Full | Detail::Simplified => self.nav.path_far(&query, &mut self.route),
        };
        let smoothed = found.and_then(|()| {
            let how = self.nav.config().smoothing();
            let done = self.nav.smooth_into(&query, &self.route, how, &mut self.smooth);
            done.map_err(|_| PlanError::Unreachable { from, to })
        });
        let Some(request) = self.requests.get_mut(id) else { return };
        match smoothed {
            Ok(()) => {
                request.points.clone_from(&self.smooth.points);
                request.status = PathStatus::Complete;
            }
            Err(error) => request.status = PathReason::from(error).status(),
        }
    }
}

fn lane(priority: Priority) -> usize {
    match priority {
        Priority::High => 0,
        Priority::Normal => 1,
        Priority::Low => 2,
    }
}
