//! The four methods that spec 000 asks for, kept as they are.

use super::request::Task;
use super::status::{Guidance, PathStatus};
use super::{PathId, PathService, Waiting};
use crate::base::{CellRect, Fixed, LocomotorId, WorldPos};
use crate::query::PathAsk;

/// Spec 000's interface: all that a game needs that knows nothing of sizes, goals and budgets. What it cannot say, [`PathService`]'s own
/// methods do: `get_path` gives `None` alike for a route that is not there yet and for one that will never be.
///
/// ```
/// use waymarch::base::{cell, Fixed, GridSize};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules};
/// use waymarch::world::{Navigator, Pathfinder, PathService};
///
/// let nav = Navigator::new(Map::flat("field", GridSize::new(64, 40)?, Rules::spec_000()), Config::default())?;
/// let foot = nav.locomotor("foot").unwrap();
/// let mut paths = PathService::new(nav);
/// let id = paths.request_path(cell(5, 5).centre(), cell(60, 30).centre(), foot);
/// assert!(paths.get_path(id).is_none());
/// paths.tick();
/// assert_eq!(paths.get_path(id).unwrap().len(), 2, "straight on");
/// assert!(paths.is_passable(cell(9, 9).centre(), foot));
/// paths.invalidate_area(cell(30, 15).centre(), Fixed::from_cells(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Pathfinder: Send + Sync {
    /// Asks for a route.
    fn request_path(&mut self, origin: WorldPos, dest: WorldPos, locomotor: LocomotorId) -> PathId;

    /// The points of a route to follow, exact or temporary, if there are any.
    fn get_path(&self, id: PathId) -> Option<&[WorldPos]>;

    /// Whether a small unit can stand somewhere.
    fn is_passable(&self, pos: WorldPos, locomotor: LocomotorId) -> bool;

    /// Has all routes looked for anew that pass a place. Edits made through the navigator are known without it; this is for what the
    /// game knows and the map does not.
    fn invalidate_area(&mut self, center: WorldPos, radius: Fixed);
}

impl Pathfinder for PathService {
    fn request_path(&mut self, origin: WorldPos, dest: WorldPos, locomotor: LocomotorId) -> PathId {
        self.request(PathAsk::new(origin, dest.cell(), locomotor))
    }

    fn get_path(&self, id: PathId) -> Option<&[WorldPos]> {
        match self.guidance(id)? {
            Guidance::Waypoints(points) => Some(points),
            Guidance::Straight(_) | Guidance::Flow(..) => None,
        }
    }

    fn is_passable(&self, pos: WorldPos, locomotor: LocomotorId) -> bool {
        let field = self.nav().layer().field(locomotor.into());
        field.is_some_and(|field| field.grid().contains(pos.cell()) && field.is_passable(pos.cell()))
    }

    fn invalidate_area(&mut self, center: WorldPos, radius: Fixed) {
        let reach = radius.abs().floor_cells() + 1;
        let (at, side) = (center.cell(), reach.unsigned_abs() * 2 + 1);
        let area = CellRect::at(at.offset(-reach, -reach), side, side);
        let Self { requests, queue, numbers, nav, .. } = self;
        for (id, request) in requests.iter_mut() {
            let passes = |pair: &[WorldPos]| {
                let (a, b) = (pair[0].cell(), pair[1].cell());
                let left = CellRect {
                    x0: a.x.min(b.x),
                    y0: a.y.min(b.y),
                    x1: a.x.max(b.x) + 1,
                    y1: a.y.max(b.y) + 1,
                };
                !left.intersect(area).is_empty()
            };
            if request.status.has_way() && request.points.windows(2).any(passes) {
                (request.status, request.number, request.asked) =
                    (PathStatus::Temporary, *numbers, nav.now());
                request.task = Task::Find;
                queue.push(request.ask.priority, Waiting { number: *numbers, id });
                *numbers += 1;
            }
        }
    }
}
